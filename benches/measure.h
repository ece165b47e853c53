/* measure.h: medians of interleaved rounds. Machines are shared and their speed drifts, so a single time means little.
 * Therefore every contender runs in every round. The printed numbers are the median of its times and the median of its
 * ratios to the first contender.
 */
#ifndef MEASURE_H
#define MEASURE_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 199309L
#endif
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MEASURE_ROUNDS = 31, MEASURE_MOST = 32 };

typedef struct {
    const char *name;
    void (*run)(void *context); /* the work of one round */
    void *context;
    double units; /* amount of work in one round, for example body-steps */
} contender;

static double measure_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int measure_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double measure_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, measure_compare);
    return values[count / 2];
}

/* Prints a row for each contender: its time, its time relative to the first contender, and how many times faster it is. */
static inline void measure(const char *title, const contender *contenders, int count)
{
    static double times[MEASURE_MOST][MEASURE_ROUNDS];
    double ratios[MEASURE_ROUNDS], sorted[MEASURE_ROUNDS];

    for (int round = -1; round < MEASURE_ROUNDS; round++) { /* round -1 warms up */
        for (int c = 0; c < count; c++) {
            const double start = measure_now();
            contenders[c].run(contenders[c].context);
            if (round >= 0) times[c][round] = (measure_now() - start) / contenders[c].units;
        }
    }
    printf("\n%-58s %9s %9s %9s\n", title, "ns", "of first", "faster");
    for (int c = 0; c < count; c++) {
        for (int round = 0; round < MEASURE_ROUNDS; round++) {
            ratios[round] = times[c][round] / times[0][round];
            sorted[round] = times[c][round];
        }
        const double ratio = measure_median(ratios, MEASURE_ROUNDS);
        printf("  %-56s %9.2f %8.2fx %8.1fx\n", contenders[c].name, measure_median(sorted, MEASURE_ROUNDS), ratio, 1 / ratio);
    }
}

#endif
