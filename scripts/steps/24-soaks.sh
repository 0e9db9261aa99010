# The soak of each language: interrupts, collections and threads at once, for ten minutes or SOAK_SECONDS. `make trust`
# runs it.

# soaked SECONDS COMMAND…: with the installed library.
soaked() { LD_LIBRARY_PATH=$PWD/build/prefix/lib Tests/soak/languages/run.py "$@"; }
soak_source=Tests/soak/languages/soak long_soak=${SOAK_SECONDS:-600}
# The library receives a system signal that all threads block.
blocking=(env --block-signal=INT)

python_soak() { installed && python_environment && soaked "$1" build/python/bin/python $soak_source.py; }
lua_soak() { language luajit soaked "$1" "${blocking[@]}" luajit $soak_source.lua; }
perl_soak() { language libffi-platypus-perl soaked "$1" perl $soak_source.pl; }
ruby_soak() { language "ruby ruby-ffi" soaked "$1" ruby -w -Ibindings/ruby/lib $soak_source.rb; }
rust_soak() { language "cargo librust-futures-core-dev" soak_in_rust "$1"; }
soak_in_rust() {
    local made=build/languages/soak
    mkdir -p $made && printf '[package]\nname = "soak"\nversion = "1.0.0"\nedition = "2021"\n[[bin]]\n%s\n%s\n
[dependencies]\nsignalkit = { path = "%s" }\n' 'name = "soak"' "path = \"$PWD/$soak_source.rs\"" \
        "$PWD/bindings/rust/signalkit" >$made/Cargo.toml &&
        in_rust $made build && soaked "$1" "${blocking[@]}" build/languages/rust/debug/soak
}
go_soak() { with_packages "golang-go gcc" soak_in_go "$1"; }
soak_in_go() {
    local made=build/go/soak
    installed && mkdir -p $made && cp $soak_source.go $made && go_mod $made || return 1
    go_environment
    (cd $made && go vet . && go build -o soak .) && soaked "$1" $made/soak
}
java_soak() { with_packages "default-jdk-headless libjna-java" soak_in_java "$1"; }
soak_in_java() {
    local out=build/java/soak options=(-p /usr/share/java/jna.jar:build/java/signalkit.jar
        --add-modules "signalkit,jdk.unsupported")
    installed && mkdir -p $out && java_jar || return 1
    # sun.misc.Signal is not part of the platform's interface.
    javac -encoding UTF-8 -Xlint:all,-try -Werror -XDignore.symbol.file "${options[@]}" -d $out \
        Tests/soak/languages/Soak.java && soaked "$1" java -Xmx64m "${options[@]}" -cp $out Soak
}
# With the library that the Swift tests have built.
swift_soak() { swift_program $soak_source.swift && soaked "$1" "${blocking[@]}" "$made"; }

soak_python() { python_soak "$long_soak"; }
soak_lua() { lua_soak "$long_soak"; }
soak_perl() { perl_soak "$long_soak"; }
soak_ruby() { ruby_soak "$long_soak"; }
soak_rust() { rust_soak "$long_soak"; }
soak_go() { go_soak "$long_soak"; }
soak_java() { java_soak "$long_soak"; }
soak_swift() { swift_soak "$long_soak"; }

long+=(soak_python soak_lua soak_perl soak_ruby soak_rust soak_go soak_java soak_swift)
for language in python lua perl ruby rust go java swift; do limits[soak_$language]=$((long_soak + 1200)); done
