#!/usr/bin/env bash
# Prints what 100,000 pending timers cost, next to libuv's, as in docs/queues.md. Needs libuv1-dev.
set -euo pipefail
cd "$(dirname "$0")/.."
make --no-print-directory lib >/dev/null
mkdir -p build/measure
cc -O2 -Iinclude Tests/measure/timers.c -o build/measure/timers $(pkg-config --cflags --libs libuv) -lpthread \
    -Lbuild/embedded/lib -lsignalkit -Wl,-rpath,"$PWD/build/embedded/lib"
build/measure/timers
