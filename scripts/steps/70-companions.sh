# The companions: each against the real server, which its test starts for itself, on this machine alone.

# companion NAME MANY FEW: runs the test with MANY messages, and under the sanitizers, which do not see the client
# library, with FEW. ("": the default of the test.)
companion() {
    $make companions && MANY=$2 companion_test "$1" && under address companion_made "$1" "$3" &&
        under thread companion_made "$1" "$3"
}
companion_made() { $make companions SANITIZE="$kind" && MANY=$2 companion_test "$1"; }
companion_test() { # NAME
    local source=companions/$1/test_$1.c
    program "$source" -Icompanions -Icompanions/$1/include $(pkg-config --cflags --libs "$(client_of "$1")") \
        "$build/lib/libsignalkit-$1.so" -lcmocka -lm && timeout 600 "$made"
}
client_of() { sed -n 's/^client=//p' "companions/$1/signalkit-$1.pc.in"; }

# (Messages go from thread to thread inside the client library, where the sanitizer sees no order.)
companion_zmq() {
    with_packages libzmq3-dev eval 'TSAN_OPTIONS=ignore_noninstrumented_modules=1 companion zmq "" 100000'
}
companion_nats() { with_packages "libnats-dev nats-server" companion nats "" 100000; }
companion_mqtt() { with_packages "libmosquitto-dev mosquitto" companion mqtt "${LONG:+1000000}" ""; }
companion_dbus() { with_packages "libsystemd-dev dbus-daemon" companion dbus "${LONG:+1000000}" ""; }

# Each header compiles alone, in C and in C++.
companion_headers() {
    local header language
    for header in companions/*/include/signalkit/*.h; do
        for language in "cc -std=c99 -x c" "$clang -std=c23 -x c" "g++ -std=c++11 -x c++" "g++ -std=c++20 -x c++"; do
            $language -Wall -Wextra -Wpedantic -Wconversion -Werror -Iinclude -I"${header%/signalkit/*}" \
                -fsyntax-only - <<<"#include <signalkit/$(basename "$header")>" || return 1
        done
    done
}
# Its workers are other processes, of which one is killed in the middle.
hashtree_over_nats() {
    with_packages "libnats-dev nats-server" eval '$make companions && installed &&
        stranger examples/c/bridges/hashtree.c signalkit-nats libnats libcrypto &&
        Tests/examples/hashtree_nats.py "$made" ${LONG:+20}'
}
# Bytes that are JSON.
json_over_zmq() { with_packages "libzmq3-dev libjansson-dev" json_example; }
json_example() {
    $make companions && installed && stranger examples/c/bridges/json.c signalkit-zmq jansson &&
        diff <(timeout 60 "$made") - <<-end
	kitchen: 21.5
	cellar: 12.0
	Not understood: 2. Objects left alive: 0
	end
}
# Two machines, one of which is killed, and a broker that restarts.
monitor_over_mqtt() {
    with_packages "libmosquitto-dev mosquitto" eval '$make companions && installed &&
        stranger examples/c/bridges/sysmon_mqtt.c signalkit-mqtt && Tests/examples/sysmon_mqtt.py "$made"'
}
names_on_dbus() { with_packages "libsystemd-dev dbus-daemon" names_example; }
names_example() {
    $make companions && installed && stranger examples/c/bridges/names.c signalkit-dbus &&
        diff <(timeout 60 dbus-run-session -- "$made" 1 | LC_ALL=C sort) - <<-end
	Objects left alive: 0
	org.example.Names
	org.freedesktop.DBus
	end
}
# docs/bridges.md from the top to the end, on a machine whose only network is its own, where the servers have their
# usual ports; pip has been to PyPI before.
bridges_as_printed() {
    with_packages "sudo iproute2 libnats-dev nats-server libzmq3-dev libmosquitto-dev mosquitto libsystemd-dev
        dbus-daemon libssl-dev libjansson-dev" bridges_printed
}
bridges_printed() {
    local place=$PWD/build/printed-bridges
    $make companions && PATH=/usr/local/bin:/usr/bin:/bin python3 -m venv --clear build/pip && # the Python of the page
        fresh "$place" build/embedded || return 1
    build/pip/bin/python -m pip download --quiet --disable-pip-version-check --dest "$place/wheels" \
        nats-py aiomqtt pyzmq dbus-fast 'setuptools>=77' || return 1
    cd "$place/signalkit-$version" && mkdir -p home/.config/pip &&
        printf '%s\n' '[global]' 'no-index = true' "find-links = $place/wheels" >home/.config/pip/pip.conf &&
        on_other_machine unshare --net --pid --fork --kill-child --mount-proc \
            bash -c 'ip link set lo up && "$@"' - scripts/docrun.py shell docs/bridges.md "$toolchain/bin"
}
companions_bench_smoke() {
    with_packages "libnats-dev nats-server libzmq3-dev libmosquitto-dev mosquitto libsystemd-dev dbus-daemon" \
        eval '$make companions && companions/bench.py --smoke'
}

# More of it, before a release.
companion_mqtt_long() { LONG=yes companion_mqtt; }
companion_dbus_long() { LONG=yes companion_dbus; }
hashtree_over_nats_long() { LONG=yes hashtree_over_nats; }

core+=(companion_headers)
steps+=(companion_nats companion_zmq companion_mqtt companion_dbus hashtree_over_nats json_over_zmq monitor_over_mqtt
    names_on_dbus bridges_as_printed companions_bench_smoke)
long+=(companion_mqtt_long companion_dbus_long hashtree_over_nats_long)
