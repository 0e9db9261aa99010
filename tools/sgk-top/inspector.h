/* The inspector of another process: the socket that it opens with SIGNALKIT_INSPECT=path. */
#ifndef SGK_TOP_INSPECTOR_H
#define SGK_TOP_INSPECTOR_H

#include <stdbool.h>
#include <stddef.h>

enum { LONGEST_ANSWER = 64 << 20, LONGEST_WAIT = 5 /* seconds */ };

/* The socket of the process with that number, by the environment that it was started with. */
bool inspector_find(const char *pid, char *path, size_t path_size, char *reason, size_t size);

/* A connection; -1: `reason` says why. */
int inspector_connect(const char *path, char *reason, size_t size);

/* Sends a request of one line and returns the answer without its newline, terminated by 0. The caller frees it.
 * NULL: the connection cannot be used again, and `reason` describes the failure. It is empty if the process ended. */
char *inspector_ask(int connection, const char *request, size_t *length, char *reason, size_t size);

#endif
