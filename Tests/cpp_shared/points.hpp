/* Types that two shared objects of one process exchange. Both are compiled with -fvisibility=hidden. */
#pragma once

#include <signalkit.hpp>

#define SHARED __attribute__((visibility("default")))

struct SHARED point {
    int x, y;
    friend bool operator==(const point &a, const point &b) { return a.x == b.x && a.y == b.y; }
};

/* Each shared object has a type of its own under this name. */
struct hidden_point {
    int x, y;
};

extern "C" {
/* The maker: signals, owned by the caller. */
SHARED sgk_signal *make_points();
SHARED sgk_signal *make_hidden_points();
/* The reader: what it reads from a signal, which it takes over, or the text of the error. */
SHARED int sum_of_points(sgk_signal *points);
SHARED const char *error_of_hidden_points(sgk_signal *points);
}
