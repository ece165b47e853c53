// twins.hpp: an ensemble beside bodies stepped alone. In own memory, and in arrays of angular velocities in the body frame, they have the
// same bits; and where one fails, so does the other.
#pragma once

#include "bodies.hpp"
#include "ensembles.hpp"

#include <utility>

namespace fuzz {

struct Twins {
    std::vector<qi_body *> bodies;

    Twins() = default;
    Twins(const Twins &) = delete;
    ~Twins()
    {
        for (qi_body *body : bodies) qi_destroy_body(body);
    }
    // The ensemble accepts what each body accepts.
    template <class Call> bool agree(qi_status status, Call call)
    {
        bool all = true;
        for (size_t i = 0; i < bodies.size(); i++) all = (call(bodies[i], i) == QI_OK) && all;
        HOLDS((status == QI_OK) == all);
        return all;
    }
    // The active bodies do what the ensemble did. If it failed, the body that it names fails in the same way.
    template <class Call> bool follow(const EnsembleModel &m, qi_status status, Call call)
    {
        const size_t named = QI_VALUE(qi_last_error_body());
        size_t failed = 0;
        for (size_t p = 0; p < m.positions(); p++) {
            const size_t i = m.body_at(p);
            const qi_status own = call(bodies[i], i);
            failed += own < 0;
            HOLDS(status < 0 || own == QI_OK);
            HOLDS(status >= 0 || status == QI_ERR_CALLBACK || named != i || own == status);
        }
        HOLDS(status == QI_OK || failed > 0 || m.positions() == 0);
        return status == QI_OK;
    }
    void compare(const EnsembleModel &m, const std::vector<double> &start, bool has_run) const
    {
        const std::vector<double> now = m.states();
        double clock[2];
        uint64_t draws = 0;
        HOLDS(QI(qi_get_ensemble_clock(m.handle, clock)) == QI_OK && QI(qi_get_ensemble_noise(m.handle, &draws)) == QI_OK);
        for (size_t i = 0; i < m.count; i++) {
            if (!m.all_active && !std::binary_search(m.active.begin(), m.active.end(), i)) {
                HOLDS(same_bits(&now[7 * i], &start[7 * i], 7));
                continue;
            }
            const BodySnapshot s = snapshot(bodies[i]);
            // where other bodies have turned axes, sums with zeros may give the other zero to a velocity that was −0
            HOLDS(same_but_zeros(&now[7 * i], s.q, 4));
            HOLDS(same_but_zeros(&now[7 * i + 4], s.omega_body, 3));
            HOLDS(!has_run || same_bits(clock, s.clock, 2));
            HOLDS(!has_run || draws == s.draws);
        }
    }
};

// The same method again: the last torque is forgotten.
inline void forget_torques(EnsembleModel &m, Twins &twins)
{
    int32_t method = 0;
    HOLDS(QI(qi_get_ensemble_method(m.handle, &method)) == QI_OK);
    HOLDS(QI(qi_set_ensemble_method(m.handle, method)) == QI_OK);
    for (qi_body *body : twins.bodies) HOLDS(QI(qi_set_method(body, method)) == QI_OK);
}

// A restart: rows, clock and draws bring an ensemble back, whatever it has done meanwhile, in whatever order clock, method, draws and rows
// are set, and the bodies in the rows. Then it steps as it did.
inline void restart(EnsembleModel &m, Input &in)
{
    if (m.phase != Phase::idle || m.is_bound() || m.torque.manner == Manner::fails_late || m.torque.manner == Manner::gives_nan) return;
    double clock[2];
    int32_t method = 0;
    uint64_t draws = 0;
    const double dt = m.is_random ? std::fabs(in.modest()) / 16 : in.modest() / 16;
    const size_t width = QI_VALUE(qi_get_ensemble_row_size(m.handle, ALL_PARTS));
    std::vector<double> rows(m.count * width);
    std::vector<size_t> bodies(m.count);
    for (size_t i = 0; i < m.count; i++) bodies[i] = i;
    for (size_t i = in.choice(2) ? m.count : 0; i > 1; i--) std::swap(bodies[i - 1], bodies[in.choice(i)]);
    int steps[4] = {0, 1, 2, 3};
    for (size_t i = 4; i > 1; i--) std::swap(steps[i - 1], steps[in.choice(i)]);
    m.torque.begin();
    // from here on the torques come from the ensemble: rows do not tell those of the stage protocol from others
    if (m.change([&] { return QI(qi_step_ensemble(m.handle, dt)); }) != QI_OK) return;
    HOLDS(QI(qi_get_ensemble_clock(m.handle, clock)) == QI_OK && QI(qi_get_ensemble_method(m.handle, &method)) == QI_OK);
    HOLDS(QI(qi_get_ensemble_noise(m.handle, &draws)) == QI_OK);
    HOLDS(QI(qi_get_ensemble_rows(m.handle, ALL_PARTS, bodies.data(), m.count, rows.data())) == QI_OK);
    m.torque.begin();
    if (m.change([&] { return QI(qi_step_ensemble(m.handle, dt)); }) != QI_OK) return;
    const std::vector<double> expected = m.states();
    std::vector<uint64_t> ids(m.count);
    for (size_t i = 0; i < m.count; i++) ids[i] = m.id_of(i);
    HOLDS(QI(qi_set_ensemble_ids(m.handle, nullptr)) == QI_OK);
    for (const int step : steps) {
        if (step == 0) HOLDS(QI(qi_set_ensemble_clock(m.handle, clock)) == QI_OK);
        if (step == 1) HOLDS(QI(qi_set_ensemble_method(m.handle, method)) == QI_OK);
        if (step == 2) HOLDS(QI(qi_set_ensemble_rows(m.handle, ALL_PARTS, bodies.data(), m.count, rows.data())) == QI_OK);
        if (step == 3) HOLDS(QI(qi_set_ensemble_noise(m.handle, draws)) == QI_OK);
    }
    m.ids = ids, m.has_ids = m.count > 0;
    m.check_ids();
    const std::vector<double> restored = m.states();
    m.torque.begin();
    HOLDS(QI(qi_step_ensemble(m.handle, dt)) == QI_OK);
    const std::vector<double> now = m.states();
    for (size_t k = 0; k < m.count; k++) {
        const double *row = &rows[k * width];
        const bool is_whole = same_bits(&restored[7 * bodies[k]], row, 7);
        HOLDS(is_whole || may_lose_digits(row + 7));
        HOLDS(!is_whole || same_bits(&now[7 * bodies[k]], &expected[7 * bodies[k]], 7));
    }
}

// The caller's loop over the stages of one step.
inline qi_status step_by_stages(EnsembleModel &m, double dt, int32_t layout, bool continues)
{
    const size_t n = m.positions();
    std::vector<double> q(4 * n), omega(3 * n), torque(3 * n);
    double time = 0;
    qi_status status = QI(qi_begin_ensemble_step(m.handle, dt));
    if (status != QI_OK) return status;
    status = QI(qi_next_ensemble_stage(m.handle, &time, q.data(), omega.data()));
    while (status == QI_NEED_TORQUE) {
        for (size_t i = 0; i < n; i++) {
            const bool rows = layout == QI_LAYOUT_AOS;
            double one_q[4], one_omega[3], one_torque[3];
            for (size_t c = 0; c < 4; c++) one_q[c] = q[rows ? 4 * i + c : c * n + i];
            for (size_t c = 0; c < 3; c++) one_omega[c] = omega[rows ? 3 * i + c : c * n + i];
            m.torque.at(time, one_q, one_omega, one_torque);
            for (size_t c = 0; c < 3; c++) torque[rows ? 3 * i + c : c * n + i] = one_torque[c];
        }
        if (continues) {
            status = QI(qi_continue_ensemble_step(m.handle, torque.data(), &time, q.data(), omega.data()));
        } else {
            status = QI(qi_supply_ensemble_torque(m.handle, torque.data()));
            if (status == QI_OK) status = QI(qi_next_ensemble_stage(m.handle, &time, q.data(), omega.data()));
        }
    }
    return status;
}

// Sets the same random torques for all; false where they are refused. Each body has the noise of its id.
inline bool prepare_random(EnsembleModel &m, Twins &twins, Input &in, bool wild)
{
    Given c(in, places(in, m.count, 3, MAY_BE_SHARED | PACKED_COMPONENTS), [&](size_t) { return in.coefficients(wild); });
    Given flow(in, places(in, m.count, 3, MAY_BE_SHARED | PACKED_COMPONENTS), [&](size_t) { return in.vector(wild); });
    if (c.must_fail() || flow.must_fail()) return false;
    const double kt = wild ? in.number() : std::fabs(in.modest());
    const bool at_rest = in.choice(2);
    const uint64_t seed = in.word(), draws = in.word();
    const ptrdiff_t strides[2] = {c.where.body, flow.where.body};
    const qi_status status = QI(qi_set_ensemble_langevin(m.handle, c.start.address, strides[0], at_rest ? nullptr : flow.start.address, strides[1], kt, seed));
    const bool overlaps = std::any_of(strides, strides + 2, [](ptrdiff_t stride) { return stride != 0 && std::abs(stride) < 3; });
    if (status == QI_ERR_INVALID && overlaps) return false; // overlapping rows may be refused
    const std::vector<uint64_t> ids = m.ids_in_rows();
    const bool accepted = twins.agree(status, [&](qi_body *body, size_t i) {
        const double *own = c.start.address + ptrdiff_t(i) * strides[0], *own_flow = flow.start.address + ptrdiff_t(i) * strides[1];
        HOLDS(QI(qi_set_noise(body, draws)) == QI_OK);
        return QI(qi_set_langevin(body, own, at_rest ? nullptr : own_flow, kt, seed, ids[i]));
    });
    HOLDS(QI(qi_set_ensemble_noise(m.handle, draws)) == QI_OK);
    m.is_random = accepted;
    return accepted;
}

// Sets the same method, torque and drag for all; false where they are refused.
inline bool prepare(EnsembleModel &m, Twins &twins, Input &in, bool by_stages)
{
    qi_ensemble *e = m.handle;
    const bool is_random = in.seldom(3);
    const int32_t method = is_random && !in.seldom(8) ? (in.choice(2) ? QI_METHOD_SPLITTING : QI_METHOD_BROWNIAN) : method_of(in.choice(7));
    uint64_t draws = 0;
    HOLDS(QI(qi_set_ensemble_langevin(e, nullptr, 0, nullptr, 0, 0, 0)) == QI_OK && QI(qi_get_ensemble_noise(e, &draws)) == QI_OK);
    m.is_random = false;
    HOLDS(QI(qi_set_ensemble_torque(e, nullptr, QI_LAYOUT_AOS, QI_FRAME_WORLD, nullptr)) == QI_OK);
    HOLDS(QI(qi_set_ensemble_drag(e, nullptr, 0, nullptr, 0)) == QI_OK);
    HOLDS(QI(qi_set_ensemble_rotor_momentum(e, nullptr, 0)) == QI_OK);
    m.has_rotors = false;
    // another method first, so that no torque stays that rows have brought
    HOLDS(QI(qi_set_ensemble_method(e, QI_METHOD_PCDM)) == QI_OK && QI(qi_set_ensemble_method(e, method)) == QI_OK);
    for (qi_body *body : twins.bodies) HOLDS(QI(qi_set_method(body, method)) == QI_OK && QI(qi_set_noise(body, draws)) == QI_OK);

    const bool wild = m.is_wild = in.seldom(16);
    const auto common = in.vector(wild);
    double gradient[9];
    for (double &g : gradient) g = wild ? in.number() : in.modest();
    const size_t kind = by_stages ? 0 : in.choice(7);
    if (kind == 0) {
        const int32_t layout = int32_t(in.choice(2));
        m.torque.draw(in, true);
        if (by_stages) m.torque.manner = Manner::behaves;
        m.torque.layout = layout, m.torque.frame = QI_FRAME_WORLD;
        HOLDS(QI(qi_set_ensemble_torque(e, ensemble_torque, layout, QI_FRAME_WORLD, &m.torque)) == QI_OK);
        for (qi_body *body : twins.bodies) HOLDS(QI(qi_set_torque(body, body_torque, &m.torque)) == QI_OK);
    } else if (kind > 1) {
        Places where = places(in, m.count, kind == 4 ? 1 : 3, MAY_BE_SHARED | PACKED_COMPONENTS);
        Given given(in, where, [&](size_t) { return in.vector(wild); });
        if (given.must_fail()) return false;
        const double *values = given.start.address;
        const ptrdiff_t stride = given.where.body;
        const int32_t frame = int32_t(in.choice(2));
        qi_status status = QI_OK;
        switch (kind) {
        case 2: status = QI(qi_set_ensemble_constant_torque(e, values, stride, frame)); break;
        case 3: status = QI(qi_set_ensemble_uniform_field_torque(e, values, stride, common.data())); break;
        case 4: status = QI(qi_set_ensemble_gravity_gradient_torque(e, common.data(), values, stride)); break;
        case 5: status = QI(qi_set_ensemble_linear_drag_torque(e, values, stride)); break;
        default: status = QI(qi_set_ensemble_shear_flow_torque(e, values, stride, std::fabs(common[0]), gradient));
        }
        if (status == QI_ERR_INVALID && stride != 0 && std::abs(stride) < (kind == 4 ? 1 : 3)) return false; // overlapping rows may be refused
        const bool accepted = twins.agree(status, [&](qi_body *body, size_t i) {
            const double *own = values + ptrdiff_t(i) * stride;
            switch (kind) {
            case 2: return QI(qi_set_constant_torque(body, own, frame));
            case 3: return QI(qi_set_uniform_field_torque(body, own, common.data()));
            case 4: return QI(qi_set_gravity_gradient_torque(body, common.data(), *own));
            case 5: return QI(qi_set_linear_drag_torque(body, own));
            default: return QI(qi_set_shear_flow_torque(body, own, std::fabs(common[0]), gradient));
            }
        });
        if (!accepted) return false;
    }
    if (in.seldom(4)) {
        std::vector<double> rotors(3 * m.count);
        for (double &x : rotors) x = in.modest() + 0.01; // of zero, a body alone has no rotors
        m.has_rotors = true;
        const qi_status status = QI(qi_set_ensemble_rotor_momentum(e, rotors.data(), 3));
        HOLDS(twins.agree(status, [&](qi_body *body, size_t i) { return QI(qi_set_rotor_momentum(body, &rotors[3 * i])); }));
    }
    if (is_random) return prepare_random(m, twins, in, wild);
    if (in.choice(3) != 0) return true;
    const auto coefficients = in.vector(wild), flow = in.vector(wild);
    const qi_status status = QI(qi_set_ensemble_drag(e, coefficients.data(), 0, flow.data(), 0));
    return twins.agree(status, [&](qi_body *body, size_t) { return QI(qi_set_drag(body, coefficients.data(), flow.data())); });
}

// A drift with rotors takes steps, as many as the motion needs. Here, no longer than a moment.
inline bool is_soon_done(const EnsembleModel &m, double duration)
{
    if (!m.has_rotors || !std::isfinite(duration)) return true;
    const std::vector<double> states = m.states();
    double rate = 30; // of rotors
    for (size_t i = 0; i < m.count; i++) {
        const auto &t = *m.inertias[i];
        if (std::min({t[0], t[4], t[8]}) < 0.4 || std::max({t[0], t[4], t[8]}) > 9) return false;
        for (int c = 4; c < 7; c++) rate = std::max(rate, std::fabs(states[7 * i + size_t(c)]));
    }
    return rate * std::fabs(duration) < 1e3;
}

// What a program that traps floating-point exceptions may well do.
inline bool is_ordinary(const EnsembleModel &m, double dt)
{
    double clock[2];
    HOLDS(QI(qi_get_ensemble_clock(m.handle, clock)) == QI_OK);
    const std::vector<double> states = m.states();
    return !m.is_wild && std::fabs(dt) < 10 && std::fabs(clock[0]) < 1e6
           && std::all_of(states.begin(), states.end(), [](double x) { return std::fabs(x) < 1e3; })
           && std::all_of(m.inertias.begin(), m.inertias.end(), [](const auto &t) { return t && has_ordinary_moments(*t); });
}

// Fewer bodies, or the same in another order; so do the bodies alone.
inline void select_some(EnsembleModel &m, Twins &twins, Input &in)
{
    std::vector<size_t> from(m.count);
    for (size_t i = 0; i < m.count; i++) from[i] = i;
    const bool keeps_order = in.choice(2);
    for (size_t i = keeps_order ? 0 : m.count; i > 1; i--) std::swap(from[i - 1], from[in.choice(i)]);
    from.resize(m.count - in.choice(2) * in.choice(m.count));
    HOLDS((keeps_order ? QI(qi_resize_ensemble(m.handle, from.size())) : QI(qi_select_bodies(m.handle, from.data(), from.size()))) == QI_OK);
    Twins others;
    std::vector<std::optional<Tensor>> inertias;
    std::vector<uint64_t> ids;
    for (const size_t i : from) {
        others.bodies.push_back(std::exchange(twins.bodies[i], nullptr));
        inertias.push_back(m.inertias[i]), ids.push_back(m.id_of(i));
    }
    m.has_ids = m.has_ids || (!keeps_order && m.is_random);
    std::swap(twins.bodies, others.bodies);
    m.inertias = inertias, m.ids = ids, m.count = from.size(), m.torque.positions = m.count;
    m.let_go();
    m.check_ids();
}

// A velocity that was set is another than the ensemble's, as setting takes away what rounding had left about a locked axis.
inline bool has_lost_digits(const EnsembleModel &m, size_t body, const double *set, const double *velocity)
{
    if (same_but_zeros(set, velocity, 3)) return false;
    double inertia[7];
    HOLDS(QI(qi_get_ensemble_rows(m.handle, QI_PART_INERTIA, &body, 1, inertia)) == QI_OK);
    return may_lose_digits(inertia);
}

inline void step_beside_bodies(EnsembleModel &m, Input &in)
{
    if (m.phase != Phase::idle || !m.has_bits_of_bodies() || m.count == 0 || m.count > 80) return;
    for (const auto &tensor : m.inertias) {
        if (!tensor) return;
    }
    const std::vector<double> start = m.states();
    double clock[2];
    HOLDS(QI(qi_get_ensemble_clock(m.handle, clock)) == QI_OK);
    Twins twins;
    for (size_t i = 0; i < m.count; i++) {
        twins.bodies.push_back(QI_VALUE(qi_create_body(m.inertias[i]->data(), nullptr, nullptr, nullptr)));
        HOLDS(twins.bodies[i] != nullptr && QI(qi_set_clock(twins.bodies[i], clock)) == QI_OK);
        // Inactive rows of bound arrays are not checked; a caller's orientation may be a little farther from unit length than a body's.
        if (QI(qi_set_state_body(twins.bodies[i], &start[7 * i], &start[7 * i + 4])) != QI_OK) return;
        const BodySnapshot s = snapshot(twins.bodies[i]);
        if (!same_bits(s.q, &start[7 * i], 4)) return;
        if (has_lost_digits(m, i, s.omega_body, &start[7 * i + 4])) return;
    }
    const bool by_stages = in.seldom(4);
    if (!prepare(m, twins, in, by_stages)) return;
    m.torque.begin(), m.torque.left = 1 << 30, m.torque.positions = m.count;
    const int32_t layout = int32_t(in.choice(2));
    HOLDS(QI(qi_set_ensemble_stage_layout(m.handle, layout)) == QI_OK);

    for (size_t left = 1 + in.choice(6); left > 0; left--) {
        const double dt = in.duration();
        qi_status status = QI_OK;
        bool goes_on = true;
        const EnsembleSnapshot before = m.snapshot();
        const std::vector<double> states = m.states();
        const size_t what = in.choice(13);
        const bool is_quiet = is_ordinary(m, dt);
        const auto quietly = [&](qi_status s) { // while the exceptions that the call raised can be seen; a drag below 0 may drive the bodies far
            const bool has_raised = std::fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW) != 0;
            HOLDS(s < 0 || !is_quiet || !has_raised || !is_ordinary(m, dt));
            return s;
        };
        std::feclearexcept(FE_ALL_EXCEPT);
        if (what < 4 && by_stages) {
            status = step_by_stages(m, dt, layout, what % 2);
            if (status != QI_OK) HOLDS(QI(qi_cancel_ensemble_step(m.handle)) == QI_OK);
            goes_on = twins.follow(m, status, [&](qi_body *body, size_t) { return QI(qi_step(body, dt)); });
        } else if (what < 2) {
            status = quietly(QI(qi_step_ensemble(m.handle, dt)));
            HOLDS(status == QI_OK || m.snapshot().is_as(before));
            goes_on = twins.follow(m, status, [&](qi_body *body, size_t) { return QI(qi_step(body, dt)); });
        } else if (what < 4) {
            uint64_t completed = 0;
            const uint64_t steps = in.choice(10);
            status = quietly(QI(qi_advance_ensemble(m.handle, dt, steps, &completed)));
            const size_t named = QI_VALUE(qi_last_error_body());
            if (completed > 0) twins.follow(m, QI_OK, [&](qi_body *body, size_t) { return QI(qi_advance(body, dt, completed, nullptr)); });
            twins.compare(m, start, true);
            if (status != QI_OK) {
                size_t failed = 0;
                for (size_t p = 0; p < m.positions(); p++) {
                    const qi_status own = QI(qi_step(twins.bodies[m.body_at(p)], dt));
                    failed += own < 0;
                    HOLDS(status == QI_ERR_CALLBACK || named != m.body_at(p) || own == status);
                }
                HOLDS(failed > 0 || m.positions() == 0);
                return;
            }
        } else if (what == 4) {
            if (!is_soon_done(m, dt)) continue;
            status = quietly(QI(qi_drift_ensemble(m.handle, dt)));
            goes_on = twins.follow(m, status, [&](qi_body *body, size_t) { return QI(qi_drift(body, dt)); });
        } else if (what < 7) {
            const bool drifts = what == 6, none = in.seldom(8);
            const double drift = in.duration();
            if (drifts && !is_soon_done(m, drift)) continue;
            const int32_t frame = int32_t(in.choice(2));
            std::vector<double> torques(3 * m.count);
            for (double &x : torques) x = in.modest();
            if (none) std::fill(torques.begin(), torques.end(), 0.0);
            if (none) HOLDS(QI(qi_kick_ensemble(m.handle, dt, nullptr, 3, 1, frame)) == (m.count > 0 ? QI_ERR_NULL : QI_OK));
            const ptrdiff_t stride = none ? 0 : 3; // one torque for all
            static const double zeros[3] = {0, 0, 0};
            const double *given = none ? zeros : torques.data();
            status = drifts ? QI(qi_kick_drift_ensemble(m.handle, dt, drift, given, stride, 1, frame))
                            : QI(qi_kick_ensemble(m.handle, dt, given, stride, 1, frame));
            // a predicted velocity may overflow alone; then nothing has changed
            if (drifts && m.predicted.memory && status == QI_ERR_NON_FINITE) return twins.compare(m, start, false);
            goes_on = twins.follow(m, status, [&](qi_body *body, size_t i) {
                const qi_status kicked = QI(qi_kick(body, dt, &torques[3 * i], frame));
                return kicked == QI_OK && drifts ? QI(qi_drift(body, drift)) : kicked;
            });
        } else if (what == 7) {
            m.threads = in.threads();
            HOLDS(QI(qi_set_ensemble_threads(m.handle, m.threads)) == QI_OK);
        } else if (what == 8) {
            forget_torques(m, twins);
        } else if (what == 10) {
            status = quietly(QI(qi_thermalize_ensemble(m.handle, dt)));
            goes_on = twins.follow(m, status, [&](qi_body *body, size_t) { return QI(qi_thermalize(body, dt)); });
        } else if (what == 12) {
            if (!m.all_active) continue;
            select_some(m, twins, in);
            if (m.count == 0) return;
        } else if (what == 11) {
            // A body alone is given the product.
            const double factor = in.modest();
            status = QI(qi_scale_angular_momenta(m.handle, factor));
            const std::vector<double> scaled = m.states();
            bool is_unsure = false;
            goes_on = twins.follow(m, status, [&](qi_body *body, size_t i) {
                BodySnapshot s = snapshot(body);
                for (double &x : s.omega_body) x *= factor;
                // in a bound array the numbers are multiplied as they are, also their part about a locked axis, which reading takes away
                if (status == QI_OK && m.velocities.memory) std::copy_n(&scaled[7 * i + 4], 3, s.omega_body);
                if (QI(qi_set_state_body(body, s.q, s.omega_body)) != QI_OK) return QI_ERR_NON_FINITE; // too fast
                is_unsure |= status == QI_OK && has_lost_digits(m, i, snapshot(body).omega_body, &scaled[7 * i + 4]);
                return QI_OK;
            });
            if (is_unsure) return;
        } else {
            status = QI(qi_set_ensemble_time(m.handle, dt));
            twins.agree(status, [&](qi_body *body, size_t) { return QI(qi_set_time(body, dt)); });
        }
        if (!goes_on) {
            // A step of the stage protocol that was begun may have forgotten the last torque; the states are as before.
            HOLDS(by_stages ? EnsembleSnapshot::same(m.states(), states) : m.snapshot().is_as(before));
            return;
        }
        twins.compare(m, start, true);
    }
}

} // namespace fuzz
