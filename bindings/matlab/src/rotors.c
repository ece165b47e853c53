/* rotors.c: rotors of an ensemble. */
#include "quatint_mex.h"

/* With [] the rotors are removed. */
void set_rotors(call c)
{
    static const double no_bodies[3] = {0, 0, 0};
    ptrdiff_t stride = 0;
    const double *momenta = NULL;
    if (!is_nothing(c.in[0])) momenta = for_each_body(c.entry, c.in[0], 3, "rotorMomentum", &stride);
    if (!is_nothing(c.in[0]) && c.entry->count == 0) momenta = no_bodies;
    check(c.entry, qi_set_ensemble_rotor_momentum(c.entry->ensemble, momenta, stride));
    c.entry->rotors = momenta != NULL;
}

/* They are the last 3 of the parameters, or before the 6 of random torques: N-by-3, or [] for none. */
void get_rotors(call c)
{
    const entry *e = c.entry;
    if (!e->rotors) {
        c.out[0] = mxCreateDoubleMatrix(0, 0, mxREAL);
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
