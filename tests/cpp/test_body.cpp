// Body: every member, with valid and invalid input.
#include "check.hpp"
#include <thread>

Body made_elsewhere();

static void a_body_has_the_bits_of_its_c_body()
{
    const Matrix inertia{2, 0.1, 0, 0.1, 3, 0.2, 0, 0.2, 4};
    const Quaternion start{0.5, -0.5, 0.5, 0.5};
    const Vector omega{1, 2, -3};
    Body body(inertia, start, omega);
    qi_body *c = qi_create_body(inertia.data(), start.data(), omega.data(), nullptr);
    CHECK(c != nullptr && qi_set_torque(c, c_weight, nullptr) == QI_OK && qi_advance(c, 1e-2, 50, nullptr) == QI_OK);
    body.set_torque(weight);
    body.advance(1e-2, 50);

    Snapshot expected{};
    CHECK(qi_get_orientation(c, expected.orientation.data()) == QI_OK);
    CHECK(qi_get_angular_velocity_body(c, expected.omega.data()) == QI_OK);
    CHECK(qi_get_time(c, &expected.time) == QI_OK);
    CHECK(same(take(body), expected));

    Vector world, momentum;
    double energy = 0;
    CHECK(qi_get_angular_velocity(c, world.data()) == QI_OK && world == body.angular_velocity());
    CHECK(qi_get_angular_momentum(c, momentum.data()) == QI_OK && momentum == body.angular_momentum());
    CHECK(qi_get_kinetic_energy(c, &energy) == QI_OK && same(energy, body.kinetic_energy()));
    qi_destroy_body(c);
}

static void a_body_made_in_another_translation_unit_has_the_same_bits()
{
    Body here = top();
    here.set_torque(write_weight);
    CHECK(same(after_hundred(made_elsewhere()), after_hundred(std::move(here))));
}

static void bad_inertia_and_nan_are_refused_by_the_constructor()
{
    CHECK_REFUSED(Body(diagonal(1, 1, -1)), QI_ERR_INERTIA, "qi_create_body: ");
    CHECK_REFUSED(Body({1, 0.5, 0, 0, 1, 0, 0, 0, 1}), QI_ERR_INERTIA, "symmetric");
    CHECK_REFUSED(Body(diagonal(1, NaN, 1)), QI_ERR_NON_FINITE, "`inertia[4]`");
    CHECK_REFUSED(Body(diagonal(1, 1, 1), {1, 1, 0, 0}), QI_ERR_ORIENTATION, "`orientation`");
    CHECK_REFUSED(Body(diagonal(1, 1, 1), {1, 0, 0, 0}, {0, NaN, 0}), QI_ERR_NON_FINITE, "`angular_velocity[1]`");
}

static void a_line_does_not_turn_about_itself()
{
    Body line(diagonal(0, 2, 2), {1, 0, 0, 0}, {1, 0, 3});
    line.kick(1, {5, 0, 2}, Frame::body);
    const Vector expected{0, 0, 4};
    CHECK(line.angular_velocity_body() == expected && line.kinetic_energy() == 16);
    CHECK_REFUSED(Body(diagonal(0, 1, 2)), QI_ERR_INERTIA, "one is zero and the others are equal");
}

static void a_body_begins_at_the_identity_and_at_rest()
{
    const Body body(diagonal(1, 2, 3));
    CHECK(same(take(body), Snapshot{{1, 0, 0, 0}, {0, 0, 0}, 0}) && body.callback_result() == 0);
}

// With the numbers of tests/rust/every_language.rs, as in every language.
static void a_generic_body_comes_where_it_comes_in_every_language()
{
    const Quaternion end{0.4591273469192799, -0.5026845302823357, 0.1801445488229428, 0.7099706218253464};
    const Vector end_omega{0.7566512967365715, -0.8861596187131292, 0.9622951882072567};
    const Vector end_omega_body{-1.318525692064565, -0.37332023040899964, -0.6371295699234223};
    Body body = top();
    body.set_torque([](double t, const Quaternion &q, const Vector &omega) {
        return Vector{0.3 + q[1]*q[2] - 0.2*omega[1], 0.1*t - q[0]*q[3], 0.2 + q[2]*q[3] + 0.3*omega[0]};
    });
    body.advance(0.01, 100);
    for (std::size_t c = 0; c < 4; c++) CHECK(std::fabs(body.orientation()[c] - end[c]) < 1e-14);
    for (std::size_t c = 0; c < 3; c++) {
        CHECK(std::fabs(body.angular_velocity()[c] - end_omega[c]) < 1e-14);
        CHECK(std::fabs(body.angular_velocity_body()[c] - end_omega_body[c]) < 1e-14);
    }
}

static void a_step_of_nan_is_refused_and_changes_nothing()
{
    Body body = top();
    body.step(0.1);
    const Snapshot before = take(body);
    std::uint64_t completed = 7;
    CHECK_REFUSED(body.step(NaN), QI_ERR_NON_FINITE, "qi_step: `dt`");
    CHECK_REFUSED(body.advance(INFINITY, 3), QI_ERR_NON_FINITE, "`dt` is inf");
    CHECK_REFUSED(body.advance(NaN, 3, completed), QI_ERR_NON_FINITE, "`dt`");
    CHECK(completed == 0 && same(take(body), before));
}

static void advance_takes_the_steps_and_counts_them()
{
    Body one = top(), many = top(), counted = top();
    for (int i = 0; i < 5; i++) one.step(0.01);
    std::uint64_t completed = 0;
    many.advance(0.01, 5);
    counted.advance(0.01, 5, completed);
    CHECK(completed == 5 && same(take(one), take(many)) && same(take(one), take(counted)));
}

static void states_are_set_and_restored_bit_for_bit()
{
    Body body = top(), other(diagonal(1, 2, 3));
    body.advance(0.01, 7);
    other.set_state_body(body.orientation(), body.angular_velocity_body());
    other.set_time(body.time());
    CHECK(same(take(body), take(other)));
    other.set_state({0, 1, 0, 0}, {1, 2, 3});
    CHECK(other.orientation() == Quaternion{0, 1, 0, 0} && other.angular_velocity() == Vector{1, 2, 3});

    const Snapshot before = take(other);
    CHECK_REFUSED(other.set_state({1, 1, 0, 0}, {1, 2, 3}), QI_ERR_ORIENTATION, "`orientation`");
    CHECK_REFUSED(other.set_state_body({1, 0, 0, 0}, {1, NaN, 3}), QI_ERR_NON_FINITE, "`angular_velocity_body[1]`");
    CHECK_REFUSED(other.set_time(NaN), QI_ERR_NON_FINITE, "`time`");
    CHECK(same(take(other), before));
}

static void what_overflows_is_refused()
{
    const Body body(diagonal(1e150, 1e150, 1e150), {1, 0, 0, 0}, {1e153, 0, 0});
    CHECK_REFUSED(body.kinetic_energy(), QI_ERR_NON_FINITE, "qi_get_kinetic_energy");
    CHECK(body.angular_momentum()[0] > 1e302);
    const Body heavier(diagonal(1e200, 1e200, 1e200), {1, 0, 0, 0}, {1e153, 0, 0});
    CHECK_REFUSED(heavier.angular_momentum(), QI_ERR_NON_FINITE, "qi_get_angular_momentum");
}

template <class Set, class CSet>
static void compare_ready_made(Set set, CSet c_set)
{
    Body body = top(), c = top();
    set(body);
    CHECK(c_set(c.handle()) == QI_OK);
    const Snapshot expected = after_hundred(std::move(c));
    CHECK(same(after_hundred(std::move(body)), expected) && !same(expected, after_hundred(top())));
}

static void ready_made_torques_have_the_bits_of_c()
{
    const Vector a{1, 2, 3}, b{-1, 0.5, 0.25};
    const Matrix shear{0, 1, 0, 0, 0, 0, 0, 0, 0};
    compare_ready_made([&](Body &x) { x.set_constant_torque(a); },
                       [&](qi_body *x) { return qi_set_constant_torque(x, a.data(), QI_FRAME_WORLD); });
    compare_ready_made([&](Body &x) { x.set_constant_torque(a, Frame::body); },
                       [&](qi_body *x) { return qi_set_constant_torque(x, a.data(), QI_FRAME_BODY); });
    compare_ready_made([&](Body &x) { x.set_uniform_field_torque(a, b); },
                       [&](qi_body *x) { return qi_set_uniform_field_torque(x, a.data(), b.data()); });
    compare_ready_made([&](Body &x) { x.set_gravity_gradient_torque(a, 0.5); },
                       [&](qi_body *x) { return qi_set_gravity_gradient_torque(x, a.data(), 0.5); });
    compare_ready_made([&](Body &x) { x.set_linear_drag_torque(a); },
                       [&](qi_body *x) { return qi_set_linear_drag_torque(x, a.data()); });
    compare_ready_made([&](Body &x) { x.set_shear_flow_torque(a, 0.1, shear); },
                       [&](qi_body *x) { return qi_set_shear_flow_torque(x, a.data(), 0.1, shear.data()); });
}

static void a_ready_made_torque_that_is_refused_leaves_the_one_before()
{
    Body body = top(), expected = top();
    body.set_torque(weight);
    expected.set_torque(weight);
    const Vector nan{0, NaN, 0}, one{1, 1, 1};
    CHECK_REFUSED(body.set_constant_torque(nan), QI_ERR_NON_FINITE, "`torque[1]`");
    CHECK_REFUSED(body.set_constant_torque(one, static_cast<Frame>(7)), QI_ERR_INVALID, "`frame`");
    CHECK_REFUSED(body.set_uniform_field_torque(one, nan), QI_ERR_NON_FINITE, "`field_world[1]`");
    CHECK_REFUSED(body.set_gravity_gradient_torque({0, 0, 0}, 1), QI_ERR_INVALID, "`direction_world`");
    CHECK_REFUSED(body.set_linear_drag_torque(nan), QI_ERR_NON_FINITE, "`coefficients[1]`");
    CHECK_REFUSED(body.set_shear_flow_torque({1, 0, 1}, 1, diagonal(1, 1, 1)), QI_ERR_INVALID, "`semi_axes`");
    CHECK(same(after_hundred(std::move(body)), after_hundred(std::move(expected))));
}

static void a_record_is_the_start_and_every_so_many_steps()
{
    Body body = top(), stepped = top();
    const std::vector<Record> rows = body.record(0.01, 7, 3);
    CHECK(rows.size() == 3 && rows[0].time == 0 && rows[0].angular_velocity == top().angular_velocity());
    stepped.advance(0.01, 6);
    CHECK(rows[2].orientation == stepped.orientation() && rows[2].angular_velocity == stepped.angular_velocity());
    CHECK(rows[2].time == stepped.time());
    stepped.step(0.01);
    CHECK(same(take(body), take(stepped)));
    CHECK(body.record(0.01, 4).size() == 5);
}

static void a_record_that_is_refused_moves_nothing_and_one_that_fails_keeps_its_rows()
{
    Body body = top();
    std::vector<Record> rows(2);
    CHECK_REFUSED(body.record(0.01, 7, 0), QI_ERR_INVALID, "`every`");
    CHECK_REFUSED(body.record(NaN, 7, 1, rows), QI_ERR_NON_FINITE, "`dt`");
    CHECK_REFUSED(body.record(0.01, UINT64_MAX / 2, 1), QI_ERR_CAPACITY, "rows");
    CHECK(rows.empty() && same(take(body), take(top())));

    body.set_torque([](double t, const Quaternion &, const Vector &) {
        if (t > 0.045) throw Collision{3, t};
        return Vector{0, 0, 0};
    });
    try {
        body.record(0.01, 100, 2, rows);
        CHECK(false);
    } catch (const Collision &collision) {
        CHECK(collision.body == 3 && std::fabs(collision.time - 0.05) < 1e-12);
    }
    CHECK(rows.size() == 3 && std::fabs(body.time() - 0.05) < 1e-12 && std::fabs(rows[2].time - 0.04) < 1e-12);
}

static void integrate_keeps_no_handle_and_is_all_or_nothing()
{
    Body body = top();
    body.set_torque(weight);
    body.advance(0.01, 20);
    Quaternion q = top().orientation();
    Vector omega{0.3, -0.7, 1.1};
    integrate(GENERIC, q, omega, 0, 0.01, 20, weight);
    CHECK(q == body.orientation() && omega == body.angular_velocity());

    body = top();
    body.advance(0.01, 20);
    q = top().orientation(), omega = {0.3, -0.7, 1.1};
    integrate(GENERIC, q, omega, 0, 0.01, 20);
    CHECK(q == body.orientation() && omega == body.angular_velocity());

    const auto kept = std::make_unique<double>(0.1); // for a move-only callable that throws late
    auto late = [limit = std::make_unique<double>(*kept)](double t, const double *, const double *, double *) {
        if (t > *limit) throw Collision{1, t};
    };
    const Quaternion q_before = q;
    const Vector omega_before = omega;
    try {
        integrate(diagonal(1, 2, 3), q, omega, 0, 0.01, 20, std::move(late));
        CHECK(false);
    } catch (const Collision &collision) {
        CHECK(collision.time > 0.1 && collision.time < 0.12);
    }
    CHECK(q == q_before && omega == omega_before);
    CHECK_REFUSED(integrate(diagonal(1, 2, -3), q, omega, 0, 0.01, 20), QI_ERR_INERTIA, "qi_integrate");
    CHECK_REFUSED(integrate(diagonal(1, 2, 3), q, omega, 0, NaN, 20, weight), QI_ERR_NON_FINITE, "`dt`");
    CHECK(q == q_before && omega == omega_before);
}

static void the_momentum_of_rotors_is_kept_and_counts_in_that_of_the_body()
{
    const Quaternion quarter = orientation_from_axis_angle({0, 0, 1}, std::acos(-1.0) / 2); // body x is world y
    Body body(diagonal(1, 2, 3), quarter, {0, 0, 1});
    CHECK((body.rotor_momentum() == Vector{}));
    const double energy = body.kinetic_energy();
    body.set_rotor_momentum({5, 0, 7});
    CHECK((body.rotor_momentum() == Vector{5, 0, 7}) && same(body.kinetic_energy(), energy));
    const Vector momentum = body.angular_momentum();
    CHECK(std::fabs(momentum[0]) < 1e-14 && std::fabs(momentum[1] - 5) < 1e-14 && std::fabs(momentum[2] - 10) < 1e-14);
    CHECK_REFUSED(body.set_rotor_momentum({1, NaN, 0}), QI_ERR_NON_FINITE, "qi_set_rotor_momentum");
    CHECK((body.rotor_momentum() == Vector{5, 0, 7}));
    Body moved = std::move(body);
    CHECK((moved.rotor_momentum() == Vector{5, 0, 7}));
    moved.clear_rotor_momentum();
    CHECK((moved.rotor_momentum() == Vector{}) && std::fabs(moved.angular_momentum()[2] - 3) < 1e-14);
}

// Its axis z is principal; x and y are not.
static const Matrix PLATE{2, 0.3, 0, 0.3, 3, 0, 0, 0, 4};

static Vector product(const Matrix &m, const Vector &v)
{
    Vector result{};
    for (std::size_t i = 0; i < 3; i++)
        for (std::size_t k = 0; k < 3; k++) result[i] += m[3*i + k] * v[k];
    return result;
}

static bool near(const Vector &a, const Vector &b)
{
    return std::fabs(a[0] - b[0]) < 5e-14 && std::fabs(a[1] - b[1]) < 5e-14 && std::fabs(a[2] - b[2]) < 5e-14;
}

static void another_inertia_keeps_the_velocity_or_the_momentum()
{
    Body body = top();
    const Vector momentum = body.angular_momentum();
    body.set_inertia(PLATE, Keep::angular_momentum);
    CHECK(near(body.angular_momentum(), momentum));
    CHECK(near(product(PLATE, body.angular_velocity_body()), rotate_inverse(body.orientation(), momentum)));
    const Vector omega = body.angular_velocity_body();
    body.set_inertia(GENERIC, Keep::angular_velocity);
    CHECK(body.angular_velocity_body() == omega);
    CHECK(near(product(GENERIC, omega), rotate_inverse(body.orientation(), body.angular_momentum())));

    const Snapshot before = take(body);
    CHECK_REFUSED(body.set_inertia({1, 0.1, 0, 0, 1, 0, 0, 0, 1}, Keep::angular_momentum), QI_ERR_INERTIA, "symmetric");
    CHECK_REFUSED(body.set_inertia(diagonal(1, NaN, 1), Keep::angular_momentum), QI_ERR_NON_FINITE, "`inertia[4]`");
    CHECK_REFUSED(body.set_inertia(PLATE, static_cast<Keep>(2)), QI_ERR_INVALID, "QI_KEEP_ANGULAR_VELOCITY");
    CHECK(same(take(body), before));
}

static void a_body_does_not_turn_about_locked_axes()
{
    Body body = top();
    body.set_inertia(PLATE, Keep::angular_velocity);
    const Vector omega = body.angular_velocity_body(), torque{0.3, 0.2, 5};
    CHECK_REFUSED(body.lock_axes(axes::x), QI_ERR_INERTIA, "no principal axis");
    CHECK_REFUSED(body.lock_axes(8), QI_ERR_INVALID, "QI_AXIS_X");
    body.lock_axes(axes::z);
    CHECK((body.angular_velocity_body()[2] == 0 && near(body.angular_velocity_body(), {omega[0], omega[1], 0})));
    body.kick(1, torque, Frame::body);
    // the inverse of the moments about the free axes, times the torque
    const Vector gain{(3 * 0.3 - 0.3 * 0.2) / 5.91, (2 * 0.2 - 0.3 * 0.3) / 5.91, 0};
    CHECK(near(body.angular_velocity_body(), {omega[0] + gain[0], omega[1] + gain[1], 0}));
    body.set_constant_torque(torque, Frame::body);
    body.advance(0.01, 50);
    CHECK(body.angular_velocity_body()[2] == 0);

    Body wheel = top(), twin = top();
    for (Body *one : {&wheel, &twin}) one->set_inertia(diagonal(1, 2, 3), Keep::angular_velocity);
    wheel.lock_axes(axes::x | axes::z);
    twin.lock_axes(axes::z), twin.lock_axes(axes::x);
    CHECK((wheel.angular_velocity_body() == Vector{0, omega[1], 0} && same(take(wheel), take(twin))));
    wheel.set_inertia(diagonal(1, 2, 4), Keep::angular_velocity); // unlocks
    wheel.kick(1, torque, Frame::body);
    CHECK(near(wheel.angular_velocity_body(), {0.3, omega[1] + 0.1, 1.25}));
}

// In a sphere of inertia I with a rotor of momentum h, Euler's equation is I w' = h x w: w turns about h at the rate h / I.
static void a_rotor_turns_the_angular_velocity_of_a_sphere_about_its_axis()
{
    Body body(diagonal(2, 2, 2), {1, 0, 0, 0}, {1, 0, 0.5});
    body.set_rotor_momentum({0, 0, 3});
    const Vector before = body.angular_momentum();
    body.solve(4, 1e-13);
    const Vector omega = body.angular_velocity_body(), after = body.angular_momentum();
    CHECK(std::fabs(omega[0] - std::cos(6)) < 1e-11 && std::fabs(omega[1] - std::sin(6)) < 1e-11);
    CHECK(std::fabs(omega[2] - 0.5) < 1e-11);
    for (std::size_t i = 0; i < 3; i++) CHECK(std::fabs(after[i] - before[i]) < 1e-11);

    Body stepped(diagonal(2, 2, 2), {1, 0, 0, 0}, {1, 0, 0.5});
    stepped.set_rotor_momentum({0, 0, 3});
    stepped.advance(1e-3, 4000);
    CHECK(orientation_angle(stepped.orientation(), body.orientation()) < 1e-4);
}

// The motor gives the wheel what it takes from the body: without torque of the world, the sum stays.
static void a_motor_has_the_bits_of_c_and_keeps_the_momentum_of_body_and_rotors()
{
    const Vector motor{0.2, -0.1, 0.15}, wheels{0.8, -0.5, 1.1};
    for (const Method method : {Method::pcdm, Method::splitting_4, Method::splitting_6}) {
        Body body = top(), by_c = top();
        for (Body *one : {&body, &by_c}) one->set_torque(nullptr), one->set_method(method), one->set_rotor_momentum(wheels);
        CHECK((body.rotor_torque() == Vector{}));
        const Vector before = body.angular_momentum();
        body.set_rotor_torque(motor);
        CHECK(body.rotor_torque() == motor && qi_set_rotor_torque(by_c.handle(), motor.data()) == QI_OK);
        CHECK_REFUSED(body.set_rotor_torque({1, NaN, 0}), QI_ERR_NON_FINITE, "qi_set_rotor_torque");
        body.advance(0.02, 100);
        CHECK(qi_advance(by_c.handle(), 0.02, 100, nullptr) == QI_OK);
        CHECK(same(take(body), take(by_c)));
        const Vector after = body.angular_momentum(), left = body.rotor_momentum();
        for (std::size_t i = 0; i < 3; i++) {
            CHECK(std::fabs(left[i] - (wheels[i] - 2 * motor[i])) < 1e-13);
            CHECK(std::fabs(after[i] - before[i]) < (method == Method::pcdm ? 1e-2 : 1e-12));
        }
        Body moved = std::move(body);
        CHECK(moved.rotor_torque() == motor);
        moved.clear_rotor_torque();
        CHECK((moved.rotor_torque() == Vector{}) && moved.rotor_momentum() == left);
    }
}

static void a_body_that_was_moved_from_refuses_every_use()
{
    Body gone = top(), here = std::move(gone);
    std::vector<Record> rows;
    std::uint64_t completed = 0;
    const Vector v{1, 1, 1};
    const Quaternion q{1, 0, 0, 0};
    CHECK(gone.handle() == nullptr && here.handle() != nullptr);
#define GONE(call) CHECK_REFUSED(gone.call, QI_ERR_NULL, "quatint::Body: used after it was moved from")
    GONE(set_method(Method::cf4));
    GONE(method());
    GONE(kick(0.1, v));
    GONE(drift(0.1));
    GONE(set_drag(v));
    GONE(set_drag(v, v));
    GONE(clear_drag());
    GONE(set_inertia(GENERIC, Keep::angular_momentum));
    GONE(set_inertia_function([](double) { return GENERIC; }));
    GONE(set_inertia_function(nullptr));
    GONE(lock_axes(axes::x));
    GONE(set_rotor_momentum(v));
    GONE(clear_rotor_momentum());
    GONE(rotor_momentum());
    GONE(set_rotor_torque(v));
    GONE(clear_rotor_torque());
    GONE(rotor_torque());
    GONE(step(0.1));
    GONE(advance(0.1, 2));
    GONE(advance(0.1, 2, completed));
    GONE(record(0.1, 2));
    GONE(record(0.1, 2, 1, rows));
    GONE(orientation());
    GONE(angular_velocity());
    GONE(angular_velocity_body());
    GONE(angular_momentum());
    GONE(kinetic_energy());
    GONE(time());
    GONE(set_time(0));
    GONE(callback_result());
    GONE(set_state(q, v));
    GONE(set_state_body(q, v));
    GONE(set_torque(weight));
    GONE(set_torque(c_weight, nullptr));
    GONE(set_torque(nullptr));
    GONE(set_constant_torque(v));
    GONE(set_uniform_field_torque(v, v));
    GONE(set_gravity_gradient_torque(v, 1));
    GONE(set_linear_drag_torque(v));
    GONE(set_shear_flow_torque(v, 1, diagonal(1, 1, 1)));
#undef GONE
    gone = std::move(here);
    gone.step(0.1);
    CHECK_REFUSED(here.step(0.1), QI_ERR_NULL, "moved from");
}

static void a_body_moves_with_its_torque()
{
    static_assert(!std::is_copy_constructible_v<Body> && !std::is_copy_assignable_v<Body>);
    static_assert(std::is_nothrow_move_constructible_v<Body> && std::is_nothrow_move_assignable_v<Body>);
    Body still = top();
    still.set_torque([k = 2.0](double, const Quaternion &q, const Vector &) { return Vector{k * q[1], 0, 0}; });

    std::vector<Body> bodies; // a growing vector moves its elements
    for (int i = 0; i < 10; i++) {
        Body body = top();
        body.set_torque([k = 2.0](double, const Quaternion &q, const Vector &) { return Vector{k * q[1], 0, 0}; });
        body.step(1e-2);
        bodies.push_back(std::move(body));
    }
    for (int i = 1; i < 100; i++)
        for (Body &body : bodies) body.step(1e-2);
    const Snapshot expected = after_hundred(std::move(still));
    for (const Body &body : bodies) CHECK(same(take(body), expected));
    std::swap(bodies[0], bodies[1]);
    bodies[0].step(1e-2);
}

static void several_threads_may_read_one_body()
{
    Body body = top();
    body.advance(1e-2, 10);
    const Body &read = body;
    const Snapshot expected = take(read);
    std::array<bool, 4> right{};
    std::vector<std::thread> threads;
    for (bool &mine : right) {
        threads.emplace_back([&read, &expected, &mine] {
            mine = true;
            for (int i = 0; i < 1000; i++) mine = mine && same(take(read), expected) && read.kinetic_energy() > 0;
        });
    }
    for (std::thread &thread : threads) thread.join();
    CHECK(right == std::array<bool, 4>{true, true, true, true});
}

static void the_method_is_chosen_by_name_and_keeps_the_state()
{
    Body body = top();
    const Snapshot before = take(body);
    CHECK(body.method() == Method::pcdm);
    body.set_method(Method::cf4);
    CHECK(body.method() == Method::cf4 && same(take(body), before));
    CHECK_REFUSED(body.set_method(static_cast<Method>(99)), QI_ERR_INVALID, "`method` must be");
    CHECK(body.method() == Method::cf4);
    for (const Method each : {Method::pcdm, Method::splitting, Method::splitting_4, Method::cf4, Method::splitting_6,
                              Method::force_gradient}) {
        std::int32_t number = -1;
        body.set_method(each);
        CHECK(qi_get_method(body.handle(), &number) == QI_OK && number == static_cast<std::int32_t>(each));
        CHECK(body.method() == each && same(take(body), before));
    }
    static_assert(static_cast<std::int32_t>(Method::splitting) == QI_METHOD_SPLITTING);
    static_assert(static_cast<std::int32_t>(Method::splitting_4) == QI_METHOD_SPLITTING_4);
    static_assert(static_cast<std::int32_t>(Method::splitting_6) == QI_METHOD_SPLITTING_6);
    static_assert(static_cast<std::int32_t>(Method::force_gradient) == QI_METHOD_FORCE_GRADIENT);
}

static Quaternion orientation_by(Method method, double dt)
{
    Body body = top();
    body.set_torque(weight);
    body.set_method(method);
    body.advance(dt, static_cast<std::uint64_t>(std::lround(2 / dt)));
    return body.orientation();
}

static void halving_the_step_divides_the_error_of_pcdm_by_4_and_that_of_cf4_by_16()
{
    const Quaternion exact = orientation_by(Method::cf4, 1.0 / 4096);
    const auto error = [&](Method method, double dt) { return orientation_angle(orientation_by(method, dt), exact); };
    const double pcdm = error(Method::pcdm, 1.0 / 128), cf4 = error(Method::cf4, 1.0 / 128);
    CHECK(std::fabs(pcdm / error(Method::pcdm, 1.0 / 256) - 4) < 0.1);
    CHECK(std::fabs(error(Method::cf4, 1.0 / 32) / error(Method::cf4, 1.0 / 64) - 16) < 1);
    CHECK(cf4 < 1e-3 * pcdm);
}

static void halving_the_step_divides_the_error_of_the_splittings_by_4_16_and_64()
{
    const Quaternion exact = orientation_by(Method::splitting_6, 1.0 / 256);
    const auto ratio = [&](Method method, double dt) {
        return orientation_angle(orientation_by(method, dt), exact) / orientation_angle(orientation_by(method, dt / 2), exact);
    };
    CHECK(std::fabs(ratio(Method::splitting, 1.0 / 64) - 4) < 0.1);
    CHECK(std::fabs(ratio(Method::splitting_4, 1.0 / 16) - 16) < 1.5);
    CHECK(std::fabs(ratio(Method::force_gradient, 1.0 / 16) - 16) < 1.5);
    CHECK(std::fabs(ratio(Method::splitting_6, 1.0 / 2) - 64) < 10);
}

static void the_splittings_keep_the_last_torque_of_a_step()
{
    const std::pair<Method, int> cases[] = {{Method::splitting, 1}, {Method::splitting_4, 6}, {Method::splitting_6, 11},
                                            {Method::force_gradient, 3}};
    for (const auto &[method, torques] : cases) {
        Body body = top();
        int asked = 0;
        body.set_method(method);
        body.set_torque([&asked](double t, const Quaternion &q, const Vector &omega) { return asked++, weight(t, q, omega); });
        for (int i = 0; i < 10; i++) body.step(1e-2);
        CHECK(asked == 1 + 10 * torques);
        body.set_time(0); // the next step asks anew
        body.advance(1e-2, 10);
        CHECK(asked == 2 + 20 * torques);
    }
}

static void a_torque_that_throws_from_a_splitting_leaves_the_body_where_it_was()
{
    for (const Method method : {Method::splitting, Method::splitting_4, Method::splitting_6, Method::force_gradient}) {
        for (const int bad : {1, 2}) { // the first torque, and one within the step
            Body body = top();
            int asked = 0;
            body.set_method(method);
            body.set_torque([&asked, bad](double t, const Quaternion &, const Vector &) {
                if (++asked == bad) throw Collision{5, t};
                return Vector{0, 0, 1};
            });
            try {
                body.step(0.1);
                CHECK(false);
            } catch (const Collision &collision) {
                CHECK(collision.body == 5 && same(take(body), take(top())));
            }
            body.step(0.1); // the next attempt succeeds
            CHECK(body.time() == 0.1);
        }
    }
}

static void the_splittings_of_order_4_and_6_refuse_ready_made_drag_and_shear_flow()
{
    for (const Method method : {Method::splitting_4, Method::splitting_6, Method::force_gradient}) {
        Body body = top();
        body.set_method(method);
        CHECK_REFUSED(body.set_linear_drag_torque({1, 1, 1}), QI_ERR_INVALID, "angular velocity");
        CHECK_REFUSED(body.set_shear_flow_torque({2, 1, 1}, 1, diagonal(1, 1, 1)), QI_ERR_INVALID, "angular velocity");
        body.set_method(Method::splitting);
        body.set_linear_drag_torque({1, 1, 1});
        CHECK_REFUSED(body.set_method(method), QI_ERR_INVALID, "angular velocity");
        CHECK(body.method() == Method::splitting);
    }
}

static void kicks_and_drifts_have_the_bits_of_c()
{
    const Vector torque{0.3, -0.5, 0.8};
    const auto kicked = [&](auto kick) {
        Body body = top();
        body.step(0.1); // turned, so that the frames differ
        kick(body);
        body.drift(-0.7);
        return take(body);
    };
    const Snapshot by_default = kicked([&](Body &body) { body.kick(0.25, torque); });
    const Snapshot in_body = kicked([&](Body &body) { body.kick(0.25, torque, Frame::body); });
    CHECK(same(by_default, kicked([&](Body &body) {
        CHECK(qi_kick(body.handle(), 0.25, torque.data(), QI_FRAME_WORLD) == QI_OK);
    })));
    CHECK(same(in_body, kicked([&](Body &body) {
        CHECK(qi_kick(body.handle(), 0.25, torque.data(), QI_FRAME_BODY) == QI_OK);
    })));
    CHECK(!same(by_default, in_body));
}

static void a_kick_changes_the_momentum_and_a_drift_keeps_it()
{
    Body body(diagonal(1, 2, 3), {1, 0, 0, 0}, {1, 1, 1});
    body.set_torque([](double, const Quaternion &, const Vector &) -> Vector { throw 1; }); // is not called
    const Vector before = body.angular_momentum();
    const double energy = body.kinetic_energy();
    body.drift(10);
    const Quaternion there = body.orientation();
    CHECK(std::fabs(there[0] - 0.46254544055464282) < 1e-14); // exact; see tests/rust/exact_solutions.rs
    CHECK(body.time() == 10 && std::fabs(body.kinetic_energy() / energy - 1) < 1e-14);
    for (std::size_t c = 0; c < 3; c++) CHECK(std::fabs(body.angular_momentum()[c] - before[c]) < 1e-14);
    body.kick(0.5, {1, 2, 3});
    CHECK(body.orientation() == there && body.time() == 10);
    for (std::size_t c = 0; c < 3; c++)
        CHECK(std::fabs(body.angular_momentum()[c] - before[c] - 0.5 * static_cast<double>(c + 1)) < 1e-14);
}

static void kick_drift_kick_is_the_splitting_method()
{
    Body by_hand = top(), by_method = top();
    by_method.set_torque(weight);
    by_method.set_method(Method::splitting);
    by_method.advance(1e-2, 500);
    Vector torque = weight(0, by_hand.orientation(), {});
    for (int i = 0; i < 500; i++) {
        by_hand.kick(0.5e-2, torque);
        by_hand.drift(1e-2);
        torque = weight(0, by_hand.orientation(), {});
        by_hand.kick(0.5e-2, torque);
    }
    CHECK(orientation_angle(by_hand.orientation(), by_method.orientation()) < 1e-12 && by_hand.time() == by_method.time());
}

static void a_kick_or_drift_that_is_refused_changes_nothing()
{
    Body body = top();
    body.step(0.1);
    const Snapshot before = take(body);
    CHECK_REFUSED(body.kick(NaN, {1, 0, 0}), QI_ERR_NON_FINITE, "qi_kick: `duration` is NaN");
    CHECK_REFUSED(body.kick(0.1, {0, NaN, 0}), QI_ERR_NON_FINITE, "`torque[1]`");
    CHECK_REFUSED(body.kick(0.1, {1, 0, 0}, static_cast<Frame>(7)), QI_ERR_INVALID, "`frame`");
    CHECK_REFUSED(body.kick(1e10, {1e300, 0, 0}), QI_ERR_NON_FINITE, "overflows");
    CHECK_REFUSED(body.drift(INFINITY), QI_ERR_NON_FINITE, "qi_drift: `duration` is inf");
    CHECK(same(take(body), before));
}

static void drag_has_the_bits_of_c_and_is_cleared()
{
    const Vector c{1, 2, 3}, flow{0.5, -1, 2};
    const auto kicked = [](auto set) {
        Body body = top();
        set(body);
        body.kick(0.1, {1, 0, 0});
        return take(body);
    };
    const Snapshot none = kicked([](Body &) {});
    const Snapshot still = kicked([&](Body &body) { body.set_drag(c); });
    const Snapshot flowing = kicked([&](Body &body) { body.set_drag(c, flow); });
    CHECK(same(still, kicked([&](Body &body) { CHECK(qi_set_drag(body.handle(), c.data(), nullptr) == QI_OK); })));
    CHECK(same(flowing, kicked([&](Body &body) { CHECK(qi_set_drag(body.handle(), c.data(), flow.data()) == QI_OK); })));
    CHECK(same(none, kicked([&](Body &body) { body.set_drag(c, flow), body.clear_drag(); })));
    CHECK(!same(none, still) && !same(still, flowing));
    CHECK(same(flowing, kicked([&](Body &body) { // what is refused leaves the drag
        body.set_drag(c, flow);
        CHECK_REFUSED(body.set_drag({1, NaN, 1}), QI_ERR_NON_FINITE, "`coefficients[1]`");
        CHECK_REFUSED(body.set_drag(c, {NaN, 0, 0}), QI_ERR_NON_FINITE, "`flow[0]`");
    })));
}

static void what_acts_is_asked_once_and_an_exception_comes_through()
{
    Body body(quatint::diagonal(1, 2, 4), {1, 0, 0, 0}, {0, 0, 3});
    int calls = 0;
    body.set_torque([&calls](double, const Quaternion &, const Vector &) {
        if (++calls == 3) throw std::runtime_error("no torque");
        return Vector{0, 0, 2};
    });
    body.set_rotor_torque({0, 0, 4});
    CHECK((body.acting_torque() == Vector{0, 0, 6} && body.angular_acceleration() == Vector{0, 0, 1.5} && calls == 2));
    bool thrown = false;
    try {
        (void)body.acting_torque();
    } catch (const std::runtime_error &) {
        thrown = true;
    }
    CHECK(thrown);
    body.forget_torque();
}

static void a_body_restarts_from_its_row_with_the_same_bits()
{
    const auto made = [] {
        Body body({3, 0.4, -0.2, 0.4, 5, 0.3, -0.2, 0.3, 7}, {0.5, -0.5, 0.1, 0.7}, {1, 0.5, 2});
        body.set_method(Method::splitting);
        body.set_torque([](double t, const Quaternion &q, const Vector &omega) { return Vector{std::sin(t) - omega[0], q[1], q[2] * omega[1]}; });
        body.set_drag({0.3, 2, 5});
        return body;
    };
    Body left = made(), restarted = made();
    left.advance(0.05, 20);
    const auto row = left.row(parts::all | parts::id);
    CHECK(row.size() == left.row_size(parts::all | parts::id) && row.size() == 7 + 7 + 6 + 7 + 1);
    restarted.set_row(parts::all | parts::id, row);
    restarted.set_clock(left.clock());
    left.advance(0.05, 20);
    restarted.advance(0.05, 20);
    CHECK(same(take(left), take(restarted)));
    CHECK_REFUSED(restarted.set_row(parts::state, row), QI_ERR_CAPACITY, "28 numbers instead of 7");
    CHECK_REFUSED(restarted.row(64), QI_ERR_INVALID, "QI_PART");
    CHECK_REFUSED(restarted.set_row(parts::state, std::vector<double>(7, NaN)), QI_ERR_NON_FINITE, "`row");
}

int main()
{
    RUN(what_acts_is_asked_once_and_an_exception_comes_through);
    RUN(drag_has_the_bits_of_c_and_is_cleared);
    RUN(halving_the_step_divides_the_error_of_the_splittings_by_4_16_and_64);
    RUN(the_splittings_keep_the_last_torque_of_a_step);
    RUN(a_torque_that_throws_from_a_splitting_leaves_the_body_where_it_was);
    RUN(the_splittings_of_order_4_and_6_refuse_ready_made_drag_and_shear_flow);
    RUN(kicks_and_drifts_have_the_bits_of_c);
    RUN(a_kick_changes_the_momentum_and_a_drift_keeps_it);
    RUN(kick_drift_kick_is_the_splitting_method);
    RUN(a_kick_or_drift_that_is_refused_changes_nothing);
    RUN(the_method_is_chosen_by_name_and_keeps_the_state);
    RUN(halving_the_step_divides_the_error_of_pcdm_by_4_and_that_of_cf4_by_16);
    RUN(a_body_has_the_bits_of_its_c_body);
    RUN(a_body_made_in_another_translation_unit_has_the_same_bits);
    RUN(bad_inertia_and_nan_are_refused_by_the_constructor);
    RUN(a_line_does_not_turn_about_itself);
    RUN(a_body_begins_at_the_identity_and_at_rest);
    RUN(a_generic_body_comes_where_it_comes_in_every_language);
    RUN(a_step_of_nan_is_refused_and_changes_nothing);
    RUN(advance_takes_the_steps_and_counts_them);
    RUN(states_are_set_and_restored_bit_for_bit);
    RUN(a_body_restarts_from_its_row_with_the_same_bits);
    RUN(what_overflows_is_refused);
    RUN(ready_made_torques_have_the_bits_of_c);
    RUN(a_ready_made_torque_that_is_refused_leaves_the_one_before);
    RUN(a_record_is_the_start_and_every_so_many_steps);
    RUN(a_record_that_is_refused_moves_nothing_and_one_that_fails_keeps_its_rows);
    RUN(integrate_keeps_no_handle_and_is_all_or_nothing);
    RUN(another_inertia_keeps_the_velocity_or_the_momentum);
    RUN(a_body_does_not_turn_about_locked_axes);
    RUN(the_momentum_of_rotors_is_kept_and_counts_in_that_of_the_body);
    RUN(a_rotor_turns_the_angular_velocity_of_a_sphere_about_its_axis);
    RUN(a_motor_has_the_bits_of_c_and_keeps_the_momentum_of_body_and_rotors);
    RUN(a_body_that_was_moved_from_refuses_every_use);
    RUN(a_body_moves_with_its_torque);
    RUN(several_threads_may_read_one_body);
    return 0;
}
