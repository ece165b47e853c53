/* solve.c: error control of a body alone, and what acts on it at the present state. */
#include "quatint_mex.h"

void solve(call c)
{
    lone_body *l = lone_of(c);
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
    start_task(c);
}

/* [time, orientation, angularVelocity] of the last 'solve' */
void solved_rows(call c)
{
    lone_body *l = lone_of(c);
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

void solve_until(call c)
{
    lone_body *l = lone_of(c);
    const double end = number(c.in[0], "endTime"), tolerance = number(c.in[1], "tolerance");
    const double direction = number(c.in[2], "direction");
    if (direction != QI_RISING && direction != QI_FALLING && direction != QI_ANY_CROSSING)
        mexErrMsgIdAndTxt("quatint:Invalid", "`direction` must be 1 (rising), -1 (falling) or 0 (any), not %g", direction);
    l->task = UNTIL;
    l->end = end;
    l->tolerance = tolerance;
    l->direction = (int32_t)direction;
    start_task(c);
}

/* [time, happened] of the last 'solve_until' */
void solved_event(call c)
{
    lone_body *l = lone_of(c);
    double time = 0;
    check(c.entry, qi_get_time(l->body, &time));
    c.out[0] = mxCreateDoubleScalar(time);
    if (c.outputs > 1) c.out[1] = mxCreateLogicalScalar(l->status == QI_EVENT);
}

void get_acting_torque(call c)
{
    lone_of(c)->task = ACTING_TORQUE;
    start_task(c);
}

void get_acceleration(call c)
{
    lone_of(c)->task = ACCELERATION;
    start_task(c);
}

/* the vector of the last 'get_acting_torque' or 'get_acceleration' */
void present_vector(call c)
{
    give_vector(c, lone_of(c)->present);
}

/* [evaluations, accepted, rejected] */
void solve_statistics(call c)
{
    uint64_t numbers[3] = {0, 0, 0};
    check(c.entry, qi_get_solve_statistics(lone_of(c)->body, &numbers[0], &numbers[1], &numbers[2]));
    double *to = mxGetPr(c.out[0] = new_matrix(1, 3));
    for (int k = 0; k < 3; k++) to[k] = (double)numbers[k];
}

void set_longest_step(call c)
{
    lone_body *l = lone_of(c);
    const double longest = number(c.in[0], "longestStep");
    check(c.entry, qi_set_solve_longest_step(l->body, longest));
    l->longest = longest;
}

void set_most_evaluations(call c)
{
    lone_body *l = lone_of(c);
    const uint64_t most = whole_number(c.in[0], "mostEvaluations");
    check(c.entry, qi_set_solve_most_evaluations(l->body, most));
    l->most = most;
}

void set_solve_method(call c)
{
    lone_body *l = lone_of(c);
    const int32_t method = (int32_t)whole_number(c.in[0], "solveMethod");
    check(c.entry, qi_set_solve_method(l->body, method));
    l->solve_method = method;
}
