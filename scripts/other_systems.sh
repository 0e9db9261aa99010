#!/usr/bin/env bash
# Compiles the system layer with the headers of other systems. The headers are from Zig, whose PyPI package is too large
# for a step of the tests.
set -euo pipefail
cd "$(dirname "$0")/.."

headers=build/other_systems/ziglang/lib/libc/include
if [ ! -d $headers ]; then
    mkdir -p build/other_systems
    python3 -m venv build/other_systems/pip
    build/other_systems/pip/bin/pip download --quiet --no-deps --dest build/other_systems ziglang
    python3 -c 'import sys, zipfile
package = zipfile.ZipFile(sys.argv[2])
package.extractall(sys.argv[1], [name for name in package.namelist() if name.startswith(sys.argv[3])])
' build/other_systems build/other_systems/ziglang-*.whl ${headers#build/other_systems/}
    rm -r build/other_systems/pip build/other_systems/*.whl
fi

clang=$(dirname "$(readlink -f "$(command -v swiftc)")")/clang
compile() { # TARGET FOLDER…
    local target=$1 folder source flags=()
    for folder in "${@:2}"; do flags+=(-isystem "$headers/$folder"); done
    for source in $(find Sources/SignalKitShims -name '*.c'); do
        "$clang" --target="$target" -nostdlibinc "${flags[@]}" -std=gnu11 -Wall -Wextra -Werror \
            -ISources/SignalKitShims/include -fsyntax-only "$source"
    done
    echo "  ok     $target"
}
for machine in arm64 x86_64; do compile $machine-apple-macos15 any-darwin-any; done
for system in freebsd netbsd openbsd; do
    for machine in aarch64 x86_64; do compile $machine-unknown-$system $machine-$system-none generic-$system; done
done
