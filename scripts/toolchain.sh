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
# The loader names the first one alone, ldd all.
missing_libraries() {
    sed -nE 's/.*error while loading shared libraries: ([^: ]+): cannot open.*/\1/p' <<<"$said"
    ldd "$(readlink -f "$(command -v "$swiftc")")" 2>/dev/null | sed -nE 's/^\s*(\S+) => not found.*/\1/p'
}
# By Debian's rule: libNAME.so.N is in libNAMEN, or in libNAME-N if NAME ends with a digit.
package_of() {
    sed -E -e 's/^libxml2\.so.*/libxml2/;t' -e 's/^libz\.so.*/zlib1g/;t' -e 's/^(libpython[0-9.]+)\.so.*/\1/;t' \
        -e 's/_/-/g; s/([0-9])\.so\.([0-9]+).*/\1-\2/; s/\.so\.([0-9]+).*/\1/' | grep -vF .so
}
where=" on the PATH"
[[ $swiftc != */* ]] || where=
command -v "$swiftc" >/dev/null || refuse "There is no $swiftc$where; $wanted"
said=$("$swiftc" --version 2>&1)
version=$(sed -nE 's/.*Swift version ([0-9]+(\.[0-9]+)*).*/\1/p' <<<"$said")
if [ -z "$version" ]; then
    [ -n "$said" ] || refuse "$swiftc does not say its version; $wanted"
    printf '%s does not start. It prints:\n' "$swiftc" >&2
    sed 's/^/    /' <<<"$said" >&2
    packages=$(missing_libraries | package_of | sort -u | paste -sd ' ')
    [ -n "$packages" ] || refuse "$wanted"
    printf 'Libraries are missing. Install their packages, then run this command again:\n' >&2
    refuse "    sudo apt-get install $packages"
fi
[ "$(printf '%s\n' $oldest "$version" | sort -V | head -1)" = $oldest ] ||
    refuse "$swiftc is of Swift $version; $wanted"
if [ "$runtime" = embedded ]; then
    target=$("$swiftc" "$@" -print-target-info | sed -nE 's/.*"unversionedTriple": "([^"]*)".*/\1/p')
    echo | "$swiftc" "$@" -wmo -enable-experimental-feature Embedded -typecheck - >/dev/null 2>&1 ||
        refuse "The Swift toolchain $version at hand has no Embedded standard library for $target;" \
            "install one of https://www.swift.org/install/linux, which has it, or build with RUNTIME=hosted."
fi
