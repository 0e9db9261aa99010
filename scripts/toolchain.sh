#!/usr/bin/env bash
# Whether a Swift toolchain can build the library; says in one sentence what to install, if not.
#   toolchain.sh SWIFTC RUNTIME FLAG…     the flags say for which target
set -uo pipefail

oldest=6.3
wanted="SignalKit needs the Swift toolchain $oldest or newer: https://www.swift.org/install/linux"
swiftc=$1 runtime=$2
shift 2

refuse() {
    echo "$*" >&2
    exit 1
}
where=" on the PATH"
[[ $swiftc != */* ]] || where=
command -v "$swiftc" >/dev/null || refuse "There is no $swiftc$where; $wanted"
version=$("$swiftc" --version 2>/dev/null | sed -nE 's/.*Swift version ([0-9]+(\.[0-9]+)*).*/\1/p')
[ -n "$version" ] || refuse "$swiftc does not say its version; $wanted"
[ "$(printf '%s\n' $oldest "$version" | sort -V | head -1)" = $oldest ] ||
    refuse "$swiftc is of Swift $version; $wanted"
if [ "$runtime" = embedded ]; then
    target=$("$swiftc" "$@" -print-target-info | sed -nE 's/.*"unversionedTriple": "([^"]*)".*/\1/p')
    echo | "$swiftc" "$@" -wmo -enable-experimental-feature Embedded -typecheck - >/dev/null 2>&1 ||
        refuse "The Swift toolchain $version at hand has no Embedded standard library for $target;" \
            "install one of https://www.swift.org/install/linux, which has it, or build with RUNTIME=hosted."
fi
