#!/usr/bin/env bash
# Runs all tests. `scripts/test.sh NAME…` runs only those steps: the files in `scripts/steps` define them.
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
    local cmocka swift pytest
    cmocka=$(sed -nE 's/^\[  PASSED  \] ([0-9]+) test.*/\1/p' "$1" | paste -sd+ | sed 's/^$/0/')
    swift=$(sed -nE 's/.*Test run with ([0-9]+) tests.* passed.*/\1/p' "$1" | paste -sd+ | sed 's/^$/0/')
    pytest=$(sed -nE 's/^([0-9]+) passed.* in [0-9.]+s.*/\1/p' "$1" | paste -sd+ | sed 's/^$/0/')
    local total=$((cmocka + swift + pytest))
    [ "$total" -eq 0 ] || echo "$total tests"
    grep '^skipped: ' "$1"
}

steps=()
for file in scripts/steps/*.sh; do . "$file"; done
for name in ${*:-${steps[*]}}; do step "$name" "$name"; done

[ "$failed" -eq 0 ] || echo "failed: ${failures[*]}"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
