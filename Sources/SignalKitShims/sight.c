#include "shims/sight.h"

#include "shims/event.h"
#include "shims/process.h"
#include "shims/thread.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <signal.h>

#ifdef __ELF__
__attribute__((section(".probes"))) /* where tracers look for a probe's semaphore */
#endif
uint16_t sgk_shim_lookers = 1;

static _Thread_local sgk_shim_view here;

sgk_shim_view *sgk_shim_view_here(void) { return &here; }

static pthread_key_t key;
static bool has_key;
static void (*leave_all)(sgk_shim_view *);

static void thread_ends(void *context) {
    sgk_shim_view *view = context;
    __atomic_load_n(&leave_all, __ATOMIC_RELAXED)(view);
    free(view->visits);
    view->visits = NULL;
    view->room = 0;
}

static void make_key(void) { has_key = pthread_key_create(&key, thread_ends) == 0; }

bool sgk_shim_view_grow(sgk_shim_view *view, void (*leave)(sgk_shim_view *)) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    __atomic_store_n(&leave_all, leave, __ATOMIC_RELAXED);
    (void)pthread_once(&once, make_key);
    if (!has_key || pthread_setspecific(key, view) != 0) return false;
    size_t room = view->room > 0 ? 2 * view->room : 16;
    sgk_shim_visit *larger = realloc(view->visits, room * sizeof *larger);
    if (larger) view->visits = larger, view->room = room;
    return larger;
}

int32_t sgk_shim_own_number(void) {
    static int32_t made;
    if (here.thread == 0 || here.process != sgk_shim_process_number()) {
        here.thread = sgk_shim_thread_number();
        if (here.thread == 0) here.thread = __atomic_add_fetch(&made, 1, __ATOMIC_RELAXED); /* not all systems tell */
        here.process = sgk_shim_process_number();
    }
    return here.thread;
}

bool sgk_shim_environment_says(const char *name) {
    const char *text = sgk_shim_variable(name);
    return text != NULL && *text != 0 && strcmp(text, "0") != 0;
}

static void complain_of(const char *name, const char *text, const char *reason) {
    char line[160];
    (void)snprintf(line, sizeof line, "%s: %s: %.80s", name, reason, text);
    sgk_shim_complain(line);
}

double sgk_shim_environment_seconds(const char *name) {
    const char *text = sgk_shim_variable(name);
    if (text == NULL) return 0;
    char *end;
    double seconds = strtod(text, &end);
    if (*end == 0 && seconds >= 0) return seconds;
    complain_of(name, text, "must be a number of seconds");
    return 0;
}

bool sgk_shim_is_traced(const char *name) {
    static const char unknown[] = "";
    static const char *pattern = unknown;
    const char *known = __atomic_load_n(&pattern, __ATOMIC_RELAXED);
    if (known == unknown) __atomic_store_n(&pattern, known = sgk_shim_variable("SIGNALKIT_TRACE"), __ATOMIC_RELAXED);
    return known != NULL && fnmatch(known, name, 0) == 0;
}

/* ---- Files ---- */

bool sgk_shim_write_file(const char *directory, const char *name, const void *bytes, size_t size) {
    static int count; /* at the end, and at a request: several at once */
    int own = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
    char path[1024], half[1024];
    (void)snprintf(path, sizeof path, "%s/signalkit-%ld-%s", directory, (long)getpid(), name);
    int length = snprintf(half, sizeof half, "%s/.signalkit-%ld-%d-%s", directory, (long)getpid(), own, name);
    if (length >= (int)sizeof half) return false;
    (void)unlink(half); /* in a directory that others can write to it could lead elsewhere */
    int file = open(half, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) return false;
    const char *next = bytes;
    while (size > 0) {
        ssize_t written = write(file, next, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) break;
        next += written;
        size -= (size_t)written;
    }
    bool is_whole = close(file) == 0 && size == 0 && rename(half, path) == 0;
    if (!is_whole) (void)unlink(half);
    return is_whole;
}

/* ---- A request from outside ---- */

static sgk_shim_event requested;
static pid_t asked;
static void (*answer)(void);

static void request(int number) {
    (void)number;
    if (getpid() != asked) return; /* the event of a child is its parent's */
    int before = errno;
    sgk_shim_event_raise(requested);
    errno = before;
}

static void *await_requests(void *context) {
    while (sgk_shim_event_wait(requested)) {
        sgk_shim_event_clear(requested);
        answer();
    }
    return context;
}

static const char *await_signal(const char *text) {
    char *end;
    long number = strtol(text, &end, 10);
    if (*end != 0 || number <= 0 || number > INT_MAX) return "no number of a signal";
    requested = sgk_shim_event_make();
    if (sgk_shim_event_descriptor(requested) < 0) return "the system cannot create a descriptor";
    if (!sgk_shim_thread_start(await_requests, NULL)) return "the system cannot create a thread";
    struct sigaction action = {.sa_handler = request, .sa_flags = SA_RESTART};
    return sigaction((int)number, &action, NULL) == 0 ? NULL : "no signal that can be handled";
}

void sgk_shim_on_signal(const char *name, void (*work)(void)) {
    if (!sgk_shim_environment_says(name)) return;
    const char *text = sgk_shim_variable(name);
    asked = getpid();
    answer = work;
    const char *reason = await_signal(text);
    if (reason) complain_of(name, text, reason);
}
