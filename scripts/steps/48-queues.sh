# The queues' threads in separate processes: in the child of a fork, at the exit of a program, and without permission to
# create threads.

queues_after_fork() { $make lib && queues_in_child && under address queues_in_child; }
queues_in_child() { program Tests/queues/fork.c && "$made"; }
# Repeatedly, so that the exit happens at different places.
queues_at_exit() { $make lib && exits 50 && INSTRUMENT=$valgrind exits 3 && under address exits 10; }
exits() { # ROUNDS
    local round
    program Tests/queues/exit.c || return 1
    for round in $(seq "$1"); do ${INSTRUMENT:-} "$made" || return 1; done
}
refused_threads() { $make lib && program Tests/queues/refused.c -rdynamic -ldl && "$made"; }
counters() {
    c_program build/queues/counters -ISources/SignalKitShims/include Tests/queues/counters.c && timeout 300 "$made"
}

steps+=(queues_after_fork queues_at_exit refused_threads counters)
