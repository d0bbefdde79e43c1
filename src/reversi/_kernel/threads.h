/* A mutex and a condition variable, for searching threads that hold no interpreter lock. */
#ifndef REVERSI_THREADS_H
#define REVERSI_THREADS_H

#if defined(_WIN32)
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
typedef SRWLOCK rv_mutex_t;
typedef CONDITION_VARIABLE rv_cond_t;
static void rv_mutex_init(rv_mutex_t *m) { InitializeSRWLock(m); }
static void rv_mutex_end(rv_mutex_t *m) { (void)m; }
static void rv_lock(rv_mutex_t *m) { AcquireSRWLockExclusive(m); }
static void rv_unlock(rv_mutex_t *m) { ReleaseSRWLockExclusive(m); }
static void rv_cond_init(rv_cond_t *c) { InitializeConditionVariable(c); }
static void rv_cond_end(rv_cond_t *c) { (void)c; }
static void rv_wait(rv_cond_t *c, rv_mutex_t *m) { SleepConditionVariableSRW(c, m, INFINITE, 0); }
static void rv_wake_all(rv_cond_t *c) { WakeAllConditionVariable(c); }
#else
#include <pthread.h>
typedef pthread_mutex_t rv_mutex_t;
typedef pthread_cond_t rv_cond_t;
static void rv_mutex_init(rv_mutex_t *m) { pthread_mutex_init(m, 0); }
static void rv_mutex_end(rv_mutex_t *m) { pthread_mutex_destroy(m); }
static void rv_lock(rv_mutex_t *m) { pthread_mutex_lock(m); }
static void rv_unlock(rv_mutex_t *m) { pthread_mutex_unlock(m); }
static void rv_cond_init(rv_cond_t *c) { pthread_cond_init(c, 0); }
static void rv_cond_end(rv_cond_t *c) { pthread_cond_destroy(c); }
static void rv_wait(rv_cond_t *c, rv_mutex_t *m) { pthread_cond_wait(c, m); }
static void rv_wake_all(rv_cond_t *c) { pthread_cond_broadcast(c); }
#endif

#endif
