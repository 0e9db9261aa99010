#include "inspector.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* ---- Where it is ---- */

/* Expands the path as the library does: `%p` is the process id. A relative path starts in the working directory of the
 * process. */
static bool expand(const char *pid, const char *pattern, char *path, size_t size) {
    size_t used = 0;
    if (*pattern != '/') used = (size_t)snprintf(path, size, "/proc/%s/cwd/", pid);
    const char *found = strstr(pattern, "%p");
    int before = found ? (int)(found - pattern) : (int)strlen(pattern);
    if (used < size)
        used += (size_t)snprintf(
            path + used, size - used, "%.*s%s%s", before, pattern, found ? pid : "", found ? found + 2 : "");
    return used < size;
}

bool inspector_find(const char *pid, char *path, size_t path_size, char *reason, size_t size) {
    static const char name[] = "SIGNALKIT_INSPECT=";
    char place[64], *variable = NULL;
    size_t room = 0;
    bool is_set = false, fits = false;
    snprintf(place, sizeof place, "/proc/%.20s/environ", pid);
    FILE *file = fopen(place, "r");
    if (!file) return snprintf(reason, size, "process %s: %s", pid, strerror(errno)), false;
    while (!is_set && getdelim(&variable, &room, 0, file) > 0)
        if (strncmp(variable, name, sizeof name - 1) == 0)
            is_set = true, fits = expand(pid, variable + sizeof name - 1, path, path_size);
    free(variable);
    fclose(file);
    if (!is_set) snprintf(reason, size, "process %s was not started with SIGNALKIT_INSPECT=path", pid);
    else if (!fits) snprintf(reason, size, "process %s: the path of its socket is too long", pid);
    return fits;
}

int inspector_connect(const char *path, char *reason, size_t size) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path)
        return snprintf(reason, size, "%s: longer than a socket's path may be", path), -1;
    strcpy(address.sun_path, path);
    int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection >= 0 && connect(connection, (struct sockaddr *)&address, sizeof address) == 0) return connection;
    snprintf(reason, size, "%s: %s", path, errno == ECONNREFUSED ? "nobody listens there" : strerror(errno));
    if (connection >= 0) close(connection);
    return -1;
}

/* ---- Requests ---- */

/* Returns whether data arrives before the time-out. */
static bool waits(int connection) {
    struct pollfd wanted = {.fd = connection, .events = POLLIN};
    int found;
    do found = poll(&wanted, 1, LONGEST_WAIT * 1000);
    while (found < 0 && errno == EINTR);
    return found > 0;
}

char *inspector_ask(int connection, const char *request, size_t *length, char *reason, size_t size) {
    size_t room = 1 << 16, used = 0;
    char *answer = malloc(room);
    *reason = 0;
    const char *problem = answer ? NULL : "no memory";
    bool is_whole = false;
    /* (A process that closed the connection may have sent the reason first.) */
    if (answer && send(connection, request, strlen(request), MSG_NOSIGNAL) < 0 && errno != EPIPE)
        problem = strerror(errno);
    while (!problem && !is_whole) {
        if (used + 1 == room) {
            char *larger = room < LONGEST_ANSWER ? realloc(answer, 2 * room) : NULL;
            if (!larger) {
                problem = room < LONGEST_ANSWER ? "no memory" : "the answer is too long";
                break;
            }
            answer = larger, room *= 2;
        }
        ssize_t got = waits(connection) ? recv(connection, answer + used, room - used - 1, 0) : -2;
        if (got > 0) {
            char *end = memchr(answer + used, '\n', (size_t)got);
            used += (size_t)got;
            is_whole = end != NULL;
            if (end && end != answer + used - 1) problem = "more than one answer";
        } else if (got == 0 || (got == -1 && errno == ECONNRESET)) {
            problem = used ? "the answer breaks off" : "";
        } else if (got == -2 || errno != EINTR) {
            problem = got == -2 ? "no answer" : strerror(errno);
        }
    }
    if (problem) {
        snprintf(reason, size, "%s", problem);
        free(answer);
        return NULL;
    }
    *length = used - 1;
    answer[used - 1] = 0;
    return answer;
}
