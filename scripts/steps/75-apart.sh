# Parts that could be separate repositories. Each one builds and passes its tests with the installed library, from a
# copy of its folder alone, by the command that its documentation names.

# apart FOLDER COMMAND…: runs the command there.
apart() {
    local folder=$1 place status
    installed && place=$(mktemp -d) && git ls-files -z "$folder" | xargs -0 cp -L --parents -t "$place" &&
        (cd "$place/$folder" && env -i HOME="$HOME" PATH="$PATH" MANY="${MANY:-}" PKG_CONFIG_PATH="$PKG_CONFIG_PATH" \
            LD_LIBRARY_PATH="$OLDPWD/build/prefix/lib" "${@:2}")
    status=$?
    rm -rf "$place"
    return $status
}

apart_companions() {
    with_packages "libcmocka-dev libnats-dev nats-server libzmq3-dev libmosquitto-dev mosquitto libsystemd-dev
        dbus-daemon" eval 'MANY=10000 apart companions make check'
}

steps+=(apart_companions)
