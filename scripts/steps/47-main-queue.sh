# If a program never runs its main queue, the library warns once. Other programs get no warning.

main_queue_neglected() {
    $make lib && mkdir -p build/main_queue && program Tests/main_queue/neglected.c || return 1
    local said=build/main_queue way process failures=0 processes=()
    for way in waits computes drains has-a-loop returns; do
        "$made" $way 2>$said/$way.err & processes+=($!)
    done
    for process in "${processes[@]}"; do wait "$process" || failures=$((failures + 1)); done
    cat $said/*.err
    for way in waits computes drains has-a-loop; do [ ! -s $said/$way.err ] || failures=$((failures + 1)); done
    [ $failures -eq 0 ] && [ "$(grep -c 'main queue.*sgk_main_run.*run_main.*dispatchMain' $said/returns.err)" = 1 ]
}

steps+=(main_queue_neglected)
