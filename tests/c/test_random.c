/* Random torques, called from C. tests/rust/langevin.rs tests the statistics and the bits in depth. */
#include "check.h"

enum { N = 50 };
static const double MOMENTS[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3}, C[3] = {1, 0.5, 2}, FLOW[3] = {0.1, 0, -0.2};

static qi_ensemble *bath_of(size_t count, int32_t method)
{
    qi_ensemble *e = qi_create_ensemble(count, NULL);
    CHECK(e != NULL && qi_set_inertias(e, MOMENTS, 0) == QI_OK);
    CHECK(qi_set_ensemble_method(e, method) == QI_OK);
    CHECK(qi_set_ensemble_langevin(e, C, 0, FLOW, 0, 0.5, 42) == QI_OK);
    return e;
}

static void ids_travel_in_rows_and_with_selected_bodies(void)
{
    const int32_t all = QI_PART_STATE | QI_PART_INERTIA | QI_PART_TORQUE | QI_PART_MEMORY | QI_PART_ID;
    size_t order[N];
    double first[7 * N], second[7 * N];
    for (int i = 0; i < N; i++) order[i] = (size_t)(N - 1 - i);
    qi_ensemble *one = bath_of(N, QI_METHOD_SPLITTING), *other = bath_of(N, QI_METHOD_SPLITTING);
    CHECK(qi_advance_ensemble(one, 0.1, 3, NULL) == QI_OK);
    const size_t width = qi_get_ensemble_row_size(one, all);
    CHECK(width == 7 + 7 + 6 + 3 + 1);
    double *rows = malloc(N * width * sizeof *rows);
    CHECK(rows != NULL && qi_get_ensemble_rows(one, all, NULL, N, rows) == QI_OK);
    CHECK(qi_set_ensemble_rows(other, all, order, N, rows) == QI_OK); /* in the reverse order */
    CHECK(qi_set_ensemble_noise(other, 3) == QI_OK && qi_set_ensemble_time(other, 0.3) == QI_OK);
    CHECK(qi_select_bodies(one, order, N) == QI_OK);
    CHECK(qi_step_ensemble(one, 0.1) == QI_OK && qi_step_ensemble(other, 0.1) == QI_OK);
    CHECK(qi_get_ensemble_rows(one, QI_PART_STATE, NULL, N, first) == QI_OK);
    CHECK(qi_get_ensemble_rows(other, QI_PART_STATE, NULL, N, second) == QI_OK);
    CHECK(memcmp(first, second, sizeof first) == 0);
    free(rows);
    qi_destroy_ensemble(one);
    qi_destroy_ensemble(other);
}

static void an_ensemble_with_ids_shrinks_and_grows(void)
{
    const uint64_t expected[3] = {500, 499, 501};
    uint64_t ids[4 * N];
    double rows[3];
    for (int i = 0; i < 4 * N; i++) ids[i] = (uint64_t)(500 - i);
    qi_ensemble *e = bath_of(4 * N, QI_METHOD_SPLITTING);
    CHECK(qi_set_ensemble_ids(e, ids) == QI_OK);
    CHECK(qi_resize_ensemble(e, 2) == QI_OK && qi_resize_ensemble(e, 3) == QI_OK);
    CHECK(qi_get_ensemble_rows(e, QI_PART_ID, NULL, 3, rows) == QI_OK);
    CHECK(memcmp(rows, expected, sizeof rows) == 0); /* the new one has the number after the greatest */
    qi_destroy_ensemble(e);
}

static void a_selection_that_is_refused_leaves_the_ids_as_they_are(void)
{
    const size_t backwards[3] = {2, 1, 0};
    const uint64_t indices[3] = {0, 1, 2}, selected[3] = {2, 1, 0};
    double omega[9] = {0}, rows[3];
    qi_ensemble *e = bath_of(3, QI_METHOD_SPLITTING);
    CHECK(qi_bind_angular_velocities(e, omega, 3, 1, QI_OMEGA_BODY) == QI_OK);
    omega[4] = NAN;
    CHECK_REFUSED(qi_select_bodies(e, backwards, 3), QI_ERR_NON_FINITE, "body 1: `bound ");
    CHECK(qi_get_ensemble_rows(e, QI_PART_ID, NULL, 3, rows) == QI_OK);
    CHECK(memcmp(rows, indices, sizeof rows) == 0);
    omega[4] = 0;
    CHECK(qi_set_ensemble_langevin(e, NULL, 0, NULL, 0, 0, 0) == QI_OK);
    CHECK(qi_select_bodies(e, backwards, 3) == QI_OK); /* bodies keep their ids also without random torques */
    CHECK(qi_get_ensemble_rows(e, QI_PART_ID, NULL, 3, rows) == QI_OK);
    CHECK(memcmp(rows, selected, sizeof rows) == 0);
    qi_destroy_ensemble(e);
}

static void what_does_not_go_with_random_torques_is_refused(void)
{
    const double negative[3] = {1, -1, 1}, nan_v[3] = {0, NAN, 0};
    const int32_t others[5] = {QI_METHOD_PCDM, QI_METHOD_SPLITTING_4, QI_METHOD_CF4, QI_METHOD_SPLITTING_6,
                               QI_METHOD_FORCE_GRADIENT};
    uint64_t degrees = 0;
    double time;
    qi_ensemble *e = bath_of(N, QI_METHOD_SPLITTING);
    qi_body *b = qi_create_body(MOMENTS, NULL, NULL, NULL);
    CHECK(qi_set_langevin(b, C, NULL, 1, 1, 1) == QI_OK && qi_set_method(b, QI_METHOD_SPLITTING) == QI_OK);
    CHECK_REFUSED(qi_step(b, -0.1), QI_ERR_INVALID, "no way back");
    CHECK_REFUSED(qi_step_ensemble(e, -0.1), QI_ERR_INVALID, "no way back");
    CHECK_REFUSED(qi_thermalize(b, -0.1), QI_ERR_INVALID, "no way back");
    CHECK_REFUSED(qi_thermalize_ensemble(e, NAN), QI_ERR_NON_FINITE, "`duration` is NaN");
    CHECK_REFUSED(qi_solve(b, 1, 1e-6, NULL), QI_ERR_INVALID, "no random torques");
    CHECK(qi_solve_record(b, NULL, 0, 1e-6, NULL, NULL) == QI_OK); /* nothing happens, so nothing is refused */
    CHECK_REFUSED(qi_set_drag(b, C, NULL), QI_ERR_INVALID, "bring their own");
    CHECK_REFUSED(qi_set_ensemble_drag(e, C, 0, NULL, 0), QI_ERR_INVALID, "bring their own");
    CHECK(qi_set_langevin(b, NULL, NULL, 0, 0, 0) == QI_OK && qi_set_drag(b, C, NULL) == QI_OK);
    CHECK_REFUSED(qi_set_langevin(b, C, NULL, 1, 1, 1), QI_ERR_INVALID, "set the drag to none first");
    CHECK(qi_set_drag(b, NULL, NULL) == QI_OK && qi_set_langevin(b, C, NULL, 1, 1, 1) == QI_OK);
    CHECK_REFUSED(qi_set_langevin(b, negative, NULL, 1, 1, 1), QI_ERR_INVALID, "must not be negative");
    CHECK_REFUSED(qi_set_langevin(b, C, nan_v, 1, 1, 1), QI_ERR_NON_FINITE, "`flow[1]` is NaN");
    CHECK_REFUSED(qi_set_langevin(b, C, NULL, -1, 1, 1), QI_ERR_INVALID, "`kt` must not be negative");
    CHECK_REFUSED(qi_set_ensemble_langevin(e, negative, 0, NULL, 0, 1, 1), QI_ERR_INVALID, "must not be negative");
    for (int m = 0; m < 5; m++) {
        CHECK(qi_set_method(b, others[m]) == QI_OK && qi_set_ensemble_method(e, others[m]) == QI_OK);
        CHECK_REFUSED(qi_step(b, 0.1), QI_ERR_INVALID, "no other takes random torques");
        CHECK_REFUSED(qi_step_ensemble(e, 0.1), QI_ERR_INVALID, "no other takes random torques");
    }
    CHECK(qi_set_langevin(b, NULL, NULL, 1, 1, 1) == QI_OK && qi_set_method(b, QI_METHOD_BROWNIAN) == QI_OK);
    CHECK(qi_set_ensemble_langevin(e, NULL, 0, NULL, 0, 1, 1) == QI_OK);
    CHECK_REFUSED(qi_step(b, 0.1), QI_ERR_INVALID, "needs the drag and the noise");
    CHECK(qi_set_ensemble_method(e, QI_METHOD_BROWNIAN) == QI_OK);
    CHECK_REFUSED(qi_begin_ensemble_step(e, 0.1), QI_ERR_INVALID, "needs the drag and the noise");
    CHECK(qi_step(b, 0) == QI_OK && qi_step_ensemble(e, 0) == QI_OK && qi_begin_ensemble_step(e, 0) == QI_OK);
    CHECK(qi_next_ensemble_stage(e, &time, NULL, NULL) == QI_OK);
    CHECK_REFUSED(qi_thermalize(b, 0.1), QI_ERR_INVALID, "must have random torques");
    CHECK_REFUSED(qi_thermalize_ensemble(e, 0.1), QI_ERR_INVALID, "must have random torques");
    CHECK(qi_set_ensemble_ids(e, NULL) == QI_OK);
    CHECK(qi_get_ensemble_degrees_of_freedom(e, &degrees) == QI_OK && degrees == 3 * N);
    CHECK(qi_scale_angular_momenta(e, 0.5) == QI_OK);
    CHECK_REFUSED(qi_scale_angular_momenta(e, NAN), QI_ERR_NON_FINITE, "`factor` is NaN");
    qi_destroy_ensemble(e);
    qi_destroy_body(b);
}

int main(void)
{
    RUN(ids_travel_in_rows_and_with_selected_bodies);
    RUN(an_ensemble_with_ids_shrinks_and_grows);
    RUN(a_selection_that_is_refused_leaves_the_ids_as_they_are);
    RUN(what_does_not_go_with_random_torques_is_refused);
    return 0;
}
