#!/usr/bin/env bash
# Makes sure that what building and testing need is there: installs missing Debian packages when it may, otherwise says which.
#   deps.sh bench              also what the benchmark compares with
#   deps.sh languages          also what the examples in other languages need; without the right to install it, they are skipped
#   deps.sh missing PACKAGE…   only prints which of these packages of such languages are missing
set -euo pipefail

if ! command -v swiftc >/dev/null; then
    echo "SignalKit needs the Swift toolchain (6.1 or newer) on the PATH: https://www.swift.org/install/linux" >&2
    exit 1
fi

missing=()
need() { # package, test…
    local package=$1
    shift
    "$@" >/dev/null 2>&1 || missing+=("$package")
}
has() { command -v "$1"; }
header() { echo "#include <$1>" | cc -E -x c - -o /dev/null; }

need gcc has cc
need g++ has g++
need binutils has objcopy
need pkgconf has pkg-config
need python3 has python3
need python3-venv python3 -c 'import venv, ensurepip'
need cmake has cmake
need valgrind has valgrind
need doxygen has doxygen
need libssl-dev pkg-config --exists libcrypto
need libc6-dev header stdlib.h
need libglib2.0-dev pkg-config --exists glib-2.0
need libuv1-dev pkg-config --exists libuv
need libev-dev header ev.h
need libffi-dev header ffi.h
need libsqlite3-dev header sqlite3.h
need libexpat1-dev header expat.h
need libcurl4-openssl-dev header curl/curl.h
if command -v cc >/dev/null && printf '#include <stdarg.h>\n#include <stddef.h>\n#include <setjmp.h>\n#include <stdint.h>\n#include <cmocka.h>\n' | cc -E -x c - -o /dev/null 2>/dev/null; then :; else missing+=(libcmocka-dev); fi
if [ "${1:-}" = bench ]; then
    need libglib2.0-dev pkg-config --exists gobject-2.0
    need libboost-dev header boost/version.hpp
    need libsigc++-3.0-dev pkg-config --exists sigc++-3.0
    need libuv1-dev pkg-config --exists libuv
fi
needed=${#missing[@]}
case "${1:-}" in languages | missing)
    need luajit has luajit
    need libffi-platypus-perl perl -MFFI::Platypus -e 1
    need ruby has ruby
    need ruby-ffi ruby -rffi -e ''
    need rustc has rustc
    need golang-go has go
    need default-jdk-headless has javac
    need libjna-java test -e /usr/share/java/jna.jar
    ;;
esac
if [ "${1:-}" = missing ]; then
    shift
    printf '%s\n' "$@" | grep -Fx -f <(printf '%s\n' "${missing[@]}") | paste -sd' ' || true
    exit 0
fi

[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "  APT    ${missing[*]}"
    log=$(mktemp)
    if ! { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
        cat "$log" >&2
        exit 1
    fi
    rm -f "$log"
else
    echo "Please install what is missing, then run this again:" >&2
    echo "    sudo apt-get install ${missing[*]}" >&2
    [ "$needed" -eq 0 ] || exit 1
fi
