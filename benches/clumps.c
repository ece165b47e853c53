/* clumps.c: rigid clumps in an elastic box, a DEM code with velocity Verlet. What the energy does, and what the rotation costs.
 *
 *     clumps            energies after t = 20, then times and their ratios: medians of interleaved runs to t = 5
 *     clumps TIME       the energies by kick and drift alone, after this time
 *
 * Exit status 0: by kick and drift, the energy stays within 1e-4 of the first one, relative.
 *
 * 64 clumps of three spheres in a box with elastic walls. The spheres have radius 1 and mass 4, the clumps move by about two radii
 * a second. Contacts push along their normals with the force KN * overlap. No friction, no damping: the energy should not change.
 * The program moves the centres, finds the pairs from a list of neighbours and computes forces and torques once a step. It
 * rotates the clumps in one of these ways:
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
    double arm[COUNT][SPHERES][3];                             /* from the centre of a clump to its spheres */
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

/* a force on clump i, at the end of an arm */
static void push(clumps *c, int i, const double *arm, const double *f)
{
    for (int k = 0; k < 3; k++) c->force[i][k] += f[k];
    c->torque[i][0] += arm[1]*f[2] - arm[2]*f[1];
    c->torque[i][1] += arm[2]*f[0] - arm[0]*f[2];
    c->torque[i][2] += arm[0]*f[1] - arm[1]*f[0];
}

static double touch_clump(clumps *c, int i, int j)
{
    double energy = 0;
    for (int a = 0; a < SPHERES; a++)
        for (int b = 0; b < SPHERES; b++) {
            const double *s = c->arm[i][a], *t = c->arm[j][b];
            const double dx = c->x[i][0] - c->x[j][0] + s[0] - t[0], dy = c->x[i][1] - c->x[j][1] + s[1] - t[1];
            const double dz = c->x[i][2] - c->x[j][2] + s[2] - t[2], square = dx*dx + dy*dy + dz*dz;
            if (square >= 4*RADIUS*RADIUS) continue;
            const double distance = sqrt(square), overlap = 2*RADIUS - distance, scale = KN*overlap / distance;
            const double f[3] = {scale*dx, scale*dy, scale*dz}, opposite[3] = {-f[0], -f[1], -f[2]};
            push(c, i, s, f), push(c, j, t, opposite); /* at the centres: a force along the line between them has this torque */
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
            const double at = c->x[i][k] + c->arm[i][a][k];
            const double overlap = at < RADIUS ? RADIUS - at : at > BOX - RADIUS ? BOX - RADIUS - at : 0; /* far wall: below 0 */
            if (overlap == 0) continue;
            double f[3] = {0, 0, 0};
            f[k] = KN*overlap;
            push(c, i, c->arm[i][a], f);
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
    memset(c->force, 0, sizeof c->force), memset(c->torque, 0, sizeof c->torque);
    for (int i = 0; i < COUNT; i++) {
        double m[3][3];
        matrix_of(c->q[i], m);
        for (int a = 0; a < SPHERES; a++)
            for (int k = 0; k < 3; k++) c->arm[i][a][k] = m[k][0]*PLACES[a][0] + m[k][1]*PLACES[a][1] + m[k][2]*PLACES[a][2];
    }
    for (int p = 0; p < c->pair_count; p++) {
        const int i = c->pairs[p][0], j = c->pairs[p][1];
        const double dx = c->x[i][0] - c->x[j][0], dy = c->x[i][1] - c->x[j][1], dz = c->x[i][2] - c->x[j][2];
        if (dx*dx + dy*dy + dz*dz < 4*c->reach*c->reach) energy += touch_clump(c, i, j);
    }
    for (int i = 0; i < COUNT; i++) energy += touch_walls(c, i);
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
    return greatest < 1e-4 ? 0 : 1;
}
