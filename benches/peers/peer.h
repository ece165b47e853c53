/* peer.h: what a contender of `make bench-peers` offers. Each library is a plugin of one file that exports peers().
 *
 * A contender takes a rigid body with a fixed point from t = 0 to the end, in steps of one length or to a tolerance. Setting
 * up and reading off are not timed: a simulation does them once.
 */
#ifndef PEER_H
#define PEER_H

typedef struct {
    const char *name, *title;
    double moments[3]; /* principal, about the fixed point */
    double q[4];       /* w, x, y, z, body to world */
    double omega[3];   /* body */
    double arm[3];     /* body: where the force acts */
    double force[3];   /* world, constant */
    int torqued;       /* 0: free, there is no torque to compute */
    double end;
} problem;

typedef struct {
    double q[4], omega[3]; /* body; of the worst body where there are many */
    double steps, evaluations; /* evaluations of the torque, or of the right-hand side */
} outcome;

typedef struct {
    const char *name, *library, *method;
    const char *torque; /* when and in which frame it is evaluated */
    const char *unit;   /* what holds |q| = 1 */
    const char *number; /* double or single precision */
    int order;          /* nominal; 0: it varies */
    int adaptive;       /* the setting is a tolerance, relative and absolute; otherwise the number of steps */
    int bodies;         /* that are integrated together */
    void *(*start)(const problem *p, double setting);
    void (*run)(void *state);
    void (*finish)(void *state, outcome *result); /* and frees it */
} peer;

#ifdef __cplusplus
extern "C"
#endif
const peer *peers(int *count);

static inline void peer_cross(const double *a, const double *b, double *c)
{
    c[0] = a[1]*b[2] - a[2]*b[1];
    c[1] = a[2]*b[0] - a[0]*b[2];
    c[2] = a[0]*b[1] - a[1]*b[0];
}

#endif
