/* noise.c: bodies with random torques that change ranks all the time. Prints a number of all bits of the final states.
 *
 * Every seventh step each body goes to a rank that depends on its id and the step, in a message of rows. With `brownian` the steps are
 * overdamped, and the coefficients those of each body.
 */
#include <inttypes.h>
#include <mpi.h>
#include <quatint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 600, PARTS = QI_PART_STATE | QI_PART_INERTIA | QI_PART_TORQUE | QI_PART_MEMORY | QI_PART_ID };

static void good(qi_status status)
{
    if (status == QI_OK) return;
    fprintf(stderr, "%s\n", qi_last_error());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static uint64_t id_of(const double *row, size_t size) /* QI_PART_ID is the last part */
{
    uint64_t id;
    memcpy(&id, row + size - 1, sizeof id);
    return id;
}

static int by_id(const void *a, const void *b)
{
    return *(const uint64_t *)a < *(const uint64_t *)b ? -1 : 1;
}

int main(int argc, char **argv)
{
    int ranks, rank, counts[64], first[64], from[64], at[64];
    size_t n = 0, size;
    double *rows, *sent, *values;
    uint64_t *ids, draws;
    qi_ensemble *e;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    ids = (uint64_t *)malloc(N * sizeof *ids);
    values = (double *)malloc(2 * 3 * N * sizeof *values);
    for (uint64_t id = 1; id <= N; id++)
        if ((int)(id * ranks / (N + 1)) == rank) {
            for (int c = 0; c < 3; c++) {
                values[3 * n + c] = 1 + 0.1 * c + 1e-3 * (double)id;            /* moments */
                values[3 * N + 3 * n + c] = 0.5 + 0.2 * c + 2e-3 * (double)id; /* coefficients */
            }
            ids[n++] = id;
        }
    e = qi_create_ensemble(n, NULL);
    if (n > 0) {
        const double axis[3] = {0, 0, 1}, field[3] = {0.3, 0, 1}, flow[3] = {0, 0.2, 0};
        good(qi_set_principal_inertias(e, values, 3, 1));
        good(qi_set_ensemble_ids(e, ids));
        good(qi_set_ensemble_method(e, argc > 1 ? QI_METHOD_BROWNIAN : QI_METHOD_SPLITTING));
        good(qi_set_ensemble_uniform_field_torque(e, axis, 0, field));
        good(qi_set_ensemble_langevin(e, values + 3 * N, 3, flow, 0, 0.8, 42));
    }
    size = qi_get_ensemble_row_size(e, PARTS);
    rows = (double *)malloc(N * size * sizeof *rows);
    sent = (double *)malloc(N * size * sizeof *sent);

    for (int step = 0; step < 70; step++) {
        good(qi_step_ensemble(e, 0.05));
        if (step % 7 != 6) continue;
        good(qi_get_ensemble_rows(e, PARTS, NULL, n, rows));
        for (int r = 0, place = 0; r < ranks; r++) {
            first[r] = place;
            for (size_t i = 0; i < n; i++)
                if ((int)((id_of(rows + i * size, size) * 2654435761u + step) / 7 % ranks) == r) {
                    memcpy(sent + place, rows + i * size, size * sizeof *rows);
                    place += (int)size;
                }
            counts[r] = place - first[r];
        }
        MPI_Alltoall(counts, 1, MPI_INT, from, 1, MPI_INT, MPI_COMM_WORLD);
        n = 0;
        for (int r = 0; r < ranks; r++) at[r] = (int)(n * size), n += from[r] / size;
        MPI_Alltoallv(sent, counts, first, MPI_DOUBLE, rows, from, at, MPI_DOUBLE, MPI_COMM_WORLD);
        good(qi_resize_ensemble(e, n));
        good(qi_set_ensemble_rows(e, PARTS, NULL, n, rows));
    }

    good(qi_get_ensemble_noise(e, &draws));
    good(qi_get_ensemble_rows(e, PARTS, NULL, n, sent));
    for (size_t i = 0; i < n; i++) { /* the id first, for the order */
        const uint64_t id = id_of(sent + i * size, size);
        memmove(sent + i * size + 1, sent + i * size, (size - 1) * sizeof *sent);
        memcpy(sent + i * size, &id, sizeof id);
    }
    counts[0] = (int)(n * size);
    MPI_Gather(counts, 1, MPI_INT, from, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int r = 0, place = 0; r < ranks; r++) at[r] = place, place += rank == 0 ? from[r] : 0;
    MPI_Gatherv(sent, counts[0], MPI_DOUBLE, rows, from, at, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        uint64_t number = UINT64_C(14695981039346656037), bits;
        qsort(rows, N, size * sizeof *rows, by_id);
        for (size_t k = 0; k < N * size; k++) {
            memcpy(&bits, rows + k, sizeof bits);
            number = (number ^ bits) * UINT64_C(1099511628211);
        }
        printf("%" PRIu64 " draws, bits %016" PRIx64 "\n", draws, number);
    }
    qi_destroy_ensemble(e);
    free(rows), free(sent), free(ids), free(values);
    MPI_Finalize();
    return 0;
}
