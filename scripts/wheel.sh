#!/usr/bin/env bash
# Builds Python's package into build/wheels: its sources, and of those a wheel with the library inside.
#   wheel.sh LIBRARY PLATFORM      PLATFORM as wheels name it: manylinux_2_28_x86_64
set -euo pipefail
cd "$(dirname "$0")/.."

tools=build/wheel-tools
mkdir -p build/wheels
exec 9>build/python.lock && flock 9 # one builds in the package's folder at a time
# failed LOG: prints it, and whether PyPI is the reason.
failed() {
    cat "$1"
    ! grep -qE 'connection broken by|Could not fetch URL' "$1" ||
        echo "PyPI must be reachable, for build, auditwheel and setuptools"
    exit 1
}
# (Without python3-venv a folder is left that has a Python, but no pip.)
if ! $tools/bin/python -m pip --version >/dev/null 2>&1; then
    rm -rf $tools
    python3 -m venv $tools >build/wheels/tools.log 2>&1 || { rm -rf $tools && failed build/wheels/tools.log; }
fi
$tools/bin/python -m pip install --quiet --disable-pip-version-check -c scripts/python_tools.txt build auditwheel \
    >build/wheels/tools.log 2>&1 ||
    failed build/wheels/tools.log
echo "  WHEEL  build/wheels (libsignalkit, $2)"
export SIGNALKIT_BUNDLE=$PWD/$1 SIGNALKIT_PLATFORM=$2
export SIGNALKIT_GUARD=$PWD/bindings/python/src/libsignalkit/_guard-${2#manylinux_*_*_}.so # `make lib` has built it
$tools/bin/python -m build --outdir build/wheels bindings/python >"build/wheels/$2.log" 2>&1 ||
    failed "build/wheels/$2.log"
# Check the tag, because with an older C library, or without another one, the wheel would not load.
wheel=$(ls build/wheels/libsignalkit-*-py3-none-"$2".whl)
shown=$($tools/bin/auditwheel show "$wheel" 2>&1) || { echo "$shown"; exit 1; }
newest=$(tr '\n' ' ' <<<"$shown" | sed -nE 's/.*following platform tag: "manylinux_2_([0-9]+)_.*/\1/p')
[ -n "$newest" ] && [ "$newest" -le "$(cut -d_ -f3 <<<"$2")" ] || { echo "$wheel is not what it says: $shown"; exit 1; }
