# The adapters to event loops in examples/c/loops: each in a program whose loop has other work, also under the
# sanitizers.

loop_programs="epoll glib uv ev"
loop_flags() { # of a program
    case $1 in
        glib) pkg-config --cflags --libs glib-2.0 ;;
        uv) pkg-config --cflags --libs libuv ;;
        ev) echo -lev ;;
    esac
}
# run_loops BUILD FLAGS…: compiles the programs against a build and runs them.
run_loops() {
    local build=$1 program
    shift
    mkdir -p "$build/loops"
    for program in $loop_programs; do
        "$clang" -fuse-ld=lld -std=gnu11 -g -O1 -Wall -Wextra -Werror -Iinclude "examples/c/loops/$program.c" -o "$build/loops/$program" -L"$build/lib" -lsignalkit \
            $(loop_flags "$program") -lpthread -Wl,-rpath,"$PWD/$build/lib" "$@" && "$build/loops/$program" || return 1
    done
}
loops() { $make lib && run_loops $embedded; }
loops_address() { $make lib SANITIZE=address && ASAN_OPTIONS=detect_leaks=1 run_loops $embedded-address -fsanitize=address,undefined; }
loops_thread() { $make lib SANITIZE=thread && TSAN_OPTIONS=ignore_noninstrumented_modules=1 run_loops $embedded-thread $with_thread; }

steps+=(loops loops_address loops_thread)
