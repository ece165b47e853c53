/* by_hand.h: PCDM as a physicist would write it in C in an afternoon. This is the reference for the speed of quatint.
 *
 * It is scalar, with one struct per body, sin and cos from libm, and the angular velocity in the world frame, as is
 * usual in simulation codes. It avoids the two common errors in descriptions of the method. Compiled with gcc -O3
 * -march=native.
 */
#ifndef BY_HAND_H
#define BY_HAND_H

#include <math.h>
#include <stdint.h>

typedef struct {
    double q[4];       /* w, x, y, z, body to world */
    double omega[3];   /* world */
    double inertia[3]; /* principal moments */
} hand_body;

typedef int32_t (*hand_torque)(double time, const double *q, const double *omega, double *torque, void *user_data);

static inline void hand_product(const double *a, const double *b, double *c)
{
    const double w = a[0]*b[0] - a[1]*b[1] - a[2]*b[2] - a[3]*b[3];
    const double x = a[0]*b[1] + a[1]*b[0] + a[2]*b[3] - a[3]*b[2];
    const double y = a[0]*b[2] - a[1]*b[3] + a[2]*b[0] + a[3]*b[1];
    const double z = a[0]*b[3] + a[1]*b[2] - a[2]*b[1] + a[3]*b[0];
    c[0] = w; c[1] = x; c[2] = y; c[3] = z;
}

static inline void hand_to_world(const double *q, const double *v, double *out)
{
    const double tx = 2*(q[2]*v[2] - q[3]*v[1]), ty = 2*(q[3]*v[0] - q[1]*v[2]), tz = 2*(q[1]*v[1] - q[2]*v[0]);
    const double x = v[0] + q[0]*tx + q[2]*tz - q[3]*ty;
    const double y = v[1] + q[0]*ty + q[3]*tx - q[1]*tz;
    const double z = v[2] + q[0]*tz + q[1]*ty - q[2]*tx;
    out[0] = x; out[1] = y; out[2] = z;
}

static inline void hand_to_body(const double *q, const double *v, double *out)
{
    const double inverse[4] = {q[0], -q[1], -q[2], -q[3]};
    hand_to_world(inverse, v, out);
}

/* The quaternion of the rotation by omega h. */
static inline void hand_exp(const double *omega, double h, double *q)
{
    const double norm = sqrt(omega[0]*omega[0] + omega[1]*omega[1] + omega[2]*omega[2]);
    const double s = norm > 0 ? sin(0.5*h*norm) / norm : 0.5*h;
    q[0] = cos(0.5*h*norm); q[1] = s*omega[0]; q[2] = s*omega[1]; q[3] = s*omega[2];
}

static inline void hand_acceleration(const double *I, const double *w, const double *t, double *a)
{
    a[0] = (t[0] + (I[1] - I[2])*w[1]*w[2]) / I[0];
    a[1] = (t[1] + (I[2] - I[0])*w[2]*w[0]) / I[1];
    a[2] = (t[2] + (I[0] - I[1])*w[0]*w[1]) / I[2];
}

/* Takes one step. If torque is NULL, the body is free. */
static inline int32_t hand_step(hand_body *b, double time, double h, hand_torque torque, void *user_data)
{
    double w0[3], t[3] = {0, 0, 0}, a[3], quarter[3], half[3], turned[4], q_half[4], v[3];

    hand_to_body(b->q, b->omega, w0);
    if (torque) {
        const int32_t status = torque(time, b->q, b->omega, t, user_data);
        if (status) return status;
        hand_to_body(b->q, t, t);
    }
    hand_acceleration(b->inertia, w0, t, a);
    for (int i = 0; i < 3; i++) {
        quarter[i] = w0[i] + 0.25*h*a[i];
        half[i] = w0[i] + 0.5*h*a[i];
    }
    hand_to_world(b->q, quarter, v);
    hand_exp(v, 0.5*h, turned);
    hand_product(turned, b->q, q_half);

    hand_to_world(q_half, half, v);
    t[0] = t[1] = t[2] = 0;
    if (torque) {
        const int32_t status = torque(time + 0.5*h, q_half, v, t, user_data);
        if (status) return status;
        hand_to_body(q_half, t, t);
    }
    hand_acceleration(b->inertia, half, t, a);
    hand_exp(v, h, turned);
    hand_product(turned, b->q, b->q);
    for (int i = 0; i < 3; i++) w0[i] += h*a[i];
    hand_to_world(b->q, w0, b->omega);
    return 0;
}

/* The torque of the benchmarks: the weight of a heavy top, (R e3) x (0, 0, -1). */
static inline int32_t weight(double time, const double *q, const double *omega, double *torque, void *user_data)
{
    (void)time; (void)omega; (void)user_data;
    torque[0] = -2*(q[2]*q[3] - q[0]*q[1]);
    torque[1] = 2*(q[1]*q[3] + q[0]*q[2]);
    torque[2] = 0;
    return 0;
}

#endif
