/* The terminal: it is put back as it was however the program ends, except by SIGKILL. */
#ifndef SGK_TOP_SCREEN_H
#define SGK_TOP_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

/* Takes the terminal, if the standard output is one. */
bool screen_begin(void);
void screen_end(void);

/* How many characters fit on it. */
void screen_size(int *columns, int *rows);

typedef enum key {
    KEY_NONE = 0, /* the time is over, or the size has changed; a key that is a character is that character */
    KEY_UP = 256, KEY_DOWN, KEY_PAGE_UP, KEY_PAGE_DOWN, KEY_HOME, KEY_END,
} key;

/* Waits for a key, for at most so many seconds. */
int screen_key(double seconds);

/* Writes all of it; false when the terminal has gone. */
bool screen_write(const char *text, size_t length);

#endif
