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

steps+=(children_of_forks ends_of_processes exceptions_out_of_callbacks)
