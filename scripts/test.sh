#!/usr/bin/env bash
# Runs all tests. `scripts/test.sh NAME…` runs only those steps: see the list at the end.
set -uo pipefail
cd "$(dirname "$0")/.."

toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")
clang=$toolchain/bin/clang
make="make --no-print-directory"
passed=0 failed=0 failures=()

# step NAME COMMAND…: runs it, shows its output when it fails.
step() {
    local name=$1 log start=$SECONDS
    shift
    log=$(mktemp)
    if "$@" >"$log" 2>&1; then
        passed=$((passed + 1))
        printf '  ok     %-34s %4d s   %s\n' "$name" $((SECONDS - start)) "$(summary "$log")"
    else
        failed=$((failed + 1)) failures+=("$name")
        printf '  FAILED %-34s %4d s\n' "$name" $((SECONDS - start))
        tail -n 60 "$log" | sed 's/^/         | /'
    fi
    rm -f "$log"
}

# How many tests a log tells of, if any.
summary() {
    local cmocka swift
    cmocka=$(sed -nE 's/^\[  PASSED  \] ([0-9]+) test.*/\1/p' "$1" | paste -sd+ | sed 's/^$/0/')
    swift=$(sed -nE 's/.*Test run with ([0-9]+) tests.* passed.*/\1/p' "$1" | paste -sd+ | sed 's/^$/0/')
    local total=$((cmocka + swift))
    [ "$total" -gt 0 ] && echo "$total tests"
}

# ---- The C suite ----

# suite BUILD FLAGS…: compiles it against a build and runs it.
suite() {
    local build=$1 library=${LIBRARY:--lsignalkit}
    shift
    "$clang" -fuse-ld=lld -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -g -Iinclude Tests/C/*.c -o "$build/suite" -L"$build/lib" $library \
        -lcmocka -lpthread -lm -Wl,-rpath,"$PWD/$build/lib" "$@" && timeout 300 "$build/suite"
}
suite_shared() { $make lib && suite build/embedded; }
suite_static() { $make static && LIBRARY=build/embedded/lib/libsignalkit.a suite build/embedded; }
suite_hosted() { $make lib RUNTIME=hosted && suite build/hosted; }
suite_debug_mode() { $make lib && SIGNALKIT_DEBUG=1 suite build/embedded; }
suite_address() { $make lib SANITIZE=address && SUITE_ROUNDS=100000 ASAN_OPTIONS=detect_leaks=1 suite build/embedded-address -fsanitize=address,undefined; }
suite_debug_address() { $make lib SANITIZE=address && SIGNALKIT_DEBUG=1 SUITE_ROUNDS=20000 ASAN_OPTIONS=detect_leaks=1 suite build/embedded-address -fsanitize=address; }
# The sanitizer's runtime wants libdispatch's symbols to be somewhere; the library keeps its own copy to itself.
suite_thread() {
    local libraries=$toolchain/lib/swift/linux
    $make lib SANITIZE=thread && SUITE_ROUNDS=20000 suite build/embedded-thread -fsanitize=thread -L"$libraries" -ldispatch -lBlocksRuntime -Wl,-rpath,"$libraries"
}
suite_valgrind() {
    $make lib && mkdir -p build/valgrind && "$clang" -fuse-ld=lld -std=c11 -D_GNU_SOURCE -gdwarf-4 -Iinclude Tests/C/*.c -o build/valgrind/suite -Lbuild/embedded/lib -lsignalkit \
        -lcmocka -lpthread -lm -Wl,-rpath,"$PWD/build/embedded/lib" &&
        SUITE_ROUNDS=20000 timeout 600 valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,indirect build/valgrind/suite
}
# A leak must be seen: the sanitizer is of no use where it cannot look.
leaks_are_seen() {
    $make lib SANITIZE=address
    mkdir -p build/leak
    printf '#include <signalkit.h>\nint main(void) { sgk_signal_single(sgk_int(1)); return 0; }\n' >build/leak/leak.c
    "$clang" -fuse-ld=lld -fsanitize=address -g -Iinclude build/leak/leak.c -o build/leak/leak -Lbuild/embedded-address/lib -lsignalkit -Wl,-rpath,"$PWD/build/embedded-address/lib"
    if ASAN_OPTIONS=detect_leaks=1 build/leak/leak; then echo "the leak was not seen" && return 1; fi
}

# ---- The C++ suite ----

cpp_warnings="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"

cpp_suite() {
    local build=$1
    shift
    "$clang++" -fuse-ld=lld -std=c++17 $cpp_warnings -g -Iinclude Tests/Cpp/*.cpp -o "$build/cpp_suite" -L"$build/lib" -lsignalkit -lpthread \
        -Wl,-rpath,"$PWD/$build/lib" "$@" && timeout 300 "$build/cpp_suite"
}
cpp_shared() { $make lib && cpp_suite build/embedded; }
cpp_address() { $make lib SANITIZE=address && ASAN_OPTIONS=detect_leaks=1 cpp_suite build/embedded-address -fsanitize=address,undefined; }
cpp_thread() {
    local libraries=$toolchain/lib/swift/linux
    $make lib SANITIZE=thread && cpp_suite build/embedded-thread -DSGK_TSAN -fsanitize=thread -L"$libraries" -ldispatch -lBlocksRuntime -Wl,-rpath,"$libraries"
}

# ---- The header, the binary, the installation ----

headers() {
    mkdir -p build/headers
    printf '#include "signalkit.h"\n#include "signalkit.h"\nint use(void);\nint use(void) { return (int)sgk_to_int(sgk_int(3)); }\n' >build/headers/twice.c
    for language in "cc -std=c99" "cc -std=c11" "$clang -std=c23" "g++ -x c++ -std=c++11" "g++ -x c++ -std=c++20" "$clang -x c++ -std=c++23"; do
        $language -Wall -Wextra -Wpedantic -Wconversion -Werror -Iinclude -c build/headers/twice.c -o build/headers/twice.o || return 1
        for header in include/signalkit/*.h; do # each one stands alone
            printf '#include "%s"\n#include "signalkit.h"\n' "${header#include/}" >build/headers/alone.c
            $language -Wall -Wextra -Wpedantic -Werror -Iinclude -c build/headers/alone.c -o build/headers/alone.o || return 1
        done
    done
}
cpp_headers() {
    mkdir -p build/headers
    for header in include/signalkit.hpp include/signalkit/cpp/*.hpp; do # each one stands alone
        printf '#include "%s"\n#include "signalkit.hpp"\nint use();\nint use() { return sgk::value(3).as<int>(); }\n' "${header#include/}" >build/headers/alone.cpp
        for language in "g++ -std=c++17" "$clang++ -std=c++17"; do
            $language $cpp_warnings -Iinclude -fsyntax-only build/headers/alone.cpp || return 1
        done
    done
    for language in "g++ -std=c++17" "g++ -std=c++20" "g++ -std=c++23" "$clang++ -std=c++17" "$clang++ -std=c++20" "$clang++ -std=c++23"; do # all templates, used
        $language $cpp_warnings -Iinclude -fsyntax-only Tests/Cpp/operators.cpp || return 1
    done
}
symbols() {
    $make lib static
    scripts/symbols.py | diff Tests/abi/symbols.txt - || { echo "Tests/abi/symbols.txt is not what the headers declare"; return 1; }
    nm -D --defined-only build/embedded/lib/libsignalkit.so | awk '$2 != "A" { print $3 }' | sed 's/@.*//' | sort | diff Tests/abi/symbols.txt - || return 1
    nm -D --defined-only build/embedded/lib/libsignalkit.so | awk '$2 == "T" && $3 !~ /@@SIGNALKIT_1.0$/ { print "no version:", $3; bad = 1 } END { exit bad }' || return 1
    nm -g --defined-only build/embedded/lib/libsignalkit.a | awk 'NF == 3 { print $3 }' | sort | diff Tests/abi/symbols.txt - || return 1
}
# Each exported function occurs in the tests.
tested() {
    local untested
    untested=$(while read -r symbol; do grep -qw "$symbol" Tests/C/*.c || echo "$symbol"; done <Tests/abi/symbols.txt)
    [ -z "$untested" ] || { echo "not in the tests: $untested"; return 1; }
}
binary() {
    $make lib
    local so=build/embedded/lib/libsignalkit.so size others
    size=$(stat -Lc %s $so)
    echo "size: $size bytes"
    [ "$size" -le 1048576 ] || { echo "larger than 1 MiB"; return 1; }
    others=$(readelf -d $so | sed -nE 's/.*\(NEEDED\).*\[(.*)\]/\1/p' | grep -vE '^(libc\.so\.6|libm\.so\.6|libffi\.so\.[0-9]+|ld-linux.*)$')
    [ -z "$others" ] || { echo "needs also: $others"; return 1; }
    readelf -d $so | grep 'SONAME.*\[libsignalkit.so.1\]' >/dev/null || { echo "no soname"; return 1; }
    readelf -d $so | grep 'FLAGS_1.*NOW.*NODELETE' >/dev/null || { echo "not now, nodelete"; return 1; }
    readelf -l $so | grep GNU_RELRO >/dev/null || { echo "no relro"; return 1; }
    if readelf -d $so | grep TEXTREL >/dev/null; then echo "text relocations"; return 1; fi
    if readelf -lW $so | grep -E 'GNU_STACK.*RWE'; then echo "executable stack"; return 1; fi
}
installation() {
    local prefix=$PWD/build/check/usr staged=$PWD/build/check/staged
    rm -rf build/check && mkdir -p build/check
    $make install PREFIX="$prefix" || return 1
    export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
    pkg-config --validate signalkit || return 1
    [ "$(pkg-config --modversion signalkit)" = 1.0.0 ] || return 1
    cp Tests/install/stranger.c build/check/
    cc -std=c11 -Wall -Wextra -Werror build/check/stranger.c -o build/check/shared $(pkg-config --cflags --libs signalkit) -Wl,-rpath,"$prefix/lib" && build/check/shared || return 1
    ldd build/check/shared | grep "$prefix/lib/libsignalkit.so.1" >/dev/null || { echo "not the installed library"; return 1; }
    cc -std=c11 -Wall -Wextra -Werror build/check/stranger.c -o build/check/static -static $(pkg-config --static --cflags --libs signalkit) && build/check/static || return 1
    # Relocated: the .pc goes by its own place.
    mv "$prefix" build/check/moved
    PKG_CONFIG_PATH=$PWD/build/check/moved/lib/pkgconfig
    cc build/check/stranger.c -o build/check/moved-shared $(pkg-config --cflags --libs signalkit) -Wl,-rpath,"$PWD/build/check/moved/lib" && build/check/moved-shared || return 1
    cmake -S Tests/install -B build/check/cmake -DCMAKE_PREFIX_PATH="$PWD/build/check/moved" && cmake --build build/check/cmake && build/check/cmake/shared && build/check/cmake/static || return 1
    # DESTDIR, and uninstall leaves nothing.
    $make install PREFIX=/usr DESTDIR="$staged" && [ -f "$staged/usr/lib/pkgconfig/signalkit.pc" ] || return 1
    $make uninstall PREFIX=/usr DESTDIR="$staged" || return 1
    local left
    left=$(find "$staged" ! -type d)
    [ -z "$left" ] || { echo "left behind: $left"; return 1; }
}
# Two copies of Swift in one process: the library's own must not be seen by a Swift program that has loaded it.
beside_swift() {
    $make lib && mkdir -p build/beside && swiftc -O Tests/install/beside.swift -o build/beside/beside && build/beside/beside build/embedded/lib/libsignalkit.so.1
}

# ---- Examples and documents ----

monitor() {
    $make install PREFIX="$PWD/build/prefix" || return 1
    export PKG_CONFIG_PATH=$PWD/build/prefix/lib/pkgconfig
    cc -std=c11 -Wall -Wextra -Wpedantic -Werror examples/c/sysmon.c -o build/sysmon $(pkg-config --cflags --libs signalkit) -Wl,-rpath,"$PWD/build/prefix/lib" || return 1
    build/sysmon --seconds 2 >build/sysmon.log || return 1
    cat build/sysmon.log
    grep -q '^cpu' build/sysmon.log && grep -q 'Objects left alive: 0' build/sysmon.log || return 1
    # SIGINT ends it cleanly (and is not ignored, as it would be for a background job of a plain shell).
    python3 -c '
import signal, subprocess, sys, time
p = subprocess.Popen(["build/sysmon"], stdout=subprocess.PIPE, text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
time.sleep(1.5); p.send_signal(signal.SIGINT); out = p.communicate(timeout=20)[0]
sys.exit(0 if p.returncode == 0 and "Objects left alive: 0" in out else 1)' || return 1
    if build/sysmon --seconds nonsense 2>/dev/null; then echo "a bad option was accepted"; return 1; fi
}
coverage() { scripts/coverage.py --check; }
lines() {
    $make install PREFIX="$PWD/build/prefix" || return 1
    export PKG_CONFIG_PATH=$PWD/build/prefix/lib/pkgconfig
    cc -std=c11 -O2 -Wall -Wextra -Wpedantic -Wconversion -Werror examples/c/lines.c -o build/lines $(pkg-config --cflags --libs signalkit) -Wl,-rpath,"$PWD/build/prefix/lib" || return 1
    Tests/examples/lines.py build/lines
}
line_rate() {
    $make install PREFIX="$PWD/build/prefix" || return 1
    export PKG_CONFIG_PATH=$PWD/build/prefix/lib/pkgconfig
    g++ -std=c++17 $cpp_warnings examples/cpp/linerate.cpp -o build/linerate $(pkg-config --cflags --libs signalkit) -lpthread -Wl,-rpath,"$PWD/build/prefix/lib" || return 1
    { seq 1 20000; sleep 1; seq 1 5; } | build/linerate >build/linerate.log || return 1
    grep -q 'Lines: 20005. Bytes: 108904.' build/linerate.log && grep -q 'Objects left alive: 0' build/linerate.log
}
readme() { $make install PREFIX="$PWD/build/prefix" && scripts/readme.py; }

# ---- Swift ----

swift_tests() { swift test --scratch-path .build-test; }
swift_thread() { swift test --scratch-path .build-tsan --sanitize=thread -Xcc -DSGK_TSAN=1; }

all="headers cpp_headers symbols tested binary suite_shared suite_static suite_hosted suite_debug_mode suite_address suite_debug_address leaks_are_seen
    suite_thread suite_valgrind cpp_shared cpp_address cpp_thread installation beside_swift monitor lines line_rate coverage readme swift_tests swift_thread"
for name in ${*:-$all}; do step "$name" "$name"; done

[ "$failed" -eq 0 ] || echo "failed: ${failures[*]}"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
