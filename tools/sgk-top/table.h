/* A snapshot as a table: lines of text, without anything that only a terminal understands. */
#ifndef SGK_TOP_TABLE_H
#define SGK_TOP_TABLE_H

#include "snapshot.h"

#include <stdio.h>

/* Prints titles, a line for each selected stage, and the queues. Prints the columns that fit into `width` (0: all), but
 * cuts no line. Returns false if there is no memory. */
bool table_print(FILE *to, snapshot *snapshot, const selection *selection, order order, int width);

/* One line: what the process is, and how much of everything there is. */
void table_print_summary(FILE *to, const snapshot *snapshot);

/* Prints an untrusted text. Replaces control characters by question marks. */
void table_print_text(FILE *to, const char *text);

#endif
