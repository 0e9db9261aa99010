# Forks, exits, cancellation, signals: docs/processes.md.

children_of_forks() {
    $make lib && program Tests/processes/fork.c && timeout 300 "$made" && SIGNALKIT_DEBUG=1 timeout 300 "$made"
}
ends_of_processes() { $make lib && program Tests/processes/ends.c && timeout 300 "$made"; }

steps+=(children_of_forks ends_of_processes)
