# Setting up a bare machine: one line at the start names all missing packages.

# prints PATTERN COMMAND…: the command fails, and its output, which stays in $said, matches the pattern.
prints() {
    if said=$("${@:2}" 2>&1) || ! grep -- "$1" <<<"$said" >/dev/null; then
        echo "\"$1\" is not printed by ${*:2}: $said" && return 1
    fi
}
# program_of FILE: writes a program, which the standard input contains.
program_of() { mkdir -p "$(dirname "$1")" && cat >"$1" && chmod +x "$1"; }

# A toolchain whose own libraries are missing: its output, and the packages.
toolchain_without_libraries() {
    local place=$PWD/build/setup/toolchain said
    rm -rf "$place" && program_of "$place/swiftc" <<'END' || return 1
#!/bin/sh
echo "$0: error while loading shared libraries: libncurses.so.6: cannot open shared object file: No such file" >&2
exit 127
END
    prints "swiftc: error while loading shared libraries: libncurses.so.6" scripts/toolchain.sh "$place/swiftc" any &&
        prints "    sudo apt-get install libncurses6" scripts/toolchain.sh "$place/swiftc" any || return 1
    # The loader names one missing library, and the script finds all of them.
    mkdir "$place/real" && cd "$place/real" || return 1
    echo 'int x;' | tee a.c >b.c && echo 'extern int x; int main(void) { return x; }' >main.c &&
        cc -shared -fPIC -Wl,-soname,libz9.so.4 a.c -o libz9.so.4 &&
        cc -shared -fPIC -Wl,-soname,libxml2.so.99 b.c -o libxml2.so.99 &&
        cc main.c -Wl,--no-as-needed ./libz9.so.4 ./libxml2.so.99 -o swiftc || return 1
    rm lib* && cd "$OLDPWD" || return 1
    prints "    sudo apt-get install libxml2 libz9-4" scripts/toolchain.sh "$place/real/swiftc" any || return 1
    program_of "$place/swiftc" <<<$'#!/bin/sh\necho broken; exit 1' &&
        prints "    broken" scripts/toolchain.sh "$place/swiftc" any && ! grep apt-get <<<"$said" || return 1
    program_of "$place/swiftc" <<<$'#!/bin/sh' && prints "does not say" scripts/toolchain.sh "$place/swiftc" any
}

# `make dist` and `make wheel` without some packages: as root they install them, before anything is built.
packages_are_checked_first() {
    local place=$PWD/build/setup/packages said
    rm -rf "$place" && mkdir -p "$place/bin" && ln -s /usr/bin/* "$place/bin/" 2>/dev/null
    rm -f "$place"/bin/{git,id,apt-get,musl-gcc,python3,objcopy}
    program_of "$place/bin/python3" <<<$'#!/bin/sh\nexit 1'
    program_of "$place/bin/id" <<<$'#!/bin/sh\necho $OWN_ID'
    program_of "$place/bin/apt-get" <<<$'#!/bin/sh\necho "apt-get $*"\n[ "$1" = update ]'
    export PATH=$place/bin:$toolchain/bin OWN_ID=1000
    prints "    sudo apt-get install binutils git .*musl-tools" make --no-print-directory dist &&
        ! grep -E '^  (CC|SWIFT|DIST)' <<<"$said" &&
        prints "    sudo apt-get install binutils python3-venv" make --no-print-directory wheel &&
        ! grep -E '^  (CC|SWIFT)' <<<"$said" || { echo "$said"; return 1; }
    OWN_ID=0 prints "apt-get install -y --no-install-recommends binutils git .*musl-tools" \
        make --no-print-directory dist
}

# The environment in which wheels are built is made again if it is broken; PyPI is blamed if it is the reason.
wheel_tools() {
    local place=$PWD/build/setup/wheel said
    rm -rf "$place" && mkdir -p "$place/scripts" && cp scripts/wheel.sh "$place/scripts/" || return 1
    program_of "$place/bin/python3" <<'END'
#!/bin/sh
mkdir -p "$3/bin" && cp "$PYTHON" "$3/bin/python" && $VENV
END
    program_of "$place/broken" <<<$'#!/bin/sh\nexit 1'
    program_of "$place/pip" <<<$'#!/bin/sh\n[ "$3" = --version ] && exit\necho "$PIP"; exit 1'
    export PATH=$place/bin:$PATH PYTHON=$place/broken VENV=false PIP=
    prints "" "$place/scripts/wheel.sh" x y && ! grep PyPI <<<"$said" && [ ! -e "$place/build/wheel-tools" ] || return 1
    # One that an interrupted call has left.
    mkdir -p "$place/build/wheel-tools/bin" && cp "$place/broken" "$place/build/wheel-tools/bin/python" || return 1
    export PYTHON=$place/pip VENV=true PIP="No space left on device"
    prints "$PIP" "$place/scripts/wheel.sh" x y && ! grep PyPI <<<"$said" || return 1
    PIP="WARNING: Retrying after connection broken by 'NewConnectionError'"
    prints "PyPI must be reachable" "$place/scripts/wheel.sh" x y
}
# Hosted CI and the container file use one toolchain, which is the tested one, and call targets of the Makefile.
# `make setup-all` installs their packages, so that only scripts/deps.sh lists them.
hosted_runs() {
    local files=(Containerfile .github/workflows/tests.yml) images targets target known file
    images=$(grep -hoE 'swift:[0-9][^ ]*' "${files[@]}" | sort -u)
    [ "$images" = "swift:$(swiftc --version 2>/dev/null | sed -nE 's/.*Swift version ([0-9.]+).*/\1/p')-bookworm" ] ||
        { echo "other toolchains:" $images && return 1; }
    for file in "${files[@]}"; do
        grep 'make setup-all' "$file" >/dev/null || { echo "$file does not install the packages" && return 1; }
        ! sed -nE 's/.*apt-get install -y --no-install-recommends ([a-z0-9 -]+)( &&.*)?$/\1/p' "$file" |
            grep -vxE 'git make ?' || { echo "$file: packages that scripts/deps.sh should list" && return 1; }
    done
    targets=$(sed 's/#.*//' "${files[@]}" .ci/run | grep -oE 'make [a-z]+(-[a-z]+)*|"test[a-z-]*"' | grep -v 'make &&' |
        sed -E 's/make //; s/"//g' | sort -u)
    known=$(make --no-print-directory -qpRr 2>/dev/null | sed -n 's/^[.]PHONY://p')
    for target in $targets; do
        [[ $known\  = *" $target "* ]] || { echo "no target: $target" && return 1; }
    done
    [ "$(wc -w <<<"$targets")" -ge 4 ] || { echo "only these targets: $targets" && return 1; }
    /usr/bin/python3 -c 'import sys, yaml; [yaml.safe_load(open(file)) for file in sys.argv[1:]]' \
        .github/workflows/*.yml .github/ISSUE_TEMPLATE/*.yml .pre-commit-config.yaml
}

steps+=(hosted_runs toolchain_without_libraries packages_are_checked_first wheel_tools)
