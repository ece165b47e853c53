// stage_protocol.cpp: a chain of magnets, each rotating in the field of its neighbours.
// `step_with()` and `advance_with()` call your function in each stage, on your thread, with the
// states of all bodies. A loop that does not fit into a callable (MPI, GPU) takes `begin_steps`,
// `next_stage`, `supply_torque`, `continue_step` and `cancel_step`. See docs/ensembles.md.
#include <cmath>
#include <cstdio>
#include <quatint.hpp>

using quatint::Quaternion, quatint::Vector;

int main()
{
    const std::size_t count = 100;
    std::vector<Quaternion> start(count);
    for (std::size_t i = 0; i < count; i++)
        start[i] = quatint::orientation_from_axis_angle({0.2, 1, 0.1}, 0.7 * static_cast<double>(i));
    quatint::Ensemble chain(count);
    chain.set_inertias(quatint::diagonal(0.5, 1, 1));
    chain.set_orientations(start);

    std::vector<Vector> m(count); // the magnets, along the x axis of each body
    const auto find_magnets = [&m](const std::vector<Quaternion> &q) {
        for (std::size_t i = 0; i < q.size(); i++) m[i] = quatint::rotate(q[i], {1, 0, 0});
    };
    const auto energy = [&] {
        find_magnets(chain.orientations());
        double sum = chain.total_kinetic_energy();
        for (std::size_t i = 0; i + 1 < count; i++) sum += m[i][0]*m[i+1][0] + m[i][1]*m[i+1][1] - 2*m[i][2]*m[i+1][2];
        return sum;
    };
    const auto torques = [&](double, const std::vector<Quaternion> &q, const std::vector<Vector> &, std::vector<Vector> &torque) {
        find_magnets(q);
        for (std::size_t i = 0; i < count; i++) {
            Vector field{0, 0, 0};
            for (const std::size_t j : {i - 1, i + 1}) // for i = 0, i - 1 wraps around and is skipped too
                if (j < count) field[0] -= m[j][0], field[1] -= m[j][1], field[2] += 2*m[j][2];
            torque[i] = {m[i][1]*field[2] - m[i][2]*field[1], m[i][2]*field[0] - m[i][0]*field[2],
                         m[i][0]*field[1] - m[i][1]*field[0]};
        }
    };

    std::printf("energy: %.5f\n", energy());
    chain.advance_with(2e-3, 5000, torques);
    std::printf("energy: %.5f at t = %.0f, of it kinetic: %.5f\n", energy(), chain.time(), chain.total_kinetic_energy());
}

// It prints:
// energy: -31.31230
// energy: -31.31228 at t = 10, of it kinetic: 60.36636
