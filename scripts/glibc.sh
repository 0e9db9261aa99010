#!/usr/bin/env bash
# Creates stub libraries for linking, with the symbols and versions of glibc 2.28 in
# Sources/SignalKitABI/glibc.symbols. A library that is linked with them loads with glibc 2.28 and later, independent of
# the glibc of the build machine.
#   glibc.sh DIRECTORY/NAME ARCHITECTURE COMPILER FLAG…     NAME is a linker script that names all stubs
set -euo pipefail

all=$1 made=$(dirname "$1") architecture=$2
shift 2
case $architecture in # the first version of glibc for it
x86_64) first=2.2.5 ;;
aarch64) first=2.17 ;;
riscv64) first=2.27 ;;
*) echo "scripts/glibc.sh does not know since when glibc has had $architecture" >&2 && exit 1 ;;
esac
symbols=Sources/SignalKitABI/glibc.symbols

rm -rf "$made" && mkdir -p "$made"
while read -r library since names; do
    version=$(printf '%s\n' "$since" $first | sort -V | tail -1)
    printf '%s;\n' $names >>"$made/$library:GLIBC_$version"
    printf '.globl %s\n' $names >>"$made/$library.s"
    printf '%s:\n' $names >>"$made/$library.s"
done < <(grep -v '^#' $symbols)
for source in "$made"/*.s; do
    library=${source%.s}
    for version in "$library":*; do echo "${version##*:} { $(<"$version") };"; done >"$library.map"
    "$@" -shared -nostdlib -fuse-ld=lld -Wl,-soname,"${library##*/}" -Wl,--version-script="$library.map" "$source" \
        -o "$library"
done
echo "INPUT( AS_NEEDED( $(basename -as .s "$made"/*.s | sed "s:^:$made/:" | paste -sd' ') ) libc_nonshared.a )" >"$all"
