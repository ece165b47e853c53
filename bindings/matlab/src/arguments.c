/* arguments.c: M errors, arguments from M code, and new matrices for it. */
#include "quatint_mex.h"

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

/* Raises an M error: "after 7 steps: body 3: what is wrong". `place` is "body 3: ", "row 2: " or "", and `cause` what the library
 * says. */
void raise_cause(qi_status status, uint64_t steps, const char *place, const char *cause)
{
    char id[64], after[48] = "", counted[600];
    count_from_1(cause, counted, sizeof counted);
    if (steps > 0) snprintf(after, sizeof after, "after %llu step%s: ", (unsigned long long)steps, steps == 1 ? "" : "s");
    identifier(status, id, sizeof id);
    mexErrMsgIdAndTxt(id, "%s%s%s", after, place, counted);
}

/* The same with the last error of this thread. */
void raise_status(qi_status status, uint64_t steps, const char *place)
{
    raise_cause(status, steps, place, qi_last_error_cause());
}

/* "row 2: ", counted from 1; "" if there is only one item. */
const char *numbered(const char *item, size_t index, size_t items)
{
    static char place[48];
    place[0] = '\0';
    if (items > 1) snprintf(place, sizeof place, "%s %lu: ", item, (unsigned long)index + 1);
    return place;
}

void raise_no_memory(void) { mexErrMsgIdAndTxt("quatint:Memory", "out of memory"); }

/* Raises an error if M code evaluates a function for the object. */
void refuse_while_asking(const entry *e)
{
    if (e->asking) mexErrMsgIdAndTxt("quatint:Order", "the ensemble is in use: its own torque function cannot change it");
}

/* Checks the status of a call that came after this many steps. */
void check_after(const entry *e, uint64_t steps, qi_status status)
{
    const size_t body = qi_last_error_body();
    if (status == QI_ERR_ORDER && e != NULL) refuse_while_asking(e);
    if (status == QI_ERR_BUSY)
        mexErrMsgIdAndTxt("quatint:Order", "the body is in use: within a solution its own functions cannot read it");
    if (status < QI_OK) raise_status(status, steps, body == SIZE_MAX ? "" : numbered("body", body, e->count));
}

void check(const entry *e, qi_status status) { check_after(e, 0, status); }

/* ---- arguments ---- */

/* Of a sparse or complex matrix the memory is not one element after the other, whatever its class. */
static bool is_plain(const mxArray *a) { return !mxIsComplex(a) && !mxIsSparse(a); }

static void refuse_class(const mxArray *a, const char *name, const char *must)
{
    mexErrMsgIdAndTxt("quatint:Type", "`%s` must be %s, not %s%s", name, must,
                      mxIsSparse(a) ? "sparse " : mxIsComplex(a) ? "complex " : "", mxGetClassName(a));
}

const double *real_numbers(const mxArray *a, const char *name)
{
    if (!mxIsDouble(a) || !is_plain(a)) refuse_class(a, name, "a full real matrix of class double");
    return mxGetPr(a);
}

/* The elements of a full real matrix of a class of 64-bit integers. */
const int64_t *integers(const mxArray *a, const char *name)
{
    if (!mxIsInt64(a) || !is_plain(a)) refuse_class(a, name, "of class int64");
    return mxGetData(a);
}

double number(const mxArray *a, const char *name)
{
    const double *x = real_numbers(a, name);
    if (mxGetNumberOfElements(a) != 1) mexErrMsgIdAndTxt("quatint:Size", "`%s` must be one number", name);
    return *x;
}

/* Whether a number is one of those up to 2^53, all of which a double can be. */
static bool is_whole(double x) { return x >= 0 && x <= 9007199254740992.0 && x == floor(x); }

uint64_t whole_number(const mxArray *a, const char *name)
{
    const double x = number(a, name);
    if (!is_whole(x))
        mexErrMsgIdAndTxt("quatint:Invalid", "`%s` must be a whole number, 0 or greater, not %g", name, x);
    return (uint64_t)x;
}

void wrong_size_because(const mxArray *a, const char *name, const char *must, const char *why)
{
    char is[128];
    size_t length = 0;
    for (size_t d = 0; d < (size_t)mxGetNumberOfDimensions(a) && length < sizeof is; d++)
        length += (size_t)snprintf(is + length, sizeof is - length, "%s%lu", d ? "-by-" : "", (unsigned long)mxGetDimensions(a)[d]);
    mexErrMsgIdAndTxt("quatint:Size", "`%s` must be %s, not %s%s", name, must, is, why);
}

void wrong_size(const mxArray *a, const char *name, const char *must)
{
    wrong_size_because(a, name, must, "");
}

/* Whole numbers of class uint64, or of class double up to 2^53, packed. */
const uint64_t *whole_numbers(const mxArray *a, size_t count, const char *name)
{
    char must[48];
    snprintf(must, sizeof must, count == 1 ? "one number" : "%lu numbers", (unsigned long)count);
    if (mxGetNumberOfElements(a) != count) wrong_size(a, name, must);
    if (mxIsUint64(a) && is_plain(a)) return mxGetData(a);
    const double *x = real_numbers(a, name);
    uint64_t *whole = mxMalloc((count + 1)*sizeof *whole);
    for (size_t i = 0; i < count; i++) {
        if (!is_whole(x[i]))
            mexErrMsgIdAndTxt("quatint:Invalid", "`%s` must be whole, 0 or greater, and above 2^53 of class uint64, not %g", name, x[i]);
        whole[i] = (uint64_t)x[i];
    }
    return whole;
}

/* Checks the size of an argument and returns its number of items. An item has `width` numbers: it is a row of a matrix, or a
 * 3-by-3 page if width is 9. One item is always accepted, as a row or a column. Otherwise the number of items must be
 * `count`, unless that is ANY. */
size_t count_items(const mxArray *a, int width, double count, const char *name)
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
double *data_of(const mxArray *a)
{
    static double none;
    double *data = mxGetPr(a);
    return data != NULL ? data : &none;
}

/* Whether an argument is [], 0-by-0. */
bool is_nothing(const mxArray *a) { return mxIsDouble(a) && mxGetM(a) == 0 && mxGetN(a) == 0; }

int32_t frame(const mxArray *a)
{
    char name[8] = "";
    const bool is_text = mxIsChar(a) && mxGetString(a, name, sizeof name) == 0;
    if (is_text && is_named(name, "world")) return QI_FRAME_WORLD;
    if (!is_text || !is_named(name, "body")) mexErrMsgIdAndTxt("quatint:Invalid", "`frame` must be 'world' or 'body'");
    return QI_FRAME_BODY;
}

const double *vector(const mxArray *a, int width, const char *name)
{
    count_items(a, width, 1, name);
    return mxGetPr(a);
}

/* A list of bodies in M code: numbers that count from 1, a mask with an element for each body, or ':' for all bodies. Returns
 * their indices from 0; NULL: all. */
const size_t *body_list(const entry *e, const mxArray *a, const char *name, size_t *n)
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
        if (!is_plain(a)) refuse_class(a, name, "a full mask, full(mask)");
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

/* The same, but a list for ':' too. */
const size_t *listed_bodies(const entry *e, const mxArray *a, const char *name, size_t *n)
{
    const size_t *bodies = body_list(e, a, name, n);
    if (bodies != NULL) return bodies;
    size_t *all = mxMalloc((*n + 1)*sizeof *all);
    for (size_t i = 0; i < *n; i++) all[i] = i;
    return all;
}

/* A vector of 3 for each of n items, in columns. */
const double *vector_each(const mxArray *a, size_t n, const char *name)
{
    real_numbers(a, name);
    if (mxGetNumberOfElements(a) != 3*n || (n != 1 && (mxGetN(a) != 3 || mxGetM(a) != n))) {
        char must[64];
        snprintf(must, sizeof must, "%lu-by-3", (unsigned long)n);
        wrong_size(a, name, must);
    }
    return data_of(a);
}

/* ---- matrices ---- */

/* Creates a matrix to be written. When Octave takes over a matrix made by mxCreate..., it copies the matrix into newly mapped
 * memory. It does not copy a matrix made by one of its own functions, so `zeros` is called. For large matrices the copy
 * takes half of the time of a stage. */
mxArray *new_matrix(size_t rows, size_t columns)
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

uint64_t *new_whole_numbers(mxArray **out, size_t count)
{
    *out = mxCreateNumericMatrix(count, 1, mxUINT64_CLASS, mxREAL);
    return mxGetData(*out);
}

mxArray *new_numbers(const double *numbers, size_t count)
{
    mxArray *row = new_matrix(1, count);
    memcpy(mxGetPr(row), numbers, count*sizeof *numbers);
    return row;
}

/* converts columns, the layout of M code, to packed rows; to_columns converts back */
void to_rows(size_t n, size_t width, const double *columns, double *rows)
{
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < width; c++) rows[width*i + c] = columns[n*c + i];
}

void to_columns(size_t n, size_t width, const double *rows, double *columns)
{
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < width; c++) columns[n*c + i] = rows[width*i + c];
}

/* Returns a parameter for each body, packed, and the stride from body to body. If one parameter serves all bodies, it is 0. */
const double *for_each_body(const entry *e, const mxArray *a, int width, const char *name, ptrdiff_t *stride)
{
    const size_t n = count_items(a, width, (double)e->count, name);
    const double *given = mxGetPr(a);
    *stride = n == 1 ? 0 : width;
    if (n <= 1 || width == 9 || width == 1) return given;
    double *rows = mxMalloc(n*(size_t)width*sizeof *rows);
    to_rows(n, (size_t)width, given, rows);
    return rows;
}
