// population.hpp: the bodies of an ensemble become more or fewer, or their rows move.
#pragma once

#include "ensemble_model.hpp"

namespace fuzz {

// From then on all states are in the ensemble's own memory.
inline void release_arrays(EnsembleModel &m)
{
    if (m.change([&] { return QI(qi_release_arrays(m.handle)); }) != QI_OK) return;
    const std::vector<size_t> active = m.active;
    const bool all_active = m.all_active;
    m.let_go();
    m.all_active = all_active;
    m.active = active;
    m.check_states();
}

// New bodies get the numbers after the greatest id.
inline uint64_t next_id(const EnsembleModel &m)
{
    if (m.count == 0) return 0;
    uint64_t greatest = 0;
    for (size_t i = 0; i < m.count; i++) greatest = std::max(greatest, m.id_of(i));
    return greatest + 1;
}

inline std::optional<Tensor> inertia_of_new_bodies(const EnsembleModel &m)
{
    if (!m.has_shared_inertia) return Tensor{1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (m.count > 0) return m.inertias[0];
    return std::nullopt;
}

inline void population_was_set(EnsembleModel &m, const std::vector<std::optional<Tensor>> &inertias,
                               const std::vector<uint64_t> &ids)
{
    m.count = ids.size();
    m.inertias = inertias;
    m.ids = ids;
    m.let_go();
    m.check_ids();
    m.check_states();
}

inline void resize_ensemble(EnsembleModel &m, Input &in, size_t count)
{
    if (in.seldom(32)) count = SIZE_MAX >> in.choice(7);
    const qi_status status = m.change([&] { return QI(qi_resize_ensemble(m.handle, count)); });
    if (status != QI_OK) return;
    std::vector<std::optional<Tensor>> inertias;
    std::vector<uint64_t> ids;
    const uint64_t next = next_id(m);
    for (size_t i = 0; i < count; i++) {
        const bool is_new = i >= m.count;
        inertias.push_back(is_new ? inertia_of_new_bodies(m) : m.inertias[i]);
        ids.push_back(is_new ? next + (i - m.count) : m.id_of(i));
    }
    population_was_set(m, inertias, ids);
}

// Bodies that are selected keep their ids, also those that are their index.
inline void select_bodies(EnsembleModel &m, Input &in, size_t most)
{
    std::vector<size_t> from;
    for (size_t i = 0; i < most && m.count > 0; i++) from.push_back(in.choice(m.count));
    if (!from.empty() && in.seldom(16)) {
        const size_t none = m.count + in.choice(2);
        from[in.choice(from.size())] = none;
    }
    const qi_status status =
        m.change([&] { return QI(qi_select_bodies(m.handle, from.data(), from.size())); });
    if (status != QI_OK) return;
    std::vector<std::optional<Tensor>> inertias;
    std::vector<uint64_t> ids;
    for (const size_t i : from) {
        inertias.push_back(m.inertias[i]);
        ids.push_back(m.id_of(i));
    }
    m.has_ids = true;
    population_was_set(m, inertias, ids);
}

inline void resize(EnsembleModel &m, Input &in)
{
    const size_t kind = in.choice(3);
    if (kind == 2) {
        release_arrays(m);
        return;
    }
    const size_t count = in.seldom(8) ? 60 + in.choice(20) : in.choice(10);
    if (kind == 1) {
        select_bodies(m, in, count);
    } else {
        resize_ensemble(m, in, count);
    }
}

// Some rows of an ensemble: of all bodies, or of those in a list, which may name one that is none.
struct RowList {
    int32_t parts;
    bool all;
    std::vector<size_t> bodies;
    size_t count;
    size_t width;

    RowList(EnsembleModel &m, Input &in)
    {
        const size_t any = in.seldom(4) ? in.choice(68) : 68; // from 64 on there are none such
        if (any < 68) {
            parts = int32_t(any);
        } else {
            parts = in.choice(2) ? ALL_PARTS : QI_PART_STATE;
        }
        all = in.choice(2);
        const size_t most = in.choice(8);
        for (size_t i = 0; i < most && m.count > 0; i++) bodies.push_back(in.choice(m.count));
        if (!bodies.empty() && in.seldom(16)) bodies[0] = m.count;
        bodies.shrink_to_fit();
        count = all ? m.count : bodies.size();
        width = QI_VALUE(qi_get_ensemble_row_size(m.handle, parts));
    }

    const size_t *list() const
    {
        static const size_t none = 0;
        if (all) return nullptr;
        return bodies.empty() ? &none : bodies.data();
    }

    size_t body_at(size_t row) const { return all ? row : bodies[row]; }
};

// A list that lies within what would be written is refused.
inline void get_rows_over_list(EnsembleModel &m, Input &in, const RowList &of)
{
    std::vector<double> shared(of.count * of.width + of.count, guard());
    double *place = &shared[in.choice(of.count * of.width)];
    std::memcpy(place, of.bodies.data(), of.count * sizeof(size_t));
    const size_t *list = reinterpret_cast<const size_t *>(place);
    const std::vector<double> before = shared;
    const qi_status status =
        QI(qi_get_ensemble_rows(m.handle, of.parts, list, of.count, shared.data()));
    HOLDS(status == QI_ERR_INVALID && same_bits(shared.data(), before.data(), shared.size()));
}

// Rows that are set as they were got change no bit. Without their memory they make the ensemble
// forget it.
inline void set_rows_as_they_are(EnsembleModel &m, const RowList &of,
                                 const std::vector<double> &rows, const EnsembleSnapshot &before)
{
    const qi_status status = m.change([&] {
        return QI(qi_set_ensemble_rows(m.handle, of.parts, nullptr, of.count, rows.data()));
    });
    if (status != QI_OK) return;
    if (!m.is_bound() && !before.may_lose_digits()) HOLDS(m.snapshot().is_as(before, true));
    if (of.parts & QI_PART_ID && of.count > 0) {
        m.ids = m.ids_in_rows();
        m.has_ids = true;
    }
}

inline void set_rows(EnsembleModel &to, const RowList &of, const std::vector<double> &rows)
{
    const qi_status status = to.change([&] {
        return QI(qi_set_ensemble_rows(to.handle, of.parts, of.list(), of.count, rows.data()));
    });
    if (status != QI_OK) return;
    if (of.parts & QI_PART_ID && of.count > 0) {
        // Of a body that is listed twice the last row stays.
        std::vector<uint64_t> ids(to.count);
        for (size_t i = 0; i < to.count; i++) ids[i] = to.id_of(i);
        for (size_t i = 0; i < of.count; i++) {
            const size_t behind = of.parts & QI_PART_BOUND ? 4 : 1;
            const double &id_in_row = rows[(i + 1) * of.width - behind];
            std::memcpy(&ids[of.body_at(i)], &id_in_row, sizeof id_in_row);
        }
        to.ids = ids;
        to.has_ids = true;
        to.check_ids();
    }
    if (of.parts & QI_PART_INERTIA && of.count > 0) {
        // Whether the bodies still share an inertia, and which tensor gives these bits, is not
        // followed further.
        for (auto &tensor : to.inertias) tensor.reset();
        to.has_shared_inertia = false;
    }
    to.check_states();
}

// Rows: read, spoiled or not, and written to this ensemble or another.
inline void move_rows(EnsembleModel &m, EnsembleModel &to, Input &in)
{
    const RowList of(m, in);
    std::vector<double> rows(of.count * of.width, guard());
    const EnsembleSnapshot before = m.snapshot();
    const bool has_list = !of.all && !of.bodies.empty();
    if (has_list && of.parts < 64 && of.width > 0 && in.seldom(8)) get_rows_over_list(m, in, of);
    const qi_status got =
        QI(qi_get_ensemble_rows(m.handle, of.parts, of.list(), of.count, rows.data()));
    HOLDS(m.snapshot().is_as(before));
    if (got != QI_OK) {
        for (const double &x : rows) HOLDS(is_guard(x));
        return;
    }
    if (of.all && !in.seldom(4)) {
        set_rows_as_they_are(m, of, rows, before);
        return;
    }
    if (!rows.empty() && in.seldom(3)) {
        const double number = in.number();
        rows[in.choice(rows.size())] = number;
    }
    const size_t width = QI_VALUE(qi_get_ensemble_row_size(to.handle, of.parts));
    if (width == of.width) set_rows(to, of, rows);
}

} // namespace fuzz
