# restart.py: a run that is written to files, and others that go on from the files with the same bits.
# Bodies and ensembles with compiled torques cannot be pickled. A copy keeps the states in its own
# memory. `rows()` and `clock` are plain numbers for files of your own. See docs/restart.md.
import pickle

import numpy as np
import quatint


def torque(t, q, omega):
    return np.column_stack([np.full(len(q), np.sin(3 * t)), np.zeros(len(q)), -0.1 * omega[:, 2]])


i = np.arange(1000)[:, None]
e = quatint.Ensemble(1000, inertia=[1, 2, 3] + 0.001 * i, angular_velocities=np.sin([1, 2, 3] + 0.1 * i))
e.method, e.torque = "splitting", torque
e.advance(0.1, 100)

with open("state.pickle", "wb") as file:
    pickle.dump(e, file)  # a torque is pickled with it, as Python does: functions of a module by their names
np.savez("state.npz", clock=e.clock, rows=e.rows())  # numbers only

with open("state.pickle", "rb") as file:
    first = pickle.load(file)
saved = np.load("state.npz")
second = quatint.Ensemble(len(saved["rows"]), method="splitting", torque=torque)
second.clock = saved["clock"]
second.set_rows(saved["rows"])  # last: a new torque or clock makes "splitting" forget the torque that it keeps

for each in e, first, second:
    each.advance(0.1, 100)
    same = (each.rows() == e.rows()).all() and each.clock == e.clock
    print(each.rows().shape, f"the clock shows {each.time}, the same bits: {same}")

# It prints:
# (1000, 20) the clock shows 20.0, the same bits: True
# (1000, 20) the clock shows 20.0, the same bits: True
# (1000, 20) the clock shows 20.0, the same bits: True
