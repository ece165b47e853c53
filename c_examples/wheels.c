/* wheels.c: four reaction wheels turn a satellite; their motors have limits, their bearings friction.
 *
 * A wheel has an axis a in the body, the moment J about it, and the speed W relative to the body. quatint knows the sum of the wheels'
 * momenta; each wheel's own, h = J (W + a . omega), is the program's, and changes by the torque on the wheel: that of its motor, and of
 * its bearing. The body's inertia is that with the wheels locked, less J a a^T of each, and the opposite of all torques on wheels acts on it
 * (docs/torques.md). A motor gives no more than its greatest torque, and none that would drive its wheel beyond its greatest speed.
 *
 * Friction depends on W, which changes within a step: its torque is taken at the speed that the last two steps lead one to expect for
 * the middle. So the whole has order 2. The controller is a spring and a damper, five times a second.
 *
 * Exit status 0: the satellite points where it should; the angular momentum of the whole has not changed, to rounding; the energy has
 * changed by the work of motors and bearings; and half the step has a quarter of the error.
 */
#include <math.h>
#include <quatint.h>
#include <stdio.h>
#include <stdlib.h>

enum { WHEELS = 4, COMMANDS = 1500 };
static const double LOCKED[9] = {10, 0.6, -0.4, 0.6, 12, 0.5, -0.4, 0.5, 15}; /* kg m^2, with the wheels locked */
static const double AXES[WHEELS][3] = {{0.8, 0, 0.6}, {0, 0.8, 0.6}, {-0.8, 0, 0.6}, {0, -0.8, 0.6}};
static const double J = 0.02, PERIOD = 0.2, MOST_TORQUE = 0.05, MOST_SPEED = 60; /* kg m^2, s, N m, rad/s */
static const double VISCOUS = 2e-4, DRY = 2e-3, SPRING = 0.15, DAMPER = 2.4;     /* of the bearings; of the controller */

typedef struct {
    double q[4], turn_left, momentum_error, energy_error, saturated; /* at the end; rad, relative, relative, s of a motor */
} result;

static void good(qi_status status)
{
    if (status != QI_OK) fprintf(stderr, "%s\n", qi_last_error()), exit(1);
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double clamped(double x, double most)
{
    return fmax(-most, fmin(most, x));
}

static void speeds(const qi_body *body, const double *h, double *w)
{
    double omega[3];
    good(qi_get_angular_velocity_body(body, omega));
    for (int i = 0; i < WHEELS; i++) w[i] = h[i] / J - dot(AXES[i], omega);
}

static double friction(double w)
{
    return VISCOUS * w + DRY * tanh(w);
}

/* What each motor shall do, so that all together they act on the body as a spring to q = 1 and a damper. */
static double command(const qi_body *body, const double *w, double *motor)
{
    double q[4], omega[3], wanted[3], saturated = 0;
    good(qi_get_orientation(body, q)), good(qi_get_angular_velocity_body(body, omega));
    for (int k = 0; k < 3; k++) wanted[k] = -(q[0] < 0 ? -2 : 2) * SPRING * q[1 + k] - DAMPER * omega[k];
    for (int i = 0; i < WHEELS; i++) { /* the axes: sum of a a^T = diag(1.28, 1.28, 1.44) */
        const double share = AXES[i][0] * wanted[0] / 1.28 + AXES[i][1] * wanted[1] / 1.28 + AXES[i][2] * wanted[2] / 1.44;
        const double asked = 0.8 * friction(w[i]) - share; /* of the friction the controller knows four fifths */
        motor[i] = clamped(asked, MOST_TORQUE);
        if (fabs(w[i]) > MOST_SPEED && motor[i] * w[i] > 0) motor[i] = 0;
        if (motor[i] != asked) saturated += PERIOD;
    }
    return saturated;
}

static double energy(const qi_body *body, const double *h)
{
    double e;
    good(qi_get_kinetic_energy(body, &e)); /* that of the carrier */
    for (int i = 0; i < WHEELS; i++) e += h[i] * h[i] / (2 * J);
    return e;
}

static qi_body *satellite(const double *h)
{
    const double axis[3] = {1, -2, 0.5}, omega[3] = {0.02, -0.03, 0.01};
    double inertia[9], q[4], sum[3] = {0, 0, 0};
    for (int n = 0; n < 9; n++) {
        inertia[n] = LOCKED[n];
        for (int i = 0; i < WHEELS; i++) inertia[n] -= J * AXES[i][n / 3] * AXES[i][n % 3];
    }
    for (int i = 0; i < WHEELS; i++)
        for (int k = 0; k < 3; k++) sum[k] += h[i] * AXES[i][k];
    good(qi_orientation_from_axis_angle(axis, 2.5, q));
    qi_body *body = qi_create_body(inertia, q, omega, NULL);
    if (body == NULL) good(QI_ERR_NULL);
    good(qi_set_method(body, QI_METHOD_SPLITTING));
    good(qi_set_rotor_momentum(body, sum));
    return body;
}

static result turn(int steps) /* a command */
{
    const double dt = PERIOD / steps;
    double h[WHEELS] = {0.3, -0.2, 0.1, 0.25}, w[WHEELS], before[WHEELS], motor[WHEELS], torque[WHEELS], first[3], last[3], work = 0, q[4];
    const double identity[4] = {1, 0, 0, 0};
    result r = {{0}, 0, 0, 0, 0};
    qi_body *body = satellite(h);
    good(qi_get_angular_momentum(body, first));
    const double energy_at_start = energy(body, h);
    speeds(body, h, w), speeds(body, h, before);
    for (int n = 0; n < COMMANDS * steps; n++) {
        double on_body[3] = {0, 0, 0};
        if (n % steps == 0) r.saturated += command(body, w, motor);
        for (int i = 0; i < WHEELS; i++) {
            torque[i] = motor[i] - friction(w[i] + (w[i] - before[i]) / 2);
            for (int k = 0; k < 3; k++) on_body[k] -= torque[i] * AXES[i][k];
        }
        good(qi_set_rotor_torque(body, on_body));
        good(qi_step(body, dt));
        for (int i = 0; i < WHEELS; i++) h[i] += dt * torque[i], before[i] = w[i];
        speeds(body, h, w);
        for (int i = 0; i < WHEELS; i++) work += dt * torque[i] * (w[i] + before[i]) / 2;
    }
    good(qi_get_angular_momentum(body, last));
    for (int k = 0; k < 3; k++) r.momentum_error = fmax(r.momentum_error, fabs(last[k] / first[k] - 1));
    r.energy_error = fabs(energy(body, h) - energy_at_start - work) / energy_at_start;
    good(qi_get_orientation(body, q)), good(qi_orientation_angle(q, identity, &r.turn_left));
    for (int k = 0; k < 4; k++) r.q[k] = q[k];
    qi_destroy_body(body);
    return r;
}

int main(void)
{
    const result fine = turn(64);
    double off[2];
    int is_right = fine.turn_left < 0.02;
    for (int n = 0; n < 2; n++) {
        const int steps = 2 << n;
        const result r = turn(steps);
        good(qi_orientation_angle(r.q, fine.q, off + n));
        printf("%d steps a command: off by %.1e rad; momentum %.0e, energy %.0e; motors at their limits for %.1f s; %.3f rad to go\n", steps,
               off[n], r.momentum_error, r.energy_error, r.saturated, r.turn_left);
        is_right &= r.momentum_error < 1e-11 && r.energy_error < 1e-3;
    }
    return is_right && off[0] / off[1] > 3 && off[0] / off[1] < 5.5 ? 0 : 1;
}
