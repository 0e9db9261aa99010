# ARM64, emulated by qemu-user-static on machines of another kind. (`make test-aarch64` runs these steps alone.)

aarch64=aarch64-linux-gnu aarch64_build=build/$aarch64-embedded aarch64_sysroot=build/sysroot/$aarch64
aarch64_flags="--target=$aarch64 -I$aarch64_sysroot/usr/include -L$aarch64_sysroot/usr/lib/$aarch64
    -Wno-unused-command-line-argument"

# on_aarch64 COMMAND…: runs the command with the library and the packages of its tests, if they are available.
on_aarch64() {
    [ "$(uname -m)" != aarch64 ] || { echo "skipped: the other steps run on ARM64 here" && return; }
    with_packages "gcc-aarch64-linux-gnu g++-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static" with_sysroot "$@"
}
with_sysroot() {
    local answer
    if ! answer=$(scripts/sysroot.sh arm64 $aarch64_sysroot libffi-dev libcmocka-dev libstdc++6 python3 2>&1); then
        echo "skipped: $answer" && return
    fi
    local build=$aarch64_build kind=aarch64 flags=$aarch64_flags
    $make lib static CROSS=$aarch64 && "$@"
}
# All threads of a program share a processor: with several the emulator lets a load (`ldar`) overtake a store to another
# place (`stlr`), which ARM64 does not, and threads that look at each other before they go to sleep would miss each
# other. Each group of the C suite is a program.
emulated() { taskset -c "$one_processor" qemu-aarch64-static -L $aarch64_sysroot "$@"; }
one_processor=$(taskset -cp $$ | sed -E 's/.*[ ,-]//')
suite_aarch64() {
    SUITE_SLOW=yes SUITE_ROUNDS=${SUITE_ROUNDS:-2000} INSTRUMENT="by_groups emulated" on_aarch64 c_suite
}
cpp_aarch64() { INSTRUMENT=emulated on_aarch64 cpp_suite; }

# With ARM64's Python. A variable tells the tests how to start another interpreter.
python_aarch64() { on_aarch64 aarch64_python; }
aarch64_python() {
    local python=$PWD/$aarch64_sysroot/usr/bin/python3 place=$PWD/build/python-aarch64
    [ -x "$place/bin/pytest" ] ||
        { python3 -m venv "$place" && "$place/bin/pip" install --quiet --disable-pip-version-check pytest; } || return 1
    printf '#!/bin/sh\nexec qemu-aarch64-static -L %s %s "$@"\n' "$PWD/$aarch64_sysroot" "$python" >"$place/emulated"
    chmod +x "$place/emulated"
    export PYTHONDONTWRITEBYTECODE=1 SIGNALKIT_LIBRARY=$PWD/$aarch64_build/lib/libsignalkit.so.1
    export PYTHONPATH=$PWD/bindings/python/src:$(echo "$place"/lib/python3*/site-packages)
    emulated "$python" -c 'import sys, pytest; sys.executable = sys.argv.pop(1); sys.exit(pytest.main())' \
        "$place/emulated" -v --durations=5 -p no:cacheprovider bindings/python/tests
}

# The wheel for ARM64: the first program of its README uses the library inside it.
python_wheel_aarch64() { on_aarch64 aarch64_wheel; }
aarch64_wheel() {
    local place=$PWD/build/python-wheel-aarch64 python=$PWD/$aarch64_sysroot/usr/bin/python3
    $make wheel CROSS=$aarch64 || return 1
    rm -rf "$place" && scripts/docrun.py python "$place/programs" || return 1
    python3 -m zipfile -e build/wheels/libsignalkit-*-manylinux_2_28_aarch64.whl "$place" || return 1
    export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$place
    [ "$(emulated "$python" "$place/programs/package_1.py")" = "$(printf '1\n2')" ]
}

# A build that cannot succeed fails with one sentence about the missing packages.
refusals_are_sentences() {
    local fake=build/refusals unsaid=0
    mkdir -p $fake && printf '#!/bin/sh\necho "Swift version 5.9.2"\n' >$fake/swiftc && chmod +x $fake/swiftc
    fails() { # WORDS COMMAND…
        local said words=$1
        shift
        if said=$("$@" 2>&1) || [ "$(grep -c . <<<"$said")" != 1 ] || ! grep "$words" <<<"$said" >/dev/null; then
            echo "$*: $said" && unsaid=1
        fi
    }
    fails 'is of Swift 5.9.2; .* needs the Swift toolchain 6.3 or newer' scripts/toolchain.sh $fake/swiftc embedded
    fails 'no nowhere on the PATH; .* needs the Swift toolchain' scripts/toolchain.sh nowhere embedded
    fails 'no /nowhere/swiftc; .* needs the Swift toolchain' scripts/toolchain.sh /nowhere/swiftc embedded
    fails 'no Embedded standard library for s390x' scripts/toolchain.sh swiftc embedded -target s390x-unknown-linux-gnu
    local make="make --no-print-directory" given
    for given in RUNTIME={,tiny,"embedded hosted"} RUNTIME_FAST={,maybe} SANITIZE=undefined PORTABLE=maybe \
        FFI={,none,"shared static"}; do
        fails "${given%%=*}=.* is not known: there is " $make "$given"
    done
    fails "not known: there is $aarch64" $make CROSS=mips-linux-gnu
    fails "not known: there is $aarch64" $make CROSS="$aarch64 x86_64-linux-musl"
    fails 'is for FFI=static' $make CROSS=x86_64-linux-musl FFI=shared
    # Wrong variables neither install nor remove files.
    fails 'with a PREFIX or DESTDIR of its own' env -u PREFIX $make install CROSS=x86_64-linux-musl
    for given in PREFIX LIBDIR INCLUDEDIR DESTDIR; do
        fails 'is not an absolute path without spaces' $make install $given="$PWD/$fake/a b"
        fails 'is not an absolute path without spaces' $make uninstall $given="$PWD/$fake/a b"
        fails 'is not an absolute path without spaces' $make uninstall $given=$fake
    done
    return $unsaid
}

# The checks of `binary` and `symbols`, and that the library loads on systems with pages of 64 KiB.
binary_aarch64() { on_aarch64 aarch64_binary; }
aarch64_binary() {
    symbols_of $aarch64_build && binary_of $aarch64_build || return 1
    local so=$aarch64_build/lib/libsignalkit.so
    readelf -h $so | grep 'Machine:.*AArch64' >/dev/null || { echo "not for ARM64"; return 1; }
    if readelf -lW $so | awk '$1 == "LOAD" { print $NF }' | grep -v '^0x10000$'; then
        echo "not for pages of 64 KiB" && return 1
    fi
    EMULATED=emulated with_packages patchelf changed $aarch64_build aarch64 $clang $aarch64_flags -fuse-ld=lld
}

steps+=(suite_aarch64 cpp_aarch64 binary_aarch64 refusals_are_sentences)
long+=(python_aarch64 python_wheel_aarch64)
