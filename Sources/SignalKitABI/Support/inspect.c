/* The inspector: a Unix socket through which programs of the same user query the subscriptions of this process. A
 * request is one line, and an answer is a JSON object in one line. One thread serves all clients and sleeps while no
 * request is pending.
 *
 * Clients are not trusted. Requests have a maximum size, and each client has at most one pending answer. The inspector
 * disconnects a client that stalls for too long in the middle of an exchange. */
#include "SignalKitSupport.h"

#include "signalkit.h"

#include "shims/process.h"
#include "shims/sight.h"
#include "shims/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* Debugging.swift */
void sgk_support_write_quoted(const char *text, sgk_write_fn write, void *context);

enum {
    MOST_CLIENTS = 8,
    LONGEST_REQUEST = 256,
    LONGEST_ANSWER = 64 << 20,
    PATIENCE = 10, /* seconds */
    PAUSE = 1,     /* seconds, when the system has no descriptor for a client */
};

typedef struct text {
    char *bytes;
    size_t length, room;
    bool is_broken; /* too long, or there was no memory */
} text;

typedef struct client {
    int descriptor; /* -1: none */
    char request[LONGEST_REQUEST];
    size_t received, sent;
    text answer;
    bool has_ended, is_refused; /* it sends nothing more; disconnected after it reads the reason */
    double deadline;            /* for a request or answer in progress; 0: none */
    uint64_t silent;            /* which admission this was, until it says something; then 0 */
} client;

/* While the serving thread exists, only that thread uses these variables. The lock protects the start and the end of
 * the thread, and the descriptors, which must be consistent during a fork. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    uint32_t is_served;
    bool is_to_end;
    int listener;
    sgk_shim_event wake;
    struct sockaddr_un address;
    struct stat file;
    client clients[MOST_CLIENTS];
} inspector;

/* ---- Answers ---- */

static void append(void *context, const char *bytes, size_t length) {
    text *to = context;
    size_t whole = to->length + length;
    if (whole > LONGEST_ANSWER) to->is_broken = true;
    if (!to->is_broken && whole > to->room) {
        size_t room = whole > 2048 ? 2 * whole : 4096;
        char *larger = realloc(to->bytes, room);
        if (larger) to->bytes = larger, to->room = room;
        to->is_broken = !larger;
    }
    if (to->is_broken) return;
    memcpy(to->bytes + to->length, bytes, length);
    to->length = whole;
}

__attribute__((format(printf, 2, 3))) static void print(text *to, const char *format, ...) {
    char piece[160];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    append(to, piece, (size_t)length);
}

static void forget(text *to) {
    free(to->bytes);
    *to = (text){NULL, 0, 0, false};
}

static void print_live(text *to) {
    static const char *const kinds[] = {
#define KIND(name, number, text) text,
        SGK_LIVE_MAP(KIND)
#undef KIND
    };
    print(to, "{\"version\":1,\"pid\":%d,\"live\":{", (int)getpid());
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        print(to, "%s\"%s\":%lld", i > 0 ? "," : "", kinds[i], (long long)sgk_live_count((sgk_live)i));
    print(to, "}}\n");
}

/* Prints the output of sgk_debug_dump as text. */
static void print_dump(text *to) {
    text dumped = {NULL, 0, 0, false};
    dumped.is_broken = sgk_debug_dump(append, &dumped) != SGK_OK;
    append(&dumped, "", 1);
    print(to, "{\"version\":1,\"pid\":%d,\"dump\":", (int)getpid());
    if (dumped.is_broken) to->is_broken = true;
    else sgk_support_write_quoted(dumped.bytes, append, to);
    print(to, "}\n");
    forget(&dumped);
}

static void print_error(text *to, const char *reason) { print(to, "{\"version\":1,\"error\":\"%s\"}\n", reason); }

static bool is(const char *word, const char *request, size_t length) {
    return strlen(word) == length && memcmp(word, request, length) == 0;
}

static void answer(text *to, const char *request, size_t length) {
    if (is("graph", request, length)) (void)sgk_debug_graph(SGK_DEBUG_JSON, append, to);
    else if (is("live", request, length)) print_live(to);
    else if (is("dump", request, length)) print_dump(to);
    else print_error(to, "unknown request");
    if (!to->is_broken) return;
    forget(to);
    print_error(to, "the answer is too long, or memory ran out");
}

/* ---- A client ---- */

static double in(double seconds) { return sgk_shim_monotonic_seconds() + seconds; }

/* Sends as much of the answer as the client accepts. Returns false if the client has disconnected. */
static bool send_on(client *client) {
    text *answer = &client->answer;
    while (client->sent < answer->length) {
        ssize_t sent =
            send(client->descriptor, answer->bytes + client->sent, answer->length - client->sent, MSG_NOSIGNAL);
        if (sent < 0 && errno == EAGAIN) return true;
        if (sent < 0 && errno != EINTR) return false;
        if (sent > 0) client->sent += (size_t)sent, client->deadline = in(PATIENCE);
    }
    client->sent = 0;
    forget(answer);
    return true;
}

/* Answers the client's requests. Each answer starts after the client has received the previous one. Returns false if
   the client must be disconnected. */
static bool proceed(client *client) {
    while (send_on(client)) {
        if (client->answer.length > 0) return true;
        if (client->is_refused) return false;
        const char *end = memchr(client->request, '\n', client->received);
        if (end) {
            size_t length = (size_t)(end - client->request);
            answer(&client->answer, client->request, length);
            client->received -= length + 1;
            memmove(client->request, end + 1, client->received);
            client->deadline = in(PATIENCE);
        } else if (client->received == LONGEST_REQUEST) {
            print_error(&client->answer, "the request is too long");
            client->is_refused = true;
        } else {
            if (client->received == 0) client->deadline = 0;
            return !client->has_ended;
        }
    }
    return false;
}

static bool receive(client *client) {
    ssize_t received =
        recv(client->descriptor, client->request + client->received, LONGEST_REQUEST - client->received, 0);
    if (received < 0) return errno == EAGAIN || errno == EINTR;
    if (client->deadline == 0) client->deadline = in(PATIENCE);
    client->silent = 0;
    client->received += (size_t)received;
    client->has_ended = received == 0;
    return proceed(client);
}

static void let_go(client *client) {
    pthread_mutex_lock(&lock);
    (void)close(client->descriptor);
    client->descriptor = -1;
    pthread_mutex_unlock(&lock);
    forget(&client->answer);
}

/* ---- All clients ---- */

/* A free place, if need be that of the client that has been there longest without a word; NULL: there is none. */
static client *make_place(void) {
    client *silent = NULL;
    for (client *place = inspector.clients; place < inspector.clients + MOST_CLIENTS; place++) {
        if (place->descriptor < 0) return place;
        if (place->silent > 0 && (!silent || place->silent < silent->silent)) silent = place;
    }
    if (silent) let_go(silent);
    return silent;
}

/* Returns false if the system has no free descriptor. */
static bool admit(void) {
    static uint64_t admissions;
    client *place = make_place(), guest = {.descriptor = -1, .silent = ++admissions};
    pthread_mutex_lock(&lock);
    int descriptor = accept4(inspector.listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    bool is_fine = descriptor >= 0 || errno == EAGAIN || errno == EINTR || errno == ECONNABORTED;
    guest.descriptor = descriptor;
    if (place) *place = guest;
    pthread_mutex_unlock(&lock);
    if (!place && descriptor >= 0) {
        print_error(&guest.answer, "there are too many clients");
        (void)send_on(&guest);
        let_go(&guest);
    }
    return is_fine;
}

static void earliest(double *time, double other) {
    if (other > 0 && (*time == 0 || other < *time)) *time = other;
}

static void serve_once(double *pause) {
    struct pollfd wanted[MOST_CLIENTS + 2];
    double deadline = 0;
    earliest(&deadline, *pause);
    for (int i = 0; i < MOST_CLIENTS; i++) {
        client *client = &inspector.clients[i];
        wanted[i] = (struct pollfd){client->descriptor, client->answer.length > 0 ? POLLOUT : POLLIN, 0};
        if (client->descriptor >= 0) earliest(&deadline, client->deadline);
    }
    wanted[MOST_CLIENTS] = (struct pollfd){*pause > 0 ? -1 : inspector.listener, POLLIN, 0};
    wanted[MOST_CLIENTS + 1] = (struct pollfd){sgk_shim_event_descriptor(inspector.wake), POLLIN, 0};
    double left = deadline == 0 ? 0 : deadline - in(0);
    if (poll(wanted, MOST_CLIENTS + 2, deadline == 0 ? -1 : left > 0 ? (int)(left * 1000) + 1 : 0) < 0) {
        sgk_shim_sleep(100000); /* memory or descriptors are exhausted: do not spin */
        return;
    }
    double now = in(0);
    for (int i = 0; i < MOST_CLIENTS; i++) {
        client *client = &inspector.clients[i];
        if (client->descriptor < 0) continue;
        bool stays = !wanted[i].revents ? client->deadline == 0 || now < client->deadline
            : client->answer.length > 0 ? proceed(client)
                                        : receive(client);
        if (!stays) let_go(client);
    }
    if (*pause > 0 && now >= *pause) *pause = 0;
    if (wanted[MOST_CLIENTS].revents && !admit()) *pause = in(PAUSE);
}

static bool is_to_end(void) { return __atomic_load_n(&inspector.is_to_end, __ATOMIC_ACQUIRE); }

static void *serve(void *context) {
    (void)context;
    double pause = 0; /* until when no client is let in; 0: they are */
    sgk_shim_thread_set_name("sgk-inspect");
    while (!is_to_end()) serve_once(&pause);
    for (client *client = inspector.clients; client < inspector.clients + MOST_CLIENTS; client++)
        if (client->descriptor >= 0) let_go(client);
    pthread_mutex_lock(&lock);
    (void)close(inspector.listener);
    sgk_shim_event_close(inspector.wake);
    __atomic_store_n(&inspector.is_served, 0, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
    sgk_shim_futex_wake_all((uintptr_t)&inspector.is_served);
    return NULL;
}

/* ---- Its socket: all here with the lock ---- */

/* Reads the place, owner and type of a file. glibc before 2.33 does not export lstat, and other C libraries have no
 * statx. */
static bool look_at(const char *path, struct stat *file) {
#ifdef __GLIBC__
    struct statx found;
    if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_TYPE | STATX_UID | STATX_INO, &found) != 0) return false;
    file->st_ino = found.stx_ino, file->st_dev = (dev_t)found.stx_dev_major << 32 | found.stx_dev_minor;
    file->st_uid = found.stx_uid, file->st_mode = found.stx_mode;
    return true;
#else
    return lstat(path, file) == 0;
#endif
}

/* Removes the socket file unless another file has replaced it. */
static void remove_file(void) {
    struct stat found;
    const struct stat *own = &inspector.file;
    const char *path = inspector.address.sun_path;
    if (look_at(path, &found) && found.st_ino == own->st_ino && found.st_dev == own->st_dev) (void)unlink(path);
}

static void end_serving(void) {
    while (inspector.is_served) {
        if (!inspector.is_to_end) {
            remove_file();
            sgk_shim_look(false);
            __atomic_store_n(&inspector.is_to_end, true, __ATOMIC_RELEASE);
            sgk_shim_event_raise(inspector.wake);
        }
        pthread_mutex_unlock(&lock);
        sgk_shim_futex_wait((uintptr_t)&inspector.is_served, 1);
        pthread_mutex_lock(&lock);
    }
}

static void before_fork(void) { pthread_mutex_lock(&lock); }
static void in_parent(void) { pthread_mutex_unlock(&lock); }

/* The child has the descriptors, but not the thread; and the socket is the parent's. */
static void in_child(void) {
    for (client *client = inspector.clients; inspector.is_served && client < inspector.clients + MOST_CLIENTS; client++)
        if (client->descriptor >= 0) (void)close(client->descriptor);
    if (inspector.is_served) {
        (void)close(inspector.listener);
        sgk_shim_event_close(inspector.wake);
        if (!inspector.is_to_end) sgk_shim_look(false);
    }
    inspector.is_served = 0;
    pthread_mutex_unlock(&lock);
}

static void at_exit(void) {
    pthread_mutex_lock(&lock);
    if (inspector.is_served && !inspector.is_to_end) remove_file();
    pthread_mutex_unlock(&lock);
}

/* `%p` in a path is the number of the process. */
static bool expand(const char *pattern, char *path, size_t size) {
    const char *found = strstr(pattern, "%p");
    char number[16] = "";
    if (found) snprintf(number, sizeof number, "%d", (int)getpid());
    int before = found ? (int)(found - pattern) : (int)strnlen(pattern, size);
    return (size_t)snprintf(path, size, "%.*s%s%s", before, pattern, number, found ? found + 2 : "") < size;
}

/* Reports whether the path is a socket of this user without a listener. */
static bool is_left_over(const struct sockaddr_un *address) {
    struct stat file;
    if (!look_at(address->sun_path, &file) || !S_ISSOCK(file.st_mode) || file.st_uid != geteuid()) return false;
    int visitor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool is_refused = visitor >= 0 && connect(visitor, (const struct sockaddr *)address, sizeof *address) != 0 &&
        errno == ECONNREFUSED;
    if (visitor >= 0) (void)close(visitor);
    return is_refused;
}

static bool bind_to(int listener, const struct sockaddr_un *address) {
    return bind(listener, (const struct sockaddr *)address, sizeof *address) == 0;
}

/* Binds the socket, and listens only after the file's permissions are set. Returns NULL, or the reason of a failure. */
static const char *listen_at(int listener, const struct sockaddr_un *address, struct stat *file) {
    const char *path = address->sun_path;
    if (!bind_to(listener, address)) {
        if (errno != EADDRINUSE) return strerror(errno);
        if (!is_left_over(address)) return "must not be in use, and must be a socket if it exists";
        if (unlink(path) != 0 || !bind_to(listener, address)) return strerror(errno);
    }
    bool is_fine = chmod(path, S_IRUSR | S_IWUSR) == 0 && look_at(path, file) && listen(listener, MOST_CLIENTS) == 0;
    const char *reason = is_fine ? NULL : strerror(errno);
    if (reason) (void)unlink(path);
    return reason;
}

static const char *begin_serving(const char *pattern, sgk_status *status) {
    static bool is_prepared;
    *status = SGK_ERROR_ARGUMENT;
    inspector.address = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (!expand(pattern, inspector.address.sun_path, sizeof inspector.address.sun_path)) return "must be shorter";
    if (!*pattern) return "must not be empty"; /* the system would take that for a name without a file */
    *status = SGK_ERROR_SYSTEM;
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sgk_shim_event wake = sgk_shim_event_make();
    const char *reason = listener < 0 || sgk_shim_event_descriptor(wake) < 0
        ? "the system cannot create a descriptor"
        : listen_at(listener, &inspector.address, &inspector.file);
    if (!reason) {
        inspector.listener = listener;
        inspector.wake = wake;
        inspector.is_to_end = false;
        for (int i = 0; i < MOST_CLIENTS; i++) inspector.clients[i].descriptor = -1;
        inspector.is_served = sgk_shim_thread_start(serve, NULL);
        if (!inspector.is_served) remove_file(), reason = "the system cannot create a thread";
    }
    if (reason) {
        if (listener >= 0) (void)close(listener);
        if (sgk_shim_event_descriptor(wake) >= 0) sgk_shim_event_close(wake);
        return reason;
    }
    sgk_shim_look(true);
    if (!is_prepared) sgk_shim_at_fork(before_fork, in_parent, in_child), sgk_shim_at_exit(at_exit);
    is_prepared = true;
    *status = SGK_OK;
    return NULL;
}

static const char *set(const char *path, sgk_status *status) {
    pthread_mutex_lock(&lock);
    end_serving();
    const char *reason = path ? begin_serving(path, status) : NULL;
    pthread_mutex_unlock(&lock);
    return reason;
}

sgk_status sgk_debug_inspect(const char *path) {
    sgk_status status = SGK_OK;
    const char *reason = set(path, &status);
    if (reason) sgk_support_fail(status, "sgk_debug_inspect", "path", reason);
    return status;
}

void sgk_support_inspect_if_asked(void) {
    static bool is_done;
    sgk_status status;
    if (__atomic_exchange_n(&is_done, true, __ATOMIC_RELAXED)) return;
    const char *path = sgk_shim_variable("SIGNALKIT_INSPECT");
    const char *reason = path && *path ? set(path, &status) : NULL;
    if (!reason) return;
    char line[256];
    snprintf(line, sizeof line, "SIGNALKIT_INSPECT: %s: %s", reason, path);
    sgk_support_log(line);
}
