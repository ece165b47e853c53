/* thread.c: carries out the task of a body, a call of the library: here, or on a thread of the library, for a solution whose
 * functions M code evaluates.
 *
 * The two threads take turns: one of them always waits. The library's thread touches nothing of MATLAB or Octave. After an
 * error or Ctrl-C in the function, 'cancel' lets the callback fail, and the call ends.
 */
#include "quatint_mex.h"

#ifdef _WIN32
static void lock(mutex *m) { AcquireSRWLockExclusive(m); }
static void unlock(mutex *m) { ReleaseSRWLockExclusive(m); }
static void wait_for(condition *c, mutex *m) { SleepConditionVariableSRW(c, m, INFINITE, 0); }
static void wake(condition *c) { WakeAllConditionVariable(c); }
static void join(thread t) { WaitForSingleObject(t, INFINITE), CloseHandle(t); }
#else
static void lock(mutex *m) { pthread_mutex_lock(m); }
static void unlock(mutex *m) { pthread_mutex_unlock(m); }
static void wait_for(condition *c, mutex *m) { pthread_cond_wait(c, m); }
static void wake(condition *c) { pthread_cond_broadcast(c); }
static void join(thread t) { pthread_join(t, NULL); }
#endif

void prepare_turns(body *b)
{
#ifdef _WIN32
    InitializeSRWLock(&b->mutex);
    InitializeConditionVariable(&b->changed);
#else
    pthread_mutex_init(&b->mutex, NULL);
    pthread_cond_init(&b->changed, NULL);
#endif
}

void release_turns(body *b)
{
#ifdef _WIN32
    (void)b; /* nothing is held */
#else
    pthread_mutex_destroy(&b->mutex);
    pthread_cond_destroy(&b->changed);
#endif
}

/* On the library's thread: asks M code and waits for the answer. Returns false if the task is cancelled. */
bool wait_for_answer(body *b, question what)
{
    lock(&b->mutex);
    b->question = what;
    wake(&b->changed);
    while (b->question != NOTHING) wait_for(&b->changed, &b->mutex);
    unlock(&b->mutex);
    return !b->cancelled;
}

/* Makes the call that `task` says, on the thread that calls this. */
void carry_out(body *b)
{
    b->completed = 0;
    b->used = 0;
    b->status = b->task(b);
    /* the last error is one of the thread */
    if (b->status < QI_OK && b->question == NOTHING) snprintf(b->cause, sizeof b->cause, "%s", qi_last_error_cause());
}

#ifdef _WIN32
static DWORD WINAPI run_task_of_body(void *argument)
#else
static void *run_task_of_body(void *argument)
#endif
{
    body *b = argument;
    carry_out(b);
    lock(&b->mutex);
    b->ended = true;
    wake(&b->changed);
    unlock(&b->mutex);
    return 0;
}

bool start_thread(body *b)
{
#ifdef _WIN32
    b->thread = CreateThread(NULL, 0, run_task_of_body, b, 0, NULL);
    b->is_running = b->thread != NULL;
#else
    /* signals, such as that of Ctrl-C, are for the threads of MATLAB or Octave */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failed = pthread_create(&b->thread, NULL, run_task_of_body, b);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    b->is_running = !failed;
#endif
    return b->is_running;
}

/* Waits until the thread asks or has ended. */
void wait_for_question(body *b)
{
    lock(&b->mutex);
    while (b->question == NOTHING && !b->ended) wait_for(&b->changed, &b->mutex);
    const bool ended = b->question == NOTHING;
    unlock(&b->mutex);
    if (!ended) return;
    join(b->thread);
    b->is_running = false;
}

/* Lets the thread go on, with the answer in `answer`. */
void answer_question(body *b)
{
    lock(&b->mutex);
    b->question = NOTHING;
    wake(&b->changed);
    unlock(&b->mutex);
}

/* Cancels the task and waits for the end of the thread, if there is one. */
void end_thread(body *b)
{
    if (!b->is_running) return;
    b->cancelled = true;
    answer_question(b);
    wait_for_question(b); /* no more questions: the callbacks fail at once */
}
