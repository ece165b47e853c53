# migration.py: bodies go between two ensembles, as between two processes.
# `Body.rows()` has the state of one body, its clock, rotors and what the method keeps: 19
# numbers. Over processes `quatint.ExactSum.from_limbs(comm.allreduce(energy.limbs))` is the sum,
# with mpi4py.
import numpy as np
import quatint

n = 1000
i = np.arange(1, n + 1)[:, None]
field = quatint.UniformField(np.sin([1, 2, 3] * i), [0, 0, -1])  # each body has an arm of its own
whole = quatint.Ensemble(n, inertia=[1, 2, 3] + 0.001 * i, torque=field)
none = quatint.UniformField([0, 0, 0], [0, 0, -1])
left, right = quatint.Ensemble(n, torque=none), quatint.Ensemble(0, torque=none)
left.set_rows(whole.rows())


def migrate(source, target, leaving):
    message = source.rows(leaving)  # an array of float64, for mpi4py or a queue
    source.select(~leaving)
    before = len(target)
    target.resize(before + len(message))
    target.set_rows(message, slice(before, None))


for _ in range(100):
    for e in whole, left, right:
        e.step(0.01)
    migrate(left, right, left.orientations[:, 0] < 0.99)  # who has turned by more than 0.28 rad
    migrate(right, left, right.orientations[:, 0] >= 0.99)
print(len(left), "bodies on the left,", len(right), "on the right")
energy = left.kinetic_energy_sum() + right.kinetic_energy_sum()
print("the same bits of the energy:", float(energy) == whole.total_kinetic_energy)

# It prints:
# 557 bodies on the left, 443 on the right
# the same bits of the energy: True
