// torques.hpp: callbacks that behave, fail, return NaN or use their own handle.
#pragma once

#include "input.hpp"

namespace fuzz {

enum class Manner { behaves, fails_late, gives_nan, uses_its_handle, fails_by_state, uses_others };

// Writes to the upper halves of vector registers, as vectorised code of the host may leave them.
inline void make_registers_dirty()
{
#if defined(__x86_64__)
    static const bool has_avx = __builtin_cpu_supports("avx");
    if (has_avx) {
        __asm__ volatile("vpcmpeqd %%xmm7,%%xmm7,%%xmm7\n\t"
                         "vinsertf128 $1,%%xmm7,%%ymm7,%%ymm7" ::
                             : "xmm7");
    }
#endif
}

// Other objects may be used within a callback.
inline void use_another_body()
{
    const double inertia[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3};
    const double spin[3] = {0.1, 0.2, 0.3};
    qi_body *other = QI_VALUE(qi_create_body(inertia, nullptr, spin, nullptr));
    HOLDS(other != nullptr);
    HOLDS(QI(qi_step(other, 0.01)) == QI_OK);
    qi_destroy_body(other);
}

// A torque of time and state, and what the callback does besides.
struct Torque {
    double of_q = 0;
    double of_omega = 0;
    double of_time = 0;
    double constant = 0;
    Manner manner = Manner::behaves;
    int32_t after = 0; // calls until it misbehaves
    // How many calls this API call may still make. A solution of a wild motion would take for ever.
    std::atomic<int32_t> left{0};
    std::atomic<int32_t> made{0};
    // The handle that the torque belongs to.
    qi_body *body = nullptr;
    qi_ensemble *ensemble = nullptr;
    size_t positions = 0; // of the active bodies
    int32_t layout = 0;
    int32_t frame = 0;
    // Whether a bound array may hold what the step refuses. Orientations are refused before the
    // torque is asked for, velocities after.
    const bool *is_dirty = nullptr;

    void draw(Input &in, bool only_of_state)
    {
        of_q = in.modest();
        of_omega = in.modest() / 8;
        of_time = in.modest();
        constant = in.modest();
        if (only_of_state) {
            manner = in.seldom(4) ? Manner::fails_by_state : Manner::behaves;
        } else {
            manner = Manner(in.choice(6));
        }
        after = int32_t(in.choice(16));
    }

    void begin()
    {
        left = 4000;
        made = 0;
    }

    // The same operations for one body and for many, and so the same bits.
    int32_t at(double time, const double *q, const double *omega, double *torque) const
    {
        torque[0] = of_q * q[1] - of_omega * omega[0] + constant;
        torque[1] = of_q * q[2] * q[0] - of_omega * omega[1] + of_time * time;
        torque[2] = of_q * q[3] - of_omega * omega[2];
        if (manner == Manner::fails_by_state && q[1] > 0.5) return 7;
        if (manner == Manner::fails_by_state && q[2] > 0.9) torque[1] = NAN;
        return 0;
    }

    // A callback may not use its own handle.
    void use_its_handle() const
    {
        double numbers[4];
        if (body != nullptr) {
            HOLDS(QI(qi_get_orientation(body, numbers)) == QI_ERR_BUSY);
            HOLDS(QI(qi_step(body, 0.1)) == QI_ERR_BUSY);
            HOLDS(QI(qi_set_time(body, 1)) == QI_ERR_BUSY);
            HOLDS(QI(qi_set_torque(body, nullptr, nullptr)) == QI_ERR_BUSY);
        }
        if (ensemble != nullptr) {
            HOLDS(QI(qi_get_ensemble_time(ensemble, numbers)) == QI_ERR_BUSY);
            HOLDS(QI(qi_step_ensemble(ensemble, 0.1)) == QI_ERR_BUSY);
            HOLDS(QI(qi_resize_ensemble(ensemble, 3)) == QI_ERR_BUSY);
            HOLDS(QI(qi_cancel_ensemble_step(ensemble)) == QI_ERR_BUSY);
        }
    }

    // What the callback does besides giving its torque. Returns what the callback returns.
    int32_t misbehave(double *torque)
    {
        if (left.fetch_sub(1, std::memory_order_relaxed) <= 0) return 99;
        if (made.fetch_add(1, std::memory_order_relaxed) != after) return 0;
        switch (manner) {
        case Manner::fails_late: return -5;
        case Manner::gives_nan: torque[0] = NAN; return 0;
        case Manner::uses_its_handle: use_its_handle(); return 0;
        case Manner::uses_others: use_another_body(); return 0;
        default: return 0;
        }
    }
};

inline int32_t body_torque(double time, const double *q, const double *omega, double *torque,
                           void *user_data)
{
    Torque &t = *static_cast<Torque *>(user_data);
    HOLDS(torque[0] == 0 && torque[1] == 0 && torque[2] == 0);
    HOLDS(is_unit(q) && (are_finite(omega, 3) || std::isnan(omega[0])) && std::isfinite(time));
    const int32_t result = t.at(time, q, omega, torque);
    make_registers_dirty();
    return result != 0 ? result : t.misbehave(torque);
}

// A NaN or a jump now and then: events are searched at many times.
inline double event(double time, const double *q, const double *omega, void *user_data)
{
    Torque &t = *static_cast<Torque *>(user_data);
    HOLDS(is_unit(q) && are_finite(omega, 3) && std::isfinite(time));
    if (t.left.fetch_sub(1, std::memory_order_relaxed) <= 0) return NAN;
    make_registers_dirty();
    switch (t.after % 5) {
    case 0: return q[1] - 0.1;
    case 1: return omega[0] - 0.5;
    case 2: return q[0] > 0.5 ? 1 : -1;
    case 3: return 0;
    default: return q[2] > 0.7 ? NAN : time - 0.3;
    }
}

// Where component c of body i lies in an array of a callback or of the stage protocol.
inline size_t place(int32_t layout, size_t count, size_t components, size_t i, size_t c)
{
    return layout == QI_LAYOUT_AOS ? components * i + c : c * count + i;
}

inline int32_t ensemble_torque(double time, size_t first, size_t count, const double *q,
                               const double *omega, double *torque, void *user_data)
{
    Torque &t = *static_cast<Torque *>(user_data);
    HOLDS(count >= 1 && count <= 64 && first + count <= t.positions && std::isfinite(time));
    const bool may_be_refused = t.is_dirty != nullptr && *t.is_dirty;
    for (size_t i = 0; i < count; i++) {
        double one_q[4];
        double one_omega[3];
        double one_torque[3];
        for (size_t c = 0; c < 4; c++) one_q[c] = q[place(t.layout, count, 4, i, c)];
        for (size_t c = 0; c < 3; c++) {
            const size_t at = place(t.layout, count, 3, i, c);
            one_omega[c] = omega[at];
            HOLDS(torque[at] == 0);
        }
        HOLDS(is_unit(one_q));
        HOLDS(are_finite(one_omega, 3) || std::isnan(one_omega[0]) || may_be_refused);
        const int32_t result = t.at(time, one_q, one_omega, one_torque);
        if (result != 0) return result;
        for (size_t c = 0; c < 3; c++) torque[place(t.layout, count, 3, i, c)] = one_torque[c];
    }
    return t.misbehave(torque);
}

} // namespace fuzz
