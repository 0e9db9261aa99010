/* Conversion between the contents of messages and values. */
#include "parts.h"

#include <stdio.h>

enum { DEPTH = 64 }; /* of containers, as the bus allows */

static int read_one(sd_bus_message *m, char type, const char *contents, int depth, sgk_value *result) {
    union {
        uint8_t y;
        int16_t n;
        uint16_t q;
        int32_t i;
        uint32_t u;
        int64_t x;
        uint64_t t;
        double d;
        int b;
        const char *s;
    } v;
    int failed;
    if (type == 'a' && strcmp(contents, "y") == 0) {
        const void *data;
        size_t size;
        failed = sd_bus_message_read_array(m, 'y', &data, &size);
        if (failed >= 0) *result = sgk_bytes(data, size);
        return failed < 0 ? failed : 0;
    }
    if (strchr("arev", type)) {
        failed = sd_bus_message_enter_container(m, type, contents);
        if (failed >= 0) failed = read_all(m, depth + 1, result);
        if (failed >= 0) failed = sd_bus_message_exit_container(m);
        if (failed >= 0 && type == 'v') {
            sgk_value inside = *result;
            *result = sgk_value_retain(sgk_array_at(inside, 0));
            sgk_value_release(inside);
        }
        return failed < 0 ? failed : 0;
    }
    if (type == 'h') return -ENOMSG;
    failed = sd_bus_message_read_basic(m, type, &v);
    if (failed < 0) return failed;
    switch (type) {
    case 'y': *result = sgk_int(v.y); break;
    case 'n': *result = sgk_int(v.n); break;
    case 'q': *result = sgk_int(v.q); break;
    case 'i': *result = sgk_int(v.i); break;
    case 'u': *result = sgk_int(v.u); break;
    case 'x': *result = sgk_int(v.x); break;
    case 't':
        if (v.t > INT64_MAX) return -ENOMSG;
        *result = sgk_int((int64_t)v.t);
        break;
    case 'd': *result = sgk_double(v.d); break;
    case 'b': *result = sgk_bool(v.b); break;
    case 's':
    case 'o':
    case 'g': *result = sgk_string(v.s); break;
    default: return -ENOMSG;
    }
    return 0;
}

int read_all(sd_bus_message *m, int depth, sgk_value *result) {
    sgk_value *values = NULL;
    size_t count = 0, size = 0;
    int failed = depth > DEPTH ? -ENOMSG : 0;
    for (char type; failed >= 0;) {
        const char *contents;
        failed = sd_bus_message_peek_type(m, &type, &contents);
        if (failed <= 0) break;
        sgk_value *more = companion_with_room(values, count, &size, sizeof *more);
        if (!more) {
            failed = -ENOMEM;
            break;
        }
        values = more;
        sgk_value value = sgk_null();
        failed = read_one(m, type, contents, depth, &value);
        if (failed >= 0) values[count++] = sgk_give(value);
    }
    if (failed >= 0) *result = sgk_array(values, count);
    else
        for (size_t i = 0; i < count; i++) values[i].reserved = 0, sgk_value_release(values[i]);
    free(values);
    return failed < 0 ? failed : 0;
}

/* Returns the length of the first complete type of a signature; 0 if it is invalid. */
static size_t type_length(const char *types, int depth) {
    if (depth > DEPTH || !*types || !strchr("ynqiuxtdbsogvha({", *types)) return 0;
    if (*types == 'a') {
        size_t inner = type_length(types + 1, depth + 1);
        return inner ? inner + 1 : 0;
    }
    if (*types != '(' && *types != '{') return 1;
    size_t length = 1;
    for (char end = *types == '(' ? ')' : '}'; types[length] != end;) {
        size_t inner = type_length(types + length, depth + 1);
        if (!inner) return 0;
        length += inner;
    }
    return length + 1;
}

static int append_all(sd_bus_message *m, const char *types, const sgk_value *values, size_t count, int depth);

static int append_int(sd_bus_message *m, char type, int64_t number) {
    union {
        uint8_t y;
        int16_t n;
        uint16_t q;
        int32_t i;
        uint32_t u;
        int64_t x;
        uint64_t t;
    } v = {0};
    bool fits = true;
    switch (type) {
    case 'y': fits = number >= 0 && number <= UINT8_MAX, v.y = (uint8_t)number; break;
    case 'n': fits = number >= INT16_MIN && number <= INT16_MAX, v.n = (int16_t)number; break;
    case 'q': fits = number >= 0 && number <= UINT16_MAX, v.q = (uint16_t)number; break;
    case 'i': fits = number >= INT32_MIN && number <= INT32_MAX, v.i = (int32_t)number; break;
    case 'u': fits = number >= 0 && number <= UINT32_MAX, v.u = (uint32_t)number; break;
    case 'x': v.x = number; break;
    case 't': fits = number >= 0, v.t = (uint64_t)number; break;
    }
    return fits ? sd_bus_message_append_basic(m, type, &v) : -ENOMSG;
}

/* Appends a value. `length` is the length of its type. */
static int append_one(sd_bus_message *m, const char *types, size_t length, sgk_value value, int depth) {
    sgk_kind kind = sgk_value_kind(value);
    size_t size = 0;
    char inner[256];
    if (depth > DEPTH || length >= sizeof inner) return -ENOMSG;
    switch (*types) {
    case 'y':
    case 'n':
    case 'q':
    case 'i':
    case 'u':
    case 'x':
    case 't': return kind == SGK_INT ? append_int(m, *types, sgk_to_int(value)) : -ENOMSG;
    case 'b': return kind == SGK_BOOL ? sd_bus_message_append_basic(m, 'b', &(int){sgk_to_bool(value)}) : -ENOMSG;
    case 'd':
        if (kind != SGK_DOUBLE && kind != SGK_INT) return -ENOMSG;
        return sd_bus_message_append_basic(m, 'd', &(double){sgk_to_double(value)});
    case 's':
    case 'o':
    case 'g': {
        const char *text = kind == SGK_STRING ? sgk_value_data(value, &size) : NULL;
        if (!text || strlen(text) != size) return -ENOMSG;
        int failed = sd_bus_message_append_basic(m, *types, text);
        return failed == -EINVAL ? -ENOMSG : failed;
    }
    case 'v': {
        static const char *const types_of[] = {NULL, "b", "x", "d", NULL, "s", "ay", "av", NULL, NULL};
        const char *type = kind <= SGK_OBJECT ? types_of[kind] : NULL;
        int failed = type ? sd_bus_message_open_container(m, 'v', type) : -ENOMSG;
        if (failed >= 0) failed = append_one(m, type, strlen(type), value, depth + 1);
        return failed < 0 ? failed : sd_bus_message_close_container(m);
    }
    case 'a':
    case '(':
    case '{': {
        if (length == 2 && types[1] == 'y') {
            const char *data = kind == SGK_BYTES || kind == SGK_STRING ? sgk_value_data(value, &size) : NULL;
            return data ? sd_bus_message_append_array(m, 'y', data, size) : -ENOMSG;
        }
        const sgk_value *items = kind == SGK_ARRAY ? sgk_array_items(value, &size) : NULL;
        if (kind != SGK_ARRAY) return -ENOMSG;
        bool is_array = *types == 'a';
        snprintf(inner, sizeof inner, "%.*s", (int)(length - (is_array ? 1 : 2)), types + 1);
        int failed = sd_bus_message_open_container(m, is_array ? 'a' : *types == '(' ? 'r' : 'e', inner);
        for (size_t i = 0; is_array && failed >= 0 && i < size; i++)
            failed = append_one(m, inner, strlen(inner), items[i], depth + 1);
        if (!is_array && failed >= 0) failed = append_all(m, inner, items, size, depth + 1);
        return failed < 0 ? failed : sd_bus_message_close_container(m);
    }
    default: return -ENOMSG;
    }
}

static int append_all(sd_bus_message *m, const char *types, const sgk_value *values, size_t count, int depth) {
    int failed = 0;
    for (size_t i = 0; failed >= 0 && *types; i++) {
        size_t length = type_length(types, depth);
        if (!length || i == count) return -ENOMSG;
        failed = append_one(m, types, length, values[i], depth);
        types += length;
        if (failed >= 0 && !*types && i + 1 != count) return -ENOMSG;
    }
    return failed;
}

int append(sd_bus_message *m, const char *types, sgk_value arguments) {
    size_t count = 0;
    const sgk_value *values = sgk_value_kind(arguments) == SGK_ARRAY ? sgk_array_items(arguments, &count) : NULL;
    if ((sgk_value_kind(arguments) != SGK_ARRAY && sgk_value_kind(arguments) != SGK_NULL) || (count && !*types))
        return -ENOMSG;
    return append_all(m, types, values, count, 0);
}

int read_message(sd_bus_message *m, sgk_value request, sgk_value *result) {
    sgk_value arguments = sgk_null();
    const char *texts[] = {sd_bus_message_get_sender(m), sd_bus_message_get_path(m), sd_bus_message_get_interface(m),
        sd_bus_message_get_member(m)};
    sgk_value parts[6];
    int failed = read_all(m, 0, &arguments);
    if (failed < 0) return sgk_value_release(request), failed;
    for (int i = 0; i < 4; i++) parts[i] = texts[i] ? sgk_give(sgk_string(texts[i])) : sgk_null();
    parts[SGK_DBUS_PART_ARGUMENTS] = sgk_give(arguments);
    parts[SGK_DBUS_PART_REQUEST] = sgk_give(request);
    *result = sgk_array(parts, sgk_value_kind(request) == SGK_OBJECT ? 6 : 5);
    return 0;
}

int are_types(const char *types) {
    if (strlen(types) > 255) return 0;
    for (size_t length; *types; types += length)
        if (*types == '{' || !(length = type_length(types, 0))) return 0;
    return 1;
}
