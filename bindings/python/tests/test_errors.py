"""Exceptions: of torques, which come out unchanged, and of the library."""

import pickle

import numpy as np
import pytest
import quatint


class Broken(Exception):
    pass


@pytest.mark.parametrize("method", ["pcdm", "splitting", "cf4"])
@pytest.mark.parametrize(
    "make",
    [
        lambda **options: quatint.Body([1, 2, 3], angular_velocity=[0.1, 2, 0.3], **options),
        lambda **options: quatint.Ensemble(300, angular_velocities=[0.1, 2, 0.3], **options),
    ],
)
def test_the_exception_of_a_torque_comes_out_itself_with_a_note_and_the_state_is_that_of_the_last_step(make, method):
    raised = Broken("the magnet broke")

    def torque(t, q, omega):
        if t > 0.24:
            raise raised
        return 0 * omega

    body, whole = make(torque=torque, method=method), make(torque=lambda t, q, omega: 0 * omega, method=method)
    with pytest.raises(Broken) as caught:
        body.advance(0.1, 10)
    assert caught.value is raised
    (note,) = raised.__notes__
    assert "time 0.25" in note or "time 0.3" in note
    assert "after 2 completed steps" in note
    whole.advance(0.1, 2)
    body.torque = whole.torque = None
    assert body.clock == whole.clock
    assert pickle.dumps(body) == pickle.dumps(whole)


def test_the_traceback_leads_into_the_torque():
    def torque(t, q, omega):
        return 1 / 0

    with pytest.raises(ZeroDivisionError) as caught:
        quatint.Body([1, 1, 1], torque=torque).step(0.1)
    assert caught.traceback[-1].name == "torque"


def test_a_body_steps_again_after_an_exception():
    calls = []

    def torque(t, q, omega):
        calls.append(t)
        if len(calls) == 1:
            raise Broken
        return 0, 0, 1

    body = quatint.Body([1, 1, 1], torque=torque)
    with pytest.raises(Broken):
        body.step(0.1)
    body.step(0.1)
    assert body.angular_velocity[2] == pytest.approx(0.1)


def test_a_torque_that_is_not_finite_names_time_and_numbers():
    body = quatint.Body([1, 1, 1], torque=lambda t, q, omega: (0, np.nan, 0))
    with pytest.raises(quatint.MotionError, match=r"not finite at time 0\.0: \(0\.0, NaN, 0\.0\)") as caught:
        body.advance(0.1, 3)
    error = caught.value
    assert isinstance(error, ArithmeticError)
    assert (error.status, error.body, error.step) == (quatint.Status.QI_ERR_NON_FINITE, None, 0)


def test_an_error_counts_the_steps_before_it():
    body = quatint.Body([1, 1, 1], torque=lambda t, q, omega: (0, 0, np.inf if t > 0.31 else 0))
    with pytest.raises(quatint.MotionError, match="after 3 steps") as caught:
        body.advance(0.1, 10)
    assert caught.value.step == 3


@pytest.mark.parametrize(
    ("call", "kind", "name"),
    [
        (lambda: quatint.Body([1, 1, -1]), ValueError, "QI_ERR_INERTIA"),
        (lambda: quatint.Body([1, 1, 1], [2, 0, 0, 0]), ValueError, "QI_ERR_ORIENTATION"),
        (lambda: quatint.Body([1, 1, 1]).step(np.nan), ValueError, "QI_ERR_NON_FINITE"),
        (lambda: quatint.Body([1, 1, 1]).advance(0.1, -1), ValueError, "QI_ERR_INVALID"),
        (lambda: quatint.Body([1, 1, 1]).solve(1.0, 0.5), ValueError, "QI_ERR_INVALID"),
        (lambda: quatint.Ensemble(3, threads=0), ValueError, "QI_ERR_INVALID"),
        (lambda: quatint.Ensemble(3).rows([3]), IndexError, "QI_ERR_INVALID"),
        (lambda: quatint.Ensemble(2**60), MemoryError, "QI_ERR_MEMORY"),
        (lambda: quatint.Body([1, 1, 1]).record(0.1, 2**62), MemoryError, "QI_ERR_MEMORY"),
        (lambda: quatint.Ensemble(3).stages(0.1).send(0), RuntimeError, "QI_ERR_ORDER"),
    ],
)
def test_errors_are_what_python_calls_them_and_have_the_status_of_c(call, kind, name):
    with pytest.raises(quatint.Error) as caught:
        call()
    assert isinstance(caught.value, kind)
    assert caught.value.status.name == name


def test_statuses_are_those_of_the_header(c):
    import ctypes

    c.qi_status_name.restype = ctypes.c_char_p
    for status in quatint.Status:
        assert c.qi_status_name(int(status)).decode() == status.name


def test_errors_can_be_pickled():
    with pytest.raises(quatint.Error) as caught:
        quatint.Body([1, 1, -1])
    error, again = caught.value, pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again), again.status) == (type(error), str(error), error.status)
    assert (again.body, again.step) == (error.body, error.step)


def test_a_torque_that_uses_its_own_body_gets_an_error():
    body = quatint.Body([1, 1, 1], torque=lambda t, q, omega: body.angular_velocity)
    with pytest.raises(quatint.BusyError, match="whose torque uses it") as caught:
        body.step(0.1)
    assert isinstance(caught.value, RuntimeError)
    e = quatint.Ensemble(5, torque=lambda t, q, omega: e.step(0.1))
    with pytest.raises(quatint.BusyError):
        e.step(0.1)
    assert (body.time, e.time) == (0, 0)


def test_a_function_and_a_ready_made_torque_do_not_add_up_and_the_error_says_what_to_write():
    field, function = quatint.UniformField([0, 0, 1], [0, 0, -9.8]), lambda t, q, omega: -0.1 * omega
    for add in (lambda: field + function, lambda: function + field):
        with pytest.raises(TypeError, match=r"lambda t, q, omega: f\(t, q, omega\) \+ ready_made\(t, q, omega\)"):
            add()
    for add in (lambda: field + 1, lambda: 1 + field):
        with pytest.raises(TypeError, match="unsupported operand"):
            add()


def test_what_a_torque_raises_without_an_angular_velocity_says_so():
    def torque(t, q, omega):
        return quatint.rotate_inverse(q, omega)

    body = quatint.Body([1, 2, 3], angular_velocity=[1, 1, 1], torque=torque, method="splitting_4")
    with pytest.raises(ValueError) as caught:
        body.step(0.01)
    assert "`omega` was NaN" in caught.value.__notes__[0] and "raised in the torque at time 0.0" in caught.value.__notes__[1]
    body.method = "splitting"
    body.step(0.01)
