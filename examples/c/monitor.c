/* monitor.c: the steps of a solution, which a monitor ends: here after 50 of them, elsewhere after some seconds. */
/* A monitor is called after the steps. It can keep the states there, or end the solution. */
#include <quatint.h>
#include <stdio.h>

enum { MOST = 50 };
typedef struct { double times[MOST]; int count; } seen;

static int32_t watch(double time, const double *orientation, const double *angular_velocity, void *user_data)
{
    seen *s = user_data;
    (void)orientation, (void)angular_velocity;
    s->times[s->count++] = time;
    return s->count == MOST; /* other than 0: the solution ends */
}

int main(void)
{
    const double inertia[9] = {1, 0, 0, 0, 1.5, 0, 0, 0, 0.7}, q[4] = {0.6, 0.8, 0, 0}, omega[3] = {0.3, 0.1, 5};
    const double e3[3] = {0, 0, 1}, weight[3] = {0, 0, -1}, end = 10;
    double time;
    seen s = {.count = 0};
    qi_body *top = qi_create_body(inertia, q, omega, NULL);
    if (top == NULL || qi_set_uniform_field_torque(top, e3, weight) != QI_OK) return fprintf(stderr, "%s\n", qi_last_error()), 1;
    const qi_status status = qi_solve_monitored(top, &end, 1, 1e-9, NULL, NULL, 1, watch, &s);
    printf("after %d steps t = %.6f; %s\n", s.count, s.times[s.count - 1], status == QI_ERR_CALLBACK ? "stopped" : "not stopped");
    if (qi_solve(top, end, 1e-9, NULL) != QI_OK || qi_get_time(top, &time) != QI_OK) return fprintf(stderr, "%s\n", qi_last_error()), 1;
    printf("gone on to t = %g\n", time);
    qi_destroy_body(top);
    return 0;
}

/* It prints:
after 50 steps t = 4.014903; stopped
gone on to t = 10
*/
