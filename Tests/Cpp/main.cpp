#include "suite.hpp"

#include <cstring>
#include <iostream>

std::atomic<int> captured::alive{0};

static int passed, failures;
static bool lists;
static const char *wanted, *group; // the only test to run, or null; the group that runs now
static std::atomic<bool> sound;
static int64_t leaked; // the objects that earlier tests have left alive

void failed(const char *file, int line, const std::string &what) {
    std::cerr << file << ":" << line << ": " << what << std::endl;
    sound = false;
}

void test(const char *name, const std::function<void()> &body) {
    const std::string full = std::string(group) + "." + name;
    if (lists) {
        std::cout << full << std::endl;
        return;
    }
    if (wanted && full != wanted) return;
    std::cout << "[ RUN      ] " << name << std::endl;
    sound = true;
    try {
        body();
    } catch (const std::exception &e) {
        failed(name, 0, e.what());
    }
    if (sgk_live_total() > leaked) sgk_drain(30);
    if (!eventually([] { return sgk_live_total() <= leaked && captured::alive == 0; }, 10s)) {
        failed(name, 0,
            std::to_string(sgk_live_total() - leaked) + " objects left alive, " + std::to_string(captured::alive) +
                " captured");
        captured::alive = 0;
    }
    leaked = sgk_live_total();
    sound ? passed++ : failures++;
    std::cout << (sound ? "[       OK ] " : "[  FAILED  ] ") << name << std::endl;
}

#ifdef ONLY // of this group
#define GROUPS(X) X(ONLY)
#else
#define GROUPS(X) \
    X(values) X(operators) X(fusion) X(exceptions) X(lifetimes) X(queues) X(links) X(holders) X(bridges) \
    X(readers) X(debugging)
#endif
#define RUN(name) group = #name, name();

// Runs the test that the argument names, GROUP.NAME, or all; `--list` prints the names.
int main(int count, char **names) {
    lists = count == 2 && std::strcmp(names[1], "--list") == 0;
    if (count == 2 && !lists) wanted = names[1];
    GROUPS(RUN)
    if (lists) return 0;
    std::cout << "[  PASSED  ] " << passed << " test(s)." << std::endl;
    if (failures > 0) std::cout << "[  FAILED  ] " << failures << " test(s)." << std::endl;
    if (passed + failures == 0) std::cerr << "no such test" << std::endl;
    return failures == 0 && passed > 0 ? 0 : 1;
}
