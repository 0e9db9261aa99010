/* The inspector's socket. (Tests/sight/inspect.py contains the tests that need a separate process.) */
#include "misuse.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

typedef struct place {
    char directory[32], path[64];
} place;

static void make_place(place *place) {
    strcpy(place->directory, "/tmp/sgk-inspect-XXXXXX");
    assert_non_null(mkdtemp(place->directory));
    snprintf(place->path, sizeof place->path, "%s/socket", place->directory);
}

static int connected(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strcpy(address.sun_path, path);
    int client = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(client, (struct sockaddr *)&address, sizeof address) == 0) return client;
    close(client);
    return -1;
}

/* The line that answers; empty when there is none. */
static void ask(int client, const char *request, char *answer, size_t size) {
    assert_int_equal(send(client, request, strlen(request), MSG_NOSIGNAL), strlen(request));
    size_t length = 0;
    for (ssize_t got = 1; got > 0 && (length == 0 || answer[length - 1] != '\n'); length += (size_t)got)
        got = recv(client, answer + length, size - 1 - length, 0);
    answer[length] = 0;
}

static void it_says_what_runs(void **state) {
    (void)state;
    place place;
    counted c = {0};
    char answer[4096];
    make_place(&place);
    assert_int_equal(sgk_debug_inspect(place.path), SGK_OK);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) named = sgk_signal_named(signal, "looked at");
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(named, counted_next, &c, NULL);
    for (int i = 0; i < 3; i++) sgk_pipe_next(pipe, sgk_int(i));
    int client = connected(place.path);
    assert_true(client >= 0);
    ask(client, "graph\n", answer, sizeof answer);
    assert_non_null(strstr(answer, "\"operator\":\"run\""));
    assert_non_null(strstr(answer, "\"looked at\""));
    assert_non_null(strstr(answer, "\"values\":3"));
    ask(client, "live\n", answer, sizeof answer);
    assert_non_null(strstr(answer, "\"pipe\":1,"));
    ask(client, "dump\n", answer, sizeof answer);
    assert_non_null(strstr(answer, "\"dump\":\"alive: "));
    assert_null(strchr(answer + 1, '{')); /* nothing of the answers before is behind it */
    sgk_disposable_dispose(run);
    /* somewhere else, and nowhere */
    char other[sizeof place.path + 16];
    snprintf(other, sizeof other, "%s-%%p", place.path);
    assert_int_equal(sgk_debug_inspect(other), SGK_OK);
    assert_int_equal(recv(client, answer, 1, 0), 0);
    close(client);
    assert_int_equal(connected(place.path), -1);
    snprintf(other, sizeof other, "%s-%d", place.path, (int)getpid());
    client = connected(other);
    assert_true(client >= 0);
    ask(client, "nonsense\n", answer, sizeof answer);
    assert_string_equal(answer, "{\"version\":1,\"error\":\"unknown request\"}\n");
    assert_int_equal(sgk_debug_inspect(NULL), SGK_OK);
    assert_int_equal(recv(client, answer, 1, 0), 0);
    close(client);
    assert_int_equal(rmdir(place.directory), 0); /* nothing is left in there */
}

static void a_path_that_is_none(void **state) {
    (void)state;
    place place;
    char path[256];
    make_place(&place);
    snprintf(path, sizeof path, "%s/%0200d", place.directory, 0);
    REFUSED(sgk_debug_inspect(path), SGK_ERROR_ARGUMENT, "sgk_debug_inspect: path: must be shorter");
    REFUSED(sgk_debug_inspect(""), SGK_ERROR_ARGUMENT, "sgk_debug_inspect: path: must not be empty");
    REFUSED(sgk_debug_inspect(place.directory), SGK_ERROR_SYSTEM, "sgk_debug_inspect: path: must not be in use");
    assert_int_equal(sgk_debug_inspect(place.path), SGK_OK);
    REFUSED(sgk_debug_inspect("/proc/none/socket"), SGK_ERROR_SYSTEM, "sgk_debug_inspect: path: ");
    assert_int_equal(rmdir(place.directory), 0); /* that one has ended all the same */
    assert_int_equal(sgk_debug_inspect(NULL), SGK_OK);
}

/* By a program that was ended, say. */
static void a_socket_that_was_left_is_taken_over(void **state) {
    (void)state;
    place place;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    make_place(&place);
    strcpy(address.sun_path, place.path);
    int left = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(left, (struct sockaddr *)&address, sizeof address), 0);
    close(left);
    assert_int_equal(connected(place.path), -1);
    assert_int_equal(sgk_debug_inspect(place.path), SGK_OK);
    close(connected(place.path));
    assert_int_equal(sgk_debug_inspect(NULL), SGK_OK);
    assert_int_equal(rmdir(place.directory), 0);
}

int run_inspect(void) {
    const struct CMUnitTest tests[] = {
        TEST(it_says_what_runs),
        TEST(a_path_that_is_none),
        TEST(a_socket_that_was_left_is_taken_over),
    };
    return cmocka_run_group_tests_name("inspect", tests, NULL, NULL);
}
