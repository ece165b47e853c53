/* quatint.c: the contenders quatint, each of its methods, and PCDM written by hand. */
#include "../by_hand.h"
#include "peer.h"
#include <quatint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MANY = 4096 };

typedef struct {
    const problem *p;
    int steps, torques; /* torques: in a step */
    int overflowed;     /* with too large a step the motion runs away */
    double h, tolerance;
    qi_body *body;
    qi_ensemble *ensemble;
    hand_body hand;
} state;

static void check(qi_status status)
{
    if (status != QI_OK) {
        fprintf(stderr, "quatint: %s\n", qi_last_error());
        exit(1);
    }
}

/* Whether a step succeeded. */
static int went(state *s, qi_status status)
{
    s->overflowed = status == QI_ERR_NON_FINITE;
    if (!s->overflowed) check(status);
    return !s->overflowed;
}

/* The torque, or (R arm) x force, called by both quatint and the hand-written code. */
static int32_t torque(double time, const double *q, const double *omega, double *out, void *user_data)
{
    const problem *p = (const problem *)user_data;
    double arm[3], torque_body[3];
    (void)omega;
    if (p->torque) {
        p->torque(p->moments, time, q, torque_body);
        hand_to_world(q, torque_body, out);
        return 0;
    }
    hand_to_world(q, p->arm, arm);
    peer_cross(arm, p->force, out);
    return 0;
}
static const hand_torque volatile callback = torque; /* called through a pointer, never inlined */

/* The drive of the driven body; its drag is qi_set_drag(). */
static int32_t drive(double time, const double *q, const double *omega, double *out, void *user_data)
{
    (void)q, (void)omega;
    peer_drive((const problem *)user_data, time, out);
    return 0;
}

/* Number of torques in a step. */
static int torques_of(int32_t method)
{
    switch (method) {
    case QI_METHOD_SPLITTING: return 1;
    case QI_METHOD_SPLITTING_4: return 6;
    case QI_METHOD_SPLITTING_6: return 11;
    case QI_METHOD_FORCE_GRADIENT: return 3;
    case QI_METHOD_CF4: return 4;
    default: return 2;
    }
}

static state *start(const problem *p, double steps, int torques)
{
    state *s = calloc(1, sizeof *s);
    if (s == NULL) exit(1);
    s->p = p;
    s->steps = (int)steps;
    s->torques = torques;
    s->h = p->end / steps;
    return s;
}

static state *start_body(const problem *p, double steps, int32_t method)
{
    const double inertia[9] = {p->moments[0], 0, 0, 0, p->moments[1], 0, 0, 0, p->moments[2]};
    state *s = start(p, steps, torques_of(method));
    s->body = qi_create_body(inertia, p->q, NULL, NULL);
    if (s->body == NULL) check(QI_ERR_INVALID);
    check(qi_set_state_body(s->body, p->q, p->omega));
    check(qi_set_method(s->body, method));
    return s;
}

static state *start_ensemble(const problem *p, double steps, int32_t method)
{
    const double inertia[9] = {p->moments[0], 0, 0, 0, p->moments[1], 0, 0, 0, p->moments[2]};
    double omega[3];
    state *s = start(p, steps, torques_of(method));
    s->ensemble = qi_create_ensemble(MANY, NULL);
    if (s->ensemble == NULL) check(QI_ERR_MEMORY);
    check(qi_rotate(p->q, p->omega, omega));
    check(qi_set_inertias(s->ensemble, inertia, 0));
    check(qi_set_orientations(s->ensemble, p->q, 0, 1));
    check(qi_set_angular_velocities(s->ensemble, omega, 0, 1));
    check(qi_set_ensemble_method(s->ensemble, method));
    if (p->torqued) check(qi_set_ensemble_uniform_field_torque(s->ensemble, p->arm, 0, p->force));
    return s;
}

/* PCDM, torque by callback. */
static void *start_called(const problem *p, double steps)
{
    state *s = start_body(p, steps, QI_METHOD_PCDM);
    if (p->torqued) check(qi_set_torque(s->body, callback, (void *)p));
    return s;
}

/* All methods, ready-made torque. */
static void *start_ready(const problem *p, double steps, int32_t method)
{
    state *s = start_body(p, steps, method);
    if (p->torqued) check(qi_set_uniform_field_torque(s->body, p->arm, p->force));
    return s;
}

/* Without torque every splitting is a row of exact free rotations: SPLITTING stands for all three. */
#define STARTS(NAME, METHOD, LEFT_OUT)                                                                     \
    static void *ready_##NAME(const problem *p, double steps)                                              \
    {                                                                                                      \
        return LEFT_OUT ? NULL : start_ready(p, steps, METHOD);                                            \
    }                                                                                                      \
    static void *ensemble_##NAME(const problem *p, double steps)                                           \
    {                                                                                                      \
        return LEFT_OUT ? NULL : start_ensemble(p, steps, METHOD);                                         \
    }
STARTS(pcdm, QI_METHOD_PCDM, 0)
STARTS(splitting, QI_METHOD_SPLITTING, 0)
STARTS(splitting_4, QI_METHOD_SPLITTING_4, !p->torqued)
STARTS(splitting_6, QI_METHOD_SPLITTING_6, !p->torqued)
STARTS(force_gradient, QI_METHOD_FORCE_GRADIENT, !p->torqued)
STARTS(cf4, QI_METHOD_CF4, 0)

/* Error control. A free body has nothing to choose. With a ready-made torque if there is one. */
static void *start_solve_called(const problem *p, double tolerance)
{
    state *s = p->torqued && !p->driven ? start_body(p, 1, QI_METHOD_PCDM) : NULL;
    if (s == NULL) return NULL;
    check(qi_set_torque(s->body, callback, (void *)p));
    s->tolerance = tolerance;
    return s;
}

static void *start_solve(const problem *p, double tolerance)
{
    state *s = p->torqued ? start_body(p, 1, QI_METHOD_PCDM) : NULL;
    if (s == NULL) return NULL;
    if (p->driven) {
        check(qi_set_torque(s->body, drive, (void *)p));
        check(qi_set_drag(s->body, p->drag, p->flow));
    } else {
        check(qi_set_uniform_field_torque(s->body, p->arm, p->force));
    }
    s->tolerance = tolerance;
    return s;
}

static state *by_splitting(state *s)
{
    if (s != NULL) check(qi_set_solve_method(s->body, QI_SOLVE_SPLITTING));
    return s;
}

static void *start_splitting_called(const problem *p, double tolerance)
{
    return by_splitting(start_solve_called(p, tolerance));
}

static void *start_splitting(const problem *p, double tolerance)
{
    return by_splitting(start_solve(p, tolerance));
}

/* The drift: free bodies only. */
static void *start_drift(const problem *p, double steps)
{
    state *s = p->torqued ? NULL : start_body(p, steps, QI_METHOD_SPLITTING);
    if (s != NULL) s->torques = 0;
    return s;
}

static void *start_drifts(const problem *p, double steps)
{
    state *s = p->torqued ? NULL : start_ensemble(p, steps, QI_METHOD_SPLITTING);
    if (s != NULL) s->torques = 0;
    return s;
}

static void *start_hand(const problem *p, double steps)
{
    state *s = start(p, steps, 2);
    for (int i = 0; i < 4; i++) s->hand.q[i] = p->q[i];
    for (int i = 0; i < 3; i++) s->hand.inertia[i] = p->moments[i];
    hand_to_world(p->q, p->omega, s->hand.omega);
    return s;
}

static void run_steps(void *of)
{
    state *s = of;
    for (int i = 0; i < s->steps && went(s, qi_step(s->body, s->h)); i++) continue;
}

static void run_advance(void *of)
{
    state *s = of;
    went(s, qi_advance(s->body, s->h, (uint64_t)s->steps, NULL));
}

static void run_solve(void *of)
{
    state *s = of;
    check(qi_solve(s->body, s->p->end, s->tolerance, NULL));
}

static void run_ensemble(void *of)
{
    state *s = of;
    for (int i = 0; i < s->steps && went(s, qi_step_ensemble(s->ensemble, s->h)); i++) continue;
}

static void run_drift(void *of)
{
    state *s = of;
    for (int i = 0; i < s->steps; i++) check(qi_drift(s->body, s->h));
}

static void run_drifts(void *of)
{
    state *s = of;
    for (int i = 0; i < s->steps; i++) check(qi_drift_ensemble(s->ensemble, s->h));
}

static void run_hand(void *of)
{
    state *s = of;
    for (int i = 0; i < s->steps; i++)
        hand_step(&s->hand, i * s->h, s->h, s->p->torqued ? callback : NULL, (void *)s->p);
}

static void count(state *s, outcome *result)
{
    if (s->overflowed) result->q[0] = NAN;
    result->steps = s->steps;
    result->evaluations = (double)s->torques * s->steps;
    free(s);
}

static void finish_body(void *of, outcome *result)
{
    state *s = of;
    check(qi_get_orientation(s->body, result->q));
    check(qi_get_angular_velocity_body(s->body, result->omega));
    qi_destroy_body(s->body);
    count(s, result);
}

static void finish_solve(void *of, outcome *result)
{
    uint64_t evaluations, steps;
    check(qi_get_solve_statistics(((state *)of)->body, &evaluations, &steps, NULL));
    finish_body(of, result);
    result->steps = (double)steps;
    result->evaluations = (double)evaluations;
}

static void finish_ensemble(void *of, outcome *result)
{
    static double q[4*MANY], omega[3*MANY];
    state *s = of;
    check(qi_get_orientations(s->ensemble, q, 4, 1));
    check(qi_get_angular_velocities(s->ensemble, omega, 3, 1));
    for (int i = 1; i < MANY; i++) /* all bodies started alike, so all must end alike */
        for (int c = 0; c < 4; c++)
            if (q[4*i + c] != q[c]) exit(1);
    for (int c = 0; c < 4; c++) result->q[c] = q[4*(MANY - 1) + c];
    hand_to_body(result->q, omega + 3*(MANY - 1), result->omega);
    qi_destroy_ensemble(s->ensemble);
    count(s, result);
}

static void finish_hand(void *of, outcome *result)
{
    state *s = of;
    for (int i = 0; i < 4; i++) result->q[i] = s->hand.q[i];
    hand_to_body(s->hand.q, s->hand.omega, result->omega);
    count(s, result);
}

#define PCDM_AT "start and predicted midpoint, world"
#define KICKS_AT "each kick, world"
#define STAGES_AT "every stage, world"
#define READY ", ready-made field torque"
#define PCDM "PCDM" READY
#define SPLITTING "kick, exact free rotation, kick" READY
#define SPLITTING_4 "SPLITTING in 13 parts" READY
#define SPLITTING_6 "SPLITTING in 23 parts" READY
#define FORCE_GRADIENT "force-gradient splitting: two free rotations" READY
#define CF4 "commutator-free Runge-Kutta" READY
#define DRIFT "exact free rotation"
static char version[32];

const peer *peers(int *number)
{
    static const peer all[] = {
        {"quatint PCDM, callback", version, "PCDM, C callback",
         PCDM_AT, "stays 1", "double", 2, STEPS, 1,
         start_called, run_steps, finish_body},
        {"quatint PCDM", version, PCDM,
         PCDM_AT, "stays 1", "double", 2, STEPS, 1,
         ready_pcdm, run_advance, finish_body},
        {"quatint SPLITTING", version, SPLITTING,
         KICKS_AT, "stays 1", "double", 2, STEPS, 1,
         ready_splitting, run_advance, finish_body},
        {"quatint SPLITTING_4", version, SPLITTING_4,
         KICKS_AT, "stays 1", "double", 4, STEPS, 1,
         ready_splitting_4, run_advance, finish_body},
        {"quatint SPLITTING_6", version, SPLITTING_6,
         KICKS_AT, "stays 1", "double", 6, STEPS, 1,
         ready_splitting_6, run_advance, finish_body},
        {"quatint FORCE_GRADIENT", version, FORCE_GRADIENT,
         "each kick, and where it turns the body, world", "stays 1", "double", 4, STEPS, 1,
         ready_force_gradient, run_advance, finish_body},
        {"quatint CF4", version, CF4,
         STAGES_AT, "stays 1", "double", 4, STEPS, 1,
         ready_cf4, run_advance, finish_body},
        {"quatint qi_solve", version, "Dormand-Prince 8(5,3), adaptive" READY " (driven body: C callback and qi_set_drag)",
         STAGES_AT, "stays 1", "double", 8, TOLERANCE, 1,
         start_solve, run_solve, finish_solve},
        {"quatint qi_solve, callback", version, "Dormand-Prince 8(5,3), adaptive, C callback",
         STAGES_AT, "stays 1", "double", 8, TOLERANCE, 1,
         start_solve_called, run_solve, finish_solve},
        {"quatint qi_solve SPLITTING", version, "QI_SOLVE_SPLITTING, adaptive" READY " (driven body: C callback and qi_set_drag)",
         KICKS_AT, "stays 1", "double", 0, TOLERANCE, 1,
         start_splitting, run_solve, finish_solve},
        {"quatint qi_solve SPLITTING, callback", version, "QI_SOLVE_SPLITTING, adaptive, C callback",
         KICKS_AT, "stays 1", "double", 0, TOLERANCE, 1,
         start_splitting_called, run_solve, finish_solve},
        {"quatint drift", version, DRIFT,
         "–", "stays 1", "double", 0, ONE_STEP, 1,
         start_drift, run_drift, finish_body},
        {"quatint PCDM, 4096 bodies", version, PCDM,
         PCDM_AT, "stays 1", "double", 2, STEPS, MANY,
         ensemble_pcdm, run_ensemble, finish_ensemble},
        {"quatint SPLITTING, 4096 bodies", version, SPLITTING,
         KICKS_AT, "stays 1", "double", 2, STEPS, MANY,
         ensemble_splitting, run_ensemble, finish_ensemble},
        {"quatint SPLITTING_4, 4096 bodies", version, SPLITTING_4,
         KICKS_AT, "stays 1", "double", 4, STEPS, MANY,
         ensemble_splitting_4, run_ensemble, finish_ensemble},
        {"quatint SPLITTING_6, 4096 bodies", version, SPLITTING_6,
         KICKS_AT, "stays 1", "double", 6, STEPS, MANY,
         ensemble_splitting_6, run_ensemble, finish_ensemble},
        {"quatint FORCE_GRADIENT, 4096 bodies", version, FORCE_GRADIENT,
         "each kick, and where it turns the body, world", "stays 1", "double", 4, STEPS, MANY,
         ensemble_force_gradient, run_ensemble, finish_ensemble},
        {"quatint CF4, 4096 bodies", version, CF4,
         STAGES_AT, "stays 1", "double", 4, STEPS, MANY,
         ensemble_cf4, run_ensemble, finish_ensemble},
        {"quatint drift, 4096 bodies", version, DRIFT,
         "–", "stays 1", "double", 0, ONE_STEP, MANY,
         start_drifts, run_drifts, finish_ensemble},
        {"C by hand", "`benches/by_hand.h`", "PCDM, C callback",
         PCDM_AT, "drifts by rounding", "double", 2, STEPS, 1,
         start_hand, run_hand, finish_hand},
    };
    snprintf(version, sizeof version, "quatint %s", qi_version_string());
    *number = (int)(sizeof all / sizeof *all);
    return all;
}
