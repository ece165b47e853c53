/* stage_protocol.c: interacting magnets. The torque on each depends on the orientations of its neighbours. */
/* See docs/ensembles.md. */
#include <math.h>
#include <quatint.h>
#include <stdio.h>

typedef struct {
    double position[3], q[4], omega[3];
} particle;

enum { COUNT = 100, STRIDE = sizeof(particle) / sizeof(double) };
static particle p[COUNT];
static double q[4*COUNT], omega[3*COUNT], torque[3*COUNT], magnet[COUNT][3];

/* the pair loop: neighbours at distance 1 along z, dipoles along body x; returns the energy */
static double pair_loop(void)
{
    const double x[3] = {1, 0, 0};
    double energy = 0;
    for (int i = 0; i < COUNT; i++) qi_rotate(q + 4*i, x, magnet[i]);
    for (int i = 0; i < 3*COUNT; i++) torque[i] = 0;
    for (int i = 0; i + 1 < COUNT; i++)
        for (int k = 0; k < 2; k++) { /* the field of one dipole at the other */
            const double *m = magnet[i + k], *o = magnet[i + 1 - k], field[3] = {-o[0], -o[1], 2*o[2]};
            double *t = torque + 3*(i + k);
            t[0] += m[1]*field[2] - m[2]*field[1];
            t[1] += m[2]*field[0] - m[0]*field[2];
            t[2] += m[0]*field[1] - m[1]*field[0];
            energy -= 0.5 * (m[0]*field[0] + m[1]*field[1] + m[2]*field[2]);
        }
    return energy;
}

static int step(qi_ensemble *e, double dt)
{
    double time;
    qi_status status = qi_begin_ensemble_step(e, dt);
    while (status == QI_OK && (status = qi_next_ensemble_stage(e, &time, q, omega)) == QI_NEED_TORQUE) {
        pair_loop(); /* all torques, at the orientations of the stage */
        status = qi_supply_ensemble_torque(e, torque);
    }
    return status == QI_OK;
}

int main(void)
{
    const double inertia[9] = {0.5, 0, 0, 0, 1, 0, 0, 0, 1}, axis[3] = {0.2, 1, 0.1};
    double kinetic;
    qi_ensemble *e = qi_create_ensemble(COUNT, NULL);
    for (int i = 0; i < COUNT; i++) qi_orientation_from_axis_angle(axis, 0.7 * i, p[i].q);
    if (e == NULL || qi_set_inertias(e, inertia, 0) != QI_OK
        || qi_bind_orientations(e, p[0].q, STRIDE, 1, QI_SCALAR_FIRST) != QI_OK
        || qi_bind_angular_velocities(e, p[0].omega, STRIDE, 1, QI_OMEGA_WORLD) != QI_OK)
        return fprintf(stderr, "%s\n", qi_last_error()), 1;
    for (int n = 0; n <= 5000; n++) {
        if (n % 2500 == 0) {
            qi_get_orientations(e, q, 4, 1);
            qi_get_total_kinetic_energy(e, &kinetic);
            printf("t = %4.1f   energy: %.3f, of it kinetic: %.3f\n", 2e-3 * n, kinetic + pair_loop(), kinetic);
        }
        if (!step(e, 2e-3)) return fprintf(stderr, "%s\n", qi_last_error()), 1;
    }
    qi_destroy_ensemble(e);
    return 0;
}

/* It prints:
t =  0.0   energy: -31.312, of it kinetic: 0.000
t =  5.0   energy: -31.312, of it kinetic: 96.533
t = 10.0   energy: -31.312, of it kinetic: 60.366
*/
