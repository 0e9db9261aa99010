#!/usr/bin/env bash
# The core in virtual time, with the closures of the marble pictures, as WebAssembly: `build.sh DIRECTORY` makes
# marbles.wasm there, and marbles-wasm.js, which holds it for pages that read no files. (README.md)
# Where the toolchain cannot do that it says so, and makes neither.
#   SIGNALKIT_SOURCES=../..   the sources of SignalKit; by default those around this folder
set -euo pipefail

place=$1 here=$(dirname "$0") target=wasm32-unknown-none-wasm
sources=${SIGNALKIT_SOURCES:-$here/../..}
tools=$(dirname "$(readlink -f "$(command -v "${SWIFTC:-swiftc}")")")
tables=$tools/../lib/swift/embedded/$target/libswiftUnicodeDataTables.a
rm -rf "$place" && mkdir -p "$place/include" "$place/pictures"
if [ ! -e "$tables" ] || [ ! -x "$tools/wasm-ld" ] || [ ! -x "$tools/clang" ]; then
    echo "  (without playable marbles: this Swift toolchain makes no WebAssembly)"
    exit
fi

for header in errno poll pthread sched signal stdio stdlib string time unistd; do
    cp "$here/libc.h" "$place/include/$header.h"
done
# The headers without the one that refuses systems that have no threads, and pointers of 32 bits.
shims=(-DSIGNALKIT_SHIMS_PLATFORM_H -DSGK_PORTABLE=1 "-I$place/include" "-I$sources/Sources/SignalKitShims/include")
for flag in "${shims[@]}"; do imported+=(-Xcc "$flag"); done

# The pictures are tests elsewhere; here they are called in turn.
for file in "$sources"/Tests/SignalKitTests/Pictures/*Picture{s,Sources}.swift; do
    sed -E '/^import /d; s/@(Suite|Test) //' "$file" >"$place/pictures/$(basename "$file")"
done
{
    echo 'func allPictures() {'
    sed -nE 's/.*@Suite struct (\w+).*/\1/; t keep; s/.*@Test func (\w+\(\)).*/\1/; T; G; s/(.*)\n(.*)/    \2().\1/p; b
        :keep; h' "$sources"/Tests/SignalKitTests/Pictures/*Pictures.swift
    echo '}'
} >"$place/pictures/All.swift"

# (One module: Embedded Swift of today cannot make one that others import of the core.)
"${SWIFTC:-swiftc}" -target $target -Osize -wmo -parse-as-library -module-name SignalKitCore -swift-version 5 \
    -enable-experimental-feature Embedded -D SIGNALKIT_LIBRARY -suppress-warnings "${imported[@]}" \
    $(find "$sources/Sources/SignalKitCore" -name '*.swift' | LC_ALL=C sort) \
    "$sources"/Sources/SignalKitTesting/{Diagram,MarbleSource,TestScheduler}.swift \
    "$here/Playground.swift" "$place"/pictures/*.swift -c -o "$place/marbles.o"
"$tools/clang" --target=$target -Oz -mbulk-memory -fno-builtin -fno-stack-protector -Wall -Wextra "${shims[@]}" \
    -c "$here/alone.c" -o "$place/alone.o"
"$tools/wasm-ld" --no-entry --export=room --export=answer --gc-sections --strip-all -O2 -z stack-size=524288 \
    --unresolved-symbols=ignore-all "$place"/{marbles,alone}.o "$tables" -o "$place/marbles.wasm"
printf 'marblesWasm("%s")\n' "$(gzip -9n <"$place/marbles.wasm" | base64 -w0)" >"$place/marbles-wasm.js"
echo "  WASM   $place/marbles.wasm: $(wc -c <"$place/marbles.wasm") bytes"
