/* Energy over a million steps: the greatest relative error of the energy so far, in columns.
 *
 * The body is a heavy asymmetric top: I = (1, 1.5, 0.7), m g l = 1, about five radians per unit of time. All methods take
 * the same step. Two of them are not in the library: the step with which LAMMPS' fix nve/asphere turns bodies, and
 * Richardson's extrapolation of PCDM.
 */
#include <math.h>
#include <quatint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double MOMENTS[3] = {1, 1.5, 0.7}, INERTIA[9] = {1, 0, 0, 0, 1.5, 0, 0, 0, 0.7}, H = 0.01;
static const double OMEGA_0[3] = {0.4, -0.3, 5}; /* body frame */

typedef struct {
    qi_body *body, *other;
    double q[4], omega_body[3], momentum[3]; /* momentum: world frame, used by LAMMPS' step alone */
} top;

static void good(qi_status status)
{
    if (status != QI_OK) fprintf(stderr, "%s\n", qi_last_error()), exit(1);
}

static int32_t weight(double time, const double *q, const double *omega, double *torque, void *user_data)
{
    (void)time, (void)omega, (void)user_data;
    torque[0] = 2*(q[0]*q[1] - q[2]*q[3]), torque[1] = 2*(q[1]*q[3] + q[0]*q[2]), torque[2] = 0; /* R e3 x (0, 0, -1) */
    return 0;
}

static double energy(const double *q, const double *w)
{
    return 0.5*(MOMENTS[0]*w[0]*w[0] + MOMENTS[1]*w[1]*w[1] + MOMENTS[2]*w[2]*w[2]) + 1 - 2*(q[1]*q[1] + q[2]*q[2]);
}

static void normalise(double *q)
{
    const double length = sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3]);
    for (int c = 0; c < 4; c++) q[c] /= length;
}

static void omega_of(const double *q, const double *momentum, double *omega_body)
{
    const double inverse[4] = {q[0], -q[1], -q[2], -q[3]};
    good(qi_rotate(inverse, momentum, omega_body));
    for (int c = 0; c < 3; c++) omega_body[c] /= MOMENTS[c];
}

static void of_library(top *t) { good(qi_step(t->body, H)); }

static void held(top *t)
{
    double torque[3];
    weight(0, t->q, NULL, torque, NULL);
    good(qi_set_constant_torque(t->body, torque, QI_FRAME_WORLD));
    good(qi_step(t->body, H));
}

/* q + h q', normalised, where q' = q omega / 2 is taken at `at` */
static void euler(const double *q, const double *at, const double *momentum, double h, double *result)
{
    double w[3];
    omega_of(at, momentum, w);
    const double rate[4] = {-at[1]*w[0] - at[2]*w[1] - at[3]*w[2], at[0]*w[0] + at[2]*w[2] - at[3]*w[1],
                            at[0]*w[1] + at[3]*w[0] - at[1]*w[2], at[0]*w[2] + at[1]*w[1] - at[2]*w[0]};
    for (int c = 0; c < 4; c++) result[c] = q[c] + 0.5*h*rate[c];
    normalise(result);
}

static void of_lammps(top *t) /* kick, MathExtra::richardson, kick */
{
    double torque[3], full[4], half[4], twice[4];
    weight(0, t->q, NULL, torque, NULL);
    for (int c = 0; c < 3; c++) t->momentum[c] += 0.5*H*torque[c];
    euler(t->q, t->q, t->momentum, H, full);
    euler(t->q, t->q, t->momentum, 0.5*H, half);
    euler(half, half, t->momentum, 0.5*H, twice);
    for (int c = 0; c < 4; c++) t->q[c] = 2*twice[c] - full[c];
    normalise(t->q);
    weight(0, t->q, NULL, torque, NULL);
    for (int c = 0; c < 3; c++) t->momentum[c] += 0.5*H*torque[c];
    omega_of(t->q, t->momentum, t->omega_body);
    good(qi_set_state_body(t->body, t->q, t->omega_body));
}

static void extrapolated(top *t) /* (4 x two half steps - one step) / 3 */
{
    double q[4], w[3], dot = 0;
    good(qi_set_state_body(t->other, t->q, t->omega_body));
    good(qi_advance(t->other, 0.5*H, 2, NULL));
    good(qi_step(t->body, H));
    good(qi_get_orientation(t->body, t->q)), good(qi_get_angular_velocity_body(t->body, t->omega_body));
    good(qi_get_orientation(t->other, q)), good(qi_get_angular_velocity_body(t->other, w));
    for (int c = 0; c < 4; c++) dot += q[c]*t->q[c];
    for (int c = 0; c < 4; c++) q[c] = (4*q[c] - (dot < 0 ? -t->q[c] : t->q[c])) / 3;
    for (int c = 0; c < 3; c++) w[c] = (4*w[c] - t->omega_body[c]) / 3;
    normalise(q);
    good(qi_set_state_body(t->body, q, w));
}

static const struct {
    const char *name;
    int32_t method;
    void (*step)(top *);
} CASES[] = {
    {"torque constant over the step", QI_METHOD_PCDM, held},
    {"PCDM", QI_METHOD_PCDM, of_library},
    {"Richardson, as in LAMMPS", QI_METHOD_PCDM, of_lammps},
    {"PCDM extrapolated", QI_METHOD_PCDM, extrapolated},
    {"SPLITTING, or kick and drift", QI_METHOD_SPLITTING, of_library},
    {"CF4", QI_METHOD_CF4, of_library},
    {"FORCE_GRADIENT", QI_METHOD_FORCE_GRADIENT, of_library},
    {"SPLITTING_4", QI_METHOD_SPLITTING_4, of_library},
};
enum { COUNT = sizeof CASES / sizeof *CASES, ROWS = 61, STEPS = 1000000 }; /* ten rows for each power of ten */

int main(void)
{
    static double errors[COUNT][ROWS];
    const double start[4] = {0.9, 0.3, 0.2, 0.1};
    for (int k = 0; k < COUNT; k++) {
        top t;
        memcpy(t.q, start, sizeof start), normalise(t.q);
        memcpy(t.omega_body, OMEGA_0, sizeof OMEGA_0);
        for (int c = 0; c < 3; c++) t.momentum[c] = MOMENTS[c] * OMEGA_0[c];
        good(qi_rotate(t.q, t.momentum, t.momentum));
        qi_body *bodies[2];
        for (int i = 0; i < 2; i++) {
            if ((bodies[i] = qi_create_body(INERTIA, t.q, NULL, NULL)) == NULL) good(QI_ERR_MEMORY);
            good(qi_set_state_body(bodies[i], t.q, t.omega_body));
            good(qi_set_torque(bodies[i], weight, NULL));
        }
        t.body = bodies[0], t.other = bodies[1];
        good(qi_set_method(t.body, CASES[k].method));

        const double first = energy(t.q, t.omega_body);
        double greatest = 0;
        for (int step = 1, row = 0; step <= STEPS; step++) {
            CASES[k].step(&t);
            good(qi_get_orientation(t.body, t.q)), good(qi_get_angular_velocity_body(t.body, t.omega_body));
            greatest = fmax(greatest, fabs(energy(t.q, t.omega_body) / first - 1));
            for (; row < ROWS && step >= lround(pow(10, 0.1*row)); row++) errors[k][row] = greatest;
        }
        qi_destroy_body(t.body), qi_destroy_body(t.other);
    }
    printf("steps");
    for (int k = 0; k < COUNT; k++) printf(";%s", CASES[k].name);
    printf("\n");
    for (int row = 0; row < ROWS; row++) {
        printf("%ld", lround(pow(10, 0.1*row)));
        for (int k = 0; k < COUNT; k++) printf(";%.3e", errors[k][row]);
        printf("\n");
    }
    return 0;
}
