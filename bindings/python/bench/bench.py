"""The cost of torques in Python, beside the same in C, and many bodies beside numpy, JAX and scipy.

    make bench-python           or: python bench.py [quick]

"quick" does a little of everything but JAX, for the tests. The C functions of torques.c run in the same process, with the C library that `make` has built. Every contender runs in every round.
"""

import ctypes
import subprocess
import tempfile
from pathlib import Path

import numba
import numpy as np
import others
import quatint
from measure import QUICK, measure, ratio

ROOT = Path(__file__).resolve().parent.parent.parent.parent
DT = 1e-3
OMEGA = np.array([1.0, 1, 1])
READY, ROWS, COLUMNS, NONE = range(4)
WEIGHT = quatint.UniformField([0, 0, 1], [0, 0, -1])


def c_library():
    folder = Path(tempfile.mkdtemp())
    release = ROOT / "target" / "release"
    options = [f"-I{ROOT / 'include'}", f"-L{release}", "-lquatint", "-lm", f"-Wl,-rpath,{release}"]
    source = Path(__file__).with_name("torques.c")
    command = ["gcc", "-O3", "-march=native", "-Wall", "-Wextra", "-shared", "-fPIC", source, "-o", folder / "c.so"]
    subprocess.run([*command, *options], check=True)
    library = ctypes.CDLL(folder / "c.so")
    pointer, size, double = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_double
    library.new_body.restype = library.new_ensemble.restype = pointer
    library.new_body.argtypes = [pointer]
    library.advance_body.argtypes = library.step_ensemble.argtypes = [pointer, double, size]
    library.new_ensemble.argtypes = [size, pointer, pointer, ctypes.c_int]
    library.run_stages.argtypes = [pointer, double, size, ctypes.c_int, pointer, pointer, pointer]
    return library


C = c_library()


@numba.cfunc(quatint.BODY_SIGNATURE)
def numba_weight(t, q, omega, torque, user_data):
    torque[0] = -2 * (q[2] * q[3] - q[0] * q[1])
    torque[1] = 2 * (q[1] * q[3] + q[0] * q[2])
    return 0


@numba.cfunc(quatint.ENSEMBLE_SIGNATURE)
def numba_rows(t, first, count, q, omega, torque, user_data):
    for i in range(count):
        torque[3 * i] = -2 * (q[4 * i + 2] * q[4 * i + 3] - q[4 * i] * q[4 * i + 1])
        torque[3 * i + 1] = 2 * (q[4 * i + 1] * q[4 * i + 3] + q[4 * i] * q[4 * i + 2])
    return 0


@numba.cfunc(quatint.ENSEMBLE_SIGNATURE)
def numba_columns(t, first, count, q, omega, torque, user_data):
    q, torque = numba.carray(q, (4, count)), numba.carray(torque, (3, count))
    for i in range(count):
        torque[0, i] = -2 * (q[2, i] * q[3, i] - q[0, i] * q[1, i])
        torque[1, i] = 2 * (q[1, i] * q[3, i] + q[0, i] * q[2, i])
    return 0


def python_weight(t, q, omega):
    w, x, y, z = q.tolist()
    return 2 * (w * x - y * z), 2 * (x * z + w * y), 0.0


def numpy_weight(t, q, omega):
    w, x, y, z = q.T
    torque = np.zeros_like(omega)  # in the order of omega
    torque[:, 0] = 2 * (w * x - y * z)
    torque[:, 1] = 2 * (x * z + w * y)
    return torque


def states(n):
    """Tops that lean by different angles."""
    q = quatint.orientation_from_axis_angle([1, 0, 0], np.linspace(0, 1, n))
    return q, np.tile(OMEGA, (n, 1))


def ensemble(n, torque, **options):
    q, omega = states(n)
    return quatint.Ensemble(n, inertia=[1, 2, 3], orientations=q, angular_velocities=omega, torque=torque, **options)


def c_ensemble(n, torque):
    q, omega = states(n)
    return C.new_ensemble(n, q.ctypes.data, omega.ctypes.data, torque)


def one_body():
    steps = 5000
    in_c = C.new_body(OMEGA.ctypes.data)
    torques = {
        "the C callback, by quatint.compiled": quatint.compiled(C.weight_on_one),
        "numba callback": quatint.compiled(numba_weight),
        "ready-made torque": WEIGHT,
        "Python torque": python_weight,
    }
    bodies = {name: quatint.Body([1, 2, 3], angular_velocity=OMEGA, torque=torque) for name, torque in torques.items()}
    contenders = {"C callback": lambda: C.advance_body(in_c, DT, steps)}
    contenders |= {name: lambda body=body: body.advance(DT, steps) for name, body in bodies.items()}
    contenders["Python torque, a call of step for each"] = lambda: [
        bodies["Python torque"].step(DT) for _ in range(steps)
    ]
    measure("one heavy top", contenders, steps)


def callbacks(n):
    """One call of `step` for each step: in C and in Python."""
    steps = max(1, 1_000_000 // n)

    def in_c(torque):
        e = c_ensemble(n, torque)
        return lambda: C.step_ensemble(e, DT, steps)

    def in_python(torque):
        e = ensemble(n, torque)
        return lambda: [e.step(DT) for _ in range(steps)]

    rows, columns = quatint.compiled(numba_rows), quatint.compiled(numba_columns, layout="soa")
    for title, c_torque, name, torque in (
        ("callback in rows", ROWS, "numba", rows),
        ("callback in columns", COLUMNS, "numba", columns),
        ("ready-made torque", READY, "Python", WEIGHT),
    ):
        measure(f"{n} heavy tops, {title}", {"C": in_c(c_torque), name: in_python(torque)}, n * steps)


def stages(n, layout):
    """Of a numpy torque: C's stage protocol and the expression alone are what must be paid."""
    steps = max(1, 300_000 // n)
    kind, order = {"aos": (0, "C"), "soa": (1, "F")}[layout]
    e = c_ensemble(n, NONE)
    q, omega = (np.asarray(array, order=order) for array in states(n))
    q_stage, omega_stage, torque = q.copy(order), omega.copy(order), np.zeros_like(omega)
    pointers = [array.ctypes.data for array in (q_stage, omega_stage, torque)]
    by_function = ensemble(n, numpy_weight, layout=layout)
    by_loop = ensemble(n, None)

    def loop():
        stages = by_loop.stages(DT, steps, layout=layout)
        for t, q, omega in stages:
            stages.send(numpy_weight(t, q, omega))

    contenders = {
        "C: stage protocol without torques": lambda: C.run_stages(e, DT, steps, kind, *pointers),
        "numpy: the expression alone": lambda: [numpy_weight(0.0, q, omega) for _ in range(2 * steps)],
        "a function of numpy as the torque": lambda: by_function.advance(DT, steps),
        "a loop over `stages`": loop,
    }
    times = measure(f"{n} heavy tops, torque in numpy, {layout}", contenders, n * steps)
    protocol, expression, function, looped = times.values()
    both = [a + b for a, b in zip(protocol, expression, strict=True)]
    print(f"  over the sum of the first two: function {ratio(function, both):.2f}, loop {ratio(looped, both):.2f}")


def beside_scipy():
    """With error control, for the same tolerance and the same torque in Python."""
    end, tolerance, rounds = 20.0, 1e-9, 11

    def body(torque):
        return quatint.Body([1, 2, 3], angular_velocity=OMEGA, torque=torque)

    theirs, mine = others.scipy_solution(end, tolerance), body(python_weight)
    cost = mine.solve(end, tolerance)
    print(
        f"\nfor {end:.0f} s and a tolerance of {tolerance}: DOP853 of scipy asks for {theirs.nfev} torques, in {theirs.t.size - 1} steps;"
    )
    print(f"Body.solve for {cost.evaluations}, in {cost.accepted} steps. Error of q: ", end="")
    exact = body(WEIGHT)
    exact.solve(end, 1e-14)
    q = theirs.y[:4, -1] / np.linalg.norm(theirs.y[:4, -1])
    print(", ".join(f"{quatint.orientation_angle(each, exact.orientation):.1e}" for each in (q, mine.orientation)))
    contenders = {
        "DOP853 of scipy": lambda: others.scipy_solution(end, tolerance),
        "Body.solve, Python torque": lambda: body(python_weight).solve(end, tolerance),
        "Body.solve, ready-made torque": lambda: body(WEIGHT).solve(end, tolerance),
    }
    measure("one heavy top with error control, ns for a step of scipy", contenders, theirs.t.size - 1, rounds)


def beside_others(n):
    steps = 10
    mine = {}
    for name, torque, options in (
        ("quatint, ready-made torque", WEIGHT, {}),
        ("quatint, ready-made torque, 2 threads", WEIGHT, {"threads": 2}),
        ("quatint, numba callback in columns", quatint.compiled(numba_columns, layout="soa"), {}),
        ("quatint, numpy torque", numpy_weight, {"layout": "soa"}),
    ):
        e = ensemble(n, torque, **options)
        mine[name] = lambda e=e: [e.step(DT) for _ in range(steps)]
    reference = ensemble(n, WEIGHT)
    reference.advance(DT, 2 * steps)
    theirs = others.contenders(states(n), DT, steps, reference, with_jax=not QUICK)
    measure(f"{n} heavy tops beside others", mine | theirs, n * steps, rounds=11)


if __name__ == "__main__":
    print(f"quatint {quatint.__version__} in Python, ns per body and step of PCDM; medians of interleaved rounds")
    one_body()
    for n in (1000,) if QUICK else (1000, 10_000, 100_000, 1_000_000):
        callbacks(n)
    for n in (1000,) if QUICK else (10_000, 100_000):
        for layout in ("aos", "soa"):
            stages(n, layout)
    beside_others(1000 if QUICK else 100_000)
    beside_scipy()
