/* lyapunov.c: how fast neighbouring motions part: the greatest Lyapunov exponent, from two bodies.
 *
 * The second body starts 1e-8 beside the first. After each second its distance is measured and set back to 1e-8 along the same
 * direction; the mean of the logarithms of the growth is the exponent (G. Benettin, L. Galgani, J.-M. Strelcyn, Phys. Rev. A 14, 2338
 * (1976)). The distance is that of the rotation vector from the one to the other, and of the angular velocities, both in the body.
 *
 * A top with two equal moments whose centre of mass lies on its axis moves regularly: the distance grows in proportion to the
 * time, so the exponent falls as log(t)/t. With three different moments and the centre off the axes it tumbles chaotically. Exit status 0:
 * the regular exponent is that small, and that of chaos is the same, to a tenth, from 1e-6 in place of 1e-8, in another direction and in half the time.
 */
#include <math.h>
#include <quatint.h>
#include <stdio.h>
#include <stdlib.h>

static void good(qi_status status)
{
    if (status != QI_OK) fprintf(stderr, "%s\n", qi_last_error()), exit(1);
}

static qi_body *top(const double *moments, const double *centre)
{
    const double inertia[9] = {moments[0], 0, 0, 0, moments[1], 0, 0, 0, moments[2]}, weight[3] = {0, 0, -1};
    const double q[4] = {0.9, 0.3, 0.2, 0.1}, omega[3] = {0.4, -0.3, 0.5};
    double unit[4], length = sqrt(0.95);
    for (int k = 0; k < 4; k++) unit[k] = q[k] / length;
    qi_body *body = qi_create_body(inertia, unit, omega, NULL);
    if (body == NULL) good(QI_ERR_NULL);
    good(qi_set_uniform_field_torque(body, centre, weight));
    good(qi_set_method(body, QI_METHOD_SPLITTING_6));
    return body;
}

/* Where the second body is, seen from the first: a rotation vector, and the difference of the angular velocities. */
static double between(const qi_body *first, const qi_body *second, double *offset)
{
    double q[4], p[4], inverse[4], turn[4], w[3], u[3], square = 0;
    good(qi_get_orientation(first, q)), good(qi_get_orientation(second, p));
    good(qi_orientation_inverse(q, inverse)), good(qi_orientation_product(inverse, p, turn));
    good(qi_orientation_to_rotation_vector(turn, offset));
    good(qi_get_angular_velocity_body(first, w)), good(qi_get_angular_velocity_body(second, u));
    for (int k = 0; k < 3; k++) offset[3 + k] = u[k] - w[k];
    for (int k = 0; k < 6; k++) square += offset[k] * offset[k];
    return sqrt(square);
}

/* Puts the second body there. Its clock and its torque stay. */
static void put(const qi_body *first, qi_body *second, const double *offset)
{
    double q[4], p[4], turn[4], w[3];
    good(qi_get_orientation(first, q)), good(qi_get_angular_velocity_body(first, w));
    good(qi_orientation_from_rotation_vector(offset, turn)), good(qi_orientation_product(q, turn, p));
    for (int k = 0; k < 3; k++) w[k] += offset[3 + k];
    good(qi_set_state_body(second, p, w));
}

static double exponent(const double *moments, const double *centre, double apart, const double *direction, int seconds)
{
    qi_body *first = top(moments, centre), *second = top(moments, centre);
    double offset[6], sum = 0, length = 0;
    for (int k = 0; k < 6; k++) length += direction[k] * direction[k];
    for (int k = 0; k < 6; k++) offset[k] = apart / sqrt(length) * direction[k];
    for (int t = 0; t < seconds; t++) {
        put(first, second, offset);
        good(qi_advance(first, 0.02, 50, NULL)), good(qi_advance(second, 0.02, 50, NULL));
        const double distance = between(first, second, offset);
        sum += log(distance / apart);
        for (int k = 0; k < 6; k++) offset[k] *= apart / distance;
    }
    qi_destroy_body(first), qi_destroy_body(second);
    return sum / seconds;
}

int main(void)
{
    const double two_equal[3] = {1, 1, 0.6}, on_axis[3] = {0, 0, 1}, different[3] = {1, 1.5, 0.7}, beside[3] = {0.5, 0.3, 0.8};
    const double one_way[6] = {1, 2, -1, 0.5, 1, 1}, another[6] = {0, -1, 1, 2, 0.3, -1};
    const double regular = exponent(two_equal, on_axis, 1e-8, one_way, 4000);
    const double chaos = exponent(different, beside, 1e-8, one_way, 10000);
    const double again = exponent(different, beside, 1e-6, another, 5000);
    printf("regular top: %.4f /s, of the order of log(t)/t = %.4f\n", regular, log(4000) / 4000);
    printf("chaotic top: %.3f /s; from 1e-6 another way, half as long: %.3f /s\n", chaos, again);
    return regular < 2 * log(4000) / 4000 && chaos > 0.05 && fabs(chaos - again) < 0.1 * chaos ? 0 : 1;
}
