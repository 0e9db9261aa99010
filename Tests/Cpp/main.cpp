#include "suite.hpp"

#include <iostream>

std::atomic<int> captured::alive{0};

static int passed, failures;
static std::atomic<bool> sound;

void failed(const char *file, int line, const std::string &what) {
    std::cerr << file << ":" << line << ": " << what << std::endl;
    sound = false;
}

void test(const char *name, const std::function<void()> &body) {
    std::cout << "[ RUN      ] " << name << std::endl; // as cmocka has it: scripts/failures.py reads both
    sound = true;
    try {
        body();
    } catch (const std::exception &e) {
        failed(name, 0, e.what());
    }
    if (!eventually([] { return sgk_live_total() == 0 && captured::alive == 0; })) {
        failed(name, 0,
            std::to_string(sgk_live_total()) + " objects left alive, " + std::to_string(captured::alive) + " captured");
        captured::alive = 0;
    }
    sound ? passed++ : failures++;
    std::cout << (sound ? "[       OK ] " : "[  FAILED  ] ") << name << std::endl;
}

int main() {
#ifdef ONLY // of this group
    ONLY();
#else
    values();
    operators();
    exceptions();
    lifetimes();
    queues();
    links();
    holders();
    bridges();
    readers();
    debugging();
#endif
    std::cout << "[  PASSED  ] " << passed << " test(s)." << std::endl;
    return failures == 0 ? 0 : 1;
}
