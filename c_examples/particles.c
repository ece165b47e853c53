/* particles.c: a DEM loop over an array of structs, in which the ensemble works without a copy.
 *
 * Ten thousand rods in a viscous fluid and a uniform field. The force loop writes a torque into each particle, a callback
 * passes it to the ensemble, and the ensemble advances orientation and angular velocity in place. At the end every rod is
 * aligned with the field. Exit status 0: the rods are aligned, and no other member of a particle has changed.
 */
#include <math.h>
#include <quatint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    double position[3];
    double orientation[4];      /* w, x, y, z */
    double angular_velocity[3]; /* world frame */
    double torque[3];           /* world frame, written by the force loop */
    double radius;
} particle;

enum { COUNT = 10000, STRIDE = sizeof(particle) / sizeof(double) };

static int failed(void)
{
    fprintf(stderr, "%s\n", qi_last_error());
    return 1;
}

/* the force loop, for any stage of a step: a field along z acts on the rod's long axis x, the fluid damps the rotation */
static void forces(const double *q, const double *omega, double *torque)
{
    const double long_axis[3] = {1 - 2*(q[2]*q[2] + q[3]*q[3]), 2*(q[1]*q[2] + q[0]*q[3]), 2*(q[1]*q[3] - q[0]*q[2])};
    torque[0] = long_axis[1] - 0.8 * omega[0];
    torque[1] = -long_axis[0] - 0.8 * omega[1];
    torque[2] = -0.8 * omega[2];
}

static int32_t torques(double time, size_t first, size_t count, const double *orientation, const double *angular_velocity,
                       double *torque, void *user_data)
{
    particle *particles = (particle *)user_data;
    (void)time;
    for (size_t i = 0; i < count; i++) {
        forces(orientation + 4*i, angular_velocity + 3*i, particles[first + i].torque);
        for (int c = 0; c < 3; c++) torque[3*i + c] = particles[first + i].torque[c];
    }
    return 0;
}

int main(void)
{
    const double inertia[9] = {0.1, 0, 0, 0, 1, 0, 0, 0, 1}; /* a rod along x */
    particle *p = (particle *)calloc(COUNT, sizeof *p);
    qi_ensemble *e = qi_create_ensemble(COUNT, NULL);
    if (p == NULL) return fprintf(stderr, "out of memory\n"), 1;
    if (e == NULL) return failed();
    for (size_t i = 0; i < COUNT; i++) {
        const double axis[3] = {sin(1.0 + (double)i), cos(3.0 * (double)i), 0.3};
        if (qi_orientation_from_axis_angle(axis, 0.001 * (double)i, p[i].orientation) != QI_OK) return failed();
        p[i].radius = 0.5;
    }

    if (qi_set_inertias(e, inertia, 0) != QI_OK) return failed();
    if (qi_bind_orientations(e, p[0].orientation, STRIDE, 1, QI_SCALAR_FIRST) != QI_OK) return failed();
    if (qi_bind_angular_velocities(e, p[0].angular_velocity, STRIDE, 1, QI_OMEGA_WORLD) != QI_OK) return failed();
    if (qi_set_ensemble_torque(e, torques, QI_LAYOUT_AOS, QI_FRAME_WORLD, p) != QI_OK) return failed();

    for (int step = 0; step <= 2000; step++) {
        if (step % 500 == 0) {
            double mean = 0;
            for (size_t i = 0; i < COUNT; i++)
                mean += 2*(p[i].orientation[1]*p[i].orientation[3] - p[i].orientation[0]*p[i].orientation[2]) / COUNT;
            printf("t = %4.1f   mean of the long axes along the field: %+.4f\n", 0.02 * step, mean);
            if (step == 2000 && mean < 0.999) return 1;
        }
        if (qi_step_ensemble(e, 0.02) != QI_OK) return failed();
    }
    for (size_t i = 0; i < COUNT; i++)
        if (p[i].position[0] != 0 || p[i].radius != 0.5) return 1;
    qi_destroy_ensemble(e); /* the particles keep their last states */
    free(p);
    return 0;
}
