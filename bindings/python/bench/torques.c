/* torques.c: what `make bench-python` measures in C: the weight of a heavy top as a callback, and loops over steps.
 *
 * bench.py calls these functions by ctypes, once a round each, beside their counterparts in Python.
 */
#include <quatint.h>
#include <stdlib.h>

enum { READY, ROWS, COLUMNS, NONE };

static int32_t weight(double time, const double *q, const double *omega, double *torque, void *user_data)
{
    (void)time; (void)omega; (void)user_data;
    torque[0] = -2*(q[2]*q[3] - q[0]*q[1]);
    torque[1] = 2*(q[1]*q[3] + q[0]*q[2]);
    return 0;
}

/* The same for `quatint.compiled`: a function that others see is not inlined here. */
int32_t weight_on_one(double time, const double *q, const double *omega, double *torque, void *user_data)
{
    return weight(time, q, omega, torque, user_data);
}

static int32_t weights_in_rows(double time, size_t first, size_t n, const double *q, const double *omega, double *torque,
                               void *user_data)
{
    (void)first;
    for (size_t i = 0; i < n; i++) weight(time, q + 4*i, omega + 3*i, torque + 3*i, user_data);
    return 0;
}

static int32_t weights_in_columns(double time, size_t first, size_t n, const double *restrict q, const double *omega,
                                  double *restrict torque, void *user_data)
{
    (void)time; (void)first; (void)omega; (void)user_data;
    for (size_t i = 0; i < n; i++) {
        torque[i] = -2*(q[2*n + i]*q[3*n + i] - q[i]*q[n + i]);
        torque[n + i] = 2*(q[n + i]*q[3*n + i] + q[i]*q[2*n + i]);
    }
    return 0;
}

static const double INERTIA[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3}, ARM[3] = {0, 0, 1}, FORCE[3] = {0, 0, -1};

static void check(qi_status status)
{
    if (status != QI_OK) abort();
}

qi_body *new_body(const double *omega)
{
    qi_body *body = qi_create_body(INERTIA, NULL, omega, NULL);
    if (body == NULL) abort();
    check(qi_set_torque(body, weight, NULL));
    return body;
}

void advance_body(qi_body *body, double dt, size_t steps)
{
    check(qi_advance(body, dt, steps, NULL));
}

qi_ensemble *new_ensemble(size_t count, const double *q, const double *omega, int torque)
{
    qi_ensemble *e = qi_create_ensemble(count, NULL);
    if (e == NULL) abort();
    check(qi_set_inertias(e, INERTIA, 0));
    check(qi_set_orientations(e, q, 4, 1));
    check(qi_set_angular_velocities(e, omega, 3, 1));
    if (torque == READY) check(qi_set_ensemble_uniform_field_torque(e, ARM, 0, FORCE));
    if (torque == ROWS) check(qi_set_ensemble_torque(e, weights_in_rows, QI_LAYOUT_AOS, QI_FRAME_WORLD, NULL));
    if (torque == COLUMNS) check(qi_set_ensemble_torque(e, weights_in_columns, QI_LAYOUT_SOA, QI_FRAME_WORLD, NULL));
    return e;
}

void step_ensemble(qi_ensemble *e, double dt, size_t steps)
{
    for (size_t i = 0; i < steps; i++) check(qi_step_ensemble(e, dt));
}

/* The stage protocol with the torques left as they are: what a program pays besides its torques. */
void run_stages(qi_ensemble *e, double dt, size_t steps, int layout, double *q, double *omega, const double *torque)
{
    double time;
    check(qi_set_ensemble_stage_layout(e, layout));
    check(qi_begin_ensemble_steps(e, dt, steps));
    qi_status status = qi_next_ensemble_stage(e, &time, q, omega);
    while (status == QI_NEED_TORQUE) status = qi_continue_ensemble_step(e, torque, &time, q, omega);
    check(status);
}
