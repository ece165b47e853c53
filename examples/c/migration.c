/* migration.c: a third of the bodies moves over to another ensemble. */
/* Set the kind of torque, the method and the clock first, then the rows: docs/restart.md. */
#include <quatint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALL = QI_PART_STATE | QI_PART_INERTIA | QI_PART_TORQUE | QI_PART_MEMORY };

static void ok(qi_status status)
{
    if (status == QI_OK) return;
    fprintf(stderr, "%s\n", qi_last_error());
    exit(1);
}

/* Dipoles in a field; their strengths are parameters of the torque and travel with the bodies. */
static qi_ensemble *dipoles(size_t count)
{
    const double none[3] = {0, 0, 0}, field[3] = {0, 0, 1};
    qi_ensemble *e = qi_create_ensemble(count, NULL);
    if (e == NULL) exit(1);
    ok(qi_set_ensemble_uniform_field_torque(e, none, 0, field));
    ok(qi_set_ensemble_method(e, QI_METHOD_SPLITTING));
    return e;
}

int main(void)
{
    enum { N = 1000 };
    qi_ensemble *left = dipoles(N), *right = dipoles(0);
    const size_t size = qi_get_ensemble_row_size(left, ALL);
    double *rows = calloc(N * size, sizeof *rows), clock[2];
    if (rows == NULL) return 1;
    for (size_t i = 0; i < N; i++) {
        const double row[17] = {0.6, 0.8, 0, 0, /* orientation */
                                0, 0.001 * i, 1, /* angular velocity, body frame */
                                1, 2, 2.5, /* principal moments */
                                1, 0, 0, 0, /* the principal axes are the body axes */
                                0, 0, 1 + 0.001 * i}; /* dipole */
        memcpy(rows + i * 17, row, sizeof row);
    }
    ok(qi_set_ensemble_rows(left, ALL & ~QI_PART_MEMORY, NULL, N, rows)); /* no torque is known yet */
    ok(qi_advance_ensemble(left, 1e-2, 100, NULL));

    /* every third body moves over to the other ensemble */
    size_t go[N], stay[N], going = 0, staying = 0;
    for (size_t i = 0; i < N; i++) *(i % 3 == 0 ? &go[going++] : &stay[staying++]) = i;
    ok(qi_get_ensemble_rows(left, ALL, go, going, rows));
    ok(qi_select_bodies(left, stay, staying));
    ok(qi_resize_ensemble(right, going));
    ok(qi_get_ensemble_clock(left, clock));
    ok(qi_set_ensemble_clock(right, clock));
    ok(qi_set_ensemble_rows(right, ALL, NULL, going, rows));

    ok(qi_advance_ensemble(left, 1e-2, 100, NULL));
    ok(qi_advance_ensemble(right, 1e-2, 100, NULL));

    /* the energy of both, rounded once: it does not depend on which body is where */
    int64_t sum[QI_SUM_SIZE], other[QI_SUM_SIZE];
    double energy;
    ok(qi_get_kinetic_energy_sums(left, sum));
    ok(qi_get_kinetic_energy_sums(right, other));
    for (int k = 0; k < QI_SUM_SIZE; k++) sum[k] += other[k];
    ok(qi_get_sum(sum, &energy));
    printf("%zu and %zu bodies, rows of %zu doubles, energy %.15g\n", staying, going, size, energy);
    free(rows);
    qi_destroy_ensemble(left);
    qi_destroy_ensemble(right);
    return 0;
}

/* It prints:
666 and 334 bodies, rows of 20 doubles, energy 1948.88659148343
*/
