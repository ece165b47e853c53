// Torques on a body: every kind of callable, and the errors of failing ones.
#include "check.hpp"
#include <functional>

struct Spring { // a function object with state, which returns a torque type of its own
    struct Result {
        double x, y, z;
        double operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
    };

    double stiffness;
    int asked = 0;

    Result operator()(double, const Quaternion &q, const Vector &)
    {
        asked++;
        return {-stiffness * q[1], -stiffness * q[2], -stiffness * q[3]};
    }
};

template <class F>
static Snapshot under(F &&torque)
{
    Body body = top();
    body.set_torque(std::forward<F>(torque));
    return after_hundred(std::move(body));
}

static void any_callable_is_a_torque()
{
    const Snapshot expected = under(weight);
    CHECK(!same(expected, after_hundred(top())));
    CHECK(same(under(write_weight), expected)); // pointers to functions
    CHECK(same(under(&write_weight), expected));
    CHECK(same(under(std::function<Vector(double, const Quaternion &, const Vector &)>(weight)), expected));
    CHECK(same(under([](double t, auto q, auto omega) { return weight(t, q, omega); }), expected));
    CHECK(same(under([](double t, const double *q, const double *omega, double *torque) -> std::int32_t {
                   return c_weight(t, q, omega, torque, nullptr);
               }),
               expected));
    auto owned = std::make_unique<double>(-2.0);
    CHECK(same(under([owned = std::move(owned)](double, const Quaternion &q, const Vector &) {
                   return Vector{*owned * (q[2]*q[3] - q[0]*q[1]), -*owned * (q[1]*q[3] + q[0]*q[2]), 0};
               }),
               expected));

    Body c = top();
    c.set_torque(c_weight, nullptr);
    CHECK(same(after_hundred(std::move(c)), expected));
}

static void a_callable_is_copied_unless_it_is_given_by_reference()
{
    Spring spring{2};
    const Snapshot copied = under(spring);
    CHECK(spring.asked == 0);
    CHECK(same(under(std::ref(spring)), copied) && spring.asked == 200);
}

static void a_torque_is_told_the_time_and_the_state_of_its_stage()
{
    Body body = top();
    std::vector<Record> stages;
    body.set_torque([&stages](double t, const Quaternion &q, const Vector &omega) {
        stages.push_back({t, q, omega});
        return Vector{1, 0, 0};
    });
    body.set_time(5);
    body.step(0.5);
    CHECK(stages.size() == 2 && stages[0].time == 5 && stages[1].time == 5.25);
    const Body start = top();
    CHECK(stages[0].orientation == start.orientation());
    for (std::size_t c = 0; c < 3; c++) CHECK(std::fabs(stages[0].angular_velocity[c] - start.angular_velocity()[c]) < 1e-15);
    CHECK(stages[1].orientation != stages[0].orientation && stages[1].angular_velocity != stages[0].angular_velocity);
}

static void an_exception_comes_out_unchanged_and_the_body_is_as_before()
{
    Body body = top();
    body.advance(1e-2, 3);
    bool stop = false;
    body.set_torque([&stop](double t, const Quaternion &q, const Vector &omega) {
        if (stop) throw Collision{17, t};
        return weight(t, q, omega);
    });
    body.step(1e-2);
    const Snapshot before = take(body);
    stop = true;
    try {
        body.step(1e-2);
        CHECK(false);
    } catch (const Collision &collision) {
        CHECK(collision.body == 17 && collision.time == before.time);
    }
    CHECK(same(take(body), before) && body.callback_result() == 1);
    stop = false;
    body.step(1e-2); // works as usual after the failure
    CHECK(!same(take(body), before) && body.callback_result() == 0);
}

static void an_exception_keeps_its_type_its_text_and_its_identity()
{
    Body body = top();
    const void *thrown = nullptr;
    body.set_torque([&thrown](double, const double *, const double *, double *) {
        try {
            throw std::out_of_range("cell 12 is not in the mesh");
        } catch (const std::exception &error) {
            thrown = &error;
            throw;
        }
    });
    try {
        body.step(1e-2);
        CHECK(false);
    } catch (const std::out_of_range &error) {
        CHECK(std::string(error.what()) == "cell 12 is not in the mesh" && &error == thrown);
    }
}

static void advance_keeps_the_steps_before_the_exception()
{
    Body body = top(), expected = top();
    body.set_torque([](double t, const Quaternion &q, const Vector &omega) {
        if (t > 0.072) throw 42;
        return weight(t, q, omega);
    });
    expected.set_torque(weight);
    std::uint64_t completed = 0;
    try {
        body.advance(1e-2, 100, completed);
        CHECK(false);
    } catch (int thrown) {
        CHECK(thrown == 42 && completed == 7);
    }
    expected.advance(1e-2, 7);
    CHECK(same(take(body), take(expected)));
}

static void a_result_other_than_0_is_an_error_with_its_value()
{
    Body body = top();
    body.set_torque([](double, const double *, const double *, double *) -> std::int32_t { return -5; });
    CHECK_REFUSED(body.step(1e-2), QI_ERR_CALLBACK, "-5");
    CHECK(body.callback_result() == -5 && same(take(body), take(top())));
}

static void a_torque_of_nan_is_an_error_and_the_body_is_as_before()
{
    Body body = top();
    body.set_torque([](double t, const Quaternion &, const Vector &) { return Vector{0, t > 0 ? NaN : 0, 0}; });
    CHECK_REFUSED(body.step(1e-2), QI_ERR_NON_FINITE, "the torque is not finite at time 0.005");
    CHECK(same(take(body), take(top())));
}

static void a_null_pointer_is_refused_and_an_empty_function_throws_from_the_step()
{
    Body body = top();
    void (*none)(double, const double *, const double *, double *) = nullptr;
    CHECK_REFUSED(body.set_torque(none), QI_ERR_NULL, "quatint::Body::set_torque");
    body.set_torque(std::function<Vector(double, const Quaternion &, const Vector &)>());
    try {
        body.step(1e-2);
        CHECK(false);
    } catch (const std::bad_function_call &) {
    }
    CHECK(same(take(body), take(top())));
}

static void a_torque_lives_as_long_as_it_is_set()
{
    const auto token = std::make_shared<int>(1);
    const auto holding = [token](double, const Quaternion &, const Vector &) { return Vector{*token * 1.0, 0, 0}; };
    const long alone = token.use_count(); // counts `token` and the copy in `holding`
    {
        Body body = top();
        body.set_torque(holding);
        CHECK(token.use_count() == alone + 1);
        body.set_torque(holding);
        CHECK(token.use_count() == alone + 1);
        Body other = std::move(body);
        CHECK(token.use_count() == alone + 1);
        other.set_torque(nullptr);
        CHECK(token.use_count() == alone && same(after_hundred(std::move(other)), after_hundred(top())));
        body = top();
        body.set_torque(holding);
        body.set_linear_drag_torque({1, 1, 1});
        CHECK(token.use_count() == alone);
        body.set_torque(holding);
        CHECK_REFUSED(body.set_linear_drag_torque({NaN, 1, 1}), QI_ERR_NON_FINITE, "");
        CHECK(token.use_count() == alone + 1);
        body = top();
        CHECK(token.use_count() == alone);
        body.set_torque(holding);
    }
    CHECK(token.use_count() == alone);
}

static void a_torque_that_uses_its_own_body_is_refused_there()
{
    Body body = top();
    body.set_torque([&body](double, const Quaternion &, const Vector &) { return body.angular_momentum(); });
    CHECK_REFUSED(body.step(1e-2), QI_ERR_BUSY, "qi_get_angular_momentum");
    body.set_torque([&body](double, const Quaternion &, const Vector &) {
        body.set_torque(nullptr); // would destroy the callable while it runs
        return Vector{};
    });
    CHECK_REFUSED(body.step(1e-2), QI_ERR_BUSY, "qi_set_torque");
    CHECK(same(take(body), take(top())));
}

static void a_torque_may_step_another_body_and_each_exception_finds_its_way()
{
    Body inner = top(), outer = top();
    inner.set_torque([](double t, const Quaternion &, const Vector &) -> Vector { throw Collision{2, t}; });
    bool caught = false;
    outer.set_torque([&](double, const Quaternion &, const Vector &) {
        try {
            inner.step(1e-2);
        } catch (const Collision &) {
            caught = true;
        }
        return Vector{};
    });
    outer.step(1e-2);
    CHECK(caught);
    outer.set_torque([&inner](double, const Quaternion &, const Vector &) {
        inner.step(1e-2);
        return Vector{};
    });
    try {
        outer.step(1e-2);
        CHECK(false);
    } catch (const Collision &collision) {
        CHECK(collision.body == 2);
    }
}

// A ready-made torque and a callable that adds the same one give the same motion. With error control, because steps take a
// ready-made drag implicitly.
template <class Set, class Add>
static void compare_added(Set set, Add add)
{
    Body ready = top(), called = top(), free = top();
    set(ready);
    called.set_torque([&add](double, const Quaternion &q, const Vector &omega) {
        Vector torque{};
        add(q, omega, torque);
        return torque;
    });
    ready.solve(1, 1e-12);
    called.solve(1, 1e-12);
    free.solve(1, 1e-12);
    CHECK(orientation_angle(ready.orientation(), called.orientation()) < 1e-10);
    CHECK(orientation_angle(ready.orientation(), free.orientation()) > 1e-3);
    const Vector a = ready.angular_velocity(), b = called.angular_velocity();
    for (std::size_t i = 0; i < 3; i++) CHECK(std::fabs(a[i] - b[i]) < 1e-10);
}

static void added_torques_are_the_ready_made_ones()
{
    const Vector a{1, 2, 3}, b{-1, 0.5, 0.25};
    const Matrix shear{0, 1, 0, 0, 0, 0, 0, 0, 0}, inertia = GENERIC;
    compare_added([&](Body &x) { x.set_constant_torque(a, Frame::body); },
                  [&](const Quaternion &q, const Vector &, Vector &torque) { add_body_torque(q, a, torque); });
    compare_added([&](Body &x) { x.set_uniform_field_torque(a, b); },
                  [&](const Quaternion &q, const Vector &, Vector &torque) { add_uniform_field_torque(q, a, b, torque); });
    compare_added([&](Body &x) { x.set_gravity_gradient_torque(a, 0.5); },
                  [&](const Quaternion &q, const Vector &, Vector &torque) {
                      add_gravity_gradient_torque(q, inertia, a, 0.5, torque);
                  });
    compare_added([&](Body &x) { x.set_linear_drag_torque(a); },
                  [&](const Quaternion &q, const Vector &omega, Vector &torque) { add_linear_drag_torque(q, omega, a, torque); });
    compare_added([&](Body &x) { x.set_drag(a, b); },
                  [&](const Quaternion &q, const Vector &omega, Vector &torque) {
                      add_linear_drag_torque(q, omega, a, b, torque);
                  });
    compare_added([&](Body &x) { x.set_shear_flow_torque(a, 0.1, shear); },
                  [&, r = shear_flow_resistances(a, 0.1)](const Quaternion &q, const Vector &omega, Vector &torque) {
                      add_shear_flow_torque(q, omega, r, shear, torque);
                  });
}

static void added_drag_is_a_torque_against_the_angular_velocity_relative_to_the_flow()
{
    const Quaternion quarter = orientation_from_axis_angle({0, 0, 1}, std::acos(-1.0) / 2); // body x is world y
    Vector torque{};
    add_linear_drag_torque(quarter, {1, 1, 1}, {1, 2, 4}, torque);
    for (std::size_t i = 0; i < 3; i++) CHECK(std::fabs(torque[i] - Vector{-2, -1, -4}[i]) < 1e-15);
    torque = {};
    add_linear_drag_torque(quarter, {1, 1, 1}, {1, 2, 4}, {0, 1, 0}, torque);
    for (std::size_t i = 0; i < 3; i++) CHECK(std::fabs(torque[i] - Vector{-2, 0, -4}[i]) < 1e-15);
}

static void added_torques_add_up()
{
    const Quaternion q{0.5, -0.5, 0.5, 0.5};
    Vector one{}, other{}, both{1, 1, 1};
    add_body_torque(q, {1, 2, 3}, one);
    add_uniform_field_torque(q, {0, 0, 1}, {2, 0, 0}, other);
    add_body_torque(q, {1, 2, 3}, both);
    add_uniform_field_torque(q, {0, 0, 1}, {2, 0, 0}, both);
    for (std::size_t i = 0; i < 3; i++) CHECK(both[i] == 1 + one[i] + other[i]);
}

static void an_added_torque_that_is_refused_adds_nothing_and_its_error_comes_out_of_the_step()
{
    const Quaternion q{1, 0, 0, 0};
    const Vector a{1, 2, 3}, bad{1, NaN, 3};
    Vector torque{4, 5, 6};
    CHECK_REFUSED(add_body_torque(q, bad, torque), QI_ERR_NON_FINITE, "qi_add_body_torque");
    CHECK_REFUSED(add_uniform_field_torque(q, a, bad, torque), QI_ERR_NON_FINITE, "qi_add_uniform_field_torque");
    CHECK_REFUSED(add_gravity_gradient_torque(q, diagonal(1, 2, 3), {0, 0, 0}, 1, torque), QI_ERR_INVALID, "direction_world");
    CHECK_REFUSED(add_linear_drag_torque(q, a, bad, torque), QI_ERR_NON_FINITE, "qi_add_linear_drag_torque");
    CHECK_REFUSED(add_linear_drag_torque(q, a, a, bad, torque), QI_ERR_NON_FINITE, "qi_add_linear_drag_torque");
    CHECK_REFUSED(shear_flow_resistances({1, 0, 1}, 1), QI_ERR_INVALID, "qi_get_shear_flow_resistances");
    CHECK_REFUSED(add_shear_flow_torque(q, bad, shear_flow_resistances(a, 1), {}, torque), QI_ERR_NON_FINITE,
                  "qi_add_shear_flow_torque");
    CHECK((torque == Vector{4, 5, 6}));

    Body body = top();
    body.set_torque([&bad](double, const Quaternion &here, const Vector &) {
        Vector sum{};
        add_body_torque(here, bad, sum);
        return sum;
    });
    CHECK_REFUSED(body.step(1e-2), QI_ERR_NON_FINITE, "qi_add_body_torque");
    CHECK_REFUSED(body.solve(1, 1e-9), QI_ERR_NON_FINITE, "qi_add_body_torque");
    CHECK(same(take(body), take(top())));
}

int main()
{
    RUN(any_callable_is_a_torque);
    RUN(a_callable_is_copied_unless_it_is_given_by_reference);
    RUN(a_torque_is_told_the_time_and_the_state_of_its_stage);
    RUN(an_exception_comes_out_unchanged_and_the_body_is_as_before);
    RUN(an_exception_keeps_its_type_its_text_and_its_identity);
    RUN(advance_keeps_the_steps_before_the_exception);
    RUN(a_result_other_than_0_is_an_error_with_its_value);
    RUN(a_torque_of_nan_is_an_error_and_the_body_is_as_before);
    RUN(a_null_pointer_is_refused_and_an_empty_function_throws_from_the_step);
    RUN(a_torque_lives_as_long_as_it_is_set);
    RUN(a_torque_that_uses_its_own_body_is_refused_there);
    RUN(a_torque_may_step_another_body_and_each_exception_finds_its_way);
    RUN(added_torques_are_the_ready_made_ones);
    RUN(added_drag_is_a_torque_against_the_angular_velocity_relative_to_the_flow);
    RUN(added_torques_add_up);
    RUN(an_added_torque_that_is_refused_adds_nothing_and_its_error_comes_out_of_the_step);
    return 0;
}
