# No test overlooks an error: this injects errors in the sources and runs the tests that must see them.

# on_copy COMMAND…: runs the command in a temporary copy of this folder, in memory, at the same path.
on_copy() {
    local above status
    above=$(mktemp -d) && unshare --mount bash -euc '
        above=$1 && shift && mount -t tmpfs tmpfs "$above" && mkdir "$above/upper" "$above/work"
        mount -t overlay overlay -o "lowerdir=$PWD,upperdir=$above/upper,workdir=$above/work" "$PWD"
        cd "$PWD" && exec "$@"' - "$above" "$@"
    status=$?
    rmdir "$above"
    return $status
}
# noticed_by CTEST-OPTION…: the tests that these options select, with the builds that they need, and no test passes.
noticed_by() {
    local log=build/seen.log passed
    if ctest --test-dir build/tests --parallel 2 --no-tests=error "$@" >$log; then
        cat $log && echo "no test fails: $*" && return 1
    fi
    grep 'tests passed, ' $log || { cat $log && return 1; }
    passed=$(sed -nE 's/.* Test +#[0-9]+: (\S+) .* Passed .*/\1/p' $log | grep -v '^build[.]')
    [ -z "$passed" ] || { cat $log && echo "overlook the error:" $passed && return 1; }
}
# Not compiled: no test runs that needs a build, although the old programs and lists exist.
not_compiled() { echo 'func (' >>Sources/SignalKitCore/Chain/Sink.swift && noticed_by -L '^core$' -LE '^unbuilt$'; }
# The same without CTest's fixtures: each step fails separately.
not_compiled_in_a_step() {
    local step
    echo 'func (' >>Sources/SignalKitCore/Chain/Sink.swift
    for step in symbols named_functions undefined_is_seen binary suite_static leaks_are_seen installation guide; do
        if scripts/step.sh $step; then echo "overlooks the error: $step" && return 1; fi
    done
}
wrong_header() {
    echo "#error injected" >>include/signalkit/pipe.h &&
        noticed_by -R "^step[.](headers|cpp_headers|cpp_errors|layout)$"
}
wrong_in_python() { echo 'def (' >>bindings/python/src/libsignalkit/__init__.py && noticed_by -R '^python[.]'; }
# It compiles, and `take` lets one value too many pass.
wrong_result() {
    local file=Sources/SignalKitCore/Operators/Taking/Take.swift tests
    sed -i 's/if remaining == 0 {/if remaining < 0 {/' $file && ! git diff --quiet $file || return 1
    tests='c_(plain|address)[.]taking[.]take_passes|cpp_plain[.]operators[.]one_s_own|swift[.]TakeTests'
    noticed_by -R "^($tests|step[.](guide|reference_examples)\$)"
}
tests_see_errors() {
    local error
    on_copy true 2>/dev/null || { echo "skipped: nothing may be mounted here" && return; }
    for error in wrong_header wrong_in_python not_compiled not_compiled_in_a_step wrong_result; do
        on_copy scripts/step.sh $error || { echo "failed: $error" && return 1; }
    done
}
# A source that changes while the compiler runs is compiled again, and so is all if the command changes. (The compiler
# and the source are others.)
changed_while_compiling() {
    local place=build/late
    rm -rf $place && mkdir -p $place && touch $place/ready && echo 1 >$place/source.swift || return 1
    late() {
        make --no-print-directory $place/signalkit.o OBJ=$place READY=$place/ready CORE=$place/source.swift \
            ALIGN=true COMPILE='sleep 0.1; cp $(CORE) $@; sleep 0.1; seq 2 >$(CORE)' "$@"
    }
    late && ! cmp $place/source.swift $place/signalkit.o &&
        late COMPILE='cp $(CORE) $@' && cmp $place/source.swift $place/signalkit.o &&
        late --question COMPILE='cp $(CORE) $@' && ! late --question COMPILE='cat $(CORE) >$@'
}
# ONLY=… builds what has such tests: needed.sh finds each name of each list.
needed_is_built() {
    local lost
    lost=$(for list in c_plain c_address cpp_plain swift; do
        sed "s/^SignalKitTests[.]//; s|/|.|; s/[^A-Za-z0-9_.]/_/g; s/^/$list./" build/tests/$list.list || echo $list
    done | sort -u | comm -13 <(Tests/ctest/needed.sh --names | sort -u) -)
    [ -z "$lost" ] || { echo "not found in the sources:" $lost && return 1; }
    [ "$(Tests/ctest/needed.sh 'cpp_plain.operators.folding|suite_thread')" = cpp_plain_list ]
}
# leaves_processes: a step that leaves two, in sessions of their own and without its variables.
leaves_processes() {
    for one in 1 2; do
        env -i setsid bash -c 'echo $$ >>build/left && exec sleep 1000' &
    done
    until [ "$(wc -l <build/left)" = 2 ]; do sleep 0.01; done
    ${AND_STAYS:-true}
}
# ended_after STATUS COMMAND…: the command has this status. It has ended the processes.
ended_after() {
    local status=0 process
    : >build/left && "${@:2}" || status=$?
    [ $status = "$1" ] && [ "$(wc -l <build/left)" = 2 ] || { echo "status $status: ${*:2}" && return 1; }
    while read -r process; do # a process that was killed needs a moment
        timeout 60 bash -c "while grep -s '^State:\s[^ZX]' /proc/$process/status >/dev/null; do sleep 0.05; done" ||
            { echo "still there: $process" && return 1; }
    done <build/left
}
processes_are_ended() {
    ended_after 0 scripts/step.sh leaves_processes
}
# CTest ends a step that takes too long, and all its processes.
late_steps_are_ended() {
    local place=build/late-step
    mkdir -p $place && cat >$place/CTestTestfile.cmake <<END || return 1
add_test(late $PWD/scripts/step.sh leaves_processes)
set_tests_properties(late PROPERTIES TIMEOUT 10 WORKING_DIRECTORY $PWD ENVIRONMENT "AND_STAYS=sleep 1000")
END
    ended_after 8 ctest --test-dir $place
}

core+=(changed_while_compiling processes_are_ended needed_is_built)
steps+=(late_steps_are_ended)
long+=(tests_see_errors) # builds the libraries five times
