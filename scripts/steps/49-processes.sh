# Forks, exits, cancellation, signals: docs/processes.md.

process_program() { # name
    mkdir -p build/processes
    "$clang" -fuse-ld=lld -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -g -Iinclude "Tests/processes/$1.c" -o "build/processes/$1" -L$embedded/lib -lsignalkit \
        -lpthread -Wl,-rpath,"$PWD/$embedded/lib"
}
children_of_forks() { $make lib && process_program fork && timeout 300 build/processes/fork && SIGNALKIT_DEBUG=1 timeout 300 build/processes/fork; }
ends_of_processes() { $make lib && process_program ends && timeout 300 build/processes/ends; }

steps+=(children_of_forks ends_of_processes)
