/* Measures the loading of a library and its dependencies: time, resident memory, and the size of the files. */
#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../bench.h"

static double resident_kib(void) {
    long pages = 0, ignored;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &ignored, &pages) != 2) exit(1);
    fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / 1024;
}

/* The files of all libraries but libc's own. */
static int add_size(struct dl_phdr_info *info, size_t size, void *total) {
    (void)size;
    static const char *const system[] = {
        "/libc.so", "/libm.so", "/ld-linux", "/libpthread.so", "/libdl.so", "linux-vdso"};
    for (size_t i = 0; i < sizeof system / sizeof *system; i++) {
        if (strstr(info->dlpi_name, system[i])) return 0;
    }
    struct stat file;
    if (info->dlpi_name[0] && stat(info->dlpi_name, &file) == 0) *(double *)total += (double)file.st_size / 1024;
    return 0;
}

static void *load(const char *path) {
    void *library = dlopen(path, RTLD_NOW);
    if (!library) bench_missing(dlerror());
    return library;
}

static double load_time(const char *path) {
    double start = bench_now();
    load(path);
    return (bench_now() - start) / 1e6;
}

static double memory(const char *path) {
    double before = resident_kib();
    load(path);
    return resident_kib() - before;
}

static double size(const char *path) {
    double kib = 0;
    load(path);
    dl_iterate_phdr(add_size, &kib);
    return kib;
}

/* The library's own file, which is stripped. */
static double file_size(const char *path) {
    struct link_map *map;
    struct stat file;
    if (dlinfo(load(path), RTLD_DI_LINKMAP, &map) != 0 || stat(map->l_name, &file) != 0) exit(1);
    return (double)file.st_size / 1024;
}

#define LIBRARY(name, path) \
    static double name##_time(long count) { return (void)count, load_time(path); } \
    static double name##_memory(long count) { return (void)count, memory(path); } \
    static double name##_file(long count) { return (void)count, file_size(path); } \
    static double name##_size(long count) { return (void)count, size(path); }

LIBRARY(signalkit, "libsignalkit.so.1")
LIBRARY(gobject, "libgobject-2.0.so.0")
LIBRARY(uv, "libuv.so.1")

/* A process loads a library once: count 0 says that there is no warming up. */
#define CASES(name, title) \
    {"W9.time", title, name##_time, 0}, {"W9.memory", title, name##_memory, 0}, {"W9.file", title, name##_file, 0}, { \
        "W9.size", title, name##_size, 0 \
    }

static const bench_case cases[] = {
    CASES(signalkit, "SignalKit (C)"),
    CASES(gobject, "GObject"),
    CASES(uv, "libuv"),
};

BENCH_MAIN(cases)
