// top_by_methods.cpp: how far a heavy top is off after 5 seconds, by method and step.
// docs/methods.md says which method to take.
#include <cmath>
#include <cstdio>
#include <quatint.hpp>

using quatint::Method;

static quatint::Quaternion orientation_after_5_s(Method method, double dt)
{
    const auto start = quatint::orientation_from_axis_angle({1, 0, 0}, 0.3);
    quatint::Body top(quatint::diagonal(1, 1, 0.5), start, {0, -6, 19});
    top.set_uniform_field_torque({0, 0, 1}, {0, 0, -9.81}); // its weight
    top.set_method(method);
    top.advance(dt, static_cast<std::uint64_t>(std::lround(5 / dt)));
    return top.orientation();
}

int main()
{
    const auto exact = orientation_after_5_s(Method::splitting_6, 5e-3);
    std::printf("dt        PCDM     splitting  CF4      splitting_4  splitting_6\n");
    for (const double dt : {0.05, 0.025, 0.0125}) {
        std::printf("%.4f  ", dt);
        for (const Method method : {Method::pcdm, Method::splitting, Method::cf4, Method::splitting_4, Method::splitting_6})
            std::printf("  %.1e", quatint::orientation_angle(orientation_after_5_s(method, dt), exact));
        std::printf(" rad\n");
    }
}

// It prints:
// dt        PCDM     splitting  CF4      splitting_4  splitting_6
// 0.0500    9.5e-01  3.8e-03  1.4e-02  2.1e-08  2.7e-10 rad
// 0.0250    2.2e-01  9.5e-04  8.7e-04  1.8e-09  4.3e-12 rad
// 0.0125    5.0e-02  2.4e-04  5.4e-05  1.2e-10  9.2e-14 rad
