# The runner of the tests itself: what failed, and what was running, is named.

failures_are_named() {
    local log
    for log in Tests/logs/*.log; do scripts/failures.py "$log" late | diff "${log%.log}.said" - || return 1; done
    # A step that is ended says so, and leaves no process behind.
    log=build/log/ended.log
    if LIMIT=1 scripts/test.sh hanging_step >$log; then echo "it passed" && return 1; fi
    grep 'was running when the time was up: a_test_that_hangs' $log || { cat $log; return 1; }
    if grep -q '^State:[[:space:]][^Z]' "/proc/$(cat build/log/hanging.pid)/status" 2>/dev/null; then
        echo "it goes on" && return 1
    fi
}
hanging_step() {
    echo '[ RUN      ] a_test_that_hangs'
    timeout 1000 sh -c 'echo $$ >build/log/hanging.pid; sleep 1000; true'
}

steps+=(failures_are_named)
