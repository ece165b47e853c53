/* rocket.c: the propellant of a spinning rocket burns, and its gas damps the wobble.
 *
 * The inertia falls, because propellant leaves. The gas that leaves takes angular momentum along: a mass m' a second that goes through a
 * nozzle at the distance L from the centre of mass and across a ring of the radius r has, with the angular velocity omega of the rocket,
 * the torque -m' L^2 omega across the axis and -m' r^2/2 omega along it (jet damping). The inertia function and the torque callback give
 * both to the library. If the moments fall linearly, theory has for the speed of the wobble
 *
 *     omega_t(t) = omega_t(0) (A/A0)^(m' L^2/k - 1)        A = A0 - k t
 *
 * and the same for the spin with its own moment. (F. R. Gantmakher, L. M. Levin, The Flight of Uncontrolled Rockets, 1964,
 * derive both torques.)
 *
 * Exit status 0: the numbers are those of theory.
 */
#include <math.h>
#include <quatint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    double transverse, axial;           /* moments at the start, kg m^2 */
    double transverse_rate, axial_rate; /* how fast they fall, kg m^2/s */
    double flow, arm, radius;           /* of the gas: kg/s, m, m */
} rocket;

static const rocket ROCKET = {900, 25, 12, 0.45, 4, 2.5, 0.2};

static int32_t inertia_at(double time, double *inertia, void *user_data)
{
    const rocket *r = user_data;
    for (int k = 0; k < 9; k++) inertia[k] = 0;
    inertia[0] = inertia[4] = r->transverse - r->transverse_rate * time;
    inertia[8] = r->axial - r->axial_rate * time;
    return 0;
}

/* the torque of the gas: across the axis z of the body and along it */
static int32_t jet_damping(double time, const double *orientation, const double *omega, double *torque, void *user_data)
{
    const rocket *r = user_data;
    const double body_z[3] = {0, 0, 1};
    double axis[3], spin;
    (void)time;
    if (qi_rotate(orientation, body_z, axis) != QI_OK) return 1;
    spin = omega[0] * axis[0] + omega[1] * axis[1] + omega[2] * axis[2];
    for (int k = 0; k < 3; k++) {
        const double across = omega[k] - spin * axis[k];
        torque[k] = -r->flow * (r->arm * r->arm * across + 0.5 * r->radius * r->radius * spin * axis[k]);
    }
    return 0;
}

static double theory(double start, double moment, double rate, double damping, double time)
{
    return start * pow((moment - rate * time) / moment, damping / rate - 1);
}

int main(void)
{
    rocket r = ROCKET;
    const double omega[3] = {0.12, -0.05, 9};
    double inertia[9], now[3], worst = 0;
    qi_body *body;
    if (inertia_at(0, inertia, &r) != 0) return EXIT_FAILURE;
    body = qi_create_body(inertia, NULL, omega, NULL);
    if (body == NULL) goto failed;
    if (qi_set_torque(body, jet_damping, &r) != QI_OK || qi_set_inertia_function(body, inertia_at, &r) != QI_OK) goto failed;

    puts("  time    wobble    theory     spin   theory");
    for (int row = 0; row <= 5; row++) {
        const double time = 8 * row;
        if (qi_solve(body, time, 1e-12, NULL) != QI_OK || qi_get_angular_velocity_body(body, now) != QI_OK) goto failed;
        const double wobble = hypot(now[0], now[1]);
        const double expected = theory(hypot(omega[0], omega[1]), r.transverse, r.transverse_rate, r.flow * r.arm * r.arm, time);
        const double spin = theory(omega[2], r.axial, r.axial_rate, 0.5 * r.flow * r.radius * r.radius, time);
        printf("%6.1f  %8.5f  %8.5f  %7.4f  %7.4f\n", time, wobble, expected, now[2], spin);
        worst = fmax(worst, fmax(fabs(wobble / expected - 1), fabs(now[2] / spin - 1)));
    }
    printf("greatest relative difference: %.0e\n", worst);
    qi_destroy_body(body);
    return worst < 1e-9 ? EXIT_SUCCESS : EXIT_FAILURE;
failed:
    fprintf(stderr, "%s\n", qi_last_error());
    return EXIT_FAILURE;
}
