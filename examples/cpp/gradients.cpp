// gradients.cpp: discs in layers of a fluid, each layer with a shear of its own.
// See docs/torques.md.
#include <cstdio>
#include <quatint.hpp>

int main()
{
    std::vector<quatint::Matrix> gradients(4);
    quatint::Ensemble discs(gradients.size());
    discs.set_inertias(quatint::diagonal(0.1, 0.1, 0.2));
    discs.set_shear_flow_torque(quatint::Vector{1, 1, 0.25}, 1, quatint::Matrix{}); // semi-axes, viscosity
    discs.bind_flow_gradients(gradients);
    for (int step = 0; step < 1000; step++) {
        for (std::size_t i = 0; i < gradients.size(); i++) // your solver: here u_x = strength_i * y
            gradients[i] = {0, 0.1 * static_cast<double>(i), 0, 0, 0, 0, 0, 0, 0};
        discs.step(0.01);
    }
    for (const quatint::Vector &omega : discs.angular_velocities()) std::printf("%.3f\n", omega[2]);
}

// It prints:
// 0.000
// -0.050
// -0.100
// -0.150
