/* The version, the statuses, and the text of the last error. */
#include "thread.h"
#include "check.h"

static void qi_version_number_and_string_agree_with_the_header(void)
{
    char expected[32];
    CHECK(qi_version_number() == QI_VERSION_NUMBER);
    snprintf(expected, sizeof expected, "%d.%d.%d", QI_VERSION_MAJOR, QI_VERSION_MINOR, QI_VERSION_PATCH);
    CHECK(strcmp(qi_version_string(), expected) == 0);
}

static void qi_last_error_is_empty_before_the_first_failure(void)
{
    CHECK(qi_last_error() != NULL && qi_last_error()[0] == '\0');
    CHECK(qi_last_error_cause() != NULL && qi_last_error_cause()[0] == '\0');
    CHECK(qi_last_error_body() == SIZE_MAX);
}

static void qi_status_name_and_message_answer_any_integer(void)
{
    CHECK(strcmp(qi_status_name(QI_OK), "QI_OK") == 0);
    CHECK(strcmp(qi_status_name(QI_NEED_TORQUE), "QI_NEED_TORQUE") == 0);
    CHECK(strcmp(qi_status_name(QI_EVENT), "QI_EVENT") == 0);
    for (int32_t status = QI_ERR_STEP; status < 0; status++) {
        CHECK(strncmp(qi_status_name(status), "QI_ERR_", 7) == 0);
        CHECK(strlen(qi_status_message(status)) > 10);
    }
    const int32_t none[] = {INT32_MIN, -1000, 3, INT32_MAX};
    for (int i = 0; i < 4; i++) {
        CHECK(strcmp(qi_status_name(none[i]), "unknown status") == 0);
        CHECK(strcmp(qi_status_message(none[i]), "unknown status") == 0);
    }
}

#if HAS_THREADS
static void *fail_otherwise(void *unused)
{
    (void)unused;
    CHECK(qi_last_error()[0] == '\0');
    CHECK_REFUSED(qi_step(NULL, 0.1), QI_ERR_NULL, "`body` is NULL");
    return NULL;
}

static void qi_last_error_belongs_to_its_thread_and_outlives_success(void)
{
    thread other;
    double v[3] = {1, 0, 0};
    CHECK_REFUSED(qi_rotate(NULL, v, v), QI_ERR_NULL, "`orientation` is NULL");
    CHECK(start_thread(&other, fail_otherwise, NULL));
    CHECK(join_thread(&other));
    CHECK(qi_version_number() == QI_VERSION_NUMBER);
    CHECK(strcmp(qi_last_error(), "qi_rotate: `orientation` is NULL") == 0);
}
#endif

/* One body among five spins up until it overflows in the second step. */
static qi_ensemble *runaway(size_t body)
{
    double torques[3 * 5] = {0};
    const double omega[3] = {1, 1, 1};
    qi_ensemble *e = qi_create_ensemble(5, NULL);
    torques[3 * body] = 1e154;
    CHECK(qi_set_angular_velocities(e, omega, 0, 1) == QI_OK);
    CHECK(qi_set_ensemble_constant_torque(e, torques, 3, QI_FRAME_BODY) == QI_OK);
    return e;
}

static void the_parts_of_the_last_error_are_data(void)
{
    double one[3] = {1, 1, 1}, drags[3 * 5] = {0};
    uint64_t completed = 9;
    qi_ensemble *e = runaway(3);
    CHECK(qi_advance_ensemble(e, 1, 5, &completed) == QI_ERR_NON_FINITE && completed == 1);
    CHECK(qi_last_error_body() == 3);
    CHECK(strstr(qi_last_error_cause(), "the motion overflows in the step that starts at time 1.0") == qi_last_error_cause());
    CHECK(strncmp(qi_last_error(), "qi_advance_ensemble: after 1 step: body 3: the motion", 53) == 0);
    CHECK(strcmp(strstr(qi_last_error(), "the motion"), qi_last_error_cause()) == 0);

    drags[3 * 4] = NAN; /* an argument of one body among many */
    CHECK(qi_set_ensemble_linear_drag_torque(e, drags, 3) == QI_ERR_NON_FINITE && qi_last_error_body() == 4);
    CHECK(strncmp(qi_last_error_cause(), "`coefficients[0]` is NaN", 24) == 0);

    one[0] = NAN; /* an argument of no body in particular */
    CHECK(qi_set_ensemble_uniform_field_torque(e, drags, 0, one) == QI_ERR_NON_FINITE && qi_last_error_body() == SIZE_MAX);
    CHECK(qi_step_ensemble(NULL, 0.1) == QI_ERR_NULL && qi_last_error_body() == SIZE_MAX);
    CHECK(strcmp(qi_last_error_cause(), "`ensemble` is NULL") == 0);
    qi_destroy_ensemble(e);
}

static void one_fault_has_one_status_alone_and_among_many(void)
{
    double inertia[9 * 5] = {0}, q[4 * 5] = {0}, omega[3 * 5] = {0};
    qi_status alone;
    qi_ensemble *e = qi_create_ensemble(5, NULL);
    for (int i = 0; i < 5; i++) {
        inertia[9 * i] = inertia[9 * i + 4] = inertia[9 * i + 8] = q[4 * i] = 1;
    }
    inertia[9 * 2 + 1] = 0.1;
    CHECK(qi_create_body(inertia + 9 * 2, NULL, NULL, &alone) == NULL && alone == QI_ERR_INERTIA);
    CHECK(qi_set_inertias(e, inertia, 9) == alone && qi_last_error_body() == 2);
    CHECK(strncmp(qi_last_error_cause(), "`inertia` is not symmetric", 26) == 0);
    q[4 * 3] = 2;
    CHECK(qi_create_body(inertia, q + 4 * 3, NULL, &alone) == NULL && alone == QI_ERR_ORIENTATION);
    CHECK(qi_set_orientations(e, q, 4, 1) == alone && qi_last_error_body() == 3);
    omega[3 * 4 + 1] = INFINITY;
    CHECK(qi_create_body(inertia, NULL, omega + 3 * 4, &alone) == NULL && alone == QI_ERR_NON_FINITE);
    CHECK(qi_set_angular_velocities(e, omega, 3, 1) == alone && qi_last_error_body() == 4);
    qi_destroy_ensemble(e);
}

int main(void)
{
    RUN(qi_last_error_is_empty_before_the_first_failure);
    RUN(qi_version_number_and_string_agree_with_the_header);
    RUN(qi_status_name_and_message_answer_any_integer);
#if HAS_THREADS
    RUN(qi_last_error_belongs_to_its_thread_and_outlives_success);
#endif
    RUN(the_parts_of_the_last_error_are_data);
    RUN(one_fault_has_one_status_alone_and_among_many);
    return 0;
}
