/* threads.c: one ensemble with its own threads; then one ensemble per thread, each over a part of the arrays. */
/* Compile this program with -fopenmp: docs/ensembles.md. */
#include <quatint.h>
#include <stdio.h>
#include <string.h>

enum { COUNT = 20000, PARTS = 4, STEPS = 100 };
static double q[3][4*COUNT], omega[3][3*COUNT];

static int run(size_t first, size_t count, double *q_all, double *omega_all, size_t threads)
{
    const double inertia[9] = {1, 0, 0, 0, 2, 0, 0, 0, 2.5}, arm[3] = {0, 0, 1}, down[3] = {0, 0, -1};
    qi_ensemble *e = qi_create_ensemble(count, NULL);
    const int good = e != NULL && qi_set_inertias(e, inertia, 0) == QI_OK
        && qi_bind_orientations(e, q_all + 4*first, 4, 1, QI_SCALAR_FIRST) == QI_OK
        && qi_bind_angular_velocities(e, omega_all + 3*first, 3, 1, QI_OMEGA_BODY) == QI_OK
        && qi_set_ensemble_uniform_field_torque(e, arm, 0, down) == QI_OK
        && qi_set_ensemble_threads(e, threads) == QI_OK
        && qi_advance_ensemble(e, 1e-2, STEPS, NULL) == QI_OK;
    if (!good) fprintf(stderr, "%s\n", qi_last_error()); /* the error of this thread */
    qi_destroy_ensemble(e);
    return good;
}

int main(void)
{
    int good = 1;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < COUNT; i++) {
            q[k][4*i] = 1;
            for (int c = 0; c < 3; c++) omega[k][3*i + c] = 0.1 * c + 1e-5 * i;
        }
    good &= run(0, COUNT, q[0], omega[0], 1);
    good &= run(0, COUNT, q[1], omega[1], 2);
#pragma omp parallel for reduction(& : good)
    for (int part = 0; part < PARTS; part++)
        good &= run((size_t)part * (COUNT / PARTS), COUNT / PARTS, q[2], omega[2], 1);

    for (int k = 1; k < 3; k++) {
        const int same = memcmp(q[0], q[k], sizeof q[0]) == 0 && memcmp(omega[0], omega[k], sizeof omega[0]) == 0;
        printf("%s: the bits are %s\n", k == 1 ? "2 threads" : "4 parts", same ? "the same" : "others");
    }
    return !good;
}

/* It prints:
2 threads: the bits are the same
4 parts: the bits are the same
*/
