# solution.py: the period of a pendulum that is released at 2 rad, by tolerance.
# See docs/solutions.md.
import math

import quatint
from scipy.special import ellipk

weight = quatint.UniformField([0, 0, -1], [0, 0, -1])  # turns about x; the frequency of its small swings is 1 rad/s
period = 4 * ellipk(math.sin(1) ** 2)


def pendulum():
    return quatint.Body([1, 1, 1], quatint.orientation_from_axis_angle([1, 0, 0], 2), torque=weight)


print("tolerance  error of the period  evaluations  steps")
for tolerance in 1e-3, 1e-6, 1e-9:
    body = pendulum()
    # it turns back: at the half period its angular velocity rises through 0, at the period it falls
    time = body.solve_until(lambda t, q, omega: omega[0], 100, tolerance, crossing="falling")
    cost = body.solve_statistics
    print(f"{tolerance:9.0e} {abs(time - period):20.0e} {cost.evaluations:12d} {cost.accepted:6d}")

times, q, omega = pendulum().solve([0, period / 4, period / 2, period], 1e-9)
for t, tip in zip(times, quatint.rotate(q, [0, 0, -1])):
    print(f"t = {t:.3f}: {abs(math.atan2(tip[1], -tip[2])):.6f} rad")

# It prints:
# tolerance  error of the period  evaluations  steps
#     1e-03                2e-04          160      8
#     1e-06                1e-06          302     17
#     1e-09                2e-10          648     38
# t = 0.000: 2.000000 rad
# t = 2.087: 0.000000 rad
# t = 4.175: 2.000000 rad
# t = 8.350: 2.000000 rad
