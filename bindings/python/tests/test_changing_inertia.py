"""Inertias that change with the clock."""

import copy
import ctypes
import gc
import pickle
import weakref

import numba
import numpy as np
import pytest
import quatint
from conftest import same_bits

OMEGA = [0.3, 1, 0.5]
# computed elsewhere
END = [0.1248670609424564, -0.7487586384725389, 0.5551412234308847]
COPIES = [copy.copy, copy.deepcopy, lambda o: pickle.loads(pickle.dumps(o))]


def swelling(t):
    return np.diag([1 + 0.1 * t, 2 + 0.05 * t, 3])


@numba.cfunc(quatint.INERTIA_SIGNATURE)
def compiled_swelling(t, inertia, user_data):
    numbers = numba.carray(inertia, 9)
    numbers[0] = 1 + 0.1 * t
    numbers[4] = 2 + 0.05 * t
    numbers[8] = 3
    return 7 if t > 20 else 0


@numba.cfunc(quatint.BODY_SIGNATURE)
def compiled_torque(t, q, omega, torque, user_data):
    return 0


def swelling_body(function=swelling, **options):
    body = quatint.Body(swelling(0), angular_velocity=OMEGA, **options)
    body.set_inertia_function(function)
    return body


def is_at_end(body):
    return np.abs(body.angular_velocity_body - END).max() < 1e-10


@pytest.mark.parametrize(
    "function", [swelling, lambda t: [1 + 0.1 * t, 2 + 0.05 * t, 3], quatint.compiled(compiled_swelling)]
)
def test_an_inertia_changes_with_the_clock_and_then_stays(function):
    body = swelling_body(function)
    assert body.inertia_function is function and "inertia_function=" in repr(body)
    body.solve(10, 1e-12)
    assert is_at_end(body) and np.abs(body.angular_momentum - [0.3, 2, 1.5]).max() < 1e-10
    assert np.abs(body.inertia - swelling(10)).max() < 1e-15
    with pytest.raises(quatint.ArgumentError, match="splitting of order 2"):
        body.step(0.1)
    with pytest.raises(quatint.ArgumentError, match="constant inertia"):
        body.angular_acceleration()
    body.set_inertia_function(None)
    assert body.inertia_function is None and body.inertia.tolist() == swelling(10).tolist()
    constant = quatint.Body(swelling(10), time=10)
    constant.set_state_body(body.orientation, body.angular_velocity_body)
    for one in (body, constant):
        one.step(0.1)
    assert same_bits(body.rows(), constant.rows())


def test_a_solution_has_the_rows_and_events_of_the_motion():
    times = np.linspace(0, 10, 21)
    rows = swelling_body().solve(times, 1e-12)
    dense = swelling_body().solve_dense(10, 1e-12)
    for t, omega in zip(times, rows.omega):
        exact = swelling_body()
        exact.solve(t, 1e-13)
        assert np.abs(exact.angular_velocity - omega).max() < 1e-9
        assert np.abs(exact.angular_velocity - dense(t).omega).max() < 1e-7
    body = swelling_body()
    found = body.solve_until(lambda t, q, omega: omega[0], 10, 1e-12)
    assert found is not None and abs(body.angular_velocity[0]) < 1e-12


class Trouble(Exception):
    pass


def failing(t):
    if t > 1:
        raise Trouble(t)
    return swelling(t)


@pytest.mark.parametrize("torque", [None, lambda t, q, omega: -omega])
def test_an_exception_comes_out_and_the_body_is_where_it_was(torque):
    body = swelling_body(failing, method="splitting", torque=torque)
    with pytest.raises(Trouble) as info:
        body.advance(0.3, 10)
    assert "raised in the inertia function at time 1." in info.value.__notes__[0]
    rows = body.rows()
    assert body.time == pytest.approx(0.9)
    for call in (
        lambda: body.step(0.3),
        lambda: body.drift(0.3),
        lambda: body.kick_drift(0.1, 0.3, [0, 0, 1]),
        lambda: body.record(0.3, 2),
        lambda: setattr(body, "time", 2),
        lambda: setattr(body, "clock", (2, 0)),
        lambda: body.set_rows([2, 0], "clock"),
    ):
        with pytest.raises(Trouble):
            call()
        assert same_bits(body.rows(), rows)
    for solve in (
        lambda: body.solve(5),
        lambda: body.solve([2, 5]),
        lambda: body.solve_until(lambda t, q, omega: 1.0, 5),
        lambda: body.solve_dense(5),
    ):
        with pytest.raises(Trouble):
            solve()
        assert body.time < 1


def test_a_function_that_is_refused_is_not_taken():
    body = swelling_body(quatint.compiled(compiled_swelling))
    with pytest.raises(quatint.CallbackError, match="the inertia function returned 7 at time 21"):
        body.time = 21
    for wrong, error, text in (
        (lambda t: 1 / 0, ZeroDivisionError, "division"),
        (lambda t: [1, 2], ValueError, "3 principal moments"),
        (lambda t: [1, -1, 1], quatint.ArgumentError, "the inertia function, at time 0"),
        (lambda t: body.step(0.1), quatint.BusyError, "in use"),
        ([1, 2, 3], TypeError, "an inertia function is a function or quatint.compiled"),
        (compiled_torque, TypeError, "not of an inertia function"),
    ):
        with pytest.raises(error, match=text):
            body.set_inertia_function(wrong)
    spring = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, *[ctypes.c_void_p] * 3)(lambda t, q, omega, data: 0)
    with pytest.raises(TypeError, match="an event, not of an inertia function"):
        body.set_inertia_function(quatint.compiled(spring))
    with pytest.raises(TypeError, match="an inertia function, not of a torque on one body"):
        body.torque = quatint.compiled(compiled_swelling)
    body.solve(10, 1e-12)
    assert is_at_end(body)


@pytest.mark.parametrize("copied", COPIES)
def test_a_copy_has_the_function_and_goes_on_with_the_same_bits(copied):
    body = swelling_body(method="splitting", torque=quatint.ConstantTorque([0.1, 0.2, 0.3]))
    body.advance(0.01, 10)
    twin = copied(body)
    assert twin.inertia_function is swelling and same_bits(twin.rows(), body.rows())
    for one in (body, twin):
        one.advance(0.01, 10)
    assert same_bits(twin.rows(), body.rows())
    body.set_inertia_function(None)
    twin.inertia = [1, 2, 3]
    twin.step(0.01)
    assert twin.inertia_function is None and copied(body).inertia.tolist() == body.inertia.tolist()


def test_locked_axes_end_the_change():
    body = swelling_body()
    body.time = 4
    with pytest.raises(quatint.ArgumentError, match="two different moments"):
        body.lock_axes("x")
    assert body.inertia_function is swelling
    body.lock_axes("xz")
    assert body.inertia_function is None
    assert body.inertia.tolist() == np.diag([0, 2.2, 0]).tolist()
    body.step(0.1)
    assert same_bits(copy.copy(body).rows(), pickle.loads(pickle.dumps(body)).rows())


def test_a_body_that_its_own_function_holds_is_collected():
    class Inertia:
        def __call__(self, t):
            return swelling(t)

    inertia = Inertia()
    body = swelling_body(inertia)
    inertia.bodies = [body, copy.copy(body)]
    gone = weakref.ref(inertia)
    del inertia
    gc.collect()
    body.solve(10, 1e-12)
    assert is_at_end(body)
    del body
    gc.collect()
    assert gone() is None
