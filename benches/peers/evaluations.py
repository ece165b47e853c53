"""Torque evaluations and times at equal error, with a torque in Python: quatint's solutions beside scipy's and diffrax's.

    make bench-evaluations

Five problems of docs/solutions.md, "Fewer torques", and five more. Each method runs at tolerances from 1e-3 on, by
half powers of ten; a line through the logarithms within a factor of 30 gives the cost at an error of the orientation.
diffrax compiles the torque and the method, so that its times do not compare. Writes a table for docs/peers-tables.md.
"""

import ctypes
import functools
import math
import pathlib
import time

import diffrax
import jax
import jax.numpy as jnp
import numpy as np
from scipy.integrate import solve_ivp

jax.config.update("jax_enable_x64", True)

ROOT = pathlib.Path(__file__).parents[2]
LIBRARY = ctypes.CDLL(str(ROOT / "target/release/libquatint.so"))
DOUBLES = ctypes.POINTER(ctypes.c_double)
TORQUE = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_double, DOUBLES, DOUBLES, DOUBLES, ctypes.c_void_p)
LIBRARY.qi_create_body.restype = ctypes.c_void_p
LIBRARY.qi_last_error.restype = ctypes.c_char_p

START = np.array([0.9, 0.3, 0.2, 0.1]) / math.sqrt(0.95)
ARM = np.array([0.2, -0.1, 0.9])
COMPACT, ROD, DISC = (1.0, 1.5, 0.7), (1.0, 1.2, 0.05), (1.0, 1.1, 2.0)
ERRORS = (-5, -8, -11)

# name: moments; angular velocity, body frame; duration
PROBLEMS = {
    "heavy top": (COMPACT, (0.4, -0.3, 5.0), 10.0),
    "driven": (COMPACT, (0.4, -0.3, 0.5), 20.0),
    "weak": (COMPACT, (1.0, 1.0, 1.0), 200.0),
    "orbit": (COMPACT, (0.1, 0.2, 1.1), 30.0),
    "fast rod": (ROD, (0.6, -0.4, 100.0), 10.0),
    "spring": (COMPACT, (0.0, 0.0, 0.0), 20.0),
    "strong field": (DISC, (0.3, 0.2, 1.0), 5.0),
    "disc, weak": (DISC, (0.5, 0.2, 3.0), 50.0),
    "rod at rest": (ROD, (0.0, 0.0, 0.0), 20.0),
    "two rates": (DISC, (0.2, -0.1, 2.0), 20.0),
}


def matrix(q, numbers=np):
    w, x, y, z = q
    return numbers.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def torque_of(name, moments, numbers=np):
    """The torque in the body frame, of the time and the rotation matrix, by numpy or by jax.numpy."""
    moments = np.array(moments)
    sizes = {"weak": 0.01, "strong field": 50.0, "disc, weak": 0.02}

    def torque(t, r):
        if name == "orbit":
            down = r.T @ numbers.array([numbers.cos(t), numbers.sin(t), 0])
            return 3 * numbers.cross(down, moments * down)
        if name == "spring":
            return numbers.array([r[1, 2] - r[2, 1], r[2, 0] - r[0, 2], r[0, 1] - r[1, 0]]) * 1.5
        size = sizes.get(name, 1.0)
        if name == "driven":
            size = 1 + 0.5 * numbers.sin(3 * t)
        if name == "two rates":
            size = numbers.sin(t) + 0.3 * numbers.cos(7 * t)
        x, y, _ = r @ ARM
        return r.T @ numbers.array([-size * y, size * x, 0.0])

    return torque


def rates_of(name, numbers=np):
    """The rates of the quaternion and of the angular velocity in the body frame."""
    torque, moments = torque_of(name, PROBLEMS[name][0], numbers), np.array(PROBLEMS[name][0])

    def rates(t, y):
        q, w = y[:4] / numbers.sqrt(y[:4] @ y[:4]), y[4:]
        a, b, c, d = y[:4]
        x, u, v = w
        turn = [-b * x - c * u - d * v, a * x + c * v - d * u, a * u + d * x - b * v, a * v + b * u - c * x]
        spun_up = (torque(t, matrix(q, numbers)) - numbers.cross(w, moments * w)) / moments
        return numbers.concatenate([numbers.array(turn) / 2, spun_up])

    return rates


@functools.cache
def diffrax_solution(solver, name):
    """A compiled function of the tolerance: the end, and the number of steps."""
    _, omega, end = PROBLEMS[name]
    rates = rates_of(name, jnp)

    def solution(tolerance):
        solved = diffrax.diffeqsolve(
            diffrax.ODETerm(lambda t, y, _: rates(t, y)),
            solver,
            0.0,
            end,
            None,
            jnp.concatenate([START, jnp.array(omega)]),
            stepsize_controller=diffrax.PIDController(rtol=tolerance, atol=tolerance),
            max_steps=2_000_000,
            throw=False,
        )
        return solved.ys[-1], solved.stats["num_steps"]

    return jax.jit(solution)


def by_diffrax(solver, name, tolerance):
    y, steps = diffrax_solution(solver, name)(tolerance)
    q = np.array(y[:4])
    # the first stage is the last of the step before
    return q / math.sqrt(q @ q), int(steps) * len(solver.tableau.c) + 1


def by_scipy(method, name, tolerance):
    moments, omega, end = PROBLEMS[name]
    rates = rates_of(name)
    least = max(tolerance, 3e-14)
    solution = solve_ivp(rates, [0, end], np.concatenate([START, omega]), method=method, rtol=least, atol=tolerance)
    q = solution.y[:4, -1]
    return q / math.sqrt(q @ q), solution.nfev


def by_quatint(method, name, tolerance):
    moments, omega, end = PROBLEMS[name]
    torque = torque_of(name, moments)
    numbers = ctypes.c_double * 9
    inertia = numbers(*np.diag(moments).ravel())
    q, w = (ctypes.c_double * 4)(*START), (ctypes.c_double * 3)(*(matrix(START) @ omega))
    body = ctypes.c_void_p(LIBRARY.qi_create_body(inertia, q, w, None))
    count = 0

    def called(t, q, _omega, out, _data):
        nonlocal count
        count += 1
        r = matrix(q[:4])
        out[0], out[1], out[2] = r @ torque(t, r)
        return 0

    function = TORQUE(called)
    LIBRARY.qi_set_torque(body, function, None)
    LIBRARY.qi_set_solve_method(body, method)
    status = LIBRARY.qi_solve(body, ctypes.c_double(end), ctypes.c_double(tolerance), None)
    if status != 0:
        raise RuntimeError(LIBRARY.qi_last_error().decode())
    LIBRARY.qi_get_orientation(body, q)
    LIBRARY.qi_destroy_body(body)
    return np.array(q[:]), count


METHODS = {
    "QI_SOLVE_NONSTIFF": lambda *of: by_quatint(0, *of),
    "QI_SOLVE_SPLITTING": lambda *of: by_quatint(2, *of),
    "scipy LSODA": lambda *of: by_scipy("LSODA", *of),
    "scipy DOP853": lambda *of: by_scipy("DOP853", *of),
    "diffrax Tsit5": functools.partial(by_diffrax, diffrax.Tsit5()),
    "diffrax Dopri8": functools.partial(by_diffrax, diffrax.Dopri8()),
}
COMPILED = ("diffrax",)  # their times are not those of a torque in Python


def at_errors(method, name, exact):
    """Evaluations and seconds at each of the errors; None where the method does not reach it."""
    runs = []
    for k in range(12, 57, 2):
        begun = time.process_time()
        q, count = METHODS[method](name, 10 ** (-k / 4))
        seconds = time.process_time() - begun
        error = 2 * min(np.linalg.norm(q - exact), np.linalg.norm(q + exact))
        runs.append((math.log10(error + 1e-17), math.log(count), math.log(seconds)))
    costs = []
    for error in ERRORS:
        near = np.array([run for run in runs if abs(run[0] - error) < 1.5])
        if len(near) < 3:
            costs.append(None)
            continue
        fits = [np.polyfit(near[:, 0] - error, near[:, i], 1)[1] for i in (1, 2)]
        costs.append((math.exp(fits[0]), math.exp(fits[1])))
    return costs


def main():
    print("\n### Evaluations at an error, torque in Python\n")
    print("Evaluations of the torque and CPU times of one body, at these errors of the orientation, rad.\n")
    heads = [f"{unit} at 1e{error}" for unit in ("torques", "ms") for error in ERRORS]
    print("| problem | method |", " | ".join(heads), "|")
    print("|---" * (2 + len(heads)) + "|")
    for name in PROBLEMS:
        exact = by_quatint(0, name, 1e-15)[0]
        for method in METHODS:
            costs = at_errors(method, name, exact)
            is_compiled = method.startswith(COMPILED)
            torques = ["–" if cost is None else f"{cost[0]:.0f}" for cost in costs]
            times = ["–" if cost is None or is_compiled else f"{1e3 * cost[1]:.1f}" for cost in costs]
            print(f"| {name} | {method} |", " | ".join(torques + times), "|", flush=True)


if __name__ == "__main__":
    main()
