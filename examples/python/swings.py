# swings.py: a pendulum's turning points and passes through the bottom, and its path in between.
# `solve_dense` returns the motion as a function of time, a `quatint.Solution`, with any number of
# events. Events that do not stop it change no bit; each step is searched in 16 parts.
import math

import quatint
from scipy.special import ellipk

weight = quatint.UniformField([0, 0, -1], [0, 0, -1])
pendulum = quatint.Body([1, 1, 1], quatint.orientation_from_axis_angle([1, 0, 0], 90, degrees=True), torque=weight)


def turns(t, q, omega):
    return omega[0]


def passes(t, q, omega):
    return q[1]


swing = pendulum.solve_dense(20, 1e-10, events=[turns, quatint.Event(passes, "rising")])
print(swing)
print("turns at ", [f"{t:.6f}" for t in swing.t_events[0]])
print("rises through the bottom at", [f"{t:.6f}" for t in swing.t_events[1]])
print(f"half the period: {2 * ellipk(math.sin(math.radians(45)) ** 2):.6f}")
times, q, omega = swing([1.0, 2.0, 3.0])
print("angles:", quatint.orientation_to_rotation_vector(q, degrees=True)[:, 0].round(6))

pendulum.time = 0
stopped = pendulum.solve_dense(20, events=quatint.Event(turns, stops=True))
print(f"stopped at {pendulum.time:.6f} by event {stopped.stopped_by}")

# It prints:
# Solution(from t = 0 to 20, events: [5, 2], Statistics(evaluations=1974, accepted=116, rejected=0))
# turns at  ['3.708149', '7.416299', '11.124448', '14.832597', '18.540747']
# rises through the bottom at ['5.562224', '12.978523']
# half the period: 3.708149
# angles: [ 61.587903 -11.782275 -75.663797]
# stopped at 2.248896 by event 0
