// Orientations from given angular velocities, beside the closed form of a coning motion.
#include "check.hpp"

static const Quaternion before{0.5, -0.1, 0.7, 0.5};
static const Quaternion in_body{0.38577307636891406, 0.043578453853795565, 0.6932969186910561, 0.6071403745774642};
static const Quaternion in_world{0.5962913350399517, 0.037682495356439624, 0.7112801869859638, 0.3702663485940847};

static Vector coning(double time) { return {0.8 * std::cos(3 * time), 0.8 * std::sin(3 * time), 0}; }

static bool near(const Quaternion &a, const Quaternion &b, double tolerance)
{
    for (std::size_t i = 0; i < 4; i++)
        if (!(std::fabs(a[i] - b[i]) < tolerance)) return false;
    return true;
}

static void a_coning_motion_turns_as_its_closed_form_says()
{
    CHECK(near(turn_orientation(before, 0.2, 4.2, 1000, coning, Frame::body), in_body, 5e-12));
    CHECK(near(turn_orientation(in_body, 4.2, 0.2, 1000, coning, Frame::body), before, 5e-12));
    int calls = 0;
    const auto counted = [&calls](double time) {
        calls++;
        return coning(time);
    };
    CHECK(near(turn_orientation(before, 0.2, 4.2, 1000, counted), in_world, 5e-12)); // the world frame is the default
    CHECK(calls == 2000);
}

static void samples_of_a_coning_motion_turn_as_its_closed_form_says()
{
    std::vector<Vector> samples;
    for (int n = 0; n <= 400; n++) samples.push_back(coning(0.2 + 0.01 * n));
    CHECK(near(turn_by_samples(before, samples, 0.01, Frame::body), in_body, 5e-9));
    CHECK(near(turn_by_samples(before, samples, 0.01), in_world, 5e-9));

    struct Reading {
        double temperature;
        Vector gyroscope;
    };
    std::vector<Reading> readings;
    for (const Vector &sample : samples) readings.push_back({20, sample});
    const Quaternion expected = turn_by_samples(before, samples, 0.01);
    CHECK(turn_by_samples(before, members(readings, &Reading::gyroscope), 0.01) == expected);

    const std::size_t count = samples.size();
    std::vector<double> columns(3 * count);
    for (std::size_t i = 0; i < count; i++)
        for (std::size_t c = 0; c < 3; c++) columns[c * count + i] = samples[i][c];
    CHECK(turn_by_samples(before, soa(columns.data(), count), 0.01) == expected);
    CHECK(turn_by_samples(before, soa(std::as_const(columns).data(), count), 0.01) == expected);
}

static void the_derivative_is_that_of_a_quaternion_of_any_length()
{
    CHECK(near(orientation_rate({1, -0.2, 1.4, 1}, {0.3, -0.7, 1.1}), {-0.03, -0.97, -0.61, 0.69}, 1e-15));
    CHECK_REFUSED(orientation_rate({1, NaN, 0, 0}, {0, 0, 0}), QI_ERR_NON_FINITE, "`orientation[1]`");
}

static void what_fails_is_refused_and_exceptions_of_the_rate_are_rethrown()
{
    struct Broken {};
    double readings[6] = {1, 2, 3, 4, 5, 6};
    bool caught = false;
    try {
        static_cast<void>(turn_orientation(before, 0, 1, 10, [](double time) {
            if (time > 0.5) throw Broken();
            return Vector{0, 0, 1};
        }));
    } catch (const Broken &) {
        caught = true;
    }
    CHECK(caught);
    CHECK_REFUSED(static_cast<void>(turn_orientation(before, 0, 1, 10, [](double) { return Vector{0, NaN, 0}; })), QI_ERR_NON_FINITE,
                  "`angular_velocity[1]` is NaN");
    CHECK_REFUSED(static_cast<void>(turn_orientation(before, 0, 1, 10, [](double) { return std::vector<double>{1, 2}; })),
                  QI_ERR_INVALID, "the angular velocity has 2 components");
    CHECK_REFUSED(static_cast<void>(turn_orientation(before, 0, 1, 0, coning)), QI_ERR_INVALID, "`steps`");
    CHECK_REFUSED(static_cast<void>(turn_orientation(before, 0, 1, static_cast<std::uint64_t>(-3), coning)), QI_ERR_INVALID, "-3");
    CHECK_REFUSED(static_cast<void>(turn_orientation({2, 0, 0, 0}, 0, 1, 3, coning)), QI_ERR_ORIENTATION, "`orientation`");
    CHECK_REFUSED(static_cast<void>(turn_by_samples(before, std::vector<Vector>{{1, 2, 3}}, 0.1)), QI_ERR_INVALID, "`samples`");
    CHECK_REFUSED(static_cast<void>(turn_by_samples(before, Vector{1, 2, 3}, 0.1)), QI_ERR_INVALID, "a range of vectors");
    CHECK_REFUSED(static_cast<void>(turn_by_samples(before, View(readings, 3), 0.1)), QI_ERR_INVALID, "how many samples");
    CHECK_REFUSED(static_cast<void>(turn_by_samples(before, std::vector<Quaternion>(5), 0.1)), QI_ERR_INVALID, "a range of vectors");
}

int main()
{
    RUN(a_coning_motion_turns_as_its_closed_form_says);
    RUN(samples_of_a_coning_motion_turn_as_its_closed_form_says);
    RUN(the_derivative_is_that_of_a_quaternion_of_any_length);
    RUN(what_fails_is_refused_and_exceptions_of_the_rate_are_rethrown);
}
