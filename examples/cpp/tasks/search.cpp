// Search as you type, with debounce and switch over an event loop (poll): each line of the input is the text of the
// field after a key.
#include <iostream>
#include <poll.h>
#include <signalkit.hpp>
#include <unistd.h>

using namespace std::chrono_literals;
using words = std::vector<std::string>;

static words look_up(const std::string &text) {
    static const words all{"signal", "signature", "single", "sink", "subscriber", "switch"};
    words found;
    for (const std::string &word : all)
        if (word.compare(0, text.size(), text) == 0) found.push_back(word);
    return found;
}

// Without the spaces at its end.
static std::string trimmed(std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

int main() {
    bool ended = false;
    const sgk::queue index("index"), loop = sgk::queue::main();
    const auto search = [=](const std::string &text) { // the next text cancels it, also while it waits for its queue
        return sgk::just(text) | sgk::map(look_up) | sgk::delay_start(20ms, index);
    };
    const sgk::scoped_disposable run = sgk::fd_lines(STDIN_FILENO, 1024, loop)
        | sgk::map(trimmed)
        | sgk::filter([](std::string_view text) { return text.size() >= 2; })
        | sgk::debounce(50ms, loop)
        | sgk::distinct_until_changed()
        | sgk::switch_map(search)
        | sgk::deliver_on(loop)
        | sgk::start(
              [](const words &found) {
                  std::cout << found.size() << " found:";
                  for (const std::string &word : found) std::cout << " " << word;
                  std::cout << "\n";
              },
              {}, [&] { ended = true; });
    pollfd fds[] = {{sgk::main_fd(), POLLIN, 0}};
    while (!ended && poll(fds, 1, -1) > 0) sgk::main_drain();
}
