/* calls.c: calls every function of the header with one argument after the other that cannot be: NULL, misaligned, NaN,
 * infinite, a stride, a count or a choice out of range. Such a call must be refused with the status that the header gives,
 * and must change nothing: neither the objects nor an output. `table.h`, which tests/outside/contract.rs writes from the
 * header, has a row for each function and each of its parameters. */
#define _DEFAULT_SOURCE
#include <math.h>
#include <quatint.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BODIES = 3, POINTS = 4, ROOM = 4096, MOST = 12, WHOLE = 63 };

/* What a parameter is. */
typedef enum { BODY, ENSEMBLE, NUMBERS, TEXT, CALLBACK, ADDRESS, DOUBLE, CHOICE, COUNT, STEPS, STRIDE } kind;

typedef struct {
    const char *name;
    kind kind;
    size_t size;           /* of NUMBERS: bytes of a number */
    int is_const;          /* of NUMBERS: they are only read */
    int is_double;         /* of NUMBERS */
    int may_be_null;       /* the header says what NULL means */
    int also_on_failure;   /* the header says that it is written then, too */
    int is_checked;        /* the header does not say "not checked" */
    const double *value;   /* of NUMBERS: those of a body; of others: one */
    size_t width;          /* how many there are; 0: an output that is only written */
    size_t stride;         /* of STRIDE: the one that belongs to packed numbers */
    const char *text;
    void (*callback)(void);
} parameter;

typedef union {
    void *pointer;
    double number;
    int64_t integer;
    size_t count;
    void (*callback)(void);
} argument;

typedef struct {
    const char *name;
    int gives_status;      /* 2: an object, and no status that tells more */
    size_t count;
    const parameter *parameters;
    qi_status (*call)(const argument *a); /* QI_OK for a function without a status */
    void (*prepare)(qi_body *body, qi_ensemble *ensemble);
} function;

static int32_t torque_fn(double t, const double *q, const double *w, double *torque, void *u)
{
    (void)t, (void)w, (void)u;
    torque[0] = q[1], torque[1] = -q[2], torque[2] = 0.1;
    return 0;
}
static int32_t ensemble_fn(double t, size_t first, size_t count, const double *q, const double *w, double *torque, void *u)
{
    (void)t, (void)first, (void)q, (void)w, (void)u;
    for (size_t i = 0; i < 3 * count; i++) torque[i] = 0.1;
    return 0;
}
static int32_t rate_fn(double t, double *angular_velocity, void *u)
{
    (void)u;
    angular_velocity[0] = 0.1 * t, angular_velocity[1] = 0.2, angular_velocity[2] = -0.3;
    return 0;
}
static int32_t inertia_fn(double t, double *inertia, void *u)
{
    (void)t, (void)u;
    for (int i = 0; i < 9; i++) inertia[i] = i % 4 == 0 ? 1 + i : 0;
    return 0;
}
static int32_t monitor_fn(double t, const double *q, const double *w, void *u)
{
    (void)t, (void)q, (void)w, (void)u;
    return 0;
}
static double event_fn(double t, const double *q, const double *w, void *u)
{
    (void)q, (void)w, (void)u;
    return t - 0.9;
}

static void must(int holds, const char *what)
{
    if (!holds) {
        printf("the program itself: %s: %s\n", what, qi_last_error());
        fflush(stdout);
        _exit(3);
    }
}
#define MUST(call) must((call) == QI_OK, #call)


#include "table.h"

/* What the present ensemble has bound, if it has. */
static double orientations[4 * BODIES], momenta[3 * BODIES];
static int is_bound;
static int32_t kind_bound;

/* A body and bodies that hold as much as they can: the method keeps a torque, points are set. */
static qi_body *new_body(void)
{
    const double inertia[9] = {1, 0, 0, 0, 2, 0, 0, 0, 2.5}, q[4] = {0.5, -0.5, 0.5, 0.5}, w[3] = {0.3, -0.2, 0.7};
    const double v[3] = {0.1, 0.2, 0.3}, field[3] = {0.4, -0.5, 0.6};
    qi_body *body = qi_create_body(inertia, q, w, NULL);
    must(body != NULL, "qi_create_body");
    MUST(qi_set_method(body, QI_METHOD_SPLITTING));
    MUST(qi_set_uniform_field_torque(body, v, field));
    MUST(qi_step(body, 0.01));
    return body;
}

static qi_ensemble *new_ensemble(void)
{
    const double inertia[9] = {1, 0, 0, 0, 2, 0, 0, 0, 2.5}, q[4] = {0.5, -0.5, 0.5, 0.5}, w[3] = {0.3, -0.2, 0.7};
    const double v[3] = {0.1, 0.2, 0.3}, field[3] = {0.4, -0.5, 0.6};
    const size_t bodies[POINTS] = {0, 0, 1, 2};
    qi_ensemble *e = qi_create_ensemble(BODIES, NULL);
    must(e != NULL, "qi_create_ensemble");
    MUST(qi_set_inertias(e, inertia, 0));
    MUST(qi_set_orientations(e, q, 0, 1));
    MUST(qi_set_angular_velocities(e, w, 0, 1));
    MUST(qi_set_ensemble_method(e, QI_METHOD_SPLITTING));
    MUST(qi_set_ensemble_uniform_field_torque(e, v, 0, field));
    MUST(qi_set_points(e, POINTS, bodies, v, 0, 1));
    if (is_bound) {
        for (int i = 0; i < 4 * BODIES; i++) orientations[i] = q[i % 4];
        for (int i = 0; i < 3 * BODIES; i++) momenta[i] = w[i % 3];
        MUST(qi_bind_orientations(e, orientations, 4, 1, QI_SCALAR_FIRST));
        MUST(qi_bind_angular_velocities(e, momenta, 3, 1, kind_bound));
    }
    MUST(qi_step_ensemble(e, 0.01));
    return e;
}

/* All that can be seen of both. */
typedef struct {
    double row[64], clock[2], torque[3], acceleration[3], rotor[3], motor[3], rows[256], times[2], sums[4], bound[7 * BODIES];
    int32_t method[2], layout;
    uint64_t draws[2], degrees;
    size_t counts[3];
    qi_status statuses[20];
} snapshot;

static snapshot seen(qi_body *body, qi_ensemble *e)
{
    snapshot s;
    memset(&s, 0, sizeof s);
    qi_status *status = s.statuses;
    if (body != NULL) {
        *status++ = qi_get_body_row(body, WHOLE, s.row);
        *status++ = qi_get_clock(body, s.clock);
        *status++ = qi_get_torque(body, s.torque);
        *status++ = qi_get_angular_acceleration(body, s.acceleration);
        *status++ = qi_get_method(body, &s.method[0]);
        *status++ = qi_get_rotor_momentum(body, s.rotor);
        *status++ = qi_get_rotor_torque(body, s.motor);
        *status++ = qi_get_noise(body, &s.draws[0]);
    }
    if (e != NULL) {
        memcpy(s.bound, orientations, sizeof orientations);
        memcpy(s.bound + 4 * BODIES, momenta, sizeof momenta);
        s.counts[0] = qi_get_ensemble_count(e);
        *status++ = qi_get_ensemble_rows(e, WHOLE, NULL, s.counts[0], s.rows);
        *status++ = qi_get_ensemble_clock(e, s.times);
        *status++ = qi_get_ensemble_method(e, &s.method[1]);
        *status++ = qi_get_ensemble_active_count(e, &s.counts[1]);
        *status++ = qi_get_point_count(e, &s.counts[2]);
        *status++ = qi_get_ensemble_stage_layout(e, &s.layout);
        *status++ = qi_get_ensemble_noise(e, &s.draws[1]);
        *status++ = qi_get_ensemble_degrees_of_freedom(e, &s.degrees);
        *status++ = qi_get_total_kinetic_energy(e, s.sums);
        *status++ = qi_get_total_angular_momentum(e, s.sums + 1);
    }
    return s;
}

/* The memory of the arguments of a call, and what is in it before. */
static double memory[MOST][ROOM], before[MOST][ROOM];
static argument a[MOST];
static qi_body *body;
static qi_ensemble *ensemble;

static void put(void *to, size_t index, const parameter *p, double value)
{
    if (p->is_double) ((double *)to)[index] = value;
    else if (p->size == 4) ((int32_t *)to)[index] = (int32_t)value;
    else ((int64_t *)to)[index] = (int64_t)value;
}

/* Arguments that can be, for new objects. */
static void make_valid(const function *f)
{
    body = new_body(), ensemble = new_ensemble();
    if (f->prepare != NULL) f->prepare(body, ensemble);
    for (size_t i = 0; i < f->count; i++) {
        const parameter *p = &f->parameters[i];
        switch (p->kind) {
        case BODY: a[i].pointer = body; break;
        case ENSEMBLE: a[i].pointer = ensemble; break;
        case TEXT: a[i].pointer = (void *)(uintptr_t)p->text; break;
        case CALLBACK: a[i].callback = p->callback; break;
        case ADDRESS: a[i].pointer = NULL; break;
        case DOUBLE: a[i].number = p->value[0]; break;
        case CHOICE:
        case STEPS: a[i].integer = (int64_t)p->value[0]; break;
        case COUNT: a[i].count = (size_t)p->value[0]; break;
        case STRIDE: a[i].integer = (int64_t)p->stride; break;
        case NUMBERS:
            for (size_t k = 0; k < ROOM; k++) memory[i][k] = 77;
            for (size_t k = 0; p->width > 0 && k < ROOM; k++) put(memory[i], k, p, p->value[k % p->width]);
            a[i].pointer = memory[i];
        }
    }
    memcpy(before, memory, sizeof memory);
}

static int failures;
static char *now; /* what is tried, for the case that it crashes */

static void complain(const function *f, const char *what, const char *problem)
{
    printf("%s: %s: %s\n", f->name, what, problem);
    fflush(stdout);
    failures++;
}

/* The call, which has to be refused with the status (0: with any) and to change nothing. */
static void refused(const function *f, const char *parameter_name, const char *what, qi_status status)
{
    char problem[200];
    snprintf(now, 200, "%s %s", parameter_name, what);
    memcpy(before, memory, sizeof memory);
    const snapshot then = seen(body, ensemble);
    const qi_status got = f->call(a);
    const snapshot after = seen(body, ensemble);
    if (f->gives_status && (got >= 0 || (f->gives_status == 1 && status != 0 && got != status))) {
        snprintf(problem, sizeof problem, "%s instead of %s", qi_status_name(got), status != 0 ? qi_status_name(status) : "an error");
        complain(f, now, problem);
    }
    if (memcmp(&then, &after, sizeof then) != 0) complain(f, now, "something of the objects has changed");
    for (size_t i = 0; i < f->count; i++) {
        const parameter *p = &f->parameters[i];
        if (p->kind == NUMBERS && !p->also_on_failure && memcmp(before[i], memory[i], sizeof memory[i]) != 0) {
            snprintf(problem, sizeof problem, "`%s` has been written to", p->name);
            complain(f, now, problem);
        }
    }
}

/* A call with a number from the end of the scale, which is refused as others are, or leaves nothing that is not finite. */
static void extreme(const function *f, const parameter *p, double number)
{
    double row[17], rows[17 * BODIES];
    const int32_t parts = QI_PART_STATE | QI_PART_INERTIA | QI_PART_BOUND;
    char what[60];
    snprintf(what, sizeof what, "%s has %g", p->name, number);
    snprintf(now, 200, "%s", what);
    memcpy(before, memory, sizeof memory);
    const snapshot then = seen(body, ensemble);
    const qi_status got = f->call(a);
    const snapshot after = seen(body, ensemble);
    /* A solution stays where it has come to, and a step of the stage protocol that overflows is cancelled. */
    const int may_change = strncmp(f->name, "qi_solve", 8) == 0 || strncmp(f->name, "qi_continue", 11) == 0;
    if (got < 0 && !may_change && memcmp(&then, &after, sizeof then) != 0)
        complain(f, what, "refused, but something of the objects has changed");
    int is_finite = 1;
    for (int i = 0; is_bound && i < 7 * BODIES; i++) is_finite &= isfinite(after.bound[i]) != 0;
    if (strncmp(f->name, "qi_destroy", 10) != 0 && qi_get_body_row(body, parts, row) == QI_OK)
        for (int i = 0; i < 17; i++) is_finite &= isfinite(row[i]) != 0;
    if (strncmp(f->name, "qi_destroy", 10) != 0 && qi_get_ensemble_rows(ensemble, parts, NULL, BODIES, rows) == QI_OK)
        for (int i = 0; i < 17 * BODIES; i++) is_finite &= isfinite(rows[i]) != 0;
    if (!is_finite) complain(f, what, "left a number that is not finite");
}

static void numbers_that_cannot_be(const function *f, const parameter *p, size_t i)
{
    const double bad[3] = {NAN, INFINITY, -INFINITY};
    const int is_array = i + 1 < f->count && f->parameters[i + 1].kind == STRIDE;
    for (size_t body_of = 0; body_of < (is_array ? BODIES : 1); body_of += 2)
        for (size_t c = 0; c < p->width; c++)
            for (int b = 0; b < 3; b++) {
                char what[60];
                make_valid(f);
                memory[i][body_of * p->width + c] = bad[b];
                snprintf(what, sizeof what, "number %zu of body %zu is %g", c, body_of, bad[b]);
                refused(f, p->name, what, 0);
            }
    const double ends[6] = {1e153, -1e200, 1e308, -1e308, 5e-324, 0};
    for (size_t c = 0; c < p->width; c++)
        for (int b = 0; b < 6; b++) {
            make_valid(f);
            memory[i][c] = ends[b];
            extreme(f, p, ends[b]);
        }
}

/* The array that a stride belongs to. */
static const parameter *array_of(const function *f, size_t stride)
{
    while (f->parameters[stride].kind == STRIDE) stride--;
    return &f->parameters[stride];
}

static void try_all(const function *f)
{
    make_valid(f);
    snprintf(now, 200, "valid arguments");
    const qi_status status = f->call(a);
    if (f->gives_status && status < 0) complain(f, "valid arguments", qi_last_error());
    for (size_t i = 0; i < f->count; i++) {
        const parameter *p = &f->parameters[i];
        const double bad[3] = {NAN, INFINITY, -INFINITY};
        const int64_t strides[6] = {PTRDIFF_MAX, PTRDIFF_MIN, ((int64_t)1 << 60) + 1, -((int64_t)1 << 60) - 1,
                                    (int64_t)1 << 61, PTRDIFF_MAX / 2};
        const int64_t choices[4] = {-7, 99, INT32_MAX, INT32_MIN};
        const int is_pointer = p->kind == NUMBERS || p->kind == BODY || p->kind == ENSEMBLE || p->kind == TEXT || p->kind == CALLBACK;
        if (is_pointer) {
            make_valid(f);
            if (p->kind == CALLBACK) a[i].callback = NULL;
            else a[i].pointer = NULL;
            if (p->may_be_null) {
                snprintf(now, 200, "%s is NULL", p->name);
                const qi_status got = f->call(a);
                if (f->gives_status && got < 0) complain(f, now, qi_last_error());
            } else {
                refused(f, p->name, "is NULL", QI_ERR_NULL);
            }
        }
        if (p->kind == NUMBERS || p->kind == BODY || p->kind == ENSEMBLE) {
            make_valid(f);
            a[i].pointer = (char *)a[i].pointer + 1;
            refused(f, p->name, "is misaligned", QI_ERR_MISALIGNED);
        }
        for (int b = 0; p->kind == DOUBLE && b < 3; b++) {
            make_valid(f);
            a[i].number = bad[b];
            char what[60];
            snprintf(what, sizeof what, "is %g", bad[b]);
            refused(f, p->name, what, 0);
        }
        for (int s = 0; p->kind == STRIDE && s < 6; s++) {
            make_valid(f);
            a[i].integer = strides[s];
            char what[60];
            snprintf(what, sizeof what, "is %lld", (long long)strides[s]);
            refused(f, p->name, what, QI_ERR_INVALID);
        }
        for (int b = 0; p->kind == DOUBLE && b < 4; b++) {
            const double ends[4] = {1e153, -1e200, 1e308, -1e308};
            make_valid(f);
            a[i].number = ends[b];
            extreme(f, p, ends[b]);
        }
        if (p->kind == STRIDE && !array_of(f, i)->is_const) {
            make_valid(f);
            a[i].integer = 0;
            refused(f, p->name, "is 0", QI_ERR_INVALID);
        }
        if (p->kind == STEPS && strcmp(p->name, "every") == 0) {
            make_valid(f);
            a[i].integer = 0;
            refused(f, p->name, "is 0", QI_ERR_INVALID);
        }
        for (int c = 0; p->kind == CHOICE && c < 4; c++) {
            make_valid(f);
            a[i].integer = choices[c];
            char what[60];
            snprintf(what, sizeof what, "is %lld", (long long)choices[c]);
            refused(f, p->name, what, QI_ERR_INVALID);
        }
        for (int c = 0; p->kind == COUNT && p->is_checked && c < 2; c++) {
            make_valid(f);
            a[i].count = c == 0 ? SIZE_MAX : SIZE_MAX / 8 + 1;
            refused(f, p->name, c == 0 ? "is SIZE_MAX" : "is SIZE_MAX / 8 + 1", 0);
        }
        if (p->kind == NUMBERS && p->is_double && p->width > 0 && p->is_checked) numbers_that_cannot_be(f, p, i);
    }
}

int main(void)
{
    now = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    must(now != MAP_FAILED, "mmap");
    int bad = 0;
    for (size_t f = 0; f < sizeof FUNCTIONS / sizeof *FUNCTIONS; f++) {
        fflush(stdout);
        const pid_t child = fork();
        if (child == 0) {
            /* rotors are not taken beside momenta */
            kind_bound = strstr(FUNCTIONS[f].name, "rotor") == NULL ? QI_ANGMOM_WORLD : QI_OMEGA_WORLD;
            for (is_bound = 0; is_bound < 2; is_bound++) try_all(&FUNCTIONS[f]);
            fflush(stdout);
            _exit(failures > 0);
        }
        int status;
        waitpid(child, &status, 0);
        if (!WIFEXITED(status)) printf("%s: %s: signal %d\n", FUNCTIONS[f].name, now, WTERMSIG(status));
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) bad++;
    }
    if (bad == 0) printf("ok %zu functions\n", sizeof FUNCTIONS / sizeof *FUNCTIONS);
    return bad > 0;
}
