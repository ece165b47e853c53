/* fibres.c: fibres in shear flow tumble in Jeffery orbits.
 *
 *     fibres [count]           default: 1000000
 *
 * Spheroids of aspect ratio r = 2 rotate in the flow u = (y, 0, 0). Their inertia is small compared with the viscous
 * torque. Each starts at a different phase. Jeffery's period of an orbit is 2 pi (r + 1/r) = 15.70796 (G. B. Jeffery, Proc.
 * R. Soc. Lond. A 102, 161 (1922)). The program measures half an orbit of the first fibre and doubles it. Exit status 0:
 * the result is 15.70796 to within 5e-3. The last lines are the 64 bits of some final orientations: the same program in
 * other languages prints the same bits.
 */
#include <inttypes.h>
#include <math.h>
#include <quatint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static int failed(void)
{
    fprintf(stderr, "%s\n", qi_last_error());
    return 1;
}

static void print_bits(size_t fibre, const double *q)
{
    printf("fibre %-7lu", (unsigned long)fibre);
    for (int c = 0; c < 4; c++) {
        uint64_t bits;
        memcpy(&bits, &q[c], sizeof bits);
        printf(" %016" PRIx64, bits);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    const size_t count = argc > 1 ? (size_t)strtod(argv[1], NULL) : 1000000;
    const double axes[3] = {2, 1, 1}, gradient[9] = {0, 1, 0, 0, 0, 0, 0, 0, 0}, z[3] = {0, 0, 1}, dt = 0.001;
    const double mass = 4.0 / 3 * PI * 2 * 0.01; /* volume times density */
    const double inertia[9] = {mass / 5 * 2, 0, 0, 0, mass / 5 * 5, 0, 0, 0, mass / 5 * 5}; /* m (b^2 + c^2)/5, ... */
    const double period = 2 * PI * (2 + 0.5);
    double turned = 0, before = 0, crossed[2] = {0, 0};
    int crossings = 0;

    double *q = (double *)calloc(count, 4 * sizeof *q);
    qi_ensemble *e = qi_create_ensemble(count, NULL);
    if (q == NULL) return fprintf(stderr, "out of memory\n"), 1;
    if (e == NULL) return failed();
    for (size_t i = 0; i < count; i++) /* rotated about the vorticity axis, z */
        qi_orientation_from_axis_angle(z, PI * (double)i / (double)count, q + 4*i);
    if (qi_set_inertias(e, inertia, 0) != QI_OK) return failed();
    if (qi_bind_orientations(e, q, 4, 1, QI_SCALAR_FIRST) != QI_OK) return failed();
    if (qi_set_ensemble_shear_flow_torque(e, axes, 0, 1.0, gradient) != QI_OK) return failed();

    /* follow the angle of the first fibre in the plane of the flow, and note the time of each half turn */
    const size_t steps_a_call = 20;
    for (int call = 0; crossings < 2 && call < 2000; call++) {
        if (qi_advance_ensemble(e, dt, steps_a_call, NULL) != QI_OK) return failed();
        double time, angle = 2 * atan2(q[3], q[0]);
        double change = angle - fmod(turned, 2 * PI);
        change -= 2 * PI * floor(change / (2 * PI) + 0.5);
        qi_get_ensemble_time(e, &time);
        before = turned;
        turned += change;
        const double level = -PI * (crossings + 0.5); /* clockwise, with the vorticity; fastest across the flow */
        if (turned <= level) crossed[crossings++] = time - dt * (double)steps_a_call * (turned - level) / (turned - before);
    }
    const double orbit = 2 * (crossed[1] - crossed[0]);
    printf("period of an orbit: %.4f, Jeffery's: %.4f\n", orbit, period);
    const size_t shown[3] = {0, count / 2, count - 1};
    for (int k = 0; k < 3; k++) print_bits(shown[k], q + 4*shown[k]);
    qi_destroy_ensemble(e);
    free(q);
    return fabs(orbit - period) < 5e-3 ? 0 : 1;
}
