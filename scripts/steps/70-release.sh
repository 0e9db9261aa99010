# The products for users: the commands in documents, the archives, the packages, the release.

version=$(sed -n 's/^VERSION := //p' Makefile)

# fresh DIRECTORY BUILD…: unpacks the released sources there, and copies the products that were built here.
fresh() {
    rm -rf "$1" && scripts/dist.sh "$1" "$version" && tar -xf "$1/signalkit-$version.tar.gz" -C "$1" &&
        diff -rq -x __pycache__ Sources "$1/signalkit-$version/Sources" && # needed below
        mkdir "$1/signalkit-$version/build" && cp -r "${@:2}" "$1/signalkit-$version/build" &&
        find "$1/signalkit-$version/build" -exec touch -h -d "@$(date +%s)" {} +
}
# on_other_machine COMMAND…: runs the command, and removes the files that it installed.
on_other_machine() {
    if ! scripts/apart.sh true; then echo "skipped: nothing may be mounted here" && return; fi
    scripts/apart.sh "$@"
}

# Runs the commands of the documents, block after block.
as_printed() { with_packages sudo printed build/printed README.md docs/guide.md; }
printed() { # DIRECTORY DOCUMENT…
    local document
    $make lib static && fresh "$1" build/embedded && cd "$1/signalkit-$version" || return 1
    for document in "${@:2}"; do
        on_other_machine scripts/docrun.py shell "$document" "$toolchain/bin" || return 1
    done
}

# A program under ThreadSanitizer, as docs/platforms.md prints it.
thread_as_printed() {
    $make lib SANITIZE=thread && fresh build/printed-thread build/embedded-thread &&
        cd "build/printed-thread/signalkit-$version" && scripts/docrun.py shell docs/platforms.md "$toolchain/bin"
}

# The archives do not contain the path of the build: another folder gives the same bytes.
reproducible() {
    local here=$PWD/build/elsewhere/here there=$PWD/build/elsewhere/there target tells file
    target=$(uname -m)-linux-gnu
    $make lib companions && $make lib static FFI=static || return 1
    tells=$(grep -lF "$PWD" build/embedded{,-ffi-static}/lib/* build/embedded{,-ffi-static}/obj/*.{debug,o})
    [ -z "$tells" ] || { echo "tells where it was built: $tells"; return 1; }
    rm -rf build/elsewhere && mkdir -p "$there" &&
        git ls-files -z --deduplicate | xargs -0 cp -P --parents -t "$there" &&
        git -C "$there" init -q && git -C "$there" add -A || return 1
    export SOURCE_DATE_EPOCH=1767312000
    scripts/dist.sh "$here" "$version" "$target" && cd "$there" && scripts/dist.sh build/dist "$version" "$target" &&
        make --no-print-directory companions FFI=static && cd "$OLDPWD" || return 1
    sha256sum "$here"/*.tar.gz && diff -r "$here" "$there/build/dist" || return 1
    for file in obj/signalkit.o $(cd build/embedded && echo lib/libsignalkit-*.so); do
        cmp "build/embedded/$file" "$there/build/embedded-ffi-static/$file" || return 1
    done
}

# FetchContent of the sources: `make` builds them, here with products that are already built.
fetched_by_cmake() {
    local place=$PWD/build/fetched
    $make lib static && fresh "$place" build/embedded || return 1
    stranger_by_cmake "$place/cmake" -DFETCHED=nowhere \
        -DFETCHCONTENT_SOURCE_DIR_SIGNALKIT="$place/signalkit-$version" || return 1
    # Files that are up to date are not built again.
    touch "$place/now" && cmake --build "$place/cmake" && [ -z "$(find "$place/cmake/shared" -newer "$place/now")" ]
}

versions() { scripts/versions.sh "$version"; }

# In a separate clone: a release that is not ready is rejected; a second build gives the same archives; programs use
# them.
release() {
    [ "$(uname -m)" = x86_64 ] || { echo "skipped: only for x86-64" && return; }
    with_packages abigail-tools on_aarch64 on_musl release_made
}
release_made() {
    local clone=$PWD/build/release/signalkit-$version said sums
    local make_there="make --no-print-directory -C $clone"
    local git="git -C $clone -c user.name=- -c user.email=- -c commit.gpgsign=no"
    $make lib static FFI=static && $make lib static FFI=static CROSS=$aarch64 || return 1
    fresh build/release build/embedded-ffi-static build/$aarch64-embedded-ffi-static $musl_build || return 1
    ln -s "$PWD/build/sysroot" "$clone/build/"
    [ ! -x build/wheel-tools/bin/python ] || ln -s "$PWD/build/wheel-tools" "$clone/build/"
    sed -i -E "s/^## $version \(.*\)/## $version (unreleased)/" "$clone/CHANGELOG.md" # as it was before its own
    $git init -q && $git add -A && $git commit -q -m sources || return 1
    refused() { ! said=$($make_there release TESTED=yes 2>&1) && grep "^$1" <<<"$said"; }
    refused "CHANGELOG.md does not say when $version was released" || return 1
    sed -i "s/^## $version (unreleased)/## $version (2026-01-02)/" "$clone/CHANGELOG.md"
    refused 'What is not committed is not released' || return 1
    $git commit -q -a -m date && $make_there release TESTED=yes || return 1
    (cd "$clone/build/dist" && sha256sum -c SHA256SUMS && grep "^## $version (2026-01-02)" NOTES.md && ls -- *.whl) ||
        return 1
    sums=$(grep "  signalkit-.*tar.gz" "$clone/build/dist/SHA256SUMS")
    touch "$clone/README.md" && (umask 077 && $make_there dist) &&
        diff <(echo "$sums") "$clone/build/dist/SHA256SUMS" || { echo "made again, the archives differ"; return 1; }

    archive_used $aarch64 emulated "$clang" $aarch64_flags -fuse-ld=lld &&
        archive_used $musl env musl-gcc && archive_used x86_64-linux-gnu env cc || return 1
    stranger_by_cmake build/release/cmake -DFETCHED="$clone/build/dist/signalkit-$version-x86_64-linux-gnu.tar.gz" &&
        cd "build/release/x86_64-linux-gnu" && "$OLDPWD/scripts/docrun.py" shell README.md
}
# archive_used TARGET RUNNER COMPILER…: by a program that is linked with it, and by a static one.
archive_used() {
    local place=$PWD/build/release/$1 linked
    mkdir "$place" && tar -xf "$clone/build/dist/signalkit-$version-$1.tar.gz" --strip-components=1 -C "$place" &&
        ls "$place"/{CMakeLists.txt,README.md,lib/.debug,share/doc/signalkit/{LICENSE,NOTICE},share/man/man3} &&
        [ "$("$2" "$place/bin/sgk-top" --version)" = "sgk-top $version" ] &&
        [ -z "$(needed_by "$place/bin/sgk-top")" ] || return 1
    for linked in "" -static; do
        "${@:3}" -std=c11 Tests/install/stranger.c -o "$place/stranger" $linked \
            $(PKG_CONFIG_PATH=$place/lib/pkgconfig pkg-config ${linked:+--static} --cflags --libs signalkit) &&
            LD_LIBRARY_PATH=$place/lib "$2" "$place/stranger" || return 1
    done
}

# Debian's packages: built, looked at, installed on another machine, used, and removed.
debian_packages() { with_packages "debhelper dh-python elfutils lintian python3-sphinx" debian_made; }
debian_made() {
    local place=$PWD/build/debian
    $make lib static && fresh "$place" build/embedded || return 1
    [ ! -e build/docs/html/index.html ] || # also package the site; `make docs` holds the lock
        flock build/make.lock cp -r --parents build/docs/html "$place/signalkit-$version" || return 1
    (cd "$place/signalkit-$version" && git init -q && git add -A && dpkg-buildpackage -us -uc -b) || return 1
    ! git -C "$place/signalkit-$version" status --porcelain | grep '^??' || { echo "left in the sources"; return 1; }
    # (There is no report in Debian's tracker that asks for the packages, which a first upload would close.)
    lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs --allow-root "$place"/*.changes ||
        return 1
    on_other_machine Tests/install/debian.sh "$place"
}

core+=(versions)
steps+=(as_printed thread_as_printed fetched_by_cmake)
long+=(reproducible release debian_packages)
