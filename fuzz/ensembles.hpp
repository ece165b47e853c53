// ensembles.hpp: calls on an ensemble.
#pragma once

#include "ensemble_arrays.hpp"
#include "ensemble_getters.hpp"
#include "ensemble_settings.hpp"
#include "population.hpp"
#include "stages.hpp"

namespace fuzz {

inline void drift_ensemble(EnsembleModel &m, Input &in)
{
    const double duration = in.duration();
    const qi_status status =
        m.change([&] { return QI(qi_drift_ensemble(m.handle, duration)); }, MOVES_ACTIVE_BODIES);
    if (status == QI_OK) m.check_states();
}

inline void kick_ensemble(EnsembleModel &m, Input &in, bool wild, bool drifts)
{
    const Places where = places(in, m.count, 3);
    const Given given(in, where, [&](size_t) { return in.vector(wild); });
    const double *torque = given.start.address;
    ptrdiff_t body = where.body;
    ptrdiff_t component = where.component;
    const size_t trick = in.choice(16);
    if (trick == 0) torque = nullptr; // no torque
    bool must_fail = given.must_fail() && torque != nullptr;
    if (trick == 1 && m.velocities.memory && m.positions() > 0) {
        // The bound array itself.
        const Places &bound = m.velocities.where;
        if (!bound.rows.empty()) return;
        torque = m.velocities.memory->data() + bound.base;
        body = bound.body;
        component = bound.component;
        must_fail = true;
    }
    const double kick = in.duration();
    const double drift = in.duration();
    const int32_t frame = int32_t(in.choice(3));
    const auto call = [&] {
        if (!drifts) return QI(qi_kick_ensemble(m.handle, kick, torque, body, component, frame));
        return QI(qi_kick_drift_ensemble(m.handle, kick, drift, torque, body, component, frame));
    };
    const qi_status status = m.change(call, MOVES_ACTIVE_BODIES);
    HOLDS(status != QI_OK || !must_fail || m.positions() == 0);
    if (status == QI_OK) m.check_states();
}

inline void kick_or_drift(EnsembleModel &m, Input &in)
{
    const bool wild = in.seldom(8);
    // With rotors kicks alone: a drift may take long, which twins.hpp avoids.
    const size_t kind = m.has_rotors ? 1 : in.choice(3);
    if (kind == 0) {
        drift_ensemble(m, in);
    } else {
        kick_ensemble(m, in, wild, kind == 2);
    }
}

inline void step_ensemble(EnsembleModel &m, double dt)
{
    const qi_status status =
        m.change([&] { return QI(qi_step_ensemble(m.handle, dt)); }, MOVES_ACTIVE_BODIES);
    if (status == QI_OK && dt != 0) m.is_dirty = false;
}

// The steps before a failure remain.
inline void advance_ensemble(EnsembleModel &m, Input &in, double dt)
{
    const uint64_t steps = in.steps();
    const EnsembleSnapshot before = m.snapshot();
    m.begin_call();
    uint64_t completed = 99;
    const qi_status status = QI(qi_advance_ensemble(m.handle, dt, steps, &completed));
    if (status == QI_OK) {
        HOLDS(completed == steps);
        HOLDS(m.phase == Phase::idle || m.phase == Phase::unsure || steps == 0);
        if (steps > 0) m.phase = Phase::idle;
    } else {
        HOLDS(completed < steps || steps == 0);
        HOLDS(completed > 0 || m.snapshot().is_as(before));
    }
    m.check_guards(before, false);
    if (completed > 0 && dt != 0) m.is_dirty = false;
}

inline void step_or_advance(EnsembleModel &m, Input &in)
{
    const double dt = in.duration();
    if (in.choice(2)) {
        step_ensemble(m, dt);
    } else {
        advance_ensemble(m, in, dt);
    }
    m.check_states();
}

inline void set_ensemble_method(EnsembleModel &m, qi_ensemble *e, Input &in)
{
    const size_t choice = in.choice(8);
    const int32_t method = method_of(choice);
    const qi_status status = m.change([&] { return QI(qi_set_ensemble_method(e, method)); });
    HOLDS(status != QI_OK || (choice < METHODS && e != nullptr));
}

inline void set_threads(EnsembleModel &m, qi_ensemble *e, Input &in)
{
    size_t threads = 0;
    if (!in.seldom(16)) {
        threads = in.threads();
    } else if (!in.choice(2)) {
        threads = 1025; // more than there may be
    }
    const qi_status status = m.change([&] { return QI(qi_set_ensemble_threads(e, threads)); });
    if (status == QI_OK) m.threads = threads;
}

inline void set_ensemble_clock(EnsembleModel &m, qi_ensemble *e, Input &in)
{
    const auto clock = in.clock();
    if (in.choice(2)) {
        m.change([&] { return QI(qi_set_ensemble_clock(e, clock.data())); });
    } else {
        m.change([&] { return QI(qi_set_ensemble_time(e, clock[0])); });
    }
    m.check_states();
}

inline void ensemble_call(EnsembleModel &m, EnsembleModel *other, Input &in)
{
    // Of the functions below, those that take `e` are seldom given NULL.
    qi_ensemble *e = in.seldom(128) ? nullptr : m.handle;
    switch (in.choice(26)) {
    case 0:
    case 1: set_ensemble_torque(m, in); break;
    case 2:
        if (in.seldom(4)) {
            set_rotors(m, in);
        } else {
            set_drag(m, in);
        }
        break;
    case 3: set_ensemble_method(m, e, in); break;
    case 4: set_threads(m, e, in); break;
    case 5: set_active(m, in); break;
    case 6:
    case 7: step_or_advance(m, in); break;
    case 8: set_inertias(m, in); break;
    case 9: set_states(m, in); break;
    case 10: get_states(m, in); break;
    case 11: get_totals(m, in); break;
    case 12:
    case 13: bind(m, in); break;
    case 14: write_into_arrays(m, in); break;
    case 15: resize(m, in); break;
    case 16: {
        const bool is_to_other = other != nullptr && in.choice(2);
        move_rows(m, is_to_other ? *other : m, in);
        break;
    }
    case 17: kick_or_drift(m, in); break;
    case 18: set_ensemble_clock(m, e, in); break;
    case 19:
        QI_VALUE(qi_get_ensemble_callback_result(e));
        QI_VALUE(qi_last_error_body());
        break;
    case 24:
    case 25: ensemble_random(m, in); break;
    default: stage(m, in);
    }
}

} // namespace fuzz
