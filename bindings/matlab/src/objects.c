/* objects.c: the table of bodies and ensembles, which M code knows by number. */
#include "quatint_mex.h"

enum { SLOT_BITS = 22 }; /* low bits of an id; the other bits are a serial number, so that every id is unique */
static entry *table;
static size_t slots, alive;
static double serial;

/* The object with this number; NULL: there is none (any more). */
entry *find_entry(const mxArray *id)
{
    const double number = mxIsDouble(id) && mxGetNumberOfElements(id) == 1 ? mxGetPr(id)[0] : 0;
    if (number > 0 && number < 9007199254740992.0) {
        const size_t slot = (size_t)fmod(number, 1 << SLOT_BITS);
        if (slot < slots && table[slot].id == number) return &table[slot];
    }
    return NULL;
}

static void destroy_entry(entry *e)
{
    destroy_body(e->body);
    qi_destroy_ensemble(e->ensemble);
    free(e->pin);
    free(e->gradients);
    memset(e, 0, sizeof *e);
    alive--;
}

void destroy_all(void)
{
    for (size_t slot = 0; slot < slots; slot++)
        if (table[slot].id != 0) destroy_entry(&table[slot]);
    free(table);
    table = NULL;
    slots = 0;
}

/* A slot that is free. */
static size_t free_slot(void)
{
    size_t slot = 0;
    if (qi_version_number() != QI_VERSION_NUMBER)
        mexErrMsgIdAndTxt("quatint:Version", "the library has version %s, but quatint_mex was built for another: run build_quatint",
                          qi_version_string());
    while (slot < slots && table[slot].id != 0) slot++;
    if (slot < slots) return slot;
    const size_t more = slots == 0 ? 16 : 2*slots;
    entry *larger = more <= (size_t)1 << SLOT_BITS ? realloc(table, more*sizeof *table) : NULL;
    if (larger == NULL) mexErrMsgIdAndTxt("quatint:Memory", "too many bodies and ensembles");
    memset(larger + slots, 0, (more - slots)*sizeof *table);
    table = larger;
    slots = more;
    return slot;
}

/* Puts a new object into the slot and returns its number to M code. */
static void put(call c, size_t slot, entry e)
{
    serial += 1;
    table[slot] = e;
    table[slot].id = serial*(1 << SLOT_BITS) + (double)slot;
    if (alive++ == 0) mexLock(); /* so that `clear` does not unload the MEX file while objects exist */
    c.out[0] = mxCreateDoubleScalar(table[slot].id);
}

void create(call c)
{
    const uint64_t count = whole_number(c.in[0], "count");
    const size_t slot = free_slot();
    qi_status status = QI_OK;
    qi_ensemble *ensemble = qi_create_ensemble((size_t)count, &status);
    if (ensemble == NULL) raise_status(status, 0, "");
    put(c, slot, (entry){.ensemble = ensemble, .count = count, .moving = count});
}

void create_body(call c)
{
    const double *inertia = vector(c.in[0], 9, "inertia");
    const size_t slot = free_slot();
    qi_status status = QI_OK;
    body *made = make_body(inertia, &status);
    if (made == NULL) raise_status(status, 0, "");
    put(c, slot, (entry){.body = made, .count = 1, .moving = 1});
}

/* does nothing if the object no longer exists */
void destroy(call c)
{
    entry *e = find_entry(c.in[0]);
    if (e == NULL) return;
    destroy_entry(e);
    if (alive == 0) mexUnlock();
}

void count_alive(call c) { c.out[0] = mxCreateDoubleScalar((double)alive); }
void version(call c) { c.out[0] = mxCreateString(qi_version_string()); }
