# The C suite, against every build.

# suite BUILD FLAGS…: compiles it against a build and runs it.
suite() {
    local build=$1 library=${LIBRARY:--lsignalkit}
    shift
    "$clang" -fuse-ld=lld -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -g -Iinclude Tests/C/*.c -o "$build/suite" -L"$build/lib" $library \
        -lcmocka -lpthread -lm -Wl,-rpath,"$PWD/$build/lib" "$@" && timeout 300 "$build/suite"
}
suite_shared() { $make lib && suite build/embedded; }
suite_static() { $make static && LIBRARY="build/embedded/lib/libsignalkit.a -lffi" suite build/embedded; }
suite_hosted() { $make lib RUNTIME=hosted && suite build/hosted; }
suite_debug_mode() { $make lib && SIGNALKIT_DEBUG=1 suite build/embedded; }
suite_address() { $make lib SANITIZE=address && SUITE_ROUNDS=100000 ASAN_OPTIONS=detect_leaks=1 suite build/embedded-address -fsanitize=address,undefined -fno-sanitize-recover=undefined; }
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
# Undefined behaviour in the library's own C must be seen, too: its objects are instrumented.
undefined_is_seen() {
    $make lib SANITIZE=address
    nm -u build/embedded-address/obj/*.o | grep '__ubsan_handle.*_abort' >/dev/null || { echo "not instrumented"; return 1; }
}
# A thread pool where the system refuses threads.
refused_threads() {
    $make lib && mkdir -p build/refused
    "$clang" -fuse-ld=lld -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -g -Iinclude -rdynamic Tests/refused/refused.c -o build/refused/refused \
        -Lbuild/embedded/lib -lsignalkit -lpthread -ldl -Wl,-rpath,"$PWD/build/embedded/lib" && timeout 60 build/refused/refused
}

steps+=(suite_shared suite_static suite_hosted suite_debug_mode suite_address suite_debug_address leaks_are_seen suite_thread suite_valgrind undefined_is_seen refused_threads)
