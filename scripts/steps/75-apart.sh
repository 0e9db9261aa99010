# Parts that could be separate repositories: each builds and passes its tests with the installed library, from a copy of
# its folder alone, by the command that its documentation names.

# apart FOLDER COMMAND…: runs the command there, with few variables. (pip may need its own.)
apart() {
    local folder=$1 place status name kept=()
    for name in HOME PATH MANY PKG_CONFIG_PATH ${!PIP_*} ${!SSL_*}; do kept+=("$name=${!name-}"); done
    installed && place=$(mktemp -d) && git ls-files -z "$folder" | xargs -0 cp -L --parents -t "$place" &&
        (cd "$place/$folder" && env -i "${kept[@]}" LD_LIBRARY_PATH="$OLDPWD/build/prefix/lib" "${@:2}")
    status=$?
    rm -rf "$place"
    return $status
}

apart_companions() {
    with_packages "libcmocka-dev libnats-dev nats-server libzmq3-dev libmosquitto-dev mosquitto libsystemd-dev
        dbus-daemon" eval 'MANY=10000 apart companions make check'
}

apart_rust() { with_packages cargo apart bindings/rust cargo test --offline --quiet -j2; }
apart_go() {
    with_packages "golang-go gcc" apart bindings/go env GOCACHE="$PWD/build/go/cache" GOFLAGS=-buildvcs=false \
        GOPROXY=off go test .
}
# alone FOLDER: its README, which a registry of packages shows, has no links out of the folder.
alone() { ! grep -nF '](../' "$1/README.md"; }
apart_perl() {
    alone bindings/perl && with_packages libffi-platypus-perl apart bindings/perl bash -c "$perl_dist"
}
# The distribution has all files, and passes its tests from its archive.
perl_dist='
    said=$({ perl Makefile.PL && make distcheck dist; } 2>&1) || { echo "$said" && exit 1; }
    if grep -iE "warning|used only once|not in MANIFEST|no such file|not found" <<<"$said"; then exit 1; fi
    tar xf SignalKit-*.tar.gz && cd SignalKit-*/ && perl Makefile.PL && make test'
apart_ruby() {
    alone bindings/ruby && with_packages "ruby ruby-ffi ruby-minitest" apart bindings/ruby ruby -w -Ilib \
        -e 'Dir["./test/test_*.rb"].each { require _1 }'
}
# (The steps java_maven, lua, python_package and swift_server run their packages in a copy, too.)
# The programs in Swift need the sources of SignalKit: bench_smoke runs them.
apart_benchmarks() { apart benchmarks make check; }
# (The step docs plays with the module.)
apart_marbles() {
    apart tools/marbles env SIGNALKIT_SOURCES="$PWD" ./build.sh "$PWD/build/marbles-apart" &&
        ls -l build/marbles-apart/marbles.wasm
}

steps+=(apart_companions apart_rust apart_go apart_perl apart_ruby apart_benchmarks)
long+=(apart_marbles)
