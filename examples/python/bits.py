# bits.py: a heavy top, with the bits of the same program in C.
# It prints the lines of c_examples/heavy_top.c. `np.sin` and the `sin` of C may differ:
# docs/restart.md.
import math

import numpy as np
import quatint


def weight(t, q, omega):
    arm = quatint.rotate(q, [0, 0, 1])
    return -arm[1], arm[0], 0


def print_bits(name, array):
    print(f"{name:17}", *(f"{bits:016x}" for bits in array.view(np.uint64)))


q = quatint.orientation_from_axis_angle([1, 0, 0], 0.3)
top = quatint.Body([1, 1, 0.5], q, quatint.rotate(q, [0, 0, 20]), weight)
top.advance(1e-3, 5000)
w, x, y, z = top.orientation
print(f"after 5 s it leans by {math.acos(1 - 2 * (x * x + y * y)):.4f} rad")
print_bits("orientation", top.orientation)
print_bits("angular velocity", top.angular_velocity)

# It prints:
# after 5 s it leans by 0.3020 rad
# orientation       3fee9fa513a0c14f 3fbbb27a2f66e272 3fbac30b5804969a bfcfc0dcd5c3bd76
# angular velocity  400726e9e06ddcb8 c014b4183419a020 403319c6b8978213
