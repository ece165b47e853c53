// monitor.cpp: the steps of a solution, which a monitor ends: here after 50 of them, elsewhere after some seconds.
// A monitor is called after each step, and ends the solution by an exception.
#include <cstdio>
#include <quatint.hpp>
#include <stdexcept>

using quatint::Quaternion, quatint::Vector;

int main()
{
    quatint::Body top(quatint::diagonal(1, 1.5, 0.7), {0.6, 0.8, 0, 0}, {0.3, 0.1, 5});
    top.set_uniform_field_torque({0, 0, 1}, {0, 0, -1});
    std::vector<double> times;
    try {
        top.solve(10, 1e-9, [&](double time, const Quaternion &, const Vector &) {
            times.push_back(time);
            if (times.size() == 50) throw std::runtime_error("stopped");
        });
    } catch (const std::runtime_error &e) {
        std::printf("after %zu steps t = %.6f; %s\n", times.size(), top.time(), e.what());
    }
    top.solve(10, 1e-9);
    std::printf("gone on to t = %g\n", top.time());
}

// It prints:
// after 50 steps t = 4.014903; stopped
// gone on to t = 10
