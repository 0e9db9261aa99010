/* A strict reader of JSON (RFC 8259) that goes once through a text, which it does not trust. Nothing is allocated:
 * texts are decoded where they stand. After the first mistake everything is "no", so that only the end looks.
 *
 * cJSON 1.7.15, json-c 0.16 and jansson 2.14 were tried instead. They build a tree of all values: for a hostile answer
 * of 63 MB they took 1.7, 7.7 and 3.0 GB of memory, this reader 61 MB. The first two accept texts that are not JSON or
 * not UTF-8 (8 and 6 of those in Tests/sight/top.py). No archive of Debian's can be linked with musl.
 *
 *     if (json_open(&reader, '['))
 *         while (json_more(&reader)) sum += json_number(&reader); */
#ifndef SGK_TOP_JSON_H
#define SGK_TOP_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JSON_DEEPEST = 32 }; /* objects and arrays inside of each other */

typedef struct json {
    char *start, *at, *end;
    const char *mistake; /* at `at`; or NULL */
    int depth;
    struct { char closing; bool has_members; } open[JSON_DEEPEST];
} json;

/* `text` is written to; a 0 stands behind it. */
void json_begin(json *reader, char *text, size_t length);

/* Goes into an object ('{') or an array ('['), if there is one. */
bool json_open(json *reader, char bracket);

/* Before each member; false when it has gone out of the object or array. */
bool json_more(json *reader);

/* The key of the next member of an object; NULL after a mistake. */
const char *json_key(json *reader);

/* The next value, if it is of that type. A text lasts as long as the whole, and ends with 0, for which U+FFFD stands
 * inside. */
const char *json_text(json *reader);
double json_number(json *reader);

/* Whether the next value is null, which is taken then. */
bool json_is_null(json *reader);

/* The next value, if it is true or false. */
bool json_truth(json *reader);

/* Whatever comes next. */
void json_skip(json *reader);

/* Whether that was all, and all was right. */
bool json_end(json *reader);

/* Remembers a mistake, unless there was one. */
void json_refuse(json *reader, const char *mistake);

#endif
