"""One body: its state, its steps, its torque."""

import math

import numpy as np
import pytest
import quatint
from conftest import same_bits

TILTED = np.array([0.5, -0.1, 0.7, 0.5])
METHODS = ["pcdm", "splitting", "splitting_4", "splitting_6", "force_gradient", "cf4"]


# the moments 3, 5 and 7 about axes that are turned in the body
GENERIC = [[5.72, 0.768, -0.576], [0.768, 5.0992, -1.5744], [-0.576, -1.5744, 4.1808]]


def spinning(**options):
    return quatint.Body(GENERIC, TILTED, [0.3, -0.7, 1.1], **options)


def test_a_generic_body_comes_where_it_comes_in_every_language():
    """With the numbers of tests/rust/every_language.rs."""

    def torque(t, q, omega):
        return 0.3 + q[1] * q[2] - 0.2 * omega[1], 0.1 * t - q[0] * q[3], 0.2 + q[2] * q[3] + 0.3 * omega[0]

    body = spinning(torque=torque)
    body.advance(0.01, 100)
    end = [0.4591273469192799, -0.5026845302823357, 0.1801445488229428, 0.7099706218253464]
    assert np.abs(body.orientation - end).max() < 1e-14
    end = [0.7566512967365715, -0.8861596187131292, 0.9622951882072567]
    assert np.abs(body.angular_velocity - end).max() < 1e-14
    end = [-1.318525692064565, -0.37332023040899964, -0.6371295699234223]
    assert np.abs(body.angular_velocity_body - end).max() < 1e-14


def test_a_body_starts_at_rest_with_the_identity():
    body = quatint.Body([1, 2, 3])
    assert body.orientation.tolist() == [1, 0, 0, 0]
    assert body.angular_velocity.tolist() == [0, 0, 0]
    assert (body.time, body.method, body.torque, body.drag) == (0, "pcdm", None, None)
    assert body.inertia.tolist() == [[1, 0, 0], [0, 2, 0], [0, 0, 3]]


def test_a_line_does_not_turn_about_itself():
    line = quatint.Body([0, 2, 2], angular_velocity=[1, 0, 3])
    line.kick(1, [5, 0, 2])
    assert line.angular_velocity.tolist() == [0, 0, 4] and line.kinetic_energy == 16
    many = quatint.Ensemble(2, inertia=[[0, 2, 2], [0, 0, 3]], orientations=[1, 0, 0, 0], angular_velocities=[1, 0, 3])
    assert many.angular_velocities.tolist() == [[0, 0, 3], [0, 0, 3]]
    with pytest.raises(quatint.ArgumentError, match="one is zero and the others are equal"):
        quatint.Body([0, 1, 2])


def test_what_is_written_into_the_copy_that_a_property_returns_is_not_lost_silently():
    body = spinning()
    body.rotor_momentum = [0, 0, 1]
    many = quatint.Ensemble(3, orientations=TILTED)
    many.rotor_momentum = [0, 0, 1]
    many.active = [0, 2]
    of_body = "orientation angular_velocity angular_velocity_body angular_momentum rotor_momentum rotor_torque inertia"
    of_many = "orientations angular_velocities angular_velocities_body angular_momenta rotor_momentum inertia ids active"
    for each, names in ((body, of_body), (many, of_many)):
        for name in names.split():
            before = getattr(each, name)
            with pytest.raises(ValueError, match="read-only"):
                getattr(each, name)[0] = 5
            assert same_bits(getattr(each, name), before)
            changed = before.copy()  # the remedy
            changed[0] = changed[1]
    with pytest.raises(ValueError, match="read-only"):
        body.angular_velocity += [0, 0, 1]
    q = many.orientations.copy()
    q[0] = [1, 0, 0, 0]
    many.orientations = q
    assert many.orientations[0].tolist() == [1, 0, 0, 0] and same_bits(many.orientations[1], body.orientation)
    many.kinetic_energies[0] = 5  # results are the caller's


def test_the_angular_velocity_stays_in_the_world_when_the_orientation_is_set():
    body = spinning()
    body.orientation = [1, 0, 0, 0]
    assert np.allclose(body.angular_velocity, [0.3, -0.7, 1.1], atol=1e-15)


@pytest.mark.parametrize("method", METHODS)
def test_many_steps_are_the_same_as_single_ones(method):
    def torque(t, q, omega):
        return math.sin(t), q[1], q[3]

    a, b = spinning(torque=torque, method=method), spinning(torque=torque, method=method)
    a.advance(0.01, 50)
    for _ in range(50):
        b.step(0.01)
    assert same_bits(a.orientation, b.orientation)
    assert same_bits(a.angular_velocity, b.angular_velocity)
    assert a.clock == b.clock


@pytest.mark.parametrize("method", METHODS)
def test_a_function_gives_the_motion_of_the_ready_made_torque(method):
    def weight(t, q, omega):
        return np.cross(quatint.rotate(q, [0.1, 0.2, 1.0]), [0, 0, -1])

    ready = quatint.UniformField([0.1, 0.2, 1.0], [0, 0, -1])
    a, b = spinning(torque=weight, method=method), spinning(torque=ready, method=method)
    for body in (a, b):
        body.advance(0.01, 100)
    assert np.allclose(a.orientation, b.orientation, atol=1e-13)


@pytest.mark.parametrize("frame", ["world", "body"])
def test_a_function_in_either_frame_gives_the_constant_torque_of_that_frame(frame):
    a = spinning(torque=lambda t, q, omega: [0.3, -0.2, 0.1], frame=frame)
    b = spinning(torque=quatint.ConstantTorque([0.3, -0.2, 0.1], frame))
    for body in (a, b):
        body.advance(0.01, 100)
    assert np.allclose(a.orientation, b.orientation, atol=1e-13)


def test_a_function_in_the_body_frame_gets_the_angular_velocity_there():
    seen = []
    body = spinning(torque=lambda t, q, omega: seen.append(omega) or (0, 0, 0), frame="body")
    expected = body.angular_velocity_body
    body.step(0.01)
    assert same_bits(seen[0], expected)


@pytest.mark.parametrize(
    "result",
    [
        (0.5, 1, -2),
        [0.5, 1, -2],
        np.array([0.5, 1, -2]),
        np.array([0.5, 9, 1, 9, -2])[::2],
        np.array([0.5, 1, -2], dtype=np.float32),
        (np.float64(0.5), 1, np.int32(-2)),
    ],
)
def test_a_torque_may_be_any_three_numbers(result):
    a, b = spinning(torque=lambda t, q, omega: result), spinning(torque=lambda t, q, omega: (0.5, 1.0, -2.0))
    for body in (a, b):
        body.step(0.1)
    assert same_bits(a.angular_velocity, b.angular_velocity)


@pytest.mark.parametrize("result", [(1, 2), 3.0, None, "abc", (1, 2, "x"), np.zeros((3, 1)), np.zeros(4), (1, 2, 3j)])
def test_a_torque_of_something_else_is_refused_and_the_body_has_not_moved(result):
    body = spinning(torque=lambda t, q, omega: result)
    with pytest.raises((TypeError, ValueError)):
        body.step(0.1)
    assert (body.time, body.orientation.tolist()) == (0, TILTED.tolist())


def test_a_torque_that_returns_nothing_is_told_what_is_missing():
    with pytest.raises(TypeError, match="a torque is 3 numbers; the function returned None: .*`return`"):
        spinning(torque=lambda t, q, omega: None).step(0.1)
    with pytest.raises(TypeError, match=r"broadcasts to \(n, 3\); the function returned None: .*`return`"):
        quatint.Ensemble(4, torque=lambda t, q, omega: None).step(0.1)
    with pytest.raises(TypeError, match="`angular_velocity` must be numbers, not None"):
        spinning().set_state([1, 0, 0, 0], None)


def test_arrays_that_a_torque_keeps_never_change():
    kept = []

    def torque(t, q, omega):
        kept.append((q, omega, q.copy(), omega.copy(), q[1:]))
        return 0.1, 0.0, 0.0

    spinning(torque=torque).advance(0.01, 20)
    assert len(kept) == 40
    for q, omega, q_then, omega_then, part in kept:
        assert same_bits(q, q_then)
        assert same_bits(omega, omega_then)
        assert same_bits(part, q_then[1:])


def test_an_array_that_nobody_keeps_is_used_again():
    places = set()
    spinning(torque=lambda t, q, omega: places.add(q.ctypes.data) or (0, 0, 0)).advance(0.01, 20)
    assert len(places) <= 2


@pytest.mark.filterwarnings("ignore:Setting the shape:DeprecationWarning")
def test_an_array_that_a_torque_has_bent_out_of_shape_is_not_used_again():
    def torque(t, q, omega):
        assert (q.shape, omega.shape) == ((4,), (3,))
        q.shape = (2, 2)
        return 0, 0, 0

    spinning(torque=torque).advance(0.01, 5)


def test_a_record_has_the_states_of_single_steps():
    a, b = spinning(), spinning()
    t, q, omega = a.record(0.01, 25, every=10)
    assert (t.shape, q.shape, omega.shape) == ((3,), (3, 4), (3, 3))
    for row in range(3):
        assert t[row] == b.time
        assert same_bits(q[row], b.orientation)
        assert same_bits(omega[row], b.angular_velocity)
        b.advance(0.01, 10)
    assert a.time == pytest.approx(0.25)
    with pytest.raises(quatint.ArgumentError, match="every"):
        a.record(0.01, 10, every=0)


def test_a_kick_and_a_drift_are_a_kick_drift():
    a, b = spinning(), spinning()
    a.kick(0.1, [1, 2, 3])
    a.drift(0.2)
    b.kick_drift(0.1, 0.2, [1, 2, 3])
    assert same_bits(a.orientation, b.orientation)


def test_a_drag_is_shown_as_a_linear_drag_and_none_removes_it():
    body = spinning()
    body.drag = [0.1, 0.2, 0.3]
    assert isinstance(body.drag, quatint.LinearDrag)
    body.drag = None
    assert body.drag is None


def test_none_removes_the_rotors():
    body = spinning()
    body.rotor_momentum = [0, 0, 1]
    assert body.rotor_momentum.tolist() == [0, 0, 1]
    body.rotor_momentum = None
    assert body.rotor_momentum.tolist() == [0, 0, 0]


@pytest.mark.parametrize("method", ["splitting", "splitting_4", "splitting_6"])
def test_a_motor_keeps_the_momentum_of_body_and_rotors(method):
    wheels, motor = np.array([0.8, -0.5, 1.1]), np.array([0.2, -0.1, 0.15])
    ways = [
        lambda body: body.advance(0.02, 100),
        lambda body: body.solve(2, 1e-13),
        lambda body: body.record(0.02, 100),
        lambda body: body.solve_dense(2, 1e-13),
        lambda body: [body.drift(0.5) for _ in range(4)],
    ]
    for move in ways:
        body = spinning(method=method)
        body.rotor_momentum = wheels
        before = body.angular_momentum
        body.rotor_torque = motor
        assert body.rotor_torque.tolist() == motor.tolist()
        move(body)
        assert np.allclose(body.rotor_momentum, wheels - 2 * motor, rtol=0, atol=1e-12)
        assert np.allclose(body.angular_momentum, before, rtol=0, atol=1e-12)


def test_a_body_whose_only_rotor_thing_is_a_motor_counts_as_one_with_rotors():
    body, dense, stepped = spinning(), spinning(), spinning(method="splitting_6")
    for each in (body, dense, stepped):
        each.rotor_torque = [0.3, -0.2, 0.5]
    assert body.rotor_momentum.tolist() == [0, 0, 0]
    body.solve(2, 1e-13)
    solution = dense.solve_dense(2, 1e-13)
    stepped.advance(0.005, 400)
    assert np.allclose(solution([2.0]).q[0], body.orientation, rtol=0, atol=1e-10)
    halfway = spinning()
    halfway.rotor_torque = [0.3, -0.2, 0.5]
    halfway.solve(1, 1e-13)
    assert np.allclose(solution([1.0]).q[0], halfway.orientation, rtol=0, atol=1e-8)
    assert np.allclose(stepped.orientation, body.orientation, rtol=0, atol=1e-10)
    body.rotor_torque = None
    assert body.rotor_torque.tolist() == [0, 0, 0]
    with pytest.raises(quatint.ArgumentError, match="torque_body"):
        body.rotor_torque = [0, np.nan, 0]
    with pytest.raises(ValueError, match="rotor_torque"):
        body.rotor_torque = [0, 1]
    assert body.rotor_torque.tolist() == [0, 0, 0]


def test_the_sum_of_torques_is_the_sum_of_their_effects():
    terms = [
        quatint.UniformField([0, 0, 1], [0, 0, -1]),
        quatint.ConstantTorque([0.1, 0, 0]),
        quatint.GravityGradient([1, 1, 0], 0.5),
    ]
    body, alone = spinning(torque=terms[0] + terms[1] + terms[2]), [spinning(torque=term) for term in terms]
    free = spinning()
    for each in (body, free, *alone):
        each.advance(1e-6, 1)
    gained = sum(each.angular_velocity - free.angular_velocity for each in alone)
    assert np.allclose(body.angular_velocity - free.angular_velocity, gained, atol=1e-15)
    assert sum(terms).terms == tuple(terms)


def test_methods_that_need_a_torque_without_velocity_refuse_drag():
    with pytest.raises(quatint.ArgumentError, match="the method \"splitting_4\" needs a torque"):
        spinning(torque=quatint.LinearDrag([1, 1, 1]), method="splitting_4")
    body = spinning(method="splitting_6")
    with pytest.raises(quatint.ArgumentError):
        body.drag = [1, 1, 1]
    body.method = "pcdm"
    body.torque = quatint.LinearDrag([1, 1, 1])
    with pytest.raises(quatint.ArgumentError):
        body.method = "splitting_6"
    assert body.method == "pcdm"


@pytest.mark.parametrize("torque", [3, "weight", quatint.UniformField, [0, 0, 1], quatint.Body([1, 1, 1])])
def test_what_is_no_torque_is_a_type_error(torque):
    with pytest.raises(TypeError, match="a torque is a function"):
        quatint.Body([1, 2, 3], torque=torque)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (([1, 2],), ValueError),
        (([1, 1, -1],), quatint.ArgumentError),
        ((np.eye(4),), ValueError),
        ((["a", "b", "c"],), TypeError),
        (([1, 2, 3], [1, 1, 1, 1]), quatint.ArgumentError),
        (([1, 2, 3], [1, 0, 0]), ValueError),
        (([1, 2, 3], None, [0, 0, math.nan]), quatint.ArgumentError),
        (([1, 2, 3], None, [0, 0, 1j]), TypeError),
    ],
)
def test_wrong_arguments_are_refused(arguments, error):
    with pytest.raises(error):
        quatint.Body(*arguments)


def test_names_that_do_not_exist_are_listed():
    with pytest.raises(ValueError, match='"pcdm", "splitting", "splitting_4"'):
        quatint.Body([1, 2, 3], method="euler")
    with pytest.raises(ValueError, match='"world", "body"'):
        quatint.Body([1, 2, 3], frame="space")


def test_a_body_is_shown_with_its_state():
    body = quatint.Body([1, 2, 3e-20], angular_velocity=[0, 0, 0.5], torque=quatint.ConstantTorque([0, 0, 1]), time=2)
    text = repr(body)
    assert text.startswith("Body([1, 2, 3e-20], orientation=[1, 0, 0, 0], angular_velocity=[0, 0, 0.5], time=2.0")
    assert "ConstantTorque" in text


@pytest.mark.parametrize(
    "torque",
    [
        quatint.ConstantTorque([0.1, 0.2, 0.3]),
        quatint.ConstantTorque([0.1, 0.2, 0.3], "body"),
        quatint.UniformField([0, 0.1, 1], [0, 0, -1]),
        quatint.GravityGradient([1, 1, 0], 0.5),
        quatint.LinearDrag([0.1, 0.2, 0.3]),
        quatint.LinearDrag([0.1, 0.2, 0.3], [0, 0, 1]),
        quatint.ShearFlow([2, 1, 1], 0.1, [[0, 1, 0], [0, 0, 0], [0, 0, 0]]),
    ],
)
def test_a_function_may_use_a_ready_made_torque(torque):
    tensor = np.array([[2, 0.3, 0.1], [0.3, 3, -0.2], [0.1, -0.2, 4]])

    def with_more(t, q, omega):
        return torque(t, q, omega, inertia=tensor) + [0, 0, 0.1]

    a = quatint.Body(tensor, TILTED, [0.3, -0.5, 2.0], with_more, "cf4")
    b = quatint.Body(tensor, TILTED, [0.3, -0.5, 2.0], torque + quatint.ConstantTorque([0, 0, 0.1]), "cf4")
    for body in (a, b):
        body.advance(0.01, 50)
    assert np.allclose(a.orientation, b.orientation, atol=1e-12)


def test_a_ready_made_torque_at_many_states_has_a_row_for_each():
    field, q = (
        quatint.UniformField([0, 0.1, 1], [0, 0, -1]),
        quatint.orientation_from_axis_angle([1, 2, 3], np.arange(6.0)),
    )
    assert np.allclose(
        field(0.0, q, np.zeros((6, 3))), np.cross(quatint.rotate(q, [0, 0.1, 1]), [0, 0, -1]), atol=1e-15
    )
    assert field(0.0, q[0], [0, 0, 0]).shape == (3,)
    with pytest.raises(quatint.ArgumentError, match="inertia"):
        quatint.GravityGradient([1, 0, 0], 1.0)(0.0, q, [0, 0, 0])


def test_a_command_acts_from_the_next_step_on_after_forget_torque():
    command = np.array([0.3, -0.2, 0.5])
    stale, fresh = (spinning(method="splitting") for _ in range(2))
    for body in stale, fresh:
        body.torque = lambda t, q, omega: command
        body.step(0.1)
    before = fresh.angular_momentum
    command[:] = 0
    fresh.forget_torque()
    for body in stale, fresh:
        body.step(0.1)
    assert np.allclose(fresh.angular_momentum, before, rtol=0, atol=5e-15)
    assert np.abs(stale.angular_momentum - before).max() > 0.01


def test_the_angular_acceleration_is_that_of_the_motion():
    def acted_on(end):
        body = spinning()
        body.torque = lambda t, q, omega: [np.cos(t), 0.2 * omega[2], 0.3]
        body.drag = [0.3, 0.8, 0.5]
        body.rotor_momentum = [0.5, -0.3, 0.8]
        body.rotor_torque = [0.2, 0.1, -0.3]
        body.solve(end, 1e-14)
        return body

    h = 0.01
    at = [acted_on(k * h).angular_velocity for k in (-2, -1, 1, 2)]
    assert np.allclose(acted_on(0).angular_acceleration(), (8 * (at[2] - at[1]) - (at[3] - at[0])) / (12 * h), rtol=0, atol=1e-6)
    body = spinning()
    body.rotor_torque = [0.2, 0.1, -0.3]
    assert np.allclose(body.acting_torque(), quatint.rotate(body.orientation, [0.2, 0.1, -0.3]), rtol=0, atol=1e-15)
    body.torque = lambda t, q, omega: 1 / 0
    with pytest.raises(ZeroDivisionError):
        body.acting_torque()


def test_a_torque_that_is_assigned_keeps_the_frame():
    body = spinning(torque=lambda t, q, omega: [0.3, -0.2, 0.1], frame="body")
    before = body.acting_torque()
    body.torque = body.torque
    assert body.acting_torque().tolist() == before.tolist()
    body.set_torque(body.torque)
    assert np.allclose(body.acting_torque(), [0.3, -0.2, 0.1], rtol=0, atol=1e-15)
    assert not np.allclose(before, [0.3, -0.2, 0.1])
