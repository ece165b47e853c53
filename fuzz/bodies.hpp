// bodies.hpp: calls on one body.
#pragma once

#include "arrays.hpp"
#include "torques.hpp"

#include <cfenv>

namespace fuzz {

// All getters of a body, to be compared bit by bit.
struct BodySnapshot {
    double q[4], omega[3], omega_body[3], time, clock[2], momentum[3], energy, rotor[3], motor[3];
    uint64_t draws;
    int32_t method;
    qi_status statuses[9];
};

inline BodySnapshot snapshot(const qi_body *body)
{
    BodySnapshot s;
    std::memset(&s, 0, sizeof s);
    s.statuses[0] = QI(qi_get_orientation(body, s.q));
    s.statuses[1] = QI(qi_get_angular_velocity(body, s.omega));
    s.statuses[2] = QI(qi_get_angular_velocity_body(body, s.omega_body));
    s.statuses[3] = QI(qi_get_time(body, &s.time));
    s.statuses[4] = QI(qi_get_clock(body, s.clock));
    s.statuses[5] = QI(qi_get_angular_momentum(body, s.momentum));
    s.statuses[6] = QI(qi_get_kinetic_energy(body, &s.energy));
    s.statuses[7] = QI(qi_get_rotor_momentum(body, s.rotor));
    HOLDS(QI(qi_get_rotor_torque(body, s.motor)) == s.statuses[7]);
    s.statuses[8] = QI(qi_get_method(body, &s.method));
    HOLDS(QI(qi_get_noise(body, &s.draws)) == s.statuses[8]);
    return s;
}

inline bool is_same(const BodySnapshot &a, const BodySnapshot &b)
{
    return std::memcmp(&a, &b, sizeof a) == 0;
}

// What each state of a body promises.
inline void check_state(const BodySnapshot &s)
{
    for (int i = 0; i < 9; i++) HOLDS(s.statuses[i] == QI_OK || i == 5 || i == 6);
    HOLDS(is_unit(s.q) && are_finite(s.omega, 3) && are_finite(s.omega_body, 3));
    HOLDS(std::isfinite(s.time) && are_finite(s.clock, 2) && are_finite(s.rotor, 3));
    HOLDS(s.statuses[5] == QI_ERR_NON_FINITE || are_finite(s.momentum, 3));
    HOLDS(s.statuses[6] == QI_ERR_NON_FINITE || std::isfinite(s.energy));
}

struct BodyModel {
    qi_body *handle;
    Torque torque;
    bool has_ordinary_inertia = false, has_wild_drag = false;

    explicit BodyModel(qi_body *body) : handle(body) { torque.body = body; }
    BodyModel(const BodyModel &) = delete;
    ~BodyModel() { qi_destroy_body(handle); }

    // A call that changes the body: all of it or nothing.
    template <class Call> qi_status change(Call call)
    {
        const BodySnapshot before = snapshot(handle);
        torque.begin();
        const qi_status status = call();
        const BodySnapshot after = snapshot(handle);
        HOLDS(status >= 0 || is_same(before, after));
        check_state(after);
        return status;
    }
    // A call of which the steps before a failure remain.
    template <class Call> qi_status advance(Call call)
    {
        torque.begin();
        const qi_status status = call();
        check_state(snapshot(handle));
        return status;
    }
};

// Moments as bodies have them, or zero.
inline bool has_ordinary_moments(const std::array<double, 9> &t)
{
    return std::all_of(t.begin(), t.end(), [&](const double &x) { return x == 0 || (x > 0.4 && x < 9) || ((&x - &t[0]) % 4 != 0 && std::fabs(x) < 0.2); });
}

inline std::unique_ptr<BodyModel> create_body(Input &in)
{
    const auto inertia = in.inertia();
    const auto q = in.orientation();
    const auto omega = in.vector(in.seldom(8));
    qi_status status = 99;
    qi_body *body = QI_VALUE(qi_create_body(in.seldom(64) ? nullptr : inertia.data(), in.seldom(8) ? nullptr : q.data(),
                                      in.seldom(8) ? nullptr : omega.data(), &status));
    HOLDS((body != nullptr) == (status == QI_OK) && status <= 0);
    if (body == nullptr) return nullptr;
    auto model = std::make_unique<BodyModel>(body);
    model->has_ordinary_inertia = has_ordinary_moments(inertia);
    return model;
}

// A drift with rotors takes steps, as many as the motion needs, and is refused beyond 1e6 radians: seconds. Here, no longer than a moment.
inline bool is_soon_done(const BodyModel &m, double duration)
{
    const BodySnapshot s = snapshot(m.handle);
    double rate = 0;
    bool has_rotors = false;
    for (int i = 0; i < 3; i++) {
        rate += std::fabs(s.omega[i]) + std::fabs(s.rotor[i]) + std::fabs(s.motor[i] * duration);
        has_rotors |= s.rotor[i] != 0 || s.motor[i] != 0;
    }
    return !has_rotors || !std::isfinite(duration) || (m.has_ordinary_inertia && rate * std::fabs(duration) < 1e3);
}

// One of the methods, or none.
inline int32_t method_of(size_t choice) { return choice < 7 ? int32_t(choice) : 99; }

// Random torques: set, taken away, the number of draws, and drag and noise alone.
inline void body_random(BodyModel &m, Input &in)
{
    qi_body *b = m.handle;
    const BodySnapshot before = snapshot(b);
    switch (in.choice(4)) {
    case 0: case 1: {
        const bool wild = in.seldom(8), none = in.seldom(4), at_rest = in.choice(2);
        const auto c = in.coefficients(wild), flow = in.vector(wild);
        const double kt = wild ? in.number() : std::fabs(in.modest());
        const uint64_t seed = in.word(), id = in.word();
        m.change([&] { return QI(qi_set_langevin(b, none ? nullptr : c.data(), at_rest ? nullptr : flow.data(), kt, seed, id)); });
        HOLDS(snapshot(b).draws == before.draws);
        break;
    }
    case 2: {
        const uint64_t draws = in.word();
        HOLDS(m.change([&] { return QI(qi_set_noise(b, draws)); }) == QI_OK && snapshot(b).draws == draws);
        break;
    }
    default: {
        const double duration = in.duration();
        const qi_status status = m.change([&] { return QI(qi_thermalize(b, duration)); });
        const BodySnapshot after = snapshot(b);
        HOLDS(status != QI_OK || (duration >= 0 && after.draws == before.draws + 1));
        HOLDS(same_bits(before.q, after.q, 4) && same_bits(before.clock, after.clock, 2));
    }
    }
}

inline void set_body_torque(BodyModel &m, Input &in)
{
    const bool wild = in.seldom(8);
    const auto a = in.vector(wild), b = in.vector(wild);
    double gradient[9];
    switch (in.choice(7)) {
    case 0:
        if (m.change([&] { return QI(qi_set_torque(m.handle, body_torque, &m.torque)); }) == QI_OK) m.torque.draw(in, false);
        break;
    case 1: m.change([&] { return QI(qi_set_torque(m.handle, nullptr, nullptr)); }); break;
    case 2: m.change([&] { return QI(qi_set_constant_torque(m.handle, a.data(), int32_t(in.choice(3)))); }); break;
    case 3: m.change([&] { return QI(qi_set_uniform_field_torque(m.handle, a.data(), b.data())); }); break;
    case 4: m.change([&] { return QI(qi_set_gravity_gradient_torque(m.handle, a.data(), b[0])); }); break;
    case 5: m.change([&] { return QI(qi_set_linear_drag_torque(m.handle, a.data())); }); break;
    default:
        for (double &g : gradient) g = wild ? in.number() : in.modest();
        m.change([&] { return QI(qi_set_shear_flow_torque(m.handle, a.data(), std::fabs(b[0]), gradient)); });
    }
}

// What a program that traps floating-point exceptions may well do.
inline bool is_ordinary(const BodyModel &m)
{
    const BodySnapshot s = snapshot(m.handle);
    double size = std::fabs(s.time);
    for (int i = 0; i < 3; i++) size += std::fabs(s.omega[i]) + std::fabs(s.rotor[i]) + std::fabs(s.motor[i]);
    return m.has_ordinary_inertia && !m.has_wild_drag && size < 1e6 && (m.torque.manner == Manner::behaves || m.torque.manner == Manner::uses_others);
}

// Where the torque does not depend on time, the clock does not matter: after as long, from 0 or from Unix time, the same bits.
inline void solve_late(BodyModel &m, Input &in, double tolerance)
{
    const double span = in.modest(); // a multiple of 1/32, which such a clock shows exactly
    const double starts[2] = {0, 1.7e9 + double(in.choice(100))};
    const BodySnapshot before = snapshot(m.handle);
    BodySnapshot after[2];
    qi_status statuses[2];
    uint64_t evaluations[2] = {0, 0};
    m.torque.of_time = 0;
    // driven wheels depend on time, of which the stiff method takes differences as the clock shows them
    const bool is_driven = before.motor[0] != 0 || before.motor[1] != 0 || before.motor[2] != 0;
    if (is_driven) HOLDS(QI(qi_set_solve_method(m.handle, QI_SOLVE_NONSTIFF)) == QI_OK);
    for (int i = 0; i < 2; i++) {
        HOLDS(QI(qi_set_rotor_momentum(m.handle, before.rotor)) == QI_OK);
        HOLDS(QI(qi_set_state_body(m.handle, before.q, before.omega_body)) == QI_OK && QI(qi_set_time(m.handle, starts[i])) == QI_OK);
        statuses[i] = m.advance([&] { return QI(qi_solve(m.handle, starts[i] + span, tolerance, &evaluations[i])); });
        after[i] = snapshot(m.handle);
    }
    HOLDS(statuses[0] == statuses[1] && evaluations[0] == evaluations[1]);
    HOLDS(same_bits(after[0].q, after[1].q, 4) && same_bits(after[0].omega_body, after[1].omega_body, 3));
}

// Solutions take as many steps as the motion needs, so a callback with a limit drives them.
inline void solve(BodyModel &m, Input &in)
{
    if (m.change([&] { return QI(qi_set_torque(m.handle, body_torque, &m.torque)); }) != QI_OK) return;
    m.torque.draw(in, false);
    const double tolerance = in.seldom(8) ? in.number() : std::ldexp(1.0, -int(3 + in.choice(30)));
    double now = 0;
    QI(qi_get_time(m.handle, &now));
    const double end = in.seldom(16) ? in.number() : now + in.modest();
    double target = end;
    uint64_t evaluations = 0, accepted = 0, rejected = 0;
    qi_status status = QI_OK;
    if (in.seldom(4)) {
        solve_late(m, in, tolerance);
        return;
    }
    const uint64_t most = in.seldom(4) ? 1 + in.choice(200) : 0;
    HOLDS(QI(qi_set_solve_most_evaluations(m.handle, most)) == QI_OK);
    if (in.seldom(4)) m.change([&] { return QI(qi_set_solve_longest_step(m.handle, in.duration())); });
    HOLDS(QI(qi_set_solve_method(m.handle, in.seldom(3) ? QI_SOLVE_STIFF : QI_SOLVE_NONSTIFF)) == QI_OK);
    const bool is_quiet = is_ordinary(m);
    std::feclearexcept(FE_ALL_EXCEPT);
    switch (in.choice(3)) {
    case 0: status = m.advance([&] { return QI(qi_solve(m.handle, end, tolerance, &evaluations)); }); break;
    case 1: {
        const size_t count = in.choice(5);
        std::vector<double> times(count), rows(8 * count, guard());
        for (size_t i = 0; i < count; i++) times[i] = now + (end - now) * double(i + in.choice(2)) / double(count);
        if (count > 0 && in.seldom(16)) times[in.choice(count)] = in.number();
        target = count > 0 ? times[count - 1] : now;
        size_t written = 99;
        status = m.advance([&] { return QI(qi_solve_record(m.handle, times.data(), count, tolerance, rows.data(), &written)); });
        HOLDS(written <= count && (status != QI_OK || written == count));
        const double pattern = guard();
        for (size_t i = 0; i < count; i++) {
            if (i >= written) {
                for (size_t c = 0; c < 8; c++) HOLDS(same_bits(&rows[8 * i + c], &pattern, 1));
            } else {
                HOLDS(are_finite(&rows[8 * i], 8) && is_unit(&rows[8 * i + 1]) && rows[8 * i] == times[i]);
            }
        }
        break;
    }
    default:
        status = m.advance([&] {
            return QI(qi_solve_until(m.handle, end, tolerance, event, int32_t(in.choice(4)) - 1, &m.torque));
        });
        HOLDS(status <= 0 || status == QI_EVENT);
    }
    if (status == QI_OK) {
        double reached = 0;
        QI(qi_get_time(m.handle, &reached));
        HOLDS(reached == target);
    }
    HOLDS(status < 0 || !is_quiet || std::fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW) == 0);
    HOLDS(QI(qi_get_solve_statistics(m.handle, &evaluations, &accepted, &rejected)) == QI_OK);
    HOLDS(most == 0 || status == QI_ERR_INVALID || evaluations <= most); // else of a solution before
    HOLDS(QI(qi_set_solve_most_evaluations(m.handle, 0)) == QI_OK && QI(qi_set_solve_longest_step(m.handle, 0)) == QI_OK);
}

inline void record(BodyModel &m, Input &in)
{
    const double dt = in.duration();
    const uint64_t steps = in.steps(), every = in.choice(4);
    const size_t capacity = in.choice(12);
    std::vector<double> rows(8 * capacity, guard());
    size_t written = 99;
    const BodySnapshot before = snapshot(m.handle);
    const qi_status status =
        m.advance([&] { return QI(qi_record(m.handle, dt, steps, every, rows.data(), capacity, &written)); });
    if (status == QI_ERR_CAPACITY || status == QI_ERR_INVALID) HOLDS(written <= 1 || status == QI_ERR_INVALID);
    if (status == QI_ERR_CAPACITY) HOLDS(is_same(before, snapshot(m.handle)) && written == 0);
    if (status == QI_OK) HOLDS(every > 0 && written == steps / every + 1);
    HOLDS(written <= capacity);
    const double pattern = guard();
    for (size_t i = 0; i < capacity; i++) {
        if (i < written) HOLDS(are_finite(&rows[8 * i], 8) && is_unit(&rows[8 * i + 1]));
        else HOLDS(same_bits(&rows[8 * i], &pattern, 1) && same_bits(&rows[8 * i + 7], &pattern, 1));
    }
}

// The function without a handle gives the bits of a body.
inline void integrate(Input &in)
{
    const auto inertia = in.inertia();
    auto q = in.orientation();
    auto omega = in.vector(in.seldom(8));
    const double time = in.duration(), dt = in.duration();
    const uint64_t steps = in.steps();
    Torque torque;
    torque.draw(in, in.choice(2) == 0);
    const auto old_q = q;
    const auto old_omega = omega;
    qi_status created = QI_OK;
    BodyModel m(QI_VALUE(qi_create_body(inertia.data(), q.data(), omega.data(), &created)));
    torque.begin();
    const qi_status status = QI(qi_integrate(inertia.data(), q.data(), omega.data(), time, dt, steps, body_torque, &torque));
    if (status != QI_OK || dt == 0 || steps == 0) HOLDS(same_bits(q.data(), old_q.data(), 4) && same_bits(omega.data(), old_omega.data(), 3));
    if (created != QI_OK) {
        HOLDS(status != QI_OK);
        return;
    }
    torque.begin();
    qi_status advanced = QI(qi_set_time(m.handle, time));
    HOLDS(QI(qi_set_torque(m.handle, body_torque, &torque)) == QI_OK);
    if (advanced == QI_OK) advanced = QI(qi_advance(m.handle, dt, steps, nullptr));
    HOLDS(advanced == status);
    if (status != QI_OK || dt == 0 || steps == 0) return; // no step: the caller's arrays stay as they are
    const BodySnapshot s = snapshot(m.handle);
    HOLDS(same_bits(s.q, q.data(), 4) && same_bits(s.omega, omega.data(), 3));
}

// The row of a body that is set as it was got changes no bit. One that is spoiled is taken or refused as a whole.
inline void body_rows(BodyModel &m, Input &in)
{
    enum { ALL = QI_PART_STATE | QI_PART_INERTIA | QI_PART_TORQUE | QI_PART_MEMORY | QI_PART_ID };
    const int32_t parts = in.seldom(4) ? int32_t(in.choice(36)) : int32_t(ALL);
    const size_t width = QI_VALUE(qi_get_body_row_size(m.handle, parts));
    std::vector<double> row(width, guard()), again(width, guard());
    double inertia[7];
    HOLDS(QI(qi_get_body_row(m.handle, QI_PART_INERTIA, inertia)) == QI_OK);
    const BodySnapshot before = snapshot(m.handle);
    const qi_status got = QI(qi_get_body_row(m.handle, parts, row.data()));
    HOLDS((got == QI_OK) == (parts <= ALL) && is_same(before, snapshot(m.handle)));
    if (got != QI_OK) return;
    HOLDS(m.change([&] { return QI(qi_set_body_row(m.handle, parts, row.data())); }) == QI_OK);
    if (!may_lose_digits(inertia)) {
        HOLDS(is_same(before, snapshot(m.handle)));
        HOLDS(QI(qi_get_body_row(m.handle, parts, again.data())) == QI_OK && same_bits(row.data(), again.data(), width));
    }
    if (width == 0) return;
    row[in.choice(width)] = in.number();
    const qi_status set = m.change([&] { return QI(qi_set_body_row(m.handle, parts, row.data())); });
    if (set == QI_OK && parts & QI_PART_INERTIA) m.has_ordinary_inertia = false;
    if (set == QI_OK && parts & QI_PART_TORQUE) m.has_wild_drag = true;
}

inline void body_call(BodyModel &m, Input &in)
{
    qi_body *b = in.seldom(128) ? nullptr : m.handle;
    const auto null_means = [&](qi_status status) { HOLDS(b != nullptr || status == QI_ERR_NULL || status == QI_ERR_INVALID || status == QI_ERR_NON_FINITE); return status; };
    switch (in.choice(18)) {
    case 17: body_rows(m, in); break;
    case 0: case 1: set_body_torque(m, in); break;
    case 2: m.change([&] { return null_means(QI(qi_set_method(b, method_of(in.choice(8))))); }); break;
    case 16: body_random(m, in); break;
    case 3: case 4: m.change([&] { return null_means(QI(qi_step(b, in.duration()))); }); break;
    case 5: case 6: {
        const uint64_t steps = in.steps();
        uint64_t completed = 99;
        const BodySnapshot before = snapshot(m.handle);
        const qi_status status = m.advance([&] { return null_means(QI(qi_advance(b, in.duration(), steps, &completed))); });
        HOLDS(status == QI_OK ? completed == steps : completed <= steps);
        HOLDS(status == QI_OK || completed > 0 || is_same(before, snapshot(m.handle)));
        break;
    }
    case 7: record(m, in); break;
    case 8: solve(m, in); break;
    case 9: {
        const auto q = in.orientation();
        const auto omega = in.vector(in.seldom(8));
        const size_t kind = in.choice(3);
        m.change([&] {
            return kind == 0 ? QI(qi_set_angular_momentum(b, omega.data()))
                   : kind == 1 ? QI(qi_set_state_body(b, q.data(), omega.data())) : QI(qi_set_state(b, q.data(), omega.data()));
        });
        break;
    }
    case 10: {
        // What the getters give sets the same bits.
        const BodySnapshot s = snapshot(m.handle);
        m.change([&] { return QI(qi_set_state_body(m.handle, s.q, s.omega_body)); });
        m.change([&] { return QI(qi_set_clock(m.handle, s.clock)); });
        HOLDS(is_same(s, snapshot(m.handle)));
        break;
    }
    case 11: {
        const auto clock = in.clock();
        if (in.choice(2)) m.change([&] { return null_means(QI(qi_set_time(b, clock[0]))); });
        else m.change([&] { return null_means(QI(qi_set_clock(b, clock.data()))); });
        break;
    }
    case 12: {
        const auto torque = in.vector(in.seldom(8));
        m.change([&] { return null_means(QI(qi_kick(b, in.duration(), torque.data(), int32_t(in.choice(3))))); });
        break;
    }
    case 13: {
        const double duration = in.duration();
        if (is_soon_done(m, duration)) m.change([&] { return null_means(QI(qi_drift(b, duration))); });
        break;
    }
    case 14: {
        const bool wild = in.seldom(8);
        const auto coefficients = in.vector(wild), flow = in.vector(wild);
        const size_t kind = in.choice(4);
        const double *given = kind == 0 ? nullptr : coefficients.data();
        const qi_status status = m.change([&] { return QI(qi_set_drag(b, given, kind == 1 ? nullptr : flow.data())); });
        if (status == QI_OK) m.has_wild_drag = wild && given != nullptr;
        break;
    }
    default: {
        const auto rotor = in.vector(in.seldom(8));
        const bool is_motor = in.seldom(4);
        m.change([&] {
            const double *given = in.seldom(4) ? nullptr : rotor.data();
            return is_motor ? QI(qi_set_rotor_torque(b, given)) : QI(qi_set_rotor_momentum(b, given));
        });
    }
    }
    QI_VALUE(qi_get_callback_result(m.handle));
}

} // namespace fuzz
