#include "json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void json_begin(json *reader, char *text, size_t length) {
    *reader = (json){.start = text, .at = text, .end = text + length};
}

void json_refuse(json *reader, const char *mistake) {
    if (!reader->mistake) reader->mistake = mistake;
}

static void skip_space(json *reader) {
    while (reader->at < reader->end && strchr(" \t\r\n", *reader->at) && *reader->at) reader->at++;
}

/* Returns the next character; 0 at the end and after an error. */
static char next(json *reader) {
    if (reader->mistake) return 0;
    skip_space(reader);
    return reader->at < reader->end ? *reader->at : 0;
}

static bool take(json *reader, char expected, const char *mistake) {
    if (next(reader) == expected) return reader->at++, true;
    json_refuse(reader, mistake);
    return false;
}

bool json_open(json *reader, char bracket) {
    if (!take(reader, bracket, bracket == '{' ? "an object is expected" : "an array is expected")) return false;
    if (reader->depth == JSON_DEEPEST) return json_refuse(reader, "nested too deep"), false;
    reader->open[reader->depth].closing = bracket == '{' ? '}' : ']';
    reader->open[reader->depth++].has_members = false;
    return true;
}

bool json_more(json *reader) {
    char found = next(reader), closing = reader->open[reader->depth - 1].closing;
    if (reader->mistake) return false;
    if (found == closing) return reader->at++, reader->depth--, false;
    bool *has_members = &reader->open[reader->depth - 1].has_members;
    if (*has_members && !take(reader, ',', "a comma or the end of the object or array is expected")) return false;
    return *has_members = true;
}

/* ---- Texts ---- */

static int hexadecimal(json *reader) {
    int number = 0;
    for (int i = 0; i < 4; i++) {
        char digit = reader->at < reader->end ? *reader->at : 0;
        int value = digit >= '0' && digit <= '9'         ? digit - '0'
            : (digit | 32) >= 'a' && (digit | 32) <= 'f' ? (digit | 32) - 'a' + 10
                                                         : -1;
        if (value < 0) return json_refuse(reader, "four hexadecimal digits are expected"), 0;
        number = number * 16 + value;
        reader->at++;
    }
    return number;
}

static char *put(char *to, uint32_t character) {
    if (character < 0x80) return *to++ = (char)character, to;
    int more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
    *to++ = (char)(0xF0u << (3 - more) | character >> 6 * more);
    while (more-- > 0) *to++ = (char)(0x80 | (character >> 6 * more & 0x3F));
    return to;
}

/* Decodes the characters after a backslash. The result is never longer than its source. */
static char *put_escaped(json *reader, char *to) {
    static const char escapes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    char escape = reader->at < reader->end ? *reader->at++ : 0;
    const char *found = escape ? strchr(escapes, escape) : NULL;
    if (found) return *to++ = meant[found - escapes], to;
    if (escape != 'u') return json_refuse(reader, "an unknown escape"), to;
    int first = hexadecimal(reader), second = 0;
    if (first >> 10 == 0xD800 >> 10 && reader->end - reader->at > 2 && memcmp(reader->at, "\\u", 2) == 0)
        reader->at += 2, second = hexadecimal(reader);
    if (second >> 10 == 0xDC00 >> 10) return put(to, (uint32_t)(0x10000 + ((first & 0x3FF) << 10) + (second & 0x3FF)));
    if (second || first >> 11 == 0xD800 >> 11) return json_refuse(reader, "half of a pair of surrogates"), to;
    return put(to, first ? (uint32_t)first : 0xFFFD);
}

/* Returns the number of bytes of the character at `text`; 0 if it is not UTF-8. */
static size_t length_of(const unsigned char *text, const char *end) {
    size_t length = *text < 0x80 ? 1 : *text < 0xC2 ? 0 : *text < 0xE0 ? 2 : *text < 0xF0 ? 3 : *text < 0xF5 ? 4 : 0;
    if (length > (size_t)(end - (const char *)text)) return 0;
    for (size_t i = 1; i < length; i++)
        if (text[i] >> 6 != 2) return 0;
    bool is_too_long = (*text == 0xE0 && text[1] < 0xA0) || (*text == 0xF0 && text[1] < 0x90);
    bool is_none = (*text == 0xED && text[1] > 0x9F) || (*text == 0xF4 && text[1] > 0x8F);
    return is_too_long || is_none ? 0 : length;
}

const char *json_text(json *reader) {
    if (!take(reader, '"', "a text is expected")) return NULL;
    char *text = reader->at, *to = text;
    while (!reader->mistake) {
        if (reader->at == reader->end) return json_refuse(reader, "a text without an end"), NULL;
        unsigned char character = (unsigned char)*reader->at;
        if (character == '"') return reader->at++, *to = 0, text;
        if (character == '\\') {
            reader->at++;
            to = put_escaped(reader, to);
            continue;
        }
        size_t length = character < ' ' ? 0 : length_of((const unsigned char *)reader->at, reader->end);
        if (length == 0) json_refuse(reader, character < ' ' ? "a control character in a text" : "no UTF-8");
        memmove(to, reader->at, length);
        to += length, reader->at += length;
    }
    return NULL;
}

const char *json_key(json *reader) {
    const char *key = json_text(reader);
    return take(reader, ':', "a colon is expected") ? key : NULL;
}

/* ---- Other values ---- */

static size_t digits(json *reader) {
    char *first = reader->at;
    while (reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9') reader->at++;
    return (size_t)(reader->at - first);
}

static bool took(json *reader, const char *any) {
    return reader->at < reader->end && *reader->at && strchr(any, *reader->at) ? reader->at++, true : false;
}

double json_number(json *reader) {
    next(reader);
    if (reader->mistake) return 0;
    char *start = reader->at;
    took(reader, "-");
    bool is_right = took(reader, "0") || digits(reader) > 0;
    if (is_right && took(reader, ".")) is_right = digits(reader) > 0;
    if (is_right && took(reader, "eE")) took(reader, "+-"), is_right = digits(reader) > 0;
    double number = is_right ? strtod(start, NULL) : 0;
    if (!is_right) json_refuse(reader, "a number is expected");
    else if (!isfinite(number)) json_refuse(reader, "a number that is too large");
    return reader->mistake ? 0 : number;
}

static bool is_word(json *reader, const char *word) {
    size_t length = strlen(word);
    next(reader);
    if (reader->mistake || (size_t)(reader->end - reader->at) < length || memcmp(reader->at, word, length) != 0)
        return false;
    reader->at += length;
    return true;
}

bool json_is_null(json *reader) { return is_word(reader, "null"); }

bool json_truth(json *reader) {
    bool is_true = is_word(reader, "true");
    if (!is_true && !is_word(reader, "false")) json_refuse(reader, "true or false is expected");
    return is_true;
}

/* Skips nested values without recursion. */
void json_skip(json *reader) {
    int outside = reader->depth;
    do {
        if (reader->depth > outside) {
            if (!json_more(reader)) continue;
            if (reader->open[reader->depth - 1].closing == '}') json_key(reader);
        }
        char found = next(reader);
        if (found == '{' || found == '[') json_open(reader, found);
        else if (found == '"') json_text(reader);
        else if (!json_is_null(reader) && !is_word(reader, "true") && !is_word(reader, "false")) json_number(reader);
    } while (reader->depth > outside && !reader->mistake);
}

bool json_end(json *reader) {
    next(reader);
    if (reader->at < reader->end) json_refuse(reader, "something stands behind the end");
    return !reader->mistake;
}
