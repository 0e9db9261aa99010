/* Scenarios, which run repeatedly with a different failure each time (torture.c). */
#ifndef TORTURE_H
#define TORTURE_H

#include <signalkit/all.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MUST(condition) \
    ((condition) ? (void)0 \
                 : (fprintf(stderr, "%s:%d: it must be: %s (%s)\n", __FILE__, __LINE__, #condition, sgk_last_error()), \
                       _exit(2)))

/* True: all events arrived. False: a call failed as the headers describe, and the objects created so far were released.
 * Any other result ends the program. */
typedef struct scenario {
    const char *name;
    bool (*run)(void);
    bool looks_at_nothing; /* continues after every failure */
    bool is_of_system;     /* calls of the system have a part in it */
} scenario;

extern const scenario scenarios[]; /* the last has no name */

void nothing_is_left(void); /* of the objects of scenarios; waits for work in flight */

#endif
