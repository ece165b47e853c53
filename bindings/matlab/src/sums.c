/* sums.c: exact sums. They are int64, 68-by-k, a column for each sum. */
#include "quatint_mex.h"

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
    integers(a, "sums");
    if (mxGetNumberOfDimensions(a) != 2 || mxGetM(a) != QI_SUM_SIZE) wrong_size(a, "sums", "68-by-k");
    return mxGetN(a);
}

void energy_sums(call c) { check(c.entry, qi_get_kinetic_energy_sums(c.entry->ensemble, new_sums(&c.out[0], 1))); }

void momentum_sums(call c) { check(c.entry, qi_get_angular_momentum_sums(c.entry->ensemble, new_sums(&c.out[0], 3))); }

/* Adds each column of values to the sum in the same column. */
void add_to_sums(call c)
{
    const size_t sums = sums_in(c.in[0]), given = mxGetNumberOfElements(c.in[1]);
    const double *values = real_numbers(c.in[1], "values");
    char must[64];
    snprintf(must, sizeof must, "n-by-%lu", (unsigned long)sums);
    if (sums != 1 && (mxGetNumberOfDimensions(c.in[1]) != 2 || mxGetN(c.in[1]) != sums)) wrong_size(c.in[1], "values", must);
    const size_t n = sums == 0 ? 0 : given/sums;
    int64_t *to = new_sums(&c.out[0], sums);
    memcpy(to, integers(c.in[0], "sums"), sums*QI_SUM_SIZE*sizeof *to);
    for (size_t k = 0; k < sums; k++) check_sum(qi_add_to_sum(to + k*QI_SUM_SIZE, values + k*n, n));
}

void values_of_sums(call c)
{
    const size_t sums = sums_in(c.in[0]);
    c.out[0] = new_matrix(1, sums);
    for (size_t k = 0; k < sums; k++)
        check_sum(qi_get_sum(integers(c.in[0], "sums") + k*QI_SUM_SIZE, mxGetPr(c.out[0]) + k));
}
