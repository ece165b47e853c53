// solutions.hpp: solutions of one body with error control, and recorded steps.
#pragma once

#include "body_model.hpp"

#include <cfenv>

namespace fuzz {

// The first rows are written, the others hold the pattern.
inline void check_records(const std::vector<double> &rows, size_t written)
{
    for (size_t i = 0; i < rows.size() / 8; i++) {
        if (i < written) {
            HOLDS(are_finite(&rows[8 * i], 8) && is_unit(&rows[8 * i + 1]));
        } else {
            for (size_t c = 0; c < 8; c++) HOLDS(is_guard(rows[8 * i + c]));
        }
    }
}

// Where the torque does not depend on time, the clock does not matter: solutions over one span that
// begin at 0 and at a time as Unix counts it have the same bits.
inline void solve_late(BodyModel &m, Input &in, double tolerance)
{
    const double span = in.modest(); // a multiple of 1/32, which such a clock shows exactly
    const double starts[2] = {0, 1.7e9 + double(in.choice(100))};
    HOLDS(QI(qi_set_inertia_function(m.handle, nullptr, nullptr)) == QI_OK); // it depends on time
    const BodySnapshot before = snapshot(m.handle);
    BodySnapshot after[2];
    qi_status statuses[2];
    uint64_t evaluations[2] = {0, 0};
    m.torque.of_time = 0;
    // Driven wheels depend on time. The stiff method takes differences of it, as the clock shows
    // them.
    const bool is_driven = before.motor[0] != 0 || before.motor[1] != 0 || before.motor[2] != 0;
    if (is_driven) HOLDS(QI(qi_set_solve_method(m.handle, QI_SOLVE_NONSTIFF)) == QI_OK);
    for (int i = 0; i < 2; i++) {
        HOLDS(QI(qi_set_rotor_momentum(m.handle, before.rotor)) == QI_OK);
        HOLDS(QI(qi_set_state_body(m.handle, before.q, before.omega_body)) == QI_OK);
        HOLDS(QI(qi_set_time(m.handle, starts[i])) == QI_OK);
        statuses[i] = m.advance(
            [&] { return QI(qi_solve(m.handle, starts[i] + span, tolerance, &evaluations[i])); });
        after[i] = snapshot(m.handle);
    }
    HOLDS(statuses[0] == statuses[1] && evaluations[0] == evaluations[1]);
    HOLDS(same_bits(after[0].q, after[1].q, 4));
    HOLDS(same_bits(after[0].omega_body, after[1].omega_body, 3));
}

// A solution whose states at some times are recorded. `end` becomes the last of these times.
inline qi_status solve_record(BodyModel &m, Input &in, double now, double tolerance, double &end)
{
    const size_t count = in.choice(5);
    std::vector<double> times(count);
    for (size_t i = 0; i < count; i++) {
        const double part = double(i + in.choice(2));
        times[i] = now + (end - now) * part / double(count);
    }
    if (count > 0 && in.seldom(16)) {
        const double number = in.number();
        times[in.choice(count)] = number;
    }
    end = count > 0 ? times[count - 1] : now;
    std::vector<double> rows(8 * count, guard());
    size_t written = 99;
    const qi_status status = m.advance([&] {
        return QI(qi_solve_record(m.handle, times.data(), count, tolerance, rows.data(), &written));
    });
    HOLDS(written <= count && (status != QI_OK || written == count));
    check_records(rows, written);
    for (size_t i = 0; i < written; i++) HOLDS(rows[8 * i] == times[i]);
    return status;
}

// A solution takes as many steps as the motion needs, so its torque is a callback with a limit.
inline void solve(BodyModel &m, Input &in)
{
    const qi_status torque_set =
        m.change([&] { return QI(qi_set_torque(m.handle, body_torque, &m.torque)); });
    if (torque_set != QI_OK) return;
    m.torque.draw(in, false);
    const double tolerance = in.seldom(8) ? in.number() : std::ldexp(1.0, -int(3 + in.choice(30)));
    double now = 0;
    QI(qi_get_time(m.handle, &now));
    double end = in.seldom(16) ? in.number() : now + in.modest();
    if (in.seldom(4)) {
        solve_late(m, in, tolerance);
        return;
    }
    const uint64_t most = in.seldom(4) ? 1 + in.choice(200) : 0;
    HOLDS(QI(qi_set_solve_most_evaluations(m.handle, most)) == QI_OK);
    if (in.seldom(4)) {
        const double longest = in.duration();
        m.change([&] { return QI(qi_set_solve_longest_step(m.handle, longest)); });
    }
    const int32_t method = in.seldom(3) ? 1 + in.choice(2) : QI_SOLVE_NONSTIFF;
    HOLDS(QI(qi_set_solve_method(m.handle, method)) == QI_OK);

    const bool is_quiet = is_ordinary(m);
    uint64_t evaluations = 0;
    qi_status status = QI_OK;
    std::feclearexcept(FE_ALL_EXCEPT);
    switch (in.choice(3)) {
    case 0:
        status = m.advance([&] { return QI(qi_solve(m.handle, end, tolerance, &evaluations)); });
        break;
    case 1: status = solve_record(m, in, now, tolerance, end); break;
    default: {
        const int32_t direction = int32_t(in.choice(4)) - 1;
        status = m.advance([&] {
            return QI(qi_solve_until(m.handle, end, tolerance, event, direction, &m.torque));
        });
        HOLDS(status <= 0 || status == QI_EVENT);
    }
    }
    const bool has_raised = std::fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW) != 0;
    HOLDS(status < 0 || !is_quiet || !has_raised);

    if (status == QI_OK) {
        double reached = 0;
        QI(qi_get_time(m.handle, &reached));
        HOLDS(reached == end);
    }
    uint64_t accepted = 0;
    uint64_t rejected = 0;
    HOLDS(QI(qi_get_solve_statistics(m.handle, &evaluations, &accepted, &rejected)) == QI_OK);
    // After QI_ERR_INVALID these are the statistics of the solution before.
    HOLDS(most == 0 || status == QI_ERR_INVALID || evaluations <= most);
    HOLDS(QI(qi_set_solve_most_evaluations(m.handle, 0)) == QI_OK);
    HOLDS(QI(qi_set_solve_longest_step(m.handle, 0)) == QI_OK);
}

inline void record(BodyModel &m, Input &in)
{
    const double dt = in.duration();
    const uint64_t steps = in.steps();
    const uint64_t every = in.choice(4);
    const size_t capacity = in.choice(12);
    std::vector<double> rows(8 * capacity, guard());
    size_t written = 99;
    const BodySnapshot before = snapshot(m.handle);
    const qi_status status = m.advance(
        [&] { return QI(qi_record(m.handle, dt, steps, every, rows.data(), capacity, &written)); });
    if (status == QI_ERR_CAPACITY) HOLDS(is_same(before, snapshot(m.handle)) && written == 0);
    if (status == QI_OK) HOLDS(every > 0 && written == steps / every + 1);
    HOLDS(written <= capacity);
    check_records(rows, written);
}

// The function without a handle gives the bits of a body.
inline void integrate(Input &in)
{
    const auto inertia = in.inertia();
    auto q = in.orientation();
    auto omega = in.vector(in.seldom(8));
    const double time = in.duration();
    const double dt = in.duration();
    const uint64_t steps = in.steps();
    Torque torque;
    torque.draw(in, in.choice(2) == 0);

    const auto old_q = q;
    const auto old_omega = omega;
    qi_status created = QI_OK;
    BodyModel m(QI_VALUE(qi_create_body(inertia.data(), q.data(), omega.data(), &created)));
    torque.begin();
    const qi_status status = QI(qi_integrate(inertia.data(), q.data(), omega.data(), time, dt,
                                             steps, body_torque, &torque));
    const bool has_stepped = status == QI_OK && dt != 0 && steps != 0;
    if (!has_stepped) {
        HOLDS(same_bits(q.data(), old_q.data(), 4));
        HOLDS(same_bits(omega.data(), old_omega.data(), 3));
    }
    if (created != QI_OK) {
        HOLDS(status != QI_OK);
        return;
    }
    torque.begin();
    qi_status advanced = QI(qi_set_time(m.handle, time));
    HOLDS(QI(qi_set_torque(m.handle, body_torque, &torque)) == QI_OK);
    if (advanced == QI_OK) advanced = QI(qi_advance(m.handle, dt, steps, nullptr));
    HOLDS(advanced == status);
    if (!has_stepped) return;
    const BodySnapshot s = snapshot(m.handle);
    HOLDS(same_bits(s.q, q.data(), 4) && same_bits(s.omega, omega.data(), 3));
}

} // namespace fuzz
