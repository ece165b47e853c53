// restart.hpp: an ensemble that is brought back from its rows steps as it did.
#pragma once

#include "ensembles.hpp"

namespace fuzz {

enum class Restored { clock, method, rows, draws };

// What a program saves for a restart: the rows of the bodies, in any order, and three more things.
struct Checkpoint {
    std::array<double, 2> clock;
    int32_t method;
    uint64_t draws;
    std::vector<size_t> bodies;
    size_t width;
    std::vector<double> rows;

    Checkpoint(const EnsembleModel &m, const std::vector<size_t> &order)
        : clock(m.clock()),
          method(m.method()),
          draws(m.draws()),
          bodies(order),
          width(QI_VALUE(qi_get_ensemble_row_size(m.handle, ALL_PARTS))),
          rows(m.count * width)
    {
        HOLDS(QI(qi_get_ensemble_rows(m.handle, ALL_PARTS, bodies.data(), m.count, rows.data()))
              == QI_OK);
    }

    qi_status restore(const EnsembleModel &m, Restored what) const
    {
        switch (what) {
        case Restored::clock: return QI(qi_set_ensemble_clock(m.handle, clock.data()));
        case Restored::method: return QI(qi_set_ensemble_method(m.handle, method));
        case Restored::draws: return QI(qi_set_ensemble_noise(m.handle, draws));
        default:
            return QI(
                qi_set_ensemble_rows(m.handle, ALL_PARTS, bodies.data(), m.count, rows.data()));
        }
    }
};

// Clock, method and draws, in whatever order, and then the rows bring an ensemble back, whatever it
// has done meanwhile.
inline void restart(EnsembleModel &m, Input &in)
{
    if (m.phase != Phase::idle || m.is_bound()) return;
    const Manner manner = m.torque.manner;
    if (manner == Manner::fails_late || manner == Manner::gives_nan) return;
    const double dt = m.is_random ? std::fabs(in.modest()) / 16 : in.modest() / 16;
    std::vector<size_t> bodies(m.count);
    for (size_t i = 0; i < m.count; i++) bodies[i] = i;
    if (in.choice(2)) {
        for (size_t i = m.count; i > 1; i--) std::swap(bodies[i - 1], bodies[in.choice(i)]);
    }
    Restored order[4] = {Restored::clock, Restored::method, Restored::draws, Restored::rows};
    for (size_t i = 3; i > 1; i--) std::swap(order[i - 1], order[in.choice(i)]);

    const auto step = [&] { return QI(qi_step_ensemble(m.handle, dt)); };
    // From here on the torques come from the ensemble: rows do not tell those of the stage protocol
    // from others.
    if (m.change(step) != QI_OK) return;
    const Checkpoint saved(m, bodies);
    if (m.change(step) != QI_OK) return;
    const std::vector<double> expected = m.states();

    std::vector<uint64_t> ids(m.count);
    for (size_t i = 0; i < m.count; i++) ids[i] = m.id_of(i);
    HOLDS(QI(qi_set_ensemble_ids(m.handle, nullptr)) == QI_OK);
    for (const Restored what : order) HOLDS(saved.restore(m, what) == QI_OK);
    m.ids = ids;
    m.has_ids = m.count > 0;
    m.check_ids();
    const std::vector<double> restored = m.states();
    m.begin_call();
    HOLDS(step() == QI_OK);
    const std::vector<double> now = m.states();
    for (size_t k = 0; k < m.count; k++) {
        const double *row = &saved.rows[k * saved.width];
        const size_t first = 7 * bodies[k];
        if (same_bits(&restored[first], row, 7)) {
            HOLDS(same_bits(&now[first], &expected[first], 7));
        } else {
            HOLDS(may_lose_digits(row + 7));
        }
    }
}

} // namespace fuzz
