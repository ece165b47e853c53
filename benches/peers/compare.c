/* compare.c: runs every contender of the plugins on the command line through four problems with known end states.
 *
 *     compare [--quick] quatint.so gsl.so ... > runs.tsv        --quick: one round, and no finer steps than the common ones
 *
 * Writes tab-separated rows: `machine`, `contender`, `problem` and `run`. The cost of a run is the median of
 * interleaved rounds, in microseconds for one body from t = 0 to the end. `quatint-plot peers` makes the tables and the
 * picture from these rows.
 */
#define _GNU_SOURCE
#include "../measure.h"
#include "plugin.h"
#include <math.h>
#include <string.h>

enum { MOST_CONTENDERS = 32, ROUNDS = 15, FEW = 3 };
static const double SLOW = 5e7; /* ns: slower runs are measured in only FEW rounds */
static double stop = 6e8; /* ns: after a run slower than this, at the common steps or finer, a contender stops; --quick: 0 */

typedef struct {
    problem p;
    double q[4], omega[3]; /* the end state; omega in the body frame */
    double common;         /* number of steps at which contenders with fixed steps are compared */
    int many;              /* 1: of contenders with one body, only for those that choose their steps */
} known;

/* All digits given are exact. */
static const known KNOWN[] = {
    /* Euler's free top, from Jacobi's elliptic functions with m = 1/2 */
    {{"free top", "Free asymmetric top, I = (1, 2, 3), ω = (1, 1, 1), to t = 10", {1, 2, 3}, {1, 0, 0, 0}, {1, 1, 1},
      {0, 0, 0}, {0, 0, 0}, 0, 10, 0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, NULL},
     {0.46254544055464282, -0.31433514514460452, 0.04942963127929984, 0.82752754848441368},
     {-0.60347042309251813, -1.27899313854787241, 0.88772678821573304}, 10000, 0},
    /* the benchmark of Bruls, Cardona and Arnold */
    {{"heavy top", "Heavy top of Brüls, Cardona and Arnold, spin 150 rad/s, to t = 0.2", {15.234375, 0.46875, 15.234375},
      {1, 0, 0, 0}, {0, 150, -4.61538}, {0, 1, 0}, {0, 0, -147.15}, 1, 0.2, 0,
      {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, NULL},
     {-0.70827915297431, 0.43878108812658, 0.54572839614542, 0.08939975282398},
     {-2.691590912143, 150, 4.917260989894}, 2000, 0},
    /* as in tests/rust/convergence.rs; its end state is known to 19 digits */
    {{"heavy asymmetric top", "Heavy asymmetric top, I = (1, 1.5, 0.7), spin 5 rad/s, to t = 10", {1, 1.5, 0.7},
      {0.92338051687663870, 0.30779350562554623, 0.20519567041703082, 0.10259783520851541}, {0.4, -0.3, 5}, {0, 0, 1},
      {0, 0, -1}, 1, 10, 0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, NULL},
     {0.3351412470151196668, -0.4534187512674758765, 0.4123653760309821749, 0.7155742988670086309},
     {-1.256449440850632084, 0.2771355471177039129, 4.936206652845846537}, 2000, 1},
    /* likewise */
    {{"driven body", "Driven body in a viscous fluid, I = (1, 2, 3), drag (2, 3, 4), to t = 10", {1, 2, 3},
      {0.92338051687663870, 0.30779350562554623, 0.20519567041703082, 0.10259783520851541}, {1, 1, 1}, {0, 0, 0},
      {0, 0, 0}, 1, 10, 1, {2, 3, 4}, {0, 0, -0.5}, {0.3, 0, 0.2}, NULL},
     {-0.01349125341651636098, 0.03175063997173321528, -0.5820979874863652412, -0.8123864941682376884},
     {-0.08912296804314166011, -0.4758861088479123139, -0.1454180205574167062}, 2000, 1},
};
enum { PROBLEMS = sizeof KNOWN / sizeof *KNOWN };

/* Many bodies have more settings below 100 steps, because the cost of an error is read from their runs. */
static const double BELOW_100[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 14, 16, 18,
                                   20, 22, 25, 28, 32, 36, 40, 45, 50, 56, 63, 70, 80, 90};
enum { MORE = sizeof BELOW_100 / sizeof *BELOW_100, COMMON = 15, TOLERANCES = 13, SETTINGS = COMMON - 3 + MORE };

static double setting_of(const peer *c, int i)
{
    static const double one_two_five[] = {1, 2, 5};
    if (c->setting == ONE_STEP) return 1;
    if (c->setting == TOLERANCE) return pow(10, -1 - i);
    if (c->bodies > 1 && i < MORE) return BELOW_100[i];
    if (c->bodies > 1) i += 3 - MORE; /* in place of 10, 20 and 50 */
    return one_two_five[i % 3] * pow(10, 1 + i / 3);
}

static int settings_of(const peer *c, const known *k)
{
    outcome unused;
    if (c->setting != TOLERANCE && (k->p.driven || (k->many && c->bodies == 1))) return 0;
    void *state = c->start(&k->p, setting_of(c, 0));
    if (state == NULL) return 0;
    c->finish(state, &unused);
    return c->setting == ONE_STEP ? 1 : c->setting == TOLERANCE ? TOLERANCES : c->bodies > 1 ? SETTINGS : COMMON;
}

/* The greatest error of a component; infinite if the run did not reach the end. */
static double error_of(const double *x, double sign, const double *exact, int count)
{
    double error = 0;
    for (int i = 0; i < count; i++) {
        const double e = fabs(sign * x[i] - exact[i]);
        if (!isfinite(e)) return INFINITY;
        if (e > error) error = e;
    }
    return error;
}

/* q and -q are the same orientation. */
static double sign_of(const double *q, const double *exact)
{
    double dot = 0;
    for (int i = 0; i < 4; i++) dot += q[i] * exact[i];
    return dot < 0 ? -1 : 1;
}

static double processor_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Runs a contender and returns the smaller of its CPU time and its elapsed time. CPU time excludes other programs on
 * the machine; elapsed time is faster to read, which matters for short runs. */
static double timed(const peer *c, const problem *p, double setting, outcome *result)
{
    void *state = c->start(p, setting);
    const double busy = processor_now(), start = measure_now();
    c->run(state);
    const double time = measure_now() - start, used = processor_now() - busy;
    c->finish(state, result);
    return used < time ? used : time;
}

static void machine(void)
{
    char line[256], *name = NULL;
    FILE *cpu = fopen("/proc/cpuinfo", "r");
    while (cpu && !name && fgets(line, sizeof line, cpu))
        if (!strncmp(line, "model name", 10)) name = strchr(line, ':');
    if (cpu) fclose(cpu);
    if (name) name[strcspn(name, "\n")] = 0;
#if defined(__AVX512F__)
    const char *vectors = "AVX-512";
#elif defined(__AVX2__)
    const char *vectors = "AVX2";
#else
    const char *vectors = "no AVX2";
#endif
    printf("machine\t%s, %s, GCC " __VERSION__ " -O3 -march=native\n", name ? name + 2 : "unknown processor", vectors);
}

static void compare(const known *k, const peer **contenders, int count, int rounds)
{
    static double times[MOST_CONTENDERS][SETTINGS][ROUNDS];
    static outcome results[MOST_CONTENDERS][SETTINGS];
    int settings[MOST_CONTENDERS], taken[MOST_CONTENDERS][SETTINGS] = {{0}};

    for (int c = 0; c < count; c++) settings[c] = settings_of(contenders[c], k);
    for (int round = 0; round < rounds; round++)
        for (int c = 0; c < count; c++)
            for (int i = 0; i < settings[c]; i++) {
                const double setting = setting_of(contenders[c], i);
                if (round >= FEW && times[c][i][0] > SLOW) continue;
                if (rounds > 1 && (round == 0 || times[c][i][0] < 1e5)) /* warms up */
                    timed(contenders[c], &k->p, setting, &results[c][i]);
                const double time = timed(contenders[c], &k->p, setting, &results[c][i]);
                times[c][i][taken[c][i]++] = time;
                if (contenders[c]->setting == STEPS && setting >= k->common && time > stop) settings[c] = i + 1;
            }
    for (int c = 0; c < count; c++)
        for (int i = 0; i < settings[c]; i++) {
            const outcome *r = &results[c][i];
            printf("run\t%s\t%s\t%.17g\t%.0f\t%.0f\t%.6g\t%.3e\t%.3e\n", k->p.name, contenders[c]->name,
                   setting_of(contenders[c], i), r->steps, r->evaluations,
                   measure_median(times[c][i], taken[c][i]) / 1e3 / contenders[c]->bodies,
                   error_of(r->q, sign_of(r->q, k->q), k->q, 4), error_of(r->omega, 1, k->omega, 3));
        }
}

int main(int arguments, char **argument)
{
    const peer *contenders[MOST_CONTENDERS];
    int count = 0, rounds = ROUNDS;

    for (int a = 1; a < arguments; a++) {
        if (!strcmp(argument[a], "--quick")) {
            rounds = 1;
            stop = 0;
            continue;
        }
        int number;
        const peer *first = contenders_of(argument[a], &number);
        for (int i = 0; i < number && count < MOST_CONTENDERS; i++) contenders[count++] = &first[i];
    }
    machine();
    for (int c = 0; c < count; c++) {
        const peer *x = contenders[c];
        printf("contender\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%d\t%d\n", x->name, x->library, x->method, x->torque, x->unit,
               x->number, x->order, x->setting, x->bodies);
    }
    for (int i = 0; i < PROBLEMS; i++) {
        printf("problem\t%s\t%s\t%g\t%g\t%d\n", KNOWN[i].p.name, KNOWN[i].p.title, KNOWN[i].p.end, KNOWN[i].common,
               KNOWN[i].p.torqued);
        compare(&KNOWN[i], contenders, count, rounds);
    }
    return 0;
}
