/* steps.c: steps, the stage protocol, kicks and drifts.
 *
 * M code evaluates a torque function between two stages. No frame of the library is on the stack then.
 */
#include "quatint_mex.h"

void advance(call c)
{
    const double dt = number(c.in[0], "dt");
    const uint64_t steps = whole_number(c.in[1], "steps");
    const uint64_t before = whole_number(c.in[2], "before"); /* steps that M code has taken in earlier calls */
    uint64_t completed = 0;
    if (c.entry->body != NULL) {
        begin_steps(c, dt, steps, before);
        return;
    }
    const qi_status status = steps == 1 ? qi_step_ensemble(c.entry->ensemble, dt)
                                        : qi_advance_ensemble(c.entry->ensemble, dt, steps, &completed);
    check_after(c.entry, before + completed, status);
}

/* The time of the next stage; an empty matrix if all steps are taken. */
static mxArray *stage_time(const entry *e, qi_status status, double time)
{
    check(e, status);
    return status == QI_NEED_TORQUE ? mxCreateDoubleScalar(time) : mxCreateDoubleMatrix(0, 0, mxREAL);
}

/* Returns [time, orientation, angularVelocity] of the next stage. If `supplied`, `torque` is that of the last stage. */
static void give_stage(call c, bool supplied, const double *torque)
{
    mxArray *q = new_matrix(c.entry->moving, 4), *omega = new_matrix(c.entry->moving, 3);
    qi_ensemble *e = c.entry->ensemble;
    double time = 0;
    const qi_status status = supplied ? qi_continue_ensemble_step(e, torque, &time, data_of(q), data_of(omega))
                                      : qi_next_ensemble_stage(e, &time, data_of(q), data_of(omega));
    c.entry->asking = status == QI_NEED_TORQUE;
    c.out[0] = stage_time(c.entry, status, time);
    if (c.outputs > 1) c.out[1] = q;
    if (c.outputs > 2) c.out[2] = omega;
}

/* glibc returns large blocks to the system as soon as they are freed. Every stage would then allocate its matrices in new
 * pages, and mapping these takes a third of the time of a step. Two measures prevent that. First, allocating and freeing a
 * large block raises the threshold above which glibc returns blocks. Second, glibc cannot return free memory that lies below
 * an allocated block: the `pin`. The blocks are never written, so they take almost no physical memory. */
static void keep_pages(entry *e)
{
#ifdef __GLIBC__
    enum { BLOCK = 30000000, BLOCKS = 32 }; /* bytes; glibc raises its threshold up to 32 MiB */
    const double needed = 24.0*sizeof(double)*(double)e->moving/BLOCK; /* 24 columns: as many as a torque function may hold */
    const int many = needed < BLOCKS - 1 ? (int)needed : BLOCKS - 1;
    void *volatile block[BLOCKS] = {malloc(BLOCK)};
    free(block[0]);
    if (many == 0 || e->pin != NULL) return;
    for (int i = 0; i <= many; i++) block[i] = malloc(BLOCK);
    /* shrinks in place, behind the other blocks; a smaller pin would not merge with them when it is freed */
    e->pin = realloc(block[many], 4096);
    for (int i = 0; i < many; i++) free(block[i]);
#else
    (void)e;
#endif
}

void begin(call c)
{
    const entry *e = c.entry;
    const double dt = number(c.in[0], "dt");
    const uint64_t steps = whole_number(c.in[1], "steps");
    if (c.entry->body != NULL) {
        begin_steps(c, dt, steps, 0);
        return;
    }
    keep_pages(c.entry);
    check(e, qi_set_ensemble_stage_layout(e->ensemble, QI_LAYOUT_SOA));
    check(e, qi_begin_ensemble_steps(e->ensemble, dt, steps));
    give_stage(c, false, NULL);
}

void supply(call c)
{
    if (c.entry->body != NULL) supply_body(c, NULL, NULL);
    else give_stage(c, true, vector_each(c.in[0], c.entry->moving, "torque"));
}

/* The data pointer of an M variable that holds the last stage. */
static double *stage_variable(const mxArray *a, size_t elements, const char *name)
{
    real_numbers(a, name);
    if (mxGetNumberOfElements(a) != elements) wrong_size(a, name, "of the last stage");
    return mxGetPr(a);
}

/* The same, but writes the next stage into the variables that held the last one. See `inPlace` in Shared.m. */
void supply_in_place(call c)
{
    const size_t n = c.entry->moving;
    double *q = stage_variable(c.in[1], 4*n, "q"), *omega = stage_variable(c.in[2], 3*n, "omega"), time = 0;
    if (c.entry->body != NULL) {
        supply_body(c, q, omega);
        return;
    }
    const double *torque = vector_each(c.in[0], c.entry->moving, "torque");
    const qi_status status = qi_continue_ensemble_step(c.entry->ensemble, torque, &time, q, omega);
    c.entry->asking = status == QI_NEED_TORQUE;
    c.out[0] = stage_time(c.entry, status, time);
}

/* Writes 1 to the caller's variable. The caller tests whether the write took effect. */
void write_one(call c)
{
    if (mxGetNumberOfElements(c.in[0]) > 0) ((double *)real_numbers(c.in[0], "variable"))[0] = 1;
}

/* does nothing if the object no longer exists */
void cancel(call c)
{
    entry *e = find_entry(c.in[0]);
    if (e == NULL) return;
    if (e->body != NULL) {
        cancel_task(e);
        return;
    }
    qi_cancel_ensemble_step(e->ensemble);
    e->asking = false;
}

/* ---- kicks and drifts ---- */

/* The torques of a kick: of all bodies, active or not. For [] one torque for all, of zero. */
static const double *kick_torque(const entry *e, const mxArray *given, ptrdiff_t strides[2])
{
    static const double none[3] = {0, 0, 0};
    strides[0] = is_nothing(given) ? 0 : 1;
    strides[1] = is_nothing(given) ? 1 : (ptrdiff_t)e->count;
    return is_nothing(given) ? none : vector_each(given, e->count, "torque");
}

void kick(call c)
{
    const double duration = number(c.in[0], "duration");
    ptrdiff_t strides[2];
    const double *torque = kick_torque(c.entry, c.in[1], strides);
    const int32_t of = frame(c.in[2]);
    check(c.entry, c.entry->body != NULL
                       ? qi_kick(c.entry->body->handle, duration, torque, of)
                       : qi_kick_ensemble(c.entry->ensemble, duration, torque, strides[0], strides[1], of));
}

/* Returns the predicted angular velocities, if there is an output. They are written to a new matrix, which is bound for this
 * call only. An error is raised when it is no longer bound: the interpreter frees the matrix then. */
void kick_drift(call c)
{
    qi_ensemble *e = c.entry->ensemble;
    const ptrdiff_t n = (ptrdiff_t)c.entry->count;
    const double kick_for = number(c.in[0], "kick"), drift_for = number(c.in[1], "drift");
    ptrdiff_t strides[2];
    const double *torque = kick_torque(c.entry, c.in[2], strides);
    const int32_t of = frame(c.in[3]);
    const double ahead = is_nothing(c.in[4]) ? drift_for/2 : number(c.in[4], "ahead");
    const bool predicts = c.outputs > 0 && n > 0;
    if (c.outputs > 0) c.out[0] = new_matrix(c.entry->count, 3);
    if (predicts) {
        keep_pages(c.entry);
        /* bodies that are not active keep theirs */
        if (c.entry->moving < c.entry->count) check(c.entry, qi_get_angular_velocities(e, mxGetPr(c.out[0]), 1, n));
        check(c.entry, qi_bind_predicted_velocities(e, mxGetPr(c.out[0]), 1, n, ahead));
    }
    const qi_status status = qi_kick_drift_ensemble(e, kick_for, drift_for, torque, strides[0], strides[1], of);
    if (predicts) qi_bind_predicted_velocities(e, NULL, 0, 0, 0);
    check(c.entry, status); /* a call that succeeds, as the one before, does not change the last error */
}
