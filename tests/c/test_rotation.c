/* The rotation functions. */
#include "check.h"

static const double PI = 3.14159265358979323846;
static const double ROOT = 0.70710678118654752440;

static void check_vector(const double *a, double x, double y, double z)
{
    CHECK_NEAR(a[0], x, 1e-15);
    CHECK_NEAR(a[1], y, 1e-15);
    CHECK_NEAR(a[2], z, 1e-15);
}

static void qi_rotate_takes_body_vectors_to_the_world_and_qi_rotate_inverse_back(void)
{
    const double quarter_about_z[4] = {ROOT, 0, 0, ROOT}, slack[4] = {ROOT * 1.0005, 0, 0, ROOT * 1.0005};
    double v[3] = {1, 0, 0}, w[3];
    CHECK(qi_rotate(quarter_about_z, v, w) == QI_OK);
    check_vector(w, 0, 1, 0);
    CHECK(qi_rotate(slack, v, w) == QI_OK); /* normalised first */
    check_vector(w, 0, 1, 0);
    CHECK(qi_rotate_inverse(quarter_about_z, w, w) == QI_OK); /* in place */
    check_vector(w, 1, 0, 0);
}

static void qi_orientation_from_axis_angle_and_back(void)
{
    const double axis[3] = {0, 0, 1e-200}, none[3] = {0, 0, 0}, nan_axis[3] = {0, NAN, 0};
    double q[4] = {9, 9, 9, 9}, back[3], angle;
    CHECK(qi_orientation_from_axis_angle(axis, PI / 2, q) == QI_OK);
    CHECK_NEAR(q[0], ROOT, 2e-16);
    CHECK_NEAR(q[3], ROOT, 2e-16);
    CHECK(qi_orientation_to_axis_angle(q, back, &angle) == QI_OK);
    check_vector(back, 0, 0, 1);
    CHECK_NEAR(angle, PI / 2, 1e-15);

    q[0] = 9;
    CHECK_REFUSED(qi_orientation_from_axis_angle(none, 1, q), QI_ERR_INVALID, "zero vector");
    CHECK_REFUSED(qi_orientation_from_axis_angle(nan_axis, 1, q), QI_ERR_NON_FINITE, "`axis[1]` is NaN");
    CHECK_REFUSED(qi_orientation_from_axis_angle(axis, INFINITY, q), QI_ERR_NON_FINITE, "`angle` is inf");
    CHECK(q[0] == 9);
}

static void qi_orientation_from_rotation_vector_and_back(void)
{
    const double v[3] = {0.3, -0.2, 1.1}, huge[3] = {1e200, 0, 0};
    double q[4], back[3];
    CHECK(qi_orientation_from_rotation_vector(v, q) == QI_OK);
    CHECK(qi_orientation_to_rotation_vector(q, back) == QI_OK);
    check_vector(back, 0.3, -0.2, 1.1);
    CHECK_REFUSED(qi_orientation_from_rotation_vector(huge, q), QI_ERR_INVALID, "shorter than");
}

static void qi_orientation_from_matrix_and_back(void)
{
    const double turned[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}, mirror[9] = {1, 0, 0, 0, 1, 0, 0, 0, -1};
    const double sheared[9] = {1, 0.1, 0, 0, 1, 0, 0, 0, 1};
    double q[4], back[9];
    CHECK(qi_orientation_from_matrix(turned, q) == QI_OK); /* a quarter turn about z */
    CHECK_NEAR(fabs(q[0]), ROOT, 1e-15);
    CHECK_NEAR(q[3] / q[0], 1, 1e-15);
    CHECK(qi_orientation_to_matrix(q, back) == QI_OK);
    for (int i = 0; i < 9; i++) CHECK_NEAR(back[i], turned[i], 1e-15);
    CHECK_REFUSED(qi_orientation_from_matrix(mirror, q), QI_ERR_ORIENTATION, "determinant is -1");
    CHECK_REFUSED(qi_orientation_from_matrix(sheared, q), QI_ERR_ORIENTATION, "differs from the identity by 0.1");
}

static void qi_orientation_from_euler_and_back_in_all_sequences(void)
{
    static const char *const sequences[] = {
        "xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx", "xzx", "yxy", "yzy", "zxz", "zyz",
        "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "XYX", "XZX", "YXY", "YZY", "ZXZ", "ZYZ",
    };
    const double angles[3] = {0.4, 1.1, -2.0}, lock[3] = {0.4, 1.57079632679489661923, 0.3};
    double q[4], back[3], v[3] = {1, 0, 0};
    for (int s = 0; s < 24; s++) {
        CHECK(qi_orientation_from_euler(angles, sequences[s], q) == QI_OK);
        CHECK(qi_orientation_to_euler(q, sequences[s], back) == QI_OK);
        for (int i = 0; i < 3; i++) CHECK_NEAR(back[i], angles[i], 4e-15);
    }
    /* intrinsic ZYX (yaw, pitch, roll): a quarter turn of yaw, then a quarter of pitch about the new y; the nose points down */
    const double quarters[3] = {PI / 2, PI / 2, 0};
    CHECK(qi_orientation_from_euler(quarters, "ZYX", q) == QI_OK);
    CHECK(qi_rotate(q, v, v) == QI_OK);
    check_vector(v, 0, 0, -1);

    CHECK(qi_orientation_from_euler(lock, "XYZ", q) == QI_OK);
    CHECK(qi_orientation_to_euler(q, "XYZ", back) == QI_OK);
    CHECK_NEAR(back[0], 0.7, 1e-14);
    CHECK(back[2] == 0);

    CHECK_REFUSED(qi_orientation_from_euler(angles, "xxz", q), QI_ERR_INVALID, "`sequence` must be three of");
    CHECK_REFUSED(qi_orientation_from_euler(angles, "xyzx", q), QI_ERR_INVALID, "sequence");
    CHECK_REFUSED(qi_orientation_to_euler(q, "", back), QI_ERR_INVALID, "sequence");
    CHECK_REFUSED(qi_orientation_to_euler(q, NULL, back), QI_ERR_NULL, "`sequence` is NULL");
}

static void angular_velocities_of_euler_rates_are_those_of_the_formulas(void)
{
    const double angles[3] = {0.4, 1.1, -2.0}, rates[3] = {0.3, -0.7, 1.1}, level[3] = {0.4, 0, -2.0}, lock[3] = {0.4, PI / 2, 0.3};
    double omega[3], back[3];
    /* yaw, pitch, roll: about z, about the line of nodes, about the nose */
    CHECK(qi_angular_velocity_from_euler_rates(angles, rates, "ZYX", omega) == QI_OK);
    check_vector(omega, rates[2] * cos(1.1) * cos(0.4) - rates[1] * sin(0.4), rates[2] * cos(1.1) * sin(0.4) + rates[1] * cos(0.4),
                 rates[0] - rates[2] * sin(1.1));
    CHECK(qi_angular_velocity_to_euler_rates(angles, omega, "ZYX", back) == QI_OK);
    check_vector(back, rates[0], rates[1], rates[2]);
    CHECK(qi_angular_velocity_from_euler_rates(angles, rates, "ZXZ", omega) == QI_OK);
    check_vector(omega, rates[1] * cos(0.4) + rates[2] * sin(1.1) * sin(0.4), rates[1] * sin(0.4) - rates[2] * sin(1.1) * cos(0.4),
                 rates[0] + rates[2] * cos(1.1));
    CHECK(qi_angular_velocity_to_euler_rates(angles, omega, "ZXZ", back) == QI_OK);
    check_vector(back, rates[0], rates[1], rates[2]);

    back[0] = 9;
    CHECK(qi_angular_velocity_from_euler_rates(lock, rates, "ZYX", omega) == QI_OK);
    CHECK_REFUSED(qi_angular_velocity_to_euler_rates(lock, omega, "ZYX", back), QI_ERR_INVALID, "gimbal lock");
    CHECK_REFUSED(qi_angular_velocity_to_euler_rates(level, omega, "ZXZ", back), QI_ERR_INVALID, "gimbal lock");
    CHECK_REFUSED(qi_angular_velocity_to_euler_rates(angles, omega, "ZZX", back), QI_ERR_INVALID, "`sequence`");
    CHECK_REFUSED(qi_angular_velocity_to_euler_rates(angles, NULL, "ZYX", back), QI_ERR_NULL, "`angular_velocity` is NULL");
    CHECK_REFUSED(qi_angular_velocity_from_euler_rates(angles, NULL, "ZYX", back), QI_ERR_NULL, "`rates` is NULL");
    CHECK_REFUSED(qi_angular_velocity_from_euler_rates(angles, rates, NULL, back), QI_ERR_NULL, "`sequence` is NULL");
    CHECK(back[0] == 9);
}

static void rodrigues_parameters_are_the_tangent_of_a_quarter_of_the_angle(void)
{
    const double axis[3] = {0.48, -0.6, 0.64}, angle = 2.2, nan_p[3] = {0, NAN, 0};
    double p[3], shadow[3], q[4], exact[4], off;
    for (int i = 0; i < 3; i++) p[i] = tan(angle / 4) * axis[i];
    for (int i = 0; i < 3; i++) shadow[i] = tan((angle - 2 * PI) / 4) * axis[i];
    CHECK(qi_orientation_from_axis_angle(axis, angle, exact) == QI_OK);
    CHECK(qi_orientation_from_mrp(p, q) == QI_OK);
    for (int i = 0; i < 4; i++) CHECK_NEAR(q[i], exact[i], 1e-15);
    CHECK(qi_orientation_from_mrp(shadow, q) == QI_OK && qi_orientation_angle(q, exact, &off) == QI_OK);
    CHECK_NEAR(off, 0, 1e-15);
    CHECK(qi_orientation_to_mrp(q, shadow) == QI_OK);
    check_vector(shadow, p[0], p[1], p[2]);
    CHECK_REFUSED(qi_orientation_from_mrp(nan_p, q), QI_ERR_NON_FINITE, "`parameters[1]` is NaN");
    CHECK_REFUSED(qi_orientation_from_mrp(NULL, q), QI_ERR_NULL, "`parameters` is NULL");
    CHECK_REFUSED(qi_orientation_to_mrp(q, NULL), QI_ERR_NULL, "`parameters` is NULL");
    CHECK_REFUSED(qi_orientation_to_mrp(NULL, p), QI_ERR_NULL, "`orientation` is NULL");
}

static void qi_orientation_product_and_inverse_compose(void)
{
    const double a_axis[3] = {1, 0, 0}, b_axis[3] = {0, 1, 0};
    double a[4], b[4], product[4], inverse[4], v[3] = {0.3, 0.4, 0.5}, w[3];
    CHECK(qi_orientation_from_axis_angle(a_axis, 0.7, a) == QI_OK);
    CHECK(qi_orientation_from_axis_angle(b_axis, -0.4, b) == QI_OK);
    CHECK(qi_orientation_product(a, b, product) == QI_OK);
    CHECK(qi_rotate(product, v, w) == QI_OK);
    CHECK(qi_rotate(b, v, v) == QI_OK);
    CHECK(qi_rotate(a, v, v) == QI_OK);
    check_vector(w, v[0], v[1], v[2]);

    CHECK(qi_orientation_inverse(product, inverse) == QI_OK);
    CHECK(qi_orientation_product(inverse, product, product) == QI_OK); /* in place */
    CHECK_NEAR(product[0], 1, 1e-15);
}

static void qi_orientation_slerp_turns_evenly_and_qi_orientation_angle_measures(void)
{
    const double axis[3] = {1, 2, -1}, identity[4] = {1, 0, 0, 0};
    double end[4], between[4], other_sign[4], angle;
    CHECK(qi_orientation_from_axis_angle(axis, 2.0, end) == QI_OK);
    for (int i = 0; i < 4; i++) other_sign[i] = -end[i];
    for (int i = 0; i <= 4; i++) {
        CHECK(qi_orientation_slerp(identity, i % 2 ? end : other_sign, 0.25 * i, between) == QI_OK);
        CHECK(qi_orientation_angle(identity, between, &angle) == QI_OK);
        CHECK_NEAR(angle, 0.5 * i, 2e-15);
    }
    CHECK_REFUSED(qi_orientation_slerp(identity, end, 1e200, between), QI_ERR_INVALID, "`t` must be less than");
    CHECK_REFUSED(qi_orientation_slerp(identity, end, NAN, between), QI_ERR_NON_FINITE, "`t` is NaN");
}

static void rotations_refuse_what_is_none(void)
{
    const double identity[4] = {1, 0, 0, 0}, too_long[4] = {1.01, 0, 0, 0}, zero[4] = {0, 0, 0, 0}, nan_q[4] = {NAN, 0, 0, 1};
    double v[3] = {1, 2, 3}, q[4] = {1, 0, 0, 0}, m[9], angle, room[5];
    CHECK_REFUSED(qi_rotate(too_long, v, v), QI_ERR_ORIENTATION, "its length is 1.01");
    CHECK_REFUSED(qi_rotate(zero, v, v), QI_ERR_ORIENTATION, "its length is 0");
    CHECK_REFUSED(qi_rotate(nan_q, v, v), QI_ERR_NON_FINITE, "`orientation[0]` is NaN");
    CHECK(v[0] == 1 && v[1] == 2 && v[2] == 3);
    CHECK_REFUSED(qi_rotate(identity, NULL, v), QI_ERR_NULL, "`v_body` is NULL");
    CHECK_REFUSED(qi_rotate(identity, v, NULL), QI_ERR_NULL, "`v_world` is NULL");
    CHECK_REFUSED(qi_rotate(misaligned(room), v, v), QI_ERR_MISALIGNED, "`orientation` is not aligned");
    CHECK_REFUSED(qi_rotate_inverse(identity, v, NULL), QI_ERR_NULL, "`v_body` is NULL");
    CHECK_REFUSED(qi_orientation_from_axis_angle(v, 1, NULL), QI_ERR_NULL, "`orientation` is NULL");
    CHECK_REFUSED(qi_orientation_to_axis_angle(q, v, NULL), QI_ERR_NULL, "`angle` is NULL");
    CHECK_REFUSED(qi_orientation_from_rotation_vector(NULL, q), QI_ERR_NULL, "`rotation_vector` is NULL");
    CHECK_REFUSED(qi_orientation_to_rotation_vector(zero, v), QI_ERR_ORIENTATION, "orientation");
    CHECK_REFUSED(qi_orientation_from_matrix(NULL, q), QI_ERR_NULL, "`matrix` is NULL");
    CHECK_REFUSED(qi_orientation_to_matrix(q, NULL), QI_ERR_NULL, "`matrix` is NULL");
    CHECK_REFUSED(qi_orientation_to_matrix(NULL, m), QI_ERR_NULL, "`orientation` is NULL");
    CHECK_REFUSED(qi_orientation_product(q, zero, q), QI_ERR_ORIENTATION, "`b` is not a rotation quaternion");
    CHECK_REFUSED(qi_orientation_inverse(NULL, q), QI_ERR_NULL, "`orientation` is NULL");
    CHECK_REFUSED(qi_orientation_angle(zero, q, &angle), QI_ERR_ORIENTATION, "`a` is not a rotation quaternion");
}

int main(void)
{
    RUN(qi_rotate_takes_body_vectors_to_the_world_and_qi_rotate_inverse_back);
    RUN(qi_orientation_from_axis_angle_and_back);
    RUN(qi_orientation_from_rotation_vector_and_back);
    RUN(qi_orientation_from_matrix_and_back);
    RUN(qi_orientation_from_euler_and_back_in_all_sequences);
    RUN(angular_velocities_of_euler_rates_are_those_of_the_formulas);
    RUN(rodrigues_parameters_are_the_tangent_of_a_quarter_of_the_angle);
    RUN(qi_orientation_product_and_inverse_compose);
    RUN(qi_orientation_slerp_turns_evenly_and_qi_orientation_angle_measures);
    RUN(rotations_refuse_what_is_none);
    return 0;
}
