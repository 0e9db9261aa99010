# Examples and documents.

monitor() {
    installed || return 1
    cc -std=c11 -Wall -Wextra -Wpedantic -Werror examples/c/sysmon.c -o build/sysmon $(pkg-config --cflags --libs signalkit) -Wl,-rpath,"$PWD/build/prefix/lib" || return 1
    build/sysmon --seconds 2 >build/sysmon.log || return 1
    cat build/sysmon.log
    grep -q '^cpu' build/sysmon.log && grep -q 'Objects left alive: 0' build/sysmon.log || return 1
    # SIGINT ends it cleanly (and is not ignored, as it would be for a background job of a plain shell).
    python3 -c '
import signal, subprocess, sys
p = subprocess.Popen(["build/sysmon"], stdout=subprocess.PIPE, text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
while "  cpu " not in (line := p.stdout.readline()): assert line
p.send_signal(signal.SIGINT); out = p.communicate()[0]
sys.exit(0 if p.returncode == 0 and "Objects left alive: 0" in out else 1)' || return 1
    if build/sysmon --seconds nonsense 2>/dev/null; then echo "a bad option was accepted"; return 1; fi
}
coverage() {
    scripts/names.py --check && scripts/coverage.py --check && scripts/pictures.py --check && scripts/operators.py --check &&
        scripts/contexts.py
}
lines() {
    installed || return 1
    cc -std=c11 -O2 -Wall -Wextra -Wpedantic -Wconversion -Werror examples/c/lines.c -o build/lines $(pkg-config --cflags --libs signalkit) -Wl,-rpath,"$PWD/build/prefix/lib" || return 1
    Tests/examples/lines.py build/lines
}
hashtree() {
    installed || return 1
    cc -std=c11 -O2 -Wall -Wextra -Wpedantic -Wconversion -Werror examples/c/hashtree.c -o build/hashtree $(pkg-config --cflags --libs signalkit libcrypto) -Wl,-rpath,"$PWD/build/prefix/lib" || return 1
    Tests/examples/hashtree.py build/hashtree
}
hashtree_sanitized() { # BUILD FLAGS…
    local build=$1
    shift
    "$clang" -fuse-ld=lld -std=c11 -g -O1 -Iinclude examples/c/hashtree.c -o "$build/hashtree" -L"$build/lib" -lsignalkit -lcrypto -Wl,-rpath,"$PWD/$build/lib" "$@" &&
        Tests/examples/hashtree.py "$build/hashtree" equal failures vanishing interrupt
}
hashtree_address() { $make lib SANITIZE=address && ASAN_OPTIONS=detect_leaks=1 hashtree_sanitized build/embedded-address -fsanitize=address,undefined -fno-sanitize-recover=undefined; }
hashtree_thread() { $make lib SANITIZE=thread && hashtree_sanitized build/embedded-thread $with_thread; }
line_rate() {
    installed || return 1
    g++ -std=c++17 $cpp_warnings examples/cpp/linerate.cpp -o build/linerate $(pkg-config --cflags --libs signalkit) -lpthread -Wl,-rpath,"$PWD/build/prefix/lib" || return 1
    { seq 1 20000; sleep 1; seq 1 5; } | build/linerate >build/linerate.log || return 1
    grep -q 'Lines: 20005. Bytes: 108904.' build/linerate.log && grep -q 'Objects left alive: 0' build/linerate.log
}
guide() {
    installed || return 1
    scripts/guide.py build/guide cc $(pkg-config --cflags --libs signalkit) -lpthread -Wl,-rpath,"$PWD/build/prefix/lib"
}
guide_address() {
    $make lib SANITIZE=address && ASAN_OPTIONS=detect_leaks=1 scripts/guide.py build/guide-address "$clang" -fuse-ld=lld -fsanitize=address,undefined -g -Iinclude \
        -Lbuild/embedded-address/lib -lsignalkit -lpthread -Wl,-rpath,"$PWD/build/embedded-address/lib"
}
readme() { installed && scripts/readme.py; }
comments() { installed && scripts/comments.py build/comments cc g++; } # what comments show works

steps+=(monitor lines hashtree hashtree_address hashtree_thread line_rate coverage readme comments guide guide_address)
