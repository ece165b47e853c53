// ensemble_arrays.hpp: arrays of the caller that are bound to an ensemble.
#pragma once

#include "ensemble_model.hpp"

namespace fuzz {

// Whether two views of one memory share a place of a body that moves.
inline bool overlap(const EnsembleModel &m, const Binding &a, const Binding &b)
{
    if (!a.memory || a.memory != b.memory) return false;
    std::set<size_t> places_of_a;
    for (size_t p = 0; p < m.positions(); p++) {
        for (size_t c = 0; c < a.where.components; c++) {
            places_of_a.insert(a.where.at(m.body_at(p), c));
        }
    }
    for (size_t p = 0; p < m.positions(); p++) {
        for (size_t c = 0; c < b.where.components; c++) {
            if (places_of_a.count(b.where.at(m.body_at(p), c)) != 0) return true;
        }
    }
    return false;
}

enum class Bound { predicted, orientations, velocities };

inline bool fits(const Places &where, const Binding &other, bool with_rows)
{
    if (where.count == 0 || where.is_wild) return false;
    if (!with_rows && !where.rows.empty()) return false;
    for (size_t i = 0; i < where.count; i++) {
        for (size_t c = 0; c < where.components; c++) {
            if (where.at(i, c) >= other.memory->size()) return false;
        }
    }
    return true;
}

// A view of new memory, or of the memory of another binding: arrays of structs hold both
// quantities.
inline Binding view(EnsembleModel &m, Input &in, size_t components, bool with_rows)
{
    const Binding &other = components == 4 ? m.velocities : m.orientations;
    if (other.memory && in.seldom(4)) {
        // Beside the other, or over it.
        Places where = other.where;
        where.components = components;
        where.base += ptrdiff_t(in.choice(9)) - 4;
        if (fits(where, other, with_rows)) return {other.memory, where};
    }
    Places where = places(in, m.count, components, with_rows ? WITH_ROWS : OUTPUT);
    const size_t room = in.choice(2) ? 12 : 0; // for another view
    where.base += ptrdiff_t(room / 2);
    return {memory(where.size + room), where};
}

// Writes the present states or any others to the places of a view. What lies in the memory of
// another binding is taken as it is.
inline void fill(EnsembleModel &m, Input &in, Bound what, Binding &b, bool is_new, bool wild)
{
    const bool keeps_states = in.choice(2) && !m.is_dirty;
    const std::vector<double> states = m.states();
    if (what == Bound::predicted || b.where.is_wild) return;
    for (size_t i = 0; i < m.count; i++) {
        const auto q = in.orientation();
        const auto omega = in.vector(wild);
        if (!is_new) continue;
        for (size_t c = 0; c < b.where.components; c++) {
            double &place = (*b.memory)[b.where.at(i, c)];
            if (what == Bound::orientations) {
                place = keeps_states ? states[7 * i + c] : q[c];
            } else {
                place = keeps_states ? states[7 * i + 4 + c] : omega[c];
            }
        }
    }
}

inline bool shares_a_place(const EnsembleModel &m, Bound what, const Binding &b)
{
    // predicted velocities take the place of those that are bound
    if (what != Bound::predicted && overlap(m, b, m.predicted)) return true;
    switch (what) {
    case Bound::orientations: return overlap(m, b, m.velocities);
    case Bound::velocities: return overlap(m, b, m.orientations);
    default: return overlap(m, b, m.orientations) || overlap(m, b, m.velocities);
    }
}

inline qi_status bind_orientations(qi_ensemble *e, double *start, const Places &where,
                                   int32_t scalar, bool with_rows)
{
    if (!with_rows) return QI(qi_bind_orientations(e, start, where.body, where.component, scalar));
    const int32_t *rows = where.rows.empty() ? nullptr : where.rows.data();
    return QI(qi_bind_orientation_rows(e, start, where.body, where.component, scalar, rows));
}

inline qi_status bind_velocities(qi_ensemble *e, double *start, const Places &where, int32_t kind,
                                 bool with_rows)
{
    if (!with_rows) {
        return QI(qi_bind_angular_velocities(e, start, where.body, where.component, kind));
    }
    const int32_t *rows = where.rows.empty() ? nullptr : where.rows.data();
    return QI(qi_bind_angular_velocity_rows(e, start, where.body, where.component, kind, rows));
}

// Binding changes nothing but the places of the view.
inline void check_rest_of_memory(const EnsembleModel &m, const Binding &b,
                                 const std::vector<double> &before)
{
    std::set<size_t> of_view;
    for (size_t i = 0; i < m.count; i++) {
        for (size_t c = 0; c < b.where.components; c++) of_view.insert(b.where.at(i, c));
    }
    for (size_t at = 0; at < before.size(); at++) {
        HOLDS(of_view.count(at) != 0 || same_bits(&before[at], &(*b.memory)[at], 1));
    }
}

inline void bind(EnsembleModel &m, Input &in)
{
    const size_t choice = in.choice(8);
    Bound what = Bound::velocities;
    if (choice == 0) what = Bound::predicted;
    if (choice == 1 || choice == 2 || choice == 3) what = Bound::orientations;
    const bool with_rows = in.choice(2) && what != Bound::predicted;
    const bool wild = in.seldom(16);
    Binding b = view(m, in, what == Bound::orientations ? 4 : 3, with_rows);
    const bool is_new = b.memory.use_count() == 1;
    // The caller must not write in the middle of a step.
    if (m.phase != Phase::idle && !is_new) return;

    const std::vector<double> old = *b.memory;
    fill(m, in, what, b, is_new, wild);
    const Pointer start = pointer(in, b.memory->data() + b.where.base, m.count);
    const int32_t option = int32_t(in.choice(what == Bound::velocities ? 5 : 3));
    const double ahead = in.duration();
    const std::vector<double> filled = *b.memory;
    const bool shares = shares_a_place(m, what, b);
    const bool unbinds = what == Bound::predicted && (start.address == nullptr || in.seldom(4));
    const qi_status status = m.change([&] {
        switch (what) {
        case Bound::orientations:
            return bind_orientations(m.handle, start.address, b.where, option, with_rows);
        case Bound::velocities:
            return bind_velocities(m.handle, start.address, b.where, option, with_rows);
        default: {
            double *const to = unbinds ? nullptr : start.address;
            return QI(
                qi_bind_predicted_velocities(m.handle, to, b.where.body, b.where.component, ahead));
        }
        }
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
    check_rest_of_memory(m, b, old);
    switch (what) {
    case Bound::predicted: m.predicted = b; break;
    case Bound::orientations: m.orientations = b; break;
    case Bound::velocities: m.velocities = b; m.kind = option;
    }
    if (what != Bound::predicted && !m.all_active) m.is_dirty = true;
    m.check_states();
}

// The caller writes a state of one body into its bound array.
inline void write_into_arrays(EnsembleModel &m, Input &in)
{
    if (!m.is_bound() || m.count == 0) return;
    // In the middle of a step this is forbidden: the library sees it and cancels the step.
    if (m.phase != Phase::idle) m.phase = Phase::unsure;
    bool writes_orientation = m.orientations.memory != nullptr;
    if (m.orientations.memory && m.velocities.memory) writes_orientation = in.choice(2);
    const size_t i = in.choice(m.count);
    const auto q = in.orientation();
    const auto v = in.vector(in.seldom(4));
    if (writes_orientation) {
        const Places &where = m.orientations.where;
        for (size_t c = 0; c < 4; c++) (*m.orientations.memory)[where.at(i, c)] = q[c];
    } else {
        const Places &where = m.velocities.where;
        for (size_t c = 0; c < 3; c++) (*m.velocities.memory)[where.at(i, c)] = v[c];
    }
    m.is_dirty = true;
}

} // namespace fuzz
