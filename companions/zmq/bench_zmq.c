/* The companion for ZeroMQ, compared with its client library: `bench_zmq CONTENDER MESSAGES PORT`, over TCP. A request
 * is pushed, and its answer is pushed back. */
#include "bench.h"

#include <pthread.h>
#include <semaphore.h>
#include <signalkit/zmq.h>
#include <zmq.h>

static char forth[64], back[64];

/* ---- Plainly: a thread that receives ---- */

static void *context_of_all;
static void *plain_socket(int type, const char *place, bool binds) {
    void *socket = zmq_socket(context_of_all, type);
    int limit = 1000, linger = 0;
    zmq_setsockopt(socket, ZMQ_SNDHWM, &limit, sizeof limit);
    zmq_setsockopt(socket, ZMQ_RCVHWM, &limit, sizeof limit);
    zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof linger);
    must((binds ? zmq_bind : zmq_connect)(socket, place) == 0, place);
    return socket;
}
static void *plain_receive(void *socket) {
    for (zmq_msg_t message;; zmq_msg_close(&message)) {
        zmq_msg_init(&message);
        if (zmq_msg_recv(&message, socket, 0) < 0) return zmq_close(socket), NULL;
        must(zmq_msg_size(&message) == SIZE, "the size");
        arrived++;
    }
}
static void plain_send(void *socket, const char *data) { must(zmq_send(socket, data, SIZE, 0) == SIZE, "to send"); }
static void *plain_answer(void *context) {
    void **sockets = context;
    char data[SIZE];
    while (zmq_recv(sockets[0], data, SIZE, 0) == SIZE) zmq_send(sockets[1], data, SIZE, 0);
    return zmq_close(sockets[0]), zmq_close(sockets[1]), NULL;
}
static void plain_ask(void *context) {
    void **sockets = context;
    char data[SIZE] = {0};
    plain_send(sockets[0], data);
    must(zmq_recv(sockets[1], data, SIZE, 0) == SIZE, "to receive");
}

static void measure_plain(bool is_rate, int64_t messages) {
    context_of_all = zmq_ctx_new();
    pthread_t other;
    void *there[2] = {plain_socket(ZMQ_PULL, forth, true)};
    void *here[2] = {plain_socket(ZMQ_PUSH, forth, false), plain_socket(ZMQ_PULL, back, true)};
    if (!is_rate) there[1] = plain_socket(ZMQ_PUSH, back, false);
    pthread_create(&other, NULL, is_rate ? plain_receive : plain_answer, is_rate ? there[0] : there);
    if (is_rate) measure_rate(messages, plain_send, here[0]);
    else measure_latency(messages, plain_ask, here);
    zmq_close(here[0]);
    zmq_close(here[1]);
    zmq_ctx_term(context_of_all); /* which ends the other thread's calls */
    pthread_join(other, NULL);
}

/* ---- With the companion ---- */

static sem_t answered;

static void own_next(void *context, sgk_value message) {
    (void)context;
    size_t length;
    must(sgk_value_data(message, &length) && length == SIZE, "the size");
    arrived++;
}
static void own_send(void *sender, const char *data) {
    must(sgk_zmq_send(sender, sgk_give(sgk_bytes(data, SIZE))) == SGK_OK, "to send");
}
static void own_answer(void *sender, sgk_value message) { sgk_zmq_send(sender, message); }
static void own_hear(void *context, sgk_value message) { (void)context, (void)message, sem_post(&answered); }
static void own_ask(void *sender) {
    static const char data[SIZE];
    own_send(sender, data);
    while (sem_wait(&answered) != 0) {}
}

static void measure_own(bool is_rate, int64_t messages) {
    sem_init(&answered, 0, 0);
    SGK_AUTO(sgk_zmq) zmq = sgk_zmq_create(1);
    SGK_AUTO(sgk_zmq_sender) asking = sgk_zmq_pusher(zmq, forth, NULL);
    SGK_AUTO(sgk_zmq_sender) answering = sgk_zmq_pusher(zmq, back, NULL);
    SGK_AUTO(sgk_signal) questions = sgk_zmq_pull(zmq, forth, NULL);
    SGK_AUTO(sgk_signal) answers = sgk_zmq_pull(zmq, back, NULL);
    SGK_AUTO(sgk_disposable) first = sgk_signal_start_next(questions, is_rate ? own_next : own_answer, answering, NULL);
    SGK_AUTO(sgk_disposable) second = sgk_signal_start_next(answers, own_hear, NULL, NULL);
    if (is_rate) measure_rate(messages, own_send, asking);
    else measure_latency(messages, own_ask, asking);
    sgk_disposable_dispose(first);
    sgk_disposable_dispose(second);
}

int main(int count, char **arguments) {
    must(count == 4, "bench_zmq CONTENDER MESSAGES PORT");
    int port = atoi(arguments[3]);
    snprintf(forth, sizeof forth, "tcp://127.0.0.1:%d", port);
    snprintf(back, sizeof back, "tcp://127.0.0.1:%d", port + 1);
    bool is_rate = strstr(arguments[1], "rate") != NULL;
    (strstr(arguments[1], "plain") ? measure_plain : measure_own)(is_rate, atoll(arguments[2]));
    return 0;
}
