/* Objects for the debugger's printers: values of each kind, and handles. */
#include <signalkit.h>

void look(void);
void look(void) {}

static const char nothing_here[64];

static const sgk_object_type type = {sizeof type, "number", NULL, NULL, NULL, NULL, NULL};

int main(void) {
    sgk_value none = sgk_null(), flag = sgk_bool(true), number = sgk_int(-42), half = sgk_double(0.5);
    sgk_value pointer = sgk_pointer(&none), text = sgk_string("say \"h\303\251\""), bytes = sgk_bytes("\0\377", 2);
    sgk_value items[] = {number, text}, inner = sgk_array(items, 2), outer_items[] = {inner, none};
    sgk_value nested = sgk_array(outer_items, 2), object = sgk_object(&number, &type);
    sgk_value error = sgk_error(SGK_ERROR_TIMEOUT, "too \"late\"");
    sgk_value wrapped = sgk_error_from(404, "fetch", error);
    sgk_value given = sgk_give(sgk_value_retain(text)), empty = sgk_string(""), wrong = {99, 0, 7};
    sgk_signal *signal = sgk_signal_retain(sgk_signal_just(text)), *nothing = NULL;
    sgk_value as_value = sgk_signal_value(signal);
    sgk_queue *queue = sgk_queue_create("q");
    sgk_pipe *pipe = sgk_pipe_create();
    sgk_promise *promise = sgk_promise_create();
    sgk_value gone = {SGK_STRING, 0, (uint64_t)(uintptr_t)nothing_here};
    sgk_pipe *no_pipe = (sgk_pipe *)(void *)&nothing_here;
    look();
    (void)flag, (void)half, (void)pointer, (void)bytes, (void)nested, (void)object, (void)given, (void)empty;
    (void)wrapped, (void)wrong, (void)nothing, (void)as_value, (void)queue, (void)pipe, (void)promise, (void)gone,
        (void)no_pipe;
    return 0;
}
