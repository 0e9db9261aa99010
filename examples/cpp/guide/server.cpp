#include <signalkit.hpp>
#include <arpa/inet.h>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sys/socket.h>
#include <unistd.h>

using namespace std::chrono_literals;

/* Sends the news to one client. Completes when the news end, the client has left, or the client is dropped. `full`
 * decides what happens if the client does not read. */
static sgk::signal<std::string> serve(int client, const sgk::signal<int> &news, sgk_overflow full,
    const sgk::overflow_counter &lost, const sgk::queue &on) {
    const auto left = sgk::fd_bytes(client, 1024, on) | sgk::ignore_values() | sgk::end_with("");
    return news
        | sgk::deliver_on(on, {16, SGK_OVERFLOW_DROP_OLDEST, {}, lost})
        | sgk::map([](int number) { return std::to_string(number) + std::string(1000, '.') + "\n"; })
        | sgk::sink_fd(client, false, on, {65536, full})
        | sgk::take_until(left)
        | sgk::catch_error([](const sgk::failure &error) {
              std::cout << "a client is dropped: " << error << "\n";
              return sgk::empty<std::string>();
          });
}

/* A subscription to this signal is a server. All its work is done on one queue. */
static sgk::signal<std::string> server(int listener, const sgk::signal<int> &news, sgk_overflow full,
    const sgk::overflow_counter &lost, const sgk::queue &on) {
    return sgk::accept(listener, 100, [=](int client) { return serve(client, news, full, lost, on); }, on);
}

// ---- A test with two clients ----

static void require(bool condition, const char *text) {
    if (!condition) throw std::runtime_error(text);
}

/* Limits the buffers of the system, so that the test needs little data. */
static int limited(int fd) {
    for (int option : {SO_SNDBUF, SO_RCVBUF}) {
        const int size = 16384;
        setsockopt(fd, SOL_SOCKET, option, &size, sizeof size);
    }
    return fd;
}

/* Reads a line and returns its number, or 0 at the end of the data. */
static int next_number(FILE *stream) {
    char line[1100];
    return std::fgets(line, sizeof line, stream) ? std::atoi(line) : 0;
}

static void test(sgk_overflow full) {
    const int listener = limited(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const auto address = reinterpret_cast<sockaddr *>(&place);
    socklen_t length = sizeof place;
    require(bind(listener, address, length) == 0 && listen(listener, 10) == 0, "no listener");
    require(getsockname(listener, address, &length) == 0, "no port");

    const auto news = sgk::pipe<int>::replaying(); // a new client receives the latest number
    const auto lost = sgk::overflow_counter::create();
    const sgk::scoped_disposable running = server(listener, news.signal(), full, lost, sgk::queue("server")).start();
    close(listener); // the subscription has its own
    news.next(1);

    FILE *clients[2];
    for (FILE *&client : clients) {
        const int fd = limited(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        require(connect(fd, address, length) == 0, "no connection");
        client = fdopen(fd, "r");
        require(next_number(client) == 1, "no service");
    }

    constexpr int count = 2000;
    int quick = 1, slow = 1, last = 1;
    for (int n = 2; n <= count; n++) {
        news.next(n);
        if (next_number(clients[0]) == n) quick++; // reads each line before the next number is sent
    }
    news.complete();
    while (const int number = next_number(clients[1])) slow++, last = number; // reads for the first time since 1
    for (FILE *client : clients) std::fclose(client);

    auto yes = [](bool condition) { return condition ? "yes" : "no"; };
    std::cout << "the quick client has received " << quick << " of " << count << "\n"
              << "the slow one has received all: " << yes(slow == count) << ", the latest: " << yes(last == count)
              << ", each loss was counted: " << yes(slow + lost.dropped() == count) << "\n";
}

int main() {
    for (sgk_overflow full : {SGK_OVERFLOW_PAUSE, SGK_OVERFLOW_ERROR}) test(full);
    return sgk::drain(10s) ? 0 : 1;
}
