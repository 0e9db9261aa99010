/* Scenarios, which are made again and again while something fails, each time another thing (torture.c). */
#ifndef TORTURE_H
#define TORTURE_H

#include <signalkit.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MUST(condition)                                                                                     \
    ((condition) ? (void)0 : (fprintf(stderr, "%s:%d: it must be: %s (%s)\n", __FILE__, __LINE__, #condition, \
                                  sgk_last_error()),                                                        \
        _exit(2)))

/* True: all came as it is to. False: something was refused, as the headers say, and what was made by then has been let
 * go. Anything else ends the program. */
typedef struct scenario {
    const char *name;
    bool (*run)(void);
    bool looks_at_nothing; /* goes on whatever is refused */
    bool is_of_system;     /* calls of the system have a part in it */
} scenario;

extern const scenario scenarios[]; /* the last has no name */

void nothing_is_left(void); /* of what scenarios have made; waits for what is on its way */

#endif
