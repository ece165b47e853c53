/* points.c: two spheres on each of three bodies; springs and dampers pull them to the origin. */
/* See docs/ensembles.md. */
#include <quatint.h>
#include <stdio.h>

int main(void)
{
    const size_t bodies[6] = {0, 0, 1, 1, 2, 2}; /* the body of each sphere, ascending */
    const double arms[18] = {0.5, 0, 0, -0.5, 0, 0, 0.4, 0.3, 0, -0.4, -0.3, 0, 0, 0, 0.5, 0, 0, -0.5};
    const double centres[9] = {0, 0, 0, 2, 0, 0, 0, 2, 0}, moments[3] = {0.5, 0.6, 0.7}, spin[3] = {0, 0.2, 1};
    double x[18], v[18], f[18], force[9], torque[9];
    qi_ensemble *e = qi_create_ensemble(3, NULL);

    if (e == NULL || qi_set_principal_inertias(e, moments, 0, 1) != QI_OK || qi_set_angular_velocities(e, spin, 0, 1) != QI_OK
        || qi_set_points(e, 6, bodies, arms, 3, 1) != QI_OK || qi_drift_ensemble(e, 0.5) != QI_OK
        || qi_get_point_positions(e, centres, 3, 1, x, 3, 1) != QI_OK
        || qi_get_point_velocities(e, 0, NULL, 0, 0, v, 3, 1) != QI_OK) {
        fprintf(stderr, "%s\n", qi_last_error());
        return 1;
    }
    for (int p = 0; p < 6; p++)
        for (int c = 0; c < 3; c++) f[3 * p + c] = -x[3 * p + c] - 0.1 * v[3 * p + c]; /* to the origin, with a damper */
    if (qi_sum_point_forces(e, f, 3, 1, force, 3, 1, torque, 3, 1) != QI_OK
        || qi_kick_ensemble(e, 0.01, torque, 3, 1, QI_FRAME_WORLD) != QI_OK) {
        fprintf(stderr, "%s\n", qi_last_error());
        return 1;
    }
    for (int i = 0; i < 3; i++)
        printf("force %6.3f %6.3f %6.3f   torque %6.3f %6.3f %6.3f\n", force[3 * i], force[3 * i + 1], force[3 * i + 2],
               torque[3 * i], torque[3 * i + 1], torque[3 * i + 2]);
    qi_destroy_ensemble(e);
    return 0;
}

/* It prints:
force  0.000  0.000  0.000   torque  0.000 -0.010 -0.050
force -4.000  0.000  0.000   torque  0.003 -0.005 -0.050
force  0.000 -4.000  0.000   torque  0.006 -0.008 -0.000
*/
