/* mpi_bodies.c: bodies that move and migrate between the ranks of MPI; restart on any number of ranks.
 *
 *     mpirun -n 4 mpi_bodies [BODIES [STEPS [WRITE [READ]]]]      1000 bodies, 100 steps; "-": no file
 *
 * The box is cut into slabs along x, one for each rank. Bodies cross it in straight lines and turn in a field of place and time. Every
 * ten steps, bodies that have left their slab move to its rank: their rows carry all that the library knows about them. The file has
 * a header, a record for each body at `header + id * record`, and a checksum for each record, so its bytes do not depend on the number
 * of ranks either. It gets its name when it is complete on the disk: a run that is killed while it writes leaves the file of before.
 * A damaged file is refused. STEPS counts from the initial values: a run that reads the file of step 50 with STEPS 100 takes 50 steps.
 *
 * All lines but the first are the same for any number of ranks, after a restart, and without MPI (-DNO_MPI): to the last bit. For
 * this, compile the program without fused multiply-add: -ffp-contract=off.
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
enum { EVERY = 10 };            /* steps from one migration to the next */
static const double DT = 0.01, STRENGTH = 2;

typedef struct { double id, place[3], velocity[3]; } mover;       /* the program's part of a record; the rest is the row */
enum { MOVER = sizeof(mover) / sizeof(double) };

typedef struct {
    MPI_Comm comm;
    int rank, ranks;
    int64_t bodies, step;       /* of all ranks */
    size_t count;               /* bodies on this rank, may be 0 */
    mover *movers;              /* in the order of the ensemble */
    qi_ensemble *ensemble;
    size_t row, record;         /* doubles */
    MPI_Datatype record_type;
    double start;               /* time at the start of a step */
} world;

typedef struct {                /* of the file */
    char name[8];
    int64_t bodies, record, step;
    double clock[2];
    int64_t check[2];           /* of all of the file: the hash of the words above, plus the hashes of the records */
} header;
enum { HASHED = sizeof(header) / 8 - 2 };

static void stop(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void stop_at_record(const char *what, int64_t id, const char *why)
{
    fprintf(stderr, "%s: record %ld: %s\n", what, (long)id, why);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void good(qi_status status)
{
    if (status != QI_OK) stop("quatint", qi_last_error());
}

/* room for `count` things; never NULL, so that ranks without bodies need no code of their own */
static void *room(void *old, size_t count, size_t size)
{
    void *memory = realloc(old, (count + 1) * size);
    if (memory == NULL) stop("room", "out of memory");
    return memory;
}

/* --- the motion of the places, and the torque --------------------------------------------------------------------- */

/* These have no branches: places are random, so a processor cannot foresee which way a branch goes. */
static double wrap(double x)
{
    x += x < 0;
    return x - (x >= 1);
}

static double fraction(double x) { return x - (double)(int64_t)x; }

/* nearly sin(2 pi x), but of the same bits with any compiler */
static double wave(double x)
{
    const double s = x - 0.5;
    return 16 * s * (fabs(s) - 0.5);
}

/* `first + i` is the position of a body in the ensemble, and so in `movers` */
static int32_t torques(double time, size_t first, size_t count, const double *orientation, const double *angular_velocity,
                       double *torque, void *user_data)
{
    const world *w = (const world *)user_data;
    (void)angular_velocity;
    for (size_t i = 0; i < count; i++) {
        const mover *m = &w->movers[first + i];
        const double *q = orientation + 4*i;
        double p[3];
        for (int c = 0; c < 3; c++) p[c] = wrap(m->place[c] + (time - w->start) * m->velocity[c]); /* at the time of the stage */
        const double field[3] = {wave(fraction(p[1] + time)), wave(fraction(p[2] + time)), wave(fraction(p[0] + time))};
        const double axis[3] = {1 - 2 * (q[2]*q[2] + q[3]*q[3]), 2 * (q[1]*q[2] + q[0]*q[3]), 2 * (q[1]*q[3] - q[0]*q[2])};
        torque[3*i] = STRENGTH * (axis[1]*field[2] - axis[2]*field[1]);
        torque[3*i + 1] = STRENGTH * (axis[2]*field[0] - axis[0]*field[2]);
        torque[3*i + 2] = STRENGTH * (axis[0]*field[1] - axis[1]*field[0]);
    }
    return 0;
}

static void take_step(world *w)
{
    good(qi_get_ensemble_time(w->ensemble, &w->start));
    good(qi_step_ensemble(w->ensemble, DT));
    for (size_t i = 0; i < w->count; i++)
        for (int c = 0; c < 3; c++) w->movers[i].place[c] = wrap(w->movers[i].place[c] + DT * w->movers[i].velocity[c]);
    w->step++;
}

/* --- records: of some bodies, to other ranks, to this ensemble ---------------------------------------------------- */

/* the records of these bodies, NULL: of all */
static double *pack(const world *w, const size_t *bodies, size_t count)
{
    double *records = (double *)room(NULL, count, w->record * sizeof *records);
    double *rows = (double *)room(NULL, count, w->row * sizeof *rows);
    good(qi_get_ensemble_rows(w->ensemble, ALL_PARTS, bodies, count, rows));
    for (size_t i = 0; i < count; i++) {
        memcpy(records + i * w->record, &w->movers[bodies ? bodies[i] : i], sizeof(mover));
        memcpy(records + i * w->record + MOVER, rows + i * w->row, w->row * sizeof *rows);
    }
    free(rows);
    return records;
}

/* Sends record i to rank `to[i]`, frees the records, and returns those that arrive. A count of 0 is nothing special. */
static double *exchange(const world *w, double *records, const int *to, size_t count, size_t *arrivals)
{
    const size_t n = (size_t)w->ranks;
    int *sent = (int *)room(NULL, 5 * n, sizeof *sent), *sent_at = sent + n, *next = sent + 2*n;
    int *got = sent + 3*n, *got_at = sent + 4*n;
    double *out = (double *)room(NULL, count, w->record * sizeof *out), *in;
    memset(sent, 0, n * sizeof *sent);
    for (size_t i = 0; i < count; i++) sent[to[i]]++;
    MPI_Alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, w->comm);
    for (size_t r = 0; r < n; r++) {
        sent_at[r] = next[r] = r == 0 ? 0 : sent_at[r - 1] + sent[r - 1];
        got_at[r] = r == 0 ? 0 : got_at[r - 1] + got[r - 1];
    }
    for (size_t i = 0; i < count; i++)
        memcpy(out + (size_t)next[to[i]]++ * w->record, records + i * w->record, w->record * sizeof *out);
    *arrivals = (size_t)(got_at[n - 1] + got[n - 1]);
    in = (double *)room(NULL, *arrivals, w->record * sizeof *in);
    MPI_Alltoallv(out, sent, sent_at, w->record_type, in, got, got_at, w->record_type, w->comm);
    free(records), free(out), free(sent);
    return in;
}

/* Adds bodies at the end of the ensemble, and frees the records. */
static void add(world *w, double *records, size_t count)
{
    size_t *bodies = (size_t *)room(NULL, count, sizeof *bodies);
    double *rows = (double *)room(NULL, count, w->row * sizeof *rows);
    w->movers = (mover *)room(w->movers, w->count + count, sizeof *w->movers);
    for (size_t i = 0; i < count; i++) {
        bodies[i] = w->count + i;
        memcpy(&w->movers[bodies[i]], records + i * w->record, sizeof(mover));
        memcpy(rows + i * w->row, records + i * w->record + MOVER, w->row * sizeof *rows);
    }
    w->count += count;
    good(qi_resize_ensemble(w->ensemble, w->count));
    if (qi_set_ensemble_rows(w->ensemble, ALL_PARTS, bodies, count, rows) != QI_OK) {
        const size_t body = qi_last_error_body();
        if (body == SIZE_MAX) stop("quatint", qi_last_error());
        stop_at_record("qi_set_ensemble_rows", (int64_t)w->movers[body].id, qi_last_error_cause());
    }
    free(bodies), free(rows), free(records);
}

/* --- checksums ---------------------------------------------------------------------------------------------------- */

enum { PRIME = 2147483647 };

/* Two hashes of `count` words of 8 bytes, which `hash` begins: polynomials in 16 bits at a time. No change of a single 16 bits is lost;
 * any other is with a chance of 2^-62. */
static void hash_words(const void *words, size_t count, int64_t *hash)
{
    const int64_t factor[2] = {48271, 69621};
    for (size_t c = 0; c < count; c++) {
        uint64_t bits;
        memcpy(&bits, (const char *)words + 8*c, sizeof bits);
        for (int shift = 0; shift < 64; shift += 16)
            for (int k = 0; k < 2; k++) hash[k] = (hash[k] * factor[k] + (int64_t)(bits >> shift & 0xffff)) % PRIME;
    }
}

/* of each record; each begins with its id */
static int64_t *hash_records(const world *w, const double *records, size_t count)
{
    int64_t *hashes = (int64_t *)room(NULL, count, 2 * sizeof *hashes);
    for (size_t i = 0; i < count; i++) {
        hashes[2*i] = hashes[2*i + 1] = (int64_t)records[i * w->record] + 1;
        hash_words(records + i * w->record, w->record, hashes + 2*i);
    }
    return hashes;
}

/* the sum over the records of all ranks: the order of the bodies does not matter */
static void sum_hashes(const world *w, const int64_t *hashes, size_t count, int64_t *sum)
{
    for (size_t i = 0; i < 2 * count; i++) sum[i % 2] = (sum[i % 2] + hashes[i]) % PRIME;
    MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_INT64_T, MPI_SUM, w->comm);
    for (int k = 0; k < 2; k++) sum[k] %= PRIME;
}

/* --- migration ---------------------------------------------------------------------------------------------------- */

static int rank_of_place(const world *w, const double *place)
{
    const int rank = (int)(place[0] * w->ranks);
    return rank < w->ranks ? rank : w->ranks - 1;
}

/* Moves bodies to the ranks of their places; returns how many left this rank. */
static size_t migrate(world *w)
{
    size_t *stay = (size_t *)room(NULL, w->count, sizeof *stay), *leave = (size_t *)room(NULL, w->count, sizeof *leave);
    int *to = (int *)room(NULL, w->count, sizeof *to);
    size_t staying = w->count, leaving = 0, arrivals;
    for (size_t i = 0; i < w->count; i++) stay[i] = i;
    for (size_t i = 0; i < staying;) {
        const int rank = rank_of_place(w, w->movers[stay[i]].place);
        if (rank == w->rank) {
            i++;
        } else {
            to[leaving] = rank, leave[leaving++] = stay[i];
            stay[i] = stay[--staying]; /* the last one fills the place, so that few bodies move in memory */
        }
    }
    double *records = pack(w, leave, leaving);
    good(qi_select_bodies(w->ensemble, stay, staying));
    for (size_t i = 0; i < staying; i++)
        if (stay[i] != i) w->movers[i] = w->movers[stay[i]];
    w->count = staying;
    records = exchange(w, records, to, leaving, &arrivals);
    add(w, records, arrivals);
    free(stay), free(leave), free(to);
    return leaving;
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

/* Rank r reads and writes the records of a block of bodies, which begins with body first_of_block(w, r). */
static int64_t first_of_block(const world *w, int64_t rank) { return rank * w->bodies / w->ranks; }
static int rank_of_block(const world *w, int64_t id) { return (int)(((id + 1) * w->ranks - 1) / w->bodies); }

static MPI_Offset place_of_record(const world *w, int64_t id)
{
    return (MPI_Offset)sizeof(header) + (MPI_Offset)id * (MPI_Offset)(w->record * sizeof(double));
}

/* The checksums stand behind all records, two integers for each. */
static MPI_Offset place_of_check(const world *w, int64_t id)
{
    return place_of_record(w, w->bodies) + (MPI_Offset)id * (MPI_Offset)(2 * sizeof(int64_t));
}

/* The file of all bodies, under a name at which nobody looks. Records go to the rank that writes their block, and there into the
 * order of their ids: then each rank writes one piece. */
static void write_new_file(const world *w, const char *name)
{
    header h = {{'Q', 'I', 'B', 'O', 'D', 'I', 'E', 'S'}, w->bodies, (int64_t)w->record, w->step, {0, 0}, {0, 0}};
    const int64_t first = first_of_block(w, w->rank);
    int *to = (int *)room(NULL, w->count, sizeof *to);
    size_t count;
    MPI_File file;
    good(qi_get_ensemble_clock(w->ensemble, h.clock));
    for (size_t i = 0; i < w->count; i++) to[i] = rank_of_block(w, (int64_t)w->movers[i].id);
    double *records = exchange(w, pack(w, NULL, w->count), to, w->count, &count);
    double *block = (double *)room(NULL, count, w->record * sizeof *block);
    for (size_t i = 0; i < count; i++) {
        const double *record = records + i * w->record;
        memcpy(block + (size_t)((int64_t)record[0] - first) * w->record, record, w->record * sizeof *record);
    }
    int64_t *checks = hash_records(w, block, count);
    if (w->rank == 0) hash_words(&h, HASHED, h.check);
    sum_hashes(w, checks, count, h.check);
    if (MPI_File_open(w->comm, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file) != MPI_SUCCESS
        || MPI_File_set_size(file, place_of_check(w, w->bodies)) != MPI_SUCCESS
        || MPI_File_write_at_all(file, 0, &h, w->rank == 0 ? sizeof h / 8 : 0, MPI_INT64_T, MPI_STATUS_IGNORE) != MPI_SUCCESS
        || MPI_File_write_at_all(file, place_of_record(w, first), block, (int)count, w->record_type, MPI_STATUS_IGNORE)
               != MPI_SUCCESS
        || MPI_File_write_at_all(file, place_of_check(w, first), checks, 2 * (int)count, MPI_INT64_T, MPI_STATUS_IGNORE)
               != MPI_SUCCESS
        || MPI_File_sync(file) != MPI_SUCCESS || MPI_File_close(&file) != MPI_SUCCESS)
        stop(name, "cannot be written");
    free(to), free(records), free(block), free(checks);
}

/* rename() puts the new file in the place of the old one at once: whoever opens the name gets the one or the other, whole. */
static void write_file(const world *w, const char *name)
{
    char *new_name = (char *)room(NULL, strlen(name) + 4, 1);
    strcat(strcpy(new_name, name), ".new");
    write_new_file(w, new_name);
    MPI_Barrier(w->comm); /* now each rank has its piece on the disk */
    if (w->rank == 0 && rename(new_name, name) != 0) stop(name, "cannot be replaced by the new file");
    free(new_name);
}

/* what is wrong with the header, which goes on to step `steps`; NULL: nothing */
static const char *fault_of_header(const world *w, const header *h, MPI_Offset size, int64_t steps)
{
    const double time = (double)h->step * DT, few = 1e-9 * (1 + time);
    if (memcmp(h->name, "QIBODIES", 8) != 0) return "is not a file of this program";
    if (h->record != (int64_t)w->record) return "has records of another size";
    if (h->bodies != w->bodies) return "has another number of bodies";
    if (size != place_of_check(w, w->bodies)) return "has not the length of a complete file";
    if (h->step < 0 || h->step > steps) return "is of a step that is negative, or beyond the last one asked for";
    if (!(fabs(h->clock[0] - time) <= few && fabs(h->clock[1]) <= few)) return "has a clock that does not fit its step";
    return NULL;
}

/* What is wrong with the record of body `id`; NULL: nothing. qi_set_ensemble_rows will check its row: orientation, inertia and so on.
 * A program that steps with these values must find wrong ones here: they are indices of ranks, and arguments of wrap(). */
static const char *fault_of_record(const world *w, int64_t id, const double *record, const int64_t *check)
{
    mover m;
    memcpy(&m, record, sizeof m);
    if (!(m.id == (double)id)) return "its id is not its place in the file";
    for (int c = 0; c < 3; c++)
        if (!(m.place[c] >= 0 && m.place[c] < 1)) return "its place is not in the box, 0 <= x < 1";
    for (int c = 0; c < 3; c++)
        if (!(fabs(m.velocity[c]) * DT <= 1)) return "its velocity is no number, or more than the box in a step";
    for (size_t c = 0; c < w->record; c++)
        if (isinf(record[c])) return "it has an infinite number"; /* NaN may be: no torque is kept yet */
    int64_t *hash = hash_records(w, record, 1);
    const int same = memcmp(hash, check, 2 * sizeof *hash) == 0;
    free(hash);
    return same ? NULL : "its checksum is not that of its contents";
}

/* Each rank reads a block, and its records go to the ranks of their places. The rows come after the clock and the method: these
 * make a splitting method forget its last torque, which the rows bring back. */
static void read_file(world *w, const char *name, int64_t steps)
{
    header h;
    MPI_File file;
    MPI_Offset size = 0;
    const int64_t first = first_of_block(w, w->rank), end = first_of_block(w, w->rank + 1);
    const size_t count = (size_t)(end - first);
    double *records = (double *)room(NULL, count, w->record * sizeof *records);
    int64_t *checks = (int64_t *)room(NULL, count, 2 * sizeof *checks), sum[2] = {0, 0};
    int *to = (int *)room(NULL, count, sizeof *to);
    size_t arrivals;
    memset(&h, 0, sizeof h);
    if (MPI_File_open(w->comm, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file) != MPI_SUCCESS
        || MPI_File_get_size(file, &size) != MPI_SUCCESS)
        stop(name, "cannot be opened");
    if (size >= (MPI_Offset)sizeof h
        && MPI_File_read_at_all(file, 0, &h, sizeof h / 8, MPI_INT64_T, MPI_STATUS_IGNORE) != MPI_SUCCESS)
        stop(name, "cannot be read");
    const char *fault = fault_of_header(w, &h, size, steps);
    if (fault != NULL) stop(name, fault);
    if (MPI_File_read_at_all(file, place_of_record(w, first), records, (int)count, w->record_type, MPI_STATUS_IGNORE) != MPI_SUCCESS
        || MPI_File_read_at_all(file, place_of_check(w, first), checks, 2 * (int)count, MPI_INT64_T, MPI_STATUS_IGNORE)
               != MPI_SUCCESS
        || MPI_File_close(&file) != MPI_SUCCESS)
        stop(name, "cannot be read");
    for (size_t i = 0; i < count; i++) {
        fault = fault_of_record(w, first + (int64_t)i, records + i * w->record, checks + 2*i);
        if (fault != NULL) stop_at_record(name, first + (int64_t)i, fault);
        to[i] = rank_of_place(w, records + i * w->record + 1);
    }
    if (w->rank == 0) hash_words(&h, HASHED, sum);
    sum_hashes(w, checks, count, sum);
    if (memcmp(sum, h.check, sizeof sum) != 0)
        stop(name, "has a wrong checksum: the header is damaged, or some records are of another file");
    w->step = h.step;
    good(qi_set_ensemble_clock(w->ensemble, h.clock));
    records = exchange(w, records, to, count, &arrivals);
    add(w, records, arrivals);
    free(to), free(checks);
}

/* --- initial values ----------------------------------------------------------------------------------------------- */

static double draw(int64_t *state)
{
    *state = 48271 * *state % 2147483647; /* Park and Miller: the products stay below 2^63 */
    return (double)*state / 2147483648.0;
}

/* Every rank draws all bodies and keeps those that live on it. */
static void make_bodies(world *w)
{
    double *inertia = NULL, *q = NULL, *omega = NULL;
    for (int64_t id = 0; id < w->bodies; id++) {
        int64_t state = 1 + (id * 69621 + 2013) % 2147483646;
        mover m = {(double)id, {0, 0, 0}, {0, 0, 0}};
        double turn[3], spin[3], u[3];
        for (int c = 0; c < 3; c++) m.place[c] = draw(&state);
        for (int c = 0; c < 3; c++) m.velocity[c] = (draw(&state) - 0.5) * 0.8;
        for (int c = 0; c < 3; c++) turn[c] = (draw(&state) - 0.5) * 6;
        for (int c = 0; c < 3; c++) spin[c] = (draw(&state) - 0.5) * 2;
        for (int c = 0; c < 3; c++) u[c] = draw(&state);
        if (rank_of_place(w, m.place) != w->rank) continue;

        const size_t i = w->count++;
        if ((i & (i + 1)) == 0) { /* 0, 1, 3, 7, ...: room for twice as many */
            w->movers = (mover *)room(w->movers, 2*i + 1, sizeof *w->movers);
            inertia = (double *)room(inertia, 2*i + 1, 9 * sizeof *inertia);
            q = (double *)room(q, 2*i + 1, 4 * sizeof *q);
            omega = (double *)room(omega, 2*i + 1, 3 * sizeof *omega);
        }
        const double off = id % 3 == 0 ? 0.25 : 0; /* every third has a full tensor */
        const double xy = off * u[1], xz = off * u[2], yz = off * u[0];
        const double tensor[9] = {1 + u[0], xy, xz, xy, 1 + u[1], yz, xz, yz, 1 + u[2]};
        w->movers[i] = m;
        memcpy(inertia + 9*i, tensor, sizeof tensor);
        memcpy(omega + 3*i, spin, sizeof spin);
        good(qi_orientation_from_rotation_vector(turn, q + 4*i));
    }
    good(qi_resize_ensemble(w->ensemble, w->count)); /* a rank without bodies passes counts of 0 and NULL */
    good(qi_set_inertias(w->ensemble, inertia, 9));
    good(qi_set_orientations(w->ensemble, q, 4, 1));
    good(qi_set_angular_velocities(w->ensemble, omega, 3, 1));
    free(inertia), free(q), free(omega);
}

/* --- totals, and a hash of all bits ------------------------------------------------------------------------------- */

/* Exact sums are arrays of integers; their sums over the ranks are exact as well. */
static void print_totals(const world *w)
{
    int64_t sums[4][QI_SUM_SIZE];
    double total[4], time;
    good(qi_get_kinetic_energy_sums(w->ensemble, sums[0]));
    good(qi_get_angular_momentum_sums(w->ensemble, sums[1]));
    MPI_Allreduce(MPI_IN_PLACE, sums, 4 * QI_SUM_SIZE, MPI_INT64_T, MPI_SUM, w->comm);
    for (int i = 0; i < 4; i++) good(qi_get_sum(sums[i], &total[i]));
    good(qi_get_ensemble_time(w->ensemble, &time));
    if (w->rank != 0) return;
    printf("bodies %ld, step %ld, time %23.16E\n", (long)w->bodies, (long)w->step, time);
    printf("energy %23.16E\nangular momentum %23.16E %23.16E %23.16E\n", total[0], total[1], total[2], total[3]);
}

static void print_hash(const world *w)
{
    int64_t sum[2] = {0, 0}, *hashes;
    double *records = pack(w, NULL, w->count);
    sum_hashes(w, hashes = hash_records(w, records, w->count), w->count, sum);
    if (w->rank == 0) printf("hash %08lx%08lx\n", (unsigned long)sum[0], (unsigned long)sum[1]);
    free(records), free(hashes);
}

/* --- the program -------------------------------------------------------------------------------------------------- */

/* The size of a row depends on the torque and the method, not on the bodies. */
static void set_record(world *w)
{
    w->row = qi_get_ensemble_row_size(w->ensemble, ALL_PARTS);
    w->record = MOVER + w->row;
    MPI_Type_contiguous((int)w->record, MPI_DOUBLE, &w->record_type);
    MPI_Type_commit(&w->record_type);
}

static void open_world(world *w, MPI_Comm comm, int64_t bodies)
{
    memset(w, 0, sizeof *w);
    w->comm = comm;
    w->bodies = bodies;
    MPI_Comm_rank(comm, &w->rank);
    MPI_Comm_size(comm, &w->ranks);
    w->ensemble = qi_create_ensemble(0, NULL);
    if (w->ensemble == NULL) stop("quatint", qi_last_error());
    good(qi_set_ensemble_method(w->ensemble, QI_METHOD_SPLITTING));
    good(qi_set_ensemble_torque(w->ensemble, torques, QI_LAYOUT_AOS, QI_FRAME_WORLD, w));
    set_record(w);
}

static void close_world(world *w)
{
    qi_destroy_ensemble(w->ensemble);
    free(w->movers);
    MPI_Type_free(&w->record_type);
}

int main(int argc, char **argv)
{
    const int64_t bodies = argc > 1 ? atol(argv[1]) : 1000, steps = argc > 2 ? atol(argv[2]) : 100;
    const char *to_write = argc > 3 && strcmp(argv[3], "-") != 0 ? argv[3] : NULL;
    const char *to_read = argc > 4 && strcmp(argv[4], "-") != 0 ? argv[4] : NULL;
    int64_t changes = 0;
    world w;
    MPI_Init(&argc, &argv);
    if (bodies < 0) stop("BODIES", "is negative");
    open_world(&w, MPI_COMM_WORLD, bodies);
    if (to_read != NULL) read_file(&w, to_read, steps);
    else make_bodies(&w);

    while (w.step < steps) {
        take_step(&w);
        if (w.step % EVERY == 0) changes += (int64_t)migrate(&w);
    }

    if (to_write != NULL) write_file(&w, to_write);
    MPI_Allreduce(MPI_IN_PLACE, &changes, 1, MPI_INT64_T, MPI_SUM, w.comm);
    if (w.rank == 0) printf("ranks %d, changes of rank %ld\n", w.ranks, (long)changes);
    print_totals(&w);
    print_hash(&w);
    close_world(&w);
    MPI_Finalize();
    return 0;
}
