/* panels.c: a satellite unfolds two solar panels while it tumbles.
 *
 * Each panel is hinged at a side of the hub. It swings out from there by a right angle, until it lies flat. The two are mirror images, so
 * the momenta that they have relative to the hub cancel: only the inertia changes. The body is moved in fixed steps by the
 * splitting method, and by error control, which serves as the reference.
 *
 * Exit status 0: both agree, and the angular momentum has not changed.
 */
#include <math.h>
#include <quatint.h>
#include <stdio.h>
#include <stdlib.h>

static const double HUB_MASS = 200, HUB[3] = {1.2, 1.0, 1.4};   /* kg, m */
static const double PANEL_MASS = 15, PANEL[3] = {1.0, 2.0, 0.03}; /* a sheet along y, hinged at its short edge */
static const double UNFOLDED_AT = 20;                            /* s */
static const double PI = 3.14159265358979323846;

/* The angle of the hinges at a time: 0, folded against the side of the hub, to a right angle. It starts and ends at rest. */
static double hinge_angle(double time)
{
    const double part = fmin(fmax(time / UNFOLDED_AT, 0), 1);
    return 0.5 * PI * (part * part * (3 - 2 * part));
}

/* The inertia of the hub and both panels, about the centre of mass. */
static int32_t inertia_at(double time, double *inertia, void *user_data)
{
    double sum[QI_MASS_SIZE] = {0}, mass, centre[3];
    const double origin[3] = {0, 0, 0};
    (void)user_data;
    if (qi_add_box_mass(HUB_MASS, HUB, origin, NULL, sum) != QI_OK) return 1;
    for (int side = -1; side <= 1; side += 2) {
        /* a panel turns about x, so that it points from +z (folded) to +y or -y (flat) */
        const double from_y = side * (0.5 * PI - hinge_angle(time)), half = 0.5 * PANEL[1];
        const double orientation[4] = {cos(0.5 * from_y), sin(0.5 * from_y), 0, 0};
        const double position[3] = {0, side * (0.5 * HUB[1] + half * cos(from_y)), half * fabs(sin(from_y)) - 0.5 * HUB[2]};
        if (qi_add_box_mass(PANEL_MASS, PANEL, position, orientation, sum) != QI_OK) return 1;
    }
    return qi_get_mass_properties(sum, &mass, centre, inertia) == QI_OK ? 0 : 1;
}

static qi_body *satellite(void)
{
    const double omega[3] = {0.02, 0.05, 0.3}; /* rad/s */
    double folded[9];
    qi_body *body;
    if (inertia_at(0, folded, NULL) != 0) return NULL;
    body = qi_create_body(folded, NULL, omega, NULL);
    if (body == NULL || qi_set_inertia_function(body, inertia_at, NULL) != QI_OK) return NULL;
    return qi_set_method(body, QI_METHOD_SPLITTING) == QI_OK ? body : NULL;
}

static double apart(const double *left, const double *right)
{
    return fmax(fabs(left[0] - right[0]), fmax(fabs(left[1] - right[1]), fabs(left[2] - right[2])));
}

int main(void)
{
    double momentum[3], end_momentum[3], omega[3], exact_omega[3], energy, time = 0;
    qi_body *body = satellite(), *exact = satellite();
    if (body == NULL || exact == NULL || qi_get_angular_momentum(body, momentum) != QI_OK) goto failed;

    puts("  time    hinge     spin    energy");
    puts("   [s]    [deg]  [rad/s]       [J]");
    for (int row = 0; row <= 6; row++) {
        if (row > 0 && qi_advance(body, 0.05, 100, NULL) != QI_OK) goto failed;
        if (qi_get_angular_velocity_body(body, omega) != QI_OK || qi_get_kinetic_energy(body, &energy) != QI_OK) goto failed;
        if (qi_get_time(body, &time) != QI_OK) goto failed;
        printf("%6.1f  %7.1f  %7.4f  %8.4f\n", time, hinge_angle(time) * 180 / PI, omega[2], energy);
    }
    if (qi_solve(exact, time, 1e-12, NULL) != QI_OK) goto failed;
    if (qi_get_angular_velocity_body(exact, exact_omega) != QI_OK) goto failed;
    if (qi_get_angular_momentum(body, end_momentum) != QI_OK) goto failed;
    const double error = apart(omega, exact_omega), change = apart(momentum, end_momentum);
    printf("steps of 0.05 s beside error control: %.0e rad/s apart\n", error);
    printf("the angular momentum has changed by %.0e N m s\n", change);
    qi_destroy_body(body);
    qi_destroy_body(exact);
    return error < 1e-5 && change < 1e-10 ? EXIT_SUCCESS : EXIT_FAILURE;
failed:
    fprintf(stderr, "%s\n", qi_last_error());
    return EXIT_FAILURE;
}
