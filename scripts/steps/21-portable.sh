# What stands on the system: Linux' own ways, and POSIX's (docs/platforms.md).

system_program() { # NAME FLAGS…: what system.h promises, tested alone
    c_program "build/system/$1" -O1 -ISources/SignalKitShims/include Tests/system/system.c \
        Sources/SignalKitShims/posix/*.c -lcmocka "${@:2}" && "$made"
}
# With one place to sleep at, where all meet, and with the usual number.
system_contract() {
    local portable=-DSGK_PORTABLE=1
    system_program linux && system_program posix $portable && system_program one $portable -DSGK_PARKING_PLACES=1 &&
        ASAN_OPTIONS=detect_leaks=1 system_program address $portable ${instrumented[address]}
}
system_thread() {
    system_program thread -DSGK_PORTABLE=1 -DSGK_PARKING_PLACES=2 -DROUNDS=500 ${instrumented[thread]}
}

# Nothing of one C library's own in what is for all of them.
system_posix() {
    local source
    for source in $(find Sources/SignalKitShims -name '*.c'); do
        "$clang" -std=c11 -D_POSIX_C_SOURCE=200809L -DSGK_PORTABLE=1 -Wall -Wextra -Wpedantic -Werror \
            -ISources/SignalKitShims/include -fsyntax-only "$source" || return 1
    done
}
# Of all that `make test-portable` runs: the C suite in small. (The Swift tests would have to be compiled once more.)
suite_portable() {
    export PORTABLE=yes
    $make lib && build=build/embedded-portable SUITE_ROUNDS=20000 c_suite
}

core+=(system_posix)
steps+=(system_contract system_thread suite_portable)
