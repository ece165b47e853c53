// Random torques, ids and what thermostats need. tests/rust/langevin.rs tests the statistics in depth.
#include "check.hpp"

static const std::size_t n = 70;
static const Vector drag{1, 0.5, 2}, fluid{0, 0.3, 0.1}, arm{0, 0, 1}, field{0.2, 0, -1};
static const double kt = 0.7;
static const std::uint64_t seed = ~std::uint64_t(6);

static std::uint64_t id_of(std::size_t i) { return (std::uint64_t(i) << 62) + 1000003 * i; }

// The torque, the method and the random torques that a restart sets again.
static Ensemble set_up(Method method)
{
    Ensemble e(n);
    e.set_uniform_field_torque(arm, field);
    e.set_method(method);
    e.set_langevin(drag, kt, seed, fluid);
    return e;
}

static Ensemble start(Method method)
{
    Ensemble e = set_up(method);
    e.set_inertias(diagonal(1, 2, 3));
    e.set_angular_velocities(Vector{0.1, -0.2, 0.3});
    std::vector<std::uint64_t> ids(n);
    for (std::size_t i = 0; i < n; i++) ids[i] = id_of(i);
    e.set_ids(ids);
    e.set_noise_draws(1000);
    return e;
}

static const Method methods[] = {Method::splitting, Method::brownian};

static void a_restart_has_the_same_bits()
{
    for (const Method method : methods) {
        Ensemble run = start(method), first = start(method), second = set_up(method);
        run.advance(0.1, 20);
        first.advance(0.1, 10);
        second.set_noise_draws(first.noise_draws());
        second.set_clock(first.clock());
        second.set_rows(parts::all | parts::id, first.rows(parts::all | parts::id));
        second.advance(0.1, 10);
        CHECK(same(second.rows(), run.rows()) && second.clock() == run.clock() && second.noise_draws() == run.noise_draws());
    }
}

static void ids_go_with_the_bodies()
{
    Ensemble e = start(Method::splitting), run = start(Method::splitting);
    CHECK(e.ids().size() == n && e.ids()[69] == id_of(69));
    std::vector<std::size_t> backwards(n);
    for (std::size_t i = 0; i < n; i++) backwards[i] = n - 1 - i;
    e.select(backwards);
    CHECK(e.ids()[0] == id_of(69));
    run.advance(0.1, 10);
    e.advance(0.1, 10);
    CHECK(same(e.rows(parts::state, backwards), run.rows(parts::state)));
    e.resize(2);
    e.set_ids({7, 5});
    e.resize(3);
    CHECK((e.ids() == std::vector<std::uint64_t>{7, 5, 8}));
    e.set_ids({});
    CHECK((e.ids() == std::vector<std::uint64_t>{0, 1, 2}));
}

static void drag_and_flow_are_one_for_all_or_each()
{
    Ensemble one = start(Method::splitting), each = start(Method::splitting);
    std::vector<Vector> drags(n, drag), flows(n, fluid);
    each.set_langevin(drags, kt, seed, flows);
    one.step(0.1);
    each.step(0.1);
    CHECK(same(one.rows(parts::state), each.rows(parts::state)));
    for (std::size_t i = 0; i < n; i++) flows[i][1] = 0.01 * static_cast<double>(i);
    each.set_langevin(drag, 0, seed, flows);
    each.thermalize(1e3);
    std::vector<Vector> omega(n);
    each.get_angular_velocities(omega);
    for (std::size_t i = 0; i < n; i++) {
        for (std::size_t c = 0; c < 3; c++) CHECK(std::fabs(omega[i][c] - flows[i][c]) < 1e-14);
    }
    each.set_langevin(drag, 0, seed); // in a fluid at rest
    each.thermalize(1e3);
    CHECK(each.total_kinetic_energy() < 1e-24);

    Body body(diagonal(1, 2, 3), {1, 0, 0, 0}, {1, 1, 1});
    body.set_langevin(drag, 0, seed, 1);
    body.thermalize(0.5);
    for (std::size_t c = 0; c < 3; c++) {
        CHECK(std::fabs(body.angular_velocity_body()[c] - std::exp(-0.5 * drag[c] / static_cast<double>(c + 1))) < 1e-14);
    }
}

static void angular_momenta_are_scaled_and_degrees_of_freedom_counted()
{
    Ensemble e = start(Method::splitting);
    const double energy = e.total_kinetic_energy();
    e.scale_angular_momenta(0.5);
    CHECK(std::fabs(e.total_kinetic_energy() / energy - 0.25) < 1e-14 && e.degrees_of_freedom() == 3 * n);
    e.set_inertias(diagonal(2, 2, 0)); // linear molecules
    CHECK(e.degrees_of_freedom() == 2 * n);
    e.set_active({3, 5});
    CHECK(e.degrees_of_freedom() == 4);
    const Body rod(diagonal(2, 2, 0), {1, 0, 0, 0}, {1, 0, 5});
    CHECK((rod.angular_velocity() == Vector{1, 0, 0}));
}

static void what_does_not_go_with_random_torques_is_refused()
{
    Ensemble e = start(Method::splitting);
    Body body = top();
    body.set_langevin(drag, kt, seed, 1);
    CHECK_REFUSED(body.step(0.1), QI_ERR_INVALID, "no other takes random torques");
    body.set_method(Method::splitting);
    CHECK_REFUSED(body.step(-0.1), QI_ERR_INVALID, "no way back");
    CHECK_REFUSED(body.thermalize(-0.1), QI_ERR_INVALID, "no way back");
    CHECK_REFUSED(body.set_langevin({1, -1, 1}, kt, seed, 1), QI_ERR_INVALID, "must not be negative");
    CHECK_REFUSED(e.set_langevin(drag, -kt, seed), QI_ERR_INVALID, "must not be negative");
    CHECK_REFUSED(e.set_drag(drag), QI_ERR_INVALID, "bring their own");
    CHECK_REFUSED(e.set_ids({1, 2}), QI_ERR_CAPACITY, "one id for each body");
    CHECK_REFUSED(e.scale_angular_momenta(NaN), QI_ERR_NON_FINITE, "`factor` is NaN");
    CHECK_REFUSED(e.thermalize(NaN), QI_ERR_NON_FINITE, "`duration` is NaN");
    body.clear_langevin();
    e.clear_langevin();
    CHECK_REFUSED(body.thermalize(0.1), QI_ERR_INVALID, "must have random torques");
    CHECK_REFUSED(e.thermalize(0.1), QI_ERR_INVALID, "must have random torques");

    const Ensemble other_e = std::move(e);
    const Body other_body = std::move(body);
    CHECK_REFUSED(body.set_langevin(drag, kt, seed, 1), QI_ERR_NULL, "");
    CHECK_REFUSED(body.clear_langevin(), QI_ERR_NULL, "");
    CHECK_REFUSED(body.thermalize(1), QI_ERR_NULL, "");
    CHECK_REFUSED(body.noise_draws(), QI_ERR_NULL, "");
    CHECK_REFUSED(body.set_noise_draws(1), QI_ERR_NULL, "");
    CHECK_REFUSED(e.set_langevin(drag, kt, seed), QI_ERR_NULL, "");
    CHECK_REFUSED(e.clear_langevin(), QI_ERR_NULL, "");
    CHECK_REFUSED(e.thermalize(1), QI_ERR_NULL, "");
    CHECK_REFUSED(e.noise_draws(), QI_ERR_NULL, "");
    CHECK_REFUSED(e.set_noise_draws(1), QI_ERR_NULL, "");
    CHECK_REFUSED(e.set_ids({}), QI_ERR_NULL, "");
    CHECK_REFUSED(e.ids(), QI_ERR_NULL, "");
    CHECK_REFUSED(e.scale_angular_momenta(1), QI_ERR_NULL, "");
    CHECK_REFUSED(e.degrees_of_freedom(), QI_ERR_NULL, "");
}

int main()
{
    RUN(a_restart_has_the_same_bits);
    RUN(ids_go_with_the_bodies);
    RUN(drag_and_flow_are_one_for_all_or_each);
    RUN(angular_momenta_are_scaled_and_degrees_of_freedom_counted);
    RUN(what_does_not_go_with_random_torques_is_refused);
}
