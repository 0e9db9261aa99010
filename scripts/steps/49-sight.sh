# Inspection of a program from outside.

# A debugger's backtrace reaches from a callback to `main`, and to the start of a thread. With the debug file it has the
# names and lines of all functions.
backtraces() { with_packages gdb eval 'looked_through stripped && looked_through install-debug'; }
looked_through() { # stripped|install-debug
    local prefix=$PWD/build/sight/$1 seen line
    rm -rf "$prefix" && $make install PREFIX="$prefix" && { [ "$1" = stripped ] || $make "$1" PREFIX="$prefix"; } &&
        PKG_CONFIG_PATH=$prefix/lib/pkgconfig stranger Tests/sight/depth.c || return 1
    seen=$(gdb -batch -iex 'set auto-load safe-path /' -ex 'set breakpoint pending on' -ex 'break seen_from_main' \
        -ex 'break seen_on_a_queue' -ex run -ex 'echo FIRST\n' -ex bt -ex continue -ex 'echo SECOND\n' -ex bt "$made")
    echo "$seen"
    sed -n '/^FIRST/,/^SECOND/p' <<<"$seen" | grep -E '^#[0-9]+ .* in main \(\)$' >/dev/null ||
        { echo "main is not seen from the callback"; return 1; }
    sed -n '/^SECOND/,$p' <<<"$seen" | grep -E '^#[0-9]+ .* (start_thread|clone3?) ' >/dev/null ||
        { echo "the beginning of the thread is not seen"; return 1; }
    [ "$1" = stripped ] || for line in "Sources/SignalKitCore/Subjects/" "sgk_pipe_next () at "; do
        grep -F "$line" <<<"$seen" >/dev/null || { echo "$line is not seen"; return 1; }
    done
}

# It prints values and handles, whichever of the two places it loads the printers from; and they know all kinds.
printers() { with_packages gdb printers_of_gdb; }
printers_of_gdb() {
    local prefix=$PWD/build/sight/printers made=build/sight/printed place script seen
    rm -rf "$prefix" && $make install PREFIX="$prefix" && python3 - <<-'end' || return 1
	import re, sys, types
	sys.modules.update({"gdb": types.ModuleType("gdb"), "gdb.printing": types.ModuleType("gdb.printing")})
	printers = open("tools/gdb/signalkit-gdb.py").read().split("GIVEN = ")[0]
	exec(printers)
	headers = open("include/signalkit/value.h").read() + open("include/signalkit/base.h").read()
	for name, known in ("SGK_KIND_MAP", KINDS), ("SGK_LIVE_MAP", LIVE):
	    texts = re.findall(r'"(.*?)"', re.search(rf"define {name}\(X\)(.*\\\n)+.*", headers)[0])
	    assert texts == list(known), (name, texts, known)
	end
    PKG_CONFIG_PATH=$prefix/lib/pkgconfig
    cc -g -Wall -Wextra -Werror Tests/sight/printed.c -o $made $(linked_with_installed) || return 1
    for place in "$prefix/lib" "$prefix/share/gdb/auto-load$prefix/lib"; do
        script=$place/libsignalkit.so.1.0.0-gdb.py
        mkdir "$prefix/kept" && mv "$script" "$prefix/kept/" && find "$prefix" -name '*-gdb.py' || return 1
        seen=$(gdb -batch -iex "set auto-load safe-path $prefix" -iex "set auto-load scripts-directory \
            $prefix/share/gdb/auto-load" -ex 'break look' -ex run -ex up -ex 'info locals' $made)
        mv "$prefix/kept"/* "$place/" && rmdir "$prefix/kept"
        sed -n "/^none = /,\$s/0x[0-9a-f]\\{4,\\}/ADDRESS/g; /^none = /,\$p" <<<"$seen" |
            diff Tests/sight/printed.txt - || return 1
    done
}

# The stories in docs/debugging.md about a leak, a stuck queue, and a slow callback.
stories() { with_packages gdb eval 'installed && scripts/docrun.py console'; }

# The output that the environment enables, and the output at a system signal.
observed() {
    local place=$PWD/build/observed lines
    $make lib && program Tests/sight/observed.c && rm -rf "$place" && mkdir -p "$place" || return 1
    lines=$(SIGNALKIT_TRACE='c?u' "$made" 2>&1) && echo "$lines"
    grep -E '^signalkit: [0-9]+\.[0-9]{6} \[[0-9]+\] cpu#1 \(observed\.c:42\) next 7$' <<<"$lines" >/dev/null ||
        { echo "the value was not traced"; return 1; }
    lines=$(SIGNALKIT_TRACE='C*' "$made" 2>&1)
    [ "$lines" = running ] || { echo "another name was traced: $lines"; return 1; }
    lines=$(SIGNALKIT_SLOW=0.05 "$made" slow 2>&1) && echo "$lines"
    [ "$(grep -cE 'a callback of subscription #[0-9]+ "cpu" \(observed\.c:42\) has (taken|not returned for) [0-9.]+ s' \
        <<<"$lines")" = 1 ] || { echo "the slow callback was not complained of once"; return 1; }
    # One that has returned before anybody has looked.
    lines=$(SIGNALKIT_SLOW=1e-9 "$made" 2>&1) && echo "$lines"
    [ "$(grep -cE '"cpu" \(observed\.c:42\) has (taken|not returned for) [0-9.]+ s' <<<"$lines")" = 1 ] ||
        { echo "the callback was not complained of once"; return 1; }
    lines=$(SIGNALKIT_SLOW=60 "$made" wait 2>&1) && echo "$lines"
    grep -F '"cpu" (observed.c:42) would deadlock' <<<"$lines" >/dev/null || { echo "no word of it"; return 1; }
    SIGNALKIT_DOT=$place "$made" && drawn "$place" || return 1
    lines=$(SIGNALKIT_DOT=$place/nowhere "$made" 2>&1) && echo "$lines"
    [ "$(grep -cF "SIGNALKIT_DOT: cannot write into \"$place/nowhere\"" <<<"$lines")" = 1 ] ||
        { echo "it was not said once that nothing can be written"; return 1; }
    [ -z "$(SIGNALKIT_DOT=$(printf %600s | tr ' ' x) "$made" 2>&1 | tail -c 1)" ] ||
        { echo "a long line of the log has no end"; return 1; }
    [ "$(SIGNALKIT_DEBUG=1 "$made" dump 2>&1 | { full && grep -c '^#[0-9]* run "cpu"'; })" = 5000 ] ||
        { echo "the dump is not whole"; return 1; }
    complains SIGNALKIT_SLOW 'must be a number of seconds' 0,1 abc -1 nan 0.1s &&
        complains SIGNALKIT_DOT_SIGNAL 'no number of a signal' 1e300 99999999999 nan -5 '10 ' &&
        complains SIGNALKIT_DOT_SIGNAL 'no signal that can be handled' 9 1000 || return 1
    Tests/sight/asked.py "$made" "$place"
}
# Waits until the pipe of the standard input receives nothing more, for example because it is full.
full() {
    python3 -c '
import fcntl, struct, termios, time
before = now = 0
for _ in range(100):
    before, now = now, struct.unpack("i", fcntl.ioctl(0, termios.FIONREAD, bytes(4)))[0]
    if 0 < before == now: break
    time.sleep(0.1)'
}
complains() { # VARIABLE REASON VALUE…: of the value, and the program does what it does without
    local value lines
    for value in "${@:3}"; do
        lines=$(env SIGNALKIT_DOT="$place" "$1=$value" "$made" 2>&1) &&
            [ "$lines" = "signalkit: $1: $2: $value"$'\n'running ] || { echo "$1=$value: $lines"; return 1; }
    done
}
drawn() { # DIRECTORY
    grep -F 'named \"cpu\" (observed.c:42)' "$1"/signalkit-*-signals.dot && grep -F -- '->' "$1"/signalkit-*-runs.dot &&
        python3 -c 'import json, sys; assert json.load(open(sys.argv[1]))["runs"]' "$1"/signalkit-*-runs.json
}
# The probes are in the file, and one semaphore for all, in the section where bpftrace looks for it.
probes() {
    $make lib || return 1
    local notes name
    notes=$(readelf -n $embedded/lib/libsignalkit.so)
    for name in start next error completed dispose hop return; do
        grep -A2 'Provider: signalkit' <<<"$notes" | grep "Name: $name$" || { echo "no probe $name"; return 1; }
    done
    [ "$(grep -oE 'Semaphore: 0x0*[1-9a-f][0-9a-f]*' <<<"$notes" | sort -u)" = "$(
        readelf -SW $embedded/lib/libsignalkit.so | sed -nE 's/.* \.probes +PROGBITS +(\w+) .* WA .*/Semaphore: 0x\1/p'
    )" ] || { echo "not one semaphore, or not in .probes"; return 1; }
}
# The scripts for bpftrace, if it is installed and the kernel allows it. They enable the watching of subscriptions.
tracers() {
    if ! timeout 60 bpftrace -e 'BEGIN { exit(); }' >/dev/null; then echo "skipped: no bpftrace may look" && return; fi
    $make lib && program Tests/sight/traced.c || return 1
    "$made" &
    local traced=$! seen=yes
    seen_by rates '@values\[run\]: [1-9]' && seen_by callbacks '@microseconds\[ticks\]:' &&
        seen_by hops '@hops\[[0-9]+, [0-9]+, deliverOn\(_:\)\]: [1-9]' || seen=
    kill $traced
    [ "$seen" ]
}
seen_by() { # SCRIPT PATTERN
    local seconds
    for seconds in 2 4 8 16 32 64; do # to attach itself takes some of them
        grep -E -m1 "$2" < <(timeout -k 60 $seconds bpftrace -p "$traced" "examples/observe/$1.bt") && return
    done
    echo "$1.bt has seen nothing" && return 1
}
# The picture in the docs is what the example draws; the timeline is JSON.
pictured() { with_packages graphviz eval 'draws_the_picture'; }
draws_the_picture() {
    installed && stranger examples/c/picture.c && "$made" signals | dot -Tsvg >/dev/null &&
        "$made" runs | dot -Tsvg >build/debugging-runs.svg || return 1
    cmp <(words_of docs/debugging-runs.svg) <(words_of build/debugging-runs.svg) ||
        { echo "docs/debugging-runs.svg is another picture: copy build/debugging-runs.svg"; return 1; }
}
timeline() {
    installed && stranger examples/c/timeline.c && "$made" >build/timeline.json && python3 - <<-'end'
	import collections, json
	events = json.load(open("build/timeline.json"))
	phases = collections.Counter(event["ph"] for event in events)
	assert phases["B"] == phases["E"] == 10 and phases["s"] == phases["f"] == 5, phases
	assert {event["args"]["context"] for event in events[1:]} == {4711}
	end
    # The picture in the docs is one of these, of another run.
    scripts/timeline.py <build/timeline.json >build/debugging-timeline.svg &&
        cmp <(words_of docs/debugging-timeline.svg | grep -v thread) \
            <(words_of build/debugging-timeline.svg | grep -v thread) ||
        { echo "docs/debugging-timeline.svg is another picture: copy build/debugging-timeline.svg"; return 1; }
}
words_of() { grep -oE '<text.*</text>' "$1" | sed 's/<[^>]*>//g' | sort -u; } # PICTURE

# Every operator that takes numbers says them.
parameters() { scripts/parameters.py; }

core+=(parameters)
steps+=(backtraces printers stories observed probes tracers pictured timeline)
