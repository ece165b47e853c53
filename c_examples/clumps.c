/* clumps.c: 500 rigid clumps of three spheres in a box, by velocity Verlet.
 *
 *     clumps [seconds [picture.svg]]      default: 5; the picture is the heap at the end, from the side
 *
 * The program moves the centres and finds the contacts; quatint turns the clumps, places their spheres and sums the forces on them.
 * Without friction the clumps bounce and the energy stays: within 1e-5 with steps of 1e-4 s, about four times better with half the step.
 * With dashpots and friction they come to rest, and a restart from halfway gives the same bits. Exit status 0: all this is so.
 */
#include <math.h>
#include <quatint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 500, POINTS = 3*COUNT, WALL = POINTS }; /* a wall is one more sphere, of one more clump */
static const double R = 0.1, MASS = 24, WEIGHT = 24*9.81, BOX = 4, STIFFNESS = 1.4e6, DASHPOT = 800, MU = 0.5;
static const double PLACES[3][3] = {{0, 0, 0}, {0.16, 0, 0}, {0, 0.18, 0}}; /* of the spheres of a clump: an L */
static struct clumps { double x[3*COUNT], v[3*COUNT], force[3*COUNT], torque[3*COUNT]; } now; /* quatint has orientations and spins */
static double v_at_end[3*COUNT], omega[3*COUNT + 3], spin[3*COUNT + 3], kinetic; /* predictions; torques of friction */
static double place[3*POINTS], speed[3*POINTS + 3], push[3*POINTS + 3]; /* of the spheres */
static int order[POINTS], is_rough; /* the spheres by y; whether there is friction */
static qi_ensemble *e;

static void good(qi_status status)
{
    if (status != QI_OK) fprintf(stderr, "%s\n", qi_last_error()), exit(1);
}

/* sphere a touches sphere b; n is normal and points to a. Hertz's law of elastic spheres; returns the energy of the contact */
static double touch(int a, int b, const double *n, double overlap)
{
    double *w = omega + a/3*3, *u = omega + b/3*3, slip[3], along = 0, square = 0;
    for (int k = 0, i = 1, j = 2; k < 3; i = j, j = k++) { /* of the surfaces */
        slip[k] = is_rough ? speed[3*a + k] - speed[3*b + k] - R*((w[i] + u[i])*n[j] - (w[j] + u[j])*n[i]) : 0;
        along += slip[k]*n[k];
    }
    for (int k = 0; k < 3; k++) slip[k] -= along*n[k], square += slip[k]*slip[k];
    const double elastic = STIFFNESS*overlap*sqrt(overlap), pressure = fmax(0, elastic - DASHPOT*along);
    const double friction = square > 0 ? fmin(DASHPOT, MU*pressure/sqrt(square)) : 0; /* Coulomb's, or that of slow slip */
    for (int k = 0, i = 1, j = 2; k < 3; i = j, j = k++) {
        const double f = pressure*n[k] - friction*slip[k], turn = R*friction*(n[i]*slip[j] - n[j]*slip[i]);
        push[3*a + k] += f, push[3*b + k] -= f, spin[a/3*3 + k] += turn, spin[b/3*3 + k] += turn;
    }
    return 0.4*elastic*overlap;
}

/* the contacts of the sphere that is m-th by y, with the walls and the spheres after it */
static double contacts(int m)
{
    const double *p = place + 3*order[m];
    double energy = 0;
    for (int wall = 0; wall < 5; wall++) { /* three through the corner at 0, and two opposite */
        const double overlap = R - (wall < 3 ? p[wall] : BOX - p[wall - 3]), to = wall < 3 ? 1 : -1;
        const double n[3] = {wall%3 == 0 ? to : 0, wall%3 == 1 ? to : 0, wall%3 == 2 ? to : 0};
        if (overlap > 0) energy += touch(order[m], WALL, n, overlap);
    }
    for (int j = m + 1; j < POINTS && place[3*order[j] + 1] - p[1] < 2*R; j++) {
        const double *o = place + 3*order[j], x = p[0] - o[0], y = p[1] - o[1], z = p[2] - o[2], square = x*x + y*y + z*z;
        if (square >= 4*R*R || order[m]/3 == order[j]/3) continue;
        const double distance = sqrt(square), n[3] = {x/distance, y/distance, z/distance};
        energy += touch(order[m], order[j], n, 2*R - distance);
    }
    return energy;
}

static double act(void) /* forces and torques on the clumps; returns the potential energy */
{
    double energy = 0;
    good(qi_get_point_positions(e, now.x, 3, 1, place, 3, 1));
    if (is_rough) good(qi_get_point_velocities(e, 1, v_at_end, 3, 1, speed, 3, 1));
    for (int m = 1; m < POINTS; m++)
        for (int at = m; at > 0 && place[3*order[at - 1] + 1] > place[3*order[at] + 1]; at--) {
            const int a = order[at];
            order[at] = order[at - 1], order[at - 1] = a;
        }
    memset(push, 0, sizeof push), memset(spin, 0, sizeof spin);
    for (int m = 0; m < POINTS; m++) energy += contacts(m);
    good(qi_sum_point_forces(e, push, 3, 1, now.force, 3, 1, now.torque, 3, 1));
    for (int k = 0; k < 3*COUNT; k++) now.torque[k] += spin[k];
    for (int k = 2; k < 3*COUNT; k += 3) now.force[k] -= WEIGHT, energy += WEIGHT*now.x[k];
    return energy;
}

static double step(double dt) /* returns the energy */
{
    double *x = now.x, *v = now.v, *f = now.force;
    good(qi_kick_drift_ensemble(e, dt/2, dt, now.torque, 3, 1, QI_FRAME_WORLD));
    for (int k = 0; k < 3*COUNT; k++) v[k] += dt/2*f[k]/MASS, x[k] += dt*v[k], v_at_end[k] = v[k] + dt/2*f[k]/MASS;
    const double potential = act();
    good(qi_kick_ensemble(e, dt/2, now.torque, 3, 1, QI_FRAME_WORLD));
    good(qi_get_total_kinetic_energy(e, &kinetic));
    for (int k = 0; k < 3*COUNT; k++) v[k] += dt/2*f[k]/MASS, kinetic += MASS/2*v[k]*v[k];
    return potential + kinetic;
}

static double start(double dt) /* the clumps are above each other, each turned its own way, at rest; returns the energy */
{
    static double arms[3*POINTS], q[4*COUNT];
    size_t bodies[POINTS];
    double sum[QI_MASS_SIZE] = {0}, mass, centre[3], inertia[9];
    for (int s = 0; s < 3; s++) good(qi_add_sphere_mass(MASS/3, R, PLACES[s], sum));
    good(qi_get_mass_properties(sum, &mass, centre, inertia));
    for (int a = 0, i = 0; a < POINTS; i = ++a/3) {
        const double at[3] = {i%8, i/8%8, i/64}, axis[3] = {1, i%3, i%7 - 3};
        good(qi_orientation_from_axis_angle(axis, i, q + 4*i)), bodies[a] = i, order[a] = a;
        for (int k = 0; k < 3; k++) arms[3*a + k] = PLACES[a%3][k] - centre[k], now.x[3*i + k] = 0.5*at[k] + 0.25, now.v[3*i + k] = 0;
    }
    qi_destroy_ensemble(e), e = qi_create_ensemble(COUNT, NULL);
    good(qi_set_inertias(e, inertia, 0)), good(qi_set_orientations(e, q, 4, 1));
    good(qi_set_points(e, POINTS, bodies, arms, 3, 1)), good(qi_bind_predicted_velocities(e, omega, 3, 1, dt/2));
    return act();
}

static double bounce(double seconds, double dt) /* returns the greatest change of the energy, relative */
{
    double first = start(dt), worst = 0;
    for (int n = 0; n < seconds/dt - 0.5; n++) worst = fmax(worst, fabs(step(dt)/first - 1));
    printf("bouncing, dt = %.0e s: the energy, %.1f J, changes by %.1e of it\n", dt, first, worst);
    return worst;
}

static void draw(FILE *file) /* from the back to the front */
{
    fprintf(file, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 -2 4 2\" stroke=\"black\" stroke-width=\"0.01\">\n");
    for (int m = POINTS - 1; m >= 0; m--) {
        const double *p = place + 3*order[m];
        fprintf(file, "<circle cx=\"%.3f\" cy=\"%.3f\" r=\"%g\" fill=\"hsl(%d 60%% 65%%)\"/>\n", p[0], -p[2], R, order[m]/3*47%360);
    }
    fprintf(file, "</svg>\n"), fclose(file);
}

int main(int argc, char **argv)
{
    static double rows[3][7*COUNT], dt = 4e-4;
    static struct clumps after[3];
    FILE *file;
    const double seconds = argc > 1 ? atof(argv[1]) : 5, worst = bounce(seconds, 1e-4), worst_of_half = bounce(seconds, 5e-5);
    const double first = (is_rough = 1, start(dt));
    for (int part = 0; part < 3; part++) { /* two, after which the clumps are at rest; and the second one again, from the first */
        if (part == 2) start(dt), now = after[0], good(qi_set_ensemble_rows(e, QI_PART_STATE, NULL, COUNT, rows[0]));
        for (int n = 0; n < 5000; n++) step(dt);
        after[part] = now, good(qi_get_ensemble_rows(e, QI_PART_STATE, NULL, COUNT, rows[part]));
    }
    const int is_same = memcmp(rows[1], rows[2], sizeof rows[1]) == 0 && memcmp(after + 1, after + 2, sizeof now) == 0;
    printf("with friction: %.0e of the energy is left; after a restart the bits are %s\n", kinetic/first, is_same ? "the same" : "others");
    if (argc > 2 && (file = fopen(argv[2], "w")) != NULL) draw(file);
    qi_destroy_ensemble(e);
    return worst < 1e-5 && worst_of_half < fmax(0.5*worst, 1e-9) && kinetic < 1e-4*first && is_same ? 0 : 1;
}
