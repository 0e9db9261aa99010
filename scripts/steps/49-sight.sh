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

# What docs/debugging.md tells of finding a leak, what is stuck, and what is slow.
stories() { with_packages gdb eval 'installed && scripts/stories.py'; }

steps+=(backtraces printers stories)
