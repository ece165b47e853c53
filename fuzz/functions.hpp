// functions.hpp: calls without a handle. Success gives finite numbers, failure writes nothing.
#pragma once

#include "arrays.hpp"

namespace fuzz {

inline void check_output(qi_status status, const double *out, size_t count, bool is_orientation = false)
{
    const double pattern = guard();
    for (size_t i = 0; i < count; i++) HOLDS(status == QI_OK ? std::isfinite(out[i]) : same_bits(&out[i], &pattern, 1));
    HOLDS(status != QI_OK || !is_orientation || is_unit(out));
}

inline void rotation_call(Input &in)
{
    const auto a = in.orientation(), b = in.orientation();
    const auto v = in.vector(in.seldom(4));
    double out[9], angle = guard();
    for (double &x : out) x = guard();
    char sequence[5] = "";
    for (size_t i = 0, length = in.seldom(8) ? 2 + in.choice(3) : 3; i < length; i++) sequence[i] = in.seldom(16) ? char(in.byte()) : "xyzXYZ"[in.choice(6)];
    if (in.choice(4) != 0) {
        const bool lower = in.choice(2);
        for (int i = 0; i < 3; i++) sequence[i] = (lower ? "xyz" : "XYZ")[in.choice(3)];
        sequence[3] = 0;
    }
    qi_status s;
    switch (in.choice(14)) {
    case 0: s = QI(qi_rotate(a.data(), v.data(), out)), check_output(s, out, 3); break;
    case 1: s = QI(qi_rotate_inverse(a.data(), v.data(), out)), check_output(s, out, 3); break;
    case 2: s = QI(qi_orientation_from_axis_angle(v.data(), in.number(), out)), check_output(s, out, 4, true); break;
    case 3: s = QI(qi_orientation_to_axis_angle(a.data(), out, &angle)), check_output(s, out, 3), check_output(s, &angle, 1); break;
    case 4: s = QI(qi_orientation_from_rotation_vector(v.data(), out)), check_output(s, out, 4, true); break;
    case 5: s = QI(qi_orientation_to_rotation_vector(a.data(), out)), check_output(s, out, 3); break;
    case 6: {
        double matrix[9], q[4] = {guard(), guard(), guard(), guard()};
        s = QI(qi_orientation_to_matrix(a.data(), out)), check_output(s, out, 9);
        for (int i = 0; i < 9; i++) matrix[i] = s == QI_OK ? out[i] : in.number();
        if (in.seldom(4)) matrix[in.choice(9)] = in.number();
        s = QI(qi_orientation_from_matrix(matrix, q)), check_output(s, q, 4, true);
        break;
    }
    case 7: s = QI(qi_orientation_from_euler(v.data(), sequence, out)), check_output(s, out, 4, true); break;
    case 8: s = QI(qi_orientation_to_euler(a.data(), sequence, out)), check_output(s, out, 3); break;
    case 9: s = QI(qi_orientation_product(a.data(), b.data(), out)), check_output(s, out, 4, true); break;
    case 10: s = QI(qi_orientation_inverse(a.data(), out)), check_output(s, out, 4, true); break;
    case 11: s = QI(qi_orientation_slerp(a.data(), b.data(), in.number(), out)), check_output(s, out, 4, true); break;
    case 12: s = QI(qi_orientation_angle(a.data(), b.data(), out)), check_output(s, out, 1); break;
    default: {
        const qi_status any = int8_t(in.byte());
        HOLDS(QI_VALUE(qi_status_name(any)) != nullptr && QI_VALUE(qi_status_message(any)) != nullptr && QI_VALUE(qi_version_string()) != nullptr);
        HOLDS(QI_VALUE(qi_last_error()) != nullptr && QI_VALUE(qi_last_error_cause()) != nullptr && QI_VALUE(qi_version_number()) == QI_VERSION_NUMBER);
    }
    }
}

inline void torque_sum_call(Input &in)
{
    const auto q = in.orientation();
    const bool wild = in.seldom(4);
    const auto a = in.vector(wild), b = in.vector(wild);
    const auto inertia = in.inertia();
    double torque[3] = {1, 2, 3}, numbers[9], resistances[6];
    for (double &x : resistances) x = guard();
    const double before[3] = {1, 2, 3};
    qi_status s = QI_OK;
    switch (in.choice(6)) {
    case 0: s = QI(qi_add_body_torque(q.data(), a.data(), torque)); break;
    case 1: s = QI(qi_add_uniform_field_torque(q.data(), a.data(), b.data(), torque)); break;
    case 2: s = QI(qi_add_gravity_gradient_torque(q.data(), inertia.data(), a.data(), b[0], torque)); break;
    case 3: s = QI(qi_add_linear_drag_torque(q.data(), a.data(), b.data(), in.choice(2) ? nullptr : a.data(), torque)); break;
    default:
        s = QI(qi_get_shear_flow_resistances(a.data(), std::fabs(b[0]), resistances)), check_output(s, resistances, 6);
        if (s != QI_OK) {
            for (double &x : resistances) x = in.number();
        }
        for (double &x : numbers) x = wild ? in.number() : in.modest();
        s = QI(qi_add_shear_flow_torque(q.data(), b.data(), resistances, numbers, torque));
    }
    HOLDS(s == QI_OK ? are_finite(torque, 3) : same_bits(torque, before, 3));
}

// An exact sum does not depend on the order, and equals the numbers where these are exact.
inline void exact_sum_call(Input &in)
{
    int64_t sums[2][QI_SUM_SIZE] = {};
    std::vector<double> values(in.choice(12));
    for (double &x : values) x = in.number();
    const bool all_finite = are_finite(values.data(), values.size());
    HOLDS((QI(qi_add_to_sum(sums[0], values.data(), values.size())) == QI_OK) == all_finite);
    std::vector<double> backwards(values.rbegin(), values.rend());
    for (const double &x : backwards) {
        if (std::isfinite(x)) HOLDS(QI(qi_add_to_sum(sums[1], &x, 1)) == QI_OK);
    }
    double results[2] = {guard(), guard()};
    if (all_finite) {
        const qi_status statuses[2] = {QI(qi_get_sum(sums[0], &results[0])), QI(qi_get_sum(sums[1], &results[1]))};
        HOLDS(statuses[0] == statuses[1] && same_bits(&results[0], &results[1], 1));
        check_output(statuses[0], results, 1);
    } else {
        const int64_t zero[QI_SUM_SIZE] = {};
        HOLDS(std::memcmp(sums[0], zero, sizeof zero) == 0);
    }
    // Any integers are a sum, of which a number or a status comes, and to which numbers can be added.
    int64_t any[QI_SUM_SIZE];
    const bool is_wild = in.choice(2);
    for (int64_t &x : any) x = is_wild ? int64_t(in.word()) : in.seldom(4) ? int64_t(int8_t(in.byte())) * (int64_t(1) << in.choice(54)) : int8_t(in.byte());
    if (is_wild && in.choice(2)) any[QI_SUM_SIZE - 1 - in.choice(QI_SUM_SIZE)] = in.choice(2) ? INT64_MIN : INT64_MAX;
    double value = guard();
    check_output(QI(qi_get_sum(any, &value)), &value, 1);
    value = in.modest();
    HOLDS(QI(qi_add_to_sum(any, &value, 1)) == QI_OK);
    value = guard();
    check_output(QI(qi_get_sum(any, &value)), &value, 1);
}

} // namespace fuzz
