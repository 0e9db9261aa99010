# What stands on the system: Linux' own ways, and POSIX's (docs/platforms.md). `PORTABLE=yes scripts/test.sh STEP…` runs steps with the latter.

system_program() { # NAME FLAGS…: what system.h promises, tested alone
    local name=$1
    shift
    mkdir -p build/system
    "$clang" -fuse-ld=lld -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -g -ISources/SignalKitShims/include Tests/system/system.c \
        $(find Sources/SignalKitShims -name '*.c') -o "build/system/$name" -lcmocka -lpthread "$@" && timeout 300 "build/system/$name"
}
# With one place to sleep at, where all meet, and with the usual number.
system_contract() {
    system_program linux && system_program posix -DSGK_PORTABLE=1 && system_program one -DSGK_PORTABLE=1 -DSGK_PARKING_PLACES=1 &&
        ASAN_OPTIONS=detect_leaks=1 system_program address -DSGK_PORTABLE=1 -fsanitize=address,undefined
}
system_thread() { system_program thread -DSGK_PORTABLE=1 -DSGK_PARKING_PLACES=2 -DROUNDS=500 $with_thread; }

steps+=(system_contract system_thread)
