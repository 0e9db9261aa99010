# The header, the binary, the installation.

# Every build that the steps want. The compiler of Swift uses one processor. (The build for AddressSanitizer contains
# the code of the plain build.)
builds() {
    printf '%s\n' "make lib && make lib SANITIZE=address" "make lib SANITIZE=thread" |
        flock build/make.lock xargs -P"$(nproc)" -I% sh -c % && installed
}
# with_packages "PACKAGE…" COMMAND…: runs it, unless a package is missing and nobody here may install it.
with_packages() {
    local missing
    missing=$(scripts/deps.sh missing $1)
    if [ -n "$missing" ] && [ "$(id -u)" != 0 ]; then echo "skipped: $missing is missing" && return; fi
    [ -z "$missing" ] || { echo "missing: $missing"; return 1; }
    "${@:2}"
}

headers() {
    mkdir -p build/headers
    printf '%s\n' '#include "signalkit.h"' '#include "signalkit.h"' 'int use(void);' \
        'int use(void) { return (int)sgk_to_int(sgk_int(3)); }' >build/headers/twice.c
    for language in "cc -std=c99" "cc -std=c11" "$clang -std=c23" "g++ -x c++ -std=c++11" "g++ -x c++ -std=c++20" \
        "$clang -x c++ -std=c++23"; do
        $language -Wall -Wextra -Wpedantic -Wconversion -Werror -Iinclude -c build/headers/twice.c \
            -o build/headers/twice.o || return 1
    done
    for header in include/signalkit/*.h; do # each compiles alone
        printf '#include "%s"\n#include "signalkit.h"\n' "${header#include/}" >build/headers/alone.c
        for language in "cc -std=c99" "g++ -x c++ -std=c++11"; do
            $language -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only build/headers/alone.c || return 1
        done
    done
    # Qt's headers define these words as macros.
    printf '#define %s\n' "signals public" slots emit "foreach(a, b) for (a : b)" "forever for (;;)" >build/headers/qt.h
    echo '#include <signalkit.hpp>' | g++ -x c++ -std=c++17 -Iinclude -include build/headers/qt.h -fsyntax-only -
}
# refuses PLATFORM COMMAND…: it ends with errors, of which the first says that SignalKit does not run there.
refuses() {
    local said
    said=$("${@:2}" 2>&1) && { echo "no error: ${*:2}"; return 1; }
    said=$(grep -m1 error: <<<"$said")
    [[ $said = *"SignalKit does not run on $1"* ]] || { echo "$1: ${*:2} says $said"; return 1; }
}
# On systems that are not supported, and with enumerations of 1 byte, compiling fails with one message.
unsupported() {
    local shims=Sources/SignalKitShims/include target compiler said
    mkdir -p build/headers && echo 'import SignalKitShims' >build/headers/shims.swift
    for compiler in "gcc -x c" "$clang -x c" "g++ -x c++" "$clang -x c++"; do
        said=$($compiler -fshort-enums -fsyntax-only include/signalkit/base.h 2>&1) && return 1
        [[ $said = *"compile without -fshort-enums"* ]] || { echo "$compiler: $said"; return 1; }
    done
    for target in armv7-linux-gnueabihf i686-linux-gnu x86_64-linux-gnux32; do
        refuses "32-bit systems" "$clang" --target=$target -fsyntax-only -x c include/signalkit.h || return 1
        refuses "32-bit systems" "$clang" --target=$target -fsyntax-only -x c $shims/SignalKitShims.h || return 1
    done
    refuses "32-bit systems" g++ -m32 -fsyntax-only -x c++ include/signalkit.hpp || return 1
    refuses "32-bit systems" swiftc -target armv7-none-none-eabi -enable-experimental-feature Embedded -wmo -I$shims \
        -typecheck build/headers/shims.swift || return 1
    refuses Windows "$clang" --target=x86_64-pc-windows-msvc -fsyntax-only -x c $shims/SignalKitShims.h || return 1
    refuses WebAssembly "$clang" --target=wasm32-wasi -fsyntax-only -x c $shims/SignalKitShims.h
}
symbols() {
    $make lib static || return 1
    scripts/symbols.py | diff Tests/abi/symbols.txt - ||
        { echo "Tests/abi/symbols.txt is not what the headers declare"; return 1; }
    symbols_of build/embedded
}
symbols_of() { # BUILD
    local so=$1/lib/libsignalkit.so
    nm -D --defined-only "$so" | awk '$2 != "A" { print $3 }' | sed 's/@.*//' | sort | diff Tests/abi/symbols.txt - ||
        return 1
    nm -D --defined-only "$so" |
        awk '$2 == "T" && $3 !~ /@@SIGNALKIT_1.0$/ { print "no version:", $3; bad = 1 } END { exit bad }' || return 1
    nm -g --defined-only "$1/lib/libsignalkit.a" | awk 'NF == 3 { print $3 }' | sort | diff Tests/abi/symbols.txt -
}
# Messages name the exported function that was called: what `#function` is there, or what a helper of it passes on.
# (In the core `#function` is the name of an operator, which descriptions show and no message.)
named_functions() {
    local others
    $make lib || return 1
    others=$({
        strings build/embedded/lib/libsignalkit.so | grep -E '^[A-Za-z_]\w*\(([A-Za-z_]\w*:)*\)$' |
            LC_ALL=C sort -u | LC_ALL=C comm -23 - <(scripts/core_functions.py) | sed 's/(.*//'
        grep -rhoP '^(?!@_cdecl).*"\Ksgk_\w+' Sources/SignalKitABI --include='*.swift'
    } | LC_ALL=C sort -u | LC_ALL=C comm -23 - Tests/abi/symbols.txt)
    [ -z "$others" ] || { echo "not exported, but named in messages: $others"; return 1; }
}
# Sizes, offsets, values of enumerations: what Tests/abi/layout.txt records, in C and in C++.
layout() {
    scripts/layout.py | diff Tests/abi/layout.txt - && scripts/layout.py --c++ | diff Tests/abi/layout.txt -
}
# The functions that return NULL for a NULL signal.
makers() { scripts/makers.py; }
# Each exported function occurs in the tests, each that takes a pointer in those of misuse, each that takes a value in
# those of giving one away.
tested() {
    local untested misused given
    scripts/misuse.py | diff Tests/C/misuse_made.c - || { echo "stale: Tests/C/misuse_made.c"; return 1; }
    untested=$(LC_ALL=C comm -23 Tests/abi/symbols.txt <(grep -ohw 'sgk_\w*' Tests/C/*.c | LC_ALL=C sort -u))
    [ -z "$untested" ] || { echo "not in the tests: $untested"; return 1; }
    misused=$(LC_ALL=C comm -23 <(scripts/symbols.py --with-pointers) \
        <(grep -ohw 'sgk_\w*' Tests/C/misuse*.c | LC_ALL=C sort -u))
    [ -z "$misused" ] || { echo "not in the tests of misuse: $misused"; return 1; }
    given=$(LC_ALL=C diff <(scripts/symbols.py --with-values) \
        <(grep -ohP '(TAKES|LENDS)\(\Ksgk_\w+' Tests/C/giving.c | LC_ALL=C sort -u))
    [ -z "$given" ] || { echo "not in the tests of values that are given away: $given"; return 1; }
}
binary() { $make lib && binary_of build/embedded; }
binary_of() { # BUILD
    local so=$1/lib/libsignalkit.so size others
    readable "$so" || return 1
    # The bytes that are loaded. The file also has a gap before the code: 43,000 bytes with pages of 64 KiB, because
    # the unwind tables were joined.
    size=$(($(readelf -lW $so | awk '$1 == "LOAD" { print $5 }' | paste -sd+)))
    echo "size: $size bytes, as a file $(stat -Lc %s $so)"
    [ "$size" -le 918000 ] || { echo "larger than 918,000 bytes"; return 1; }
    size=$(readelf -SW $so | sed -nE 's/.* \.eh_frame(_hdr)? +PROGBITS +\S+ \S+ (\S+).*/0x\2/p' | paste -sd+)
    echo "of these for unwinding: $((size)) bytes"
    [ $((size)) -ge 50000 ] || { echo "no tables for unwinding"; return 1; }
    readelf -n $so | grep 'Build ID' >/dev/null || { echo "no build ID"; return 1; }
    others=$(needed_by $so | grep -vE '^(libc\.so\.6|libpthread\.so\.0|libffi\.so\.[0-9]+|ld-linux.*)$')
    [ -z "$others" ] || { echo "needs also: $others"; return 1; }
    readelf -d $so | grep 'SONAME.*\[libsignalkit.so.1\]' >/dev/null || { echo "no soname"; return 1; }
    readelf -d $so | grep 'FLAGS_1.*NODELETE' >/dev/null || { echo "not nodelete"; return 1; }
    hardened $so || return 1
    loads_with_glibc 2.28 $so $(find "$1/obj" -name '*.o' ! -name whole.o)
}
readable() { readelf -h "$@" >/dev/null || { echo "not to be read: $*" && return 1; }; }
needed_by() { readelf -d "$1" | sed -nE 's/.*\(NEEDED\).*\[(.*)\]/\1/p'; }
# loads_with_glibc VERSION LIBRARY OBJECT…: checks that the library needs no newer glibc, neither for a symbol nor for
# packed relocations. The relocations that it unpacks itself (relocate.c) must not be in thread-local data, because the
# first threads copy that data earlier.
loads_with_glibc() {
    local newer
    readable "${@:2}" || return 1
    newer=$({ readelf -VW "$2" | grep -oP 'Name: GLIBC_\K\S+' && echo "$1"; } | sort -uV | sed "1,/^$1\$/d")
    [ -z "$newer" ] || { echo "$2 asks for glibc" $newer; return 1; }
    if readelf -dW "$2" | grep '(RELR)'; then echo "$2 has relocations that glibc $1 does not know"; return 1; fi
    if readelf -SW "${@:3}" | grep -F .rela.tdata; then echo "addresses in what is each thread's"; return 1; fi
}
# A library that a tool has changed loads, or says why not. `changed BUILD NAME COMPILER…`: a copy that patchelf has
# given a path, long enough for its table of tags to be moved, and one without the tag of its list of addresses.
changed() {
    local so=$1/lib/libsignalkit.so place=build/changed/$2 said
    mkdir -p "$place" && "${@:3}" Tests/install/loader.c -o "$place/loader" || return 1
    cp -L "$so" "$place/patched.so" && patchelf --set-rpath "/opt/$(printf %0100d 0)" "$place/patched.so" || return 1
    if [ "$(tags_at "$so")" = "$(tags_at "$place/patched.so")" ]; then echo "its table was not moved"; return 1; fi
    ${EMULATED:-} "$place/loader" "$place/patched.so" || { echo "the patched library does not load"; return 1; }
    cp -L "$so" "$place/lost.so" && python3 - "$place/lost.so" <<-'end' || return 1
	import pathlib, struct, sys
	library, tag = pathlib.Path(sys.argv[1]), struct.pack("<Q", 0x6fffe000)
	assert library.read_bytes().count(tag) == 1
	library.write_bytes(library.read_bytes().replace(tag, struct.pack("<Q", 0x6fffe00f)))
	end
    said=$(${EMULATED:-} "$place/loader" "$place/lost.so" 2>&1) && { echo "it loads without its addresses"; return 1; }
    grep '^signalkit: .* is lost\.$' <<<"$said" >/dev/null || { echo "without its addresses it says: $said"; return 1; }
}
tags_at() { readelf -lW "$1" | awk '$1 == "DYNAMIC" { print $3 }'; }
changed_by_tools() { with_packages patchelf eval '$make lib && changed build/embedded glibc cc'; }

installation() {
    local prefix=$PWD/build/check/usr staged=$PWD/build/check/staged
    rm -rf build/check && mkdir -p build/check
    $make install PREFIX="$prefix" || return 1
    export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
    pkg-config --validate signalkit || return 1
    [ "$(pkg-config --modversion signalkit)" = 1.0.0 ] || return 1
    [ "$("$prefix/bin/sgk-top" --version)" = "sgk-top 1.0.0" ] || return 1
    diff <("$prefix/bin/sgk-top" --help | options_in) \
        <(sed 's/\\-/-/g' "$prefix/share/man/man1/sgk-top.1" | options_in) ||
        { echo "sgk-top's page and its --help name other options"; return 1; }
    ls "$prefix"/share/{man/man3/sgk_signal_throttle.3,man/man7/signalkit.7} \
        "$prefix"/share/doc/signalkit/{README.md,docs/guide.md,examples/c/reference/pipe.c} || return 1
    stranger Tests/install/stranger.c && "$made" || return 1
    ldd "$made" | grep "$prefix/lib/libsignalkit.so.1" >/dev/null || { echo "not the installed library"; return 1; }
    cc -std=c11 -Wall -Wextra -Werror Tests/install/stranger.c -o build/check/static -static \
        $(pkg-config --static --cflags --libs signalkit) && build/check/static || return 1
    # Relocated: the .pc file uses its own path.
    mv "$prefix" build/check/moved
    PKG_CONFIG_PATH=$PWD/build/check/moved/lib/pkgconfig
    stranger Tests/install/stranger.c && "$made" &&
        stranger_by_cmake build/check/cmake -DCMAKE_PREFIX_PATH="$PWD/build/check/moved" || return 1
    # Found by CMake in a folder that is a link, as /lib is one to /usr/lib.
    ln -s moved/lib build/check/lib &&
        stranger_by_cmake build/check/cmake -Dsignalkit_DIR="$PWD/build/check/lib/cmake/signalkit" || return 1
    # Where Debian has libraries, and headers somewhere else: below PREFIX, and not.
    local lib include
    for include in "$prefix/inc" "$PWD/build/check/headers"; do
        for lib in "$prefix/lib/x86_64-linux-gnu" "$PWD/build/check/libraries"; do
            installed_apart PREFIX="$prefix" LIBDIR="$lib" INCLUDEDIR="$include" || return 1
        done
    done
    # DESTDIR, and uninstall leaves nothing.
    $make install PREFIX=/usr DESTDIR="$staged" && [ -f "$staged/usr/lib/pkgconfig/signalkit.pc" ] || return 1
    $make uninstall PREFIX=/usr DESTDIR="$staged" || return 1
    local left
    left=$(find "$staged" ! -type d)
    [ -z "$left" ] || { echo "left behind: $left"; return 1; }
}
options_in() { grep -o -- '--[a-z]*' | LC_ALL=C sort -u; }
stranger_by_cmake() { # DIRECTORY OPTION…
    cmake -S Tests/install -B "$1" --fresh "${@:2}" && cmake --build "$1" && "$1/shared" && "$1/static"
}
# With these places: found by pkg-config and by CMake, and removed.
installed_apart() { # PREFIX=… LIBDIR=… INCLUDEDIR=…
    local lib=${2#*=} left
    $make install "$@" || return 1
    PKG_CONFIG_PATH=$lib/pkgconfig
    pkg-config --validate signalkit && stranger Tests/install/stranger.c && "$made" &&
        stranger_by_cmake build/check/cmake -Dsignalkit_DIR="$lib/cmake/signalkit" || return 1
    swiftc -typecheck -I "${3#*=}" Tests/install/headers.swift || return 1
    $make uninstall "$@" || return 1
    left=$(find "${@#*=}" ! -type d)
    [ -z "$left" ] || { echo "left behind: $left"; return 1; }
}
# Two copies of Swift in one process: the library's own must not be seen by a Swift program that has loaded it.
beside_swift() {
    $make lib && mkdir -p build/beside && swiftc -O Tests/install/beside.swift -o build/beside/beside &&
        build/beside/beside build/embedded/lib/libsignalkit.so.1
}

# The compiler warns of each ignored result that is owned, and of nothing else.
mistakes() {
    local language source=Tests/mistakes/ignored.c said
    for language in "gcc -std=c11" "gcc -std=c2x" "$clang -std=c11" "$clang -std=c23" "g++ -x c++ -std=c++17" \
        "$clang -x c++ -std=c++20"; do
        said=$(LC_ALL=C $language -Wall -Wextra -Wpedantic -Iinclude -c "$source" -o /dev/null 2>&1)
        sed -n 's/^[^:]*:\([0-9]*\):.*\[-Wunused-result\]$/\1/p' <<<"$said" | sort -n |
            diff <(grep -n '/\* warning \*/' "$source" | cut -d: -f1) - || { echo "$language: $said"; return 1; }
    done
}
# The macros for calls cause no warning, and do what the calls do.
call_sites() {
    local language
    mkdir -p build/headers
    for language in "gcc -std=c11" "gcc -std=c2x" "$clang -std=c11" "$clang -std=c23"; do
        $language -Wall -Wextra -Wpedantic -Wconversion -Werror -Iinclude Tests/mistakes/call_site.c \
            -Lbuild/embedded/lib -lsignalkit -Wl,-rpath,"$PWD/build/embedded/lib" -o build/headers/call_site &&
            build/headers/call_site | diff - <(printf '%s\n' "got 2" "got 4" "got 10" "text 0" \
            "sgk_signal_take: count: must be 0 or more, 2 made") || { echo "$language"; return 1; }
    done
}

core+=(headers unsupported mistakes call_sites symbols named_functions layout makers tested binary installation)
steps+=(changed_by_tools beside_swift)
