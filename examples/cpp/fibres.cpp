// fibres.cpp: fibres in shear flow tumble in Jeffery orbits; c_examples/fibres.c in C++.
//
//     fibres [count]           default: 1000000
//
// Spheroids of aspect ratio r = 2 rotate in the flow u = (y, 0, 0). Their inertia is small compared with the viscous
// torque. Each starts at a different phase. Jeffery's period of an orbit is 2 pi (r + 1/r) = 15.70796 (G. B. Jeffery, Proc.
// R. Soc. Lond. A 102, 161 (1922)). The program measures half an orbit of the first fibre and doubles it. Exit status 0:
// the result is 15.70796 to within 5e-3. The last lines are the 64 bits of some final orientations: the C program prints
// the same bits.
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <quatint.hpp>

static const double pi = 3.14159265358979323846;

static void print_bits(std::size_t fibre, const quatint::Quaternion &q)
{
    std::printf("fibre %-7zu", fibre);
    for (const double number : q) {
        std::uint64_t bits;
        std::memcpy(&bits, &number, sizeof bits);
        std::printf(" %016" PRIx64, bits);
    }
    std::printf("\n");
}

int main(int argc, char **argv)
try {
    const auto count = argc > 1 ? static_cast<std::size_t>(std::strtod(argv[1], nullptr)) : 1000000;
    const double mass = 4.0 / 3 * pi * 2 * 0.01, dt = 0.001; // volume times density
    const double period = 2 * pi * (2 + 0.5);

    std::vector<quatint::Quaternion> q(count);
    for (std::size_t i = 0; i < count; i++) // rotated about the vorticity axis, z
        q[i] = quatint::orientation_from_axis_angle({0, 0, 1}, pi * static_cast<double>(i) / static_cast<double>(count));

    quatint::Ensemble fibres(count);
    fibres.set_inertias(quatint::diagonal(mass / 5 * 2, mass / 5 * 5, mass / 5 * 5)); // m (b^2 + c^2)/5, ...
    fibres.bind_orientations(q);
    fibres.set_shear_flow_torque(quatint::Vector{2, 1, 1}, 1.0, {0, 1, 0, 0, 0, 0, 0, 0, 0});

    // follow the angle of the first fibre in the plane of the flow, and note the time of each half turn
    const unsigned steps_a_call = 20;
    double turned = 0, crossed[2] = {0, 0};
    int crossings = 0;
    for (int call = 0; crossings < 2 && call < 2000; call++) {
        fibres.advance(dt, steps_a_call);
        const double angle = 2 * std::atan2(q[0][3], q[0][0]), before = turned;
        double change = angle - std::fmod(turned, 2 * pi);
        change -= 2 * pi * std::floor(change / (2 * pi) + 0.5);
        turned += change;
        const double level = -pi * (crossings + 0.5); // clockwise, with the vorticity; fastest across the flow
        if (turned <= level)
            crossed[crossings++] = fibres.time() - dt * steps_a_call * (turned - level) / (turned - before);
    }
    const double orbit = 2 * (crossed[1] - crossed[0]);
    std::printf("period of an orbit: %.4f, Jeffery's: %.4f\n", orbit, period);
    for (const std::size_t fibre : {std::size_t{0}, count / 2, count - 1}) print_bits(fibre, q[fibre]);
    return std::fabs(orbit - period) < 5e-3 ? 0 : 1;
} catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
