/* orbit.c: satellites under the gravity gradient and the magnetic field of the Earth, along an orbit; one alone, and many.
 *
 * The torques depend on where the satellite is: a callback computes that for its time (Kepler's equation), and adds
 * qi_add_gravity_gradient_torque() and qi_add_uniform_field_torque(). An ensemble does the same for each of its bodies: here the
 * satellites of a constellation, which follow each other along one orbit.
 *
 * Exit status 0: on a circular orbit, without magnets, Jacobi's integral of each satellite is constant to 1e-7; and with magnets on an
 * eccentric orbit the satellites of the ensemble are where qi_solve() says of each alone, to 1e-5 rad after five orbits.
 */
#include <math.h>
#include <quatint.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 24 };
static const double GM = 3.986004418e14, AXIS = 7e6, INERTIA[9] = {10, 0.6, -0.4, 0.6, 12, 0.5, -0.4, 0.5, 15}; /* m^3/s^2, m, kg m^2 */
static const double FIELD = 7.8e15, POLE[3] = {0.16, -0.07, -0.98}; /* the Earth's dipole: T m^3, and its direction */

typedef struct {
    double eccentricity, magnet[3]; /* of the satellites: A m^2, body axes */
    double phase;                   /* of this satellite, rad of mean anomaly */
} flight;

static void good(qi_status status)
{
    if (status != QI_OK) fprintf(stderr, "%s\n", qi_last_error()), exit(1);
}

static double mean_motion(void)
{
    return sqrt(GM / AXIS) / AXIS;
}

/* Direction and distance from the Earth: the orbit lies in a plane that is inclined by 50 degrees. */
static double position(const flight *f, double phase, double time, double *direction)
{
    const double anomaly = mean_motion() * time + phase, e = f->eccentricity, tilt = 50 / 57.29577951308232;
    double eccentric = anomaly;
    for (int k = 0; k < 12; k++) eccentric -= (eccentric - e * sin(eccentric) - anomaly) / (1 - e * cos(eccentric));
    const double along = cos(eccentric) - e, across = sqrt(1 - e * e) * sin(eccentric), distance = sqrt(along * along + across * across);
    direction[0] = along / distance;
    direction[1] = across / distance * cos(tilt);
    direction[2] = across / distance * sin(tilt);
    return AXIS * distance;
}

static int32_t act(const flight *f, double phase, double time, const double *q, double *torque)
{
    double r[3], field[3];
    const double distance = position(f, phase, time, r), cube = distance * distance * distance;
    const double along = POLE[0] * r[0] + POLE[1] * r[1] + POLE[2] * r[2];
    for (int k = 0; k < 3; k++) field[k] = FIELD / cube * (3 * along * r[k] - POLE[k]);
    return qi_add_gravity_gradient_torque(q, INERTIA, r, GM / cube, torque) != QI_OK
        || qi_add_uniform_field_torque(q, f->magnet, field, torque) != QI_OK;
}

static int32_t on_one(double time, const double *q, const double *omega, double *torque, void *user_data)
{
    const flight *f = user_data;
    (void)omega;
    return act(f, f->phase, time, q, torque);
}

static int32_t on_all(double time, size_t first, size_t count, const double *q, const double *omega, double *torque, void *user_data)
{
    const flight *f = user_data;
    (void)omega;
    for (size_t i = 0; i < count; i++)
        if (act(f, 2 * acos(-1) * (double)(first + i) / COUNT, time, q + 4 * i, torque + 3 * i) != 0) return 1;
    return 0;
}

/* Of satellite i: turned its own way, and turning about as fast as the orbit. */
static void start(int i, double *q, double *omega)
{
    const double axis[3] = {1, i % 3, i % 5 - 2}, n = mean_motion();
    good(qi_orientation_from_axis_angle(axis, 0.3 * i, q));
    omega[0] = 0.4 * n * cos(i), omega[1] = -0.8 * n, omega[2] = n * (0.6 + 0.1 * sin(i));
}

static qi_ensemble *constellation(flight *f)
{
    double q[4 * COUNT], omega[3 * COUNT];
    qi_ensemble *e = qi_create_ensemble(COUNT, NULL);
    for (int i = 0; i < COUNT; i++) start(i, q + 4 * i, omega + 3 * i);
    good(qi_set_inertias(e, INERTIA, 0));
    good(qi_set_orientations(e, q, 4, 1)), good(qi_set_angular_velocities(e, omega, 3, 1));
    good(qi_set_ensemble_torque(e, on_all, QI_LAYOUT_AOS, QI_FRAME_WORLD, f));
    good(qi_set_ensemble_method(e, QI_METHOD_SPLITTING_4));
    return e;
}

/* Of a circular orbit, for each satellite: energy - n L_normal + 3/2 n^2 r . I r, in units of I n^2. */
static void jacobi(const qi_ensemble *e, const flight *f, double *integral)
{
    double energy[COUNT], q[4 * COUNT], momentum[3 * COUNT], time;
    const double n = mean_motion(), tilt = 50 / 57.29577951308232;
    good(qi_get_ensemble_time(e, &time));
    good(qi_get_kinetic_energies(e, energy, 1)), good(qi_get_orientations(e, q, 4, 1)), good(qi_get_angular_momenta(e, momentum, 3, 1));
    for (int i = 0; i < COUNT; i++) {
        double r[3], b[3], turned = 0;
        position(f, 2 * acos(-1) * i / COUNT, time, r);
        good(qi_rotate_inverse(q + 4 * i, r, b));
        for (int k = 0; k < 9; k++) turned += b[k / 3] * INERTIA[k] * b[k % 3];
        const double normal = cos(tilt) * momentum[3 * i + 2] - sin(tilt) * momentum[3 * i + 1];
        integral[i] = (energy[i] - n * normal + 1.5 * n * n * turned) / (12 * n * n);
    }
}

int main(void)
{
    flight circle = {0, {0, 0, 0}, 0}, ellipse = {0.1, {0.3, -0.2, 0.4}, 0};
    const double end = 5 * 2 * acos(-1) / mean_motion();
    double before[COUNT], after[COUNT], q[4 * COUNT], alone[4], angle, change = 0, worst = 0;

    qi_ensemble *e = constellation(&circle);
    jacobi(e, &circle, before);
    good(qi_advance_ensemble(e, end / 4000, 4000, NULL));
    jacobi(e, &circle, after);
    for (int i = 0; i < COUNT; i++) change = fmax(change, fabs(after[i] - before[i]));
    qi_destroy_ensemble(e);

    e = constellation(&ellipse);
    good(qi_advance_ensemble(e, end / 4000, 4000, NULL)), good(qi_get_orientations(e, q, 4, 1));
    for (int i = 0; i < COUNT; i++) {
        double q0[4], omega[3];
        start(i, q0, omega);
        qi_body *body = qi_create_body(INERTIA, q0, omega, NULL);
        if (body == NULL) good(QI_ERR_NULL);
        ellipse.phase = 2 * acos(-1) * i / COUNT;
        good(qi_set_torque(body, on_one, &ellipse)), good(qi_solve(body, end, 1e-10, NULL)), good(qi_get_orientation(body, alone));
        good(qi_orientation_angle(alone, q + 4 * i, &angle));
        worst = fmax(worst, angle);
        qi_destroy_body(body);
    }
    qi_destroy_ensemble(e);
    printf("circular orbit: Jacobi's integral changes by %.0e in five orbits\n", change);
    printf("eccentric orbit with magnets: %d satellites are within %.0e rad of their solutions\n", COUNT, worst);
    return change < 1e-7 && worst < 1e-5 ? 0 : 1;
}
