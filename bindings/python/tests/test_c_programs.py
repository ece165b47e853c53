"""Motions with the bits of the C programs."""

import math

import numpy as np
import quatint
from conftest import bits


def test_the_heavy_top_has_the_bits_of_the_c_program(c_output):
    def weight(t, q, omega):
        arm = quatint.rotate(q, [0, 0, 1])
        return -arm[1], arm[0], 0

    q = quatint.orientation_from_axis_angle([1, 0, 0], 0.3)
    top = quatint.Body([1, 1, 0.5], q, quatint.rotate(q, [0, 0, 20]), weight)
    top.advance(1e-3, 5000)
    q, omega = top.orientation, top.angular_velocity
    lean = math.acos(1 - 2 * (q[1] * q[1] + q[2] * q[2]))
    hexes = [" ".join(f"{number:016x}" for number in bits(array)) for array in (q, omega)]
    printed = f"after 5 s it leans by {lean:.4f} rad\norientation       {hexes[0]}\nangular velocity  {hexes[1]}\n"
    assert printed == c_output("heavy_top")


def test_the_fibres_have_the_bits_of_the_c_program(c_output):
    n, dt, steps = 2000, 0.001, 20
    mass = 4.0 / 3 * math.pi * 2 * 0.01
    q = quatint.orientation_from_axis_angle([0, 0, 1], math.pi * np.arange(n) / n)
    flow = quatint.ShearFlow([2, 1, 1], 1.0, [[0, 1, 0], [0, 0, 0], [0, 0, 0]])
    fibres = quatint.Ensemble(n, inertia=[mass / 5 * 2, mass / 5 * 5, mass / 5 * 5])
    fibres.bind_orientations(q)
    fibres.torque = flow
    turned, crossed = 0.0, []
    while len(crossed) < 2:
        fibres.advance(dt, steps)
        change = 2 * math.atan2(q[0, 3], q[0, 0]) - math.fmod(turned, 2 * math.pi)
        change -= 2 * math.pi * math.floor(change / (2 * math.pi) + 0.5)
        before, turned = turned, turned + change
        level = -math.pi * (len(crossed) + 0.5)
        if turned <= level:
            crossed.append(fibres.time - dt * steps * (turned - level) / (turned - before))
    period = 2 * (crossed[1] - crossed[0])
    lines = [f"period of an orbit: {period:.4f}, Jeffery's: {2 * math.pi * 2.5:.4f}\n"]
    for i in (0, n // 2, n - 1):
        lines.append(f"fibre {i:<7} " + " ".join(f"{number:016x}" for number in bits(q[i])) + "\n")
    assert "".join(lines) == c_output("fibres", str(n))
