/* test_attitude.c: orientations from given angular velocities, beside the closed form of a coning motion. */
#include "check.h"

static const double START = 0.2, END = 4.2, Q[4] = {0.5, -0.1, 0.7, 0.5};
/* the closed form: in the frame that turns with OMEGA about z, the angular velocity is constant */
static const double IN_BODY[4] = {0.38577307636891406, 0.043578453853795565, 0.6932969186910561, 0.6071403745774642};
static const double IN_WORLD[4] = {0.5962913350399517, 0.037682495356439624, 0.7112801869859638, 0.3702663485940847};

typedef struct {
    int calls, fail_at;
    double last;
} record;

static int32_t coning(double time, double *angular_velocity, void *user_data)
{
    record *r = user_data;
    CHECK(angular_velocity[0] == 0 && angular_velocity[1] == 0 && angular_velocity[2] == 0);
    angular_velocity[0] = 0.8 * cos(3 * time);
    angular_velocity[1] = 0.8 * sin(3 * time);
    if (r == NULL) return 0;
    r->last = time;
    return ++r->calls == r->fail_at ? 7 : 0;
}

static int32_t not_finite(double time, double *angular_velocity, void *user_data)
{
    (void)user_data;
    if (time > 2) angular_velocity[2] = NAN;
    return 0;
}

static void expect_near(const double *q, const double *expected, double tolerance)
{
    for (int c = 0; c < 4; c++) CHECK_NEAR(q[c], expected[c], tolerance);
}

static void a_coning_motion_turns_as_its_closed_form_says(void)
{
    double q[4];
    record r = {0, 0, 0};
    memcpy(q, Q, sizeof q);
    CHECK(qi_turn_orientation(q, START, END, 1000, coning, QI_FRAME_BODY, &r) == QI_OK);
    CHECK(r.calls == 2000 && r.last < END && r.last > END - 0.004);
    expect_near(q, IN_BODY, 5e-12);
    CHECK(qi_turn_orientation(q, END, START, 1000, coning, QI_FRAME_BODY, NULL) == QI_OK);
    expect_near(q, Q, 2e-14);
    CHECK(qi_turn_orientation(q, START, END, 1000, coning, QI_FRAME_WORLD, NULL) == QI_OK);
    expect_near(q, IN_WORLD, 5e-12);
}

static void samples_of_a_coning_motion_turn_as_its_closed_form_says(void)
{
    double q[4], samples[401 * 5], row[3];
    for (int n = 0; n < 401; n++) {
        memset(row, 0, sizeof row);
        CHECK(coning(START + 0.01 * n, row, NULL) == 0);
        for (int c = 0; c < 5; c++) samples[5 * n + c] = c < 3 ? row[c] : NAN;
    }
    memcpy(q, Q, sizeof q);
    CHECK(qi_turn_by_samples(q, 401, samples, 5, 0.01, QI_FRAME_BODY) == QI_OK);
    expect_near(q, IN_BODY, 5e-9);
    CHECK(qi_turn_by_samples(q, 401, samples + 2000, -5, -0.01, QI_FRAME_BODY) == QI_OK);
    expect_near(q, Q, 1e-14);
    CHECK(qi_turn_by_samples(q, 401, samples, 5, 0.01, QI_FRAME_WORLD) == QI_OK);
    expect_near(q, IN_WORLD, 5e-9);

    const double constant[3] = {0, 0, 0.5}; /* a stride of 0: the same rate throughout */
    double turned[4] = {1, 0, 0, 0};
    CHECK(qi_turn_by_samples(turned, 11, constant, 0, 0.2, QI_FRAME_BODY) == QI_OK);
    CHECK_NEAR(turned[0], cos(0.5), 1e-15);
    CHECK_NEAR(turned[3], sin(0.5), 1e-15);
}

static void a_body_with_that_angular_velocity_turns_as_much(void)
{
    const double inertia[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3}, omega[3] = {0.8, -0.6, 0.4};
    double q[4], expected[4], samples[1001 * 3];
    qi_body *body = qi_create_body(inertia, Q, omega, NULL);
    CHECK(body != NULL);
    for (int n = 0; n < 1001; n++) {
        CHECK(qi_solve(body, 0.002 * n, 1e-12, NULL) == QI_OK);
        CHECK(qi_get_angular_velocity_body(body, samples + 3 * n) == QI_OK);
    }
    CHECK(qi_get_orientation(body, expected) == QI_OK);
    memcpy(q, Q, sizeof q);
    CHECK(qi_turn_by_samples(q, 1001, samples, 3, 0.002, QI_FRAME_BODY) == QI_OK);
    expect_near(q, expected, 1e-12);
    qi_destroy_body(body);
}

static void the_derivative_is_that_of_a_quaternion_of_any_length(void)
{
    const double omega[3] = {0.3, -0.7, 1.1}, twice[4] = {1, -0.2, 1.4, 1}, none[4] = {0, 0, 0, 0}, not_a_number[4] = {1, 0, NAN, 0};
    const double expected[4] = {-0.03, -0.97, -0.61, 0.69};
    double rate[4] = {9, 9, 9, 9};
    CHECK(qi_orientation_rate(twice, omega, rate) == QI_OK);
    expect_near(rate, expected, 1e-15);
    CHECK(qi_orientation_rate(none, omega, rate) == QI_OK);
    expect_near(rate, none, 0);
    CHECK_REFUSED(qi_orientation_rate(not_a_number, omega, rate), QI_ERR_NON_FINITE, "`orientation[2]` is NaN");
    CHECK_REFUSED(qi_orientation_rate(NULL, omega, rate), QI_ERR_NULL, "`orientation` is NULL");
    CHECK_REFUSED(qi_orientation_rate(twice, NULL, rate), QI_ERR_NULL, "`angular_velocity` is NULL");
    CHECK_REFUSED(qi_orientation_rate(twice, omega, NULL), QI_ERR_NULL, "`rate` is NULL");
    expect_near(rate, none, 0);
}

static void a_call_that_fails_leaves_the_orientation_as_it_was(void)
{
    double q[4], samples[12] = {1, 2, 3, 1, 2, 3, 1, 2, 3, 1, NAN, 3}, long_q[4] = {2, 0, 0, 0}, near_one[4] = {1.0005, 0, 0, 0};
    record r = {0, 5, 0};
    memcpy(q, Q, sizeof q);
    CHECK_REFUSED(qi_turn_orientation(q, 0, 1, 100, coning, QI_FRAME_BODY, &r), QI_ERR_CALLBACK, "the rate callback returned 7 at time 0.02");
    CHECK(r.calls == 5);
    CHECK_REFUSED(qi_turn_orientation(q, 0, 4, 100, not_finite, QI_FRAME_BODY, NULL), QI_ERR_NON_FINITE, "`angular_velocity[2]` is NaN");
    CHECK_REFUSED(qi_turn_orientation(q, 0, 1, 100, NULL, QI_FRAME_BODY, NULL), QI_ERR_NULL, "`rate` is NULL");
    CHECK_REFUSED(qi_turn_orientation(q, 0, 1, 0, coning, QI_FRAME_BODY, NULL), QI_ERR_INVALID, "`steps` must be");
    CHECK_REFUSED(qi_turn_orientation(q, NAN, 1, 1, coning, QI_FRAME_BODY, NULL), QI_ERR_NON_FINITE, "`start` is NaN");
    CHECK_REFUSED(qi_turn_orientation(q, 0, INFINITY, 1, coning, QI_FRAME_BODY, NULL), QI_ERR_NON_FINITE, "`end` is inf");
    CHECK_REFUSED(qi_turn_orientation(q, 0, 1, 1, coning, 7, NULL), QI_ERR_INVALID, "`frame`");
    CHECK_REFUSED(qi_turn_orientation(long_q, 0, 1, 1, coning, QI_FRAME_BODY, NULL), QI_ERR_ORIENTATION, "`orientation`");
    CHECK_REFUSED(qi_turn_orientation(NULL, 0, 1, 1, coning, QI_FRAME_BODY, NULL), QI_ERR_NULL, "`orientation` is NULL");
    CHECK_REFUSED(qi_turn_by_samples(q, 4, samples, 3, 0.1, QI_FRAME_BODY), QI_ERR_NON_FINITE, "`angular_velocities[10]` is NaN");
    CHECK_REFUSED(qi_turn_by_samples(q, 1, samples, 3, 0.1, QI_FRAME_BODY), QI_ERR_INVALID, "`samples` must be at least 2");
    CHECK_REFUSED(qi_turn_by_samples(q, 0, NULL, 3, 0.1, QI_FRAME_BODY), QI_ERR_INVALID, "`samples` must be at least 2");
    CHECK_REFUSED(qi_turn_by_samples(q, 3, NULL, 3, 0.1, QI_FRAME_BODY), QI_ERR_NULL, "`angular_velocities` is NULL");
    CHECK_REFUSED(qi_turn_by_samples(q, 3, samples, 3, NAN, QI_FRAME_BODY), QI_ERR_NON_FINITE, "`dt` is NaN");
    CHECK_REFUSED(qi_turn_by_samples(q, 3, samples, 3, 0.1, 9), QI_ERR_INVALID, "`frame`");
    CHECK_REFUSED(qi_turn_by_samples(long_q, 3, samples, 3, 0.1, QI_FRAME_BODY), QI_ERR_ORIENTATION, "`orientation`");
    CHECK(memcmp(q, Q, sizeof q) == 0 && long_q[0] == 2);
    CHECK(qi_turn_orientation(q, 1, 1, 3, not_finite, QI_FRAME_BODY, NULL) == QI_OK); /* no time passes */
    CHECK(memcmp(q, Q, sizeof q) == 0);
    CHECK(qi_turn_orientation(near_one, 1, 1, 3, coning, QI_FRAME_BODY, NULL) == QI_OK && near_one[0] == 1);
}

int main(void)
{
    RUN(a_coning_motion_turns_as_its_closed_form_says);
    RUN(samples_of_a_coning_motion_turn_as_its_closed_form_says);
    RUN(a_body_with_that_angular_velocity_turns_as_much);
    RUN(the_derivative_is_that_of_a_quaternion_of_any_length);
    RUN(a_call_that_fails_leaves_the_orientation_as_it_was);
    return 0;
}
