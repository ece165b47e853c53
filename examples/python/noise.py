# noise.py: dipoles in a field, in a fluid at a temperature: their mean cosine, and a run that goes on from a file.
# `temperature` is kT, an energy: docs/random.md.
import math

import numpy as np
import quatint

n, x = 20_000, 2.0  # x: moment times field over kT


def dipoles():
    e = quatint.Ensemble(n, inertia=[1, 2, 3], torque=quatint.UniformField([0, 0, 1], [0, 0, x]), method="splitting")
    e.langevin = quatint.Langevin([1, 1, 6], kt=1.0, seed=42)
    return e


gas = dipoles()
gas.advance(0.1, 200)
cosines = quatint.rotate(gas.orientations, [0, 0, 1])[:, 2]
error = cosines.std() / math.sqrt(n)
print(f"mean cosine {cosines.mean():.4f} ± {error:.4f}; exact: coth x - 1 / x = {1 / math.tanh(x) - 1 / x:.4f}")
print(f"temperature {gas.temperature:.3f} of {gas.degrees_of_freedom} degrees of freedom, after {gas.noise_draws} draws")

everything = "all", "id"
np.savez("gas.npz", rows=gas.rows(parts=everything), clock=gas.clock, draws=gas.noise_draws)
saved = np.load("gas.npz")
again = dipoles()
again.clock, again.noise_draws = saved["clock"], saved["draws"].item()
again.set_rows(saved["rows"], parts=everything)
for each in gas, again:
    each.advance(0.1, 50)
print("the same bits:", (again.orientations == gas.orientations).all())

# It prints:
# mean cosine 0.5364 ± 0.0029; exact: coth x - 1 / x = 0.5373
# temperature 1.006 of 60000 degrees of freedom, after 200 draws
# the same bits: True
