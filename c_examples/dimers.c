/* dimers.c: molecules of two atoms each, in space and in a plane.
 *
 * 64 rigid dimers move in a periodic box; atoms of different dimers repel with the energy 10 (1 - r^2)^3. The program moves the centres
 * by velocity Verlet; quatint turns the dimers, in the arrays of the program, by the torques of the forces. In space a dimer has no
 * moment about its line: (0, b, b). In a plane bodies turn about z alone: all moments but the third are zero, (0, 0, b). Exit status 0:
 * in 10000 steps the energy changes by less than 1e-3 of it, nothing turns about an axis of zero moment, and in the plane all stay there.
 */
#include <math.h>
#include <quatint.h>
#include <stdio.h>

enum { COUNT = 64 };

static const double HALF = 0.25; /* an atom of mass 1 at each end of body x, this far from the centre: b = 2 HALF^2 */
static double box[3], x[3*COUNT], v[3*COUNT], force[3*COUNT], arm[3*COUNT], q[4*COUNT], momentum[3*COUNT], torque[3*COUNT];

static int failed(void)
{
    fprintf(stderr, "%s\n", qi_last_error());
    return 1;
}

/* the forces of an atom of i (at +arm or -arm) and one of j on each other; returns their energy */
static double repel(int i, int j, double a, double b)
{
    double d[3], r2 = 0, s, f;
    for (int c = 0; c < 3; c++) {
        d[c] = x[3*i + c] - x[3*j + c];
        d[c] -= box[c] * floor(d[c]/box[c] + 0.5);
        d[c] += a*arm[3*i + c] - b*arm[3*j + c];
        r2 += d[c]*d[c];
    }
    if (r2 >= 1) return 0;
    s = 1 - r2;
    f = 60*s*s;
    for (int c = 0; c < 3; c++) {
        const int m = (c + 1)%3, n = (c + 2)%3;
        force[3*i + c] += f*d[c];
        force[3*j + c] -= f*d[c];
        torque[3*i + c] += a*f*(arm[3*i + m]*d[n] - arm[3*i + n]*d[m]);
        torque[3*j + c] -= b*f*(arm[3*j + m]*d[n] - arm[3*j + n]*d[m]);
    }
    return 10*s*s*s;
}

static double forces(void)
{
    double energy = 0;
    for (int i = 0; i < COUNT; i++) {
        const double *p = q + 4*i;
        arm[3*i] = HALF*(1 - 2*(p[2]*p[2] + p[3]*p[3]));
        arm[3*i + 1] = HALF*2*(p[1]*p[2] + p[0]*p[3]);
        arm[3*i + 2] = HALF*2*(p[1]*p[3] - p[0]*p[2]);
    }
    for (int k = 0; k < 3*COUNT; k++) force[k] = torque[k] = 0;
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < i; j++)
            for (int atoms = 0; atoms < 4; atoms++) energy += repel(i, j, atoms & 1 ? 1 : -1, atoms & 2 ? 1 : -1);
    return energy;
}

/* runs the dimers in 2 or 3 dimensions; returns 0 if they are right */
static int run(int dimensions)
{
    const double b = 2*HALF*HALF, space[3] = {0, b, b}, plane[3] = {0, 0, b}, dt = 0.005, z[3] = {0, 0, 1}, axis[3] = {0.3, -1, 2};
    const int side = dimensions == 3 ? 4 : 8;
    double energy, kinetic, first = 0, worst = 0, turned = 0, omega[3*COUNT];
    qi_ensemble *e = qi_create_ensemble(COUNT, NULL);
    if (e == NULL) return failed();
    for (int i = 0; i < COUNT; i++) {
        const int cell[3] = {i%side, i/side%side, i/side/side};
        for (int c = 0; c < 3; c++) {
            x[3*i + c] = 1.3*cell[c];
            v[3*i + c] = c < dimensions ? 0.8*sin(1 + 5*i + 7*c) : 0;
            momentum[3*i + c] = dimensions == 3 || c == 2 ? 0.1*cos(3*i + c) : 0; /* what it has along the line is taken away */
            box[c] = c < dimensions ? 1.3*side : 1e3;
        }
        if (qi_orientation_from_axis_angle(dimensions == 3 ? axis : z, 0.7*i, q + 4*i) != QI_OK) return failed();
    }
    if (qi_set_principal_inertias(e, dimensions == 3 ? space : plane, 0, 1) != QI_OK) return failed();
    if (qi_bind_orientations(e, q, 4, 1, QI_SCALAR_FIRST) != QI_OK) return failed();
    if (qi_bind_angular_velocities(e, momentum, 3, 1, QI_ANGMOM_WORLD) != QI_OK) return failed();

    energy = forces();
    for (int step = 0; step <= 10000; step++) {
        if (step > 0) {
            if (qi_kick_drift_ensemble(e, dt/2, dt, torque, 3, 1, QI_FRAME_WORLD) != QI_OK) return failed();
            for (int k = 0; k < 3*COUNT; k++) x[k] += dt*(v[k] += dt/2*force[k]/2); /* two atoms: mass 2 */
            energy = forces();
            if (qi_kick_ensemble(e, dt/2, torque, 3, 1, QI_FRAME_WORLD) != QI_OK) return failed();
            for (int k = 0; k < 3*COUNT; k++) v[k] += dt/2*force[k]/2;
        }
        if (step % 50 == 0) {
            if (qi_get_total_kinetic_energy(e, &kinetic) != QI_OK) return failed();
            for (int k = 0; k < 3*COUNT; k++) kinetic += v[k]*v[k];
            if (step == 0) first = energy + kinetic;
            worst = fmax(worst, fabs(energy + kinetic - first)/first);
        }
    }
    if (qi_get_angular_velocities(e, omega, 3, 1) != QI_OK) return failed();
    for (int i = 0; i < COUNT; i++) {
        for (int c = 0; c < 3; c++) omega[3*i + c] *= arm[3*i + c]/HALF;
        turned = fmax(turned, fabs(omega[3*i] + omega[3*i + 1] + omega[3*i + 2]));
        if (dimensions == 2) turned = fmax(turned, fabs(q[4*i + 1]) + fabs(q[4*i + 2]) + fabs(x[3*i + 2]));
    }
    printf("%d dimensions   energy: %.1f, greatest change: %.0e of it; about axes of zero moment: %.0e\n", dimensions, first, worst, turned);
    qi_destroy_ensemble(e);
    return worst < 1e-3 && turned < 1e-12 ? 0 : 1;
}

int main(void)
{
    const int in_space = run(3), in_plane = run(2);
    return in_space || in_plane;
}
