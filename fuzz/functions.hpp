// functions.hpp: calls without a handle. Success gives finite numbers, failure writes nothing.
#pragma once

#include "arrays.hpp"

namespace fuzz {

inline void check_output(qi_status status, const double *out, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        HOLDS(status == QI_OK ? std::isfinite(out[i]) : is_guard(out[i]));
    }
}

inline void check_orientation(qi_status status, const double *q)
{
    check_output(status, q, 4);
    HOLDS(status != QI_OK || is_unit(q));
}

inline char any_axis(Input &in)
{
    if (in.seldom(16)) return char(in.byte());
    return "xyzXYZ"[in.choice(6)];
}

// Three times in four a sequence of three axes, which may still be no sequence of Euler angles.
inline std::array<char, 5> euler_sequence(Input &in)
{
    std::array<char, 5> sequence{};
    const size_t length = in.seldom(8) ? 2 + in.choice(3) : 3;
    for (size_t i = 0; i < length; i++) sequence[i] = any_axis(in);
    if (in.choice(4) != 0) {
        const bool is_lower = in.choice(2);
        for (size_t i = 0; i < 3; i++) sequence[i] = (is_lower ? "xyz" : "XYZ")[in.choice(3)];
        sequence[3] = 0;
    }
    return sequence;
}

inline void matrix_calls(Input &in, const double *orientation)
{
    double matrix[9];
    for (double &x : matrix) x = guard();
    const qi_status status = QI(qi_orientation_to_matrix(orientation, matrix));
    check_output(status, matrix, 9);
    if (status != QI_OK) {
        for (double &x : matrix) x = in.number();
    }
    if (in.seldom(4)) {
        const double number = in.number();
        matrix[in.choice(9)] = number;
    }
    double q[4] = {guard(), guard(), guard(), guard()};
    check_orientation(QI(qi_orientation_from_matrix(matrix, q)), q);
}

inline void text_calls(Input &in)
{
    const qi_status any = int8_t(in.byte());
    HOLDS(QI_VALUE(qi_status_name(any)) != nullptr);
    HOLDS(QI_VALUE(qi_status_message(any)) != nullptr);
    HOLDS(QI_VALUE(qi_version_string()) != nullptr);
    HOLDS(QI_VALUE(qi_last_error()) != nullptr);
    HOLDS(QI_VALUE(qi_last_error_cause()) != nullptr);
    HOLDS(QI_VALUE(qi_version_number()) == QI_VERSION_NUMBER);
}

inline void rotation_call(Input &in)
{
    const auto q = in.orientation();
    const auto other = in.orientation();
    const auto v = in.vector(in.seldom(4));
    const auto sequence = euler_sequence(in);
    double out[4] = {guard(), guard(), guard(), guard()};
    double angle = guard();
    const double *a = q.data();
    const double *b = other.data();
    switch (in.choice(14)) {
    case 0: check_output(QI(qi_rotate(a, v.data(), out)), out, 3); break;
    case 1: check_output(QI(qi_rotate_inverse(a, v.data(), out)), out, 3); break;
    case 2: {
        const double turn = in.number();
        check_orientation(QI(qi_orientation_from_axis_angle(v.data(), turn, out)), out);
        break;
    }
    case 3: {
        const qi_status status = QI(qi_orientation_to_axis_angle(a, out, &angle));
        check_output(status, out, 3);
        check_output(status, &angle, 1);
        break;
    }
    case 4: check_orientation(QI(qi_orientation_from_rotation_vector(v.data(), out)), out); break;
    case 5: check_output(QI(qi_orientation_to_rotation_vector(a, out)), out, 3); break;
    case 6: matrix_calls(in, a); break;
    case 7:
        check_orientation(QI(qi_orientation_from_euler(v.data(), sequence.data(), out)), out);
        break;
    case 8: check_output(QI(qi_orientation_to_euler(a, sequence.data(), out)), out, 3); break;
    case 9: check_orientation(QI(qi_orientation_product(a, b, out)), out); break;
    case 10: check_orientation(QI(qi_orientation_inverse(a, out)), out); break;
    case 11: {
        const double t = in.number();
        check_orientation(QI(qi_orientation_slerp(a, b, t, out)), out);
        break;
    }
    case 12: check_output(QI(qi_orientation_angle(a, b, out)), out, 1); break;
    default: text_calls(in);
    }
}

// Resistances of an ellipsoid, or, where it has none, any numbers, and the torque with them.
inline qi_status add_shear_flow(Input &in, bool wild, const double *q, const double *semi_axes,
                                const double *omega, double *torque)
{
    double resistances[6];
    for (double &x : resistances) x = guard();
    const double viscosity = std::fabs(omega[0]);
    const qi_status status = QI(qi_get_shear_flow_resistances(semi_axes, viscosity, resistances));
    check_output(status, resistances, 6);
    if (status != QI_OK) {
        for (double &x : resistances) x = in.number();
    }
    double gradient[9];
    for (double &x : gradient) x = wild ? in.number() : in.modest();
    return QI(qi_add_shear_flow_torque(q, omega, resistances, gradient, torque));
}

inline void torque_sum_call(Input &in)
{
    const auto q = in.orientation();
    const bool wild = in.seldom(4);
    const auto a = in.vector(wild);
    const auto b = in.vector(wild);
    const auto inertia = in.inertia();
    const double before[3] = {1, 2, 3};
    double torque[3] = {1, 2, 3};
    qi_status status = QI_OK;
    switch (in.choice(6)) {
    case 0: status = QI(qi_add_body_torque(q.data(), a.data(), torque)); break;
    case 1: status = QI(qi_add_uniform_field_torque(q.data(), a.data(), b.data(), torque)); break;
    case 2:
        status =
            QI(qi_add_gravity_gradient_torque(q.data(), inertia.data(), a.data(), b[0], torque));
        break;
    case 3: {
        const double *flow = in.choice(2) ? nullptr : a.data();
        status = QI(qi_add_linear_drag_torque(q.data(), a.data(), b.data(), flow, torque));
        break;
    }
    default: status = add_shear_flow(in, wild, q.data(), a.data(), b.data(), torque);
    }
    HOLDS(status == QI_OK ? are_finite(torque, 3) : same_bits(torque, before, 3));
}

// A sum of numbers is the same backwards, and is refused as a whole if one is not finite.
inline void sum_forwards_and_backwards(Input &in)
{
    int64_t forwards[QI_SUM_SIZE] = {};
    int64_t backwards[QI_SUM_SIZE] = {};
    std::vector<double> values(in.choice(12));
    for (double &x : values) x = in.number();
    const bool all_finite = are_finite(values.data(), values.size());
    const qi_status added = QI(qi_add_to_sum(forwards, values.data(), values.size()));
    HOLDS((added == QI_OK) == all_finite);
    if (!all_finite) {
        const int64_t zero[QI_SUM_SIZE] = {};
        HOLDS(std::memcmp(forwards, zero, sizeof zero) == 0);
    }
    const std::vector<double> reversed(values.rbegin(), values.rend());
    for (const double &x : reversed) {
        if (std::isfinite(x)) HOLDS(QI(qi_add_to_sum(backwards, &x, 1)) == QI_OK);
    }
    if (!all_finite) return;
    double one = guard();
    double other = guard();
    const qi_status status = QI(qi_get_sum(forwards, &one));
    HOLDS(QI(qi_get_sum(backwards, &other)) == status);
    HOLDS(same_bits(&one, &other, 1));
    check_output(status, &one, 1);
}

inline int64_t any_integer(Input &in, bool is_wild)
{
    if (is_wild) return int64_t(in.word());
    if (!in.seldom(4)) return int8_t(in.byte());
    const int64_t factor = int8_t(in.byte());
    return factor * (int64_t(1) << in.choice(54));
}

// Any integers are a sum: it has a value or is refused, and numbers can be added to it.
inline void sum_of_any_integers(Input &in)
{
    int64_t sum[QI_SUM_SIZE];
    const bool is_wild = in.choice(2);
    for (int64_t &x : sum) x = any_integer(in, is_wild);
    if (is_wild && in.choice(2)) {
        const int64_t extreme = in.choice(2) ? INT64_MIN : INT64_MAX;
        sum[QI_SUM_SIZE - 1 - in.choice(QI_SUM_SIZE)] = extreme;
    }
    double value = guard();
    check_output(QI(qi_get_sum(sum, &value)), &value, 1);
    value = in.modest();
    HOLDS(QI(qi_add_to_sum(sum, &value, 1)) == QI_OK);
    value = guard();
    check_output(QI(qi_get_sum(sum, &value)), &value, 1);
}

inline void exact_sum_call(Input &in)
{
    sum_forwards_and_backwards(in);
    sum_of_any_integers(in);
}

} // namespace fuzz
