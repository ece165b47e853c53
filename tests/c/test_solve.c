/* One body with error control: valid and invalid input, events, failures in callbacks. */
#include "check.h"

static const double TOP[9] = {1, 0, 0, 0, 1, 0, 0, 0, 0.5};
static const double NUTATION = 1.670852791361963; /* of this top, released at a tilt of 1 rad with a spin of 8 */

/* Weight of a top with its centre of mass at e3: (R e3) x (0, 0, -1). */
static int32_t weight(double time, const double *q, const double *omega, double *torque, void *user_data)
{
    (void)time; (void)omega;
    torque[0] = -2 * (q[2] * q[3] - q[0] * q[1]);
    torque[1] = 2 * (q[1] * q[3] + q[0] * q[2]);
    if (user_data != NULL) ++*(uint64_t *)user_data;
    return 0;
}

/* The rate at which the axis rises: (omega x R e3) . e_z. */
static double rising(double time, const double *q, const double *omega, void *user_data)
{
    const double x = 2 * (q[1] * q[3] + q[0] * q[2]), y = 2 * (q[2] * q[3] - q[0] * q[1]);
    (void)time; (void)user_data;
    return omega[0] * y - omega[1] * x;
}

static qi_body *top(uint64_t *calls)
{
    const double axis[3] = {1, 0, 0}, spin[3] = {0, 0, 8};
    double q[4], omega[3];
    CHECK(qi_orientation_from_axis_angle(axis, 1, q) == QI_OK && qi_rotate(q, spin, omega) == QI_OK);
    qi_body *body = qi_create_body(TOP, q, omega, NULL);
    CHECK(body != NULL && qi_set_torque(body, weight, calls) == QI_OK);
    return body;
}

static double tilt(const qi_body *body)
{
    double q[4], up[3];
    const double e3[3] = {0, 0, 1};
    CHECK(qi_get_orientation(body, q) == QI_OK && qi_rotate(q, e3, up) == QI_OK);
    return acos(up[2]);
}

static void qi_solve_brings_a_top_back_to_its_tilt_after_a_nutation(void)
{
    uint64_t calls = 0, evaluations = 7, accepted = 0, rejected = 99, again = 0;
    qi_body *called = top(&calls), *ready = top(NULL);
    const double e3[3] = {0, 0, 1}, down[3] = {0, 0, -1};
    CHECK(qi_get_solve_statistics(called, &again, NULL, NULL) == QI_OK && again == 0);
    CHECK(qi_solve(called, 3 * NUTATION, 1e-12, &evaluations) == QI_OK);
    CHECK(evaluations == calls && evaluations > 100 && evaluations < 4000);
    CHECK(qi_get_solve_statistics(called, &again, &accepted, &rejected) == QI_OK);
    CHECK(again == evaluations && accepted > 10 && rejected < accepted);
    CHECK(qi_get_solve_statistics(called, NULL, NULL, NULL) == QI_OK);
    CHECK_NEAR(tilt(called), 1, 1e-11);
    CHECK(take(called).time == 3 * NUTATION);

    CHECK(qi_set_uniform_field_torque(ready, e3, down) == QI_OK);
    CHECK(qi_solve(ready, 3 * NUTATION, 1e-12, NULL) == QI_OK);
    const snapshot a = take(called), b = take(ready);
    for (int i = 0; i < 4; i++) CHECK_NEAR(a.orientation[i], b.orientation[i], 1e-11);

    CHECK(qi_solve(ready, 0, 1e-12, NULL) == QI_OK); /* back */
    CHECK_NEAR(tilt(ready), 1, 1e-11);
    CHECK(take(ready).time == 0);
    CHECK(qi_set_torque(ready, NULL, NULL) == QI_OK); /* free: one exact step */
    CHECK(qi_solve(ready, 1e4, 1e-3, &evaluations) == QI_OK && evaluations == 0);
    qi_destroy_body(called);
    qi_destroy_body(ready);
}

static void qi_solve_record_writes_a_row_for_each_time(void)
{
    const double times[4] = {0, 0.25, 0.26, 2}, wrong[3] = {1, 0.5, 2};
    double rows[4 * 8], omega[3];
    size_t written = 9;
    qi_body *recorded = top(NULL), *plain = top(NULL);
    const snapshot start = take(plain);
    CHECK(qi_solve_record(recorded, times, 4, 1e-10, rows, &written) == QI_OK && written == 4);
    for (int i = 0; i < 4; i++) {
        const double *q = rows + 8 * i + 1;
        CHECK(rows[8 * i] == times[i]);
        CHECK_NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-15);
    }
    CHECK(memcmp(rows + 1, start.orientation, sizeof start.orientation) == 0);
    CHECK(qi_solve(plain, 2, 1e-10, NULL) == QI_OK);
    const snapshot end = take(plain);
    CHECK_UNCHANGED(recorded, end); /* the bits of qi_solve */
    CHECK(memcmp(rows + 25, end.orientation, sizeof end.orientation) == 0);
    CHECK(qi_get_angular_velocity(plain, omega) == QI_OK && memcmp(rows + 29, omega, sizeof omega) == 0);

    CHECK_REFUSED(qi_solve_record(plain, wrong, 3, 1e-10, rows, &written), QI_ERR_INVALID, "`times` must ascend");
    CHECK(written == 0);
    CHECK_REFUSED(qi_solve_record(plain, NULL, 3, 1e-10, rows, NULL), QI_ERR_NULL, "`times` is NULL");
    CHECK_REFUSED(qi_solve_record(plain, times, 3, 1e-10, NULL, NULL), QI_ERR_NULL, "`records` is NULL");
    CHECK_REFUSED(qi_solve_record(plain, times, 4, NAN, rows, NULL), QI_ERR_NON_FINITE, "`tolerance` is NaN");
    CHECK_REFUSED(qi_solve_record(plain, times, SIZE_MAX, 1e-9, rows, NULL), QI_ERR_INVALID, "`count` must");
    CHECK(qi_solve_record(plain, NULL, 0, 1e-10, NULL, &written) == QI_OK && written == 0);
    CHECK_UNCHANGED(plain, end);
    qi_destroy_body(recorded);
    qi_destroy_body(plain);
}

static void qi_solve_until_stops_at_each_event(void)
{
    qi_body *body = top(NULL);
    double last = 0;
    CHECK(qi_set_time(body, 100) == QI_OK); /* the clock does not matter */
    for (int n = 0; n < 5; n++) {
        CHECK(qi_solve_until(body, 120, 1e-12, rising, QI_RISING, NULL) == QI_EVENT); /* lowest points */
        const double time = take(body).time;
        CHECK_NEAR(time - 100, (n + 0.5) * NUTATION, 1e-10);
        if (n > 0) CHECK_NEAR(time - last, NUTATION, 1e-10);
        last = time;
    }
    CHECK(qi_solve_until(body, last + 0.1, 1e-9, rising, QI_ANY_CROSSING, NULL) == QI_OK);
    CHECK(take(body).time == last + 0.1);
    CHECK(qi_solve_until(body, 120, 1e-12, rising, QI_FALLING, NULL) == QI_EVENT);
    CHECK_NEAR(tilt(body), 1, 1e-11);
    qi_destroy_body(body);
}

/* What a monitor has seen, and the call at which it ends the solution. */
typedef struct {
    qi_body *body;
    double time;
    uint64_t calls, last_call;
} sight;

static int32_t watching(double time, const double *q, const double *omega, void *user_data)
{
    sight *s = (sight *)user_data;
    double copy[4];
    CHECK_REFUSED(qi_get_orientation(s->body, copy), QI_ERR_BUSY, "`body` is in use");
    CHECK_NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-14);
    CHECK(time > s->time && isfinite(omega[0] + omega[1] + omega[2]));
    s->time = time;
    return ++s->calls == s->last_call ? 42 : 0;
}

static void a_monitor_sees_each_step_and_may_end_the_solution(void)
{
    double times[3] = {1, 2, 3}, rows[3 * 8], expected[3 * 8];
    size_t written = 9;
    uint64_t accepted = 0;
    qi_body *body = top(NULL), *plain = top(NULL);
    sight s = {body, 0, 0, 0};
    CHECK(qi_solve_record(plain, times, 3, 1e-9, expected, NULL) == QI_OK);
    CHECK(qi_solve_monitored(body, times, 3, 1e-9, rows, &written, 1, watching, &s) == QI_OK && written == 3);
    CHECK(memcmp(rows, expected, sizeof rows) == 0);
    snapshot end = take(plain);
    CHECK_UNCHANGED(body, end);
    CHECK(qi_get_solve_statistics(body, NULL, &accepted, NULL) == QI_OK && s.calls == accepted && accepted > 10 && s.time == 3);

    CHECK(qi_solve(plain, 5, 1e-9, NULL) == QI_OK);
    times[2] = 5; /* the last time alone, without rows */
    CHECK(qi_solve_monitored(body, times, 3, 1e-9, NULL, NULL, 1, watching, &s) == QI_OK);
    end = take(plain);
    CHECK_UNCHANGED(body, end);
    CHECK(qi_solve_monitored(body, times, 3, 1e-9, NULL, &written, 1, NULL, NULL) == QI_OK && written == 0); /* it is there */

    s = (sight){body, 5, 0, 0};
    times[2] = 8;
    CHECK(qi_solve_monitored(body, times, 3, 1e-9, NULL, NULL, 4, watching, &s) == QI_OK);
    CHECK(qi_get_solve_statistics(body, NULL, &accepted, NULL) == QI_OK && accepted > 8 && s.calls == accepted / 4 && s.time < 8);
    CHECK(qi_solve(body, 5, 1e-9, NULL) == QI_OK);

    s = (sight){body, 0, 0, 4};
    times[0] = 5 + 1e-3;
    times[1] = times[2] = 9;
    s.time = 5;
    CHECK_REFUSED(qi_solve_monitored(body, times, 3, 1e-9, rows, &written, 1, watching, &s), QI_ERR_CALLBACK,
                  "qi_solve_monitored: after 4 steps: the monitor of the solution returned 42 at time ");
    CHECK(s.calls == 4 && written == 1 && take(body).time == s.time && s.time < 9);

    const snapshot before = take(body);
    double room[2] = {0, 0};
    CHECK(qi_solve_monitored(body, NULL, 0, 1e-9, NULL, &written, 1, watching, &s) == QI_OK && written == 0);
    CHECK_REFUSED(qi_solve_monitored(body, NULL, 0, 5, NULL, &written, 1, NULL, NULL), QI_ERR_INVALID, "`tolerance`");
    CHECK_REFUSED(qi_solve_record(body, NULL, 0, 5, NULL, &written), QI_ERR_INVALID, "`tolerance`");
    CHECK_REFUSED(qi_solve_monitored(NULL, times, 1, 1e-9, NULL, NULL, 1, NULL, NULL), QI_ERR_NULL, "`body` is NULL");
    CHECK_REFUSED(qi_solve_monitored(body, NULL, 1, 1e-9, NULL, NULL, 1, NULL, NULL), QI_ERR_NULL, "`times` is NULL");
    CHECK_REFUSED(qi_solve_monitored(body, times, 1, 1e-9, misaligned(room), NULL, 1, NULL, NULL), QI_ERR_MISALIGNED, "`records`");
    CHECK_REFUSED(qi_solve_monitored(body, times, 1, 1e-9, NULL, NULL, 0, watching, &s), QI_ERR_INVALID, "`every` must be positive");
    CHECK_REFUSED(qi_solve_monitored(body, times, SIZE_MAX / 8, 1e-9, rows, NULL, 1, NULL, NULL), QI_ERR_INVALID, "`count`");
    times[0] = NAN;
    CHECK_REFUSED(qi_solve_monitored(body, times, 1, 1e-9, NULL, NULL, 1, NULL, NULL), QI_ERR_NON_FINITE, "`times` is NaN");
    CHECK_REFUSED(qi_solve_monitored(body, times, 2, 1e-9, rows, NULL, 1, NULL, NULL), QI_ERR_NON_FINITE, "`times[0]` is NaN");
    CHECK_UNCHANGED(body, before);
    qi_destroy_body(body);
    qi_destroy_body(plain);
}

static double fails_late(double time, const double *q, const double *omega, void *user_data)
{
    (void)q; (void)omega;
    return time > 1 ? *(const double *)user_data : 1;
}

static void arguments_out_of_range_are_refused(void)
{
    uint64_t evaluations = 7;
    double room[2] = {0, 0}, nan = NAN;
    qi_body *body = top(NULL);
    const snapshot before = take(body);
    CHECK_REFUSED(qi_solve(NULL, 1, 1e-9, &evaluations), QI_ERR_NULL, "`body` is NULL");
    CHECK_REFUSED(qi_solve(body, NAN, 1e-9, &evaluations), QI_ERR_NON_FINITE, "`end_time` is NaN");
    CHECK(evaluations == 0);
    CHECK_REFUSED(qi_solve(body, 1, 0, NULL), QI_ERR_INVALID, "`tolerance` must be from 1e-15 to 0.1");
    CHECK_REFUSED(qi_solve(body, 1, INFINITY, NULL), QI_ERR_NON_FINITE, "`tolerance` is inf");
    CHECK_REFUSED(qi_solve(body, 1, 1e-9, (uint64_t *)(void *)misaligned(room)), QI_ERR_MISALIGNED, "`evaluations`");
    CHECK_REFUSED(qi_solve_until(body, 1, 1e-9, NULL, QI_RISING, NULL), QI_ERR_NULL, "`event` is NULL");
    CHECK_REFUSED(qi_solve_until(body, 1, 1e-9, rising, 2, NULL), QI_ERR_INVALID, "`direction` must be QI_RISING,");
    CHECK_REFUSED(qi_solve_until(body, NAN, 1e-9, rising, 1, NULL), QI_ERR_NON_FINITE, "`end_time` is NaN");
    CHECK_REFUSED(qi_get_solve_statistics(NULL, NULL, NULL, NULL), QI_ERR_NULL, "`body` is NULL");
    CHECK_REFUSED(qi_get_solve_statistics(body, NULL, (uint64_t *)(void *)misaligned(room), NULL), QI_ERR_MISALIGNED,
                  "`accepted`");
    CHECK(qi_solve(body, 0, 1e-9, NULL) == QI_OK); /* it is there already */
    CHECK_UNCHANGED(body, before);

    CHECK_REFUSED(qi_solve_until(body, 5, 1e-9, fails_late, QI_RISING, &nan), QI_ERR_NON_FINITE, "the event function is NaN");
    CHECK(take(body).time <= 1);
    qi_destroy_body(body);
}

/* What a torque does from a time on. */
typedef struct {
    double from, torque;
    int32_t result;
} trouble;

static int32_t troublesome(double time, const double *q, const double *omega, double *torque, void *user_data)
{
    const trouble *t = (const trouble *)user_data;
    (void)q; (void)omega;
    torque[0] = time < t->from ? 0.1 : t->torque;
    return time < t->from ? 0 : t->result;
}

static void a_torque_that_fails_leaves_the_body_at_its_last_step(void)
{
    trouble stops = {2, 0, 7}, nan = {2, NAN, 0};
    double times[5] = {1, 1.5, 2, 2.5, 3}, rows[5 * 8];
    size_t written = 9;
    uint64_t evaluations = 0;
    qi_body *body = top(NULL);
    CHECK(qi_set_torque(body, troublesome, &stops) == QI_OK);
    CHECK_REFUSED(qi_solve(body, 5, 1e-9, &evaluations), QI_ERR_CALLBACK, "the torque callback returned 7 at time ");
    CHECK(qi_get_callback_result(body) == 7 && evaluations > 12);
    CHECK(take(body).time > 0 && take(body).time < 2);

    CHECK(qi_set_torque(body, troublesome, &nan) == QI_OK && qi_set_time(body, 0) == QI_OK);
    CHECK_REFUSED(qi_solve_record(body, times, 5, 1e-9, rows, &written), QI_ERR_NON_FINITE, "the torque is not finite at time 2.0");
    CHECK(written == 2 && rows[8] == 1.5);
    CHECK(take(body).time < 2 && take(body).time > 2 - 1e-9);
    qi_destroy_body(body);
}

static int32_t singular(double time, const double *q, const double *omega, double *torque, void *user_data)
{
    (void)q; (void)omega; (void)user_data;
    torque[1] = 1 / fabs(1 - time);
    return 0;
}

static void a_singular_torque_is_an_error_that_says_when(void)
{
    qi_body *body = top(NULL);
    CHECK(qi_set_torque(body, singular, NULL) == QI_OK);
    CHECK_REFUSED(qi_solve(body, 2, 1e-6, NULL), QI_ERR_STEP, "no step from time 0.99999");
    CHECK_NEAR(take(body).time, 1, 1e-9);
    qi_destroy_body(body);
}

/* Callbacks that use their own body, which is forbidden. */
static int32_t meddling_torque(double time, const double *q, const double *omega, double *torque, void *user_data)
{
    qi_body *body = (qi_body *)user_data;
    (void)time; (void)q; (void)omega; (void)torque;
    CHECK_REFUSED(qi_solve(body, 9, 1e-9, NULL), QI_ERR_BUSY, "`body` is in use");
    return 0;
}

static double meddling_event(double time, const double *q, const double *omega, void *user_data)
{
    qi_body *body = (qi_body *)user_data;
    double copy[4];
    (void)q; (void)omega;
    CHECK_REFUSED(qi_get_orientation(body, copy), QI_ERR_BUSY, "`body` is in use");
    CHECK_REFUSED(qi_get_solve_statistics(body, NULL, NULL, NULL), QI_ERR_BUSY, "`body` is in use");
    CHECK_REFUSED(qi_solve_until(body, 9, 1e-9, rising, 0, NULL), QI_ERR_BUSY, "`body` is in use");
    return time - 0.5;
}

static void a_callback_cannot_use_its_own_body(void)
{
    qi_body *body = top(NULL);
    CHECK(qi_set_torque(body, meddling_torque, body) == QI_OK);
    CHECK(qi_solve_until(body, 1, 1e-6, meddling_event, QI_RISING, body) == QI_EVENT);
    CHECK_NEAR(take(body).time, 0.5, 1e-15);
    qi_destroy_body(body);
}

/* A pulse of 0.02 s in each second; count of calls in user_data. */
static int32_t pulses(double time, const double *q, const double *omega, double *torque, void *user_data)
{
    const double phase = time - floor(time);
    (void)q; (void)omega;
    torque[2] = phase >= 0.5 && phase < 0.52 ? 5 : 0;
    if (user_data != NULL) ++*(uint64_t *)user_data;
    return 0;
}

static double spun_up(double longest)
{
    const double inertia[9] = {1, 0, 0, 0, 2, 0, 0, 0, 10}, omega[3] = {0, 0, 1e-3};
    double end[3];
    qi_body *body = qi_create_body(inertia, NULL, omega, NULL);
    CHECK(qi_set_torque(body, pulses, NULL) == QI_OK && qi_set_solve_longest_step(body, longest) == QI_OK);
    CHECK(qi_solve(body, 1000, 1e-9, NULL) == QI_OK && qi_get_angular_velocity_body(body, end) == QI_OK);
    qi_destroy_body(body);
    return end[2] - 1e-3;
}

static void qi_set_solve_longest_step_shows_pulses(void)
{
    CHECK_NEAR(spun_up(0.01), 10, 1e-6);
    CHECK(spun_up(0) < 9.9);
    qi_body *body = top(NULL);
    CHECK_REFUSED(qi_set_solve_longest_step(body, -1), QI_ERR_INVALID, "`longest` must be positive, or 0");
    CHECK_REFUSED(qi_set_solve_longest_step(body, NAN), QI_ERR_NON_FINITE, "`longest`");
    CHECK_REFUSED(qi_set_solve_longest_step(NULL, 1), QI_ERR_NULL, "`body`");
    qi_destroy_body(body);
}

static void qi_set_solve_most_evaluations_ends_a_solution_that_would_not_end(void)
{
    const double inertia[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3}, omega[3] = {0.1, 0.2, 0.3}, drag[3] = {20, 20, 20};
    uint64_t evaluations = 0;
    qi_body *body = qi_create_body(inertia, NULL, omega, NULL);
    CHECK(qi_set_linear_drag_torque(body, drag) == QI_OK && qi_set_solve_most_evaluations(body, 5000) == QI_OK);
    CHECK_REFUSED(qi_solve(body, -3, 1e-6, &evaluations), QI_ERR_STEP, "after 5000 evaluations, the most that are allowed");
    CHECK(evaluations == 5000 && take(body).time < 0 && take(body).time > -3);
    CHECK(qi_set_solve_most_evaluations(body, 0) == QI_OK && qi_solve(body, 0, 1e-6, NULL) == QI_OK);
    CHECK_REFUSED(qi_set_solve_most_evaluations(NULL, 1), QI_ERR_NULL, "`body`");
    qi_destroy_body(body);
}

/* Relaxes to 1 rad/s about x in 1e-4 s; the number of calls in user_data. */
static int32_t stiff_drag(double time, const double *q, const double *omega, double *torque, void *user_data)
{
    (void)time; (void)q;
    for (int k = 0; k < 3; k++) torque[k] = -1e4 * (omega[k] - (k == 0));
    ++*(uint64_t *)user_data;
    return 0;
}

static void qi_set_solve_method_takes_long_steps_under_a_stiff_torque(void)
{
    const double inertia[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3}, omega[3] = {0.1, 0.2, 0.3};
    double end[3];
    uint64_t calls = 0, evaluations = 0;
    qi_body *body = qi_create_body(inertia, NULL, omega, NULL);
    CHECK(qi_set_torque(body, stiff_drag, &calls) == QI_OK && qi_set_solve_most_evaluations(body, 2000) == QI_OK);
    CHECK_REFUSED(qi_solve(body, 5, 1e-6, NULL), QI_ERR_STEP, "looks stiff: qi_set_solve_method(body, QI_SOLVE_STIFF)");
    CHECK(qi_set_solve_method(body, QI_SOLVE_STIFF) == QI_OK);
    calls = 0;
    CHECK(qi_solve(body, 5, 1e-6, &evaluations) == QI_OK && evaluations < 500 && evaluations == calls);
    CHECK(qi_get_angular_velocity(body, end) == QI_OK);
    CHECK_NEAR(end[0], 1, 1e-5);
    CHECK_NEAR(end[1], 0, 1e-5);
    CHECK(qi_set_solve_method(body, QI_SOLVE_NONSTIFF) == QI_OK);
    CHECK_REFUSED(qi_solve(body, 9, 1e-6, NULL), QI_ERR_STEP, "looks stiff");
    for (int32_t wrong = -1; wrong <= 3; wrong += 4)
        CHECK_REFUSED(qi_set_solve_method(body, wrong), QI_ERR_INVALID, "`method` must be QI_SOLVE_NONSTIFF, QI_SOLVE_STIFF or QI_SOLVE_SPLITTING");
    CHECK_REFUSED(qi_set_solve_method(NULL, QI_SOLVE_STIFF), QI_ERR_NULL, "`body`");
    qi_destroy_body(body);
}

typedef struct {
    uint64_t calls;
    int reads_omega;
} seen;

static int32_t field_of_seen(double time, const double *q, const double *omega, double *torque, void *data)
{
    seen *s = data;
    const double arm[3] = {0.2, -0.1, 0.9};
    double in_space[3];
    (void)time;
    s->calls++;
    CHECK(qi_rotate(q, arm, in_space) == QI_OK);
    torque[0] = -in_space[1];
    torque[1] = in_space[0];
    torque[2] = s->reads_omega ? omega[2] : 0;
    return 0;
}

/* Beside a solution by DOP853: the same end, fewer torques; NaN for the angular velocity. */
static void qi_solve_splitting_takes_fewer_torques_of_the_orientation(void)
{
    const double inertia[9] = {1, 0, 0, 0, 1.5, 0, 0, 0, 0.7}, q[4] = {0.8, 0.36, 0.48, 0}, omega[3] = {0.4, -0.3, 5};
    const double drag[3] = {0.1, 0.2, 0.3};
    double ends[2][4], before[4], after[4], time = -1;
    uint64_t calls[2];
    for (int32_t k = 0; k < 2; k++) {
        seen s = {0, 0};
        uint64_t evaluations = 0;
        qi_body *body = qi_create_body(inertia, q, omega, NULL);
        CHECK(qi_set_torque(body, field_of_seen, &s) == QI_OK);
        CHECK(qi_set_solve_method(body, k == 0 ? QI_SOLVE_NONSTIFF : QI_SOLVE_SPLITTING) == QI_OK);
        CHECK(qi_solve(body, 10, 1e-11, &evaluations) == QI_OK && evaluations == s.calls);
        CHECK(qi_get_orientation(body, ends[k]) == QI_OK);
        calls[k] = s.calls;
        qi_destroy_body(body);
    }
    for (int i = 0; i < 4; i++) CHECK_NEAR(ends[0][i], ends[1][i], 2e-10);
    CHECK(10 * calls[1] < 6 * calls[0]);

    seen s = {0, 1};
    qi_body *body = qi_create_body(inertia, q, omega, NULL);
    CHECK(qi_set_torque(body, field_of_seen, &s) == QI_OK && qi_set_solve_method(body, QI_SOLVE_SPLITTING) == QI_OK);
    CHECK(qi_get_orientation(body, before) == QI_OK);
    CHECK_REFUSED(qi_solve(body, 1, 1e-6, NULL), QI_ERR_NON_FINITE, "QI_SOLVE_NONSTIFF and QI_SOLVE_STIFF take any torque");
    CHECK(qi_get_time(body, &time) == QI_OK && time == 0);
    CHECK(qi_get_orientation(body, after) == QI_OK && memcmp(before, after, sizeof before) == 0);
    CHECK(qi_set_linear_drag_torque(body, drag) == QI_OK);
    CHECK_REFUSED(qi_solve(body, 1, 1e-6, NULL), QI_ERR_INVALID, "qi_set_drag()");
    qi_destroy_body(body);
}

int main(void)
{
    RUN(qi_solve_splitting_takes_fewer_torques_of_the_orientation);
    RUN(qi_solve_brings_a_top_back_to_its_tilt_after_a_nutation);
    RUN(qi_solve_record_writes_a_row_for_each_time);
    RUN(qi_solve_until_stops_at_each_event);
    RUN(a_monitor_sees_each_step_and_may_end_the_solution);
    RUN(arguments_out_of_range_are_refused);
    RUN(a_torque_that_fails_leaves_the_body_at_its_last_step);
    RUN(a_singular_torque_is_an_error_that_says_when);
    RUN(a_callback_cannot_use_its_own_body);
    RUN(qi_set_solve_longest_step_shows_pulses);
    RUN(qi_set_solve_most_evaluations_ends_a_solution_that_would_not_end);
    RUN(qi_set_solve_method_takes_long_steps_under_a_stiff_torque);
    return 0;
}
