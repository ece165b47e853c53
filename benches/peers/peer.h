/* peer.h: the interface of a contender of `make bench-peers`. Each source file beside this one, but compare.c, is a plugin
 * that exports peers().
 *
 * A contender integrates a rigid body with a fixed point from t = 0 to the end, with fixed steps or to a tolerance.
 * Setup and readout are not timed, because a simulation does them once.
 */
#ifndef PEER_H
#define PEER_H

#include <math.h>

/* A torque, body frame, of the time and the orientation. */
typedef void torque_function(const double *moments, double time, const double *q, double *torque_body);

typedef struct {
    const char *name, *title;
    double moments[3]; /* principal moments about the fixed point */
    double q[4];       /* w, x, y, z, body to world */
    double omega[3];   /* body frame */
    double arm[3];     /* point where the force acts, body frame */
    double force[3];   /* constant, world frame */
    int torqued;       /* 0: free body, no torque to compute */
    double end;
    int driven;        /* 1: the torque is instead that of drag and drive */
    double drag[3];    /* coefficients about the body axes */
    double flow[3];    /* angular velocity of the fluid, world frame */
    double drive[3];   /* (drive[0] cos 2t, drive[1], drive[2] sin t), world frame */
    torque_function *torque; /* the torque in place of all of these; NULL: none */
} problem;

typedef struct {
    double q[4], omega[3]; /* end state, omega in the body frame; with many bodies that of the last */
    double steps, evaluations; /* number of steps, and of evaluations of the torque or the right-hand side */
} outcome;

/* What the setting of a contender is. */
enum {
    STEPS,     /* the number of steps */
    TOLERANCE, /* a relative and absolute tolerance: it chooses its steps */
    ONE_STEP   /* always 1: it is exact in one step */
};

typedef struct {
    const char *name, *library, *method;
    const char *torque; /* when, and in which frame, the torque is evaluated */
    const char *unit;   /* how |q| = 1 is kept */
    const char *number; /* double or single precision */
    int order;          /* nominal order; 0: it varies */
    int setting;        /* STEPS, TOLERANCE or ONE_STEP */
    int bodies;         /* number of bodies integrated together */
    void *(*start)(const problem *p, double setting); /* NULL: it leaves this problem out */
    void (*run)(void *state);
    void (*finish)(void *state, outcome *result); /* also frees the state */
} peer;

#ifdef __cplusplus
extern "C"
#endif
const peer *peers(int *count);

static inline void peer_drive(const problem *p, double time, double *torque)
{
    torque[0] = p->drive[0]*cos(2*time);
    torque[1] = p->drive[1];
    torque[2] = p->drive[2]*sin(time);
}

static inline void peer_cross(const double *a, const double *b, double *c)
{
    c[0] = a[1]*b[2] - a[2]*b[1];
    c[1] = a[2]*b[0] - a[0]*b[2];
    c[2] = a[0]*b[1] - a[1]*b[0];
}

#endif
