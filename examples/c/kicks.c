/* kicks.c: what one torque per step can do: held over the step, and in kicks. */
/* See docs/kicks.md. */
#include <math.h>
#include <quatint.h>
#include <stdio.h>

typedef struct {
    double position[3], q[4], omega[3], torque[3];
} particle;

enum { STRIDE = sizeof(particle) / sizeof(double) };
enum { HELD, TWICE, KICKS };

static void force_loop(const double *q, double *torque) /* a magnet along body x in the field (0, 0, 1) */
{
    torque[0] = 2*(q[1]*q[2] + q[0]*q[3]);
    torque[1] = -1 + 2*(q[2]*q[2] + q[3]*q[3]);
    torque[2] = 0;
}

static int32_t torques(double time, size_t first, size_t count, const double *q, const double *omega, double *torque,
                       void *user_data)
{
    (void)time, (void)first, (void)omega, (void)user_data;
    for (size_t i = 0; i < count; i++) force_loop(q + 4*i, torque + 3*i);
    return 0;
}

static int step(qi_ensemble *e, particle *p, int kind, double dt)
{
    if (kind == HELD) { /* compute the torque once, hold it for the whole step */
        force_loop(p->q, p->torque);
        if (qi_set_ensemble_constant_torque(e, p->torque, STRIDE, QI_FRAME_WORLD) != QI_OK) return 0;
    }
    if (kind != KICKS) return qi_step_ensemble(e, dt) == QI_OK;
    if (qi_kick_drift_ensemble(e, dt/2, dt, p->torque, STRIDE, 1, QI_FRAME_WORLD) != QI_OK) return 0;
    force_loop(p->q, p->torque); /* at the new orientation; the next step begins with the same torque */
    return qi_kick_ensemble(e, dt/2, p->torque, STRIDE, 1, QI_FRAME_WORLD) == QI_OK;
}

static int run(int steps, int kind, double *end)
{
    const double inertia[9] = {0.1, 0, 0, 0, 1, 0, 0, 0, 1};
    particle p = {{0, 0, 0}, {1, 0, 0, 0}, {5, 0.5, 1}, {0, 0, 0}};
    qi_ensemble *e = qi_create_ensemble(1, NULL);
    int good = e != NULL && qi_set_inertias(e, inertia, 0) == QI_OK
        && qi_bind_orientations(e, p.q, STRIDE, 1, QI_SCALAR_FIRST) == QI_OK
        && qi_bind_angular_velocities(e, p.omega, STRIDE, 1, QI_OMEGA_WORLD) == QI_OK
        && qi_set_ensemble_torque(e, torques, QI_LAYOUT_AOS, QI_FRAME_WORLD, NULL) == QI_OK;
    force_loop(p.q, p.torque); /* the first torque */
    for (int n = 0; good && n < steps; n++) good = step(e, &p, kind, 1.0 / steps);
    for (int c = 0; c < 4; c++) end[c] = p.q[c];
    qi_destroy_ensemble(e);
    return good;
}

int main(void)
{
    double exact[4], end[4], error;
    if (!run(1 << 14, KICKS, exact)) return fprintf(stderr, "%s\n", qi_last_error()), 1;
    printf("steps    held           twice a step   kick and drift\n");
    for (int steps = 100; steps <= 400; steps *= 2) {
        printf("%5d", steps);
        for (int kind = HELD; kind <= KICKS; kind++) {
            if (!run(steps, kind, end)) return fprintf(stderr, "%s\n", qi_last_error()), 1;
            qi_orientation_angle(exact, end, &error);
            printf("    %.1e rad", error);
        }
        printf("\n");
    }
    return 0;
}

/* It prints:
steps    held           twice a step   kick and drift
  100    2.5e-02 rad    4.1e-04 rad    9.6e-06 rad
  200    1.3e-02 rad    1.0e-04 rad    2.4e-06 rad
  400    6.3e-03 rad    2.6e-05 rad    6.0e-07 rad
*/
