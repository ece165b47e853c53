// calls.cpp: a libFuzzer target. The input is a sequence of calls on bodies and ensembles that live at the same time. What must hold is
// in the headers beside this file:
//
//     check.hpp       every call is counted; a panic is a defect
//     input.hpp       bytes as numbers
//     arrays.hpp      arrays with strides and guards
//     torques.hpp     callbacks
//     bodies.hpp      calls on a body
//     ensembles.hpp   calls on an ensemble
//     twins.hpp       ensembles beside bodies stepped alone: the same bits
//     functions.hpp   calls without a handle
//
// `make fuzz` runs it; replay.cpp makes a program of it that runs the corpus without libFuzzer.
#include "bodies.hpp"
#include "ensembles.hpp"
#include "functions.hpp"
#include "twins.hpp"

namespace {

void print_calls()
{
    std::fprintf(stderr, "%llu calls of the library\n", static_cast<unsigned long long>(fuzz::calls.load()));
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int *, char ***)
{
    std::atexit(print_calls);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    using namespace fuzz;
    Input in(data, size);
    std::unique_ptr<BodyModel> bodies[2];
    std::unique_ptr<EnsembleModel> ensembles[2];
    while (!in.is_empty()) {
        const size_t which = in.choice(2), what = in.choice(16);
        if (what < 4) {
            std::unique_ptr<BodyModel> &body = bodies[which];
            if (!body || in.seldom(32)) body = create_body(in);
            else body_call(*body, in);
        } else if (what < 13) {
            std::unique_ptr<EnsembleModel> &ensemble = ensembles[which];
            if (!ensemble || in.seldom(32)) ensemble = create_ensemble(in);
            else ensemble_call(*ensemble, ensembles[1 - which].get(), in);
        } else if (what == 13) {
            if (ensembles[which] && in.seldom(4)) restart(*ensembles[which], in);
            else if (ensembles[which]) step_beside_bodies(*ensembles[which], in);
        } else {
            switch (in.choice(4)) {
            case 0: rotation_call(in); break;
            case 1: torque_sum_call(in); break;
            case 2: exact_sum_call(in); break;
            default: integrate(in);
            }
        }
    }
    return 0;
}
