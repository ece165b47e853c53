/* solution.c: a top is released at rest and nods. Its period, its path and its momentum, to a given accuracy. */
/* See docs/solutions.md. */
#include <math.h>
#include <quatint.h>
#include <stdio.h>

static const double E3[3] = {0, 0, 1}, WEIGHT[3] = {0, 0, -1};

static int32_t weight(double time, const double *q, const double *omega, double *torque, void *user_data)
{
    (void)time, (void)omega, (void)user_data;
    return qi_add_uniform_field_torque(q, E3, WEIGHT, torque); /* helpers like this one add to the torque */
}

/* how fast the axis rises: zero at the top and at the bottom of the nod */
static double rise(double time, const double *q, const double *omega, void *user_data)
{
    double axis[3];
    (void)time, (void)user_data;
    if (qi_rotate(q, E3, axis) != QI_OK) return NAN; /* an error: the solution stops */
    return omega[0]*axis[1] - omega[1]*axis[0];
}

int main(void)
{
    const double inertia[9] = {1, 0, 0, 0, 1, 0, 0, 0, 0.5}, x[3] = {1, 0, 0}, spin_body[3] = {0, 0, 8};
    double q[4], omega[3], start[3], end[3], time, times[5], rows[5][8];
    uint64_t evaluations, accepted, rejected;
    size_t written;
    qi_orientation_from_axis_angle(x, 1, q);
    qi_rotate(q, spin_body, omega);
    qi_body *top = qi_create_body(inertia, q, omega, NULL);
    if (top == NULL || qi_set_torque(top, weight, NULL) != QI_OK) return fprintf(stderr, "%s\n", qi_last_error()), 1;
    qi_get_angular_momentum(top, start);

    /* to the next time at which the axis stops rising */
    if (qi_solve_until(top, 10, 1e-12, rise, QI_FALLING, NULL) != QI_EVENT) return fprintf(stderr, "%s\n", qi_last_error()), 1;
    qi_get_time(top, &time);
    printf("it is back after %.10f s (exact: 1.6708527914)\n", time);

    /* the next nod, at five times */
    for (int i = 0; i < 5; i++) times[i] = time + 0.25 * i * time;
    if (qi_solve_record(top, times, 5, 1e-9, rows[0], &written) != QI_OK) return fprintf(stderr, "%s\n", qi_last_error()), 1;
    for (size_t i = 0; i < written; i++) {
        const double *row = rows[i]; /* time, w, x, y, z, omega */
        printf("at %.4f s it leans by %.6f rad\n", row[0], acos(1 - 2*(row[2]*row[2] + row[3]*row[3])));
    }
    qi_get_solve_statistics(top, &evaluations, &accepted, &rejected);
    printf("that took fewer than 500 torque evaluations: %s\n", evaluations < 500 ? "yes" : "no");

    /* a minute more; the weight has no moment about the vertical */
    if (qi_solve(top, 60, 1e-9, NULL) != QI_OK) return fprintf(stderr, "%s\n", qi_last_error()), 1;
    qi_get_angular_momentum(top, end);
    printf("the vertical angular momentum has changed by less than 1e-6: %s\n", fabs(end[2] - start[2]) < 1e-6 ? "yes" : "no");
    qi_destroy_body(top);
    return 0;
}

/* It prints:
it is back after 1.6708527914 s (exact: 1.6708527914)
at 1.6709 s it leans by 1.000000 rad
at 2.0886 s it leans by 1.058648 rad
at 2.5063 s it leans by 1.115820 rad
at 2.9240 s it leans by 1.058648 rad
at 3.3417 s it leans by 1.000000 rad
that took fewer than 500 torque evaluations: yes
the vertical angular momentum has changed by less than 1e-6: yes
*/
