/* rows.c: the numbers of bodies in rows, and ensembles that grow, shrink or are sorted. */
#include "quatint_mex.h"

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
            if (is_named(name, PARTS[p].name)) return PARTS[p].parts;
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

static size_t size_of_row(const entry *e, int32_t parts)
{
    return e->body != NULL ? qi_get_body_row_size(e->body->handle, parts) : qi_get_ensemble_row_size(e->ensemble, parts);
}

void row_size(call c)
{
    c.out[0] = mxCreateDoubleScalar((double)size_of_row(c.entry, named_parts(c.in[0])));
}

double *room_for_rows(size_t rows, size_t width)
{
    if (width > 0 && rows > SIZE_MAX/sizeof(double)/width - 1) raise_no_memory();
    return mxMalloc((rows*width + 1)*sizeof(double));
}

/* Goes in pieces that stay in the cache: twice as fast as one piece for a million bodies. */
void get_body_rows(call c)
{
    enum { PIECE = 512 };
    size_t n, piece[PIECE];
    const int32_t parts = named_parts(c.in[0]);
    const size_t *bodies = body_list(c.entry, c.in[1], "bodies", &n);
    const size_t width = size_of_row(c.entry, parts);
    double *rows = room_for_rows(PIECE, width);
    c.out[0] = new_matrix(n, width);
    double *columns = mxGetPr(c.out[0]);
    if (c.entry->body != NULL) {
        if (n > 0) check(c.entry, qi_get_body_row(c.entry->body->handle, parts, data_of(c.out[0])));
        return;
    }
    for (size_t first = 0; first < n; first += PIECE) {
        const size_t count = n - first < PIECE ? n - first : PIECE;
        for (size_t i = 0; i < count; i++) piece[i] = bodies != NULL ? bodies[first + i] : first + i;
        check(c.entry, qi_get_ensemble_rows(c.entry->ensemble, parts, piece, count, rows));
        for (size_t k = 0; k < width; k++)
            for (size_t i = 0; i < count; i++) columns[n*k + first + i] = rows[width*i + k];
    }
}

/* One row serves all of the bodies. */
void set_body_rows(call c)
{
    size_t n;
    const int32_t parts = named_parts(c.in[0]);
    const size_t *bodies = body_list(c.entry, c.in[1], "bodies", &n);
    const size_t width = size_of_row(c.entry, parts);
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
    if (c.entry->body == NULL) check(c.entry, qi_set_ensemble_rows(c.entry->ensemble, parts, bodies, n, rows));
    else if (n > 0) check(c.entry, qi_set_body_row(c.entry->body->handle, parts, rows));
}

static void count_anew(entry *e)
{
    e->count = e->moving = qi_get_ensemble_count(e->ensemble);
    free(e->pin); /* of a size for the earlier count */
    e->pin = NULL;
    free(e->gradients); /* the ensemble has released them */
    e->gradients = NULL;
}

void resize(call c)
{
    const uint64_t count = whole_number(c.in[0], "count");
    if (count > SIZE_MAX) raise_no_memory();
    check(c.entry, qi_resize_ensemble(c.entry->ensemble, (size_t)count));
    count_anew(c.entry);
}

/* Returns the number of bodies. */
void select_bodies(call c)
{
    size_t n;
    const size_t *from = listed_bodies(c.entry, c.in[0], "from", &n);
    check(c.entry, qi_select_bodies(c.entry->ensemble, from, n));
    count_anew(c.entry);
    c.out[0] = mxCreateDoubleScalar((double)c.entry->count);
}
