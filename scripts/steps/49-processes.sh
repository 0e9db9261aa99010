# Forks, exits, cancellation, signals: docs/processes.md.

children_of_forks() {
    $make lib && program Tests/processes/fork.c && timeout 300 "$made" && SIGNALKIT_DEBUG=1 timeout 300 "$made"
}
ends_of_processes() { $make lib && program Tests/processes/ends.c && timeout 300 "$made"; }
exceptions_out_of_callbacks() {
    local source=Tests/processes/exceptions.cpp made=$build/Tests/processes/exceptions
    $make lib && mkdir -p "$(dirname "$made")" && "$clang++" -fuse-ld=lld -std=c++17 $cpp_warnings -Iinclude $source \
        $(with_library) -o "$made" && timeout 300 "$made"
}
# Loaded a hundred times; three copies in one process; signals that interrupt waits; a user's limit of threads.
copies_in_a_process() {
    local copy=$PWD/build/copies/other.so
    $make lib static && mkdir -p build/copies && cp -L "$build/lib/libsignalkit.so" "$copy" &&
        LIBRARY="$build/lib/libsignalkit.a -lffi" program Tests/processes/copies.c -ldl &&
        timeout 300 "$made" "$PWD/$build/lib/libsignalkit.so.1" "$copy"
}
# A copy in a plug-in, which dlclose leaves where a thread of it runs; and in a program that has no dlclose.
copies_in_plug_ins() {
    local plugin=$PWD/build/copies/plugin.so library="$build/lib/libsignalkit.a -lffi"
    $make static && mkdir -p build/copies && c_program build/copies/static Tests/install/stranger.c -static $library &&
        "$made" && c_program "$plugin" Tests/processes/plugin.c -DPLUGIN -shared -fPIC $library &&
        c_program "$build/Tests/processes/plugin" Tests/processes/plugin.c && timeout 300 "$made" "$plugin"
}
limits_of_the_system() { $make lib && program Tests/processes/limits.c && timeout 300 "$made"; }
# Under a filter that lets only those through that docs/processes.md lists, and without any one of these.
system_calls() {
    [ "$(uname -m)" = x86_64 ] || { echo "skipped: the list is x86-64's" && return; }
    $make lib && program Tests/processes/system_calls.c || return 1
    diff <(sed '1,/^<!-- system calls -->/d; /^<!-- end -->/,$d' docs/processes.md) <("$made" list) ||
        { echo "docs/processes.md does not say: $made list"; return 1; }
    timeout 300 "$made"
}

steps+=(children_of_forks ends_of_processes exceptions_out_of_callbacks copies_in_a_process copies_in_plug_ins
    limits_of_the_system
    system_calls)

# If enabled, the library reports objects that are alive at exit, except those that are released during exit.
leak_report() {
    local said line
    $make lib && program Tests/processes/leaks.c || return 1
    for said in "" 0 1; do
        said=$(SIGNALKIT_DEBUG=$said "$made" 2>&1 >/dev/null)
        [ -z "$said" ] || { echo "not asked for: $said"; return 1; }
    done
    said=$(SIGNALKIT_DEBUG=leaks "$made" 2>&1 >/dev/null) && echo "$said" || return 1
    for line in '^     3 signal$' '^     3 signal, 3 held, [0-9.]+ to [0-9.]+ s old$' '/leaks\(\+0x'; do
        grep -E "$line" <<<"$said" >/dev/null || { echo "not said: $line"; return 1; }
    done
    if grep pipe <<<"$said"; then echo "it was let go at the end"; return 1; fi
}

# In a program with more rights than its user, the library ignores the environment.
set_user_id() {
    local place rights said nobody="setpriv --reuid=nobody --regid=nogroup --clear-groups"
    if grep -rnw getenv Sources --include='*.[ch]' --include='*.swift' | grep -v /posix/facts.c; then
        echo "that asks the environment past sgk_shim_variable"
        return 1
    fi
    if [ "$(id -u)" != 0 ] || ! $nobody true; then echo "skipped: set_user_id: only root can try it"; return; fi
    $make lib && place=$(mktemp -d) && chmod 755 "$place" && cp "$build"/lib/libsignalkit.so.1 "$place/" &&
        c_program "$place/leaks" Tests/processes/leaks.c "$build/lib/libsignalkit.so" -Wl,-rpath,"$place" &&
        chown daemon "$place/leaks" || return 1
    for rights in u-s u+s; do
        chmod $rights "$place/leaks"
        said=$(SIGNALKIT_DEBUG=leaks $nobody "$place/leaks" 2>&1) || return 1
        echo "$said"
        if [ $rights = u-s ]; then grep -c '^alive: 3$' <<<"$said" || return 1; fi
    done
    rm -r "$place"
    if grep '^with its own' <<<"$said"; then
        echo "skipped: set_user_id: not possible in $(dirname "$place")"
        return
    fi
    [ "$said" = "with another's rights" ] || { echo "the environment was heeded"; return 1; }
}

steps+=(leak_report set_user_id)
