/* The library, loaded and unloaded a hundred times, and several copies of it in a process: `copies LIBRARY COPY`, both
 * loaded at run time, in addition to the one that this program is linked with. Each has its own count of objects and
 * its own threads. */
#include <dirent.h>
#include <dlfcn.h>
#include <signalkit.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#define CHECK(condition) ((condition) ? (void)0 : (fprintf(stderr, "line %d: %s\n", __LINE__, #condition), _exit(1)))

/* clang-format off */
#define FUNCTIONS(X)                                                                                        \
    X(sgk_pipe_create) X(sgk_pipe_signal) X(sgk_pipe_next) X(sgk_queue_create) X(sgk_signal_deliver_on)     \
    X(sgk_signal_start_next) X(sgk_disposable_dispose) X(sgk_release) X(sgk_drain) X(sgk_live_total)
/* clang-format on */

typedef struct copy {
#define MEMBER(name) __typeof__(&name) name;
    FUNCTIONS(MEMBER)
} copy;

static const copy own = {
#define OWN(name) name,
    FUNCTIONS(OWN)};

static void *load(const char *path, copy *c) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) fprintf(stderr, "%s\n", dlerror());
    CHECK(library);
#define FIND(name) CHECK(c->name = (__typeof__(c->name))dlsym(library, #name));
    FUNCTIONS(FIND)
    return library;
}

static atomic_int received, destroyed;
static void receive(void *context, sgk_value value) { (void)context, received += (int)sgk_to_int(value); }
static void destroy(void *context) { (void)context, destroyed++; }

/* A value that passes through a queue's thread. */
static void use(const copy *c) {
    int before = received, gone = destroyed;
    sgk_pipe *pipe = c->sgk_pipe_create();
    sgk_signal *piped = c->sgk_pipe_signal(pipe);
    sgk_queue *queue = c->sgk_queue_create("q");
    sgk_signal *delivered = c->sgk_signal_deliver_on(piped, queue);
    sgk_disposable *run = c->sgk_signal_start_next(delivered, receive, NULL, destroy);
    CHECK(c->sgk_live_total() == 6);
    c->sgk_pipe_next(pipe, sgk_int(3));
    CHECK(c->sgk_drain(60) == SGK_OK);
    CHECK(received == before + 3);
    c->sgk_disposable_dispose(run);
    c->sgk_release(run);
    c->sgk_release(delivered);
    c->sgk_release(queue);
    c->sgk_release(piped);
    c->sgk_release(pipe);
    CHECK(c->sgk_drain(60) == SGK_OK);
    CHECK(c->sgk_live_total() == 0 && destroyed == gone + 1);
}

static int entries(const char *place) {
    DIR *directory = opendir(place);
    int count = 0;
    CHECK(directory);
    while (readdir(directory)) count++;
    closedir(directory);
    return count;
}

static int mappings(void) {
    FILE *maps = fopen("/proc/self/maps", "r");
    int count = 0, c;
    CHECK(maps);
    while ((c = getc(maps)) != EOF) count += c == '\n';
    fclose(maps);
    return count;
}

int main(int count, char **arguments) {
    copy loaded, other;
    CHECK(count == 3);
    int descriptors = 0, threads = 0, places = 0;
    for (int i = 0; i < 100; i++) {
        void *library = load(arguments[1], &loaded);
        use(&loaded);
        CHECK(dlclose(library) == 0); /* it stays: its threads may be at work */
        if (i == 10) descriptors = entries("/proc/self/fd"), threads = entries("/proc/self/task"), places = mappings();
    }
    CHECK(entries("/proc/self/fd") == descriptors);
    CHECK(entries("/proc/self/task") <= threads + 2 && mappings() <= places + 16); /* another thread, at most */
    load(arguments[1], &loaded);
    load(arguments[2], &other);
    CHECK(loaded.sgk_pipe_create != other.sgk_pipe_create && loaded.sgk_pipe_create != own.sgk_pipe_create);
    sgk_pipe *pipe = own.sgk_pipe_create(), *another = loaded.sgk_pipe_create();
    CHECK(own.sgk_live_total() == 1 && loaded.sgk_live_total() == 1 && other.sgk_live_total() == 0);
    own.sgk_release(pipe);
    loaded.sgk_release(another);
    for (int i = 0; i < 10; i++) use(&own), use(&loaded), use(&other);
    printf("three copies: %d values received\n", (int)received / 3);
    return 0;
}
