/* Another inertia for a body, one that changes, and axes about which bodies do not turn. */
#include "check.h"

static const double PLATE[9] = {2, 0.3, 0, 0.3, 3, 0, 0, 0, 4};
static const double BOX[9] = {5, 0, 0, 0, 6, 0, 0, 0, 7};
static const char TWO_MOMENTS[] = "`axes` must not lock one axis beside two different moments: lock two axes";
static const double OMEGA[3] = {0.4, -0.7, 0.9};

static void an_inertia_that_is_refused_leaves_the_one_before(void)
{
    qi_body *b = qi_create_body(PLATE, NULL, OMEGA, NULL);
    const snapshot s = take(b);
    const double skew[9] = {1, 0.1, 0, 0, 1, 0, 0, 0, 1}, nan_i[9] = {NAN, 0, 0, 0, 1, 0, 0, 0, 1};
    CHECK_REFUSED(qi_set_inertia(b, skew, 0), QI_ERR_INERTIA, "symmetric");
    CHECK_REFUSED(qi_set_inertia(b, nan_i, 0), QI_ERR_NON_FINITE, "NaN");
    CHECK_REFUSED(qi_set_inertia(b, BOX, 2), QI_ERR_INVALID, "QI_KEEP_ANGULAR_VELOCITY");
    CHECK_REFUSED(qi_set_inertia(b, NULL, 0), QI_ERR_NULL, "`inertia` is NULL");
    CHECK_REFUSED(qi_set_inertia(NULL, BOX, 0), QI_ERR_NULL, "`body` is NULL");
    CHECK_UNCHANGED(b, s);
    qi_destroy_body(b);
}

static void axes_that_cannot_be_locked_are_refused(void)
{
    const double flat[9] = {0, 0, 0, 0, 3, 0, 0, 0, 4};
    qi_body *b = qi_create_body(PLATE, NULL, OMEGA, NULL);
    CHECK_REFUSED(qi_set_locked_axes(b, QI_AXIS_X), QI_ERR_INERTIA, "no principal axis");
    CHECK_REFUSED(qi_set_locked_axes(b, 8), QI_ERR_INVALID, "QI_AXIS_X");
    const snapshot s = take(b);
    CHECK_REFUSED(qi_set_locked_axes(b, QI_AXIS_Z), QI_ERR_INVALID, TWO_MOMENTS);
    CHECK_UNCHANGED(b, s);
    CHECK_REFUSED(qi_set_locked_axes(NULL, 1), QI_ERR_NULL, "`body` is NULL");
    CHECK_REFUSED(qi_set_inertia(b, flat, 0), QI_ERR_INERTIA, "qi_set_locked_axes()");
    qi_destroy_body(b);
}

static void each_body_of_an_ensemble_may_lock_axes_of_its_own(void)
{
    enum { N = 3 };
    const int32_t axes[2 * N] = {QI_AXIS_X, 0, 0, 0, QI_AXIS_X + QI_AXIS_Y, 0}, wrong[N] = {0, 0, -1};
    const int32_t alone[N] = {0, QI_AXIS_Y, 0};
    const double rod[9] = {5, 0, 0, 0, 6, 0, 0, 0, 6}; /* x may be locked alone */
    double omega[3 * N], given[3 * N];
    qi_ensemble *e = qi_create_ensemble(N, NULL);
    CHECK(qi_set_inertias(e, rod, 0) == QI_OK);
    for (int k = 0; k < 3 * N; k++) given[k] = 1 + k;
    CHECK(qi_set_angular_velocities(e, given, 3, 1) == QI_OK);
    CHECK(qi_set_ensemble_locked_axes(e, axes, 2) == QI_OK);
    CHECK(qi_get_angular_velocities(e, omega, 3, 1) == QI_OK);
    for (int k = 0; k < 3 * N; k++) CHECK(omega[k] == (k == 0 || k == 6 || k == 7 ? 0 : given[k]));
    CHECK_REFUSED(qi_set_ensemble_locked_axes(e, wrong, 1), QI_ERR_INVALID, "body 2");
    CHECK_REFUSED(qi_set_ensemble_locked_axes(e, alone, 1), QI_ERR_INVALID, TWO_MOMENTS);
    CHECK_REFUSED(qi_set_ensemble_locked_axes(e, alone, 1), QI_ERR_INVALID, "body 1");
    CHECK_REFUSED(qi_set_ensemble_locked_axes(e, NULL, 0), QI_ERR_NULL, "`axes` is NULL");
    CHECK_REFUSED(qi_set_ensemble_locked_axes(NULL, axes, 0), QI_ERR_NULL, "`ensemble` is NULL");
    CHECK(qi_set_inertias(e, PLATE, 0) == QI_OK);
    CHECK_REFUSED(qi_set_ensemble_locked_axes(e, axes, 0), QI_ERR_INERTIA, "no principal axis");
    CHECK_REFUSED(qi_set_ensemble_locked_axes(e, axes, 2), QI_ERR_INERTIA, "body 0");
    const int32_t all = QI_AXIS_X + QI_AXIS_Y + QI_AXIS_Z;
    CHECK(qi_set_inertias(e, BOX, 0) == QI_OK && qi_set_ensemble_locked_axes(e, &all, 0) == QI_OK);
    CHECK(qi_get_angular_velocities(e, omega, 3, 1) == QI_OK);
    for (int k = 0; k < 3 * N; k++) CHECK(omega[k] == 0);
    qi_destroy_ensemble(e);
    e = qi_create_ensemble(0, NULL);
    CHECK(qi_set_ensemble_locked_axes(e, NULL, 0) == QI_OK);
    qi_destroy_ensemble(e);
}

typedef struct { int calls; double fails_after, negative_after; qi_body *body; qi_status of_meddling; } swelling_t;

/* the inertia of NUMERICS: its bodies were computed elsewhere */
static int32_t swelling(double time, double *inertia, void *user_data)
{
    swelling_t *s = user_data;
    s->calls++;
    if (time > s->fails_after) return 7;
    for (int k = 0; k < 9; k++) inertia[k] = 0;
    inertia[0] = 1 + 0.1 * time;
    inertia[4] = (2 + 0.05 * time) * (time > s->negative_after ? -1 : 1);
    inertia[8] = 3;
    if (s->body) s->of_meddling = qi_step(s->body, 0.1);
    return 0;
}

static void an_inertia_changes_with_the_clock(void)
{
    const double unit[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3}, start[3] = {0.3, 1, 0.5};
    const double q_end[4] = {-0.04534546421522999, -0.1166902240311705, -0.04083724680463961, -0.9912918338027796};
    const double omega_end[3] = {0.1248670609424564, -0.7487586384725389, 0.5551412234308847};
    double q[4], omega[3], momentum[3], energy, expected = 0;
    swelling_t s = {0, INFINITY, INFINITY, NULL, QI_OK};
    qi_body *b = qi_create_body(unit, NULL, start, NULL);
    CHECK(qi_set_inertia_function(b, swelling, &s) == QI_OK && s.calls == 1);
    CHECK(qi_solve(b, 10, 1e-13, NULL) == QI_OK);
    CHECK(qi_get_orientation(b, q) == QI_OK && qi_get_angular_velocity_body(b, omega) == QI_OK);
    for (int k = 0; k < 4; k++) CHECK_NEAR(q[k], q_end[k], 1e-11);
    for (int k = 0; k < 3; k++) CHECK_NEAR(omega[k], omega_end[k], 1e-11);
    const double moments[3] = {2, 2.5, 3};
    for (int k = 0; k < 3; k++) expected += 0.5 * moments[k] * omega[k] * omega[k];
    CHECK(qi_get_kinetic_energy(b, &energy) == QI_OK);
    CHECK_NEAR(energy, expected, 1e-15);
    CHECK(qi_get_angular_momentum(b, momentum) == QI_OK); /* that of the start: nothing acts */
    for (int k = 0; k < 3; k++) CHECK_NEAR(momentum[k], start[k] * (k + 1), 1e-11);

    CHECK_REFUSED(qi_step(b, 0.1), QI_ERR_INVALID, "splitting of order 2");
    CHECK(qi_set_method(b, QI_METHOD_SPLITTING) == QI_OK && qi_advance(b, -0.01, 1000, NULL) == QI_OK);
    CHECK(qi_get_angular_velocity(b, omega) == QI_OK);
    for (int k = 0; k < 3; k++) CHECK_NEAR(omega[k], start[k], 1e-4); /* of order 2 */
    CHECK(qi_set_inertia_function(b, NULL, NULL) == QI_OK);
    s.calls = 0;
    CHECK(qi_set_method(b, QI_METHOD_PCDM) == QI_OK && qi_step(b, 0.1) == QI_OK && s.calls == 0);
    qi_destroy_body(b);
}

static void an_inertia_function_that_fails_stops_the_body_where_it_was(void)
{
    double torque[3];
    swelling_t s = {0, 1, INFINITY, NULL, QI_OK};
    qi_body *b = qi_create_body(BOX, NULL, OMEGA, NULL);
    CHECK_REFUSED(qi_set_inertia_function(NULL, swelling, &s), QI_ERR_NULL, "`body` is NULL");
    CHECK(qi_set_inertia_function(b, swelling, &s) == QI_OK);
    CHECK(qi_set_method(b, QI_METHOD_SPLITTING) == QI_OK && qi_advance(b, 0.3, 3, NULL) == QI_OK);
    const snapshot before = take(b);
    CHECK_REFUSED(qi_step(b, 0.3), QI_ERR_CALLBACK, "the inertia function returned 7 at time 1.0");
    CHECK_REFUSED(qi_drift(b, 0.3), QI_ERR_CALLBACK, "the inertia function returned 7 at time 1.0");
    CHECK_REFUSED(qi_set_time(b, 2), QI_ERR_CALLBACK, "the inertia function returned 7 at time 2.0");
    CHECK_REFUSED(qi_solve(b, 2, 1e-9, NULL), QI_ERR_CALLBACK, "the inertia function returned 7");
    s.fails_after = INFINITY;
    s.negative_after = 1;
    CHECK_REFUSED(qi_step(b, 0.3), QI_ERR_INERTIA, "the inertia function, at time 1.0");
    CHECK_REFUSED(qi_get_angular_acceleration(b, torque), QI_ERR_INVALID, "constant inertia");
    CHECK_UNCHANGED(b, before);
    s.negative_after = INFINITY;
    CHECK(qi_set_solve_method(b, QI_SOLVE_STIFF) == QI_OK);
    CHECK_REFUSED(qi_solve(b, 2, 1e-9, NULL), QI_ERR_INVALID, "QI_SOLVE_NONSTIFF");
    CHECK(qi_set_solve_method(b, QI_SOLVE_NONSTIFF) == QI_OK);
    s.fails_after = -1; /* a function that fails at once is not taken */
    CHECK_REFUSED(qi_set_inertia_function(b, swelling, &s), QI_ERR_CALLBACK, "returned 7");
    CHECK_UNCHANGED(b, before);
    s.fails_after = INFINITY;
    s.body = b; /* it must not use its body */
    CHECK(qi_step(b, 0.3) == QI_OK && s.of_meddling == QI_ERR_BUSY);
    CHECK(qi_set_inertia(b, PLATE, QI_KEEP_ANGULAR_VELOCITY) == QI_OK && qi_set_method(b, QI_METHOD_CF4) == QI_OK);
    s.calls = 0;
    CHECK(qi_advance(b, 0.1, 2, NULL) == QI_OK && s.calls == 0);
    qi_destroy_body(b);
}

int main(void)
{
    RUN(an_inertia_that_is_refused_leaves_the_one_before);
    RUN(an_inertia_changes_with_the_clock);
    RUN(an_inertia_function_that_fails_stops_the_body_where_it_was);
    RUN(axes_that_cannot_be_locked_are_refused);
    RUN(each_body_of_an_ensemble_may_lock_axes_of_its_own);
    return 0;
}
