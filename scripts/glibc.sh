#!/usr/bin/env bash
# Makes libraries to link with that have what glibc 2.28 has, as far as Sources/SignalKitABI/glibc.symbols says: symbols
# of the right versions and nothing behind them. What is linked with them loads with that glibc and all later ones,
# whatever the machine that builds has.
#   glibc.sh DIRECTORY/NAME ARCHITECTURE COMPILER FLAG…     NAME is for the linker: it stands for all of them
set -euo pipefail

all=$1 made=$(dirname "$1") architecture=$2
shift 2
case $architecture in # the version of glibc with which it came
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
