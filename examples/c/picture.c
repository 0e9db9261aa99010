/* Draws its signals, or its active subscriptions:
 *
 *     picture signals | dot -Tsvg >signals.svg
 *     picture runs | dot -Tsvg >runs.svg
 *
 * Orders arrive and are looked up one after another, and each answer is combined with the latest price. The shop does
 * not answer the look-ups, so the orders are pending. */
#include <signalkit.h>
#include <stdio.h>
#include <string.h>

static bool is_known(void *context, sgk_value order) {
    (void)context;
    return sgk_to_int(order) > 0;
}

static sgk_signal *look_up(void *shop, sgk_value order) {
    (void)order;
    return sgk_signal_named_at(shop, "shop", SGK_HERE);
}

static void show(void *context, sgk_value answer) {
    (void)context;
    (void)answer;
}

static void print(void *context, const char *text, size_t length) { fwrite(text, 1, length, context); }

int main(int count, char **arguments) {
    bool runs = count > 1 && strcmp(arguments[1], "runs") == 0;
    if (runs) sgk_debug_watch(true);
    SGK_AUTO(sgk_pipe) orders = sgk_pipe_create();
    SGK_AUTO(sgk_pipe) prices = sgk_pipe_create();
    SGK_AUTO(sgk_pipe) answers = sgk_pipe_create();
    SGK_AUTO(sgk_signal) shop = sgk_pipe_signal(answers);
    SGK_AUTO(sgk_signal) latest = sgk_pipe_signal(prices);
    SGK_STAGE(named_at, latest, "prices", SGK_HERE);

    SGK_AUTO(sgk_signal) s = sgk_pipe_signal(orders);
    SGK_STAGE(named_at, s, "orders", SGK_HERE);
    SGK_STAGE(filter, s, SGK_FN(is_known));
    SGK_STAGE(concat_map, s, look_up, shop, NULL);
    SGK_STAGE(with_latest_from, s, latest);
    SGK_STAGE(take, s, 100);
    if (!runs) {
        sgk_value drawn = sgk_signal_describe(s, SGK_DEBUG_DOT);
        fputs((const char *)sgk_value_data(drawn, NULL), stdout);
        sgk_value_release(drawn);
        return 0;
    }
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(s, show, NULL, NULL);
    sgk_pipe_next(prices, sgk_double(2.5));
    for (int order = 0; order <= 7; order++) sgk_pipe_next(orders, sgk_int(order));
    sgk_pipe_next(answers, sgk_give(sgk_string("in stock")));
    sgk_debug_graph(SGK_DEBUG_DOT, print, stdout);
    sgk_disposable_dispose(subscription);
    return 0;
}
