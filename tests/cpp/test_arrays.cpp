// Arrays of the caller that a Bound holds in place, and views of std::span.
#include "check.hpp"

struct Particle {
    double mass = 1;
    Quaternion q{1, 0, 0, 0};
    Vector spin{0.3, -0.7, 1.1};
};

static Ensemble of_bodies(std::size_t count)
{
    Ensemble e(count);
    e.set_inertias(GENERIC);
    return e;
}

static std::vector<Quaternion> unturned(std::size_t count) { return std::vector<Quaternion>(count, Quaternion{1, 0, 0, 0}); }

static std::vector<Vector> spins_of(std::size_t count) { return std::vector<Vector>(count, Vector{0.3, -0.7, 1.1}); }

static void bound_arrays_have_the_bits_of_own_memory_and_leave_their_states_there()
{
    Ensemble own = of_bodies(9), bound = of_bodies(9), structs = of_bodies(9);
    own.set_angular_velocities(spins_of(9));
    auto q = unturned(9);
    std::vector<Particle> particles(9);
    {
        std::vector<Vector> omega = spins_of(9);
        const Bound arrays = bound.bind(q, omega, Kind::omega_body);
        const Bound members_of_structs = structs.bind(particles, &Particle::q, &Particle::spin, Kind::omega_body);
        own.advance(0.01, 20), bound.advance(0.01, 20), structs.advance(0.01, 20);
        CHECK(same(q, own.orientations()) && particles[4].q == q[4] && particles[4].spin == omega[4]);
    } // here the arrays are released
    CHECK(same(bound.angular_velocities(), own.angular_velocities()));
    const auto last = q;
    own.advance(0.01, 20), bound.advance(0.01, 20), structs.advance(0.01, 20);
    CHECK(same(q, last) && same(bound.orientations(), own.orientations()) && same(structs.orientations(), own.orientations()));
}

static void an_array_that_has_moved_is_refused_and_not_touched()
{
    Ensemble e = of_bodies(3);
    auto q = unturned(3);
    auto omega = spins_of(3);
    Bound arrays = e.bind(q, omega);
    e.step(0.01);
    q.pop_back();
    CHECK_REFUSED(e.step(0.01), QI_ERR_INVALID, "an array of bind() has moved or has another size");
    q.push_back({1, 0, 0, 0});
    e.step(0.01); // as it was
    omega.reserve(1000);
    CHECK_REFUSED(e.step(0.01), QI_ERR_INVALID, "has moved");
    CHECK_REFUSED(e.orientations(), QI_ERR_INVALID, "has moved");
    CHECK_REFUSED(e.release_arrays(), QI_ERR_INVALID, "has moved");
    arrays.release();
    CHECK_REFUSED(e.step(0.01), QI_ERR_INVALID, "the states are lost");
    CHECK_REFUSED(static_cast<void>(e.bind(q, omega)), QI_ERR_INVALID, "the states are lost");
    e = of_bodies(3);
    arrays = e.bind(q, omega);
    e.step(0.01);

    std::vector<Particle> particles(3);
    const Bound of_particles = e.bind(particles, &Particle::q, &Particle::spin);
    const std::vector<Particle> elsewhere = std::move(particles);
    CHECK_REFUSED(e.count(), QI_ERR_INVALID, "has moved");
}

static void a_bound_ends_with_its_arrays_and_never_with_others()
{
    auto q = unturned(2), others = unturned(2);
    auto omega = spins_of(2);
    Ensemble e = of_bodies(2);
    Bound first = e.bind(q, omega);
    {
        const Bound second = e.bind(others, omega); // takes the place of the first
        first.release();
        e.step(0.01);
        CHECK(same(others, e.orientations()) && others[0][0] < 1 && q[0][0] == 1);
        Ensemble moved = std::move(e);
        moved.step(0.01);
        CHECK(same(others, moved.orientations()));
        e = std::move(moved);
    }
    const auto last = others;
    e.step(0.01);
    CHECK(same(others, last));

    first = e.bind(q, omega);
    e.bind_orientations(others); // without a Bound: it is not watched, but released with the others
    q.clear();
    e.step(0.01);
    first = Bound();
    const auto then = others;
    e.step(0.01);
    CHECK(same(others, then));

    auto few = unturned(2);
    first = e.bind(few, omega);
    e.resize(7);
    few.clear();
    e.step(0.01);
    first.release();
    CHECK(e.count() == 7);

    Bound outlives;
    {
        Ensemble brief = of_bodies(2);
        outlives = brief.bind(others, omega);
    }
    outlives.release();
}

static void a_bound_that_ends_within_a_step_ends_the_step()
{
    auto q = unturned(1);
    auto omega = spins_of(1);
    Ensemble e = of_bodies(1);
    double time;
    std::vector<Quaternion> stage_q;
    std::vector<Vector> stage_omega;
    {
        const Bound arrays = e.bind(q, omega);
        e.begin_step(0.1);
        CHECK(e.next_stage(time, stage_q, stage_omega));
    }
    CHECK_REFUSED(e.next_stage(time, stage_q, stage_omega), QI_ERR_ORDER, "qi_next_ensemble_stage");
    e.step(0.1);
    CHECK(same(e.orientations(), e.orientations()) && q[0][0] == 1);

    q[0] = {1, 0, 0, 0};
    {
        const Bound arrays = e.bind(q, omega);
        q[0] = {5, 0, 0, 0}; // no orientation
    }
    CHECK_REFUSED(e.step(0.1), QI_ERR_INVALID, "not valid");
}

static void a_bind_that_is_refused_leaves_no_array_bound()
{
    auto q = unturned(2), few = unturned(1);
    std::vector<Vector> omega(2, Vector{NaN, 0, 0});
    Ensemble e = of_bodies(2);
    CHECK_REFUSED(static_cast<void>(e.bind(few, omega)), QI_ERR_INVALID, "Ensemble::bind: 1 bodies instead of 2");
    CHECK_REFUSED(static_cast<void>(e.bind(q, q)), QI_ERR_INVALID, "Ensemble::bind: 4 components a body instead of 3");
    CHECK_REFUSED(static_cast<void>(e.bind(q, omega)), QI_ERR_NON_FINITE, "qi_bind_angular_velocities");
    q.clear();
    e.step(0.01);
    CHECK(e.orientations()[1][0] == 1);
    static_assert(!std::is_copy_constructible_v<Bound> && std::is_nothrow_move_constructible_v<Bound>);
}

#if defined(__cpp_lib_span)
static void a_span_is_a_view()
{
    auto q = unturned(5);
    const auto omega = spins_of(5);
    auto mine = omega;
    std::vector<Particle> particles(5);
    Ensemble e = of_bodies(4), bound = of_bodies(4), structs = of_bodies(4);
    const std::span<Quaternion> first(q.data(), 4);
    e.set_orientations(first);
    e.set_orientations(std::span<const Quaternion, 4>(first));
    e.set_angular_velocities(std::span(omega).first(4));
    CHECK_REFUSED(e.set_angular_velocities(std::span(omega)), QI_ERR_INVALID, "5 bodies instead of 4");
    const Bound arrays = bound.bind(first, std::span(mine).last(4));
    const Bound other = structs.bind(std::span(particles).subspan(1), &Particle::q, &Particle::spin);
    e.advance(0.01, 20), bound.advance(0.01, 20), structs.advance(0.01, 20);
    CHECK(mine[0] == omega[0] && particles[0].q == Quaternion{1, 0, 0, 0} && q[4] == Quaternion{1, 0, 0, 0});
    CHECK(q[3] != q[4] && particles[4].q == q[3] && particles[1].spin == mine[1]);
    std::vector<Vector> got(5);
    std::vector<double> energies(4);
    bound.get_angular_velocities(std::span(got).first<4>());
    bound.get_kinetic_energies(std::span<double>(energies));
    e.set_orientations(members(std::span<const Particle>(particles).first(4), &Particle::q));
    CHECK(got[3] == bound.angular_velocities()[3] && got[4] == Vector{} && energies == bound.kinetic_energies());
    static_assert(!std::is_constructible_v<View, std::span<const Vector>> && std::is_constructible_v<ConstView, std::span<Vector>>);
    static_assert(!std::is_constructible_v<View, std::vector<Vector>>);
}
#else
static void a_span_is_a_view() {} // needs C++20
#endif

int main()
{
    RUN(bound_arrays_have_the_bits_of_own_memory_and_leave_their_states_there);
    RUN(an_array_that_has_moved_is_refused_and_not_touched);
    RUN(a_bound_ends_with_its_arrays_and_never_with_others);
    RUN(a_bound_that_ends_within_a_step_ends_the_step);
    RUN(a_bind_that_is_refused_leaves_no_array_bound);
    RUN(a_span_is_a_view);
}
