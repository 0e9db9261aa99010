# The reference that is made of the headers.

docs() { $make docs; }
# What is not documented must be seen: things are taken out of a copy of the headers, and each must be complained of.
undocumented_is_seen() {
    local copy=build/undocumented output unseen=0
    rm -rf $copy && mkdir -p $copy/Tests && cp -r Makefile include docs scripts $copy/ &&
        cp -r Tests/abi $copy/Tests/ && ln -s ../../Sources ../../companions $copy/ || return 1
    without() { # header, sed command
        sed -i -E "$2" "$copy/include/signalkit/$1"
        if cmp -s "$copy/include/signalkit/$1" "include/signalkit/$1"; then
            echo "$2 changes nothing"
            unseen=1
        fi
    }
    without signal.h '/Starts a run\. /,/destroyed as soon/d'
    without pipe.h '/A source that is fed/d'
    without operators-effects.h '/@since/d'
    without operators-taking.h 's/(TAKE_COMPLETE = 2.).*/\1/'
    without promise.h 's/Sets `value` and/Sets the value and/'
    without base.h '/Marks what the library exports/d'
    without value.h 's|/\*\*< Like snprintf.*||'
    without sharing.h 's/under `key`/under `key` @param nothing/'
    without thread_pool.h '/sgk_thread_pool_shutdown\(/d'
    if output=$(make --no-print-directory -C $copy docs 2>&1); then echo "it passed" && return 1; fi
    for complaint in 'sgk_signal_start(.*not documented' 'sgk_pipe .*not documented' 'sgk_signal_trace: no @since' \
        'SGK_TAKE_COMPLETE is not documented' 'sgk_value_promise_set: the parameter value is not explained' \
        'SGK_API .*not documented' 'describe).*not documented' "argument 'nothing' " \
        'sgk_thread_pool_shutdown: not in the reference'; do
        grep "$complaint" >/dev/null <<<"$output" || { echo "no complaint: $complaint"; unseen=1; }
    done
    [ $unseen = 0 ] || { echo "$output"; return 1; }
}

# What docs/reliability.md names is there.
reliability() { scripts/reliability.py --check; }

steps+=(docs undocumented_is_seen reliability)
