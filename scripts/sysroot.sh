#!/usr/bin/env bash
# Downloads Debian packages of another architecture with their dependencies, and unpacks them into a
# directory. Nothing is installed, and the system's list of architectures does not change. Packages that are already
# there are not downloaded.
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

# A private apt with only that architecture and no installed packages. It uses the servers of the system's apt.
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
