"""Solutions with dense output and several events; results with names."""

import copy
import math
import pickle

import numpy as np
import pytest
import quatint
from conftest import same_bits

FIELD = quatint.UniformField([0, 0, -1], [0, 0, -1])


def pendulum(torque=FIELD):
    """It swings about x from 2 rad, at rest."""
    return quatint.Body([1, 1, 1], quatint.orientation_from_axis_angle([1, 0, 0], 2.0), torque=torque)


def period():
    from scipy.special import ellipk

    return 4 * ellipk(math.sin(1) ** 2)


def weight(t, q, omega):
    return np.cross(quatint.rotate(q, [0, 0, -1]), [0, 0, -1])


def speed(t, q, omega):
    return omega[0]


@pytest.mark.parametrize("torque", [FIELD, weight])
@pytest.mark.parametrize(("tolerance", "error"), [(1e-3, 5e-5), (1e-6, 5e-8), (1e-9, 5e-11), (1e-12, 1e-13)])
def test_a_solution_is_a_function_of_time_as_exact_as_its_steps(torque, tolerance, error):
    a, b, times = pendulum(torque), pendulum(torque), np.linspace(0, 20, 501)
    solution, known = a.solve_dense(20, tolerance), b.solve(times, tolerance)
    at = solution(times)
    assert abs(at.q - known.q).max() < error
    assert abs(at.omega - known.omega).max() < error
    assert same_bits(a.orientation, b.orientation)
    assert same_bits(at.q[-1], a.orientation)
    assert solution.statistics == a.solve_statistics
    assert solution.stopped_by is None


def test_times_are_asked_in_any_order_backwards_too_and_one_time_gives_one_state():
    body = pendulum()
    forth = body.solve_dense(5)
    back = body.solve_dense(0)
    assert np.allclose(body.orientation, pendulum().orientation, atol=1e-7)
    times = np.array([3.0, 0.0, 5.0, 1.0])
    assert np.allclose(forth(times).q, back(times).q, atol=1e-7)
    assert np.allclose(forth(times[::-1]).q[::-1], forth(times).q, atol=0)
    assert (forth(1.0).q.shape, forth(1.0).omega.shape) == ((4,), (3,))
    assert (forth([]).q.shape, forth([1.0]).q.shape) == ((0, 4), (1, 4))
    for wrong in (5.1, -0.1, math.nan, [0, 6]):
        with pytest.raises(ValueError, match="from 0.0 to 5.0"):
            forth(wrong)
    with pytest.raises(ValueError, match="shape"):
        forth(np.zeros((2, 2)))


def test_the_states_to_plot_go_from_start_to_end_and_unpack():
    body = pendulum()
    solution = body.solve_dense(20)
    t, q, omega = solution
    assert t is solution.t
    assert (t[0], t[-1]) == (0, 20)
    assert (q.shape, omega.shape) == ((len(t), 4), (len(t), 3))
    assert np.all(np.diff(t) > 0)
    assert len(t) >= 16 * solution.statistics.accepted
    assert same_bits(q[0], pendulum().orientation)


def test_events_do_not_stop_a_solution_and_change_no_bit():
    body, without = pendulum(), pendulum()
    rising = quatint.Event(speed, "rising")
    solution = body.solve_dense(30, 1e-12, events=[speed, rising, quatint.Event(speed, "falling"), lambda t, q, w: t - 40])
    without.solve(30, 1e-12)
    assert same_bits(body.orientation, without.orientation)
    turns = period() / 2 * np.arange(1, 8)
    assert np.allclose(solution.t_events[0], turns, atol=1e-10)
    assert np.allclose(solution.t_events[1], turns[::2], atol=1e-10)
    assert np.allclose(solution.t_events[2], turns[1::2], atol=1e-10)
    assert solution.t_events[3].shape == (0,)
    assert solution.q_events[3].shape == (0, 4)
    assert abs(solution.omega_events[0][:, 0]).max() < 1e-11
    assert np.allclose(solution.q_events[0], solution(turns).q, atol=1e-9)


def test_an_event_that_stops_is_where_solve_until_stops_with_the_same_bits():
    a, b = pendulum(), pendulum()
    solution = a.solve_dense(30, events=[speed, quatint.Event(speed, "falling", stops=True)])
    time = b.solve_until(speed, 30, crossing="falling")
    assert (solution.stopped_by, solution.t[-1], a.time) == (1, time, time)
    assert same_bits(a.orientation, b.orientation)
    assert solution.t_events[1].tolist() == [time]
    assert same_bits(solution.q_events[1][0], a.orientation)
    assert np.allclose(solution.t_events[0][0], period() / 2, atol=1e-8)
    times = np.linspace(0, time, 300)
    assert abs(solution(times).q - pendulum().solve(times).q).max() < 1e-9


def test_the_first_of_several_events_that_stop_stops():
    body = pendulum()
    events = [quatint.Event(lambda t, q, omega, at=at: t - at, stops=True) for at in (9.0, 3.0, 6.0)]
    solution = body.solve_dense(30, events=events)
    assert solution.stopped_by == 1
    assert body.time == pytest.approx(3.0, abs=1e-14)
    assert [len(times) for times in solution.t_events] == [0, 1, 0]
    again = body.solve_dense(30, events=events)
    assert (again.stopped_by, again.t_events[1].tolist()) == (2, [])
    # rising only, of a function that falls first
    solution = pendulum().solve_dense(30, events=quatint.Event(lambda t, q, omega: (t - 3) * (t - 5), "rising", True))
    assert solution.t[-1] == pytest.approx(5.0, abs=1e-13)


@pytest.mark.parametrize("end", [10, 4, 2.5, 2])
@pytest.mark.parametrize("torque", [FIELD, None])
def test_a_stretch_of_zeros_is_one_event_at_its_beginning_wherever_the_solution_ends(end, torque):
    def slack(t, q, omega):
        return max(0.0, 2 - t)

    def depth(t, q, omega):
        return max(0.0, t - 2)

    def clamped(t, q, omega):
        return min(0.0, t - 2)

    def is_open(t, q, omega):
        return float(t < 2)

    body = pendulum(torque)
    solution = body.solve_dense(end, events=[slack, depth, quatint.Event(clamped, "rising"), is_open, lambda t, q, w: abs(t - 2)])
    at = [len(times) for times in solution.t_events]
    assert at[:4] == [1, 0, 1, 1]
    assert np.allclose(np.concatenate(solution.t_events[:4]), 2, atol=1e-14)
    for event in (slack, clamped, is_open):
        body = pendulum(torque)
        stopped = body.solve_dense(end, events=quatint.Event(event, stops=True))
        assert (stopped.stopped_by, len(stopped.t_events[0])) == (0, 1)
        assert body.time == pytest.approx(2, abs=1e-14)


def test_functions_with_the_attributes_that_scipy_reads_are_understood():
    def turn(t, q, omega):
        return omega[0]

    turn.terminal, turn.direction = True, -1
    body = pendulum()
    assert body.solve_dense(30, events=turn).stopped_by == 0
    assert body.time == pytest.approx(period(), abs=1e-8)
    turn.terminal = 3
    with pytest.raises(ValueError, match="terminal"):
        body.solve_dense(30, events=[turn])


def test_a_free_body_is_exact_in_between_and_at_its_events():
    def about_the_middle_axis(t, q, omega):
        return quatint.rotate_inverse(q, omega)[1]

    nut = quatint.Body([3, 5, 9], angular_velocity=[0, 0.4, 0.001])
    start = copy.copy(nut)
    solution = nut.solve_dense(300, events=about_the_middle_axis)
    assert len(solution.t_events[0]) == 5
    assert np.allclose(np.diff(solution.t_events[0]), 60.0233322, atol=1e-6)
    times = np.linspace(0, 300, 77)
    assert same_bits(solution(times).q, start.solve(times).q)
    assert solution.t.shape == (1001,)
    assert nut.solve_dense(1e9).t[-1] == 1e9  # no search, so no memory
    nut.time = 0
    stopped = nut.solve_dense(300, events=quatint.Event(about_the_middle_axis, stops=True))
    assert stopped.stopped_by == 0
    assert stopped.t[-1] == nut.time < 100


def test_compiled_events_are_called_without_python():
    numba = pytest.importorskip("numba")

    @numba.cfunc(quatint.EVENT_SIGNATURE)
    def turn(t, q, omega, user_data):
        return omega[0]

    event = quatint.compiled(turn)
    a, b = pendulum(), pendulum()
    found, known = a.solve_dense(30, events=event), b.solve_dense(30, events=speed)
    assert same_bits(found.t_events[0], known.t_events[0])
    stopped = pendulum().solve_dense(30, events=[quatint.Event(event, "falling", True)])
    assert stopped.t[-1] == pendulum().solve_until(event, 30, crossing="falling")


def test_an_event_that_raises_or_is_no_number_fails_with_what_to_do():
    def broken(t, q, omega):
        if t > 1:
            raise KeyError("broken")
        return 1.0

    with pytest.raises(KeyError) as caught:
        pendulum().solve_dense(10, events=[speed, broken])
    assert "raised in the event function at time" in caught.value.__notes__[0]
    with pytest.raises(quatint.MotionError, match="event"):
        pendulum().solve_dense(10, events=lambda t, q, omega: math.nan)
    for call in (pendulum().solve_until, lambda event, end: pendulum().solve_dense(end, events=event)):
        with pytest.raises(TypeError, match=r"shape \(3,\): return one of its elements"):
            call(lambda t, q, omega: omega, 1.0)
        with pytest.raises(TypeError, match="returned None: has each path through it a `return`"):
            call(lambda t, q, omega: None, 1.0)
        with pytest.raises(TypeError, match="an event is a function"):
            call(3, 1.0)
    with pytest.raises(TypeError, match="a number that changes its sign; the function returned True or False"):
        pendulum().solve_dense(1, events=lambda t, q, omega: omega[0] > 0.5)
    with pytest.raises(TypeError, match="`crossing` of an Event must be a text"):
        pendulum().solve_dense(1, events=quatint.Event("rising", speed))
    with pytest.raises(quatint.ArgumentError, match="crossing"):
        pendulum().solve_dense(1, events=quatint.Event(speed, "up"))


def test_a_solution_over_no_time_is_its_start():
    body = pendulum()
    solution = body.solve_dense(0.0, events=speed)
    assert (solution.t.tolist(), solution.t_events[0].tolist()) == ([0.0], [])
    assert same_bits(solution(0.0).q, body.orientation)


def test_trajectories_have_names_and_are_tuples():
    body = pendulum()
    for trajectory in (body.record(0.1, 3), body.solve([1.0, 2.0]), quatint.Ensemble(2).record(0.1, 3)):
        t, q, omega = trajectory
        assert isinstance(trajectory, quatint.Trajectory)
        assert isinstance(trajectory, tuple)
        assert (t is trajectory.t, q is trajectory.q, omega is trajectory.omega) == (True,) * 3
    assert body.solve(3.0).evaluations > 0


def test_no_step_is_longer_than_the_longest_so_that_a_pulse_is_seen():
    def pulse(t, q, omega):
        return 0, 0, 10.0 if 5 <= t < 5.1 else 0.0

    blind = quatint.Body([1, 1, 1], torque=pulse)
    blind.solve(10)
    assert blind.angular_velocity[2] == 0
    body = quatint.Body([1, 1, 1], torque=pulse)
    body.solve_longest_step = 0.05
    for each in (body, copy.copy(body), pickle.loads(pickle.dumps(quatint.Body([1, 1, 1])))):
        if each.solve_longest_step == 0:
            each.torque, each.solve_longest_step = pulse, 0.05
        each.solve(10)
        assert each.angular_velocity[2] == pytest.approx(1, abs=1e-8)
        assert each.solve_statistics.accepted >= 200
    assert pickle.loads(pickle.dumps(copy.copy(limited()))).solve_longest_step == 0.25
    for wrong in (-1.0, math.nan):
        with pytest.raises(quatint.ArgumentError, match="longest"):
            body.solve_longest_step = wrong
    assert body.solve_longest_step == 0.05


def limited():
    body = quatint.Body([1, 1, 1])
    body.solve_longest_step, body.solve_most_evaluations = 0.25, 1000
    return body


def test_a_solution_ends_after_the_most_evaluations_where_its_last_step_ended():
    body = pendulum()
    body.solve_most_evaluations = 200
    for call in (body.solve, body.solve_dense):
        before = body.time
        with pytest.raises(quatint.MotionError, match="evaluations") as caught:
            call(1e6)
        assert caught.value.status.name == "QI_ERR_STEP"
        assert before < body.time < 1e6
        assert body.solve_statistics.evaluations <= 200
    body.solve_most_evaluations = 0
    assert body.solve(30).evaluations > 200
    assert copy.copy(limited()).solve_most_evaluations == 1000


def test_a_stiff_torque_takes_a_stiff_solution():
    def dragged(t, q, omega):
        return -1e4 * (omega - [1, 0, 0])

    body = quatint.Body([1, 2, 3], angular_velocity=(1, 1, 1))
    body.set_torque(dragged)
    assert body.solve_method == "nonstiff"
    body.solve_most_evaluations = 1000
    with pytest.raises(quatint.MotionError, match="looks stiff.*qi_set_solve_method"):
        body.solve(10, 1e-6)
    body.solve_method = "stiff"
    assert copy.copy(body).solve_method == "stiff"
    body.solve(10, 1e-6)
    assert np.allclose(body.angular_velocity, [1, 0, 0], atol=1e-5)
    with pytest.raises(quatint.ArgumentError, match="solve_method"):
        body.solve_method = "implicit"
    plain = limited()
    plain.solve_method = "stiff"
    assert pickle.loads(pickle.dumps(plain)).solve_method == "stiff"


def test_splitting_calls_a_function_of_the_orientation_least_and_hides_the_angular_velocity():
    calls = []

    def field(t, q, omega):
        calls.append(t)
        assert np.isnan(omega).all() == (method == "splitting")
        return np.cross(quatint.rotate(q, [0.2, -0.1, 0.9]), [0, 0, -1])

    ends, counts = [], []
    for method in ("nonstiff", "splitting"):
        body = quatint.Body([1, 1.5, 0.7], [0.8, 0.36, 0.48, 0], [0.4, -0.3, 5])
        body.set_torque(field)
        body.solve_method = method
        calls.clear()
        body.solve(10, 1e-11)
        ends.append(body.orientation)
        counts.append(len(calls))
    assert np.abs(ends[0] - ends[1]).max() < 2e-10
    assert counts[1] < 0.6 * counts[0]

    body.set_torque(lambda t, q, omega: -omega)
    before = body.orientation
    with pytest.raises(quatint.Error, match="QI_SOLVE_NONSTIFF and QI_SOLVE_STIFF take any torque"):
        body.solve(11, 1e-6)
    assert (body.orientation == before).all() and body.time == 10
