/* locks.c: a square plate that cannot spin about its normal; then its panels fold. */
/* See docs/inertia.md. */
#include <quatint.h>
#include <stdio.h>

int main(void)
{
    const double open[9] = {2, 0, 0, 0, 2, 0, 0, 0, 4}, folded[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3};
    const double spin[3] = {0.3, 0.4, 0.5}, torque[3] = {0.1, 0, 1};
    double omega[3], momentum[3];
    qi_body *plate = qi_create_body(open, NULL, spin, NULL);

    if (plate == NULL || qi_set_locked_axes(plate, QI_AXIS_Z) != QI_OK || qi_kick(plate, 2, torque, QI_FRAME_BODY) != QI_OK
        || qi_get_angular_velocity_body(plate, omega) != QI_OK) {
        fprintf(stderr, "%s\n", qi_last_error());
        return 1;
    }
    printf("locked: %.3f %.3f %.3f rad/s\n", omega[0], omega[1], omega[2]);
    if (qi_set_inertia(plate, folded, QI_KEEP_ANGULAR_MOMENTUM) != QI_OK || qi_get_angular_velocity_body(plate, omega) != QI_OK
        || qi_get_angular_momentum(plate, momentum) != QI_OK) {
        fprintf(stderr, "%s\n", qi_last_error());
        return 1;
    }
    printf("folded: %.3f %.3f %.3f rad/s, momentum %.3f %.3f %.3f\n", omega[0], omega[1], omega[2], momentum[0], momentum[1],
           momentum[2]);
    qi_destroy_body(plate);
    return 0;
}

/* It prints:
locked: 0.400 0.400 0.000 rad/s
folded: 0.800 0.400 0.000 rad/s, momentum 0.800 0.800 0.000
*/
