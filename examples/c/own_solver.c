/* own_solver.c: a Runge-Kutta method of your own takes the accelerations of a top from the library. */
/* What to pass and what to take: docs/solutions.md. */
#include <math.h>
#include <quatint.h>
#include <stdio.h>

/* The rates of y = (q, omega), both in the world; q has any length. */
static int rates(qi_body *top, double t, const double y[7], double d[7])
{
    const double *w = y + 4, length = sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + y[3] * y[3]);
    const double q[4] = {y[0] / length, y[1] / length, y[2] / length, y[3] / length}; /* what the body is given */
    if (qi_set_time(top, t) != QI_OK || qi_set_state(top, q, w) != QI_OK || qi_get_angular_acceleration(top, d + 4) != QI_OK)
        return 0;
    d[0] = (-w[0] * y[1] - w[1] * y[2] - w[2] * y[3]) / 2; /* dq/dt = (0, omega) q / 2, with q as it is */
    d[1] = (w[0] * y[0] + w[1] * y[3] - w[2] * y[2]) / 2;
    d[2] = (w[1] * y[0] + w[2] * y[1] - w[0] * y[3]) / 2;
    d[3] = (w[2] * y[0] + w[0] * y[2] - w[1] * y[1]) / 2;
    return 1;
}

static int step(qi_body *top, double t, double h, double y[7])
{
    static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0};
    double k[7] = {0}, here[7], end[7];
    for (int i = 0; i < 7; i++) end[i] = y[i];
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < 7; i++) here[i] = y[i] + h * at[stage] * k[i];
        if (!rates(top, t + h * at[stage], here, k)) return 0;
        for (int i = 0; i < 7; i++) end[i] += h * weight[stage] * k[i];
    }
    for (int i = 0; i < 7; i++) y[i] = end[i];
    return 1;
}

int main(void)
{
    const double inertia[9] = {1, 0, 0, 0, 1.5, 0, 0, 0, 0.7}, arm[3] = {0, 0, 1}, weight[3] = {0, 0, -1};
    const double q[4] = {0.8, 0.6, 0, 0}, omega[3] = {0.4, -3, 4};
    double exact[4], error;
    qi_body *top = qi_create_body(inertia, q, omega, NULL);
    if (top == NULL || qi_set_uniform_field_torque(top, arm, weight) != QI_OK || qi_solve(top, 10, 1e-13, NULL) != QI_OK
        || qi_get_orientation(top, exact) != QI_OK)
        return fprintf(stderr, "%s\n", qi_last_error()), 1;
    for (int steps = 100; steps <= 1600; steps *= 4) {
        double y[7] = {q[0], q[1], q[2], q[3], omega[0], omega[1], omega[2]};
        for (int i = 0; i < steps; i++)
            if (!step(top, i * 10.0 / steps, 10.0 / steps, y)) return fprintf(stderr, "%s\n", qi_last_error()), 1;
        const double length = sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + y[3] * y[3]);
        const double end[4] = {y[0] / length, y[1] / length, y[2] / length, y[3] / length};
        if (qi_orientation_angle(end, exact, &error) != QI_OK) return 1;
        printf("%4d steps: error %.0e rad, length of q - 1: %+.0e\n", steps, error, length - 1);
    }
    qi_destroy_body(top);
    return 0;
}

/* It prints:
 100 steps: error 5e-02 rad, length of q - 1: -3e-04
 400 steps: error 7e-05 rad, length of q - 1: -2e-07
1600 steps: error 1e-07 rad, length of q - 1: -2e-12
*/
