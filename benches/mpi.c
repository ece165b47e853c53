/* mpi.c: what migration between ranks costs, and how the example scales. Medians of interleaved rounds; see measure.h.
 *
 *     mpirun -n 2 mpi [BODIES [BODIES_OF_SCALING]]      200000 and 20000 bodies
 *
 * 1. All bodies turn in a uniform field, a ready-made torque with a vector for each; their inertias are full tensors. Every ten
 *    steps a fifth of them draw a new rank, which may be their own. "By rows" is migrate() of c_examples/mpi_bodies.c itself. "Made
 *    anew" is what programs had to do before there were rows: get all states, destroy the ensemble, exchange, create another and
 *    set everything.
 * 2. c_examples/mpi_bodies.c with its callback: on one rank, while the others sleep, on all ranks, and on all ranks with a share of
 *    the bodies for each and no exchange. The last is the most that the machine gives: its cores share caches, memory and power.
 *
 * Exit status 0: the ways agree; migration by rows and the number of ranks change no bit of the totals.
 */
#define _POSIX_C_SOURCE 199309L
#define main main_of_the_example
#include "../c_examples/mpi_bodies.c"
#undef main
#include "measure.h"

enum { STEPS = 10, SCALING_STEPS = 200 };

/* what a program keeps of each body to make an ensemble anew */
typedef struct { mover mover; double vector[3], inertia[9], q[4], omega[3]; } kept;

typedef struct {
    world w;
    kept *kept;                 /* only where the ensemble is made anew */
    int64_t round;
} population;

static const double FIELD[3] = {0, 0, -1};

static void vector_of(double id, double *vector)
{
    int64_t state = 1 + ((int64_t)id * 69621 + 1905) % 2147483646;
    for (int c = 0; c < 3; c++) vector[c] = draw(&state) - 0.5;
}

/* full tensors: no axis of a body is a principal one */
static void inertia_of(double id, double *inertia)
{
    int64_t state = 1 + ((int64_t)id * 69621 + 1913) % 2147483646;
    double u[3];
    for (int c = 0; c < 3; c++) u[c] = draw(&state);
    const double xy = 0.25 * u[1], xz = 0.25 * u[2], yz = 0.25 * u[0];
    const double tensor[9] = {1 + u[0], xy, xz, xy, 1 + u[1], yz, xz, yz, 1 + u[2]};
    memcpy(inertia, tensor, sizeof tensor);
}

static void open_population(population *p, int64_t bodies)
{
    open_world(&p->w, MPI_COMM_WORLD, bodies);
    make_bodies(&p->w);
    p->kept = (kept *)room(NULL, p->w.count, sizeof *p->kept);
    p->round = 0;
    for (size_t i = 0; i < p->w.count; i++) {
        p->kept[i].mover = p->w.movers[i];
        vector_of(p->kept[i].mover.id, p->kept[i].vector);
        inertia_of(p->kept[i].mover.id, p->kept[i].inertia);
    }
    good(qi_set_inertias(p->w.ensemble, p->kept[0].inertia, sizeof *p->kept / 8));
    good(qi_set_ensemble_uniform_field_torque(p->w.ensemble, p->kept[0].vector, sizeof *p->kept / 8, FIELD));
    MPI_Type_free(&p->w.record_type);
    set_record(&p->w);
}

static void close_population(population *p)
{
    close_world(&p->w);
    free(p->kept);
}

static void take_steps(population *p)
{
    for (int step = 0; step < STEPS; step++) good(qi_step_ensemble(p->w.ensemble, DT));
    p->round++;
}

/* A fifth of the bodies draw a rank; its middle becomes their place. */
static void draw_rank(const population *p, mover *m)
{
    int64_t state = 1 + ((int64_t)m->id * 69621 + p->round * 630360016) % 2147483646;
    state = state * state % 2147483647; /* draws of other rounds would be shifted copies of each other */
    if (draw(&state) < 0.2) m->place[0] = ((int)(draw(&state) * p->w.ranks) + 0.5) / p->w.ranks;
}

static void without_migration(void *context)
{
    take_steps((population *)context);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void by_rows(void *context)
{
    population *p = (population *)context;
    take_steps(p);
    for (size_t i = 0; i < p->w.count; i++) draw_rank(p, &p->w.movers[i]);
    migrate(&p->w);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void made_anew(void *context)
{
    population *p = (population *)context;
    world *w = &p->w;
    const ptrdiff_t stride = sizeof *p->kept / sizeof(double);
    double clock;
    take_steps(p);
    good(qi_get_ensemble_time(w->ensemble, &clock));
    good(qi_get_orientations(w->ensemble, p->kept[0].q, stride, 1));
    good(qi_get_angular_velocities(w->ensemble, p->kept[0].omega, stride, 1));
    qi_destroy_ensemble(w->ensemble);

    /* those that stay move together, the others into `leave` */
    double *leave = (double *)room(NULL, w->count, sizeof *p->kept);
    int *to = (int *)room(NULL, w->count, sizeof *to);
    size_t staying = 0, leaving = 0, arrivals;
    for (size_t i = 0; i < w->count; i++) {
        draw_rank(p, &p->kept[i].mover);
        const int rank = rank_of_place(w, p->kept[i].mover.place);
        if (rank == w->rank) p->kept[staying++] = p->kept[i];
        else to[leaving] = rank, memcpy(leave + (size_t)stride * leaving++, &p->kept[i], sizeof *p->kept);
    }
    double *records = exchange(w, leave, to, leaving, &arrivals);
    w->count = staying + arrivals;
    p->kept = (kept *)room(p->kept, w->count, sizeof *p->kept);
    memcpy(p->kept + staying, records, arrivals * sizeof *p->kept);
    free(records), free(to);

    w->ensemble = qi_create_ensemble(w->count, NULL);
    if (w->ensemble == NULL) stop("quatint", qi_last_error());
    good(qi_set_ensemble_method(w->ensemble, QI_METHOD_SPLITTING));
    good(qi_set_ensemble_time(w->ensemble, clock));
    good(qi_set_inertias(w->ensemble, p->kept[0].inertia, stride));
    good(qi_set_orientations(w->ensemble, p->kept[0].q, stride, 1));
    good(qi_set_angular_velocities(w->ensemble, p->kept[0].omega, stride, 1));
    good(qi_set_ensemble_uniform_field_torque(w->ensemble, p->kept[0].vector, stride, FIELD));
    MPI_Barrier(MPI_COMM_WORLD);
}

/* the angular momentum of all ranks */
static void total_momentum(const world *w, double *total)
{
    int64_t sums[3][QI_SUM_SIZE];
    good(qi_get_angular_momentum_sums(w->ensemble, sums[0]));
    MPI_Allreduce(MPI_IN_PLACE, sums, 3 * QI_SUM_SIZE, MPI_INT64_T, MPI_SUM, w->comm);
    for (int c = 0; c < 3; c++) good(qi_get_sum(sums[c], &total[c]));
}

static void measure_migration(int64_t bodies)
{
    static population p[3];
    double total[3][3];
    for (int k = 0; k < 3; k++) open_population(&p[k], bodies);
    MPI_Type_free(&p[2].w.record_type);
    p[2].w.record = sizeof(kept) / sizeof(double);
    MPI_Type_contiguous((int)p[2].w.record, MPI_DOUBLE, &p[2].w.record_type);
    MPI_Type_commit(&p[2].w.record_type);

    const double units = (double)bodies * STEPS;
    const contender contenders[] = {
        {"without migration", without_migration, &p[0], units},
        {"with migration by rows", by_rows, &p[1], units},
        {"with migration, made anew", made_anew, &p[2], units},
    };
    measure("a fifth of the bodies draw a new rank every 10 steps", contenders, 3);
    for (int k = 0; k < 3; k++) total_momentum(&p[k].w, total[k]);
    for (int c = 0; c < 3; c++) {
        if (total[1][c] != total[0][c]) stop("by rows", "migration has changed bits");
        if (!(fabs(total[2][c] - total[0][c]) < 1e-9 * (double)(bodies + 1))) stop("made anew", "another momentum");
    }
    for (int k = 0; k < 3; k++) close_population(&p[k]);
}

/* Waits for the other ranks without keeping a processor busy. */
static void sleep_until_all_are_here(void)
{
    const struct timespec nap = {0, 50000};
    MPI_Request request;
    int done = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); !done; MPI_Test(&request, &done, MPI_STATUS_IGNORE)) nanosleep(&nap, NULL);
}

/* The world of one rank is only there on rank 0. */
static void steps_of_the_example(void *context)
{
    world *w = (world *)context;
    for (int step = 0; w->ensemble != NULL && step < SCALING_STEPS; step++) {
        take_step(w);
        if (w->step % EVERY == 0) migrate(w);
    }
    sleep_until_all_are_here();
}

static void measure_scaling(int64_t bodies)
{
    static world alone, together, apart;
    double total[2][3];
    char name[32];
    open_world(&together, MPI_COMM_WORLD, bodies);
    make_bodies(&together);
    open_world(&apart, MPI_COMM_SELF, bodies / together.ranks);
    make_bodies(&apart);
    if (together.rank == 0) {
        open_world(&alone, MPI_COMM_SELF, bodies);
        make_bodies(&alone);
    }
    snprintf(name, sizeof name, "on %d ranks", together.ranks);
    const double units = (double)bodies * SCALING_STEPS;
    const contender contenders[] = {
        {"on 1 rank", steps_of_the_example, &alone, units},
        {name, steps_of_the_example, &together, units},
        {"on as many ranks, without any exchange", steps_of_the_example, &apart, units},
    };
    measure("the example, torques by a callback", contenders, 3);
    total_momentum(&together, total[1]);
    if (together.rank == 0) {
        total_momentum(&alone, total[0]);
        if (memcmp(total[0], total[1], sizeof total[0]) != 0) stop("scaling", "the number of ranks has changed bits");
        close_world(&alone);
    }
    close_world(&together);
    close_world(&apart);
}

int main(int argc, char **argv)
{
    const int64_t bodies = argc > 1 ? atol(argv[1]) : 200000, bodies_of_scaling = argc > 2 ? atol(argv[2]) : 20000;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0 && freopen("/dev/null", "w", stdout) == NULL) stop("stdout", "cannot be closed"); /* rank 0 measures for all */
    measure_migration(bodies);
    measure_scaling(bodies_of_scaling);
    MPI_Finalize();
    return 0;
}
