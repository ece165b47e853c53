/* Another inertia for a body, and axes about which bodies do not turn. */
#include "check.h"

static const double PLATE[9] = {2, 0.3, 0, 0.3, 3, 0, 0, 0, 4};
static const double BOX[9] = {5, 0, 0, 0, 6, 0, 0, 0, 7};
static const double OMEGA[3] = {0.4, -0.7, 0.9};

static void another_inertia_keeps_the_velocity_or_the_momentum(void)
{
    double before[3], after[3], omega[3];
    qi_body *b = qi_create_body(PLATE, NULL, OMEGA, NULL);
    CHECK(qi_get_angular_momentum(b, before) == QI_OK);
    CHECK(qi_set_inertia(b, BOX, QI_KEEP_ANGULAR_MOMENTUM) == QI_OK);
    CHECK(qi_get_angular_momentum(b, after) == QI_OK && qi_get_angular_velocity(b, omega) == QI_OK);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(after[k], before[k], 1e-15);
        CHECK_NEAR(omega[k] * BOX[4 * k], before[k], 1e-15);
    }
    CHECK(qi_set_inertia(b, PLATE, QI_KEEP_ANGULAR_VELOCITY) == QI_OK);
    CHECK(qi_get_angular_velocity(b, after) == QI_OK && memcmp(after, omega, sizeof omega) == 0);

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

static void a_body_does_not_turn_about_locked_axes(void)
{
    const double torque[3] = {0.3, 0.2, 5};
    double omega[3];
    qi_body *b = qi_create_body(PLATE, NULL, OMEGA, NULL);
    CHECK_REFUSED(qi_set_locked_axes(b, QI_AXIS_X), QI_ERR_INERTIA, "no principal axis");
    CHECK_REFUSED(qi_set_locked_axes(b, 8), QI_ERR_INVALID, "QI_AXIS_X");
    CHECK_REFUSED(qi_set_locked_axes(NULL, 1), QI_ERR_NULL, "`body` is NULL");
    CHECK(qi_set_locked_axes(b, QI_AXIS_Z) == QI_OK);
    CHECK(qi_get_angular_velocity_body(b, omega) == QI_OK && omega[2] == 0);
    CHECK_NEAR(omega[0], OMEGA[0], 1e-15);
    /* I w' = T in the plane: w_x gains (3 * 0.3 - 0.3 * 0.2) / 5.91 of its torque */
    CHECK(qi_kick(b, 1, torque, QI_FRAME_BODY) == QI_OK && qi_get_angular_velocity_body(b, omega) == QI_OK);
    CHECK_NEAR(omega[0], OMEGA[0] + (3 * 0.3 - 0.3 * 0.2) / 5.91, 1e-15);
    CHECK_NEAR(omega[1], OMEGA[1] + (2 * 0.2 - 0.3 * 0.3) / 5.91, 1e-15);
    CHECK(omega[2] == 0);
    const double before = omega[0], flat[9] = {0, 0, 0, 0, 3, 0, 0, 0, 4};
    CHECK(qi_drift(b, 10) == QI_OK && qi_get_angular_velocity_body(b, omega) == QI_OK);
    CHECK_NEAR(omega[0], before, 1e-13);
    CHECK(qi_set_inertia(b, BOX, QI_KEEP_ANGULAR_VELOCITY) == QI_OK);
    CHECK(qi_kick(b, 1, torque, QI_FRAME_BODY) == QI_OK && qi_get_angular_velocity_body(b, omega) == QI_OK);
    CHECK_NEAR(omega[2], 5.0 / 7, 1e-15);
    CHECK_REFUSED(qi_set_inertia(b, flat, 0), QI_ERR_INERTIA, "qi_set_locked_axes()");
    qi_destroy_body(b);
}

static void each_body_of_an_ensemble_may_lock_axes_of_its_own(void)
{
    enum { N = 3 };
    const int32_t axes[2 * N] = {QI_AXIS_X, 0, 0, 0, QI_AXIS_X + QI_AXIS_Y, 0}, wrong[N] = {0, 0, -1};
    double omega[3 * N], given[3 * N];
    qi_ensemble *e = qi_create_ensemble(N, NULL);
    CHECK(qi_set_inertias(e, BOX, 0) == QI_OK);
    for (int k = 0; k < 3 * N; k++) given[k] = 1 + k;
    CHECK(qi_set_angular_velocities(e, given, 3, 1) == QI_OK);
    CHECK(qi_set_ensemble_locked_axes(e, axes, 2) == QI_OK);
    CHECK(qi_get_angular_velocities(e, omega, 3, 1) == QI_OK);
    for (int k = 0; k < 3 * N; k++) CHECK(omega[k] == (k == 0 || k == 6 || k == 7 ? 0 : given[k]));
    CHECK_REFUSED(qi_set_ensemble_locked_axes(e, wrong, 1), QI_ERR_INVALID, "body 2");
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

int main(void)
{
    RUN(another_inertia_keeps_the_velocity_or_the_momentum);
    RUN(a_body_does_not_turn_about_locked_axes);
    RUN(each_body_of_an_ensemble_may_lock_axes_of_its_own);
    return 0;
}
