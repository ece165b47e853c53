/* ode.c: the contender Open Dynamics Engine. A world with one body; the torque is added before each step.
 *
 * The centre of mass of the body is the fixed point. The moments of inertia are about it, and no force moves it.
 */
#include "../by_hand.h"
#include "peer.h"
#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    const problem *p;
    int steps;
    dWorldID world;
    dBodyID body;
} state;

static void *start(const problem *p, double steps)
{
    static int ready;
    state *s = calloc(1, sizeof *s);
    dMass mass;
    double omega[3];

    if (s == NULL) exit(1);
    if (!ready) ready = dInitODE2(0);
    s->p = p;
    s->steps = (int)steps;
    s->world = dWorldCreate(); /* no gravity, no damping */
    s->body = dBodyCreate(s->world);
    dMassSetParameters(&mass, 1, 0, 0, 0, p->moments[0], p->moments[1], p->moments[2], 0, 0, 0);
    dBodySetMass(s->body, &mass);
    dBodySetGyroscopicMode(s->body, 1);
    dBodySetQuaternion(s->body, p->q);
    hand_to_world(p->q, p->omega, omega);
    dBodySetAngularVel(s->body, omega[0], omega[1], omega[2]);
    return s;
}

static void run(void *of)
{
    state *s = of;
    const problem *p = s->p;
    const double h = p->end / s->steps;
    for (int i = 0; i < s->steps; i++) {
        if (p->torqued) {
            dVector3 arm;
            double torque[3];
            dBodyVectorToWorld(s->body, p->arm[0], p->arm[1], p->arm[2], arm);
            peer_cross(arm, p->force, torque);
            dBodyAddTorque(s->body, torque[0], torque[1], torque[2]);
        }
        dWorldStep(s->world, h);
    }
}

static void finish(void *of, outcome *result)
{
    state *s = of;
    for (int i = 0; i < 4; i++) result->q[i] = dBodyGetQuaternion(s->body)[i];
    hand_to_body(result->q, dBodyGetAngularVel(s->body), result->omega);
    result->steps = result->evaluations = s->steps;
    dWorldDestroy(s->world);
    free(s);
}

const peer *peers(int *count)
{
    static const peer all[] = {
        {"ODE",
         "ODE " dODE_VERSION, "`dWorldStep`: semi-implicit Euler, gyroscopic torque implicit, q advanced along its derivative",
         "start, world", "normalised", "double", 1, STEPS, 1,
         start, run, finish},
    };
    *count = (int)(sizeof all / sizeof *all);
    return all;
}
