// kicks.cpp: a ring of magnetic rotors, each acting on its neighbours. The loop computes the torques.
// Torques are any view of your data. The last argument of a kick is their frame, by default the
// world frame. See docs/kicks.md.
#include <cmath>
#include <cstdio>
#include <quatint.hpp>

using quatint::Vector;

struct Rotor {
    std::array<double, 4> q{};
    Vector momentum{}, torque{}; // world frame
};

static Vector magnet(const Rotor &rotor) { return quatint::rotate(rotor.q, {1, 0, 0}); }

// The torques on all rotors; returns the energy of all pairs, -m.m'.
static double torques(std::vector<Rotor> &rotors)
{
    double energy = 0;
    for (Rotor &rotor : rotors) rotor.torque = {};
    for (std::size_t i = 0; i < rotors.size(); i++) {
        Rotor &one = rotors[i], &next = rotors[(i + 1) % rotors.size()];
        const Vector a = magnet(one), b = magnet(next);
        const Vector t{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]};
        for (std::size_t c = 0; c < 3; c++) one.torque[c] += t[c], next.torque[c] -= t[c];
        energy -= a[0]*b[0] + a[1]*b[1] + a[2]*b[2];
    }
    return energy;
}

int main()
{
    const double dt = 0.02;
    std::vector<Rotor> rotors(64);
    for (std::size_t i = 0; i < rotors.size(); i++) {
        const double x = static_cast<double>(i);
        rotors[i].q = quatint::orientation_from_axis_angle({0.2, 1, 0.5}, 0.6 * std::sin(x));
        rotors[i].momentum = {0.4 * std::cos(x), 0.4 * std::sin(2*x), 0.4 * std::cos(3*x)};
    }
    quatint::Ensemble e(rotors.size());
    e.set_inertias(quatint::diagonal(0.3, 0.8, 1));
    const auto bound = e.bind(rotors, &Rotor::q, &Rotor::momentum, quatint::Kind::angmom_world);

    double potential = torques(rotors);
    for (int step = 0; step <= 10000; step++) {
        if (step % 2500 == 0) {
            Vector sum{};
            for (const Rotor &rotor : rotors)
                for (std::size_t c = 0; c < 3; c++) sum[c] += rotor.momentum[c];
            std::printf("t = %3.0f   energy: %.2f   momentum: (%.6f, %.6f, %.6f)\n", e.time(),
                        potential + e.total_kinetic_energy(), sum[0], sum[1], sum[2]);
        }
        e.kick_drift(dt / 2, dt, quatint::members(rotors, &Rotor::torque));
        potential = torques(rotors);
        e.kick(dt / 2, quatint::members(rotors, &Rotor::torque));
    }
}

// It prints:
// t =   0   energy: -43.13   momentum: (0.458448, 0.073192, 0.381944)
// t =  50   energy: -43.13   momentum: (0.458448, 0.073192, 0.381944)
// t = 100   energy: -43.13   momentum: (0.458448, 0.073192, 0.381944)
// t = 150   energy: -43.13   momentum: (0.458448, 0.073192, 0.381944)
// t = 200   energy: -43.13   momentum: (0.458448, 0.073192, 0.381944)
