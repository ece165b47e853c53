/* test_sums.c: torques added up in a callback, against the same ready-made torques; rotors in a body. */
#include "check.h"

static const double INERTIA[9] = {1, 0.1, 0, 0.1, 2, 0.2, 0, 0.2, 2.5}, Q0[4] = {0.8, 0.36, -0.48, 0}, W0[3] = {0.4, -0.3, 0.5};
static const double LEVER[3] = {0.1, 0, 0.9}, FIELD[3] = {0.3, 0, -1}, BODY[3] = {0.1, -0.2, 0.3}, DRAG[3] = {0.2, 0.3, 0.4};
static const double AXES[3] = {2, 1, 0.5}, SHEAR[9] = {0, 1, 0.2, 0, 0, 0, 0.1, 0, 0}, NADIR[3] = {1, 2, 2}, FLOW[3] = {0, 0.1, -0.5};
static double resistances[6];

enum { BODY_FRAME, UNIFORM, GRADIENT, LINEAR, SHEARED, KINDS };

static int32_t one_of(double time, const double *q, const double *omega, double *torque, void *user_data)
{
    (void)time;
    switch (*(const int *)user_data) {
    case BODY_FRAME: return qi_add_body_torque(q, BODY, torque);
    case UNIFORM: return qi_add_uniform_field_torque(q, LEVER, FIELD, torque);
    case GRADIENT: return qi_add_gravity_gradient_torque(q, INERTIA, NADIR, 0.3, torque);
    case LINEAR: return qi_add_linear_drag_torque(q, omega, DRAG, NULL, torque);
    default: return qi_add_shear_flow_torque(q, omega, resistances, SHEAR, torque);
    }
}

static qi_status ready_made(qi_body *body, int kind)
{
    switch (kind) {
    case BODY_FRAME: return qi_set_constant_torque(body, BODY, QI_FRAME_BODY);
    case UNIFORM: return qi_set_uniform_field_torque(body, LEVER, FIELD);
    case GRADIENT: return qi_set_gravity_gradient_torque(body, NADIR, 0.3);
    case LINEAR: return qi_set_linear_drag_torque(body, DRAG);
    default: return qi_set_shear_flow_torque(body, AXES, 0.05, SHEAR);
    }
}

static void each_torque_in_a_callback_is_the_ready_made_one(void)
{
    CHECK(qi_get_shear_flow_resistances(AXES, 0.05, resistances) == QI_OK);
    for (int kind = 0; kind < KINDS; kind++) {
        qi_body *called = qi_create_body(INERTIA, Q0, W0, NULL), *ready = qi_create_body(INERTIA, Q0, W0, NULL);
        CHECK(qi_set_torque(called, one_of, &kind) == QI_OK && ready_made(ready, kind) == QI_OK);
        CHECK(qi_solve(called, 2, 1e-12, NULL) == QI_OK && qi_solve(ready, 2, 1e-12, NULL) == QI_OK);
        const snapshot a = take(called), b = take(ready);
        for (int c = 0; c < 4; c++) CHECK_NEAR(a.orientation[c], b.orientation[c], 1e-11);
        for (int c = 0; c < 3; c++) CHECK_NEAR(a.omega[c], b.omega[c], 1e-11);
        CHECK(fabs(a.omega[0] - W0[0]) > 1e-3); /* the torque acts */
        qi_destroy_body(called);
        qi_destroy_body(ready);
    }
}

static void torques_add_up(void)
{
    double sum[3] = {1, 2, 3}, field[3] = {0, 0, 0}, body[3] = {0, 0, 0}, drag[3] = {0, 0, 0};
    CHECK(qi_add_uniform_field_torque(Q0, LEVER, FIELD, field) == QI_OK && qi_add_body_torque(Q0, BODY, body) == QI_OK);
    CHECK(qi_add_linear_drag_torque(Q0, W0, DRAG, FLOW, drag) == QI_OK);
    CHECK(qi_add_uniform_field_torque(Q0, LEVER, FIELD, sum) == QI_OK && qi_add_body_torque(Q0, BODY, sum) == QI_OK);
    CHECK(qi_add_linear_drag_torque(Q0, W0, DRAG, FLOW, sum) == QI_OK);
    for (int c = 0; c < 3; c++) CHECK_NEAR(sum[c], c + 1 + field[c] + body[c] + drag[c], 1e-15);

    double turned[3], slip[3] = {W0[0] - FLOW[0], W0[1] - FLOW[1], W0[2] - FLOW[2]};
    CHECK(qi_rotate(Q0, BODY, turned) == QI_OK && qi_rotate_inverse(Q0, slip, slip) == QI_OK);
    for (int c = 0; c < 3; c++) CHECK_NEAR(body[c], turned[c], 1e-15);
    for (int c = 0; c < 3; c++) slip[c] *= -DRAG[c];
    CHECK(qi_rotate(Q0, slip, slip) == QI_OK);
    for (int c = 0; c < 3; c++) CHECK_NEAR(drag[c], slip[c], 1e-15);
}

static void what_cannot_be_added_leaves_the_sum_as_it_was(void)
{
    const double zero[3] = {0, 0, 0}, nan[3] = {0, NAN, 0}, huge[3] = {1.7e308, 1.7e308, 1.7e308}, long_q[4] = {2, 0, 0, 0};
    double sum[3] = {1, 2, 3};
    CHECK_REFUSED(qi_add_body_torque(NULL, BODY, sum), QI_ERR_NULL, "`orientation` is NULL");
    CHECK_REFUSED(qi_add_body_torque(Q0, NULL, sum), QI_ERR_NULL, "`torque_body` is NULL");
    CHECK_REFUSED(qi_add_body_torque(Q0, BODY, NULL), QI_ERR_NULL, "`torque` is NULL");
    CHECK_REFUSED(qi_add_body_torque(long_q, BODY, sum), QI_ERR_ORIENTATION, "`orientation`");
    CHECK_REFUSED(qi_add_body_torque(Q0, nan, sum), QI_ERR_NON_FINITE, "`torque_body[1]`");
    CHECK_REFUSED(qi_add_body_torque(Q0, huge, sum), QI_ERR_NON_FINITE, "`torque[");
    CHECK_REFUSED(qi_add_uniform_field_torque(Q0, LEVER, nan, sum), QI_ERR_NON_FINITE, "`field_world[1]`");
    CHECK_REFUSED(qi_add_gravity_gradient_torque(Q0, INERTIA, zero, 1, sum), QI_ERR_INVALID, "`direction_world`");
    CHECK_REFUSED(qi_add_gravity_gradient_torque(Q0, INERTIA, NADIR, NAN, sum), QI_ERR_NON_FINITE, "`gradient`");
    CHECK_REFUSED(qi_add_gravity_gradient_torque(Q0, NULL, NADIR, 1, sum), QI_ERR_NULL, "`inertia` is NULL");
    CHECK_REFUSED(qi_add_linear_drag_torque(Q0, nan, DRAG, NULL, sum), QI_ERR_NON_FINITE, "`angular_velocity[1]`");
    CHECK_REFUSED(qi_add_linear_drag_torque(Q0, NULL, DRAG, NULL, sum), QI_ERR_NULL, "`angular_velocity` is NULL");
    CHECK_REFUSED(qi_add_linear_drag_torque(Q0, W0, DRAG, nan, sum), QI_ERR_NON_FINITE, "`flow[1]`");
    CHECK_REFUSED(qi_add_shear_flow_torque(Q0, W0, NULL, SHEAR, sum), QI_ERR_NULL, "`resistances` is NULL");
    CHECK_REFUSED(qi_get_shear_flow_resistances(zero, 1, resistances), QI_ERR_INVALID, "`semi_axes` must be positive");
    CHECK(sum[0] == 1 && sum[1] == 2 && sum[2] == 3);
}

static void a_rotor_is_part_of_the_angular_momentum_and_not_of_the_energy(void)
{
    const double h[3] = {0.5, -0.25, 2}, nan[3] = {0, NAN, 0};
    double before[3], after[3], turned[3], energy, same, got[3] = {9, 9, 9};
    qi_body *body = qi_create_body(INERTIA, Q0, W0, NULL);
    CHECK(qi_get_rotor_momentum(body, got) == QI_OK && got[0] == 0 && got[1] == 0 && got[2] == 0);
    CHECK(qi_get_angular_momentum(body, before) == QI_OK && qi_get_kinetic_energy(body, &energy) == QI_OK);
    CHECK(qi_set_rotor_momentum(body, h) == QI_OK && qi_get_rotor_momentum(body, got) == QI_OK);
    CHECK(memcmp(got, h, sizeof h) == 0 && qi_get_kinetic_energy(body, &same) == QI_OK && same == energy);
    CHECK(qi_get_angular_momentum(body, after) == QI_OK && qi_rotate(Q0, h, turned) == QI_OK);
    for (int c = 0; c < 3; c++) CHECK_NEAR(after[c], before[c] + turned[c], 1e-15);

    /* free of torque it is conserved, with the body's energy */
    CHECK(qi_set_method(body, QI_METHOD_SPLITTING_6) == QI_OK && qi_advance(body, 0.05, 400, NULL) == QI_OK);
    CHECK(qi_get_angular_momentum(body, before) == QI_OK && qi_get_kinetic_energy(body, &same) == QI_OK);
    for (int c = 0; c < 3; c++) CHECK_NEAR(after[c], before[c], 1e-8);
    CHECK_NEAR(same, energy, 1e-10);

    const snapshot there = take(body);
    CHECK_REFUSED(qi_set_rotor_momentum(body, nan), QI_ERR_NON_FINITE, "`momentum[1]`");
    CHECK_REFUSED(qi_set_rotor_momentum(NULL, h), QI_ERR_NULL, "`body` is NULL");
    CHECK_REFUSED(qi_get_rotor_momentum(body, NULL), QI_ERR_NULL, "`momentum` is NULL");
    CHECK_UNCHANGED(body, there);
    CHECK(qi_set_rotor_momentum(body, NULL) == QI_OK && qi_get_rotor_momentum(body, got) == QI_OK && got[2] == 0);
    qi_destroy_body(body);
}

static void motors_exchange_momentum_between_rotors_and_body(void)
{
    const double h[3] = {0.5, -0.25, 2}, motor[3] = {0.25, 0.5, -0.125}, nan[3] = {0, NAN, 0}, zero[3] = {0, 0, 0};
    double before[3], after[3], got[3];
    qi_body *body = qi_create_body(INERTIA, Q0, W0, NULL);
    CHECK(qi_get_rotor_torque(body, got) == QI_OK && got[0] == 0 && got[1] == 0 && got[2] == 0);
    CHECK(qi_set_rotor_momentum(body, h) == QI_OK && qi_set_rotor_torque(body, motor) == QI_OK);
    CHECK(qi_get_rotor_torque(body, got) == QI_OK && memcmp(got, motor, sizeof motor) == 0);
    CHECK(qi_set_method(body, QI_METHOD_SPLITTING) == QI_OK && qi_get_angular_momentum(body, before) == QI_OK);
    CHECK(qi_advance(body, 0.125, 16, NULL) == QI_OK && qi_drift(body, 2) == QI_OK && qi_solve(body, 5, 1e-12, NULL) == QI_OK);
    CHECK(qi_get_rotor_momentum(body, got) == QI_OK && qi_get_angular_momentum(body, after) == QI_OK);
    for (int c = 0; c < 3; c++) {
        CHECK_NEAR(got[c], h[c] - 5 * motor[c], 1e-14);
        CHECK_NEAR(after[c], before[c], 1e-11);
    }
    CHECK_REFUSED(qi_set_rotor_torque(body, nan), QI_ERR_NON_FINITE, "`torque_body[1]`");
    CHECK_REFUSED(qi_get_rotor_torque(body, NULL), QI_ERR_NULL, "`torque_body` is NULL");
    CHECK(qi_get_rotor_torque(body, got) == QI_OK && memcmp(got, motor, sizeof motor) == 0);
    CHECK(qi_set_rotor_torque(body, NULL) == QI_OK && qi_get_rotor_torque(body, got) == QI_OK && memcmp(got, zero, sizeof zero) == 0);
    qi_destroy_body(body);
}

static void bodies_with_rotors_move_in_an_ensemble_as_alone(void)
{
    const double h[6] = {0.5, -0.25, 2, 0, 0, 0}, nan[6] = {0, 0, 0, 0, NAN, 0};
    double q[2][4], alone[4], momenta[6] = {0};
    qi_ensemble *e = qi_create_ensemble(2, NULL);
    CHECK(qi_set_inertias(e, INERTIA, 0) == QI_OK && qi_set_angular_velocities(e, W0, 0, 1) == QI_OK);
    CHECK(qi_set_orientations(e, Q0, 0, 1) == QI_OK && qi_set_ensemble_method(e, QI_METHOD_SPLITTING_4) == QI_OK);
    CHECK(qi_set_ensemble_rotor_momentum(e, h, 3) == QI_OK);
    CHECK_REFUSED(qi_set_ensemble_rotor_momentum(e, nan, 3), QI_ERR_NON_FINITE, "`rotor[1]`");
    CHECK_REFUSED(qi_bind_angular_velocities(e, momenta, 3, 1, QI_ANGMOM_WORLD), QI_ERR_INVALID, "bind angular velocities");
    CHECK(qi_advance_ensemble(e, 0.05, 40, NULL) == QI_OK && qi_get_orientations(e, q[0], 4, 1) == QI_OK);
    for (int i = 0; i < 2; i++) {
        qi_body *body = qi_create_body(INERTIA, Q0, W0, NULL);
        CHECK(qi_set_method(body, QI_METHOD_SPLITTING_4) == QI_OK && qi_set_rotor_momentum(body, h + 3 * i) == QI_OK);
        CHECK(qi_advance(body, 0.05, 40, NULL) == QI_OK && qi_get_orientation(body, alone) == QI_OK);
        if (i == 0) CHECK(memcmp(alone, q[i], sizeof alone) == 0);
        for (int c = 0; c < 4; c++) CHECK_NEAR(alone[c], q[i][c], 1e-6); /* without rotors it takes one exact rotation */
        qi_destroy_body(body);
    }
    CHECK(qi_set_ensemble_rotor_momentum(e, NULL, 0) == QI_OK);
    CHECK(qi_bind_angular_velocities(e, momenta, 3, 1, QI_ANGMOM_WORLD) == QI_OK);
    CHECK_REFUSED(qi_set_ensemble_rotor_momentum(e, h, 3), QI_ERR_INVALID, "bound angular momenta");
    qi_destroy_ensemble(e);
}

int main(void)
{
    RUN(each_torque_in_a_callback_is_the_ready_made_one);
    RUN(torques_add_up);
    RUN(what_cannot_be_added_leaves_the_sum_as_it_was);
    RUN(a_rotor_is_part_of_the_angular_momentum_and_not_of_the_energy);
    RUN(motors_exchange_momentum_between_rotors_and_body);
    RUN(bodies_with_rotors_move_in_an_ensemble_as_alone);
    return 0;
}
