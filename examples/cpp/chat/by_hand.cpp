/* The same chat without the library, as a comparison: one epoll loop. */
#include <arpa/inet.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <netinet/tcp.h>
#include <string>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <unordered_map>

struct client {
    std::string begun, unsent; // the beginning of a line; what the client has not read
    bool waits = false;        // until it can be written
};
static std::unordered_map<int, client> clients;
static int events;

static void watch(int fd, std::uint32_t which, int operation) {
    epoll_event event{};
    event.events = which;
    event.data.fd = fd;
    epoll_ctl(events, operation, fd, &event);
}

static void leave(int fd) {
    close(fd);
    clients.erase(fd);
}

/* Sends as much as the client accepts. False: it is gone. */
static bool send_to(int fd, client &to) {
    const ssize_t sent = send(fd, to.unsent.data(), to.unsent.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EAGAIN) return false;
    if (sent > 0) to.unsent.erase(0, static_cast<std::size_t>(sent));
    if (to.unsent.empty() != to.waits) return true;
    to.waits = !to.unsent.empty();
    watch(fd, to.waits ? EPOLLIN | EPOLLOUT : EPOLLIN, EPOLL_CTL_MOD);
    return true;
}

/* Sends what the clients of one round have said to all clients that can be written. */
static void send_to_all(const std::string &said) {
    for (auto it = clients.begin(); it != clients.end();) {
        client &to = it->second;
        const int fd = it->first;
        to.unsent += said;
        const bool stays = to.unsent.size() <= 65536 && (to.waits || send_to(fd, to));
        ++it;
        if (!stays) leave(fd);
    }
}

static void read_from(int fd, std::string &said) {
    char data[65536];
    const ssize_t size = recv(fd, data, sizeof data, MSG_DONTWAIT);
    if (size < 0 && errno == EAGAIN) return;
    if (size <= 0) return leave(fd);
    std::string &begun = clients[fd].begun;
    begun.append(data, static_cast<std::size_t>(size));
    const std::size_t end = begun.rfind('\n') + 1; // 0: no line has ended
    said.append(begun, 0, end);
    begun.erase(0, end);
    if (begun.size() > 4096) leave(fd);
}

int main(int count, char **arguments) {
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), yes = 1;
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(count > 1 ? static_cast<std::uint16_t>(std::atoi(arguments[1])) : 0);
    const auto address = reinterpret_cast<sockaddr *>(&place);
    socklen_t length = sizeof place;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(listener, address, length) != 0 || listen(listener, SOMAXCONN) != 0) return std::perror("by_hand"), 1;
    getsockname(listener, address, &length);
    std::printf("%d\n", ntohs(place.sin_port));
    std::fflush(stdout);

    events = epoll_create1(EPOLL_CLOEXEC);
    watch(listener, EPOLLIN, EPOLL_CTL_ADD);
    for (epoll_event ready[64];;) {
        const int many = epoll_wait(events, ready, 64, -1);
        std::string said;
        for (int i = 0; i < many; i++) {
            const int fd = ready[i].data.fd;
            if (fd == listener) {
                const int accepted = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
                if (accepted < 0) continue;
                setsockopt(accepted, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
                clients[accepted];
                watch(accepted, EPOLLIN, EPOLL_CTL_ADD);
                continue;
            }
            if ((ready[i].events & EPOLLOUT) && !send_to(fd, clients[fd])) leave(fd);
            else if (ready[i].events & ~static_cast<unsigned>(EPOLLOUT)) read_from(fd, said);
        }
        if (!said.empty()) send_to_all(said);
    }
}
