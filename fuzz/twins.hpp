// twins.hpp: the bodies of an ensemble, alone. In own memory, and in arrays of angular velocities
// in the body frame, they have the same bits; and where one fails, so does the other.
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

    // The ensemble accepts what each body accepts. Returns whether they all do.
    template <class Call>
    bool agree(qi_status status, Call call)
    {
        bool all = true;
        for (size_t i = 0; i < bodies.size(); i++) {
            if (call(bodies[i], i) != QI_OK) all = false;
        }
        HOLDS((status == QI_OK) == all);
        return all;
    }

    // The active bodies do what the ensemble did. If it failed, the body that it names fails in the
    // same way. Returns whether it succeeded.
    template <class Call>
    bool follow(const EnsembleModel &m, qi_status status, Call call)
    {
        const size_t named = QI_VALUE(qi_last_error_body());
        size_t failed = 0;
        for (size_t p = 0; p < m.positions(); p++) {
            const size_t i = m.body_at(p);
            const qi_status own = call(bodies[i], i);
            if (own < 0) failed++;
            if (status >= 0) {
                HOLDS(own == QI_OK);
            } else if (status != QI_ERR_CALLBACK && named == i) {
                HOLDS(own == status);
            }
        }
        HOLDS(status == QI_OK || failed > 0 || m.positions() == 0);
        return status == QI_OK;
    }

    // Bodies that do not move have their states of the `start`, the others those of the bodies
    // alone.
    void compare_states(const EnsembleModel &m, const std::vector<double> &start) const
    {
        const std::vector<double> now = m.states();
        for (size_t i = 0; i < m.count; i++) {
            if (!m.is_active(i)) {
                HOLDS(same_bits(&now[7 * i], &start[7 * i], 7));
                continue;
            }
            const BodySnapshot s = snapshot(bodies[i]);
            // Where other bodies have turned axes, sums with zeros may give the other zero to a
            // velocity that was −0.
            HOLDS(same_but_zeros(&now[7 * i], s.q, 4));
            HOLDS(same_but_zeros(&now[7 * i + 4], s.omega_body, 3));
        }
    }

    void compare(const EnsembleModel &m, const std::vector<double> &start) const
    {
        compare_states(m, start);
        const std::array<double, 2> expected = m.clock();
        const uint64_t expected_draws = m.draws();
        for (size_t p = 0; p < m.positions(); p++) {
            const qi_body *body = bodies[m.body_at(p)];
            double clock[2];
            uint64_t draws = 0;
            HOLDS(QI(qi_get_clock(body, clock)) == QI_OK);
            HOLDS(QI(qi_get_noise(body, &draws)) == QI_OK);
            HOLDS(same_bits(clock, expected.data(), 2) && draws == expected_draws);
        }
    }
};

// Each body has the noise of its id. False where the random torques are refused.
inline bool prepare_random(EnsembleModel &m, Twins &twins, Input &in, bool wild)
{
    const Given c = given_coefficients(m, in, wild);
    const Given flow = given_vectors(m, in, wild);
    if (c.must_fail() || flow.must_fail()) return false;
    const double kt = wild ? in.number() : std::fabs(in.modest());
    const bool at_rest = in.choice(2);
    const uint64_t seed = in.word();
    const uint64_t draws = in.word();
    const ptrdiff_t stride = c.where.body;
    const ptrdiff_t flow_stride = flow.where.body;
    const double *given_flow = at_rest ? nullptr : flow.start.address;
    const qi_status status = QI(qi_set_ensemble_langevin(m.handle, c.start.address, stride,
                                                         given_flow, flow_stride, kt, seed));
    // Rows that overlap may be refused.
    const bool rows_overlap = stride != 0 && std::abs(stride) < 3;
    const bool flows_overlap = flow_stride != 0 && std::abs(flow_stride) < 3;
    if (status == QI_ERR_INVALID && (rows_overlap || flows_overlap)) return false;

    const std::vector<uint64_t> ids = m.ids_in_rows();
    const bool accepted = twins.agree(status, [&](qi_body *body, size_t i) {
        const double *own = c.start.address + ptrdiff_t(i) * stride;
        const double *own_flow = at_rest ? nullptr : given_flow + ptrdiff_t(i) * flow_stride;
        HOLDS(QI(qi_set_noise(body, draws)) == QI_OK);
        return QI(qi_set_langevin(body, own, own_flow, kt, seed, ids[i]));
    });
    HOLDS(QI(qi_set_ensemble_noise(m.handle, draws)) == QI_OK);
    m.is_random = accepted;
    return accepted;
}

// Takes away what the ensemble has had, and sets the same method and number of draws for all.
inline void prepare_method(EnsembleModel &m, Twins &twins, int32_t method)
{
    qi_ensemble *e = m.handle;
    // first the torque: beside random ones a method takes a shear flow that it refuses without
    HOLDS(remove_ensemble_torque(m) == QI_OK);
    HOLDS(QI(qi_set_ensemble_langevin(e, nullptr, 0, nullptr, 0, 0, 0)) == QI_OK);
    const uint64_t draws = m.draws();
    m.is_random = false;
    HOLDS(QI(qi_set_ensemble_drag(e, nullptr, 0, nullptr, 0)) == QI_OK);
    HOLDS(QI(qi_set_ensemble_rotor_momentum(e, nullptr, 0)) == QI_OK);
    m.has_rotors = false;
    // Another method first, so that no torque stays that rows have brought.
    HOLDS(QI(qi_set_ensemble_method(e, QI_METHOD_PCDM)) == QI_OK);
    HOLDS(QI(qi_set_ensemble_method(e, method)) == QI_OK);
    for (qi_body *body : twins.bodies) {
        HOLDS(QI(qi_set_method(body, method)) == QI_OK);
        HOLDS(QI(qi_set_noise(body, draws)) == QI_OK);
    }
}

inline void prepare_callback(EnsembleModel &m, Twins &twins, Input &in, bool by_stages)
{
    const int32_t layout = int32_t(in.choice(2));
    m.torque.draw(in, true);
    if (by_stages) m.torque.manner = Manner::behaves;
    m.torque.layout = layout;
    m.torque.frame = QI_FRAME_WORLD;
    HOLDS(QI(qi_set_ensemble_torque(m.handle, ensemble_torque, layout, QI_FRAME_WORLD, &m.torque))
          == QI_OK);
    for (qi_body *body : twins.bodies) {
        HOLDS(QI(qi_set_torque(body, body_torque, &m.torque)) == QI_OK);
    }
}

// False where the torque is refused.
inline bool prepare_ready_made(EnsembleModel &m, Twins &twins, Input &in,
                               const ReadyMadeTorque &torque)
{
    const Given given = given_parameters(torque, m.count, in);
    if (given.must_fail()) return false;
    const double *values = given.start.address;
    const ptrdiff_t stride = given.where.body;
    const int32_t frame = int32_t(in.choice(2));
    const qi_status status = torque.set(m.handle, values, stride, frame);
    // Rows that overlap may be refused.
    const bool rows_overlap = stride != 0 && std::abs(stride) < ptrdiff_t(torque.components());
    if (status == QI_ERR_INVALID && rows_overlap) return false;
    return twins.agree(status, [&](qi_body *body, size_t i) {
        return torque.set(body, values + ptrdiff_t(i) * stride, frame);
    });
}

inline void prepare_rotors(EnsembleModel &m, Twins &twins, Input &in)
{
    std::vector<double> rotors(3 * m.count);
    for (double &x : rotors) x = in.modest() + 0.01; // of zero, a body alone has no rotors
    m.has_rotors = true;
    const qi_status status = QI(qi_set_ensemble_rotor_momentum(m.handle, rotors.data(), 3));
    const bool accepted = twins.agree(status, [&](qi_body *body, size_t i) {
        return QI(qi_set_rotor_momentum(body, &rotors[3 * i]));
    });
    HOLDS(accepted);
}

inline bool prepare_drag(EnsembleModel &m, Twins &twins, Input &in, bool wild)
{
    const auto c = in.vector(wild);
    const auto flow = in.vector(wild);
    const qi_status status = QI(qi_set_ensemble_drag(m.handle, c.data(), 0, flow.data(), 0));
    return twins.agree(status, [&](qi_body *body, size_t) {
        return QI(qi_set_drag(body, c.data(), flow.data()));
    });
}

// Sets the same method, torque and drag for all. False where they are refused.
inline bool prepare(EnsembleModel &m, Twins &twins, Input &in, bool by_stages)
{
    const bool is_random = in.seldom(3);
    int32_t method;
    if (is_random && !in.seldom(8)) {
        method = in.choice(2) ? QI_METHOD_SPLITTING : QI_METHOD_BROWNIAN;
    } else {
        method = method_of(in.choice(METHODS));
    }
    prepare_method(m, twins, method);

    const bool wild = in.seldom(16);
    m.is_wild = wild;
    ReadyMadeTorque torque(in, wild);
    const size_t kind = by_stages ? 0 : in.choice(7);
    if (kind == 0) {
        prepare_callback(m, twins, in, by_stages);
    } else if (kind > 1) {
        torque.kind = ReadyMade(kind - 2);
        if (!prepare_ready_made(m, twins, in, torque)) return false;
    }
    if (in.seldom(4)) prepare_rotors(m, twins, in);
    if (is_random) return prepare_random(m, twins, in, wild);
    if (in.choice(3) != 0) return true;
    return prepare_drag(m, twins, in, wild);
}

} // namespace fuzz
