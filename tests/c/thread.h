/* thread.h: threads of the caller, by pthreads or by Windows. Included first: it asks for POSIX. */
#ifndef THREAD_H
#define THREAD_H

#if defined(_WIN32)
#include <windows.h>
#elif !defined(__wasi__) /* which has no threads */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#endif

#if !defined(__wasi__)
#define HAS_THREADS 1

typedef struct {
    void *(*run)(void *);
    void *argument;
#if defined(_WIN32)
    HANDLE handle;
#else
    pthread_t handle;
#endif
} thread;

#if defined(_WIN32)
static DWORD WINAPI run_thread(void *place)
{
    const thread *t = place;
    t->run(t->argument);
    return 0;
}
#endif

/* Runs `run(argument)`. `t` stays where it is until the thread has ended. Whether it starts. */
static inline int start_thread(thread *t, void *(*run)(void *), void *argument)
{
    t->run = run;
    t->argument = argument;
#if defined(_WIN32)
    t->handle = CreateThread(NULL, 0, run_thread, t, 0, NULL);
    return t->handle != NULL;
#else
    pthread_attr_t attributes;
    int status = pthread_attr_init(&attributes);
    if (status != 0) return 0;
    pthread_attr_setstacksize(&attributes, 1 << 20); /* musl's threads have 128 KiB */
    status = pthread_create(&t->handle, &attributes, run, argument);
    pthread_attr_destroy(&attributes);
    return status == 0;
#endif
}

/* Waits until the thread ends. Whether it has. */
static inline int join_thread(thread *t)
{
#if defined(_WIN32)
    return WaitForSingleObject(t->handle, INFINITE) == WAIT_OBJECT_0 && CloseHandle(t->handle);
#else
    return pthread_join(t->handle, NULL) == 0;
#endif
}
#endif

#endif
