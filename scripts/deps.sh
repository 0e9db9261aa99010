#!/usr/bin/env bash
# Checks that the Debian packages for a purpose are installed. Root installs missing packages. For
# other users the script prints one line with the missing packages.
#   deps.sh build              for the library, in addition to the Swift toolchain
#   deps.sh demo               for programs in C that use it
#   deps.sh docs               for the site
#   deps.sh bench              for the benchmark and its peers
#   deps.sh test               for `make test`
#   deps.sh test-all           for `make test-all`, `make test-nightly`
#   deps.sh missing PACKAGE…   prints which of these packages are missing
#   deps.sh with PACKAGE…      for the library, and these packages
#   deps.sh check PACKAGE…     fails if one of these packages is missing; installs nothing
set -euo pipefail

"$(dirname "$0")/toolchain.sh" "${SWIFTC:-swiftc}" any

purpose=${1:-} only='' missing=() # only: if not empty, the packages to look at
# need PACKAGE TEST…
need() {
    [[ -z $only || $only = *" $1 "* ]] || return 0
    [[ " ${missing[*]} " = *" $1 "* ]] || "${@:2}" >/dev/null 2>&1 || missing+=("$1")
}
has() { command -v "$1"; }
cmocka() { printf '#include <%s>\n' stdarg.h stddef.h setjmp.h stdint.h cmocka.h | cc -E -x c - -o /dev/null; }
# (Of the interpreter that Sphinx has.)
python_package() { "$(sed -n '1s/^#! *//p' "$(command -v sphinx-build)")" -c "import $1"; }
header() { echo "#include <$1>" | cc -E -x c - -o /dev/null; }

library() {
    need "${1:-gcc}" has cc
    need binutils has objcopy
    need libc6-dev header stdlib.h
    need libffi-dev header ffi.h
}
reference() {
    need python3 has python3
    need python3-sphinx has sphinx-build
    need python3-myst-parser python_package myst_parser
    need python3-sphinx-rtd-theme python_package sphinx_rtd_theme
}
tests() {
    library g++ # which needs gcc
    need g++ has g++
    need pkgconf has pkg-config
    need python3 has python3
    need python3-pytest eval "python3 -c 'import pytest' || /usr/bin/python3 -c 'import pytest'"
    need cmake has cmake
    need valgrind has valgrind
    need libcmocka-dev cmocka
}
peers() { # of the benchmark
    tests && reference
    need libglib2.0-dev pkg-config --exists gobject-2.0
    need libboost-dev header boost/version.hpp
    need mawk has mawk
    need libsigc++-3.0-dev pkg-config --exists sigc++-3.0
    need libuv1-dev pkg-config --exists libuv
    languages
}
languages() { # that the benchmark compares
    need luajit has luajit
    need libffi-platypus-perl perl -MFFI::Platypus -e 1
    need ruby has ruby
    need ruby-ffi ruby -rffi -e ''
    need cargo has cargo
    need librust-futures-core-dev compgen -G '/usr/share/cargo/registry/futures-core-*'
    need golang-go has go
    need default-jdk-headless has javac
    need libjna-java test -e /usr/share/java/jna.jar
}
all_tests() {
    tests && reference && languages
    need git has git
    need luarocks has luarocks
    need python3-venv python3 -c 'import venv, ensurepip'
    need libssl-dev pkg-config --exists libcrypto
    need libglib2.0-dev pkg-config --exists glib-2.0
    need libuv1-dev pkg-config --exists libuv
    need libev-dev header ev.h
    need libsqlite3-dev header sqlite3.h
    need libexpat1-dev header expat.h
    need libcurl4-openssl-dev header curl/curl.h
    need gdb has gdb
    need graphviz has dot
    need ruby-minitest ruby -rminitest -e ''
    need junit5 test -e /usr/share/java/junit-platform-console.jar
    need maven has mvn
    need libmaven-compiler-plugin-java test -e /usr/share/maven-repo/org/apache/maven/plugins/maven-compiler-plugin
    need libmaven-jar-plugin-java test -e /usr/share/maven-repo/org/apache/maven/plugins/maven-jar-plugin
    need libmaven-resources-plugin-java test -e /usr/share/maven-repo/org/apache/maven/plugins/maven-resources-plugin
    need libsurefire-java test -e /usr/share/maven-repo/org/apache/maven/plugins/maven-surefire-plugin
    need gcc-aarch64-linux-gnu has aarch64-linux-gnu-gcc
    need g++-aarch64-linux-gnu has aarch64-linux-gnu-g++
    need libc6-dev-arm64-cross test -e /usr/aarch64-linux-gnu/include/stdlib.h
    need musl-dev test -e /usr/include/x86_64-linux-musl/stdlib.h
    need musl-tools has musl-gcc
    need qemu-user-static has qemu-aarch64-static
    need patchelf has patchelf
    need codespell has codespell
    need cppcheck has cppcheck
    need abigail-tools has abidiff
    need libnats-dev pkg-config --exists libnats
    need nats-server test -x /usr/sbin/nats-server
    need libzmq3-dev pkg-config --exists libzmq
    need libjansson-dev pkg-config --exists jansson
    need libmosquitto-dev pkg-config --exists libmosquitto
    need mosquitto test -x /usr/sbin/mosquitto
    need libsystemd-dev pkg-config --exists libsystemd
    need dbus-daemon has dbus-run-session
    need bpftrace has bpftrace
    need sudo has sudo
    need iproute2 has ip
    need debhelper has dh
    need dh-python has dh_python3
    need elfutils has eu-unstrip
    need lintian has lintian
    need man-db has lexgrog
    need chromium-driver has chromedriver
    need python3-selenium /usr/bin/python3 -c 'import selenium'
}
case $purpose in
build) library ;;
demo) library && need pkgconf has pkg-config ;;
docs) reference ;;
bench) peers ;;
test) tests ;;
test-all) all_tests ;;
with) library && only=" ${*:2} " && all_tests ;;
missing | check) only=" ${*:2} " && all_tests && peers ;;
*) echo "$0: unknown purpose: $purpose" >&2 && exit 1 ;;
esac
if [ "$purpose" = missing ]; then
    echo "${missing[*]}"
    exit 0
fi

[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$purpose" != check ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "  APT    ${missing[*]}"
    log=$(mktemp)
    export DEBIAN_FRONTEND=noninteractive
    if ! { apt-get update && apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
        cat "$log" >&2
        exit 1
    fi
    rm -f "$log"
else
    echo "Packages are missing. Install them, then run this command again:" >&2
    echo "    sudo apt-get install ${missing[*]}" >&2
    exit 1
fi
