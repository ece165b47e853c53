/* points.c: points fixed to the bodies of an ensemble. M code has a row for each point. */
#include "quatint_mex.h"

/* Doubles from one column to the next. The library takes no stride of 0, even for arrays without numbers. */
static ptrdiff_t column(size_t rows) { return rows > 0 ? (ptrdiff_t)rows : 1; }

static void check_ascending(const size_t *bodies, size_t n)
{
    for (size_t k = 1; k < n; k++)
        if (bodies[k] < bodies[k - 1])
            mexErrMsgIdAndTxt("quatint:Invalid", "`bodies` must be ascending: element %lu is %lu, after %lu", (unsigned long)k + 1,
                              (unsigned long)bodies[k] + 1, (unsigned long)bodies[k - 1] + 1);
}

void set_points(call c)
{
    size_t n;
    const size_t *bodies = listed_bodies(c.entry, c.in[0], "bodies", &n); /* ':' is one point on each body */
    check_ascending(bodies, n);
    const double *arms = vector_each(c.in[1], n, "arms");
    check(c.entry, qi_set_points(c.entry->ensemble, n, bodies, arms, 1, column(n)));
}

static size_t count_points(const entry *e)
{
    size_t count = 0;
    check(e, qi_get_point_count(e->ensemble, &count));
    return count;
}

void point_count(call c) { c.out[0] = mxCreateDoubleScalar((double)count_points(c.entry)); }

/* A row for each body; NULL for [], which means zeros. */
static const double *of_bodies(const entry *e, const mxArray *a, const char *name)
{
    return is_nothing(a) ? NULL : vector_each(a, e->count, name);
}

void point_positions(call c)
{
    const size_t m = count_points(c.entry), n = c.entry->count;
    const double *centres = of_bodies(c.entry, c.in[0], "centres");
    c.out[0] = new_matrix(m, 3);
    check(c.entry, qi_get_point_positions(c.entry->ensemble, centres, 1, column(n), data_of(c.out[0]), 1, column(m)));
}

/* The predicted angular velocities, if there are any, are those of the caller. They are bound for this call only, which does not
 * write them. */
void point_velocities(call c)
{
    qi_ensemble *e = c.entry->ensemble;
    const size_t m = count_points(c.entry), n = c.entry->count;
    const double *centres = of_bodies(c.entry, c.in[0], "centreVelocities");
    const double *predicted = of_bodies(c.entry, c.in[1], "predicted");
    c.out[0] = new_matrix(m, 3);
    if (predicted != NULL) check(c.entry, qi_bind_predicted_velocities(e, (double *)predicted, 1, column(n), 0));
    const qi_status status = qi_get_point_velocities(e, predicted != NULL, centres, 1, column(n), data_of(c.out[0]), 1, column(m));
    if (predicted != NULL) qi_bind_predicted_velocities(e, NULL, 0, 0, 0);
    check(c.entry, status); /* a call that succeeds, as the one before, does not change the last error */
}

/* Returns [force, torque], a row of each for each body. */
void sum_point_forces(call c)
{
    const size_t m = count_points(c.entry), n = c.entry->count;
    const double *forces = vector_each(c.in[0], m, "forces");
    double *torques = NULL;
    c.out[0] = new_matrix(n, 3);
    if (c.outputs > 1) torques = data_of(c.out[1] = new_matrix(n, 3));
    check(c.entry, qi_sum_point_forces(c.entry->ensemble, forces, 1, column(m), data_of(c.out[0]), 1, column(n), torques, 1,
                                       column(n)));
}
