/* Measures chat servers: how many lines per second reach their readers.
 *
 *     load CLIENTS LINES SERVER...
 *
 * For each server it opens CLIENTS connections. Ten of them send LINES lines together, each the next one when it has
 * received its last. All clients must receive all lines. It prints the lines received per second, and for each server
 * after the first one the ratio to the first one. */
#include <arpa/inet.h>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

enum { LENGTH = 64, TALKERS = 10 };

[[noreturn]] static void fail(const char *text) {
    std::perror(text);
    std::exit(1);
}

/* Starts a server, and returns its port. */
static std::uint16_t start(const char *server, pid_t &process) {
    int output[2];
    if (pipe(output) != 0) fail("pipe");
    process = fork();
    if (process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(output[1], STDOUT_FILENO);
        close(output[0]), close(output[1]);
        execl(server, server, static_cast<char *>(nullptr));
        fail(server);
    }
    close(output[1]);
    FILE *stream = fdopen(output[0], "r");
    char line[32] = "";
    if (!std::fgets(line, sizeof line, stream)) fail("no port");
    std::fclose(stream);
    return static_cast<std::uint16_t>(std::atoi(line));
}

static void send_line(int fd, int talker) {
    char line[LENGTH + 1];
    std::snprintf(line, sizeof line, "%-*d\n", LENGTH - 1, talker);
    if (send(fd, line, LENGTH, MSG_NOSIGNAL) != LENGTH) fail("send");
}

static double measure(const char *server, int clients, int lines) {
    pid_t process = 0;
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(start(server, process));
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int events = epoll_create1(EPOLL_CLOEXEC);
    std::vector<int> fds;
    for (int i = 0; i < clients; i++) {
        fds.push_back(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        if (connect(fds[i], reinterpret_cast<sockaddr *>(&place), sizeof place) != 0) fail("connect");
        epoll_event event{};
        event.events = EPOLLIN;
        event.data.u32 = static_cast<std::uint32_t>(i);
        epoll_ctl(events, EPOLL_CTL_ADD, fds[i], &event);
    }
    std::vector<std::string> begun(static_cast<std::size_t>(clients));
    long long received = 0, wanted = clients;
    int sent = 0;
    std::chrono::steady_clock::time_point began;
    send_line(fds[static_cast<std::size_t>(clients) - 1], -1); // when all have it, the server has accepted all
    while (received < wanted) {
        epoll_event ready[256];
        const int many = epoll_wait(events, ready, 256, 60000);
        if (many <= 0) fail("lines are missing");
        for (int i = 0; i < many; i++) {
            char data[65536];
            const auto who = ready[i].data.u32;
            const ssize_t size = recv(fds[who], data, sizeof data, MSG_DONTWAIT);
            if (size <= 0) fail("a client was disconnected");
            std::string &text = begun[who].append(data, static_cast<std::size_t>(size));
            std::size_t from = 0;
            for (; text.size() - from >= LENGTH; from += LENGTH) {
                received++;
                if (who < TALKERS && std::atoi(text.data() + from) == static_cast<int>(who) && sent < lines)
                    send_line(fds[who], static_cast<int>(who)), sent++;
            }
            text.erase(0, from);
        }
        if (received == wanted && wanted == clients) { // all are there
            began = std::chrono::steady_clock::now();
            wanted += static_cast<long long>(clients) * lines;
            for (int i = 0; i < TALKERS && i < clients && sent < lines; i++) send_line(fds[static_cast<std::size_t>(i)], i), sent++;
        }
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    for (const int fd : fds) close(fd);
    close(events);
    kill(process, SIGTERM);
    waitpid(process, nullptr, 0);
    return static_cast<double>(clients) * lines / took.count();
}

int main(int count, char **arguments) {
    if (count < 4 || std::atoi(arguments[1]) < 1 || std::atoi(arguments[2]) < 1)
        return std::fprintf(stderr, "usage: load CLIENTS LINES SERVER...\n"), 2;
    double first = 0;
    for (int i = 3; i < count; i++) {
        const double rate = measure(arguments[i], std::atoi(arguments[1]), std::atoi(arguments[2]));
        if (i == 3) first = rate;
        std::printf("%s: %.0f lines per second", arguments[i], rate);
        std::printf(i == 3 ? "\n" : ", %.2f times the first\n", rate / first);
    }
}
