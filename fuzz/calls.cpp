// calls.cpp: a libFuzzer target. The input is a sequence of calls on bodies and ensembles that live
// at the same time. What must hold is in the headers beside this file:
//
//     check.hpp              every call is counted; a panic is a defect
//     input.hpp              bytes as numbers
//     arrays.hpp             arrays with strides and guards
//     torques.hpp            callbacks
//     functions.hpp          calls without a handle
//
//     body_model.hpp         a body, and what is known of it
//     solutions.hpp          its solutions with error control, and recorded steps
//     bodies.hpp             all calls on a body
//
//     ensemble_model.hpp     an ensemble, and what is known of it
//     ensemble_settings.hpp  torques, inertias, states, active bodies
//     ensemble_getters.hpp   what getters promise
//     ensemble_arrays.hpp    arrays that are bound
//     population.hpp         more bodies or fewer, rows that move
//     stages.hpp             the stage protocol
//     ensembles.hpp          all calls on an ensemble
//
//     restart.hpp            an ensemble that is brought back from its rows
//     twins.hpp              the bodies of an ensemble, alone
//     side_by_side.hpp       both take the same steps, with the same bits
//
// `make fuzz` runs it; replay.cpp makes a program of it that runs the corpus without libFuzzer.
#include "functions.hpp"
#include "restart.hpp"
#include "side_by_side.hpp"

namespace {

using namespace fuzz;

void print_calls()
{
    std::fprintf(stderr, "%llu calls of the library\n",
                 static_cast<unsigned long long>(calls.load()));
}

void use_body(std::unique_ptr<BodyModel> &body, Input &in)
{
    if (!body || in.seldom(32)) {
        body = create_body(in);
    } else {
        body_call(*body, in);
    }
}

void use_ensemble(std::unique_ptr<EnsembleModel> &ensemble, EnsembleModel *other, Input &in)
{
    if (!ensemble || in.seldom(32)) {
        ensemble = create_ensemble(in);
    } else {
        ensemble_call(*ensemble, other, in);
    }
}

void call_without_handle(Input &in)
{
    switch (in.choice(4)) {
    case 0: rotation_call(in); break;
    case 1: torque_sum_call(in); break;
    case 2: exact_sum_call(in); break;
    default: integrate(in);
    }
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int *, char ***)
{
    std::atexit(print_calls);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Input in(data, size);
    std::unique_ptr<BodyModel> bodies[2];
    std::unique_ptr<EnsembleModel> ensembles[2];
    while (!in.is_empty()) {
        const size_t which = in.choice(2);
        const size_t what = in.choice(16);
        if (what < 4) {
            use_body(bodies[which], in);
        } else if (what < 13) {
            use_ensemble(ensembles[which], ensembles[1 - which].get(), in);
        } else if (what > 13) {
            call_without_handle(in);
        } else if (ensembles[which]) {
            if (in.seldom(4)) {
                restart(*ensembles[which], in);
            } else {
                step_beside_bodies(*ensembles[which], in);
            }
        }
    }
    return 0;
}
