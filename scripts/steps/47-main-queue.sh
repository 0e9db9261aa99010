# A main queue that nobody runs: the program is told, once, and no other program is.

main_queue_neglected() {
    $make lib && mkdir -p build/main_queue || return 1
    "$clang" -fuse-ld=lld -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -Iinclude Tests/main_queue/neglected.c -o build/main_queue/neglected -L$embedded/lib \
        -lsignalkit -Wl,-rpath,"$PWD/$embedded/lib" || return 1
    local way process failures=0 processes=()
    for way in waits computes drains has-a-loop returns; do
        build/main_queue/neglected $way 2>build/main_queue/$way.err & processes+=($!)
    done
    for process in "${processes[@]}"; do wait "$process" || failures=$((failures + 1)); done
    cat build/main_queue/*.err
    [ $failures -eq 0 ] && [ "$(grep -c 'main queue' build/main_queue/returns.err)" = 1 ] && [ ! -s build/main_queue/drains.err ] && [ ! -s build/main_queue/computes.err ] &&
        [ ! -s build/main_queue/waits.err ] && [ ! -s build/main_queue/has-a-loop.err ]
}

steps+=(main_queue_neglected)
