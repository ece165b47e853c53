"""Error control, dense output and events."""

import math

import numpy as np
import pytest
import quatint
from conftest import same_bits


def pendulum(torque=None):
    """It swings about x from 1 rad; its period is 4 K(sin(1/2))."""
    q = quatint.orientation_from_axis_angle([1, 0, 0], 1.0)
    return quatint.Body([1, 1, 1], q, torque=torque or quatint.UniformField([0, 0, -1], [0, 0, -1]))


def period():
    from scipy.special import ellipk

    return 4 * ellipk(math.sin(0.5) ** 2)


def weight(t, q, omega):
    return np.cross(quatint.rotate(q, [0, 0, -1]), [0, 0, -1])


@pytest.mark.parametrize("torque", [None, weight])
def test_the_tolerance_decides_the_error(torque):
    errors = []
    for tolerance in (1e-6, 1e-12):
        body = pendulum(torque)
        cost = body.solve(period(), tolerance)
        errors.append(abs(quatint.orientation_angle(body.orientation, pendulum().orientation)))
        assert body.time == period()
        assert cost == body.solve_statistics
        assert cost.evaluations >= 12 * cost.accepted > 0
    assert errors[0] < 1e-4
    assert errors[1] < 1e-10


def test_dense_output_is_on_the_motion_and_ends_where_a_solution_ends():
    body, end = pendulum(), pendulum()
    times = np.linspace(0, period(), 9)
    t, q, omega = body.solve(times, 1e-12)
    end.solve(period(), 1e-12)
    assert (t == times).all()
    assert same_bits(q[8], end.orientation)
    assert same_bits(omega[8], end.angular_velocity)
    assert abs(q[[2, 6], 1]).max() < 1e-10
    assert np.allclose(q[4], quatint.orientation_from_axis_angle([1, 0, 0], -1), atol=1e-10)
    back = body.solve(times[::-1], 1e-12)
    assert np.allclose(back[1][8], pendulum().orientation, atol=1e-9)


def test_times_that_go_back_and_forth_are_refused():
    with pytest.raises(quatint.ArgumentError, match="times"):
        pendulum().solve([0, 2, 1])
    with pytest.raises(ValueError, match="times"):
        pendulum().solve([[0, 1], [2, 3]])


@pytest.mark.parametrize(("crossing", "quarter"), [("any", 1), ("falling", 1), ("rising", 3)])
@pytest.mark.parametrize("torque", [None, weight])
def test_an_event_is_found_to_the_last_digits(crossing, quarter, torque):
    body = pendulum(torque)
    time = body.solve_until(lambda t, q, omega: q[1], 100, 1e-13, crossing=crossing)
    assert time == body.time == pytest.approx(quarter * period() / 4, abs=1e-10)
    assert body.solve_until(lambda t, q, omega: 1.0, 10.0) is None
    assert body.time == 10


def test_the_exception_of_an_event_function_comes_out_with_a_note():
    body = pendulum()
    with pytest.raises(ZeroDivisionError) as caught:
        body.solve_until(lambda t, q, omega: 1 / 0, 1.0)
    assert "event function at time 0.0" in caught.value.__notes__[0]
    with pytest.raises(quatint.MotionError, match="event function"):
        body.solve_until(lambda t, q, omega: math.nan, 1.0)
    with pytest.raises(TypeError):
        body.solve_until(lambda t, q, omega: "x", 1.0)
    with pytest.raises(ValueError, match="crossing"):
        body.solve_until(weight, 1.0, crossing="up")


def test_the_exception_of_a_torque_comes_out_of_a_solution():
    def torque(t, q, omega):
        if t > 0.5:
            raise KeyError("broken")
        return 0, 0, 1

    body = pendulum(torque)
    with pytest.raises(KeyError) as caught:
        body.solve(1.0)
    assert "raised in the torque at time" in caught.value.__notes__[0]
    assert 0 <= body.time <= 0.5
    with pytest.raises(KeyError):
        body.solve([0.6, 0.7])


def test_a_free_body_is_exact_over_any_distance():
    body, drifted = (quatint.Body([1, 2, 3], angular_velocity=[1, 1, 1]) for _ in range(2))
    assert body.solve(1e4) == (0, 1, 0)
    drifted.drift(1e4)
    assert np.allclose(body.orientation, drifted.orientation, atol=1e-9)


@pytest.mark.parametrize("torque", [None, weight])
def test_a_monitor_sees_each_step_and_changes_no_bit(torque):
    plain, monitored, recorded = (pendulum(torque) for _ in range(3))
    cost = plain.solve(3.0, 1e-9)
    seen = []
    assert monitored.solve(3.0, 1e-9, monitor=lambda *state: seen.append(tuple(map(np.copy, state)))) == cost
    assert same_bits(monitored.orientation, plain.orientation)
    assert len(seen) == cost.accepted
    t, q, omega = seen[-1]
    assert t == 3.0
    assert same_bits(q, plain.orientation)
    assert same_bits(omega, plain.angular_velocity)
    times = np.array([t for t, _, _ in seen])
    assert (np.diff(times) > 0).all()
    calls = []
    _, q, _ = recorded.solve(times, 1e-9, monitor=lambda t, q, omega: calls.append(t))
    assert calls == list(times)
    assert all(same_bits(left, right) for left, (_, right, _) in zip(q, seen, strict=True))


@pytest.mark.parametrize("torque", [None, weight])
def test_the_exception_of_a_monitor_comes_out_and_the_body_is_where_its_step_ended(torque):
    def stops(t, q, omega):
        last.append(t)
        if t > 1:
            raise KeyError("enough")

    for times in (3.0, [0.5, 2.0, 3.0]):
        last = []
        body = pendulum(torque)
        with pytest.raises(KeyError) as caught:
            body.solve(times, monitor=stops)
        assert "raised in the monitor at time" in caught.value.__notes__[0]
        assert 1 < body.time == last[-1] < 2
        body.solve(3.0)
    with pytest.raises(TypeError, match="a monitor is a function"):
        body.solve(4.0, monitor=5)
    with pytest.raises(TypeError):
        body.solve(4.0, monitor=lambda t: None)
    with pytest.raises(TypeError, match="a monitor returns None, not bool: it ends the solution by an exception"):
        body.solve(4.0, monitor=lambda t, q, omega: True)
