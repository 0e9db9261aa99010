/* Loads the library into a program that runs: `loader LIBRARY`. */
#include <dlfcn.h>
#include <stdio.h>

int main(int count, char **arguments) {
    void *library = count == 2 ? dlopen(arguments[1], RTLD_NOW) : NULL;
    long long (*live_total)(void) = library ? (long long (*)(void))dlsym(library, "sgk_live_total") : NULL;
    if (!live_total) return fprintf(stderr, "%s\n", dlerror()), 1;
    return live_total() != 0;
}
