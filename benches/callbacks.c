/* callbacks.c: the cost of a torque written in C++ or Fortran, compared with the same torque in C.
 *
 * The benchmark takes steps of the heavy top of one_body.c, with two torque calls a step, and of an ensemble of such
 * tops, with torques in chunks of columns. Each language has a file with functions that make the objects and functions
 * that take the steps.
 */
#include "measure.h"
#include "by_hand.h"
#include <quatint.h>

enum { STEPS = 20000, COUNT = 4096, ENSEMBLE_STEPS = 50, BOUND_COUNT = 100000, BOUND_STEPS = 4 };
static const double H = 1e-3;
static const double INERTIA[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3}, OMEGA[3] = {1, 1, 1};

static int32_t weights(double time, size_t first, size_t n, const double *q, const double *omega, double *torque, void *user_data)
{
    (void)time; (void)first; (void)omega; (void)user_data;
    for (size_t i = 0; i < n; i++) {
        torque[i] = -2*(q[2*n + i]*q[3*n + i] - q[i]*q[n + i]);
        torque[n + i] = 2*(q[n + i]*q[3*n + i] + q[i]*q[2*n + i]);
        torque[2*n + i] = 0;
    }
    return 0;
}

static void *c_make(void)
{
    qi_body *body = qi_create_body(INERTIA, NULL, OMEGA, NULL);
    if (body == NULL || qi_set_torque(body, weight, NULL) != QI_OK) abort();
    return body;
}

static void c_run(void *body)
{
    for (int i = 0; i < STEPS; i++)
        if (qi_step((qi_body *)body, H) != QI_OK) abort();
}

static void *c_ensemble_make(void)
{
    qi_ensemble *e = qi_create_ensemble(COUNT, NULL);
    if (e == NULL || qi_set_inertias(e, INERTIA, 0) != QI_OK || qi_set_angular_velocities(e, OMEGA, 0, 1) != QI_OK
        || qi_set_ensemble_torque(e, weights, QI_LAYOUT_SOA, QI_FRAME_WORLD, NULL) != QI_OK)
        abort();
    return e;
}

static void c_ensemble_run(void *e)
{
    for (int i = 0; i < ENSEMBLE_STEPS; i++)
        if (qi_step_ensemble((qi_ensemble *)e, H) != QI_OK) abort();
}

/* Many bodies in the caller's q(4,n) and omega(3,n), with a callback in rows. */
typedef struct {
    qi_ensemble *ensemble;
    double q[4*BOUND_COUNT], omega[3*BOUND_COUNT];
} bound;

static int32_t weights_in_rows(double time, size_t first, size_t n, const double *q, const double *omega, double *torque,
                               void *user_data)
{
    (void)first;
    for (size_t i = 0; i < n; i++) weight(time, q + 4*i, omega + 3*i, torque + 3*i, user_data);
    return 0;
}

static void *c_bound_make(void)
{
    bound *b = (bound *)calloc(1, sizeof *b);
    if (b == NULL || (b->ensemble = qi_create_ensemble(BOUND_COUNT, NULL)) == NULL) abort();
    for (size_t i = 0; i < BOUND_COUNT; i++) {
        b->q[4*i] = 1;
        for (int c = 0; c < 3; c++) b->omega[3*i + c] = OMEGA[c];
    }
    if (qi_set_inertias(b->ensemble, INERTIA, 0) != QI_OK
        || qi_bind_orientations(b->ensemble, b->q, 4, 1, QI_SCALAR_FIRST) != QI_OK
        || qi_bind_angular_velocities(b->ensemble, b->omega, 3, 1, QI_OMEGA_WORLD) != QI_OK
        || qi_set_ensemble_torque(b->ensemble, weights_in_rows, QI_LAYOUT_AOS, QI_FRAME_WORLD, NULL) != QI_OK)
        abort();
    return b;
}

static void c_bound_run(void *context)
{
    for (int i = 0; i < BOUND_STEPS; i++)
        if (qi_step_ensemble(((bound *)context)->ensemble, H) != QI_OK) abort();
}

extern void *cpp_make(void), *cpp_ensemble_make(void), *cpp_each_make(void);
extern void cpp_run(void *body), cpp_ensemble_run(void *ensemble);
extern void *fortran_make(void), *fortran_ensemble_make(void), *fortran_bound_make(void);
extern void fortran_run(void *body), fortran_ensemble_run(void *ensemble), fortran_bound_run(void *ensemble);

int main(void)
{
    const double body_steps = (double)COUNT * ENSEMBLE_STEPS;
    const contender one_body[] = {
        {"C callback", c_run, c_make(), STEPS},
        {"C++ lambda", cpp_run, cpp_make(), STEPS},
        {"Fortran procedure", fortran_run, fortran_make(), STEPS},
    };
    const contender ensemble[] = {
        {"C callback, columns", c_ensemble_run, c_ensemble_make(), body_steps},
        {"C++ lambda, columns", cpp_ensemble_run, cpp_ensemble_make(), body_steps},
        {"C++ lambda, body by body", cpp_ensemble_run, cpp_each_make(), body_steps},
        {"Fortran procedure, columns", fortran_ensemble_run, fortran_ensemble_make(), body_steps},
    };
    const contender in_place[] = {
        {"C callback, rows", c_bound_run, c_bound_make(), (double)BOUND_COUNT * BOUND_STEPS},
        {"Fortran procedure, rows", fortran_bound_run, fortran_bound_make(), (double)BOUND_COUNT * BOUND_STEPS},
    };
    printf("Torque callbacks, ns per body and step; medians of %d interleaved rounds. quatint %s\n", MEASURE_ROUNDS,
           qi_version_string());
    measure("heavy top, step", one_body, sizeof one_body / sizeof *one_body);
    measure("4096 heavy tops, step", ensemble, sizeof ensemble / sizeof *ensemble);
    measure("100000 heavy tops in q(4,n), omega(3,n), step", in_place, sizeof in_place / sizeof *in_place);
    return 0;
}
