/* heavy_top.c: a leaning, spinning top; the torque comes from a callback.
 *
 * A top with a fixed point. Its centre of mass is on its axis (body z); weight times arm is 1. It precesses and nutates for
 * five seconds. The last lines are the 64 bits of each number of the final state: the same program in other languages
 * prints the same bits.
 */
#include <inttypes.h>
#include <math.h>
#include <quatint.h>
#include <stdio.h>
#include <string.h>

static const double AXIS[3] = {0, 0, 1};

/* torque of the weight (0, 0, -1) at the centre of mass: arm x weight, world frame */
static int32_t weight(double time, const double *q, const double *omega, double *torque, void *user_data)
{
    double arm[3];
    (void)time, (void)omega, (void)user_data;
    if (qi_rotate(q, AXIS, arm) != QI_OK) return 1;
    torque[0] = -arm[1];
    torque[1] = arm[0];
    torque[2] = 0;
    return 0;
}

static void print_bits(const char *name, const double *numbers, int count)
{
    printf("%-17s", name);
    for (int i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        printf(" %016" PRIx64, bits);
    }
    printf("\n");
}

int main(void)
{
    const double inertia[9] = {1, 0, 0, 0, 1, 0, 0, 0, 0.5}; /* about the fixed point */
    const double x[3] = {1, 0, 0}, spin_body[3] = {0, 0, 20};
    double q[4], omega[3];

    qi_orientation_from_axis_angle(x, 0.3, q); /* leans by 0.3 rad */
    qi_rotate(q, spin_body, omega);            /* spins about its own axis; rotated to the world frame */

    qi_body *top = qi_create_body(inertia, q, omega, NULL);
    if (top == NULL || qi_set_torque(top, weight, NULL) != QI_OK || qi_advance(top, 1e-3, 5000, NULL) != QI_OK) {
        fprintf(stderr, "%s\n", qi_last_error());
        return 1;
    }
    qi_get_orientation(top, q);
    qi_get_angular_velocity(top, omega);
    qi_destroy_body(top);

    printf("after 5 s it leans by %.4f rad\n", acos(1 - 2*(q[1]*q[1] + q[2]*q[2])));
    print_bits("orientation", q, 4);
    print_bits("angular velocity", omega, 3);
    return 0;
}
