// damped.cpp: a rotor with a brake that is not linear, by kick and drift, with and without predicted velocities.
// For torques that depend on the angular velocity, bind an array for predicted velocities. Leave
// it in place until another one is bound or `unbind_predicted_velocities()` is called.
#include <cmath>
#include <cstdio>
#include <quatint.hpp>

using quatint::Vector;

static Vector brake(const Vector &omega)
{
    const double speed = std::sqrt(omega[0]*omega[0] + omega[1]*omega[1] + omega[2]*omega[2]);
    return {-speed * omega[0], -speed * omega[1], -speed * omega[2]};
}

static quatint::Quaternion after_2_s(int steps, bool is_predicted)
{
    const double dt = 2.0 / steps;
    std::vector<Vector> predicted(1);
    quatint::Ensemble rotor(1);
    rotor.set_inertias(quatint::diagonal(1, 2, 3));
    rotor.set_angular_velocities(Vector{1, 1, 1});
    rotor.bind_predicted_velocities(predicted, dt / 2);
    Vector torque = brake({1, 1, 1});
    for (int step = 0; step < steps; step++) {
        rotor.kick_drift(dt / 2, dt, torque);
        torque = brake(is_predicted ? predicted[0] : rotor.angular_velocities()[0]);
        rotor.kick(dt / 2, torque);
    }
    return rotor.orientations()[0];
}

int main()
{
    const auto exact = after_2_s(100000, true);
    std::printf("steps   not predicted   predicted\n");
    for (const int steps : {100, 200, 400})
        std::printf("%5d   %.1e rad     %.1e rad\n", steps, quatint::orientation_angle(after_2_s(steps, false), exact),
                    quatint::orientation_angle(after_2_s(steps, true), exact));
}

// It prints:
// steps   not predicted   predicted
//   100   7.9e-03 rad     1.9e-04 rad
//   200   3.9e-03 rad     4.9e-05 rad
//   400   2.0e-03 rad     1.2e-05 rad
