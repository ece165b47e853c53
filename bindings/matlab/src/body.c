/* body.c: a body, and its calls of the library that ask M code for the torque, the inertia or the value of an event.
 *
 * The library never calls the interpreter: no frame of it is on the stack while M code evaluates a function, so an error or
 * Ctrl-C there unwinds M code only. A call that fails leaves the body as it was, and a step that fails leaves the steps before
 * it. So a callback without an answer lets the call fail, M code evaluates the function, and the call is made again with the
 * answers so far: a step of s torques is made s times, each time with one torque more. The bits are those of one call, because
 * the last one has all answers. `completed` says which steps need no answers any more.
 *
 * Solutions keep the steps before a failure, and would go on with other steps. They run on a thread of their own: see thread.c.
 */
#include "quatint_mex.h"

body *make_body(const double *inertia, qi_status *status)
{
    body *b = calloc(1, sizeof *b);
    *status = QI_ERR_MEMORY;
    if (b == NULL) return NULL;
    b->handle = qi_create_body(inertia, NULL, NULL, status);
    if (b->handle == NULL) {
        free(b);
        return NULL;
    }
    prepare_turns(b);
    return b;
}

void destroy_body(body *b)
{
    if (b == NULL) return;
    end_thread(b);
    qi_destroy_body(b->handle);
    release_turns(b);
    free(b->answers);
    free(b->times);
    free(b->rows);
    free(b);
}

/* ---- the callbacks ---- */

/* Returns false if there is no answer: the call of the library then fails, to be made again, or is given up. */
static bool ask(body *b, question what, double time, const double *q, const double *omega, double *answer, size_t count)
{
    if (b->question != NOTHING || b->cancelled) return false; /* the call has failed already */
    if (!b->on_thread && b->used < b->answered) {
        memcpy(answer, b->answers[b->used++], count*sizeof *answer);
        return true;
    }
    b->time = time;
    if (q != NULL) memcpy(b->q, q, sizeof b->q);
    if (omega != NULL) memcpy(b->omega, omega, sizeof b->omega);
    if (!b->on_thread) b->question = what;
    if (!b->on_thread || !wait_for_answer(b, what)) return false;
    if (count > 0) memcpy(answer, b->answer, count*sizeof *answer);
    return true;
}

int32_t ask_torque(double time, const double *q, const double *omega, double *torque, void *user_data)
{
    return !ask(user_data, TORQUE, time, q, omega, torque, 3);
}

int32_t ask_inertia(double time, double *inertia, void *user_data)
{
    return !ask(user_data, INERTIA, time, NULL, NULL, inertia, 9);
}

double ask_event(double time, const double *q, const double *omega, void *user_data)
{
    double value;
    return ask(user_data, EVENT, time, q, omega, &value, 1) ? value : NAN;
}

int32_t ask_monitor(double time, const double *q, const double *omega, void *user_data)
{
    return !ask(user_data, MONITOR, time, q, omega, NULL, 0);
}

/* ---- a call of the library ---- */

/* Goes on with the answers so far, to the next question or to the end. */
static void go_on(body *b)
{
    if (b->on_thread) {
        wait_for_question(b);
        return;
    }
    b->question = NOTHING;
    carry_out(b);
    if (b->completed > 0) b->answered = 0; /* the question is one of a later step */
    b->earlier += b->completed;
    b->steps -= b->completed;
}

/* Gives the question to M code as [time, orientation, angularVelocity, question]: 1 for the torque, 2 for the event, 3 for the
 * inertia, which depends on the time alone, 4 for the monitor, which has no answer. Or the state is written to `q` and `omega`.
 * At the end time is [], and the second output is what a getter has got. An error of the library is raised. */
static void give_question(call c, double *q, double *omega)
{
    body *b = c.entry->body;
    c.entry->asking = b->question != NOTHING;
    if (!c.entry->asking && b->status < QI_OK) raise_cause(b->status, b->earlier, "", b->cause);
    if (!c.entry->asking && c.outputs == 0) return;
    if (q != NULL) memcpy(q, b->q, sizeof b->q);
    if (omega != NULL) memcpy(omega, b->omega, sizeof b->omega);
    c.out[0] = c.entry->asking ? mxCreateDoubleScalar(b->time) : mxCreateDoubleMatrix(0, 0, mxREAL);
    if (c.outputs > 1) c.out[1] = c.entry->asking ? new_numbers(b->q, 4) : new_numbers(b->numbers, 3);
    if (c.outputs > 2) c.out[2] = new_numbers(b->omega, 3);
    if (c.outputs > 3) c.out[3] = mxCreateDoubleScalar(b->question);
}

static body *prepared(call c, run_task *task, uint64_t steps, uint64_t earlier)
{
    body *b = c.entry->body;
    b->task = task;
    b->command = c.command;
    b->cancelled = b->ended = b->on_thread = false;
    b->question = NOTHING;
    b->answered = 0;
    b->steps = steps;
    b->earlier = earlier;
    return b;
}

/* Makes a call that leaves the body as it was if it fails. */
void start_task(call c, run_task *task)
{
    go_on(prepared(c, task, 0, 0));
    give_question(c, NULL, NULL);
}

static qi_status take_steps(body *b) { return qi_advance(b->handle, b->dt, b->steps, &b->completed); }

/* Takes steps; `earlier` is the number of steps before these, for the text of an error. */
void begin_steps(call c, double dt, uint64_t steps, uint64_t earlier)
{
    c.entry->body->dt = dt;
    go_on(prepared(c, take_steps, steps, earlier));
    give_question(c, NULL, NULL);
}

/* Makes a call that has to go on where it asks; on the thread, if M code has to answer. `asks`: not only for what the body has. */
void start_solution(call c, run_task *task, bool asks)
{
    body *b = prepared(c, task, 0, 0);
    b->on_thread = b->has_function || b->changes || asks;
    if (b->on_thread && !start_thread(b)) mexErrMsgIdAndTxt("quatint:Memory", "no thread could be started");
    if (b->on_thread) wait_for_question(b);
    else carry_out(b);
    give_question(c, NULL, NULL);
}

/* Raises an error if M code evaluates a function for the object already: the 'cancel' of what now begins would end that. */
void begin_to_ask(call c)
{
    refuse_while_asking(c.entry);
}

/* ---- answers ---- */

static void take_answer(body *b, const double *answer, size_t count)
{
    if (b->on_thread) {
        memcpy(b->answer, answer, count*sizeof *answer);
        answer_question(b);
        return;
    }
    if (b->answered == b->room) {
        const size_t more = 2*b->room + 16;
        double (*larger)[MOST_NUMBERS] = realloc(b->answers, more*sizeof *larger);
        if (larger == NULL) raise_no_memory();
        b->answers = larger;
        b->room = more;
    }
    memcpy(b->answers[b->answered++], answer, count*sizeof *answer);
}

/* Takes the answer to the question, and gives the next one. */
void supply_body(call c, double *q, double *omega)
{
    body *b = c.entry->body;
    switch (b->question) {
    case NOTHING: mexErrMsgIdAndTxt("quatint:Order", "the body has not asked"); break;
    case TORQUE: take_answer(b, vector_each(c.in[0], 1, "torque"), 3); break;
    case INERTIA: take_answer(b, vector(c.in[0], 9, "inertia"), 9); break;
    case EVENT: take_answer(b, &(double){number(c.in[0], "event")}, 1); break;
    case MONITOR: answer_question(b); break;
    }
    go_on(b);
    give_question(c, q, omega);
}

/* After an error in a function of M code, or Ctrl-C. A solution stays where its last step ended. */
void cancel_task(entry *e)
{
    end_thread(e->body);
    e->body->question = NOTHING;
    e->asking = false;
}
