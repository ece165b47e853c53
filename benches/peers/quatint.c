/* quatint.c: the contenders quatint and PCDM written by hand. */
#include "../by_hand.h"
#include "peer.h"
#include <quatint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MANY = 4096 };

typedef struct {
    const problem *p;
    int steps, count;
    double h;
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

/* The torque (R arm) x force, called by both quatint and the hand-written code. */
static int32_t torque(double time, const double *q, const double *omega, double *out, void *user_data)
{
    const problem *p = (const problem *)user_data;
    double arm[3];
    (void)time, (void)omega;
    hand_to_world(q, p->arm, arm);
    peer_cross(arm, p->force, out);
    return 0;
}
static const hand_torque volatile callback = torque; /* called through a pointer, never inlined */

static state *start(const problem *p, double steps)
{
    state *s = calloc(1, sizeof *s);
    if (s == NULL) exit(1);
    s->p = p;
    s->steps = (int)steps;
    s->h = p->end / steps;
    return s;
}

static state *start_body(const problem *p, double steps)
{
    const double inertia[9] = {p->moments[0], 0, 0, 0, p->moments[1], 0, 0, 0, p->moments[2]};
    state *s = start(p, steps);
    s->body = qi_create_body(inertia, p->q, NULL, NULL);
    if (s->body == NULL) check(QI_ERR_INVALID);
    check(qi_set_state_body(s->body, p->q, p->omega));
    return s;
}

static void *start_called(const problem *p, double steps)
{
    state *s = start_body(p, steps);
    if (p->torqued) check(qi_set_torque(s->body, callback, (void *)p));
    return s;
}

static void *start_ready(const problem *p, double steps)
{
    state *s = start_body(p, steps);
    if (p->torqued) check(qi_set_uniform_field_torque(s->body, p->arm, p->force));
    return s;
}

static void *start_ensemble(const problem *p, double steps)
{
    const double inertia[9] = {p->moments[0], 0, 0, 0, p->moments[1], 0, 0, 0, p->moments[2]};
    double omega[3];
    state *s = start(p, steps);
    s->ensemble = qi_create_ensemble(MANY, NULL);
    if (s->ensemble == NULL) check(QI_ERR_MEMORY);
    check(qi_rotate(p->q, p->omega, omega));
    check(qi_set_inertias(s->ensemble, inertia, 0));
    check(qi_set_orientations(s->ensemble, p->q, 0, 1));
    check(qi_set_angular_velocities(s->ensemble, omega, 0, 1));
    if (p->torqued) check(qi_set_ensemble_uniform_field_torque(s->ensemble, p->arm, 0, p->force));
    return s;
}

static void *start_hand(const problem *p, double steps)
{
    state *s = start(p, steps);
    for (int i = 0; i < 4; i++) s->hand.q[i] = p->q[i];
    for (int i = 0; i < 3; i++) s->hand.inertia[i] = p->moments[i];
    hand_to_world(p->q, p->omega, s->hand.omega);
    return s;
}

static void run_steps(void *of)
{
    state *s = of;
    for (int i = 0; i < s->steps; i++) check(qi_step(s->body, s->h));
}

static void run_advance(void *of)
{
    state *s = of;
    check(qi_advance(s->body, s->h, (uint64_t)s->steps, NULL));
}

static void run_ensemble(void *of)
{
    state *s = of;
    for (int i = 0; i < s->steps; i++) check(qi_step_ensemble(s->ensemble, s->h));
}

static void run_hand(void *of)
{
    state *s = of;
    for (int i = 0; i < s->steps; i++)
        hand_step(&s->hand, i * s->h, s->h, s->p->torqued ? callback : NULL, (void *)s->p);
}

static void count(state *s, outcome *result)
{
    result->steps = s->steps;
    result->evaluations = 2.0 * s->steps;
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

#define WHEN "start and predicted midpoint, world"
static char version[32];

const peer *peers(int *number)
{
    static const peer all[] = {
        {"quatint `qi_step`", version, "PCDM, C callback",
         WHEN, "stays 1", "double", 2, 0, 1,
         start_called, run_steps, finish_body},
        {"quatint `qi_advance`", version, "PCDM, ready-made field torque",
         WHEN, "stays 1", "double", 2, 0, 1,
         start_ready, run_advance, finish_body},
        {"quatint ensemble of 4096", version, "PCDM, ready-made field torque, one thread",
         WHEN, "stays 1", "double", 2, 0, MANY,
         start_ensemble, run_ensemble, finish_ensemble},
        {"C by hand", "`benches/by_hand.h`", "PCDM, C callback",
         WHEN, "drifts by rounding", "double", 2, 0, 1,
         start_hand, run_hand, finish_hand},
    };
    snprintf(version, sizeof version, "quatint %s", qi_version_string());
    *number = (int)(sizeof all / sizeof *all);
    return all;
}
