// stages.hpp: calls of the stage protocol, in order or out of it.
#pragma once

#include "ensemble_model.hpp"

namespace fuzz {

// The arrays of the caller for one call of the stage protocol.
struct StageArrays {
    std::vector<double> q;
    std::vector<double> omega;
    std::vector<double> torque;
    // Where the states go: the arrays above, memory that they may not go to, or nowhere.
    double *q_at;
    double *omega_at;
    double time = guard();
    bool must_fail = false;
    bool unwanted = false; // the states are left out

    StageArrays(EnsembleModel &m, Input &in)
        : q(4 * m.positions(), guard()),
          omega(3 * m.positions(), guard()),
          torque(3 * m.positions(), 0.0),
          q_at(q.data()),
          omega_at(omega.data())
    {
        const size_t n = m.positions();
        if (n > 0 && in.seldom(16)) put_over_bound_array(m, in);
        if (n > 0 && in.seldom(32)) {
            omega_at = q_at;
            must_fail = true;
        }
        unwanted = in.seldom(16);
        if (unwanted) {
            q_at = nullptr;
            omega_at = nullptr;
            must_fail = false;
        }
        for (double &x : torque) x = in.modest();
        if (n > 0 && in.seldom(8)) {
            const double number = in.number();
            torque[in.choice(torque.size())] = number;
        }
    }
    StageArrays(const StageArrays &) = delete;

    // From the first moving body of the array on.
    void put_over_bound_array(EnsembleModel &m, Input &in)
    {
        const Binding &b = in.choice(2) ? m.orientations : m.velocities;
        if (!b.memory) return;
        const size_t at = b.where.at(m.body_at(0), 0);
        if (b.memory->size() < at + 4 * m.positions()) return;
        double *&output = in.choice(2) ? q_at : omega_at;
        output = b.memory->data() + at;
        must_fail = true;
    }

    bool has_finite_torque() const { return are_finite(torque.data(), torque.size()); }

    // A stage was given out, whose torque is asked for.
    void check_stage(const EnsembleModel &m) const
    {
        HOLDS(!must_fail && std::isfinite(time));
        if (unwanted) return;
        HOLDS(are_finite(q_at, q.size()));
        if (!m.hides_velocity()) HOLDS(m.is_dirty || are_finite(omega_at, omega.size()));
    }

    // No stage was given out.
    void check_untouched() const
    {
        if (q_at != q.data()) return;
        for (const double &x : q) HOLDS(is_guard(x));
    }
};

inline void begin_step(EnsembleModel &m, Input &in)
{
    const double dt = in.duration();
    const uint64_t steps = in.steps();
    const bool many = in.choice(2);
    const qi_status status = m.change([&] {
        if (many) return QI(qi_begin_ensemble_steps(m.handle, dt, steps));
        return QI(qi_begin_ensemble_step(m.handle, dt));
    });
    if (status == QI_OK) m.phase = Phase::begun;
}

// In the middle of a step the memory of the method is not compared, here and below.
inline void next_stage(EnsembleModel &m, StageArrays &arrays)
{
    const Phase phase = m.phase;
    const EnsembleSnapshot before = m.snapshot();
    const qi_status status =
        QI(qi_next_ensemble_stage(m.handle, &arrays.time, arrays.q_at, arrays.omega_at));
    if (status < 0) HOLDS(m.snapshot().is_as(before, true));
    m.check_guards(before, false);
    if (phase == Phase::idle || phase == Phase::awaits_torque) {
        HOLDS(status == QI_ERR_ORDER || (arrays.must_fail && status == QI_ERR_INVALID));
    }
    if (status == QI_NEED_TORQUE) {
        arrays.check_stage(m);
        if (phase != Phase::unsure) m.phase = Phase::awaits_torque;
    } else {
        arrays.check_untouched();
        if (status == QI_OK) {
            m.phase = Phase::idle;
        } else if (phase == Phase::begun && !arrays.must_fail) {
            m.phase = Phase::unsure;
        }
    }
    if (status >= 0) m.check_states();
}

inline void supply_torque(EnsembleModel &m, Input &in, const StageArrays &arrays)
{
    const Phase phase = m.phase;
    const EnsembleSnapshot before = m.snapshot();
    const bool is_null = m.positions() > 0 && in.seldom(32);
    const double *torque = is_null ? nullptr : arrays.torque.data();
    const qi_status status = QI(qi_supply_ensemble_torque(m.handle, torque));
    HOLDS(m.snapshot().is_as(before, true));
    if (phase == Phase::idle || phase == Phase::begun) {
        HOLDS(status == QI_ERR_ORDER || status == QI_ERR_NULL);
    }
    if (!arrays.has_finite_torque()) HOLDS(status != QI_OK);
    if (phase == Phase::awaits_torque) {
        m.phase = status == QI_OK ? Phase::begun : Phase::unsure;
    }
}

inline void continue_step(EnsembleModel &m, StageArrays &arrays)
{
    const Phase phase = m.phase;
    const EnsembleSnapshot before = m.snapshot();
    const qi_status status = QI(qi_continue_ensemble_step(
        m.handle, arrays.torque.data(), &arrays.time, arrays.q_at, arrays.omega_at));
    if (phase == Phase::idle || phase == Phase::begun) HOLDS(status < 0);
    if (status == QI_ERR_ORDER || status == QI_ERR_INVALID) {
        HOLDS(m.snapshot().is_as(before, true));
    }
    m.check_guards(before, false);
    if (!arrays.has_finite_torque()) HOLDS(status < 0);
    if (status == QI_NEED_TORQUE) {
        arrays.check_stage(m);
        if (phase != Phase::unsure) m.phase = Phase::awaits_torque;
    } else if (status == QI_OK) {
        m.phase = Phase::idle;
    } else if (phase == Phase::awaits_torque && status != QI_ERR_ORDER && !arrays.must_fail) {
        m.phase = Phase::unsure;
    }
    m.check_states();
}

inline void cancel_step(EnsembleModel &m)
{
    Allowed allowed;
    allowed.in_a_step = true;
    const qi_status status =
        m.change([&] { return QI(qi_cancel_ensemble_step(m.handle)); }, allowed);
    HOLDS(status == QI_OK);
    m.phase = Phase::idle;
}

inline void stage(EnsembleModel &m, Input &in)
{
    StageArrays arrays(m, in);
    switch (in.choice(8)) {
    case 0: begin_step(m, in); break;
    case 1:
    case 2: next_stage(m, arrays); break;
    case 3: supply_torque(m, in, arrays); break;
    case 4:
    case 5: continue_step(m, arrays); break;
    case 6: cancel_step(m); break;
    default: {
        const int32_t layout = int32_t(in.choice(3));
        m.change([&] { return QI(qi_set_ensemble_stage_layout(m.handle, layout)); });
    }
    }
}

} // namespace fuzz
