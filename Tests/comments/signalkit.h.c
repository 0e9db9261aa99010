#include <signalkit.h>
#include <stdio.h>
#include <string.h>

static char printed[16];

static bool is_short(void *context, sgk_value value) {
    size_t length = 0;
    return (void)context, sgk_value_data(value, &length) && length < 6;
}
static sgk_value shout(void *context, sgk_value value) {
    char text[16] = "";
    size_t length = 0;
    const char *said = sgk_value_data(value, &length);
    (void)context, snprintf(text, sizeof text, "%.*s!", (int)length, said);
    return sgk_string(text);
}
static void print(void *context, sgk_value value) {
    size_t length = 0;
    const char *text = sgk_value_data(value, &length);
    (void)context, snprintf(printed, sizeof printed, "%.*s", (int)length, text);
}

static void example(void) {
    EXAMPLE
    sgk_pipe_next(pipe, sgk_give(sgk_string("far too long")));
}

int main(void) {
    example();
    return strcmp(printed, "hello!") == 0 && sgk_live_total() == 0 ? 0 : 1;
}
