/* gsl.c: the contenders of the GNU Scientific Library, odeiv2. */
#include "equations.h"
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <gsl/gsl_version.h>
#include <stdlib.h>

typedef struct {
    equations e;
    gsl_odeiv2_system system;
    gsl_odeiv2_driver *driver;
    double y[EQUATIONS];
    unsigned long steps; /* 0: adaptive, to a tolerance */
} state;

static int rate(double time, const double *y, double *out, void *of)
{
    equations_rate(of, time, y, out);
    return GSL_SUCCESS;
}

static state *start(const problem *p, const gsl_odeiv2_step_type *type, double h, double tolerance, unsigned long steps)
{
    state *s = calloc(1, sizeof *s);
    if (s == NULL) exit(1);
    s->e.p = p;
    s->steps = steps;
    s->system = (gsl_odeiv2_system){rate, NULL, EQUATIONS, &s->e};
    s->driver = gsl_odeiv2_driver_alloc_y_new(&s->system, type, h, tolerance, tolerance);
    equations_start(p, s->y);
    return s;
}

static void *start_rk4(const problem *p, double steps)
{
    const double any = 1e9; /* a huge tolerance, so that the driver accepts every step */
    return start(p, gsl_odeiv2_step_rk4, p->end / steps, any, (unsigned long)steps);
}

static void *start_rk8pd(const problem *p, double tolerance)
{
    return start(p, gsl_odeiv2_step_rk8pd, 1e-3 * p->end, tolerance, 0);
}

static void run(void *of)
{
    state *s = of;
    double t = 0;
    const double end = s->e.p->end;
    const double h = s->steps ? end / (double)s->steps : 0;
    const int status = s->steps ? gsl_odeiv2_driver_apply_fixed_step(s->driver, &t, h, s->steps, s->y)
                                : gsl_odeiv2_driver_apply(s->driver, &t, end, s->y);
    if (status != GSL_SUCCESS) s->y[0] = NAN; /* it did not reach the end: the tolerance is too small for it */
}

static void finish(void *of, outcome *result)
{
    state *s = of;
    equations_finish(s->y, result);
    result->steps = (double)s->driver->e->count;
    result->evaluations = s->e.evaluations;
    gsl_odeiv2_driver_free(s->driver);
    free(s);
}

const peer *peers(int *count)
{
    static const peer all[] = {
        {"GSL rk4",
         "GSL " GSL_VERSION, "Runge-Kutta 4, each step repeated as two half steps (its error estimate)",
         "every stage, body", "drifts", "double", 4, STEPS, 1,
         start_rk4, run, finish},
        {"GSL rk8pd", "GSL " GSL_VERSION, "Prince-Dormand 8(9), adaptive",
         "every stage, body", "drifts", "double", 8, TOLERANCE, 1,
         start_rk8pd, run, finish},
    };
    *count = (int)(sizeof all / sizeof *all);
    return all;
}
