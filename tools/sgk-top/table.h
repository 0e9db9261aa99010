/* A snapshot as a table: lines of text, without anything that only a terminal understands. */
#ifndef SGK_TOP_TABLE_H
#define SGK_TOP_TABLE_H

#include "snapshot.h"

#include <stdio.h>

/* Prints a line of titles, a line for each run that is selected, and what else there is; as many columns as `width` has
 * room for (0: no bound), but no line is cut. False when there is no memory. */
bool table_print(FILE *to, snapshot *snapshot, const selection *selection, order order, int width);

/* One line: what the process is, and how much of everything there is. */
void table_print_summary(FILE *to, const snapshot *snapshot);

/* Prints a text of somebody else's: what would move a terminal's cursor, or its lines, is a question mark. */
void table_print_text(FILE *to, const char *text);

#endif
