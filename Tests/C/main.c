#include "suite.h"

/* Runs one test (GROUP.NAME), a group (GROUP), or all groups (NULL). Returns the number of failures. */
static int run_named(const char *name) {
    static const struct {
        const char *name;
        int (*run)(void);
    } groups[] = {
#define GROUP(name) {#name, run_##name},
        GROUPS(GROUP)
#undef GROUP
    };
    int failures = 0;
    chosen.matched = 0;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        size_t length = strlen(groups[i].name);
        if (name && (strncmp(name, groups[i].name, length) != 0 || (name[length] && name[length] != '.'))) continue;
        chosen.group = groups[i].name;
        chosen.wanted = name && name[length] ? name + length + 1 : NULL;
        if (!chosen.wanted) chosen.matched++;
        failures += groups[i].run();
    }
    if (chosen.matched == 0) fprintf(stderr, "no such test: %s\n", name), failures++;
    return failures;
}

/* The arguments name the tests to run; without arguments all run. `--list` prints GROUP.NAME of each test. */
int main(int count, char **names) {
    int failures = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    chosen.lists = count == 2 && strcmp(names[1], "--list") == 0;
    if (count == 1 || chosen.lists) failures = run_named(NULL);
    else
        for (int n = 1; n < count; n++) failures += run_named(names[n]);
    return failures ? 1 : 0;
}
