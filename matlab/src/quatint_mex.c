/* quatint_mex.c: the C library as one MEX function, for MATLAB and Octave. Users call it through the package +quatint.
 *
 *     [...] = quatint_mex(command, ...)
 *
 * The commands are in the table at the end. M code refers to an ensemble by a number that is looked up here, never by a
 * pointer; an outdated or invented number raises an error. The library never calls the interpreter. M code evaluates a
 * torque that is an M function between 'begin' and 'supply' (the stage protocol). No frame of the library is on the stack
 * then, so an error or Ctrl-C in the torque unwinds M code only. Error control and rotors have no stage protocol: there the
 * library runs on a thread of its own, which waits while M code evaluates the function. See "a body alone".
 */
#if defined __linux__ && !defined _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* for pthread_sigmask with -std=c99 */
#endif
#include <ctype.h>
#include <math.h>
#include <mex.h>
#include <quatint.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <pthread.h>
#include <signal.h>
#endif

typedef struct lone lone;
typedef struct {
    qi_ensemble *ensemble; /* NULL: the slot is free */
    lone *lone;            /* NULL: not the ensemble of a quatint.Body */
    double id;
    size_t count, moving;  /* number of bodies, and of bodies that move: the rows of a stage */
    void *pin;             /* see keep_pages */
    bool asking;           /* M code evaluates the torque function, between two stages */
    bool rotors;           /* the bodies of the ensemble have rotors; those of a quatint.Body are in `lone` */
    bool random;           /* there are random torques */
} entry;

enum { SLOT_BITS = 22 }; /* low bits of an id; the other bits are a serial number, so that every id is unique */
static entry *table;
static size_t slots, alive;
static double serial;

/* ---- errors: the status QI_ERR_NAME becomes the identifier quatint:Name ---- */

static void identifier(qi_status status, char *text, size_t size)
{
    size_t length = (size_t)snprintf(text, size, "quatint:");
    bool capital = true;
    for (const char *c = qi_status_name(status) + strlen("QI_ERR_"); *c != '\0' && length + 1 < size; c++) {
        if (*c != '_') text[length++] = capital ? *c : (char)tolower(*c);
        capital = *c == '_';
    }
    text[length] = '\0';
}

/* M code counts from 1, the library's texts from 0: `omega[2]` becomes `omega(3)`, and [0][1] becomes (1, 2). Of a matrix the
 * texts give the place in memory: by rows, but for an inertia, which is symmetric and passed by columns. */
static void count_from_1(const char *from, char *to, size_t size)
{
    static const char *const MATRICES[] = {"`inertia", "`matrix", "`velocity_gradient"};
    enum { INERTIA = 0, MATRIX_COUNT = sizeof MATRICES / sizeof *MATRICES };
    size_t length = 0;
    for (const char *c = from; *c != '\0' && length + 1 < size;) {
        unsigned row = 0, column = 0;
        int read = 0, read_two = 0, matrix = MATRIX_COUNT;
        (void)sscanf(c, "[%u]%n[%u]%n", &row, &read, &column, &read_two);
        if (read == 0) {
            to[length++] = *c++;
            continue;
        }
        for (int m = 0; m < MATRIX_COUNT; m++) {
            const size_t name = strlen(MATRICES[m]);
            if ((size_t)(c - from) >= name && strncmp(c - name, MATRICES[m], name) == 0) matrix = m;
        }
        if (read_two == 0 && matrix < MATRIX_COUNT) {
            const unsigned place = row;
            row = matrix == INERTIA ? place%3 : place/3;
            column = matrix == INERTIA ? place/3 : place%3;
        }
        if (read_two == 0 && matrix == MATRIX_COUNT) length += (size_t)snprintf(to + length, size - length, "(%u)", row + 1);
        else length += (size_t)snprintf(to + length, size - length, "(%u, %u)", row + 1, column + 1);
        c += read_two > 0 ? read_two : read;
    }
    to[length < size ? length : size - 1] = '\0';
}

/* Raises an M error with the cause that the library gives: "after 7 steps: body 3: what is wrong". `place` is "body 3: ",
 * "row 2: " or "". */
static void raise_status(qi_status status, uint64_t steps, const char *place)
{
    char id[64], after[48] = "", cause[600];
    if (steps > 0) snprintf(after, sizeof after, "after %llu step%s: ", (unsigned long long)steps, steps == 1 ? "" : "s");
    identifier(status, id, sizeof id);
    count_from_1(qi_last_error_cause(), cause, sizeof cause);
    mexErrMsgIdAndTxt(id, "%s%s%s", after, place, cause);
}

/* "row 2: ", counted from 1; "" if there is only one item. */
static const char *numbered(const char *item, size_t index, size_t items)
{
    static char place[48];
    place[0] = '\0';
    if (items > 1) snprintf(place, sizeof place, "%s %lu: ", item, (unsigned long)index + 1);
    return place;
}

/* Checks the status of a call that came after this many steps. */
static void check_after(const entry *e, uint64_t steps, qi_status status)
{
    const size_t body = qi_last_error_body();
    if (status == QI_ERR_ORDER && e != NULL && e->asking)
        mexErrMsgIdAndTxt("quatint:Order", "the %s is in use: its own torque function cannot change it",
                          e->lone != NULL ? "body" : "ensemble");
    if (status < QI_OK) raise_status(status, steps, body == SIZE_MAX ? "" : numbered("body", body, e->count));
}

static void check(const entry *e, qi_status status) { check_after(e, 0, status); }

/* ---- arguments ---- */

static const double *real_numbers(const mxArray *a, const char *name)
{
    if (!mxIsDouble(a) || mxIsComplex(a) || mxIsSparse(a))
        mexErrMsgIdAndTxt("quatint:Type", "`%s` must be a full real matrix of class double, not %s%s", name,
                          mxIsSparse(a) ? "sparse " : mxIsComplex(a) ? "complex " : "", mxGetClassName(a));
    return mxGetPr(a);
}

static double number(const mxArray *a, const char *name)
{
    const double *x = real_numbers(a, name);
    if (mxGetNumberOfElements(a) != 1) mexErrMsgIdAndTxt("quatint:Size", "`%s` must be one number", name);
    return *x;
}

static uint64_t whole_number(const mxArray *a, const char *name)
{
    const double x = number(a, name);
    if (!(x >= 0 && x <= 9007199254740992.0 && x == floor(x)))
        mexErrMsgIdAndTxt("quatint:Invalid", "`%s` must be a whole number, 0 or greater, not %g", name, x);
    return (uint64_t)x;
}

static void wrong_size(const mxArray *a, const char *name, const char *must);
static void wrong_size_because(const mxArray *a, const char *name, const char *must, const char *why);

/* Whole numbers of class uint64, or of class double up to 2^53, packed. */
static const uint64_t *whole_numbers(const mxArray *a, size_t count, const char *name)
{
    char must[48];
    snprintf(must, sizeof must, count == 1 ? "one number" : "%lu numbers", (unsigned long)count);
    if (mxGetNumberOfElements(a) != count) wrong_size(a, name, must);
    if (mxIsUint64(a) && !mxIsComplex(a)) return mxGetData(a);
    const double *x = real_numbers(a, name);
    uint64_t *whole = mxMalloc((count + 1)*sizeof *whole);
    for (size_t i = 0; i < count; i++) {
        if (!(x[i] >= 0 && x[i] <= 9007199254740992.0 && x[i] == floor(x[i])))
            mexErrMsgIdAndTxt("quatint:Invalid", "`%s` must be whole, 0 or greater, and above 2^53 of class uint64, not %g", name, x[i]);
        whole[i] = (uint64_t)x[i];
    }
    return whole;
}

static void wrong_size(const mxArray *a, const char *name, const char *must)
{
    wrong_size_because(a, name, must, "");
}

static void wrong_size_because(const mxArray *a, const char *name, const char *must, const char *why)
{
    char is[128];
    size_t length = 0;
    for (size_t d = 0; d < (size_t)mxGetNumberOfDimensions(a) && length < sizeof is; d++)
        length += (size_t)snprintf(is + length, sizeof is - length, "%s%lu", d ? "-by-" : "", (unsigned long)mxGetDimensions(a)[d]);
    mexErrMsgIdAndTxt("quatint:Size", "`%s` must be %s, not %s%s", name, must, is, why);
}

/* Checks the size of an argument and returns its number of items. An item has `width` numbers: it is a row of a matrix, or a
 * 3-by-3 page if width is 9. One item is always accepted, as a row or a column. Otherwise the number of items must be
 * `count`, unless that is ANY. */
enum { ANY = -1 };
static size_t items(const mxArray *a, int width, double count, const char *name)
{
    const mwSize *size = mxGetDimensions(a);
    const size_t dimensions = (size_t)mxGetNumberOfDimensions(a), numbers = mxGetNumberOfElements(a);
    char must[64];
    real_numbers(a, name);
    if (width == 9) {
        if (size[0] == 3 && size[1] == 3 && dimensions <= 3) {
            const size_t pages = dimensions == 3 ? (size_t)size[2] : 1;
            if (pages == 1 || count == ANY || (double)pages == count) return pages;
        }
        if (count == ANY) snprintf(must, sizeof must, "3-by-3-by-n");
        else if (count <= 1) snprintf(must, sizeof must, "3-by-3");
        else snprintf(must, sizeof must, "3-by-3 or 3-by-3-by-%.0f", count);
    } else {
        if (dimensions == 2 && numbers == (size_t)width && (size[0] == 1 || size[1] == 1)) return 1;
        if (dimensions == 2 && (int)size[1] == width && (count == ANY || (double)size[0] == count)) return (size_t)size[0];
        if (count == ANY) snprintf(must, sizeof must, "n-by-%d", width);
        else snprintf(must, sizeof must, "%.0f-by-%d", count, width);
    }
    wrong_size(a, name, must);
    return 0;
}

/* The data pointer of a matrix. For an empty matrix it is a dummy address instead of NULL. */
static double *numbers(const mxArray *a)
{
    static double none;
    double *data = mxGetPr(a);
    return data != NULL ? data : &none;
}

/* Whether an argument is [], 0-by-0. */
static bool is_nothing(const mxArray *a) { return mxIsDouble(a) && mxGetM(a) == 0 && mxGetN(a) == 0; }

static int32_t frame(const mxArray *a)
{
    char name[8] = "";
    const bool is_text = mxIsChar(a) && mxGetString(a, name, sizeof name) == 0;
    if (is_text && strcmp(name, "world") == 0) return QI_FRAME_WORLD;
    if (!is_text || strcmp(name, "body") != 0) mexErrMsgIdAndTxt("quatint:Invalid", "`frame` must be 'world' or 'body'");
    return QI_FRAME_BODY;
}

static const double *vector(const mxArray *a, int width, const char *name)
{
    items(a, width, 1, name);
    return mxGetPr(a);
}

/* A list of bodies in M code: numbers that count from 1, a mask with an element for each body, or ':' for all bodies. Returns
 * their indices from 0; NULL: all. */
static const size_t *body_list(const entry *e, const mxArray *a, const char *name, size_t *n)
{
    const size_t given = mxGetNumberOfElements(a);
    size_t *indices = mxMalloc((given + 1)*sizeof *indices);
    char text[2];
    *n = 0;
    if (mxIsChar(a) && mxGetString(a, text, sizeof text) == 0 && text[0] == ':') {
        *n = e->count;
        return NULL;
    }
    if (mxIsLogical(a)) {
        const mxLogical *mask = mxGetLogicals(a);
        if (given != e->count)
            mexErrMsgIdAndTxt("quatint:Size", "`%s`, a mask, must have %lu elements, not %lu", name, (unsigned long)e->count,
                              (unsigned long)given);
        for (size_t i = 0; i < given; i++)
            if (mask[i]) indices[(*n)++] = i;
        return indices;
    }
    const double *numbers = real_numbers(a, name);
    for (size_t i = 0; i < given; i++) {
        if (!(numbers[i] >= 1 && numbers[i] <= (double)e->count && numbers[i] == floor(numbers[i])))
            mexErrMsgIdAndTxt("quatint:Invalid", "`%s` must be whole numbers from 1 to %lu; element %lu is %g", name,
                              (unsigned long)e->count, (unsigned long)i + 1, numbers[i]);
        indices[(*n)++] = (size_t)numbers[i] - 1;
    }
    return indices;
}

/* Creates a matrix to be written. When Octave takes over a matrix made by mxCreate..., it copies the matrix into newly mapped
 * memory. It does not copy a matrix made by one of its own functions, so `zeros` is called. For large matrices the copy
 * takes half of the time of a stage. */
static mxArray *new_matrix(size_t rows, size_t columns)
{
#ifdef octave_mex_h
    if (rows*columns >= 4096) {
        mxArray *made = NULL, *size[2] = {mxCreateDoubleScalar((double)rows), mxCreateDoubleScalar((double)columns)};
        mxArray *failed = mexCallMATLABWithTrap(1, &made, 2, size, "zeros");
        mxDestroyArray(size[0]);
        mxDestroyArray(size[1]);
        if (failed == NULL) return made;
    }
#endif
    return mxCreateUninitNumericMatrix(rows, columns, mxDOUBLE_CLASS, mxREAL);
}

/* converts columns, the layout of M code, to packed rows; to_columns converts back */
static void to_rows(size_t n, size_t width, const double *columns, double *rows)
{
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < width; c++) rows[width*i + c] = columns[n*c + i];
}

static void to_columns(size_t n, size_t width, const double *rows, double *columns)
{
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < width; c++) columns[n*c + i] = rows[width*i + c];
}

/* Returns a parameter for each body, packed, and the stride from body to body. If one parameter serves all bodies, it is 0. */
static const double *for_each_body(const entry *e, const mxArray *a, int width, const char *name, ptrdiff_t *stride)
{
    const size_t n = items(a, width, (double)e->count, name);
    const double *given = mxGetPr(a);
    *stride = n == 1 ? 0 : width;
    if (n <= 1 || width == 9 || width == 1) return given;
    double *rows = mxMalloc(n*(size_t)width*sizeof *rows);
    to_rows(n, (size_t)width, given, rows);
    return rows;
}

/* ---- the table of ensembles ---- */

static entry *find(const mxArray *id)
{
    const double number = mxIsDouble(id) && mxGetNumberOfElements(id) == 1 ? mxGetPr(id)[0] : 0;
    if (number > 0 && number < 9007199254740992.0) {
        const size_t slot = (size_t)fmod(number, 1 << SLOT_BITS);
        if (slot < slots && table[slot].ensemble != NULL && table[slot].id == number) return &table[slot];
    }
    return NULL;
}

static void destroy_lone(lone *l);

static void destroy_entry(entry *e)
{
    destroy_lone(e->lone);
    qi_destroy_ensemble(e->ensemble);
    free(e->pin);
    memset(e, 0, sizeof *e);
    alive--;
}

static void destroy_all(void)
{
    for (size_t slot = 0; slot < slots; slot++)
        if (table[slot].ensemble != NULL) destroy_entry(&table[slot]);
    free(table);
    table = NULL;
    slots = 0;
}

typedef struct command command;
typedef struct {
    const command *command;
    entry *entry; /* the ensemble named by the first argument, for commands on an ensemble */
    int outputs, inputs;
    mxArray **out;
    const mxArray **in; /* the arguments after the command and the ensemble */
} call;

static void create(call c)
{
    const uint64_t count = whole_number(c.in[0], "count");
    qi_status status = QI_OK;
    size_t slot = 0;
    if (qi_version_number() != QI_VERSION_NUMBER)
        mexErrMsgIdAndTxt("quatint:Version", "the library has version %s, but quatint_mex was built for another: run build_quatint",
                          qi_version_string());
    while (slot < slots && table[slot].ensemble != NULL) slot++;
    if (slot == slots) {
        const size_t more = slots == 0 ? 16 : 2*slots;
        entry *larger = more <= (size_t)1 << SLOT_BITS ? realloc(table, more*sizeof *table) : NULL;
        if (larger == NULL) mexErrMsgIdAndTxt("quatint:Memory", "too many ensembles");
        memset(larger + slots, 0, (more - slots)*sizeof *table);
        table = larger;
        slots = more;
    }
    mxArray *id = new_matrix(1, 1);
    qi_ensemble *ensemble = qi_create_ensemble((size_t)count, &status);
    if (ensemble == NULL) raise_status(status, 0, "");
    serial += 1;
    *mxGetPr(id) = serial*(1 << SLOT_BITS) + (double)slot;
    table[slot] = (entry){.ensemble = ensemble, .id = *mxGetPr(id), .count = count, .moving = count};
    if (alive++ == 0) mexLock(); /* so that `clear` does not unload the MEX file while ensembles exist */
    c.out[0] = id;
}

/* does nothing if the ensemble no longer exists */
static void destroy(call c)
{
    entry *e = find(c.in[0]);
    if (e == NULL) return;
    destroy_entry(e);
    if (alive == 0) mexUnlock();
}

static void count_alive(call c) { c.out[0] = mxCreateDoubleScalar((double)alive); }
static void version(call c) { c.out[0] = mxCreateString(qi_version_string()); }

/* ---- the table's columns ---- */

enum { MOST = 4 };
typedef qi_status (*getter)(const qi_ensemble *, double *, ptrdiff_t, ptrdiff_t);
typedef qi_status (*setter)(qi_ensemble *, const double *, ptrdiff_t, ptrdiff_t);
typedef qi_status (*rotation)(double in[MOST][9], const char *sequence, double out[2][9]);
struct command {
    const char *name;
    void (*run)(call);
    int inputs;      /* number of arguments after the command and the ensemble */
    bool on_ensemble;
    bool rotors;     /* the momentum of the rotors is added to what is read */
    bool always;     /* allowed while a function is evaluated for a body alone; so are those with `get` */
    int width;       /* numbers per body that are read or written */
    getter get;
    setter set;
    rotation rotate;
    struct { const char *name; int width; } in[MOST];
    int out[2];
    bool sequence;   /* there is one more input, the sequence of axes of Euler angles */
};

/* ---- properties of an ensemble ---- */

static qi_status kinetic_energies(const qi_ensemble *e, double *to, ptrdiff_t stride, ptrdiff_t unused)
{
    (void)unused;
    return qi_get_kinetic_energies(e, to, stride);
}

static void add_rotors(const entry *e, double *momentum);

static void get_rows(call c)
{
    const size_t n = c.entry->count;
    c.out[0] = new_matrix(n, (size_t)c.command->width);
    if (n > 0) check(c.entry, c.command->get(c.entry->ensemble, mxGetPr(c.out[0]), 1, (ptrdiff_t)n));
    if (c.command->rotors) add_rotors(c.entry, mxGetPr(c.out[0]));
}

static void set_rows(call c)
{
    const size_t n = items(c.in[0], c.command->width, (double)c.entry->count, c.command->in[0].name);
    const double *data = mxGetPr(c.in[0]);
    if (n == 1) check(c.entry, c.command->set(c.entry->ensemble, data, 0, 1)); /* one row for all bodies */
    else if (n > 0) check(c.entry, c.command->set(c.entry->ensemble, data, 1, (ptrdiff_t)n));
}

static void get_totals(call c)
{
    c.out[0] = new_matrix(1, (size_t)c.command->width);
    check(c.entry, c.command->get(c.entry->ensemble, mxGetPr(c.out[0]), 0, 0));
    if (c.command->rotors) add_rotors(c.entry, mxGetPr(c.out[0]));
}

static qi_status total_energy(const qi_ensemble *e, double *to, ptrdiff_t b, ptrdiff_t c)
{
    (void)b, (void)c;
    return qi_get_total_kinetic_energy(e, to);
}

static qi_status total_momentum(const qi_ensemble *e, double *to, ptrdiff_t b, ptrdiff_t c)
{
    (void)b, (void)c;
    return qi_get_total_angular_momentum(e, to);
}

static qi_status get_time(const qi_ensemble *e, double *to, ptrdiff_t b, ptrdiff_t c)
{
    (void)b, (void)c;
    return qi_get_ensemble_time(e, to);
}

/* ---- a body alone: error control and rotors ----
 *
 * The ensemble of a quatint.Body has a qi_body beside it, for what ensembles do not offer. Setters set both. The state is that
 * of the ensemble; `take_state` gives it to the body, bit for bit, unless the body has it already. So a splitting method keeps
 * the last torque from one call to the next.
 *
 * If M code has to evaluate a function (a torque or an event), the call of the library runs on a thread of its own. The two
 * threads take turns: one of them always waits. The library's thread touches nothing of MATLAB or Octave. After an error or
 * Ctrl-C in the function, 'cancel' lets the callback fail, and the call ends.
 */
#ifdef _WIN32
typedef SRWLOCK mutex;
typedef CONDITION_VARIABLE condition;
typedef HANDLE thread;
static void init(mutex *m, condition *c) { InitializeSRWLock(m), InitializeConditionVariable(c); }
static void uninit(mutex *m, condition *c) { (void)m, (void)c; }
static void lock(mutex *m) { AcquireSRWLockExclusive(m); }
static void unlock(mutex *m) { ReleaseSRWLockExclusive(m); }
static void wait_for(condition *c, mutex *m) { SleepConditionVariableSRW(c, m, INFINITE, 0); }
static void wake(condition *c) { WakeAllConditionVariable(c); }
static void join(thread t) { WaitForSingleObject(t, INFINITE), CloseHandle(t); }
#else
typedef pthread_mutex_t mutex;
typedef pthread_cond_t condition;
typedef pthread_t thread;
static void init(mutex *m, condition *c) { pthread_mutex_init(m, NULL), pthread_cond_init(c, NULL); }
static void uninit(mutex *m, condition *c) { pthread_mutex_destroy(m), pthread_cond_destroy(c); }
static void lock(mutex *m) { pthread_mutex_lock(m); }
static void unlock(mutex *m) { pthread_mutex_unlock(m); }
static void wait_for(condition *c, mutex *m) { pthread_cond_wait(c, m); }
static void wake(condition *c) { pthread_cond_broadcast(c); }
static void join(thread t) { pthread_join(t, NULL); }
#endif

typedef enum { STEPS, SOLVE, RECORD, UNTIL, ACTING_TORQUE, ACCELERATION } task;
typedef enum { NOTHING, TORQUE, EVENT } question;

typedef struct {
    double row[7], clock[2]; /* the orientation, the angular velocity in the body frame */
} state;

struct lone {
    qi_body *body;
    double rotors[3], motor[3];    /* their angular momentum, and the torque that drives them, body frame; between calls */
    double longest;                /* limits of error control; 0: none */
    uint64_t most;
    int32_t solve_method;
    bool function;                 /* the torque is an M function */
    state taken;                   /* the state of the ensemble that the body has; clock NaN: none */
    state before;                  /* the state of the body before `task` */

    task task;
    double dt, end, tolerance;     /* what `task` needs */
    uint64_t steps, earlier;       /* steps to take, and those that M code has taken in earlier calls */
    int32_t direction;
    size_t count;                  /* number of times, with a row of 8 numbers for each */
    double *times, *rows;

    qi_status status;              /* what came of it */
    uint64_t completed;
    size_t written;
    double present[3];             /* a vector at the present state, world frame */
    char cause[512];

    bool running;                  /* on the thread, between 'begin' or 'solve' and the end */
    bool cancelled;
    thread thread;
    mutex mutex;
    condition changed;
    question question;             /* what the thread waits for; NOTHING: it works, or has ended */
    bool ended;
    double time, q[4], omega[3], answer[3];
};

static lone *create_lone(void)
{
    const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    lone *l = calloc(1, sizeof *l);
    if (l == NULL) return NULL;
    l->body = qi_create_body(unit, NULL, NULL, NULL);
    if (l->body == NULL) {
        free(l);
        return NULL;
    }
    l->taken.clock[0] = NAN;
    init(&l->mutex, &l->changed);
    return l;
}

/* Makes an ensemble of one, just created, that of a quatint.Body. */
static void make_alone(call c)
{
    if (c.entry->lone != NULL || c.entry->count != 1) mexErrMsgIdAndTxt("quatint:Invalid", "this is not an ensemble of one body");
    c.entry->lone = create_lone();
    if (c.entry->lone == NULL) mexErrMsgIdAndTxt("quatint:Memory", "out of memory");
}

/* the library's thread: asks M code and waits for the answer; false: cancelled */
static bool ask(lone *l, question what, double time, const double *q, const double *omega)
{
    if (!l->running || l->cancelled) return false;
    lock(&l->mutex);
    l->time = time;
    memcpy(l->q, q, sizeof l->q);
    memcpy(l->omega, omega, sizeof l->omega);
    l->question = what;
    wake(&l->changed);
    while (l->question != NOTHING) wait_for(&l->changed, &l->mutex);
    unlock(&l->mutex);
    return !l->cancelled;
}

static int32_t ask_torque(double time, const double *q, const double *omega, double *torque, void *user_data)
{
    lone *l = user_data;
    if (!ask(l, TORQUE, time, q, omega)) return 1;
    memcpy(torque, l->answer, sizeof l->answer);
    return 0;
}

static double ask_event(double time, const double *q, const double *omega, void *user_data)
{
    lone *l = user_data;
    return ask(l, EVENT, time, q, omega) ? l->answer[0] : NAN;
}

static void carry_out(lone *l)
{
    l->completed = 0;
    l->written = 0;
    switch (l->task) {
    case STEPS: l->status = qi_advance(l->body, l->dt, l->steps, &l->completed); break;
    case SOLVE: l->status = qi_solve(l->body, l->end, l->tolerance, NULL); break;
    case RECORD: l->status = qi_solve_record(l->body, l->times, l->count, l->tolerance, l->rows, &l->written); break;
    case UNTIL: l->status = qi_solve_until(l->body, l->end, l->tolerance, ask_event, l->direction, l); break;
    case ACTING_TORQUE: l->status = qi_get_torque(l->body, l->present); break;
    case ACCELERATION: l->status = qi_get_angular_acceleration(l->body, l->present); break;
    }
    /* the last error is one of the thread */
    if (l->status < QI_OK) snprintf(l->cause, sizeof l->cause, "%s", qi_last_error_cause());
}

#ifdef _WIN32
static DWORD WINAPI run_lone(void *argument)
#else
static void *run_lone(void *argument)
#endif
{
    lone *l = argument;
    carry_out(l);
    lock(&l->mutex);
    l->ended = true;
    wake(&l->changed);
    unlock(&l->mutex);
    return 0;
}

static bool start_thread(lone *l)
{
#ifdef _WIN32
    l->thread = CreateThread(NULL, 0, run_lone, l, 0, NULL);
    return l->thread != NULL;
#else
    /* signals, such as that of Ctrl-C, are for the threads of MATLAB or Octave */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failed = pthread_create(&l->thread, NULL, run_lone, l);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return !failed;
#endif
}

/* Waits until the thread asks or has ended. Returns what it asks. */
static question wait_for_question(lone *l)
{
    lock(&l->mutex);
    while (l->question == NOTHING && !l->ended) wait_for(&l->changed, &l->mutex);
    const question what = l->question;
    unlock(&l->mutex);
    if (what == NOTHING) {
        join(l->thread);
        l->running = false;
    }
    return what;
}

static void answer(lone *l)
{
    lock(&l->mutex);
    l->question = NOTHING;
    wake(&l->changed);
    unlock(&l->mutex);
}

static void end_thread(lone *l)
{
    if (!l->running) return;
    l->cancelled = true;
    answer(l);
    wait_for_question(l); /* no more questions: the callbacks fail at once */
}

static void destroy_lone(lone *l)
{
    if (l == NULL) return;
    end_thread(l);
    qi_destroy_body(l->body);
    uninit(&l->mutex, &l->changed);
    free(l->times);
    free(l->rows);
    free(l);
}

static lone *lone_of(call c)
{
    if (c.entry->lone == NULL) mexErrMsgIdAndTxt("quatint:Invalid", "this is for a single body, not for an ensemble");
    return c.entry->lone;
}

static void refuse_lone(const entry *e)
{
    if (e->lone != NULL) mexErrMsgIdAndTxt("quatint:Invalid", "this is for ensembles: a Body is always one body");
}

static bool is_zero(const double *v) { return v[0] == 0 && v[1] == 0 && v[2] == 0; }
static bool uses_rotors(const entry *e) { return e->lone != NULL && !(is_zero(e->lone->rotors) && is_zero(e->lone->motor)); }
static void read_rotors(lone *l) { check(NULL, qi_get_rotor_momentum(l->body, l->rotors)); }

static void check_lone(qi_status status, const lone *l)
{
    const unsigned long long steps = l->task == STEPS ? l->earlier + l->completed : 0;
    char id[64];
    if (status >= QI_OK) return;
    identifier(status, id, sizeof id);
    if (steps == 0) mexErrMsgIdAndTxt(id, "%s", l->cause);
    mexErrMsgIdAndTxt(id, "after %llu step%s: %s", steps, steps == 1 ? "" : "s", l->cause);
}

static state state_of_ensemble(const entry *e)
{
    state s;
    check(e, qi_get_ensemble_rows(e->ensemble, QI_PART_STATE, NULL, 1, s.row));
    check(e, qi_get_ensemble_clock(e->ensemble, s.clock));
    return s;
}

static state state_of_body(const lone *l)
{
    state s;
    check(NULL, qi_get_orientation(l->body, s.row));
    check(NULL, qi_get_angular_velocity_body(l->body, s.row + 4));
    check(NULL, qi_get_clock(l->body, s.clock));
    return s;
}

/* Gives the state of the ensemble to the body. Raises an error in the middle of a step of the stage protocol. */
static void take_state(entry *e)
{
    lone *l = e->lone;
    const state s = state_of_ensemble(e);
    check(e, qi_set_ensemble_clock(e->ensemble, s.clock)); /* refused in the middle of a step */
    if (memcmp(&s, &l->taken, sizeof s) == 0) return;
    check(e, qi_set_state_body(l->body, s.row, s.row + 4));
    check(e, qi_set_clock(l->body, s.clock));
    l->taken = s;
}

/* Gives the state of the body to the ensemble. */
static void give_state(entry *e)
{
    const state s = state_of_body(e->lone);
    check(e, qi_set_ensemble_rows(e->ensemble, QI_PART_STATE, NULL, 1, s.row));
    check(e, qi_set_ensemble_clock(e->ensemble, s.clock));
    e->lone->taken = state_of_ensemble(e);
}

/* After the end of the call, on the thread or not: the ensemble takes the state; an error of the library is raised. */
static void conclude(entry *e)
{
    lone *l = e->lone;
    const state now = state_of_body(l);
    read_rotors(l); /* motors have driven them */
    if (memcmp(&now, &l->before, sizeof now) != 0) give_state(e);
    if (!l->cancelled) check_lone(l->status, l);
}

/* Gives the next question as a stage: [time, orientation, angularVelocity, isEvent]; time is [] at the end. */
static void give_question(call c, double *q_to, double *omega_to)
{
    lone *l = c.entry->lone;
    const question what = l->running ? wait_for_question(l) : NOTHING;
    if (what == NOTHING) conclude(c.entry);
    c.out[0] = what == NOTHING ? mxCreateDoubleMatrix(0, 0, mxREAL) : mxCreateDoubleScalar(l->time);
    if (c.outputs > 1) q_to = mxGetPr(c.out[1] = new_matrix(1, 4));
    if (c.outputs > 2) omega_to = mxGetPr(c.out[2] = new_matrix(1, 3));
    if (c.outputs > 3) c.out[3] = mxCreateLogicalScalar(what == EVENT);
    if (q_to != NULL) memcpy(q_to, l->q, sizeof l->q);
    if (omega_to != NULL) memcpy(omega_to, l->omega, sizeof l->omega);
}

/* Starts the call that `task` describes: here, or on the thread if M code has to answer. */
static void start(call c)
{
    lone *l = c.entry->lone;
    take_state(c.entry);
    l->before = state_of_body(l);
    l->cancelled = l->ended = false;
    l->question = NOTHING;
    if (l->function || l->task == UNTIL) {
        l->running = true;
        if (!start_thread(l)) {
            l->running = false;
            mexErrMsgIdAndTxt("quatint:Memory", "no thread could be started");
        }
    } else {
        carry_out(l);
    }
    give_question(c, NULL, NULL);
}

static void begin_lone(call c, double dt, uint64_t steps, uint64_t earlier)
{
    lone *l = c.entry->lone;
    l->task = STEPS;
    l->earlier = earlier;
    l->dt = dt;
    l->steps = steps;
    start(c);
}

static void supply_lone(call c, const double *torque, double *q, double *omega)
{
    lone *l = c.entry->lone;
    memcpy(l->answer, torque, sizeof l->answer);
    answer(l);
    give_question(c, q, omega);
}

static void solve(call c)
{
    lone *l = lone_of(c);
    const double *times = real_numbers(c.in[0], "times");
    const size_t count = mxGetNumberOfElements(c.in[0]);
    if (count == 0 || (mxGetM(c.in[0]) != 1 && mxGetN(c.in[0]) != 1)) wrong_size(c.in[0], "times", "one time or a vector of times");
    l->tolerance = number(c.in[1], "tolerance");
    if (count == 1) {
        l->task = SOLVE;
        l->end = times[0];
    } else {
        double *copy = malloc(count*sizeof *copy), *rows = malloc(8*count*sizeof *rows);
        if (copy == NULL || rows == NULL) {
            free(copy);
            free(rows);
            mexErrMsgIdAndTxt("quatint:Memory", "out of memory");
        }
        free(l->times);
        free(l->rows);
        memcpy(copy, times, count*sizeof *copy);
        l->task = RECORD;
        l->times = copy;
        l->rows = rows;
        l->count = count;
    }
    start(c);
}

/* [time, orientation, angularVelocity] of the last 'solve' */
static void solved_rows(call c)
{
    lone *l = lone_of(c);
    double row[8];
    const bool single = l->task != RECORD;
    const size_t n = single ? 1 : l->written;
    static const int first[3] = {0, 1, 5}, width[3] = {1, 4, 3};
    if (single) {
        check(c.entry, qi_get_time(l->body, row));
        check(c.entry, qi_get_orientation(l->body, row + 1));
        check(c.entry, qi_get_angular_velocity(l->body, row + 5));
    }
    for (int o = 0; o < 3 && (o == 0 || o < c.outputs); o++) {
        double *to = mxGetPr(c.out[o] = new_matrix(n, (size_t)width[o]));
        for (size_t i = 0; i < n; i++)
            for (int k = 0; k < width[o]; k++) to[(size_t)k*n + i] = (single ? row : l->rows + 8*i)[first[o] + k];
    }
    free(l->times);
    free(l->rows);
    l->times = l->rows = NULL;
    l->written = l->count = 0;
}

static void solve_until(call c)
{
    lone *l = lone_of(c);
    const double end = number(c.in[0], "endTime"), tolerance = number(c.in[1], "tolerance");
    const double direction = number(c.in[2], "direction");
    if (direction != QI_RISING && direction != QI_FALLING && direction != QI_ANY_CROSSING)
        mexErrMsgIdAndTxt("quatint:Invalid", "`direction` must be 1 (rising), -1 (falling) or 0 (any), not %g", direction);
    l->task = UNTIL;
    l->end = end;
    l->tolerance = tolerance;
    l->direction = (int32_t)direction;
    start(c);
}

/* [time, happened] of the last 'solve_until' */
static void solved_event(call c)
{
    lone *l = lone_of(c);
    double time = 0;
    check(c.entry, qi_get_time(l->body, &time));
    c.out[0] = mxCreateDoubleScalar(time);
    if (c.outputs > 1) c.out[1] = mxCreateLogicalScalar(l->status == QI_EVENT);
}

static void get_acting_torque(call c)
{
    lone_of(c)->task = ACTING_TORQUE;
    start(c);
}

static void get_acceleration(call c)
{
    lone_of(c)->task = ACCELERATION;
    start(c);
}

/* the vector of the last 'get_acting_torque' or 'get_acceleration' */
static void present_vector(call c)
{
    const lone *l = lone_of(c);
    memcpy(mxGetPr(c.out[0] = new_matrix(1, 3)), l->present, sizeof l->present);
}

/* [evaluations, accepted, rejected] */
static void solve_statistics(call c)
{
    uint64_t numbers[3] = {0, 0, 0};
    check(c.entry, qi_get_solve_statistics(lone_of(c)->body, &numbers[0], &numbers[1], &numbers[2]));
    double *to = mxGetPr(c.out[0] = new_matrix(1, 3));
    for (int k = 0; k < 3; k++) to[k] = (double)numbers[k];
}

static void set_rotors(call c)
{
    lone *l = c.entry->lone;
    if (l == NULL) { /* with [] the rotors are removed */
        static const double no_bodies[3] = {0, 0, 0};
        ptrdiff_t stride = 0;
        const double *momenta = NULL;
        if (!is_nothing(c.in[0])) momenta = for_each_body(c.entry, c.in[0], 3, "rotorMomentum", &stride);
        if (!is_nothing(c.in[0]) && c.entry->count == 0) momenta = no_bodies;
        check(c.entry, qi_set_ensemble_rotor_momentum(c.entry->ensemble, momenta, stride));
        c.entry->rotors = momenta != NULL;
        return;
    }
    const double *momentum = is_nothing(c.in[0]) ? NULL : vector(c.in[0], 3, "rotorMomentum");
    take_state(c.entry);
    check(c.entry, qi_set_rotor_momentum(l->body, momentum));
    read_rotors(l);
}

/* Of an ensemble they are the last 3 of the parameters, or before the 6 of random torques: N-by-3, or [] for none. */
static void get_rotors(call c)
{
    const entry *e = c.entry;
    if (e->lone != NULL || !e->rotors) {
        c.out[0] = e->lone != NULL ? new_matrix(1, 3) : mxCreateDoubleMatrix(0, 0, mxREAL);
        if (e->lone != NULL) memcpy(mxGetPr(c.out[0]), e->lone->rotors, sizeof e->lone->rotors);
        return;
    }
    const size_t n = e->count, width = qi_get_ensemble_row_size(e->ensemble, QI_PART_TORQUE);
    const size_t first = width - (e->random ? 9 : 3);
    double *rows = mxMalloc((n*width + 1)*sizeof *rows), *to = mxGetPr(c.out[0] = new_matrix(n, 3));
    check(e, qi_get_ensemble_rows(e->ensemble, QI_PART_TORQUE, NULL, n, rows));
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 3; k++) to[k*n + i] = rows[i*width + first + k];
    mxFree(rows);
}

static void set_motor(call c)
{
    lone *l = lone_of(c);
    const double *torque = is_nothing(c.in[0]) ? NULL : vector(c.in[0], 3, "rotorTorque");
    take_state(c.entry);
    check(c.entry, qi_set_rotor_torque(l->body, torque));
    check(NULL, qi_get_rotor_torque(l->body, l->motor));
}

static void get_motor(call c)
{
    memcpy(mxGetPr(c.out[0] = new_matrix(1, 3)), lone_of(c)->motor, 3*sizeof(double));
}

static void set_longest_step(call c)
{
    lone *l = lone_of(c);
    const double longest = number(c.in[0], "longestStep");
    check(c.entry, qi_set_solve_longest_step(l->body, longest));
    l->longest = longest;
}

static void set_most_evaluations(call c)
{
    lone *l = lone_of(c);
    const uint64_t most = whole_number(c.in[0], "mostEvaluations");
    check(c.entry, qi_set_solve_most_evaluations(l->body, most));
    l->most = most;
}

static void set_solve_method(call c)
{
    lone *l = lone_of(c);
    const int32_t method = (int32_t)whole_number(c.in[0], "solveMethod");
    check(c.entry, qi_set_solve_method(l->body, method));
    l->solve_method = method;
}

static void set_momenta(call c)
{
    if (!uses_rotors(c.entry)) {
        set_rows(c);
        return;
    }
    items(c.in[0], c.command->width, 1, c.command->in[0].name);
    take_state(c.entry);
    check(NULL, qi_set_angular_momentum(c.entry->lone->body, mxGetPr(c.in[0])));
    give_state(c.entry);
}

/* The angular momentum of an ensemble of one includes that of its rotors. */
static void add_rotors(const entry *e, double *momentum)
{
    double q[4], rotors[3];
    if (!uses_rotors(e)) return;
    check(e, qi_get_orientations(e->ensemble, q, 4, 1));
    check(e, qi_rotate(q, e->lone->rotors, rotors));
    for (int k = 0; k < 3; k++) momentum[k] += rotors[k];
}

/* ---- properties of an ensemble, some of which are also those of a body alone ---- */

static void set_time(call c) { check(c.entry, qi_set_ensemble_time(c.entry->ensemble, number(c.in[0], "time"))); }

static void set_threads(call c)
{
    check(c.entry, qi_set_ensemble_threads(c.entry->ensemble, (size_t)whole_number(c.in[0], "threads")));
}

/* The body alone is made anew, without torque and drag. M code sets these again. */
static void set_inertia(call c)
{
    ptrdiff_t stride;
    lone *l = c.entry->lone;
    qi_body *body = NULL;
    qi_status status = QI_OK;
    int32_t method = QI_METHOD_PCDM;
    const double *inertia = for_each_body(c.entry, c.in[0], 9, "inertia", &stride);
    if (l != NULL) {
        body = qi_create_body(inertia, NULL, NULL, &status);
        if (status == QI_ERR_MEMORY) raise_status(status, 0, "");
    }
    status = qi_set_inertias(c.entry->ensemble, inertia, stride);
    if (status != QI_OK) qi_destroy_body(body);
    check(c.entry, status);
    if (l == NULL) return;
    qi_get_ensemble_method(c.entry->ensemble, &method);
    qi_set_method(body, method);
    qi_set_rotor_momentum(body, l->rotors);
    qi_set_rotor_torque(body, l->motor);
    qi_set_solve_longest_step(body, l->longest);
    qi_set_solve_most_evaluations(body, l->most);
    qi_set_solve_method(body, l->solve_method);
    qi_destroy_body(l->body);
    l->body = body;
    l->function = false;
    l->taken.clock[0] = NAN;
}

/* Takes a list of bodies in ascending order. In earlier versions [] meant all bodies, so it is refused: it means no body in
 * lists that M code computes. */
static void set_active(call c)
{
    size_t n;
    if (is_nothing(c.in[0]))
        mexErrMsgIdAndTxt("quatint:Invalid", "`active` is []: assign ':' to let all bodies move, zeros(1, 0) to let none move");
    const size_t *indices = body_list(c.entry, c.in[0], "active", &n);
    for (size_t i = 1; indices != NULL && i < n; i++)
        if (indices[i] <= indices[i - 1])
            mexErrMsgIdAndTxt("quatint:Invalid", "`active` must be ascending: element %lu is %lu, after %lu", (unsigned long)i + 1,
                              (unsigned long)indices[i] + 1, (unsigned long)indices[i - 1] + 1);
    if (c.entry->lone != NULL && n == 0) mexErrMsgIdAndTxt("quatint:Invalid", "`active` must not be empty: a Body always moves");
    check(c.entry, qi_set_ensemble_active(c.entry->ensemble, indices, indices == NULL ? 0 : n));
    c.entry->moving = n;
}

/* ---- random torques, and what thermostats need ----
 *
 * Noise is drawn by the ensemble, also for a quatint.Body. The body alone has random torques too, so that it refuses what they
 * exclude: error control, and steps with rotors. */

/* (coefficients, kT, seed, flow); coefficients []: none */
static void set_langevin(call c)
{
    static const double no_bodies[3] = {0, 0, 0};
    entry *e = c.entry;
    ptrdiff_t stride = 0, flow_stride = 0;
    const bool removes = is_nothing(c.in[0]);
    const double *coefficients = NULL, *flow = NULL;
    double kt = 0;
    uint64_t seed = 0;
    if (!removes) {
        coefficients = for_each_body(e, c.in[0], 3, "coefficients", &stride);
        kt = number(c.in[1], "kT");
        seed = *whole_numbers(c.in[2], 1, "seed");
        if (!is_nothing(c.in[3])) flow = for_each_body(e, c.in[3], 3, "flow", &flow_stride);
        if (coefficients == NULL) coefficients = no_bodies;
    }
    check(e, qi_set_ensemble_langevin(e->ensemble, coefficients, stride, flow, flow_stride, kt, seed));
    if (e->lone != NULL) check(e, qi_set_langevin(e->lone->body, coefficients, flow, kt, seed, 0));
    e->random = !removes;
}

/* []: each its index from 0 */
static void set_ids(call c)
{
    const bool removes = is_nothing(c.in[0]) && c.entry->count > 0;
    check(c.entry, qi_set_ensemble_ids(c.entry->ensemble, removes ? NULL : whole_numbers(c.in[0], c.entry->count, "ids")));
}

static uint64_t *new_whole_numbers(mxArray **out, size_t count)
{
    *out = mxCreateNumericMatrix(count, 1, mxUINT64_CLASS, mxREAL);
    return mxGetData(*out);
}

/* In rows the 64 bits are those of a double. */
static void get_ids(call c)
{
    const size_t n = c.entry->count;
    double *rows = mxMalloc((n + 1)*sizeof *rows);
    check(c.entry, qi_get_ensemble_rows(c.entry->ensemble, QI_PART_ID, NULL, n, rows));
    uint64_t *to = new_whole_numbers(&c.out[0], n);
    if (n > 0) memcpy(to, rows, n*sizeof *rows);
}

static void set_noise(call c)
{
    check(c.entry, qi_set_ensemble_noise(c.entry->ensemble, *whole_numbers(c.in[0], 1, "noiseDraws")));
}

static void get_noise(call c) { check(c.entry, qi_get_ensemble_noise(c.entry->ensemble, new_whole_numbers(&c.out[0], 1))); }

static void thermalize(call c) { check(c.entry, qi_thermalize_ensemble(c.entry->ensemble, number(c.in[0], "duration"))); }

static void scale_momenta(call c) { check(c.entry, qi_scale_angular_momenta(c.entry->ensemble, number(c.in[0], "factor"))); }

static void get_degrees(call c)
{
    uint64_t degrees = 0;
    check(c.entry, qi_get_ensemble_degrees_of_freedom(c.entry->ensemble, &degrees));
    c.out[0] = mxCreateDoubleScalar((double)degrees);
}

/* ---- methods ---- */

static const struct {
    const char *name;
    int32_t number;
} METHODS[] = {
    {"pcdm", QI_METHOD_PCDM},
    {"cf4", QI_METHOD_CF4},
    {"splitting", QI_METHOD_SPLITTING},
    {"splitting4", QI_METHOD_SPLITTING_4},
    {"splitting6", QI_METHOD_SPLITTING_6},
    {"forcegradient", QI_METHOD_FORCE_GRADIENT},
    {"brownian", QI_METHOD_BROWNIAN},
};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

/* Compares a name with that of a method. Case does not matter, nor do underscores, hyphens and spaces. */
static bool is_named(const char *given, const char *name)
{
    for (; *given != '\0'; given++)
        if (strchr("_- ", *given) == NULL && tolower((unsigned char)*given) != *name++) return false;
    return *name == '\0';
}

static void refuse_method(const char *given)
{
    char names[128];
    size_t length = 0;
    for (size_t m = 0; m < METHOD_COUNT && length < sizeof names; m++)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s'%s'",
                                   m == 0 ? "" : m + 1 < METHOD_COUNT ? ", " : " or ", METHODS[m].name);
    mexErrMsgIdAndTxt("quatint:Invalid", "`method` must be %s, not %s", names, given);
}

/* A body alone takes steps of its own with rotors, and keeps a torque of its own. */
static void forget_torque(call c)
{
    check(c.entry, qi_forget_ensemble_torques(c.entry->ensemble));
    if (c.entry->lone != NULL) check(c.entry, qi_forget_torque(c.entry->lone->body));
}

static void set_method(call c)
{
    char name[24] = "", given[32];
    if (!mxIsChar(c.in[0])) refuse_method(mxGetClassName(c.in[0]));
    if (mxGetString(c.in[0], name, sizeof name) != 0) refuse_method("such a long name");
    for (size_t m = 0; m < METHOD_COUNT; m++) {
        if (!is_named(name, METHODS[m].name)) continue;
        check(c.entry, qi_set_ensemble_method(c.entry->ensemble, METHODS[m].number));
        if (c.entry->lone != NULL) check(c.entry, qi_set_method(c.entry->lone->body, METHODS[m].number));
        return;
    }
    snprintf(given, sizeof given, "'%s'", name);
    refuse_method(given);
}

static void get_method(call c)
{
    int32_t number = 0;
    check(c.entry, qi_get_ensemble_method(c.entry->ensemble, &number));
    for (size_t m = 0; m < METHOD_COUNT; m++)
        if (METHODS[m].number == number) c.out[0] = mxCreateString(METHODS[m].name);
}

/* ---- rows and populations ---- */

static const struct {
    const char *name;
    int32_t parts;
} PARTS[] = {
    {"state", QI_PART_STATE},
    {"inertia", QI_PART_INERTIA},
    {"torque", QI_PART_TORQUE},
    {"memory", QI_PART_MEMORY},
    {"id", QI_PART_ID},
    {"all", QI_PART_STATE | QI_PART_INERTIA | QI_PART_TORQUE | QI_PART_MEMORY},
};

static int32_t part_named(const mxArray *a)
{
    char name[16] = "";
    if (a != NULL && mxIsChar(a) && mxGetString(a, name, sizeof name) == 0)
        for (size_t p = 0; p < sizeof PARTS / sizeof *PARTS; p++)
            if (strcmp(name, PARTS[p].name) == 0) return PARTS[p].parts;
    mexErrMsgIdAndTxt("quatint:Invalid",
                      "`parts` must be 'state', 'inertia', 'torque', 'memory', 'id' or 'all', or a cell array of these");
    return 0;
}

static int32_t named_parts(const mxArray *a)
{
    int32_t parts = 0;
    if (!mxIsCell(a)) return part_named(a);
    for (size_t i = 0; i < mxGetNumberOfElements(a); i++) parts |= part_named(mxGetCell(a, i));
    return parts;
}

static void row_size(call c)
{
    c.out[0] = mxCreateDoubleScalar((double)qi_get_ensemble_row_size(c.entry->ensemble, named_parts(c.in[0])));
}

static double *room_for_rows(size_t rows, size_t width)
{
    if (width > 0 && rows > SIZE_MAX/sizeof(double)/width - 1) mexErrMsgIdAndTxt("quatint:Memory", "out of memory");
    return mxMalloc((rows*width + 1)*sizeof(double));
}

/* Goes in pieces that stay in the cache: twice as fast as one piece for a million bodies. */
static void get_body_rows(call c)
{
    enum { PIECE = 512 };
    size_t n, piece[PIECE];
    const int32_t parts = named_parts(c.in[0]);
    const size_t *bodies = body_list(c.entry, c.in[1], "bodies", &n);
    const size_t width = qi_get_ensemble_row_size(c.entry->ensemble, parts);
    double *rows = room_for_rows(PIECE, width);
    c.out[0] = new_matrix(n, width);
    double *columns = mxGetPr(c.out[0]);
    for (size_t first = 0; first < n; first += PIECE) {
        const size_t count = n - first < PIECE ? n - first : PIECE;
        for (size_t i = 0; i < count; i++) piece[i] = bodies != NULL ? bodies[first + i] : first + i;
        check(c.entry, qi_get_ensemble_rows(c.entry->ensemble, parts, piece, count, rows));
        for (size_t k = 0; k < width; k++)
            for (size_t i = 0; i < count; i++) columns[n*k + first + i] = rows[width*i + k];
    }
}

/* The inertia and the torque of a body alone are also in its qi_body, which takes no rows. So rows can only repeat them. */
static void check_repeats(const entry *e, int32_t parts, const double *row)
{
    enum { PARAMETERS = QI_PART_INERTIA | QI_PART_TORQUE };
    if ((parts & PARAMETERS) == 0) return;
    const size_t width = qi_get_ensemble_row_size(e->ensemble, parts & PARAMETERS);
    double *now = room_for_rows(1, width);
    check(e, qi_get_ensemble_rows(e->ensemble, parts & PARAMETERS, NULL, 1, now));
    if (memcmp(now, row + qi_get_ensemble_row_size(e->ensemble, parts & QI_PART_STATE), width*sizeof *now) != 0)
        mexErrMsgIdAndTxt("quatint:Invalid", "the rows have another inertia or torque than the body: assign these properties");
}

/* One row serves all of the bodies. */
static void set_body_rows(call c)
{
    size_t n;
    const int32_t parts = named_parts(c.in[0]);
    const size_t *bodies = body_list(c.entry, c.in[1], "bodies", &n);
    const size_t width = qi_get_ensemble_row_size(c.entry->ensemble, parts);
    const double *given = real_numbers(c.in[2], "rows");
    const bool fits = mxGetNumberOfDimensions(c.in[2]) == 2 && mxGetN(c.in[2]) == width;
    const bool single = fits && mxGetM(c.in[2]) == 1;
    if (!single && !(fits && mxGetM(c.in[2]) == n)) {
        char must[64];
        snprintf(must, sizeof must, "%lu-by-%lu", (unsigned long)n, (unsigned long)width);
        wrong_size_because(c.in[2], "rows", must, ". Are parts, torque, drag, rotors, random torques and method those of the ensemble "
                           "that wrote the rows?");
    }
    double *rows = room_for_rows(n, width);
    if (single)
        for (size_t i = 0; i < n && width > 0; i++) memcpy(rows + width*i, given, width*sizeof *rows);
    else to_rows(n, width, given, rows);
    for (size_t i = 0; i < n && c.entry->lone != NULL; i++) check_repeats(c.entry, parts, rows + width*i);
    check(c.entry, qi_set_ensemble_rows(c.entry->ensemble, parts, bodies, n, rows));
    if (c.entry->lone != NULL) c.entry->lone->taken.clock[0] = NAN;
}

/* Angular velocities in the body frame, as the library keeps them: by way of rows with the state. */
static qi_status get_omega_body(const qi_ensemble *e, double *to, ptrdiff_t body_stride, ptrdiff_t component_stride)
{
    const ptrdiff_t n = (ptrdiff_t)qi_get_ensemble_count(e);
    double *rows = room_for_rows((size_t)n, 7);
    const qi_status status = qi_get_ensemble_rows(e, QI_PART_STATE, NULL, (size_t)n, rows);
    for (ptrdiff_t i = 0; i < n && status == QI_OK; i++)
        for (ptrdiff_t c = 0; c < 3; c++) to[i*body_stride + c*component_stride] = rows[7*i + 4 + c];
    return status;
}

static qi_status set_omega_body(qi_ensemble *e, const double *from, ptrdiff_t body_stride, ptrdiff_t component_stride)
{
    const ptrdiff_t n = (ptrdiff_t)qi_get_ensemble_count(e);
    double *rows = room_for_rows((size_t)n, 7);
    const qi_status status = qi_get_ensemble_rows(e, QI_PART_STATE, NULL, (size_t)n, rows);
    if (status != QI_OK) return status;
    for (ptrdiff_t i = 0; i < n; i++)
        for (ptrdiff_t c = 0; c < 3; c++) rows[7*i + 4 + c] = from[i*body_stride + c*component_stride];
    return qi_set_ensemble_rows(e, QI_PART_STATE, NULL, (size_t)n, rows);
}

static void count_anew(entry *e)
{
    e->count = e->moving = qi_get_ensemble_count(e->ensemble);
    free(e->pin); /* of a size for the earlier count */
    e->pin = NULL;
}

static void resize(call c)
{
    const uint64_t count = whole_number(c.in[0], "count");
    refuse_lone(c.entry);
    if (count > SIZE_MAX) mexErrMsgIdAndTxt("quatint:Memory", "out of memory");
    check(c.entry, qi_resize_ensemble(c.entry->ensemble, (size_t)count));
    count_anew(c.entry);
}

/* Returns the number of bodies. */
static void select_bodies(call c)
{
    size_t n;
    refuse_lone(c.entry);
    const size_t *from = body_list(c.entry, c.in[0], "from", &n);
    if (from != NULL) check(c.entry, qi_select_bodies(c.entry->ensemble, from, n));
    if (from != NULL) count_anew(c.entry);
    c.out[0] = mxCreateDoubleScalar((double)c.entry->count);
}

static qi_status get_clock(const qi_ensemble *e, double *to, ptrdiff_t b, ptrdiff_t c)
{
    (void)b, (void)c;
    return qi_get_ensemble_clock(e, to);
}

static void set_clock(call c) { check(c.entry, qi_set_ensemble_clock(c.entry->ensemble, vector(c.in[0], 2, "clock"))); }

static void set_principal_inertias(call c)
{
    refuse_lone(c.entry); /* M code sets the inertia of a body alone */
    set_rows(c);
}

/* ---- exact sums: int64, 68-by-k, a column for each sum ---- */

static int64_t *new_sums(mxArray **out, size_t sums)
{
    *out = mxCreateNumericMatrix(QI_SUM_SIZE, sums, mxINT64_CLASS, mxREAL);
    return mxGetData(*out);
}

static void check_sum(qi_status status)
{
    if (status < QI_OK) raise_status(status, 0, "");
}

static size_t sums_in(const mxArray *a)
{
    if (!mxIsInt64(a)) mexErrMsgIdAndTxt("quatint:Type", "`sums` must be of class int64, not %s", mxGetClassName(a));
    if (mxGetNumberOfDimensions(a) != 2 || mxGetM(a) != QI_SUM_SIZE) wrong_size(a, "sums", "68-by-k");
    return mxGetN(a);
}

static void energy_sums(call c) { check(c.entry, qi_get_kinetic_energy_sums(c.entry->ensemble, new_sums(&c.out[0], 1))); }

static void momentum_sums(call c)
{
    int64_t *sums = new_sums(&c.out[0], 3);
    double rotors[3] = {0, 0, 0};
    check(c.entry, qi_get_angular_momentum_sums(c.entry->ensemble, sums));
    add_rotors(c.entry, rotors);
    for (int k = 0; k < 3; k++) check_sum(qi_add_to_sum(sums + k*QI_SUM_SIZE, &rotors[k], 1));
}

/* Adds each column of values to the sum in the same column. */
static void add_to_sums(call c)
{
    const size_t sums = sums_in(c.in[0]), given = mxGetNumberOfElements(c.in[1]);
    const double *values = real_numbers(c.in[1], "values");
    char must[64];
    snprintf(must, sizeof must, "n-by-%lu", (unsigned long)sums);
    if (sums != 1 && (mxGetNumberOfDimensions(c.in[1]) != 2 || mxGetN(c.in[1]) != sums)) wrong_size(c.in[1], "values", must);
    const size_t n = sums == 0 ? 0 : given/sums;
    int64_t *to = new_sums(&c.out[0], sums);
    memcpy(to, mxGetData(c.in[0]), sums*QI_SUM_SIZE*sizeof *to);
    for (size_t k = 0; k < sums; k++) check_sum(qi_add_to_sum(to + k*QI_SUM_SIZE, values + k*n, n));
}

static void values_of_sums(call c)
{
    const size_t sums = sums_in(c.in[0]);
    c.out[0] = new_matrix(1, sums);
    for (size_t k = 0; k < sums; k++)
        check_sum(qi_get_sum((const int64_t *)mxGetData(c.in[0]) + k*QI_SUM_SIZE, mxGetPr(c.out[0]) + k));
}

/* ---- torques ---- */

/* Sets a torque of the ensemble, and that of the body alone. */
static void set_both(const entry *e, qi_status of_ensemble, bool function)
{
    check(e, of_ensemble);
    if (e->lone != NULL) e->lone->function = function;
}
#define ALONE(c, call) if ((c).entry->lone != NULL) check((c).entry, call)
#define BODY(c) ((c).entry->lone->body)

static void no_torque(call c)
{
    set_both(c.entry, qi_set_ensemble_torque(c.entry->ensemble, NULL, QI_LAYOUT_AOS, QI_FRAME_WORLD, NULL), false);
    ALONE(c, qi_set_torque(BODY(c), NULL, NULL));
}

/* The ensemble has no torque of its own then: M code evaluates the function by the stage protocol. */
static void function_torque(call c)
{
    set_both(c.entry, qi_set_ensemble_torque(c.entry->ensemble, NULL, QI_LAYOUT_AOS, QI_FRAME_WORLD, NULL), true);
    ALONE(c, qi_set_torque(BODY(c), ask_torque, c.entry->lone));
}

static void constant_torque(call c)
{
    ptrdiff_t stride;
    const double *torques = for_each_body(c.entry, c.in[0], 3, "torque", &stride);
    const int32_t of = frame(c.in[1]);
    set_both(c.entry, qi_set_ensemble_constant_torque(c.entry->ensemble, torques, stride, of), false);
    ALONE(c, qi_set_constant_torque(BODY(c), torques, of));
}

static void uniform_field(call c)
{
    ptrdiff_t stride;
    const double *vectors = for_each_body(c.entry, c.in[0], 3, "vectorBody", &stride);
    const double *field = vector(c.in[1], 3, "fieldWorld");
    set_both(c.entry, qi_set_ensemble_uniform_field_torque(c.entry->ensemble, vectors, stride, field), false);
    ALONE(c, qi_set_uniform_field_torque(BODY(c), vectors, field));
}

static void gravity_gradient(call c)
{
    ptrdiff_t stride;
    const double *direction = vector(c.in[0], 3, "directionWorld");
    const double *gradients = for_each_body(c.entry, c.in[1], 1, "gradient", &stride);
    set_both(c.entry, qi_set_ensemble_gravity_gradient_torque(c.entry->ensemble, direction, gradients, stride), false);
    ALONE(c, qi_set_gravity_gradient_torque(BODY(c), direction, gradients[0]));
}

static void linear_drag(call c)
{
    ptrdiff_t stride;
    const double *coefficients = for_each_body(c.entry, c.in[0], 3, "coefficients", &stride);
    set_both(c.entry, qi_set_ensemble_linear_drag_torque(c.entry->ensemble, coefficients, stride), false);
    ALONE(c, qi_set_linear_drag_torque(BODY(c), coefficients));
}

static void shear_flow(call c)
{
    ptrdiff_t stride;
    double gradient[9]; /* row-major */
    const double *axes = for_each_body(c.entry, c.in[0], 3, "semiAxes", &stride);
    const double viscosity = number(c.in[1], "viscosity");
    to_columns(3, 3, vector(c.in[2], 9, "velocityGradient"), gradient);
    set_both(c.entry, qi_set_ensemble_shear_flow_torque(c.entry->ensemble, axes, stride, viscosity, gradient), false);
    ALONE(c, qi_set_shear_flow_torque(BODY(c), axes, viscosity, gradient));
}

/* ---- drag ---- */

/* With [] as the coefficients the drag is removed; with [] as the flow the fluid is at rest. */
static void set_drag(call c)
{
    ptrdiff_t stride = 0, flow_stride = 0;
    const double *coefficients = NULL, *flow = NULL;
    if (!is_nothing(c.in[0])) coefficients = for_each_body(c.entry, c.in[0], 3, "coefficients", &stride);
    if (!is_nothing(c.in[1])) flow = for_each_body(c.entry, c.in[1], 3, "flow", &flow_stride);
    check(c.entry, qi_set_ensemble_drag(c.entry->ensemble, coefficients, stride, flow, flow_stride));
    ALONE(c, qi_set_drag(BODY(c), coefficients, flow));
}

/* ---- steps ---- */

static void advance(call c)
{
    const double dt = number(c.in[0], "dt");
    const uint64_t steps = whole_number(c.in[1], "steps");
    const uint64_t before = whole_number(c.in[2], "before"); /* steps that M code has taken in earlier calls */
    uint64_t completed = 0;
    if (uses_rotors(c.entry)) {
        begin_lone(c, dt, steps, before);
        return;
    }
    const qi_status status = steps == 1 ? qi_step_ensemble(c.entry->ensemble, dt)
                                        : qi_advance_ensemble(c.entry->ensemble, dt, steps, &completed);
    check_after(c.entry, before + completed, status);
}

/* The time of the next stage; an empty matrix if all steps are taken. */
static mxArray *stage_time(const entry *e, qi_status status, double time)
{
    check(e, status);
    return status == QI_NEED_TORQUE ? mxCreateDoubleScalar(time) : mxCreateDoubleMatrix(0, 0, mxREAL);
}

/* Returns [time, orientation, angularVelocity] of the next stage. If `supplied`, `torque` is that of the last stage. */
static void give_stage(call c, bool supplied, const double *torque)
{
    mxArray *q = new_matrix(c.entry->moving, 4), *omega = new_matrix(c.entry->moving, 3);
    qi_ensemble *e = c.entry->ensemble;
    double time = 0;
    const qi_status status = supplied ? qi_continue_ensemble_step(e, torque, &time, numbers(q), numbers(omega))
                                      : qi_next_ensemble_stage(e, &time, numbers(q), numbers(omega));
    c.entry->asking = status == QI_NEED_TORQUE;
    c.out[0] = stage_time(c.entry, status, time);
    if (c.outputs > 1) c.out[1] = q;
    if (c.outputs > 2) c.out[2] = omega;
}

/* glibc returns large blocks to the system as soon as they are freed. Every stage would then allocate its matrices in new
 * pages, and mapping these takes a third of the time of a step. Two measures prevent that. First, allocating and freeing a
 * large block raises the threshold above which glibc returns blocks. Second, glibc cannot return free memory that lies below
 * an allocated block: the `pin`. The blocks are never written, so they take almost no physical memory. */
static void keep_pages(entry *e)
{
#ifdef __GLIBC__
    enum { BLOCK = 30000000, BLOCKS = 32 }; /* bytes; glibc raises its threshold up to 32 MiB */
    const double needed = 24.0*sizeof(double)*(double)e->moving/BLOCK; /* 24 columns: as many as a torque function may hold */
    const int many = needed < BLOCKS - 1 ? (int)needed : BLOCKS - 1;
    void *volatile block[BLOCKS] = {malloc(BLOCK)};
    free(block[0]);
    if (many == 0 || e->pin != NULL) return;
    for (int i = 0; i <= many; i++) block[i] = malloc(BLOCK);
    /* shrinks in place, behind the other blocks; a smaller pin would not merge with them when it is freed */
    e->pin = realloc(block[many], 4096);
    for (int i = 0; i < many; i++) free(block[i]);
#else
    (void)e;
#endif
}

static void begin(call c)
{
    const entry *e = c.entry;
    const double dt = number(c.in[0], "dt");
    const uint64_t steps = whole_number(c.in[1], "steps");
    if (uses_rotors(c.entry)) {
        begin_lone(c, dt, steps, 0);
        return;
    }
    keep_pages(c.entry);
    check(e, qi_set_ensemble_stage_layout(e->ensemble, QI_LAYOUT_SOA));
    check(e, qi_begin_ensemble_steps(e->ensemble, dt, steps));
    give_stage(c, false, NULL);
}

/* The torques of n bodies, in columns. */
static const double *given_torque(const mxArray *given, size_t n)
{
    real_numbers(given, "torque");
    if (mxGetNumberOfElements(given) != 3*n || (n != 1 && (mxGetN(given) != 3 || mxGetM(given) != n))) {
        char must[64];
        snprintf(must, sizeof must, "%lu-by-3", (unsigned long)n);
        wrong_size(given, "torque", must);
    }
    return numbers(given);
}

static bool runs(const entry *e) { return e->lone != NULL && e->lone->running; }

static void supply(call c)
{
    if (runs(c.entry) && c.entry->lone->question == EVENT) {
        const double value[3] = {number(c.in[0], "event"), 0, 0};
        supply_lone(c, value, NULL, NULL);
        return;
    }
    const double *torque = given_torque(c.in[0], c.entry->moving);
    if (runs(c.entry)) supply_lone(c, torque, NULL, NULL);
    else give_stage(c, true, torque);
}

/* The data pointer of an M variable that holds the last stage. */
static double *stage_variable(const mxArray *a, size_t elements, const char *name)
{
    real_numbers(a, name);
    if (mxGetNumberOfElements(a) != elements) wrong_size(a, name, "of the last stage");
    return mxGetPr(a);
}

/* The same, but writes the next stage into the variables that held the last one. See `inPlace` in Ensemble.m. */
static void supply_in_place(call c)
{
    const size_t n = c.entry->moving;
    double *q = stage_variable(c.in[1], 4*n, "q"), *omega = stage_variable(c.in[2], 3*n, "omega"), time = 0;
    const double *torque = given_torque(c.in[0], c.entry->moving);
    if (runs(c.entry)) {
        supply_lone(c, torque, q, omega);
        return;
    }
    const qi_status status = qi_continue_ensemble_step(c.entry->ensemble, torque, &time, q, omega);
    c.entry->asking = status == QI_NEED_TORQUE;
    c.out[0] = stage_time(c.entry, status, time);
}

/* Writes 1 to the caller's variable. The caller tests whether the write took effect. */
static void write_one(call c)
{
    if (mxGetNumberOfElements(c.in[0]) > 0) ((double *)real_numbers(c.in[0], "variable"))[0] = 1;
}

/* does nothing if the ensemble no longer exists */
static void cancel(call c)
{
    entry *e = find(c.in[0]);
    if (e == NULL) return;
    qi_cancel_ensemble_step(e->ensemble);
    e->asking = false;
    if (!runs(e)) return;
    end_thread(e->lone);
    conclude(e);
}

/* ---- kicks and drifts ---- */

/* The torques of a kick: of all bodies, active or not. For [] one torque for all, of zero. */
static const double *kick_torque(const entry *e, const mxArray *given, ptrdiff_t strides[2])
{
    static const double none[3] = {0, 0, 0};
    strides[0] = is_nothing(given) ? 0 : 1;
    strides[1] = is_nothing(given) ? 1 : (ptrdiff_t)e->count;
    return is_nothing(given) ? none : given_torque(given, e->count);
}

static void kick(call c)
{
    const double duration = number(c.in[0], "duration");
    ptrdiff_t strides[2];
    const double *torque = kick_torque(c.entry, c.in[1], strides);
    check(c.entry, qi_kick_ensemble(c.entry->ensemble, duration, torque, strides[0], strides[1], frame(c.in[2])));
}

static void drift(call c)
{
    const double duration = number(c.in[0], "duration");
    if (!uses_rotors(c.entry)) {
        check(c.entry, qi_drift_ensemble(c.entry->ensemble, duration));
        return;
    }
    take_state(c.entry);
    check(c.entry, qi_drift(c.entry->lone->body, duration));
    read_rotors(c.entry->lone);
    if (duration != 0) give_state(c.entry);
}

/* Returns the predicted angular velocities, if there is an output. They are written to a new matrix, which is bound for this
 * call only. An error is raised when it is no longer bound: the interpreter frees the matrix then. */
static void kick_drift(call c)
{
    qi_ensemble *e = c.entry->ensemble;
    const ptrdiff_t n = (ptrdiff_t)c.entry->count;
    const double kick_for = number(c.in[0], "kick"), drift_for = number(c.in[1], "drift");
    ptrdiff_t strides[2];
    const double *torque = kick_torque(c.entry, c.in[2], strides);
    const int32_t of = frame(c.in[3]);
    const double ahead = is_nothing(c.in[4]) ? drift_for/2 : number(c.in[4], "ahead");
    const bool predicts = c.outputs > 0 && n > 0;
    if (uses_rotors(c.entry)) mexErrMsgIdAndTxt("quatint:Invalid", "a body with rotors has no kickDrift: use kick and drift");
    if (c.outputs > 0) c.out[0] = new_matrix(c.entry->count, 3);
    if (predicts) {
        keep_pages(c.entry);
        /* bodies that are not active keep theirs */
        if (c.entry->moving < c.entry->count) check(c.entry, qi_get_angular_velocities(e, mxGetPr(c.out[0]), 1, n));
        check(c.entry, qi_bind_predicted_velocities(e, mxGetPr(c.out[0]), 1, n, ahead));
    }
    const qi_status status = qi_kick_drift_ensemble(e, kick_for, drift_for, torque, strides[0], strides[1], of);
    if (predicts) qi_bind_predicted_velocities(e, NULL, 0, 0, 0);
    check(c.entry, status); /* a call that succeeds, as the one before, does not change the last error */
}

/* ---- rotations, row by row; matrices of M code are column-major ---- */

#define ADAPT(name, call) \
    static qi_status name(double in[MOST][9], const char *sequence, double out[2][9]) \
    { \
        (void)sequence; \
        return call; \
    }
ADAPT(rotate, qi_rotate(in[0], in[1], out[0]))
ADAPT(rotate_inverse, qi_rotate_inverse(in[0], in[1], out[0]))
ADAPT(from_axis_angle, qi_orientation_from_axis_angle(in[0], in[1][0], out[0]))
ADAPT(to_axis_angle, qi_orientation_to_axis_angle(in[0], out[0], out[1]))
ADAPT(from_rotation_vector, qi_orientation_from_rotation_vector(in[0], out[0]))
ADAPT(to_rotation_vector, qi_orientation_to_rotation_vector(in[0], out[0]))
ADAPT(from_euler, qi_orientation_from_euler(in[0], sequence, out[0]))
ADAPT(to_euler, qi_orientation_to_euler(in[0], sequence, out[0]))
ADAPT(product, qi_orientation_product(in[0], in[1], out[0]))
ADAPT(inverse, qi_orientation_inverse(in[0], out[0]))
ADAPT(slerp, qi_orientation_slerp(in[0], in[1], in[2][0], out[0]))
ADAPT(angle, qi_orientation_angle(in[0], in[1], out[0]))

ADAPT(body_torque, qi_add_body_torque(in[0], in[1], out[0]))
ADAPT(uniform_field_torque, qi_add_uniform_field_torque(in[0], in[1], in[2], out[0]))
ADAPT(gravity_gradient_torque, qi_add_gravity_gradient_torque(in[0], in[1], in[2], in[3][0], out[0]))
ADAPT(linear_drag_torque, qi_add_linear_drag_torque(in[0], in[1], in[2], in[3], out[0]))
ADAPT(shear_flow_resistances, qi_get_shear_flow_resistances(in[0], in[1][0], out[0]))

static qi_status shear_flow_torque(double in[MOST][9], const char *s, double out[2][9])
{
    double gradient[9];
    (void)s;
    to_rows(3, 3, in[3], gradient);
    return qi_add_shear_flow_torque(in[0], in[1], in[2], gradient, out[0]);
}

static qi_status from_matrix(double in[MOST][9], const char *s, double out[2][9])
{
    double rows[9];
    (void)s;
    to_rows(3, 3, in[0], rows);
    return qi_orientation_from_matrix(rows, out[0]);
}

static qi_status to_matrix(double in[MOST][9], const char *s, double out[2][9])
{
    double rows[9];
    (void)s;
    const qi_status status = qi_orientation_to_matrix(in[0], rows);
    to_columns(3, 3, rows, out[0]);
    return status;
}

/* Index of component `c` of item `i` of `n`, where an item is a row, or a page of 9 numbers. */
static size_t place(size_t i, size_t c, size_t n, int width) { return width == 9 ? 9*i + c : c*n + i; }

static void rotations(call c)
{
    const command *how = c.command;
    size_t given[MOST] = {1, 1, 1, 1}, n = 1;
    char sequence[8] = "";
    const double *from[MOST];
    double *to[2] = {NULL, NULL}, in[MOST][9], out[2][9];
    int inputs = 0;

    for (; inputs < MOST && how->in[inputs].name != NULL; inputs++) {
        given[inputs] = items(c.in[inputs], how->in[inputs].width, ANY, how->in[inputs].name);
        from[inputs] = mxGetPr(c.in[inputs]);
        if (given[inputs] == 1) continue;
        if (n != 1 && n != given[inputs])
            mexErrMsgIdAndTxt("quatint:Size", "`%s` has %lu rows, what is before it %lu", how->in[inputs].name,
                              (unsigned long)given[inputs], (unsigned long)n);
        n = given[inputs];
    }
    if (how->sequence && (!mxIsChar(c.in[inputs]) || mxGetString(c.in[inputs], sequence, sizeof sequence) != 0))
        mexErrMsgIdAndTxt("quatint:Invalid", "`sequence` must be three axes, such as 'ZXZ' or 'xyz'");
    for (int o = 0; o < 2 && how->out[o] > 0 && (o == 0 || o < c.outputs); o++) {
        const mwSize pages[3] = {3, 3, n};
        c.out[o] = how->out[o] == 9 ? mxCreateNumericArray(3, pages, mxDOUBLE_CLASS, mxREAL) : new_matrix(n, (size_t)how->out[o]);
        to[o] = mxGetPr(c.out[o]);
    }
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < inputs; k++)
            for (int j = 0; j < how->in[k].width; j++)
                in[k][j] = from[k][place(given[k] == 1 ? 0 : i, (size_t)j, given[k], how->in[k].width)];
        memset(out, 0, sizeof out); /* helpers for torques add to it */
        const qi_status status = how->rotate(in, sequence, out);
        if (status != QI_OK) raise_status(status, 0, numbered("row", i, n));
        for (int o = 0; o < 2 && to[o] != NULL; o++)
            for (int j = 0; j < how->out[o]; j++) to[o][place(i, (size_t)j, n, how->out[o])] = out[o][j];
    }
}

/* ---- the commands ---- */

#define ON_ENSEMBLE .on_ensemble = true
#define ROTATION .run = rotations
#define ORIENTATION {"orientation", 4}

static const command COMMANDS[] = {
    {"advance", advance, 3, ON_ENSEMBLE},
    {"begin", begin, 2, ON_ENSEMBLE},
    {"supply", supply, 1, ON_ENSEMBLE, .always = true},
    {"supply_in_place", supply_in_place, 3, ON_ENSEMBLE, .always = true},
    {"solve", solve, 2, ON_ENSEMBLE},
    {"solved_rows", solved_rows, 0, ON_ENSEMBLE},
    {"solve_until", solve_until, 3, ON_ENSEMBLE},
    {"solved_event", solved_event, 0, ON_ENSEMBLE},
    {"solve_statistics", solve_statistics, 0, ON_ENSEMBLE},
    {"get_acting_torque", get_acting_torque, 0, ON_ENSEMBLE},
    {"get_acceleration", get_acceleration, 0, ON_ENSEMBLE},
    {"present_vector", present_vector, 0, ON_ENSEMBLE},
    {"set_longest_step", set_longest_step, 1, ON_ENSEMBLE},
    {"set_most_evaluations", set_most_evaluations, 1, ON_ENSEMBLE},
    {"set_solve_method", set_solve_method, 1, ON_ENSEMBLE},
    {"set_rotor_momentum", set_rotors, 1, ON_ENSEMBLE},
    {"get_rotor_momentum", get_rotors, 0, ON_ENSEMBLE, .always = true},
    {"set_rotor_torque", set_motor, 1, ON_ENSEMBLE},
    {"get_rotor_torque", get_motor, 0, ON_ENSEMBLE, .always = true},
    {"write_one", write_one, 1},
    {"kick", kick, 3, ON_ENSEMBLE},
    {"drift", drift, 1, ON_ENSEMBLE},
    {"kick_drift", kick_drift, 5, ON_ENSEMBLE},
    {"cancel", cancel, 1},
    {"get_orientation", get_rows, 0, ON_ENSEMBLE, .width = 4, .get = qi_get_orientations},
    {"get_angular_velocity", get_rows, 0, ON_ENSEMBLE, .width = 3, .get = qi_get_angular_velocities},
    {"get_angular_velocity_body", get_rows, 0, ON_ENSEMBLE, .width = 3, .get = get_omega_body},
    {"set_angular_momentum", set_momenta, 1, ON_ENSEMBLE, .width = 3, .set = qi_set_angular_momenta, .in = {{"angularMomentum", 3}}},
    {"get_angular_momentum", get_rows, 0, ON_ENSEMBLE, .width = 3, .get = qi_get_angular_momenta, .rotors = true},
    {"get_kinetic_energy", get_rows, 0, ON_ENSEMBLE, .width = 1, .get = kinetic_energies},
    {"get_total_angular_momentum", get_totals, 0, ON_ENSEMBLE, .width = 3, .get = total_momentum, .rotors = true},
    {"get_total_kinetic_energy", get_totals, 0, ON_ENSEMBLE, .width = 1, .get = total_energy},
    {"get_time", get_totals, 0, ON_ENSEMBLE, .width = 1, .get = get_time},
    {"set_orientation", set_rows, 1, ON_ENSEMBLE, .width = 4, .set = qi_set_orientations, .in = {{"orientation", 4}}},
    {"set_angular_velocity", set_rows, 1, ON_ENSEMBLE, .width = 3, .set = qi_set_angular_velocities, .in = {{"angularVelocity", 3}}},
    {"get_clock", get_totals, 0, ON_ENSEMBLE, .width = 2, .get = get_clock},
    {"set_angular_velocity_body", set_rows, 1, ON_ENSEMBLE, .width = 3, .set = set_omega_body, .in = {{"angularVelocityBody", 3}}},
    {"set_time", set_time, 1, ON_ENSEMBLE},
    {"set_clock", set_clock, 1, ON_ENSEMBLE},
    {"row_size", row_size, 1, ON_ENSEMBLE, .always = true},
    {"get_body_rows", get_body_rows, 2, ON_ENSEMBLE, .always = true},
    {"set_body_rows", set_body_rows, 3, ON_ENSEMBLE},
    {"resize", resize, 1, ON_ENSEMBLE},
    {"select_bodies", select_bodies, 1, ON_ENSEMBLE},
    {"set_principal_inertias", set_principal_inertias, 1, ON_ENSEMBLE, .width = 3, .set = qi_set_principal_inertias,
     .in = {{"moments", 3}}},
    {"get_kinetic_energy_sums", energy_sums, 0, ON_ENSEMBLE, .always = true},
    {"get_angular_momentum_sums", momentum_sums, 0, ON_ENSEMBLE, .always = true},
    {"add_to_sums", add_to_sums, 2},
    {"values_of_sums", values_of_sums, 1},
    {"set_inertia", set_inertia, 1, ON_ENSEMBLE},
    {"set_threads", set_threads, 1, ON_ENSEMBLE},
    {"set_active", set_active, 1, ON_ENSEMBLE},
    {"set_method", set_method, 1, ON_ENSEMBLE},
    {"forget_torque", forget_torque, 0, ON_ENSEMBLE},
    {"get_method", get_method, 0, ON_ENSEMBLE, .always = true},
    {"no_torque", no_torque, 0, ON_ENSEMBLE},
    {"function_torque", function_torque, 0, ON_ENSEMBLE},
    {"constant_torque", constant_torque, 2, ON_ENSEMBLE},
    {"uniform_field", uniform_field, 2, ON_ENSEMBLE},
    {"gravity_gradient", gravity_gradient, 2, ON_ENSEMBLE},
    {"linear_drag", linear_drag, 1, ON_ENSEMBLE},
    {"shear_flow", shear_flow, 3, ON_ENSEMBLE},
    {"set_drag", set_drag, 2, ON_ENSEMBLE},
    {"set_langevin", set_langevin, 4, ON_ENSEMBLE},
    {"set_ids", set_ids, 1, ON_ENSEMBLE},
    {"get_ids", get_ids, 0, ON_ENSEMBLE, .always = true},
    {"set_noise", set_noise, 1, ON_ENSEMBLE},
    {"get_noise", get_noise, 0, ON_ENSEMBLE, .always = true},
    {"thermalize", thermalize, 1, ON_ENSEMBLE},
    {"scale_momenta", scale_momenta, 1, ON_ENSEMBLE},
    {"get_degrees", get_degrees, 0, ON_ENSEMBLE, .always = true},
    {"create", create, 1},
    {"make_alone", make_alone, 0, ON_ENSEMBLE},
    {"destroy", destroy, 1},
    {"alive", count_alive, 0},
    {"version", version, 0},
    {"rotate", ROTATION, 2, .rotate = rotate, .in = {ORIENTATION, {"vectorBody", 3}}, .out = {3}},
    {"rotate_inverse", ROTATION, 2, .rotate = rotate_inverse, .in = {ORIENTATION, {"vectorWorld", 3}}, .out = {3}},
    {"body_torque", ROTATION, 2, .rotate = body_torque, .in = {ORIENTATION, {"torqueBody", 3}}, .out = {3}},
    {"uniform_field_torque", ROTATION, 3, .rotate = uniform_field_torque,
     .in = {ORIENTATION, {"vectorBody", 3}, {"fieldWorld", 3}}, .out = {3}},
    {"gravity_gradient_torque", ROTATION, 4, .rotate = gravity_gradient_torque,
     .in = {ORIENTATION, {"inertia", 9}, {"directionWorld", 3}, {"gradient", 1}}, .out = {3}},
    {"linear_drag_torque", ROTATION, 4, .rotate = linear_drag_torque,
     .in = {ORIENTATION, {"angularVelocity", 3}, {"coefficients", 3}, {"flow", 3}}, .out = {3}},
    {"shear_flow_resistances", ROTATION, 2, .rotate = shear_flow_resistances,
     .in = {{"semiAxes", 3}, {"viscosity", 1}}, .out = {6}},
    {"shear_flow_torque", ROTATION, 4, .rotate = shear_flow_torque,
     .in = {ORIENTATION, {"angularVelocity", 3}, {"resistances", 6}, {"velocityGradient", 9}}, .out = {3}},
    {"from_axis_angle", ROTATION, 2, .rotate = from_axis_angle, .in = {{"axis", 3}, {"angle", 1}}, .out = {4}},
    {"to_axis_angle", ROTATION, 1, .rotate = to_axis_angle, .in = {ORIENTATION}, .out = {3, 1}},
    {"from_rotation_vector", ROTATION, 1, .rotate = from_rotation_vector, .in = {{"rotationVector", 3}}, .out = {4}},
    {"to_rotation_vector", ROTATION, 1, .rotate = to_rotation_vector, .in = {ORIENTATION}, .out = {3}},
    {"from_matrix", ROTATION, 1, .rotate = from_matrix, .in = {{"matrix", 9}}, .out = {4}},
    {"to_matrix", ROTATION, 1, .rotate = to_matrix, .in = {ORIENTATION}, .out = {9}},
    {"from_euler", ROTATION, 2, .rotate = from_euler, .in = {{"angles", 3}}, .out = {4}, .sequence = true},
    {"to_euler", ROTATION, 2, .rotate = to_euler, .in = {ORIENTATION}, .out = {3}, .sequence = true},
    {"product", ROTATION, 2, .rotate = product, .in = {{"a", 4}, {"b", 4}}, .out = {4}},
    {"inverse", ROTATION, 1, .rotate = inverse, .in = {ORIENTATION}, .out = {4}},
    {"slerp", ROTATION, 3, .rotate = slerp, .in = {{"a", 4}, {"b", 4}, {"t", 1}}, .out = {4}},
    {"angle", ROTATION, 2, .rotate = angle, .in = {{"a", 4}, {"b", 4}}, .out = {1}},
};

void mexFunction(int outputs, mxArray *out[], int inputs, const mxArray *in[])
{
    static bool first = true;
    char name[32];
    if (first) mexAtExit(destroy_all);
    first = false;
    if (inputs < 1 || !mxIsChar(in[0]) || mxGetString(in[0], name, sizeof name) != 0)
        mexErrMsgIdAndTxt("quatint:Command", "quatint_mex is internal to the package quatint: see `help quatint.Body`");
    for (size_t i = 0; i < sizeof COMMANDS / sizeof *COMMANDS; i++) {
        const command *c = &COMMANDS[i];
        if (strcmp(name, c->name) != 0) continue;
        const int before = c->on_ensemble ? 2 : 1;
        if (inputs != before + c->inputs)
            mexErrMsgIdAndTxt("quatint:Command", "%s takes %d arguments, not %d", name, c->inputs, inputs - before);
        entry *e = c->on_ensemble ? find(in[1]) : NULL;
        if (c->on_ensemble && e == NULL) mexErrMsgIdAndTxt("quatint:Deleted", "this object has been deleted");
        if (e != NULL && runs(e) && c->get == NULL && !c->always)
            mexErrMsgIdAndTxt("quatint:Order", "the body is in use: its own torque or event function cannot change it");
        c->run((call){c, e, outputs, c->inputs, out, in + before});
        return;
    }
    mexErrMsgIdAndTxt("quatint:Command", "there is no command %s", name);
}
