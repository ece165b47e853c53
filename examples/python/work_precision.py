"""Error against cost for a heavy top, by method, beside DOP853 of scipy. Every method calls the same Python function.

    python work_precision.py [picture.svg [fast]]

The top has moments (1, 1.5, 0.7) about its fixed point and turns for 10 s. The orientation at the end is known to 16 digits. The
program prints the order of each method, measured between its last two steps. Exit status 0: all orders are right.
"""

import sys
import time

import matplotlib.pyplot as plt
import numpy as np
import quatint
from scipy.integrate import solve_ivp

INERTIA = np.array([1, 1.5, 0.7])
SPIN_BODY = np.array([0.4, -0.3, 5])
START = np.array([0.9, 0.3, 0.2, 0.1]) / np.sqrt(0.95)
END = np.array([0.3351412470151197, -0.4534187512674759, 0.4123653760309822, 0.7155742988670086])
DURATION = 10
METHODS = {  # torque evaluations a step, order, step counts of the two steps that measure the order
    "pcdm": (2, 2, (4000, 8000)),
    "splitting": (1, 2, (2000, 4000)),
    "cf4": (4, 4, (1000, 2000)),
    "splitting_4": (6, 4, (100, 200)),
    "force_gradient": (3, 4, (100, 200)),
    "splitting_6": (11, 6, (50, 100)),
}
# a method has the same colour in all pictures: tools/plot/src/style.rs
COLOURS = {
    "pcdm": "#1f6fb4",
    "splitting": "#2bb5d8",
    "cf4": "#d6a300",
    "splitting_4": "#1b9e77",
    "force_gradient": "#1b2a6b",
    "splitting_6": "#101010",
    "Body.solve": "#b800b0",
}


def weight(t, q, omega):
    """(R e3) x (0, 0, -1): the centre of mass is on the body axis z."""
    w, x, y, z = q.tolist()  # Python's own numbers are faster than single elements of an array
    return 2 * (w * x - y * z), 2 * (x * z + w * y), 0.0


def top(method="pcdm"):
    return quatint.Body(INERTIA, START, quatint.rotate(START, SPIN_BODY), weight, method)


def error(q):
    return min(np.linalg.norm(q - END), np.linalg.norm(q + END))  # q and -q are the same orientation


def by_steps(method, steps):
    body = top(method)
    body.advance(DURATION / steps, steps)
    return body.orientation, METHODS[method][0] * steps


def by_solve(tolerance):
    body = top()
    cost = body.solve(DURATION, tolerance)
    return body.orientation, cost.evaluations


def right_side(t, y):
    """Of the same equations for scipy: q' = 1/2 q omega, I omega' = torque - omega x I omega, in the body frame."""
    w, x, y, z, a, b, c = y.tolist()
    torque_x, torque_y, _ = weight(t, np.array([w, x, y, z]), None)
    s = 1 / (w * w + x * x + y * y + z * z)  # scipy does not keep the length of q
    body_x = s * ((w * w + x * x - y * y - z * z) * torque_x + 2 * (x * y + w * z) * torque_y)
    body_y = s * (2 * (x * y - w * z) * torque_x + (w * w - x * x + y * y - z * z) * torque_y)
    body_z = s * (2 * (x * z + w * y) * torque_x + 2 * (y * z - w * x) * torque_y)
    i, j, k = 1, 1.5, 0.7
    return (
        (-x * a - y * b - z * c) / 2,
        (w * a + y * c - z * b) / 2,
        (w * b + z * a - x * c) / 2,
        (w * c + x * b - y * a) / 2,
        (body_x + (j - k) * b * c) / i,
        (body_y + (k - i) * c * a) / j,
        (body_z + (i - j) * a * b) / k,
    )


def by_scipy(tolerance):
    result = solve_ivp(right_side, (0, DURATION), [*START, *SPIN_BODY], "DOP853", rtol=tolerance, atol=tolerance)
    q = result.y[:4, -1]
    return q / np.linalg.norm(q), result.nfev


def measured(run, argument, rounds):
    """Error, torques and the shortest time of a run in milliseconds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        q, torques = run(argument)
        times.append(1e3 * (time.perf_counter() - start))
    return error(q), torques, min(times)


fast = len(sys.argv) > 2
rounds, points = (1, 3) if fast else (5, 9)
curves = {}
for method, (torques, order, _) in METHODS.items():
    most = 20_000 if order == 2 else 6000
    counts = np.geomspace(150, most, points) / torques
    runs = [measured(lambda n, m=method: by_steps(m, n), round(count), rounds) for count in counts]
    curves[method] = [run for run in runs if 1e-13 < run[0] < 0.5]
tolerances = np.geomspace(1e-3, 1e-13, points)
curves["Body.solve"] = [measured(by_solve, tolerance, rounds) for tolerance in tolerances]
curves["scipy, DOP853"] = [measured(by_scipy, tolerance, rounds) for tolerance in tolerances]

orders = {}
for method, (_, _, pair) in METHODS.items():
    coarse, fine = (error(by_steps(method, steps)[0]) for steps in pair)
    orders[method] = np.log2(coarse / fine)
print("orders:", ", ".join(f"{method} {order:.1f}" for method, order in orders.items()))
torques_for = {}
for name, runs in curves.items():
    errors, torques, _ = np.log10(np.transpose(runs))
    torques_for[name] = 10 ** np.interp(6, -errors, torques)
print("torque evaluations for an error of 1e-6, divided by those of DOP853 of scipy:")
for name, torques in torques_for.items():
    print(f"    {name:14} {torques / torques_for['scipy, DOP853']:.2f}")

figure, panels = plt.subplots(1, 2, figsize=(9, 4.2), sharey=True, layout="constrained")
for name, runs in curves.items():
    errors, torques, times = np.transpose(runs)
    style = {"color": COLOURS[name]} if name in COLOURS else {"color": "#555555", "linestyle": "--"}
    for panel, cost in zip(panels, (torques, times), strict=True):
        panel.loglog(cost, errors, marker="o", markersize=3, linewidth=1.3, label=name, **style)
panels[0].set(xlabel="torque evaluations", ylabel="error of q after 10 s", title="Heavy top: error against torque evaluations")
panels[1].set(xlabel="milliseconds, with the same Python torque", title="Error against time")
panels[1].legend(frameon=False, fontsize=9, loc="lower left")
for panel in panels:
    panel.grid(color="0.9")
if len(sys.argv) > 1:
    plt.rcParams["svg.hashsalt"] = "quatint"  # the same picture is the same file
    figure.savefig(sys.argv[1], metadata={"Date": None})
sys.exit(int(any(abs(orders[method] - order) > 0.2 for method, (_, order, _) in METHODS.items())))
