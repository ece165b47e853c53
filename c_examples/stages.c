/* stages.c: the stage protocol: the program computes all torques itself, without a callback.
 *
 * A chain of magnets, each rotating in the field of its neighbours. The torque on a magnet depends on the orientations of
 * others, so the program computes all torques together, twice per step. Exit status 0: the energy is constant to 1e-5.
 */
#include <math.h>
#include <quatint.h>
#include <stdio.h>

enum { COUNT = 100 };

static int failed(void)
{
    fprintf(stderr, "%s\n", qi_last_error());
    return 1;
}

/* the magnet of each body, along body x; world frame */
static void magnets(const double *q, double m[COUNT][3])
{
    const double x[3] = {1, 0, 0};
    for (int i = 0; i < COUNT; i++) qi_rotate(q + 4*i, x, m[i]);
}

/* energy of neighbours at distance 1 along z: m.m' - 3 (m.z)(m'.z) */
static double energy(double m[COUNT][3])
{
    double sum = 0;
    for (int i = 0; i + 1 < COUNT; i++)
        sum += m[i][0]*m[i+1][0] + m[i][1]*m[i+1][1] - 2*m[i][2]*m[i+1][2];
    return sum;
}

static void torques(double m[COUNT][3], double *torque)
{
    for (int i = 0; i < COUNT; i++) {
        double field[3] = {0, 0, 0};
        for (int j = i - 1; j <= i + 1; j += 2) {
            if (j < 0 || j >= COUNT) continue;
            field[0] -= m[j][0];
            field[1] -= m[j][1];
            field[2] += 2*m[j][2];
        }
        torque[3*i] = m[i][1]*field[2] - m[i][2]*field[1];
        torque[3*i + 1] = m[i][2]*field[0] - m[i][0]*field[2];
        torque[3*i + 2] = m[i][0]*field[1] - m[i][1]*field[0];
    }
}

int main(void)
{
    static double q[4*COUNT], omega[3*COUNT], torque[3*COUNT], m[COUNT][3];
    const double inertia[9] = {0.5, 0, 0, 0, 1, 0, 0, 0, 1}, axis[3] = {0.2, 1, 0.1}, dt = 2e-3;
    double time, kinetic, first = 0, total = 0;
    qi_ensemble *e = qi_create_ensemble(COUNT, NULL);
    if (e == NULL) return failed();
    for (int i = 0; i < COUNT; i++)
        if (qi_orientation_from_axis_angle(axis, 0.7 * i, q + 4*i) != QI_OK) return failed();
    if (qi_set_inertias(e, inertia, 0) != QI_OK || qi_set_orientations(e, q, 4, 1) != QI_OK) return failed();

    for (int part = 0; part <= 5; part++) {
        if (qi_get_orientations(e, q, 4, 1) != QI_OK || qi_get_total_kinetic_energy(e, &kinetic) != QI_OK) return failed();
        magnets(q, m);
        total = kinetic + energy(m);
        if (part == 0) first = total;
        printf("t = %4.1f   energy: %.6f, of it kinetic: %9.6f\n", 1000 * dt * part, total, kinetic);

        if (part == 5) break;
        if (qi_begin_ensemble_steps(e, dt, 1000) != QI_OK) return failed();
        qi_status status = qi_next_ensemble_stage(e, &time, q, omega);
        while (status == QI_NEED_TORQUE) {
            magnets(q, m);
            torques(m, torque);
            status = qi_continue_ensemble_step(e, torque, &time, q, omega); /* supplies this torque, returns the next stage */
        }
        if (status != QI_OK) return failed();
    }
    qi_destroy_ensemble(e);
    return fabs(total / first - 1) < 1e-5 ? 0 : 1;
}
