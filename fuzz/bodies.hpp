// bodies.hpp: calls on one body.
#pragma once

#include "solutions.hpp"

namespace fuzz {

inline void set_body_langevin(BodyModel &m, Input &in)
{
    const bool wild = in.seldom(8);
    const bool none = in.seldom(4);
    const bool at_rest = in.choice(2);
    const auto coefficients = in.coefficients(wild);
    const auto flow = in.vector(wild);
    const double kt = wild ? in.number() : std::fabs(in.modest());
    const uint64_t seed = in.word();
    const uint64_t id = in.word();
    const double *given = none ? nullptr : coefficients.data();
    const double *given_flow = at_rest ? nullptr : flow.data();
    const uint64_t draws = snapshot(m.handle).draws;
    m.change([&] { return QI(qi_set_langevin(m.handle, given, given_flow, kt, seed, id)); });
    HOLDS(snapshot(m.handle).draws == draws);
}

inline void set_body_noise(BodyModel &m, Input &in)
{
    const uint64_t draws = in.word();
    HOLDS(m.change([&] { return QI(qi_set_noise(m.handle, draws)); }) == QI_OK);
    HOLDS(snapshot(m.handle).draws == draws);
}

// Drag and noise alone.
inline void thermalize_body(BodyModel &m, Input &in)
{
    const double duration = in.duration();
    const BodySnapshot before = snapshot(m.handle);
    const qi_status status = m.change([&] { return QI(qi_thermalize(m.handle, duration)); });
    const BodySnapshot after = snapshot(m.handle);
    HOLDS(status != QI_OK || (duration >= 0 && after.draws == before.draws + 1));
    HOLDS(same_bits(before.q, after.q, 4) && same_bits(before.clock, after.clock, 2));
}

inline void body_random(BodyModel &m, Input &in)
{
    switch (in.choice(4)) {
    case 0:
    case 1: set_body_langevin(m, in); break;
    case 2: set_body_noise(m, in); break;
    default: thermalize_body(m, in);
    }
}

inline void set_body_torque(BodyModel &m, Input &in)
{
    qi_body *body = m.handle;
    const bool wild = in.seldom(8);
    const auto a = in.vector(wild);
    const auto b = in.vector(wild);
    switch (in.choice(7)) {
    case 0: {
        const qi_status status =
            m.change([&] { return QI(qi_set_torque(body, body_torque, &m.torque)); });
        if (status == QI_OK) m.torque.draw(in, false);
        break;
    }
    case 1: m.change([&] { return QI(qi_set_torque(body, nullptr, nullptr)); }); break;
    case 2: {
        const int32_t frame = int32_t(in.choice(3));
        m.change([&] { return QI(qi_set_constant_torque(body, a.data(), frame)); });
        break;
    }
    case 3:
        m.change([&] { return QI(qi_set_uniform_field_torque(body, a.data(), b.data())); });
        break;
    case 4:
        m.change([&] { return QI(qi_set_gravity_gradient_torque(body, a.data(), b[0])); });
        break;
    case 5: m.change([&] { return QI(qi_set_linear_drag_torque(body, a.data())); }); break;
    default: {
        double gradient[9];
        for (double &g : gradient) g = wild ? in.number() : in.modest();
        const double viscosity = std::fabs(b[0]);
        m.change([&] { return QI(qi_set_shear_flow_torque(body, a.data(), viscosity, gradient)); });
    }
    }
}

// A row that is set as it was got changes no bit. One that is spoiled is taken or refused as a
// whole.
inline void body_rows(BodyModel &m, Input &in)
{
    constexpr int32_t all =
        QI_PART_STATE | QI_PART_INERTIA | QI_PART_TORQUE | QI_PART_MEMORY | QI_PART_ID | QI_PART_BOUND;
    const int32_t parts = in.seldom(4) ? int32_t(in.choice(68)) : all;
    const size_t width = QI_VALUE(qi_get_body_row_size(m.handle, parts));
    std::vector<double> row(width, guard());
    std::vector<double> again(width, guard());
    double inertia[7];
    HOLDS(QI(qi_get_body_row(m.handle, QI_PART_INERTIA, inertia)) == QI_OK);
    const BodySnapshot before = snapshot(m.handle);
    const qi_status got = QI(qi_get_body_row(m.handle, parts, row.data()));
    HOLDS((got == QI_OK) == (parts <= all) && is_same(before, snapshot(m.handle)));
    if (got != QI_OK) return;

    const auto set_row = [&] { return QI(qi_set_body_row(m.handle, parts, row.data())); };
    HOLDS(m.change(set_row) == QI_OK);
    if (!may_lose_digits(inertia)) {
        HOLDS(is_same(before, snapshot(m.handle)));
        HOLDS(QI(qi_get_body_row(m.handle, parts, again.data())) == QI_OK);
        HOLDS(same_bits(row.data(), again.data(), width));
    }
    if (width == 0) return;
    const double number = in.number();
    row[in.choice(width)] = number;
    if (m.change(set_row) != QI_OK) return;
    if (parts & QI_PART_INERTIA) m.has_ordinary_inertia = false;
    if (parts & QI_PART_TORQUE) m.has_wild_drag = true;
}

// A call without a handle is refused.
inline qi_status checked(const qi_body *body, qi_status status)
{
    const bool is_refused =
        status == QI_ERR_NULL || status == QI_ERR_INVALID || status == QI_ERR_NON_FINITE;
    HOLDS(body != nullptr || is_refused);
    return status;
}

inline void advance_body(BodyModel &m, qi_body *body, Input &in)
{
    const uint64_t steps = in.steps();
    const double dt = in.duration();
    uint64_t completed = 99;
    const BodySnapshot before = snapshot(m.handle);
    const qi_status status =
        m.advance([&] { return checked(body, QI(qi_advance(body, dt, steps, &completed))); });
    HOLDS(status == QI_OK ? completed == steps : completed <= steps);
    HOLDS(status == QI_OK || completed > 0 || is_same(before, snapshot(m.handle)));
}

inline void set_body_state(BodyModel &m, qi_body *body, Input &in)
{
    const auto q = in.orientation();
    const auto omega = in.vector(in.seldom(8));
    switch (in.choice(3)) {
    case 0: m.change([&] { return QI(qi_set_angular_momentum(body, omega.data())); }); break;
    case 1: m.change([&] { return QI(qi_set_state_body(body, q.data(), omega.data())); }); break;
    default: m.change([&] { return QI(qi_set_state(body, q.data(), omega.data())); });
    }
}

// What the getters give sets the same bits.
inline void set_body_as_it_is(BodyModel &m)
{
    const BodySnapshot s = snapshot(m.handle);
    double inertia[7];
    HOLDS(QI(qi_get_body_row(m.handle, QI_PART_INERTIA, inertia)) == QI_OK);
    m.change([&] { return QI(qi_set_state_body(m.handle, s.q, s.omega_body)); });
    m.change([&] { return QI(qi_set_clock(m.handle, s.clock)); });
    HOLDS(may_lose_digits(inertia) || is_same(s, snapshot(m.handle)));
}

inline void set_body_drag(BodyModel &m, qi_body *body, Input &in)
{
    const bool wild = in.seldom(8);
    const auto coefficients = in.vector(wild);
    const auto flow = in.vector(wild);
    const size_t kind = in.choice(4);
    const double *given = kind == 0 ? nullptr : coefficients.data();
    const double *given_flow = kind == 1 ? nullptr : flow.data();
    const qi_status status = m.change([&] { return QI(qi_set_drag(body, given, given_flow)); });
    if (status == QI_OK) m.has_wild_drag = wild && given != nullptr;
}

inline void set_body_rotors(BodyModel &m, qi_body *body, Input &in)
{
    const auto vector = in.vector(in.seldom(8));
    const bool is_motor = in.seldom(4);
    const double *given = in.seldom(4) ? nullptr : vector.data();
    if (is_motor) {
        m.change([&] { return QI(qi_set_rotor_torque(body, given)); });
    } else {
        m.change([&] { return QI(qi_set_rotor_momentum(body, given)); });
    }
}

inline void set_body_method(BodyModel &m, qi_body *body, Input &in)
{
    const int32_t method = method_of(in.choice(8));
    m.change([&] { return checked(body, QI(qi_set_method(body, method))); });
}

inline void step_body(BodyModel &m, qi_body *body, Input &in)
{
    const double dt = in.duration();
    m.change([&] { return checked(body, QI(qi_step(body, dt))); });
}

inline void set_body_clock(BodyModel &m, qi_body *body, Input &in)
{
    const auto clock = in.clock();
    if (in.choice(2)) {
        m.change([&] { return checked(body, QI(qi_set_time(body, clock[0]))); });
    } else {
        m.change([&] { return checked(body, QI(qi_set_clock(body, clock.data()))); });
    }
}

inline void kick_body(BodyModel &m, qi_body *body, Input &in)
{
    const auto torque = in.vector(in.seldom(8));
    const double duration = in.duration();
    const int32_t frame = int32_t(in.choice(3));
    m.change([&] { return checked(body, QI(qi_kick(body, duration, torque.data(), frame))); });
}

inline void drift_body(BodyModel &m, qi_body *body, Input &in)
{
    const double duration = in.duration();
    if (!is_soon_done(m, duration)) return;
    m.change([&] { return checked(body, QI(qi_drift(body, duration))); });
}

// Another inertia, one that changes, and locked axes.
inline void set_body_inertia(BodyModel &m, qi_body *body, Input &in)
{
    const auto tensor = in.inertia();
    const size_t kind = in.choice(5);
    const int32_t number = int32_t(in.choice(10)) - 1;
    qi_status status = QI_OK;
    switch (kind) {
    case 0:
    case 1:
        status = m.change([&] { return checked(body, QI(qi_set_inertia(body, tensor.data(), number))); });
        HOLDS(status != QI_OK || number == QI_KEEP_ANGULAR_VELOCITY || number == QI_KEEP_ANGULAR_MOMENTUM);
        break;
    case 2:
        status = m.change([&] { return checked(body, QI(qi_set_locked_axes(body, number))); });
        HOLDS(status != QI_OK || (number >= 0 && number < 8));
        break;
    case 3:
        status = m.change([&] { return checked(body, QI(qi_set_inertia_function(body, nullptr, nullptr))); });
        break;
    default: {
        const Swelling before = m.swelling;
        const double rate = in.modest();
        const double fails_after = in.seldom(4) ? in.number() : HUGE_VAL;
        m.swelling = Swelling{tensor, rate, fails_after};
        status = m.change([&] { return checked(body, QI(qi_set_inertia_function(body, Swelling::at, &m.swelling))); });
        if (status != QI_OK) m.swelling = before;
    }
    }
    if (status == QI_OK && kind != 3) m.has_ordinary_inertia = false;
}

inline void body_call(BodyModel &m, Input &in)
{
    // Of the functions below, those that take `body` are seldom given NULL.
    qi_body *body = in.seldom(128) ? nullptr : m.handle;
    switch (in.choice(19)) {
    case 0:
    case 1: set_body_torque(m, in); break;
    case 2: set_body_method(m, body, in); break;
    case 3:
    case 4: step_body(m, body, in); break;
    case 5:
    case 6: advance_body(m, body, in); break;
    case 7: record(m, in); break;
    case 8: solve(m, in); break;
    case 9: set_body_state(m, body, in); break;
    case 10: set_body_as_it_is(m); break;
    case 11: set_body_clock(m, body, in); break;
    case 12: kick_body(m, body, in); break;
    case 13: drift_body(m, body, in); break;
    case 14: set_body_drag(m, body, in); break;
    case 15: set_body_rotors(m, body, in); break;
    case 16: body_random(m, in); break;
    case 17: set_body_inertia(m, body, in); break;
    default: body_rows(m, in);
    }
    QI_VALUE(qi_get_callback_result(m.handle));
}

} // namespace fuzz
