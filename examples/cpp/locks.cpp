// locks.cpp: a square plate that cannot spin about its normal; its panels fold at once, and unfold in ten seconds.
// Of an ensemble, `lock_axes()` also takes a `std::vector<std::int32_t>` with a number for each
// body, or an array and its stride. `set_inertia_function(nullptr)` makes the inertia constant
// again. See docs/inertia.md.
#include <cstdio>
#include <quatint.hpp>

int main()
{
    quatint::Body plate(quatint::diagonal(2, 2, 4), {1, 0, 0, 0}, {0.3, 0.4, 0.5});
    plate.lock_axes(quatint::axes::z);
    plate.kick(2, {0.1, 0, 1}, quatint::Frame::body);
    quatint::Vector omega = plate.angular_velocity_body();
    std::printf("locked: %.3f %.3f %.3f rad/s\n", omega[0], omega[1], omega[2]);

    plate.set_inertia(quatint::diagonal(1, 2, 3), quatint::Keep::angular_momentum);
    omega = plate.angular_velocity_body();
    const quatint::Vector momentum = plate.angular_momentum();
    std::printf("folded: %.3f %.3f %.3f rad/s, momentum %.3f %.3f %.3f\n", omega[0], omega[1], omega[2], momentum[0], momentum[1],
                momentum[2]);

    plate.set_inertia_function([](double t) { return quatint::diagonal(1 + 0.1 * t, 2, 3 + 0.1 * t); });
    plate.solve(10, 1e-10);
    omega = plate.angular_velocity_body();
    std::printf("unfolded: %.3f %.3f %.3f rad/s\n", omega[0], omega[1], omega[2]);
}

// It prints:
// locked: 0.400 0.400 0.000 rad/s
// folded: 0.800 0.400 0.000 rad/s, momentum 0.800 0.800 0.000
// unfolded: 0.280 -0.427 -0.122 rad/s
