# The installed library from other languages, each of which plays the same scenes and prints the same.

language() { with_packages "$1" with_installed "${@:2}"; } # PACKAGES COMMAND…
with_installed() {
    installed && mkdir -p build/languages || return 1
    LD_LIBRARY_PATH=$PWD/build/prefix/lib "$@"
}
# plays LANGUAGE COMMAND…: its output is the expected one. Two scenes are about the end of a program, and have one each.
# (What C calls misuse is no error of the library in Swift: it has a meaning, is a type error, or stops the program.)
plays() {
    local lacks=nothing names=""
    [ "$1" != swift ] || lacks=misuse
    case $1 in # a refused call has the name of the method
        go) names="s/take: count/Take: count/" ;;
        python) names="s/take: count:/take: count/" ;;
    esac
    {
        timeout 300 "${@:2}" || echo "$1: ended with $?"
        timeout 300 "${@:2}" leaving || echo "$1: left with $?"
        Tests/examples/interrupted.py "${@:2}" interrupted
    } | diff <(sed -e "/^$lacks:/d" -e "$names" Tests/examples/languages.txt) -
}

# watches LOG COMMAND…: an example that watches this machine for some seconds, until it has had the time for a line.
watches() {
    local seconds
    for seconds in 1 10 100; do
        "${@:2}" $seconds >"$1" || return 1
        grep '^cpu' "$1" && return
    done
    return 1
}

# The description, from which the bindings are generated, matches the headers.
description() { scripts/api.py --check; }

lua() { language "luajit luarocks" lua_package; }
lua_package() {
    scripts/lua.py --check && luarocks lint bindings/lua/*.rockspec && apart bindings/lua bash -c "$rock" &&
        plays lua luajit examples/lua/main.lua && alone bindings/lua && apart bindings/lua luajit test/run.lua &&
        luajit bindings/lua/test/run.lua stress &&
        watches build/languages/lua.log luajit examples/lua/loadwatch.lua
}
# The rock finds the library outside of the system's folders, and has all modules.
rock='
    said=$(luarocks --lua-version 5.1 --tree rocks make *.rockspec \
        SIGNALKIT_DIR="$(pkg-config --variable=prefix signalkit)" 2>&1) || { echo "$said" && exit 1; }
    if grep -i warning <<<"$said"; then exit 1; fi
    from=$PWD/rocks/share/lua/5.1 && cd / && LUA_PATH="$from/?.lua;$from/?/init.lua" luajit -e "
        local S = require [[signalkit]]
        S.range(1, 3):map(function(n) return n * 2 end):start(print)" | diff - <(printf "%s\n" 2 4 6)'
perl_ffi() { language libffi-platypus-perl perl_package; }
# (apart_perl runs the tests from an archive of the distribution, too.)
perl_package() {
    scripts/perl.py --check && prove --quiet bindings/perl/t && plays perl perl examples/perl/main.pl &&
        watches build/languages/perl.log perl examples/perl/loadwatch.pl
}
ruby_ffi() { language "ruby ruby-ffi" plays ruby ruby -w -Ibindings/ruby/lib examples/ruby/main.rb; }
# Random pipelines, by each package and by a model.
random_ruby() {
    language "ruby ruby-ffi" random_pipelines ruby -w -Ibindings/ruby/lib Tests/random/pipelines.rb
}
random_lua() { language luajit random_pipelines luajit Tests/random/pipelines.lua; }
random_perl() { language libffi-platypus-perl random_pipelines perl Tests/random/pipelines.pl; }
rust() { language "cargo librust-futures-core-dev" rust_program; }
rust_program() {
    in_rust examples/rust build && plays rust build/languages/rust/debug/scenes
}
# The tests of the package and the examples in its comments, with and without optional features.
rust_tests() { language "cargo librust-futures-core-dev" rust_package; }
rust_package() {
    scripts/rust.py --check && in_rust bindings/rust build --examples &&
        build/languages/rust/debug/examples/cpu 2 0.05 && in_rust bindings/rust test --features signalkit/stream &&
        RUSTDOCFLAGS="-D warnings" in_rust bindings/rust doc --no-deps
}
# `cargo package` makes both crates without a warning, and a program uses them. It is built from scratch, because the
# files of all crates have the same age.
rust_crates() { language "cargo librust-futures-core-dev" rust_packaged; }
rust_packaged() {
    local out=$PWD/build/languages made=$PWD/build/languages/crates crate
    cargo package --help | grep -q exclude-lockfile || { echo "skipped: cargo is older than 1.84"; return; }
    rm -rf "$made" && mkdir -p "$made/src" || return 1
    for crate in signalkit-sys signalkit; do
        (cd bindings/rust && CARGO_TARGET_DIR=$out/rust cargo package -p $crate --offline --registry crates-io \
            --allow-dirty --no-verify --exclude-lockfile) >"$out/crate.log" 2>&1 &&
            ! grep -A5 '^warning' "$out/crate.log" || { cat "$out/crate.log"; return 1; }
        tar -xzf "$out/rust/package/$crate-1.0.0.crate" -C "$made" || return 1
    done
    printf '%s\n' '[package]' 'name = "crates"' 'version = "1.0.0"' 'edition = "2021"' '[workspace]' '[dependencies]' \
        'signalkit = { path = "signalkit-1.0.0" }' '[patch.crates-io]' \
        'signalkit-sys = { path = "signalkit-sys-1.0.0" }' >"$made/Cargo.toml"
    cp -r bindings/rust/.cargo "$made" &&
        sed -n '/^```rust$/,/^```$/{/^```/d;p;};/^## /q' bindings/rust/signalkit/README.md >"$made/src/main.rs" &&
        (cd "$made" && SIGNALKIT_PREFIX=$PWD/../../prefix cargo run --offline --quiet -j2) |
        diff <(printf '%s\n' 1 2 3) -
}
random_rust() { language "cargo librust-futures-core-dev" random_in_rust; }
random_in_rust() {
    local made=build/languages/random
    mkdir -p $made && printf '[package]\nname = "pipelines"\nversion = "1.0.0"\nedition = "2021"\n[[bin]]\n%s\n%s\n
[dependencies]\nsignalkit = { path = "%s" }\n' 'name = "pipelines"' "path = \"$PWD/Tests/random/pipelines.rs\"" \
        "$PWD/bindings/rust/signalkit" >$made/Cargo.toml &&
        in_rust $made build && random_pipelines build/languages/rust/debug/pipelines
}
in_rust() { # FOLDER COMMAND OPTION…
    (out=$PWD/build && cd "$1" && SIGNALKIT_PREFIX=$out/prefix CARGO_TARGET_DIR=$out/languages/rust \
        cargo "$2" --offline --quiet -j2 "${@:3}")
}
go_cgo() { language golang-go go_program; }
go_program() {
    local out=$PWD/build/languages
    (cd examples/go && GOCACHE=$out/go-cache go build -buildvcs=false -o "$out/go") && plays go "$out/go"
}
java_jna() { language "default-jdk-headless libjna-java" java_program; }
java_program() {
    local modules=/usr/share/java/jna.jar:build/java/signalkit.jar
    java_jar || return 1
    javac -encoding UTF-8 -Xlint:all,-try -Werror -p $modules --add-modules signalkit -d build/java/example \
        examples/java/*.java &&
        plays java java -Dfile.encoding=UTF-8 -p $modules --add-modules signalkit -cp build/java/example Main
}
# By import, not through C; of the scenes one is not Swift's. (scripts/docrun.py builds its packages in the same place:
# the library is compiled once.)
swift_package() {
    swift build $swift_quick --disable-build-manifest-caching --package-path examples/swift \
        --scratch-path .build-examples &&
        plays swift .build-examples/debug/Example && tasks && tasks_print_the_same swift_task
}
swift_task() { ".build-examples/debug/${1^}"; }

core+=(description)
steps+=(lua random_lua perl_ffi random_perl ruby_ffi random_ruby rust rust_tests rust_crates random_rust go_cgo)
steps+=(java_jna swift_package)
