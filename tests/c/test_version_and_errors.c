/* The version, the statuses, and the text of the last error. */
#define _XOPEN_SOURCE 600
#include "check.h"
#include <pthread.h>

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
}

static void qi_status_name_and_message_answer_any_integer(void)
{
    CHECK(strcmp(qi_status_name(QI_OK), "QI_OK") == 0);
    CHECK(strcmp(qi_status_name(QI_NEED_TORQUE), "QI_NEED_TORQUE") == 0);
    for (int32_t status = -11; status < 0; status++) {
        CHECK(strncmp(qi_status_name(status), "QI_ERR_", 7) == 0);
        CHECK(strlen(qi_status_message(status)) > 10);
    }
    const int32_t none[] = {INT32_MIN, -1000, 2, INT32_MAX};
    for (int i = 0; i < 4; i++) {
        CHECK(strcmp(qi_status_name(none[i]), "unknown status") == 0);
        CHECK(strcmp(qi_status_message(none[i]), "unknown status") == 0);
    }
}

static void *fail_otherwise(void *unused)
{
    (void)unused;
    CHECK(qi_last_error()[0] == '\0');
    CHECK_REFUSED(qi_step(NULL, 0.1), QI_ERR_NULL, "`body` is NULL");
    return NULL;
}

static void qi_last_error_belongs_to_its_thread_and_outlives_success(void)
{
    pthread_t thread;
    double v[3] = {1, 0, 0};
    CHECK_REFUSED(qi_rotate(NULL, v, v), QI_ERR_NULL, "`orientation` is NULL");
    CHECK(pthread_create(&thread, NULL, fail_otherwise, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(qi_version_number() == QI_VERSION_NUMBER);
    CHECK(strcmp(qi_last_error(), "qi_rotate: `orientation` is NULL") == 0);
}

int main(void)
{
    RUN(qi_last_error_is_empty_before_the_first_failure);
    RUN(qi_version_number_and_string_agree_with_the_header);
    RUN(qi_status_name_and_message_answer_any_integer);
    RUN(qi_last_error_belongs_to_its_thread_and_outlives_success);
    return 0;
}
