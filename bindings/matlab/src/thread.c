/* thread.c: the thread of the library for a body alone, for which M code evaluates functions.
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

void prepare_turns(lone_body *l)
{
#ifdef _WIN32
    InitializeSRWLock(&l->mutex);
    InitializeConditionVariable(&l->changed);
#else
    pthread_mutex_init(&l->mutex, NULL);
    pthread_cond_init(&l->changed, NULL);
#endif
}

void release_turns(lone_body *l)
{
#ifdef _WIN32
    (void)l; /* nothing is held */
#else
    pthread_mutex_destroy(&l->mutex);
    pthread_cond_destroy(&l->changed);
#endif
}

/* On the library's thread: asks M code and waits for the answer. Returns false if the task is cancelled. */
static bool ask(lone_body *l, question what, double time, const double *q, const double *omega)
{
    if (!l->running || l->cancelled) return false;
    lock(&l->mutex);
    l->time = time;
    if (q != NULL) memcpy(l->q, q, sizeof l->q);
    if (omega != NULL) memcpy(l->omega, omega, sizeof l->omega);
    l->question = what;
    wake(&l->changed);
    while (l->question != NOTHING) wait_for(&l->changed, &l->mutex);
    unlock(&l->mutex);
    return !l->cancelled;
}

int32_t ask_torque(double time, const double *q, const double *omega, double *torque, void *user_data)
{
    lone_body *l = user_data;
    if (!ask(l, TORQUE, time, q, omega)) return 1;
    memcpy(torque, l->answer, 3*sizeof *torque);
    return 0;
}

int32_t ask_inertia(double time, double *inertia, void *user_data)
{
    lone_body *l = user_data;
    if (!ask(l, INERTIA, time, NULL, NULL)) return 1;
    memcpy(inertia, l->answer, sizeof l->answer);
    return 0;
}

double ask_event(double time, const double *q, const double *omega, void *user_data)
{
    lone_body *l = user_data;
    return ask(l, EVENT, time, q, omega) ? l->answer[0] : NAN;
}

#ifdef _WIN32
static DWORD WINAPI run_lone(void *argument)
#else
static void *run_lone(void *argument)
#endif
{
    lone_body *l = argument;
    carry_out(l);
    lock(&l->mutex);
    l->ended = true;
    wake(&l->changed);
    unlock(&l->mutex);
    return 0;
}

bool start_thread(lone_body *l)
{
#ifdef _WIN32
    l->thread = CreateThread(NULL, 0, run_lone, l, 0, NULL);
    return l->thread != NULL;
#else
    /* signals, such as that of Ctrl-C, are for the threads of MATLAB or Octave */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failed = pthread_create(&l->thread, NULL, run_lone, l);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return !failed;
#endif
}

/* Waits until the thread asks or has ended. Returns what it asks. */
question wait_for_question(lone_body *l)
{
    lock(&l->mutex);
    while (l->question == NOTHING && !l->ended) wait_for(&l->changed, &l->mutex);
    const question what = l->question;
    unlock(&l->mutex);
    if (what == NOTHING) {
        join(l->thread);
        l->running = false;
    }
    return what;
}

/* Lets the thread go on, with the answer in `answer`. */
void answer_question(lone_body *l)
{
    lock(&l->mutex);
    l->question = NOTHING;
    wake(&l->changed);
    unlock(&l->mutex);
}

/* Cancels the task and waits for the end of the thread. */
void end_thread(lone_body *l)
{
    if (!l->running) return;
    l->cancelled = true;
    answer_question(l);
    wait_for_question(l); /* no more questions: the callbacks fail at once */
}
