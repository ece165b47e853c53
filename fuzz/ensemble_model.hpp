// ensemble_model.hpp: an ensemble, and what is known of it.
#pragma once

#include "arrays.hpp"
#include "torques.hpp"

#include <optional>

namespace fuzz {

constexpr int32_t ALL_PARTS =
    QI_PART_STATE | QI_PART_INERTIA | QI_PART_TORQUE | QI_PART_MEMORY | QI_PART_ID | QI_PART_BOUND;

using Tensor = std::array<double, 9>;

// An array that is bound to an ensemble.
struct Binding {
    Memory memory; // nothing is bound: NULL
    Places where;
};

// All that the getters of an ensemble give and the bytes of its arrays, to be compared bit by bit.
struct EnsembleSnapshot {
    std::vector<qi_status> statuses;
    std::vector<double> numbers; // first a row of all parts for each body
    std::vector<double> arrays;
    size_t count;
    uint64_t draws;
    uint64_t degrees; // of freedom
    int32_t method;
    size_t width;  // of a row
    size_t memory; // where in a row QI_PART_MEMORY begins
    size_t behind_memory;

    // Nothing has changed since. `except_memory`: what the method keeps from step to step may have.
    bool is_as(const EnsembleSnapshot &before, bool except_memory = false) const
    {
        if (count != before.count || method != before.method) return false;
        if (draws != before.draws || degrees != before.degrees) return false;
        std::vector<double> now = numbers;
        if (except_memory && width == before.width) {
            for (size_t i = 0; i < count; i++) {
                for (size_t c = memory; c < behind_memory; c++) {
                    now[i * width + c] = before.numbers[i * width + c];
                }
            }
        }
        return statuses == before.statuses && same(now, before.numbers)
               && same(arrays, before.arrays);
    }

    bool may_lose_digits() const
    {
        for (size_t i = 0; i < count; i++) {
            if (fuzz::may_lose_digits(&numbers[i * width + 7])) return true;
        }
        return false;
    }

    static bool same(const std::vector<double> &a, const std::vector<double> &b)
    {
        if (trace) print_differences(a, b);
        return a.size() == b.size() && same_bits(a.data(), b.data(), a.size());
    }

    static void print_differences(const std::vector<double> &a, const std::vector<double> &b)
    {
        for (size_t i = 0; i < a.size() && i < b.size(); i++) {
            if (same_bits(&a[i], &b[i], 1)) continue;
            std::fprintf(stderr, "    number %zu of %zu: %.17g, %.17g\n", i, a.size(), a[i], b[i]);
        }
    }
};

// Where the stage protocol stands. `unsure`: after a failure that may have cancelled the step.
enum class Phase { idle, begun, awaits_torque, unsure };

// What else a call may do.
struct Allowed {
    bool in_a_step = false; // the call may come in the middle of a step of the stage protocol
    bool all_bodies = true; // it writes the rows of all bodies, not of the active ones alone
};

constexpr Allowed MOVES_ACTIVE_BODIES = {false, false};

struct EnsembleModel {
    qi_ensemble *handle;
    size_t count;
    Torque torque;
    bool all_active = true;
    std::vector<size_t> active;
    bool has_shared_inertia = true;
    bool has_rotors = false;
    bool is_random = false;                      // has random torques
    bool has_ids = false;                        // else the noise of a body belongs to its index
    std::vector<uint64_t> ids;                   // which noise belongs to each body
    std::vector<std::optional<Tensor>> inertias; // of each body; nothing: not known
    Binding orientations;
    Binding velocities;
    Binding predicted;
    int32_t kind = QI_OMEGA_BODY; // of the bound velocities
    Phase phase = Phase::idle;
    size_t threads = 1;
    bool is_wild = false;  // parameters of any size
    bool is_dirty = false; // bound arrays may hold what the next step refuses

    EnsembleModel(qi_ensemble *e, size_t n)
        : handle(e), count(n), inertias(n, Tensor{1, 0, 0, 0, 1, 0, 0, 0, 1})
    {
        torque.ensemble = e;
        torque.is_dirty = &is_dirty;
    }
    EnsembleModel(const EnsembleModel &) = delete;
    ~EnsembleModel() { qi_destroy_ensemble(handle); }

    size_t positions() const { return all_active ? count : active.size(); }
    size_t body_at(size_t position) const { return all_active ? position : active[position]; }
    bool is_active(size_t body) const
    {
        return all_active || std::binary_search(active.begin(), active.end(), body);
    }
    bool is_bound() const { return orientations.memory || velocities.memory; }
    bool has_bits_of_bodies() const
    {
        return !is_dirty && (!velocities.memory || kind == QI_OMEGA_BODY);
    }
    uint64_t id_of(size_t i) const { return has_ids ? ids[i] : i; }

    EnsembleSnapshot snapshot() const
    {
        EnsembleSnapshot s;
        s.count = QI_VALUE(qi_get_ensemble_count(handle));
        HOLDS(s.count == count);
        s.width = QI_VALUE(qi_get_ensemble_row_size(handle, ALL_PARTS));
        constexpr int32_t before_memory = QI_PART_STATE | QI_PART_INERTIA | QI_PART_TORQUE;
        constexpr int32_t with_memory = before_memory | QI_PART_MEMORY;
        s.memory = QI_VALUE(qi_get_ensemble_row_size(handle, before_memory));
        s.behind_memory = QI_VALUE(qi_get_ensemble_row_size(handle, with_memory));
        s.method = -9;
        s.statuses.push_back(QI(qi_get_ensemble_method(handle, &s.method)));
        s.statuses.push_back(QI(qi_get_ensemble_noise(handle, &s.draws)));
        s.statuses.push_back(QI(qi_get_ensemble_degrees_of_freedom(handle, &s.degrees)));
        HOLDS(s.degrees <= 3 * positions());

        s.numbers.assign(count * (s.width + 4 + 3 + 3 + 1) + 2 + 1 + 3, guard());
        double *const rows = s.numbers.data();
        double *const q = rows + count * s.width;
        double *const omega = q + 4 * count;
        double *const momenta = omega + 3 * count;
        double *const energies = momenta + 3 * count;
        double *const clock = energies + count;
        double *const energy = clock + 2;
        double *const momentum = energy + 1;
        s.statuses.push_back(QI(qi_get_ensemble_rows(handle, ALL_PARTS, nullptr, count, rows)));
        s.statuses.push_back(QI(qi_get_orientations(handle, q, 4, 1)));
        s.statuses.push_back(QI(qi_get_angular_velocities(handle, omega, 3, 1)));
        s.statuses.push_back(QI(qi_get_angular_momenta(handle, momenta, 3, 1)));
        s.statuses.push_back(QI(qi_get_kinetic_energies(handle, energies, 1)));
        s.statuses.push_back(QI(qi_get_ensemble_clock(handle, clock)));
        s.statuses.push_back(QI(qi_get_total_kinetic_energy(handle, energy)));
        s.statuses.push_back(QI(qi_get_total_angular_momentum(handle, momentum)));

        for (const Binding *b : {&orientations, &velocities, &predicted}) {
            if (b->memory) s.arrays.insert(s.arrays.end(), b->memory->begin(), b->memory->end());
        }
        return s;
    }

    std::vector<uint64_t> ids_in_rows() const
    {
        std::vector<uint64_t> bits(count);
        double *const rows = reinterpret_cast<double *>(bits.data());
        HOLDS(QI(qi_get_ensemble_rows(handle, QI_PART_ID, nullptr, count, rows)) == QI_OK);
        return bits;
    }

    void check_ids() const
    {
        const std::vector<uint64_t> now = ids_in_rows();
        for (size_t i = 0; i < count; i++) HOLDS(now[i] == id_of(i));
    }

    // The states of all bodies as bits: orientation, and angular velocity in the body frame.
    std::vector<double> states() const
    {
        std::vector<double> rows(7 * count, guard());
        HOLDS(QI(qi_get_ensemble_rows(handle, QI_PART_STATE, nullptr, count, rows.data()))
              == QI_OK);
        return rows;
    }

    std::array<double, 2> clock() const
    {
        std::array<double, 2> clock;
        HOLDS(QI(qi_get_ensemble_clock(handle, clock.data())) == QI_OK);
        return clock;
    }

    uint64_t draws() const
    {
        uint64_t draws = 0;
        HOLDS(QI(qi_get_ensemble_noise(handle, &draws)) == QI_OK);
        return draws;
    }

    // Whether torques are shown NaN for the angular velocity.
    bool hides_velocity() const
    {
        const int32_t m = method();
        return m == QI_METHOD_SPLITTING_4 || m == QI_METHOD_SPLITTING_6 || m == QI_METHOD_FORCE_GRADIENT
               || m == QI_METHOD_BROWNIAN;
    }

    int32_t method() const
    {
        int32_t method = 0;
        HOLDS(QI(qi_get_ensemble_method(handle, &method)) == QI_OK);
        return method;
    }

    void check_states() const
    {
        HOLDS(are_finite(clock().data(), 2));
        if (is_dirty) return;
        const std::vector<double> rows = states();
        for (size_t p = 0; p < positions(); p++) {
            const double *row = &rows[7 * body_at(p)];
            HOLDS(is_unit(row) && are_finite(row + 4, 3));
        }
    }

    // The memory between the components is unchanged, and so, unless a call writes `all_bodies`, is
    // that of bodies that do not move.
    void check_guards(const EnsembleSnapshot &before, bool all_bodies) const
    {
        if (before.arrays.empty()) return;
        std::set<const double *> may_be_written;
        for (const Binding *b : {&orientations, &velocities, &predicted}) {
            if (!b->memory) continue;
            for (size_t i = 0; i < b->where.count; i++) {
                if (!all_bodies && !is_active(i)) continue;
                for (size_t c = 0; c < b->where.components; c++) {
                    may_be_written.insert(b->memory->data() + b->where.at(i, c));
                }
            }
        }
        size_t old = 0;
        for (const Binding *b : {&orientations, &velocities, &predicted}) {
            if (!b->memory) continue;
            for (const double &number : *b->memory) {
                HOLDS(old < before.arrays.size());
                const bool is_same = same_bits(&number, &before.arrays[old], 1);
                HOLDS(is_same || may_be_written.count(&number) != 0);
                old++;
            }
        }
    }

    void begin_call()
    {
        torque.begin();
        torque.positions = positions();
    }

    // A call that changes all or nothing.
    template <class Call>
    qi_status change(Call call, Allowed allowed = {})
    {
        const EnsembleSnapshot before = snapshot();
        begin_call();
        const qi_status status = call();
        if (status < 0) {
            HOLDS(snapshot().is_as(before));
        } else if (!allowed.in_a_step) {
            HOLDS(phase == Phase::idle || phase == Phase::unsure);
            phase = Phase::idle;
        }
        check_guards(before, allowed.all_bodies);
        return status;
    }

    // The arrays are no longer used. They are freed, so that the address sanitizer sees it if they
    // are.
    void let_go()
    {
        orientations = Binding{};
        velocities = Binding{};
        predicted = Binding{};
        is_dirty = false;
        all_active = true;
        active.clear();
    }
};

inline std::unique_ptr<EnsembleModel> create_ensemble(Input &in)
{
    // Few bodies; sometimes more than a chunk; seldom more than there is memory for.
    const size_t kind = in.choice(32);
    size_t count = kind % 8;
    if (kind == 31) {
        count = SIZE_MAX >> in.choice(7);
    } else if (kind == 30) {
        count = 120 + in.choice(20);
    } else if (kind >= 24) {
        count = 60 + in.choice(12);
    }
    qi_status status = 99;
    qi_ensemble *e = QI_VALUE(qi_create_ensemble(count, &status));
    HOLDS((e != nullptr) == (status == QI_OK));
    HOLDS(count < 1000 || status == QI_ERR_MEMORY);
    if (e == nullptr) return nullptr;
    return std::make_unique<EnsembleModel>(e, count);
}

} // namespace fuzz
