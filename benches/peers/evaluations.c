/* evaluations.c: torque evaluations and times of solutions at equal error, with a torque in C.
 *
 *     evaluations quatint.so sundials.so gsl.so ...
 *
 * The ten problems of evaluations.py, by every contender that takes a tolerance and a callback. Each runs at tolerances from
 * 1e-3 on, by half powers of ten; a line through the logarithms within a factor of 30 gives the cost at an error of the
 * orientation, rad. The reference is qi_solve() at its least tolerance. A time is the least of some rounds. Writes
 * a table for docs/peers-tables.md.
 */
#define _GNU_SOURCE
#include "../by_hand.h"
#include "../measure.h"
#include "plugin.h"
#include <string.h>

enum { MOST_CONTENDERS = 16, TOLERANCES = 23, ROUNDS = 9, ERRORS = 3 };
static const double EXPONENTS[ERRORS] = {-5, -8, -11};

/* A force across the arm, about the vertical of the world. */
static void about_vertical(double size, const double *q, double *torque)
{
    static const double arm[3] = {0.2, -0.1, 0.9};
    double place[3];
    hand_to_world(q, arm, place);
    const double world[3] = {-size*place[1], size*place[0], 0};
    hand_to_body(q, world, torque);
}

#define ABOUT_VERTICAL(NAME, SIZE)                                                          \
    static void NAME(const double *moments, double time, const double *q, double *torque)   \
    {                                                                                       \
        (void)moments, (void)time;                                                          \
        about_vertical(SIZE, q, torque);                                                    \
    }
ABOUT_VERTICAL(top, 1)
ABOUT_VERTICAL(driven, 1 + 0.5*sin(3*time))
ABOUT_VERTICAL(weak, 0.01)
ABOUT_VERTICAL(strong, 50)
ABOUT_VERTICAL(weak_on_disc, 0.02)
ABOUT_VERTICAL(two_rates, sin(time) + 0.3*cos(7*time))

/* The gravity gradient on a circular orbit. */
static void orbit(const double *moments, double time, const double *q, double *torque)
{
    const double world[3] = {cos(time), sin(time), 0};
    double down[3];
    hand_to_body(q, world, down);
    const double turned[3] = {3*moments[0]*down[0], 3*moments[1]*down[1], 3*moments[2]*down[2]};
    peer_cross(down, turned, torque);
}

/* A spring that turns the axes of the body to those of the world. */
static void spring(const double *moments, double time, const double *q, double *torque)
{
    (void)moments, (void)time;
    for (int i = 0; i < 3; i++) torque[i] = -6*q[0]*q[1 + i]; /* 1.5 times the antisymmetric part of the matrix */
}

#define COMPACT {1, 1.5, 0.7}
#define ROD {1, 1.2, 0.05}
#define DISC {1, 1.1, 2}
static const struct { const char *name; double moments[3], omega[3], end; torque_function *torque; } GIVEN[] = {
    {"heavy top", COMPACT, {0.4, -0.3, 5}, 10, top},
    {"driven", COMPACT, {0.4, -0.3, 0.5}, 20, driven},
    {"weak", COMPACT, {1, 1, 1}, 200, weak},
    {"orbit", COMPACT, {0.1, 0.2, 1.1}, 30, orbit},
    {"fast rod", ROD, {0.6, -0.4, 100}, 10, top},
    {"spring", COMPACT, {0, 0, 0}, 20, spring},
    {"strong field", DISC, {0.3, 0.2, 1}, 5, strong},
    {"disc, weak", DISC, {0.5, 0.2, 3}, 50, weak_on_disc},
    {"rod at rest", ROD, {0, 0, 0}, 20, top},
    {"two rates", DISC, {0.2, -0.1, 2}, 20, two_rates},
};
enum { PROBLEMS = sizeof GIVEN / sizeof *GIVEN };

static problem problem_of(int i)
{
    problem p = {.name = GIVEN[i].name, .title = GIVEN[i].name, .torqued = 1, .end = GIVEN[i].end, .torque = GIVEN[i].torque};
    const double norm = sqrt(0.95), q[4] = {0.9/norm, 0.3/norm, 0.2/norm, 0.1/norm};
    memcpy(p.q, q, sizeof q);
    memcpy(p.moments, GIVEN[i].moments, sizeof p.moments);
    memcpy(p.omega, GIVEN[i].omega, sizeof p.omega);
    return p;
}

/* Runs once; returns the time in ns. */
static double timed(const peer *c, const problem *p, double tolerance, outcome *result)
{
    void *state = c->start(p, tolerance);
    const double start = measure_now();
    c->run(state);
    const double time = measure_now() - start;
    c->finish(state, result);
    return time;
}

/* The angle between two orientations; infinite if the run did not reach the end. */
static double angle(const double *a, const double *b)
{
    double minus = 0, plus = 0, norm = sqrt(a[0]*a[0] + a[1]*a[1] + a[2]*a[2] + a[3]*a[3]);
    for (int i = 0; i < 4; i++) {
        const double x = a[i]/norm;
        minus += (x - b[i])*(x - b[i]);
        plus += (x + b[i])*(x + b[i]);
    }
    const double least = 2*sqrt(minus < plus ? minus : plus);
    return isfinite(least) ? least : INFINITY;
}

/* The value at x of the line through the points within 1.5 of it; NAN with fewer than three. */
static double fitted(const double *x, const double *y, double at)
{
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int i = 0; i < TOLERANCES; i++) {
        const double d = x[i] - at;
        if (!(fabs(d) < 1.5)) continue;
        n++, sx += d, sy += y[i], sxx += d*d, sxy += d*y[i];
    }
    const double slope = (n*sxy - sx*sy) / (n*sxx - sx*sx);
    return n < 3 ? NAN : (sy - slope*sx) / n;
}

static void row(const problem *p, const peer *c, const double *exact)
{
    double error[TOLERANCES], evaluations[TOLERANCES], time[TOLERANCES];
    for (int i = 0; i < TOLERANCES; i++) {
        const double tolerance = pow(10, -3 - i/2.0);
        outcome result;
        double least = INFINITY;
        for (int round = 0; round < ROUNDS; round++) {
            const double ns = timed(c, p, tolerance, &result);
            if (ns < least) least = ns;
        }
        error[i] = log10(angle(result.q, exact) + 1e-17);
        evaluations[i] = log(result.evaluations);
        time[i] = log(least/1e3);
    }
    printf("| %s | %s ", p->name, c->name);
    for (int k = 0; k < 2*ERRORS; k++) {
        const double cost = exp(fitted(error, k < ERRORS ? evaluations : time, EXPONENTS[k % ERRORS]));
        if (isfinite(cost)) printf("| %.*f ", k < ERRORS ? 0 : 1, cost);
        else printf("| – ");
    }
    printf("|\n");
}

int main(int arguments, char **argument)
{
    const peer *contenders[MOST_CONTENDERS];
    int count = 0, reference = -1;

    for (int a = 1; a < arguments; a++) {
        int number;
        const peer *first = contenders_of(argument[a], &number);
        for (int i = 0; i < number && count < MOST_CONTENDERS; i++) {
            const int is_ours = !strncmp(first[i].name, "quatint", 7), is_called = strstr(first[i].name, ", callback") != NULL;
            if (first[i].setting != TOLERANCE || first[i].bodies > 1 || (is_ours && !is_called)) continue;
            if (!strcmp(first[i].name, "quatint qi_solve, callback")) reference = count;
            contenders[count++] = &first[i];
        }
    }
    if (reference < 0) {
        fprintf(stderr, "evaluations needs quatint.so\n");
        return 1;
    }
    printf("\n### Evaluations at an error, torque in C\n\n");
    printf("Evaluations of the torque and times of one body, at these errors of the orientation, rad.\n\n");
    printf("| problem | method | torques at 1e-5 | at 1e-8 | at 1e-11 | µs at 1e-5 | at 1e-8 | at 1e-11 |\n");
    printf("|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < PROBLEMS; i++) {
        const problem p = problem_of(i);
        outcome exact;
        timed(contenders[reference], &p, 1e-15, &exact);
        for (int c = 0; c < count; c++) row(&p, contenders[c], exact.q);
    }
    return 0;
}
