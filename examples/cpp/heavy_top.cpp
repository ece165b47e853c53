// heavy_top.cpp: a leaning, spinning top; the torque comes from a lambda; c_examples/heavy_top.c in C++.
//
// A top with a fixed point. Its centre of mass is on its axis (body z); weight times arm is 1. It precesses and nutates for
// five seconds. The last lines are the 64 bits of each number of the final state: the C program prints the same bits.
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <quatint.hpp>

template <std::size_t N>
static void print_bits(const char *name, const std::array<double, N> &numbers)
{
    std::printf("%-17s", name);
    for (const double number : numbers) {
        std::uint64_t bits;
        std::memcpy(&bits, &number, sizeof bits);
        std::printf(" %016" PRIx64, bits);
    }
    std::printf("\n");
}

int main()
try {
    const auto start = quatint::orientation_from_axis_angle({1, 0, 0}, 0.3);       // leans by 0.3 rad
    const auto spin = quatint::rotate(start, {0, 0, 20});                          // about its own axis, rotated to the world frame
    quatint::Body top(quatint::diagonal(1, 1, 0.5), start, spin);                  // inertia about the fixed point
    top.set_torque([](double, const quatint::Quaternion &q, const quatint::Vector &) {
        const auto arm = quatint::rotate(q, {0, 0, 1});
        return quatint::Vector{-arm[1], arm[0], 0};                                // arm x weight; the weight is (0, 0, -1)
    });
    top.advance(1e-3, 5000);

    const auto q = top.orientation();
    std::printf("after 5 s it leans by %.4f rad\n", std::acos(1 - 2*(q[1]*q[1] + q[2]*q[2])));
    print_bits("orientation", q);
    print_bits("angular velocity", top.angular_velocity());
    return 0;
} catch (const quatint::Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
