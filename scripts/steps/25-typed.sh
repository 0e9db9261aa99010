# Typed callbacks that need a separate process.

# Native callbacks are refused with a reason where memory cannot be made executable; all others go on.
no_executable_memory() {
    $make lib && program Tests/typed/no_exec.c && "$made" all && "$made" wx && "$made" mdwe
}
callbacks_after_fork() { $make lib && callbacks_in_child && under address callbacks_in_child; }
callbacks_in_child() { program Tests/typed/fork.c && "$made"; }

steps+=(no_executable_memory callbacks_after_fork)
