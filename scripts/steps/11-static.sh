# Checks of the sources without running them, and of the built files.

# Two analyzers check the parts in C, with both versions of the system layer. clang's analyzer checks a program with the
# C++ interface. Tests/static/known.tsv lists false positives with their reasons.
analyzers() { with_packages "cppcheck libnats-dev libzmq3-dev libmosquitto-dev libsystemd-dev" analyzed; }
analyzed() {
    local shims=$(find Sources/SignalKitShims -name '*.c') known
    local companions=$(ls companions/*.c companions/*/*.c | grep -v '/test_\|/bench_')
    local sources="Sources/SignalKitABI/Support/*.c tools/sgk-top/*.c $companions"
    local flags="-D_GNU_SOURCE -DSGK_RUNTIME_FAST -DSGK_TOP_VERSION=\"\" -Iinclude -Icompanions
        $(printf ' -I%s' Sources/SignalKitShims/include Sources/SignalKitABI/Support/include companions/*/include)
        $(pkg-config --cflags libnats libzmq libmosquitto libsystemd)"
    known=$({
        printf '%s\n' $sources $shims | by_clang -std=c11 $flags
        printf '%s\n' $shims | by_clang -std=c11 -DSGK_PORTABLE=1 $flags
        echo examples/cpp/linerate.cpp | by_clang -std=c++20 $flags
        cppcheck -q --enable=warning,performance,portability --std=c11 --library=posix \
            --template='{file}:{line}: {message} [{id}]' -D__linux__ -D__x86_64__ -D__SIZEOF_POINTER__=8 $flags \
            $sources $shims 2>&1
    } | tee build/analyzers.txt |
        sed -nE 's/^([^: ]+):[0-9]+.* (error:|\[([A-Za-z.]+)\]$).*/\1\t\3/p' | LC_ALL=C sort -u)
    diff <(tail -n +2 Tests/static/known.tsv | cut -f1,2) <(echo "$known") ||
        { echo "> found (build/analyzers.txt), or < not found any more: Tests/static/known.tsv"; return 1; }
}
by_clang() { xargs -P"$(nproc)" -n4 "$clang" --analyze --analyzer-output text "$@" 2>&1; }

# Programs that are already linked still run (scripts/abi.py).
abi() { with_packages abigail-tools scripts/abi.py; }

# The measures against the exploitation of memory errors: docs/platforms.md#hardening.
hardening() {
    with_packages "libnats-dev libzmq3-dev libmosquitto-dev libsystemd-dev" all_hardened
}
all_hardened() {
    local file lacks=0
    $make lib top companions || return 1
    for file in build/embedded/{lib/libsignalkit{,-*}.so,bin/sgk-top}; do hardened "$file" || lacks=1; done
    return $lacks
}
hardened() { # FILE
    local dynamic parts names lacks=()
    dynamic=$(readelf -dW "$1") parts=$(readelf -lW "$1") names=$(nm -D "$1") || return 1
    has() { grep -E "$1" <<<"$2" >/dev/null; } # PATTERN TEXT
    has GNU_RELRO "$parts" && has 'FLAGS_1.* NOW' "$dynamic" || lacks+=("full RELRO")
    has 'GNU_STACK .* RW +0' "$parts" || lacks+=("a stack that is not executable")
    if has ' RWE ' "$parts"; then lacks+=("memory that is either written or executed"); fi
    if has TEXTREL "$dynamic"; then lacks+=("code without relocations"); fi
    has __stack_chk_fail "$names" || lacks+=("the stack protector")
    has 'GLIBC_' "$names" && { has '__[^s]\w+_chk|__s[^t]\w+_chk' "$names" || lacks+=(FORTIFY); }
    if has X86-64 "$(readelf -h "$1")"; then
        has SHSTK "$(readelf -n "$1")" || lacks+=("the mark of shadow stacks")
    fi
    has '\.so\b' "$1" || has 'FLAGS_1.* PIE' "$dynamic" || lacks+=("an address by chance")
    [ ${#lacks[@]} -eq 0 ] || { printf "$1 lacks %s\n" "${lacks[@]}"; return 1; }
}

steps+=(analyzers abi hardening)
