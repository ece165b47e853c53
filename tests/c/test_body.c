/* One body, with valid and invalid input. */
#include "check.h"

static const double TENSOR[9] = {1.3, 0.2, -0.1, 0.2, 2.1, 0.3, -0.1, 0.3, 2.9};
static const double DIAGONAL[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3};
static const double OMEGA[3] = {0.7, -0.4, 1.1};

static qi_body *body_of(const double *inertia)
{
    qi_status status = 99;
    qi_body *body = qi_create_body(inertia, NULL, OMEGA, &status);
    CHECK(body != NULL && status == QI_OK);
    return body;
}

/* Weight of a top with its centre of mass at e3: (R e3) x (0, 0, -1). */
static int32_t weight(double time, const double *q, const double *omega, double *torque, void *user_data)
{
    (void)time; (void)omega; (void)user_data;
    torque[0] = -2 * (q[2] * q[3] - q[0] * q[1]);
    torque[1] = 2 * (q[1] * q[3] + q[0] * q[2]);
    return 0; /* torque[2] keeps its initial value 0 */
}

/* A torque that misbehaves at one chosen call. */
typedef struct {
    int calls, bad_call;
    int32_t result;
    double torque;
    double times[8];
} trouble;

static int32_t troublesome(double time, const double *q, const double *omega, double *torque, void *user_data)
{
    trouble *t = (trouble *)user_data;
    (void)q; (void)omega;
    if (t->calls < 8) t->times[t->calls] = time;
    torque[0] = 0.1;
    if (++t->calls != t->bad_call) return 0;
    torque[1] = t->torque;
    return t->result;
}

/* Nothing in this body, its state and its torque lies along an axis. Each language has the same test with the same numbers, so that a
   transposed matrix, another order of the components, a mistaken frame or a conjugated quaternion shows. They are those of
   tests/rust/every_language.rs. */
static const double GENERIC[9] = {5.72, 0.768, -0.576, 0.768, 5.0992, -1.5744, -0.576, -1.5744, 4.1808};
static const double TURNED[4] = {0.5, -0.1, 0.7, 0.5}, SPINNING[3] = {0.3, -0.7, 1.1};

static int32_t generic_torque(double time, const double *q, const double *omega, double *torque, void *user_data)
{
    (void)user_data;
    torque[0] = 0.3 + q[1] * q[2] - 0.2 * omega[1];
    torque[1] = 0.1 * time - q[0] * q[3];
    torque[2] = 0.2 + q[2] * q[3] + 0.3 * omega[0];
    return 0;
}

static void a_generic_body_comes_where_it_comes_in_every_language(void)
{
    const double end_q[4] = {0.4591273469192799, -0.5026845302823357, 0.1801445488229428, 0.7099706218253464};
    const double end_omega[3] = {0.7566512967365715, -0.8861596187131292, 0.9622951882072567};
    const double end_omega_body[3] = {-1.318525692064565, -0.37332023040899964, -0.6371295699234223};
    double q[4], omega[3], omega_body[3];
    qi_body *body = qi_create_body(GENERIC, TURNED, SPINNING, NULL);
    CHECK(qi_set_torque(body, generic_torque, NULL) == QI_OK && qi_advance(body, 0.01, 100, NULL) == QI_OK);
    CHECK(qi_get_orientation(body, q) == QI_OK && qi_get_angular_velocity(body, omega) == QI_OK);
    CHECK(qi_get_angular_velocity_body(body, omega_body) == QI_OK);
    for (int c = 0; c < 4; c++) CHECK_NEAR(q[c], end_q[c], 1e-14);
    for (int c = 0; c < 3; c++) CHECK_NEAR(omega[c], end_omega[c], 1e-14);
    for (int c = 0; c < 3; c++) CHECK_NEAR(omega_body[c], end_omega_body[c], 1e-14);
    qi_destroy_body(body);
}

static void qi_create_body_defaults_to_identity_at_rest_at_time_zero(void)
{
    qi_body *body = qi_create_body(TENSOR, NULL, NULL, NULL);
    CHECK(body != NULL);
    snapshot s = take(body);
    const double expected[8] = {1, 0, 0, 0, 0, 0, 0, 0};
    CHECK(memcmp(&s, expected, sizeof s) == 0);
    CHECK(qi_advance(body, 0.1, 100, NULL) == QI_OK); /* the body stays there, bitwise */
    s = take(body);
    CHECK(memcmp(&s, expected, 7 * sizeof(double)) == 0);
    CHECK_NEAR(s.time, 10, 1e-14);
    qi_destroy_body(body);
}

static qi_status refused(const double *inertia, const double *q, const double *omega)
{
    qi_status status = 99;
    CHECK(qi_create_body(inertia, q, omega, &status) == NULL);
    CHECK(strncmp(qi_last_error(), "qi_create_body: ", 16) == 0);
    return status;
}

static void qi_create_body_refuses_what_no_body_can_be(void)
{
    const double negative[9] = {1, 0, 0, 0, -1, 0, 0, 0, 1}, skew[9] = {1, 0.1, 0, 0, 1, 0, 0, 0, 1};
    const double no_line[9] = {0, 0, 0, 0, 1, 0, 0, 0, 2};
    const double nan9[9] = {1, 0, 0, 0, NAN, 0, 0, 0, 1}, long_q[4] = {2, 0, 0, 0}, inf_omega[3] = {0, 0, INFINITY};
    double room[10];
    CHECK(refused(NULL, NULL, NULL) == QI_ERR_NULL);
    CHECK(strstr(qi_last_error(), "`inertia` is NULL"));
    CHECK(refused(misaligned(room), NULL, NULL) == QI_ERR_MISALIGNED);
    CHECK(refused(negative, NULL, NULL) == QI_ERR_INERTIA);
    CHECK(strstr(qi_last_error(), "not positive definite"));
    CHECK(refused(no_line, NULL, NULL) == QI_ERR_INERTIA);
    CHECK(strstr(qi_last_error(), "moments are 0.0, 1.0, 2.0 ") && strstr(qi_last_error(), "one is zero and the others are equal"));
    CHECK(refused(skew, NULL, NULL) == QI_ERR_INERTIA);
    CHECK(strstr(qi_last_error(), "not symmetric"));
    CHECK(refused(nan9, NULL, NULL) == QI_ERR_NON_FINITE);
    CHECK(strstr(qi_last_error(), "`inertia[4]` is NaN"));
    CHECK(refused(DIAGONAL, long_q, NULL) == QI_ERR_ORIENTATION);
    CHECK(refused(DIAGONAL, NULL, inf_omega) == QI_ERR_NON_FINITE);
    CHECK(strstr(qi_last_error(), "`angular_velocity[2]` is inf"));
    CHECK(qi_create_body(NULL, NULL, NULL, NULL) == NULL); /* status not requested */
    qi_destroy_body(NULL);
}

static void qi_advance_gives_the_bits_of_qi_step(void)
{
    qi_body *stepped = body_of(TENSOR), *advanced = body_of(TENSOR);
    uint64_t completed = 99;
    CHECK(qi_set_torque(stepped, weight, NULL) == QI_OK);
    CHECK(qi_set_torque(advanced, weight, NULL) == QI_OK);
    for (int i = 0; i < 137; i++) CHECK(qi_step(stepped, 0.01) == QI_OK);
    CHECK(qi_advance(advanced, 0.01, 137, &completed) == QI_OK);
    CHECK(completed == 137);
    const snapshot s = take(stepped);
    CHECK_UNCHANGED(advanced, s);
    qi_destroy_body(stepped);
    qi_destroy_body(advanced);
}

static void a_step_that_fails_leaves_the_body_bitwise_as_it_was(void)
{
    qi_body *body = body_of(TENSOR);
    uint64_t completed = 99;
    CHECK(qi_set_time(body, 2.5) == QI_OK);
    const snapshot before = take(body);
    for (int stage = 1; stage <= 2; stage++) {
        trouble says_no = {0, stage, -42, 0, {0}}, says_nan = {0, stage, 0, NAN, {0}}, says_inf = {0, stage, 0, -INFINITY, {0}};
        CHECK(qi_set_torque(body, troublesome, &says_no) == QI_OK);
        CHECK_REFUSED(qi_step(body, 0.5), QI_ERR_CALLBACK, "the torque callback returned -42 at time 2.");
        CHECK(qi_get_callback_result(body) == -42);
        CHECK_UNCHANGED(body, before);
        CHECK(says_no.calls == stage && says_no.times[0] == 2.5 && (stage == 1 || says_no.times[1] == 2.75));

        CHECK(qi_set_torque(body, troublesome, &says_nan) == QI_OK);
        CHECK_REFUSED(qi_step(body, 0.5), QI_ERR_NON_FINITE, "the torque is not finite at time 2.");
        CHECK(qi_get_callback_result(body) == 0);
        CHECK_UNCHANGED(body, before);

        CHECK(qi_set_torque(body, troublesome, &says_inf) == QI_OK);
        CHECK_REFUSED(qi_step(body, 0.5), QI_ERR_NON_FINITE, "the torque is not finite");
        CHECK_UNCHANGED(body, before);
    }
    trouble in_step_4 = {0, 8, 1, 0, {0}}; /* fails in the second stage of step 4 */
    CHECK(qi_set_torque(body, troublesome, &in_step_4) == QI_OK);
    CHECK_REFUSED(qi_advance(body, 0.5, 10, &completed), QI_ERR_CALLBACK, "after 3 steps: the torque callback returned 1");
    CHECK(completed == 3);
    double time;
    CHECK(qi_get_time(body, &time) == QI_OK && time == 4.0);
    qi_destroy_body(body);
}

static void motion_that_overflows_is_an_error(void)
{
    const double strong[3] = {1e300, 1e300, 0};
    qi_body *body = body_of(DIAGONAL);
    const snapshot before = take(body);
    CHECK(qi_set_constant_torque(body, strong, QI_FRAME_BODY) == QI_OK);
    CHECK_REFUSED(qi_step(body, 1e10), QI_ERR_NON_FINITE, "the motion overflows in the step that starts at time 0");
    CHECK(strstr(qi_last_error(), "; before it the rotation per step was ") != NULL);
    CHECK(strstr(qi_last_error(), " rad (PCDM needs less than 0.1), T h² / I = 3.403e38 for a spring (under PCDM swings grow at any step)") != NULL);
    CHECK_UNCHANGED(body, before);
    qi_destroy_body(body);
}

static void what_would_overflow_is_refused_and_never_a_nan(void)
{
    const double q[4] = {0.8, 0.36, -0.48, 0}, huge[3] = {1.7e308, 1.7e308, -1.7e308}, fast[3] = {1e10, 1, 1};
    const double heavy[9] = {1e300, 0, 0, 0, 1e300, 0, 0, 0, 1e300};
    double v[3] = {7, 7, 7}, energy = 7, room[2];
    qi_status status;
    CHECK(qi_create_body(DIAGONAL, q, huge, &status) == NULL && status == QI_ERR_INVALID);
    CHECK(qi_create_body(DIAGONAL, q, NULL, (qi_status *)(void *)((char *)room + 1)) == NULL);
    CHECK(strcmp(qi_last_error(), "qi_create_body: `status` is not aligned to its type") == 0);
    qi_body *body = qi_create_body(heavy, NULL, fast, NULL);
    CHECK_REFUSED(qi_get_kinetic_energy(body, &energy), QI_ERR_NON_FINITE, "`energy` overflows");
    CHECK_REFUSED(qi_get_angular_momentum(body, v), QI_ERR_NON_FINITE, "`angular_momentum` overflows");
    CHECK_REFUSED(qi_set_state_body(body, q, huge), QI_ERR_INVALID, "`angular_velocity_body` must be less than 1e154");
    CHECK_REFUSED(qi_rotate(q, huge, v), QI_ERR_NON_FINITE, "`v_world[");
    CHECK(v[0] == 7 && energy == 7);
    qi_destroy_body(body);

    body = qi_create_body(DIAGONAL, q, NULL, NULL); /* for a body at rest any step length works */
    const snapshot before = take(body);
    CHECK(qi_step(body, 1e200) == QI_OK && qi_step(body, -1e308) == QI_OK && qi_set_time(body, 0) == QI_OK);
    CHECK_UNCHANGED(body, before);
    qi_destroy_body(body);
}

static void qi_record_refuses_more_rows_than_there_can_be(void)
{
    qi_body *body = body_of(TENSOR);
    double row[8];
    CHECK_REFUSED(qi_record(body, 0.1, UINT64_MAX / 2, 1, row, SIZE_MAX, NULL), QI_ERR_CAPACITY, "`capacity` is too small");
    CHECK_REFUSED(qi_record(body, 0.1, UINT64_MAX / 2, 0, row, SIZE_MAX, NULL), QI_ERR_INVALID, "`every`");
    qi_destroy_body(body);
}

static void qi_step_refuses_a_nan_dt_and_changes_nothing(void)
{
    qi_body *body = body_of(TENSOR);
    uint64_t completed = 99;
    const snapshot before = take(body);
    CHECK_REFUSED(qi_step(body, NAN), QI_ERR_NON_FINITE, "`dt` is NaN");
    CHECK_REFUSED(qi_advance(body, INFINITY, 5, &completed), QI_ERR_NON_FINITE, "`dt` is inf");
    CHECK(completed == 0);
    CHECK(qi_step(body, 0.0) == QI_OK);
    CHECK_UNCHANGED(body, before);
    completed = 99;
    CHECK_REFUSED(qi_advance(NULL, 0.1, 5, &completed), QI_ERR_NULL, "`body` is NULL");
    CHECK(completed == 0);
    qi_destroy_body(body);
}

static void qi_step_backwards_returns(void)
{
    qi_body *body = body_of(TENSOR);
    CHECK(qi_set_torque(body, weight, NULL) == QI_OK);
    CHECK(qi_advance(body, 1e-3, 1000, NULL) == QI_OK);
    CHECK(qi_advance(body, -1e-3, 1000, NULL) == QI_OK);
    const snapshot s = take(body);
    CHECK_NEAR(s.orientation[0], 1, 1e-6);
    CHECK_NEAR(s.omega[2], OMEGA[2], 1e-6);
    CHECK(s.time == 0);
    qi_destroy_body(body);
}

static void qi_record_writes_the_start_and_every_so_many_steps(void)
{
    enum { ROWS = 5 };
    qi_body *recorded = body_of(TENSOR), *stepped = body_of(TENSOR);
    double rows[8 * (ROWS + 1)], omega[3];
    size_t written = 99;
    rows[8 * ROWS] = 99;
    const snapshot before = take(recorded);
    CHECK_REFUSED(qi_record(recorded, 0.1, 14, 3, rows, ROWS - 1, &written), QI_ERR_CAPACITY, "5 needed, 4 given");
    CHECK(written == 0);
    CHECK_REFUSED(qi_record(recorded, 0.1, 14, 0, rows, ROWS, NULL), QI_ERR_INVALID, "`every` must be at least 1");
    CHECK_REFUSED(qi_record(recorded, NAN, 14, 3, rows, ROWS, NULL), QI_ERR_NON_FINITE, "`dt` is NaN");
    CHECK_REFUSED(qi_record(recorded, 0.1, 14, 3, NULL, ROWS, NULL), QI_ERR_NULL, "`records` is NULL");
    CHECK_UNCHANGED(recorded, before);

    CHECK(qi_record(recorded, 0.1, 14, 3, rows, ROWS, &written) == QI_OK);
    CHECK(written == ROWS && rows[8 * ROWS] == 99);
    for (int row = 0; row < ROWS; row++) {
        const snapshot s = take(stepped);
        CHECK(rows[8 * row] == s.time);
        CHECK(memcmp(rows + 8 * row + 1, s.orientation, sizeof s.orientation) == 0);
        CHECK(qi_get_angular_velocity(stepped, omega) == QI_OK);
        CHECK(memcmp(rows + 8 * row + 5, omega, sizeof omega) == 0);
        CHECK(qi_advance(stepped, 0.1, row < ROWS - 1 ? 3 : 2, NULL) == QI_OK);
    }
    const snapshot s = take(stepped);
    CHECK_UNCHANGED(recorded, s);

    trouble fails = {0, 9, 5, 0, {0}}; /* fails in the fifth step */
    CHECK(qi_set_torque(recorded, troublesome, &fails) == QI_OK);
    CHECK_REFUSED(qi_record(recorded, 0.1, 12, 3, rows, ROWS, &written), QI_ERR_CALLBACK, "after 4 steps");
    CHECK(written == 2);
    qi_destroy_body(recorded);
    qi_destroy_body(stepped);
}

static void qi_set_state_checks_both_before_it_writes_either(void)
{
    const double q[4] = {0.5, 0.5, -0.5, 0.5001}, bad_q[4] = {0.5, 0.5, 0.5, 0.6}, bad_omega[3] = {0, NAN, 0};
    qi_body *body = body_of(TENSOR), *copy = body_of(TENSOR);
    double omega[3];
    const snapshot before = take(body);
    CHECK_REFUSED(qi_set_state(body, q, bad_omega), QI_ERR_NON_FINITE, "`angular_velocity[1]` is NaN");
    CHECK_REFUSED(qi_set_state(body, bad_q, OMEGA), QI_ERR_ORIENTATION, "not within 1e-3 of 1");
    CHECK_REFUSED(qi_set_state(body, NULL, OMEGA), QI_ERR_NULL, "`orientation` is NULL");
    CHECK_REFUSED(qi_set_state_body(body, q, NULL), QI_ERR_NULL, "`angular_velocity_body` is NULL");
    CHECK_UNCHANGED(body, before);

    CHECK(qi_set_state(body, q, OMEGA) == QI_OK);
    CHECK(qi_get_angular_velocity(body, omega) == QI_OK);
    for (int i = 0; i < 3; i++) CHECK_NEAR(omega[i], OMEGA[i], 2e-15);
    CHECK(qi_advance(body, 0.1, 33, NULL) == QI_OK);
    snapshot s = take(body);
    CHECK(qi_set_state_body(copy, s.orientation, s.omega) == QI_OK); /* restores a checkpoint */
    CHECK(qi_set_time(copy, s.time) == QI_OK);
    CHECK_UNCHANGED(copy, s);
    CHECK(qi_advance(body, 0.1, 33, NULL) == QI_OK && qi_advance(copy, 0.1, 33, NULL) == QI_OK);
    CHECK(qi_set_time(body, 1) == QI_OK && qi_set_time(copy, 1) == QI_OK);
    s = take(body);
    CHECK_UNCHANGED(copy, s);
    CHECK_REFUSED(qi_set_time(copy, NAN), QI_ERR_NON_FINITE, "`time` is NaN");
    qi_destroy_body(body);
    qi_destroy_body(copy);
}

static void ready_made_torques_refuse_what_they_cannot_use(void)
{
    const double v[3] = {1, 2, 3}, nan_v[3] = {1, NAN, 3}, zero[3] = {0, 0, 0};
    qi_body *body = body_of(TENSOR);
    CHECK_REFUSED(qi_set_constant_torque(body, v, 2), QI_ERR_INVALID, "`frame` must be QI_FRAME_WORLD or");
    CHECK_REFUSED(qi_set_constant_torque(body, nan_v, QI_FRAME_BODY), QI_ERR_NON_FINITE, "`torque[1]` is NaN");
    CHECK_REFUSED(qi_set_constant_torque(body, NULL, QI_FRAME_BODY), QI_ERR_NULL, "`torque` is NULL");
    CHECK_REFUSED(qi_set_uniform_field_torque(body, v, nan_v), QI_ERR_NON_FINITE, "`field_world[1]` is NaN");
    CHECK_REFUSED(qi_set_uniform_field_torque(NULL, v, v), QI_ERR_NULL, "`body` is NULL");
    CHECK_REFUSED(qi_set_gravity_gradient_torque(body, zero, 1), QI_ERR_INVALID, "`direction_world` is the zero vector");
    CHECK_REFUSED(qi_set_gravity_gradient_torque(body, v, NAN), QI_ERR_NON_FINITE, "`gradient` is NaN");
    CHECK_REFUSED(qi_set_linear_drag_torque(body, nan_v), QI_ERR_NON_FINITE, "`coefficients[1]` is NaN");
    CHECK_REFUSED(qi_set_torque(NULL, weight, NULL), QI_ERR_NULL, "`body` is NULL");
    qi_destroy_body(body);
}

/* A callback that uses its own body, which is forbidden. */
static int32_t meddling(double time, const double *q, const double *omega, double *torque, void *user_data)
{
    qi_body *body = (qi_body *)user_data;
    double x[4] = {1, 0, 0, 0};
    (void)time; (void)q; (void)omega; (void)torque;
    CHECK_REFUSED(qi_step(body, 0.1), QI_ERR_BUSY, "`body` is in use");
    CHECK_REFUSED(qi_set_state(body, x, x), QI_ERR_BUSY, "`body` is in use");
    CHECK_REFUSED(qi_get_orientation(body, x), QI_ERR_BUSY, "`body` is in use");
    CHECK_REFUSED(qi_set_torque(body, NULL, NULL), QI_ERR_BUSY, "`body` is in use");
    qi_destroy_body(body); /* ignored: the body is in use and must not be freed */
    return 0;
}

static void a_callback_that_uses_its_own_body_is_told_that_it_is_busy(void)
{
    qi_body *body = body_of(TENSOR), *free_body = body_of(TENSOR);
    CHECK(qi_set_torque(body, meddling, body) == QI_OK);
    CHECK(qi_step(body, 0.1) == QI_OK);
    CHECK(qi_step(free_body, 0.1) == QI_OK);
    const snapshot a = take(body), b = take(free_body);
    for (int i = 0; i < 4; i++) CHECK_NEAR(a.orientation[i], b.orientation[i], 1e-15);
    qi_destroy_body(body);
    qi_destroy_body(free_body);
}

static void getters_refuse_null_and_misaligned_places(void)
{
    qi_body *body = body_of(TENSOR);
    double room[5];
    CHECK_REFUSED(qi_get_orientation(NULL, room), QI_ERR_NULL, "`body` is NULL");
    CHECK_REFUSED(qi_get_orientation(body, NULL), QI_ERR_NULL, "`orientation` is NULL");
    CHECK_REFUSED(qi_get_orientation(body, misaligned(room)), QI_ERR_MISALIGNED, "`orientation` is not aligned");
    CHECK_REFUSED(qi_get_angular_velocity(body, NULL), QI_ERR_NULL, "`angular_velocity` is NULL");
    CHECK_REFUSED(qi_get_angular_velocity_body(body, NULL), QI_ERR_NULL, "`angular_velocity` is NULL");
    CHECK_REFUSED(qi_get_time(body, NULL), QI_ERR_NULL, "`time` is NULL");
    CHECK_REFUSED(qi_get_angular_momentum(body, NULL), QI_ERR_NULL, "`angular_momentum` is NULL");
    CHECK_REFUSED(qi_get_kinetic_energy(body, NULL), QI_ERR_NULL, "`energy` is NULL");
    CHECK(qi_get_callback_result(NULL) == 0);
    CHECK_REFUSED(qi_advance(body, 0.1, 1, (uint64_t *)(void *)misaligned(room)), QI_ERR_MISALIGNED, "`completed`");
    qi_destroy_body(body);
}

static void qi_integrate_gives_the_bits_of_a_body_and_all_or_nothing(void)
{
    double q[4] = {0.6, 0, 0.8, 0}, omega[3] = {0.7, -0.4, 1.1}, q_body[4], omega_body[3];
    qi_body *body = qi_create_body(TENSOR, q, omega, NULL);
    CHECK(body != NULL && qi_set_torque(body, weight, NULL) == QI_OK);
    CHECK(qi_advance(body, 0.02, 99, NULL) == QI_OK);
    CHECK(qi_get_orientation(body, q_body) == QI_OK && qi_get_angular_velocity(body, omega_body) == QI_OK);
    CHECK(qi_integrate(TENSOR, q, omega, 0, 0.02, 99, weight, NULL) == QI_OK);
    CHECK(memcmp(q, q_body, sizeof q) == 0 && memcmp(omega, omega_body, sizeof omega) == 0);

    trouble fails = {0, 20, 6, 0, {0}};
    CHECK_REFUSED(qi_integrate(TENSOR, q, omega, 5, 0.02, 99, troublesome, &fails), QI_ERR_CALLBACK, "after 9 steps");
    CHECK(fails.times[0] == 5);
    CHECK_REFUSED(qi_integrate(TENSOR, q, omega, NAN, 0.02, 99, weight, NULL), QI_ERR_NON_FINITE, "`time` is NaN");
    CHECK_REFUSED(qi_integrate(TENSOR, q, omega, 0, NAN, 99, weight, NULL), QI_ERR_NON_FINITE, "`dt` is NaN");
    CHECK_REFUSED(qi_integrate(NULL, q, omega, 0, 1, 99, weight, NULL), QI_ERR_NULL, "`inertia` is NULL");
    CHECK_REFUSED(qi_integrate(TENSOR, NULL, omega, 0, 1, 9, weight, NULL), QI_ERR_NULL, "`orientation` is NULL");
    CHECK_REFUSED(qi_integrate(TENSOR, q, NULL, 0, 1, 9, weight, NULL), QI_ERR_NULL, "`angular_velocity` is NULL");
    CHECK(qi_integrate(TENSOR, q, omega, 0, 0, 9, weight, NULL) == QI_OK);
    CHECK(qi_integrate(TENSOR, q, omega, 0, 1, 0, NULL, NULL) == QI_OK);
    CHECK(memcmp(q, q_body, sizeof q) == 0 && memcmp(omega, omega_body, sizeof omega) == 0);
    qi_destroy_body(body);
}

static void qi_set_method_takes_a_method_that_exists_and_keeps_the_state(void)
{
    int32_t method = 99;
    qi_body *body = body_of(TENSOR);
    const snapshot before = take(body);
    CHECK(qi_get_method(body, &method) == QI_OK && method == QI_METHOD_PCDM);
    CHECK(qi_set_method(body, QI_METHOD_CF4) == QI_OK);
    CHECK_UNCHANGED(body, before);
    CHECK_REFUSED(qi_set_method(body, 99), QI_ERR_INVALID, "`method` must be QI_METHOD_PCDM, _SPLITTING, _SPL");
    CHECK_REFUSED(qi_set_method(body, -1), QI_ERR_INVALID, "`method` must be");
    CHECK_REFUSED(qi_set_method(NULL, QI_METHOD_CF4), QI_ERR_NULL, "`body` is NULL");
    CHECK_REFUSED(qi_get_method(NULL, &method), QI_ERR_NULL, "`body` is NULL");
    CHECK_REFUSED(qi_get_method(body, NULL), QI_ERR_NULL, "`method` is NULL");
    CHECK(qi_get_method(body, &method) == QI_OK && method == QI_METHOD_CF4);
    for (int32_t each = QI_METHOD_PCDM; each <= QI_METHOD_FORCE_GRADIENT; each++) {
        CHECK(qi_set_method(body, each) == QI_OK);
        CHECK(qi_get_method(body, &method) == QI_OK && method == each);
        CHECK_UNCHANGED(body, before);
    }
    qi_destroy_body(body);
}

static int calls_in_10_steps(qi_body *body, trouble *counted)
{
    const int before = counted->calls;
    CHECK(qi_advance(body, 0.01, 10, NULL) == QI_OK);
    return counted->calls - before;
}

static void the_splittings_keep_the_last_torque_of_a_step_and_ask_anew_after_a_change(void)
{
    const struct {
        int32_t method;
        int torques;
    } cases[] = {{QI_METHOD_SPLITTING, 1}, {QI_METHOD_SPLITTING_4, 6}, {QI_METHOD_SPLITTING_6, 11}, {QI_METHOD_FORCE_GRADIENT, 3}};
    for (int i = 0; i < 4; i++) {
        const int kept = 10 * cases[i].torques, anew = kept + 1;
        trouble counted = {0, -1, 0, 0, {0}};
        qi_body *body = body_of(TENSOR);
        CHECK(qi_set_torque(body, troublesome, &counted) == QI_OK && qi_set_method(body, cases[i].method) == QI_OK);
        CHECK(calls_in_10_steps(body, &counted) == anew);
        CHECK(calls_in_10_steps(body, &counted) == kept);
        const snapshot s = take(body);
        CHECK(qi_set_state_body(body, s.orientation, s.omega) == QI_OK && calls_in_10_steps(body, &counted) == anew);
        CHECK(qi_set_time(body, 1) == QI_OK && calls_in_10_steps(body, &counted) == anew);
        CHECK(qi_set_torque(body, troublesome, &counted) == QI_OK && calls_in_10_steps(body, &counted) == anew);
        CHECK(qi_kick(body, 0.1, OMEGA, QI_FRAME_BODY) == QI_OK && calls_in_10_steps(body, &counted) == anew);
        CHECK(qi_drift(body, 0.1) == QI_OK && calls_in_10_steps(body, &counted) == anew);
        qi_destroy_body(body);
    }
}

static void the_splittings_of_order_4_and_6_refuse_ready_made_drag_and_shear_flow(void)
{
    const char *const refused[3] = {"is refused: the splitting of order 4 needs", "is refused: the splitting of order 6 needs",
                                    "is refused: the force-gradient splitting needs"};
    const double axes[3] = {2, 1, 0.5}, flow[9] = {0, 1, 0, 0, 0, 0, 0, 0, 0};
    const int32_t methods[3] = {QI_METHOD_SPLITTING_4, QI_METHOD_SPLITTING_6, QI_METHOD_FORCE_GRADIENT};
    int32_t method = 99;
    for (int i = 0; i < 3; i++) {
        qi_body *body = body_of(TENSOR);
        CHECK(qi_set_method(body, methods[i]) == QI_OK);
        CHECK_REFUSED(qi_set_linear_drag_torque(body, axes), QI_ERR_INVALID, refused[i]);
        CHECK_REFUSED(qi_set_drag(body, axes, NULL), QI_ERR_INVALID, refused[i]);
        CHECK_REFUSED(qi_set_shear_flow_torque(body, axes, 0.1, flow), QI_ERR_INVALID, "angular velocity");
        CHECK(qi_set_method(body, QI_METHOD_SPLITTING) == QI_OK);
        CHECK(qi_set_linear_drag_torque(body, axes) == QI_OK);
        CHECK_REFUSED(qi_set_method(body, methods[i]), QI_ERR_INVALID, refused[i]);
        CHECK(qi_get_method(body, &method) == QI_OK && method == QI_METHOD_SPLITTING);
        qi_destroy_body(body);
    }
}

static void qi_drift_is_exact_for_any_duration_and_asks_no_torque(void)
{
    const double one[3] = {1, 1, 1};
    trouble never = {0, 1, 1, 0, {0}};
    qi_body *body = qi_create_body(DIAGONAL, NULL, one, NULL);
    CHECK(qi_set_torque(body, troublesome, &never) == QI_OK);
    CHECK(qi_drift(body, 10) == QI_OK);
    const snapshot there = take(body); /* by Jacobi's elliptic functions */
    CHECK_NEAR(there.orientation[0], 0.46254544055464282, 1e-14);
    CHECK_NEAR(there.omega[1], -1.27899313854787241, 1e-14);
    CHECK(there.time == 10);
    CHECK(qi_drift(body, 0) == QI_OK);
    CHECK_UNCHANGED(body, there);
    CHECK(qi_drift(body, -10) == QI_OK);
    const snapshot back = take(body);
    CHECK_NEAR(back.orientation[0], 1, 1e-14);
    for (int c = 0; c < 3; c++) CHECK_NEAR(back.omega[c], 1, 1e-14);
    CHECK(back.time == 0 && never.calls == 0);
    qi_destroy_body(body);
}

static void a_kick_or_drift_that_is_refused_changes_nothing(void)
{
    const double torque[3] = {0.3, -0.5, 0.8}, nan_torque[3] = {0, NAN, 0}, strong[3] = {1e300, 0, 0};
    double room[4] = {0, 0, 0, 0};
    qi_body *body = body_of(TENSOR);
    const snapshot before = take(body);
    CHECK_REFUSED(qi_kick(body, NAN, torque, QI_FRAME_WORLD), QI_ERR_NON_FINITE, "`duration` is NaN");
    CHECK_REFUSED(qi_kick(body, 0.1, nan_torque, QI_FRAME_WORLD), QI_ERR_NON_FINITE, "`torque[1]` is NaN");
    CHECK_REFUSED(qi_kick(body, 0.1, torque, 2), QI_ERR_INVALID, "`frame` must be QI_FRAME_WORLD or");
    CHECK_REFUSED(qi_kick(body, 0.1, NULL, QI_FRAME_WORLD), QI_ERR_NULL, "`torque` is NULL");
    CHECK_REFUSED(qi_kick(body, 0.1, misaligned(room), QI_FRAME_WORLD), QI_ERR_MISALIGNED, "`torque`");
    CHECK_REFUSED(qi_kick(NULL, 0.1, torque, QI_FRAME_WORLD), QI_ERR_NULL, "`body` is NULL");
    CHECK_REFUSED(qi_kick(body, 1e10, strong, QI_FRAME_WORLD), QI_ERR_NON_FINITE, "overflows");
    CHECK_REFUSED(qi_drift(body, INFINITY), QI_ERR_NON_FINITE, "`duration` is inf");
    CHECK_REFUSED(qi_drift(NULL, 0.1), QI_ERR_NULL, "`body` is NULL");
    CHECK_UNCHANGED(body, before);
    qi_destroy_body(body);
}

static void without_coefficients_there_is_no_drag(void)
{
    const double torque[3] = {0.3, -0.5, 0.8}, coefficients[3] = {1, 2, 3}, still[3] = {0, 0, 0};
    qi_body *free_body = body_of(TENSOR), *freed = body_of(TENSOR), *dragged = body_of(TENSOR), *in_still = body_of(TENSOR);
    CHECK(qi_set_drag(freed, coefficients, NULL) == QI_OK && qi_set_drag(freed, NULL, NULL) == QI_OK);
    CHECK(qi_set_drag(dragged, coefficients, NULL) == QI_OK && qi_set_drag(in_still, coefficients, still) == QI_OK);
    qi_body *all[4] = {free_body, freed, dragged, in_still};
    for (int i = 0; i < 4; i++) CHECK(qi_kick(all[i], 0.1, torque, QI_FRAME_WORLD) == QI_OK);
    const snapshot without = take(free_body), with = take(dragged), at_rest = take(in_still);
    CHECK_UNCHANGED(freed, without);
    CHECK(memcmp(&without, &with, sizeof with) != 0);
    for (int c = 0; c < 3; c++) CHECK_NEAR(with.omega[c], at_rest.omega[c], 1e-15);
    for (int i = 0; i < 4; i++) qi_destroy_body(all[i]);
}

static void qi_set_drag_refuses_what_it_cannot_use_and_keeps_the_drag(void)
{
    const double v[3] = {1, 2, 3}, nan_v[3] = {1, NAN, 3}, torque[3] = {0, 0, 0};
    double room[4] = {0, 0, 0, 0};
    qi_body *body = body_of(TENSOR), *expected = body_of(TENSOR);
    CHECK(qi_set_drag(body, v, NULL) == QI_OK && qi_set_drag(expected, v, NULL) == QI_OK);
    CHECK_REFUSED(qi_set_drag(body, nan_v, NULL), QI_ERR_NON_FINITE, "`coefficients[1]` is NaN");
    CHECK_REFUSED(qi_set_drag(body, v, nan_v), QI_ERR_NON_FINITE, "`flow[1]` is NaN");
    CHECK_REFUSED(qi_set_drag(body, misaligned(room), NULL), QI_ERR_MISALIGNED, "`coefficients`");
    CHECK_REFUSED(qi_set_drag(NULL, v, NULL), QI_ERR_NULL, "`body` is NULL");
    CHECK(qi_kick(body, 0.1, torque, QI_FRAME_WORLD) == QI_OK && qi_kick(expected, 0.1, torque, QI_FRAME_WORLD) == QI_OK);
    const snapshot s = take(expected);
    CHECK_UNCHANGED(body, s);
    qi_destroy_body(body);
    qi_destroy_body(expected);
}

/* A torque that the program commands, and one of time and motion. */
static int32_t commanded(double time, const double *q, const double *omega, double *torque, void *user_data)
{
    (void)time; (void)q; (void)omega;
    memcpy(torque, user_data, 3 * sizeof *torque);
    return 0;
}

static int32_t of_all(double time, const double *q, const double *omega, double *torque, void *user_data)
{
    weight(time, q, omega, torque, user_data);
    for (int c = 0; c < 3; c++) torque[c] += 0.3 * cos(2 * time + c) - 0.2 * omega[(c + 1) % 3];
    return 0;
}

static void a_command_acts_from_the_next_step_on_after_qi_forget_torque(void)
{
    static const double OTHER[3] = {-0.4, 0.1, 0.2};
    const int32_t methods[4] = {QI_METHOD_SPLITTING, QI_METHOD_SPLITTING_4, QI_METHOD_SPLITTING_6, QI_METHOD_FORCE_GRADIENT};
    for (int m = 0; m < 4; m++) {
        double q[2][4], omega[2][3], start[4], spin[3];
        for (int forgets = 0; forgets < 2; forgets++) {
            double command[3] = {0.3, -0.2, 0.5};
            qi_body *body = body_of(TENSOR);
            CHECK(qi_set_torque(body, commanded, command) == QI_OK && qi_set_method(body, methods[m]) == QI_OK);
            CHECK(qi_step(body, 0.1) == QI_OK);
            CHECK(qi_get_orientation(body, start) == QI_OK && qi_get_angular_velocity_body(body, spin) == QI_OK);
            memcpy(command, OTHER, sizeof command);
            if (forgets) CHECK(qi_forget_torque(body) == QI_OK);
            CHECK(qi_step(body, 0.1) == QI_OK);
            CHECK(qi_get_orientation(body, q[forgets]) == QI_OK && qi_get_angular_velocity_body(body, omega[forgets]) == QI_OK);
            qi_destroy_body(body);
        }
        double command[3], fresh_q[4], fresh_omega[3];
        memcpy(command, OTHER, sizeof command);
        qi_body *fresh = body_of(TENSOR);
        CHECK(qi_set_torque(fresh, commanded, command) == QI_OK && qi_set_method(fresh, methods[m]) == QI_OK);
        CHECK(qi_set_state_body(fresh, start, spin) == QI_OK && qi_step(fresh, 0.1) == QI_OK);
        CHECK(qi_get_orientation(fresh, fresh_q) == QI_OK && qi_get_angular_velocity_body(fresh, fresh_omega) == QI_OK);
        CHECK(memcmp(fresh_q, q[1], sizeof fresh_q) == 0 && memcmp(fresh_omega, omega[1], sizeof fresh_omega) == 0);
        CHECK(memcmp(fresh_omega, omega[0], sizeof fresh_omega) != 0); /* the last command would act for a part of the step */
        qi_destroy_body(fresh);
    }
    CHECK_REFUSED(qi_forget_torque(NULL), QI_ERR_NULL, "`body` is NULL");
}

static const double ACTING_Q[4] = {0.5, -0.7, 0.1, 0.5}, ACTING_DRAG[3] = {0.3, 0.8, 0.5}, ACTING_FLOW[3] = {0.2, -0.4, 0.1};
static const double ACTING_H[3] = {0.5, -0.3, 0.8}, ACTING_MOTOR[3] = {0.2, 0.1, -0.3};

static qi_body *acted_on(void)
{
    qi_body *body = qi_create_body(TENSOR, ACTING_Q, OMEGA, NULL);
    CHECK(body != NULL && qi_set_torque(body, of_all, NULL) == QI_OK && qi_set_time(body, 3) == QI_OK);
    CHECK(qi_set_drag(body, ACTING_DRAG, ACTING_FLOW) == QI_OK && qi_set_rotor_momentum(body, ACTING_H) == QI_OK);
    CHECK(qi_set_rotor_torque(body, ACTING_MOTOR) == QI_OK);
    return body;
}

static void qi_get_torque_and_qi_get_angular_acceleration_are_those_of_the_motion(void)
{
    double torque[3], acceleration[3], sum[3] = {0, 0, 0}, at[5][3], motor[3];
    qi_body *body = acted_on();
    CHECK(qi_get_torque(body, torque) == QI_OK && qi_get_angular_acceleration(body, acceleration) == QI_OK);
    of_all(3, ACTING_Q, OMEGA, sum, NULL);
    CHECK(qi_add_linear_drag_torque(ACTING_Q, OMEGA, ACTING_DRAG, ACTING_FLOW, sum) == QI_OK);
    CHECK(qi_rotate(ACTING_Q, ACTING_MOTOR, motor) == QI_OK);
    for (int c = 0; c < 3; c++) CHECK_NEAR(torque[c], sum[c] + motor[c], 1e-14);
    qi_destroy_body(body);
    const double h = 0.01; /* the quotient of differences has an error of h^4 */
    for (int k = 0; k < 5; k++) {
        body = acted_on();
        CHECK(qi_solve(body, 3 + (k - 2) * h, 1e-14, NULL) == QI_OK && qi_get_angular_velocity(body, at[k]) == QI_OK);
        qi_destroy_body(body);
    }
    for (int c = 0; c < 3; c++)
        CHECK_NEAR(acceleration[c], (8 * (at[3][c] - at[1][c]) - (at[4][c] - at[0][c])) / (12 * h), 1e-7);
}

static void qi_get_torque_reports_a_callback_that_fails_and_changes_nothing(void)
{
    double torque[3] = {7, 8, 9}, omega[3];
    trouble t = {0};
    t.bad_call = 1;
    t.result = 42;
    qi_body *body = body_of(TENSOR);
    CHECK(qi_set_torque(body, troublesome, &t) == QI_OK);
    CHECK_REFUSED(qi_get_torque(body, torque), QI_ERR_CALLBACK, "42");
    CHECK(qi_get_callback_result(body) == 42 && torque[0] == 7 && torque[2] == 9);
    t.bad_call = 2;
    t.result = 0;
    t.torque = NAN;
    CHECK_REFUSED(qi_get_angular_acceleration(body, torque), QI_ERR_NON_FINITE, "torque");
    CHECK(torque[1] == 8 && qi_get_angular_velocity(body, omega) == QI_OK && memcmp(omega, OMEGA, sizeof omega) == 0);
    CHECK_REFUSED(qi_get_torque(body, NULL), QI_ERR_NULL, "`torque` is NULL");
    CHECK_REFUSED(qi_get_angular_acceleration(NULL, torque), QI_ERR_NULL, "`body` is NULL");
    const double one[3] = {1, 1, 1};
    CHECK(qi_set_method(body, QI_METHOD_SPLITTING) == QI_OK && qi_set_langevin(body, one, NULL, 1, 1, 1) == QI_OK);
    CHECK_REFUSED(qi_get_torque(body, torque), QI_ERR_INVALID, "random torques");
    qi_destroy_body(body);
}

int main(void)
{
    RUN(a_command_acts_from_the_next_step_on_after_qi_forget_torque);
    RUN(qi_get_torque_and_qi_get_angular_acceleration_are_those_of_the_motion);
    RUN(qi_get_torque_reports_a_callback_that_fails_and_changes_nothing);
    RUN(without_coefficients_there_is_no_drag);
    RUN(qi_set_drag_refuses_what_it_cannot_use_and_keeps_the_drag);
    RUN(the_splittings_keep_the_last_torque_of_a_step_and_ask_anew_after_a_change);
    RUN(the_splittings_of_order_4_and_6_refuse_ready_made_drag_and_shear_flow);
    RUN(qi_drift_is_exact_for_any_duration_and_asks_no_torque);
    RUN(a_kick_or_drift_that_is_refused_changes_nothing);
    RUN(qi_set_method_takes_a_method_that_exists_and_keeps_the_state);
    RUN(a_generic_body_comes_where_it_comes_in_every_language);
    RUN(qi_create_body_defaults_to_identity_at_rest_at_time_zero);
    RUN(qi_create_body_refuses_what_no_body_can_be);
    RUN(qi_advance_gives_the_bits_of_qi_step);
    RUN(a_step_that_fails_leaves_the_body_bitwise_as_it_was);
    RUN(motion_that_overflows_is_an_error);
    RUN(what_would_overflow_is_refused_and_never_a_nan);
    RUN(qi_record_refuses_more_rows_than_there_can_be);
    RUN(qi_step_refuses_a_nan_dt_and_changes_nothing);
    RUN(qi_step_backwards_returns);
    RUN(qi_record_writes_the_start_and_every_so_many_steps);
    RUN(qi_set_state_checks_both_before_it_writes_either);
    RUN(ready_made_torques_refuse_what_they_cannot_use);
    RUN(a_callback_that_uses_its_own_body_is_told_that_it_is_busy);
    RUN(getters_refuse_null_and_misaligned_places);
    RUN(qi_integrate_gives_the_bits_of_a_body_and_all_or_nothing);
    return 0;
}
