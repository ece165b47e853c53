/* sampled.c: a controller commands a torque once a second, and the callback reads the command. */
/* `qi_forget_torque` tells the method of each new command: docs/torques.md. */
#include <quatint.h>
#include <stdio.h>

static const double INERTIA[9] = {4, 0.3, -0.2, 0.3, 6, 0.1, -0.2, 0.1, 5}; /* kg m^2 */
static const double START[4] = {0.5, -0.5, 0.5, 0.5}, SPIN[3] = {0.05, -0.03, 0.04};

static int32_t commanded(double time, const double *q, const double *omega, double *torque, void *command)
{
    (void)time, (void)omega;
    return qi_rotate(q, command, torque) == QI_OK ? 0 : 1; /* the command is in the body frame */
}

/* The orientation after 30 samples; of `steps` steps, or with error control. */
static int fly(int steps, int forgets, double *q)
{
    double command[3] = {0, 0, 0}, off[3], omega[3];
    qi_body *satellite = qi_create_body(INERTIA, START, SPIN, NULL);
    int good = satellite != NULL && qi_set_torque(satellite, commanded, command) == QI_OK
        && qi_set_method(satellite, QI_METHOD_SPLITTING_4) == QI_OK;
    for (int sample = 1; good && sample <= 30; sample++) {
        good = qi_get_orientation(satellite, q) == QI_OK && qi_orientation_to_rotation_vector(q, off) == QI_OK
            && qi_get_angular_velocity_body(satellite, omega) == QI_OK;
        for (int i = 0; i < 3; i++) command[i] = -0.5 * off[i] - 2 * omega[i];
        if (good && forgets) good = qi_forget_torque(satellite) == QI_OK;
        if (good && steps == 0) good = qi_solve(satellite, sample, 1e-13, NULL) == QI_OK;
        if (good && steps > 0) good = qi_advance(satellite, 1.0 / steps, (uint64_t)steps, NULL) == QI_OK;
    }
    good = good && qi_get_orientation(satellite, q) == QI_OK;
    qi_destroy_body(satellite);
    return good;
}

int main(void)
{
    double exact[4], q[4], error[2];
    if (!fly(0, 0, exact)) return 1;
    printf("steps a second   error with qi_forget_torque   without, rad\n");
    for (int steps = 1; steps <= 4; steps *= 2) {
        for (int forgets = 0; forgets < 2; forgets++)
            if (!fly(steps, forgets, q) || qi_orientation_angle(q, exact, &error[forgets]) != QI_OK) return 1;
        printf("%14d   %29.0e   %12.0e\n", steps, error[1], error[0]);
    }
    return 0;
}

/* It prints:
steps a second   error with qi_forget_torque   without, rad
             1                           9e-11          2e-03
             2                           5e-12          9e-04
             4                           3e-13          4e-04
*/
