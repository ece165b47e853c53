# stage_protocol.py: a ring of magnets, each in the field of its neighbours.
# `stages.send` gives the torque of a stage, in the world frame. A step is complete when the loop
# asks for the next stage; otherwise it is cancelled. See docs/ensembles.md.
import numpy as np
import quatint


def field_of(m):
    return m * [-1, -1, 2]  # of a neighbour above or below; the magnets lie along z


def neighbours(m):
    return np.roll(m, 1, axis=0) + np.roll(m, -1, axis=0)


def energy(e):
    m = quatint.rotate(e.orientations, [1, 0, 0])  # each magnet points along body x
    return e.total_kinetic_energy - (m * field_of(np.roll(m, 1, axis=0))).sum()


n = 20
axis, angles = [0.2, 1, 0.1], 0.7 * np.arange(n)
e = quatint.Ensemble(n, inertia=[0.5, 1, 1], orientations=quatint.orientation_from_axis_angle(axis, angles))
first, strongest = energy(e), 0.0

stages = e.stages(2e-3, 1000)
for t, q, omega in stages:  # twice a step
    m = quatint.rotate(q, [1, 0, 0])
    torque = np.cross(m, field_of(neighbours(m)))
    strongest = max(strongest, abs(torque).max())
    stages.send(torque)
print(f"energy at first {first:.4f}, after {e.time:.0f} s {energy(e):.4f}; greatest torque: {strongest:.3f}")

# It prints:
# energy at first -4.2289, after 2 s -4.2289; greatest torque: 3.486
