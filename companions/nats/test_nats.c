/* The companion for NATS, against a nats-server of its own. */
#include "testing.h"

#include <signalkit/nats.h>

static int port;
static pid_t server;

static void start_server(void) {
    char number[16], store[64];
    snprintf(number, sizeof number, "%d", port);
    snprintf(store, sizeof store, "%s/store", directory);
    const char *path = access("/usr/sbin/nats-server", X_OK) == 0 ? "/usr/sbin/nats-server" : "nats-server";
    server = server_start((const char *const[]){path, "-a", "127.0.0.1", "-p", number, "-js", "-sd", store, NULL},
        "nats-server.log");
    EVENTUALLY(answers(port));
}

static int begin(void **state) {
    (void)state;
    make_directory();
    port = free_port();
    start_server();
    return 0;
}
static int end(void **state) {
    (void)state;
    server_stop(server, SIGTERM);
    remove_directory();
    return 0;
}

static sgk_nats *connect_with(const sgk_nats_options *options) {
    char url[64];
    snprintf(url, sizeof url, "nats://127.0.0.1:%d", port);
    sgk_nats *nats = sgk_nats_connect(url, options);
    if (!nats) fail_msg("%s", sgk_nats_last_error());
    return nats;
}

static void let_go(sgk_nats *nats) {
    assert_int_equal(sgk_nats_close(nats, PATIENCE), SGK_OK);
    sgk_nats_release(nats);
    nothing_is_left();
}

static void values_arrive(void **state) {
    (void)state;
    sgk_nats *nats = connect_with(NULL);
    heard all = HEARD_INIT, one = HEARD_INIT;
    sgk_disposable *first = hear(sgk_nats_subscribe(nats, "house.*.warm"), &all);
    sgk_disposable *second = hear(sgk_nats_subscribe(nats, "house.cellar.>"), &one);
    assert_int_equal(sgk_nats_publish(nats, "house.cellar.warm", sgk_give(sgk_string("12.5"))), SGK_OK);
    assert_int_equal(sgk_nats_publish(nats, "house.attic.warm", sgk_give(sgk_bytes("3\0 0", 4))), SGK_OK);
    assert_int_equal(sgk_nats_publish(nats, "garden.warm", sgk_give(sgk_string(""))), SGK_OK);
    EVENTUALLY(all.values == 2 && one.values == 1);
    sgk_value last = heard_last(&all);
    size_t length;
    assert_memory_equal(sgk_nats_data(last, &length), "3\0 0", 5);
    assert_int_equal(length, 4);
    assert_string_equal(sgk_nats_subject(last), "house.attic.warm");
    sgk_value_release(last);
    heard_done(&all, first);
    assert_int_equal(sgk_nats_close(nats, PATIENCE), SGK_OK);
    EVENTUALLY(one.ends == 1);
    heard_done(&one, second);
    assert_int_equal(sgk_nats_publish(nats, "house.attic.warm", sgk_give(sgk_string("x"))), SGK_ERROR_ENDED);
    let_go(nats);
}

/* The client would be destroyed by its own thread. */
static void one_is_enough(void **state) {
    (void)state;
    sgk_nats *nats = connect_with(NULL);
    for (int i = 0; i < 100; i++) {
        heard heard = HEARD_INIT;
        sgk_signal *signal = sgk_nats_subscribe(nats, "one");
        sgk_signal_replace(&signal, sgk_signal_take(signal, 1));
        sgk_disposable *run = hear(signal, &heard);
        for (int j = 0; j < 3; j++) sgk_nats_publish(nats, "one", sgk_give(sgk_string("x")));
        EVENTUALLY(heard.ends == 1);
        assert_int_equal(heard.values, 1);
        heard_done(&heard, run);
    }
    sgk_nats_release(nats); /* without a close */
    nothing_is_left();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_arrive),
        cmocka_unit_test(one_is_enough),
    };
    return cmocka_run_group_tests_name("nats", tests, begin, end);
}
