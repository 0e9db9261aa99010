# Examples and documents.

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
coverage() { scripts/names.py --check && scripts/coverage.py --check; }
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

steps+=(monitor lines line_rate coverage readme)
