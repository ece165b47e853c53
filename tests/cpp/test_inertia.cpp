// Inertias that change with the clock.
#include "check.hpp"
#include <memory>

static const double INFINITE = std::numeric_limits<double>::infinity();

// A body whose end was computed elsewhere.
static Matrix swelling(double t) { return diagonal(1 + 0.1*t, 2 + 0.05*t, 3); }

static const Vector START{0.3, 1, 0.5}, END{0.1248670609424564, -0.7487586384725389, 0.5551412234308847};

static Body swelling_body()
{
    Body body(swelling(0), {1, 0, 0, 0}, START);
    body.set_inertia_function(swelling);
    return body;
}

static bool near(const Vector &a, const Vector &b)
{
    return std::fabs(a[0] - b[0]) < 1e-10 && std::fabs(a[1] - b[1]) < 1e-10 && std::fabs(a[2] - b[2]) < 1e-10;
}

extern "C" std::int32_t c_swelling(double t, double *inertia, void *user_data)
{
    *static_cast<double *>(user_data) = t;
    const Matrix given = swelling(t);
    std::copy(given.begin(), given.end(), inertia);
    return t > 20 ? 7 : 0;
}

static void an_inertia_changes_with_the_clock_and_then_stays()
{
    Body body = swelling_body();
    body.solve(10, 1e-12);
    CHECK(near(body.angular_velocity_body(), END));
    CHECK(near(body.angular_momentum(), {0.3, 2, 1.5}));
    CHECK_REFUSED(body.step(0.1), QI_ERR_INVALID, "splitting of order 2");
    CHECK_REFUSED(body.angular_acceleration(), QI_ERR_INVALID, "constant inertia");

    body.set_inertia_function(nullptr);
    Body constant(swelling(10));
    constant.set_state_body(body.orientation(), body.angular_velocity_body());
    constant.set_time(10);
    for (Body *one : {&body, &constant}) one->step(0.1);
    CHECK(same(take(body), take(constant)));

    double last = -1;
    Body by_c = swelling_body();
    by_c.set_inertia_function(c_swelling, &last);
    CHECK(last == 0);
    by_c.solve(10, 1e-12);
    CHECK(near(by_c.angular_velocity_body(), END));
    CHECK_REFUSED(by_c.set_time(21), QI_ERR_CALLBACK, "the inertia function returned 7 at time 21");
    Matrix (*none)(double) = nullptr;
    CHECK_REFUSED(body.set_inertia_function(none), QI_ERR_NULL, "set_inertia_function: the function is NULL");
}

template <class Call>
static Collision collision_in(Call call)
{
    try {
        call();
    } catch (const Collision &collision) {
        return collision;
    }
    const bool a_collision_was_thrown = false;
    CHECK(a_collision_was_thrown);
    return {};
}

static void an_exception_of_the_inertia_comes_out_and_the_body_is_where_it_was()
{
    double throws_from = 1, negative_from = INFINITE;
    const auto inertia = [&](double t) {
        if (t >= throws_from) throw Collision{0, t};
        return t >= negative_from ? diagonal(1, -1, 1) : swelling(t);
    };
    Body body = swelling_body();
    body.set_torque(weight);
    body.set_inertia_function(inertia);
    body.set_method(Method::splitting);
    std::uint64_t completed = 0;
    CHECK(collision_in([&] { body.advance(0.3, 10, completed); }).time >= 1 && completed == 3);
    const Snapshot before = take(body);
    CHECK(collision_in([&] { body.step(0.3); }).time >= 1);
    CHECK(collision_in([&] { body.drift(0.3); }).time >= 1);
    CHECK(collision_in([&] { body.record(0.3, 2); }).time >= 1);
    CHECK(collision_in([&] { body.set_time(2); }).time == 2);
    CHECK(collision_in([&] { body.set_clock({3, 0}); }).time == 3);
    CHECK(same(take(body), before));
    throws_from = INFINITE, negative_from = 1;
    CHECK_REFUSED(body.step(0.3), QI_ERR_INERTIA, "the inertia function, at time 1");
    CHECK(same(take(body), before));

    throws_from = 0; // a function that throws at once is not taken
    negative_from = INFINITE;
    Body other = swelling_body();
    CHECK(collision_in([&] { other.set_inertia_function(inertia); }).time == 0);
    other.solve(10, 1e-12);
    CHECK(near(other.angular_velocity_body(), END));

    throws_from = 2;
    CHECK(collision_in([&] { body.solve(5, 1e-9); }).time >= 2);
    CHECK(body.time() > before.time && body.time() < 2); // its last step ended there
    const auto never = [](double, const Quaternion &, const Vector &) { return 1.0; };
    CHECK(collision_in([&] { body.solve_until(5, 1e-9, never); }).time >= 2);
    throws_from = INFINITE; // and the exception of the torque comes out as before
    body.set_torque([](double t, const Quaternion &, const Vector &) -> Vector { throw Collision{5, t}; });
    CHECK(collision_in([&] { body.step(0.1); }).body == 5);
}

static void a_body_owns_its_inertia_function_and_moves_with_it()
{
    const auto alive = std::make_shared<int>(0);
    const auto inertia = [alive](double t) { return swelling(t + *alive); };
    std::vector<Body> bodies; // a growing vector moves its elements
    for (int i = 0; i < 10; i++) {
        bodies.push_back(swelling_body());
        bodies.back().set_inertia_function(inertia);
        bodies.back().set_method(Method::splitting);
    }
    const auto held = alive.use_count();
    Body still = swelling_body();
    still.set_method(Method::splitting);
    const Snapshot expected = after_hundred(std::move(still));
    for (Body &body : bodies) CHECK(same(after_hundred(std::move(body)), expected));
    CHECK(alive.use_count() == held - 10); // each ended with its body

    Body holder = swelling_body();
    const auto end_by = [&](auto end) {
        holder.set_inertia_function(inertia);
        CHECK(alive.use_count() == held - 9);
        end();
        CHECK(alive.use_count() == held - 10);
    };
    end_by([&] { holder.set_inertia_function(swelling); });
    end_by([&] { holder.set_inertia_function(nullptr); });
    end_by([&] { holder.set_inertia(diagonal(1, 2, 3), Keep::angular_velocity); });
    end_by([&] { holder.lock_axes(axes::x | axes::y); });

    const auto unique = [own = std::make_unique<int>(0)](double t) { return swelling(t + *own); };
    Body body = swelling_body();
    body.set_inertia_function(std::ref(unique));
    body.solve(10, 1e-12);
    CHECK(near(body.angular_velocity_body(), END));
}

int main()
{
    RUN(an_inertia_changes_with_the_clock_and_then_stays);
    RUN(an_exception_of_the_inertia_comes_out_and_the_body_is_where_it_was);
    RUN(a_body_owns_its_inertia_function_and_moves_with_it);
    return 0;
}
