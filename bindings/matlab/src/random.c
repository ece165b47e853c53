/* random.c: random torques, and what thermostats need. */
#include "quatint_mex.h"

/* (coefficients, kT, seed, flow, id); coefficients []: none. An ensemble has ids of its own */
void set_langevin(call c)
{
    static const double no_bodies[3] = {0, 0, 0};
    entry *e = c.entry;
    ptrdiff_t stride = 0, flow_stride = 0;
    const bool removes = is_nothing(c.in[0]);
    const double *coefficients = NULL, *flow = NULL;
    double kt = 0;
    uint64_t seed = 0, id = 0;
    if (!removes) {
        coefficients = for_each_body(e, c.in[0], 3, "coefficients", &stride);
        kt = number(c.in[1], "kT");
        seed = *whole_numbers(c.in[2], 1, "seed");
        if (!is_nothing(c.in[3])) flow = for_each_body(e, c.in[3], 3, "flow", &flow_stride);
        id = *whole_numbers(c.in[4], 1, "id");
        if (coefficients == NULL) coefficients = no_bodies;
    }
    check(e, e->body != NULL ? qi_set_langevin(e->body->handle, coefficients, flow, kt, seed, id)
                             : qi_set_ensemble_langevin(e->ensemble, coefficients, stride, flow, flow_stride, kt, seed));
    e->random = !removes;
}

/* []: each its index from 0 */
void set_ids(call c)
{
    const bool removes = is_nothing(c.in[0]) && c.entry->count > 0;
    check(c.entry, qi_set_ensemble_ids(c.entry->ensemble, removes ? NULL : whole_numbers(c.in[0], c.entry->count, "ids")));
}

/* In rows the 64 bits are those of a double. */
void get_ids(call c)
{
    const size_t n = c.entry->count;
    double *rows = mxMalloc((n + 1)*sizeof *rows);
    check(c.entry, qi_get_ensemble_rows(c.entry->ensemble, QI_PART_ID, NULL, n, rows));
    uint64_t *to = new_whole_numbers(&c.out[0], n);
    if (n > 0) memcpy(to, rows, n*sizeof *rows);
}

void get_degrees(call c)
{
    uint64_t degrees = 0;
    check(c.entry, qi_get_ensemble_degrees_of_freedom(c.entry->ensemble, &degrees));
    c.out[0] = mxCreateDoubleScalar((double)degrees);
}
