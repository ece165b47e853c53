/* tumble.c: real bodies tumble; the program prints its numbers next to published ones.
 *
 *     tumble [-o folder] case...
 *
 * A case file contains inertia, initial state, torque, time step and duration, and comments on their sources; see cases/.
 * With -o, the program also writes the motion of each case to folder/<case>.csv: time, angular velocity in the body frame, and
 * the path of a marked body axis, seen along the angular momentum (free bodies) or from above (bodies with weight).
 *
 * Exit status 0: every case was read and integrated, and agrees with the published numbers.
 */
#include <math.h>
#include <quatint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TIMED_STEPS = 400000 };
static const double PI = 3.14159265358979323846;

typedef struct {
    char title[80], time_unit[16], observe[16];
    double inertia[9], omega_body[3], angle_unit; /* omega_body in angle_unit per time unit; angle_unit in rad */
    double weight[3], at[3], mark[3];             /* frames: world; body; body */
    double dt, duration, published[4];
    int weighs;
} tumble_case;

/* a recorded motion: rows of 8 numbers, as qi_record() writes them */
typedef struct {
    double *rows;
    size_t count;
    double energy_drift, momentum_drift, length_error, ns_per_step;
    double steps;
} motion;

static int failed(void)
{
    fprintf(stderr, "%s\n", qi_last_error());
    return 0;
}

/* "key number number ..." */
static int numbers(const char *text, double *out, int count)
{
    char *end;
    for (int i = 0; i < count; i++, text = end) {
        out[i] = strtod(text, &end);
        if (end == text) return 0;
    }
    return 1;
}

static int read_case(const char *path, tumble_case *c)
{
    char line[512], key[16], text[256];
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        perror(path);
        return 0;
    }
    memset(c, 0, sizeof *c);
    c->angle_unit = 1;
    for (int n = 1; fgets(line, sizeof line, file) != NULL; n++) {
        int ok = 1;
        if (line[0] == '#' || sscanf(line, "%15s %255[^\n]", key, text) != 2) continue;
        if (strcmp(key, "title") == 0) snprintf(c->title, sizeof c->title, "%.79s", text);
        else if (strcmp(key, "time_unit") == 0) ok = sscanf(text, "%15s", c->time_unit) == 1;
        else if (strcmp(key, "observe") == 0) ok = sscanf(text, "%15s", c->observe) == 1;
        else if (strcmp(key, "angle_unit") == 0) c->angle_unit = strncmp(text, "degree", 6) == 0 ? PI / 180 : 1;
        else if (strcmp(key, "inertia") == 0) ok = numbers(text, c->inertia, 9);
        else if (strcmp(key, "omega_body") == 0) ok = numbers(text, c->omega_body, 3);
        else if (strcmp(key, "weight") == 0) ok = c->weighs = numbers(text, c->weight, 3);
        else if (strcmp(key, "at") == 0) ok = numbers(text, c->at, 3);
        else if (strcmp(key, "mark") == 0) ok = numbers(text, c->mark, 3);
        else if (strcmp(key, "dt") == 0) ok = numbers(text, &c->dt, 1);
        else if (strcmp(key, "duration") == 0) ok = numbers(text, &c->duration, 1);
        else if (strcmp(key, "published") == 0) {
            for (int i = 4; i > 0 && !numbers(text, c->published, i); i--) {}
        }
        else ok = 0;
        if (!ok) {
            fprintf(stderr, "%s:%d: not understood: %s", path, n, line);
            fclose(file);
            return 0;
        }
    }
    fclose(file);
    for (int i = 0; i < 3; i++) c->omega_body[i] *= c->angle_unit;
    return 1;
}

static void cross(const double *a, const double *b, double *c)
{
    c[0] = a[1]*b[2] - a[2]*b[1];
    c[1] = a[2]*b[0] - a[0]*b[2];
    c[2] = a[0]*b[1] - a[1]*b[0];
}

static double dot(const double *a, const double *b)
{
    return a[0]*b[0] + a[1]*b[1] + a[2]*b[2];
}

static void normalise(double *a)
{
    const double length = sqrt(dot(a, a));
    for (int i = 0; i < 3; i++) a[i] /= length;
}

/* the torque callback: weight F at the body point p: R(q) p x F */
static int32_t weigh(double time, const double *orientation, const double *omega, double *torque, void *user_data)
{
    const tumble_case *c = (const tumble_case *)user_data;
    double arm[3];
    (void)time;
    (void)omega;
    if (qi_rotate(orientation, c->at, arm) != QI_OK) return 1;
    cross(arm, c->weight, torque);
    return 0;
}

/* kinetic energy plus potential energy of the weight */
static double energy_of(const tumble_case *c, const qi_body *body)
{
    double q[4], arm[3], kinetic = 0;
    qi_get_kinetic_energy(body, &kinetic);
    qi_get_orientation(body, q);
    qi_rotate(q, c->at, arm);
    return kinetic - dot(arm, c->weight);
}

/* the conserved part of the angular momentum: all of it for a free body, the component along the weight otherwise */
static void conserved_momentum(const tumble_case *c, const qi_body *body, double *momentum)
{
    qi_get_angular_momentum(body, momentum);
    if (c->weighs) {
        double down[3] = {c->weight[0], c->weight[1], c->weight[2]};
        normalise(down);
        const double part = dot(momentum, down);
        for (int i = 0; i < 3; i++) momentum[i] = part * down[i];
    }
}

static int integrate(const tumble_case *c, double dt, motion *m)
{
    const uint64_t steps = (uint64_t)(c->duration / dt + 0.5);
    const uint64_t every = steps > 30000 ? steps / 30000 : 1;
    double before[3], after[3], q[4];
    qi_body *body = qi_create_body(c->inertia, NULL, c->omega_body, NULL); /* NULL: body and world axes coincide at t = 0 */
    if (body == NULL) return failed();
    if (c->weighs && qi_set_torque(body, weigh, (void *)c) != QI_OK) return failed();

    m->count = (size_t)(steps / every + 1);
    m->rows = (double *)malloc(m->count * 8 * sizeof *m->rows);
    if (m->rows == NULL) return 0;
    const double energy = energy_of(c, body);
    conserved_momentum(c, body, before);

    if (qi_record(body, dt, steps, every, m->rows, m->count, NULL) != QI_OK) return failed();
    m->steps = (double)steps;

    conserved_momentum(c, body, after);
    const double change[3] = {after[0] - before[0], after[1] - before[1], after[2] - before[2]};
    m->momentum_drift = sqrt(dot(change, change) / dot(before, before));
    m->energy_drift = fabs(energy_of(c, body) / energy - 1);
    qi_get_orientation(body, q);
    m->length_error = fabs(sqrt(q[0]*q[0] + dot(q + 1, q + 1)) - 1);

    const clock_t start = clock(); /* more steps, only to time them */
    if (qi_advance(body, dt, TIMED_STEPS, NULL) != QI_OK) return failed();
    m->ns_per_step = (double)(clock() - start) / CLOCKS_PER_SEC * 1e9 / TIMED_STEPS;
    qi_destroy_body(body);
    return 1;
}

/* follows an angle given by its sine and cosine through full turns; `turned` is the total angle, signed */
typedef struct {
    double previous, turned;
} turning;

static double turn(turning *t, double sine, double cosine)
{
    const double angle = atan2(sine, cosine);
    double change = angle - t->previous;
    if (change > PI) change -= 2*PI;
    if (change < -PI) change += 2*PI;
    t->previous = angle;
    t->turned += change;
    return t->turned;
}

/* axes of the view, by rows, in world components: the third is along the angular momentum, or upward if there is a weight */
static void view(const tumble_case *c, const motion *m, double axes[3][3])
{
    double in[3], x[3] = {1, 0, 0};
    const double *w = c->omega_body;
    for (int i = 0; i < 3; i++) in[i] = c->weighs ? -c->weight[i] : dot(c->inertia + 3*i, w);
    (void)m;
    normalise(in);
    memcpy(axes[2], in, sizeof in);
    if (fabs(in[0]) > 0.9) x[0] = 0, x[1] = 1;
    cross(axes[2], x, axes[1]);
    normalise(axes[1]);
    cross(axes[1], axes[2], axes[0]);
}

/* Counts the rotation about the marked axis, and the rotation of the marked axis about the angular momentum. The second is not
 * uniform, so it is averaged over whole turns of the first, after which the motion repeats. */
static int observe_tumbling(const tumble_case *c, const motion *m)
{
    turning about = {0, 0}, round = {0, 0};
    double axes[3][3], v[3], momentum_body[3], start_round = 0, end_time = 0, end_round = 0;
    int turns = 0;
    view(c, m, axes);
    for (size_t i = 0; i < m->count; i++) {
        const double *row = m->rows + 8*i;
        qi_rotate_inverse(row + 1, axes[2], momentum_body);
        qi_rotate(row + 1, c->mark, v);
        const double before = about.turned;
        /* seen from the body, the angular momentum rotates the other way */
        const double angle = -turn(&about, momentum_body[2], momentum_body[1]);
        const double rounds = turn(&round, dot(v, axes[1]), dot(v, axes[0]));
        if (i == 0) about.turned = 0, start_round = rounds;
        else if (floor(fabs(angle) / (2*PI)) > turns) {
            const double part = (2*PI*(turns + 1) - fabs(before)) / (fabs(angle) - fabs(before));
            turns++;
            end_time = row[0] - (1 - part) * (row[0] - row[-8]);
            end_round = rounds;
        }
    }
    const double about_period = end_time / turns, round_period = 2*PI * end_time / fabs(end_round - start_round);
    printf("  turn about the long axis  %10.4f %-4s published %g\n", about_period, c->time_unit, c->published[0]);
    printf("  turn of the long axis     %10.4f %-4s published %g\n", round_period, c->time_unit, c->published[1]);
    return fabs(about_period - c->published[0]) < 0.05 && fabs(round_period - c->published[1]) < 0.06;
}

/* the times at which the spin about the marked axis changes sign */
static int observe_flips(const tumble_case *c, const motion *m)
{
    double v[3], before = 0, last = 0, worst = 0;
    int flips = 0;
    for (size_t i = 0; i < m->count; i++) {
        const double *row = m->rows + 8*i;
        qi_rotate_inverse(row + 1, row + 5, v);
        const double spin = dot(v, c->mark);
        if (i > 0 && before * spin < 0) {
            const double time = row[0] - (row[0] - row[-8]) * spin / (spin - before);
            printf("  flip %d at  %14.7f %s", ++flips, time, c->time_unit);
            if (flips > 1) {
                printf("   after %11.7f   exact %11.7f", time - last, c->published[0]);
                worst = fmax(worst, fabs(time - last - c->published[0]));
            }
            printf("\n");
            last = time;
        }
        before = spin;
    }
    return flips > 2 && worst < 1e-3;
}

/* the final state for three step sizes, each half the previous one */
static int observe_end(const tumble_case *c)
{
    double previous = 0, order = 0;
    printf("  reference  q = (%.12f, %.12f, %.12f, %.12f)\n", c->published[0], c->published[1], c->published[2],
           c->published[3]);
    for (int halving = 0; halving < 3; halving++) {
        motion m;
        double error = 0;
        const double dt = ldexp(c->dt, -halving);
        if (!integrate(c, dt, &m)) return 0;
        const double *q = m.rows + 8*(m.count - 1) + 1;
        for (int i = 0; i < 4; i++) error = fmax(error, fabs(q[i] - c->published[i]));
        printf("  dt %-8.2g q = (%.12f, %.12f, %.12f, %.12f)  error %.2e", dt, q[0], q[1], q[2], q[3], error);
        if (halving > 0) {
            order = log2(previous / error);
            printf("  order %.3f", order);
        }
        printf("\n");
        previous = error;
        free(m.rows);
    }
    return fabs(order - 2) < 0.02;
}

static int write_csv(const char *folder, const char *path, const tumble_case *c, const motion *m)
{
    char name[512];
    double axes[3][3], v[3], w[3];
    const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    snprintf(name, sizeof name, "%s/%.*s.csv", folder, (int)strcspn(base, "."), base);
    FILE *file = fopen(name, "w");
    if (file == NULL) {
        perror(name);
        return 0;
    }
    view(c, m, axes);
    fprintf(file, "# %s\n# time (%s),omega_1,omega_2,omega_3,x,y,z\n", c->title, c->time_unit);
    const size_t stride = m->count > 4000 ? m->count / 4000 : 1;
    for (size_t i = 0; i < m->count; i += stride) {
        const double *row = m->rows + 8*i;
        qi_rotate(row + 1, c->mark, v);
        qi_rotate_inverse(row + 1, row + 5, w);
        fprintf(file, "%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", row[0], w[0], w[1], w[2], dot(v, axes[0]), dot(v, axes[1]),
                dot(v, axes[2]));
    }
    return fclose(file) == 0;
}

static int run(const char *path, const char *folder)
{
    tumble_case c;
    motion m;
    int good;
    if (!read_case(path, &c) || !integrate(&c, c.dt, &m)) return 0;

    printf("\n%s\n", c.title);
    if (strcmp(c.observe, "tumbling") == 0) good = observe_tumbling(&c, &m);
    else if (strcmp(c.observe, "flips") == 0) good = observe_flips(&c, &m);
    else good = observe_end(&c);
    printf("  %.0f steps of %g %s, %.0f ns each   drift: energy %.1e, %s %.1e   | |q|-1 | %.1e\n", m.steps, c.dt,
           c.time_unit, m.ns_per_step, m.energy_drift, c.weighs ? "L_z" : "L", m.momentum_drift, m.length_error);
    if (!good) printf("  NOT as published\n");
    if (folder != NULL && !write_csv(folder, path, &c, &m)) good = 0;
    free(m.rows);
    return good;
}

int main(int argc, char **argv)
{
    const char *folder = NULL;
    int good = argc > 1, first = 1;
    if (argc > 2 && strcmp(argv[1], "-o") == 0) folder = argv[2], first = 3;
    printf("quatint %s: rigid bodies by PCDM\n", qi_version_string());
    for (int i = first; i < argc; i++) good &= run(argv[i], folder);
    return good ? 0 : 1;
}
