/* Bodies that come and go: rows, clocks, other orders, exact sums. The reference is an ensemble that was left alone. */
#if (defined(__unix__) || defined(__APPLE__)) && !defined(EMULATED) /* qemu ends a process with threads that has forked */
#define HAS_FORK 1
#define _POSIX_C_SOURCE 200809L
#include <sys/wait.h>
#include <unistd.h>
#endif
#include "check.h"

static const double no_torque[3] = {0, 0, 0}; /* of all bodies, with the strides 0 and 1 */

enum { N = 37, ALL = QI_PART_STATE | QI_PART_INERTIA | QI_PART_TORQUE | QI_PART_MEMORY };
static const double H = 0.013;

/* Numbers without pattern, between -1 and 1. */
static double noise(int i)
{
    unsigned x = (unsigned)i * 2654435761u + 12345u;
    x = (x ^ x >> 15) * 2246822519u;
    return (x ^ x >> 13) / 2147483648.0 - 1;
}

/* A torque of time, orientation and angular velocity. */
static int32_t drive(double time, size_t first, size_t count, const double *q, const double *omega, double *torque,
                     void *user_data)
{
    (void)first; (void)user_data;
    for (size_t i = 0; i < count; i++) {
        torque[3 * i] = sin(3 * time) - (isnan(omega[3 * i]) ? 0 : 0.1 * omega[3 * i]); /* some methods show NaN */
        torque[3 * i + 1] = q[4 * i] * q[4 * i + 2];
    }
    return 0;
}

static qi_ensemble *empty(size_t count, int method)
{
    qi_ensemble *e = qi_create_ensemble(count, NULL);
    CHECK(e != NULL && qi_set_ensemble_torque(e, drive, QI_LAYOUT_AOS, QI_FRAME_WORLD, NULL) == QI_OK);
    CHECK(qi_set_ensemble_method(e, method) == QI_OK);
    return e;
}

static qi_ensemble *filled(int method)
{
    double inertias[9 * N], q[4 * N], omega[3 * N];
    for (int i = 0; i < N; i++) {
        const double a = 0.1 * noise(i), b = 0.2 * noise(i + 100);
        const double tensor[9] = {1 + a, b, 0, b, 2, a, 0, a, 2.5 + b};
        memcpy(inertias + 9 * i, tensor, sizeof tensor);
        const double v[4] = {1, noise(i + 200), noise(i + 300), noise(i + 400)};
        const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
        for (int c = 0; c < 4; c++) q[4 * i + c] = v[c] / length;
        for (int c = 0; c < 3; c++) omega[3 * i + c] = noise(3 * i + c + 500);
    }
    qi_ensemble *e = empty(N, method);
    CHECK(qi_set_inertias(e, inertias, 9) == QI_OK && qi_set_orientations(e, q, 4, 1) == QI_OK);
    CHECK(qi_set_angular_velocities(e, omega, 3, 1) == QI_OK && qi_set_ensemble_time(e, 0.1) == QI_OK);
    return e;
}

/* All rows; to be freed. */
static double *rows_of(const qi_ensemble *e, int parts)
{
    const size_t count = qi_get_ensemble_count(e);
    double *rows = malloc((count * qi_get_ensemble_row_size(e, parts) + 1) * sizeof *rows);
    CHECK(rows != NULL && qi_get_ensemble_rows(e, parts, NULL, count, rows) == QI_OK);
    return rows;
}

static void check_same_states(const qi_ensemble *a, const qi_ensemble *b)
{
    double *one = rows_of(a, QI_PART_STATE), *other = rows_of(b, QI_PART_STATE);
    CHECK(qi_get_ensemble_count(a) == qi_get_ensemble_count(b));
    CHECK(memcmp(one, other, 7 * sizeof *one * qi_get_ensemble_count(a)) == 0);
    free(one);
    free(other);
}

static void a_run_saved_and_restored_every_ten_steps_has_the_bits_and_times_of_one_that_is_not(void)
{
    for (int method = QI_METHOD_PCDM; method <= QI_METHOD_FORCE_GRADIENT; method++) {
        qi_ensemble *run = filled(method), *saved = filled(method);
        CHECK(qi_advance_ensemble(run, H, 40, NULL) == QI_OK);
        for (int k = 0; k < 4; k++) {
            double clock[2];
            CHECK(qi_advance_ensemble(saved, H, 10, NULL) == QI_OK && qi_get_ensemble_clock(saved, clock) == QI_OK);
            double *rows = rows_of(saved, ALL);
            qi_destroy_ensemble(saved);
            saved = empty(N, method);
            CHECK(qi_set_ensemble_clock(saved, clock) == QI_OK);
            CHECK(qi_set_ensemble_rows(saved, ALL, NULL, N, rows) == QI_OK);
            free(rows);
        }
        double a, b;
        CHECK(qi_get_ensemble_time(run, &a) == QI_OK && qi_get_ensemble_time(saved, &b) == QI_OK && a == b);
        check_same_states(run, saved);
        qi_destroy_ensemble(run);
        qi_destroy_ensemble(saved);
    }
}

static void bodies_migrate_and_keep_their_bits(void)
{
    qi_ensemble *alone = filled(QI_METHOD_SPLITTING), *here = filled(QI_METHOD_SPLITTING);
    qi_ensemble *there = empty(0, QI_METHOD_SPLITTING);
    CHECK(qi_advance_ensemble(alone, H, 20, NULL) == QI_OK && qi_advance_ensemble(here, H, 10, NULL) == QI_OK);
    size_t leave[N], stay[N], leaving = 0, staying = 0;
    for (size_t i = 0; i < N; i++) *(i % 3 == 1 ? &leave[leaving++] : &stay[staying++]) = i;

    const size_t size = qi_get_ensemble_row_size(here, ALL);
    CHECK(size == 7 + 7 + 0 + 3);
    double *rows = malloc(leaving * size * sizeof *rows), clock[2];
    CHECK(rows != NULL && qi_get_ensemble_rows(here, ALL, leave, leaving, rows) == QI_OK);
    CHECK(qi_select_bodies(here, stay, staying) == QI_OK && qi_get_ensemble_count(here) == staying);
    CHECK(qi_resize_ensemble(there, leaving) == QI_OK && qi_get_ensemble_count(there) == leaving);
    CHECK(qi_get_ensemble_clock(here, clock) == QI_OK && qi_set_ensemble_clock(there, clock) == QI_OK);
    CHECK(qi_set_ensemble_rows(there, ALL, NULL, leaving, rows) == QI_OK);
    CHECK(qi_advance_ensemble(here, H, 10, NULL) == QI_OK && qi_advance_ensemble(there, H, 10, NULL) == QI_OK);

    double *all = rows_of(alone, QI_PART_STATE), *left = rows_of(here, QI_PART_STATE), *right = rows_of(there, QI_PART_STATE);
    for (size_t i = 0; i < staying; i++) CHECK(memcmp(all + 7 * stay[i], left + 7 * i, 7 * sizeof *all) == 0);
    for (size_t i = 0; i < leaving; i++) CHECK(memcmp(all + 7 * leave[i], right + 7 * i, 7 * sizeof *all) == 0);
    free(all); free(left); free(right); free(rows);
    qi_destroy_ensemble(alone);
    qi_destroy_ensemble(here);
    qi_destroy_ensemble(there);
}

/* C cannot know how many doubles the caller has in a row. */
static void a_row_that_is_refused_says_how_long_a_row_is_here(void)
{
    static double rows[20 * N];
    const double coefficients[3] = {1, 2, 3};
    qi_ensemble *from = filled(QI_METHOD_PCDM), *to = filled(QI_METHOD_PCDM), *before = filled(QI_METHOD_PCDM);
    CHECK(qi_set_ensemble_drag(to, coefficients, 0, NULL, 0) == QI_OK && qi_set_ensemble_drag(before, coefficients, 0, NULL, 0) == QI_OK);
    CHECK(qi_get_ensemble_row_size(from, ALL) == 14 && qi_get_ensemble_row_size(to, ALL) == 20);
    CHECK(qi_get_ensemble_rows(from, ALL, NULL, N, rows) == QI_OK);
    CHECK_REFUSED(qi_set_ensemble_rows(to, ALL, NULL, N, rows), QI_ERR_ORIENTATION,
                  "which is not within 1e-3 of 1. A row has 20 doubles here: are parts, torque, drag, rotors, random torques and method those of");
    CHECK(qi_last_error_body() != SIZE_MAX);
    check_same_states(to, before);
    qi_destroy_ensemble(from);
    qi_destroy_ensemble(to);
    qi_destroy_ensemble(before);
}

static void rows_are_checked_before_the_first_is_written(void)
{
    qi_ensemble *e = filled(QI_METHOD_PCDM), *before = filled(QI_METHOD_PCDM);
    double *rows = rows_of(e, ALL);
    const size_t size = qi_get_ensemble_row_size(e, ALL), past = N;
    CHECK(size == 14 && qi_get_ensemble_row_size(e, QI_PART_INERTIA) == 7 && qi_get_ensemble_row_size(e, 0) == 0);
    CHECK(qi_get_ensemble_row_size(NULL, ALL) == 0 && qi_get_ensemble_row_size(e, 64) == 0);
    rows[4] = 77; /* would change body 0 */
    rows[size * 11 + 5] = NAN;
    CHECK_REFUSED(qi_set_ensemble_rows(e, ALL, NULL, N, rows), QI_ERR_NON_FINITE, "body 11: `rows[1]` is NaN");
    CHECK(qi_last_error_body() == 11);
    rows[size * 11 + 5] = 1e200;
    CHECK_REFUSED(qi_set_ensemble_rows(e, ALL, NULL, N, rows), QI_ERR_INVALID, "body 11: `rows` must have angular velocities");
    rows[size * 11 + 5] = 0;
    rows[size * 12] += 0.1;
    CHECK_REFUSED(qi_set_ensemble_rows(e, ALL, NULL, N, rows), QI_ERR_ORIENTATION, "body 12");
    rows[size * 12] -= 0.1;
    rows[size * 13 + 8] = 1e308;
    CHECK_REFUSED(qi_set_ensemble_rows(e, ALL, NULL, N, rows), QI_ERR_INERTIA, "body 13");
    CHECK_REFUSED(qi_set_ensemble_rows(e, 64, NULL, N, rows), QI_ERR_INVALID, "`parts` must combine");
    CHECK_REFUSED(qi_set_ensemble_rows(e, ALL, &past, 1, rows), QI_ERR_INVALID, "`bodies` must be below the number of bodies");
    CHECK_REFUSED(qi_set_ensemble_rows(e, ALL, NULL, N - 1, rows), QI_ERR_INVALID, "`count` must be the number of bodies");
    CHECK_REFUSED(qi_set_ensemble_rows(e, ALL, NULL, N, NULL), QI_ERR_NULL, "`rows` is NULL");
    CHECK_REFUSED(qi_get_ensemble_rows(e, ALL, &past, 1, rows), QI_ERR_INVALID, "`bodies`");
    CHECK_REFUSED(qi_select_bodies(e, &past, 1), QI_ERR_INVALID, "`from` must be below");
    CHECK(qi_set_ensemble_rows(e, ALL, NULL, 0, NULL) == QI_OK && qi_get_ensemble_rows(e, ALL, NULL, 0, NULL) == QI_OK);
    check_same_states(e, before);
    free(rows);
    qi_destroy_ensemble(e);
    qi_destroy_ensemble(before);
}

static void an_orientation_and_a_momentum_are_found_in_other_rows(void)
{
    enum { ROWS = 3 * N };
    double q[4 * ROWS], l[3 * ROWS], states[7 * N];
    int32_t q_rows[N], l_rows[N];
    qi_ensemble *own = filled(QI_METHOD_SPLITTING), *bound = filled(QI_METHOD_SPLITTING);
    for (int i = 0; i < 4 * ROWS; i++) q[i] = i % 7 == 0 ? NAN : 1e300;
    for (int i = 0; i < 3 * ROWS; i++) l[i] = NAN;
    CHECK(qi_get_ensemble_rows(own, QI_PART_STATE, NULL, N, states) == QI_OK);
    for (int i = 0; i < N; i++) {
        q_rows[i] = 2 * N - 2 * i;
        l_rows[i] = (i * 17 + 5) % N + (i % 2 ? 0 : N);
        memcpy(q + 4 * q_rows[i], states + 7 * i, 4 * sizeof *q);
        memcpy(l + 3 * l_rows[i], states + 7 * i + 4, 3 * sizeof *l);
    }
    double q_before[4 * ROWS], l_before[3 * ROWS];
    memcpy(q_before, q, sizeof q);
    memcpy(l_before, l, sizeof l);
    q_rows[5] = q_rows[6];
    CHECK_REFUSED(qi_bind_orientation_rows(bound, q, 4, 1, QI_SCALAR_FIRST, q_rows), QI_ERR_INVALID, "body 6: `rows` must be different");
    q_rows[5] = -1;
    CHECK_REFUSED(qi_bind_orientation_rows(bound, q, 4, 1, QI_SCALAR_FIRST, q_rows), QI_ERR_INVALID, "body 5: `rows` must be rows");
    q_rows[5] = 2 * N - 10;
    CHECK(qi_bind_orientation_rows(bound, q, 4, 1, QI_SCALAR_FIRST, q_rows) == QI_OK);
    CHECK(qi_bind_angular_velocity_rows(bound, l, 3, 1, QI_OMEGA_BODY, l_rows) == QI_OK);
    CHECK(qi_set_ensemble_threads(bound, at_most(2)) == QI_OK);
    CHECK(qi_advance_ensemble(bound, H, 10, NULL) == QI_OK && qi_advance_ensemble(own, H, 10, NULL) == QI_OK);
    CHECK(qi_get_ensemble_rows(own, QI_PART_STATE, NULL, N, states) == QI_OK);
    for (int i = 0; i < N; i++) {
        CHECK(memcmp(q + 4 * q_rows[i], states + 7 * i, 4 * sizeof *q) == 0);
        CHECK(memcmp(l + 3 * l_rows[i], states + 7 * i + 4, 3 * sizeof *l) == 0);
        memcpy(q + 4 * q_rows[i], q_before + 4 * q_rows[i], 4 * sizeof *q);
        memcpy(l + 3 * l_rows[i], l_before + 3 * l_rows[i], 3 * sizeof *l);
    }
    CHECK(memcmp(q, q_before, sizeof q) == 0 && memcmp(l, l_before, sizeof l) == 0); /* rows of no body */

    for (int i = 0; i < N; i++) {
        memcpy(q + 4 * q_rows[i], states + 7 * i, 4 * sizeof *q);
        memcpy(l + 3 * l_rows[i], states + 7 * i + 4, 3 * sizeof *l);
    }
    CHECK(qi_release_arrays(bound) == QI_OK);
    memset(q, 0, sizeof q);
    check_same_states(own, bound);
    /* NULL: row i */
    memcpy(q, states, sizeof(double)); /* not of unit length */
    CHECK_REFUSED(qi_bind_orientation_rows(bound, q, 4, 1, QI_SCALAR_FIRST, NULL), QI_ERR_ORIENTATION, "body 0");
    qi_destroy_ensemble(own);
    qi_destroy_ensemble(bound);
}

static void a_release_refuses_velocities_that_the_caller_has_spoiled_and_changes_nothing(void)
{
    const double spoiled[] = {INFINITY, NAN, 1e200};
    double omega[3 * 9] = {0};
    const size_t from[2] = {1, 2};
    qi_ensemble *e = qi_create_ensemble(9, NULL);
    for (int k = 0; k < 3; k++) {
        CHECK(qi_bind_angular_velocities(e, omega, 3, 1, QI_OMEGA_WORLD) == QI_OK);
        omega[3 * 7 + 1] = spoiled[k];
        const qi_status status = k < 2 ? QI_ERR_NON_FINITE : QI_ERR_INVALID;
        CHECK_REFUSED(qi_release_arrays(e), status, "body 7: `bound ");
        CHECK_REFUSED(qi_resize_ensemble(e, 10), status, "body 7: `bound ");
        CHECK_REFUSED(qi_select_bodies(e, from, 2), status, "body 7: `bound ");
        CHECK(qi_last_error_body() == 7 && qi_get_ensemble_count(e) == 9);
        omega[3 * 7 + 1] = 0;
        CHECK(qi_release_arrays(e) == QI_OK);
    }
    qi_destroy_ensemble(e);
}

static void bound_momenta_must_belong_to_finite_velocities(void)
{
    const double tiny[9] = {1e-200, 0, 0, 0, 1e-200, 0, 0, 0, 1e-200}, unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double rows[2 * 7] = {1, 1, 1, 1, 0, 0, 0, 1e-200, 1e-200, 1e-200, 1, 0, 0, 0};
    const size_t first = 0;
    double momenta[3 * 2] = {0, 0, 0, 0, 1, 0};
    qi_ensemble *e = qi_create_ensemble(2, NULL);
    CHECK(qi_set_inertias(e, tiny, 0) == QI_OK);
    CHECK_REFUSED(qi_bind_angular_velocities(e, momenta, 3, 1, QI_ANGMOM_WORLD), QI_ERR_INVALID, "body 1: `data` must belong to");
    CHECK(qi_set_inertias(e, unit, 0) == QI_OK);
    CHECK(qi_bind_angular_velocities(e, momenta, 3, 1, QI_ANGMOM_WORLD) == QI_OK);
    CHECK_REFUSED(qi_set_inertias(e, tiny, 0), QI_ERR_INVALID, "body 1: `bound angular momenta` must belong to");
    CHECK_REFUSED(qi_set_ensemble_rows(e, QI_PART_INERTIA, NULL, 2, rows), QI_ERR_INVALID, "body 1: `bound angular momenta` must belong to");
    CHECK(qi_set_ensemble_active(e, &first, 1) == QI_OK); /* the momenta of other bodies are not read */
    CHECK(qi_set_ensemble_rows(e, QI_PART_INERTIA, NULL, 2, rows) == QI_OK && qi_set_inertias(e, unit, 0) == QI_OK);
    CHECK(qi_step_ensemble(e, 0.1) == QI_OK);
    qi_destroy_ensemble(e);
}

static void setting_orientations_needs_none_in_the_row_of_a_body_that_does_not_move(void)
{
    const size_t moving = 0;
    const double identity[4] = {1, 0, 0, 0};
    double q[8] = {1, 0, 0, 0, NAN, NAN, NAN, NAN}, omega[6];
    qi_ensemble *e = qi_create_ensemble(2, NULL);
    CHECK(qi_set_ensemble_active(e, &moving, 1) == QI_OK && qi_bind_orientations(e, q, 4, 1, QI_SCALAR_FIRST) == QI_OK);
    CHECK(qi_set_orientations(e, identity, 0, 1) == QI_OK && q[4] == 1);
    CHECK(qi_resize_ensemble(e, 2) == QI_OK && qi_get_angular_velocities(e, omega, 3, 1) == QI_OK);
    CHECK(omega[3] == 0 && omega[4] == 0 && omega[5] == 0);
    qi_destroy_ensemble(e);
}

static void a_row_of_no_body_may_be_another_array(void)
{
    const int32_t row = 1;
    double numbers[8] = {1, 2, 3, 0, 1, 0, 0, 0}; /* row 0 is a torque */
    qi_ensemble *e = qi_create_ensemble(1, NULL);
    CHECK(qi_bind_orientation_rows(e, numbers, 4, 1, QI_SCALAR_FIRST, &row) == QI_OK);
    CHECK(qi_kick_ensemble(e, 0.5, numbers, 3, 1, QI_FRAME_WORLD) == QI_OK);
    CHECK_REFUSED(qi_kick_ensemble(e, 0.5, numbers + 5, 3, 1, QI_FRAME_WORLD), QI_ERR_INVALID, "must not overlap");
    qi_destroy_ensemble(e);
}

static void rows_of_bodies_that_do_not_move_may_hold_anything(void)
{
    double q[4 * N], omega[3 * N];
    size_t few[2] = {3, N - 2}, first[3] = {0, 1, 2};
    for (int i = 0; i < N; i++) {
        for (int c = 0; c < 4; c++) q[4 * i + c] = NAN;
        for (int c = 0; c < 3; c++) omega[3 * i + c] = NAN;
    }
    const size_t *lists[2] = {few, first};
    for (int k = 0; k < 2; k++) {
        qi_ensemble *e = qi_create_ensemble(N, NULL);
        const size_t count = k == 0 ? 2 : 3;
        CHECK(qi_set_ensemble_active(e, lists[k], count) == QI_OK);
        for (size_t i = 0; i < count; i++) {
            const double unit[4] = {0.6, 0, 0.8, 0}, spin[3] = {1, 2, 3};
            memcpy(q + 4 * lists[k][i], unit, sizeof unit);
            memcpy(omega + 3 * lists[k][i], spin, sizeof spin);
        }
        double energy;
        CHECK(qi_bind_orientations(e, q, 4, 1, QI_SCALAR_FIRST) == QI_OK);
        CHECK(qi_bind_angular_velocities(e, omega, 3, 1, QI_OMEGA_WORLD) == QI_OK);
        CHECK(qi_advance_ensemble(e, H, 10, NULL) == QI_OK && isnan(q[4 * 8]) && isnan(omega[3 * 8]));
        CHECK(qi_get_total_kinetic_energy(e, &energy) == QI_OK);
        CHECK_NEAR(energy, 7.0 * count, 1e-13);
        CHECK(qi_set_ensemble_active(e, NULL, 0) == QI_OK);
        CHECK(qi_get_total_kinetic_energy(e, &energy) == QI_ERR_NON_FINITE);
        CHECK(qi_release_arrays(e) == QI_ERR_NON_FINITE);
        CHECK(qi_set_ensemble_active(e, lists[k], count) == QI_OK && qi_release_arrays(e) == QI_OK);
        double own[7 * N];
        CHECK(qi_get_ensemble_rows(e, QI_PART_STATE, NULL, N, own) == QI_OK && own[7 * 8] == 1);
        CHECK(memcmp(own + 7 * lists[k][1], q + 4 * lists[k][1], 4 * sizeof *q) == 0);
        CHECK(qi_resize_ensemble(e, 0) == QI_OK);
        qi_destroy_ensemble(e);
    }
}

static void a_body_keeps_its_whole_clock(void)
{
    const double q[4] = {1, 0, 0, 0}, omega[3] = {0, 0, 1}, inertia[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, bad[2] = {0, NAN};
    double clock[2], a, b;
    qi_body *run = qi_create_body(inertia, q, omega, NULL), *other = qi_create_body(inertia, q, omega, NULL);
    CHECK(qi_advance(run, 0.1, 7, NULL) == QI_OK && qi_get_clock(run, clock) == QI_OK && clock[1] != 0);
    CHECK(qi_set_clock(other, clock) == QI_OK);
    CHECK(qi_advance(run, 0.1, 1000, NULL) == QI_OK && qi_advance(other, 0.1, 1000, NULL) == QI_OK);
    CHECK(qi_get_time(run, &a) == QI_OK && qi_get_time(other, &b) == QI_OK && a == b);
    CHECK_REFUSED(qi_set_clock(other, bad), QI_ERR_NON_FINITE, "`clock[1]` is NaN");
    CHECK_REFUSED(qi_get_clock(other, NULL), QI_ERR_NULL, "`clock` is NULL");
    qi_destroy_body(run);
    qi_destroy_body(other);
}

static void exact_sums_do_not_depend_on_how_bodies_are_spread(void)
{
    int64_t all[QI_SUM_SIZE], part[QI_SUM_SIZE], sum[QI_SUM_SIZE] = {0}, spin[3 * QI_SUM_SIZE];
    double value, other, total[3];
    qi_ensemble *e = filled(QI_METHOD_PCDM);
    CHECK(qi_get_kinetic_energy_sums(e, all) == QI_OK && qi_get_angular_momentum_sums(e, spin) == QI_OK);
    CHECK(qi_get_total_angular_momentum(e, total) == QI_OK);
    for (int c = 0; c < 3; c++) {
        CHECK(qi_get_sum(spin + c * QI_SUM_SIZE, &value) == QI_OK);
        CHECK_NEAR(value, total[c], 1e-15);
    }
    for (size_t first = 0; first < N; first += 10) {
        size_t from[10], count = N - first < 10 ? N - first : 10;
        for (size_t i = 0; i < count; i++) from[i] = N - 1 - first - i;
        qi_ensemble *piece = filled(QI_METHOD_PCDM);
        CHECK(qi_select_bodies(piece, from, count) == QI_OK && qi_get_kinetic_energy_sums(piece, part) == QI_OK);
        for (int k = 0; k < QI_SUM_SIZE; k++) sum[k] += part[k];
        qi_destroy_ensemble(piece);
    }
    CHECK(qi_get_sum(all, &value) == QI_OK && qi_get_sum(sum, &other) == QI_OK && value == other);
    CHECK(qi_get_total_kinetic_energy(e, &other) == QI_OK);
    CHECK_NEAR(value, other, 1e-14);

    const double values[4] = {1e300, 1, -1e300, 5e-324}, bad[2] = {1, INFINITY};
    int64_t own[QI_SUM_SIZE] = {0}, twice[QI_SUM_SIZE];
    CHECK(qi_add_to_sum(own, values, 4) == QI_OK && qi_get_sum(own, &value) == QI_OK && value == 1);
    CHECK(qi_add_to_sum(own, values + 2, 1) == QI_OK && qi_get_sum(own, &value) == QI_OK && value == -1e300);
    CHECK(qi_add_to_sum(own, NULL, 0) == QI_OK);
    for (int k = 0; k < QI_SUM_SIZE; k++) twice[k] = 2 * own[k];
    CHECK(qi_get_sum(twice, &value) == QI_OK && value == -2e300);
    CHECK_REFUSED(qi_add_to_sum(own, bad, 2), QI_ERR_NON_FINITE, "`values[1]` is inf");
    CHECK(qi_get_sum(own, &value) == QI_OK && value == -1e300);
    CHECK_REFUSED(qi_get_sum(NULL, &value), QI_ERR_NULL, "`sum` is NULL");
    int64_t least[QI_SUM_SIZE] = {0};
    least[QI_SUM_SIZE - 1] = INT64_MIN;
    CHECK_REFUSED(qi_get_sum(least, &value), QI_ERR_NON_FINITE, "`sum`");

    union { size_t bodies[64]; double rows[64]; } both = {{1, 0}};
    CHECK_REFUSED(qi_get_ensemble_rows(e, QI_PART_STATE, both.bodies, 2, both.rows), QI_ERR_INVALID, "must not overlap `bodies`");
    CHECK(both.bodies[0] == 1 && both.bodies[1] == 0);
    qi_destroy_ensemble(e);
}

static void moments_that_no_body_has_are_refused(void)
{
    double moments[3 * N];
    qi_ensemble *e = filled(QI_METHOD_PCDM);
    for (int i = 0; i < 3 * N; i++) moments[i] = 1.5 + noise(i);
    moments[7] = 0;
    CHECK_REFUSED(qi_set_principal_inertias(e, moments, 3, 1), QI_ERR_INERTIA, "body 2");
    moments[7] = NAN;
    CHECK_REFUSED(qi_set_principal_inertias(e, moments, 3, 1), QI_ERR_NON_FINITE, "body 2: `moments[1]` is NaN");
    CHECK(qi_set_principal_inertias(e, moments, 0, 1) == QI_OK);
    qi_destroy_ensemble(e);
}

static void an_ensemble_of_no_bodies_takes_null_everywhere(void)
{
    double time;
    int64_t sums[QI_SUM_SIZE];
    qi_ensemble *e = empty(0, QI_METHOD_SPLITTING);
    CHECK(qi_set_inertias(e, NULL, 9) == QI_OK && qi_set_principal_inertias(e, NULL, 3, 1) == QI_OK);
    CHECK(qi_set_orientations(e, NULL, 4, 1) == QI_OK && qi_set_angular_velocities(e, NULL, 3, 1) == QI_OK);
    CHECK(qi_get_orientations(e, NULL, 4, 1) == QI_OK && qi_get_kinetic_energies(e, NULL, 1) == QI_OK);
    CHECK(qi_bind_orientations(e, NULL, 4, 1, QI_SCALAR_FIRST) == QI_OK);
    CHECK(qi_bind_angular_velocity_rows(e, NULL, 3, 1, QI_ANGMOM_WORLD, NULL) == QI_OK);
    CHECK(qi_step_ensemble(e, H) == QI_OK && qi_kick_ensemble(e, H, no_torque, 0, 1, QI_FRAME_WORLD) == QI_OK);
    CHECK(qi_release_arrays(e) == QI_OK && qi_select_bodies(e, NULL, 0) == QI_OK && qi_resize_ensemble(e, 0) == QI_OK);
    CHECK(qi_begin_ensemble_step(e, H) == QI_OK);
    CHECK(qi_next_ensemble_stage(e, &time, NULL, NULL) == QI_NEED_TORQUE);
    CHECK(qi_supply_ensemble_torque(e, NULL) == QI_OK);
    CHECK(qi_continue_ensemble_step(e, NULL, &time, NULL, NULL) == QI_ERR_ORDER);
    while (qi_next_ensemble_stage(e, &time, NULL, NULL) == QI_NEED_TORQUE) CHECK(qi_supply_ensemble_torque(e, NULL) == QI_OK);
    CHECK(qi_get_ensemble_time(e, &time) == QI_OK);
    CHECK_NEAR(time, 2 * H, 1e-15); /* a step, and one in stages */
    CHECK(qi_get_kinetic_energy_sums(e, sums) == QI_OK && sums[0] == 0);
    CHECK(qi_set_ensemble_uniform_field_torque(e, NULL, 3, (double[3]){0, 0, 1}) == QI_OK);
    CHECK(qi_set_ensemble_drag(e, (double[3]){1, 1, 1}, 3, NULL, 0) == QI_OK);
    /* as columns, whose component stride is the number of bodies */
    double place[4];
    CHECK(qi_get_orientations(e, NULL, 1, 0) == QI_OK && qi_get_orientations(e, place, 1, 0) == QI_OK);
    CHECK(qi_get_angular_velocities(e, place, 1, 0) == QI_OK && qi_get_angular_momenta(e, place, 1, 0) == QI_OK);
    CHECK(qi_bind_orientations(e, place, 1, 0, QI_SCALAR_FIRST) == QI_OK);
    CHECK(qi_bind_angular_velocities(e, NULL, 1, 0, QI_OMEGA_WORLD) == QI_OK);
    CHECK(qi_set_points(e, 0, NULL, NULL, 1, 0) == QI_OK && qi_get_point_positions(e, NULL, 1, 0, place, 1, 0) == QI_OK);
    CHECK(qi_sum_point_forces(e, place, 1, 0, place, 1, 0, NULL, 1, 0) == QI_OK && qi_step_ensemble(e, H) == QI_OK);
    qi_destroy_ensemble(e);
    e = empty(2, QI_METHOD_PCDM);
    CHECK(qi_get_orientations(e, place, 0, 1) == QI_ERR_INVALID && strstr(qi_last_error(), "`data` must have strides") != NULL);
    qi_destroy_ensemble(e);
}

#if HAS_FORK
static void a_forked_process_steps_without_the_threads(void)
{
    enum { MANY = 3000 };
    const double omega[3] = {0.1, 0.2, 0.3};
    double *here = malloc(7 * MANY * sizeof *here), *there = malloc(7 * MANY * sizeof *there);
    qi_ensemble *e = qi_create_ensemble(MANY, NULL);
    int ends[2], status;
    CHECK(here != NULL && there != NULL && pipe(ends) == 0);
    CHECK(qi_set_angular_velocities(e, omega, 0, 1) == QI_OK && qi_set_inertias(e, (double[9]){1, 0, 0, 0, 2, 0, 0, 0, 3}, 0) == QI_OK);
    CHECK(qi_set_ensemble_threads(e, at_most(3)) == QI_OK && qi_advance_ensemble(e, H, 5, NULL) == QI_OK);
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        alarm(60);
        if (qi_advance_ensemble(e, H, 5, NULL) != QI_OK) _exit(1);
        if (qi_set_ensemble_threads(e, 2) != QI_OK || qi_advance_ensemble(e, H, 5, NULL) != QI_OK) _exit(2);
        if (qi_get_ensemble_rows(e, QI_PART_STATE, NULL, MANY, there) != QI_OK) _exit(3);
        qi_destroy_ensemble(e);
        const char *bytes = (const char *)there;
        size_t left = 7 * MANY * sizeof *there;
        while (left > 0) {
            const ssize_t written = write(ends[1], bytes, left);
            if (written <= 0) _exit(4);
            bytes += written;
            left -= (size_t)written;
        }
        /* A leak checker would count what belongs to threads that this process does not have: another program takes its place. */
        execlp("true", "true", (char *)NULL);
        _exit(5);
    }
    char *bytes = (char *)there;
    for (size_t left = 7 * MANY * sizeof *there; left > 0;) {
        close(ends[1]);
        const ssize_t got = read(ends[0], bytes, left);
        CHECK(got > 0);
        bytes += got;
        left -= (size_t)got;
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(qi_advance_ensemble(e, H, 10, NULL) == QI_OK);
    CHECK(qi_get_ensemble_rows(e, QI_PART_STATE, NULL, MANY, here) == QI_OK);
    CHECK(memcmp(here, there, 7 * MANY * sizeof *here) == 0);
    CHECK_REFUSED(qi_set_ensemble_threads(e, QI_MAX_THREADS + 1), QI_ERR_INVALID, "`threads` must be from 1 to 1024");
    free(here); free(there);
    qi_destroy_ensemble(e);
}
#endif

static int32_t slowed(double time, size_t first, size_t count, const double *q, const double *omega, double *torque, void *user_data)
{
    (void)first; (void)q; (void)user_data;
    for (size_t i = 0; i < 3 * count; i++) torque[i] = 0.1 * cos(time) - 0.3 * omega[i];
    return 0;
}

static qi_ensemble *kept_torques(int is_listed)
{
    const double inertia[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3}, omega[3] = {0.5, 0.6, 0.7};
    const size_t active[2] = {1, 3};
    qi_ensemble *e = qi_create_ensemble(4, NULL);
    CHECK(qi_set_inertias(e, inertia, 0) == QI_OK && qi_set_angular_velocities(e, omega, 0, 1) == QI_OK);
    CHECK(qi_set_ensemble_torque(e, slowed, 0, 0, NULL) == QI_OK && qi_set_ensemble_method(e, QI_METHOD_SPLITTING) == QI_OK);
    if (is_listed) CHECK(qi_set_ensemble_active(e, active, 2) == QI_OK);
    return e;
}

/* The rows are set last, after the other calls in any order, with all bodies active and with a list of them. Each of the other calls
 * makes the method forget what the rows have brought, also where it sets what is there already. */
static void a_restart_sets_the_rows_last_and_every_other_call_forgets_what_is_kept(void)
{
    const int32_t all = QI_PART_STATE | QI_PART_INERTIA | QI_PART_TORQUE | QI_PART_MEMORY, no_lock = 0;
    const size_t active[2] = {1, 3};
    const double inertia[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3}, none[9] = {0};
    double clock[2], rows[4 * 17], end[4 * 17], restored[4 * 17];
    for (int is_listed = 0; is_listed < 2; is_listed++) {
        qi_ensemble *whole = kept_torques(is_listed);
        CHECK(qi_get_ensemble_row_size(whole, all) == 17 && qi_advance_ensemble(whole, 0.1, 3, NULL) == QI_OK);
        CHECK(qi_get_ensemble_rows(whole, all, NULL, 4, rows) == QI_OK && qi_get_ensemble_clock(whole, clock) == QI_OK);
        for (int i = 0; i < 4; i++) {
            const int is_kept = !is_listed || i % 2 == 1; /* NaN: nothing is kept of a body that does not move */
            for (int k = 14; k < 17; k++) CHECK((isnan(rows[17 * i + k]) != 0) == !is_kept);
        }
        CHECK(qi_advance_ensemble(whole, 0.1, 2, NULL) == QI_OK);
        CHECK(qi_get_ensemble_rows(whole, all, NULL, 4, end) == QI_OK);
        for (int after = 0; after <= 11; after++) { /* the call after the rows; 0: none */
            qi_ensemble *e = kept_torques(is_listed);
            CHECK(qi_set_ensemble_clock(e, clock) == QI_OK && qi_set_ensemble_rows(e, all, NULL, 4, rows) == QI_OK);
            if (after == 1) CHECK(qi_set_ensemble_clock(e, clock) == QI_OK);
            if (after == 2) CHECK(qi_set_ensemble_method(e, QI_METHOD_SPLITTING) == QI_OK);
            if (after == 3) CHECK(qi_set_ensemble_torque(e, slowed, 0, 0, NULL) == QI_OK);
            if (after == 4) CHECK(qi_set_ensemble_active(e, is_listed ? active : NULL, is_listed ? 2 : 0) == QI_OK);
            if (after == 5) CHECK(qi_set_ensemble_locked_axes(e, &no_lock, 0) == QI_OK);
            if (after == 6) CHECK(qi_bind_flow_gradients(e, none, 0, 3, 1) == QI_OK);
            if (after == 7) CHECK(qi_set_ensemble_drag(e, NULL, 0, NULL, 0) == QI_OK);
            if (after == 8) CHECK(qi_set_ensemble_langevin(e, NULL, 0, NULL, 0, 0, 0) == QI_OK);
            if (after == 9) CHECK(qi_set_ensemble_rotor_momentum(e, NULL, 0) == QI_OK);
            if (after == 10) CHECK(qi_set_inertias(e, inertia, 0) == QI_OK);
            if (after == 11) CHECK(qi_forget_ensemble_torques(e) == QI_OK);
            CHECK(qi_get_ensemble_rows(e, all, NULL, 4, restored) == QI_OK);
            CHECK((isnan(restored[14 + 17]) != 0) == (after > 0)); /* of body 1, which is active */
            CHECK(qi_advance_ensemble(e, 0.1, 2, NULL) == QI_OK && qi_get_ensemble_rows(e, all, NULL, 4, restored) == QI_OK);
            CHECK((memcmp(restored, end, sizeof end) == 0) == (after == 0));
            qi_destroy_ensemble(e);
        }
        qi_destroy_ensemble(whole);
    }
}

static void rows_keep_the_signs_of_zeros_and_nan_in_bound_arrays_too(void)
{
    const double row[7] = {1, 0, 0, 0, -0.0, 1, 2};
    for (int k = 0; k < 4; k++) {
        double q[4] = {1, 0, 0, 0}, omega[3] = {-0.0, 1, 2}, back[7];
        qi_ensemble *e = qi_create_ensemble(1, NULL);
        if (k & 1) CHECK(qi_bind_orientations(e, q, 4, 1, QI_SCALAR_FIRST) == QI_OK);
        if (k & 2) CHECK(qi_bind_angular_velocities(e, omega, 3, 1, QI_OMEGA_BODY) == QI_OK);
        CHECK(qi_set_ensemble_rows(e, QI_PART_STATE, NULL, 1, row) == QI_OK);
        CHECK(qi_get_ensemble_rows(e, QI_PART_STATE, NULL, 1, back) == QI_OK && memcmp(row, back, sizeof row) == 0);
        qi_destroy_ensemble(e);
    }
    qi_ensemble *e = kept_torques(0);
    double rows[4 * 10];
    CHECK(qi_get_ensemble_rows(e, QI_PART_STATE | QI_PART_MEMORY, NULL, 4, rows) == QI_OK && isnan(rows[9]));
    CHECK(qi_step_ensemble(e, 0.1) == QI_OK && qi_set_ensemble_rows(e, QI_PART_STATE | QI_PART_MEMORY, NULL, 4, rows) == QI_OK);
    CHECK(qi_get_ensemble_rows(e, QI_PART_STATE | QI_PART_MEMORY, NULL, 4, rows) == QI_OK);
    for (int k = 7; k < 10; k++) CHECK(isnan(rows[k]));
    qi_destroy_ensemble(e);
}

static void predicted_velocities_that_overflow_are_an_error_and_are_not_written(void)
{
    const double torque[3] = {1e10, 1e10, 1e10}, aheads[2] = {1e200, -1e308};
    for (int k = 0; k < 2; k++) {
        double predicted[3] = {7, 7, 7};
        qi_ensemble *e = qi_create_ensemble(1, NULL);
        CHECK(qi_bind_predicted_velocities(e, predicted, 3, 1, aheads[k]) == QI_OK);
        CHECK_REFUSED(qi_kick_drift_ensemble(e, 1e-10, 0.1, torque, 3, 1, QI_FRAME_WORLD), QI_ERR_NON_FINITE, "body 0: the motion overflows");
        CHECK(predicted[0] == 7 && qi_last_error_body() == 0);
        qi_destroy_ensemble(e);
    }
}

/* A torque on one body, of time, orientation and angular velocity. */
static int32_t drive_one(double time, const double *q, const double *omega, double *torque, void *user_data)
{
    return drive(time, 0, 1, q, omega, torque, user_data);
}

enum { FREE, FIELD, CALLBACK, DRAG, SHEAR, GRAVITY, FIELD_AND_DRAG, CALLBACK_AND_DRAG, LANGEVIN, ROTORS, MOTORS, KINDS };

static const double resistance[3] = {0.3, 2, 5}, field[3] = {0.4, -0.3, -1}, lever[3] = {0.2, -0.1, 0.5};
static const double gradient[9] = {0, 1, 0.2, 0, 0, 0, 0.1, 0, 0}, wheels[3] = {0.3, 0.1, -0.2}, motors[3] = {0.01, 0, 0.02};

/* A body without an axis along another one. */
static qi_body *driven(int kind, int method)
{
    const double inertia[9] = {3, 0.4, -0.2, 0.4, 5, 0.3, -0.2, 0.3, 7}, semi_axes[3] = {2, 1, 0.5};
    const double omega[3] = {1, 0.5, 2}, q[4] = {0.5, -0.5, 0.1, 0.7}; /* of length 1 */
    qi_body *b = qi_create_body(inertia, q, omega, NULL);
    CHECK(b != NULL && qi_set_method(b, method) == QI_OK);
    switch (kind) {
    case FIELD: CHECK(qi_set_uniform_field_torque(b, lever, field) == QI_OK); break;
    case CALLBACK: CHECK(qi_set_torque(b, drive_one, NULL) == QI_OK); break;
    case DRAG: CHECK(qi_set_linear_drag_torque(b, resistance) == QI_OK); break;
    case SHEAR: CHECK(qi_set_shear_flow_torque(b, semi_axes, 0.05, gradient) == QI_OK); break;
    case GRAVITY: CHECK(qi_set_gravity_gradient_torque(b, field, 0.1) == QI_OK); break;
    case FIELD_AND_DRAG: CHECK(qi_set_uniform_field_torque(b, lever, field) == QI_OK && qi_set_drag(b, resistance, wheels) == QI_OK); break;
    case CALLBACK_AND_DRAG: CHECK(qi_set_torque(b, drive_one, NULL) == QI_OK && qi_set_drag(b, resistance, NULL) == QI_OK); break;
    case LANGEVIN: CHECK(qi_set_torque(b, drive_one, NULL) == QI_OK && qi_set_langevin(b, resistance, wheels, 0.1, 1, 2) == QI_OK); break;
    case ROTORS: CHECK(qi_set_torque(b, drive_one, NULL) == QI_OK && qi_set_rotor_momentum(b, wheels) == QI_OK); break;
    case MOTORS: CHECK(qi_set_rotor_momentum(b, wheels) == QI_OK && qi_set_rotor_torque(b, motors) == QI_OK); break;
    default: break;
    }
    return b;
}

static void check_same_body(const qi_body *a, const qi_body *b)
{
    const snapshot of_b = take(b);
    CHECK_UNCHANGED(a, of_b);
}

enum { WHOLE = ALL | QI_PART_ID };

static double *row_of(const qi_body *b, int parts)
{
    double *row = malloc((qi_get_body_row_size(b, parts) + 1) * sizeof *row);
    CHECK(row != NULL && qi_get_body_row(b, parts, row) == QI_OK);
    return row;
}

/* What a restart is given. */
static void restore(qi_body *b, const double *row, const double clock[2], uint64_t draws)
{
    CHECK(qi_set_clock(b, clock) == QI_OK && qi_set_noise(b, draws) == QI_OK);
    CHECK(qi_set_body_row(b, WHOLE, row) == QI_OK);
}

static int is_allowed(int kind, int method)
{
    const int resists = kind == DRAG || kind == SHEAR || kind == FIELD_AND_DRAG || kind == CALLBACK_AND_DRAG;
    const int takes_resistance = method == QI_METHOD_PCDM || method == QI_METHOD_SPLITTING || method == QI_METHOD_CF4;
    if (method == QI_METHOD_BROWNIAN) return kind == LANGEVIN;
    if (kind == LANGEVIN) return method == QI_METHOD_SPLITTING;
    return takes_resistance || !resists;
}

static void a_body_that_is_restored_from_its_row_goes_on_with_the_same_bits(void)
{
    const int methods[] = {QI_METHOD_PCDM,        QI_METHOD_SPLITTING,      QI_METHOD_CF4,     QI_METHOD_SPLITTING_4,
                           QI_METHOD_SPLITTING_6, QI_METHOD_FORCE_GRADIENT, QI_METHOD_BROWNIAN};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        for (int kind = FREE; kind < KINDS; kind++) {
            if (!is_allowed(kind, methods[m])) continue;
            qi_body *left = driven(kind, methods[m]), *restarted = driven(kind, methods[m]);
            CHECK(qi_advance(left, 0.05, 20, NULL) == QI_OK && qi_advance(restarted, 0.05, 20, NULL) == QI_OK);
            for (int part = 0; part < 5; part++) {
                double clock[2];
                uint64_t draws;
                double *row = row_of(restarted, WHOLE);
                CHECK(qi_get_clock(restarted, clock) == QI_OK && qi_get_noise(restarted, &draws) == QI_OK);
                qi_destroy_body(restarted);
                restarted = driven(kind, methods[m]);
                restore(restarted, row, clock, draws);
                free(row);
                CHECK(qi_advance(left, 0.05, 7, NULL) == QI_OK && qi_advance(restarted, 0.05, 7, NULL) == QI_OK);
                check_same_body(restarted, left);
            }
            qi_destroy_body(left);
            qi_destroy_body(restarted);
        }
    }
}

static void the_row_of_a_body_is_that_of_an_ensemble_of_it(void)
{
    for (int kind = FIELD_AND_DRAG; kind <= CALLBACK_AND_DRAG; kind++) {
        qi_body *b = driven(kind, QI_METHOD_SPLITTING);
        qi_ensemble *e = qi_create_ensemble(1, NULL);
        CHECK(e != NULL && qi_set_ensemble_method(e, QI_METHOD_SPLITTING) == QI_OK);
        if (kind == CALLBACK_AND_DRAG)
            CHECK(qi_set_ensemble_torque(e, drive, QI_LAYOUT_AOS, QI_FRAME_WORLD, NULL) == QI_OK);
        else
            CHECK(qi_set_ensemble_uniform_field_torque(e, no_torque, 3, field) == QI_OK);
        CHECK(qi_set_ensemble_drag(e, no_torque, 3, NULL, 0) == QI_OK);
        CHECK(qi_get_ensemble_row_size(e, WHOLE) == qi_get_body_row_size(b, WHOLE));
        CHECK(qi_advance(b, 0.05, 20, NULL) == QI_OK);
        double *row = row_of(b, WHOLE), clock[2];
        CHECK(qi_get_clock(b, clock) == QI_OK && qi_set_ensemble_clock(e, clock) == QI_OK);
        CHECK(qi_set_ensemble_rows(e, WHOLE, NULL, 1, row) == QI_OK);
        CHECK(qi_advance(b, 0.05, 20, NULL) == QI_OK && qi_advance_ensemble(e, 0.05, 20, NULL) == QI_OK);
        double *of_body = row_of(b, WHOLE), *of_ensemble = rows_of(e, WHOLE);
        CHECK(memcmp(of_body, of_ensemble, qi_get_body_row_size(b, WHOLE) * sizeof *row) == 0);
        qi_body *back = driven(kind, QI_METHOD_SPLITTING);
        CHECK(qi_get_ensemble_clock(e, clock) == QI_OK);
        restore(back, of_ensemble, clock, 0);
        CHECK(qi_advance(b, 0.05, 3, NULL) == QI_OK && qi_advance(back, 0.05, 3, NULL) == QI_OK);
        check_same_body(back, b);
        free(row);
        free(of_body);
        free(of_ensemble);
        qi_destroy_body(b);
        qi_destroy_body(back);
        qi_destroy_ensemble(e);
    }
}

static void a_row_of_another_body_makes_it_that_body(void)
{
    qi_body *one = driven(SHEAR, QI_METHOD_SPLITTING);
    const double other_inertia[9] = {2, 0, 0, 0, 2.5, 0, 0, 0, 3}, semi_axes[3] = {1, 3, 1};
    qi_body *other = qi_create_body(other_inertia, NULL, NULL, NULL);
    CHECK(other != NULL && qi_set_method(other, QI_METHOD_SPLITTING) == QI_OK);
    CHECK(qi_set_shear_flow_torque(other, semi_axes, 1, gradient) == QI_OK);
    double *row = row_of(one, ALL);
    CHECK(qi_set_body_row(other, ALL, row) == QI_OK);
    CHECK(qi_advance(one, 0.05, 10, NULL) == QI_OK && qi_advance(other, 0.05, 10, NULL) == QI_OK);
    check_same_body(other, one);
    free(row);
    qi_destroy_body(one);
    qi_destroy_body(other);
}

static void a_row_that_is_refused_changes_nothing_of_a_body(void)
{
    qi_body *b = driven(LANGEVIN, QI_METHOD_SPLITTING);
    CHECK(qi_advance(b, 0.05, 3, NULL) == QI_OK);
    const size_t width = qi_get_body_row_size(b, WHOLE);
    CHECK(width == 7 + 7 + 6 + 3 + 1 && qi_get_body_row_size(b, 64) == 0 && qi_get_body_row_size(NULL, ALL) == 0);
    double *row = row_of(b, WHOLE), *before = row_of(b, WHOLE);
    const struct {
        size_t place;
        double value;
        qi_status status;
        const char *detail;
    } wrong[] = {{0, 0.9, QI_ERR_ORIENTATION, "A row has 24 doubles"},
                 {5, NAN, QI_ERR_NON_FINITE, "row"},
                 {4, 1e200, QI_ERR_INVALID, "1e154"},
                 {7, 1e308, QI_ERR_INERTIA, "1e308"},
                 {8, INFINITY, QI_ERR_NON_FINITE, "row"},
                 {11, 3, QI_ERR_ORIENTATION, "row"},
                 {15, -1, QI_ERR_INVALID, "negative"},
                 {19, NAN, QI_ERR_NON_FINITE, "row[19]"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        memcpy(row, before, width * sizeof *row);
        row[wrong[i].place] = wrong[i].value;
        CHECK_REFUSED(qi_set_body_row(b, WHOLE, row), wrong[i].status, wrong[i].detail);
        double *now = row_of(b, WHOLE);
        CHECK(memcmp(now, before, width * sizeof *row) == 0);
        free(now);
    }
    CHECK_REFUSED(qi_set_body_row(b, 64, row), QI_ERR_INVALID, "QI_PART");
    CHECK_REFUSED(qi_get_body_row(b, -1, row), QI_ERR_INVALID, "QI_PART");
    CHECK_REFUSED(qi_get_body_row(b, ALL, NULL), QI_ERR_NULL, "row");
    CHECK_REFUSED(qi_set_body_row(b, ALL, NULL), QI_ERR_NULL, "row");
    CHECK(qi_get_body_row(b, 0, NULL) == QI_OK && qi_set_body_row(b, 0, NULL) == QI_OK);
    free(row);
    free(before);
    qi_destroy_body(b);
}

int main(void)
{
    RUN(a_restart_sets_the_rows_last_and_every_other_call_forgets_what_is_kept);
    RUN(rows_keep_the_signs_of_zeros_and_nan_in_bound_arrays_too);
    RUN(predicted_velocities_that_overflow_are_an_error_and_are_not_written);
    RUN(a_run_saved_and_restored_every_ten_steps_has_the_bits_and_times_of_one_that_is_not);
    RUN(bodies_migrate_and_keep_their_bits);
    RUN(a_row_that_is_refused_says_how_long_a_row_is_here);
    RUN(rows_are_checked_before_the_first_is_written);
    RUN(an_orientation_and_a_momentum_are_found_in_other_rows);
    RUN(a_release_refuses_velocities_that_the_caller_has_spoiled_and_changes_nothing);
    RUN(bound_momenta_must_belong_to_finite_velocities);
    RUN(setting_orientations_needs_none_in_the_row_of_a_body_that_does_not_move);
    RUN(a_row_of_no_body_may_be_another_array);
    RUN(rows_of_bodies_that_do_not_move_may_hold_anything);
    RUN(a_body_keeps_its_whole_clock);
    RUN(exact_sums_do_not_depend_on_how_bodies_are_spread);
    RUN(moments_that_no_body_has_are_refused);
    RUN(an_ensemble_of_no_bodies_takes_null_everywhere);
#if HAS_FORK
    RUN(a_forked_process_steps_without_the_threads);
#endif
    RUN(a_body_that_is_restored_from_its_row_goes_on_with_the_same_bits);
    RUN(the_row_of_a_body_is_that_of_an_ensemble_of_it);
    RUN(a_row_of_another_body_makes_it_that_body);
    RUN(a_row_that_is_refused_changes_nothing_of_a_body);
    return 0;
}
