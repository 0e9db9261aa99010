# The system layer: the version for Linux, and the version for POSIX (docs/platforms.md).

system_program() { # NAME FLAGS…: tests the promises of system.h alone
    c_program "build/system/$1" -O1 -ISources/SignalKitShims/include Tests/system/system.c \
        Sources/SignalKitShims/posix/*.c -lcmocka "${@:2}" && "$made"
}
# With one place for all sleeping threads, and with the usual number of places.
system_contract() {
    local portable=-DSGK_PORTABLE=1
    system_program linux && system_program posix $portable && system_program one $portable -DSGK_PARKING_PLACES=1 &&
        ASAN_OPTIONS=detect_leaks=1 system_program address $portable ${instrumented[address]}
}
system_thread() {
    system_program thread -DSGK_PORTABLE=1 -DSGK_PARKING_PLACES=2 -DROUNDS=500 ${instrumented[thread]}
}

# The POSIX version uses no function of a particular C library.
system_posix() {
    local source
    for source in $(find Sources/SignalKitShims -name '*.c'); do
        "$clang" -std=c11 -D_POSIX_C_SOURCE=200809L -DSGK_PORTABLE=1 -Wall -Wextra -Wpedantic -Werror \
            -ISources/SignalKitShims/include -fsyntax-only "$source" || return 1
    done
}
# A part of `make test-portable`: the C suite with fewer rounds. (The Swift tests would need another compilation.)
# Nobody ships this build.
suite_portable() {
    export PORTABLE=yes
    $make lib && build=build/embedded-portable SUITE_ROUNDS=20000 c_suite
}

core+=(system_posix)
steps+=(system_contract system_thread)
long+=(suite_portable)
