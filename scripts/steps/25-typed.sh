# Typed callbacks where they are not like at home.

# Native callbacks are refused with a reason where memory cannot be made executable; all others go on.
no_executable_memory() {
    $make lib && mkdir -p build/typed || return 1
    cc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -Iinclude Tests/typed/no_exec.c -o build/typed/no_exec -Lbuild/embedded/lib -lsignalkit \
        -Wl,-rpath,"$PWD/build/embedded/lib" || return 1
    build/typed/no_exec all && build/typed/no_exec wx
}

steps+=(no_executable_memory)
