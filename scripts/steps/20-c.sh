# The C suite, against every build.

# Links its objects with a build, and runs it.
c_suite() {
    objects "build/suite/$kind" Tests/C "$clang" $c_flags $flags &&
        "$clang" -fuse-ld=lld build/suite/$kind/*.o -o "build/suite/$step" $(with_library) -lcmocka -lm $flags &&
        ${INSTRUMENT:-} "build/suite/$step"
}
# by_groups COMMAND…: one process for each group of the suite that it runs.
by_groups() {
    local groups group failed=0
    groups=$("$@" --list) && groups=$(sed 's/[.].*//' <<<"$groups" | uniq) && [ "$groups" ] ||
        { echo "it lists no tests: $*" && return 1; }
    for group in $groups; do
        "$@" "$group" || { echo "failed: group $group"; failed=1; }
    done
    return $failed
}
# The tests of depth, with the number of rounds that they have without SUITE_ROUNDS. (c_plain has a tenth of it.)
suite_deep() { $make lib && INSTRUMENT=deep_groups c_suite; }
deep_groups() { "$1" depth && "$1" nesting && "$1" stack; }
suite_static() { $make static && LIBRARY="$embedded/lib/libsignalkit.a -lffi" SUITE_ROUNDS=5000 c_suite; }
# Nobody ships this build or the next one.
suite_hosted() { $make lib RUNTIME=hosted && build=build/hosted SUITE_HOSTED=1 SUITE_ROUNDS=100000 c_suite; }
# With the toolchain's own counting of references, as where runtime.c does not fit it.
suite_plain_runtime() {
    $make lib RUNTIME_FAST=no && build=build/embedded-plain SUITE_HOSTED=1 SUITE_ROUNDS=100000 c_suite
}
suite_debug_mode() { $make lib && SIGNALKIT_DEBUG=1 SUITE_ROUNDS=20000 c_suite; }
# On one processor a woken thread waits until the other thread yields.
suite_one_processor() { $make lib && SUITE_ROUNDS=20000 INSTRUMENT="taskset -c 0" c_suite; }
# (With SUITE_SLOW some tests repeat less, Tests/C/suite.h.)
suite_valgrind() { $make lib && SUITE_SLOW=yes SUITE_ROUNDS=5000 INSTRUMENT=$valgrind c_suite; }
# LeakSanitizer does not know a thread that has the number of one that was joined before, and takes what that thread
# alone holds for lost. The suite makes 16,000 threads, and the system has 32,768 numbers: so a process for each group.
suite_address() { SUITE_ROUNDS=100000 INSTRUMENT=by_groups under address c_suite; }
suite_debug_address() { SIGNALKIT_DEBUG=1 SUITE_ROUNDS=5000 INSTRUMENT=by_groups under address c_suite; }
# It keeps each call stack that memory was taken on: gibibytes, of what nests deeply.
suite_thread() { TSAN_OPTIONS=compress_stack_depot=1 SUITE_ROUNDS=5000 under thread c_suite; }
# A leak must be seen: the sanitizer is of no use where it cannot look.
leaks_are_seen() {
    under address program Tests/memory/leak.c &&
        ASAN_OPTIONS=detect_leaks=1 must_fail "LeakSanitizer: detected memory leaks" "$made"
}
# Undefined behaviour in the library's own C must be seen, too: its objects are instrumented.
undefined_is_seen() {
    $make lib SANITIZE=address || return 1
    nm -u $embedded-address/obj/*.o | grep '__ubsan_handle.*_abort' >/dev/null || { echo "not instrumented"; return 1; }
}
# Memory runs out. (Sanitizers and valgrind use other allocators, so the step runs without them.)
out_of_memory() { $make lib && program Tests/memory/memory.c && "$made"; }

steps+=(suite_deep suite_one_processor suite_static suite_debug_mode leaks_are_seen suite_thread suite_valgrind
    undefined_is_seen out_of_memory)
# `make test` runs each test of suite_address with fewer rounds, and suite_debug_mode runs without AddressSanitizer.
long+=(suite_hosted suite_plain_runtime suite_address suite_debug_address)
