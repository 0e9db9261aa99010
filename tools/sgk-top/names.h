/* Names of functions that the loader does not know, as it knows no static ones. They are read from the symbol table of
 * the program file. */
#ifndef SGK_TOP_NAMES_H
#define SGK_TOP_NAMES_H

#include <stdbool.h>
#include <stdio.h>

/* Prints a line of a report of the library (sgk_debug_dump) as table_print_text does. A place in it that is
 * `FILE(+0xOFFSET)` becomes `FILE(FUNCTION+0xOFFSET)` if FILE tells: as `process` sees that, which is its /proc/PID, or
 * "" for this process. FILE may be anything, and is only read. The line is written to. */
void names_print_line(FILE *to, char *line, const char *process);

/* Prints the lines of a whole report. False: no memory. */
bool names_print(FILE *to, const char *report, const char *process);

#endif
