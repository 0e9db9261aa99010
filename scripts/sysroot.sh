#!/usr/bin/env bash
# Fetches Debian packages of another architecture, with what they depend on, and unpacks them into a directory: nothing
# is installed, and the system's own list of architectures stays as it is. What is there already is not fetched again.
#   sysroot.sh ARCHITECTURE DIRECTORY PACKAGE…
set -euo pipefail

architecture=$1 sysroot=$2
shift 2
mkdir -p "$sysroot"
exec 9>"$sysroot/lock" && flock 9

wanted=()
for package in "$@"; do [ -e "$sysroot/fetched/$package" ] || wanted+=("$package"); done
[ ${#wanted[@]} -gt 0 ] || exit 0

if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
    echo "Only apt-get can fetch ${wanted[*]} for $architecture. Whoever unpacks them into $sysroot by hand says so" \
        "by touch $sysroot/fetched/PACKAGE." >&2
    exit 1
fi

# An apt of its own, in which nothing is installed and there is only that architecture; where to fetch from it knows
# from the system's.
apt=$PWD/$sysroot/apt
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$sysroot/fetched"
: >"$apt/status"
apt_get() {
    apt-get -q -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" -o Dir::State="$apt" \
        -o Dir::State::status="$apt/status" -o Dir::Cache="$apt/cache" -o APT::Sandbox::User=root \
        -o Acquire::Languages=none "$@"
}
echo "  FETCH  ${wanted[*]} ($architecture)"
if ! { apt_get update && apt_get install --yes --no-install-recommends --download-only "${wanted[@]}"; } \
    >"$apt/log" 2>&1; then
    echo "apt-get cannot fetch ${wanted[*]} for $architecture: ${apt#"$PWD/"}/log says why." >&2
    exit 1
fi
mkdir -p "$sysroot"/usr/lib && ln -sfn usr/lib "$sysroot/lib" # as on a system of today
for archive in "$apt"/cache/archives/*.deb; do dpkg-deb -x "$archive" "$sysroot"; done
rm -rf "$apt/cache" "$apt"/lists
for package in "${wanted[@]}"; do touch "$sysroot/fetched/$package"; done
