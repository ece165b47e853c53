/* fixed_steps.c: steps of equal length and an order above 4, for a torque that depends on the angular velocity.
 *
 * The splitting methods of order 4 and 6 take torques of orientation and time alone, and CF4 has order 4. Where steps of one length
 * are wanted at a higher order (for a schedule shared with another code, or to measure an order), qi_solve() gives them: with a
 * longest step and a tolerance so loose that no step is ever shorter. Its method is that of Dormand and Prince, of order 8.
 *
 * The problem: a body with three different moments, a drag in a flow and a driving torque, all in one callback. Reference: qi_solve() at
 * 1e-13. Exit status 0: each halving divides the error by more than 2^7.
 */
#include <math.h>
#include <quatint.h>
#include <stdio.h>
#include <stdlib.h>

static const double INERTIA[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3}, DRAG[3] = {2, 3, 4}, OMEGA[3] = {1, 1, 1}, END = 10;

static void good(qi_status status)
{
    if (status != QI_OK) fprintf(stderr, "%s\n", qi_last_error()), exit(1);
}

static int32_t driven(double time, const double *orientation, const double *angular_velocity, double *torque, void *user_data)
{
    const double flow[3] = {0, 0, -0.5}, body[3] = {0.3 * cos(2 * time), 0, 0.2 * sin(time)};
    (void)user_data;
    return qi_add_linear_drag_torque(orientation, angular_velocity, DRAG, flow, torque) != QI_OK
        || qi_add_body_torque(orientation, body, torque) != QI_OK;
}

static qi_body *start(void)
{
    qi_body *body = qi_create_body(INERTIA, NULL, OMEGA, NULL);
    if (body == NULL) good(QI_ERR_NULL);
    good(qi_set_torque(body, driven, NULL));
    return body;
}

/* The orientation at the end, by steps of that length, and the number of torques. */
static uint64_t by_equal_steps(double length, double *orientation)
{
    qi_body *body = start();
    uint64_t torques, accepted, rejected;
    good(qi_set_solve_longest_step(body, length));
    good(qi_solve(body, END, 0.1, NULL)); /* the loosest tolerance there is: no step is too long for it */
    good(qi_get_solve_statistics(body, &torques, &accepted, &rejected));
    if (rejected > 0 || accepted != (uint64_t)(END / length + 0.5)) fprintf(stderr, "other steps than asked for\n"), exit(1);
    good(qi_get_orientation(body, orientation));
    qi_destroy_body(body);
    return torques;
}

int main(void)
{
    double exact[4], q[4], off, before = 0;
    int is_right = 1;
    qi_body *body = start();
    good(qi_solve(body, END, 1e-13, NULL)), good(qi_get_orientation(body, exact));
    qi_destroy_body(body);
    printf("  step   torques   error of the orientation   order\n");
    for (int steps = 20; steps <= 160; steps *= 2) {
        const uint64_t torques = by_equal_steps(END / steps, q);
        good(qi_orientation_angle(q, exact, &off));
        printf("%6.4f     %5d                   %.1e", END / steps, (int)torques, off);
        if (before > 0) printf("     %.1f", log2(before / off));
        printf("\n");
        is_right &= before == 0 || before > 128 * off || off < 1e-13;
        before = off;
    }
    return is_right ? 0 : 1;
}
