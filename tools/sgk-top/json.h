/* A strict reader of untrusted JSON (RFC 8259), in one pass. It allocates nothing: strings are decoded in place. After
 * the first error every function returns false or 0, so that callers check for errors only at the end.
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
    struct {
        char closing;
        bool has_members;
    } open[JSON_DEEPEST];
} json;

/* `text` is modified, and must be terminated by 0. */
void json_begin(json *reader, char *text, size_t length);

/* Goes into an object ('{') or an array ('['), if there is one. */
bool json_open(json *reader, char bracket);

/* Advances to the next member; false at the end of the object or array. */
bool json_more(json *reader);

/* The key of the next member of an object; NULL after a mistake. */
const char *json_key(json *reader);

/* Return the next value if it has the type. A string is valid as long as the whole text, and ends with 0. A 0 inside it
 * is replaced by U+FFFD. */
const char *json_text(json *reader);
double json_number(json *reader);

/* Whether the next value is null, which is taken then. */
bool json_is_null(json *reader);

/* The next value, if it is true or false. */
bool json_truth(json *reader);

/* Skips the next value of any type. */
void json_skip(json *reader);

/* Whether that was all, and all was right. */
bool json_end(json *reader);

/* Remembers a mistake, unless there was one. */
void json_refuse(json *reader, const char *mistake);

#endif
