"""Torques that are compiled functions."""

import ctypes
import pickle
import subprocess
import types

import cffi
import numba
import numpy as np
import pytest
import quatint
import scipy
from conftest import same_bits

SOURCE = """
#include <stddef.h>
#include <stdint.h>
int32_t spring(double t, const double *q, const double *omega, double *torque, void *user_data)
{
    double k = user_data ? *(double *)user_data : 1;
    if (t > 10) return 42;
    for (int c = 0; c < 3; c++) torque[c] = -k * q[1 + c] - 0.1 * omega[c];
    return 0;
}
int32_t springs(double t, size_t first, size_t count, const double *q, const double *omega, double *torque, void *user_data)
{
    (void)first;
    for (size_t i = 0; i < count; i++)
        if (spring(t, q + 4 * i, omega + 3 * i, torque + 3 * i, user_data)) return 7;
    return 0;
}
double height(double t, const double *q, const double *omega, void *user_data)
{
    (void)t; (void)omega;
    return q[1] - (user_data ? *(double *)user_data : 0);
}
double wrong(double x, void *user_data) { (void)user_data; return x; }
"""
BODY_C = "int32_t (double, const double *, const double *, double *, void *)"
ENSEMBLE_C = "int32_t (double, size_t, size_t, const double *, const double *, double *, void *)"


def spring(t, q, omega):
    return -q[1:] - 0.1 * omega


def spring_of_all(t, q, omega):
    return -q[:, 1:] - 0.1 * omega


@numba.cfunc(quatint.BODY_SIGNATURE)
def numba_spring(t, q, omega, torque, user_data):
    for c in range(3):
        torque[c] = -q[1 + c] - 0.1 * omega[c]
    return 0


@numba.cfunc(quatint.ENSEMBLE_SIGNATURE)
def numba_springs(t, first, count, q, omega, torque, user_data):
    for i in range(count):
        for c in range(3):
            torque[3 * i + c] = -q[4 * i + 1 + c] - 0.1 * omega[3 * i + c]
    return 0


@numba.cfunc(quatint.ENSEMBLE_SIGNATURE)
def numba_springs_soa(t, first, count, q, omega, torque, user_data):
    for i in range(3 * count):
        torque[i] = -q[count + i] - 0.1 * omega[i]
    return 0


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("compiled")
    (folder / "spring.c").write_text(SOURCE)
    subprocess.run(
        ["cc", "-O2", "-ffp-contract=off", "-shared", "-fPIC", "spring.c", "-o", "spring.so"], cwd=folder, check=True
    )
    return folder / "spring.so"


def from_ctypes(library, name):
    function = ctypes.CDLL(library)[name]
    p, d, n = ctypes.POINTER(ctypes.c_double), ctypes.c_double, ctypes.c_size_t
    function.argtypes = [d, p, p, p, ctypes.c_void_p] if name == "spring" else [d, n, n, p, p, p, ctypes.c_void_p]
    function.restype = ctypes.c_int32
    return function


def from_cffi(library, name):
    ffi = cffi.FFI()
    ffi.cdef(f"{BODY_C.replace('(', 'spring(', 1)}; {ENSEMBLE_C.replace('(', 'springs(', 1)};")
    return ffi.addressof(ffi.dlopen(str(library)), name)


def from_scipy(library, name):
    return scipy.LowLevelCallable(from_ctypes(library, name), signature=BODY_C if name == "spring" else ENSEMBLE_C)


def from_numba(library, name):
    return numba_spring if name == "spring" else numba_springs


def from_address(library, name):
    return ctypes.cast(from_ctypes(library, name), ctypes.c_void_p).value


def from_python(library, name):
    function = from_ctypes(library, name)

    @ctypes.CFUNCTYPE(function.restype, *function.argtypes)
    def called(*arguments):
        return function(*arguments)

    return called


SOURCES = [from_ctypes, from_cffi, from_scipy, from_numba, from_address, from_python]


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("method", ["pcdm", "splitting", "cf4"])
def test_a_compiled_torque_on_a_body_has_the_bits_of_the_same_python_function(source, method, library):
    torque = quatint.compiled(source(library, "spring"))
    assert torque.kind == (None if source is from_address else "body")
    a, b = (quatint.Body([1, 2, 3], angular_velocity=[0.3, -0.5, 2], torque=f, method=method) for f in (torque, spring))
    for body in (a, b):
        body.advance(0.01, 100)
    assert same_bits(a.orientation, b.orientation)


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_compiled_torque_on_an_ensemble_has_the_bits_of_the_same_python_function(source, threads, library, spins):
    torque = quatint.compiled(source(library, "springs"))
    a, b = (
        quatint.Ensemble(500, angular_velocities=spins(500), torque=f, threads=threads) for f in (torque, spring_of_all)
    )
    for e in (a, b):
        e.advance(0.01, 30)
    assert same_bits(a.orientations, b.orientations)


def test_a_struct_of_arrays_and_the_body_frame_are_chosen_beside_the_function(spins):
    torques = [quatint.compiled(numba_springs_soa, layout="soa"), quatint.compiled(numba_springs)]
    a, b = (quatint.Ensemble(100, angular_velocities=spins(100), torque=f) for f in torques)
    for e in (a, b):
        e.advance(0.01, 10)
    assert same_bits(a.orientations, b.orientations)
    one = quatint.Body([1, 2, 3], angular_velocity=[1, 2, 3], torque=quatint.compiled(numba_spring, frame="body"))
    other = quatint.Body([1, 2, 3], angular_velocity=[1, 2, 3], torque=spring, frame="body")
    for body in (one, other):
        body.advance(0.01, 10)
    assert same_bits(one.orientation, other.orientation)


def test_user_data_is_passed_on(library):
    k = ctypes.c_double(5)
    torque = quatint.compiled(from_ctypes(library, "spring"), user_data=ctypes.addressof(k))
    low_level = quatint.compiled(
        scipy.LowLevelCallable(
            from_ctypes(library, "spring"), ctypes.cast(ctypes.byref(k), ctypes.c_void_p), signature=BODY_C
        )
    )
    q = quatint.orientation_from_axis_angle([0, 0, 1], 1)
    for f in (torque, low_level):
        body = quatint.Body([1, 1, 1], q, torque=f)
        body.step(1e-6)
        assert body.angular_velocity[2] == pytest.approx(-5e-6 * q[3])


def test_a_result_other_than_0_abandons_the_step(library):
    body = quatint.Body([1, 1, 1], torque=quatint.compiled(from_ctypes(library, "spring")), time=9.95)
    with pytest.raises(quatint.CallbackError, match="returned 42") as caught:
        body.advance(0.02, 10)
    assert caught.value.step == 3
    assert body.time == pytest.approx(10.01)
    e = quatint.Ensemble(100, torque=quatint.compiled(from_ctypes(library, "springs")))
    e.time = 20
    with pytest.raises(quatint.CallbackError, match="bodies 0 to 63 returned 7"):
        e.step(0.1)


def test_signatures_are_checked(library):
    wrong = ctypes.CDLL(library).wrong
    wrong.argtypes, wrong.restype = [ctypes.c_double, ctypes.c_void_p], ctypes.c_double

    @numba.cfunc("float64(float64)")
    def number(x):
        return x

    @numba.njit
    def jitted(t, q, omega):
        return q

    for function in (wrong, number, scipy.LowLevelCallable(wrong)):
        with pytest.raises(TypeError, match="signature"):
            quatint.compiled(function)
    with pytest.raises(TypeError, match=r"numba\.cfunc"):
        quatint.compiled(jitted)
    for function in (None, True, spring, "f", 1.5):
        with pytest.raises(TypeError, match="not a compiled function"):
            quatint.compiled(function)
    with pytest.raises(ValueError, match="must not be 0"):
        quatint.compiled(0)
    with pytest.raises(TypeError, match="of a torque on one body, not"):
        quatint.Ensemble(3, torque=quatint.compiled(numba_spring))
    with pytest.raises(TypeError, match="of the torques of an ensemble, not"):
        quatint.Body([1, 1, 1], torque=quatint.compiled(numba_springs))
    with pytest.raises(TypeError, match="signature"):
        quatint.Body([1, 1, 1], torque=number)
    with pytest.raises(TypeError, match=r"wrap compiled functions by quatint\.compiled"):
        quatint.Body([1, 1, 1], torque=types.SimpleNamespace(address=1, native_name="spring"))
    with pytest.raises(ValueError, match="layout"):
        quatint.compiled(numba_spring, layout="aosoa")


@numba.cfunc(quatint.EVENT_SIGNATURE)
def numba_height(t, q, omega, user_data):
    return q[1]


@pytest.mark.parametrize("torque", [None, spring])
def test_a_compiled_event_is_found_where_the_python_function_is(library, torque):
    half = ctypes.c_double(0.5)
    height = ctypes.CDLL(library).height
    event = "double (double, const double *, const double *, void *)"
    with_data = quatint.compiled(height, user_data=ctypes.addressof(half))
    functions = [
        (numba_height, 0),
        (scipy.LowLevelCallable(height, signature=event), 0),
        (quatint.compiled(numba_height.address), 0),
        (with_data, 0.5),
    ]
    for function, level in functions:
        made = function if isinstance(function, quatint.Compiled) else quatint.compiled(function)
        bodies = [quatint.Body([1, 2, 3], angular_velocity=[1, 0.1, 0], torque=torque) for _ in range(2)]
        times = [b.solve_until(e, 100) for b, e in zip(bodies, (made, lambda t, q, w, level=level: q[1] - level))]
        assert times[0] == times[1] is not None
        assert same_bits(bodies[0].orientation, bodies[1].orientation)
    assert quatint.compiled(numba_height).kind == "event"
    body = quatint.Body([1, 1, 1])
    with pytest.raises(TypeError, match="of an event, not of a torque on one body"):
        body.torque = quatint.compiled(numba_height)
    with pytest.raises(TypeError, match="not of an event"):
        body.solve_until(numba_spring, 1.0)
    with pytest.raises(ValueError, match="world frame"):
        body.solve_until(quatint.compiled(numba_height, frame="body"), 1.0)
    with pytest.raises(TypeError, match="not of an event"):
        body.solve_until(quatint.compiled(numba_spring), 1.0)


def test_the_function_lives_as_long_as_the_torque(library):
    body = quatint.Body([1, 1, 1], angular_velocity=[0, 0, 1], torque=quatint.compiled(from_python(library, "spring")))
    import gc

    gc.collect()
    body.advance(0.01, 100)


def test_a_compiled_torque_cannot_be_pickled_but_is_shared_by_copies():
    import copy

    body = quatint.Body([1, 1, 1], torque=quatint.compiled(numba_spring))
    with pytest.raises(TypeError, match="pickled"):
        pickle.dumps(body)
    assert copy.deepcopy(body).torque is body.torque
    assert "body torque at 0x" in repr(body)


def test_numpy_expressions_and_compiled_functions_agree_on_many_bodies(spins):
    a = quatint.Ensemble(1000, angular_velocities=spins(1000), torque=quatint.compiled(numba_springs), threads=2)
    b = quatint.Ensemble(1000, angular_velocities=spins(1000), torque=lambda t, q, w: -q[:, 1:] - 0.1 * w)
    a.advance(0.01, 50)
    b.advance(0.01, 50)
    assert np.array_equal(a.orientations, b.orientations)


@numba.cfunc(quatint.INERTIA_SIGNATURE)
def numba_inertia(t, inertia, user_data):
    inertia[0], inertia[4], inertia[8] = 1, 2, 3 + t
    return 0


@pytest.mark.parametrize("frame", ["world", "body"])
def test_a_numba_cfunc_is_a_torque_as_it_is(frame):
    a, b = (quatint.Body([1, 2, 3], angular_velocity=[0.3, -0.5, 2]) for _ in range(2))
    a.set_torque(numba_spring, frame=frame)
    b.set_torque(spring, frame=frame)
    same = quatint.Body([1, 2, 3], angular_velocity=[0.3, -0.5, 2], torque=numba_spring, frame=frame)
    for body in (a, b, same):
        body.advance(0.01, 100)
    assert same_bits(a.orientation, b.orientation)
    assert same_bits(a.orientation, same.orientation)
    assert (a.torque.function, a.torque.frame, a.torque.kind) == (numba_spring, frame, "body")
    with pytest.raises(TypeError, match="pickled"):
        pickle.dumps(a)


@pytest.mark.parametrize(("function", "layout"), [(numba_springs, "aos"), (numba_springs_soa, "soa")])
def test_a_numba_cfunc_is_the_torque_of_an_ensemble_as_it_is(function, layout, spins):
    a = quatint.Ensemble(100, angular_velocities=spins(100), torque=function, layout=layout)
    b = quatint.Ensemble(100, angular_velocities=spins(100), torque=spring_of_all)
    same = quatint.Ensemble(100, angular_velocities=spins(100))
    same.set_torque(function, layout=layout)
    same.drag = [0, 0, 0]
    same.drag = None
    for e in (a, b, same):
        e.advance(0.01, 10)
    assert same_bits(a.orientations, b.orientations)
    assert same_bits(a.orientations, same.orientations)
    with pytest.raises(TypeError, match="of a torque on one body, not of the torques of an ensemble"):
        a.torque = numba_spring
    assert a.torque.function is function


def test_a_numba_cfunc_is_an_event_and_an_inertia_as_it_is():
    def body():
        return quatint.Body([1, 2, 3], angular_velocity=[1, 0.1, 0], torque=spring)

    time = body().solve_until(numba_height, 100)
    assert time == body().solve_until(quatint.compiled(numba_height), 100) is not None
    for event in (numba_height, quatint.Event(numba_height)):
        assert body().solve_dense(20, events=event).t_events[0][0] == pytest.approx(time, abs=1e-8)
    assert quatint.solve_ivp(body(), (0, 20), events=[numba_height]).t_events[0][0] == pytest.approx(time, abs=1e-8)
    changing = body()
    changing.method = "splitting"
    changing.set_inertia_function(numba_inertia)
    changing.step(0.5)
    assert changing.inertia[2, 2] == 3.5
    assert changing.inertia_function.function is numba_inertia
    with pytest.raises(TypeError, match="of an event, not of an inertia function"):
        changing.set_inertia_function(numba_height)


def test_an_njit_function_is_a_python_function_unless_its_arguments_are_those_of_c():
    @numba.njit
    def torque(t, q, omega):
        return -q[1] - 0.1 * omega[0], -q[2] - 0.1 * omega[1], -q[3] - 0.1 * omega[2]

    @numba.njit
    def as_in_c(t, q, omega, torque, user_data):
        return 0

    @numba.njit
    def event_as_in_c(t, q, omega, user_data):
        return q[1]

    @numba.njit
    def inertia_as_in_c(t, inertia, user_data):
        return 0

    a, b = (quatint.Body([1, 2, 3], angular_velocity=[1, 2, 3], torque=f) for f in (torque, spring))
    for body in (a, b):
        body.advance(0.01, 10)
    assert same_bits(a.orientation, b.orientation)
    for call in (
        lambda: quatint.Body([1, 2, 3], torque=as_in_c),
        lambda: quatint.Ensemble(2, torque=as_in_c),
        lambda: b.solve_until(event_as_in_c, 1.0),
        lambda: b.solve_dense(b.time + 1, events=event_as_in_c),
        lambda: b.set_inertia_function(inertia_as_in_c),
    ):
        with pytest.raises(TypeError, match=r"numba\.cfunc\(quatint\.BODY_SIGNATURE\)"):
            call()
