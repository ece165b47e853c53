// One body with error control: to a time, at given times, until an event; valid and invalid input, failing callables.
#include "check.hpp"
#include <functional>

static const double NUTATION = 1.670852791361963; // of this top, released at a tilt of 1 rad with a spin of 8

// A symmetric heavy top, with its torque of check.hpp.
static Body leaning()
{
    const Quaternion start = orientation_from_axis_angle({1, 0, 0}, 1);
    Body body(diagonal(1, 1, 0.5), start, rotate(start, {0, 0, 8}));
    body.set_torque(weight);
    return body;
}

static double tilt(const Quaternion &q) { return std::acos(rotate(q, {0, 0, 1})[2]); }

// The rate at which the axis rises: (omega x R e3) . e_z.
static double rising(double, const Quaternion &q, const Vector &omega)
{
    const Vector axis = rotate(q, {0, 0, 1});
    return omega[0] * axis[1] - omega[1] * axis[0];
}

static bool close(double a, double b, double most) { return std::fabs(a - b) <= most; }

static bool equal(const Statistics &a, const Statistics &b)
{
    return a.evaluations == b.evaluations && a.accepted == b.accepted && a.rejected == b.rejected;
}

static void solve_brings_a_top_back_to_its_tilt_after_a_nutation_and_says_its_cost()
{
    Body body = leaning(), c = leaning();
    std::uint64_t calls = 0, evaluations = 0;
    body.set_torque([&calls](double t, const Quaternion &q, const Vector &omega) {
        calls++;
        return weight(t, q, omega);
    });
    CHECK(equal(body.solve_statistics(), Statistics{0, 0, 0}));
    const Statistics cost = body.solve(3 * NUTATION, 1e-12);
    CHECK(close(tilt(body.orientation()), 1, 1e-11) && body.time() == 3 * NUTATION);
    CHECK(cost.evaluations == calls && calls > 100 && cost.accepted > 10 && cost.rejected < cost.accepted);
    CHECK(equal(body.solve_statistics(), cost));

    CHECK(qi_solve(c.handle(), 3 * NUTATION, 1e-12, &evaluations) == QI_OK && evaluations == calls);
    CHECK(same(take(body), take(c)));

    body.solve(0, 1e-12); // back
    CHECK(close(tilt(body.orientation()), 1, 1e-11) && body.time() == 0);
    body.set_torque(nullptr); // free: one exact step
    CHECK(equal(body.solve(1e4, 1e-3), Statistics{0, 1, 0}));
}

static void solve_record_returns_a_row_for_each_time()
{
    Body recorded = leaning(), plain = leaning(), back = leaning();
    const Snapshot start = take(plain);
    const std::vector<Record> rows = recorded.solve_record({0, 0.25, 0.25, 2}, 1e-10);
    plain.solve(2, 1e-10);
    CHECK(rows.size() == 4 && rows[0].time == 0 && rows[1].time == 0.25 && rows[3].time == 2);
    CHECK(rows[0].orientation == start.orientation && std::memcmp(&rows[1], &rows[2], sizeof(Record)) == 0);
    CHECK(same(take(recorded), take(plain))); // the bits of solve()
    CHECK(rows[3].orientation == plain.orientation() && rows[3].angular_velocity == plain.angular_velocity());
    Body other = leaning();
    other.solve(0.25, 1e-10);
    CHECK(orientation_angle(rows[1].orientation, other.orientation()) < 1e-9);

    CHECK(back.solve_record({-1, -2}, 1e-10)[1].time == -2 && back.time() == -2);
    const Snapshot before = take(back);
    CHECK(back.solve_record({}, 1e-10).empty() && same(take(back), before));
}

static void a_monitor_sees_each_step_and_changes_no_bit()
{
    Body body = leaning(), plain = leaning();
    std::vector<double> times;
    const Statistics cost = body.solve(3, 1e-9, [&](double t, const Quaternion &, const Vector &) { times.push_back(t); });
    CHECK(equal(cost, plain.solve(3, 1e-9)) && same(take(body), take(plain)));
    CHECK(times.size() == cost.accepted && times.size() > 10 && times.back() == 3);

    std::vector<Record> rows;
    std::size_t calls = 0;
    Body recorded = leaning();
    auto counts = [&](double t, const double *q, const double *) { calls += t > 0 && q != nullptr; };
    recorded.solve_record({1, 3}, 1e-9, rows, counts);
    CHECK(calls == times.size() && rows.size() == 2 && rows[1].orientation == plain.orientation());
}

static void an_exception_of_the_monitor_comes_out_and_the_body_is_where_its_step_ended()
{
    Body body = leaning();
    double last = 0;
    auto stops = [&](double t, const Quaternion &, const Vector &) {
        last = t;
        if (t > 1) throw std::runtime_error("enough");
    };
    std::vector<Record> rows(9);
    try {
        body.solve_record({0.5, 2, 3}, 1e-9, rows, stops);
        CHECK(false);
    } catch (const std::runtime_error &e) {
        CHECK(std::string(e.what()) == "enough");
    }
    CHECK(rows.size() == 1 && last > 1 && last < 2 && body.time() == last);
    void (*none)(double, const double *, const double *) = nullptr;
    CHECK_REFUSED(body.solve(3, 1e-9, none), QI_ERR_NULL, "quatint::Body::solve: the function is NULL");
    CHECK_REFUSED(body.solve(NaN, 1e-9, stops), QI_ERR_NON_FINITE, "`times` is NaN");
    CHECK(body.solve(3, 1e-9).accepted > 0);
}

static void times_out_of_order_are_refused_and_the_body_stays()
{
    Body body = leaning();
    const Snapshot before = take(body);
    std::vector<Record> rows(7);
    CHECK_REFUSED(body.solve_record({1, 0.5, 2}, 1e-10, rows), QI_ERR_INVALID, "`times` must ascend");
    CHECK(rows.empty());
    CHECK_REFUSED(body.solve_record({-1, 2}, 1e-10), QI_ERR_INVALID, "`times` must ascend");
    CHECK_REFUSED(body.solve_record({1, NaN, 2}, 1e-10), QI_ERR_NON_FINITE, "`times[1]` is NaN");
    CHECK_REFUSED(body.solve_record({1}, NaN), QI_ERR_NON_FINITE, "`tolerance` is NaN");
    CHECK(same(take(body), before));
}

static void a_tolerance_out_of_range_and_an_end_of_nan_are_refused()
{
    Body body = leaning();
    const Snapshot before = take(body);
    CHECK_REFUSED(body.solve(1, NaN), QI_ERR_NON_FINITE, "`tolerance` is NaN");
    CHECK_REFUSED(body.solve(1, 0), QI_ERR_INVALID, "`tolerance` must be from 1e-15 to 0.1");
    CHECK_REFUSED(body.solve(1, 0.2), QI_ERR_INVALID, "`tolerance` must be");
    CHECK_REFUSED(body.solve(NaN, 1e-9), QI_ERR_NON_FINITE, "qi_solve: `end_time` is NaN");
    CHECK_REFUSED(body.solve_until(INFINITY, 1e-9, rising), QI_ERR_NON_FINITE, "`end_time` is inf");
    CHECK_REFUSED(body.solve_until(1, -1e-9, rising), QI_ERR_INVALID, "`tolerance` must be");
    CHECK_REFUSED(body.solve_until(1, 1e-9, rising, static_cast<Crossing>(2)), QI_ERR_INVALID, "`direction` must be");
    CHECK(same(take(body), before) && body.solve(0, 1e-9).accepted == 0);

    const Body taken = std::move(body);
    CHECK_REFUSED(body.solve(1, 1e-9), QI_ERR_NULL, "quatint::Body: used after it was moved from");
    CHECK_REFUSED(body.solve_record({1}, 1e-9), QI_ERR_NULL, "moved");
    CHECK_REFUSED(body.solve_until(1, 1e-9, rising), QI_ERR_NULL, "moved");
    CHECK_REFUSED(body.solve_statistics(), QI_ERR_NULL, "moved");
}

static void solve_until_stops_at_each_event()
{
    Body body = leaning();
    body.set_time(100); // the clock does not matter
    for (int n = 0; n < 5; n++) {
        const std::optional<double> lowest = body.solve_until(120, 1e-12, rising, Crossing::rising);
        CHECK(lowest && *lowest == body.time() && close(*lowest - 100, (n + 0.5) * NUTATION, 1e-10));
    }
    const double end = body.time() + 0.1;
    CHECK(!body.solve_until(end, 1e-9, rising) && body.time() == end && body.solve_statistics().accepted > 0);
    CHECK(body.solve_until(120, 1e-12, rising, Crossing::falling) && close(tilt(body.orientation()), 1, 1e-11));

    Body both = leaning(), back = leaning();
    CHECK(close(both.solve_until(9, 1e-12, rising).value(), NUTATION / 2, 1e-10)); // the start, at 0, is no event
    CHECK(close(both.solve_until(9, 1e-12, rising).value(), NUTATION, 1e-10));
    CHECK(close(back.solve_until(-9, 1e-12, rising).value(), -NUTATION / 2, 1e-10));
}

template <class F>
static Snapshot stopped_by(F &&event)
{
    Body body = leaning();
    CHECK(body.solve_until(9, 1e-12, std::forward<F>(event), Crossing::rising));
    return take(body);
}

static double rising_of_pointers(double t, const double *q, const double *omega)
{
    return rising(t, {q[0], q[1], q[2], q[3]}, {omega[0], omega[1], omega[2]});
}

struct CountedEvent {
    int asked = 0;
    double operator()(double t, const Quaternion &q, const Vector &omega) { return asked++, rising(t, q, omega); }
};

static void any_callable_is_an_event()
{
    const Snapshot expected = stopped_by(rising);
    CHECK(same(stopped_by(&rising), expected) && same(stopped_by(rising_of_pointers), expected));
    CHECK(same(stopped_by(&rising_of_pointers), expected));
    CHECK(same(stopped_by([](double t, auto q, auto omega) { return rising(t, q, omega); }), expected));
    CHECK(same(stopped_by(std::function<double(double, const Quaternion &, const Vector &)>(rising)), expected));
    const auto constant = [](double t, const double *q, const double *omega) { return rising_of_pointers(t, q, omega); };
    CHECK(same(stopped_by(constant), expected));
    auto owned = std::make_unique<double>(1.0);
    CHECK(same(stopped_by([owned = std::move(owned)](double t, const Quaternion &q, const Vector &omega) {
                   return *owned * rising(t, q, omega);
               }),
               expected));
    CountedEvent counted; // used in place
    CHECK(same(stopped_by(counted), expected) && counted.asked > 16);

    Body body = leaning();
    double (*none)(double, const Quaternion &, const Vector &) = nullptr;
    CHECK_REFUSED(body.solve_until(1, 1e-9, none), QI_ERR_NULL, "quatint::Body::solve_until: the function is NULL");
    try {
        body.solve_until(1, 1e-9, std::function<double(double, const Quaternion &, const Vector &)>());
        CHECK(false);
    } catch (const std::bad_function_call &) {
    }
    CHECK(same(take(body), take(leaning())));
}

// Where a torque stops a solution from t = 0 to 5 if it throws from t = 2 on.
template <class Solve>
static Snapshot thrown_out_of(Solve solve)
{
    Body body = leaning();
    body.set_torque([](double t, const Quaternion &q, const Vector &omega) {
        if (t >= 2) throw Collision{17, t};
        return weight(t, q, omega);
    });
    bool thrown = false;
    try {
        solve(body);
    } catch (const Collision &collision) {
        thrown = collision.body == 17 && collision.time >= 2;
    }
    CHECK(thrown && body.callback_result() == 1);
    return take(body);
}

static void an_exception_of_the_torque_comes_out_and_the_body_is_where_its_last_step_ended()
{
    const Snapshot left = thrown_out_of([](Body &body) { body.solve(5, 1e-9); });
    CHECK(left.time > 1 && left.time < 2);
    Body expected = leaning();
    expected.solve(left.time, 1e-9); // the same steps, but for the last
    CHECK(orientation_angle(left.orientation, expected.orientation()) < 1e-8);

    std::vector<Record> rows;
    CHECK(same(thrown_out_of([&](Body &body) { body.solve_record({0.5, 1, 2, 3, 5}, 1e-9, rows); }), left));
    CHECK(rows.size() == 2 && rows[1].time == 1);
    CHECK(same(thrown_out_of([](Body &body) { body.solve_until(5, 1e-9, [](double, auto, auto) { return 1.0; }); }), left));
}

static void an_exception_of_the_event_comes_out_and_the_body_is_at_the_start_of_the_step()
{
    Body body = leaning();
    int asked_after = 0;
    bool thrown = false;
    try {
        body.solve_until(5, 1e-9, [&](double t, const Quaternion &, const Vector &) -> double {
            if (thrown) asked_after++;
            if (t > 2) {
                thrown = true;
                throw std::out_of_range("not in the table");
            }
            return 1;
        });
        CHECK(false);
    } catch (const std::out_of_range &error) {
        CHECK(std::string(error.what()) == "not in the table");
    }
    CHECK(thrown && asked_after == 0 && body.time() > 1 && body.time() <= 2);
    Body expected = leaning();
    expected.solve(body.time(), 1e-9);
    CHECK(orientation_angle(body.orientation(), expected.orientation()) < 1e-8);

    Body free = top(); // at once, and without a torque
    const auto throws = [](double t, const double *, const double *) -> double { throw Collision{3, t}; };
    try {
        free.solve_until(5, 1e-9, throws);
        CHECK(false);
    } catch (const Collision &collision) {
        CHECK(collision.body == 3 && collision.time == 0);
    }
    CHECK(same(take(free), take(top())));
    CHECK_REFUSED(free.solve_until(5, 1e-9, [](double, auto, auto) { return NaN; }), QI_ERR_NON_FINITE,
                  "the event function is NaN");
    free.solve(1, 1e-9); // works as usual after the failure
    CHECK(free.time() == 1);
}

static void a_result_other_than_0_is_an_error_with_its_value()
{
    Body body = top();
    body.set_torque([](double t, const double *, const double *, double *) -> std::int32_t { return t > 1 ? -5 : 0; });
    CHECK_REFUSED(body.solve(3, 1e-9), QI_ERR_CALLBACK, "-5");
    CHECK(body.callback_result() == -5 && body.time() <= 1);
}

static void a_singular_torque_is_an_error_that_says_when()
{
    Body body = leaning();
    body.set_torque([](double t, const Quaternion &, const Vector &) { return Vector{0, 1 / std::fabs(1 - t), 0}; });
    CHECK_REFUSED(body.solve(2, 1e-6), QI_ERR_STEP, "no step from time 0.99999");
    CHECK(close(body.time(), 1, 1e-9));
}

static void a_torque_and_an_event_that_use_their_own_body_are_refused_there()
{
    Body body = leaning();
    CHECK_REFUSED(body.solve_until(1, 1e-9, [&](double, auto, auto) { return body.time(); }), QI_ERR_BUSY, "qi_get_time");
    body.set_torque([&body](double, const Quaternion &, const Vector &) {
        body.solve(9, 1e-9);
        return Vector{};
    });
    CHECK_REFUSED(body.solve(1, 1e-9), QI_ERR_BUSY, "qi_solve");
    CHECK(body.time() == 0);
}

// Between two long steps the pulse is not seen; with steps no longer than it, it is.
static void a_pulse_is_seen_where_no_step_is_longer_than_it()
{
    const auto spin_after_pulse = [](double longest) {
        Body body(diagonal(1, 1, 1));
        body.set_torque([](double t, const Quaternion &, const Vector &) { return Vector{t > 500 && t < 500.1 ? 10.0 : 0.0, 0, 0}; });
        body.set_solve_longest_step(longest);
        body.solve(1000, 1e-9);
        return body.angular_velocity()[0];
    };
    CHECK(spin_after_pulse(0) == 0);
    CHECK(close(spin_after_pulse(0.1), 1, 1e-6));
    Body body = leaning();
    CHECK_REFUSED(body.set_solve_longest_step(-1), QI_ERR_INVALID, "longest");
    CHECK_REFUSED(body.set_solve_longest_step(NaN), QI_ERR_NON_FINITE, "longest");
}

static void a_solution_ends_at_the_most_evaluations_and_another_call_goes_on()
{
    Body body = leaning(), whole = leaning();
    body.set_solve_most_evaluations(100);
    CHECK_REFUSED(body.solve(10, 1e-12), QI_ERR_STEP, "100");
    CHECK(body.time() > 0 && body.time() < 10 && body.solve_statistics().evaluations <= 100);
    body.set_solve_most_evaluations(0); // no limit
    body.solve(10, 1e-12);
    whole.solve(10, 1e-12);
    CHECK(orientation_angle(body.orientation(), whole.orientation()) < 1e-9);
    CHECK_REFUSED(body.set_solve_most_evaluations(static_cast<std::uint64_t>(-1)), QI_ERR_INVALID, "evaluations is negative");
}

static void a_stiff_torque_takes_a_stiff_solution()
{
    Body body = leaning();
    body.set_torque([](double, const Quaternion &, const Vector &w) { return Vector{-1e5 * (w[0] - 1), -1e5 * w[1], -1e5 * w[2]}; });
    body.set_solve_most_evaluations(1000);
    CHECK_REFUSED(body.solve(10, 1e-6), QI_ERR_STEP, "qi_set_solve_method");
    body.set_solve_method(SolveMethod::stiff);
    body.solve(10, 1e-6);
    CHECK(close(body.angular_velocity()[0], 1, 1e-5));
    CHECK_REFUSED(body.set_solve_method(static_cast<SolveMethod>(3)), QI_ERR_INVALID, "method");
}

static void an_event_may_solve_another_body()
{
    Body outer = leaning();
    const auto event = [](double t, const Quaternion &, const Vector &) {
        Body inner = top();
        inner.solve(t, 1e-6);
        return inner.time() - 0.5;
    };
    CHECK(close(outer.solve_until(1, 1e-9, event).value(), 0.5, 1e-15));
}

int main()
{
    RUN(solve_brings_a_top_back_to_its_tilt_after_a_nutation_and_says_its_cost);
    RUN(solve_record_returns_a_row_for_each_time);
    RUN(a_monitor_sees_each_step_and_changes_no_bit);
    RUN(an_exception_of_the_monitor_comes_out_and_the_body_is_where_its_step_ended);
    RUN(times_out_of_order_are_refused_and_the_body_stays);
    RUN(a_tolerance_out_of_range_and_an_end_of_nan_are_refused);
    RUN(solve_until_stops_at_each_event);
    RUN(any_callable_is_an_event);
    RUN(an_exception_of_the_torque_comes_out_and_the_body_is_where_its_last_step_ended);
    RUN(an_exception_of_the_event_comes_out_and_the_body_is_at_the_start_of_the_step);
    RUN(a_result_other_than_0_is_an_error_with_its_value);
    RUN(a_singular_torque_is_an_error_that_says_when);
    RUN(a_torque_and_an_event_that_use_their_own_body_are_refused_there);
    RUN(a_pulse_is_seen_where_no_step_is_longer_than_it);
    RUN(a_solution_ends_at_the_most_evaluations_and_another_call_goes_on);
    RUN(a_stiff_torque_takes_a_stiff_solution);
    RUN(an_event_may_solve_another_body);
    return 0;
}
