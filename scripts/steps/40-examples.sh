# Examples and documents.

monitor() {
    local log=build/sysmon.log
    installed && stranger examples/c/sysmon.c && "$made" --seconds 2 >$log || return 1
    cat $log
    grep -q '^cpu' $log && grep -q 'Objects left alive: 0' $log || return 1
    # SIGINT ends it cleanly (and is not ignored, as it would be for a background job of a plain shell).
    python3 -c '
import signal, subprocess, sys
def heeds_interrupts(): signal.signal(signal.SIGINT, signal.SIG_DFL)
p = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, text=True, preexec_fn=heeds_interrupts)
while "  cpu " not in (line := p.stdout.readline()): assert line
p.send_signal(signal.SIGINT); out = p.communicate()[0]
sys.exit(0 if p.returncode == 0 and "Objects left alive: 0" in out else 1)' "$made" || return 1
    # Alerts and the history, of recordings.
    Tests/examples/sysmon.py "$made" || return 1
    # Record an animated picture of the terminal, without the zeros of the first second.
    scripts/terminal.py build/sysmon.svg 80 24 1.2 "$made" --interval 0.1 --seconds 5 && python3 -c '
import sys, xml.etree.ElementTree as xml
for picture in sys.argv[1:]:
    words = "".join(xml.parse(picture).getroot().itertext())
    assert all(word in words for word in ("SignalKit sysmon", "memory", "lowest", "@keyframes")), picture
assert "the last 0 s" not in words, picture
' build/sysmon.svg docs/sysmon.svg || return 1
    if "$made" --seconds nonsense 2>/dev/null; then echo "a bad option was accepted"; return 1; fi
}
coverage() {
    scripts/names.py --check && scripts/coverage.py --check && scripts/pictures.py --check &&
        scripts/operators.py --check && scripts/contexts.py && scripts/coming_from.py
}
lines() { installed && stranger examples/c/lines.c && Tests/examples/lines.py "$made"; }
hashtree() { installed && stranger examples/c/hashtree.c libcrypto && Tests/examples/hashtree.py "$made"; }
hashtree_instrumented() {
    program examples/c/hashtree.c -O1 -U_GNU_SOURCE -lcrypto && # it defines that itself
        Tests/examples/hashtree.py "$made" equal failures vanishing interrupt
}
hashtree_address() { under address hashtree_instrumented; }
hashtree_thread() { under thread hashtree_instrumented; }
line_rate() {
    local made=build/linerate
    installed && g++ -std=c++17 $cpp_warnings examples/cpp/linerate.cpp -o $made $(linked_with_installed) || return 1
    { seq 1 20000; sleep 1; seq 1 5; } | $made >$made.log || return 1
    grep -q 'Lines: 20005. Bytes: 108904.' $made.log && grep -q 'Objects left alive: 0' $made.log
}
# Both chat servers, also with the measurement of their users.
chat() {
    local made=build/chat one
    installed && mkdir -p $made || return 1
    for one in server by_hand load; do
        g++ -std=c++17 -O2 $cpp_warnings examples/cpp/chat/$one.cpp -o $made/$one $(linked_with_installed) || return 1
    done
    Tests/examples/chat.py $made/server && $made/load 100 100 $made/by_hand $made/server
}
# The same three tasks in C and in C++.
tasks() {
    local task made said expected
    local -A input=([search]='s\nsi\nsig\n') wanted=(
        [requests]='/a: 200 OK|/b: 200 OK|/flaky: 200 OK|/slow: sgk_signal_timeout: timed out|'
        [search]='2 found: signal signature|')
    installed && mkdir -p build/tasks || return 1
    for task in requests search sensors; do
        cc -std=c11 -O2 -Wall -Wextra -Wpedantic -Wconversion -Werror examples/c/tasks/$task.c \
            -o build/tasks/$task-c $(linked_with_installed) -lm &&
            g++ -std=c++17 $cpp_warnings examples/cpp/tasks/$task.cpp -o build/tasks/$task-cpp \
                $(linked_with_installed) || return 1
        expected=${wanted[$task]-}
        for made in build/tasks/$task-c build/tasks/$task-cpp; do
            said=$(printf "${input[$task]-}" | timeout 300 $made |
                { [ $task = requests ] && sort || cat; } | tr '\n' '|')
            [[ -n $said && $said = "${expected:=$said}" ]] || { echo "$made: $said"; return 1; }
        done
    done
    [[ $said = "display 20.00|"*"|display 24.36|late 24.36|"*"|late 25.88|" ]] || { echo "sensors: $said"; return 1; }
}
# tasks_print_the_same COMMAND: `COMMAND TASK` prints the lines of the program in C, in any order. (An error names the
# function of the language.)
tasks_print_the_same() {
    local task
    for task in requests search sensors; do
        diff <(printf 's\nsi\nsig\n' | timeout 300 "build/tasks/$task-c" | sed 's/sgk_signal_//' | sort) \
            <(printf 's\nsi\nsig\n' | "$1" "$task" | sort) || { echo "$1 $task"; return 1; }
    done
}
guide() { installed && scripts/docrun.py guide; }
guide_address() { under address guide_instrumented; }
guide_instrumented() {
    scripts/docrun.py guide "build/guide-$kind" "$clang" -fuse-ld=lld -g -Iinclude -lstdc++ $(with_library) $flags
}
readme() { installed && scripts/docrun.py programs c cpp; }
readme_swift() { installed && scripts/docrun.py programs swift; }
# The comparison in the README: the program with callbacks leaks, and the one with signals does not.
front() {
    installed && stranger examples/c/front/before.c && "$made" || return 1
    grep 'definitely lost' < <($valgrind "$made" 2>&1) || { echo "before.c does not leak"; return 1; }
    stranger examples/c/front/after.c && SIGNALKIT_DEBUG=leaks $valgrind "$made"
}
comments() { installed && scripts/docrun.py comments; } # what comments show works

core+=(coverage readme front guide)
steps+=(comments tasks monitor lines line_rate chat readme_swift hashtree hashtree_address hashtree_thread
    guide_address)
