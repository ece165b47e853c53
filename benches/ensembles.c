/* ensembles.c: many bodies, quatint compared with PCDM written by hand over an array of structs, and with memcpy.
 *
 *     ensembles [n ...]        default: 1 1000 4096 100000 1000000
 *
 * A round is at least ten consecutive steps, as in a simulation: data that fit into the last-level cache are still
 * there at the next step. One contender takes a single step per round, with a cold cache.
 *
 * All contenders take the same steps. The callbacks are in this file but are called through pointers. The hand-written
 * code solves the same problems as quatint: a torque-free top, and a heavy top whose weight comes from a function
 * called for each body.
 */
#include "measure.h"
#include "by_hand.h"
#include <quatint.h>
#include <string.h>

static const double H = 1e-3;
static const double INERTIA[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3}, E3[3] = {0, 0, 1}, DOWN[3] = {0, 0, -1}, ASKEW[3] = {0.1, -0.2, -1};

typedef struct { /* a particle of a DEM code: 16 doubles */
    double position[3], q[4], velocity[3], omega[3], radius, mass, charge;
} particle;
enum { STRIDE = sizeof(particle) / sizeof(double) };

typedef struct {
    size_t n;
    int steps;
    hand_body *hand;
    qi_ensemble *ensemble;
    double *q, *omega, *torque;
} bodies;

static int32_t weight_aos(double time, size_t first, size_t count, const double *q, const double *omega, double *torque,
                          void *user_data)
{
    (void)first;
    for (size_t i = 0; i < count; i++) weight(time, q + 4*i, omega + 3*i, torque + 3*i, user_data);
    return 0;
}

static int32_t weight_soa(double time, size_t first, size_t count, const double *q, const double *omega, double *torque,
                          void *user_data)
{
    const double *restrict w = q, *restrict x = q + count, *restrict y = q + 2*count, *restrict z = q + 3*count;
    double *restrict tx = torque, *restrict ty = torque + count;
    (void)time; (void)first; (void)omega; (void)user_data;
    for (size_t i = 0; i < count; i++) {
        tx[i] = -2*(y[i]*z[i] - w[i]*x[i]);
        ty[i] = 2*(x[i]*z[i] + w[i]*y[i]);
    }
    return 0;
}

static int32_t weight_soa_body(double time, size_t first, size_t count, const double *q, const double *omega, double *torque,
                               void *user_data)
{
    const double *restrict w = q, *restrict x = q + count, *restrict y = q + 2*count, *restrict z = q + 3*count;
    double *restrict tx = torque, *restrict ty = torque + count;
    (void)time; (void)first; (void)omega; (void)user_data;
    for (size_t i = 0; i < count; i++) {
        tx[i] = 2*(y[i]*z[i] + w[i]*x[i]);
        ty[i] = -2*(x[i]*z[i] - w[i]*y[i]);
    }
    return 0;
}

static hand_torque volatile hand_callback = weight;

static void by_hand(bodies *b, hand_torque torque)
{
    for (int s = 0; s < b->steps; s++)
        for (size_t i = 0; i < b->n; i++)
            if (hand_step(&b->hand[i], s * H, H, torque, NULL)) abort();
}

static void hand_free(void *context) { by_hand((bodies *)context, NULL); }
static void hand_top(void *context) { by_hand((bodies *)context, hand_callback); }

static void check(qi_status status)
{
    if (status != QI_OK) {
        fprintf(stderr, "%s\n", qi_last_error());
        abort();
    }
}

static void stepped(void *context)
{
    bodies *b = (bodies *)context;
    for (int s = 0; s < b->steps; s++) check(qi_step_ensemble(b->ensemble, H));
}

static void advanced(void *context)
{
    bodies *b = (bodies *)context;
    check(qi_advance_ensemble(b->ensemble, H, (uint64_t)b->steps, NULL));
}

static void staged(void *context)
{
    bodies *b = (bodies *)context;
    double time;
    check(qi_begin_ensemble_steps(b->ensemble, H, (uint64_t)b->steps));
    qi_status status = qi_next_ensemble_stage(b->ensemble, &time, b->q, b->omega);
    while (status == QI_NEED_TORQUE) {
        weight_aos(time, 0, b->n, b->q, b->omega, b->torque, NULL);
        status = qi_continue_ensemble_step(b->ensemble, b->torque, &time, b->q, b->omega);
    }
    check(status);
}

static void copied(void *context) /* copies the states with memcpy: per body and step 56 bytes read, 56 written */
{
    bodies *b = (bodies *)context;
    for (int s = 0; s < b->steps; s++) memcpy(s % 2 ? b->q : b->q + 7*b->n, s % 2 ? b->q + 7*b->n : b->q, 7*b->n*sizeof(double));
}

/* Only the arithmetic of a step: as many independent additions and multiplications as a step of quatint has (counted in
 * the machine code that runs), in the widest registers of this machine. */
enum { FREE_OPERATIONS = 169, WEIGHT_OPERATIONS = 238 };

static void arithmetic(const bodies *b, int operations)
{
    typedef double lanes __attribute__((vector_size(__BIGGEST_ALIGNMENT__)));
    lanes a0 = {1}, a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0, a6 = a0, a7 = a0, a8 = a0, a9 = a0;
    const lanes one = {1};
    const size_t rounds = b->n * (size_t)b->steps * (size_t)operations * sizeof(double) / (10*sizeof(lanes));
    for (size_t i = 0; i < rounds; i++) {
        a0 += one, a1 *= one, a2 += one, a3 *= one, a4 += one, a5 *= one, a6 += one, a7 *= one, a8 += one, a9 *= one;
        __asm__ volatile("" : "+v"(a0), "+v"(a1), "+v"(a2), "+v"(a3), "+v"(a4), "+v"(a5), "+v"(a6), "+v"(a7), "+v"(a8), "+v"(a9));
    }
}

static void arithmetic_free(void *context) { arithmetic((const bodies *)context, FREE_OPERATIONS); }
static void arithmetic_weight(void *context) { arithmetic((const bodies *)context, WEIGHT_OPERATIONS); }

static void *room(size_t bytes)
{
    void *p = malloc(bytes);
    if (p == NULL) abort();
    memset(p, 0, bytes);
    return p;
}

static bodies make(size_t n, int steps)
{
    bodies b = {n, steps, NULL, qi_create_ensemble(n, NULL), NULL, NULL, NULL};
    const double omega[3] = {1, 1, 1};
    if (b.ensemble == NULL) abort();
    check(qi_set_inertias(b.ensemble, INERTIA, 0));
    check(qi_set_angular_velocities(b.ensemble, omega, 0, 1));
    return b;
}

static bodies make_hand(size_t n, int steps)
{
    bodies b = {n, steps, (hand_body *)room(n * sizeof(hand_body)), NULL, NULL, NULL, NULL};
    for (size_t i = 0; i < n; i++) {
        const hand_body body = {{1, 0, 0, 0}, {1, 1, 1}, {1, 2, 3}};
        b.hand[i] = body;
    }
    return b;
}

static bodies make_bound(size_t n, int steps)
{
    bodies b = make(n, steps);
    particle *p = (particle *)room(n * sizeof(particle));
    for (size_t i = 0; i < n; i++) {
        p[i].q[0] = 1;
        p[i].omega[0] = p[i].omega[1] = p[i].omega[2] = 1;
    }
    check(qi_bind_orientations(b.ensemble, p[0].q, STRIDE, 1, QI_SCALAR_FIRST));
    check(qi_bind_angular_velocities(b.ensemble, p[0].omega, STRIDE, 1, QI_OMEGA_BODY));
    return b;
}

static void run(size_t n)
{
    const int steps = n < 100 ? 20000 : n < 10000 ? (int)(2000000 / n / 4) : 10;
    const double units = (double)n * steps;
    bodies hand_a = make_hand(n, steps), hand_b = make_hand(n, steps);
    bodies f = make(n, steps), cold = make(n, 1), fused = make(n, 100), field = make(n, steps), soa = make(n, steps), aos = make(n, steps);
    bodies any = make(n, steps), body_soa = make(n, steps);
    bodies bound = make_bound(n, steps), bound_field = make_bound(n, steps), protocol = make(n, steps);
    bodies two_fused = make(n, 100), two_free = make(n, steps), two_field = make(n, steps), two_soa = make(n, steps), memory = {n, steps, NULL, NULL, NULL, NULL, NULL};
    char title[64];

    memory.q = (double *)room(14 * n * sizeof(double));
    protocol.q = (double *)room(4 * n * sizeof(double));
    protocol.omega = (double *)room(3 * n * sizeof(double));
    protocol.torque = (double *)room(3 * n * sizeof(double));
    check(qi_set_ensemble_uniform_field_torque(field.ensemble, E3, 0, DOWN));
    check(qi_set_ensemble_uniform_field_torque(two_field.ensemble, E3, 0, DOWN));
    check(qi_set_ensemble_uniform_field_torque(bound_field.ensemble, E3, 0, DOWN));
    check(qi_set_ensemble_torque(soa.ensemble, weight_soa, QI_LAYOUT_SOA, QI_FRAME_WORLD, NULL));
    check(qi_set_ensemble_torque(two_soa.ensemble, weight_soa, QI_LAYOUT_SOA, QI_FRAME_WORLD, NULL));
    check(qi_set_ensemble_torque(aos.ensemble, weight_aos, QI_LAYOUT_AOS, QI_FRAME_WORLD, NULL));
    check(qi_set_ensemble_uniform_field_torque(any.ensemble, ASKEW, 0, ASKEW));
    check(qi_set_ensemble_torque(body_soa.ensemble, weight_soa_body, QI_LAYOUT_SOA, QI_FRAME_BODY, NULL));
    check(qi_set_ensemble_threads(two_free.ensemble, 2));
    check(qi_set_ensemble_threads(two_fused.ensemble, 2));
    check(qi_set_ensemble_threads(two_field.ensemble, 2));
    check(qi_set_ensemble_threads(two_soa.ensemble, 2));

    const contender free_top[] = {
        {"C by hand, array of structs", hand_free, &hand_a, units},
        {"ensemble", stepped, &f, units},
        {"ensemble, one step with a cold cache", stepped, &cold, (double)n},
        {"ensemble, 100 steps a call", advanced, &fused, (double)n * 100},
        {"bound records of 128 bytes", stepped, &bound, units},
        {"ensemble, 2 threads", stepped, &two_free, units},
        {"ensemble, 2 threads, 100 steps a call", advanced, &two_fused, (double)n * 100},
        {"arithmetic only: the 169 operations of a step", arithmetic_free, &memory, units},
        {"memcpy of the states", copied, &memory, units},
    };
    const contender heavy_top[] = {
        {"C by hand, array of structs, callback", hand_top, &hand_b, units},
        {"ready-made field torque, a top's weight", stepped, &field, units},
        {"ready-made field torque, arbitrary directions", stepped, &any, units},
        {"SoA callback", stepped, &soa, units},
        {"SoA callback, body frame", stepped, &body_soa, units},
        {"AoS callback", stepped, &aos, units},
        {"bound records, field torque", stepped, &bound_field, units},
        {"stage protocol", staged, &protocol, units},
        {"field torque, 2 threads", stepped, &two_field, units},
        {"SoA callback, 2 threads", stepped, &two_soa, units},
        {"arithmetic only: the 238 operations of a step", arithmetic_weight, &memory, units},
    };
    snprintf(title, sizeof title, "n = %zu, free asymmetric top", n);
    measure(title, free_top, (int)(sizeof free_top / sizeof *free_top));
    snprintf(title, sizeof title, "n = %zu, heavy top", n);
    measure(title, heavy_top, (int)(sizeof heavy_top / sizeof *heavy_top));

    bodies *all[] = {&f, &cold, &fused, &field, &any, &body_soa, &soa, &aos, &bound, &bound_field, &protocol, &two_free, &two_fused, &two_field, &two_soa};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) qi_destroy_ensemble(all[i]->ensemble);
    free(hand_a.hand);
    free(hand_b.hand);
    free(memory.q);
}

/* The cost of a step of a free body as the number of bodies grows. */
static void growing(void)
{
    enum { SIZES = 5 };
    static const char *const names[SIZES] = {"n = 1e3", "n = 1e4", "n = 1e5", "n = 1e6", "n = 1e7"};
    bodies stepping[SIZES], advancing[SIZES];
    contender one[SIZES], many[SIZES];
    size_t n = 1000;
    for (int i = 0; i < SIZES; i++, n *= 10) {
        const int steps = n < 1000000 ? (int)(1000000 / n) : n < 10000000 ? 10 : 3;
        stepping[i] = make(n, steps);
        advancing[i] = stepping[i], advancing[i].steps = n < 10000000 ? 100 : 10;
        one[i] = (contender){names[i], stepped, &stepping[i], (double)n * steps};
        many[i] = (contender){names[i], advanced, &advancing[i], (double)n * advancing[i].steps};
    }
    measure("a free step, one a call", one, SIZES);
    measure("a free step, many a call", many, SIZES);
    for (int i = 0; i < SIZES; i++) qi_destroy_ensemble(stepping[i].ensemble);
}

int main(int argc, char **argv)
{
    const char *level = getenv("QUATINT_SIMD");
    printf("Ensembles, ns per body and step; medians of %d interleaved rounds. quatint %s, QUATINT_SIMD=%s\n",
           MEASURE_ROUNDS, qi_version_string(), level ? level : "(default: the best of this machine)");
    if (argc > 1)
        for (int i = 1; i < argc; i++) run((size_t)strtod(argv[i], NULL));
    else {
        for (int i = 0; i < 5; i++) run((size_t[]){1, 1000, 4096, 100000, 1000000}[i]);
        growing();
    }
    return 0;
}
