/* slosh.c: fuel that sloshes in a satellite: a mass on a spring, with a damper, along a line in the body, and its own equation of motion.
 *
 * The mass mu (reduced: m M / (m + M)) is at r = r0 + s e in the body frame, with the momentum p = mu s' + c . omega along its line,
 * c = mu r0 x e. With the inertia D(s) = I + mu (r^2 1 - r r^T) - c c^T / mu and the momentum h = c p / mu of a rotor, the angular
 * momentum P of the whole and p are what forces change:
 *
 *     omega = D^-1 (P - h)      s' = (p - c . omega) / mu      p' = omega . D'(s) omega / 2 - k s - d s'
 *
 * A step of order 2: half a step of s and p with P at rest in the body, a free rotation of the body with D and h at rest, and again half
 * a step of s and p. A nutation damper is the same. Reference: the equations of motion, by a method of Runge and Kutta in small steps.
 *
 * Exit status 0: half the step has a quarter of the error, and the angular momentum has not changed.
 */
#include <math.h>
#include <quatint.h>
#include <stdio.h>
#include <stdlib.h>

static const double HUB[9] = {10, 0.6, -0.4, 0.6, 12, 0.5, -0.4, 0.5, 15}; /* kg m^2 */
static const double MU = 2, R0[3] = {0.9, -0.5, 0.4}, E[3] = {0.36, 0.48, 0.8}, K = 3, OMEGA[3] = {0.3, -0.5, 0.8}, S = 0.1, V = 0.5;

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *c)
{
    const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    c[0] = x, c[1] = y, c[2] = z;
}

/* c = mu r0 x e: the momentum of the whole if the mass has the speed 1, and the body does not turn. */
static void coupling(double *c)
{
    cross(R0, E, c);
    for (int i = 0; i < 3; i++) c[i] *= MU;
}

/* D(s), and D'(s). */
static void inertia_at(double s, double *d, double *slope)
{
    double r[3], c[3];
    coupling(c);
    for (int i = 0; i < 3; i++) r[i] = R0[i] + s * E[i];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            d[3 * i + j] = HUB[3 * i + j] + MU * ((i == j ? dot(r, r) : 0) - r[i] * r[j]) - c[i] * c[j] / MU;
            slope[3 * i + j] = MU * ((i == j ? 2 * dot(r, E) : 0) - r[i] * E[j] - E[i] * r[j]);
        }
}

/* x of D x = b, for a symmetric D. */
static void solve(const double *d, const double *b, double *x)
{
    double columns[3][3];
    for (int i = 0; i < 3; i++) cross(d + 3 * ((i + 1) % 3), d + 3 * ((i + 2) % 3), columns[i]);
    for (int i = 0; i < 3; i++) x[i] = (columns[0][i] * b[0] + columns[1][i] * b[1] + columns[2][i] * b[2]) / dot(d, columns[0]);
}

/* s' and p', and the angular velocity in the body frame. */
static void rates(double damper, const double *momentum, const double *sp, double *rate, double *omega)
{
    double d[9], slope[9], c[3], rest[3], turned[3];
    inertia_at(sp[0], d, slope);
    coupling(c);
    for (int i = 0; i < 3; i++) rest[i] = momentum[i] - c[i] * sp[1] / MU;
    solve(d, rest, omega);
    for (int i = 0; i < 3; i++) turned[i] = dot(slope + 3 * i, omega);
    rate[0] = (sp[1] - dot(c, omega)) / MU;
    rate[1] = dot(omega, turned) / 2 - K * sp[0] - damper * rate[0];
}

/* s and p after a time, of order 2; the momentum of the whole is at rest in the body. */
static void slide(double damper, double dt, const double *momentum, double *sp)
{
    double rate[2], omega[3], middle[2];
    rates(damper, momentum, sp, rate, omega);
    for (int k = 0; k < 2; k++) middle[k] = sp[k] + dt / 2 * rate[k];
    rates(damper, momentum, middle, rate, omega);
    for (int k = 0; k < 2; k++) sp[k] += dt * rate[k];
}

static void check(qi_status status)
{
    if (status == QI_OK) return;
    fprintf(stderr, "%s\n", qi_last_error());
    exit(1);
}

/* The angular momentum of the whole, in the body frame. */
static void momentum_in_body(const qi_body *body, double *momentum)
{
    double q[4], world[3];
    check(qi_get_orientation(body, q));
    check(qi_get_angular_momentum(body, world));
    check(qi_rotate_inverse(q, world, momentum));
}

static void step(qi_body *body, double damper, double dt, double *sp)
{
    double momentum[3], whole[3], d[9], slope[9], h[3];
    momentum_in_body(body, momentum);
    slide(damper, dt / 2, momentum, sp);
    inertia_at(sp[0], d, slope);
    coupling(h);
    for (int i = 0; i < 3; i++) h[i] *= sp[1] / MU;
    check(qi_get_angular_momentum(body, whole));
    check(qi_set_inertia(body, d, QI_KEEP_ANGULAR_MOMENTUM));
    check(qi_set_rotor_momentum(body, h));
    check(qi_set_angular_momentum(body, whole)); /* that of the whole stays, and the body's own follows from it */
    check(qi_drift(body, dt));
    momentum_in_body(body, momentum);
    slide(damper, dt / 2, momentum, sp);
}

/* The equations of motion of q, P, s and p. */
static void motion(double damper, const double *y, double *dy)
{
    double omega[3], turn[4] = {0};
    rates(damper, y + 4, y + 7, dy + 7, omega);
    for (int i = 0; i < 3; i++) turn[1 + i] = omega[i] / 2;
    dy[0] = -y[1] * turn[1] - y[2] * turn[2] - y[3] * turn[3];
    dy[1] = y[0] * turn[1] + y[2] * turn[3] - y[3] * turn[2];
    dy[2] = y[0] * turn[2] + y[3] * turn[1] - y[1] * turn[3];
    dy[3] = y[0] * turn[3] + y[1] * turn[2] - y[2] * turn[1];
    cross(y + 4, omega, dy + 4);
}

static void start(double *y)
{
    double r[3], c[3], whole[9], slope[9];
    inertia_at(S, whole, slope);
    coupling(c);
    for (int i = 0; i < 3; i++) r[i] = c[i] * dot(c, OMEGA) / MU; /* D omega + c (c . omega) / mu = the inertia of the whole times omega */
    y[0] = 1, y[1] = y[2] = y[3] = 0, y[7] = S, y[8] = MU * V + dot(c, OMEGA);
    for (int i = 0; i < 3; i++) y[4 + i] = dot(whole + 3 * i, OMEGA) + r[i] + c[i] * V;
}

static void reference(double damper, double time, int steps, double *y)
{
    const double h = time / steps, part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    start(y);
    for (int n = 0; n < steps; n++) {
        double sum[9] = {0}, rate[9] = {0}, at[9];
        for (int k = 0; k < 4; k++) {
            for (int i = 0; i < 9; i++) at[i] = y[i] + part[k] * h * rate[i];
            motion(damper, at, rate);
            for (int i = 0; i < 9; i++) sum[i] += weight[k] * rate[i];
        }
        for (int i = 0; i < 9; i++) y[i] += h / 6 * sum[i];
    }
}

int main(void)
{
    int right = 1;
    for (int damped = 0; damped < 2; damped++) {
        const double time = 20, damper = damped ? 0.4 : 0;
        double exact[9], last = 0;
        reference(damper, time, 20000, exact);
        printf("%s\n", damped ? "damped" : "undamped");
        for (int steps = 200; steps <= 1600; steps *= 2) {
            double y[9], first[3], q[4], end[3], angle, change = 0;
            start(y);
            for (int i = 0; i < 3; i++) first[i] = y[4 + i];
            qi_body *body = qi_create_body(HUB, NULL, OMEGA, NULL);
            if (body == NULL) return 1;
            check(qi_set_angular_momentum(body, first));
            for (int n = 0; n < steps; n++) step(body, damper, time / steps, y + 7);
            check(qi_get_orientation(body, q));
            check(qi_get_angular_momentum(body, end));
            check(qi_orientation_angle(q, exact, &angle));
            for (int i = 0; i < 3; i++) change = fmax(change, fabs(end[i] - first[i]));
            printf("dt = %6.4f   the body is off by %.1e rad, the mass by %.1e m\n", time / steps, angle, fabs(y[7] - exact[7]));
            right = right && change < 1e-12 && (steps == 200 || fabs(last / angle - 4) < 0.4);
            last = angle;
            qi_destroy_body(body);
        }
    }
    return !right;
}
