"""Motions that are known: exact solutions, and the bits of the C programs."""

import math

import numpy as np
import pytest
import quatint
from conftest import bits

FREE_TOP_AT_10 = (
    [0.46254544055464282, -0.31433514514460452, 0.04942963127929984, 0.82752754848441368],
    [-0.60347042309251813, -1.27899313854787241, 0.88772678821573304],
)


def test_a_free_asymmetric_top_follows_jacobis_elliptic_functions():
    top = quatint.Body([1, 2, 3], angular_velocity=[1, 1, 1])
    top.advance(1e-3, 10_000)
    assert abs(top.orientation - FREE_TOP_AT_10[0]).max() < 2e-6  # measured 6.6e-7
    assert abs(top.angular_velocity_body - FREE_TOP_AT_10[1]).max() < 5e-6  # measured 1.7e-6


def test_the_exact_rotation_of_a_free_body_has_all_digits():
    top = quatint.Body([1, 2, 3], angular_velocity=[1, 1, 1])
    top.drift(10)
    assert abs(top.orientation - FREE_TOP_AT_10[0]).max() < 1e-14
    assert top.time == 10


@pytest.mark.parametrize(
    ("method", "bound"),
    [("pcdm", 1e-3), ("splitting", 1e-3), ("cf4", 1e-7), ("splitting_4", 1e-7), ("splitting_6", 1e-9), ("force_gradient", 1e-7)],
)
def test_a_pendulum_swings_as_elliptic_functions_say(method, bound):
    # theta'' = -sin theta from 1 rad at rest; at a quarter of the period 4 K(sin(1/2)) it hangs down
    from scipy.special import ellipk

    q = quatint.orientation_from_axis_angle([1, 0, 0], 1.0)
    weight = quatint.UniformField([0, 0, -1], [0, 0, -1])
    pendulum = quatint.Body([1, 1, 1], q, torque=weight, method=method)
    steps = 100
    pendulum.advance(ellipk(math.sin(0.5) ** 2) / steps, steps)
    assert abs(pendulum.orientation[1]) < bound
    assert pendulum.angular_velocity[0] == pytest.approx(-2 * math.sin(0.5), abs=bound)


def test_drag_alone_slows_a_spin_exponentially_under_error_control():
    body = quatint.Body([2, 2, 2], angular_velocity=[0, 0, 5], torque=quatint.LinearDrag([1, 1, 1]))
    body.solve(3.0, 1e-12)
    assert body.angular_velocity[2] == pytest.approx(5 * math.exp(-1.5), rel=1e-10)


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
