/* check.h: shared by the C tests. A test is a function named after what it checks. The first failed check ends the program. */
#ifndef CHECK_H
#define CHECK_H

#include <math.h>
#include <quatint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s\n  last error: %s\n", __FILE__, __LINE__, #condition, qi_last_error()); \
            exit(1); \
        } \
    } while (0)

#define CHECK_NEAR(a, b, tolerance) \
    do { \
        const double a_ = (a), b_ = (b); \
        if (!(fabs(a_ - b_) <= (tolerance))) { \
            fprintf(stderr, "%s:%d: %s = %.17g is not %s = %.17g\n", __FILE__, __LINE__, #a, a_, #b, b_); \
            exit(1); \
        } \
    } while (0)

/* The call must fail with this status, and the error text must begin with the function's name and contain `detail`. */
#define CHECK_REFUSED(call, status, detail) \
    do { \
        const qi_status got_ = (call); \
        if (got_ != (status) || strstr(qi_last_error(), detail) == NULL \
            || strncmp(qi_last_error(), #call, strcspn(#call, "(")) != 0) { \
            fprintf(stderr, "%s:%d: %s gave %s: %s\n", __FILE__, __LINE__, #call, qi_status_name(got_), qi_last_error()); \
            exit(1); \
        } \
    } while (0)

#define RUN(test) \
    do { \
        test(); \
        printf("ok %s\n", #test); \
    } while (0)

/* The whole state of a body, for bitwise comparison. */
typedef struct {
    double orientation[4], omega[3], time;
} snapshot;

static inline snapshot take(const qi_body *body)
{
    snapshot s;
    CHECK(qi_get_orientation(body, s.orientation) == QI_OK);
    CHECK(qi_get_angular_velocity_body(body, s.omega) == QI_OK);
    CHECK(qi_get_time(body, &s.time) == QI_OK);
    return s;
}

#define CHECK_UNCHANGED(body, before) \
    do { \
        const snapshot now_ = take(body); \
        CHECK(memcmp(&now_, &(before), sizeof now_) == 0); \
    } while (0)

/* So many threads, or the one that there is in WebAssembly. */
static inline size_t at_most(size_t threads)
{
#if defined(__wasi__)
    return threads < 1 ? threads : 1;
#else
    return threads;
#endif
}

/* A pointer that is misaligned for a double. */
static inline double *misaligned(double *pointer)
{
    return (double *)(void *)((char *)pointer + 1);
}

#endif
