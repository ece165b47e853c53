"""The same tops without quatint: PCDM in numpy and in JAX, and one top by DOP853 of scipy."""

import numpy as np
import quatint
from pcdm import step_with
from scipy.integrate import solve_ivp

INERTIA = (1.0, 2.0, 3.0)


def numpy_steps(q, omega, dt, steps):
    step = step_with(np)
    for _ in range(steps):
        q, omega = step(INERTIA, q, omega, dt)
    return q, omega


def jax_steps(dt, steps):
    import jax  # the tests have none

    jax.config.update("jax_enable_x64", True)
    step = step_with(jax.numpy)
    loop = jax.jit(lambda q, omega: jax.lax.fori_loop(0, steps, lambda _, s: step(INERTIA, *s, dt), (q, omega)))
    return lambda q, omega: jax.block_until_ready(loop(q, omega))


def right_side(t, y):
    """q' = 1/2 q omega, I omega' = torque - omega x I omega, body frame, in numbers of Python: faster than arrays of three."""
    w, x, y, z, a, b, c = y.tolist()
    i, j, k = INERTIA
    torque_x, torque_y = 2 * (w * x - y * z), 2 * (x * z + w * y)
    body_x = (1 - 2 * (y * y + z * z)) * torque_x + 2 * (x * y + w * z) * torque_y
    body_y = 2 * (x * y - w * z) * torque_x + (1 - 2 * (x * x + z * z)) * torque_y
    body_z = 2 * (x * z + w * y) * torque_x + 2 * (y * z - w * x) * torque_y
    return (
        (-x * a - y * b - z * c) / 2,
        (w * a + y * c - z * b) / 2,
        (w * b + z * a - x * c) / 2,
        (w * c + x * b - y * a) / 2,
        (body_x + (j - k) * b * c) / i,
        (body_y + (k - i) * c * a) / j,
        (body_z + (i - j) * a * b) / k,
    )


def scipy_solution(end, tolerance):
    """From the identity, with the angular velocity (1, 1, 1)."""
    return solve_ivp(right_side, (0, end), [1, 0, 0, 0, 1, 1, 1], "DOP853", rtol=tolerance, atol=tolerance)


def contenders(states, dt, steps, reference, with_jax=True):
    """Functions by name, each of `steps` steps of all bodies; after twice as many they must agree with those of quatint."""
    q, omega = states
    rows = np.ascontiguousarray(q.T), np.ascontiguousarray(quatint.rotate_inverse(q, omega).T)
    runs = {"PCDM in numpy": lambda *state: numpy_steps(*state, dt, steps)}
    if with_jax:
        runs["PCDM in JAX, compiled"] = jax_steps(dt, steps)
    measured = {}
    for name, run in runs.items():
        state = run(*rows)  # arrays of its own kind
        end = run(*state)
        assert abs(np.asarray(end[0]).T - reference.orientations).max() < 1e-12, name
        measured[name] = lambda run=run, state=state: run(*state)
    return measured
