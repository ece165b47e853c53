/* properties.c: states, diagnostics, settings and the method. */
#include "quatint_mex.h"

/* Gives a row for each body. */
void get_rows(call c)
{
    const size_t n = c.entry->count;
    c.out[0] = new_matrix(n, (size_t)c.command->width);
    if (n > 0) check(c.entry, c.command->get(c.entry->ensemble, mxGetPr(c.out[0]), 1, (ptrdiff_t)n));
}

/* Takes a row for each body, or one for all. */
void set_rows(call c)
{
    const size_t n = count_items(c.in[0], c.command->width, (double)c.entry->count, c.command->in[0].name);
    const double *data = mxGetPr(c.in[0]);
    if (n == 1) check(c.entry, c.command->set(c.entry->ensemble, data, 0, 1)); /* one row for all bodies */
    else if (n > 0) check(c.entry, c.command->set(c.entry->ensemble, data, 1, (ptrdiff_t)n));
}

/* Gives one row of the whole ensemble. */
void get_totals(call c)
{
    c.out[0] = new_matrix(1, (size_t)c.command->width);
    check(c.entry, c.command->total(c.entry->ensemble, mxGetPr(c.out[0])));
}

/* Gives one number for each body. */
void get_list(call c)
{
    c.out[0] = new_matrix(c.entry->count, 1);
    if (c.entry->count > 0) check(c.entry, c.command->list(c.entry->ensemble, mxGetPr(c.out[0]), 1));
}

/* Gives one whole number of 64 bits. */
void get_whole(call c) { check(c.entry, c.command->whole(c.entry->ensemble, new_whole_numbers(&c.out[0], 1))); }

/* Angular velocities in the body frame, as the library keeps them: by way of rows with the state. */
qi_status get_omega_body(const qi_ensemble *e, double *to, ptrdiff_t body_stride, ptrdiff_t component_stride)
{
    const ptrdiff_t n = (ptrdiff_t)qi_get_ensemble_count(e);
    double *rows = room_for_rows((size_t)n, 7);
    const qi_status status = qi_get_ensemble_rows(e, QI_PART_STATE, NULL, (size_t)n, rows);
    for (ptrdiff_t i = 0; i < n && status == QI_OK; i++)
        for (ptrdiff_t c = 0; c < 3; c++) to[i*body_stride + c*component_stride] = rows[7*i + 4 + c];
    return status;
}

qi_status set_omega_body(qi_ensemble *e, const double *from, ptrdiff_t body_stride, ptrdiff_t component_stride)
{
    const ptrdiff_t n = (ptrdiff_t)qi_get_ensemble_count(e);
    double *rows = room_for_rows((size_t)n, 7);
    const qi_status status = qi_get_ensemble_rows(e, QI_PART_STATE, NULL, (size_t)n, rows);
    if (status != QI_OK) return status;
    for (ptrdiff_t i = 0; i < n; i++)
        for (ptrdiff_t c = 0; c < 3; c++) rows[7*i + 4 + c] = from[i*body_stride + c*component_stride];
    return qi_set_ensemble_rows(e, QI_PART_STATE, NULL, (size_t)n, rows);
}

/* Passes one number on. */
void set_number(call c)
{
    check(c.entry, c.command->set_number(c.entry->ensemble, number(c.in[0], c.command->in[0].name)));
}

/* Passes a few numbers on. */
void set_numbers(call c)
{
    const double *numbers = vector(c.in[0], c.command->in[0].width, c.command->in[0].name);
    check(c.entry, c.command->set_numbers(c.entry->ensemble, numbers));
}

/* Passes one whole number of 64 bits on. */
void set_whole(call c)
{
    check(c.entry, c.command->set_whole(c.entry->ensemble, *whole_numbers(c.in[0], 1, c.command->in[0].name)));
}

void set_threads(call c)
{
    check(c.entry, qi_set_ensemble_threads(c.entry->ensemble, (size_t)whole_number(c.in[0], "threads")));
}

/* Takes a list of bodies in ascending order. In earlier versions [] meant all bodies, so it is refused: it means no body in
 * lists that M code computes. */
void set_active(call c)
{
    size_t n;
    if (is_nothing(c.in[0]))
        mexErrMsgIdAndTxt("quatint:Invalid", "`active` is []: assign ':' to let all bodies move, zeros(1, 0) to let none move");
    const size_t *indices = body_list(c.entry, c.in[0], "active", &n);
    for (size_t i = 1; indices != NULL && i < n; i++)
        if (indices[i] <= indices[i - 1])
            mexErrMsgIdAndTxt("quatint:Invalid", "`active` must be ascending: element %lu is %lu, after %lu", (unsigned long)i + 1,
                              (unsigned long)indices[i] + 1, (unsigned long)indices[i - 1] + 1);
    check(c.entry, qi_set_ensemble_active(c.entry->ensemble, indices, indices == NULL ? 0 : n));
    c.entry->moving = n;
}

void do_it(call c) { check(c.entry, c.command->do_it(c.entry->ensemble)); }

/* ---- of a body. Some of these calls ask for the inertia or the torque ---- */

void get_of_body(call c)
{
    c.out[0] = new_matrix(1, (size_t)c.command->width);
    check(c.entry, c.command->body.get(c.entry->body->handle, mxGetPr(c.out[0])));
}

void get_whole_of_body(call c)
{
    check(c.entry, c.command->body.whole(c.entry->body->handle, new_whole_numbers(&c.out[0], 1)));
}

void set_whole_of_body(call c)
{
    check(c.entry, c.command->body.set_whole(c.entry->body->handle, *whole_numbers(c.in[0], 1, c.command->in[0].name)));
}

void do_with_body(call c) { check(c.entry, c.command->body.do_it(c.entry->body->handle)); }

static qi_status pass_number(body *b) { return b->command->body.set_number(b->handle, b->numbers[0]); }
static qi_status pass_numbers(body *b) { return b->command->body.set_numbers(b->handle, b->given); }
static qi_status get_numbers(body *b) { return b->command->body.ask(b->handle, b->numbers); }

void set_number_of_body(call c)
{
    c.entry->body->numbers[0] = number(c.in[0], c.command->in[0].name);
    start_task(c, pass_number);
}

void set_numbers_of_body(call c)
{
    body *b = c.entry->body;
    const int width = c.command->in[0].width;
    b->given = NULL;
    if (!(c.command->may_be_nothing && is_nothing(c.in[0])))
        b->given = memcpy(b->numbers, vector(c.in[0], width, c.command->in[0].name), (size_t)width*sizeof *b->numbers);
    start_task(c, pass_numbers);
}

void ask_of_body(call c) { start_task(c, get_numbers); }

/* The angular velocity in the world frame stays. */
qi_status set_orientation_of_body(qi_body *b, const double *orientation)
{
    double omega[3];
    const qi_status status = qi_get_angular_velocity(b, omega);
    return status == QI_OK ? qi_set_state(b, orientation, omega) : status;
}

qi_status set_velocity_of_body(qi_body *b, const double *omega)
{
    double orientation[4];
    const qi_status status = qi_get_orientation(b, orientation);
    return status == QI_OK ? qi_set_state(b, orientation, omega) : status;
}

qi_status set_velocity_body_of_body(qi_body *b, const double *omega)
{
    double orientation[4];
    const qi_status status = qi_get_orientation(b, orientation);
    return status == QI_OK ? qi_set_state_body(b, orientation, omega) : status;
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
bool is_named(const char *given, const char *name)
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

void set_method(call c)
{
    char name[24] = "", given[32];
    if (!mxIsChar(c.in[0])) refuse_method(mxGetClassName(c.in[0]));
    if (mxGetString(c.in[0], name, sizeof name) != 0) refuse_method("such a long name");
    for (size_t m = 0; m < METHOD_COUNT; m++) {
        if (!is_named(name, METHODS[m].name)) continue;
        check(c.entry, c.entry->body != NULL ? qi_set_method(c.entry->body->handle, METHODS[m].number)
                                             : qi_set_ensemble_method(c.entry->ensemble, METHODS[m].number));
        return;
    }
    snprintf(given, sizeof given, "'%s'", name);
    refuse_method(given);
}

void get_method(call c)
{
    int32_t number = 0;
    check(c.entry, c.entry->body != NULL ? qi_get_method(c.entry->body->handle, &number)
                                         : qi_get_ensemble_method(c.entry->ensemble, &number));
    for (size_t m = 0; m < METHOD_COUNT; m++)
        if (METHODS[m].number == number) c.out[0] = mxCreateString(METHODS[m].name);
}
