#!/usr/bin/env bash
# Runs all tests, two steps at once. `scripts/test.sh NAME…` runs only those steps: the files in `scripts/steps` define
# them.
#   JOBS=1      one step at a time
#   LIMIT=1200  seconds after which a step is ended; they go slower while the machine has more to do than these steps
#   LONG=yes    also what takes longer than the rest of its kind: before a release
#   PORTABLE=yes  with the library that is made of POSIX alone, as on other systems: what runs programs, in C, C++ and
#                 Swift
# What a step has printed stays in build/log/NAME.log. At the end every test that failed is named, with what it said,
# and every one that was running when the time was up.
set -uo pipefail
cd "$(dirname "$0")/.."

toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")
clang=$toolchain/bin/clang
make="flock build/make.lock make --no-print-directory" # steps that run at once may want the same build
make_docs=${make/make.lock/docs.lock} # takes long, and the libraries do not wait for it
jobs=${JOBS:-$(($(nproc) > 1 ? 2 : 1))} limit=${LIMIT:-1200}
embedded=build/embedded${PORTABLE:+-portable}
export WERROR=yes # whatever is compiled here
export PKG_CONFIG_PATH=$PWD/build/prefix/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
mkdir -p build/log

# How many tests, or operations of a fuzzer, a log tells of, if any.
summary() {
    local cmocka swift pytest operations
    cmocka=$(sed -nE 's/^\[  PASSED  \] ([0-9]+) test.*/\1/p' "$1" | paste -sd+ | sed 's/^$/0/')
    swift=$(sed -nE 's/.*Test run with ([0-9]+) tests.* passed.*/\1/p' "$1" | paste -sd+ | sed 's/^$/0/')
    pytest=$(sed -nE 's/^=* ?([0-9]+) passed.* in [0-9.]+s.*/\1/p' "$1" | paste -sd+ | sed 's/^$/0/')
    operations=$(sed -nE 's/^operations: ([0-9]+)$/\1/p' "$1" | paste -sd+ | sed 's/^$/0/')
    local total=$((cmocka + swift + pytest))
    [ "$total" -eq 0 ] || echo "$total tests"
    [ $((operations)) -eq 0 ] || echo "$((operations)) operations"
    grep -a '^skipped: ' "$1"
}

# Ends a process and all that it has started, whatever groups they have made for themselves.
end() {
    local child
    kill -STOP "$1" 2>/dev/null # or it would go on with the next command
    for child in $(cat /proc/"$1"/task/*/children 2>/dev/null); do end "$child"; done
    kill -KILL "$1" 2>/dev/null
}

declare -A running=() began=() spent=() ended=() # by process: its step, when it began, how much of its time is over
declare -A limits=() # by step, of those that take longer
passed=0 ticker=0 looked=0 failures=() whole=

# Of a run of all steps it is kept: docs/reliability.md is made of it.
report() {
    printf "$@"
    [ -z "$whole" ] || printf "$@" >>build/log/report
}
begin() {
    printf '  begins %s\n' "$1"
    (step=$1 && "$1") >"build/log/$1.log" 2>&1 </dev/null &
    running[$!]=$1 began[$!]=$SECONDS spent[$!]=0
}
# The hundredths of a second that each step has had since this was asked last: less than have gone by if more wants to
# run than the steps usually do by themselves, two threads each.
share() {
    local load usual=$((200 * $(nproc)))
    load=$(($(cut -d' ' -f1 /proc/loadavg | sed 's/\.//; s/^0*//; s/^$/0/')))
    echo $((100 * (SECONDS - looked) * usual / (load > usual ? load : usual)))
}
# Waits until a step is over, and looks every few seconds whether one has been at it for too long.
finish_one() {
    local process status name
    [ $ticker -ne 0 ] || { sleep 5 & ticker=$!; }
    { wait -n -p process "${!running[@]}" $ticker; } 2>/dev/null # the shell would tell of what was ended
    status=$?
    if [ "$process" = $ticker ]; then
        ticker=0
        local had
        had=$(share) looked=$SECONDS
        for process in "${!running[@]}"; do
            spent[$process]=$((${spent[$process]} + had))
            if [ "${spent[$process]}" -ge $((100 * ${limits[${running[$process]}]:-$limit})) ]; then
                ended[$process]=late && end "$process"
            fi
        done
        return
    fi
    name=${running[$process]}
    unset "running[$process]"
    if [ $status -eq 0 ]; then
        passed=$((passed + 1))
        report '  ok     %-34s %4d s   %s\n' "$name" $((SECONDS - ${began[$process]})) \
            "$(summary "build/log/$name.log")"
    else
        failures+=("$name ${ended[$process]:-failed}")
        report '  FAILED %-34s %4d s\n' "$name" $((SECONDS - ${began[$process]}))
        reasons "${failures[-1]}"
    fi
}
# Of a failure: at once, as whoever ends the run, or keeps a part of what it prints, wants to know too; and at the end.
reasons() {
    echo "${1% *}: build/log/${1% *}.log"
    scripts/failures.py "build/log/${1% *}.log" "${1#* }"
}
# At most as many at once as the first number says.
run() {
    local at_once=$1 name
    for name in "${@:2}"; do
        while [ ${#running[@]} -ge "$at_once" ]; do finish_one; done
        begin "$name"
    done
    while [ ${#running[@]} -gt 0 ]; do finish_one; done
}
stop() {
    for process in "${!running[@]}"; do end "$process"; done
    [ $ticker -eq 0 ] || kill $ticker 2>/dev/null
}
trap stop EXIT
trap 'exit 130' INT TERM

# Steps that use the machine well by themselves, and what the others stand on, come first and alone.
first=() steps=() long=()
for file in scripts/steps/*.sh; do . "$file"; done
if [ $# -gt 0 ]; then
    run "$jobs" "$@"
else
    whole=yes && rm -f build/log/report
    run 1 "${first[@]}"
    run "$jobs" "${steps[@]}" ${LONG:+"${long[@]}"}
fi

echo "$passed passed, ${#failures[@]} failed"
for failure in "${failures[@]}"; do reasons "$failure"; done
[ ${#failures[@]} -eq 0 ]
