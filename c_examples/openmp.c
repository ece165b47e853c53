/* openmp.c: several ensembles over parts of one array, stepped by the program's own threads.
 *
 * Each OpenMP thread has an ensemble over its part of the particles. The ensembles share no data, so no thread waits for
 * another. Without OpenMP the program does the same on one thread. Exit status 0: the bits equal those of one ensemble over
 * all particles.
 */
#include <quatint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 40000, PARTS = 4, STEPS = 200 };

static int failed(void)
{
    fprintf(stderr, "%s\n", qi_last_error());
    return 1;
}

static qi_ensemble *ensemble_over(double *q, double *omega, size_t count)
{
    const double inertia[9] = {1, 0, 0, 0, 2, 0, 0, 0, 2.5}, e3[3] = {0, 0, 1}, down[3] = {0, 0, -1};
    qi_ensemble *e = qi_create_ensemble(count, NULL);
    if (e == NULL || qi_set_inertias(e, inertia, 0) != QI_OK || qi_bind_orientations(e, q, 4, 1, QI_SCALAR_FIRST) != QI_OK
        || qi_bind_angular_velocities(e, omega, 3, 1, QI_OMEGA_BODY) != QI_OK
        || qi_set_ensemble_uniform_field_torque(e, e3, 0, down) != QI_OK) {
        failed();
        exit(1);
    }
    return e;
}

int main(void)
{
    static double q[2][4*COUNT], omega[2][3*COUNT];
    int errors = 0;
    for (int i = 0; i < COUNT; i++) {
        q[0][4*i] = q[1][4*i] = 1;
        for (int c = 0; c < 3; c++) omega[0][3*i + c] = omega[1][3*i + c] = 0.1 * c + 1e-5 * i;
    }
#pragma omp parallel for reduction(+ : errors)
    for (int part = 0; part < PARTS; part++) {
        const size_t first = (size_t)part * (COUNT / PARTS);
        qi_ensemble *e = ensemble_over(q[0] + 4*first, omega[0] + 3*first, COUNT / PARTS);
        for (int step = 0; step < STEPS; step++) errors += qi_step_ensemble(e, 1e-2) != QI_OK;
        qi_destroy_ensemble(e);
    }
    qi_ensemble *all = ensemble_over(q[1], omega[1], COUNT);
    errors += qi_advance_ensemble(all, 1e-2, STEPS, NULL) != QI_OK;
    qi_destroy_ensemble(all);

    const int same = memcmp(q[0], q[1], sizeof q[0]) == 0 && memcmp(omega[0], omega[1], sizeof omega[0]) == 0;
    printf("%d parts and one whole: the bits are %s\n", PARTS, same ? "the same" : "NOT the same");
    return same && errors == 0 ? 0 : 1;
}
