# The live view: inspection of a running program, and sgk-top, which shows it.

# sgk_top FLAG…: leaves its path in $made.
sgk_top() { c_program "$build/Tests/sight/sgk-top" tools/sgk-top/*.c -DSGK_TOP_VERSION='"1.0.0"' $flags; }
looked_into() {
    local top
    sgk_top && top=$made && program Tests/sight/inspected.c && Tests/sight/inspect.py "$made" "$top"
}
live_view() { $make lib && looked_into; }
live_view_address() { under address looked_into; }
live_view_thread() { under thread looked_into; }
# With sanitizers, because the other end of a socket is not trusted.
sgk_top_shows() {
    local build=$embedded-address flags=${instrumented[address]}
    sgk_top && Tests/sight/top.py "$made"
}
sgk_top_reads_anything() {
    local reader=tools/sgk-top
    mkdir -p build/sight/answers && c_program build/sight/fuzz_top -I$reader Tests/sight/fuzz_top.c \
        $reader/{json,names,snapshot,table}.c ${instrumented[address]} -fsanitize=fuzzer \
        -Wno-unused-command-line-argument &&
        "$made" -runs="${FUZZ_RUNS:-100000}" -seed=19 -max_len=4096 -close_fd_mask=0 \
            -artifact_prefix=build/sight/ build/sight/answers Tests/sight/answers
}

steps+=(live_view live_view_address live_view_thread sgk_top_shows sgk_top_reads_anything)
