#!/usr/bin/env bash
# After an installation: has the loader look again, if it looks there and may be told; otherwise says what programs need
# to be compiled and to start.
#   found.sh LIBDIR
set -uo pipefail

lib=$1 unset=()
PATH=$PATH:/usr/sbin:/sbin

# Whether it is among the directories, each on a line, by whatever name.
among() {
    local directory
    while read -r directory; do [ "$directory" -ef "$1" ] && return; done
    return 1
}

tr : '\n' < <(pkg-config --variable=pc_path pkg-config 2>/dev/null) | among "$lib/pkgconfig" ||
    unset+=("PKG_CONFIG_PATH=$lib/pkgconfig")
{ ldconfig -NXv 2>/dev/null | sed -n 's|^\(/[^:]*\):.*|\1|p' | among "$lib" && [ "$(id -u)" = 0 ] && ldconfig; } ||
    unset+=("LD_LIBRARY_PATH=$lib")
[ ${#unset[@]} -gt 0 ] || exit 0
echo "Where programs are compiled and started:"
printf '    export %s\n' "${unset[@]}"
