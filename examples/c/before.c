/* before.c: a thousand magnetic rods in a field, with a hand-written rotation update. */
/* docs/c.md starts from this code and replaces its rotation update. Its error is of first order. */
#include <math.h>
#include <stdio.h>

typedef struct {
    double position[3], velocity[3];
    double q[4];      /* w, x, y, z: body to world */
    double omega[3];  /* rad/s, world frame */
    double torque[3]; /* world frame */
    double magnet;    /* strength, along the rod's long axis: body x */
} particle;

enum { COUNT = 1000, STEPS = 10000 };
static const double ALONG = 0.1, ACROSS = 1, DT = 0.001; /* moments of inertia, time step */
static particle p[COUNT];

static void long_axis(const double *q, double *axis)
{
    axis[0] = 1 - 2*(q[2]*q[2] + q[3]*q[3]);
    axis[1] = 2*(q[1]*q[2] + q[0]*q[3]);
    axis[2] = 2*(q[1]*q[3] - q[0]*q[2]);
}

static void field_torque(double magnet, const double *q, double *torque) /* magnet x field; field (0, 0, 1) */
{
    double axis[3];
    long_axis(q, axis);
    torque[0] = magnet * axis[1];
    torque[1] = -magnet * axis[0];
    torque[2] = 0;
}

static double energy(void)
{
    double sum = 0, a[3];
    for (int i = 0; i < COUNT; i++) {
        long_axis(p[i].q, a);
        const double *w = p[i].omega, along = a[0]*w[0] + a[1]*w[1] + a[2]*w[2];
        const double square = w[0]*w[0] + w[1]*w[1] + w[2]*w[2];
        sum += 0.5 * (ACROSS * square + (ALONG - ACROSS) * along*along) - p[i].magnet * a[2];
    }
    return sum;
}

static void rotate(particle *b) /* angular momentum; q' = omega q / 2; normalise */
{
    double a[3], L[3], *w = b->omega, *q = b->q;
    long_axis(q, a);
    double along = a[0]*w[0] + a[1]*w[1] + a[2]*w[2];
    for (int c = 0; c < 3; c++) L[c] = ACROSS * w[c] + (ALONG - ACROSS) * along * a[c] + DT * b->torque[c];
    const double dq[4] = {-w[0]*q[1] - w[1]*q[2] - w[2]*q[3], w[0]*q[0] + w[1]*q[3] - w[2]*q[2],
                          w[1]*q[0] + w[2]*q[1] - w[0]*q[3], w[2]*q[0] + w[0]*q[2] - w[1]*q[1]};
    double norm = 0;
    for (int c = 0; c < 4; c++) q[c] += 0.5 * DT * dq[c], norm += q[c] * q[c];
    for (int c = 0; c < 4; c++) q[c] /= sqrt(norm);
    long_axis(q, a);
    along = a[0]*L[0] + a[1]*L[1] + a[2]*L[2];
    for (int c = 0; c < 3; c++) w[c] = L[c] / ACROSS + (1/ALONG - 1/ACROSS) * along * a[c];
}

int main(void)
{
    for (int i = 0; i < COUNT; i++) {
        p[i].q[0] = cos(0.001 * i), p[i].q[2] = sin(0.001 * i);
        p[i].omega[0] = 5, p[i].omega[1] = 0.5, p[i].omega[2] = sin(i);
        p[i].magnet = 1 + 0.001 * i;
    }
    const double first = energy();
    for (int step = 0; step < STEPS; step++)
        for (int i = 0; i < COUNT; i++) {
            field_torque(p[i].magnet, p[i].q, p[i].torque);
            rotate(&p[i]);
        }
    printf("t = %.0f, relative change of the energy: %.0e\n", DT * STEPS, fabs(energy() / first - 1));
    return 0;
}

/* It prints:
t = 10, relative change of the energy: 8e-02
*/
