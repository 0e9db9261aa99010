/* The input is the requests of clients to the inspector's socket, in pieces of any size. Each line has an answer of one
 * line, in order. A line that is too long is rejected, and its client is disconnected. */
#include "fuzz.h"

#include <errno.h>
#include <signalkit/all.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { LONGEST = 256, MOST = 400 }; /* so that the answers fit into the socket */

static struct sockaddr_un address = {.sun_family = AF_UNIX};

static int client(void) {
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    MUST(made >= 0 && connect(made, (struct sockaddr *)&address, sizeof address) == 0);
    return made;
}

/* libFuzzer's alarm interrupts waits. */
#define UNINTERRUPTED(call) \
    ({ \
        ssize_t done; \
        do done = (call); \
        while (done < 0 && errno == EINTR); \
        done; \
    })

static char answers[1 << 18];

/* The next line of the answers; NULL at the end. */
static const char *next_line(char **rest) {
    char *line = *rest, *end = strchr(line, '\n');
    if (!*line) return NULL;
    MUST(end && end > line && end[-1] == '}');
    MUST(strncmp(line, "{\"version\":1,", 13) == 0);
    *end = '\0';
    *rest = end + 1;
    return line;
}

static void ask(const uint8_t *said, size_t length) {
    int socket = client();
    for (size_t sent = 0; sent < length;) {
        size_t piece = 1 + said[sent] % 64;
        if (piece > length - sent) piece = length - sent;
        if (UNINTERRUPTED(send(socket, said + sent, piece, MSG_NOSIGNAL)) < 0) break; /* let go */
        sent += piece;
    }
    shutdown(socket, SHUT_WR);
    size_t heard = 0;
    for (ssize_t count; (count = UNINTERRUPTED(recv(socket, answers + heard, sizeof answers - 1 - heard, 0))) > 0;)
        heard += (size_t)count;
    answers[heard] = '\0';
    close(socket);
}

/* Returns the text that the answer to a request must contain. */
static const char *marks_of(const char *request, size_t length) {
    static const struct {
        const char *request, *answer;
    } known[] = {{"graph", "\"runs\""}, {"live", "\"live\""}, {"dump", "\"dump\""}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *word = known[i].request;
        if (strlen(word) == length && memcmp(word, request, length) == 0) return known[i].answer;
    }
    return "\"error\":\"unknown request\"";
}

/* Each complete line has its answer, and a line that is too long is rejected. */
static void compare(const uint8_t *said, size_t length) {
    char *rest = answers;
    size_t begin = 0;
    for (size_t i = 0; i < length && i - begin < LONGEST; i++) {
        if (said[i] != '\n') continue;
        const char *line = next_line(&rest);
        MUST(line && strstr(line, marks_of((const char *)said + begin, i - begin)));
        begin = i + 1;
    }
    if (length - begin >= LONGEST) {
        const char *line = next_line(&rest);
        MUST(line && strstr(line, "\"error\":\"the request is too long\""));
    }
    MUST(!next_line(&rest));
}

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count, (void)arguments;
    tell_operations_at_exit();
    snprintf(address.sun_path, sizeof address.sun_path, "/tmp/sgk-fuzz-%d", (int)getpid());
    return sgk_debug_inspect(address.sun_path) == SGK_OK ? 0 : -1; /* it ends with the process */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > MOST) return -1;
    SGK_AUTO(sgk_signal) signal = sgk_signal_never();
    sgk_disposable *run = sgk_signal_start(signal, NULL);
    ask(data, size);
    compare(data, size);
    sgk_disposable_dispose(run);
    sgk_disposable_release(run);
    count_operations(1);
    return 0;
}
