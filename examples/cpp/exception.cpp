// exception.cpp: an exception thrown by a torque comes out of the step, also with several threads.
// If the torques of several bodies throw, you get the exception of the first body, for any number
// of threads. A callable that writes to a pointer may return a `std::int32_t`: any value but 0
// stops the step with `QI_ERR_CALLBACK`, and `callback_result()` returns it.
#include <cstdio>
#include <quatint.hpp>

struct LeftTheMesh : std::runtime_error {
    std::size_t body;
    explicit LeftTheMesh(std::size_t i) : std::runtime_error("a particle has left the mesh"), body(i) {}
};

int main()
{
    quatint::Ensemble e(10000);
    e.set_angular_velocities(quatint::Vector{1, 0, 0});
    e.set_threads(2);
    e.set_torque([](double time, std::size_t i, const quatint::Quaternion &, const quatint::Vector &) {
        if (time > 0.25 && (i == 1234 || i == 8000)) throw LeftTheMesh(i);
        return quatint::Vector{0, 0, 1};
    });
    std::uint64_t completed = 0;
    try {
        e.advance(0.1, 100, completed);
    } catch (const LeftTheMesh &error) {
        std::printf("%s: body %zu\n", error.what(), error.body);
        std::printf("%d steps stand, t = %.1f\n", static_cast<int>(completed), e.time());
    }
}

// It prints:
// a particle has left the mesh: body 1234
// 3 steps stand, t = 0.3
