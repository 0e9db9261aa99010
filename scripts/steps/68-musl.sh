# musl: the C suite with the library and as a static program, a program that loads it while it runs, the demonstration.
# (`make test-musl` runs these steps alone.)

musl=x86_64-linux-musl musl_build=build/$musl-embedded
on_musl() {
    [ "$(uname -m)" = x86_64 ] || { echo "skipped: only for x86-64" && return; }
    with_packages "musl-dev musl-tools" with_musl "$@"
}
with_musl() { $make lib static CROSS=$musl && mkdir -p build/musl && "$@"; }

# With a cmocka that is built here, because Debian has none for musl.
musl_suite() { # FLAG…
    objects build/suite/musl Tests/C musl-gcc $c_flags -Wno-format-truncation -ITests/cmocka &&
        musl-gcc -O1 -Wall -Wextra -Werror build/suite/musl/*.o Tests/cmocka/cmocka.c -o "build/suite/$step" "$@" &&
        SUITE_ROUNDS=${SUITE_ROUNDS:-20000} "build/suite/$step"
}
suite_musl() { on_musl musl_suite $musl_build/lib/libsignalkit.so -Wl,-rpath,"$PWD/$musl_build/lib"; }
suite_musl_static() { on_musl musl_suite -static $musl_build/lib/libsignalkit.a; }

# The library needs only musl. Programs can link it, and load it at run time, where static TLS is not available.
binary_musl() { on_musl musl_binary; }
musl_binary() {
    local so=$musl_build/lib/libsignalkit.so others
    symbols_of $musl_build || return 1
    readable $so || return 1
    others=$(needed_by $so)
    [ "$others" = libc.so ] || { echo "needs $others"; return 1; }
    musl-gcc -std=c11 -Wall -Wextra -Werror Tests/install/loader.c -o build/musl/loader &&
        build/musl/loader $so || return 1
    with_packages patchelf changed $musl_build musl musl-gcc || return 1
    # The archive, as one that is installed: libffi is in it.
    $make install CROSS=$musl PREFIX="$PWD/build/musl/prefix" || return 1
    export PKG_CONFIG_PATH=$PWD/build/musl/prefix/lib/pkgconfig
    musl-gcc -O2 examples/c/sysmon.c -o build/musl/sysmon -static $(pkg-config --static --cflags --libs signalkit) &&
        build/musl/sysmon --seconds 2 >build/musl/sysmon.log || return 1
    if readelf -lW build/musl/sysmon | grep INTERP; then echo "not a static program"; return 1; fi
}

steps+=(suite_musl suite_musl_static binary_musl)
