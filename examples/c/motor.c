/* motor.c: a motor burns from 1 s to 3 s. Its torque asks the time, or a flag that the program sets. */
/* A flag of the program decides, not a comparison of the time: docs/torques.md. */
#include <quatint.h>
#include <stdio.h>

static const double INERTIA[9] = {4, 0.3, -0.2, 0.3, 6, 0.1, -0.2, 0.1, 5}, SPIN[3] = {0.1, 0.2, 0}; /* kg m^2, rad/s */
struct motor { int has_flag, burns; long asked; };

static int32_t thrust(double time, const double *q, const double *omega, double *torque, void *data)
{
    struct motor *motor = data;
    const double on[3] = {8, 1, 0}, off[3] = {0, 0, 0}; /* N m, in the body */
    (void)omega, motor->asked++;
    return qi_add_body_torque(q, (motor->has_flag ? motor->burns : 1 <= time && time < 3) ? on : off, torque);
}

/* The orientation after 5 s; by steps or, if dt is 0, with error control. Calls end where the torque jumps. */
static long fly(int has_flag, double dt, double tolerance, double *q)
{
    static const double ends[3] = {1, 3, 5}; /* s */
    struct motor motor = {has_flag, 0, 0};
    qi_body *ship = qi_create_body(INERTIA, NULL, SPIN, NULL);
    int good = ship != NULL && qi_set_torque(ship, thrust, &motor) == QI_OK
        && qi_set_method(ship, QI_METHOD_SPLITTING) == QI_OK;
    for (int part = 0; good && part < 3; part++) {
        double start;
        motor.burns = part == 1;
        good = qi_forget_torque(ship) == QI_OK && qi_get_time(ship, &start) == QI_OK;
        if (good && dt > 0) good = qi_advance(ship, dt, (uint64_t)((ends[part] - start) / dt + 0.5), NULL) == QI_OK;
        if (good && dt == 0) good = qi_solve(ship, ends[part], tolerance, NULL) == QI_OK;
    }
    good = good && qi_get_orientation(ship, q) == QI_OK;
    qi_destroy_body(ship);
    return good ? motor.asked : 0;
}

int main(void)
{
    double exact[4], q[4], error;
    if (!fly(1, 0, 1e-13, exact)) return 1;
    printf("                      evaluations   error, rad\n");
    for (int has_flag = 0; has_flag < 2; has_flag++)
        for (int solves = 0; solves < 2; solves++) {
            const long asked = fly(has_flag, solves ? 0 : 0.05, 1e-9, q);
            if (!asked || qi_orientation_angle(q, exact, &error) != QI_OK) return 1;
            printf("%s, %-14s %12ld   %10.0e\n", has_flag ? "flag" : "time", solves ? "qi_solve 1e-9" : "steps of 0.05", asked, error);
        }
    return 0;
}

/* It prints:
                      evaluations   error, rad
time, steps of 0.05           103        1e-01
time, qi_solve 1e-9          2055        6e-09
flag, steps of 0.05           103        2e-04
flag, qi_solve 1e-9           363        1e-11
*/
