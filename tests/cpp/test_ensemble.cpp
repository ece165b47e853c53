// Ensemble: every member, with valid and invalid input; views; the stage protocol. Exceptions of torques: test_failures.cpp.
#include "check.hpp"
#include <thread>

static const Matrix aligned = diagonal(1, 2, 3), shear{0, 1, 0, 0, 0, 0, 0, 0, 0};

// The inertias of bodies, one after the other. Their principal axes lie along no axis of the body.
static const std::vector<Matrix> INERTIAS{
    {4.28, -0.576, 0.768, -0.576, 5.8192, 1.5744, 0.768, 1.5744, 4.9008},
    {2.54, 0.576, -0.432, 0.576, 3.3344, 0.4992, -0.432, 0.4992, 3.6256},
    {3.3736, 1.008, 0.8352, 1.008, 3.24, -1.344, 0.8352, -1.344, 2.8864},
    {2.14, -0.384, 0.288, -0.384, 2.2704, 0.5472, 0.288, 0.5472, 2.5896},
    {3.3104, -0.288, 1.7472, -0.288, 5.36, -0.384, 1.7472, -0.384, 4.3296},
};

static const Matrix &inertia(std::size_t body) { return INERTIAS[body % INERTIAS.size()]; }

static std::vector<Quaternion> some_orientations(std::size_t n)
{
    std::vector<Quaternion> q(n);
    for (std::size_t i = 0; i < n; i++) q[i] = orientation_from_axis_angle({1, 2, 3}, 0.1 * static_cast<double>(i));
    return q;
}

static Ensemble tops(std::size_t n)
{
    Ensemble e(n);
    std::vector<Matrix> inertias(n);
    for (std::size_t i = 0; i < n; i++) inertias[i] = inertia(i);
    e.set_inertias(inertias);
    e.set_orientations(some_orientations(n));
    e.set_angular_velocities(Vector{1, 1, 1});
    return e;
}

struct States {
    std::vector<Quaternion> q;
    std::vector<Vector> omega;
    double time;
};

static States take(const Ensemble &e) { return {e.orientations(), e.angular_velocities(), e.time()}; }

static bool same(const States &a, const States &b) { return same(a.q, b.q) && same(a.omega, b.omega) && same(a.time, b.time); }

static States after_ten(Ensemble e)
{
    for (int i = 0; i < 10; i++) e.step(1e-2);
    return take(e);
}

// With the numbers of tests/rust/every_language.rs, as in every language.
static void a_generic_ensemble_comes_where_it_comes_in_every_language()
{
    const std::vector<Quaternion> orientations{
        {0.5, -0.1, 0.7, 0.5}, {0.1, 0.3, -0.9, 0.3}, {-0.4, 0.2, 0.8, -0.4},
        {0.7, -0.7, 0.1, -0.1}, {0.8, 0.4, -0.2, 0.4},
    };
    const std::vector<Vector> spins{
        {0.3, -0.7, 1.1}, {-1.2, 0.6, 0.9}, {0.5, 1.3, -0.4}, {-0.8, -0.5, 1.4}, {1.5, 0.2, -0.6},
    };
    const std::vector<Vector> coefficients{
        {0.15, 0.45, 0.85}, {0.95, 0.25, 0.55}, {0.35, 0.65, 0.05}, {0.75, 0.85, 0.45}, {0.25, 0.55, 1.15},
    };
    const std::vector<Quaternion> q_with_drag{
        {0.34322020947937526, -0.514673656491571, 0.3044616219105275, 0.7243024478090221},
        {0.31006876234467107, 0.6136993314393463, -0.35805990008763133, 0.6316831493384788},
        {-0.8736102551308665, -0.04098689822035527, 0.45930491590566064, -0.15544835325390347},
        {0.32177863570546605, -0.8003367741310565, -0.5056576909313071, 0.01516104148935328},
        {0.2975224835456055, 0.8789496752635488, -0.3574468432490278, 0.10563898139541861},
    };
    const std::vector<Vector> omega_with_drag{
        {0.20088039458460782, -0.49848139829966837, 1.137601037989131},
        {-0.9276233943553918, 0.5198630595773146, 0.9390982789857145},
        {0.5402056759807812, 1.1383960793268375, -0.3958854438749477},
        {-0.6051480153623199, -0.7941029935567219, 0.9135233403515265},
        {1.6177997825038815, -0.3283464562297587, 0.3651749686206678},
    };
    std::vector<Quaternion> q = orientations;
    std::vector<Vector> omega_body(q.size());
    Ensemble e(q.size());
    e.set_inertias(INERTIAS);
    e.bind_orientations(q);
    e.bind_angular_velocities(omega_body, Kind::omega_body);
    e.set_angular_velocities(spins);
    e.set_torque([](double, std::size_t, const Quaternion &at, const Vector &omega) {
        return Vector{0.5*at[1] - 0.25*omega[1], at[0]*at[3], 0.25*omega[0] - 0.5*at[2]};
    });
    e.set_drag(coefficients, Vector{0.2, -0.1, 0.7});
    e.advance(0.01, 100);
    CHECK(same(q, q_with_drag) && same(e.angular_velocities(), omega_with_drag));
}

static void every_kind_of_torque_has_the_same_bits()
{
    const std::size_t n = 300;
    Ensemble each = tops(n), aos = tops(n), soa = tops(n), c = tops(n);
    each.set_torque([](double t, std::size_t, const Quaternion &q, const Vector &omega) { return weight(t, q, omega); });
    const States expected = after_ten(std::move(each));

    aos.set_chunk_torque([](double t, std::size_t, std::size_t m, const double *q, const double *omega, double *torque) {
        for (std::size_t i = 0; i < m; i++) write_weight(t, q + 4*i, omega + 3*i, torque + 3*i);
    });
    CHECK(same(after_ten(std::move(aos)), expected));

    soa.set_chunk_torque(
        [](double, std::size_t, std::size_t m, const double *q, const double *, double *torque) -> std::int32_t {
            for (std::size_t i = 0; i < m; i++) {
                torque[i] = -2*(q[2*m + i]*q[3*m + i] - q[i]*q[m + i]);
                torque[m + i] = 2*(q[m + i]*q[3*m + i] + q[i]*q[2*m + i]);
            }
            return 0;
        },
        Layout::soa);
    CHECK(same(after_ten(std::move(soa)), expected));

    const qi_ensemble_torque_fn function = [](double t, std::size_t, std::size_t m, const double *q, const double *omega,
                                              double *torque, void *data) -> std::int32_t {
        for (std::size_t i = 0; i < m; i++) write_weight(t, q + 4*i, omega + 3*i, torque + 3*i);
        *static_cast<int *>(data) = 1;
        return 0;
    };
    int asked = 0;
    c.set_chunk_torque(function, Layout::aos, Frame::world, &asked);
    CHECK(same(after_ten(std::move(c)), expected) && asked == 1);

    const auto thrust = [](double, std::size_t, const Quaternion &, const Vector &omega) { return Vector{0, omega[2], 1}; };
    const auto thrusts = [](double, std::size_t, std::size_t m, const double *, const double *omega, double *torque) {
        for (std::size_t i = 0; i < m; i++) torque[3*i + 1] = omega[3*i + 2], torque[3*i + 2] = 1;
    };
    Ensemble in_body = tops(n), in_world = tops(n), chunks_in_body = tops(n);
    in_body.set_torque(thrust, Frame::body);
    in_world.set_torque(thrust, Frame::world);
    chunks_in_body.set_chunk_torque(thrusts, Layout::aos, Frame::body);
    const States thrusted = after_ten(std::move(in_body));
    CHECK(same(after_ten(std::move(chunks_in_body)), thrusted) && !same(after_ten(std::move(in_world)), thrusted));
}

static void a_torque_is_told_which_body_it_is_for()
{
    const std::size_t n = 300;
    Ensemble e = tops(n), expected = tops(n);
    std::vector<Vector> torques(n);
    for (std::size_t i = 0; i < n; i++) torques[i] = {static_cast<double>(i), 0, 1};
    e.set_torque([&torques](double, std::size_t i, const Quaternion &, const Vector &) { return torques[i]; });
    expected.set_constant_torque(torques);
    CHECK(same(after_ten(std::move(e)), after_ten(std::move(expected))));
}

static void a_torque_that_is_refused_leaves_the_one_before()
{
    Ensemble e = tops(3), expected = tops(3);
    for (Ensemble *one : {&e, &expected})
        one->set_torque([](double t, std::size_t, const Quaternion &q, const Vector &omega) { return weight(t, q, omega); });
    const Vector one{1, 1, 1}, nan{1, NaN, 1};
    const std::vector<Vector> three{one, nan, one}, two{one, one};
    const std::vector<double> gradients{1, 2};
    CHECK_REFUSED(e.set_constant_torque(three), QI_ERR_NON_FINITE, "body 1");
    CHECK_REFUSED(e.set_constant_torque(two), QI_ERR_INVALID, "quatint::Ensemble::set_constant_torque: 2 bodies instead of 3");
    CHECK_REFUSED(e.set_constant_torque(one, static_cast<Frame>(7)), QI_ERR_INVALID, "`frame`");
    CHECK_REFUSED(e.set_uniform_field_torque(one, nan), QI_ERR_NON_FINITE, "`field_world[1]`");
    CHECK_REFUSED(e.set_uniform_field_torque(two, one), QI_ERR_INVALID, "2 bodies");
    CHECK_REFUSED(e.set_gravity_gradient_torque({0, 0, 0}, 1), QI_ERR_INVALID, "`direction_world`");
    CHECK_REFUSED(e.set_gravity_gradient_torque(one, gradients), QI_ERR_INVALID, "2 bodies");
    CHECK_REFUSED(e.set_gravity_gradient_torque(one, three), QI_ERR_INVALID, "3 components a body instead of 1");
    CHECK_REFUSED(e.set_linear_drag_torque(two), QI_ERR_INVALID, "2 bodies");
    CHECK_REFUSED(e.set_linear_drag_torque(ConstView(three[0].data(), 1, 3)), QI_ERR_INVALID, "side by side");
    CHECK_REFUSED(e.set_shear_flow_torque(two, 1, shear), QI_ERR_INVALID, "2 bodies");
    CHECK_REFUSED(e.set_shear_flow_torque(one, -1, shear), QI_ERR_INVALID, "`viscosity`");
    void (*none)(double, std::size_t, std::size_t, const double *, const double *, double *) = nullptr;
    Vector (*no_torque)(double, std::size_t, const Quaternion &, const Vector &) = nullptr;
    CHECK_REFUSED(e.set_chunk_torque(none), QI_ERR_NULL, "quatint::Ensemble::set_chunk_torque");
    CHECK_REFUSED(e.set_torque(no_torque), QI_ERR_NULL, "quatint::Ensemble::set_torque");
    const auto nothing = [](double, std::size_t, std::size_t, const double *, const double *, double *) {};
    CHECK_REFUSED(e.set_chunk_torque(nothing, static_cast<Layout>(7)), QI_ERR_INVALID, "`layout`");
    CHECK(same(after_ten(std::move(e)), after_ten(std::move(expected))));
    Ensemble freed = tops(3);
    freed.set_constant_torque(one);
    freed.set_torque(nullptr);
    CHECK(same(after_ten(std::move(freed)), after_ten(tops(3))));
}

static void inertias_are_one_for_all_or_one_a_body()
{
    Ensemble e = tops(2);
    e.set_orientations(Quaternion{1, 0, 0, 0});
    e.set_inertias(std::vector<Matrix>{diagonal(1, 2, 3), diagonal(2, 4, 6)});
    const std::vector<double> energies = e.kinetic_energies();
    CHECK(std::fabs(energies[1] / energies[0] - 2) < 1e-15);
    CHECK(std::fabs(e.total_kinetic_energy() - 3 * energies[0]) < 1e-14);
    const Vector total = e.total_angular_momentum(), first = e.angular_momenta()[0], second = e.angular_momenta()[1];
    for (std::size_t c = 0; c < 3; c++) CHECK(std::fabs(total[c] - first[c] - second[c]) < 1e-14);
    std::array<double, 2> into{};
    e.get_kinetic_energies(into);
    CHECK(into[0] == energies[0] && into[1] == energies[1]);

    CHECK_REFUSED(e.set_inertias(diagonal(1, 2, -3)), QI_ERR_INERTIA, "qi_set_inertias");
    CHECK_REFUSED(e.set_inertias(std::vector<Matrix>{diagonal(1, 2, 3), diagonal(1, 2, -3)}), QI_ERR_INERTIA, "body 1");
    CHECK_REFUSED(e.set_inertias(std::vector<Matrix>(1)), QI_ERR_INVALID, "1 bodies instead of 2");
    CHECK_REFUSED(e.set_inertias(Vector{1, 2, 3}), QI_ERR_INVALID, "3 components a body instead of 9");
    CHECK(same(e.kinetic_energies(), energies));
}

static void states_go_in_and_come_out_through_any_view()
{
    const std::size_t n = 5;
    const std::vector<Quaternion> q = some_orientations(n);
    Ensemble e(n);
    e.set_orientations(q);
    e.set_angular_velocities(std::vector<Vector>(n, {1, 2, 3}));
    const std::vector<Quaternion> kept = e.orientations(); // normalised
    std::vector<double> in_columns(4*n), spins(3*n);
    e.get_orientations(soa(in_columns.data(), n));
    e.get_angular_velocities(soa(spins.data(), n));
    for (std::size_t i = 0; i < n; i++)
        for (std::size_t c = 0; c < 4; c++) CHECK(in_columns[c*n + i] == kept[i][c]);
    CHECK(spins[n] == 2 && spins[2*n] == 3);

    Ensemble other(n);
    other.set_orientations(soa(std::as_const(in_columns).data(), n));
    CHECK(same(other.orientations(), kept));
    other.set_orientations(Quaternion{0, 1, 0, 0});
    CHECK(other.orientations()[4] == Quaternion{0, 1, 0, 0});
    other.set_angular_velocities(ConstView{spins.data(), 1, 5});
    CHECK(other.angular_velocities()[4] == Vector{1, 2, 3});
    other.get_angular_momenta(View{spins.data(), 3, 1});
    CHECK(spins[3] == 1 && spins[4] == 2);
}

static void views_that_do_not_fit_are_refused_and_nothing_changes()
{
    Ensemble e = tops(4);
    const States before = take(e);
    std::vector<Quaternion> three(3, {1, 0, 0, 0}), four = some_orientations(4);
    std::vector<Vector> spins(4);
    std::vector<double> numbers(3);
    CHECK_REFUSED(e.set_orientations(three), QI_ERR_INVALID, "quatint::Ensemble::set_orientations: 3 bodies instead of 4");
    CHECK_REFUSED(e.set_orientations(spins), QI_ERR_INVALID, "3 components a body instead of 4");
    CHECK_REFUSED(e.get_orientations(three), QI_ERR_INVALID, "get_orientations: 3 bodies");
    CHECK_REFUSED(e.bind_orientations(three), QI_ERR_INVALID, "bind_orientations: 3 bodies");
    CHECK_REFUSED(e.set_angular_velocities(four), QI_ERR_INVALID, "set_angular_velocities: 4 components");
    CHECK_REFUSED(e.get_angular_velocities(four), QI_ERR_INVALID, "get_angular_velocities: 4 components");
    CHECK_REFUSED(e.bind_angular_velocities(four), QI_ERR_INVALID, "bind_angular_velocities: 4 components");
    CHECK_REFUSED(e.get_angular_momenta(four), QI_ERR_INVALID, "get_angular_momenta: 4 components");
    CHECK_REFUSED(e.get_kinetic_energies(numbers), QI_ERR_INVALID, "get_kinetic_energies: 3 bodies");
    const double *const nothing = nullptr;
    CHECK_REFUSED(e.set_orientations(ConstView(nothing, 4)), QI_ERR_NULL, "`data`");
    CHECK_REFUSED(e.bind_orientations(View(four[0].data(), 3)), QI_ERR_INVALID, "must have strides");
    CHECK_REFUSED(e.bind_orientations(four, static_cast<Scalar>(7)), QI_ERR_INVALID, "`order`");
    CHECK_REFUSED(e.bind_angular_velocities(spins, static_cast<Kind>(7)), QI_ERR_INVALID, "`kind`");
    four[2] = {1, 1, 0, 0};
    CHECK_REFUSED(e.set_orientations(four), QI_ERR_ORIENTATION, "body 2");
    CHECK_REFUSED(e.bind_orientations(four), QI_ERR_ORIENTATION, "body 2");
    CHECK_REFUSED(e.set_angular_velocities(Vector{0, 0, NaN}), QI_ERR_NON_FINITE, "qi_set_angular_velocities: `data[2]`"); // one for all;
    CHECK(same(take(e), before));
}

// A view that knows its size is of the whole ensemble; a pointer and strides also serve for a part of a longer array.
static void a_view_of_more_bodies_than_the_ensemble_has_is_refused()
{
    Ensemble e(4), whole(4);
    const States before = take(e);
    std::vector<Quaternion> five = some_orientations(5);
    std::vector<Vector> spins(5, {0, 0, 1});
    CHECK_REFUSED(e.set_orientations(five), QI_ERR_INVALID, "quatint::Ensemble::set_orientations: 5 bodies instead of 4");
    CHECK_REFUSED(e.get_orientations(five), QI_ERR_INVALID, "get_orientations: 5 bodies instead of 4");
    CHECK_REFUSED(e.bind_orientations(five), QI_ERR_INVALID, "bind_orientations: 5 bodies instead of 4");
    CHECK_REFUSED(e.set_constant_torque(spins), QI_ERR_INVALID, "set_constant_torque: 5 bodies instead of 4");
    CHECK_REFUSED(e.kick(0.1, spins), QI_ERR_INVALID, "kick: 5 bodies instead of 4");
    CHECK_REFUSED(e.set_angular_velocities(soa(spins[0].data(), 5)), QI_ERR_INVALID, "5 bodies instead of 4");
    CHECK(same(take(e), before));
    e.set_orientations(ConstView(five[0].data(), 4));
    e.set_angular_velocities(ConstView(spins[0].data(), 0, 1, 5)); // one value for all
    whole.set_orientations(std::vector<Quaternion>(five.begin(), five.end() - 1));
    whole.set_angular_velocities(spins[0]);
    CHECK(same(take(e), take(whole)));
}

struct Particle {
    double position[3] = {7, 7, 7};
    double quaternion[4] = {0, 0, 0, 1}; // scalar last
    std::array<double, 3> spin = {1, 1, 1};
    double mass = 7;
};

static void members_of_structs_are_bound_in_place()
{
    const std::size_t n = 200;
    std::vector<Particle> particles(n);
    Ensemble bound(n), own(n);
    bound.bind_orientations(members(particles, &Particle::quaternion), Scalar::last);
    bound.bind_angular_velocities(members(particles, &Particle::spin), Kind::omega_body);
    own.set_angular_velocities(Vector{1, 1, 1});
    for (Ensemble *e : {&bound, &own}) {
        e->set_inertias(inertia(0));
        e->set_torque([](double t, std::size_t, const Quaternion &q, const Vector &omega) { return weight(t, q, omega); });
        e->advance(1e-2, 10);
    }
    const std::vector<Quaternion> q = own.orientations();
    for (std::size_t i = 0; i < n; i++) {
        const Particle &p = particles[i];
        CHECK(p.quaternion[3] == q[i][0] && p.quaternion[0] == q[i][1] && p.quaternion[2] == q[i][3]);
        CHECK(p.position[2] == 7 && p.mass == 7);
    }
    const std::vector<Particle> &constant = particles; // a view of a const vector is read-only
    static_assert(std::is_same_v<decltype(members(constant, &Particle::spin)), ConstView>);
    own.set_angular_velocities(members(constant, &Particle::spin));
    own.get_kinetic_energies(members(particles, &Particle::mass));
    CHECK(particles[0].mass != 7);
    CHECK_REFUSED(own.bind_orientations(members(particles, &Particle::spin)), QI_ERR_INVALID, "3 components");
}

static void angular_momenta_are_bound_too()
{
    std::vector<Vector> momenta{{1, 4, 9}, {1, 4, 9}};
    Ensemble e(2);
    e.set_inertias(aligned);
    e.bind_angular_velocities(momenta, Kind::angmom_body);
    CHECK(e.angular_velocities()[1] == Vector{1, 2, 3});
    e.bind_angular_velocities(momenta, Kind::angmom_world);
    CHECK(e.angular_velocities()[0] == Vector{1, 2, 3});
}

static void an_ensemble_of_no_bodies_steps()
{
    Ensemble e(0);
    std::vector<Quaternion> q;
    std::vector<Vector> omega;
    std::vector<Particle> particles;
    e.set_inertias(std::vector<Matrix>());
    e.set_orientations(q);
    e.bind_orientations(q);
    e.bind_angular_velocities(members(particles, &Particle::spin));
    e.set_torque([](double, std::size_t, const Quaternion &, const Vector &) -> Vector { throw 1; });
    e.step(0.1);
    e.step_with(0.1, [](double, const auto &, const auto &, auto &torque) { CHECK(torque.empty()); });
    CHECK(e.count() == 0 && std::fabs(e.time() - 0.2) < 1e-15 && e.orientations().empty() && e.total_kinetic_energy() == 0);
}

static void only_active_bodies_move()
{
    Ensemble e = tops(5);
    const States before = take(e);
    std::vector<std::size_t> asked;
    e.set_torque([&asked](double, std::size_t i, const Quaternion &, const Vector &) {
        asked.push_back(i);
        return Vector{1, 0, 0};
    });
    e.set_active({1, 3});
    e.step(1e-2);
    CHECK((asked == std::vector<std::size_t>{0, 1, 0, 1}));
    const States after = take(e);
    CHECK(after.q[0] == before.q[0] && after.q[1] != before.q[1] && after.q[3] != before.q[3] && after.q[4] == before.q[4]);
    e.step_with(1e-2, [](double, const std::vector<Quaternion> &q, const std::vector<Vector> &, std::vector<Vector> &torque) {
        CHECK(q.size() == 2 && torque.size() == 2);
    });

    e.set_active({});
    e.step(1e-2);
    CHECK(asked.size() == 4);
    CHECK_REFUSED(e.set_active({3, 1}), QI_ERR_INVALID, "`indices`");
    CHECK_REFUSED(e.set_active({5}), QI_ERR_INVALID, "`indices`");
    e.set_all_active();
    e.step(1e-2);
    CHECK(asked.size() == 14 && e.orientations()[0] != before.q[0]);
}

static void threads_change_no_bit()
{
    const std::size_t n = 6000;
    const auto torque = [](double t, std::size_t, const Quaternion &q, const Vector &omega) { return weight(t, q, omega); };
    Ensemble one = tops(n), three = tops(n);
    one.set_torque(torque);
    three.set_torque(torque);
    three.set_threads(3);
    CHECK_REFUSED(three.set_threads(0), QI_ERR_INVALID, "`threads`");
    CHECK(same(after_ten(std::move(one)), after_ten(std::move(three))));
}

static void several_threads_may_read_one_ensemble()
{
    Ensemble e = tops(50);
    e.advance(1e-2, 10);
    const Ensemble &read = e;
    const States expected = take(read);
    std::array<bool, 4> right{};
    std::vector<std::thread> threads;
    for (bool &mine : right) {
        threads.emplace_back([&read, &expected, &mine] {
            mine = true;
            for (int i = 0; i < 100; i++) mine = mine && same(take(read), expected) && read.total_kinetic_energy() > 0;
        });
    }
    for (std::thread &thread : threads) thread.join();
    CHECK(right == std::array<bool, 4>{true, true, true, true});
}

static void the_stage_protocol_has_the_bits_of_a_callback()
{
    const std::size_t n = 300;
    Ensemble asked = tops(n), vectors = tops(n), pointers = tops(n), by_hand = tops(n), raw = tops(n);
    asked.set_torque([](double t, std::size_t, const Quaternion &q, const Vector &omega) { return weight(t, q, omega); });
    std::vector<Quaternion> q;
    std::vector<Vector> omega, torque(n);
    std::vector<double> raw_q(4*n), raw_omega(3*n), raw_torque(3*n);
    double time = 0;
    for (int step = 0; step < 5; step++) {
        asked.step(1e-2);
        vectors.step_with(1e-2, [](double t, const auto &orientation, const auto &spin, auto &each) {
            for (std::size_t i = 0; i < each.size(); i++) each[i] = weight(t, orientation[i], spin[i]);
        });
        pointers.step_with(1e-2, [=](double t, const double *orientation, const double *spin, double *each) {
            for (std::size_t i = 0; i < n; i++) write_weight(t, orientation + 4*i, spin + 3*i, each + 3*i);
        });
        by_hand.begin_step(1e-2);
        while (by_hand.next_stage(time, q, omega)) {
            for (std::size_t i = 0; i < n; i++) torque[i] = weight(time, q[i], omega[i]);
            by_hand.supply_torque(torque);
        }
        raw.begin_step(1e-2);
        while (raw.next_stage(time, raw_q.data(), raw_omega.data())) {
            for (std::size_t i = 0; i < n; i++) {
                raw_torque[3*i + 2] = 0;
                write_weight(time, &raw_q[4*i], &raw_omega[3*i], &raw_torque[3*i]);
            }
            raw.supply_torque(raw_torque.data());
        }
    }
    const States expected = take(asked);
    CHECK(same(take(vectors), expected) && same(take(pointers), expected));
    CHECK(same(take(by_hand), expected) && same(take(raw), expected));
    Ensemble many = tops(n), continued = tops(n);
    many.advance_with(1e-2, 5, [](double t, const auto &orientation, const auto &spin, std::vector<Vector> &each) {
        for (std::size_t i = 0; i < n; i++) each[i] = weight(t, orientation[i], spin[i]);
    });
    std::vector<Quaternion> stage;
    std::vector<Vector> spins;
    continued.begin_steps(1e-2, 5);
    bool asked_for = continued.next_stage(time, stage, spins);
    while (asked_for) {
        std::vector<Vector> each(n);
        for (std::size_t i = 0; i < n; i++) each[i] = weight(time, stage[i], spins[i]);
        asked_for = continued.continue_step(each, time, stage, spins);
    }
    CHECK(same(take(many), expected) && same(take(continued), expected));
    Ensemble columns = tops(n);
    columns.set_stage_layout(Layout::soa);
    for (int step = 0; step < 5; step++)
        columns.step_with(1e-2, [=](double t, const double *orientation, const double *spin, double *each) {
            for (std::size_t i = 0; i < n; i++) {
                const Vector on = weight(t, {orientation[i], orientation[n + i], orientation[2*n + i], orientation[3*n + i]},
                                         {spin[i], spin[n + i], spin[2*n + i]});
                for (std::size_t c = 0; c < 3; c++) each[c*n + i] = on[c];
            }
        });
    CHECK(same(take(columns), expected));
}

static void the_stage_protocol_refuses_what_makes_no_sense()
{
    Ensemble e = tops(3);
    const States before = take(e);
    std::vector<Quaternion> q;
    std::vector<Vector> omega;
    double time = 0;
    CHECK_REFUSED(e.begin_step(NaN), QI_ERR_NON_FINITE, "`dt`");
    CHECK_REFUSED(e.next_stage(time, q, omega), QI_ERR_ORDER, "qi_next_ensemble_stage");
    CHECK_REFUSED(e.supply_torque(std::vector<Vector>(3)), QI_ERR_ORDER, "qi_supply_ensemble_torque");
    e.begin_step(1e-2);
    CHECK_REFUSED(e.begin_step(1e-2), QI_ERR_ORDER, "qi_begin_ensemble_step");
    CHECK_REFUSED(e.step(1e-2), QI_ERR_ORDER, "qi_step_ensemble");
    CHECK(e.next_stage(time, q, omega) && q.size() == 3 && omega.size() == 3);
    CHECK_REFUSED(e.supply_torque(std::vector<Vector>(2)), QI_ERR_INVALID, "supply_torque: 2 torques for 3");
    CHECK_REFUSED(e.continue_step(std::vector<Vector>(2), time, q, omega), QI_ERR_INVALID, "continue_step: 2 torques for 3");
    CHECK_REFUSED(e.continue_step(std::vector<Vector>(3, {0, NaN, 0}), time, q, omega), QI_ERR_NON_FINITE,
                  "qi_continue_ensemble_step");
    CHECK_REFUSED(e.supply_torque(std::vector<Vector>(3, {0, NaN, 0})), QI_ERR_NON_FINITE, "qi_supply_ensemble_torque");
    CHECK_REFUSED(e.set_stage_layout(Layout::soa), QI_ERR_ORDER, "qi_set_ensemble_stage_layout");
    e.cancel_step();
    e.set_stage_layout(Layout::soa);
    CHECK_REFUSED(e.step_with(1e-2, [](double, const auto &, const auto &, std::vector<Vector> &) {}), QI_ERR_INVALID, "step_with: v");
    CHECK_REFUSED(e.next_stage(time, q, omega), QI_ERR_INVALID, "next_stage: vectors for each body");
    CHECK_REFUSED(e.continue_step({}, time, q, omega), QI_ERR_INVALID, "continue_step: vectors for each body");
    e.set_stage_layout(Layout::aos);
    CHECK(same(take(e), before));
    CHECK_REFUSED(e.step_with(NaN, [](double, const double *, const double *, double *) {}), QI_ERR_NON_FINITE, "`dt`");
    e.step(1e-2);
}

static void an_ensemble_that_was_moved_from_refuses_every_use()
{
    Ensemble gone = tops(2), here = std::move(gone);
    std::vector<Quaternion> q = some_orientations(2);
    std::vector<Vector> omega(2);
    std::vector<double> numbers(2);
    std::uint64_t completed = 0;
    double time = 0;
    const Vector v{1, 1, 1};
    const auto each = [](double, std::size_t, const Quaternion &, const Vector &) { return Vector{}; };
    const auto chunk = [](double, std::size_t, std::size_t, const double *, const double *, double *) {};
    CHECK(gone.handle() == nullptr && here.handle() != nullptr);
#define GONE(call) CHECK_REFUSED(gone.call, QI_ERR_NULL, "quatint::Ensemble: used after it was moved from")
    GONE(count());
    GONE(bind(q, omega));
    GONE(set_inertias(aligned));
    GONE(set_orientations(q));
    GONE(get_orientations(q));
    GONE(orientations());
    GONE(set_angular_velocities(omega));
    GONE(get_angular_velocities(omega));
    GONE(angular_velocities());
    GONE(bind_orientations(q));
    GONE(bind_angular_velocities(omega));
    GONE(get_kinetic_energies(numbers));
    GONE(kinetic_energies());
    GONE(get_angular_momenta(omega));
    GONE(angular_momenta());
    GONE(total_kinetic_energy());
    GONE(total_angular_momentum());
    GONE(time());
    GONE(set_time(0));
    GONE(set_torque(each));
    GONE(set_torque(nullptr));
    GONE(set_chunk_torque(chunk));
    GONE(set_chunk_torque(nullptr, Layout::aos, Frame::world, nullptr));
    GONE(set_constant_torque(v));
    GONE(set_uniform_field_torque(v, v));
    GONE(set_gravity_gradient_torque(v, 1));
    GONE(set_linear_drag_torque(v));
    GONE(set_shear_flow_torque(v, 1, shear));
    GONE(set_active({1}));
    GONE(set_all_active());
    GONE(set_threads(2));
    GONE(set_method(Method::cf4));
    GONE(method());
    GONE(kick(0.1, omega));
    GONE(drift(0.1));
    GONE(kick_drift(0.1, 0.1, omega));
    GONE(bind_predicted_velocities(omega, 0.1));
    GONE(unbind_predicted_velocities());
    GONE(bind_flow_gradients(shear));
    GONE(unbind_flow_gradients());
    GONE(set_points({1}, v));
    GONE(point_count());
    GONE(get_point_positions(omega));
    GONE(get_point_positions(v, omega));
    GONE(point_positions());
    GONE(point_positions(v));
    GONE(get_point_velocities(omega));
    GONE(get_point_velocities(v, omega));
    GONE(point_velocities());
    GONE(point_velocities(v));
    GONE(sum_point_forces(omega, omega, omega));
    GONE(set_drag(v));
    GONE(set_drag(v, v));
    GONE(clear_drag());
    GONE(lock_axes(axes::x));
    GONE(lock_axes({axes::x, axes::y}));
    GONE(lock_axes(nullptr, 1));
    GONE(set_rotor_momentum(v));
    GONE(clear_rotor_momentum());
    GONE(step(0.1));
    GONE(advance(0.1, 2));
    GONE(advance(0.1, 2, completed));
    GONE(callback_result());
    GONE(step_with(0.1, [](double, const double *, const double *, double *) {}));
    GONE(set_stage_layout(Layout::soa));
    GONE(begin_step(0.1));
    GONE(next_stage(time, q, omega));
    GONE(next_stage(time, q[0].data(), omega[0].data()));
    GONE(supply_torque(omega));
    GONE(supply_torque(omega[0].data()));
    GONE(cancel_step());
#undef GONE
    gone = std::move(here);
    gone.step(0.1);
    CHECK_REFUSED(here.step(0.1), QI_ERR_NULL, "moved from");
}

static void an_ensemble_moves_with_its_torque_and_its_bound_arrays()
{
    static_assert(!std::is_copy_constructible_v<Ensemble> && !std::is_copy_assignable_v<Ensemble>);
    static_assert(std::is_nothrow_move_constructible_v<Ensemble> && std::is_nothrow_move_assignable_v<Ensemble>);
    std::vector<Quaternion> q = some_orientations(200), expected = q;
    const auto pull = [k = 2.0](double, std::size_t, const Quaternion &o, const Vector &) { return Vector{k * o[1], 0, 1}; };
    Ensemble still(200);
    still.bind_orientations(expected);
    still.set_torque(pull);
    still.advance(1e-2, 10);
    Ensemble first(200);
    first.bind_orientations(q);
    first.set_torque(pull);
    first.advance(1e-2, 5);
    Ensemble second = std::move(first);
    second.advance(1e-2, 5);
    CHECK(same(q, expected));
}

static void bad_time_steps_are_refused_and_change_nothing()
{
    Ensemble e = tops(3);
    const States before = take(e);
    std::uint64_t completed = 7;
    CHECK_REFUSED(e.step(NaN), QI_ERR_NON_FINITE, "qi_step_ensemble: `dt`");
    CHECK_REFUSED(e.advance(NaN, 2), QI_ERR_NON_FINITE, "`dt`");
    CHECK_REFUSED(e.advance(NaN, 2, completed), QI_ERR_NON_FINITE, "`dt`");
    CHECK_REFUSED(e.set_time(INFINITY), QI_ERR_NON_FINITE, "`time`");
    CHECK(completed == 0 && same(take(e), before));
    CHECK_REFUSED(Ensemble(SIZE_MAX / 2), QI_ERR_MEMORY, "qi_create_ensemble");
    e.advance(1e-2, 4, completed);
    CHECK(completed == 4 && e.callback_result() == 0);
    e.set_time(5);
    CHECK(e.time() == 5);
}

static void each_body_has_the_bits_of_a_body_alone_by_every_method()
{
    const std::pair<Method, int> cases[] = {{Method::pcdm, 2 * 20}, {Method::splitting, 1 + 20}, // splittings keep a torque
                                            {Method::splitting_4, 1 + 6 * 20}, {Method::cf4, 4 * 20},
                                            {Method::splitting_6, 1 + 11 * 20}, {Method::force_gradient, 1 + 3 * 20}};
    for (const auto &[method, torques] : cases) {
        Ensemble e = tops(300), staged = tops(300);
        for (Ensemble *one : {&e, &staged}) one->set_method(method);
        e.set_torque([](double t, std::size_t, const Quaternion &q, const Vector &omega) { return weight(t, q, omega); });
        e.set_threads(2);
        const std::vector<Quaternion> start = e.orientations();
        e.advance(1e-2, 20);
        int asked = 0;
        staged.advance_with(1e-2, 20, [&asked](double t, const auto &q, const auto &omega, auto &torque) {
            asked++;
            for (std::size_t i = 0; i < q.size(); i++) torque[i] = weight(t, q[i], omega[i]);
        });
        CHECK(e.method() == method && asked == torques && same(take(staged), take(e)));
        for (const std::size_t i : {std::size_t{0}, std::size_t{129}, std::size_t{299}}) {
            Body body(inertia(i), start[i], {1, 1, 1});
            body.set_torque(weight);
            body.set_method(method);
            body.advance(1e-2, 20);
            CHECK(body.orientation() == e.orientations()[i] && body.angular_velocity() == e.angular_velocities()[i]);
        }
    }
}

static std::vector<Vector> some_torques(std::size_t n)
{
    std::vector<Vector> torques(n);
    for (std::size_t i = 0; i < n; i++) {
        const double x = static_cast<double>(i);
        torques[i] = {std::sin(x), std::cos(3 * x), 0.01 * x};
    }
    return torques;
}

static void kicks_and_drifts_have_the_bits_of_a_body_alone_through_any_view()
{
    struct Grain {
        double mass = 7;
        Vector torque{};
    };
    const std::size_t n = 200;
    const std::vector<Vector> torques = some_torques(n);
    std::vector<Grain> grains(n);
    std::vector<double> in_columns(3*n);
    for (std::size_t i = 0; i < n; i++) {
        grains[i].torque = torques[i];
        for (std::size_t c = 0; c < 3; c++) in_columns[c*n + i] = torques[i][c];
    }
    for (const Frame frame : {Frame::world, Frame::body}) {
        Ensemble packed = tops(n), one_by_one = tops(n), of_members = tops(n), of_columns = tops(n);
        one_by_one.set_threads(2);
        const std::vector<Quaternion> start = packed.orientations();
        packed.kick_drift(0.1, 0.2, torques, frame);
        one_by_one.kick(0.1, soa(in_columns.data(), n), frame);
        one_by_one.drift(0.2);
        of_members.kick_drift(0.1, 0.2, members(grains, &Grain::torque), frame);
        of_columns.kick_drift(0.1, 0.2, soa(in_columns.data(), n), frame);
        const States expected = take(packed);
        CHECK(same(take(one_by_one), expected) && same(take(of_members), expected) && same(take(of_columns), expected));
        for (std::size_t i = 0; i < n; i++) {
            Body body(inertia(i), start[i], {1, 1, 1});
            body.kick(0.1, torques[i], frame);
            body.drift(0.2);
            CHECK(body.orientation() == expected.q[i] && body.angular_velocity() == expected.omega[i]);
        }
    }
    Ensemble by_default = tops(n), world = tops(n), one_for_all = tops(n), each = tops(n);
    by_default.kick(0.1, torques);
    by_default.kick_drift(0.1, 0.2, torques);
    world.kick(0.1, torques, Frame::world);
    world.kick_drift(0.1, 0.2, torques, Frame::world);
    CHECK(same(take(by_default), take(world)));
    one_for_all.kick(0.1, Vector{1, 2, 3});
    each.kick(0.1, std::vector<Vector>(n, {1, 2, 3}));
    CHECK(same(take(one_for_all), take(each)));
}

static void angular_momenta_bound_in_the_world_frame_are_only_added_to()
{
    const std::size_t n = 100;
    std::vector<Vector> momenta(n, {1, 2, 3}), expected = momenta;
    const std::vector<Vector> torques = some_torques(n);
    Ensemble e(n);
    e.set_inertias(aligned);
    e.bind_angular_velocities(momenta, Kind::angmom_world);
    for (int step = 0; step < 50; step++) {
        e.drift(0.3);
        e.kick_drift(0.25, 0.1, torques);
        for (std::size_t i = 0; i < n; i++)
            for (std::size_t c = 0; c < 3; c++) expected[i][c] += 0.25 * torques[i][c];
    }
    CHECK(same(momenta, expected));
}

static void a_kick_that_is_refused_names_the_body_and_changes_nothing()
{
    const std::size_t n = 150;
    std::vector<Quaternion> q = some_orientations(n);
    std::vector<Vector> spins(n, {1, 1, 1}), torques = some_torques(n);
    Ensemble e = tops(n);
    e.bind_orientations(q);
    e.bind_angular_velocities(spins);
    const States before = take(e);
    const auto body_of = [](auto call) {
        try {
            call();
        } catch (const Error &error) {
            return error.body();
        }
        return std::optional<std::size_t>();
    };
    for (const std::size_t threads : {std::size_t{1}, std::size_t{2}}) {
        e.set_threads(threads);
        torques[120][1] = torques[140][0] = NaN;
        CHECK_REFUSED(e.kick(0.1, torques), QI_ERR_NON_FINITE, "qi_kick_ensemble: body 120: the torque is not finite");
        CHECK_REFUSED(e.kick_drift(0.1, 0.1, torques, Frame::body), QI_ERR_NON_FINITE, "qi_kick_drift_ensemble: body 120");
        CHECK(body_of([&] { e.kick(0.1, torques); }) == 120);
        CHECK(body_of([&] { e.kick_drift(0.1, 0.1, torques); }) == 120);
        torques[120][1] = torques[140][0] = 1e300;
        CHECK_REFUSED(e.kick(1e10, torques), QI_ERR_NON_FINITE, "body 120");
    }
    const std::vector<Vector> few(3);
    const std::vector<Quaternion> fours(n);
    CHECK_REFUSED(e.kick(NaN, torques), QI_ERR_NON_FINITE, "qi_kick_ensemble: `duration` is NaN");
    CHECK_REFUSED(e.kick_drift(0.1, NaN, torques), QI_ERR_NON_FINITE, "`drift` is NaN");
    CHECK_REFUSED(e.drift(INFINITY), QI_ERR_NON_FINITE, "qi_drift_ensemble: `duration` is inf");
    CHECK_REFUSED(e.kick(0.1, torques, static_cast<Frame>(7)), QI_ERR_INVALID, "`frame`");
    CHECK_REFUSED(e.kick(0.1, few), QI_ERR_INVALID, "quatint::Ensemble::kick: 3 bodies instead of 150");
    CHECK_REFUSED(e.kick_drift(0.1, 0.1, few), QI_ERR_INVALID, "quatint::Ensemble::kick_drift: 3 bodies instead of 150");
    CHECK_REFUSED(e.kick(0.1, fours), QI_ERR_INVALID, "4 components a body instead of 3");
    CHECK_REFUSED(e.kick(0.1, spins), QI_ERR_INVALID, "`torque` must not overlap a bound array");
    CHECK_REFUSED(e.kick_drift(0.1, 0.1, View(q[0].data(), 4)), QI_ERR_INVALID, "overlap");
    e.begin_step(0.1);
    CHECK_REFUSED(e.kick(0.1, torques), QI_ERR_ORDER, "a step has been begun");
    CHECK_REFUSED(e.drift(0.1), QI_ERR_ORDER, "a step has been begun");
    e.cancel_step();
    CHECK(same(take(e), before));
    q[5] = {2, 0, 0, 0};
    CHECK_REFUSED(e.drift(0.1), QI_ERR_ORIENTATION, "body 5");
}

static void what_c_changes_through_the_handle_is_known_to_the_stages()
{
    Ensemble e = tops(500);
    e.set_active({0, 1});
    CHECK(e.active_count() == 2);
    CHECK(qi_set_ensemble_active(e.handle(), nullptr, 0) == QI_OK);
    CHECK(e.active_count() == 500);
    e.step_with(1e-2, [](double, const std::vector<Quaternion> &q, const std::vector<Vector> &, std::vector<Vector> &torque) {
        CHECK(q.size() == 500 && torque.size() == 500);
    });
    CHECK(qi_set_ensemble_stage_layout(e.handle(), QI_LAYOUT_SOA) == QI_OK);
    CHECK_REFUSED(e.step_with(1e-2, [](double, const std::vector<Quaternion> &, const std::vector<Vector> &, std::vector<Vector> &) {}),
                  QI_ERR_INVALID, "the stage layout is columns");
}

static void only_active_bodies_are_kicked()
{
    const std::vector<Vector> torques = some_torques(5);
    Ensemble e = tops(5), all = tops(5);
    const States before = take(e);
    all.kick_drift(0.1, 0.2, torques);
    e.set_active({1, 3});
    e.kick_drift(0.1, 0.2, torques);
    const States after = take(e), every = take(all);
    for (std::size_t i = 0; i < 5; i++) // the torque is that of the body, not of its position in the list
        CHECK(after.q[i] == (i % 2 == 1 ? every : before).q[i] && after.omega[i] == (i % 2 == 1 ? every : before).omega[i]);
}

static void predicted_velocities_are_written_by_kick_drift_until_they_are_unbound()
{
    const std::size_t n = 100;
    const std::vector<Vector> torques = some_torques(n);
    std::vector<Vector> predicted(n, {7, 7, 7}), spins(n, {1, 1, 1});
    const std::vector<Vector> untouched = predicted;
    Ensemble e = tops(n), later = tops(n);
    e.bind_angular_velocities(spins, Kind::omega_world);
    CHECK_REFUSED(e.bind_predicted_velocities(spins, 0.1), QI_ERR_INVALID, "overlap");
    CHECK_REFUSED(e.bind_predicted_velocities(predicted, NaN), QI_ERR_NON_FINITE, "`ahead` is NaN");
    std::vector<Vector> few(3);
    CHECK_REFUSED(e.bind_predicted_velocities(few, 0.1), QI_ERR_INVALID, "bind_predicted_velocities: 3 bodies instead of 100");

    e.bind_predicted_velocities(predicted, 0.05);
    std::vector<Vector> bad = torques;
    bad[77][2] = NaN;
    CHECK_REFUSED(e.kick_drift(0.05, 0.1, bad), QI_ERR_NON_FINITE, "body 77");
    CHECK(same(predicted, untouched));
    e.kick_drift(0.05, 0.1, torques);
    later.kick_drift(0.05, 0.1, torques);
    CHECK(!same(predicted, untouched));
    const std::vector<Quaternion> start = some_orientations(n), end = later.orientations();
    for (std::size_t i = 0; i < n; i++) { // the prediction is a kick by the torque, held in the body frame, at the end
        Body body(inertia(i), end[i], later.angular_velocities()[i]);
        body.kick(0.05, rotate_inverse(start[i], torques[i]), Frame::body);
        for (std::size_t c = 0; c < 3; c++) CHECK(std::fabs(predicted[i][c] - body.angular_velocity()[c]) < 1e-14);
    }
    e.unbind_predicted_velocities();
    predicted = untouched;
    e.kick_drift(0.05, 0.1, torques);
    CHECK(same(predicted, untouched));
}

static void a_flow_is_one_for_all_or_one_a_body_and_drag_is_cleared()
{
    const std::vector<Vector> torques = some_torques(3), each{{1, 2, 3}, {3, 2, 1}, {2, 2, 4}}, flows{{0, 1, 0}, {1, 0, 2}, {}};
    const Vector one{1, 2, 3};
    const double *const data = each[0].data(), *const flow_data = flows[0].data();
    const auto kicked = [&](auto set) {
        Ensemble e = tops(3);
        set(e);
        e.kick_drift(0.1, 0.2, torques);
        return take(e);
    };
    const auto by_c = [&](const double *c, std::ptrdiff_t stride, const double *f, std::ptrdiff_t flow_stride) {
        return kicked([&](Ensemble &e) { CHECK(qi_set_ensemble_drag(e.handle(), c, stride, f, flow_stride) == QI_OK); });
    };
    const States none = kicked([](Ensemble &) {});
    CHECK(same(kicked([&](Ensemble &e) { e.set_drag(each); }), by_c(data, 3, nullptr, 0)));
    CHECK(same(kicked([&](Ensemble &e) { e.set_drag(one, flows); }), by_c(one.data(), 0, flow_data, 3)));
    CHECK(same(kicked([&](Ensemble &e) { e.set_drag(each, flows), e.clear_drag(); }), none));
    CHECK(!same(by_c(data, 3, flow_data, 3), none) && !same(by_c(data, 3, nullptr, 0), by_c(data, 3, flow_data, 3)));
    CHECK(same(by_c(data, 3, flow_data, 3), kicked([&](Ensemble &e) { // what is refused leaves the drag
        const std::vector<Vector> two(2), bad{one, {0, NaN, 0}, one};
        e.set_drag(each, flows);
        CHECK_REFUSED(e.set_drag(two), QI_ERR_INVALID, "quatint::Ensemble::set_drag: 2 bodies instead of 3");
        CHECK_REFUSED(e.set_drag(one, two), QI_ERR_INVALID, "set_drag: 2 bodies instead of 3");
        CHECK_REFUSED(e.set_drag(ConstView(data, 1, 3)), QI_ERR_INVALID, "side by side");
        CHECK_REFUSED(e.set_drag(bad), QI_ERR_NON_FINITE, "body 1");
        CHECK_REFUSED(e.set_drag(each, bad), QI_ERR_NON_FINITE, "body 1");
    })));
}

static void rotors_are_cleared_and_stay_where_others_are_refused()
{
    const std::vector<Vector> each{{1, 2, 3}, {3, 2, 1}, {0, 0, 4}};
    const Vector one{1, 2, 3};
    const auto moved = [&](auto set) {
        Ensemble e = tops(3);
        set(e);
        e.advance(0.02, 10);
        return take(e);
    };
    const States none = moved([](Ensemble &) {}), own = moved([&](Ensemble &e) { e.set_rotor_momentum(each); });
    const double *const data = each[0].data();
    CHECK(same(none, moved([&](Ensemble &e) { e.set_rotor_momentum(each), e.clear_rotor_momentum(); })));
    CHECK(!same(own, none));
    CHECK(same(own, moved([&](Ensemble &e) { // what is refused leaves the rotors
        const std::vector<Vector> two(2), bad{one, {0, NaN, 0}, one};
        std::vector<Vector> momenta(3);
        e.set_rotor_momentum(each);
        CHECK_REFUSED(e.set_rotor_momentum(two), QI_ERR_INVALID, "quatint::Ensemble::set_rotor_momentum: 2 bodies instead of 3");
        CHECK_REFUSED(e.set_rotor_momentum(ConstView(data, 1, 3)), QI_ERR_INVALID, "side by side");
        CHECK_REFUSED(e.set_rotor_momentum(bad), QI_ERR_NON_FINITE, "body 1");
        CHECK_REFUSED(e.bind_angular_velocities(momenta, Kind::angmom_world), QI_ERR_INVALID, "rotor");
    })));
    Ensemble bound = tops(3);
    std::vector<Vector> momenta(3);
    bound.bind_angular_velocities(momenta, Kind::angmom_world);
    CHECK_REFUSED(bound.set_rotor_momentum(each), QI_ERR_INVALID, "rotor");
}

// Beside one lock the other two moments must be equal.
static Matrix beside(std::int32_t locked)
{
    if (locked == axes::x) return diagonal(1, 2, 2);
    if (locked == axes::y) return diagonal(2, 1, 2);
    return locked == axes::z ? diagonal(2, 2, 3) : aligned;
}

static void each_body_locks_axes_of_its_own_or_all_the_same()
{
    const std::size_t n = 8;
    const Vector torque{0.3, 0.2, 5};
    std::vector<std::int32_t> each, in_records;
    for (std::int32_t i = 0; i < 8; i++) each.push_back(i), in_records.insert(in_records.end(), {i, -1, -1});
    Ensemble a = tops(n), b = tops(n), all = tops(n);
    std::vector<Matrix> inertias;
    for (const std::int32_t locked : each) inertias.push_back(beside(locked));
    for (Ensemble *e : {&a, &b}) e->set_inertias(inertias);
    const Matrix rod = beside(axes::x);
    all.set_inertias(rod);
    a.lock_axes(each);
    b.lock_axes(in_records.data(), 3);
    all.lock_axes(axes::x), all.lock_axes(axes::z);
    for (Ensemble *e : {&a, &b, &all}) e->kick(0.5, torque, Frame::body), e->advance(0.01, 20);
    for (std::size_t i = 0; i < n; i++) {
        Body body(inertias[i], some_orientations(n)[i], {1, 1, 1}), wheel(rod, some_orientations(n)[i], {1, 1, 1});
        body.lock_axes(each[i]), wheel.lock_axes(axes::x | axes::z);
        for (Body *one : {&body, &wheel}) one->kick(0.5, torque, Frame::body), one->advance(0.01, 20);
        CHECK(a.orientations()[i] == body.orientation() && a.angular_velocities()[i] == body.angular_velocity());
        CHECK(all.orientations()[i] == wheel.orientation() && all.angular_velocities()[i] == wheel.angular_velocity());
    }
    CHECK(same(take(a), take(b)));
    Ensemble none(0);
    none.lock_axes(axes::x), none.lock_axes(std::vector<std::int32_t>{});
}

static void axes_that_cannot_be_locked_are_refused()
{
    Ensemble e = tops(3);
    const States before = take(e);
    CHECK_REFUSED(e.lock_axes(axes::x), QI_ERR_INERTIA, "no principal axis");
    CHECK_REFUSED(e.lock_axes({0, axes::y, 0}), QI_ERR_INERTIA, "body 1");
    CHECK_REFUSED(e.lock_axes({0, 0, -1}), QI_ERR_INVALID, "body 2");
    Ensemble boxes = tops(3);
    boxes.set_inertias(aligned);
    CHECK_REFUSED(boxes.lock_axes({axes::x | axes::y, axes::y, 0}), QI_ERR_INVALID,
                  "body 1: `axes` must not lock one axis beside two different moments");
    CHECK(same(take(boxes), before));
    CHECK_REFUSED(e.lock_axes({0, 0}), QI_ERR_INVALID, "quatint::Ensemble::lock_axes: 2 bodies instead of 3");
    CHECK_REFUSED(e.lock_axes(nullptr, 1), QI_ERR_NULL, "`axes` is NULL");
    CHECK(same(take(e), before));
}

struct Clumps {
    static constexpr std::size_t n = 70;
    std::vector<std::size_t> bodies;
    std::vector<Vector> arms, forces, centres, velocities;
    Ensemble ensemble = tops(n);

    Clumps()
    {
        const auto some = [](std::size_t k) { return std::sin(1.7 * static_cast<double>(k)); };
        for (std::size_t i = 0; i < n; i++) {
            centres.push_back({some(i), some(7*i), some(3*i)});
            velocities.push_back({some(5*i), some(11*i), some(2*i)});
            for (std::size_t k = 0; k < i % 4; k++) { // bodies 0, 4, 8, ... have no points
                const std::size_t p = bodies.size();
                bodies.push_back(i);
                arms.push_back({some(p), some(p + 1), some(13*p)});
                forces.push_back({some(p + 2), some(3*p), some(5*p)});
            }
        }
        ensemble.set_points(bodies, arms);
    }
};

static Vector cross(const Vector &a, const Vector &b)
{
    return {a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]};
}

static double difference(const Vector &a, const Vector &b)
{
    return std::fabs(a[0] - b[0]) + std::fabs(a[1] - b[1]) + std::fabs(a[2] - b[2]);
}

static void points_are_where_their_bodies_carry_them()
{
    const Clumps c;
    const Ensemble &e = c.ensemble;
    const std::size_t n = Clumps::n;
    const std::vector<Vector> x = e.point_positions(c.centres), v = e.point_velocities(c.velocities);
    const std::vector<Quaternion> q = e.orientations();
    std::vector<Vector> force(n, {7, 7, 7}), torque = force, expected_force(n), expected_torque(n);
    e.sum_point_forces(c.forces, force, torque);
    CHECK(e.point_count() == c.bodies.size() && x.size() == e.point_count());
    for (std::size_t p = 0; p < x.size(); p++) {
        const std::size_t i = c.bodies[p];
        const Vector arm = rotate(q[i], c.arms[p]), turned = cross({1, 1, 1}, arm), moment = cross(arm, c.forces[p]);
        Vector place, velocity;
        for (std::size_t k = 0; k < 3; k++) {
            place[k] = c.centres[i][k] + arm[k], velocity[k] = c.velocities[i][k] + turned[k];
            expected_force[i][k] += c.forces[p][k], expected_torque[i][k] += moment[k];
        }
        CHECK(difference(x[p], place) < 1e-14 && difference(v[p], velocity) < 1e-14);
        CHECK(difference(e.point_positions()[p], arm) < 1e-14 && difference(e.point_velocities()[p], turned) < 1e-14);
    }
    for (std::size_t i = 0; i < n; i++)
        CHECK(difference(force[i], expected_force[i]) < 1e-13 && difference(torque[i], expected_torque[i]) < 1e-13);
}

static void points_are_written_through_any_view_and_sums_may_be_left_out()
{
    Clumps c;
    Ensemble &e = c.ensemble;
    const std::size_t n = Clumps::n, points = c.bodies.size();
    const std::vector<Vector> x = e.point_positions(Vector{1, 2, 3}), v = e.point_velocities(Vector{1, 2, 3});
    std::vector<double> in_columns(3 * points), fours(4 * points, 7);
    e.get_point_positions(Vector{1, 2, 3}, soa(in_columns.data(), points));
    e.get_point_velocities(Vector{1, 2, 3}, View(fours.data(), 4, 1, points, 3));
    for (std::size_t p = 0; p < points; p++)
        for (std::size_t k = 0; k < 3; k++) CHECK(in_columns[k*points + p] == x[p][k] && fours[4*p + k] == v[p][k] && fours[4*p + 3] == 7);
    std::vector<Vector> force(n), torque(n), alone(n), predicted(n, {1, 2, 3});
    e.sum_point_forces(c.forces, force, torque);
    e.sum_point_forces(c.forces, alone, std::nullopt);
    CHECK(same(alone, force));
    e.sum_point_forces(c.forces, std::nullopt, alone);
    CHECK(same(alone, torque));

    e.bind_predicted_velocities(predicted, 0.1);
    const std::vector<Vector> later = e.point_velocities(Omega::predicted), arms = e.point_positions();
    for (std::size_t p = 0; p < points; p++) CHECK(difference(later[p], cross({1, 2, 3}, arms[p])) < 1e-14);
    CHECK(same(e.point_velocities(Vector{}, Omega::predicted), later) && !same(e.point_velocities(), later));
}

static void points_that_do_not_fit_are_refused()
{
    Clumps c;
    Ensemble &e = c.ensemble;
    std::vector<Vector> few(3), sums(Clumps::n), places(c.bodies.size());
    std::vector<Quaternion> four(c.bodies.size());
    CHECK_REFUSED(e.set_points({2, 1, 3}, few), QI_ERR_INVALID, "ascending");
    CHECK_REFUSED(e.set_points({1, 2}, few), QI_ERR_INVALID, "quatint::Ensemble::set_points: 3 points instead of 2");
    CHECK_REFUSED(e.set_points(c.bodies, four), QI_ERR_INVALID, "4 components a point instead of 3");
    CHECK_REFUSED(e.get_point_positions(few), QI_ERR_INVALID, "get_point_positions: 3 points instead of 103");
    CHECK_REFUSED(e.get_point_positions(few, places), QI_ERR_INVALID, "get_point_positions: 3 bodies instead of 70");
    CHECK_REFUSED(e.get_point_velocities(few), QI_ERR_INVALID, "get_point_velocities: 3 points instead of 103");
    CHECK_REFUSED(e.point_velocities(Omega::predicted), QI_ERR_INVALID, "bound");
    CHECK_REFUSED(e.sum_point_forces(few, sums, sums), QI_ERR_INVALID, "sum_point_forces: 3 points instead of 103");
    CHECK_REFUSED(e.sum_point_forces(places, few, std::nullopt), QI_ERR_INVALID, "sum_point_forces: 3 bodies instead of 70");
    CHECK_REFUSED(e.sum_point_forces(places, sums, sums), QI_ERR_INVALID, "overlap");
    CHECK(e.point_count() == 103); // what is refused leaves the points
    e.set_points({}, few = {});
    CHECK(e.point_count() == 0 && e.point_positions().empty());
    e.resize(3);
    CHECK_REFUSED(e.point_count(), QI_ERR_ORDER, "no points");
}

template <class T, class = void>
constexpr bool binds = false;
template <class T>
constexpr bool binds<T, std::void_t<decltype(std::declval<Ensemble &>().bind_flow_gradients(std::declval<T>()))>> = true;

static void a_gradient_at_each_body_acts_as_on_a_body_alone_until_it_is_unbound()
{
    const std::size_t n = 3;
    const Vector axes{0.3, 0.2, 0.7};
    std::vector<Matrix> gradients(n);
    Ensemble e = tops(n), plain = tops(n);
    e.set_shear_flow_torque(axes, 0.1, shear), plain.set_shear_flow_torque(axes, 0.1, shear);
    e.bind_flow_gradients(gradients);
    std::vector<Body> alone;
    for (std::size_t i = 0; i < n; i++) alone.emplace_back(inertia(i), some_orientations(n)[i], Vector{1, 1, 1});
    for (std::size_t step = 0; step < 10; step++) {
        for (std::size_t i = 0; i < n; i++) {
            for (std::size_t k = 0; k < 9; k++) gradients[i][k] = std::sin(static_cast<double>(k + 9*i + 30*step));
            alone[i].set_shear_flow_torque(axes, 0.1, gradients[i]);
            alone[i].step(0.02);
        }
        e.step(0.02);
    }
    for (std::size_t i = 0; i < n; i++) CHECK(e.orientations()[i] == alone[i].orientation());

    e.set_orientations(plain.orientations()), e.set_angular_velocities(plain.angular_velocities());
    e.set_clock(plain.clock());
    e.unbind_flow_gradients();
    CHECK(same(after_ten(std::move(e)), after_ten(std::move(plain))));
    static_assert(binds<std::vector<Matrix> &> && binds<const Matrix &> && binds<View> && binds<ConstView>);
    static_assert(!binds<std::vector<Matrix>> && !binds<Matrix>); // temporaries
}

static void gradients_that_cannot_be_read_are_refused()
{
    Ensemble e = tops(3);
    std::vector<Matrix> gradients(3), few(2);
    e.set_shear_flow_torque(Vector{1, 2, 3}, 0.1, shear);
    CHECK_REFUSED(e.bind_flow_gradients(few), QI_ERR_INVALID, "quatint::Ensemble::bind_flow_gradients: 2 bodies instead of 3");
    CHECK_REFUSED(e.bind_flow_gradients(View(gradients[0].data(), 1, 3)), QI_ERR_INVALID, "side by side");
    e.bind_flow_gradients(gradients);
    gradients[1][8] = NaN;
    CHECK_REFUSED(e.bind_flow_gradients(gradients), QI_ERR_NON_FINITE, "body 1");
    CHECK_REFUSED(e.step(0.1), QI_ERR_NON_FINITE, "body 1");
    gradients[1][8] = 0;
    e.step(0.1);
    e.resize(2);
    CHECK_REFUSED(e.step(0.1), QI_ERR_ORDER, "bind them again");
    e.bind_flow_gradients(shear);
    e.step(0.1);
}

static void kicks_of_no_bodies_are_fine()
{
    Ensemble e(0);
    std::vector<Vector> none;
    e.bind_predicted_velocities(none, 0.1);
    e.kick(0.1, none);
    e.kick_drift(0.1, 0.1, none);
    e.drift(0.1);
    CHECK(std::fabs(e.time() - 0.2) < 1e-15);
}

static void the_method_is_chosen_between_steps()
{
    Ensemble e(3);
    CHECK(e.method() == Method::pcdm);
    e.set_method(Method::cf4);
    CHECK(e.method() == Method::cf4);
    CHECK_REFUSED(e.set_method(static_cast<Method>(99)), QI_ERR_INVALID, "`method` must be");
    e.begin_step(0.1);
    CHECK_REFUSED(e.set_method(Method::pcdm), QI_ERR_ORDER, "a step has been begun");
    e.cancel_step();
    CHECK(e.method() == Method::cf4);
}

int main()
{
    RUN(each_body_has_the_bits_of_a_body_alone_by_every_method);
    RUN(kicks_and_drifts_have_the_bits_of_a_body_alone_through_any_view);
    RUN(angular_momenta_bound_in_the_world_frame_are_only_added_to);
    RUN(a_kick_that_is_refused_names_the_body_and_changes_nothing);
    RUN(only_active_bodies_are_kicked);
    RUN(predicted_velocities_are_written_by_kick_drift_until_they_are_unbound);
    RUN(each_body_locks_axes_of_its_own_or_all_the_same);
    RUN(axes_that_cannot_be_locked_are_refused);
    RUN(points_are_where_their_bodies_carry_them);
    RUN(points_are_written_through_any_view_and_sums_may_be_left_out);
    RUN(points_that_do_not_fit_are_refused);
    RUN(a_gradient_at_each_body_acts_as_on_a_body_alone_until_it_is_unbound);
    RUN(gradients_that_cannot_be_read_are_refused);
    RUN(a_flow_is_one_for_all_or_one_a_body_and_drag_is_cleared);
    RUN(rotors_are_cleared_and_stay_where_others_are_refused);
    RUN(kicks_of_no_bodies_are_fine);
    RUN(the_method_is_chosen_between_steps);
    RUN(a_generic_ensemble_comes_where_it_comes_in_every_language);
    RUN(every_kind_of_torque_has_the_same_bits);
    RUN(a_torque_is_told_which_body_it_is_for);
    RUN(a_torque_that_is_refused_leaves_the_one_before);
    RUN(inertias_are_one_for_all_or_one_a_body);
    RUN(states_go_in_and_come_out_through_any_view);
    RUN(views_that_do_not_fit_are_refused_and_nothing_changes);
    RUN(a_view_of_more_bodies_than_the_ensemble_has_is_refused);
    RUN(members_of_structs_are_bound_in_place);
    RUN(angular_momenta_are_bound_too);
    RUN(an_ensemble_of_no_bodies_steps);
    RUN(only_active_bodies_move);
    RUN(what_c_changes_through_the_handle_is_known_to_the_stages);
    RUN(threads_change_no_bit);
    RUN(several_threads_may_read_one_ensemble);
    RUN(the_stage_protocol_has_the_bits_of_a_callback);
    RUN(the_stage_protocol_refuses_what_makes_no_sense);
    RUN(an_ensemble_that_was_moved_from_refuses_every_use);
    RUN(an_ensemble_moves_with_its_torque_and_its_bound_arrays);
    RUN(bad_time_steps_are_refused_and_change_nothing);
    return 0;
}
