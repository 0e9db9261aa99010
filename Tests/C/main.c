#include "suite.h"

/* Runs the groups that are named, or all; `--groups` lists them. */
int main(int count, char **names) {
    static const struct { const char *name; int (*run)(void); } groups[] = {
#define GROUP(name) {#name, run_##name},
        GROUPS(GROUP)
#undef GROUP
    };
    bool list = count == 2 && strcmp(names[1], "--groups") == 0;
    int failures = 0, ran = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        bool wanted = count == 1 || list;
        for (int n = 1; n < count; n++) wanted |= strcmp(names[n], groups[i].name) == 0;
        if (!wanted) continue;
        ran++;
        if (list) puts(groups[i].name);
        else failures += groups[i].run();
    }
    return failures || ran < count - 1 ? 1 : 0;
}
