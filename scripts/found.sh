#!/usr/bin/env bash
# After an installation, updates the loader's cache if the loader searches LIBDIR and the user may do
# it. Otherwise prints the variables that programs need for compiling and starting.
#   found.sh LIBDIR
set -uo pipefail

lib=$1 unset=()
PATH=$PATH:/usr/sbin:/sbin

# Returns whether LIBDIR is among the directories on standard input, under any name.
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
