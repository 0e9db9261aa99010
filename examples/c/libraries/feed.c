/*
 * feed: reads a feed over HTTP in pieces, and prints the titles as the parser finds them.
 *
 *     cc -std=c11 feed.c -o feed $(pkg-config --cflags --libs signalkit libcurl expat) -lpthread && ./feed
 *
 *     server (a thread, on loopback) --HTTP--> libcurl --write callback--> expat --start, text and end callbacks--> titles
 *
 * Two libraries call four callbacks. None is a C function of this file: each is a native callback, created from its signature. The handler of
 * libcurl's callback passes the data to the parser and returns its size. Everything runs on the thread that calls curl_easy_perform.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <curl/curl.h>
#include <expat.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signalkit.h>
#include <signalkit/callback.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define EXPECT(condition) ((condition) ? (void)0 : (fprintf(stderr, "line %d: %s: %s\n", __LINE__, #condition, sgk_last_error()), exit(1)))

/* ---- A server for one request, which sends its answer in pieces ---- */

enum { ENTRIES = 1000 };

static void send_all(int connection, const char *text) {
    for (size_t sent = 0, size = strlen(text); sent < size;) {
        ssize_t count = send(connection, text + sent, size - sent < 777 ? size - sent : 777, MSG_NOSIGNAL);
        if (count <= 0) return;
        sent += (size_t)count;
    }
}

static void *serve(void *context) {
    char text[256];
    int connection = accept(*(int *)context, NULL, NULL);
    if (connection < 0 || read(connection, text, sizeof text) <= 0) return NULL;
    send_all(connection, "HTTP/1.0 200 OK\r\nContent-Type: application/atom+xml\r\n\r\n<feed><title>All</title>");
    for (int i = 1; i <= ENTRIES; i++) {
        snprintf(text, sizeof text, "<entry id='%d'><title>Entry %d &amp; more</title><body>b&lt;%d</body></entry>", i, i, i);
        send_all(connection, text);
    }
    send_all(connection, "</feed>");
    close(connection);
    return NULL;
}

static int listen_on_loopback(int *port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    EXPECT(bind(listener, (struct sockaddr *)&address, length) == 0 && listen(listener, 1) == 0);
    EXPECT(getsockname(listener, (struct sockaddr *)&address, &length) == 0);
    *port = ntohs(address.sin_port);
    return listener;
}

/* ---- Handlers of the callbacks ---- */

struct reader {
    XML_Parser parser;
    bool in_title;
    char title[128];
    size_t length;
    int64_t bytes;
    int pieces;
};

/* libcurl's arguments are (data, 1, size, ctx). Another result than the size stops the transfer. */
static size_t take(struct reader *reader, const char *data, size_t one, size_t size) {
    reader->bytes += (int64_t)(one * size);
    reader->pieces++;
    return XML_Parse(reader->parser, data, (int)(one * size), 0) == XML_STATUS_OK ? one * size : 0;
}

static void begin(struct reader *reader, const char *name, const void *attributes) {
    (void)attributes;
    reader->in_title = strcmp(name, "title") == 0;
    reader->length = 0;
}

/* expat's text does not end with NUL, so it cannot be a `cstr`. The handler uses it during the call. */
static void append(struct reader *reader, const char *text, int length) {
    if (!reader->in_title || reader->length + (size_t)length >= sizeof reader->title) return;
    memcpy(reader->title + reader->length, text, (size_t)length);
    reader->length += (size_t)length;
}

static sgk_value ended_title(void *context, const sgk_value *names, size_t count) {
    (void)count;
    struct reader *reader = context;
    bool is_title = reader->in_title && strcmp(sgk_value_data(names[0], NULL), "title") == 0;
    reader->in_title = false;
    return is_title ? sgk_string_n(reader->title, reader->length) : sgk_null();
}
static sgk_value end_to_title(void *context, sgk_value name) {
    sgk_value title = ended_title(context, &name, 1);
    return sgk_value_kind(title) == SGK_STRING ? title : sgk_dropped();
}

struct titles {
    int64_t count;
    char last[128];
};

static void see_title(struct titles *titles, const char *title) {
    titles->count++;
    snprintf(titles->last, sizeof titles->last, "%s", title);
}

static sgk_callback *handled(const char *text, sgk_function handler, const char *handler_text, struct reader *reader) {
    SGK_AUTO(sgk_signature) signature = sgk_signature_create(text), *handler_signature = sgk_signature_create(handler_text);
    sgk_callback *callback = sgk_callback_create_typed(signature, sgk_null(), handler, handler_signature, reader, NULL);
    EXPECT(callback);
    return callback;
}

int main(void) {
    int port, listener = listen_on_loopback(&port);
    pthread_t server;
    EXPECT(pthread_create(&server, NULL, serve, &listener) == 0);
    struct reader reader = {.parser = XML_ParserCreate(NULL)};
    struct titles titles = {0, ""};
    {
        SGK_AUTO(sgk_callback) written = handled("(ptr, u64, u64, ctx) -> u64", SGK_FUNCTION(take), "(ctx, ptr, u64, u64) -> u64", &reader);
        SGK_AUTO(sgk_callback) started = handled("(ctx, cstr, ptr) -> void", SGK_FUNCTION(begin), "(ctx, cstr, ptr) -> void", &reader);
        SGK_AUTO(sgk_callback) text = handled("(ctx, ptr, i32) -> void", SGK_FUNCTION(append), "(ctx, ptr, i32) -> void", &reader);
        SGK_AUTO(sgk_signature) name = sgk_signature_create("(ctx, cstr) -> void");
        SGK_AUTO(sgk_callback) ended = sgk_callback_create(name, sgk_null(), NULL, NULL, NULL);
        SGK_AUTO(sgk_signal) ends = sgk_callback_signal(ended);
        SGK_AUTO(sgk_signal) found = sgk_signal_map(ends, end_to_title, &reader, NULL);
        SGK_AUTO(sgk_signal) distinct = sgk_signal_distinct_until_changed(found);
        SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_typed(distinct, SGK_FUNCTION(see_title), name, NULL, NULL, NULL, NULL, &titles, NULL);
        EXPECT(subscription);
        XML_SetElementHandler(reader.parser, (XML_StartElementHandler)sgk_callback_function(started), (XML_EndElementHandler)sgk_callback_function(ended));
        XML_SetCharacterDataHandler(reader.parser, (XML_CharacterDataHandler)sgk_callback_function(text));

        char address[64];
        snprintf(address, sizeof address, "http://127.0.0.1:%d/feed", port);
        CURL *transfer = curl_easy_init();
        curl_easy_setopt(transfer, CURLOPT_URL, address);
        curl_easy_setopt(transfer, CURLOPT_PROXY, "");
        curl_easy_setopt(transfer, CURLOPT_TIMEOUT, 30L);
        curl_easy_setopt(transfer, CURLOPT_WRITEFUNCTION, (curl_write_callback)sgk_callback_function(written));
        CURLcode code = curl_easy_perform(transfer);
        if (code != CURLE_OK) fprintf(stderr, "%s\n", curl_easy_strerror(code)), exit(1);
        curl_easy_cleanup(transfer);
        EXPECT(XML_Parse(reader.parser, "", 0, 1) == XML_STATUS_OK);
    }
    XML_ParserFree(reader.parser);
    pthread_join(server, NULL);
    close(listener);
    printf("%lld bytes in %s pieces: %lld titles, the last one \"%s\"\n", (long long)reader.bytes, reader.pieces > 1 ? "many" : "one", (long long)titles.count, titles.last);
    EXPECT(titles.count == ENTRIES + 1 && strcmp(titles.last, "Entry 1000 & more") == 0 && reader.pieces > 1);
    printf("Objects left alive: %lld\n", (long long)sgk_live_total());
    return sgk_live_total() ? 1 : 0;
}
