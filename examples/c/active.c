/* active.c: of six particles only the odd ones rotate. */
/* `first` is a position in the list: docs/ensembles.md. */
#include <quatint.h>
#include <stdio.h>

static int32_t torques(double time, size_t first, size_t count, const double *q, const double *omega, double *torque,
                       void *user_data)
{
    const size_t *list = (const size_t *)user_data;
    (void)time, (void)q, (void)omega;
    for (size_t i = 0; i < count; i++) torque[3*i + 2] = 0.1 * (double)list[first + i]; /* list[...]: index of the particle */
    return 0;
}

int main(void)
{
    const size_t list[3] = {1, 3, 5};
    double omega[6][3];
    qi_ensemble *e = qi_create_ensemble(6, NULL); /* unit inertia, at rest */
    if (e == NULL || qi_set_ensemble_active(e, list, 3) != QI_OK
        || qi_set_ensemble_torque(e, torques, QI_LAYOUT_AOS, QI_FRAME_WORLD, (void *)list) != QI_OK
        || qi_advance_ensemble(e, 0.01, 100, NULL) != QI_OK || qi_get_angular_velocities(e, omega[0], 3, 1) != QI_OK)
        return fprintf(stderr, "%s\n", qi_last_error()), 1;
    for (int i = 0; i < 6; i++) printf("particle %d: %.3f rad/s\n", i, omega[i][2]);
    qi_destroy_ensemble(e);
    return 0;
}

/* It prints:
particle 0: 0.000 rad/s
particle 1: 0.100 rad/s
particle 2: 0.000 rad/s
particle 3: 0.300 rad/s
particle 4: 0.000 rad/s
particle 5: 0.500 rad/s
*/
