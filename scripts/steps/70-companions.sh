# The companions: each against the real server, which its test starts for itself, on this machine alone.

# companion NAME "PACKAGE…": plainly, and under the sanitizers, which see nothing of what the client library does.
companion() {
    $make companions && companion_test "$1" && under address companion_made "$1" && under thread companion_made "$1"
}
companion_made() { $make companions SANITIZE="$kind" && companion_test "$1"; }
companion_test() { # NAME
    local source=companions/$1/test_$1.c
    program "$source" -Icompanions -Icompanions/$1/include $(pkg-config --cflags --libs "$(client_of "$1")") \
        "-L$build/lib" "-lsignalkit-$1" -lcmocka -lm && timeout 600 "$made"
}
client_of() { sed -n 's/^client=//p' "companions/$1/signalkit-$1.pc.in"; }

companion_nats() { with_packages "libnats-dev nats-server" companion nats; }

# Its workers are other processes, of which one is killed in the middle.
hashtree_over_nats() {
    with_packages "libnats-dev nats-server" eval '$make companions && installed &&
        stranger examples/c/bridges/hashtree.c signalkit-nats libnats libcrypto &&
        Tests/examples/hashtree_nats.py "$made" ${KILLS:-3}'
}

steps+=(companion_nats hashtree_over_nats)
