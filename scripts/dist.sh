#!/usr/bin/env bash
# Writes the downloads to a directory: the sources, an archive of the library for each target, with
# libffi inside, and the checksums. The bytes of the archives do not depend on the place and time of the build.
#   dist.sh DIRECTORY VERSION TARGET…
set -euo pipefail

dist=$(realpath -m "$1") version=$2
shift 2
# Install all packages before the first build.
packages=()
for target in "$@"; do
    [ "$target" = "$(uname -m)-linux-gnu" ] ||
        read -ra packages <<<"${packages[*]} $(sed -n 's/^PACKAGES := //p' "scripts/targets/$target.mk")"
done
[ $# -eq 0 ] || scripts/deps.sh with git python3 "${packages[@]}"
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
rm -rf "$dist" && mkdir -p "$dist"

# pack NAME TAR'S ARGUMENTS…
pack() {
    tar --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mode=a+rX,u+w,go-w --mtime="@$epoch" \
        --create "${@:2}" | gzip -9n >"$dist/$1.tar.gz"
    echo "  DIST   ${dist#"$PWD/"}/$1.tar.gz"
}

sources=signalkit-$version
git ls-files -z --deduplicate | pack "$sources" --null --files-from=- --transform="flags=r;s,^,$sources/,"
for target in "$@"; do
    name=$sources-$target
    make --no-print-directory install-debug CROSS="$target" FFI=static PREFIX="/$name" LIBDIR="/$name/lib" \
        INCLUDEDIR="/$name/include" DESTDIR="$dist"
    cp CMakeLists.txt CHANGELOG.md "$dist/$name/"
    sed "s|@VERSION@|$version|g; s|@TARGET@|$target|g" pkgconfig/README.md.in >"$dist/$name/README.md"
    pack "$name" --directory="$dist" "$name"
    rm -r "${dist:?}/$name"
done
cd "$dist" && sha256sum -- *.tar.gz >SHA256SUMS
