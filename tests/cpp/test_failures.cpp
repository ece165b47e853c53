// Failing torques of an ensemble, with one thread and with three. The step throws the unchanged exception of the failing
// body with the lowest index, and all bodies are as they were before the step.
#include "check.hpp"
#include <set>

static const std::size_t n = 6000; // enough for three threads to share

// A torque that fails at chosen bodies and is the weight of a top at all others.
struct Trouble {
    std::set<std::size_t> throws{}, nan{};
    double from = 0;

    Vector operator()(double t, std::size_t i, const Quaternion &q, const Vector &omega) const
    {
        if (t >= from && throws.count(i) != 0) throw Collision{i, t};
        if (t >= from && nan.count(i) != 0) return {0, NaN, 0};
        return weight(t, q, omega);
    }
};

// An ensemble in its own memory or bound to arrays, with a bitwise comparison of its state.
struct Case {
    std::vector<Quaternion> q = std::vector<Quaternion>(n, {1, 0, 0, 0});
    std::vector<Vector> omega = std::vector<Vector>(n, {1, 1, 1});
    Ensemble e{n};
    bool bound;

    Case(std::size_t threads, bool in_place) : bound(in_place)
    {
        e.set_inertias(diagonal(1, 2, 3));
        e.set_angular_velocities(omega);
        if (bound) {
            e.bind_orientations(q);
            e.bind_angular_velocities(omega);
        }
        e.set_threads(threads);
    }

    bool is(const Case &other) const
    {
        return same(e.orientations(), other.e.orientations()) && same(e.angular_velocities(), other.e.angular_velocities())
               && (!bound || (same(q, other.q) && same(omega, other.omega))) && e.time() == other.e.time();
    }
};

template <class Test>
static void everywhere(Test test)
{
    for (const std::size_t threads : {std::size_t{1}, std::size_t{3}})
        for (const bool bound : {false, true}) test(Case(threads, bound), Case(threads, bound));
}

template <class Step>
static Collision collision_in(Step step)
{
    try {
        step();
    } catch (const Collision &collision) {
        return collision;
    }
    const bool a_collision_was_thrown = false;
    CHECK(a_collision_was_thrown);
    return {};
}

static void the_exception_of_the_first_body_comes_out_and_nothing_has_moved()
{
    everywhere([](Case c, const Case &before) {
        const Trouble trouble{{700, 701, 3000, 5000, 5999}};
        c.e.set_torque(std::ref(trouble));
        for (int round = 0; round < 20; round++) {
            CHECK(collision_in([&] { c.e.step(1e-2); }).body == 700);
            CHECK(c.is(before) && c.e.callback_result() == 1);
        }
    });
}

static void a_chunk_that_throws_is_known_by_its_first_body()
{
    everywhere([](Case c, const Case &before) {
        c.e.set_chunk_torque([](double t, std::size_t first, std::size_t count, const double *, const double *, double *) {
            CHECK(count <= 64);
            if (first >= 1000) throw Collision{first, t};
        });
        CHECK(collision_in([&] { c.e.step(1e-2); }).body == 1024);
        CHECK(c.is(before));
    });
}

static void an_exception_at_the_middle_of_the_step_undoes_the_first_half()
{
    everywhere([](Case c, const Case &before) {
        c.e.set_torque(Trouble{{4000}, {}, 1e-3});
        const Collision collision = collision_in([&] { c.e.step(1e-2); });
        CHECK(collision.body == 4000 && collision.time == 5e-3 && c.is(before));
    });
}

static void the_first_body_decides_between_nan_and_an_exception()
{
    everywhere([](Case c, const Case &before) {
        Trouble trouble{{5000}, {300}};
        c.e.set_torque(std::ref(trouble));
        CHECK_REFUSED(c.e.step(1e-2), QI_ERR_NON_FINITE, "body 300");
        CHECK(c.is(before));
        trouble = {{300}, {5000}};
        CHECK(collision_in([&] { c.e.step(1e-2); }).body == 300);
        CHECK(c.is(before));
    });
}

static void an_exception_that_did_not_come_out_is_forgotten()
{
    everywhere([](Case c, const Case &) {
        Trouble trouble{{5000}, {300}};
        c.e.set_torque(std::ref(trouble));
        CHECK_REFUSED(c.e.step(1e-2), QI_ERR_NON_FINITE, "body 300"); // body 5000 may have thrown too
        trouble = {{5500}};
        CHECK(collision_in([&] { c.e.step(1e-2); }).body == 5500);
        trouble = {};
        c.e.step(1e-2);
    });
}

static void the_first_body_decides_between_a_result_and_an_exception()
{
    everywhere([](Case c, const Case &before) {
        std::size_t stops = 0, throws = 5000;
        c.e.set_chunk_torque([&](double t, std::size_t first, std::size_t count, const double *, const double *,
                                 double *) -> std::int32_t {
            if (first <= throws && throws < first + count) throw Collision{first, t};
            return first <= stops && stops < first + count ? -3 : 0;
        });
        CHECK_REFUSED(c.e.step(1e-2), QI_ERR_CALLBACK, "-3");
        CHECK(c.e.callback_result() == -3 && c.is(before));
        stops = 5000, throws = 0;
        CHECK(collision_in([&] { c.e.step(1e-2); }).body == 0);
        CHECK(c.e.callback_result() == 1 && c.is(before));
    });
}

static void advance_keeps_the_steps_before_the_exception()
{
    everywhere([](Case c, Case expected) {
        c.e.set_torque(Trouble{{4000}, {}, 0.047});
        expected.e.set_torque(Trouble{});
        std::uint64_t completed = 0;
        CHECK(collision_in([&] { c.e.advance(1e-2, 100, completed); }).body == 4000 && completed == 5);
        expected.e.advance(1e-2, 5);
        CHECK(c.is(expected));
        CHECK(collision_in([&] { c.e.advance(1e-2, 100); }).body == 4000 && c.is(expected));
    });
}

static void with_active_bodies_positions_are_counted_and_the_error_names_the_body()
{
    everywhere([](Case c, const Case &before) {
        std::vector<std::size_t> odd;
        for (std::size_t i = 1; i < n; i += 2) odd.push_back(i);
        Trouble trouble{{200, 2500}};
        c.e.set_active(odd);
        c.e.set_torque(std::ref(trouble));
        CHECK(collision_in([&] { c.e.step(1e-2); }).body == 200);
        trouble = {{}, {200}};
        CHECK_REFUSED(c.e.step(1e-2), QI_ERR_NON_FINITE, "body 401");
        CHECK(c.is(before));
    });
}

static void an_exception_between_the_stages_gives_the_step_up()
{
    everywhere([](Case c, const Case &before) {
        const Collision collision = collision_in([&] {
            c.e.step_with(1e-2, [&](double t, const auto &, const auto &, auto &) {
                CHECK(c.e.time() == 0); // reading is allowed
                if (t > 0) throw Collision{9, t};
            });
        });
        CHECK(collision.body == 9 && collision.time == 5e-3 && c.is(before));
        CHECK_REFUSED(c.e.step_with(1e-2, [](double, const auto &, const auto &, auto &torque) { torque[77] = {0, NaN, 0}; }),
                      QI_ERR_NON_FINITE, "body 77");
        CHECK_REFUSED(c.e.step_with(1e-2, [](double, const auto &, const auto &, auto &torque) { torque.resize(5); }),
                      QI_ERR_INVALID, "quatint::Ensemble::step_with: 5 torques for 6000");
        CHECK_REFUSED(c.e.step_with(1e-2, [&](double, const double *, const double *, double *) { c.e.step(1e-2); }),
                      QI_ERR_ORDER, "qi_step_ensemble");
        CHECK(c.is(before));
        c.e.step(1e-2); // no unfinished step is left
        CHECK(!c.is(before));
    });
}

static void a_torque_that_uses_its_own_ensemble_is_refused_there()
{
    Ensemble e(3);
    e.set_torque([&e](double, std::size_t, const Quaternion &, const Vector &) {
        e.step(1e-2);
        return Vector{};
    });
    CHECK_REFUSED(e.step(1e-2), QI_ERR_BUSY, "qi_step_ensemble");
    CHECK(e.time() == 0);
}

static void a_torque_lives_as_long_as_it_is_set()
{
    const auto token = std::make_shared<int>(1);
    const auto holding = [token](double, std::size_t, const Quaternion &, const Vector &) { return Vector{*token * 1.0, 0, 0}; };
    const long alone = token.use_count();
    {
        Ensemble e(3);
        e.set_torque(holding);
        Ensemble other = std::move(e);
        other.step(1e-2);
        CHECK(token.use_count() == alone + 1);
        CHECK_REFUSED(other.set_linear_drag_torque(Vector{NaN, 1, 1}), QI_ERR_NON_FINITE, "`coefficients[0]`");
        CHECK(token.use_count() == alone + 1);
        other.set_linear_drag_torque(Vector{1, 1, 1});
        CHECK(token.use_count() == alone);
        other.set_torque(holding);
    }
    CHECK(token.use_count() == alone);
}

// The body of the Error that a call throws.
template <class Call>
static std::optional<std::size_t> body_of_error(Call call)
{
    try {
        call();
    } catch (const Error &error) {
        return error.body();
    }
    const bool an_error_was_thrown = false;
    CHECK(an_error_was_thrown);
    return {};
}

static void an_error_has_the_index_of_its_body()
{
    everywhere([](Case c, const Case &) {
        c.e.set_torque(Trouble{{}, {300, 5000}});
        CHECK(body_of_error([&] { c.e.step(1e-2); }) == 300);
        CHECK(!body_of_error([&] { c.e.step(NaN); })); // concerns no body
        CHECK(!body_of_error([&] { c.e.set_active({7, 6}); }));
        c.e.set_active({1, 3, 5});
        c.e.set_torque(Trouble{{}, {2}}); // position 2 is body 5
        CHECK(body_of_error([&] { c.e.step(1e-2); }) == 5);
        CHECK(!body_of_error([&] { c.e.set_orientations(std::vector<Quaternion>(3)); })); // refused by the C++ header
    });
    Body body(diagonal(1, 2, 3));
    body.set_torque([](double, const Quaternion &, const Vector &) { return Vector{NaN, 0, 0}; });
    CHECK(!body_of_error([&] { body.step(0.1); })); // it is the only body
    try {
        body.advance(0.1, 3);
    } catch (const Error &error) {
        CHECK(std::string(error.cause()).find("the torque is not finite at time 0.0") == 0);
        CHECK(std::string(error.what()) == std::string("qi_advance: ") + error.cause());
    }
}

static void a_negative_number_of_steps_is_refused_and_nothing_moves()
{
    const auto weights = [](double, const double *, const double *, double *) {};
    const std::uint64_t minus_3 = static_cast<std::uint64_t>(-3); // as the compiler converts advance(0.1, -3)
    std::uint64_t completed = 7;
    Body body = top();
    CHECK_REFUSED(body.advance(0.1, minus_3), QI_ERR_INVALID,
                  "quatint::Body::advance: a number of steps is negative or too large: -3");
    CHECK_REFUSED(body.advance(0.1, std::uint64_t{1} << 63), QI_ERR_INVALID, "or unsigned 9223372036854775808");
    CHECK_REFUSED(body.advance(0.1, minus_3, completed), QI_ERR_INVALID, "quatint::Body::advance");
    CHECK(completed == 0);
    CHECK_REFUSED(body.record(0.1, minus_3), QI_ERR_INVALID, "quatint::Body::record");
    CHECK_REFUSED(body.record(0.1, minus_3, std::uint64_t{1} << 62), QI_ERR_INVALID, "quatint::Body::record");
    CHECK_REFUSED(body.record(0.1, 3, minus_3), QI_ERR_INVALID, "quatint::Body::record");
    CHECK(same(take(body), take(top())));

    Quaternion q{1, 0, 0, 0};
    Vector omega{1, 1, 1};
    CHECK_REFUSED(integrate(diagonal(1, 2, 3), q, omega, 0, 0.1, minus_3), QI_ERR_INVALID, "quatint::integrate");
    CHECK_REFUSED(integrate(diagonal(1, 2, 3), q, omega, 0, 0.1, minus_3, weight), QI_ERR_INVALID, "quatint::integrate");
    CHECK((omega == Vector{1, 1, 1}));

    everywhere([&](Case c, const Case &before) {
        completed = 7;
        CHECK_REFUSED(c.e.advance(0.1, minus_3), QI_ERR_INVALID, "quatint::Ensemble::advance");
        CHECK_REFUSED(c.e.advance(0.1, minus_3, completed), QI_ERR_INVALID, "quatint::Ensemble::advance");
        CHECK(completed == 0);
        CHECK_REFUSED(c.e.advance_with(0.1, minus_3, weights), QI_ERR_INVALID, "quatint::Ensemble::begin_steps");
        CHECK_REFUSED(c.e.begin_steps(0.1, minus_3), QI_ERR_INVALID, "quatint::Ensemble::begin_steps");
        CHECK(c.is(before));
        c.e.step(0.1); // no steps have been begun
    });
}

static void a_torque_of_another_size_than_three_is_refused_and_nothing_moves()
{
    for (const std::size_t size : {std::size_t{0}, std::size_t{2}, std::size_t{4}}) {
        const std::string text = "the torque has " + std::to_string(size) + " components instead of 3";
        Body body = top();
        body.set_torque([size](double, const Quaternion &, const Vector &) { return std::vector<double>(size); });
        CHECK_REFUSED(body.step(0.1), QI_ERR_INVALID, text);
        CHECK(same(take(body), take(top())));

        everywhere([&](Case c, const Case &before) {
            c.e.set_torque([size](double, std::size_t i, const Quaternion &, const Vector &) {
                return std::vector<double>(i < 3001 ? 3 : size);
            });
            CHECK_REFUSED(c.e.step(0.1), QI_ERR_INVALID, text);
            CHECK(body_of_error([&] { c.e.step(0.1); }) == 3001);
            CHECK(c.is(before));
        });
    }
    Body body = top();
    body.set_torque([](double, const Quaternion &, const Vector &) { return std::vector<double>(3); });
    body.step(0.1);
    CHECK(body.time() == 0.1);
}

static void a_status_is_one_of_an_enum_and_compares_with_the_constants_of_c()
{
    try {
        Body(diagonal(1, 1, -1));
        CHECK(false);
    } catch (const Error &error) {
        CHECK(error.status() == Status::inertia && error.status() == QI_ERR_INERTIA && QI_ERR_INERTIA == error.status());
        CHECK(error.status() != QI_ERR_NULL && QI_OK != error.status() && !(error.status() != QI_ERR_INERTIA));
        CHECK(status_name(error.status()) == std::string("QI_ERR_INERTIA"));
        CHECK(status_message(Status::inertia) == std::string(status_message(QI_ERR_INERTIA)));
        switch (error.status()) {
        case Status::inertia: break;
        default: CHECK(false);
        }
    }
    const Error mine(Status::callback, "a torque of my own", 7);
    CHECK(mine.status() == QI_ERR_CALLBACK && mine.body() == 7u && mine.cause() == std::string("a torque of my own"));
}

int main()
{
    RUN(a_status_is_one_of_an_enum_and_compares_with_the_constants_of_c);
    RUN(a_negative_number_of_steps_is_refused_and_nothing_moves);
    RUN(a_torque_of_another_size_than_three_is_refused_and_nothing_moves);
    RUN(an_error_has_the_index_of_its_body);
    RUN(the_exception_of_the_first_body_comes_out_and_nothing_has_moved);
    RUN(a_chunk_that_throws_is_known_by_its_first_body);
    RUN(an_exception_at_the_middle_of_the_step_undoes_the_first_half);
    RUN(the_first_body_decides_between_nan_and_an_exception);
    RUN(an_exception_that_did_not_come_out_is_forgotten);
    RUN(the_first_body_decides_between_a_result_and_an_exception);
    RUN(advance_keeps_the_steps_before_the_exception);
    RUN(with_active_bodies_positions_are_counted_and_the_error_names_the_body);
    RUN(an_exception_between_the_stages_gives_the_step_up);
    RUN(a_torque_that_uses_its_own_ensemble_is_refused_there);
    RUN(a_torque_lives_as_long_as_it_is_set);
    return 0;
}
