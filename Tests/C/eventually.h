/* How the tests wait for conditions. The companions have a copy, because they build apart from this folder. (cmocka.h
 * comes before.) */
#ifndef EVENTUALLY_H
#define EVENTUALLY_H

#include <time.h>

/* Seconds after which an event counts as missing. Nothing here takes so long on any machine. */
enum { PATIENCE = 120 };

static inline void sleep_a_moment(void) { nanosleep(&(struct timespec){0, 1000000}, NULL); } /* or longer */

/* Waits until the condition holds. */
#define EVENTUALLY(condition) \
    do { \
        int patience_ = PATIENCE * 1000; \
        while (!(condition)) { \
            if (patience_-- == 0) fail_msg("never: %s", #condition); \
            sleep_a_moment(); \
        } \
    } while (0)

#endif
