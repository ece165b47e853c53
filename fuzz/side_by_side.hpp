// side_by_side.hpp: an ensemble takes steps beside bodies alone.
#pragma once

#include "twins.hpp"

#include <cfenv>

namespace fuzz {

// Whether a drift ends within a moment. With rotors it takes steps, as many as the motion needs.
inline bool is_soon_done(const EnsembleModel &m, double duration)
{
    if (!m.has_rotors || !std::isfinite(duration)) return true;
    const std::vector<double> states = m.states();
    double rate = 30; // of rotors
    for (size_t i = 0; i < m.count; i++) {
        const Tensor &t = *m.inertias[i];
        for (const double moment : {t[0], t[4], t[8]}) {
            if (moment < 0.4 || moment > 9) return false;
        }
        for (size_t c = 4; c < 7; c++) rate = std::max(rate, std::fabs(states[7 * i + c]));
    }
    return rate * std::fabs(duration) < 1e3;
}

// Whether a program that traps floating-point exceptions may well have such an ensemble and step.
inline bool is_ordinary(const EnsembleModel &m, double dt)
{
    if (m.is_wild || !(std::fabs(dt) < 10) || !(std::fabs(m.clock()[0]) < 1e6)) return false;
    if (dt != 0 && std::fabs(dt) < 1e-300) return false; // its reciprocal overflows
    // explicit methods may be unstable in longer steps, and a drag makes the bodies slow again
    const bool is_explicit = m.method() == QI_METHOD_PCDM || m.method() == QI_METHOD_CF4;
    const double fastest = is_explicit ? std::fmin(1e3, 3 / std::fabs(dt)) : 1e3;
    const std::vector<double> states = m.states();
    for (size_t k = 0; k < states.size(); k++) {
        if (!(std::fabs(states[k]) < (k % 7 < 4 ? 1e3 : fastest))) return false;
    }
    for (const auto &tensor : m.inertias) {
        if (!tensor || !has_ordinary_moments(*tensor)) return false;
    }
    return true;
}

// Whether the velocity of a body is another than the one that was set, because setting takes away
// what rounding had left about a locked axis.
inline bool has_lost_digits(const EnsembleModel &m, size_t body, const double *set,
                            const double *velocity)
{
    if (same_but_zeros(set, velocity, 3)) return false;
    double inertia[7];
    HOLDS(QI(qi_get_ensemble_rows(m.handle, QI_PART_INERTIA, &body, 1, inertia)) == QI_OK);
    return may_lose_digits(inertia);
}

// The caller's loop over the stages of one step.
inline qi_status step_by_stages(EnsembleModel &m, double dt, int32_t layout, bool continues)
{
    const size_t n = m.positions();
    std::vector<double> q(4 * n);
    std::vector<double> omega(3 * n);
    std::vector<double> torque(3 * n);
    double time = 0;
    qi_status status = QI(qi_begin_ensemble_step(m.handle, dt));
    if (status != QI_OK) return status;
    status = QI(qi_next_ensemble_stage(m.handle, &time, q.data(), omega.data()));
    while (status == QI_NEED_TORQUE) {
        for (size_t i = 0; i < n; i++) {
            double one_q[4];
            double one_omega[3];
            double one_torque[3];
            for (size_t c = 0; c < 4; c++) one_q[c] = q[place(layout, n, 4, i, c)];
            for (size_t c = 0; c < 3; c++) one_omega[c] = omega[place(layout, n, 3, i, c)];
            m.torque.at(time, one_q, one_omega, one_torque);
            for (size_t c = 0; c < 3; c++) torque[place(layout, n, 3, i, c)] = one_torque[c];
        }
        if (continues) {
            status = QI(
                qi_continue_ensemble_step(m.handle, torque.data(), &time, q.data(), omega.data()));
            continue;
        }
        status = QI(qi_supply_ensemble_torque(m.handle, torque.data()));
        if (status != QI_OK) return status;
        status = QI(qi_next_ensemble_stage(m.handle, &time, q.data(), omega.data()));
    }
    return status;
}

// What comes after a call.
enum class Next { go_on, stop };

// An ensemble and its bodies, which do the same one call after the other.
struct SideBySide {
    EnsembleModel &m;
    Input &in;
    Twins twins;
    bool by_stages = false;
    int32_t layout = QI_LAYOUT_AOS;
    std::vector<double> start; // states

    SideBySide(EnsembleModel &model, Input &input) : m(model), in(input), start(model.states()) {}

    // False where a body alone cannot have the state that it has in the ensemble.
    bool create_bodies()
    {
        const std::array<double, 2> clock = m.clock();
        for (size_t i = 0; i < m.count; i++) {
            const double *inertia = m.inertias[i]->data();
            const double *q = &start[7 * i];
            const double *omega = q + 4;
            qi_body *body = QI_VALUE(qi_create_body(inertia, nullptr, nullptr, nullptr));
            HOLDS(body != nullptr);
            twins.bodies.push_back(body);
            HOLDS(QI(qi_set_clock(body, clock.data())) == QI_OK);
            // Inactive rows of bound arrays are not checked. An orientation of the caller may be a
            // little farther from unit length than that of a body.
            if (QI(qi_set_state_body(body, q, omega)) != QI_OK) return false;
            const BodySnapshot s = snapshot(body);
            if (!same_bits(s.q, q, 4)) return false;
            if (has_lost_digits(m, i, s.omega_body, omega)) return false;
        }
        return true;
    }

    // Calls the ensemble. An ordinary motion raises no floating-point exceptions.
    template <class Call>
    qi_status quietly(double dt, Call call)
    {
        const bool was_ordinary = is_ordinary(m, dt);
        std::feclearexcept(FE_ALL_EXCEPT);
        const qi_status status = call();
        const bool has_raised = std::fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW) != 0;
        // A drag below 0 may drive the bodies far.
        if (status >= 0 && was_ordinary && has_raised) HOLDS(!is_ordinary(m, dt));
        return status;
    }

    // The bodies follow. If the ensemble failed, it is as before.
    template <class Call>
    Next follow(qi_status status, const EnsembleSnapshot &before, Call call)
    {
        if (twins.follow(m, status, call)) return Next::go_on;
        HOLDS(m.snapshot().is_as(before));
        return Next::stop;
    }

    Next step_in_stages(double dt, bool continues)
    {
        const std::vector<double> before = m.states();
        const qi_status status = step_by_stages(m, dt, layout, continues);
        if (status != QI_OK) HOLDS(QI(qi_cancel_ensemble_step(m.handle)) == QI_OK);
        const bool goes_on =
            twins.follow(m, status, [&](qi_body *body, size_t) { return QI(qi_step(body, dt)); });
        if (goes_on) return Next::go_on;
        // The step that was begun may have forgotten the last torque; the states are as before.
        HOLDS(EnsembleSnapshot::same(m.states(), before));
        return Next::stop;
    }

    Next step(double dt)
    {
        const EnsembleSnapshot before = m.snapshot();
        const qi_status status = quietly(dt, [&] { return QI(qi_step_ensemble(m.handle, dt)); });
        HOLDS(status == QI_OK || m.snapshot().is_as(before));
        return follow(status, before, [&](qi_body *body, size_t) { return QI(qi_step(body, dt)); });
    }

    // The steps before a failure remain, and the next step of the bodies alone fails in the same
    // way.
    Next advance(double dt)
    {
        const uint64_t steps = in.choice(10);
        uint64_t completed = 0;
        const qi_status status =
            quietly(dt, [&] { return QI(qi_advance_ensemble(m.handle, dt, steps, &completed)); });
        const size_t named = QI_VALUE(qi_last_error_body());
        if (completed > 0) {
            twins.follow(m, QI_OK, [&](qi_body *body, size_t) {
                return QI(qi_advance(body, dt, completed, nullptr));
            });
        }
        twins.compare(m, start);
        if (status == QI_OK) return Next::go_on;
        size_t failed = 0;
        for (size_t p = 0; p < m.positions(); p++) {
            const size_t i = m.body_at(p);
            const qi_status own = QI(qi_step(twins.bodies[i], dt));
            if (own < 0) failed++;
            HOLDS(status == QI_ERR_CALLBACK || named != i || own == status);
        }
        HOLDS(failed > 0 || m.positions() == 0);
        return Next::stop;
    }

    Next drift(double dt)
    {
        if (!is_soon_done(m, dt)) return Next::go_on;
        const EnsembleSnapshot before = m.snapshot();
        const qi_status status = quietly(dt, [&] { return QI(qi_drift_ensemble(m.handle, dt)); });
        return follow(status, before,
                      [&](qi_body *body, size_t) { return QI(qi_drift(body, dt)); });
    }

    // A kick, and a drift after it in the same call or none.
    Next kick(double dt, bool drifts)
    {
        const bool is_zero = in.seldom(8); // one torque for all, by a stride of 0
        const double drift = in.duration();
        if (drifts && !is_soon_done(m, drift)) return Next::go_on;
        const int32_t frame = int32_t(in.choice(2));
        std::vector<double> torques(3 * m.count);
        for (double &x : torques) x = in.modest();
        if (is_zero) {
            std::fill(torques.begin(), torques.end(), 0.0);
            HOLDS(QI(qi_kick_ensemble(m.handle, dt, nullptr, 3, 1, frame)) == QI_ERR_NULL);
        }
        const ptrdiff_t stride = is_zero ? 0 : 3;
        const EnsembleSnapshot before = m.snapshot();
        qi_status status;
        if (drifts) {
            status =
                QI(qi_kick_drift_ensemble(m.handle, dt, drift, torques.data(), stride, 1, frame));
        } else {
            status = QI(qi_kick_ensemble(m.handle, dt, torques.data(), stride, 1, frame));
        }
        // A predicted velocity may overflow alone. Then nothing has changed.
        if (drifts && m.predicted.memory && status == QI_ERR_NON_FINITE) {
            twins.compare_states(m, start);
            return Next::stop;
        }
        return follow(status, before, [&](qi_body *body, size_t i) {
            const qi_status kicked = QI(qi_kick(body, dt, &torques[3 * i], frame));
            if (kicked != QI_OK || !drifts) return kicked;
            return QI(qi_drift(body, drift));
        });
    }

    Next set_threads()
    {
        m.threads = in.threads();
        HOLDS(QI(qi_set_ensemble_threads(m.handle, m.threads)) == QI_OK);
        return Next::go_on;
    }

    // The same method again: the last torque is forgotten.
    Next forget_torques()
    {
        const int32_t method = m.method();
        HOLDS(QI(qi_set_ensemble_method(m.handle, method)) == QI_OK);
        for (qi_body *body : twins.bodies) HOLDS(QI(qi_set_method(body, method)) == QI_OK);
        return Next::go_on;
    }

    Next set_time(double time)
    {
        const EnsembleSnapshot before = m.snapshot();
        const qi_status status = QI(qi_set_ensemble_time(m.handle, time));
        twins.agree(status, [&](qi_body *body, size_t) { return QI(qi_set_time(body, time)); });
        HOLDS(status == QI_OK || m.snapshot().is_as(before));
        return Next::go_on;
    }

    Next thermalize(double dt)
    {
        const EnsembleSnapshot before = m.snapshot();
        const qi_status status =
            quietly(dt, [&] { return QI(qi_thermalize_ensemble(m.handle, dt)); });
        return follow(status, before,
                      [&](qi_body *body, size_t) { return QI(qi_thermalize(body, dt)); });
    }

    // A body alone is given the product.
    Next scale()
    {
        const double factor = in.modest();
        const EnsembleSnapshot before = m.snapshot();
        const qi_status status = QI(qi_scale_angular_momenta(m.handle, factor));
        const std::vector<double> scaled = m.states();
        bool is_unsure = false;
        const bool goes_on = twins.follow(m, status, [&](qi_body *body, size_t i) {
            const double *velocity = &scaled[7 * i + 4];
            BodySnapshot s = snapshot(body);
            for (double &x : s.omega_body) x *= factor;
            // In a bound array the numbers are multiplied as they are, also their part about a
            // locked axis, which reading takes away.
            if (status == QI_OK && m.velocities.memory) std::copy_n(velocity, 3, s.omega_body);
            const bool is_too_fast = QI(qi_set_state_body(body, s.q, s.omega_body)) != QI_OK;
            if (is_too_fast) return QI_ERR_NON_FINITE;
            if (status == QI_OK && has_lost_digits(m, i, snapshot(body).omega_body, velocity)) {
                is_unsure = true;
            }
            return QI_OK;
        });
        if (is_unsure) return Next::stop;
        if (goes_on) return Next::go_on;
        HOLDS(m.snapshot().is_as(before));
        return Next::stop;
    }

    // Fewer bodies, or the same in another order; so do the bodies alone.
    Next select_some()
    {
        if (!m.all_active) return Next::go_on;
        std::vector<size_t> from(m.count);
        for (size_t i = 0; i < m.count; i++) from[i] = i;
        const bool keeps_order = in.choice(2);
        if (!keeps_order) {
            for (size_t i = m.count; i > 1; i--) std::swap(from[i - 1], from[in.choice(i)]);
        }
        const bool removes = in.choice(2);
        const size_t removed = in.choice(m.count);
        if (removes) from.resize(m.count - removed);
        if (keeps_order) {
            HOLDS(QI(qi_resize_ensemble(m.handle, from.size())) == QI_OK);
        } else {
            HOLDS(QI(qi_select_bodies(m.handle, from.data(), from.size())) == QI_OK);
        }
        Twins others;
        std::vector<std::optional<Tensor>> inertias;
        std::vector<uint64_t> ids;
        for (const size_t i : from) {
            others.bodies.push_back(std::exchange(twins.bodies[i], nullptr));
            inertias.push_back(m.inertias[i]);
            ids.push_back(m.id_of(i));
        }
        std::swap(twins.bodies, others.bodies);
        m.inertias = inertias;
        m.ids = ids;
        if (!keeps_order) m.has_ids = true;
        m.count = from.size();
        m.torque.positions = m.count;
        m.let_go();
        m.check_ids();
        return m.count == 0 ? Next::stop : Next::go_on;
    }

    Next call()
    {
        const double dt = in.duration();
        const size_t what = in.choice(13);
        switch (what) {
        case 0:
        case 1:
            if (by_stages) return step_in_stages(dt, what == 1);
            return step(dt);
        case 2:
        case 3:
            if (by_stages) return step_in_stages(dt, what == 3);
            return advance(dt);
        case 4: return drift(dt);
        case 5: return kick(dt, false);
        case 6: return kick(dt, true);
        case 7: return set_threads();
        case 8: return forget_torques();
        case 10: return thermalize(dt);
        case 11: return scale();
        case 12: return select_some();
        default: return set_time(dt);
        }
    }
};

inline void step_beside_bodies(EnsembleModel &m, Input &in)
{
    if (m.phase != Phase::idle || !m.has_bits_of_bodies()) return;
    if (m.count == 0 || m.count > 80) return;
    for (const auto &tensor : m.inertias) {
        if (!tensor) return;
    }
    SideBySide both(m, in);
    if (!both.create_bodies()) return;
    both.by_stages = in.seldom(4);
    if (!prepare(m, both.twins, in, both.by_stages)) return;
    m.begin_call();
    m.torque.left = 1 << 30;
    m.torque.positions = m.count;
    both.layout = int32_t(in.choice(2));
    HOLDS(QI(qi_set_ensemble_stage_layout(m.handle, both.layout)) == QI_OK);

    for (size_t left = 1 + in.choice(6); left > 0; left--) {
        if (both.call() == Next::stop) return;
        both.twins.compare(m, both.start);
    }
}

} // namespace fuzz
