// points.cpp: a clump of three spheres, each on a spring to its own nail. Positions, forces and torques are in the world frame.
// `point_positions(centres)` returns a new vector; `get_point_positions(centres, view)` writes to
// your array. With `Omega::predicted` as the last argument, velocities of points are those of the
// predicted angular velocities. See docs/ensembles.md.
#include <cstdio>
#include <quatint.hpp>

using quatint::Vector;

int main()
{
    const std::vector<Vector> arms{{1, -1, 0}, {0, 2, 0}, {-1, -1, 0}}, nails{{1, 0, 0}, {0, 1, 1}, {0, 0, -2}};
    const double mass = 3, stiffness = 10, dt = 0.001;
    std::vector<Vector> x(1), v(1), force(1), torque(1), pull(3);
    quatint::Mass parts;
    for (const Vector &arm : arms) parts.add_sphere(mass / 3, 0.5, arm);
    quatint::Ensemble clump(1);
    clump.set_inertias(parts.properties().inertia);
    clump.set_points({0, 0, 0}, arms);

    const auto act = [&] { // returns the energy of the springs
        double energy = 0;
        const std::vector<Vector> spheres = clump.point_positions(x);
        for (std::size_t p = 0; p < 3; p++)
            for (std::size_t k = 0; k < 3; k++) {
                const double length = nails[p][k] - spheres[p][k];
                pull[p][k] = stiffness * length;
                energy += stiffness / 2 * length * length;
            }
        clump.sum_point_forces(pull, force, torque);
        return energy;
    };
    double potential = act();
    for (int step = 0; step <= 20000; step++) {
        if (step % 5000 == 0) {
            const double kinetic = clump.total_kinetic_energy() + mass / 2 * (v[0][0]*v[0][0] + v[0][1]*v[0][1] + v[0][2]*v[0][2]);
            std::printf("t = %2.0f   energy: %.3f, of it kinetic: %.3f\n", clump.time(), potential + kinetic, kinetic);
        }
        clump.kick_drift(dt / 2, dt, torque);
        for (std::size_t k = 0; k < 3; k++) v[0][k] += dt / 2 * force[0][k] / mass, x[0][k] += dt * v[0][k];
        potential = act();
        clump.kick(dt / 2, torque);
        for (std::size_t k = 0; k < 3; k++) v[0][k] += dt / 2 * force[0][k] / mass;
    }
}

// It prints:
// t =  0   energy: 45.000, of it kinetic: 0.000
// t =  5   energy: 45.000, of it kinetic: 24.146
// t = 10   energy: 45.000, of it kinetic: 18.404
// t = 15   energy: 45.000, of it kinetic: 25.206
// t = 20   energy: 45.000, of it kinetic: 9.287
