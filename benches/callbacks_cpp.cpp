// callbacks_cpp.cpp: the torques of callbacks.c as C++ callables.
#include <quatint.hpp>

using namespace quatint;

static constexpr int steps = 20000, count = 4096, ensemble_steps = 50;
static constexpr double h = 1e-3;

static Ensemble tops()
{
    Ensemble e(count);
    e.set_inertias(diagonal(1, 2, 3));
    e.set_angular_velocities(Vector{1, 1, 1});
    return e;
}

extern "C" void *cpp_make()
{
    auto *body = new Body(diagonal(1, 2, 3), {1, 0, 0, 0}, {1, 1, 1});
    body->set_torque([](double, const Quaternion &q, const Vector &) {
        return Vector{-2*(q[2]*q[3] - q[0]*q[1]), 2*(q[1]*q[3] + q[0]*q[2]), 0};
    });
    return body;
}

extern "C" void cpp_run(void *body)
{
    for (int i = 0; i < steps; i++) static_cast<Body *>(body)->step(h);
}

extern "C" void *cpp_ensemble_make()
{
    auto *e = new Ensemble(tops());
    e->set_chunk_torque(
        [](double, std::size_t, std::size_t n, const double *q, const double *, double *torque) {
            for (std::size_t i = 0; i < n; i++) {
                torque[i] = -2*(q[2*n + i]*q[3*n + i] - q[i]*q[n + i]);
                torque[n + i] = 2*(q[n + i]*q[3*n + i] + q[i]*q[2*n + i]);
                torque[2*n + i] = 0;
            }
        },
        Layout::soa);
    return e;
}

extern "C" void *cpp_each_make()
{
    auto *e = new Ensemble(tops());
    e->set_torque([](double, std::size_t, const Quaternion &q, const Vector &) {
        return Vector{-2*(q[2]*q[3] - q[0]*q[1]), 2*(q[1]*q[3] + q[0]*q[2]), 0};
    });
    return e;
}

extern "C" void cpp_ensemble_run(void *e)
{
    for (int i = 0; i < ensemble_steps; i++) static_cast<Ensemble *>(e)->step(h);
}
