/* The terminal: it is put back as it was however the program ends, except by SIGKILL.
 *
 * ncurses 6.4 was tried instead. Linked statically it adds 340 KB, and it still reads a description of the terminal
 * from the machine. Where that is missing it does not start: Debian 12 has none for kitty, ghostty and alacritty. It
 * leaves the terminal as it is after SIGHUP, SIGQUIT, SIGABRT and SIGSEGV. Without a UTF-8 locale it damages names.
 * Debian's archive cannot be linked with musl. */
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
