# processes.py: a parameter study on several processes.
import multiprocessing

import quatint


def torque(t, q, omega):
    return -0.1 * omega


def after_10_s(body):
    body.advance(1e-2, 1000)
    return body  # bodies and ensembles are pickled, with all their digits


if __name__ == "__main__":
    bodies = [quatint.Body([1, 2, moment], angular_velocity=[1, 1, 1], torque=torque) for moment in (2.5, 2.75, 3)]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        for body in pool.map(after_10_s, bodies):
            print(f"moment {body.inertia[2, 2]:.2f}: {body.kinetic_energy:.6f}")

# It prints:
# moment 2.50: 1.000652
# moment 2.75: 1.088162
# moment 3.00: 1.195191
