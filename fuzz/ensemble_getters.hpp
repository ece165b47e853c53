// ensemble_getters.hpp: what the getters of an ensemble promise.
#pragma once

#include "ensemble_model.hpp"

namespace fuzz {

enum class Quantity { orientations, angular_velocities, angular_momenta, kinetic_energies };

inline size_t components_of(Quantity quantity)
{
    switch (quantity) {
    case Quantity::orientations: return 4;
    case Quantity::kinetic_energies: return 1;
    default: return 3;
    }
}

inline qi_status get(qi_ensemble *e, Quantity quantity, double *to, ptrdiff_t body,
                     ptrdiff_t component)
{
    switch (quantity) {
    case Quantity::orientations: return QI(qi_get_orientations(e, to, body, component));
    case Quantity::angular_velocities: return QI(qi_get_angular_velocities(e, to, body, component));
    case Quantity::angular_momenta: return QI(qi_get_angular_momenta(e, to, body, component));
    default: return QI(qi_get_kinetic_energies(e, to, body));
    }
}

// A getter that would write to a bound array, which is a state, is refused.
inline void get_into_bound(EnsembleModel &m, Quantity quantity, const EnsembleSnapshot &before)
{
    const Binding &bound = m.orientations.memory ? m.orientations : m.velocities;
    double *to = bound.memory->data() + bound.where.at(m.count - 1, 0);
    ptrdiff_t body = 3;
    ptrdiff_t component = 1;
    if (quantity == Quantity::orientations) {
        body = 0;
        component = 0;
    }
    if (quantity == Quantity::kinetic_energies) body = 1;
    const qi_status status = get(m.handle, quantity, to, body, component);
    // The numbers of one body may be there already, in the very same places, unless they overflow.
    const bool is_there = status == QI_OK || status == QI_ERR_NON_FINITE;
    HOLDS(status == QI_ERR_INVALID || (is_there && m.count == 1));
    HOLDS(m.snapshot().is_as(before));
}

inline void get_states(EnsembleModel &m, Input &in)
{
    const Quantity quantity = Quantity(in.choice(4));
    const int options = quantity == Quantity::kinetic_energies ? PACKED_COMPONENTS : OUTPUT;
    const Places where = places(in, m.count, components_of(quantity), options);
    Wanted wanted(in, where);
    const EnsembleSnapshot before = m.snapshot();
    const qi_status status =
        get(m.handle, quantity, wanted.start.address, where.body, where.component);
    wanted.check(status);
    if (status == QI_OK && !m.is_dirty) {
        for (size_t p = 0; p < m.positions(); p++) {
            const std::vector<double> row = row_of(where, wanted.numbers, m.body_at(p));
            HOLDS(are_finite(row.data(), row.size()));
        }
    }
    HOLDS(m.snapshot().is_as(before));
    if (m.count > 0 && m.is_bound() && in.seldom(4)) get_into_bound(m, quantity, before);
}

// A total is finite, or it is refused and not written.
inline void check_total(qi_status status, const double *total, size_t count)
{
    if (status == QI_OK) {
        HOLDS(are_finite(total, count));
    } else {
        HOLDS(status == QI_ERR_NON_FINITE && is_guard(total[0]));
    }
}

// The exact sum of the energies is the sum of the energies.
inline void check_energy_sum(EnsembleModel &m)
{
    std::vector<double> energies(m.count);
    const bool are_known = QI(qi_get_kinetic_energies(m.handle, energies.data(), 1)) == QI_OK;
    std::vector<double> moving;
    for (size_t p = 0; p < m.positions(); p++) moving.push_back(energies[m.body_at(p)]);
    int64_t of_ensemble[QI_SUM_SIZE];
    const qi_status status = QI(qi_get_kinetic_energy_sums(m.handle, of_ensemble));
    if (status != QI_OK) {
        HOLDS(!are_known);
        return;
    }
    HOLDS(are_known && are_finite(moving.data(), moving.size()));
    int64_t sum[QI_SUM_SIZE] = {};
    HOLDS(QI(qi_add_to_sum(sum, moving.data(), moving.size())) == QI_OK);
    double expected = 0;
    double value = 0;
    const qi_status of_expected = QI(qi_get_sum(sum, &expected));
    HOLDS(QI(qi_get_sum(of_ensemble, &value)) == of_expected);
    HOLDS(same_bits(&expected, &value, 1));
}

inline void get_totals(EnsembleModel &m, Input &in)
{
    double energy = guard();
    check_total(QI(qi_get_total_kinetic_energy(m.handle, &energy)), &energy, 1);
    double momentum[3] = {guard(), guard(), guard()};
    check_total(QI(qi_get_total_angular_momentum(m.handle, momentum)), momentum, 3);
    check_energy_sum(m);
    int64_t sums[3 * QI_SUM_SIZE];
    int64_t *to = in.seldom(32) ? nullptr : sums;
    const qi_status status = QI(qi_get_angular_momentum_sums(m.handle, to));
    HOLDS(status == QI_OK || status == QI_ERR_NON_FINITE || status == QI_ERR_NULL);
}

} // namespace fuzz
