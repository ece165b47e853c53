/* noise.c: rods in a fluid forget their direction u: the mean of u(t) . u(0) is exp(-2 kT t / C). */
/* A flow of NULL is a fluid at rest: docs/random.md. */
#include <math.h>
#include <quatint.h>
#include <stdio.h>

enum { COUNT = 10000 };
static double q[4*COUNT];

static int failed(void)
{
    fprintf(stderr, "%s\n", qi_last_error());
    return 1;
}

int main(void)
{
    const double inertia[9] = {0.001, 0, 0, 0, 0.01, 0, 0, 0, 0.01}; /* the long axis is body x */
    const double drag[3] = {1, 2, 2}, kt = 1, dt = 0.05;
    const uint64_t seed = 42;
    qi_ensemble *rods = qi_create_ensemble(COUNT, NULL);
    if (rods == NULL || qi_set_inertias(rods, inertia, 0) || qi_set_ensemble_method(rods, QI_METHOD_BROWNIAN)
        || qi_set_ensemble_langevin(rods, drag, 0, NULL, 0, kt, seed)) return failed(); /* NULL: the fluid is at rest */
    for (int row = 1; row <= 3; row++) {
        double mean = 0;
        if (qi_advance_ensemble(rods, dt, 10, NULL) || qi_get_orientations(rods, q, 4, 1)) return failed();
        for (int i = 0; i < COUNT; i++) mean += (1 - 2 * (q[4*i+2]*q[4*i+2] + q[4*i+3]*q[4*i+3])) / COUNT;
        printf("t = %.1f   mean %.2f   exact %.2f\n", 10 * dt * row, mean, exp(-2 * kt * (10 * dt * row) / drag[1]));
    }
    qi_destroy_ensemble(rods);
    return 0;
}

/* It prints:
t = 0.5   mean 0.61   exact 0.61
t = 1.0   mean 0.36   exact 0.37
t = 1.5   mean 0.21   exact 0.22
*/
