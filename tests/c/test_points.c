/* Points fixed to the bodies of an ensemble, and a gradient of the fluid at each body. */
#include "check.h"

#define N 70
#define POINTS (2 * N)

static const double SEMI_AXES[3] = {0.3, 0.2, 0.7};

static double some(int k)
{
    return sin(1.7 * k + 0.3);
}

/* Bodies with orientations of their own, and two points on each. */
typedef struct {
    size_t bodies[POINTS];
    double arms[3 * POINTS], forces[3 * POINTS];
    double q[4 * N], omega[3 * N], centres[3 * N], velocities[3 * N];
} clumps;

static void make(clumps *c)
{
    for (int i = 0; i < N; i++) {
        const double angles[3] = {some(i), some(i + 1), some(i + 2)};
        CHECK(qi_orientation_from_euler(angles, "zyx", c->q + 4 * i) == QI_OK);
    }
    for (int k = 0; k < 3 * N; k++) c->omega[k] = some(k), c->centres[k] = 5 * some(7 * k), c->velocities[k] = some(3 * k);
    for (int p = 0; p < POINTS; p++) c->bodies[p] = (size_t)p / 2;
    for (int k = 0; k < 3 * POINTS; k++) c->arms[k] = some(11 * k), c->forces[k] = some(13 * k);
}

static qi_ensemble *ensemble_of(const clumps *c)
{
    qi_ensemble *e = qi_create_ensemble(N, NULL);
    CHECK(e != NULL);
    CHECK(qi_set_orientations(e, c->q, 4, 1) == QI_OK && qi_set_angular_velocities(e, c->omega, 3, 1) == QI_OK);
    return e;
}

static void cross(const double *a, const double *b, double *to)
{
    for (int k = 0; k < 3; k++) to[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void rotate(const double *q, const double *v, double *to)
{
    double m[9];
    CHECK(qi_orientation_to_matrix(q, m) == QI_OK);
    for (int k = 0; k < 3; k++) to[k] = m[3 * k] * v[0] + m[3 * k + 1] * v[1] + m[3 * k + 2] * v[2];
}

static void points_are_where_their_bodies_carry_them(void)
{
    static clumps c;
    static double x[4 * POINTS], v[3 * POINTS], force[3 * N], torque[3 * N];
    size_t count = 0;
    make(&c);
    qi_ensemble *e = ensemble_of(&c);
    CHECK_REFUSED(qi_get_point_count(e, &count), QI_ERR_ORDER, "no points");
    CHECK(qi_set_points(e, POINTS, c.bodies, c.arms, 3, 1) == QI_OK);
    CHECK(qi_get_point_count(e, &count) == QI_OK && count == POINTS);
    for (int k = 0; k < 4 * POINTS; k++) x[k] = 7;
    CHECK(qi_get_point_positions(e, c.centres, 3, 1, x, 4, 1) == QI_OK); /* what is between is not touched */
    CHECK(qi_get_point_velocities(e, 0, c.velocities, 3, 1, v, 1, POINTS) == QI_OK); /* columns */
    CHECK(qi_sum_point_forces(e, c.forces, 3, 1, force, 3, 1, torque, 3, 1) == QI_OK);
    for (int i = 0; i < N; i++) {
        double sum[3] = {0, 0, 0}, moment[3] = {0, 0, 0};
        for (int p = 2 * i; p < 2 * i + 2; p++) {
            double arm[3], turned[3], m[3];
            rotate(c.q + 4 * i, c.arms + 3 * p, arm);
            cross(c.omega + 3 * i, arm, turned), cross(arm, c.forces + 3 * p, m);
            for (int k = 0; k < 3; k++) {
                CHECK_NEAR(x[4 * p + k], c.centres[3 * i + k] + arm[k], 1e-14);
                CHECK_NEAR(v[k * POINTS + p], c.velocities[3 * i + k] + turned[k], 1e-14);
                sum[k] += c.forces[3 * p + k], moment[k] += m[k];
            }
            CHECK(x[4 * p + 3] == 7);
        }
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(force[3 * i + k], sum[k], 1e-14);
            CHECK_NEAR(torque[3 * i + k], moment[k], 1e-14);
        }
    }
    CHECK(qi_kick_ensemble(e, 0.1, torque, 3, 1, QI_FRAME_WORLD) == QI_OK);
    CHECK(qi_sum_point_forces(e, c.forces, 3, 1, NULL, 0, 0, torque, 3, 1) == QI_OK);
    CHECK(qi_sum_point_forces(e, c.forces, 3, 1, force, 3, 1, NULL, 0, 0) == QI_OK);
    CHECK(qi_get_point_positions(e, NULL, 0, 0, x, 3, 1) == QI_OK); /* relative to the centres */
    qi_destroy_ensemble(e);
}

/* The inertia about the origin, 9 doubles, and the centre of mass of spheres of mass 1 and radius 0.3 in a plane. */
static double pinned(double places[3][3], double *inertia, double *centre)
{
    double sum[QI_MASS_SIZE] = {0}, mass, square;
    for (int s = 0; s < 3; s++) CHECK(qi_add_sphere_mass(1, 0.3, places[s], sum) == QI_OK);
    CHECK(qi_get_mass_properties(sum, &mass, centre, inertia) == QI_OK);
    square = centre[0]*centre[0] + centre[1]*centre[1] + centre[2]*centre[2];
    for (int k = 0; k < 9; k++) inertia[k] += mass * ((k % 4 == 0 ? square : 0) - centre[k / 3]*centre[k % 3]);
    return mass;
}

/* Half a period of each pendulum: from one instant to the next at which it stands still, so omega along its axis changes sign. */
static void measure_half_periods(qi_ensemble *e, const double *axes, const double *weights, double *half_periods)
{
    static double torque[3 * N], omega[3 * N], before[N], times[2][N];
    const double dt = 1e-3;
    int found[N] = {0};
    for (int i = 0; i < N; i++) before[i] = NAN;
    CHECK(qi_sum_point_forces(e, weights, 3, 1, NULL, 0, 0, torque, 3, 1) == QI_OK);
    for (int step = 1; step <= 6000; step++) {
        CHECK(qi_kick_drift_ensemble(e, dt / 2, dt, torque, 3, 1, QI_FRAME_WORLD) == QI_OK);
        CHECK(qi_sum_point_forces(e, weights, 3, 1, NULL, 0, 0, torque, 3, 1) == QI_OK);
        CHECK(qi_kick_ensemble(e, dt / 2, torque, 3, 1, QI_FRAME_WORLD) == QI_OK);
        CHECK(qi_get_angular_velocities(e, omega, 3, 1) == QI_OK);
        for (int i = 0; i < N; i++) {
            const double *w = omega + 3 * i, *axis = axes + 3 * i, now = w[0]*axis[0] + w[1]*axis[1] + w[2]*axis[2];
            if (now * before[i] < 0 && found[i] < 2) times[found[i]++][i] = dt * (step - now / (now - before[i]));
            before[i] = now;
        }
    }
    for (int i = 0; i < N; i++) {
        CHECK(found[i] == 2);
        half_periods[i] = times[1][i] - times[0][i];
    }
}

/* 2 K(sin(angle/2)) sqrt(I / (m g l)), by the arithmetic-geometric mean */
static double exact_half_period(double angle, double inertia, double stiffness)
{
    double a = 1, b = cos(angle / 2);
    for (int n = 0; n < 6; n++) {
        const double mean = (a + b) / 2;
        b = sqrt(a * b), a = mean;
    }
    return 3.14159265358979323846 / a * sqrt(inertia / stiffness);
}

/* Clumps pinned at the origin, each with the gravity of a world of its own, which is turned at random. They swing in the plane of the clump. */
static void a_pinned_clump_swings_with_one_period_in_any_plane_of_the_world(void)
{
    double places[3][3] = {{0.4, -0.9, 0}, {-0.3, -1.7, 0}, {0.6, -2.1, 0}}, inertia[9], centre[3], half_periods[N];
    static double q[4 * N], axes[3 * N], arms[9 * N], weights[9 * N];
    static size_t bodies[3 * N];
    const double angle = 1, mass = pinned(places, inertia, centre), length = sqrt(centre[0]*centre[0] + centre[1]*centre[1]);
    const double z[3] = {0, 0, 1}, down[3] = {
        (cos(angle)*centre[0] - sin(angle)*centre[1]) / length, (sin(angle)*centre[0] + cos(angle)*centre[1]) / length, 0};
    for (int i = 0; i < N; i++) {
        const double angles[3] = {3 * some(i), 3 * some(5 * i + 1), 3 * some(9 * i + 2)};
        double fall[3];
        CHECK(qi_orientation_from_euler(angles, "zyx", q + 4 * i) == QI_OK);
        rotate(q + 4 * i, z, axes + 3 * i), rotate(q + 4 * i, down, fall);
        for (int p = 3 * i; p < 3 * i + 3; p++) {
            bodies[p] = (size_t)i;
            for (int k = 0; k < 3; k++) arms[3 * p + k] = places[p % 3][k], weights[3 * p + k] = 9.81 * fall[k];
        }
    }
    qi_ensemble *e = qi_create_ensemble(N, NULL);
    CHECK(e != NULL && qi_set_inertias(e, inertia, 0) == QI_OK && qi_set_orientations(e, q, 4, 1) == QI_OK);
    CHECK(qi_set_points(e, 3 * N, bodies, arms, 3, 1) == QI_OK);
    measure_half_periods(e, axes, weights, half_periods);
    CHECK_NEAR(half_periods[0], exact_half_period(angle, inertia[8], mass * 9.81 * length), 1e-6);
    for (int i = 1; i < N; i++) CHECK_NEAR(half_periods[i], half_periods[0], 1e-9 * half_periods[0]);
    qi_destroy_ensemble(e);
}

static void points_that_cannot_be_are_refused(void)
{
    static clumps c;
    static double x[3 * POINTS], force[3 * N];
    const size_t descending[2] = {3, 2}, beyond[1] = {N};
    const double nan_arm[3] = {0, NAN, 0};
    make(&c);
    qi_ensemble *e = ensemble_of(&c);
    CHECK_REFUSED(qi_set_points(e, 2, descending, c.arms, 3, 1), QI_ERR_INVALID, "ascending");
    CHECK_REFUSED(qi_set_points(e, 1, beyond, c.arms, 3, 1), QI_ERR_INVALID, "below the number of bodies");
    CHECK_REFUSED(qi_set_points(e, POINTS, c.bodies, nan_arm, 0, 1), QI_ERR_NON_FINITE, "NaN");
    CHECK_REFUSED(qi_set_points(e, 2, NULL, c.arms, 3, 1), QI_ERR_NULL, "`bodies` is NULL");
    CHECK_REFUSED(qi_set_points(e, 2, c.bodies, NULL, 3, 1), QI_ERR_NULL, "`arms` is NULL");
    CHECK_REFUSED(qi_set_points(e, 2, c.bodies, misaligned(c.arms), 3, 1), QI_ERR_MISALIGNED, "`arms`");
    CHECK_REFUSED(qi_set_points(NULL, 2, c.bodies, c.arms, 3, 1), QI_ERR_NULL, "`ensemble` is NULL");
    CHECK_REFUSED(qi_get_point_positions(e, NULL, 0, 0, x, 3, 1), QI_ERR_ORDER, "no points");
    CHECK_REFUSED(qi_get_point_velocities(e, 0, NULL, 0, 0, x, 3, 1), QI_ERR_ORDER, "no points");
    CHECK_REFUSED(qi_sum_point_forces(e, c.forces, 3, 1, force, 3, 1, NULL, 0, 0), QI_ERR_ORDER, "no points");

    CHECK(qi_set_points(e, POINTS, c.bodies, c.arms, 3, 1) == QI_OK);
    CHECK_REFUSED(qi_get_point_positions(e, NULL, 0, 0, NULL, 3, 1), QI_ERR_NULL, "`positions` is NULL");
    CHECK_REFUSED(qi_get_point_positions(e, x, 3, 1, x, 3, 1), QI_ERR_INVALID, "overlap");
    CHECK_REFUSED(qi_get_point_positions(e, NULL, 0, 0, x, 0, 1), QI_ERR_INVALID, "stride");
    CHECK_REFUSED(qi_get_point_velocities(e, 2, NULL, 0, 0, x, 3, 1), QI_ERR_INVALID, "`predicted` must be 0 or 1");
    CHECK_REFUSED(qi_get_point_velocities(e, 1, NULL, 0, 0, x, 3, 1), QI_ERR_INVALID, "bound");
    CHECK_REFUSED(qi_sum_point_forces(e, c.forces, 3, 1, force, 3, 1, force, 3, 1), QI_ERR_INVALID, "overlap");
    CHECK_REFUSED(qi_sum_point_forces(e, c.forces, 3, 1, c.forces, 3, 1, NULL, 0, 0), QI_ERR_INVALID, "overlap");
    CHECK_REFUSED(qi_sum_point_forces(e, NULL, 3, 1, force, 3, 1, NULL, 0, 0), QI_ERR_NULL, "`forces` is NULL");

    CHECK(qi_resize_ensemble(e, N + 1) == QI_OK);
    CHECK_REFUSED(qi_get_point_positions(e, NULL, 0, 0, x, 3, 1), QI_ERR_ORDER, "no points");
    CHECK(qi_set_points(e, 0, NULL, NULL, 0, 0) == QI_OK);
    CHECK(qi_get_point_positions(e, NULL, 0, 0, NULL, 3, 1) == QI_OK);
    qi_destroy_ensemble(e);
}

/* A body and its twin in an ensemble: the one is told the gradient before each step, the other reads it in the array. */
static void a_gradient_at_each_body_acts_as_on_a_body_alone(void)
{
    static clumps c;
    static double gradients[9 * N];
    const double zeros[9] = {0};
    const int methods[] = {QI_METHOD_PCDM, QI_METHOD_SPLITTING, QI_METHOD_CF4};
    make(&c);
    for (int m = 0; m < 3; m++) {
        qi_body *bodies[N];
        qi_ensemble *e = ensemble_of(&c);
        CHECK(qi_set_ensemble_shear_flow_torque(e, SEMI_AXES, 0, 0.1, zeros) == QI_OK);
        CHECK(qi_set_ensemble_method(e, methods[m]) == QI_OK);
        CHECK(qi_bind_flow_gradients(e, gradients, 9, 3, 1) == QI_OK);
        for (int i = 0; i < N; i++) {
            const double inertia[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
            bodies[i] = qi_create_body(inertia, c.q + 4 * i, c.omega + 3 * i, NULL);
            CHECK(bodies[i] != NULL && qi_set_method(bodies[i], methods[m]) == QI_OK);
        }
        for (int step = 0; step < 20; step++) {
            for (int k = 0; k < 9 * N; k++) gradients[k] = some(k + 100 * step);
            CHECK(qi_advance_ensemble(e, 1e-2, 3, NULL) == QI_OK);
            for (int i = 0; i < N; i++) {
                CHECK(qi_set_shear_flow_torque(bodies[i], SEMI_AXES, 0.1, gradients + 9 * i) == QI_OK);
                CHECK(qi_advance(bodies[i], 1e-2, 3, NULL) == QI_OK);
            }
        }
        double q[4 * N];
        CHECK(qi_get_orientations(e, q, 4, 1) == QI_OK);
        for (int i = 0; i < N; i++) {
            CHECK(memcmp(take(bodies[i]).orientation, q + 4 * i, sizeof(double[4])) == 0);
            qi_destroy_body(bodies[i]);
        }
        qi_destroy_ensemble(e);
    }
}

/* The same gradients by rows, by columns as OpenFOAM has them, component by component for all bodies, and backwards. */
static void gradients_may_lie_with_any_strides(void)
{
    static clumps c;
    static double rows[9 * N], columns[9 * N], planes[9 * N], reversed[9 * N];
    const double zeros[9] = {0};
    double expected[4 * N], q[4 * N];
    make(&c);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) {
                const double gradient = some(9 * i + 3 * j + k);
                rows[9 * i + 3 * j + k] = gradient;
                columns[9 * i + j + 3 * k] = gradient;
                planes[(3 * j + k) * N + i] = gradient;
                reversed[9 * N - 1 - (9 * i + 3 * j + k)] = gradient;
            }
    const double *const first[4] = {rows, columns, planes, reversed + 9 * N - 1};
    const ptrdiff_t strides[4][3] = {{9, 3, 1}, {9, 1, 3}, {1, 3 * N, N}, {-9, -3, -1}};
    for (int n = 0; n < 4; n++) {
        qi_ensemble *e = ensemble_of(&c);
        CHECK(qi_set_ensemble_shear_flow_torque(e, SEMI_AXES, 0, 0.1, zeros) == QI_OK);
        CHECK(qi_bind_flow_gradients(e, first[n], strides[n][0], strides[n][1], strides[n][2]) == QI_OK);
        CHECK(qi_advance_ensemble(e, 1e-2, 10, NULL) == QI_OK && qi_get_orientations(e, q, 4, 1) == QI_OK);
        if (n == 0) memcpy(expected, q, sizeof q);
        CHECK(memcmp(expected, q, sizeof q) == 0);
        qi_destroy_ensemble(e);
    }
}

static void gradients_that_cannot_be_read_are_refused(void)
{
    static clumps c;
    static double gradients[9 * N];
    const double zeros[9] = {0};
    make(&c);
    qi_ensemble *e = ensemble_of(&c);
    CHECK(qi_set_ensemble_shear_flow_torque(e, SEMI_AXES, 0, 0.1, zeros) == QI_OK);
    gradients[9 * 30 + 2] = NAN;
    CHECK_REFUSED(qi_bind_flow_gradients(e, gradients, 9, 3, 1), QI_ERR_NON_FINITE, "body 30");
    gradients[9 * 30 + 2] = 0;
    CHECK_REFUSED(qi_bind_flow_gradients(NULL, gradients, 9, 3, 1), QI_ERR_NULL, "`ensemble` is NULL");
    CHECK_REFUSED(qi_bind_flow_gradients(e, misaligned(gradients), 9, 3, 1), QI_ERR_MISALIGNED, "`gradients`");
    CHECK(qi_bind_orientations(e, c.q, 4, 1, QI_SCALAR_FIRST) == QI_OK);
    CHECK_REFUSED(qi_bind_flow_gradients(e, c.q, 1, 3, 1), QI_ERR_INVALID, "overlap");
    CHECK_REFUSED(qi_bind_flow_gradients(e, gradients, 9, PTRDIFF_MAX, 1), QI_ERR_INVALID, "`row_stride`");
    CHECK_REFUSED(qi_bind_flow_gradients(e, gradients, 9, 3, PTRDIFF_MIN), QI_ERR_INVALID, "`column_stride`");
    CHECK(qi_bind_flow_gradients(e, gradients, 9, 3, 1) == QI_OK);
    CHECK_REFUSED(qi_bind_angular_velocities(e, gradients, 3, 1, QI_OMEGA_WORLD), QI_ERR_INVALID, "overlap");
    gradients[9 * 41 + 8] = INFINITY;
    CHECK_REFUSED(qi_step_ensemble(e, 1e-3), QI_ERR_NON_FINITE, "body 41");
    CHECK(qi_last_error_body() == 41);
    gradients[9 * 41 + 8] = 0;
    CHECK(qi_step_ensemble(e, 1e-3) == QI_OK);
    CHECK(qi_resize_ensemble(e, N - 1) == QI_OK);
    CHECK_REFUSED(qi_step_ensemble(e, 1e-3), QI_ERR_ORDER, "bind them again");
    CHECK(qi_bind_flow_gradients(e, NULL, 0, 0, 0) == QI_OK && qi_step_ensemble(e, 1e-3) == QI_OK);
    qi_destroy_ensemble(e);
}

int main(void)
{
    RUN(points_are_where_their_bodies_carry_them);
    RUN(a_pinned_clump_swings_with_one_period_in_any_plane_of_the_world);
    RUN(points_that_cannot_be_are_refused);
    RUN(a_gradient_at_each_body_acts_as_on_a_body_alone);
    RUN(gradients_may_lie_with_any_strides);
    RUN(gradients_that_cannot_be_read_are_refused);
    return 0;
}
