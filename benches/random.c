/* random.c: noise and random torques on large samples. `make bench-random`; two minutes. Exit status 0: all is within its bounds.
 *
 * Deviates: a sphere of moment 1 that forgets all in a step gets them as its angular velocity. 1.2e9 in 2000 classes of equal probability,
 * and beyond 5 and 6. Dipoles: the mean cosine in a field, coth x - 1/x with x the energy over kT, by BAOAB. Last: what a step costs.
 */
#include "measure.h"
#include <math.h>
#include <quatint.h>
#include <string.h>

enum { N = 4096, CLASSES = 2000 };
static int verdict = 0;

static void good(qi_status status)
{
    if (status == QI_OK) return;
    fprintf(stderr, "%s\n", qi_last_error());
    exit(1);
}

static void judge(const char *what, double standard_errors, double most)
{
    printf("  %s: %+.2f standard errors\n", what, standard_errors);
    if (!(fabs(standard_errors) < most)) verdict = printf("  beyond the bound of %.1f\n", most) > 0;
}

static void deviates(double millions)
{
    static double bound[CLASSES + 1], omega[3 * N];
    static double counts[CLASSES];
    const double inertia[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, drag[3] = {1e3, 1e3, 1e3};
    double chi2 = 0, beyond[2] = {0, 0}, sums[2] = {0, 0};
    const long rounds = lround(millions * 1e6 / (3 * N));
    const double total = 3.0 * N * (double)rounds;
    qi_ensemble *e = qi_create_ensemble(N, NULL);
    good(qi_set_inertias(e, inertia, 0));
    good(qi_set_ensemble_langevin(e, drag, 0, NULL, 0, 1.0, 7));
    good(qi_bind_angular_velocities(e, omega, 3, 1, QI_OMEGA_BODY));
    for (int k = 0; k <= CLASSES; k++) { /* the bounds of the classes: bisection of the normal distribution */
        double low = -9, high = 9;
        for (int i = 0; i < 60; i++) {
            const double x = (low + high) / 2;
            if (erfc(-x / sqrt(2)) / 2 < (double)k / CLASSES) low = x; else high = x;
        }
        bound[k] = low;
    }
    for (long round = 0; round < rounds; round++) {
        good(qi_thermalize_ensemble(e, 1));
        for (int i = 0; i < 3 * N; i++) {
            const double x = omega[i];
            int k = (int)(erfc(-x / sqrt(2)) / 2 * CLASSES);
            if (k >= CLASSES) k = CLASSES - 1;
            if (x < bound[k]) k--;
            else if (x >= bound[k + 1]) k++;
            counts[k < 0 ? 0 : k >= CLASSES ? CLASSES - 1 : k]++;
            beyond[0] += fabs(x) > 5, beyond[1] += fabs(x) > 6;
            sums[0] += x, sums[1] += x * x;
        }
    }
    for (int k = 0; k < CLASSES; k++) chi2 += pow(counts[k] - total / CLASSES, 2) / (total / CLASSES);
    printf("\n%.2e deviates; beyond 5: %.0f, expected %.0f; beyond 6: %.0f, expected %.1f\n", total, beyond[0], total * erfc(5 / sqrt(2)),
        beyond[1], total * erfc(6 / sqrt(2)));
    judge("chi2 of 2000 classes", (chi2 - (CLASSES - 1)) / sqrt(2.0 * (CLASSES - 1)), 4);
    judge("mean", sums[0] / sqrt(total), 4);
    judge("variance", (sums[1] / total - 1) * sqrt(total / 2), 4);
    judge("number beyond 5", (beyond[0] - total * erfc(5 / sqrt(2))) / sqrt(total * erfc(5 / sqrt(2))), 4);
    qi_destroy_ensemble(e);
}

/* The field turns the dipole with the energy -x cos(theta), kT = 1. Errors: from the scatter of the bodies' own means. */
static void dipoles(double x, double millions)
{
    static double q[4 * N], mean[N];
    const double inertia[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, drag[3] = {2, 2, 2}, axis[3] = {0, 0, 1}, exact = 1 / tanh(x) - 1 / x;
    const double field[3] = {0, 0, x}, dt = 0.1 / sqrt(1 + x);
    const long rounds = lround(millions * 1e6 / N);
    double sum = 0, scatter = 0, error;
    qi_ensemble *e = qi_create_ensemble(N, NULL);
    good(qi_set_inertias(e, inertia, 0));
    good(qi_set_ensemble_method(e, QI_METHOD_SPLITTING));
    good(qi_set_ensemble_uniform_field_torque(e, axis, 0, field));
    good(qi_set_ensemble_langevin(e, drag, 0, NULL, 0, 1.0, 11));
    memset(mean, 0, sizeof mean);
    good(qi_advance_ensemble(e, dt, 1000, NULL));
    for (long round = 0; round < rounds; round++) {
        good(qi_advance_ensemble(e, dt, 10, NULL));
        good(qi_get_orientations(e, q, 4, 1));
        for (int i = 0; i < N; i++) mean[i] += (1 - 2 * (q[4 * i + 1] * q[4 * i + 1] + q[4 * i + 2] * q[4 * i + 2])) / (double)rounds;
    }
    for (int i = 0; i < N; i++) sum += mean[i] / N;
    for (int i = 0; i < N; i++) scatter += pow(mean[i] - sum, 2) / (N - 1.0);
    error = sqrt(scatter / N);
    printf("x = %4.1f, %.1e samples: mean cosine %.6f, exact %.6f, standard error %.1e\n", x, (double)rounds * N, sum, exact, error);
    judge("difference", (sum - exact) / error, 3);
    qi_destroy_ensemble(e);
}

static void advance(void *e)
{
    good(qi_advance_ensemble((qi_ensemble *)e, 0.01, 20, NULL));
}

/* of bodies that share an inertia, or of which each has its own */
static void costs(int each)
{
    static double inertias[9 * N];
    const double shared[9] = {1, 0, 0, 0, 2, 0, 0, 0, 2.5}, drag[3] = {1, 0.5, 2}, axis[3] = {0, 0, 1}, field[3] = {0.3, 0, 2};
    static double omega[3 * N];
    contender rows[3] = {{"SPLITTING", advance, NULL, 20.0 * N}, {"BAOAB", advance, NULL, 20.0 * N}, {"Brownian", advance, NULL, 20.0 * N}};
    for (int i = 0; i < 3 * N; i++) omega[i] = 0.8 * sin(i);
    for (int i = 0; i < 9 * N; i++) inertias[i] = shared[i % 9] * (1 + 1e-4 * (i / 9));
    for (int k = 0; k < 3; k++) {
        qi_ensemble *e = qi_create_ensemble(N, NULL);
        good(qi_set_inertias(e, each ? inertias : shared, each ? 9 : 0));
        good(qi_set_angular_velocities(e, omega, 3, 1));
        good(qi_set_ensemble_method(e, k == 2 ? QI_METHOD_BROWNIAN : QI_METHOD_SPLITTING));
        good(qi_set_ensemble_uniform_field_torque(e, axis, 0, field));
        if (k > 0) good(qi_set_ensemble_langevin(e, drag, 0, NULL, 0, 1.0, 3));
        rows[k].context = e;
    }
    measure(each ? "a step of 4096 dipoles, each with its own inertia" : "a step of 4096 dipoles", rows, 3);
    for (int k = 0; k < 3; k++) qi_destroy_ensemble((qi_ensemble *)rows[k].context);
}

int main(int argc, char **argv)
{
    const double millions = argc > 1 ? atof(argv[1]) : 1200; /* of deviates; of samples a twelfth */
    deviates(millions);
    dipoles(0.5, millions / 12);
    dipoles(2, millions / 12);
    dipoles(10, millions / 12);
    costs(0);
    costs(1);
    return verdict;
}
