/* attitude.c: orientations from given angular velocities. The library never calls the interpreter: the times at which it asks for
 * the angular velocity are listed first, M code computes the angular velocities, and they are then played back. */
#include "quatint_mex.h"

/* The times of a turn, or the angular velocities at them, one call after the other. */
typedef struct {
    double *times;
    const double *rates;
    size_t calls, count;
} tape;

static int32_t list_time(double time, double *angular_velocity, void *user_data)
{
    tape *t = user_data;
    (void)angular_velocity; /* at rest */
    if (t->calls < t->count) t->times[t->calls] = time;
    t->calls++;
    return 0;
}

static int32_t play_rate(double time, double *angular_velocity, void *user_data)
{
    tape *t = user_data;
    (void)time;
    for (size_t c = 0; c < 3; c++) angular_velocity[c] = t->rates[c*t->count + t->calls];
    t->calls++;
    return 0;
}

/* steps, start, end: the times at which the angular velocity is asked, a column. */
void turn_times(call c)
{
    double q[4] = {1, 0, 0, 0};
    const size_t steps = (size_t)whole_number(c.in[0], "steps");
    tape t = {NULL, NULL, 0, 2*steps};
    c.out[0] = new_matrix(t.count, 1);
    t.times = mxGetPr(c.out[0]);
    check(NULL, qi_turn_orientation(q, number(c.in[1], "start"), number(c.in[2], "finish"), steps, list_time, QI_FRAME_WORLD, &t));
    if (t.calls == 0) c.out[0] = new_matrix(0, 1); /* no time passes */
}

/* orientation, start, end, steps, angular velocities at those times, frame */
void turn_orientation(call c)
{
    const int32_t of = frame(c.in[5]);
    const double start = number(c.in[1], "start"), finish = number(c.in[2], "finish");
    const size_t steps = (size_t)whole_number(c.in[3], "steps");
    tape t = {NULL, NULL, 0, 2*steps};
    double q[4];
    memcpy(q, vector(c.in[0], 4, "orientation"), sizeof q);
    if (start < finish || finish < start) {
        if (count_items(c.in[4], 3, (double)t.count, "rate") != t.count)
            mexErrMsgIdAndTxt("quatint:Size", "`rate` must be %lu-by-3", (unsigned long)t.count);
        t.rates = mxGetPr(c.in[4]);
    }
    check(NULL, qi_turn_orientation(q, start, finish, steps, play_rate, of, &t));
    memcpy(mxGetPr(c.out[0] = new_matrix(1, 4)), q, sizeof q);
}

/* orientation, angular velocities, dt, frame */
void turn_by_samples(call c)
{
    const int32_t of = frame(c.in[3]);
    const size_t n = count_items(c.in[1], 3, ANY, "angularVelocities");
    const double dt = number(c.in[2], "dt");
    double *rows = mxMalloc((3*n + 1)*sizeof *rows), q[4];
    to_rows(n, 3, mxGetPr(c.in[1]), rows);
    memcpy(q, vector(c.in[0], 4, "orientation"), sizeof q);
    check(NULL, qi_turn_by_samples(q, n, rows, 3, dt, of));
    mxFree(rows);
    memcpy(mxGetPr(c.out[0] = new_matrix(1, 4)), q, sizeof q);
}
