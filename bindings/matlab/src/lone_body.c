/* lone_body.c: the qi_body beside the ensemble of a quatint.Body, for what ensembles do not offer: error control and rotors.
 *
 * Setters set both. The state is that of the ensemble; `take_state` gives it to the body, bit for bit, unless the body has it
 * already. So a splitting method keeps the last torque from one call to the next.
 *
 * If M code has to evaluate a function (a torque, an event or an inertia), the call of the library runs on a thread of its own: see
 * thread.c.
 */
#include "quatint_mex.h"

static lone_body *create_lone(void)
{
    const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    lone_body *l = calloc(1, sizeof *l);
    if (l == NULL) return NULL;
    l->body = qi_create_body(unit, NULL, NULL, NULL);
    if (l->body == NULL) {
        free(l);
        return NULL;
    }
    l->taken.clock[0] = NAN;
    prepare_turns(l);
    return l;
}

/* Makes an ensemble of one, just created, that of a quatint.Body. */
void make_alone(call c)
{
    if (c.entry->lone != NULL || c.entry->count != 1) mexErrMsgIdAndTxt("quatint:Invalid", "this is not an ensemble of one body");
    c.entry->lone = create_lone();
    if (c.entry->lone == NULL) mexErrMsgIdAndTxt("quatint:Memory", "out of memory");
}

void destroy_lone(lone_body *l)
{
    if (l == NULL) return;
    end_thread(l);
    qi_destroy_body(l->body);
    release_turns(l);
    free(l->times);
    free(l->rows);
    free(l);
}

/* Of the ensemble that a command is called for; an M error if there is none. */
lone_body *lone_of(call c)
{
    if (c.entry->lone == NULL) mexErrMsgIdAndTxt("quatint:Invalid", "this is for a single body, not for an ensemble");
    return c.entry->lone;
}

void refuse_lone(const entry *e)
{
    if (e->lone != NULL) mexErrMsgIdAndTxt("quatint:Invalid", "this is for ensembles: a Body is always one body");
}

/* Whether a function of M code is evaluated for the body, while the library waits on its thread. */
bool is_running(const entry *e) { return e->lone != NULL && e->lone->running; }

/* Raises the error of the library, if the task has failed. */
static void check_lone(const lone_body *l)
{
    const uint64_t steps = l->task == STEPS ? l->earlier + l->completed : 0;
    if (l->status < QI_OK) raise_cause(l->status, steps, "", l->cause);
}

static state state_of_ensemble(const entry *e)
{
    state s;
    check(e, qi_get_ensemble_rows(e->ensemble, QI_PART_STATE, NULL, 1, s.row));
    check(e, qi_get_ensemble_clock(e->ensemble, s.clock));
    return s;
}

static state state_of_body(const lone_body *l)
{
    state s;
    check(NULL, qi_get_orientation(l->body, s.row));
    check(NULL, qi_get_angular_velocity_body(l->body, s.row + 4));
    check(NULL, qi_get_clock(l->body, s.clock));
    return s;
}

/* Sets the clock of the body, unless it has it: a body with an inertia function would ask for it. */
static void take_clock(const entry *e, const double *clock)
{
    double now[2];
    check(e, qi_get_clock(e->lone->body, now));
    if (memcmp(now, clock, sizeof now) != 0) check(e, qi_set_clock(e->lone->body, clock));
}

/* Gives the state of the ensemble to the body. Raises an error in the middle of a step of the stage protocol. */
void take_state(entry *e)
{
    lone_body *l = e->lone;
    const state s = state_of_ensemble(e);
    check(e, qi_set_ensemble_clock(e->ensemble, s.clock)); /* refused in the middle of a step */
    if (memcmp(&s, &l->taken, sizeof s) == 0) return;
    check(e, qi_set_state_body(l->body, s.row, s.row + 4));
    take_clock(e, s.clock);
    l->taken = s;
}

/* Gives the state of the body to the ensemble. */
void give_state(entry *e)
{
    const state s = state_of_body(e->lone);
    if (e->lone->changes) give_inertia(e);
    check(e, qi_set_ensemble_rows(e->ensemble, QI_PART_STATE, NULL, 1, s.row));
    check(e, qi_set_ensemble_clock(e->ensemble, s.clock));
    e->lone->taken = state_of_ensemble(e);
}

/* Calls the library, as `task` says. */
void carry_out(lone_body *l)
{
    l->completed = 0;
    l->written = 0;
    switch (l->task) {
    case STEPS: l->status = qi_advance(l->body, l->dt, l->steps, &l->completed); break;
    case SOLVE: l->status = qi_solve(l->body, l->end, l->tolerance, NULL); break;
    case RECORD: l->status = qi_solve_record(l->body, l->times, l->count, l->tolerance, l->rows, &l->written); break;
    case UNTIL: l->status = qi_solve_until(l->body, l->end, l->tolerance, ask_event, l->direction, l); break;
    case ACTING_TORQUE: l->status = qi_get_torque(l->body, l->present); break;
    case DRIFT: l->status = qi_drift(l->body, l->dt); break;
    case SET_CLOCK: l->status = qi_set_clock(l->body, l->clock); break;
    case SET_INERTIA:
        l->status = qi_set_inertia_function(l->body, ask_inertia, l);
        if (l->status == QI_OK) l->changes = true;
        break;
    case ACCELERATION: l->status = qi_get_angular_acceleration(l->body, l->present); break;
    }
    /* the last error is one of the thread */
    if (l->status < QI_OK) snprintf(l->cause, sizeof l->cause, "%s", qi_last_error_cause());
}

/* After the end of the call, on the thread or not: the ensemble takes the state; an error of the library is raised. */
void conclude(entry *e)
{
    lone_body *l = e->lone;
    const state now = state_of_body(l);
    read_rotors(l); /* motors have driven them */
    if (l->changes || memcmp(&now, &l->before, sizeof now) != 0) give_state(e);
    if (!l->cancelled) check_lone(l);
}

/* Gives the next question as a stage: [time, orientation, angularVelocity, question]; time is [] at the end. The question is 1 for
 * the torque, 2 for the event, 3 for the inertia, which depends on the time alone. */
static void give_question(call c, double *q_to, double *omega_to)
{
    lone_body *l = c.entry->lone;
    const question what = l->running ? wait_for_question(l) : NOTHING;
    if (what == NOTHING) conclude(c.entry);
    c.out[0] = what == NOTHING ? mxCreateDoubleMatrix(0, 0, mxREAL) : mxCreateDoubleScalar(l->time);
    if (c.outputs > 1) q_to = mxGetPr(c.out[1] = new_matrix(1, 4));
    if (c.outputs > 2) omega_to = mxGetPr(c.out[2] = new_matrix(1, 3));
    if (c.outputs > 3) c.out[3] = mxCreateDoubleScalar(what);
    if (q_to != NULL) memcpy(q_to, l->q, sizeof l->q);
    if (omega_to != NULL) memcpy(omega_to, l->omega, sizeof l->omega);
}

/* Starts the call that `task` describes: here, or on the thread if M code has to answer. */
void start_task(call c)
{
    lone_body *l = c.entry->lone;
    take_state(c.entry);
    l->before = state_of_body(l);
    l->cancelled = l->ended = false;
    l->question = NOTHING;
    if (l->function || l->changes || l->task == UNTIL || l->task == SET_INERTIA) {
        l->running = true;
        if (!start_thread(l)) {
            l->running = false;
            mexErrMsgIdAndTxt("quatint:Memory", "no thread could be started");
        }
    } else {
        carry_out(l);
    }
    give_question(c, NULL, NULL);
}

/* Takes steps of the body; `earlier` is the number of steps before these, for the text of an error. */
void begin_lone(call c, double dt, uint64_t steps, uint64_t earlier)
{
    lone_body *l = c.entry->lone;
    l->task = STEPS;
    l->earlier = earlier;
    l->dt = dt;
    l->steps = steps;
    start_task(c);
}

/* Answers a question and gives the next one, into new matrices or into `q` and `omega`. */
void supply_lone(call c, const double *answer, size_t count, double *q, double *omega)
{
    lone_body *l = c.entry->lone;
    memcpy(l->answer, answer, count*sizeof *answer);
    answer_question(l);
    give_question(c, q, omega);
}
