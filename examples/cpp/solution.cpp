// solution.cpp: a leaning top to a tolerance: rows at chosen times, and the times at which it leans most.
// `solve()` returns `Statistics`; `solve_statistics()` has those of the last solution, also if it
// threw an exception. `solve_record(times, tolerance)` returns the rows; a vector as third
// argument keeps those before a failure. `solve_until()` never copies its event function. See
// docs/solutions.md.
#include <cmath>
#include <cstdio>
#include <quatint.hpp>

using quatint::Quaternion, quatint::Vector;

static double lean(const Quaternion &q) { return std::acos(quatint::rotate(q, {0, 0, 1})[2]); }

int main()
{
    const Quaternion start = quatint::orientation_from_axis_angle({1, 0, 0}, 1);
    quatint::Body top(quatint::diagonal(1, 1, 0.5), start, quatint::rotate(start, {0, 0, 8}));
    top.set_uniform_field_torque({0, 0, 1}, {0, 0, -1}); // its weight

    for (const quatint::Record &row : top.solve_record({0, 0.5, 1}, 1e-10))
        std::printf("t = %.9f   it leans by %.9f rad\n", row.time, lean(row.orientation));

    const auto rising = [](double, const Quaternion &q, const Vector &omega) {
        const Vector axis = quatint::rotate(q, {0, 0, 1});
        return omega[0] * axis[1] - omega[1] * axis[0]; // rate of the height of the axis
    };
    const double period = 1.670852791361963; // of the nutation, by an elliptic integral
    for (int n = 1; n <= 3; n++) {
        const std::optional<double> lowest = top.solve_until(100, 1e-10, rising, quatint::Crossing::rising);
        if (!lowest) return 1; // t = 100 was reached
        std::printf("t = %.9f   it leans most, by %.9f rad; exact: t = %.9f\n", *lowest, lean(top.orientation()),
                    (n + 0.5) * period);
    }
    top.solve(10 * period, 1e-10);
    std::printf("t = %.9f   ten periods: it leans by %.9f rad\n", top.time(), lean(top.orientation()));
}

// It prints:
// t = 0.000000000   it leans by 1.000000000 rad
// t = 0.500000000   it leans by 1.076198631 rad
// t = 1.000000000   it leans by 1.105313000 rad
// t = 2.506279187   it leans most, by 1.115820236 rad; exact: t = 2.506279187
// t = 4.177131978   it leans most, by 1.115820236 rad; exact: t = 4.177131978
// t = 5.847984770   it leans most, by 1.115820236 rad; exact: t = 5.847984770
// t = 16.708527914   ten periods: it leans by 1.000000000 rad
