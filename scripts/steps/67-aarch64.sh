# ARM64, emulated by qemu-user-static on machines of another kind. (`make test-aarch64` runs these steps alone.)

aarch64=aarch64-linux-gnu aarch64_build=build/$aarch64-embedded aarch64_sysroot=build/sysroot/$aarch64
aarch64_flags="--target=$aarch64 -I$aarch64_sysroot/usr/include -L$aarch64_sysroot/usr/lib/$aarch64
    -Wno-unused-command-line-argument"

# on_aarch64 COMMAND…: with the library, and with what its tests need besides; if that can be had.
on_aarch64() {
    [ "$(uname -m)" != aarch64 ] || { echo "skipped: the other steps run on ARM64 here" && return; }
    with_packages "gcc-aarch64-linux-gnu g++-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static" with_sysroot "$@"
}
with_sysroot() {
    local answer
    if ! answer=$(scripts/sysroot.sh arm64 $aarch64_sysroot libffi-dev libcmocka-dev libstdc++6 python3 2>&1); then
        echo "skipped: $answer" && return
    fi
    $make lib static CROSS=$aarch64 && "$@"
}
# A program gets ten minutes, and each group of the C suite is one.
emulated() { timeout 600 qemu-aarch64-static -L $aarch64_sysroot "$@"; }
emulated_groups() {
    local group failed=0
    for group in $(emulated "$1" --groups); do
        emulated "$1" "$group" || { echo "failed: group $group"; failed=1; }
    done
    return $failed
}

suite_aarch64() { SUITE_ROUNDS=${SUITE_ROUNDS:-10000} INSTRUMENT=emulated_groups on_aarch64 aarch64_c_suite; }
aarch64_c_suite() { suite_objects aarch64 $aarch64_flags && suite $aarch64_build aarch64 $aarch64_flags; }

cpp_aarch64() { INSTRUMENT=emulated on_aarch64 cpp_suite $aarch64_build aarch64 $aarch64_flags; }

# With ARM64's Python, on which the tests are told how to start another one.
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

# What `binary` and `symbols` ask, and that it can be loaded where pages have 64 KiB.
binary_aarch64() { on_aarch64 aarch64_binary; }
aarch64_binary() {
    symbols_of $aarch64_build && binary_of $aarch64_build || return 1
    readelf -h $aarch64_build/lib/libsignalkit.so | grep 'Machine:.*AArch64' >/dev/null || { echo "not for ARM64"; return 1; }
    if readelf -lW $aarch64_build/lib/libsignalkit.so | awk '$1 == "LOAD" { print $NF }' | grep -v '^0x10000$'; then
        echo "not for pages of 64 KiB" && return 1
    fi
}

steps+=(suite_aarch64 cpp_aarch64 python_aarch64 binary_aarch64)
