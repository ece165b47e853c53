/* mpi_pairs.c: torques between bodies on different ranks of MPI, by the stage protocol. A step is taken on all ranks or on none.
 *
 *     mpirun -n 4 mpi_pairs [BODIES]      100 bodies
 *
 * The chain of magnets of stages.c, cut into one piece for each rank; a rank may have no bodies. At each stage the ranks exchange the
 * directions of the magnets, compute their torques, and vote: if any rank has failed, all of them cancel the step. Two failures are
 * made on purpose. In step 300 a torque is not a number: the vote finds it, and no rank has moved. In step 700 a torque is so large
 * that the motion overflows. This shows after the vote, when the other ranks may have ended the step, so all set back the rows of
 * before. Then the steps are taken again, with the right torques.
 *
 * The output is the same for any number of ranks, to the last bit (compile with -ffp-contract=off). Exit status 0: both failures left
 * every rank as it was, bit for bit, and the energy is constant to 1e-5.
 */
#ifdef NO_MPI
#include "no_mpi.h"
#else
#include <mpi.h>
#endif
#include <math.h>
#include <quatint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALL_PARTS = QI_PART_STATE | QI_PART_INERTIA | QI_PART_TORQUE | QI_PART_MEMORY };
enum { CHANGING = QI_PART_STATE | QI_PART_MEMORY };             /* what a step changes */
enum failure { NONE, NOT_A_NUMBER, TOO_LARGE };
static const double DT = 2e-3;

typedef struct {
    int rank, ranks, bodies, first, count;                      /* this rank has `count` bodies from `first`, maybe none */
    int *counts3, *firsts3;                                     /* of the doubles of m, for each rank */
    qi_ensemble *ensemble;
    double *q, *omega, *torque, *before, *all, *all_again;      /* of this rank: stage; rows */
    double (*m)[3];                                             /* directions of all magnets, world frame */
} chain;

static void stop(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void good(qi_status status)
{
    if (status != QI_OK) stop("quatint", qi_last_error());
}

static void *room(int count, size_t size)
{
    void *memory = calloc((size_t)count + 1, size); /* never NULL, for no bodies either */
    if (memory == NULL) stop("room", "out of memory");
    return memory;
}

/* the directions of all magnets, from the orientations of this rank */
static void gather(chain *c, const double *q)
{
    const double x[3] = {1, 0, 0};
    double (*mine)[3] = (double (*)[3])c->torque; /* not in use yet */
    for (int i = 0; i < c->count; i++) qi_rotate(q + 4*i, x, mine[i]);
    MPI_Allgatherv(mine, 3 * c->count, MPI_DOUBLE, c->m, c->counts3, c->firsts3, MPI_DOUBLE, MPI_COMM_WORLD);
}

/* The torques on the bodies of this rank, each in the field of its neighbours. One of them may be made wrong. */
static qi_status torques(chain *c, enum failure made)
{
    for (int k = 0; k < c->count; k++) {
        const int i = c->first + k;
        double field[3] = {0, 0, 0}, *torque = c->torque + 3*k;
        for (int j = i - 1; j <= i + 1; j += 2) {
            if (j < 0 || j >= c->bodies) continue;
            field[0] -= c->m[j][0];
            field[1] -= c->m[j][1];
            field[2] += 2 * c->m[j][2];
        }
        torque[0] = c->m[i][1] * field[2] - c->m[i][2] * field[1];
        torque[1] = c->m[i][2] * field[0] - c->m[i][0] * field[2];
        torque[2] = c->m[i][0] * field[1] - c->m[i][1] * field[0];
        if (made != NONE && i == c->bodies / 2) torque[0] = made == NOT_A_NUMBER ? NAN : 1e300;
        for (int a = 0; a < 3; a++)
            if (!isfinite(torque[a])) return QI_ERR_NON_FINITE;
    }
    return QI_NEED_TORQUE;
}

/* what all ranks say: an error if any has one, else QI_NEED_TORQUE if any has a stage left, else QI_OK */
static qi_status vote(qi_status status)
{
    int32_t said[2] = {-status, status}; /* errors are negative */
    MPI_Allreduce(MPI_IN_PLACE, said, 2, MPI_INT32_T, MPI_MAX, MPI_COMM_WORLD);
    return said[0] > 0 ? -said[0] : said[1];
}

/* Takes a step on all ranks, or on none. Each rank takes part in each exchange and each vote, also when it has no stage left. */
static qi_status take_step(chain *c, enum failure made)
{
    double clock[2], now[2], time;
    good(qi_get_ensemble_clock(c->ensemble, clock));
    good(qi_get_ensemble_rows(c->ensemble, CHANGING, NULL, (size_t)c->count, c->before));

    qi_status status = qi_begin_ensemble_step(c->ensemble, DT), of_all;
    if (status == QI_OK) status = qi_next_ensemble_stage(c->ensemble, &time, c->q, c->omega);
    while ((of_all = vote(status)) == QI_NEED_TORQUE) {
        gather(c, c->q);
        if (status == QI_NEED_TORQUE) status = torques(c, made);
        if ((of_all = vote(status)) < 0) break; /* this stage may be the last: until now no rank has written anything */
        if (status == QI_NEED_TORQUE) status = qi_continue_ensemble_step(c->ensemble, c->torque, &time, c->q, c->omega);
    }
    if (of_all == QI_OK) return QI_OK;

    good(qi_cancel_ensemble_step(c->ensemble));
    good(qi_get_ensemble_clock(c->ensemble, now));
    const int moved = memcmp(now, clock, sizeof now) != 0; /* this rank has ended the step, another one could not */
    if (vote(moved) > 0) {
        good(qi_set_ensemble_clock(c->ensemble, clock));
        good(qi_set_ensemble_rows(c->ensemble, CHANGING, NULL, (size_t)c->count, c->before));
    }
    return of_all;
}

/* A step that must fail on all ranks and change no bit on any. */
static int fails_and_changes_nothing(chain *c, enum failure made)
{
    const size_t bytes = (size_t)c->count * qi_get_ensemble_row_size(c->ensemble, ALL_PARTS) * sizeof(double);
    double clock[2], clock_again[2];
    good(qi_get_ensemble_clock(c->ensemble, clock));
    good(qi_get_ensemble_rows(c->ensemble, ALL_PARTS, NULL, (size_t)c->count, c->all));
    const qi_status status = take_step(c, made);
    good(qi_get_ensemble_clock(c->ensemble, clock_again));
    good(qi_get_ensemble_rows(c->ensemble, ALL_PARTS, NULL, (size_t)c->count, c->all_again));
    const int changed = memcmp(c->all, c->all_again, bytes) != 0 || memcmp(clock, clock_again, sizeof clock) != 0;
    return vote(changed) == 0 && status == QI_ERR_NON_FINITE;
}

/* energy of all bodies and of all pairs of neighbours at distance 1 along z: m.m' - 3 (m.z)(m'.z) */
static double energy(chain *c)
{
    int64_t sum[QI_SUM_SIZE];
    double total;
    good(qi_get_orientations(c->ensemble, c->q, 4, 1));
    gather(c, c->q);
    good(qi_get_kinetic_energy_sums(c->ensemble, sum));
    for (int i = c->first; i < c->first + c->count && i + 1 < c->bodies; i++) {
        const double *a = c->m[i], *b = c->m[i + 1], of_pair = a[0] * b[0] + a[1] * b[1] - 2 * (a[2] * b[2]);
        good(qi_add_to_sum(sum, &of_pair, 1));
    }
    MPI_Allreduce(MPI_IN_PLACE, sum, QI_SUM_SIZE, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    good(qi_get_sum(sum, &total));
    return total;
}

static chain open_chain(int bodies)
{
    const double moments[3] = {0.5, 1, 1}, axis[3] = {0.2, 1, 0.1};
    chain c;
    MPI_Comm_rank(MPI_COMM_WORLD, &c.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &c.ranks);
    c.bodies = bodies;
    c.first = bodies * c.rank / c.ranks;
    c.count = bodies * (c.rank + 1) / c.ranks - c.first;
    c.counts3 = (int *)room(c.ranks, sizeof(int));
    c.firsts3 = (int *)room(c.ranks, sizeof(int));
    for (int r = 0; r < c.ranks; r++) {
        c.firsts3[r] = 3 * (bodies * r / c.ranks);
        c.counts3[r] = 3 * (bodies * (r + 1) / c.ranks) - c.firsts3[r];
    }
    c.ensemble = qi_create_ensemble((size_t)c.count, NULL);
    if (c.ensemble == NULL) stop("quatint", qi_last_error());
    good(qi_set_ensemble_method(c.ensemble, QI_METHOD_SPLITTING));
    const size_t row = qi_get_ensemble_row_size(c.ensemble, ALL_PARTS);
    c.q = (double *)room(c.count, 4 * sizeof(double));
    c.omega = (double *)room(c.count, 3 * sizeof(double));
    c.torque = (double *)room(c.count, 3 * sizeof(double));
    c.before = (double *)room(c.count, row * sizeof(double));
    c.all = (double *)room(c.count, row * sizeof(double));
    c.all_again = (double *)room(c.count, row * sizeof(double));
    c.m = (double (*)[3])room(bodies, sizeof *c.m);
    for (int i = 0; i < c.count; i++)
        good(qi_orientation_from_axis_angle(axis, 0.7 * (c.first + i), c.q + 4*i));
    good(qi_set_principal_inertias(c.ensemble, moments, 0, 1));
    good(qi_set_orientations(c.ensemble, c.q, 4, 1));
    return c;
}

static void close_chain(chain *c)
{
    qi_destroy_ensemble(c->ensemble);
    free(c->counts3), free(c->firsts3), free(c->q), free(c->omega), free(c->torque);
    free(c->before), free(c->all), free(c->all_again), free(c->m);
}

int main(int argc, char **argv)
{
    const int bodies = argc > 1 ? atoi(argv[1]) : 100;
    double first = 0, total = 0;
    int right = 1;
    MPI_Init(&argc, &argv);
    chain c = open_chain(bodies);
    for (int step = 0; step <= 1000; step++) {
        if (step % 200 == 0) {
            total = energy(&c);
            if (step == 0) first = total;
            if (c.rank == 0) printf("step %4d   energy %.17g\n", step, total);
        }
        if (step == 300 || step == 700) {
            const int well = fails_and_changes_nothing(&c, step == 300 ? NOT_A_NUMBER : TOO_LARGE);
            if (c.rank == 0) printf("step %4d   %s: %s\n", step, step == 300 ? "a torque is not a number" : "the motion overflows",
                                    well ? "every rank is as it was before the step" : "WRONG");
            right = right && well;
        }
        if (step < 1000 && take_step(&c, NONE) != QI_OK) stop("take_step", "failed on some rank");
    }
    close_chain(&c);
    MPI_Finalize();
    return right && fabs(total / first - 1) < 1e-5 ? 0 : 1;
}
