/* clumps.c: rigid clumps in an elastic box, a DEM code with velocity Verlet. What the energy does, and what the rotation costs.
 *
 *     clumps            energies after t = 20, then times and their ratios: medians of interleaved runs to t = 5; then what
 *                       positions, velocities and sums of forces of points cost, beside loops in C
 *     clumps TIME       the energies by kick and drift alone, after this time
 *
 * Exit status 0: by kick and drift, the energy stays within 1e-4 of the first one, relative.
 *
 * 64 clumps of three spheres in a box with elastic walls. The spheres have radius 1 and mass 4, the clumps move by about two radii
 * a second. Contacts push along their normals with the force KN * overlap. No friction, no damping: the energy should not change.
 * The program moves the centres, finds the pairs from a list of neighbours and computes the forces of the contacts once a step;
 * quatint places the spheres and sums the forces on them. The clumps are rotated in one of these ways:
 *
 *   Richardson, as in LAMMPS    angular momenta += dt * torque; then the orientation: see richardson.h
 *   Richardson, scalars         the same, written for speed
 *   kick and drift              quatint kicks and rotates freely: qi_kick_drift_ensemble on the program's arrays
 *   own kick, drift             the program kicks its angular momenta itself; qi_drift_ensemble
 *   torque held                 the torque of the start acts during the whole step: PCDM with a constant torque
 *
 * The second half kick of a step and the first of the next have the same torque. So a step takes one kick of dt, and one pass over
 * the bodies. Only where the energy is computed, the kick is taken in halves. All ways do so; they differ in one function.
 */
#include "measure.h"
#include "richardson.h"
#include <math.h>
#include <quatint.h>
#include <string.h>

enum { SIDE = 4, COUNT = SIDE * SIDE * SIDE, SPHERES = 3, MOST_PAIRS = COUNT * (COUNT - 1) / 2, ROUNDS = 61 };
enum { EACH = 200 }; /* steps from one value of the energy to the next */
static const double KN = 1e4, DT = 5e-4, RADIUS = 1, BOX = 20, SKIN = 1;
static const double PLACES[SPHERES][3] = {{0, 0.6, 0}, {1.2, -0.3, 0}, {-1.2, -0.3, 0}}; /* body frame, principal axes */
static const double MASS = 12, MOMENTS[3] = {6.96, 16.32, 18.48};

typedef struct {
    double x[COUNT][3], v[COUNT][3], force[COUNT][3];          /* all in the world frame */
    double q[COUNT][4], momentum[COUNT][3], torque[COUNT][3];
    double place[COUNT][SPHERES][3], push[COUNT][SPHERES][3];  /* of the spheres: the centre, the force */
    double listed_at[COUNT][3];                                /* the centres when the list was made */
    short pairs[MOST_PAIRS][2];
    int pair_count;
    double reach;                                              /* greatest distance of a point of a clump from its centre */
    qi_ensemble *ensemble;                                     /* bound to q and momentum */
} clumps;

typedef void (*rotation)(clumps *c, double kick, double drift);

static void good(qi_status status)
{
    if (status != QI_OK) fprintf(stderr, "%s\n", qi_last_error()), exit(1);
}

static void by_kick_and_drift(clumps *c, double kick, double drift)
{
    good(qi_kick_drift_ensemble(c->ensemble, kick, drift, c->torque[0], 3, 1, QI_FRAME_WORLD));
}

static void kick_momenta(clumps *c, double kick)
{
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < 3; k++) c->momentum[i][k] += kick * c->torque[i][k];
}

static void by_own_kick_and_drift(clumps *c, double kick, double drift)
{
    kick_momenta(c, kick);
    good(qi_drift_ensemble(c->ensemble, drift));
}

static void by_held_torque(clumps *c, double kick, double drift)
{
    (void)kick;
    if (drift == 0) return; /* the angular momenta are those of the end of the step already */
    good(qi_set_ensemble_constant_torque(c->ensemble, c->torque[0], 3, QI_FRAME_WORLD));
    good(qi_step_ensemble(c->ensemble, drift));
}

static void by_richardson(clumps *c, double kick, double drift)
{
    kick_momenta(c, kick);
    if (drift == 0) return;
    for (int i = 0; i < COUNT; i++) richardson(c->q[i], c->momentum[i], MOMENTS, drift);
}

static void by_richardson_of_scalars(clumps *c, double kick, double drift)
{
    kick_momenta(c, kick);
    if (drift == 0) return;
    for (int i = 0; i < COUNT; i++) richardson_of_scalars(c->q[i], c->momentum[i], MOMENTS, drift);
}

/* the pairs of clumps that may touch before one of them has moved by half of SKIN */
static void list_pairs(clumps *c)
{
    const double range = 2*c->reach + SKIN;
    c->pair_count = 0;
    for (short i = 0; i < COUNT; i++)
        for (short j = 0; j < i; j++) {
            const double dx = c->x[i][0] - c->x[j][0], dy = c->x[i][1] - c->x[j][1], dz = c->x[i][2] - c->x[j][2];
            if (dx*dx + dy*dy + dz*dz >= range*range) continue;
            short *pair = c->pairs[c->pair_count++];
            pair[0] = i, pair[1] = j;
        }
    memcpy(c->listed_at, c->x, sizeof c->x);
}

static int has_left_the_list(const clumps *c)
{
    double greatest = 0;
    for (int i = 0; i < COUNT; i++) {
        const double *x = c->x[i], *was = c->listed_at[i], dx = x[0] - was[0], dy = x[1] - was[1], dz = x[2] - was[2];
        const double moved = dx*dx + dy*dy + dz*dz;
        greatest = moved > greatest ? moved : greatest;
    }
    return greatest > 0.25*SKIN*SKIN;
}

static double touch_clump(clumps *c, int i, int j)
{
    double energy = 0;
    for (int a = 0; a < SPHERES; a++)
        for (int b = 0; b < SPHERES; b++) {
            const double *s = c->place[i][a], *t = c->place[j][b];
            const double dx = s[0] - t[0], dy = s[1] - t[1], dz = s[2] - t[2], square = dx*dx + dy*dy + dz*dz;
            if (square >= 4*RADIUS*RADIUS) continue;
            const double distance = sqrt(square), overlap = 2*RADIUS - distance, scale = KN*overlap / distance;
            const double f[3] = {scale*dx, scale*dy, scale*dz};
            for (int k = 0; k < 3; k++) c->push[i][a][k] += f[k], c->push[j][b][k] -= f[k];
            energy += 0.5*KN*overlap*overlap;
        }
    return energy;
}

static double touch_walls(clumps *c, int i)
{
    double energy = 0;
    for (int k = 0; k < 3; k++) {
        if (c->x[i][k] > c->reach && c->x[i][k] < BOX - c->reach) continue;
        for (int a = 0; a < SPHERES; a++) {
            const double at = c->place[i][a][k];
            const double overlap = at < RADIUS ? RADIUS - at : at > BOX - RADIUS ? BOX - RADIUS - at : 0; /* far wall: below 0 */
            c->push[i][a][k] += KN*overlap;
            energy += 0.5*KN*overlap*overlap;
        }
    }
    return energy;
}

/* forces and torques where the clumps are now; returns the elastic energy */
static double compute(clumps *c)
{
    double energy = 0;
    if (has_left_the_list(c)) list_pairs(c);
    good(qi_get_point_positions(c->ensemble, c->x[0], 3, 1, c->place[0][0], 3, 1));
    memset(c->push, 0, sizeof c->push);
    for (int p = 0; p < c->pair_count; p++) {
        const int i = c->pairs[p][0], j = c->pairs[p][1];
        const double dx = c->x[i][0] - c->x[j][0], dy = c->x[i][1] - c->x[j][1], dz = c->x[i][2] - c->x[j][2];
        if (dx*dx + dy*dy + dz*dz < 4*c->reach*c->reach) energy += touch_clump(c, i, j);
    }
    for (int i = 0; i < COUNT; i++) energy += touch_walls(c, i);
    good(qi_sum_point_forces(c->ensemble, c->push[0][0], 3, 1, c->force[0], 3, 1, c->torque[0], 3, 1));
    return energy;
}

static double kinetic_energy(const clumps *c)
{
    double sum = 0, omega[3];
    for (int i = 0; i < COUNT; i++) {
        omega_of(c->q[i], c->momentum[i], MOMENTS, omega);
        for (int k = 0; k < 3; k++) sum += 0.5*MASS*c->v[i][k]*c->v[i][k] + 0.5*c->momentum[i][k]*omega[k];
    }
    return sum;
}

/* uniform in (-1, 1), the same on every machine */
static double random_number(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

/* three spheres for each body */
static void give_spheres(qi_ensemble *ensemble, size_t count)
{
    size_t *bodies = malloc(SPHERES*count * sizeof *bodies);
    double *arms = malloc(3*SPHERES*count * sizeof *arms);
    if (bodies == NULL || arms == NULL) good(QI_ERR_MEMORY);
    for (size_t p = 0; p < SPHERES*count; p++) {
        bodies[p] = p / SPHERES;
        memcpy(arms + 3*p, PLACES[p % SPHERES], sizeof PLACES[0]);
    }
    good(qi_set_points(ensemble, SPHERES*count, bodies, arms, 3, 1));
    free(bodies), free(arms);
}

/* clumps on a grid, too far apart to touch, with random orientations and velocities */
static void start(clumps *c)
{
    uint64_t random = 20;
    c->reach = sqrt(1.2*1.2 + 0.3*0.3) + RADIUS;
    for (int i = 0; i < COUNT; i++) {
        const int cell[3] = {i % SIDE, i / SIDE % SIDE, i / (SIDE*SIDE)};
        double axis[3], body[3];
        for (int k = 0; k < 3; k++) {
            c->x[i][k] = BOX / SIDE * (cell[k] + 0.5);
            c->v[i][k] = 2*random_number(&random); /* 2 radii a second */
            axis[k] = random_number(&random);
            body[k] = 1.5*MOMENTS[k]*random_number(&random);
        }
        good(qi_orientation_from_axis_angle(axis, 3*random_number(&random), c->q[i]));
        good(qi_rotate(c->q[i], body, c->momentum[i]));
    }
    const double inertia[9] = {MOMENTS[0], 0, 0, 0, MOMENTS[1], 0, 0, 0, MOMENTS[2]};
    if ((c->ensemble = qi_create_ensemble(COUNT, NULL)) == NULL) good(QI_ERR_MEMORY);
    good(qi_set_inertias(c->ensemble, inertia, 0));
    good(qi_bind_orientations(c->ensemble, c->q[0], 4, 1, QI_SCALAR_FIRST));
    good(qi_bind_angular_velocities(c->ensemble, c->momentum[0], 3, 1, QI_ANGMOM_WORLD));
    give_spheres(c->ensemble, COUNT);
    list_pairs(c);
}

typedef struct {
    double end, greatest; /* change of the energy, relative: at the end, and the greatest */
    double time;          /* ns a step */
} result;

enum { WHOLE, ROTATION, PARTS }; /* what is timed: the clock around each rotation is left out of the whole program */

static void kick_centres(clumps *c, double kick)
{
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < 3; k++) c->v[i][k] += kick/MASS * c->force[i][k];
}

static result run(rotation rotate, double time, int part)
{
    static clumps c;
    const int steps = (int)lround(time / DT);
    result r = {0, 0, 0};
    start(&c);
    const double first = compute(&c) + kinetic_energy(&c), began = measure_now();
    double kick = 0.5*DT; /* due at the start of the next step */
    for (int step = 1; step <= steps; step++) {
        kick_centres(&c, kick);
        for (int i = 0; i < COUNT; i++)
            for (int k = 0; k < 3; k++) c.x[i][k] += DT * c.v[i][k];
        if (part == ROTATION) r.time -= measure_now();
        rotate(&c, kick, DT);
        if (part == ROTATION) r.time += measure_now();
        const double elastic = compute(&c);
        kick = DT;
        if (step % EACH != 0 && step != steps) continue;
        kick_centres(&c, 0.5*DT), rotate(&c, 0.5*DT, 0);
        kick = 0.5*DT;
        r.end = (elastic + kinetic_energy(&c)) / first - 1;
        r.greatest = fmax(r.greatest, fabs(r.end));
    }
    if (part == WHOLE) r.time = measure_now() - began;
    r.time /= steps;
    qi_destroy_ensemble(c.ensemble);
    return r;
}

static const struct {
    const char *name;
    rotation rotate;
    int is_of_quatint;
} WAYS[] = {{"Richardson, as in LAMMPS", by_richardson, 0}, {"Richardson, scalars", by_richardson_of_scalars, 0},
            {"kick and drift", by_kick_and_drift, 1}, {"own kick, drift", by_own_kick_and_drift, 1},
            {"torque held", by_held_torque, 0}};
enum { WAY_COUNT = sizeof WAYS / sizeof *WAYS };

enum { MANY = 4096 }; /* clumps: all arrays together are 2.5 MB */

typedef struct {
    double x[MANY][3], v[MANY][3], q[MANY][4], omega[MANY][3], force[MANY][3], torque[MANY][3];
    double place[MANY*SPHERES][3], speed[MANY*SPHERES][3], push[MANY*SPHERES][3];
    double arm[MANY*SPHERES][3]; /* body frame */
    int body[MANY*SPHERES];      /* of each sphere */
    qi_ensemble *ensemble;       /* bound to q and omega */
} many;

/* the arm of a sphere, world frame */
static inline void turn(double m[3][3], const double *arm, double *to)
{
    for (int k = 0; k < 3; k++) to[k] = m[k][0]*arm[0] + m[k][1]*arm[1] + m[k][2]*arm[2];
}

/* The loops are for any number of spheres on a body, as those of quatint are: a body's matrix is computed at its first sphere. */
static inline void follow(const many *c, int p, double m[3][3])
{
    if (p == 0 || c->body[p] != c->body[p - 1]) matrix_of(c->q[c->body[p]], m);
}

static void cross(const double *a, const double *b, double *to)
{
    to[0] = a[1]*b[2] - a[2]*b[1], to[1] = a[2]*b[0] - a[0]*b[2], to[2] = a[0]*b[1] - a[1]*b[0];
}

static void place_by_hand(void *context)
{
    many *c = context;
    double m[3][3] = {{0}}, arm[3];
    for (int p = 0; p < MANY*SPHERES; p++) {
        follow(c, p, m), turn(m, c->arm[p], arm);
        for (int k = 0; k < 3; k++) c->place[p][k] = c->x[c->body[p]][k] + arm[k];
    }
}

static void move_by_hand(void *context)
{
    many *c = context;
    double m[3][3] = {{0}}, arm[3], turned[3];
    for (int p = 0; p < MANY*SPHERES; p++) {
        follow(c, p, m), turn(m, c->arm[p], arm), cross(c->omega[c->body[p]], arm, turned);
        for (int k = 0; k < 3; k++) c->speed[p][k] = c->v[c->body[p]][k] + turned[k];
    }
}

static void sum_by_hand(void *context)
{
    many *c = context;
    double m[3][3] = {{0}}, arm[3], moment[3];
    memset(c->force, 0, sizeof c->force), memset(c->torque, 0, sizeof c->torque);
    for (int p = 0; p < MANY*SPHERES; p++) {
        follow(c, p, m), turn(m, c->arm[p], arm), cross(arm, c->push[p], moment);
        for (int k = 0; k < 3; k++) c->force[c->body[p]][k] += c->push[p][k], c->torque[c->body[p]][k] += moment[k];
    }
}

static void place_by_quatint(void *context)
{
    many *c = context;
    good(qi_get_point_positions(c->ensemble, c->x[0], 3, 1, c->place[0], 3, 1));
}

static void move_by_quatint(void *context)
{
    many *c = context;
    good(qi_get_point_velocities(c->ensemble, 0, c->v[0], 3, 1, c->speed[0], 3, 1));
}

static void sum_by_quatint(void *context)
{
    many *c = context;
    good(qi_sum_point_forces(c->ensemble, c->push[0], 3, 1, c->force[0], 3, 1, c->torque[0], 3, 1));
}

static void all_by_hand(void *context)
{
    place_by_hand(context), move_by_hand(context), sum_by_hand(context);
}

static void all_by_quatint(void *context)
{
    place_by_quatint(context), move_by_quatint(context), sum_by_quatint(context);
}

/* ns a point, on one thread */
static void measure_points(void)
{
    static many c;
    uint64_t random = 7;
    for (int i = 0; i < MANY; i++) {
        double axis[3];
        for (int k = 0; k < 3; k++) {
            axis[k] = random_number(&random), c.x[i][k] = random_number(&random), c.v[i][k] = random_number(&random);
            c.omega[i][k] = random_number(&random);
        }
        for (int p = SPHERES*i; p < SPHERES*(i + 1); p++) {
            c.body[p] = i;
            for (int k = 0; k < 3; k++) c.arm[p][k] = PLACES[p % SPHERES][k], c.push[p][k] = random_number(&random);
        }
        good(qi_orientation_from_axis_angle(axis, 3*random_number(&random), c.q[i]));
    }
    if ((c.ensemble = qi_create_ensemble(MANY, NULL)) == NULL) good(QI_ERR_MEMORY);
    good(qi_bind_orientations(c.ensemble, c.q[0], 4, 1, QI_SCALAR_FIRST));
    good(qi_bind_angular_velocities(c.ensemble, c.omega[0], 3, 1, QI_OMEGA_WORLD));
    give_spheres(c.ensemble, MANY);
    const double points = SPHERES*MANY;
    static const struct { const char *title; void (*by_hand)(void *), (*by_quatint)(void *); } ROWS[] = {
        {"positions of points, each", place_by_hand, place_by_quatint},
        {"velocities of points, each", move_by_hand, move_by_quatint},
        {"sums of forces on points, each", sum_by_hand, sum_by_quatint},
        {"all three, each point", all_by_hand, all_by_quatint}};
    for (size_t row = 0; row < sizeof ROWS / sizeof *ROWS; row++) {
        const contender contenders[] = {{"loops in C", ROWS[row].by_hand, &c, points}, {"quatint", ROWS[row].by_quatint, &c, points}};
        measure(ROWS[row].title, contenders, 2);
    }
    qi_destroy_ensemble(c.ensemble);
}

int main(int count, char **arguments)
{
    const double time = count > 1 ? atof(arguments[1]) : 20;
    double greatest = 0;
    printf("energy after t = %-26g %12s %12s\n", time, "at the end", "greatest");
    for (int w = 0; w < WAY_COUNT; w++) {
        if (count > 1 && !WAYS[w].is_of_quatint) continue;
        const result r = run(WAYS[w].rotate, time, WHOLE);
        printf("  %-40s %+12.1e %12.1e\n", WAYS[w].name, r.end, r.greatest);
        if (WAYS[w].is_of_quatint) greatest = fmax(greatest, r.greatest);
    }
    if (count > 1) return greatest < 1e-4 ? 0 : 1;

    static double times[PARTS][WAY_COUNT][ROUNDS];
    for (int round = 0; round < ROUNDS; round++)
        for (int part = 0; part < PARTS; part++)
            for (int w = 0; w < WAY_COUNT; w++) times[part][w][round] = run(WAYS[w].rotate, 5, part).time;
    for (int part = 0; part < PARTS; part++) {
        const char *title = part == WHOLE ? "the whole program" : "the rotation alone";
        printf("\n%-42s %12s %12s %12s\n", title, "us a step", "of first", "of second");
        for (int w = 0; w < WAY_COUNT; w++) {
            printf("  %-40s", WAYS[w].name);
            double sorted[3][ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                const double t = times[part][w][round];
                sorted[0][round] = 1e-3*t;
                for (int k = 0; k < 2; k++) sorted[1 + k][round] = t / times[part][k][round];
            }
            printf(" %12.2f %11.2fx %11.2fx\n", measure_median(sorted[0], ROUNDS), measure_median(sorted[1], ROUNDS),
                   measure_median(sorted[2], ROUNDS));
        }
    }
    measure_points();
    return greatest < 1e-4 ? 0 : 1;
}
