#!/usr/bin/env bash
# Prints the sizes and dependencies of both builds, as in a table of docs/platforms.md.
set -euo pipefail
cd "$(dirname "$0")/.."
make --no-print-directory lib >/dev/null
make --no-print-directory lib RUNTIME=hosted >/dev/null
size() { stat -Lc %s "build/$1/lib/libsignalkit.so" | awk '{ printf "%.2f MB", $1 / 1e6 }'; }
needs() {
    readelf -d "build/$1/lib/libsignalkit.so" | sed -nE 's/.*\(NEEDED\).*\[(lib[a-z+_]+).*\]/\1/p' | grep -v '^ld' |
        sort | paste -sd, | sed 's/,/, /g'
}
echo "| | embedded | hosted |"
echo "| --- | --- | --- |"
echo "| size of \`libsignalkit.so\` | $(size embedded) | $(size hosted) |"
echo "| needs, in addition to the loader | $(needs embedded) | $(needs hosted) |"
