/* richardson.h: the rotation of LAMMPS' fix nve/asphere by hand: MathExtra::richardson, from its formula.
 *
 * The angular momentum is constant during the step, in the world frame. The orientation takes a whole and two half Euler steps of
 * q' = omega q / 2, each normalised; the end is twice the second result minus the first, normalised. Order 2.
 */
#ifndef RICHARDSON_H
#define RICHARDSON_H

#include <math.h>

/* columns: the body axes in the world frame */
static inline void matrix_of(const double *q, double m[3][3])
{
    const double ww = q[0]*q[0], xx = q[1]*q[1], yy = q[2]*q[2], zz = q[3]*q[3];
    const double xy = 2*q[1]*q[2], xz = 2*q[1]*q[3], yz = 2*q[2]*q[3], wx = 2*q[0]*q[1], wy = 2*q[0]*q[2], wz = 2*q[0]*q[3];
    m[0][0] = ww + xx - yy - zz, m[0][1] = xy - wz, m[0][2] = xz + wy;
    m[1][0] = xy + wz, m[1][1] = ww - xx + yy - zz, m[1][2] = yz - wx;
    m[2][0] = xz - wy, m[2][1] = yz + wx, m[2][2] = ww - xx - yy + zz;
}

/* the angular velocity, world frame */
static inline void omega_of(const double *q, const double *momentum, const double *moments, double *omega)
{
    double m[3][3], body[3];
    matrix_of(q, m);
    for (int k = 0; k < 3; k++) body[k] = (m[0][k]*momentum[0] + m[1][k]*momentum[1] + m[2][k]*momentum[2]) / moments[k];
    for (int k = 0; k < 3; k++) omega[k] = m[k][0]*body[0] + m[k][1]*body[1] + m[k][2]*body[2];
}

static inline void normalise(double *q)
{
    const double scale = 1/sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3]);
    for (int k = 0; k < 4; k++) q[k] *= scale;
}

/* omega q, omega in the world frame: twice the rate of q */
static inline void rate_of(const double *q, const double *omega, double *rate)
{
    rate[0] = -omega[0]*q[1] - omega[1]*q[2] - omega[2]*q[3];
    rate[1] = q[0]*omega[0] + omega[1]*q[3] - omega[2]*q[2];
    rate[2] = q[0]*omega[1] + omega[2]*q[1] - omega[0]*q[3];
    rate[3] = q[0]*omega[2] + omega[0]*q[2] - omega[1]*q[1];
}

/* with matrices, world frame and arrays, as in LAMMPS */
static inline void richardson(double *q, const double *momentum, const double *moments, double h)
{
    double omega[3], rate[4], whole[4], half[4];
    omega_of(q, momentum, moments, omega), rate_of(q, omega, rate);
    for (int k = 0; k < 4; k++) whole[k] = q[k] + 0.5*h*rate[k], half[k] = q[k] + 0.25*h*rate[k];
    normalise(whole), normalise(half);
    omega_of(half, momentum, moments, omega), rate_of(half, omega, rate);
    for (int k = 0; k < 4; k++) half[k] += 0.25*h*rate[k];
    normalise(half);
    for (int k = 0; k < 4; k++) q[k] = 2*half[k] - whole[k];
    normalise(q);
}

/* The same to rounding, written for speed: in the body frame it takes fewer operations, and structs of scalars stay in registers. */
typedef struct { double x, y, z; } vector;
typedef struct { double w, x, y, z; } quaternion;

/* the angular velocity, body frame, times h */
static inline vector turn_of(quaternion q, vector l, const double *moments, double h)
{
    const double tx = 2*(q.z*l.y - q.y*l.z), ty = 2*(q.x*l.z - q.z*l.x), tz = 2*(q.y*l.x - q.x*l.y);
    const vector turn = {(l.x + q.w*tx - q.y*tz + q.z*ty) * (h/moments[0]), (l.y + q.w*ty - q.z*tx + q.x*tz) * (h/moments[1]),
                         (l.z + q.w*tz - q.x*ty + q.y*tx) * (h/moments[2])};
    return turn;
}

static inline quaternion unit(double w, double x, double y, double z)
{
    const double s = 1/sqrt(w*w + x*x + y*y + z*z);
    const quaternion q = {s*w, s*x, s*y, s*z};
    return q;
}

/* q + s q turn, normalised */
static inline quaternion turned(quaternion q, vector turn, double s)
{
    const double a = s*turn.x, b = s*turn.y, c = s*turn.z;
    return unit(q.w - q.x*a - q.y*b - q.z*c, q.x + q.w*a + q.y*c - q.z*b,
                q.y + q.w*b + q.z*a - q.x*c, q.z + q.w*c + q.x*b - q.y*a);
}

static inline void richardson_of_scalars(double *at, const double *momentum, const double *moments, double h)
{
    const quaternion q = {at[0], at[1], at[2], at[3]};
    const vector l = {momentum[0], momentum[1], momentum[2]}, turn = turn_of(q, l, moments, h);
    const quaternion whole = turned(q, turn, 0.5), half = turned(q, turn, 0.25);
    const quaternion two = turned(half, turn_of(half, l, moments, h), 0.25);
    const quaternion end = unit(2*two.w - whole.w, 2*two.x - whole.x, 2*two.y - whole.y, 2*two.z - whole.z);
    at[0] = end.w, at[1] = end.x, at[2] = end.y, at[3] = end.z;
}

#endif
