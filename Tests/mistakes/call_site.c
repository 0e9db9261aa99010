/* Calls by the macros of the headers. No compiler warns of them, and nothing is left alive. */
#include <signalkit.h>

#include <stdio.h>

static int made;

static sgk_signal *counted(sgk_signal *signal) {
    made++;
    return signal;
}

static sgk_value twice(void *context, sgk_value value) {
    (void)context;
    return sgk_int(2 * sgk_to_int(value));
}

static void print(void *context, sgk_value value) {
    printf("%s %d%s\n", (const char *)context, (int)sgk_to_int(value), sgk_to_text(value));
}

int main(void) {
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) a = sgk_signal_from_array(SGK_LIST(sgk_value, sgk_int(1), sgk_int(1), sgk_int(2)));
    SGK_AUTO(sgk_signal) b = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) s = sgk_merge(SGK_LIST(sgk_signal *, counted(a), counted(b)));
    SGK_STAGE(distinct_until_changed, s);
    SGK_STAGE(map, s, SGK_FN(twice));
    SGK_STAGE(take, s, 100);
    {
        SGK_AUTO_DISPOSE subscription = sgk_signal_start(s, SGK_HANDLERS(.next = print, .context = (void *)"got"));
        SGK_AUTO_DISPOSE none = NULL;
        (void)none;
        sgk_pipe_next(pipe, sgk_int(5));
    }
    sgk_pipe_next(pipe, sgk_int(6)); /* the subscription is disposed */
    print((void *)"text", sgk_give(sgk_int(0)));
    SGK_STAGE(take, s, -1);
    SGK_STAGE(skip, s, 1);
    printf("%s, %d made\n", s ? "made" : sgk_last_error(), made);
    return 0;
}
