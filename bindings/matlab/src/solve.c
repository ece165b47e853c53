/* solve.c: error control of a body. */
#include "quatint_mex.h"

static qi_status solve_to_end(body *b) { return qi_solve(b->handle, b->end, b->tolerance, NULL); }

static qi_status solve_to_event(body *b)
{
    return qi_solve_until(b->handle, b->end, b->tolerance, ask_event, b->direction, b);
}

static qi_status solve_to_times(body *b)
{
    return qi_solve_record(b->handle, b->times, b->count, b->tolerance, b->rows, &b->written);
}

/* With a row for each of the times, or for the end alone. */
static qi_status solve_monitored(body *b)
{
    const bool is_single = b->times == NULL;
    return qi_solve_monitored(b->handle, is_single ? &b->end : b->times, is_single ? 1 : b->count, b->tolerance, b->rows, &b->written, 1,
                              ask_monitor, b);
}

/* The third argument says whether M code monitors the solution. */
void solve(call c)
{
    body *b = c.entry->body;
    const double *times = real_numbers(c.in[0], "times");
    const size_t count = mxGetNumberOfElements(c.in[0]);
    if (count == 0 || (mxGetM(c.in[0]) != 1 && mxGetN(c.in[0]) != 1)) wrong_size(c.in[0], "times", "one time or a vector of times");
    b->tolerance = number(c.in[1], "tolerance");
    free(b->times); /* of a solution that has failed */
    free(b->rows);
    b->times = b->rows = NULL;
    if (count == 1) {
        b->end = times[0];
    } else {
        double *copy = malloc(count*sizeof *copy), *rows = malloc(8*count*sizeof *rows);
        if (copy == NULL || rows == NULL) {
            free(copy);
            free(rows);
            raise_no_memory();
        }
        memcpy(copy, times, count*sizeof *copy);
        b->times = copy;
        b->rows = rows;
        b->count = count;
    }
    b->written = 0;
    const bool has_monitor = number(c.in[2], "monitor") != 0;
    start_solution(c, has_monitor ? solve_monitored : count == 1 ? solve_to_end : solve_to_times, has_monitor);
}

/* [time, orientation, angularVelocity] of the last 'solve' */
void solved_rows(call c)
{
    body *b = c.entry->body;
    double row[8];
    const bool single = b->times == NULL;
    const size_t n = single ? 1 : b->written;
    static const int first[3] = {0, 1, 5}, width[3] = {1, 4, 3};
    if (single) {
        check(c.entry, qi_get_time(b->handle, row));
        check(c.entry, qi_get_orientation(b->handle, row + 1));
        check(c.entry, qi_get_angular_velocity(b->handle, row + 5));
    }
    for (int o = 0; o < 3 && (o == 0 || o < c.outputs); o++) {
        double *to = mxGetPr(c.out[o] = new_matrix(n, (size_t)width[o]));
        for (size_t i = 0; i < n; i++)
            for (int k = 0; k < width[o]; k++) to[(size_t)k*n + i] = (single ? row : b->rows + 8*i)[first[o] + k];
    }
    free(b->times);
    free(b->rows);
    b->times = b->rows = NULL;
    b->written = b->count = 0;
}

void solve_until(call c)
{
    body *b = c.entry->body;
    const double end = number(c.in[0], "endTime"), tolerance = number(c.in[1], "tolerance");
    const double direction = number(c.in[2], "direction");
    if (direction != QI_RISING && direction != QI_FALLING && direction != QI_ANY_CROSSING)
        mexErrMsgIdAndTxt("quatint:Invalid", "`direction` must be 1 (rising), -1 (falling) or 0 (any), not %g", direction);
    b->end = end;
    b->tolerance = tolerance;
    b->direction = (int32_t)direction;
    start_solution(c, solve_to_event, true);
}

/* [time, happened] of the last 'solve_until' */
void solved_event(call c)
{
    body *b = c.entry->body;
    double time = 0;
    check(c.entry, qi_get_time(b->handle, &time));
    c.out[0] = mxCreateDoubleScalar(time);
    if (c.outputs > 1) c.out[1] = mxCreateLogicalScalar(b->status == QI_EVENT);
}

/* [evaluations, accepted, rejected] */
void solve_statistics(call c)
{
    uint64_t numbers[3] = {0, 0, 0};
    check(c.entry, qi_get_solve_statistics(c.entry->body->handle, &numbers[0], &numbers[1], &numbers[2]));
    double *to = mxGetPr(c.out[0] = new_matrix(1, 3));
    for (int k = 0; k < 3; k++) to[k] = (double)numbers[k];
}

void set_longest_step(call c)
{
    check(c.entry, qi_set_solve_longest_step(c.entry->body->handle, number(c.in[0], "longestStep")));
}

void set_most_evaluations(call c)
{
    check(c.entry, qi_set_solve_most_evaluations(c.entry->body->handle, whole_number(c.in[0], "mostEvaluations")));
}

void set_solve_method(call c)
{
    check(c.entry, qi_set_solve_method(c.entry->body->handle, (int32_t)whole_number(c.in[0], "solveMethod")));
}
