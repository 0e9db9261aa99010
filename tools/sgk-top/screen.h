/* The terminal. Its settings are restored at every end of the program, except after SIGKILL.
 *
 * ncurses 6.4 was tried instead. Linked statically it adds 340 KB, and it still reads a description of the terminal
 * from the machine. Without a description it does not start: Debian 12 lacks kitty, ghostty and alacritty. It does not
 * restore the terminal after SIGHUP, SIGQUIT, SIGABRT and SIGSEGV. Without a UTF-8 locale it damages names.
 * Debian's archive cannot be linked with musl. */
#ifndef SGK_TOP_SCREEN_H
#define SGK_TOP_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

/* Takes the terminal, if the standard output is one. */
bool screen_begin(void);
void screen_end(void);

/* Sets the size of the terminal in characters. */
void screen_size(int *columns, int *rows);

typedef enum key {
    KEY_NONE = 0, /* time-out, or the size has changed. (A character key is its character.) */
    KEY_UP = 256,
    KEY_DOWN,
    KEY_PAGE_UP,
    KEY_PAGE_DOWN,
    KEY_HOME,
    KEY_END,
} key;

/* Waits for a key, at most `seconds`. */
int screen_key(double seconds);

/* Writes the whole text; false if the terminal was closed. */
bool screen_write(const char *text, size_t length);

#endif
