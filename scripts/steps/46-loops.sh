# The adapters to event loops in examples/c/loops: each in a program whose loop has other work, also under the
# sanitizers.

loop_flags() { # of a program
    case $1 in
        glib) pkg-config --cflags --libs glib-2.0 ;;
        uv) pkg-config --cflags --libs libuv ;;
        ev) echo -lev ;;
    esac
}
run_loops() {
    local loop
    for loop in epoll glib uv ev; do
        program "examples/c/loops/$loop.c" -O1 $(loop_flags $loop) && "$made" || return 1
    done
}
loops() { $make lib && run_loops; }
loops_address() { under address run_loops; }
loops_thread() { TSAN_OPTIONS=ignore_noninstrumented_modules=1 under thread run_loops; }

steps+=(loops loops_address loops_thread)
