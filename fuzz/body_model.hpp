// body_model.hpp: a body, what is known of it, and what each of its states promises.
#pragma once

#include "arrays.hpp"
#include "torques.hpp"

namespace fuzz {

// All that the getters of a body give, to be compared bit by bit.
struct BodySnapshot {
    double q[4];
    double omega[3];
    double omega_body[3];
    double time;
    double clock[2];
    double momentum[3];
    double energy;
    double rotor[3];
    double motor[3];
    uint64_t draws;
    int32_t method;
    qi_status momentum_status;
    qi_status energy_status;
};

inline BodySnapshot snapshot(const qi_body *body)
{
    BodySnapshot s;
    std::memset(&s, 0, sizeof s);
    HOLDS(QI(qi_get_orientation(body, s.q)) == QI_OK);
    HOLDS(QI(qi_get_angular_velocity(body, s.omega)) == QI_OK);
    HOLDS(QI(qi_get_angular_velocity_body(body, s.omega_body)) == QI_OK);
    HOLDS(QI(qi_get_time(body, &s.time)) == QI_OK);
    HOLDS(QI(qi_get_clock(body, s.clock)) == QI_OK);
    s.momentum_status = QI(qi_get_angular_momentum(body, s.momentum));
    s.energy_status = QI(qi_get_kinetic_energy(body, &s.energy));
    HOLDS(QI(qi_get_rotor_momentum(body, s.rotor)) == QI_OK);
    HOLDS(QI(qi_get_rotor_torque(body, s.motor)) == QI_OK);
    HOLDS(QI(qi_get_method(body, &s.method)) == QI_OK);
    HOLDS(QI(qi_get_noise(body, &s.draws)) == QI_OK);
    return s;
}

inline bool is_same(const BodySnapshot &a, const BodySnapshot &b)
{
    return std::memcmp(&a, &b, sizeof a) == 0;
}

// What each state of a body promises.
inline void check_state(const BodySnapshot &s)
{
    HOLDS(is_unit(s.q) && are_finite(s.omega, 3) && are_finite(s.omega_body, 3));
    HOLDS(std::isfinite(s.time) && are_finite(s.clock, 2) && are_finite(s.rotor, 3));
    if (s.momentum_status == QI_OK) {
        HOLDS(are_finite(s.momentum, 3));
    } else {
        HOLDS(s.momentum_status == QI_ERR_NON_FINITE);
    }
    if (s.energy_status == QI_OK) {
        HOLDS(std::isfinite(s.energy));
    } else {
        HOLDS(s.energy_status == QI_ERR_NON_FINITE);
    }
}

// An inertia that swells and shrinks, and fails late.
struct Swelling {
    std::array<double, 9> tensor{};
    double rate = 0;
    double fails_after = 0;

    static int32_t at(double time, double *inertia, void *user_data)
    {
        const auto &me = *static_cast<const Swelling *>(user_data);
        if (time > me.fails_after) return 5;
        const double size = 1 + 0.5 * std::sin(me.rate * time);
        for (size_t i = 0; i < 9; i++) inertia[i] = me.tensor[i] * size;
        return 0;
    }
};

struct BodyModel {
    qi_body *handle;
    Torque torque;
    Swelling swelling;
    bool has_ordinary_inertia = false;
    bool has_wild_drag = false;

    explicit BodyModel(qi_body *body) : handle(body) { torque.body = body; }
    BodyModel(const BodyModel &) = delete;
    ~BodyModel() { qi_destroy_body(handle); }

    // A call that changes the body: all of it or nothing.
    template <class Call>
    qi_status change(Call call)
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
    template <class Call>
    qi_status advance(Call call)
    {
        torque.begin();
        const qi_status status = call();
        check_state(snapshot(handle));
        return status;
    }
};

// Moments as bodies have them, or zero, and small elements beside the diagonal.
inline bool has_ordinary_moments(const std::array<double, 9> &tensor)
{
    for (size_t i = 0; i < 9; i++) {
        const double x = tensor[i];
        const bool is_on_diagonal = i % 4 == 0;
        const bool is_moment = x > 0.4 && x < 9;
        const bool is_small = !is_on_diagonal && std::fabs(x) < 0.2;
        if (x != 0 && !is_moment && !is_small) return false;
    }
    return true;
}

inline std::unique_ptr<BodyModel> create_body(Input &in)
{
    const auto inertia = in.inertia();
    const auto q = in.orientation();
    const auto omega = in.vector(in.seldom(8));
    const double *given_inertia = in.seldom(64) ? nullptr : inertia.data();
    const double *given_q = in.seldom(8) ? nullptr : q.data();
    const double *given_omega = in.seldom(8) ? nullptr : omega.data();
    qi_status status = 99;
    qi_body *body = QI_VALUE(qi_create_body(given_inertia, given_q, given_omega, &status));
    HOLDS((body != nullptr) == (status == QI_OK) && status <= 0);
    if (body == nullptr) return nullptr;
    auto model = std::make_unique<BodyModel>(body);
    model->has_ordinary_inertia = has_ordinary_moments(inertia);
    return model;
}

// Whether a drift ends within a moment. With rotors it takes steps, as many as the motion needs,
// and is refused only beyond 1e6 radians, which take seconds.
inline bool is_soon_done(const BodyModel &m, double duration)
{
    const BodySnapshot s = snapshot(m.handle);
    double rate = 0;
    bool has_rotors = false;
    for (int i = 0; i < 3; i++) {
        rate += std::fabs(s.omega[i]) + std::fabs(s.rotor[i]) + std::fabs(s.motor[i] * duration);
        if (s.rotor[i] != 0 || s.motor[i] != 0) has_rotors = true;
    }
    if (!has_rotors || !std::isfinite(duration)) return true;
    return m.has_ordinary_inertia && rate * std::fabs(duration) < 1e3;
}

// Whether a program that traps floating-point exceptions may well have such a body.
inline bool is_ordinary(const BodyModel &m)
{
    const BodySnapshot s = snapshot(m.handle);
    double size = std::fabs(s.time);
    for (int i = 0; i < 3; i++) {
        size += std::fabs(s.omega[i]) + std::fabs(s.rotor[i]) + std::fabs(s.motor[i]);
    }
    const Manner manner = m.torque.manner;
    const bool has_ordinary_torque = manner == Manner::behaves || manner == Manner::uses_others;
    return m.has_ordinary_inertia && !m.has_wild_drag && size < 1e6 && has_ordinary_torque;
}

} // namespace fuzz
