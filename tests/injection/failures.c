/* The k-th allocation fails, for every k, in every call that allocates; threads cannot be started; stacks are small. What comes back is a
 * status, and nothing has changed. The C library's own functions are replaced here, which the shared library then uses too. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <quatint.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);
static atomic_long left = -1, failed, threads_left = -1;

static int fails(void)
{
    if (left < 0 || left-- != 0) return 0;
    failed++;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }
void *realloc(void *block, size_t size) { return fails() ? NULL : __libc_realloc(block, size); }
void *memalign(size_t alignment, size_t size) { return fails() ? NULL : __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void **block, size_t alignment, size_t size)
{
    if (fails()) return ENOMEM;
    *block = __libc_memalign(alignment, size);
    return *block == NULL ? ENOMEM : 0;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument)
{
    typedef int create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    static create *real;
    if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    if (threads_left == 0) return EAGAIN;
    if (threads_left > 0) threads_left--;
    return real(thread, attributes, run, argument);
}

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            left = -1; \
            fprintf(stderr, "%s:%d: %s (%s): %s\n", __FILE__, __LINE__, #condition, call_name, qi_last_error()); \
            exit(1); \
        } \
    } while (0)

enum { N = 300, ALL = 15 };
static const char *call_name = "";
static double q[4 * N], other_q[4 * N], w[3 * N], tensors[9 * N], rows[40 * N], records[8 * 4];
static const double UNIT[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, V[3] = {1, 2, 3}, SHEAR[9] = {0, 1, 0};
static size_t every_second[N / 2];
static int32_t reversed[N];
static qi_body *body;
static qi_ensemble *e;

static int32_t chunk(double time, size_t first, size_t count, const double *orientation, const double *omega, double *torque, void *user_data)
{
    (void)time, (void)first, (void)orientation, (void)omega, (void)user_data;
    for (size_t i = 0; i < 3 * count; i++) torque[i] = 0.1;
    return 0;
}

static double event(double time, const double *orientation, const double *omega, void *user_data)
{
    (void)time, (void)omega, (void)user_data;
    return orientation[0] - 2;
}

static qi_status create_body(void) { qi_status s; qi_destroy_body(qi_create_body(UNIT, NULL, V, &s)); return s; }
static qi_status create_ensemble(void) { qi_status s; qi_destroy_ensemble(qi_create_ensemble(N, &s)); return s; }
static qi_status torque(void) { return qi_set_ensemble_torque(e, chunk, QI_LAYOUT_AOS, QI_FRAME_WORLD, NULL); }
static qi_status constant(void) { return qi_set_ensemble_constant_torque(e, w, 3, QI_FRAME_WORLD); }
static qi_status field(void) { return qi_set_ensemble_uniform_field_torque(e, w, 3, V); }
static qi_status gradient(void) { return qi_set_ensemble_gravity_gradient_torque(e, V, w, 3); }
static qi_status linear(void) { return qi_set_ensemble_linear_drag_torque(e, w, 3); }
static qi_status flow(void) { return qi_set_ensemble_shear_flow_torque(e, w, 3, 1, SHEAR); }
static qi_status drag(void) { return qi_set_ensemble_drag(e, w, 3, w, 3); }
static qi_status inertias(void) { return qi_set_inertias(e, tensors, 9); }
static qi_status moments(void) { return qi_set_principal_inertias(e, w, 3, 1); }
static qi_status orientations(void) { return qi_set_orientations(e, q, 4, 1); }
static qi_status velocities(void) { return qi_set_angular_velocities(e, w, 3, 1); }
static qi_status momenta(void) { return qi_set_angular_momenta(e, w, 3, 1); }
static qi_status active(void) { return qi_set_ensemble_active(e, every_second, N / 2); }
static qi_status method(void) { return qi_set_ensemble_method(e, QI_METHOD_SPLITTING); }
static qi_status bind(void) { return qi_bind_orientations(e, other_q, 4, 1, QI_SCALAR_FIRST); }
static qi_status bind_rows(void) { return qi_bind_orientation_rows(e, other_q, 4, 1, QI_SCALAR_FIRST, reversed); }
static qi_status predicted(void) { return qi_bind_predicted_velocities(e, w, 3, 1, 0.1); }
static qi_status resize(void) { return qi_resize_ensemble(e, 2 * N); }
static qi_status choose(void) { return qi_select_bodies(e, every_second, N / 2); }
static qi_status set_rows(void) { return qi_set_ensemble_rows(e, 3, NULL, N, rows); }
static qi_status kick(void) { return qi_kick_ensemble(e, 0.1, w, 3, 1, QI_FRAME_WORLD); }
static qi_status step(void) { return qi_step_ensemble(e, 0.1); }
static qi_status begin(void) { const qi_status s = qi_begin_ensemble_step(e, 0.1); qi_cancel_ensemble_step(e); return s; }
static qi_status solve(void) { return qi_solve(body, 1, 1e-9, NULL); }
static qi_status split(qi_status (*how)(void))
{
    const double c[3] = {1, 2, 3};
    const qi_status status = qi_set_constant_torque(body, c, QI_FRAME_WORLD);
    if (status != QI_OK) return status;
    CHECK(qi_set_solve_method(body, QI_SOLVE_SPLITTING) == QI_OK);
    return how();
}
static qi_status until(void) { return qi_solve_until(body, 1, 1e-9, event, QI_ANY_CROSSING, NULL); }
static qi_status threads(void) { return qi_set_ensemble_threads(e, 3); }
/* From here on the k-th allocation fails, on any thread. The first step makes room, later ones allocate nothing. */
static qi_status later_step(void)
{
    const long k = left;
    left = -1;
    CHECK(step() == QI_OK);
    left = k;
    return step();
}
static qi_status threaded_step(void)
{
    const long k = left;
    left = -1;
    CHECK(threads() == QI_OK && step() == QI_OK);
    left = k;
    return qi_advance_ensemble(e, 0.1, 3, NULL);
}
static qi_status threaded_end(void)
{
    const long k = left;
    left = -1;
    CHECK(threads() == QI_OK && qi_step_ensemble(e, 0.1) == QI_OK);
    left = k;
    qi_destroy_ensemble(e);
    left = -1;
    e = qi_create_ensemble(N, NULL);
    return e == NULL ? QI_ERR_MEMORY : QI_OK;
}
static qi_status record(void) { return qi_record(body, 0.1, 3, 1, records, 4, NULL); }
static qi_status split_solve(void) { return split(solve); }
static qi_status split_until(void) { return split(until); }

typedef struct {
    const char *name;
    qi_status (*call)(void);
    int least; /* allocations that it surely makes; 0: makes none */
} calls;

static const calls CALLS[] = {
    {"create_body", create_body, 1}, {"create_ensemble", create_ensemble, 2}, {"torque", torque, 1}, {"constant", constant, 1},
    {"field", field, 1}, {"gradient", gradient, 1}, {"linear", linear, 1}, {"flow", flow, 1}, {"drag", drag, 2},
    {"inertias", inertias, 2}, {"moments", moments, 1}, {"orientations", orientations, 0}, {"velocities", velocities, 0},
    {"momenta", momenta, 0}, {"active", active, 1}, {"method", method, 0}, {"bind", bind, 0}, {"bind_rows", bind_rows, 2},
    {"predicted", predicted, 1}, {"resize", resize, 1}, {"select", choose, 1}, {"set_rows", set_rows, 1}, {"kick", kick, 2},
    {"step", step, 2}, {"later_step", later_step, 0}, {"begin", begin, 2}, {"solve", solve, 0}, {"until", until, 0}, {"record", record, 0},
    {"split_solve", split_solve, 2}, {"split_until", split_until, 2},
    {"threads", threads, 4},
    {"threaded_step", threaded_step, 0}, {"threaded_end", threaded_end, 0},
};

static void prepare(void)
{
    body = qi_create_body(UNIT, NULL, V, NULL);
    e = qi_create_ensemble(N, NULL);
    CHECK(body != NULL && e != NULL && qi_set_angular_velocities(e, V, 0, 1) == QI_OK);
}

static void clean_up(void)
{
    qi_destroy_body(body);
    qi_destroy_ensemble(e);
}

static void no_failed_allocation_ends_the_program_or_changes_anything(void)
{
    static double before[40 * N], after[40 * N];
    for (size_t i = 0; i < sizeof CALLS / sizeof *CALLS; i++) {
        call_name = CALLS[i].name;
        int k = 0;
        for (;; k++) {
            prepare();
            const size_t size = qi_get_ensemble_row_size(e, ALL);
            CHECK(qi_get_ensemble_rows(e, ALL, NULL, N, before) == QI_OK);
            failed = 0;
            left = k;
            const qi_status status = CALLS[i].call();
            left = -1;
            if (failed == 0) {
                CHECK(status == QI_OK);
                clean_up();
                break;
            }
            CHECK(status == QI_ERR_MEMORY);
            CHECK(strstr(qi_last_error(), "memory is exhausted") != NULL);
            CHECK(qi_get_ensemble_count(e) == N && qi_get_ensemble_row_size(e, ALL) == size);
            CHECK(qi_get_ensemble_rows(e, ALL, NULL, N, after) == QI_OK);
            CHECK(memcmp(before, after, size * N * sizeof *before) == 0);
            CHECK(qi_step_ensemble(e, 0.1) == QI_OK);
            clean_up();
        }
        CHECK(CALLS[i].least == 0 ? k == 0 : k >= CALLS[i].least);
        printf("%s: %d allocations\n", call_name, k);
    }
}

/* Random torques on bodies that share their inertia, two steps; between them, rows with inertias and coefficients of their own, which fail. */
static int random_steps(qi_ensemble *with, long k, double *states)
{
    static double given[16 * N];
    const double c[3] = {0.1, 0.2, 0.3};
    const int all = QI_PART_INERTIA | QI_PART_TORQUE;
    prepare();
    CHECK(qi_get_ensemble_rows(with, all, NULL, N, given) == QI_OK && method() == QI_OK && constant() == QI_OK);
    CHECK(qi_set_ensemble_langevin(e, c, 0, NULL, 0, 1, 7) == QI_OK && step() == QI_OK);
    failed = 0;
    left = k;
    const qi_status status = k < 0 ? QI_ERR_MEMORY : qi_set_ensemble_rows(e, all, NULL, N, given);
    left = -1;
    CHECK(status == (failed > 0 || k < 0 ? QI_ERR_MEMORY : QI_OK) && step() == QI_OK);
    CHECK(qi_get_ensemble_rows(e, QI_PART_STATE, NULL, N, states) == QI_OK);
    clean_up();
    return failed > 0;
}

static void rows_that_fail_do_not_change_random_torques(void)
{
    static double expected[7 * N], states[7 * N];
    call_name = "random_rows";
    prepare();
    qi_ensemble *with = e;
    CHECK(inertias() == QI_OK && method() == QI_OK && constant() == QI_OK && qi_set_ensemble_langevin(e, w, 3, w, 3, 1, 7) == QI_OK);
    e = NULL;
    clean_up();
    random_steps(with, -1, expected);
    long k = 0;
    for (; random_steps(with, k, states); k++) CHECK(memcmp(states, expected, sizeof states) == 0);
    CHECK(k >= 4 && memcmp(states, expected, sizeof states) != 0);
    qi_destroy_ensemble(with);
}

static void threads_that_cannot_be_started_are_a_status(void)
{
    call_name = "threads";
    for (int k = 0; k < 3; k++) {
        prepare();
        threads_left = k;
        CHECK(qi_set_ensemble_threads(e, 4) == QI_ERR_MEMORY);
        threads_left = -1;
        CHECK(qi_step_ensemble(e, 0.1) == QI_OK && qi_set_ensemble_threads(e, 4) == QI_OK && qi_step_ensemble(e, 0.1) == QI_OK);
        clean_up();
    }
}

static void *everything(void *none)
{
    for (size_t i = 0; i < sizeof CALLS / sizeof *CALLS; i++) {
        call_name = CALLS[i].name;
        prepare();
        CHECK(CALLS[i].call() == QI_OK && qi_step_ensemble(e, 0.1) == QI_OK);
        clean_up();
    }
    return none;
}

/* The C library takes 12 KiB of it. */
static void a_stack_of_48_kib_is_enough(void)
{
    const size_t size = 48 << 10;
    pthread_attr_t attributes;
    pthread_t thread;
    char *stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(stack != MAP_FAILED && mprotect(stack, 4096, PROT_NONE) == 0); /* an overflow ends the program */
    CHECK(pthread_attr_init(&attributes) == 0 && pthread_attr_setstack(&attributes, stack, size) == 0);
    CHECK(pthread_create(&thread, &attributes, everything, NULL) == 0 && pthread_join(thread, NULL) == 0);
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        const double tensor[9] = {1 + 0.01 * i, 0.1, 0, 0.1, 2, 0, 0, 0, 2.5}, row[14] = {1, 0, 0, 0, 1, 2, 3, 1 + i, 2, 3, 0, 1, 0, 0};
        memcpy(tensors + 9 * i, tensor, sizeof tensor);
        memcpy(rows + 14 * i, row, sizeof row);
        q[4 * i] = other_q[4 * i] = 1;
        for (int c = 0; c < 3; c++) w[3 * i + c] = 1 + 0.01 * c;
        reversed[i] = N - 1 - i;
    }
    for (size_t i = 0; i < N / 2; i++) every_second[i] = 2 * i;
    no_failed_allocation_ends_the_program_or_changes_anything();
    rows_that_fail_do_not_change_random_torques();
    threads_that_cannot_be_started_are_a_status();
    a_stack_of_48_kib_is_enough();
    return 0;
}
