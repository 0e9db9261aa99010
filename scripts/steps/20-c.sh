# The C suite, against every build.

# suite BUILD KIND FLAGS…: links its objects of a kind with a build, and runs it.
suite() {
    local build=$1 kind=$2
    shift 2
    "$clang" -fuse-ld=lld build/suite/$kind/*.o -o "build/suite/$step" -L"$build/lib" ${LIBRARY:--lsignalkit} -lcmocka -lpthread -lm -Wl,-rpath,"$PWD/$build/lib" "$@" &&
        ${INSTRUMENT:-} "build/suite/$step"
}
suite_objects() { # KIND FLAGS…
    objects "build/suite/$1" Tests/C "$clang" -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -gdwarf-4 -Iinclude "${@:2}"
}
plain() { suite_objects plain && suite $embedded plain; }
suite_shared() { $make lib && plain; }
suite_static() { $make static && LIBRARY="$embedded/lib/libsignalkit.a -lffi" SUITE_ROUNDS=100000 plain; }
suite_hosted() { $make lib RUNTIME=hosted && suite_objects plain && SUITE_HOSTED=1 SUITE_ROUNDS=100000 suite build/hosted plain; }
# With the toolchain's own counting of references, as where runtime.c does not fit it.
suite_plain_runtime() {
    $make lib RUNTIME_FAST=no && suite_objects plain && SUITE_HOSTED=1 SUITE_ROUNDS=100000 suite build/embedded-plain plain
}
suite_debug_mode() { $make lib && SIGNALKIT_DEBUG=1 SUITE_ROUNDS=100000 plain; }
# Where a thread that is woken waits until another one's turn is over.
suite_one_processor() { $make lib && SUITE_ROUNDS=20000 INSTRUMENT="taskset -c 0" plain; }
# Its usual scheduler lets a thread that never waits keep all others from running.
suite_valgrind() {
    $make lib && SUITE_ROUNDS=20000 \
        INSTRUMENT="valgrind -q --fair-sched=yes --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,indirect" plain
}
with_address() {
    local flags="-fsanitize=address,undefined -fno-sanitize-recover=undefined"
    $make lib SANITIZE=address && suite_objects address $flags && ASAN_OPTIONS=detect_leaks=1 suite $embedded-address address $flags
}
suite_address() { SUITE_ROUNDS=100000 with_address; }
suite_debug_address() { SIGNALKIT_DEBUG=1 SUITE_ROUNDS=20000 with_address; }
suite_thread() { $make lib SANITIZE=thread && suite_objects thread -fsanitize=thread && SUITE_ROUNDS=20000 suite $embedded-thread thread $with_thread; }
# A leak must be seen: the sanitizer is of no use where it cannot look.
# (Several: the last one may still lie in a register.)
leaks_are_seen() {
    $make lib SANITIZE=address
    mkdir -p build/leak
    printf '#include <signalkit.h>\nint main(void) { for (int i = 0; i < 10; i++) sgk_signal_single(sgk_int(i)); return 0; }\n' >build/leak/leak.c
    "$clang" -fuse-ld=lld -fsanitize=address -g -Iinclude build/leak/leak.c -o build/leak/leak -L$embedded-address/lib -lsignalkit -Wl,-rpath,"$PWD/$embedded-address/lib"
    if ASAN_OPTIONS=detect_leaks=1 build/leak/leak; then echo "the leak was not seen" && return 1; fi
}
# Undefined behaviour in the library's own C must be seen, too: its objects are instrumented.
undefined_is_seen() {
    $make lib SANITIZE=address
    nm -u $embedded-address/obj/*.o | grep '__ubsan_handle.*_abort' >/dev/null || { echo "not instrumented"; return 1; }
}
# Where memory runs out. (A sanitizer or valgrind has another allocator.)
out_of_memory() {
    $make lib && mkdir -p build/memory
    "$clang" -fuse-ld=lld -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -g -Iinclude Tests/memory/memory.c -o build/memory/memory \
        -L$embedded/lib -lsignalkit -Wl,-rpath,"$PWD/$embedded/lib" && build/memory/memory
}

steps+=(suite_shared suite_one_processor suite_static suite_hosted suite_plain_runtime suite_debug_mode suite_address suite_debug_address leaks_are_seen suite_thread suite_valgrind undefined_is_seen out_of_memory)
