// ensemble_settings.hpp: torques, drag, noise, inertias, states and the list of active bodies of an
// ensemble.
#pragma once

#include "ensemble_model.hpp"

namespace fuzz {

// Parameters of the ready-made torques: a row for each body, or one for all.
constexpr int PARAMETERS = MAY_BE_SHARED | PACKED_COMPONENTS;

inline Given given_vectors(EnsembleModel &m, Input &in, bool wild)
{
    const Places where = places(in, m.count, 3, PARAMETERS);
    return Given(in, where, [&](size_t) { return in.vector(wild); });
}

inline Given given_coefficients(EnsembleModel &m, Input &in, bool wild)
{
    const Places where = places(in, m.count, 3, PARAMETERS);
    return Given(in, where, [&](size_t) { return in.coefficients(wild); });
}

inline void set_ensemble_callback(EnsembleModel &m, Input &in)
{
    const int32_t layout = int32_t(in.choice(3));
    const int32_t frame = int32_t(in.choice(3));
    const qi_status status = m.change([&] {
        return QI(qi_set_ensemble_torque(m.handle, ensemble_torque, layout, frame, &m.torque));
    });
    if (status != QI_OK) return;
    m.torque.draw(in, false);
    m.torque.layout = layout;
    m.torque.frame = frame;
}

inline qi_status remove_ensemble_torque(EnsembleModel &m)
{
    return QI(qi_set_ensemble_torque(m.handle, nullptr, QI_LAYOUT_AOS, QI_FRAME_WORLD, nullptr));
}

enum class ReadyMade { constant, uniform_field, gravity_gradient, linear_drag, shear_flow };

// A ready-made torque: what all bodies share, and how many numbers each has.
struct ReadyMadeTorque {
    ReadyMade kind = ReadyMade::constant;
    bool is_wild;
    std::array<double, 3> common;
    double gradient[9];

    ReadyMadeTorque(Input &in, bool wild) : is_wild(wild), common(in.vector(wild))
    {
        for (double &g : gradient) g = wild ? in.number() : in.modest();
    }

    size_t components() const { return kind == ReadyMade::gravity_gradient ? 1 : 3; }
    double viscosity() const { return std::fabs(common[0]); }

    qi_status set(qi_ensemble *e, const double *values, ptrdiff_t stride, int32_t frame) const
    {
        switch (kind) {
        case ReadyMade::constant:
            return QI(qi_set_ensemble_constant_torque(e, values, stride, frame));
        case ReadyMade::uniform_field:
            return QI(qi_set_ensemble_uniform_field_torque(e, values, stride, common.data()));
        case ReadyMade::gravity_gradient:
            return QI(qi_set_ensemble_gravity_gradient_torque(e, common.data(), values, stride));
        case ReadyMade::linear_drag:
            return QI(qi_set_ensemble_linear_drag_torque(e, values, stride));
        default:
            return QI(qi_set_ensemble_shear_flow_torque(e, values, stride, viscosity(), gradient));
        }
    }

    qi_status set(qi_body *body, const double *values, int32_t frame) const
    {
        switch (kind) {
        case ReadyMade::constant: return QI(qi_set_constant_torque(body, values, frame));
        case ReadyMade::uniform_field:
            return QI(qi_set_uniform_field_torque(body, values, common.data()));
        case ReadyMade::gravity_gradient:
            return QI(qi_set_gravity_gradient_torque(body, common.data(), *values));
        case ReadyMade::linear_drag: return QI(qi_set_linear_drag_torque(body, values));
        default: return QI(qi_set_shear_flow_torque(body, values, viscosity(), gradient));
        }
    }
};

inline Given given_parameters(const ReadyMadeTorque &torque, size_t count, Input &in)
{
    const Places where = places(in, count, torque.components(), PARAMETERS);
    return Given(in, where, [&](size_t) { return in.vector(torque.is_wild); });
}

inline void set_ensemble_torque(EnsembleModel &m, Input &in)
{
    const bool wild = in.seldom(8);
    ReadyMadeTorque torque(in, wild);
    const size_t kind = in.choice(7);
    if (kind == 0) {
        set_ensemble_callback(m, in);
        return;
    }
    if (kind == 1) {
        m.change([&] { return remove_ensemble_torque(m); });
        return;
    }
    torque.kind = ReadyMade(kind - 2);
    const Given given = given_parameters(torque, m.count, in);
    const int32_t frame = torque.kind == ReadyMade::constant ? int32_t(in.choice(3)) : 0;
    const qi_status status = m.change(
        [&] { return torque.set(m.handle, given.start.address, given.where.body, frame); });
    HOLDS(status != QI_OK || !given.must_fail());
}

inline void set_drag(EnsembleModel &m, Input &in)
{
    const bool wild = in.seldom(8);
    const Given c = given_vectors(m, in, wild);
    const Given flow = given_vectors(m, in, wild);
    const size_t kind = in.choice(4);
    const double *given_c = kind == 0 ? nullptr : c.start.address;
    const double *given_flow = kind == 1 ? nullptr : flow.start.address;
    m.change([&] {
        return QI(
            qi_set_ensemble_drag(m.handle, given_c, c.where.body, given_flow, flow.where.body));
    });
}

inline void set_ensemble_langevin(EnsembleModel &m, Input &in, bool wild)
{
    const bool none = in.seldom(4);
    const bool at_rest = in.choice(2);
    const Given c = given_coefficients(m, in, wild);
    const Given flow = given_vectors(m, in, wild);
    const double kt = wild ? in.number() : std::fabs(in.modest());
    const uint64_t seed = in.word();
    const double *given_c = none ? nullptr : c.start.address;
    const double *given_flow = at_rest ? nullptr : flow.start.address;
    const qi_status status = m.change([&] {
        return QI(qi_set_ensemble_langevin(m.handle, given_c, c.where.body, given_flow,
                                           flow.where.body, kt, seed));
    });
    HOLDS(status != QI_OK || given_c == nullptr || !c.must_fail());
    if (status == QI_OK) m.is_random = given_c != nullptr;
}

inline void set_ids(EnsembleModel &m, Input &in)
{
    std::vector<uint64_t> ids(m.count);
    for (uint64_t &id : ids) id = in.word();
    ids.shrink_to_fit();
    const bool are_indices = in.seldom(4) || m.count == 0;
    const uint64_t *given = are_indices ? nullptr : ids.data();
    const qi_status status = m.change([&] { return QI(qi_set_ensemble_ids(m.handle, given)); });
    if (status == QI_OK) {
        m.has_ids = !are_indices;
        m.ids = ids;
    }
    m.check_ids();
}

// Random torques: set, taken away, ids, the number of draws, drag and noise alone, and the scaling
// of a thermostat of the host.
inline void ensemble_random(EnsembleModel &m, Input &in)
{
    const bool wild = in.seldom(8);
    uint64_t expected = m.draws();
    switch (in.choice(7)) {
    case 0:
    case 1: set_ensemble_langevin(m, in, wild); break;
    case 2: set_ids(m, in); break;
    case 3: {
        const uint64_t draws = in.word();
        const qi_status status =
            m.change([&] { return QI(qi_set_ensemble_noise(m.handle, draws)); });
        HOLDS(status == QI_OK || status == QI_ERR_ORDER);
        if (status == QI_OK) expected = draws;
        break;
    }
    case 4:
    case 5: {
        const double duration = in.duration();
        const qi_status status = m.change(
            [&] { return QI(qi_thermalize_ensemble(m.handle, duration)); }, MOVES_ACTIVE_BODIES);
        HOLDS(status != QI_OK || (duration >= 0 && m.is_random));
        if (status == QI_OK) expected++;
        break;
    }
    default: {
        const double factor = in.seldom(4) ? in.number() : in.modest();
        m.change([&] { return QI(qi_scale_angular_momenta(m.handle, factor)); },
                 MOVES_ACTIVE_BODIES);
    }
    }
    HOLDS(m.draws() == expected);
    m.check_states();
}

inline void set_rotors(EnsembleModel &m, Input &in)
{
    const bool wild = in.seldom(8);
    const bool none = in.seldom(2);
    const Given rotors = given_vectors(m, in, wild);
    const double *given = none ? nullptr : rotors.start.address;
    const qi_status status = m.change(
        [&] { return QI(qi_set_ensemble_rotor_momentum(m.handle, given, rotors.where.body)); });
    if (status == QI_OK) m.has_rotors = !none;
}

inline void inertias_were_set(EnsembleModel &m, const Given &given)
{
    HOLDS(!given.must_fail());
    const bool is_shared = given.where.body == 0;
    if (m.count > 0 || is_shared) m.has_shared_inertia = is_shared;
    for (size_t i = 0; i < m.count; i++) {
        const std::vector<double> row = given.of(i);
        Tensor tensor{};
        if (row.size() == 3) {
            for (size_t c = 0; c < 3; c++) tensor[4 * c] = row[c];
        } else {
            std::copy(row.begin(), row.end(), tensor.begin());
        }
        m.inertias[i] = tensor;
    }
}

inline void set_principal_inertias(EnsembleModel &m, Input &in)
{
    const Places where = places(in, m.count, 3, MAY_BE_SHARED);
    const Given given(in, where, [&](size_t) {
        const Tensor t = in.inertia();
        return std::array<double, 3>{t[0], t[4], t[8]};
    });
    const qi_status status = m.change([&] {
        return QI(
            qi_set_principal_inertias(m.handle, given.start.address, where.body, where.component));
    });
    if (status == QI_OK) inertias_were_set(m, given);
}

inline void set_tensors(EnsembleModel &m, Input &in)
{
    const Places where = places(in, m.count, 9, PARAMETERS);
    const Given given(in, where, [&](size_t) { return in.inertia(); });
    const qi_status status =
        m.change([&] { return QI(qi_set_inertias(m.handle, given.start.address, where.body)); });
    if (status == QI_OK) inertias_were_set(m, given);
}

inline void set_inertias(EnsembleModel &m, Input &in)
{
    if (in.choice(2)) {
        set_principal_inertias(m, in);
    } else {
        set_tensors(m, in);
    }
}

inline void set_orientations(EnsembleModel &m, Input &in)
{
    const Places where = places(in, m.count, 4, MAY_BE_SHARED);
    const Given given(in, where, [&](size_t) { return in.orientation(); });
    const double *q = given.start.address;
    const qi_status status =
        m.change([&] { return QI(qi_set_orientations(m.handle, q, where.body, where.component)); });
    HOLDS(status != QI_OK || !given.must_fail());
}

inline void set_velocities(EnsembleModel &m, Input &in, bool wild)
{
    const Places where = places(in, m.count, 3, MAY_BE_SHARED);
    const Given given(in, where, [&](size_t) { return in.vector(wild); });
    const double *values = given.start.address;
    const bool are_momenta = in.choice(2);
    const qi_status status = m.change([&] {
        if (are_momenta) {
            return QI(qi_set_angular_momenta(m.handle, values, where.body, where.component));
        }
        return QI(qi_set_angular_velocities(m.handle, values, where.body, where.component));
    });
    HOLDS(status != QI_OK || !given.must_fail());
}

inline void set_states(EnsembleModel &m, Input &in)
{
    const bool wild = in.seldom(8);
    if (in.choice(2)) {
        set_orientations(m, in);
    } else {
        set_velocities(m, in, wild);
    }
    m.check_states();
}

// The first bodies, or none; a list that is likely not ascending; else every body, or every second
// or third.
inline std::vector<size_t> list_of_active(EnsembleModel &m, Input &in, size_t kind)
{
    std::vector<size_t> list;
    if (kind == 1) {
        const size_t size = m.count == 0 ? 0 : in.choice(m.count + 1);
        for (size_t i = 0; i < size; i++) list.push_back(i);
    } else if (kind == 2) {
        // The end of the loop is drawn in each turn: the bytes of the corpus mean this.
        for (size_t i = 0; i < in.choice(5); i++) list.push_back(in.choice(m.count + 2));
    } else {
        const size_t gap = 1 + in.choice(3);
        for (size_t i = 0; i < m.count; i += gap) list.push_back(i);
    }
    list.shrink_to_fit();
    return list;
}

inline bool is_ascending(const std::vector<size_t> &list, size_t count)
{
    for (size_t i = 0; i < list.size(); i++) {
        if (list[i] >= count) return false;
        if (i > 0 && list[i - 1] >= list[i]) return false;
    }
    return true;
}

inline void set_active(EnsembleModel &m, Input &in)
{
    const size_t kind = in.choice(6);
    const bool all = kind == 0;
    const std::vector<size_t> list = list_of_active(m, in, kind);
    const size_t claimed = in.seldom(32) ? SIZE_MAX >> in.choice(6) : list.size();
    const bool claims_too_many = claimed != list.size();
    // A false length that no ensemble has is refused; another would be read beyond the list.
    if (claims_too_many && !all && claimed <= m.count) return;
    static const size_t nothing = 0;
    const size_t *indices = list.empty() ? &nothing : list.data();
    if (all) indices = nullptr;
    const qi_status status =
        m.change([&] { return QI(qi_set_ensemble_active(m.handle, indices, claimed)); });
    if (status != QI_OK) return;

    HOLDS(all || (is_ascending(list, m.count) && !claims_too_many));
    m.all_active = all;
    m.active = list;
    size_t moving = 0;
    HOLDS(QI(qi_get_ensemble_active_count(m.handle, &moving)) == QI_OK);
    HOLDS(moving == m.positions());
    if (m.is_bound()) m.is_dirty = true; // rows of bodies that join may hold anything
}

} // namespace fuzz
