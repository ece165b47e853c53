# points.py: two clumps of four spheres collide; the forces between the spheres move and turn the clumps.
# See docs/ensembles.md.
import numpy as np
import quatint

radius, stiffness, dt = 0.5, 1e3, 1e-3
arms = 0.4 * np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])  # of the spheres, body frame
clump = quatint.Mass()
for arm in arms:
    clump.add_sphere(0.25, radius, arm)
x, v = np.array([[-1.5, 0, 0], [1.5, 0.5, 0.3]]), np.array([[1.0, 0, 0], [-1, 0, 0]])  # mass 1

e = quatint.Ensemble(2, inertia=clump.properties().inertia, angular_velocities=[[0.3, -0.2, 0.5], [-0.4, 0.6, 0.1]])
e.set_points([0, 0, 0, 0, 1, 1, 1, 1], np.tile(arms, (2, 1)))


def contacts():
    """Forces and torques on the clumps, and the energy of the contacts."""
    spheres = e.point_positions(x)
    apart = spheres[:4, None] - spheres[4:]
    distances = np.linalg.norm(apart, axis=2)
    overlaps = np.maximum(2 * radius - distances, 0)
    forces = (stiffness * overlaps / distances)[:, :, None] * apart
    forces, torques = e.sum_point_forces(np.concatenate([forces.sum(axis=1), -forces.sum(axis=0)]))
    return forces, torques, stiffness / 2 * (overlaps**2).sum()


def report(elastic):
    energy = e.total_kinetic_energy + (v**2).sum() / 2 + elastic
    momentum = e.total_angular_momentum + np.cross(x, v).sum(axis=0)
    spin = np.linalg.norm(e.angular_velocities, axis=1)
    print(f"spins {spin.round(3)}, energy {energy:.3f}, angular momentum {momentum.round(6) + 0.0}")


forces, torques, elastic = contacts()
report(elastic)
for _ in range(2000):
    v += dt / 2 * forces
    x += dt * v
    e.kick_drift(dt / 2, dt, torques)
    forces, torques, elastic = contacts()
    v += dt / 2 * forces
    e.kick(dt / 2, torques)
report(elastic)

# It prints:
# spins [0.616 0.728], energy 1.191, angular momentum [-0.042 -0.132  0.752]
# spins [0.599 0.984], energy 1.191, angular momentum [-0.042 -0.132  0.752]
