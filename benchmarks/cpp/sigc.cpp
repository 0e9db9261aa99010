// libsigc++, which is not thread-safe.
#include <sigc++/sigc++.h>

#include "slots.hpp"

using signal_type = sigc::signal<void(int64_t)>;

static const char *const name = "libsigc++ (one thread)";

static const bench_case cases[] = {
    {"W1", "libsigc++, a signal per stage", ten_maps<signal_type>, 1000000},
    {"W2.1", name, broadcast<signal_type, 1>, 3000000},
    {"W2.10", name, broadcast<signal_type, 10>, 10000000},
    {"W2.1000", name, broadcast<signal_type, 1000>, 10000000},
    {"W3.time", "libsigc++ (connect, disconnect)", connect_and_disconnect<signal_type>, 500000},
    {"W3.bytes", "libsigc++ (a slot)", bytes<signal_type>, 10000},
};

BENCH_MAIN(cases)
