/* equations.h: the equations of motion in the usual form for a general ODE solver.
 *
 * The seven unknowns are y = (q, omega in the body frame): q' = q (0, omega) / 2, and Euler's equation. q is not
 * normalised.
 */
#ifndef EQUATIONS_H
#define EQUATIONS_H

#include "../by_hand.h"
#include "peer.h"

enum { EQUATIONS = 7 };

typedef struct {
    const problem *p;
    double evaluations;
} equations;

static inline void equations_start(const problem *p, double *y)
{
    for (int i = 0; i < 4; i++) y[i] = p->q[i];
    for (int i = 0; i < 3; i++) y[4 + i] = p->omega[i];
}

static inline void equations_finish(const double *y, outcome *result)
{
    for (int i = 0; i < 4; i++) result->q[i] = y[i];
    for (int i = 0; i < 3; i++) result->omega[i] = y[4 + i];
}

/* driven, torqued: as in the problem. Constants let the compiler vectorise a loop of many bodies. */
static inline void equations_rate_if(int driven, int torqued, equations *e, double time, const double *y, double *rate)
{
    const problem *p = e->p;
    const double *v = y + 4;
    double torque[3] = {0, 0, 0};

    rate[0] = -0.5*(y[1]*v[0] + y[2]*v[1] + y[3]*v[2]);
    rate[1] = 0.5*(y[0]*v[0] + y[2]*v[2] - y[3]*v[1]);
    rate[2] = 0.5*(y[0]*v[1] + y[3]*v[0] - y[1]*v[2]);
    rate[3] = 0.5*(y[0]*v[2] + y[1]*v[1] - y[2]*v[0]);
    if (p->torque) {
        p->torque(p->moments, time, y, torque);
    } else if (driven) {
        double drive[3], flow[3];
        peer_drive(p, time, drive);
        hand_to_body(y, drive, torque);
        hand_to_body(y, p->flow, flow);
        for (int i = 0; i < 3; i++) torque[i] -= p->drag[i]*(v[i] - flow[i]);
    } else if (torqued) {
        double force[3];
        hand_to_body(y, p->force, force);
        peer_cross(p->arm, force, torque);
    }
    hand_acceleration(p->moments, v, torque, rate + 4);
    e->evaluations++;
}

static inline void equations_rate(equations *e, double time, const double *y, double *rate)
{
    equations_rate_if(e->p->driven, e->p->torqued, e, time, y, rate);
}

#endif
