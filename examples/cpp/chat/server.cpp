/* A chat: each line of a client is sent to all clients. One thread serves all of them.
 *
 *     server [PORT [CLIENTS]]
 *
 * It prints its port, which the system chooses if PORT is missing or 0, and serves until Ctrl-C or SIGTERM. It accepts
 * at most CLIENTS (10,000) connections at a time; others wait. A client with 64 KiB of unread lines is disconnected, so
 * it neither delays the others nor fills the memory. Each client needs one descriptor (`ulimit -n`). */
#include <signalkit.hpp>
#include <arpa/inet.h>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

using namespace std::chrono_literals;

/* Sends the lines of the client to the room and those of the room to the client, until either of them ends. */
static sgk::signal<std::string> serve(
    int client, const sgk::pipe<std::string> &room, const sgk::signal<std::string> &said, const sgk::queue &on) {
    const int yes = 1;
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    const auto left = sgk::fd_lines(client, 4096, on)
        | sgk::after_next([room](const std::string &line) { room.next(line + "\n"); })
        | sgk::ignore_values()
        | sgk::end_with("");
    return said
        | sgk::sink_fd(client, false, on, {65536, SGK_OVERFLOW_ERROR})
        | sgk::take_until(left)
        | sgk::catch_error([](const sgk::failure &) { return sgk::empty<std::string>(); });
}

static std::string joined(const std::vector<std::string> &lines) {
    std::string all;
    for (const std::string &line : lines) all += line;
    return all;
}

/* A listening socket, and its port. */
static int listening(std::uint16_t &port) {
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), yes = 1;
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(port);
    const auto address = reinterpret_cast<sockaddr *>(&place);
    socklen_t length = sizeof place;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(fd, address, length) != 0 || listen(fd, SOMAXCONN) != 0) return -1;
    getsockname(fd, address, &length);
    port = ntohs(place.sin_port);
    return fd;
}

int main(int count, char **arguments) {
    sigset_t ends; // blocked before the first thread exists, so that they arrive as values
    sigemptyset(&ends);
    for (int one : {SIGINT, SIGTERM}) sigaddset(&ends, one);
    pthread_sigmask(SIG_BLOCK, &ends, nullptr);

    std::uint16_t port = count > 1 ? static_cast<std::uint16_t>(std::atoi(arguments[1])) : 0;
    const int fd = listening(port), most = count > 2 ? std::atoi(arguments[2]) : 10000;
    if (fd < 0) return std::perror("server"), 1;
    std::cout << port << std::endl;

    const sgk::queue on("chat");
    const sgk::pipe<std::string> room;
    /* The queue sends the lines together that it has read since it has last sent some. */
    const auto said = room.signal() | sgk::chunked(16, 0s, on) | sgk::map(joined) | sgk::share();
    const sgk::scoped_disposable running =
        sgk::accept(fd, most, [=](int client) { return serve(client, room, said, on); }, on)
        | sgk::start([](const std::string &) {}, [](const sgk::failure &error) { std::cerr << error << "\n"; });
    close(fd);
    (void)(sgk::merge(sgk::unix_signal(SIGINT, on), sgk::unix_signal(SIGTERM, on)) | sgk::get());
}
