# Fuzzers (libFuzzer): programs with the whole C interface, programs with a model, texts, and requests of clients to the
# inspector. `make fuzz SECONDS=…` uses coverage counters in the library's code and stores new inputs in
# build/fuzz/found. The steps here start with the corpus of earlier campaigns in Tests/fuzz/corpus. Those of
# `make test-all` have a fixed seed, so that chance fails no change; fuzz_search tries new programs each night.

# fuzzer NAME: leaves its path in $made.
fuzzer() {
    local sources=(Tests/fuzz/"$1".c Tests/fuzz/fuzz.c)
    case $1 in
    api)
        mkdir -p "build/fuzz/$kind" && scripts/fuzz_calls.py >"build/fuzz/$kind/calls.h" &&
            sources+=(Tests/fuzz/objects.c "-Ibuild/fuzz/$kind") || return 1
        ;;
    models) sources+=(Tests/C/{suite,fuzz,models,pauses}.c -lcmocka) ;;
    esac
    c_program "$build/fuzz/$1" -O1 "${sources[@]}" $(with_library) $flags -fsanitize=fuzzer \
        -Wno-unused-command-line-argument
}
# fuzzed NAME SECONDS: each process prints its number of operations at its end.
fuzzed() {
    local found=build/fuzz/found/$1 seeds=build/fuzz/$kind/seeds/$1 seconds=${FUZZ_SECONDS:-$2} process processes=()
    local seed=0 # by chance
    [ -n "${FUZZ_SECONDS:-}" ] || { seed=1 found=build/fuzz/$kind/new/$1 && rm -rf "$found"; }
    mkdir -p "$found" build/fuzz/crashes && fuzzer "$1" && scripts/corpus.py unpack "$1" "$seeds" || return 1
    echo "$1, $kind, $seconds seconds"
    for process in $(seq "${FUZZ_PROCESSES:-1}"); do
        ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 TSAN_OPTIONS=halt_on_error=1 \
            UBSAN_OPTIONS=print_stacktrace=1 "$made" "$found" "$seeds" -max_total_time="$seconds" -seed=$seed \
            -max_len=400 -len_control=0 -timeout=60 -rss_limit_mb=4096 -verbosity=0 \
            -artifact_prefix="build/fuzz/crashes/$1-" &
        processes+=($!)
    done
    local status=0
    for process in "${processes[@]}"; do wait "$process" || status=1; done
    return $status
}
fuzz_address() { under address fuzz_all; }
fuzz_all() { fuzzed api 10 && fuzzed models 3 && fuzzed texts 3 && fuzzed inspector 3; }
# ThreadSanitizer detects races in programs with threads.
fuzz_thread() { under thread fuzzed api 10; }
# Campaigns: with coverage of the library's code, and with the shipped library, which is many times faster.
fuzz_campaign() {
    local build=$embedded-address-covered kind=address flags=${instrumented[address]}
    $make lib SANITIZE=address COVERAGE=yes && fuzz_some
}
fuzz_campaign_plain() { $make lib && fuzz_some; }
fuzz_search() { FUZZ_SECONDS=120 fuzz_campaign; }
fuzz_some() {
    local fuzzer
    for fuzzer in ${FUZZERS:-api models texts inspector}; do fuzzed "$fuzzer" 10 || return 1; done
}

steps+=(fuzz_address fuzz_thread)
long+=(fuzz_search)
