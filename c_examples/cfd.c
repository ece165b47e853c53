/* cfd.c: fibres in the velocity gradients of a flow solver: how they are stored, and when they are taken.
 *
 * The "solver" has a field of gradients as OpenFOAM's fvc::grad(U) has it: nine numbers a fibre, of which number 3 k + j is
 * du_j/dx_k. The strides 9, 1, 3 tell quatint so, and nothing is copied or transposed. The flow is a shear whose strength changes with the
 * time, so it matters at which time of a step the gradients are taken.
 *
 * Exit status 0: the fibres have the bits that they have with transposed copies; read with the strides 9, 3, 1 they turn the other way; half
 * the step has a quarter of the error with gradients of the middle of the step, half with those of its beginning; and two steps of the
 * fibres for one of the flow are as good as the flow's own step allows.
 */
#include <math.h>
#include <quatint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 8 };
static const double RADIUS = 1, RATIO = 10, DENSITY = 0.01, END = 20; /* of the fibres; viscosity and mean shear are 1 */

static void good(qi_status status)
{
    if (status != QI_OK) fprintf(stderr, "%s\n", qi_last_error()), exit(1);
}

/* What the solver writes at a time: u = (s y, 0, 0), each fibre in a layer of its own. */
static void write_gradients(double time, int as_openfoam, double *gradients)
{
    memset(gradients, 0, 9 * COUNT * sizeof *gradients);
    for (int i = 0; i < COUNT; i++) gradients[9 * i + (as_openfoam ? 3 : 1)] = 1 + 0.5 * sin(time + i); /* du_x/dy */
}

static qi_ensemble *fibres(void)
{
    const double pi = acos(-1), axes[3] = {RADIUS * RATIO, RADIUS, RADIUS}, still[9] = {0};
    const double mass = DENSITY * 4 / 3 * pi * axes[0] * axes[1] * axes[2];
    double sum[QI_MASS_SIZE] = {0}, all, centre[3] = {0, 0, 0}, inertia[9], q[4 * COUNT];
    good(qi_add_ellipsoid_mass(mass, axes, centre, NULL, sum)), good(qi_get_mass_properties(sum, &all, centre, inertia));
    for (int i = 0; i < COUNT; i++) {
        const double axis[3] = {0.2 * i, 1, 0.5 - 0.1 * i};
        good(qi_orientation_from_axis_angle(axis, 1, q + 4 * i));
    }
    qi_ensemble *e = qi_create_ensemble(COUNT, NULL);
    good(qi_set_inertias(e, inertia, 0)), good(qi_set_orientations(e, q, 4, 1));
    good(qi_set_ensemble_shear_flow_torque(e, axes, 0, 1, still));
    return e;
}

/* The orientations at the end, by that many steps of the flow, each of `parts` steps of the fibres. `when`: 0.5, the gradients are those of the
 * middle of the flow's step; 0: of its beginning. */
static void follow(int steps, int parts, double when, int as_openfoam, ptrdiff_t row_stride, ptrdiff_t column_stride, double *q)
{
    static double gradients[9 * COUNT];
    const double dt = END / steps;
    qi_ensemble *e = fibres();
    good(qi_bind_flow_gradients(e, memset(gradients, 0, sizeof gradients), 9, row_stride, column_stride));
    for (int n = 0; n < steps; n++) {
        write_gradients((n + when) * dt, as_openfoam, gradients); /* the solver's step */
        good(qi_advance_ensemble(e, dt / parts, (uint64_t)parts, NULL));
    }
    good(qi_get_orientations(e, q, 4, 1));
    qi_destroy_ensemble(e);
}

static double greatest_angle(const double *a, const double *b)
{
    double worst = 0, angle;
    for (int i = 0; i < COUNT; i++) good(qi_orientation_angle(a + 4 * i, b + 4 * i, &angle)), worst = fmax(worst, angle);
    return worst;
}

int main(void)
{
    double exact[4 * COUNT], q[4 * COUNT], other[4 * COUNT], off[3][3];
    int is_right = 1;
    follow(400, 1, 0.5, 1, 1, 3, q), follow(400, 1, 0.5, 0, 3, 1, other);
    is_right &= memcmp(q, other, sizeof q) == 0;
    follow(400, 1, 0.5, 1, 3, 1, other);
    printf("OpenFOAM's gradients with the strides 9, 1, 3: %s; with 9, 3, 1 the fibres are off by %.1f rad\n",
           is_right ? "the bits of row-major ones" : "other bits", greatest_angle(q, other));
    is_right &= greatest_angle(q, other) > 0.5;

    follow(64000, 1, 0.5, 1, 1, 3, exact);
    printf("shear times dt   of the middle   of the beginning   of the middle, two steps each\n");
    for (int n = 0; n < 3; n++) {
        const int steps = 100 << n;
        follow(steps, 1, 0.5, 1, 1, 3, q), off[0][n] = greatest_angle(q, exact);
        follow(steps, 1, 0, 1, 1, 3, q), off[1][n] = greatest_angle(q, exact);
        follow(steps, 2, 0.5, 1, 1, 3, q), off[2][n] = greatest_angle(q, exact);
        printf("%14.3f   %.1e rad     %.1e rad        %.1e rad\n", END / steps, off[0][n], off[1][n], off[2][n]);
    }
    is_right &= off[0][1] / off[0][2] > 3 && off[1][1] / off[1][2] > 1.5 && off[1][1] / off[1][2] < 3;
    return is_right && off[2][2] < 1.2 * off[0][2] ? 0 : 1;
}
