// Body: every member, with valid and invalid input.
#include "check.hpp"
#include <thread>

Body made_elsewhere();

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

static void the_momentum_of_rotors_stays_until_it_is_cleared()
{
    Body body = top();
    CHECK((body.rotor_momentum() == Vector{}));
    body.set_rotor_momentum({5, 0, 7});
    CHECK_REFUSED(body.set_rotor_momentum({1, NaN, 0}), QI_ERR_NON_FINITE, "qi_set_rotor_momentum");
    CHECK((body.rotor_momentum() == Vector{5, 0, 7}));
    Body moved = std::move(body);
    CHECK((moved.rotor_momentum() == Vector{5, 0, 7}));
    moved.clear_rotor_momentum();
    CHECK((moved.rotor_momentum() == Vector{}));
}

// Its axis z is principal; x and y are not.
static const Matrix PLATE{2, 0.3, 0, 0.3, 3, 0, 0, 0, 4};

static void an_inertia_that_is_refused_leaves_the_one_before()
{
    Body body = top();
    const Snapshot before = take(body);
    CHECK_REFUSED(body.set_inertia({1, 0.1, 0, 0, 1, 0, 0, 0, 1}, Keep::angular_momentum), QI_ERR_INERTIA, "symmetric");
    CHECK_REFUSED(body.set_inertia(diagonal(1, NaN, 1), Keep::angular_momentum), QI_ERR_NON_FINITE, "`inertia[4]`");
    CHECK_REFUSED(body.set_inertia(PLATE, static_cast<Keep>(2)), QI_ERR_INVALID, "QI_KEEP_ANGULAR_VELOCITY");
    CHECK(same(take(body), before));
}

static void locks_add_up_and_axes_that_cannot_be_locked_are_refused()
{
    Body body = top();
    body.set_inertia(PLATE, Keep::angular_velocity);
    CHECK_REFUSED(body.lock_axes(axes::x), QI_ERR_INERTIA, "no principal axis");
    CHECK_REFUSED(body.lock_axes(8), QI_ERR_INVALID, "QI_AXIS_X");
    const Snapshot before = take(body);
    CHECK_REFUSED(body.lock_axes(axes::z), QI_ERR_INVALID,
                  "`axes` must not lock one axis beside two different moments: lock two axes");
    CHECK(same(take(body), before));

    Body wheel = top(), twin = top();
    for (Body *one : {&wheel, &twin}) one->set_inertia(diagonal(2, 2, 3), Keep::angular_velocity);
    wheel.lock_axes(axes::x | axes::z);
    twin.lock_axes(axes::z), twin.lock_axes(axes::x);
    CHECK(same(take(wheel), take(twin)));
}

// The motor gives the wheel what it takes from the body: without torque of the world, the sum stays.
static void a_motor_stays_until_it_is_cleared()
{
    const Vector motor{0.2, -0.1, 0.15};
    Body body = top();
    CHECK((body.rotor_torque() == Vector{}));
    body.set_rotor_torque(motor);
    CHECK_REFUSED(body.set_rotor_torque({1, NaN, 0}), QI_ERR_NON_FINITE, "qi_set_rotor_torque");
    Body moved = std::move(body);
    CHECK(moved.rotor_torque() == motor);
    moved.step(0.02);
    const Vector left = moved.rotor_momentum();
    moved.clear_rotor_torque();
    CHECK((moved.rotor_torque() == Vector{}) && moved.rotor_momentum() == left);
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

static void a_kick_and_a_constant_torque_are_in_the_world_frame_by_default()
{
    const Vector torque{0.3, -0.5, 0.8};
    const auto moved = [](auto move) {
        Body body = top();
        move(body);
        body.step(0.1);
        return take(body);
    };
    CHECK(same(moved([&](Body &body) { body.kick(0.25, torque); }),
               moved([&](Body &body) { body.kick(0.25, torque, Frame::world); })));
    CHECK(same(moved([&](Body &body) { body.set_constant_torque(torque); }),
               moved([&](Body &body) { body.set_constant_torque(torque, Frame::world); })));
}

static void kicks_and_drifts_do_not_call_the_torque()
{
    Body body(diagonal(1, 2, 3), {1, 0, 0, 0}, {1, 1, 1});
    body.set_torque([](double, const Quaternion &, const Vector &) -> Vector { throw 1; });
    body.drift(10);
    body.kick(0.5, {1, 2, 3});
    CHECK(body.time() == 10);
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

static void drag_is_cleared_and_stays_where_another_is_refused()
{
    const Vector c{1, 2, 3}, flow{0.5, -1, 2};
    const auto kicked = [](auto set) {
        Body body = top();
        set(body);
        body.kick(0.1, {1, 0, 0});
        return take(body);
    };
    const Snapshot none = kicked([](Body &) {});
    const Snapshot flowing = kicked([&](Body &body) { body.set_drag(c, flow); });
    CHECK(same(none, kicked([&](Body &body) { body.set_drag(c, flow), body.clear_drag(); })));
    CHECK(!same(none, flowing));
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
    CHECK(row.size() == left.row_size(parts::all | parts::id) && row.size() == 7 + 7 + 6 + 6 + 1 + 3);
    restarted.set_clock(left.clock());
    restarted.set_row(parts::all | parts::id, row);
    left.advance(0.05, 20);
    restarted.advance(0.05, 20);
    CHECK(same(take(left), take(restarted)));
    CHECK_REFUSED(restarted.set_row(parts::state, row), QI_ERR_CAPACITY, "30 numbers instead of 7");
    CHECK_REFUSED(restarted.row(64), QI_ERR_INVALID, "QI_PART");
    CHECK_REFUSED(restarted.set_row(parts::state, std::vector<double>(7, NaN)), QI_ERR_NON_FINITE, "`row");
}

int main()
{
    RUN(what_acts_is_asked_once_and_an_exception_comes_through);
    RUN(drag_is_cleared_and_stays_where_another_is_refused);
    RUN(halving_the_step_divides_the_error_of_the_splittings_by_4_16_and_64);
    RUN(the_splittings_keep_the_last_torque_of_a_step);
    RUN(a_torque_that_throws_from_a_splitting_leaves_the_body_where_it_was);
    RUN(the_splittings_of_order_4_and_6_refuse_ready_made_drag_and_shear_flow);
    RUN(a_kick_and_a_constant_torque_are_in_the_world_frame_by_default);
    RUN(kicks_and_drifts_do_not_call_the_torque);
    RUN(a_kick_or_drift_that_is_refused_changes_nothing);
    RUN(the_method_is_chosen_by_name_and_keeps_the_state);
    RUN(halving_the_step_divides_the_error_of_pcdm_by_4_and_that_of_cf4_by_16);
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
    RUN(a_ready_made_torque_that_is_refused_leaves_the_one_before);
    RUN(a_record_is_the_start_and_every_so_many_steps);
    RUN(a_record_that_is_refused_moves_nothing_and_one_that_fails_keeps_its_rows);
    RUN(integrate_keeps_no_handle_and_is_all_or_nothing);
    RUN(an_inertia_that_is_refused_leaves_the_one_before);
    RUN(locks_add_up_and_axes_that_cannot_be_locked_are_refused);
    RUN(the_momentum_of_rotors_stays_until_it_is_cleared);
    RUN(a_motor_stays_until_it_is_cleared);
    RUN(a_body_that_was_moved_from_refuses_every_use);
    RUN(a_body_moves_with_its_torque);
    RUN(several_threads_may_read_one_body);
    return 0;
}
