/* A plug-in that contains the library (libsignalkit.a), and the program that loads it: `plugin PLUGIN`. The work of the
 * plug-in continues after dlclose, on each thread of the library. Without a thread the plug-in is unloaded. */
#include <dlfcn.h>
#include <signalkit.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* The function of the plug-in, which counts on the thread of that number. */
enum { NONE, QUEUE, POOL, CLOCK, DESCRIPTORS, INSPECTOR, THREADS };
typedef int begin_fn(int thread, atomic_int *counter);

#ifdef PLUGIN

static void count(void *counter) { ++*(atomic_int *)counter; }
static void count_again(void *counter);
static void count_value(void *counter, sgk_value value) { (void)value, count(counter); }
static sgk_queue *queue;

static void count_again(void *counter) {
    count(counter);
    sgk_queue_async(queue, count_again, counter, NULL);
}

begin_fn begin;
int begin(int thread, atomic_int *counter) {
    static int ends[2];
    char socket[64];
    sgk_signal *signal = NULL;
    switch (thread) {
    case NONE: sgk_pipe_release(sgk_pipe_create()); break;
    case QUEUE: queue = sgk_queue_create("plug-in"); return sgk_queue_async(queue, count_again, counter, NULL);
    case POOL: queue = sgk_queue_concurrent_default(); return sgk_queue_async(queue, count_again, counter, NULL);
    case CLOCK: signal = sgk_signal_interval(0.001, queue = sgk_queue_create("plug-in")); break;
    case DESCRIPTORS:
        if (pipe(ends) != 0 || write(ends[1], "byte", 4) != 4) return 1;
        signal = sgk_signal_fd(ends[0], SGK_FD_READ, queue = sgk_queue_create("plug-in"));
        break;
    case INSPECTOR:
        snprintf(socket, sizeof socket, "/tmp/plugin.%d", (int)getpid());
        count(counter), count(counter);
        return sgk_debug_inspect(socket);
    default: break;
    }
    if (signal) sgk_disposable_release(sgk_signal_start_next(signal, count_value, counter, NULL));
    return 0;
}

#else

static int use(const char *path, int thread) {
    atomic_int counter = 0;
    void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    begin_fn *begin = plugin ? (begin_fn *)dlsym(plugin, "begin") : NULL;
    if (!begin) return fprintf(stderr, "%s\n", dlerror()), 1;
    if (begin(thread, &counter) != 0 || dlclose(plugin) != 0) return 2;
    if (thread == NONE) return dlopen(path, RTLD_NOW | RTLD_NOLOAD) == NULL ? 0 : 3;
    int before = counter;
    for (int i = 0; i < 60000 && thread != INSPECTOR && counter < before + 10; i++) usleep(1000);
    if (thread == INSPECTOR) {
        char command[64];
        snprintf(command, sizeof command, "/tmp/plugin.%d", (int)getpid());
        usleep(100000);
        return access(command, F_OK) == 0 && unlink(command) == 0 ? 0 : 4;
    }
    return counter < before + 10 ? 5 : 0;
}

int main(int count, char **arguments) {
    int failed = count != 2;
    for (int thread = NONE; thread < THREADS && count == 2; thread++) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) _exit(use(arguments[1], thread));
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
            failed = printf("thread %d: status %x\n", thread, (unsigned)status);
    }
    return failed ? 1 : 0;
}
#endif
