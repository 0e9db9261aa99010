# The site, and the reference, which is generated from the headers.

# Every page, picture and link of the site, the searches, and the playable pictures, as readers see them in a browser.
docs() { $make lib && $make_docs docs && with_packages "chromium-driver python3-selenium" site_read; }
site_read() {
    local searches=(throttle=docs/operators/timing.html#throttle deliverOn=docs/operators/timing.html
        sgk_signal_throttle=reference/operators-timing.html#c.sgk_signal_throttle
        backpressure=docs/queues.html#backpressure "slow consumers=docs/cookbook/slow-consumer.html"
        "rate limiting=docs/cookbook/rate-limit.html" "retry with backoff=docs/cookbook/reconnect.html"
        cancellation=docs/guide.html leak=docs/debugging.html)
    scripts/browse.py build/docs/html "${searches[@]}" &&
        tools/marbles/play.py build/docs/html
}
# In a fresh clone `make docs` builds the library, which Python's reference needs.
docs_in_a_clone() {
    local place=build/clone
    rm -rf $place && mkdir -p $place && git ls-files -z --deduplicate | xargs -0 cp -P --parents -t $place || return 1
    make -n -C $place docs >build/log/clone.txt 2>&1 || { cat build/log/clone.txt; return 1; }
    grep 'SWIFT .*build/embedded/obj/signalkit.o' build/log/clone.txt || { echo "the library is not built"; return 1; }
}
# A page that lacks something must be seen to.
lacking_is_seen() { with_packages "chromium-driver python3-selenium" site_lacking; }
site_lacking() {
    local place=build/lacking output complaint
    rm -rf $place && mkdir -p $place && cat >$place/one.html <<-'END' || return 1
	<img src="none.svg"><a href="two.html">1</a><a href="#none">2</a><a href="#here" id="here">3</a>
	<script>console.error("oh"); throw new Error("ah")</script>
	END
    if output=$(scripts/browse.py $place 2>&1); then echo "it passed" && return 1; fi
    for complaint in 'no picture none.svg' 'nowhere: /two.html' 'nowhere: /one.html#none' 'says: .* "oh"' \
        'says: .* Error: ah'; do
        grep "$complaint" >/dev/null <<<"$output" || { echo "no complaint: $complaint: $output"; return 1; }
    done
    ! grep '#here' <<<"$output"
}
# The manual pages, as man reads them: well formed, each its own.
man_pages() { with_packages man-db man_pages_read; }
man_pages_read() {
    local place=build/man-pages shown
    scripts/man_pages.py $place && shown=$(MANWIDTH=100 man --warnings -l $place/man3/sgk_signal_throttle.3 2>&1) &&
        echo "$shown" && [ "$(wc -l <<<"$shown")" -lt 100 ] || return 1
    for part in NAME SYNOPSIS DESCRIPTION 'RETURN VALUE' OWNERSHIP THREADS ERRORS EXAMPLE 'SEE ALSO'; do
        grep "^$part" <<<"$shown" >/dev/null || { echo "no $part"; return 1; }
    done
    shown=$(for page in "$place"/man[37]/*; do groff -k -man -Tutf8 -ww -z "$page" 2>&1; done) || return 1
    [ -z "$shown" ] || { echo "$shown" | head -n 20; return 1; }
    lexgrog "$place"/man[37]/* >/dev/null || { lexgrog "$place"/man[37]/* | grep 'parse failed'; return 1; }
}

# The examples of the reference do what they say, and keep nothing.
reference_examples() { installed && scripts/docrun.py reference; }
reference_examples_address() { under address reference_examples_instrumented; }
reference_examples_instrumented() {
    scripts/docrun.py reference "build/reference-$kind" "$clang" -fuse-ld=lld -g -Iinclude $(with_library) $flags
}

# Missing documentation is detected: parts of a copy of the headers are removed, and each must be reported.
undocumented_is_seen() {
    local copy=build/undocumented output unseen=0
    rm -rf $copy && mkdir -p $copy &&
        cp -r --parents Makefile include companions docs scripts examples/c/reference Tests/abi $copy || return 1
    without() { # header, sed command
        sed -i -E "$2" "$copy/$1"
        if cmp -s "$copy/$1" "$1"; then
            echo "$2 changes nothing"
            unseen=1
        fi
    }
    local headers=include/signalkit
    without $headers/signal.h '/^.\*\* Starts a subscription\.$/,/\*\//d'
    without $headers/pipe.h '/A hot source\. /,/\*\//d'
    without $headers/operators-effects.h '/@since/d'
    without $headers/operators-timing.h 's/(EDGE_TRAILING = 2.).*/\1/'
    without $headers/promise.h 's/Sets `value` and/Sets the value and/'
    without $headers/base.h '/Marks a function that the library exports/d'
    without $headers/value.h '/Writes text, like snprintf/d'
    without $headers/thread_pool.h '/sgk_thread_pool_shutdown\(/d'
    without companions/zmq/include/signalkit/zmq.h '/Emits the messages of the publishers/,/never completes/d'
    without examples/c/reference/operators-timing.c 's/sgk_signal_debounce$/sgk_signal_bounce/'
    if output=$(python3 $copy/scripts/reference.py 2>&1); then echo "it passed" && return 1; fi
    for complaint in 'sgk_signal_start is not documented' 'sgk_pipe is not documented' 'sgk_signal_trace: no @since' \
        'SGK_EDGE_TRAILING is not documented' 'sgk_state_set: the parameter value is not explained' \
        'SGK_API is not documented' 'describe).* is not documented' 'sgk_thread_pool_shutdown: not in the reference' \
        'sgk_zmq_subscribe is not documented' 'sgk_signal_debounce: no example' \
        'sgk_signal_bounce: an example, but nothing of this name'; do
        grep "$complaint" >/dev/null <<<"$output" || { echo "no complaint: $complaint"; unseen=1; }
    done
    [ $unseen = 0 ] || { echo "$output"; return 1; }
}

# The steps and tests that docs/reliability.md names exist.
reliability() { scripts/reliability.py --check; }

core+=(reference_examples reliability)
steps+=(docs docs_in_a_clone lacking_is_seen man_pages reference_examples_address undocumented_is_seen)
