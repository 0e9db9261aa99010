/* The declarations that SignalKitShims needs from a C library, for WebAssembly without one. alone.c defines the few
 * functions that one thread in virtual time calls. The others are never called. */
#ifndef MARBLES_LIBC_H
#define MARBLES_LIBC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

extern int errno;
enum { EPERM = 1, EINTR = 4, EAGAIN = 11, ENOMEM = 12, EINVAL = 22, EPIPE = 32 };
enum { EMSGSIZE = 90, ENOTSUP = 95, ENOBUFS = 105 };

typedef struct FILE FILE;
extern FILE *stderr;
int fprintf(FILE *file, const char *format, ...);

void *malloc(size_t size);
void free(void *memory);
int atexit(void (*work)(void));
int getpid(void);

void *memchr(const void *bytes, int byte, size_t size);
char *strdup(const char *text);
char *strerror(int error);
size_t strlen(const char *text);
int strncmp(const char *one, const char *other, size_t size);

struct timespec {
    int64_t tv_sec;
    long tv_nsec;
};
enum { CLOCK_REALTIME, CLOCK_MONOTONIC };
int clock_gettime(int clock, struct timespec *now);
int nanosleep(const struct timespec *time, struct timespec *left);

struct pollfd {
    int fd;
    short events, revents;
};
enum { POLLIN = 1 };
int poll(struct pollfd *descriptors, unsigned long count, int milliseconds);

typedef int pthread_attr_t, pthread_key_t, pthread_t, sigset_t;
enum { PTHREAD_CANCEL_DISABLE, PTHREAD_CREATE_DETACHED, SIG_SETMASK };
int pthread_attr_destroy(pthread_attr_t *attributes);
int pthread_attr_getstacksize(const pthread_attr_t *attributes, size_t *size);
int pthread_attr_init(pthread_attr_t *attributes);
int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state);
int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size);
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*main)(void *), void *context);
void *pthread_getspecific(pthread_key_t key);
int pthread_key_create(pthread_key_t *key, void (*destroy)(void *));
int pthread_setcancelstate(int state, int *before);
int pthread_setspecific(pthread_key_t key, const void *value);
int pthread_sigmask(int how, const sigset_t *mask, sigset_t *before);
int sched_yield(void);
int sigfillset(sigset_t *set);

#endif
