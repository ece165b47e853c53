/* Plays the cases of tests/data/cases.txt, from the root of the repository: tests/rust/cases.rs says what their words mean. */
#include "check.h"

enum { MOST_WORDS = 64, LONGEST_LINE = 4096 };

/* One line of the table: its words, and the numbers after the first word, up to a word that is none. */
typedef struct {
    char text[LONGEST_LINE];
    char *words[MOST_WORDS];
    int word_count;
    double numbers[MOST_WORDS];
    int n;
} line;

/* What the case at hand is about: one of both. */
typedef struct {
    qi_body *body;
    qi_ensemble *ensemble;
} subject;

static void split(line *l)
{
    l->word_count = 0;
    l->n = 0;
    for (char *word = strtok(l->text, " \r\n"); word != NULL; word = strtok(NULL, " \r\n")) {
        CHECK(l->word_count < MOST_WORDS);
        l->words[l->word_count++] = word;
    }
    for (int i = 1; i < l->word_count; i++) {
        char *end;
        l->numbers[l->n] = strtod(l->words[i], &end);
        if (*end != '\0') break;
        l->n++;
    }
}

static const char *last(const line *l) { return l->words[l->word_count - 1]; }

/* The whole number at this place from the end, exactly. */
static uint64_t whole(const line *l, int from_end) { return strtoull(l->words[l->word_count - from_end], NULL, 10); }

static const struct {
    const char *word;
    int32_t number;
} CONSTANTS[] = {
    {"world", QI_FRAME_WORLD}, {"body", QI_FRAME_BODY},
    {"angular_velocity", QI_KEEP_ANGULAR_VELOCITY}, {"angular_momentum", QI_KEEP_ANGULAR_MOMENTUM},
    {"xz", QI_AXIS_X + QI_AXIS_Z}, {"nonstiff", QI_SOLVE_NONSTIFF}, {"stiff", QI_SOLVE_STIFF},
    {"pcdm", QI_METHOD_PCDM}, {"splitting", QI_METHOD_SPLITTING}, {"splitting_4", QI_METHOD_SPLITTING_4},
    {"splitting_6", QI_METHOD_SPLITTING_6}, {"cf4", QI_METHOD_CF4}, {"force_gradient", QI_METHOD_FORCE_GRADIENT},
    {"brownian", QI_METHOD_BROWNIAN},
};

/* The constant that the last word names. */
static int32_t constant(const line *l)
{
    size_t i = 0;
    while (strcmp(CONSTANTS[i].word, last(l)) != 0) {
        i++;
        CHECK(i < sizeof CONSTANTS / sizeof *CONSTANTS);
    }
    return CONSTANTS[i].number;
}

#define IS(word) (strcmp(l->words[0], word) == 0)
#define GETS(noun) (strcmp(l->words[1], noun) == 0)

static qi_status set_torque(qi_body *b, const line *l)
{
    const double *a = l->numbers;
    if (IS("constant_torque")) return qi_set_constant_torque(b, a, constant(l));
    if (IS("uniform_field_torque")) return qi_set_uniform_field_torque(b, a, a + 3);
    if (IS("gravity_gradient_torque")) return qi_set_gravity_gradient_torque(b, a, a[3]);
    if (IS("linear_drag_torque")) return qi_set_linear_drag_torque(b, a);
    if (IS("shear_flow_torque")) return qi_set_shear_flow_torque(b, a, a[3], a + 4);
    fprintf(stderr, "a body has no %s\n", l->words[0]);
    exit(1);
}

static qi_status play_on_body(qi_body *b, const line *l)
{
    const double *a = l->numbers;
    if (IS("method")) return qi_set_method(b, constant(l));
    if (IS("advance")) return qi_advance(b, a[0], whole(l, 1), NULL);
    if (IS("solve_method"))
        return qi_set_solve_method(b, strcmp(last(l), "splitting") == 0 ? QI_SOLVE_SPLITTING : constant(l));
    if (IS("solve")) return qi_solve(b, a[0], a[1], NULL);
    if (IS("kick")) return qi_kick(b, a[0], a + 1, constant(l));
    if (IS("drift")) return qi_drift(b, a[0]);
    if (IS("drag")) return qi_set_drag(b, a, a + 3);
    if (IS("langevin")) return qi_set_langevin(b, a, a + 3, a[6], whole(l, 2), whole(l, 1));
    if (IS("thermalize")) return qi_thermalize(b, a[0]);
    if (IS("noise_draws")) return qi_set_noise(b, whole(l, 1));
    if (IS("rotor_momentum")) return qi_set_rotor_momentum(b, a);
    if (IS("rotor_torque")) return qi_set_rotor_torque(b, a);
    if (IS("time")) return qi_set_time(b, a[0]);
    if (IS("clock")) return qi_set_clock(b, a);
    if (IS("state")) return qi_set_state(b, a, a + 4);
    if (IS("state_body")) return qi_set_state_body(b, a, a + 4);
    if (IS("angular_momentum")) return qi_set_angular_momentum(b, a);
    if (IS("inertia")) return qi_set_inertia(b, a, constant(l));
    if (IS("lock_axes")) return qi_set_locked_axes(b, constant(l));
    return set_torque(b, l);
}

/* From body to body: 0 if there are the numbers of one body, which all bodies share. */
static ptrdiff_t stride(int numbers, int of_one) { return numbers == of_one ? 0 : of_one; }

static qi_status set_ensemble_forces(qi_ensemble *e, const line *l)
{
    const double *a = l->numbers, *end = a + l->n;
    const int n = l->n;
    if (IS("constant_torque")) return qi_set_ensemble_constant_torque(e, a, stride(n, 3), constant(l));
    if (IS("uniform_field_torque")) return qi_set_ensemble_uniform_field_torque(e, a, stride(n - 3, 3), end - 3);
    if (IS("gravity_gradient_torque")) return qi_set_ensemble_gravity_gradient_torque(e, a, a + 3, stride(n - 3, 1));
    if (IS("linear_drag_torque")) return qi_set_ensemble_linear_drag_torque(e, a, stride(n, 3));
    if (IS("shear_flow_torque")) return qi_set_ensemble_shear_flow_torque(e, a, stride(n - 10, 3), end[-10], end - 9);
    if (IS("drag")) return qi_set_ensemble_drag(e, a, stride(n - 3, 3), end - 3, 0);
    if (IS("langevin")) return qi_set_ensemble_langevin(e, a, stride(n - 5, 3), end - 5, 0, end[-2], whole(l, 1));
    if (IS("rotor_momentum")) return qi_set_ensemble_rotor_momentum(e, a, stride(n, 3));
    fprintf(stderr, "an ensemble has no %s\n", l->words[0]);
    exit(1);
}

static qi_status set_ids(qi_ensemble *e, const line *l)
{
    uint64_t ids[MOST_WORDS];
    for (int i = 1; i < l->word_count; i++) ids[i - 1] = whole(l, l->word_count - i);
    return qi_set_ensemble_ids(e, ids);
}

static qi_status set_active(qi_ensemble *e, const line *l)
{
    size_t bodies[MOST_WORDS];
    for (int i = 0; i < l->n; i++) bodies[i] = (size_t)l->numbers[i];
    return qi_set_ensemble_active(e, bodies, (size_t)l->n);
}

static qi_status play_on_ensemble(qi_ensemble *e, const line *l)
{
    const double *a = l->numbers;
    const int n = l->n;
    if (IS("inertias")) return qi_set_inertias(e, a, stride(n, 9));
    if (IS("principal_inertias")) return qi_set_principal_inertias(e, a, stride(n, 3), 1);
    if (IS("orientations")) return qi_set_orientations(e, a, stride(n, 4), 1);
    if (IS("angular_velocities")) return qi_set_angular_velocities(e, a, stride(n, 3), 1);
    if (IS("angular_momenta")) return qi_set_angular_momenta(e, a, stride(n, 3), 1);
    if (IS("scale_angular_momenta")) return qi_scale_angular_momenta(e, a[0]);
    if (IS("method")) return qi_set_ensemble_method(e, constant(l));
    if (IS("advance")) return qi_advance_ensemble(e, a[0], whole(l, 1), NULL);
    if (IS("kick")) return qi_kick_ensemble(e, a[0], a + 1, stride(n - 1, 3), 1, constant(l));
    if (IS("drift")) return qi_drift_ensemble(e, a[0]);
    if (IS("kick_drift"))
        return qi_kick_drift_ensemble(e, a[0], a[1], a + 2, stride(n - 2, 3), 1, constant(l));
    if (IS("thermalize")) return qi_thermalize_ensemble(e, a[0]);
    if (IS("noise_draws")) return qi_set_ensemble_noise(e, whole(l, 1));
    if (IS("time")) return qi_set_ensemble_time(e, a[0]);
    if (IS("clock")) return qi_set_ensemble_clock(e, a);
    if (IS("lock_axes")) return qi_set_ensemble_locked_axes(e, &(int32_t){constant(l)}, 0);
    if (IS("ids")) return set_ids(e, l);
    if (IS("active")) return set_active(e, l);
    return set_ensemble_forces(e, l);
}

/* How many numbers a call has given. */
static int given(qi_status status, int count)
{
    CHECK(status == QI_OK);
    return count;
}

static int given_whole(qi_status status, const uint64_t *number, double *out)
{
    *out = (double)*number;
    return given(status, 1);
}

/* Gets the numbers of the noun after `expect`; returns how many. */
static int get_of_body(qi_body *b, const line *l, double *out)
{
    uint64_t draws = 0;
    if (GETS("time")) return given(qi_get_time(b, out), 1);
    if (GETS("clock")) return given(qi_get_clock(b, out), 2);
    if (GETS("orientation")) return given(qi_get_orientation(b, out), 4);
    if (GETS("angular_velocity")) return given(qi_get_angular_velocity(b, out), 3);
    if (GETS("angular_velocity_body")) return given(qi_get_angular_velocity_body(b, out), 3);
    if (GETS("angular_momentum")) return given(qi_get_angular_momentum(b, out), 3);
    if (GETS("kinetic_energy")) return given(qi_get_kinetic_energy(b, out), 1);
    if (GETS("rotor_momentum")) return given(qi_get_rotor_momentum(b, out), 3);
    if (GETS("rotor_torque")) return given(qi_get_rotor_torque(b, out), 3);
    if (GETS("acting_torque")) return given(qi_get_torque(b, out), 3);
    if (GETS("angular_acceleration")) return given(qi_get_angular_acceleration(b, out), 3);
    if (GETS("noise_draws")) return given_whole(qi_get_noise(b, &draws), &draws, out);
    return 0;
}

static int get_of_ensemble(qi_ensemble *e, const line *l, double *out)
{
    const int bodies = (int)qi_get_ensemble_count(e);
    uint64_t number = 0;
    if (GETS("time")) return given(qi_get_ensemble_time(e, out), 1);
    if (GETS("clock")) return given(qi_get_ensemble_clock(e, out), 2);
    if (GETS("orientations")) return given(qi_get_orientations(e, out, 4, 1), 4 * bodies);
    if (GETS("angular_velocities")) return given(qi_get_angular_velocities(e, out, 3, 1), 3 * bodies);
    if (GETS("angular_momenta")) return given(qi_get_angular_momenta(e, out, 3, 1), 3 * bodies);
    if (GETS("kinetic_energies")) return given(qi_get_kinetic_energies(e, out, 1), bodies);
    if (GETS("total_kinetic_energy")) return given(qi_get_total_kinetic_energy(e, out), 1);
    if (GETS("total_angular_momentum")) return given(qi_get_total_angular_momentum(e, out), 3);
    if (GETS("noise_draws")) return given_whole(qi_get_ensemble_noise(e, &number), &number, out);
    if (GETS("degrees_of_freedom")) return given_whole(qi_get_ensemble_degrees_of_freedom(e, &number), &number, out);
    return 0;
}

static void end_case(subject *s, const char *name)
{
    if (s->body != NULL || s->ensemble != NULL) printf("ok %s\n", name);
    qi_destroy_body(s->body);
    qi_destroy_ensemble(s->ensemble);
    s->body = NULL;
    s->ensemble = NULL;
}

static void expect(const subject *s, const line *l, const char *name)
{
    double got[MOST_WORDS];
    const char *noun = l->words[1];
    const int count = s->body != NULL ? get_of_body(s->body, l, got) : get_of_ensemble(s->ensemble, l, got);
    CHECK(count == l->word_count - 2);
    for (int i = 0; i < count; i++) {
        const double expected = strtod(l->words[i + 2], NULL);
        if (memcmp(&got[i], &expected, sizeof expected) != 0) {
            fprintf(stderr, "%s: number %d of %s is %.17g, not %.17g\n", name, i + 1, noun, got[i], expected);
            exit(1);
        }
    }
}

static void play(subject *s, const line *l, const char *name)
{
    const double *a = l->numbers;
    if (IS("body")) {
        s->body = qi_create_body(a, a + 9, a + 13, NULL);
        CHECK(s->body != NULL);
    } else if (IS("ensemble")) {
        s->ensemble = qi_create_ensemble((size_t)a[0], NULL);
        CHECK(s->ensemble != NULL);
    } else if (IS("expect")) {
        expect(s, l, name);
    } else {
        const qi_status status = s->body != NULL ? play_on_body(s->body, l) : play_on_ensemble(s->ensemble, l);
        if (status != QI_OK) fprintf(stderr, "%s: %s\n", name, l->words[0]);
        CHECK(status == QI_OK);
    }
}

static void the_table_of_cases_comes_out_to_the_bit(void)
{
    static line l;
    static char name[LONGEST_LINE];
    int cases = 0;
    subject s = {NULL, NULL};
    FILE *table = fopen("tests/data/cases.txt", "r");
    CHECK(table != NULL);
    while (fgets(l.text, sizeof l.text, table) != NULL) {
        CHECK(strchr(l.text, '\n') != NULL);
        if (strncmp(l.text, "case ", 5) == 0) {
            end_case(&s, name);
            strcpy(name, l.text + 5);
            name[strcspn(name, "\r\n")] = '\0';
            cases++;
        } else if (l.text[0] != '\n' && l.text[0] != '#') {
            split(&l);
            play(&s, &l, name);
        }
    }
    end_case(&s, name);
    fclose(table);
    CHECK(cases > 70);
}

int main(void)
{
    RUN(the_table_of_cases_comes_out_to_the_bit);
    return 0;
}
