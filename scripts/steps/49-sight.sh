# What looks at a program from outside.

# A debugger gets from a callback to `main`, and to where a thread begins; with the debug file it knows what lies
# between, by name and line.
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
    [ "$1" = stripped ] || for line in "Sources/SignalKit/Subjects/" "sgk_pipe_next () at "; do
        grep -F "$line" <<<"$seen" >/dev/null || { echo "$line is not seen"; return 1; }
    done
}

steps+=(backtraces)
