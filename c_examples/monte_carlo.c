/* monte_carlo.c: ten thousand solutions with uncertain starts, on all threads of OpenMP.
 *
 * Different bodies may be used by different threads at the same time, so a Monte Carlo run is one parallel loop with a body for each
 * sample. The samples come from the number of the sample alone (Philox would do; here SplitMix64 and Box and Muller's formula), and the
 * sums are exact, so the results have the same bits with any number of threads.
 *
 * A wheel is braked by a drag: it turns by angle = (w / g) (1 - exp(-g t)). With w from a normal distribution the angle has one too, and the
 * mean of its cosine is exp(-s^2 / 2) cos(m), with the mean m and the deviation s of the angle. The drag is a callback,
 * as one that has no formula would be. Exit status 0: it is so within four standard errors, and the bits of one thread are those of all.
 */
#include <math.h>
#include <quatint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 10000 };
static const double BRAKE = 0.7, SPEED = 2, DEVIATION = 0.4, END = 3;

static void good(qi_status status)
{
    if (status != QI_OK) fprintf(stderr, "%s\n", qi_last_error()), exit(1);
}

static int32_t brake(double time, const double *orientation, const double *angular_velocity, double *torque, void *user_data)
{
    (void)time, (void)orientation, (void)user_data;
    for (int k = 0; k < 3; k++) torque[k] = -BRAKE * angular_velocity[k];
    return 0;
}

static double uniform(uint64_t n) /* from 0 to 1, of the n-th draw */
{
    uint64_t z = n * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return ((double)((z ^ (z >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(int sample)
{
    const uint64_t n = 2 * (uint64_t)sample + 1;
    return sqrt(-2 * log(uniform(n))) * cos(2 * acos(-1) * uniform(n + 1));
}

/* The cosine of the angle by which one wheel turns about an axis that is no axis of the world. */
static double sample_of(int sample)
{
    const double inertia[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, axis[3] = {0.48, 0.64, 0.6};
    double omega[3], q[4];
    for (int k = 0; k < 3; k++) omega[k] = (SPEED + DEVIATION * normal(sample)) * axis[k];
    qi_body *wheel = qi_create_body(inertia, NULL, omega, NULL);
    if (wheel == NULL) good(QI_ERR_NULL);
    good(qi_set_torque(wheel, brake, NULL));
    good(qi_solve(wheel, END, 1e-9, NULL)), good(qi_get_orientation(wheel, q));
    qi_destroy_body(wheel);
    return 2 * q[0] * q[0] - 1;
}

static void sums_of(double *cosines, int threads, double *mean, double *deviation)
{
    int64_t sum[QI_SUM_SIZE] = {0}, of_squares[QI_SUM_SIZE] = {0};
    (void)threads;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int n = 0; n < SAMPLES; n++) cosines[n] = sample_of(n);
    good(qi_add_to_sum(sum, cosines, SAMPLES)), good(qi_get_sum(sum, mean));
    *mean /= SAMPLES;
    for (int n = 0; n < SAMPLES; n++) {
        const double square = (cosines[n] - *mean) * (cosines[n] - *mean);
        good(qi_add_to_sum(of_squares, &square, 1));
    }
    good(qi_get_sum(of_squares, deviation));
    *deviation = sqrt(*deviation / SAMPLES);
}

int main(void)
{
    static double cosines[2][SAMPLES];
    double mean[2], deviation[2];
    for (int n = 0; n < 2; n++) sums_of(cosines[n], n == 0 ? 1 : 8, mean + n, deviation + n);
    const double decay = (1 - exp(-BRAKE * END)) / BRAKE, s = DEVIATION * decay;
    const double exact = exp(-s * s / 2) * cos(SPEED * decay), error = deviation[0] / sqrt(SAMPLES);
    const int is_same = memcmp(cosines[0], cosines[1], sizeof cosines[0]) == 0 && mean[0] == mean[1];
    printf("mean cosine of %d wheels: %.4f +- %.4f, exact: %.4f; the bits of 8 threads are %s\n", SAMPLES, mean[0], error, exact,
           is_same ? "the same" : "others");
    return fabs(mean[0] - exact) < 4 * error && is_same ? 0 : 1;
}
