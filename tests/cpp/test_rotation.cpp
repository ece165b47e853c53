// Version, statuses and rotations: the results equal those of the C functions, and their errors become exceptions.
#include "check.hpp"

static const Quaternion q{0.5, 0.5, 0.5, 0.5}, bad{1, 1, 0, 0};
static const double pi = 3.14159265358979323846;

template <std::size_t N>
static bool near(const std::array<double, N> &a, const std::array<double, N> &b)
{
    for (std::size_t i = 0; i < N; i++)
        if (!(std::fabs(a[i] - b[i]) < 1e-15)) return false;
    return true;
}

static void the_version_of_the_header_is_that_of_the_library()
{
    CHECK(version_number() == QI_VERSION_NUMBER);
    CHECK(std::string(version_string()).find('.') != std::string::npos);
}

static void a_status_has_a_name_and_a_meaning()
{
    CHECK(std::string(status_name(QI_ERR_INERTIA)) == "QI_ERR_INERTIA");
    CHECK(std::strlen(status_message(QI_ERR_INERTIA)) > 10);
}

static void vectors_are_taken_to_the_world_and_back()
{
    CHECK(near(rotate(q, {1, 2, 3}), Vector{3, 1, 2}));
    CHECK(near(rotate_inverse(q, {3, 1, 2}), Vector{1, 2, 3}));
    CHECK_REFUSED(rotate(bad, {1, 2, 3}), QI_ERR_ORIENTATION, "qi_rotate: ");
    CHECK_REFUSED(rotate_inverse(q, {NaN, 2, 3}), QI_ERR_NON_FINITE, "`v_world[0]`");
}

static void axis_and_angle_go_in_and_come_out()
{
    CHECK(near(orientation_from_axis_angle({1, 1, 1}, 2 * pi / 3), q));
    const auto [axis, angle] = orientation_to_axis_angle(orientation_from_axis_angle({0, 0, 2}, 0.25));
    CHECK(near(axis, Vector{0, 0, 1}) && std::fabs(angle - 0.25) < 1e-15);
    CHECK_REFUSED(orientation_from_axis_angle({0, 0, 0}, 1), QI_ERR_INVALID, "`axis`");
    CHECK_REFUSED(orientation_to_axis_angle(bad), QI_ERR_ORIENTATION, "`orientation`");
}

static void rotation_vectors_go_in_and_come_out()
{
    const Vector v{0.1, -0.2, 0.3};
    CHECK(near(orientation_to_rotation_vector(orientation_from_rotation_vector(v)), v));
    CHECK_REFUSED(orientation_from_rotation_vector({0, INFINITY, 0}), QI_ERR_NON_FINITE, "`rotation_vector[1]`");
    CHECK_REFUSED(orientation_to_rotation_vector(bad), QI_ERR_ORIENTATION, "`orientation`");
}

static void matrices_are_row_by_row()
{
    CHECK(near(orientation_to_matrix(q), Matrix{0, 0, 1, 1, 0, 0, 0, 1, 0}));
    CHECK(near(orientation_from_matrix({0, 0, 1, 1, 0, 0, 0, 1, 0}), q));
    CHECK_REFUSED(orientation_from_matrix(diagonal(1, 2, 3)), QI_ERR_ORIENTATION, "`matrix`");
    CHECK_REFUSED(orientation_to_matrix(bad), QI_ERR_ORIENTATION, "`orientation`");
}

static void euler_angles_go_in_and_come_out()
{
    const Vector angles{0.3, 0.2, 0.1};
    CHECK(near(orientation_to_euler(orientation_from_euler(angles, "ZXZ"), "ZXZ"), angles));
    CHECK_REFUSED(orientation_from_euler(angles, "xxz"), QI_ERR_INVALID, "`sequence`");
    CHECK_REFUSED(orientation_to_euler(q, nullptr), QI_ERR_NULL, "`sequence`");
}

static void rates_of_euler_angles_become_an_angular_velocity_and_come_back()
{
    const Vector angles{0.4, 1.1, -2.0}, rates{0.3, -0.7, 1.1}; // yaw, pitch, roll
    const Vector omega = angular_velocity_from_euler_rates(angles, rates, "ZYX");
    CHECK(near(omega, Vector{1.1 * std::cos(1.1) * std::cos(0.4) + 0.7 * std::sin(0.4),
                             1.1 * std::cos(1.1) * std::sin(0.4) - 0.7 * std::cos(0.4), 0.3 - 1.1 * std::sin(1.1)}));
    CHECK(near(angular_velocity_to_euler_rates(angles, omega, "ZYX"), rates));
    CHECK_REFUSED(angular_velocity_from_euler_rates(angles, rates, nullptr), QI_ERR_NULL, "`sequence`");
    CHECK_REFUSED(angular_velocity_to_euler_rates({0.4, pi / 2, -2.0}, omega, "ZYX"), QI_ERR_INVALID, "gimbal lock");
}

static void rodrigues_parameters_go_in_and_come_out()
{
    const double t = std::tan(2.2 / 4);
    const Vector parameters{0.48 * t, -0.6 * t, 0.64 * t};
    CHECK(near(orientation_from_mrp(parameters), orientation_from_axis_angle({0.48, -0.6, 0.64}, 2.2)));
    CHECK(near(orientation_to_mrp(orientation_from_axis_angle({0.48, -0.6, 0.64}, 2.2)), parameters));
    CHECK_REFUSED(orientation_from_mrp({0, NaN, 0}), QI_ERR_NON_FINITE, "`parameters[1]`");
    CHECK_REFUSED(orientation_to_mrp(bad), QI_ERR_ORIENTATION, "`orientation`");
}

static void orientations_are_multiplied_inverted_and_interpolated()
{
    const Quaternion x = orientation_from_axis_angle({1, 0, 0}, 0.5), x2 = orientation_from_axis_angle({1, 0, 0}, 1);
    CHECK(near(orientation_product(x, x), x2));
    CHECK(near(orientation_product(x, orientation_inverse(x)), Quaternion{1, 0, 0, 0}));
    CHECK(near(orientation_slerp({1, 0, 0, 0}, x2, 0.5), x));
    CHECK(std::fabs(orientation_angle(x, x2) - 0.5) < 1e-15);
    CHECK_REFUSED(orientation_product(x, bad), QI_ERR_ORIENTATION, "`b`");
    CHECK_REFUSED(orientation_inverse(bad), QI_ERR_ORIENTATION, "`orientation`");
    CHECK_REFUSED(orientation_slerp(x, x, NaN), QI_ERR_NON_FINITE, "`t`");
    CHECK_REFUSED(orientation_angle(bad, x), QI_ERR_ORIENTATION, "`a`");
}

int main()
{
    RUN(the_version_of_the_header_is_that_of_the_library);
    RUN(a_status_has_a_name_and_a_meaning);
    RUN(vectors_are_taken_to_the_world_and_back);
    RUN(axis_and_angle_go_in_and_come_out);
    RUN(rotation_vectors_go_in_and_come_out);
    RUN(matrices_are_row_by_row);
    RUN(euler_angles_go_in_and_come_out);
    RUN(rates_of_euler_angles_become_an_angular_velocity_and_come_back);
    RUN(rodrigues_parameters_go_in_and_come_out);
    RUN(orientations_are_multiplied_inverted_and_interpolated);
    return 0;
}
