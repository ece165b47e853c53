// ensembles.hpp: an ensemble, what is known of it, and the calls that change it.
#pragma once

#include "arrays.hpp"
#include "torques.hpp"

#include <optional>

namespace fuzz {

enum { ALL_PARTS = QI_PART_STATE | QI_PART_INERTIA | QI_PART_TORQUE | QI_PART_MEMORY | QI_PART_ID };

using Tensor = std::array<double, 9>;

// An array that is bound to an ensemble.
struct Binding {
    Memory memory; // nothing is bound: NULL
    Places where;
};

// All getters of an ensemble and the bytes of its arrays, to be compared bit by bit.
struct EnsembleSnapshot {
    std::vector<qi_status> statuses;
    std::vector<double> numbers, arrays;
    size_t count;
    uint64_t draws, degrees; // of noise, of freedom
    int32_t method;

    size_t width, memory; // of a row, and where in it QI_PART_MEMORY begins. It ends before the id

    // Nothing has changed since. What the method keeps from step to step may be forgotten where the header says so.
    bool is_as(const EnsembleSnapshot &before, bool except_memory = false) const
    {
        std::vector<double> now = numbers;
        for (size_t i = 0; i < count && count == before.count && width == before.width; i++) {
            for (size_t c = memory; c + 1 < width; c++) {
                if (except_memory) now[i * width + c] = before.numbers[i * width + c];
            }
        }
        return statuses == before.statuses && count == before.count && method == before.method && draws == before.draws
               && degrees == before.degrees && same(now, before.numbers)
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
        for (size_t i = 0; trace && i < a.size() && i < b.size(); i++) {
            if (!same_bits(&a[i], &b[i], 1)) std::fprintf(stderr, "    number %zu of %zu: %.17g, %.17g\n", i, a.size(), a[i], b[i]);
        }
        return a.size() == b.size() && same_bits(a.data(), b.data(), a.size());
    }
};

// Where the stage protocol stands. `unsure` after a failure that may have cancelled the step.
enum class Phase { idle, begun, awaits_torque, unsure };

struct EnsembleModel {
    qi_ensemble *handle;
    size_t count;
    Torque torque;
    bool all_active = true;
    std::vector<size_t> active;
    bool has_shared_inertia = true;
    bool has_rotors = false;
    bool is_random = false;   // has random torques
    std::vector<uint64_t> ids; // which noise belongs to each body, unless that is its index
    bool has_ids = false;
    std::vector<std::optional<Tensor>> inertias; // of each body; nothing: not known
    Binding orientations, velocities, predicted;
    int32_t kind = QI_OMEGA_BODY;
    int32_t stage_layout = QI_LAYOUT_AOS;
    Phase phase = Phase::idle;
    size_t threads = 1;
    bool is_wild = false;  // parameters of any size
    bool is_dirty = false; // bound arrays may hold what the next step refuses
    bool owns_states_of_others = true;

    EnsembleModel(qi_ensemble *e, size_t n) : handle(e), count(n), inertias(n, Tensor{1, 0, 0, 0, 1, 0, 0, 0, 1})
    {
        torque.ensemble = e, torque.is_dirty = &is_dirty;
    }
    EnsembleModel(const EnsembleModel &) = delete;
    ~EnsembleModel() { qi_destroy_ensemble(handle); }

    size_t positions() const { return all_active ? count : active.size(); }
    size_t body_at(size_t position) const { return all_active ? position : active[position]; }
    bool is_bound() const { return orientations.memory || velocities.memory; }
    bool has_bits_of_bodies() const { return !is_dirty && (!velocities.memory || kind == QI_OMEGA_BODY); }

    EnsembleSnapshot snapshot() const
    {
        EnsembleSnapshot s;
        s.count = QI_VALUE(qi_get_ensemble_count(handle));
        HOLDS(s.count == count);
        s.method = -9;
        s.statuses.push_back(QI(qi_get_ensemble_method(handle, &s.method)));
        const size_t width = QI_VALUE(qi_get_ensemble_row_size(handle, ALL_PARTS));
        const size_t rows = count * width, n = count;
        s.width = width, s.memory = QI_VALUE(qi_get_ensemble_row_size(handle, ALL_PARTS & ~QI_PART_MEMORY & ~QI_PART_ID));
        s.statuses.push_back(QI(qi_get_ensemble_noise(handle, &s.draws)));
        s.statuses.push_back(QI(qi_get_ensemble_degrees_of_freedom(handle, &s.degrees)));
        HOLDS(s.degrees <= 3 * positions());
        s.numbers.assign(rows + n * 14 + 6, guard());
        double *at = s.numbers.data();
        s.statuses.push_back(QI(qi_get_ensemble_rows(handle, ALL_PARTS, nullptr, n, at)));
        s.statuses.push_back(QI(qi_get_orientations(handle, at += rows, 4, 1)));
        s.statuses.push_back(QI(qi_get_angular_velocities(handle, at += 4 * n, 3, 1)));
        s.statuses.push_back(QI(qi_get_angular_momenta(handle, at += 3 * n, 3, 1)));
        s.statuses.push_back(QI(qi_get_kinetic_energies(handle, at += 3 * n, 1)));
        s.statuses.push_back(QI(qi_get_ensemble_clock(handle, at += n)));
        s.statuses.push_back(QI(qi_get_total_kinetic_energy(handle, at += 2)));
        s.statuses.push_back(QI(qi_get_total_angular_momentum(handle, at += 1)));
        HOLDS(at + 3 <= s.numbers.data() + s.numbers.size());
        for (const Binding *b : {&orientations, &velocities, &predicted}) {
            if (b->memory) s.arrays.insert(s.arrays.end(), b->memory->begin(), b->memory->end());
        }
        return s;
    }

    std::vector<uint64_t> ids_in_rows() const
    {
        std::vector<uint64_t> bits(count);
        HOLDS(QI(qi_get_ensemble_rows(handle, QI_PART_ID, nullptr, count, reinterpret_cast<double *>(bits.data()))) == QI_OK);
        return bits;
    }
    void check_ids() const
    {
        const std::vector<uint64_t> now = ids_in_rows();
        for (size_t i = 0; i < count; i++) HOLDS(now[i] == id_of(i));
    }
    uint64_t id_of(size_t i) const { return has_ids ? ids[i] : i; }

    // The state of the active bodies, as bits: orientation and angular velocity in the body frame.
    std::vector<double> states() const
    {
        std::vector<double> rows(7 * count, guard());
        HOLDS(QI(qi_get_ensemble_rows(handle, QI_PART_STATE, nullptr, count, rows.data())) == QI_OK);
        return rows;
    }

    void check_states() const
    {
        double clock[2];
        HOLDS(QI(qi_get_ensemble_clock(handle, clock)) == QI_OK && are_finite(clock, 2));
        if (is_dirty) return;
        const std::vector<double> rows = states();
        for (size_t p = 0; p < positions(); p++) {
            const double *row = &rows[7 * body_at(p)];
            HOLDS(is_unit(row) && are_finite(row + 4, 3));
        }
    }

    // The memory between the components and that of bodies that do not move.
    void check_guards(const EnsembleSnapshot &before, bool only_active) const
    {
        if (before.arrays.empty()) return;
        std::vector<std::pair<const double *, size_t>> blocks;
        std::set<const double *> mine;
        for (const Binding *b : {&orientations, &velocities, &predicted}) {
            if (!b->memory) continue;
            blocks.emplace_back(b->memory->data(), b->memory->size());
            for (size_t i = 0; i < b->where.count; i++) {
                if (only_active && !all_active && !std::binary_search(active.begin(), active.end(), i)) continue;
                for (size_t c = 0; c < b->where.components; c++) mine.insert(b->memory->data() + b->where.at(i, c));
            }
        }
        size_t old = 0;
        for (const auto &[block, size] : blocks) {
            for (size_t i = 0; i < size; i++, old++) {
                HOLDS(old < before.arrays.size());
                HOLDS(mine.count(block + i) != 0 || same_bits(block + i, &before.arrays[old], 1));
            }
        }
    }

    // A call that changes all or nothing, and nothing in the middle of a step of the stage protocol. Setters write the rows of all bodies.
    template <class Call> qi_status change(Call call, bool may_come_in_a_step = false, bool moves_only_active = false)
    {
        const EnsembleSnapshot before = snapshot();
        torque.begin(), torque.positions = positions();
        const qi_status status = call();
        HOLDS(status >= 0 || snapshot().is_as(before));
        HOLDS(status < 0 || may_come_in_a_step || phase == Phase::idle || phase == Phase::unsure);
        if (status >= 0 && phase == Phase::unsure && !may_come_in_a_step) phase = Phase::idle;
        check_guards(before, moves_only_active);
        return status;
    }
    // The arrays are no longer used; they are freed, so the address sanitizer sees it if they are.
    void let_go()
    {
        orientations = velocities = predicted = Binding{};
        is_dirty = false, all_active = true, owns_states_of_others = true;
        active.clear();
    }
    void steps_were_taken() { is_dirty = false; }
};

inline bool overlap(const Binding &binding, const double *from, size_t size)
{
    if (!binding.memory) return false;
    for (size_t i = 0; i < binding.where.count; i++) {
        for (size_t c = 0; c < binding.where.components; c++) {
            const double *at = binding.memory->data() + binding.where.at(i, c);
            if (at >= from && at < from + size) return true;
        }
    }
    return false;
}

// Whether two views of one memory share a place of a body that moves.
inline bool overlap(const EnsembleModel &m, const Binding &a, const Binding &b)
{
    if (!a.memory || a.memory != b.memory) return false;
    std::set<size_t> places;
    for (size_t p = 0; p < m.positions(); p++) {
        for (size_t c = 0; c < a.where.components; c++) places.insert(a.where.at(m.body_at(p), c));
    }
    for (size_t p = 0; p < m.positions(); p++) {
        for (size_t c = 0; c < b.where.components; c++) {
            if (places.count(b.where.at(m.body_at(p), c))) return true;
        }
    }
    return false;
}

inline std::unique_ptr<EnsembleModel> create_ensemble(Input &in)
{
    // Few bodies; sometimes more than a chunk; seldom more than there is memory for.
    const size_t kind = in.choice(32);
    const size_t count = kind < 24 ? kind % 8 : kind < 30 ? 60 + in.choice(12) : kind == 30 ? 120 + in.choice(20) : SIZE_MAX >> in.choice(7);
    qi_status status = 99;
    qi_ensemble *e = QI_VALUE(qi_create_ensemble(count, &status));
    HOLDS((e != nullptr) == (status == QI_OK) && (count < 1000 || status == QI_ERR_MEMORY));
    return e == nullptr ? nullptr : std::make_unique<EnsembleModel>(e, count);
}

inline void set_ensemble_torque(EnsembleModel &m, Input &in)
{
    qi_ensemble *e = m.handle;
    const bool wild = in.seldom(8);
    const auto common = in.vector(wild);
    double gradient[9];
    for (double &g : gradient) g = wild ? in.number() : in.modest();
    const size_t kind = in.choice(7);
    const auto each = [&](size_t) { return in.vector(wild); };
    if (kind == 0) {
        const int32_t layout = int32_t(in.choice(3)), frame = int32_t(in.choice(3));
        if (m.change([&] { return QI(qi_set_ensemble_torque(e, ensemble_torque, layout, frame, &m.torque)); }) == QI_OK) {
            m.torque.draw(in, false);
            m.torque.layout = layout, m.torque.frame = frame;
        }
        return;
    }
    if (kind == 1) {
        m.change([&] { return QI(qi_set_ensemble_torque(e, nullptr, QI_LAYOUT_AOS, QI_FRAME_WORLD, nullptr)); });
        return;
    }
    Given given(in, places(in, m.count, kind == 4 ? 1 : 3, MAY_BE_SHARED | PACKED_COMPONENTS), each);
    const double *values = given.start.address;
    const ptrdiff_t stride = given.where.body;
    const qi_status status = m.change([&] {
        switch (kind) {
        case 2: return QI(qi_set_ensemble_constant_torque(e, values, stride, int32_t(in.choice(3))));
        case 3: return QI(qi_set_ensemble_uniform_field_torque(e, values, stride, common.data()));
        case 4: return QI(qi_set_ensemble_gravity_gradient_torque(e, common.data(), values, stride));
        case 5: return QI(qi_set_ensemble_linear_drag_torque(e, values, stride));
        default: return QI(qi_set_ensemble_shear_flow_torque(e, values, stride, std::fabs(common[0]), gradient));
        }
    });
    HOLDS(status != QI_OK || !given.must_fail());
}

inline void set_drag(EnsembleModel &m, Input &in)
{
    const bool wild = in.seldom(8);
    const auto each = [&](size_t) { return in.vector(wild); };
    Given c(in, places(in, m.count, 3, MAY_BE_SHARED | PACKED_COMPONENTS), each), flow(in, places(in, m.count, 3, MAY_BE_SHARED | PACKED_COMPONENTS), each);
    const size_t kind = in.choice(4);
    m.change([&] {
        return QI(qi_set_ensemble_drag(m.handle, kind == 0 ? nullptr : c.start.address, c.where.body, kind == 1 ? nullptr : flow.start.address, flow.where.body));
    });
}

// Random torques: set, taken away, ids, the number of draws, drag and noise alone, and the host's thermostat.
inline void ensemble_random(EnsembleModel &m, Input &in)
{
    qi_ensemble *e = m.handle;
    const bool wild = in.seldom(8);
    uint64_t draws = 0;
    HOLDS(QI(qi_get_ensemble_noise(e, &draws)) == QI_OK);
    switch (in.choice(7)) {
    case 0: case 1: {
        const bool none = in.seldom(4), at_rest = in.choice(2);
        Given c(in, places(in, m.count, 3, MAY_BE_SHARED | PACKED_COMPONENTS), [&](size_t) { return in.coefficients(wild); });
        Given flow(in, places(in, m.count, 3, MAY_BE_SHARED | PACKED_COMPONENTS), [&](size_t) { return in.vector(wild); });
        const double kt = wild ? in.number() : std::fabs(in.modest());
        const uint64_t seed = in.word();
        const double *given = none ? nullptr : c.start.address, *of_flow = at_rest ? nullptr : flow.start.address;
        const qi_status s = m.change([&] { return QI(qi_set_ensemble_langevin(e, given, c.where.body, of_flow, flow.where.body, kt, seed)); });
        HOLDS(s != QI_OK || given == nullptr || !c.must_fail());
        if (s == QI_OK) m.is_random = given != nullptr;
        break;
    }
    case 2: {
        std::vector<uint64_t> ids(m.count);
        for (uint64_t &id : ids) id = in.word();
        ids.shrink_to_fit();
        const bool indices = in.seldom(4) || m.count == 0;
        if (m.change([&] { return QI(qi_set_ensemble_ids(e, indices ? nullptr : ids.data())); }) == QI_OK) m.has_ids = !indices, m.ids = ids;
        m.check_ids();
        break;
    }
    case 3: {
        const uint64_t set = in.word();
        const qi_status s = m.change([&] { return QI(qi_set_ensemble_noise(e, set)); });
        HOLDS(s == QI_OK || s == QI_ERR_ORDER);
        if (s == QI_OK) draws = set;
        break;
    }
    case 4: case 5: {
        const double duration = in.duration();
        const qi_status s = m.change([&] { return QI(qi_thermalize_ensemble(e, duration)); }, false, true);
        HOLDS(s != QI_OK || (duration >= 0 && m.is_random));
        draws += s == QI_OK;
        break;
    }
    default: {
        const double factor = in.seldom(4) ? in.number() : in.modest();
        m.change([&] { return QI(qi_scale_angular_momenta(e, factor)); }, false, true);
    }
    }
    uint64_t now = 0;
    HOLDS(QI(qi_get_ensemble_noise(e, &now)) == QI_OK && now == draws);
    m.check_states();
}

inline void set_rotors(EnsembleModel &m, Input &in)
{
    const bool wild = in.seldom(8), none = in.seldom(2);
    Given rotors(in, places(in, m.count, 3, MAY_BE_SHARED | PACKED_COMPONENTS), [&](size_t) { return in.vector(wild); });
    const qi_status s = m.change([&] {
        return QI(qi_set_ensemble_rotor_momentum(m.handle, none ? nullptr : rotors.start.address, rotors.where.body));
    });
    if (s == QI_OK) m.has_rotors = !none;
}

inline void set_inertias(EnsembleModel &m, Input &in)
{
    const bool principal = in.choice(2);
    const auto tensor = [&](size_t) {
        const Tensor t = in.inertia();
        return principal ? std::vector<double>{t[0], t[4], t[8]} : std::vector<double>(t.begin(), t.end());
    };
    Given given(in, principal ? places(in, m.count, 3, MAY_BE_SHARED) : places(in, m.count, 9, MAY_BE_SHARED | PACKED_COMPONENTS), tensor);
    const Places &where = given.where;
    const qi_status status = m.change([&] {
        return principal ? QI(qi_set_principal_inertias(m.handle, given.start.address, where.body, where.component))
                         : QI(qi_set_inertias(m.handle, given.start.address, where.body));
    });
    if (status != QI_OK) return;
    HOLDS(!given.must_fail());
    if (m.count > 0 || where.body == 0) m.has_shared_inertia = where.body == 0;
    for (size_t i = 0; i < m.count; i++) {
        const std::vector<double> row = given.of(i);
        if (principal) m.inertias[i] = Tensor{row[0], 0, 0, 0, row[1], 0, 0, 0, row[2]};
        else { Tensor t; std::copy(row.begin(), row.end(), t.begin()); m.inertias[i] = t; }
    }
    if (m.count == 0) m.inertias.clear();
}

inline void set_states(EnsembleModel &m, Input &in)
{
    const bool wild = in.seldom(8);
    if (in.choice(2)) {
        Given given(in, places(in, m.count, 4, MAY_BE_SHARED), [&](size_t) { return in.orientation(); });
        const Places &where = given.where;
        const qi_status s = m.change([&] { return QI(qi_set_orientations(m.handle, given.start.address, where.body, where.component)); });
        HOLDS(s != QI_OK || !given.must_fail());
    } else {
        Given given(in, places(in, m.count, 3, MAY_BE_SHARED), [&](size_t) { return in.vector(wild); });
        const Places &where = given.where;
        const bool of_momenta = in.choice(2);
        const qi_status s = m.change([&] {
            return of_momenta ? QI(qi_set_angular_momenta(m.handle, given.start.address, where.body, where.component))
                              : QI(qi_set_angular_velocities(m.handle, given.start.address, where.body, where.component));
        });
        HOLDS(s != QI_OK || !given.must_fail());
    }
}

// A getter that would write to a bound array, which is a state, is refused.
inline void get_into_bound(EnsembleModel &m, size_t what, const EnsembleSnapshot &before)
{
    const Binding &bound = m.orientations.memory ? m.orientations : m.velocities;
    double *to = bound.memory->data() + bound.where.at(m.count - 1, 0);
    qi_status status = QI_OK;
    switch (what) {
    case 0: status = QI(qi_get_orientations(m.handle, to, 0, 0)); break;
    case 1: status = QI(qi_get_angular_velocities(m.handle, to, 3, 1)); break;
    case 2: status = QI(qi_get_angular_momenta(m.handle, to, 3, 1)); break;
    default: status = QI(qi_get_kinetic_energies(m.handle, to, 1));
    }
    HOLDS(status == QI_ERR_INVALID && m.snapshot().is_as(before));
}

inline void get_states(EnsembleModel &m, Input &in)
{
    static const size_t components[] = {4, 3, 3, 1};
    const size_t what = in.choice(4);
    Wanted wanted(in, places(in, m.count, components[what], what == 3 ? PACKED_COMPONENTS : OUTPUT));
    double *to = wanted.start.address;
    const ptrdiff_t body = wanted.where.body, component = wanted.where.component;
    const EnsembleSnapshot before = m.snapshot();
    qi_status status = QI_OK;
    switch (what) {
    case 0: status = QI(qi_get_orientations(m.handle, to, body, component)); break;
    case 1: status = QI(qi_get_angular_velocities(m.handle, to, body, component)); break;
    case 2: status = QI(qi_get_angular_momenta(m.handle, to, body, component)); break;
    default: status = QI(qi_get_kinetic_energies(m.handle, to, body));
    }
    wanted.check(status);
    for (size_t p = 0; p < m.positions() && status == QI_OK && !m.is_dirty; p++) {
        for (const double &x : Given::row_of(wanted.where, wanted.numbers, m.body_at(p))) HOLDS(std::isfinite(x));
    }
    HOLDS(m.snapshot().is_as(before));
    if (m.count > 0 && m.is_bound() && in.seldom(4)) get_into_bound(m, what, before);
}

// Totals are finite or refused; the exact sum of the energies is the sum of the energies.
inline void get_totals(EnsembleModel &m, Input &in)
{
    double energy = guard(), momentum[3] = {guard(), guard(), guard()};
    qi_status status = QI(qi_get_total_kinetic_energy(m.handle, &energy));
    HOLDS(status == QI_OK ? std::isfinite(energy) : status == QI_ERR_NON_FINITE && std::isnan(energy));
    status = QI(qi_get_total_angular_momentum(m.handle, momentum));
    HOLDS(status == QI_OK ? are_finite(momentum, 3) : status == QI_ERR_NON_FINITE && std::isnan(momentum[0]));

    int64_t sums[3 * QI_SUM_SIZE];
    std::vector<double> energies(m.count), moving;
    const bool are_known = QI(qi_get_kinetic_energies(m.handle, energies.data(), 1)) == QI_OK;
    for (size_t p = 0; p < m.positions(); p++) moving.push_back(energies[m.body_at(p)]);
    status = QI(qi_get_kinetic_energy_sums(m.handle, sums));
    HOLDS(status == QI_OK ? are_known && are_finite(moving.data(), moving.size()) : !are_known);
    if (status == QI_OK) {
        int64_t sum[QI_SUM_SIZE] = {};
        HOLDS(QI(qi_add_to_sum(sum, moving.data(), moving.size())) == QI_OK);
        double results[2] = {0, 0};
        HOLDS(QI(qi_get_sum(sum, &results[0])) == QI(qi_get_sum(sums, &results[1])));
        HOLDS(same_bits(&results[0], &results[1], 1));
    }
    status = QI(qi_get_angular_momentum_sums(m.handle, in.seldom(32) ? nullptr : sums));
    HOLDS(status == QI_OK || status == QI_ERR_NON_FINITE || status == QI_ERR_NULL);
}

inline void set_active(EnsembleModel &m, Input &in)
{
    std::vector<size_t> list;
    const size_t kind = in.choice(6);
    if (kind == 1) {
        for (size_t i = 0, n = m.count == 0 ? 0 : in.choice(m.count + 1); i < n; i++) list.push_back(i);
    } else if (kind == 2) {
        for (size_t i = 0; i < in.choice(5); i++) list.push_back(in.choice(m.count + 2)); // likely not ascending
    } else {
        for (size_t i = 0, gap = 1 + in.choice(3); i < m.count; i += gap) list.push_back(i);
    }
    list.shrink_to_fit();
    const bool all = kind == 0;
    bool is_valid = true;
    for (size_t i = 0; i < list.size(); i++) is_valid = is_valid && list[i] < m.count && (i == 0 || list[i - 1] < list[i]);
    const size_t claimed = in.seldom(32) ? SIZE_MAX >> in.choice(6) : list.size();
    if (claimed != list.size() && !all && claimed <= m.count) return;
    static const size_t nothing = 0;
    const size_t *indices = all ? nullptr : list.empty() ? &nothing : list.data();
    const qi_status s = m.change([&] { return QI(qi_set_ensemble_active(m.handle, indices, claimed)); });
    if (s != QI_OK) return;
    HOLDS(all || (is_valid && claimed == list.size()));
    m.all_active = all;
    m.active = list;
    size_t moving = 0;
    HOLDS(QI(qi_get_ensemble_active_count(m.handle, &moving)) == QI_OK && moving == (all ? m.count : list.size()));
    if (m.is_bound()) m.is_dirty = true; // rows of bodies that join may hold anything
}

// A view of the memory of another binding, or of new memory. Bound arrays of structs hold both quantities.
inline Binding view(EnsembleModel &m, Input &in, size_t components, bool with_rows)
{
    Binding b;
    const Binding &other = components == 4 ? m.velocities : m.orientations;
    if (other.memory && in.seldom(4)) {
        b.where = other.where; // beside it or over it
        b.where.components = components;
        b.where.base += ptrdiff_t(in.choice(9)) - 4;
        bool fits = b.where.count > 0 && !b.where.is_wild && (with_rows || b.where.rows.empty());
        for (size_t i = 0; i < b.where.count && fits; i++) {
            for (size_t c = 0; c < components && fits; c++) fits = b.where.at(i, c) < other.memory->size();
        }
        if (fits) {
            b.memory = other.memory;
            return b;
        }
    }
    b.where = places(in, m.count, components, with_rows ? WITH_ROWS : OUTPUT);
    const size_t room = in.choice(2) ? 12 : 0; // for another view
    b.where.base += ptrdiff_t(room / 2);
    b.memory = memory(b.where.size + room);
    return b;
}

inline void bind(EnsembleModel &m, Input &in)
{
    const size_t what = in.choice(8);
    const bool with_rows = in.choice(2) && what != 0, wild = in.seldom(16);
    const bool of_orientations = what == 1 || what == 2 || what == 3;
    Binding b = view(m, in, of_orientations ? 4 : 3, with_rows);
    const bool fresh = b.memory.use_count() == 1;
    if (m.phase != Phase::idle && !fresh) return; // the caller must not write in the middle of a step
    const EnsembleSnapshot before = m.snapshot();
    const std::vector<double> old = *b.memory;
    const bool keeps = in.choice(2) && !m.is_dirty; // writes the present states into the array
    const std::vector<double> states = m.states();
    for (size_t i = 0; i < m.count && what != 0 && !b.where.is_wild; i++) {
        const auto q = in.orientation();
        const auto omega = in.vector(wild);
        for (size_t c = 0; c < b.where.components; c++) {
            double &place = (*b.memory)[b.where.at(i, c)];
            if (!fresh) continue; // what lies there is taken as it is
            place = of_orientations ? (keeps ? states[7 * i + c] : q[c]) : keeps ? states[7 * i + 4 + c] : omega[c];
        }
    }
    Pointer start = pointer(in, b.memory->data() + b.where.base, m.count);
    const int32_t choice = int32_t(in.choice(what == 0 || of_orientations ? 3 : 5));
    const double ahead = in.duration();
    const int32_t *rows = b.where.rows.empty() ? nullptr : b.where.rows.data();
    const std::vector<double> filled = *b.memory;
    const bool shares = overlap(m, b, m.predicted) || overlap(m, b, of_orientations ? m.velocities : m.orientations)
                        || (what == 0 && overlap(m, b, m.velocities));
    const ptrdiff_t body = b.where.body, component = b.where.component;
    const bool unbinds = what == 0 && (start.address == nullptr || in.seldom(4));
    const qi_status status = m.change([&] {
        if (what == 0) return QI(qi_bind_predicted_velocities(m.handle, unbinds ? nullptr : start.address, body, component, ahead));
        if (of_orientations) {
            return with_rows ? QI(qi_bind_orientation_rows(m.handle, start.address, body, component, choice, rows))
                             : QI(qi_bind_orientations(m.handle, start.address, body, component, choice));
        }
        return with_rows ? QI(qi_bind_angular_velocity_rows(m.handle, start.address, body, component, choice, rows))
                         : QI(qi_bind_angular_velocities(m.handle, start.address, body, component, choice));
    });
    if (status != QI_OK) {
        HOLDS(EnsembleSnapshot::same(*b.memory, filled));
        return;
    }
    if (unbinds) {
        m.predicted = Binding{};
        return;
    }
    HOLDS(!start.is_bad && !b.where.is_wild && b.where.are_apart() && !shares);
    for (size_t at = 0; at < old.size(); at++) {
        bool mine = false;
        for (size_t i = 0; i < m.count && !mine; i++) {
            for (size_t c = 0; c < b.where.components; c++) mine = mine || b.where.at(i, c) == at;
        }
        HOLDS(mine || same_bits(&old[at], &(*b.memory)[at], 1));
    }
    (what == 0 ? m.predicted : of_orientations ? m.orientations : m.velocities) = b;
    if (what != 0 && !of_orientations) m.kind = choice;
    if (what != 0 && !m.all_active) m.is_dirty = true;
    m.check_states();
}

inline void write_into_arrays(EnsembleModel &m, Input &in)
{
    if (!m.is_bound() || m.count == 0) return;
    if (m.phase != Phase::idle) m.phase = Phase::unsure; // forbidden; the library sees it and cancels the step
    const bool both = m.orientations.memory && m.velocities.memory;
    Binding &b = both ? (in.choice(2) ? m.orientations : m.velocities) : m.orientations.memory ? m.orientations : m.velocities;
    const size_t i = in.choice(m.count);
    const auto q = in.orientation();
    const auto v = in.vector(in.seldom(4));
    for (size_t c = 0; c < b.where.components; c++) (*b.memory)[b.where.at(i, c)] = b.where.components == 4 ? q[c] : v[c];
    m.is_dirty = true;
}

inline void resize(EnsembleModel &m, Input &in)
{
    const size_t kind = in.choice(3);
    if (kind == 2) {
        if (m.change([&] { return QI(qi_release_arrays(m.handle)); }) == QI_OK) {
            const std::vector<size_t> active = m.active;
            const bool all = m.all_active;
            m.let_go();
            m.all_active = all, m.active = active;
            m.check_states();
        }
        return;
    }
    std::vector<size_t> from;
    size_t count = in.seldom(8) ? 60 + in.choice(20) : in.choice(10);
    if (kind == 1) {
        for (size_t i = 0; i < count && m.count > 0; i++) from.push_back(in.choice(m.count));
        count = from.size();
        if (count > 0 && in.seldom(16)) from[in.choice(count)] = m.count + in.choice(2);
    } else if (in.seldom(32)) {
        count = SIZE_MAX >> in.choice(7);
    }
    const qi_status status = m.change([&] {
        return kind == 1 ? QI(qi_select_bodies(m.handle, from.data(), count)) : [&] { m.count = m.count; return QI(qi_resize_ensemble(m.handle, count)); }();
    });
    if (status != QI_OK) return;
    std::vector<std::optional<Tensor>> inertias(count);
    const Tensor unit = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (size_t i = 0; i < count; i++) {
        if (kind == 1) inertias[i] = m.inertias[from[i]];
        else if (i < m.count) inertias[i] = m.inertias[i];
        else if (m.has_shared_inertia) inertias[i] = m.count > 0 ? m.inertias[0] : std::nullopt;
        else inertias[i] = unit;
    }
    // Where noise is drawn, bodies that are selected keep their ids, indices among them. New ones get the numbers after the greatest.
    std::vector<uint64_t> ids;
    uint64_t next = 0;
    for (size_t i = 0; i < m.count; i++) next = std::max(next, m.id_of(i));
    next += m.count > 0;
    for (size_t i = 0; i < count; i++) ids.push_back(kind == 1 ? m.id_of(from[i]) : i < m.count ? m.id_of(i) : next + (i - m.count));
    m.ids = ids, m.has_ids = m.has_ids || (kind == 1 && m.is_random);
    m.inertias = inertias, m.count = count;
    m.let_go();
    m.check_ids();
    m.check_states();
}

// Rows: read, spoiled or not, and written to this ensemble or another.
inline void move_rows(EnsembleModel &m, EnsembleModel &to, Input &in)
{
    const size_t any = in.seldom(4) ? in.choice(36) : 36; // from 32 on there are none such
    const int32_t parts = any < 36 ? int32_t(any) : in.choice(2) ? int32_t(ALL_PARTS) : int32_t(QI_PART_STATE);
    const bool all = in.choice(2);
    std::vector<size_t> bodies;
    for (size_t i = 0, n = in.choice(8); i < n && m.count > 0; i++) bodies.push_back(in.choice(m.count));
    if (!bodies.empty() && in.seldom(16)) bodies[0] = m.count;
    bodies.shrink_to_fit();
    const size_t count = all ? m.count : bodies.size();
    const size_t width = QI_VALUE(qi_get_ensemble_row_size(m.handle, parts));
    std::vector<double> rows(count * width, guard());
    static const size_t none = 0;
    const size_t *list = all ? nullptr : bodies.empty() ? &none : bodies.data();
    const EnsembleSnapshot before = m.snapshot();
    if (!all && !bodies.empty() && parts < 32 && width > 0 && in.seldom(8)) {
        // The list lies within what would be written.
        std::vector<double> shared(count * width + count, guard());
        double *place = &shared[in.choice(count * width)];
        std::memcpy(place, bodies.data(), count * sizeof(size_t));
        const std::vector<double> as_given = shared;
        const qi_status refused = QI(qi_get_ensemble_rows(m.handle, parts, reinterpret_cast<const size_t *>(place), count, shared.data()));
        HOLDS(refused == QI_ERR_INVALID && same_bits(shared.data(), as_given.data(), shared.size()));
    }
    const qi_status got = QI(qi_get_ensemble_rows(m.handle, parts, list, count, rows.data()));
    HOLDS(m.snapshot().is_as(before));
    if (got != QI_OK) {
        const double pattern = guard();
        for (const double &x : rows) HOLDS(same_bits(&x, &pattern, 1));
        return;
    }
    if (all && !in.seldom(4)) {
        // Rows that are set as they were got change no bit; without their memory they make the ensemble forget it.
        const qi_status set = m.change([&] { return QI(qi_set_ensemble_rows(m.handle, parts, nullptr, count, rows.data())); });
        if (set != QI_OK) return;
        if (!m.is_bound() && !before.may_lose_digits()) HOLDS(m.snapshot().is_as(before, true));
        if (parts & QI_PART_ID && count > 0) m.ids = m.ids_in_rows(), m.has_ids = true;
        return;
    }
    if (!rows.empty() && in.seldom(3)) rows[in.choice(rows.size())] = in.number();
    if (QI_VALUE(qi_get_ensemble_row_size(to.handle, parts)) != width) return;
    const qi_status set = to.change([&] { return QI(qi_set_ensemble_rows(to.handle, parts, list, count, rows.data())); });
    if (set != QI_OK) return;
    if (parts & QI_PART_ID && count > 0) {
        // Of a body that is listed twice the last row stays.
        std::vector<uint64_t> ids(to.count);
        for (size_t i = 0; i < to.count; i++) ids[i] = to.id_of(i);
        for (size_t i = 0; i < count; i++) std::memcpy(&ids[all ? i : bodies[i]], &rows[(i + 1) * width - 1], sizeof(double));
        to.ids = ids, to.has_ids = true;
        to.check_ids();
    }
    if (parts & QI_PART_INERTIA && count > 0) {
        // Whether the bodies still share an inertia, and which tensor gives these bits, is not followed further.
        for (auto &tensor : to.inertias) tensor.reset();
        to.has_shared_inertia = false;
    }
    to.check_states();
}

inline void kick_or_drift(EnsembleModel &m, Input &in)
{
    const bool wild = in.seldom(8);
    const size_t kind = m.has_rotors ? 1 : in.choice(3); // a drift with rotors may take long: see twins.hpp
    if (kind == 0) {
        const double duration = in.duration();
        if (m.change([&] { return QI(qi_drift_ensemble(m.handle, duration)); }, false, true) == QI_OK) m.check_states();
        return;
    }
    Given given(in, places(in, m.count, 3), [&](size_t) { return in.vector(wild); });
    const double *torque = given.start.address;
    ptrdiff_t body = given.where.body, component = given.where.component;
    const size_t trick = in.choice(16);
    if (trick == 0) torque = nullptr;
    bool must_fail = given.must_fail() && torque != nullptr; // NULL: no torque
    if (trick == 1 && m.velocities.memory && m.positions() > 0) {
        const Places &where = m.velocities.where; // the bound array itself
        if (!where.rows.empty()) return;
        torque = m.velocities.memory->data() + where.base, body = where.body, component = where.component, must_fail = true;
    }
    const double duration = in.duration(), drift = in.duration();
    const int32_t frame = int32_t(in.choice(3));
    const qi_status s = m.change([&] {
        return kind == 1 ? QI(qi_kick_ensemble(m.handle, duration, torque, body, component, frame))
                         : QI(qi_kick_drift_ensemble(m.handle, duration, drift, torque, body, component, frame));
    }, false, true);
    HOLDS(s != QI_OK || !must_fail || m.positions() == 0);
    if (s == QI_OK) m.check_states();
}

// One call of the stage protocol, in order or out of it. In the middle of a step the memory of the method is not compared.
inline void stage(EnsembleModel &m, Input &in)
{
    const size_t n = m.positions();
    std::vector<double> q(4 * n, guard()), omega(3 * n, guard()), torque(3 * n, 0.0);
    double *q_at = q.data(), *omega_at = omega.data(), time = guard();
    bool must_fail = false;
    if (n > 0 && in.seldom(16)) {
        // Over a bound array, from its first moving body on.
        const Binding &b = in.choice(2) ? m.orientations : m.velocities;
        if (b.memory) {
            const size_t at = b.where.at(m.body_at(0), 0);
            if (b.memory->size() >= at + 4 * n) (in.choice(2) ? q_at : omega_at) = b.memory->data() + at, must_fail = true;
        }
    }
    if (n > 0 && in.seldom(32)) omega_at = q_at, must_fail = true;
    const bool unwanted = in.seldom(16); // the states may be left out
    if (unwanted) q_at = omega_at = nullptr, must_fail = false;
    for (double &x : torque) x = in.modest();
    if (n > 0 && in.seldom(8)) torque[in.choice(torque.size())] = in.number();
    const Phase phase = m.phase;
    switch (in.choice(8)) {
    case 0: {
        const double dt = in.duration();
        const uint64_t steps = in.steps();
        const bool many = in.choice(2);
        const qi_status s = m.change([&] { return many ? QI(qi_begin_ensemble_steps(m.handle, dt, steps)) : QI(qi_begin_ensemble_step(m.handle, dt)); });
        if (s == QI_OK) m.phase = Phase::begun;
        break;
    }
    case 1: case 2: {
        const EnsembleSnapshot before = m.snapshot();
        const qi_status s = QI(qi_next_ensemble_stage(m.handle, &time, q_at, omega_at));
        if (s < 0) HOLDS(m.snapshot().is_as(before, true));
        m.check_guards(before, true);
        if (phase == Phase::idle || phase == Phase::awaits_torque) HOLDS(s == QI_ERR_ORDER || (must_fail && s == QI_ERR_INVALID));
        if (s == QI_NEED_TORQUE) {
            HOLDS(!must_fail && std::isfinite(time) && (unwanted || (are_finite(q_at, 4 * n) && (m.is_dirty || are_finite(omega_at, 3 * n)))));
            if (phase != Phase::unsure) m.phase = Phase::awaits_torque;
        } else {
            if (q_at == q.data()) HOLDS(n == 0 || (std::isnan(q[0]) && std::isnan(q[4 * n - 1])));
            if (s == QI_OK) m.phase = Phase::idle;
            else if (phase == Phase::begun && !must_fail) m.phase = Phase::unsure;
        }
        if (s >= 0) m.check_states();
        break;
    }
    case 3: {
        const EnsembleSnapshot before = m.snapshot();
        const qi_status s = QI(qi_supply_ensemble_torque(m.handle, n > 0 && in.seldom(32) ? nullptr : torque.data()));
        HOLDS(m.snapshot().is_as(before, true));
        if (phase == Phase::idle || phase == Phase::begun) HOLDS(s == QI_ERR_ORDER || s == QI_ERR_NULL);
        if (!are_finite(torque.data(), torque.size())) HOLDS(s != QI_OK);
        if (phase == Phase::awaits_torque) m.phase = s == QI_OK ? Phase::begun : Phase::unsure;
        break;
    }
    case 4: case 5: {
        const EnsembleSnapshot before = m.snapshot();
        const qi_status s = QI(qi_continue_ensemble_step(m.handle, torque.data(), &time, q_at, omega_at));
        if (phase == Phase::idle || phase == Phase::begun) HOLDS(s < 0);
        if (s == QI_ERR_ORDER || s == QI_ERR_INVALID) HOLDS(m.snapshot().is_as(before, true));
        m.check_guards(before, true);
        if (!are_finite(torque.data(), torque.size())) HOLDS(s < 0);
        if (s == QI_NEED_TORQUE) {
            HOLDS(!must_fail && std::isfinite(time) && (unwanted || (are_finite(q_at, 4 * n) && (m.is_dirty || are_finite(omega_at, 3 * n)))));
            if (phase != Phase::unsure) m.phase = Phase::awaits_torque;
        } else if (s == QI_OK) {
            m.phase = Phase::idle;
        } else if (phase == Phase::awaits_torque && s != QI_ERR_ORDER && !must_fail) {
            m.phase = Phase::unsure;
        }
        m.check_states();
        break;
    }
    case 6: {
        const qi_status s = m.change([&] { return QI(qi_cancel_ensemble_step(m.handle)); }, true);
        HOLDS(s == QI_OK);
        m.phase = Phase::idle;
        break;
    }
    default:
        m.change([&] { return QI(qi_set_ensemble_stage_layout(m.handle, int32_t(in.choice(3)))); });
    }
}

inline void step_or_advance(EnsembleModel &m, Input &in)
{
    const double dt = in.duration();
    if (in.choice(2)) {
        if (m.change([&] { return QI(qi_step_ensemble(m.handle, dt)); }, false, true) == QI_OK && dt != 0) m.steps_were_taken();
    } else {
        const uint64_t steps = in.steps();
        uint64_t completed = 99;
        const EnsembleSnapshot before = m.snapshot();
        m.torque.begin(), m.torque.positions = m.positions();
        const qi_status s = QI(qi_advance_ensemble(m.handle, dt, steps, &completed));
        HOLDS(s == QI_OK ? completed == steps : completed < steps || steps == 0);
        HOLDS(s == QI_OK || completed > 0 || m.snapshot().is_as(before));
        HOLDS(s != QI_OK || m.phase == Phase::idle || m.phase == Phase::unsure || steps == 0);
        m.check_guards(before, true);
        if (s == QI_OK && m.phase == Phase::unsure && steps > 0) m.phase = Phase::idle;
        if (completed > 0 && dt != 0) m.steps_were_taken();
    }
    m.check_states();
}

inline void ensemble_call(EnsembleModel &m, EnsembleModel *other, Input &in)
{
    qi_ensemble *e = in.seldom(128) ? nullptr : m.handle;
    switch (in.choice(26)) {
    case 24: case 25: ensemble_random(m, in); break;
    case 0: case 1: set_ensemble_torque(m, in); break;
    case 2: in.seldom(4) ? set_rotors(m, in) : set_drag(m, in); break;
    case 3: {
        const int32_t method = method_of(in.choice(8));
        const qi_status s = m.change([&] { return QI(qi_set_ensemble_method(e, method)); });
        HOLDS(s != QI_OK || (method < 7 && e != nullptr));
        break;
    }
    case 4: {
        const size_t threads = in.seldom(16) ? (in.choice(2) ? 0 : 1025) : in.threads();
        if (m.change([&] { return QI(qi_set_ensemble_threads(e, threads)); }) == QI_OK) m.threads = threads;
        break;
    }
    case 5: set_active(m, in); break;
    case 6: case 7: step_or_advance(m, in); break;
    case 8: set_inertias(m, in); break;
    case 9: set_states(m, in); m.check_states(); break;
    case 10: get_states(m, in); break;
    case 11: get_totals(m, in); break;
    case 12: case 13: bind(m, in); break;
    case 14: write_into_arrays(m, in); break;
    case 15: resize(m, in); break;
    case 16: move_rows(m, other != nullptr && in.choice(2) ? *other : m, in); break;
    case 17: kick_or_drift(m, in); break;
    case 18: {
        const auto clock = in.clock();
        const bool whole = in.choice(2);
        m.change([&] { return whole ? QI(qi_set_ensemble_clock(e, clock.data())) : QI(qi_set_ensemble_time(e, clock[0])); });
        m.check_states();
        break;
    }
    case 19: QI_VALUE(qi_get_ensemble_callback_result(e)), QI_VALUE(qi_last_error_body()); break;
    default: stage(m, in);
    }
}

} // namespace fuzz
