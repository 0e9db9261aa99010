# Typed callbacks where a process of its own is needed.

typed_program() { # build, name, flags…
    local build=$1 name=$2
    shift 2
    mkdir -p build/typed
    "$clang" -fuse-ld=lld -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -g -Iinclude "Tests/typed/$name.c" -o "build/typed/$name" -L"$build/lib" -lsignalkit \
        -Wl,-rpath,"$PWD/$build/lib" "$@"
}
# Native callbacks are refused with a reason where memory cannot be made executable; all others go on.
no_executable_memory() { $make lib && typed_program $embedded no_exec && build/typed/no_exec all && build/typed/no_exec wx; }
callbacks_after_fork() {
    $make lib && typed_program $embedded fork && build/typed/fork || return 1
    $make lib SANITIZE=address && typed_program $embedded-address fork -fsanitize=address && ASAN_OPTIONS=detect_leaks=1 build/typed/fork
}

steps+=(no_executable_memory callbacks_after_fork)
