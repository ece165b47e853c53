"""solve_ivp, beside scipy.integrate.solve_ivp."""

import copy
import pickle

import numpy as np
import pytest
import quatint
from conftest import same_bits
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

INERTIA = np.array([[3.0, 0.4, -0.2], [0.4, 2.0, 0.3], [-0.2, 0.3, 1.5]])
Y0 = np.array([0.5, -0.5, 0.7, np.sqrt(0.01), 0.3, -0.8, 1.1])
SPAN = (0.5, 6.0)


def torque(t, q, omega):
    """Of time, orientation and angular velocity: no conserved quantity is left."""
    w, x, y, z = q
    return np.sin(2 * t) - 0.1 * omega[0], w * x - 0.3 * omega[1] * y, np.cos(t) * z - 0.05 * omega[2] ** 3


def slope(t, y):
    """The same motion as scipy takes it, with quaternions and matrices of its own."""
    q, omega = y[:4], y[4:]
    w, x, y_, z = q
    a, b, c = omega
    rate = 0.5 * np.array(
        [-a * x - b * y_ - c * z, a * w + b * z - c * y_, -a * z + b * w + c * x, a * y_ - b * x + c * w]
    )
    turn = np.array(
        [
            [w * w + x * x - y_ * y_ - z * z, 2 * (x * y_ - w * z), 2 * (x * z + w * y_)],
            [2 * (x * y_ + w * z), w * w - x * x + y_ * y_ - z * z, 2 * (y_ * z - w * x)],
            [2 * (x * z - w * y_), 2 * (y_ * z + w * x), w * w - x * x - y_ * y_ + z * z],
        ]
    )
    inertia = turn @ INERTIA @ turn.T
    moment = np.array(torque(t, q, omega)) - np.cross(omega, inertia @ omega)
    return np.concatenate([rate, np.linalg.solve(inertia, moment)])


def component(t, q, omega):
    return omega[0] - 0.2


def height(t, q, omega):
    return q[1] + np.sin(3 * t)


def with_attributes(function, **attributes):
    """The event for quatint, and the same one for scipy."""

    def ours(t, q, omega):
        return function(t, q, omega)

    def scipys(t, y):
        return function(t, y[:4], y[4:])

    for name, value in attributes.items():
        setattr(ours, name, value)
        setattr(scipys, name, value)
    return ours, scipys


def both(span=SPAN, events=None, **options):
    ours = quatint.solve_ivp(
        INERTIA, span, Y0, events=events and [e for e, _ in events], torque=torque, rtol=1e-12, **options
    )
    scipys = solve_ivp(
        slope, span, Y0, "DOP853", events=events and [e for _, e in events], rtol=1e-12, atol=1e-13, **options
    )
    return ours, scipys


@pytest.mark.parametrize("span", [SPAN, SPAN[::-1]])
def test_a_generic_motion_is_that_of_scipy_forth_and_back(span):
    times = np.linspace(*span, 30)[1:-1]
    ours, scipys = both(span, t_eval=times, dense_output=True)
    assert (ours.status, ours.success, scipys.status) == (0, True, 0)
    assert ours.y.shape == scipys.y.shape == (7, 28)
    assert ours.t.tolist() == times.tolist()
    assert abs(ours.y - scipys.y).max() < 1e-9
    assert (ours.orientation == ours.y[:4].T).all()
    assert (ours.angular_velocity == ours.y[4:].T).all()
    assert (ours.t_events, ours.y_events, scipys.t_events) == (None, None, None)
    at = np.array([1.0, 5.5, 2.25])
    assert abs(ours.sol(at) - scipys.sol(at)).max() < 1e-9
    assert ours.sol(2.25).shape == (7,)
    assert ours.nfev > 50
    assert (ours.njev, ours.nlu) == (0, 0)
    assert ours.body.time == span[1]


def test_without_times_the_result_goes_from_start_to_end():
    ours, scipys = both()
    assert (ours.t[0], ours.t[-1]) == SPAN
    assert ours.y.shape == (7, len(ours.t))
    assert np.all(np.diff(ours.t) > 0)
    assert abs(ours.y[:, -1] - scipys.y[:, -1]).max() < 1e-9
    assert ours.sol is None


@pytest.mark.parametrize("span", [SPAN, SPAN[::-1]])
@pytest.mark.parametrize("direction", [0, 1, -1])
@pytest.mark.parametrize("terminal", [False, True, 1, 2, 3])
def test_events_are_those_of_scipy(span, direction, terminal):
    events = [with_attributes(component, direction=direction, terminal=terminal), with_attributes(height)]
    times = np.linspace(*span, 60)
    ours, scipys = both(span, events, t_eval=times)
    assert ours.status == scipys.status
    assert len(ours.t_events) == len(ours.y_events) == 2
    for mine, theirs in zip(ours.t_events, scipys.t_events):
        assert len(mine) == len(theirs)
        assert np.allclose(mine, theirs, rtol=0, atol=1e-9)
    for mine, theirs in zip(ours.y_events, scipys.y_events):
        assert mine.shape == (len(theirs), 7)
        assert np.allclose(mine, np.reshape(theirs, (-1, 7)), rtol=0, atol=1e-9)
    assert ours.t.tolist() == scipys.t.tolist()
    assert abs(ours.y - scipys.y).max() < 1e-9


def test_the_problem_has_enough_events_for_these_tests():
    ours, _ = both(events=[with_attributes(component), with_attributes(height)])
    assert [len(times) >= 3 for times in ours.t_events] == [True, True], ours.t_events


def known_cost(body):
    known = copy.copy(body)
    known.time = 0
    return known.solve_dense(2.0, 1e-10).statistics.evaluations


def test_a_body_is_left_as_it_is_and_gives_what_it_has():
    body = quatint.Body(INERTIA, Y0[:4], Y0[4:], torque, time=7.0)
    body.drag = [0.1, 0.2, 0.3]
    body.solve_longest_step = 0.25
    known = copy.copy(body)
    known.time = 0
    known.solve(2.0, 1e-10)
    result = quatint.solve_ivp(body, (0, 2), rtol=1e-10)
    assert (body.time, body.orientation.tolist()) == (7.0, quatint.Body(INERTIA, Y0[:4]).orientation.tolist())
    assert result.body.orientation.tolist() == known.orientation.tolist() == result.orientation[-1].tolist()
    assert result.nfev == known_cost(body)
    free = quatint.solve_ivp(body, [0, 2], torque=quatint.ConstantTorque([0, 0, 0]), max_step=np.inf, method="stiff")
    assert (free.body.solve_longest_step, free.body.solve_method) == (0, "stiff")
    free = quatint.solve_ivp([1, 2, 3], (0, 1e6), [1, 0, 0, 0, 0, 0, 2], t_eval=[np.pi])
    assert np.allclose(free.y[:, 0], [-1, 0, 0, 0, 0, 0, 2], atol=1e-14)


def test_the_result_has_keys_and_attributes_as_in_scipy():
    result = quatint.solve_ivp([1, 2, 3], (0, 1), events=[component])
    assert result["t"] is result.t
    assert set(solve_ivp(lambda t, y: -y, (0, 1), [1])) <= set(result)
    assert "angular_velocity" in dir(result)
    assert "success: True" in repr(result)
    result.note = "mine"
    assert result["note"] == "mine"
    with pytest.raises(AttributeError, match="nothing"):
        _ = result.nothing
    assert pickle.loads(pickle.dumps(dict(result, body=None)))["status"] == 0
    assert (result.t_events[0].shape, result.y_events[0].shape) == ((0,), (0, 7))


def test_where_the_motion_cannot_go_on_the_result_ends_without_success():
    def broken(t, q, omega):
        return (0, 0, np.nan) if t > 2 else torque(t, q, omega)

    result = quatint.solve_ivp(INERTIA, (0, 5), Y0, torque=broken, events=component, t_eval=np.linspace(0, 5, 11))
    assert (result.status, result.success) == (-1, False)
    assert "torque is not finite" in result.message
    assert result.t.tolist() == [0, 0.5, 1, 1.5] or 1 < result.body.time <= 2
    assert result.y.shape == (7, len(result.t))
    whole = quatint.solve_ivp(INERTIA, (0, 5), Y0, torque=torque, events=component, t_eval=np.linspace(0, 5, 11))
    assert np.allclose(result.y, whole.y[:, : len(result.t)], atol=1e-8)
    passed = whole.t_events[0] < result.body.time
    assert np.allclose(result.t_events[0], whole.t_events[0][passed], atol=1e-8)
    body = quatint.Body(INERTIA, Y0[:4], Y0[4:], torque)
    body.solve_most_evaluations = 300
    result = quatint.solve_ivp(body, (0, 1e6))
    assert (result.status, result.nfev <= 300, 0 < result.t[-1] < 1e6) == (-1, True, True)
    assert "evaluations" in result.message


def test_what_functions_raise_and_what_is_refused_are_exceptions():
    def raises(t, q, omega):
        raise KeyError("broken")

    for options in ({"torque": raises}, {"torque": torque, "events": raises}):
        with pytest.raises(KeyError):
            quatint.solve_ivp(INERTIA, (0, 1), **options)
    refused = [
        ({"t_span": 3}, "t_span"),
        ({"t_span": (0, 1, 2)}, "t_span"),
        ({"t_span": (0, np.nan)}, "NaN"),
        ({"t_eval": [0.5, 1.5]}, "within `t_span`"),
        ({"t_eval": [0.5, 0.25]}, "go from the start"),
        ({"t_eval": 0.5}, "shape"),
        ({"t_eval": [0.5, np.nan]}, "within"),
        ({"y0": [1, 0, 0, 0]}, r"\(7,\)"),
        ({"method": "RK45"}, "nonstiff"),
        ({"rtol": 3.0}, "`rtol`"),
        ({"max_step": -1.0}, "`max_step`"),
        ({"events": with_attributes(component, terminal=-1)[0]}, "terminal"),
        ({"events": with_attributes(component, terminal="yes")[0]}, "terminal"),
    ]
    for options, message in refused:
        with pytest.raises(ValueError, match=message):
            quatint.solve_ivp(INERTIA, **{"t_span": (0, 1), "torque": torque, **options})
    result = quatint.solve_ivp(INERTIA, (0, 1), dense_output=True)
    for wrong in (1.5, [[0.5]], np.nan):
        with pytest.raises(ValueError, match="`t` must"):
            result.sol(wrong)


def test_a_solution_over_no_time_is_its_start():
    result = quatint.solve_ivp(INERTIA, (1, 1), Y0, torque=torque)
    assert (result.t.tolist(), result.status) == ([1.0], 0)
    assert np.allclose(result.y[:, 0], Y0, atol=1e-15)
    assert quatint.solve_ivp(INERTIA, (0, 1), t_eval=[]).y.shape == (7, 0)


def test_pieces_after_events_that_count_join_without_a_gap():
    events = [with_attributes(component, terminal=3)[0]]
    result = quatint.solve_ivp(INERTIA, SPAN, Y0, torque=torque, events=events, dense_output=True, rtol=1e-12)
    assert result.status == 1
    assert len(result.t_events[0]) == 3
    assert np.all(np.diff(result.t) > 0)
    whole = quatint.solve_ivp(INERTIA, SPAN, Y0, torque=torque, dense_output=True, rtol=1e-12)
    times = np.linspace(SPAN[0], result.t[-1], 500)
    assert abs(result.sol(times) - whole.sol(times)).max() < 1e-10


def test_the_orientation_of_y0_may_have_the_scalar_last_or_be_a_rotation():
    q, omega = np.array([0.5, -0.1, 0.7, 0.5]), [0.3, -0.7, 1.1]
    plain = quatint.solve_ivp([1, 2, 2.5], (0, 3), [*q, *omega])
    last = quatint.solve_ivp([1, 2, 2.5], (0, 3), [*np.roll(q, -1), *omega], scalar_first=False)
    pair = quatint.solve_ivp([1, 2, 2.5], (0, 3), (q, omega))
    assert same_bits(last.y, plain.y) and same_bits(pair.y, plain.y)
    by_rotation = quatint.solve_ivp([1, 2, 2.5], (0, 3), (Rotation.from_quat(np.roll(q, -1)), omega))
    assert np.abs(by_rotation.y - plain.y).max() < 1e-12
    turned = by_rotation.rotation.apply([0.2, 0.4, -0.3])
    assert np.abs(turned - quatint.rotate(by_rotation.orientation, [0.2, 0.4, -0.3])).max() < 1e-14
    with pytest.warns(UserWarning, match="half a turn about z"):
        quatint.solve_ivp([1, 2, 2.5], (0, 3), [0, 0, 0, 1, *omega])


def test_what_a_user_of_scipy_gets_wrong_is_told_in_its_words():
    with pytest.raises(TypeError, match="the `torque`"):
        quatint.solve_ivp(lambda t, q, omega: -omega, (0, 3), [1, 0, 0, 0, 1, 1, 1])
    with pytest.raises(ValueError, match="which is DOP853"):
        quatint.solve_ivp([1, 2, 2.5], (0, 3), method="RK45")
    with pytest.raises(ValueError, match=r"shape \(7,\)"):
        quatint.solve_ivp([1, 2, 2.5], (0, 3), [1, 0, 0, 0])
