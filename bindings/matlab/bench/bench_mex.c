/* bench_mex.c: the torques of bench.m as C callbacks in columns.
 *
 *     seconds = bench_mex(torque, count, steps, dt)     torque: 1: the weight of a top, 2: a compass needle
 */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <mex.h>
#include <quatint.h>
#include <time.h>

static int32_t weight(double time, size_t first, size_t n, const double *q, const double *omega, double *torque, void *unused)
{
    (void)time, (void)first, (void)omega, (void)unused;
    for (size_t i = 0; i < n; i++) {
        torque[i] = -2*(q[2*n + i]*q[3*n + i] - q[i]*q[n + i]);
        torque[n + i] = 2*(q[n + i]*q[3*n + i] + q[i]*q[2*n + i]);
        torque[2*n + i] = 0;
    }
    return 0;
}

static int32_t compass(double time, size_t first, size_t n, const double *q, const double *omega, double *torque, void *unused)
{
    const double x = cos(time), y = sin(time);
    (void)first, (void)unused;
    for (size_t i = 0; i < n; i++) {
        const double qw = q[i], qx = q[n + i], qy = q[2*n + i], qz = q[3*n + i];
        const double mx = 1 - 2*(qy*qy + qz*qz), my = 2*(qx*qy + qw*qz), mz = 2*(qx*qz - qw*qy);
        torque[i] = -mz*y - 0.1*omega[i];
        torque[n + i] = mz*x - 0.1*omega[n + i];
        torque[2*n + i] = mx*y - my*x - 0.1*omega[2*n + i];
    }
    return 0;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9*(double)t.tv_nsec;
}

void mexFunction(int outputs, mxArray *out[], int inputs, const mxArray *in[])
{
    const qi_ensemble_torque_fn torque = mxGetScalar(in[0]) == 1 ? weight : compass;
    const double inertia[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3}, omega[3] = {1, 1, 1}, dt = mxGetScalar(in[3]);
    qi_ensemble *e = qi_create_ensemble((size_t)mxGetScalar(in[1]), NULL);
    (void)outputs, (void)inputs;
    if (e == NULL || qi_set_inertias(e, inertia, 0) != QI_OK || qi_set_angular_velocities(e, omega, 0, 1) != QI_OK
        || qi_set_ensemble_torque(e, torque, QI_LAYOUT_SOA, QI_FRAME_WORLD, NULL) != QI_OK || qi_step_ensemble(e, dt) != QI_OK)
        mexErrMsgIdAndTxt("bench:failed", "%s", qi_last_error());
    const double start = now();
    const qi_status status = qi_advance_ensemble(e, dt, (uint64_t)mxGetScalar(in[2]), NULL);
    out[0] = mxCreateDoubleScalar(now() - start);
    qi_destroy_ensemble(e);
    if (status != QI_OK) mexErrMsgIdAndTxt("bench:failed", "%s", qi_last_error());
}
