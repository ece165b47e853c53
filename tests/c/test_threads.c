/* Threads: ensembles that step on several, ensembles on threads of the caller, getters of one object on several threads at once. The thread
 * sanitizer runs this program too (make sanitize). */
#include "thread.h"
#include "check.h"

static const double no_torque[3] = {0, 0, 0}; /* of all bodies, with the strides 0 and 1 */

enum { N = 1000, STEPS = 3, CALLERS = 3 };

/* A torque of the state alone: several threads call it. Some methods show it NaN for the angular velocity. */
static int32_t damped(double time, size_t first, size_t count, const double *q, const double *omega, double *torque, void *user_data)
{
    (void)first; (void)user_data;
    for (size_t i = 0; i < 3 * count; i++) torque[i] = 0.1 * time - (isnan(omega[i]) ? 0 : 0.2 * omega[i]);
    for (size_t i = 0; i < count; i++) torque[3 * i] += q[4 * i + 1];
    return 0;
}

/* An ensemble under a method, with its own number of threads, bound or not. */
static qi_ensemble *spinning(int method, size_t threads, double *q, double *omega)
{
    qi_ensemble *e = qi_create_ensemble(N, NULL);
    const double moments[3] = {1, 2, 2.5};
    double spin[3 * N];
    for (int i = 0; i < 3 * N; i++) spin[i] = 0.01 * i - 1;
    CHECK(e != NULL && qi_set_ensemble_method(e, method) == QI_OK && qi_set_principal_inertias(e, moments, 0, 1) == QI_OK);
    if (q != NULL) {
        for (int i = 0; i < 4 * N; i++) q[i] = i % 4 == 0;
        CHECK(qi_bind_orientations(e, q, 4, 1, QI_SCALAR_FIRST) == QI_OK);
        memcpy(omega, spin, sizeof spin);
        CHECK(qi_bind_angular_velocities(e, omega, 3, 1, QI_OMEGA_BODY) == QI_OK);
    } else {
        CHECK(qi_set_angular_velocities(e, spin, 3, 1) == QI_OK);
    }
    CHECK(qi_set_ensemble_torque(e, damped, QI_LAYOUT_AOS, QI_FRAME_WORLD, NULL) == QI_OK);
    CHECK(qi_set_ensemble_threads(e, threads) == QI_OK);
    return e;
}

static void run(qi_ensemble *e, double *states)
{
    const double torque[3] = {0.1, 0.2, 0.3};
    CHECK(qi_advance_ensemble(e, 0.01, STEPS, NULL) == QI_OK);
    CHECK(qi_kick_drift_ensemble(e, 0.01, 0.02, no_torque, 0, 1, QI_FRAME_WORLD) == QI_OK);
    CHECK(qi_set_ensemble_constant_torque(e, torque, 0, QI_FRAME_BODY) == QI_OK);
    CHECK(qi_advance_ensemble(e, 0.01, STEPS, NULL) == QI_OK);
    CHECK(qi_get_ensemble_rows(e, QI_PART_STATE, NULL, N, states) == QI_OK);
}

#if HAS_THREADS
static void any_number_of_threads_gives_the_same_bits_in_own_memory_and_in_bound_arrays(void)
{
    static double expected[7 * N], states[7 * N], q[4 * N], omega[3 * N];
    for (int method = QI_METHOD_PCDM; method <= QI_METHOD_FORCE_GRADIENT; method++) {
        for (size_t threads = 1; threads <= 4; threads++) {
            for (int bound = 0; bound < 2; bound++) {
                qi_ensemble *e = spinning(method, threads, bound ? q : NULL, omega);
                run(e, states);
                if (threads == 1 && !bound) memcpy(expected, states, sizeof states);
                CHECK(memcmp(expected, states, sizeof states) == 0);
                qi_destroy_ensemble(e);
            }
        }
    }
}

static int32_t of_one_body(double time, const double *q, const double *omega, double *torque, void *user_data)
{
    return damped(time, 0, 1, q, omega, torque, user_data);
}

/* What a thread of the caller does: an ensemble and a body of its own, and an error of its own. */
static void *caller(void *result)
{
    double inertia[9] = {1, 0, 0, 0, 2, 0, 0, 0, 2.5}, spin[3] = {1, 2, 3};
    qi_ensemble *e = spinning(QI_METHOD_CF4, 2, NULL, NULL);
    qi_body *body = qi_create_body(inertia, NULL, spin, NULL);
    CHECK(body != NULL && qi_set_torque(body, of_one_body, NULL) == QI_OK && qi_advance(body, 0.01, 10, NULL) == QI_OK);
    CHECK(qi_step(body, NAN) == QI_ERR_NON_FINITE && strncmp(qi_last_error(), "qi_step:", 8) == 0);
    run(e, result);
    qi_destroy_body(body);
    qi_destroy_ensemble(e);
    return NULL;
}

static void ensembles_on_several_threads_of_the_caller_are_independent(void)
{
    static double states[CALLERS][7 * N];
    thread threads[CALLERS];
    for (int i = 0; i < CALLERS; i++) CHECK(start_thread(&threads[i], caller, states[i]));
    for (int i = 0; i < CALLERS; i++) CHECK(join_thread(&threads[i]));
    for (int i = 1; i < CALLERS; i++) CHECK(memcmp(states[0], states[i], sizeof states[0]) == 0);
}

struct shared {
    const qi_ensemble *ensemble;
    const qi_body *body;
};

static void *reader(void *shared)
{
    const qi_ensemble *e = ((struct shared *)shared)->ensemble;
    const qi_body *body = ((struct shared *)shared)->body;
    double q[4 * N], omega[3 * N], rows[7 * N], momenta[3 * N], energies[N], total;
    int64_t sums[3 * QI_SUM_SIZE];
    for (int i = 0; i < 5; i++) {
        CHECK(qi_get_orientations(e, q, 4, 1) == QI_OK && qi_get_angular_velocities(e, omega, 3, 1) == QI_OK);
        CHECK(qi_get_angular_momenta(e, momenta, 3, 1) == QI_OK && qi_get_kinetic_energies(e, energies, 1) == QI_OK);
        CHECK(qi_get_ensemble_rows(e, QI_PART_STATE, NULL, N, rows) == QI_OK && qi_get_ensemble_count(e) == N);
        CHECK(qi_get_total_kinetic_energy(e, &total) == QI_OK && qi_get_total_angular_momentum(e, omega) == QI_OK);
        CHECK(qi_get_kinetic_energy_sums(e, sums) == QI_OK && qi_get_angular_momentum_sums(e, sums) == QI_OK);
        CHECK(qi_get_orientation(body, q) == QI_OK && qi_get_angular_velocity(body, omega) == QI_OK);
        CHECK(qi_get_angular_momentum(body, momenta) == QI_OK && qi_get_kinetic_energy(body, &total) == QI_OK);
        CHECK(qi_get_time(body, &total) == QI_OK && qi_get_callback_result(body) == 0);
    }
    return NULL;
}

static void getters_of_one_object_run_on_several_threads_at_once(void)
{
    static double q[4 * N], omega[3 * N], states[7 * N];
    const double inertia[9] = {1, 0, 0, 0, 2, 0, 0, 0, 2.5};
    for (int bound = 0; bound < 2; bound++) {
        thread threads[CALLERS];
        qi_ensemble *e = spinning(QI_METHOD_SPLITTING, 2, bound ? q : NULL, omega);
        run(e, states);
        struct shared shared = {e, qi_create_body(inertia, NULL, NULL, NULL)};
        for (int i = 0; i < CALLERS; i++) CHECK(start_thread(&threads[i], reader, &shared));
        for (int i = 0; i < CALLERS; i++) CHECK(join_thread(&threads[i]));
        qi_destroy_body((qi_body *)shared.body);
        qi_destroy_ensemble(e);
    }
}
#else
static void threads_where_there_are_none_are_a_status_and_nothing_changes(void)
{
    static double expected[7 * N], states[7 * N];
    qi_ensemble *one = spinning(QI_METHOD_PCDM, 1, NULL, NULL), *other = spinning(QI_METHOD_PCDM, 1, NULL, NULL);
    CHECK(qi_set_ensemble_threads(other, 2) == QI_ERR_MEMORY);
    run(one, expected);
    run(other, states);
    CHECK(memcmp(expected, states, sizeof states) == 0);
    qi_destroy_ensemble(one);
    qi_destroy_ensemble(other);
}
#endif

int main(void)
{
#if HAS_THREADS
    RUN(any_number_of_threads_gives_the_same_bits_in_own_memory_and_in_bound_arrays);
    RUN(ensembles_on_several_threads_of_the_caller_are_independent);
    RUN(getters_of_one_object_run_on_several_threads_at_once);
#else
    RUN(threads_where_there_are_none_are_a_status_and_nothing_changes);
#endif
    return 0;
}
