# The queues' threads where a process of its own is needed: in the child of a fork, at the end of a program, and where
# the system refuses threads.

queue_program() { # build, name, flags…
    local build=$1 name=$2
    shift 2
    mkdir -p "$build/queues"
    "$clang" -fuse-ld=lld -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -g -Iinclude "Tests/queues/$name.c" -o "$build/queues/$name" -L"$build/lib" -lsignalkit -lpthread -ldl \
        -Wl,-rpath,"$PWD/$build/lib" "$@"
}
queues_after_fork() {
    $make lib && queue_program $embedded fork && $embedded/queues/fork || return 1
    $make lib SANITIZE=address && queue_program $embedded-address fork -fsanitize=address && ASAN_OPTIONS=detect_leaks=1 $embedded-address/queues/fork
}
# Again and again, so that the end comes in the midst of everything.
queues_at_exit() {
    local round
    $make lib && queue_program $embedded exit && $make lib SANITIZE=address && queue_program $embedded-address exit -fsanitize=address || return 1
    for round in {1..50}; do $embedded/queues/exit || return 1; done
    for round in {1..10}; do ASAN_OPTIONS=detect_leaks=1 $embedded-address/queues/exit || return 1; done
    for round in {1..3}; do valgrind -q --fair-sched=yes --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,indirect $embedded/queues/exit || return 1; done
}
refused_threads() { $make lib && queue_program $embedded refused -rdynamic && $embedded/queues/refused; }
counters() {
    mkdir -p build/queues
    "$clang" -fuse-ld=lld -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -g -ISources/SignalKitShims/include Tests/queues/counters.c \
        -o build/queues/counters -lpthread && timeout 300 build/queues/counters
}

steps+=(queues_after_fork queues_at_exit refused_threads counters)
