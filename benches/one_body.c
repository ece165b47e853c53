/* one_body.c: one body under a torque callback, quatint compared with PCDM written by hand.
 *
 * Both take the same steps and call the same callback through a pointer, so that it is not inlined.
 */
#include "measure.h"
#include "by_hand.h"
#include <quatint.h>
#include <string.h>

enum { STEPS = 20000 };
static const double H = 1e-3;
static const double MOMENTS[3] = {1, 2, 3}, OMEGA[3] = {1, 1, 1};

static hand_body hand;
static hand_torque volatile hand_callback;

static void by_hand(void *torqued)
{
    const hand_torque torque = torqued ? hand_callback : NULL;
    for (int i = 0; i < STEPS; i++) hand_step(&hand, i * H, H, torque, NULL);
}

static void stepped(void *body)
{
    for (int i = 0; i < STEPS; i++)
        if (qi_step(body, H) != QI_OK) abort();
}

static void advanced(void *body)
{
    if (qi_advance(body, H, STEPS, NULL) != QI_OK) abort();
}

static void drifted(void *body)
{
    for (int i = 0; i < STEPS; i++)
        if (qi_drift(body, H) != QI_OK) abort();
}

static void solved(void *body)
{
    const double q[4] = {1, 0, 0, 0};
    if (qi_set_state_body(body, q, OMEGA) != QI_OK || qi_set_time(body, 0) != QI_OK || qi_solve(body, 10, 1e-8, NULL) != QI_OK) abort();
}

int main(void)
{
    const double inertia[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3}, e3[3] = {0, 0, 1}, down[3] = {0, 0, -1};
    qi_body *called = qi_create_body(inertia, NULL, OMEGA, NULL);
    qi_body *ready = qi_create_body(inertia, NULL, OMEGA, NULL);
    qi_body *free_body = qi_create_body(inertia, NULL, OMEGA, NULL);
    qi_body *split = qi_create_body(inertia, NULL, OMEGA, NULL), *split_4 = qi_create_body(inertia, NULL, OMEGA, NULL);
    qi_body *solving = qi_create_body(inertia, NULL, OMEGA, NULL);
    uint64_t torques;
    if (!called || !ready || !free_body || !split || !split_4 || !solving) return 1;
    qi_set_torque(called, weight, NULL);
    qi_set_torque(split, weight, NULL);
    qi_set_torque(split_4, weight, NULL);
    qi_set_torque(solving, weight, NULL);
    if (qi_set_method(split, QI_METHOD_SPLITTING) != QI_OK || qi_set_method(split_4, QI_METHOD_SPLITTING_4) != QI_OK) return 1;
    qi_set_uniform_field_torque(ready, e3, down);
    hand_callback = weight;
    hand.q[0] = 1;
    memcpy(hand.omega, OMEGA, sizeof OMEGA);
    memcpy(hand.inertia, MOMENTS, sizeof MOMENTS);

    if (qi_solve(solving, 10, 1e-8, &torques) != QI_OK) return 1;

    const contender torqued[] = {
        {"C by hand, callback", by_hand, called, STEPS},
        {"qi_step, C callback", stepped, called, STEPS},
        {"qi_advance, C callback", advanced, called, STEPS},
        {"qi_step, ready-made field torque", stepped, ready, STEPS},
        {"qi_advance, ready-made field torque", advanced, ready, STEPS},
        {"qi_step, C callback, SPLITTING", stepped, split, STEPS},
        {"qi_step, C callback, SPLITTING_4", stepped, split_4, STEPS},
        {"qi_solve at 1e-8, C callback, for each torque", solved, solving, (double)torques},
    };
    const contender untorqued[] = {
        {"C by hand, free", by_hand, NULL, STEPS},
        {"qi_step, free", stepped, free_body, STEPS},
        {"qi_advance, free", advanced, free_body, STEPS},
        {"qi_drift of a step's length", drifted, free_body, STEPS},
    };
    printf("One body, ns per step; medians of %d interleaved rounds of %d steps. quatint %s\n", MEASURE_ROUNDS, STEPS,
           qi_version_string());
    measure("heavy top", torqued, (int)(sizeof torqued / sizeof *torqued));
    measure("free asymmetric top", untorqued, (int)(sizeof untorqued / sizeof *untorqued));

    qi_destroy_body(called);
    qi_destroy_body(ready);
    qi_destroy_body(free_body);
    qi_destroy_body(split);
    qi_destroy_body(split_4);
    qi_destroy_body(solving);
    return 0;
}
