/* drum.c: dumbbells tumble in a box that turns about two axes, as the drum of a mixer does.
 *
 * The box is a moving boundary of a DEM: its angular velocity is given, in its own axes, and qi_turn_orientation() turns it from
 * step to step. A wall pushes a sphere by its overlap and by a dashpot; what counts for the dashpot is the speed of the sphere
 * relative to the wall, omega x r. The dumbbells move by velocity Verlet; quatint turns them, places their spheres and sums the
 * forces on them. They do not touch each other.
 *
 * Exit status 0: the energy of the dumbbells is what the walls have done, less what the dashpots took, to 1e-3 of it; with
 * a quarter of the step the difference is at least four times less; and the box is where the closed form of its motion says, to 1e-10.
 */
#include <math.h>
#include <quatint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 50, POINTS = 2*COUNT };
static const double R = 0.1, HALF = 1, MASS = 8, WEIGHT = 8*9.81, STIFFNESS = 2e5, DASHPOT = 60; /* radius; half an edge of the box */
static const double ROLL = 2, WOBBLE = 1.2, TURNS = 3;                                          /* rad/s */
static double x[3*COUNT], v[3*COUNT], v_at_end[3*COUNT], force[3*COUNT], torque[3*COUNT];        /* of the dumbbells */
static double omega[3*COUNT], place[3*POINTS], speed[3*POINTS], push[3*POINTS];                  /* predicted; of the spheres */
static double box[4], box_omega[3];                                                              /* orientation; world frame */
static qi_ensemble *e;

static void good(qi_status status)
{
    if (status != QI_OK) fprintf(stderr, "%s\n", qi_last_error()), exit(1);
}

/* The angular velocity of the box, in its own axes: it rolls about x, and the axis of the wobble goes round in it. */
static int32_t motor(double time, double *angular_velocity, void *user_data)
{
    (void)user_data;
    angular_velocity[0] = ROLL;
    angular_velocity[1] = WOBBLE*cos(TURNS*time);
    angular_velocity[2] = WOBBLE*sin(TURNS*time);
    return 0;
}

/* In axes that turn with TURNS about x in the box the angular velocity is constant, so q = exp(t (w + TURNS x)) exp(-t TURNS x). */
static void closed_form(double time, double *q)
{
    const double turn[3] = {(ROLL + TURNS)*time, WOBBLE*time, 0}, back[3] = {-TURNS*time, 0, 0};
    double a[4], b[4];
    good(qi_orientation_from_rotation_vector(turn, a));
    good(qi_orientation_from_rotation_vector(back, b));
    good(qi_orientation_product(a, b, q));
}

static void cross(const double *a, const double *b, double *c)
{
    for (int k = 0, i = 1, j = 2; k < 3; i = j, j = k++) c[k] = a[i]*b[j] - a[j]*b[i];
}

/* What the walls do to sphere p; adds to the energy of the contacts, to the power of the walls and to that lost in dashpots. */
static void walls(int p, double *energy, double *power, double *lost)
{
    double at[3], of_wall[3], along[3], f[3] = {0, 0, 0};
    good(qi_rotate_inverse(box, place + 3*p, at)); /* in the axes of the box */
    cross(box_omega, place + 3*p, of_wall);
    for (int k = 0; k < 3; k++) along[k] = speed[3*p + k] - of_wall[k];
    good(qi_rotate_inverse(box, along, along));
    for (int k = 0; k < 3; k++) {
        const double overlap = fabs(at[k]) + R - HALF, to = at[k] > 0 ? -1 : 1;
        if (overlap <= 0) continue;
        const double friction = DASHPOT*overlap/R; /* grows with the overlap, so that the force begins at 0 */
        f[k] += to*STIFFNESS*overlap;
        for (int c = 0; c < 3; c++) f[c] -= friction*along[c], *lost += friction*along[c]*along[c];
        *energy += 0.5*STIFFNESS*overlap*overlap;
    }
    good(qi_rotate(box, f, push + 3*p));
    for (int k = 0; k < 3; k++) *power += push[3*p + k]*of_wall[k];
}

/* Forces and torques on the dumbbells; returns the potential energy, and the power of the walls and in the dashpots. */
static double act(double time, double *power, double *lost)
{
    double energy = 0, in_box[3];
    motor(time, in_box, NULL);
    good(qi_rotate(box, in_box, box_omega));
    good(qi_get_point_positions(e, x, 3, 1, place, 3, 1));
    good(qi_get_point_velocities(e, 1, v_at_end, 3, 1, speed, 3, 1));
    *power = *lost = 0;
    for (int p = 0; p < POINTS; p++) walls(p, &energy, power, lost);
    good(qi_sum_point_forces(e, push, 3, 1, force, 3, 1, torque, 3, 1));
    for (int k = 2; k < 3*COUNT; k += 3) force[k] -= WEIGHT, energy += WEIGHT*x[k];
    return energy;
}

static double kinetic(void)
{
    double energy;
    good(qi_get_total_kinetic_energy(e, &energy));
    for (int k = 0; k < 3*COUNT; k++) energy += MASS/2*v[k]*v[k];
    return energy;
}

static void start(void) /* dumbbells in layers, each turned its own way, at rest */
{
    double arms[3*POINTS] = {0}, q[4*COUNT], sum[QI_MASS_SIZE] = {0}, mass, centre[3], inertia[9];
    const double ends[2][3] = {{0, 0, R}, {0, 0, -R}};
    size_t bodies[POINTS];
    for (int s = 0; s < 2; s++) good(qi_add_sphere_mass(MASS/2, R, ends[s], sum));
    good(qi_get_mass_properties(sum, &mass, centre, inertia));
    for (int i = 0; i < COUNT; i++) {
        const double axis[3] = {1, i%3, i%7 - 3};
        good(qi_orientation_from_axis_angle(axis, i, q + 4*i));
        for (int s = 0; s < 2; s++) bodies[2*i + s] = (size_t)i, memcpy(arms + 6*i + 3*s, ends[s], sizeof ends[s]);
        x[3*i] = 0.3*(i%5) - 0.6, x[3*i + 1] = 0.3*(i/5%5) - 0.6, x[3*i + 2] = 0.4*(i/25) - 0.6;
        for (int k = 0; k < 3; k++) v[3*i + k] = v_at_end[3*i + k] = 0;
    }
    qi_destroy_ensemble(e), e = qi_create_ensemble(COUNT, NULL);
    good(qi_set_inertias(e, inertia, 0)), good(qi_set_orientations(e, q, 4, 1));
    good(qi_set_points(e, POINTS, bodies, arms, 3, 1));
    closed_form(0, box);
}

/* Returns the greatest difference between the energy and what the walls have given and taken, relative to the work. */
static double tumble(double seconds, int steps, int is_shown)
{
    const double dt = seconds/steps;
    double power, lost, next_power, next_lost, work = 0, loss = 0, worst = 0, most = 0;
    start();
    good(qi_bind_predicted_velocities(e, omega, 3, 1, dt/2)); /* for the speeds of the spheres */
    const double first = act(0, &power, &lost) + kinetic();
    for (int n = 0; n < steps; n++) {
        good(qi_kick_drift_ensemble(e, dt/2, dt, torque, 3, 1, QI_FRAME_WORLD));
        for (int k = 0; k < 3*COUNT; k++) v[k] += dt/2*force[k]/MASS, x[k] += dt*v[k], v_at_end[k] = v[k] + dt/2*force[k]/MASS;
        good(qi_turn_orientation(box, n*dt, (n + 1)*dt, 1, motor, QI_FRAME_BODY, NULL)); /* the boundary moves */
        const double potential = act((n + 1)*dt, &next_power, &next_lost);
        good(qi_kick_ensemble(e, dt/2, torque, 3, 1, QI_FRAME_WORLD));
        for (int k = 0; k < 3*COUNT; k++) v[k] += dt/2*force[k]/MASS;
        work += dt/2*(power + next_power), loss += dt/2*(lost + next_lost);
        power = next_power, lost = next_lost;
        const double energy = potential + kinetic() - first;
        worst = fmax(worst, fabs(energy - (work - loss))), most = fmax(most, work);
        if (is_shown && (n + 1)%(steps/4) == 0)
            printf("t = %3.1f s   work of the walls %7.2f J   lost in dashpots %7.2f J   energy %+7.2f J\n", (n + 1)*dt, work, loss, energy);
    }
    return worst/most;
}

int main(void)
{
    double angle, exact[4];
    const double worst = tumble(2, 4000, 1);
    closed_form(2, exact);
    good(qi_orientation_angle(box, exact, &angle));
    const double worst_of_fine = tumble(2, 16000, 0);
    printf("they add up to %.0e of the work, with a quarter of the step to %.0e; the box is %s\n", worst, worst_of_fine,
           angle < 1e-10 ? "where it must be" : "elsewhere");
    qi_destroy_ensemble(e);
    return worst < 1e-3 && worst_of_fine < worst/4 && angle < 1e-10 ? 0 : 1;
}
