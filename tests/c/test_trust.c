/* What users and attackers have found: each once wrong, now held here. */
#if defined(__unix__) || defined(__APPLE__)
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
#endif
#include "check.h"
#include <fenv.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

static const double UNIT[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, DIAGONAL[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3}, SPIN[3] = {0.1, 0.2, 0.3};


static void orientations_are_set_at_constant_angular_momentum_where_that_is_bound(void)
{
    const double turned[4] = {0.6, 0, 0.8, 0}, l0[3] = {1, 2, 3};
    const int32_t kinds[2] = {QI_ANGMOM_WORLD, QI_ANGMOM_BODY};
    for (int k = 0; k < 2; k++) {
        double l[3] = {1, 2, 3}, now[3];
        qi_ensemble *e = qi_create_ensemble(1, NULL);
        CHECK(qi_set_inertias(e, DIAGONAL, 0) == QI_OK && qi_bind_angular_velocities(e, l, 3, 1, kinds[k]) == QI_OK);
        CHECK(qi_set_orientations(e, turned, 4, 1) == QI_OK && qi_get_angular_momenta(e, now, 3, 1) == QI_OK);
        for (int c = 0; c < 3; c++) CHECK_NEAR(now[c], l0[c], 4e-15);
        if (k == 0) CHECK(memcmp(l, l0, sizeof l) == 0);
        qi_destroy_ensemble(e);
    }
}

static void angular_momenta_are_set(void)
{
    const double q[4] = {0.6, 0, 0.8, 0}, l0[6] = {1, 2, 3, -1, 0.5, 0}, nan[3] = {1, NAN, 0}, huge[3] = {1e200, 0, 0};
    double l[6], bound[6] = {0};
    qi_body *body = qi_create_body(DIAGONAL, q, SPIN, NULL);
    CHECK(qi_set_angular_momentum(body, l0) == QI_OK && qi_get_angular_momentum(body, l) == QI_OK);
    for (int c = 0; c < 3; c++) CHECK_NEAR(l[c], l0[c], 4e-15);
    CHECK(qi_set_rotor_momentum(body, SPIN) == QI_OK && qi_set_angular_momentum(body, l0) == QI_OK);
    CHECK(qi_get_angular_momentum(body, l) == QI_OK);
    for (int c = 0; c < 3; c++) CHECK_NEAR(l[c], l0[c], 4e-15);
    const snapshot before = take(body);
    CHECK_REFUSED(qi_set_angular_momentum(body, nan), QI_ERR_NON_FINITE, "`angular_momentum[1]` is NaN");
    CHECK_REFUSED(qi_set_angular_momentum(body, huge), QI_ERR_INVALID, "must belong to an angular velocity");
    CHECK_REFUSED(qi_set_angular_momentum(body, NULL), QI_ERR_NULL, "`angular_momentum` is NULL");
    CHECK_UNCHANGED(body, before);
    qi_destroy_body(body);

    qi_ensemble *e = qi_create_ensemble(2, NULL);
    CHECK(qi_set_inertias(e, DIAGONAL, 0) == QI_OK && qi_set_orientations(e, q, 0, 1) == QI_OK);
    CHECK(qi_set_angular_momenta(e, l0, 3, 1) == QI_OK && qi_get_angular_momenta(e, l, 3, 1) == QI_OK);
    for (int c = 0; c < 6; c++) CHECK_NEAR(l[c], l0[c], 4e-15);
    CHECK_REFUSED(qi_set_angular_momenta(e, nan, 0, 1), QI_ERR_NON_FINITE, "`data[1]` is NaN");
    CHECK_REFUSED(qi_set_angular_momenta(e, huge, 0, 1), QI_ERR_INVALID, "must belong to an angular velocity");
    CHECK(qi_bind_angular_velocities(e, bound, 3, 1, QI_ANGMOM_WORLD) == QI_OK);
    CHECK(qi_set_angular_momenta(e, l0, 3, 1) == QI_OK && memcmp(bound, l0, sizeof l0) == 0);
    qi_destroy_ensemble(e);
}

static void negative_numbers_of_steps_are_refused(void)
{
    double q[4] = {1, 0, 0, 0}, omega[3] = {0}, rows[16];
    uint64_t completed = 9;
    size_t written;
    qi_body *body = qi_create_body(UNIT, NULL, SPIN, NULL);
    qi_ensemble *e = qi_create_ensemble(3, NULL);
    CHECK_REFUSED(qi_advance(body, 0.1, (uint64_t)-3, &completed), QI_ERR_INVALID, "`steps` must be less than 2^63");
    CHECK(completed == 0);
    CHECK_REFUSED(qi_record(body, 0.1, (uint64_t)-3, 1, rows, 2, &written), QI_ERR_INVALID, "`steps`");
    CHECK_REFUSED(qi_integrate(UNIT, q, omega, 0, 0.1, (uint64_t)-1, NULL, NULL), QI_ERR_INVALID, "`steps`");
    CHECK_REFUSED(qi_advance_ensemble(e, 0.1, (uint64_t)1 << 63, NULL), QI_ERR_INVALID, "`steps`");
    CHECK_REFUSED(qi_begin_ensemble_steps(e, 0.1, (uint64_t)-3), QI_ERR_INVALID, "`steps`");
    qi_destroy_body(body);
    qi_destroy_ensemble(e);
}

static void a_caller_who_does_not_want_the_states_of_a_stage_gives_null(void)
{
    const double torque[6] = {0, 0, 1, 0, 1, 0};
    double time, q[8], omega[6], other[6];
    qi_ensemble *e = qi_create_ensemble(2, NULL), *f = qi_create_ensemble(2, NULL);
    CHECK(qi_begin_ensemble_steps(e, 0.1, 2) == QI_OK && qi_begin_ensemble_steps(f, 0.1, 2) == QI_OK);
    qi_status a = qi_next_ensemble_stage(e, &time, NULL, NULL), b = qi_next_ensemble_stage(f, &time, q, omega);
    while (a == QI_NEED_TORQUE && b == QI_NEED_TORQUE) {
        a = qi_continue_ensemble_step(e, torque, &time, NULL, NULL);
        b = qi_continue_ensemble_step(f, torque, &time, q, omega);
    }
    CHECK(a == QI_OK && b == QI_OK);
    CHECK(qi_get_angular_velocities(e, omega, 3, 1) == QI_OK && qi_get_angular_velocities(f, other, 3, 1) == QI_OK);
    CHECK(memcmp(omega, other, sizeof omega) == 0 && omega[2] > 0.19);
    CHECK(qi_begin_ensemble_step(e, 0.1) == QI_OK);
    CHECK_REFUSED(qi_next_ensemble_stage(e, &time, q, NULL), QI_ERR_NULL, "`angular_velocity` is NULL");
    qi_destroy_ensemble(e);
    qi_destroy_ensemble(f);
}

static void a_bound_array_that_is_written_in_the_middle_of_a_step_is_noticed(void)
{
    const double torque[9] = {0};
    const int32_t methods[3] = {QI_METHOD_PCDM, QI_METHOD_SPLITTING, QI_METHOD_CF4};
    for (int k = 0; k < 3; k++) {
        double q[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, shown[12], omega[9], time;
        qi_ensemble *e = qi_create_ensemble(3, NULL);
        CHECK(qi_set_ensemble_method(e, methods[k]) == QI_OK && qi_set_angular_velocities(e, SPIN, 0, 1) == QI_OK);
        CHECK(qi_bind_orientations(e, q, 4, 1, QI_SCALAR_FIRST) == QI_OK);
        for (int step = 0; step < 3; step++) { /* as it should be */
            CHECK(qi_begin_ensemble_steps(e, 0.1, 2) == QI_OK);
            qi_status status = qi_next_ensemble_stage(e, &time, shown, omega);
            while (status == QI_NEED_TORQUE) status = qi_continue_ensemble_step(e, torque, &time, shown, omega);
            CHECK(status == QI_OK);
        }
        CHECK(qi_begin_ensemble_step(e, 0.1) == QI_OK);
        qi_status status = qi_next_ensemble_stage(e, &time, shown, omega);
        for (int i = 0; status == QI_NEED_TORQUE && i < 9; i++) {
            memcpy(q, shown, sizeof q); /* the host's loop reads its own array */
            q[9] += 1e-9;
            status = qi_supply_ensemble_torque(e, torque);
            if (status == QI_OK) status = qi_next_ensemble_stage(e, &time, shown, omega);
        }
        CHECK(status == QI_ERR_ORDER && strstr(qi_last_error(), "has been written to in the middle of a step") != NULL);
        CHECK(qi_step_ensemble(e, 0.1) == QI_OK); /* it has been cancelled */
        qi_destroy_ensemble(e);
    }
}

static void what_is_wrong_in_a_bound_array_is_named(void)
{
    double omega[9] = {0};
    qi_ensemble *e = qi_create_ensemble(3, NULL);
    CHECK(qi_bind_angular_velocities(e, omega, 3, 1, QI_OMEGA_WORLD) == QI_OK);
    omega[4] = NAN;
    CHECK_REFUSED(qi_step_ensemble(e, 0.1), QI_ERR_NON_FINITE, "body 1: `bound angular velocities[1]` is NaN");
    omega[4] = 1e200;
    CHECK_REFUSED(qi_step_ensemble(e, 0.1), QI_ERR_INVALID, "body 1: `bound angular velocities` must be less than 1e154 rad/s");
    omega[4] = 0;
    CHECK(qi_step_ensemble(e, 0.1) == QI_OK);
    qi_destroy_ensemble(e);
}

static int32_t torque_of_one_nan(double time, const double *q, const double *omega, double *torque, void *user_data)
{
    (void)time; (void)q; (void)omega; (void)user_data;
    torque[1] = NAN;
    return 0;
}

static void the_component_of_a_torque_that_is_nan_is_named(void)
{
    qi_body *body = qi_create_body(DIAGONAL, NULL, SPIN, NULL);
    CHECK(qi_set_torque(body, torque_of_one_nan, NULL) == QI_OK);
    CHECK_REFUSED(qi_step(body, 0.1), QI_ERR_NON_FINITE, "(0.0, NaN, 0.0)");
    qi_destroy_body(body);
}

static void ok_means_finite(void)
{
    const double large[9] = {1e300, 0, 0, 0, 1e300, 0, 0, 0, 1e300}, fast[3] = {0, 0, 1e10};
    double time, energy[1] = {7}, l[3] = {7, 7, 7}, bound[3] = {0};
    qi_body *body = qi_create_body(UNIT, NULL, NULL, NULL);
    CHECK(qi_step(body, 1e308) == QI_OK);
    CHECK_REFUSED(qi_step(body, 1e308), QI_ERR_NON_FINITE, "`time` overflows");
    CHECK(qi_get_time(body, &time) == QI_OK && time == 1e308 && qi_step(body, -1e308) == QI_OK);
    qi_destroy_body(body);

    uint64_t completed;
    qi_ensemble *e = qi_create_ensemble(1, NULL);
    CHECK_REFUSED(qi_advance_ensemble(e, 1e308, 5, &completed), QI_ERR_NON_FINITE, "`time` overflows");
    CHECK(completed == 1 && qi_get_ensemble_time(e, &time) == QI_OK && time == 1e308);
    CHECK_REFUSED(qi_step_ensemble(e, 1e308), QI_ERR_NON_FINITE, "`time` overflows");
    CHECK_REFUSED(qi_drift_ensemble(e, 1e308), QI_ERR_NON_FINITE, "`time` overflows");

    CHECK(qi_set_inertias(e, large, 0) == QI_OK && qi_set_angular_velocities(e, fast, 0, 1) == QI_OK);
    CHECK_REFUSED(qi_get_kinetic_energies(e, energy, 1), QI_ERR_NON_FINITE, "body 0: `energy or angular momentum` overflows");
    CHECK_REFUSED(qi_get_angular_momenta(e, l, 3, 1), QI_ERR_NON_FINITE, "body 0");
    CHECK_REFUSED(qi_get_total_kinetic_energy(e, energy), QI_ERR_NON_FINITE, "`energy`");
    CHECK(energy[0] == 7 && l[0] == 7);
    CHECK(qi_set_angular_velocities(e, bound, 0, 1) == QI_OK);
    CHECK(qi_bind_angular_velocities(e, bound, 3, 1, QI_ANGMOM_BODY) == QI_OK);
    CHECK_REFUSED(qi_set_angular_velocities(e, fast, 0, 1), QI_ERR_INVALID, "must have an angular momentum that is finite");
    CHECK(bound[2] == 0);
    qi_destroy_ensemble(e);
}

static void extreme_ellipsoids_are_refused_and_none_takes_for_ever(void)
{
    const double shear[9] = {0, 1, 0}, refused[3][3] = {{6.9e-310, 6.9e-310, 1}, {1, 1, 1e-170}, {1e150, 1e150, 1e150}};
    const double thin[3] = {1e-99, 1e-99, 1}, flat[3] = {1, 1, 1e-99};
    double factors[6];
    qi_body *body = qi_create_body(UNIT, NULL, NULL, NULL);
    for (int k = 0; k < 3; k++)
        CHECK(qi_set_shear_flow_torque(body, refused[k], 1, shear) == QI_ERR_INVALID && strstr(qi_last_error(), "`semi_axes`"));
    CHECK(qi_set_shear_flow_torque(body, thin, 1, shear) == QI_OK && qi_set_shear_flow_torque(body, flat, 1, shear) == QI_OK);
    CHECK(qi_get_shear_flow_resistances(flat, 1, factors) == QI_OK);
    for (int k = 0; k < 6; k++) CHECK(isfinite(factors[k]));
    qi_destroy_body(body);
}

static void a_drift_with_rotors_ends(void)
{
    const double fast[3] = {1e30, 0, 1}, rotor[3] = {0, 0, 1};
    qi_body *body = qi_create_body(DIAGONAL, NULL, fast, NULL);
    CHECK(qi_drift(body, 1) == QI_OK && qi_set_rotor_momentum(body, rotor) == QI_OK);
    CHECK_REFUSED(qi_drift(body, 1), QI_ERR_INVALID, "`duration` must turn a body with rotors by less than 1e6 rad");
    qi_destroy_body(body);
}

static void a_kick_leaves_the_clock_alone(void)
{
    const double clock[2] = {-0.0, 8.673617379884035e-19};
    double now[2];
    qi_body *body = qi_create_body(DIAGONAL, NULL, SPIN, NULL);
    CHECK(qi_set_clock(body, clock) == QI_OK && qi_kick(body, 0.1, SPIN, QI_FRAME_WORLD) == QI_OK);
    CHECK(qi_get_clock(body, now) == QI_OK && memcmp(clock, now, sizeof now) == 0);
    qi_destroy_body(body);
}

/* Calls that are refused or fail leave what a splitting method keeps: the next step has the same bits. */
static void what_fails_leaves_the_last_torque_known(void)
{
    const double bad_q[4] = {2, 0, 0, 0}, bad[3] = {NAN, 0, 0}, c[3] = {0.1, 0.2, 0.3};
    const size_t descending[2] = {1, 0};
    double kept[80], now[80], q[8] = {2}, w[6] = {NAN};
    for (int dragged = 0; dragged < 2; dragged++) {
        qi_ensemble *e = qi_create_ensemble(2, NULL);
        CHECK(qi_set_inertias(e, DIAGONAL, 0) == QI_OK && qi_set_angular_velocities(e, SPIN, 0, 1) == QI_OK);
        CHECK(qi_set_ensemble_uniform_field_torque(e, SPIN, 0, c) == QI_OK);
        CHECK(qi_set_ensemble_method(e, QI_METHOD_SPLITTING) == QI_OK);
        if (dragged) CHECK(qi_set_ensemble_drag(e, c, 0, NULL, 0) == QI_OK);
        CHECK(qi_advance_ensemble(e, 0.1, 3, NULL) == QI_OK && qi_get_ensemble_rows(e, 15, NULL, 2, kept) == QI_OK);
        CHECK(qi_set_ensemble_active(e, descending, 2) == QI_ERR_INVALID);
        CHECK(qi_set_orientations(e, bad_q, 0, 1) == QI_ERR_ORIENTATION && qi_set_angular_velocities(e, bad, 0, 1) == QI_ERR_NON_FINITE);
        CHECK(qi_bind_orientations(e, q, 4, 1, QI_SCALAR_FIRST) == QI_ERR_ORIENTATION);
        CHECK(qi_bind_angular_velocities(e, w, 3, 1, QI_OMEGA_BODY) == QI_ERR_NON_FINITE);
        CHECK(qi_kick_ensemble(e, 0.1, bad, 0, 1, QI_FRAME_WORLD) == QI_ERR_NON_FINITE);
        const size_t size = qi_get_ensemble_row_size(e, 15);
        CHECK(qi_get_ensemble_rows(e, 15, NULL, 2, now) == QI_OK && memcmp(kept, now, 2 * size * sizeof *now) == 0);
        CHECK(!isnan(now[size - 1]));
        if (dragged) { /* a failed step of another length asks anew, so nothing is known then */
            CHECK(qi_step_ensemble(e, 1e306) == QI_ERR_NON_FINITE || qi_step_ensemble(e, 1e300) == QI_ERR_NON_FINITE);
            CHECK(qi_get_ensemble_rows(e, 15, NULL, 2, now) == QI_OK);
            CHECK(isnan(now[size - 1]) || memcmp(kept, now, 2 * size * sizeof *now) == 0);
        }
        qi_destroy_ensemble(e);
    }
}

static void signs_of_zeros_are_restored(void)
{
    const double q[4] = {1, -0.0, 0, -0.0}, omega[3] = {-0.0, 0, 1};
    double q_now[4], omega_now[3];
    qi_body *body = qi_create_body(UNIT, NULL, NULL, NULL);
    CHECK(qi_set_state_body(body, q, omega) == QI_OK);
    CHECK(qi_get_orientation(body, q_now) == QI_OK && qi_get_angular_velocity_body(body, omega_now) == QI_OK);
    CHECK(memcmp(q, q_now, sizeof q) == 0 && memcmp(omega, omega_now, sizeof omega) == 0);
    qi_destroy_body(body);
}

static void velocities_are_set_also_where_a_bound_array_holds_no_orientation(void)
{
    const size_t first[1] = {0};
    double q[8] = {1, 0, 0, 0, NAN, 0, 0, 0}, omega[6];
    qi_ensemble *e = qi_create_ensemble(2, NULL);
    CHECK(qi_set_ensemble_active(e, first, 1) == QI_OK && qi_bind_orientations(e, q, 4, 1, QI_SCALAR_FIRST) == QI_OK);
    CHECK(qi_set_angular_velocities(e, SPIN, 0, 1) == QI_OK && qi_step_ensemble(e, 0.1) == QI_OK);
    q[4] = 1, q[5] = q[6] = q[7] = 0;
    CHECK(qi_set_ensemble_active(e, NULL, 2) == QI_OK && qi_get_angular_velocities(e, omega, 3, 1) == QI_OK);
    for (int i = 0; i < 6; i++) CHECK_NEAR(omega[i], SPIN[i % 3], 1e-15);
    CHECK(qi_step_ensemble(e, 0.1) == QI_OK);
    qi_destroy_ensemble(e);
}

static int32_t idle_monitor(double time, const double *q, const double *omega, void *user_data)
{
    (void)time; (void)q; (void)omega; (void)user_data;
    return 0;
}

static void a_getter_does_not_write_over_a_bound_array(void)
{
    enum { N = 70 };
    double q[5 * N] = {0};
    for (int i = 0; i < N; i++) q[4 * i] = 1;
    qi_ensemble *e = qi_create_ensemble(N, NULL);
    CHECK(qi_bind_orientations(e, q, 4, 1, QI_SCALAR_FIRST) == QI_OK);
    CHECK_REFUSED(qi_get_orientations(e, q + 4, 4, 1), QI_ERR_INVALID, "`data` must not overlap a bound array");
    CHECK_REFUSED(qi_get_kinetic_energies(e, q, 1), QI_ERR_INVALID, "must not overlap a bound array");
    CHECK_REFUSED(qi_get_orientations(e, q, 1, N), QI_ERR_INVALID, "`data` must not overlap a bound array");
    CHECK(qi_get_orientations(e, q, 4, 1) == QI_OK && q[0] == 1 && q[4 * N - 4] == 1); /* which holds them already */
    double omega[3 * N] = {0}, kept[3 * N];
    for (int i = 0; i < 3 * N; i++) omega[i] = kept[i] = 0.1 * i;
    CHECK(qi_bind_angular_velocities(e, omega, 3, 1, QI_OMEGA_BODY) == QI_OK);
    CHECK_REFUSED(qi_get_angular_momenta(e, omega, 3, 1), QI_ERR_INVALID, "must not overlap a bound array");
    CHECK_REFUSED(qi_get_angular_velocities(e, omega, 3, 1), QI_ERR_INVALID, "must not overlap a bound array");
    CHECK(memcmp(omega, kept, sizeof omega) == 0);
    CHECK(qi_bind_angular_velocities(e, omega, 3, 1, QI_OMEGA_WORLD) == QI_OK && qi_get_angular_velocities(e, omega, 3, 1) == QI_OK);
    CHECK(qi_bind_angular_velocities(e, omega, 3, 1, QI_ANGMOM_WORLD) == QI_OK && qi_get_angular_momenta(e, omega, 3, 1) == QI_OK);
    CHECK(memcmp(omega, kept, sizeof omega) == 0);
    qi_destroy_ensemble(e);
}

static void rows_leave_bound_momenta_finite(void)
{
    const double huge[3] = {1e200, 1e200, 1e200}, row[7] = {1, 0, 0, 0, 1e150, 0, 0};
    const double both[14] = {1, 0, 0, 0, 1e150, 0, 0, 1e200, 1e200, 1e200, 1, 0, 0, 0};
    double momentum[3] = {0, 0, 0};
    qi_ensemble *e = qi_create_ensemble(1, NULL);
    CHECK(qi_bind_angular_velocities(e, momentum, 3, 1, QI_ANGMOM_WORLD) == QI_OK);
    CHECK_REFUSED(qi_set_ensemble_rows(e, QI_PART_STATE | QI_PART_INERTIA, NULL, 1, both), QI_ERR_INVALID, "angular momenta that are finite");
    CHECK(qi_set_principal_inertias(e, huge, 0, 1) == QI_OK);
    CHECK_REFUSED(qi_set_ensemble_rows(e, QI_PART_STATE, NULL, 1, row), QI_ERR_INVALID, "angular momenta that are finite");
    CHECK(momentum[0] == 0 && momentum[1] == 0 && momentum[2] == 0);
    qi_destroy_ensemble(e);
}

/* Five steps by the stage protocol. `beside`: a drag has been set as the torque, which is not used there. */
static void take_stages(int32_t method, int beside, int before, double *row, uint64_t *stages)
{
    const double moments[3] = {1, 2, 2.5}, start[3] = {.3, .2, 1}, supplied[3] = {.1, -.2, .05}, drag[3] = {500, 500, 500};
    double time, q[4], w[3];
    qi_status status = QI_OK;
    qi_ensemble *e = qi_create_ensemble(1, NULL);
    CHECK(qi_set_principal_inertias(e, moments, 0, 1) == QI_OK && qi_set_angular_velocities(e, start, 0, 1) == QI_OK);
    CHECK(qi_set_ensemble_method(e, method) == QI_OK);
    if (before) CHECK(qi_advance_ensemble(e, 0.01, 3, NULL) == QI_OK && qi_forget_ensemble_torques(e) == QI_OK);
    if (beside) status = qi_set_ensemble_linear_drag_torque(e, drag, 0); /* which some methods refuse */
    *stages = 0;
    for (int step = 0; step < 5; step++) {
        CHECK(qi_begin_ensemble_step(e, 0.01) == QI_OK);
        for (; (status = qi_next_ensemble_stage(e, &time, q, w)) == QI_NEED_TORQUE; ++*stages)
            CHECK(qi_supply_ensemble_torque(e, supplied) == QI_OK);
        CHECK(status == QI_OK);
        /* what is kept of such steps stays known where the population changes and rows are read */
        if (step == 2) CHECK(qi_resize_ensemble(e, 2) == QI_OK && qi_resize_ensemble(e, 1) == QI_OK);
        if (step == 3) CHECK(qi_get_ensemble_rows(e, QI_PART_STATE, NULL, 1, row) == QI_OK && qi_set_ensemble_rows(e, QI_PART_STATE, NULL, 1, row) == QI_OK);
    }
    CHECK(qi_get_ensemble_rows(e, QI_PART_STATE, NULL, 1, row) == QI_OK);
    /* and afterwards the torque that is set acts again */
    if (beside) CHECK(qi_step_ensemble(e, 1e-6) == QI_OK);
    qi_destroy_ensemble(e);
}

static void a_torque_that_the_stage_protocol_does_not_use_changes_no_bit_and_no_stage(void)
{
    for (int32_t method = QI_METHOD_PCDM; method <= QI_METHOD_SPLITTING_6; method++)
        for (int before = 0; before < 2; before++) {
            double row[7], other[7];
            uint64_t stages, others;
            take_stages(method, 0, before, row, &stages);
            take_stages(method, 1, before, other, &others);
            CHECK(memcmp(row, other, sizeof row) == 0 && stages == others);
        }
}

static void a_refused_solution_writes_no_row(void)
{
    const double inertia[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3}, times[2] = {0, 1};
    double rows[16];
    size_t written = 77;
    for (int i = 0; i < 16; i++) rows[i] = 77;
    qi_body *b = qi_create_body(inertia, NULL, NULL, NULL);
    CHECK(qi_solve_monitored(b, times, 2, 1e-9, rows, &written, 0, NULL, NULL) == QI_OK && written == 2); /* no monitor, no `every` */
    for (int i = 0; i < 16; i++) rows[i] = 77;
    CHECK(qi_set_time(b, 0) == QI_OK);
    CHECK_REFUSED(qi_solve_monitored(b, times, 2, 1e-9, rows, &written, 0, idle_monitor, NULL), QI_ERR_INVALID, "`every` must be positive");
    CHECK(rows[0] == 77 && rows[8] == 77 && written == 0);
    qi_destroy_body(b);
}

#if defined(FE_INVALID) /* WebAssembly has no flags */
static int32_t spring(double time, size_t first, size_t count, const double *q, const double *omega, double *torque,
                      void *user_data)
{
    (void)time; (void)first; (void)omega; (void)user_data;
    for (size_t i = 0; i < count; i++)
        for (int c = 0; c < 3; c++) torque[3 * i + c] = -q[4 * i + 1 + c];
    return 0;
}

/* Moments of zero: along body axes and beside them. The first inertia has none. */
enum { INERTIAS = 8 };
static const double WITH_ZEROS[INERTIAS][9] = {
    {1, 0, 0, 0, 2, 0, 0, 0, 3}, {0, 0, 0, 0, 2, 0, 0, 0, 2}, {2, 0, 0, 0, 0, 0, 0, 0, 2}, {0, 0, 0, 0, 0, 0, 0, 0, 2}, {2, 0, 0, 0, 0, 0, 0, 0, 0},
    {0, 0, 0, 0, 0, 0, 0, 0, 0}, {0.64, -0.48, 0, -0.48, 0.36, 0, 0, 0, 1}, {0.36, 0.48, 0, 0.48, 0.64, 0, 0, 0, 0}
};

/* Fortran's -ffpe-trap=invalid,zero,overflow ends a program at the first flag. */
static void good_arguments_raise_no_floating_point_exception(void)
{
    enum { MOST = 70 };
    const int counts[5] = {1, 3, 7, 17, MOST};
    const double field[3] = {1, 2, 3}, axes[3] = {1, 2, 3}, shear[9] = {0, 1, 0};
    double q[4 * MOST], omega[3 * MOST], numbers[17 * MOST], torque[3 * MOST] = {0}, inertias[9 * MOST], drags[3 * MOST], time;
    for (int i = 0; i < 9 * MOST; i++) inertias[i] = WITH_ZEROS[i / 9 % INERTIAS][i % 9];
    for (int i = 0; i < 3 * MOST; i++) drags[i] = 1 + i;
    for (int k = 0; k < 10; k++) {
        const size_t n = (size_t)counts[k % 5];
        for (int i = 0; i < 4 * MOST; i++) q[i] = 0.5;
        for (int i = 0; i < 3 * MOST; i++) omega[i] = 0.01 * i;
        feclearexcept(FE_ALL_EXCEPT);
        qi_ensemble *e = qi_create_ensemble(n, NULL);
        CHECK(qi_set_inertias(e, k < 5 ? DIAGONAL : inertias, k < 5 ? 0 : 9) == QI_OK && qi_set_orientations(e, q, 4, 1) == QI_OK);
        CHECK(qi_set_angular_velocities(e, omega, 3, 1) == QI_OK && qi_set_angular_momenta(e, omega, 3, 1) == QI_OK);
        for (int32_t method = QI_METHOD_PCDM; method <= QI_METHOD_FORCE_GRADIENT; method++) {
            CHECK(qi_set_ensemble_torque(e, NULL, 0, 0, NULL) == QI_OK && qi_set_ensemble_method(e, method) == QI_OK);
            CHECK(qi_step_ensemble(e, 0.01) == QI_OK);
            CHECK(qi_set_ensemble_uniform_field_torque(e, field, 0, field) == QI_OK && qi_advance_ensemble(e, 0.01, 3, NULL) == QI_OK);
            CHECK(qi_set_ensemble_torque(e, spring, 0, 0, NULL) == QI_OK && qi_step_ensemble(e, 0.01) == QI_OK);
        }
        for (int32_t method = QI_METHOD_SPLITTING; method <= QI_METHOD_BROWNIAN; method += QI_METHOD_BROWNIAN - QI_METHOD_SPLITTING) {
            if (k >= 5 && method == QI_METHOD_BROWNIAN && n > 6) continue; /* which refuses zeros beside the body axes */
            CHECK(qi_set_ensemble_langevin(e, drags, 3, field, 0, 1, 1) == QI_OK && qi_set_ensemble_method(e, method) == QI_OK);
            CHECK(qi_step_ensemble(e, 0.01) == QI_OK && qi_thermalize_ensemble(e, 0.01) == QI_OK);
        }
        CHECK(qi_set_ensemble_langevin(e, NULL, 0, NULL, 0, 0, 0) == QI_OK);
        CHECK(qi_set_ensemble_method(e, QI_METHOD_PCDM) == QI_OK);
        CHECK(qi_set_ensemble_shear_flow_torque(e, axes, 0, 1, shear) == QI_OK && qi_step_ensemble(e, 0.01) == QI_OK);
        CHECK(qi_get_orientations(e, numbers, 4, 1) == QI_OK && qi_get_angular_velocities(e, numbers, 3, 1) == QI_OK);
        CHECK(qi_get_angular_momenta(e, numbers, 3, 1) == QI_OK && qi_get_kinetic_energies(e, numbers, 1) == QI_OK);
        CHECK(qi_get_total_kinetic_energy(e, &time) == QI_OK && qi_get_total_angular_momentum(e, numbers) == QI_OK);
        CHECK(qi_get_ensemble_rows(e, 3, NULL, n, numbers) == QI_OK && qi_set_ensemble_rows(e, 3, NULL, n, numbers) == QI_OK);
        CHECK(qi_kick_drift_ensemble(e, 0.01, 0.01, torque, 3, 1, QI_FRAME_WORLD) == QI_OK);
        CHECK(qi_begin_ensemble_step(e, 0.01) == QI_OK && qi_next_ensemble_stage(e, &time, numbers, numbers + 4 * MOST) == QI_NEED_TORQUE);
        CHECK(qi_continue_ensemble_step(e, torque, &time, numbers, numbers + 4 * MOST) == QI_NEED_TORQUE);
        CHECK(qi_cancel_ensemble_step(e) == QI_OK && qi_bind_orientations(e, q, 4, 1, QI_SCALAR_FIRST) == QI_OK);
        CHECK(qi_step_ensemble(e, 0.01) == QI_OK && qi_bind_angular_velocities(e, omega, 3, 1, QI_ANGMOM_WORLD) == QI_OK);
        CHECK(qi_step_ensemble(e, 0.01) == QI_OK && qi_get_orientations(e, numbers, 4, 1) == QI_OK && qi_release_arrays(e) == QI_OK);
        qi_destroy_ensemble(e);
        CHECK(fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW) == 0);
    }
}

/* Also drifts of many turns, of bodies at rest beside others. */
static void rotations_of_any_length_raise_no_floating_point_exception(void)
{
    enum { N = 33 };
    static const double times[7] = {0.3, 3, 10, 30, 100, 300, 3000};
    static const double tensor[9] = {1.3, 0.2, -0.1, 0.2, 2.1, 0.3, -0.1, 0.3, 2.9};
    const double *inertias[2] = {tensor, UNIT};
    double omega[3 * N];
    for (int i = 0; i < 3 * N; i++) omega[i] = i < 12 ? 0 : 0.2 * (i % 17) - 1;
    for (int k = 0; k < 2 + INERTIAS; k++) {
        const double *inertia = k < 2 ? inertias[k] : WITH_ZEROS[k - 2];
        qi_ensemble *e = qi_create_ensemble(N, NULL);
        CHECK(qi_set_inertias(e, inertia, 0) == QI_OK && qi_set_angular_velocities(e, omega, 3, 1) == QI_OK);
        qi_body *body = qi_create_body(inertia, NULL, omega + 15, NULL);
        feclearexcept(FE_ALL_EXCEPT);
        for (int t = 0; t < 7; t++) {
            CHECK(qi_drift(body, times[t]) == QI_OK && qi_drift_ensemble(e, times[t]) == QI_OK);
            CHECK(fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW) == 0);
        }
        qi_destroy_body(body);
        qi_destroy_ensemble(e);
    }
    double q[4], axis[3] = {0.6, 0, 0.8};
    feclearexcept(FE_ALL_EXCEPT);
    for (double length = 1e-150; length < 1e154; length *= 10) {
        const double v[3] = {0.6 * length, 0, 0.8 * length};
        CHECK(qi_orientation_from_rotation_vector(v, q) == QI_OK && qi_orientation_from_axis_angle(axis, length, q) == QI_OK);
        CHECK(fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW) == 0);
    }
}

/* Torques and events for bodies that solve; a torque of `*user_data` times the time. */
static int32_t ramp(double time, const double *q, const double *omega, double *torque, void *user_data)
{
    (void)q; (void)omega;
    torque[0] = *(const double *)user_data * time;
    return 0;
}

static double at_0_3(double time, const double *q, const double *omega, void *user_data)
{
    (void)q; (void)omega; (void)user_data;
    return time - 0.3;
}

/* 1 in every second call, 0 in the others: as a torque that jumps within the time of two calls. */
static int32_t flickering(double time, const double *q, const double *omega, double *torque, void *calls)
{
    (void)time, (void)q, (void)omega;
    torque[0] = (*(int *)calls)++ % 2;
    return 0;
}

/* At rest there is no rate to divide by, and no energy. */
static void solutions_raise_no_floating_point_exception_at_rest_or_in_motion(void)
{
    const double omega[3] = {0.1, 0.2, 0.3}, field[3] = {1, 2, 3}, rotor[3] = {0.1, 0.2, 0.3}, times[3] = {0, 0.5, 1};
    double slopes[2] = {0, 1}, rows[24];
    for (int all = 0; all < 20 * INERTIAS; all++) {
        const int k = all % 20;
        feclearexcept(FE_ALL_EXCEPT);
        qi_body *body = qi_create_body(WITH_ZEROS[all / 20], NULL, k % 2 ? omega : NULL, NULL);
        CHECK(fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW) == 0);
        if (k / 4 == 1) CHECK(qi_set_torque(body, ramp, &slopes[0]) == QI_OK);
        if (k / 4 == 2) CHECK(qi_set_torque(body, ramp, &slopes[1]) == QI_OK);
        if (k / 4 == 3) CHECK(qi_set_uniform_field_torque(body, field, field) == QI_OK);
        if (k / 4 == 4) CHECK(qi_set_rotor_momentum(body, rotor) == QI_OK);
        if (k % 4 > 1) CHECK(qi_set_time(body, -1e-9) == QI_OK);
        feclearexcept(FE_ALL_EXCEPT);
        CHECK(qi_solve(body, 0, 1e-9, NULL) == QI_OK && qi_solve(body, 0, 1e-9, NULL) == QI_OK);
        CHECK(qi_solve_record(body, times, 3, 1e-9, rows, NULL) == QI_OK && qi_solve(body, 0, 1e-6, NULL) == QI_OK);
        CHECK(qi_solve_until(body, 1, 1e-9, at_0_3, QI_ANY_CROSSING, NULL) == QI_EVENT);
        CHECK(qi_solve_until(body, 1, 1e-9, at_0_3, QI_ANY_CROSSING, NULL) == QI_OK && qi_drift(body, 1) == QI_OK);
        if (k / 4 == 1 && k % 2 == 0) { /* rates of 1e-200 and 1e200, whose squares are beyond the range of numbers */
            CHECK(qi_solve(body, 1e200, 1e-9, NULL) == QI_OK && qi_set_time(body, 0) == QI_OK);
            CHECK(qi_solve(body, 1e-200, 1e-9, NULL) == QI_OK);
        }
        int calls = 0;
        CHECK(qi_set_torque(body, flickering, &calls) == QI_OK && qi_set_time(body, 0) == QI_OK);
        CHECK(qi_solve(body, 2.5e-321, 1e-6, NULL) == QI_OK && calls == 0); /* too short for a step */
        CHECK(qi_solve(body, 2.5e-308, 1e-6, NULL) == QI_OK && calls > 0);
        if (fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW) != 0) printf("case %d\n", all);
        CHECK(fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW) == 0);
        qi_destroy_body(body);
    }
}

/* The lanes beside the last body have once held bodies without a last torque, whose mark is NaN. */
static void steps_after_a_change_of_the_count_raise_no_floating_point_exception(void)
{
    const double omega[3] = {0.3, 0.7, 1.1}, field[3] = {0.01, 0.02, 0.03};
    const size_t again[4] = {0, 1, 2, 0};
    for (int32_t method = QI_METHOD_SPLITTING; method <= QI_METHOD_FORCE_GRADIENT; method++) {
        for (int k = 0; k < 4; k++) {
            const double dt = k % 2 && method != QI_METHOD_CF4 ? 5 : 0.6; /* more than half a radian */
            qi_ensemble *e = qi_create_ensemble(3, NULL);
            CHECK(qi_set_inertias(e, DIAGONAL, 0) == QI_OK && qi_set_angular_velocities(e, omega, 0, 1) == QI_OK);
            CHECK(qi_set_ensemble_uniform_field_torque(e, field, 0, field) == QI_OK && qi_set_ensemble_method(e, method) == QI_OK);
            feclearexcept(FE_ALL_EXCEPT);
            CHECK(qi_step_ensemble(e, dt) == QI_OK);
            CHECK((k < 2 ? qi_resize_ensemble(e, 4) : qi_select_bodies(e, again, 4)) == QI_OK);
            CHECK((k < 2 ? qi_resize_ensemble(e, 3) : qi_select_bodies(e, again, 3)) == QI_OK);
            CHECK(qi_step_ensemble(e, dt) == QI_OK && qi_resize_ensemble(e, 5) == QI_OK && qi_step_ensemble(e, dt) == QI_OK);
            CHECK(fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW) == 0);
            qi_destroy_ensemble(e);
        }
        /* What a body that is no longer active has left in the lanes behind the last one. */
        double q[28] = {0}, w[21] = {0}, torques[21] = {0};
        const size_t three[3] = {0, 1, 2};
        for (int i = 0; i < 7; i++) q[4*i] = 1, w[3*i] = 0.1;
        w[18] = w[19] = w[20] = 1e150, torques[18] = torques[19] = 1e200;
        qi_ensemble *e = qi_create_ensemble(7, NULL);
        CHECK(qi_set_inertias(e, DIAGONAL, 0) == QI_OK && qi_set_ensemble_method(e, method) == QI_OK);
        CHECK(qi_set_ensemble_uniform_field_torque(e, field, 0, field) == QI_OK);
        CHECK(qi_bind_orientations(e, q, 4, 1, QI_SCALAR_FIRST) == QI_OK);
        CHECK(qi_bind_angular_velocities(e, w, 3, 1, QI_OMEGA_BODY) == QI_OK);
        CHECK_REFUSED(qi_step_ensemble(e, 1), QI_ERR_NON_FINITE, "body 6");
        CHECK_REFUSED(qi_kick_ensemble(e, 1, torques, 3, 1, QI_FRAME_WORLD), QI_ERR_NON_FINITE, "body 6");
        CHECK(qi_set_ensemble_active(e, three, 3) == QI_OK);
        feclearexcept(FE_ALL_EXCEPT);
        CHECK(qi_step_ensemble(e, 0.5) == QI_OK && qi_kick_ensemble(e, 0.5, torques, 3, 1, QI_FRAME_WORLD) == QI_OK);
        CHECK(qi_kick_drift_ensemble(e, 0.5, 0.5, torques, 3, 1, QI_FRAME_BODY) == QI_OK);
        CHECK(fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW) == 0);
        qi_destroy_ensemble(e);
    }
}

/* One or two bodies with inertias of their own are asked one by one, and take a stage in pairs: lanes beside them must not hold what others
   have left, in torques, with drag in what the method keeps, or in bound arrays. */
static void what_bodies_that_are_gone_have_left_raises_no_floating_point_exception(void)
{
    const double three[3] = {1, 2, 3};
    const size_t first[1] = {0};
    double inertias[36], torques[12], q[16] = {0}, omega[12];
    for (int i = 0; i < 36; i++) inertias[i] = DIAGONAL[i % 9];
    for (int32_t method = QI_METHOD_PCDM; method <= QI_METHOD_FORCE_GRADIENT; method++) {
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < 12; i++) torques[i] = i < 3 ? 0.1 : 1e300, omega[i] = i < 3 || k < 2 ? 0.1 : 1e150;
            for (int i = 0; i < 16; i++) q[i] = i % 4 == 0;
            qi_ensemble *e = qi_create_ensemble(4, NULL);
            CHECK(qi_set_inertias(e, inertias, 9) == QI_OK && qi_set_ensemble_method(e, method) == QI_OK);
            CHECK(qi_set_angular_velocities(e, SPIN, 0, 1) == QI_OK);
            if (k == 1 && qi_set_ensemble_drag(e, three, 0, NULL, 0) != QI_OK) {
                qi_destroy_ensemble(e);
                continue; /* refused by the splittings of order 4 and 6 */
            }
            if (k < 2) CHECK(qi_set_ensemble_constant_torque(e, torques, 3, QI_FRAME_WORLD) == QI_OK);
            if (k == 2) {
                CHECK(qi_bind_orientations(e, q, 4, 1, QI_SCALAR_FIRST) == QI_OK);
                CHECK(qi_bind_angular_velocities(e, omega, 3, 1, QI_OMEGA_BODY) == QI_OK);
                CHECK(qi_set_ensemble_gravity_gradient_torque(e, three, three, 0) == QI_OK);
            }
            CHECK_REFUSED(qi_step_ensemble(e, 0.5), QI_ERR_NON_FINITE, "body 1");
            CHECK((k < 2 ? qi_resize_ensemble(e, 1) : qi_set_ensemble_active(e, first, 1)) == QI_OK);
            feclearexcept(FE_ALL_EXCEPT);
            for (int step = 0; step < 3; step++) CHECK(qi_step_ensemble(e, 0.1) == QI_OK);
            CHECK(fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW) == 0);
            qi_destroy_ensemble(e);
        }
        /* what the method keeps of bodies whose torque was no error, as their moments were large */
        for (int i = 0; i < 36; i++) inertias[i] = DIAGONAL[i % 9] * (i < 9 ? 1 : 1e200);
        for (int i = 0; i < 12; i++) torques[i] = i < 3 ? 0.1 : 1e200;
        qi_ensemble *heavy = qi_create_ensemble(4, NULL);
        CHECK(qi_set_inertias(heavy, inertias, 9) == QI_OK && qi_set_ensemble_method(heavy, method) == QI_OK);
        CHECK(qi_set_ensemble_constant_torque(heavy, torques, 3, QI_FRAME_WORLD) == QI_OK && qi_step_ensemble(heavy, 0.1) == QI_OK);
        CHECK(qi_step_ensemble(heavy, 0.1) == QI_OK && qi_resize_ensemble(heavy, 1) == QI_OK);
        feclearexcept(FE_ALL_EXCEPT);
        for (int step = 0; step < 3; step++) CHECK(qi_step_ensemble(heavy, 0.1) == QI_OK);
        CHECK(fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW) == 0);
        qi_destroy_ensemble(heavy);
        /* a single body that is asked alone writes only its own lane of a block, which may have come from them */
        for (int i = 0; i < 12; i++) omega[i] = i < 3 ? 0.1 : 1e150 * (i % 5 - 2);
        qi_ensemble *e = qi_create_ensemble(4, NULL);
        CHECK(qi_set_inertias(e, DIAGONAL, 0) == QI_OK && qi_set_angular_velocities(e, omega, 3, 1) == QI_OK);
        CHECK(qi_step_ensemble(e, 1e-160) == QI_OK && qi_step_ensemble(e, 1e-160) == QI_OK && qi_resize_ensemble(e, 1) == QI_OK);
        CHECK(qi_set_ensemble_constant_torque(e, three, 0, QI_FRAME_WORLD) == QI_OK);
        for (int step = 0; step < 4; step++) {
            CHECK(qi_set_ensemble_method(e, step % 2 ? method : QI_METHOD_PCDM) == QI_OK);
            feclearexcept(FE_ALL_EXCEPT);
            CHECK(qi_step_ensemble(e, 0.1) == QI_OK && fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW) == 0);
        }
        qi_destroy_ensemble(e);
    }
}

/* The lane beside a single body fails with it; a kick writes one lane only, and what the other holds comes back. */
static void what_has_failed_beside_a_body_raises_no_floating_point_exception_later(void)
{
    const double coefficients[3] = {1, 1, 1}, torque[3] = {0, 0, 0};
    qi_ensemble *e = qi_create_ensemble(1, NULL);
    CHECK(qi_set_inertias(e, DIAGONAL, 0) == QI_OK && qi_set_ensemble_method(e, QI_METHOD_BROWNIAN) == QI_OK);
    CHECK(qi_set_ensemble_langevin(e, coefficients, 0, NULL, 0, 1e300, 7) == QI_OK);
    CHECK_REFUSED(qi_step_ensemble(e, 1e100), QI_ERR_NON_FINITE, "body 0");
    CHECK(qi_kick_ensemble(e, 0.1, torque, 0, 1, QI_FRAME_WORLD) == QI_OK);
    CHECK(qi_set_ensemble_langevin(e, coefficients, 0, NULL, 0, 1, 7) == QI_OK);
    feclearexcept(FE_ALL_EXCEPT);
    CHECK(qi_thermalize_ensemble(e, 0.1) == QI_OK && qi_step_ensemble(e, 0.1) == QI_OK);
    CHECK(fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW) == 0);
    qi_destroy_ensemble(e);
}

/* With AVX-512 some loops take 8 bodies at once, others 16: what lies behind the last body is the same for all of them. */
static void loops_that_take_other_numbers_of_bodies_raise_no_floating_point_exception(void)
{
    const double none[3] = {0, 0, 0}, up[3] = {0, 0, 1}, torque[3] = {5, 3, 4};
    double vectors[48] = {0}, momenta[15];
    for (int i = 8; i < 16; i++) vectors[3 * i + 2] = 1e300;
    qi_ensemble *e = qi_create_ensemble(16, NULL); /* random torques: the first stage and the last */
    CHECK(qi_set_inertias(e, DIAGONAL, 0) == QI_OK && qi_set_angular_velocities(e, SPIN, 0, 1) == QI_OK);
    CHECK(qi_set_ensemble_method(e, QI_METHOD_SPLITTING) == QI_OK && qi_set_ensemble_langevin(e, none, 0, NULL, 0, 0, 7) == QI_OK);
    CHECK(qi_set_ensemble_uniform_field_torque(e, vectors, 3, up) == QI_OK);
    CHECK_REFUSED(qi_advance_ensemble(e, 0.1, 2, NULL), QI_ERR_NON_FINITE, "body 8");
    CHECK(qi_resize_ensemble(e, 5) == QI_OK);
    feclearexcept(FE_ALL_EXCEPT);
    CHECK(qi_advance_ensemble(e, 0.1, 2, NULL) == QI_OK && fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW) == 0);
    qi_destroy_ensemble(e);

    e = qi_create_ensemble(5, NULL); /* kicks, which stop the bodies, and steps */
    CHECK(qi_set_inertias(e, DIAGONAL, 0) == QI_OK && qi_set_ensemble_constant_torque(e, torque, 0, QI_FRAME_BODY) == QI_OK);
    feclearexcept(FE_ALL_EXCEPT);
    for (int cycle = 0; cycle < 6000; cycle++) {
        CHECK(qi_get_angular_momenta(e, momenta, 3, 1) == QI_OK);
        CHECK(qi_kick_ensemble(e, -1, momenta, 3, 1, QI_FRAME_WORLD) == QI_OK);
        CHECK(qi_step_ensemble(e, 0.02) == QI_OK && qi_step_ensemble(e, 0.02) == QI_OK);
    }
    CHECK(fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW) == 0);
    qi_destroy_ensemble(e);
}

/* Lanes beside the bodies that move are computed too: those of bodies that do not, and those behind the last, which no caller ever stops. */
static void what_does_not_move_raises_no_floating_point_exception(void)
{
    const double three[3] = {1, 2, 3}, omega[9] = {0.1, 0.2, 0.3, -460, 263, -1, 460, -263, 1}, at_rest[3] = {0, 0, 0};
    const size_t first[1] = {0};
    double before[6], after[9], inertias[27], torque[3];
    for (int32_t method = QI_METHOD_PCDM; method <= QI_METHOD_FORCE_GRADIENT; method++) {
        qi_ensemble *e = qi_create_ensemble(3, NULL);
        CHECK(qi_set_inertias(e, DIAGONAL, 0) == QI_OK && qi_set_angular_velocities(e, omega, 3, 1) == QI_OK);
        CHECK(qi_set_ensemble_method(e, method) == QI_OK && qi_set_ensemble_active(e, first, 1) == QI_OK);
        CHECK(qi_set_ensemble_gravity_gradient_torque(e, three, three, 0) == QI_OK);
        CHECK(qi_get_angular_velocities(e, after, 3, 1) == QI_OK);
        memcpy(before, after + 3, sizeof before);
        feclearexcept(FE_ALL_EXCEPT);
        for (int step = 0; step < 9; step++) CHECK(qi_advance_ensemble(e, 0.08, 9, NULL) == QI_OK);
        CHECK(fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW) == 0);
        CHECK(qi_get_angular_velocities(e, after, 3, 1) == QI_OK && memcmp(before, after + 3, sizeof before) == 0);
        qi_destroy_ensemble(e);

        for (int k = 0; k < 3; k++) { /* one step a call; fifty long ones; heavy bodies with inertias of their own */
            for (int i = 0; i < 27; i++) inertias[i] = DIAGONAL[i % 9] * (k < 2 ? 1 : 1e6);
            for (int i = 0; i < 3; i++) torque[i] = three[i] * (k < 2 ? 1 : 1e6);
            e = qi_create_ensemble(3, NULL);
            CHECK(qi_set_inertias(e, inertias, k < 2 ? 0 : 9) == QI_OK && qi_set_ensemble_method(e, method) == QI_OK);
            CHECK(qi_set_ensemble_constant_torque(e, torque, 0, QI_FRAME_BODY) == QI_OK);
            feclearexcept(FE_ALL_EXCEPT);
            for (int step = 0; step < 3000; step += k == 1 ? 50 : 1) {
                CHECK(qi_advance_ensemble(e, k == 1 ? 0.1 : 0.02, k == 1 ? 50 : 1, NULL) == QI_OK);
                CHECK(qi_set_angular_velocities(e, at_rest, 0, 1) == QI_OK);
            }
            CHECK(fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW) == 0);
            qi_destroy_ensemble(e);
        }
    }
}
#endif

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>

/* Whether the processor tells which parts of the registers are in use. */
static int tells_what_is_in_use(void)
{
    unsigned a, b, c, d;
    return __builtin_cpu_supports("avx") && __get_cpuid_count(0xd, 1, &a, &b, &c, &d) && (a & 4) != 0;
}

static int upper_halves_are_dirty(void)
{
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(1));
    return (low & 4) != 0;
}

static void make_upper_halves_dirty(void)
{
    __asm__ volatile("vpcmpeqd %%xmm7,%%xmm7,%%xmm7\n\tvinsertf128 $1,%%xmm7,%%ymm7,%%ymm7" ::: "xmm7");
}

/* Finds clean registers and leaves dirty ones. */
static int32_t dirties(double time, const double *q, const double *omega, double *torque, void *user_data)
{
    (void)time; (void)q; (void)omega; (void)torque;
    ++*(int *)user_data;
    CHECK(!upper_halves_are_dirty());
    make_upper_halves_dirty();
    return 0;
}

static double dirty_event(double time, const double *q, const double *omega, void *user_data)
{
    (void)q; (void)omega;
    ++*(int *)user_data;
    CHECK(!upper_halves_are_dirty());
    make_upper_halves_dirty();
    return time - 5;
}

/* Else each instruction of the library waits for them on many processors: a step takes 5 to 15 times as long. */
static void no_caller_and_no_callback_leaves_the_library_dirty_registers(void)
{
    const double omega[3] = {0.1, 0.2, 0.3}, torque[3] = {1, 2, 3};
    double q[4], out[3];
    int calls = 0;
    if (!tells_what_is_in_use()) {
        printf("this processor does not tell which registers are in use: nothing to see\n");
        return;
    }
    qi_body *body = qi_create_body(DIAGONAL, NULL, omega, NULL);
    make_upper_halves_dirty();
    CHECK(upper_halves_are_dirty());
    for (int k = 0; k < 8; k++) {
        qi_status status = QI_OK;
        make_upper_halves_dirty();
        switch (k) {
        case 0: status = qi_step(body, 0.1); break;
        case 1: status = qi_kick(body, 0.1, torque, QI_FRAME_BODY); break;
        case 2: status = qi_drift(body, 0.1); break;
        case 3: status = qi_get_angular_velocity(body, out); break;
        case 4: status = qi_get_orientation(body, q); break;
        case 5: status = qi_rotate(q, torque, out); break;
        case 6: status = qi_set_torque(body, dirties, &calls); break;
        default: status = qi_solve(body, 1, 1e-6, NULL);
        }
        CHECK(!upper_halves_are_dirty() && status == QI_OK);
    }
    CHECK(qi_step(body, 0.1) == QI_OK && !upper_halves_are_dirty());
    CHECK(qi_solve_until(body, 2, 1e-6, dirty_event, QI_RISING, &calls) == QI_OK && !upper_halves_are_dirty());
    CHECK(calls > 50);
    qi_destroy_body(body);
}
#endif

#if defined(__unix__) || defined(__APPLE__)
static pthread_t main_thread;
static int handled_elsewhere;

static void on_signal(int number)
{
    (void)number;
    if (!pthread_equal(pthread_self(), main_thread)) handled_elsewhere = 1;
}

static int32_t needs_stack(double time, size_t first, size_t count, const double *q, const double *omega, double *torque,
                           void *user_data)
{
    volatile char locals[3 << 20];
    (void)time; (void)first; (void)q; (void)omega; (void)torque; (void)user_data;
    for (size_t i = 0; i < sizeof locals; i += 4096) locals[i] = (char)count;
    return locals[0] == (char)count ? 0 : 1;
}

static void threads_of_an_ensemble_leave_signals_to_the_host_and_have_stacks_as_large_as_a_main_thread(void)
{
    enum { MANY = 3000 };
    sigset_t one, before;
    main_thread = pthread_self();
    signal(SIGUSR1, on_signal);
    qi_ensemble *e = qi_create_ensemble(MANY, NULL);
    CHECK(qi_set_ensemble_threads(e, 3) == QI_OK);
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    CHECK(pthread_sigmask(SIG_BLOCK, &one, &before) == 0 && sigismember(&before, SIGUSR1) == 0);
    kill(getpid(), SIGUSR1); /* only a thread that does not block it could handle it now */
    CHECK(qi_advance_ensemble(e, 0.01, 50, NULL) == QI_OK);
    CHECK(pthread_sigmask(SIG_SETMASK, &before, NULL) == 0 && !handled_elsewhere);
    CHECK(qi_set_ensemble_torque(e, needs_stack, QI_LAYOUT_AOS, QI_FRAME_WORLD, NULL) == QI_OK);
    CHECK(qi_advance_ensemble(e, 0.01, 5, NULL) == QI_OK);
    qi_destroy_ensemble(e);
}
#endif

#if defined(__SSE2__)
/* What lies where a C union or a Rust Option holds nothing may be anything. Read as doubles, most pointers and integers are denormal, and a
   product with one of them costs 150 cycles though nobody uses it. Here stack and heap are full of them, and the processor says if it met one. */
static void dirty_memory(int depth)
{
    volatile uint64_t stack[512];
    void *heap[64];
    for (int i = 0; i < 512; i++) stack[i] = 0x7fff12345678;
    (void)stack;
    for (int i = 0; i < 64; i++) {
        const size_t size = 64 + 96 * (size_t)i;
        uint64_t *numbers = malloc(size);
        for (size_t k = 0; k < size / 8; k++) numbers[k] = 0x555512345678;
        heap[i] = numbers;
    }
    for (int i = 0; i < 64; i++) free(heap[i]);
    if (depth > 0) dirty_memory(depth - 1);
}

enum { DENORMAL = 2 }; /* a flag of MXCSR, beside those of C */
#define CHECK_MET_NO_DENORMAL() CHECK((_mm_getcsr() & DENORMAL) == 0)

static int32_t spring_of_one(double time, const double *q, const double *omega, double *torque, void *user_data)
{
    return spring(time, 0, 1, q, omega, torque, user_data);
}

static void nothing_is_computed_with_what_is_no_number(void)
{
    enum { N = 70 };
    static const double tensor[9] = {1.3, 0.2, -0.1, 0.2, 2.1, 0.3, -0.1, 0.3, 2.9};
    const double omega[3] = {0.3, 0.4, 0.5}, three[3] = {1, 1.5, 2};
    double inertias[9 * N];
    for (int turned = 0; turned < 2; turned++) {
        const double *inertia = turned ? tensor : DIAGONAL;
        for (int i = 0; i < N; i++) memcpy(inertias + 9 * i, inertia, 9 * sizeof *inertia);
        for (int32_t method = QI_METHOD_PCDM; method <= QI_METHOD_BROWNIAN; method++) {
            for (int besides = 0; besides < 5; besides++) {
                dirty_memory(8);
                _mm_setcsr(_mm_getcsr() & ~(unsigned)DENORMAL);
                qi_body *b = qi_create_body(inertia, NULL, omega, NULL);
                CHECK(qi_set_method(b, method) == QI_OK && qi_set_torque(b, spring_of_one, NULL) == QI_OK);
                qi_status status = QI_OK;
                if (besides == 1) status = qi_set_drag(b, three, NULL);
                if (besides == 2 || besides == 3) status = qi_set_rotor_momentum(b, three);
                if (besides == 3) status = qi_set_rotor_torque(b, three);
                if (besides == 4) status = qi_set_langevin(b, three, NULL, 1, 7, 1);
                for (int k = 0; status == QI_OK && k < 10; k++) status = qi_step(b, 0.01); /* some methods refuse some of these */
                CHECK(qi_kick(b, 0.01, three, QI_FRAME_WORLD) == QI_OK && qi_drift(b, 0.01) == QI_OK && qi_drift(b, 3) == QI_OK);
                if (besides < 4) CHECK(qi_solve(b, 5, 1e-8, NULL) == QI_OK);
                CHECK_MET_NO_DENORMAL();
                qi_destroy_body(b);

                for (int k = 0; k < 6; k++) {
                    const size_t n = k % 3 == 0 ? 1 : k % 3 == 1 ? 5 : N;
                    dirty_memory(8);
                    _mm_setcsr(_mm_getcsr() & ~(unsigned)DENORMAL);
                    qi_ensemble *e = qi_create_ensemble(n, NULL);
                    CHECK(qi_set_inertias(e, inertias, k < 3 ? 0 : 9) == QI_OK && qi_set_angular_velocities(e, omega, 0, 1) == QI_OK);
                    CHECK(qi_set_ensemble_method(e, method) == QI_OK);
                    CHECK(qi_set_ensemble_torque(e, spring, QI_LAYOUT_AOS, QI_FRAME_WORLD, NULL) == QI_OK);
                    status = QI_OK;
                    if (besides == 1) status = qi_set_ensemble_drag(e, three, 0, NULL, 0);
                    if (besides == 2) status = qi_set_ensemble_rotor_momentum(e, three, 0);
                    if (besides == 4) status = qi_set_ensemble_langevin(e, three, 0, NULL, 0, 1, 7);
                    for (int step = 0; status == QI_OK && step < 10; step++) status = qi_step_ensemble(e, 0.01);
                    CHECK(qi_kick_ensemble(e, 0.01, inertias, 3, 1, QI_FRAME_WORLD) == QI_OK && qi_drift_ensemble(e, 0.01) == QI_OK);
                    CHECK_MET_NO_DENORMAL();
                    qi_destroy_ensemble(e);
                }
            }
        }
    }
}
#endif

int main(void)
{
    RUN(orientations_are_set_at_constant_angular_momentum_where_that_is_bound);
    RUN(angular_momenta_are_set);
    RUN(negative_numbers_of_steps_are_refused);
    RUN(a_caller_who_does_not_want_the_states_of_a_stage_gives_null);
    RUN(a_bound_array_that_is_written_in_the_middle_of_a_step_is_noticed);
    RUN(what_is_wrong_in_a_bound_array_is_named);
    RUN(the_component_of_a_torque_that_is_nan_is_named);
    RUN(ok_means_finite);
    RUN(extreme_ellipsoids_are_refused_and_none_takes_for_ever);
    RUN(a_drift_with_rotors_ends);
    RUN(a_kick_leaves_the_clock_alone);
    RUN(what_fails_leaves_the_last_torque_known);
    RUN(signs_of_zeros_are_restored);
    RUN(velocities_are_set_also_where_a_bound_array_holds_no_orientation);
    RUN(a_getter_does_not_write_over_a_bound_array);
    RUN(rows_leave_bound_momenta_finite);
    RUN(a_torque_that_the_stage_protocol_does_not_use_changes_no_bit_and_no_stage);
    RUN(a_refused_solution_writes_no_row);
#if defined(FE_INVALID)
    RUN(good_arguments_raise_no_floating_point_exception);
    RUN(rotations_of_any_length_raise_no_floating_point_exception);
    RUN(solutions_raise_no_floating_point_exception_at_rest_or_in_motion);
    RUN(steps_after_a_change_of_the_count_raise_no_floating_point_exception);
    RUN(what_bodies_that_are_gone_have_left_raises_no_floating_point_exception);
    RUN(what_has_failed_beside_a_body_raises_no_floating_point_exception_later);
    RUN(loops_that_take_other_numbers_of_bodies_raise_no_floating_point_exception);
    RUN(what_does_not_move_raises_no_floating_point_exception);
#endif
#if defined(__SSE2__)
    RUN(nothing_is_computed_with_what_is_no_number);
#endif
#if defined(__x86_64__) && defined(__GNUC__)
    RUN(no_caller_and_no_callback_leaves_the_library_dirty_registers);
#endif
#if defined(__unix__) || defined(__APPLE__)
    RUN(threads_of_an_ensemble_leave_signals_to_the_host_and_have_stacks_as_large_as_a_main_thread);
#endif
    return 0;
}
