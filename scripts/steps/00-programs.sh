# Functions that build programs: tests, and programs of users, which use only installed files.

# The present build of the library, the kind of its code, and the flags of that kind.
build=$embedded kind=plain flags=

declare -A instrumented=([address]="-fsanitize=address,undefined -fno-sanitize-recover=undefined")
# The runtime of this sanitizer asks for parts of libdispatch, which nothing here uses.
instrumented[thread]="-fsanitize=thread -Wno-unused-command-line-argument $(printf " -Wl,--defsym=%s=0" \
    dispatch_queue_offsets dispatch_{retain,release,get_context,group_enter} _dispatch_data_destructor_{free,munmap} \
    _NSConcrete{Stack,Global}Block _Block_{copy,release,object_dispose,object_assign})"
# under address|thread COMMAND…: runs the command for the build with that sanitizer.
under() {
    local build=$embedded-$1 kind=$1 flags=${instrumented[$1]}
    $make lib SANITIZE="$1" && ASAN_OPTIONS=detect_leaks=1 "${@:2}"
}
# Its usual scheduler lets a thread that never waits keep all others from running.
valgrind="valgrind -q --fair-sched=yes --error-exitcode=9 --leak-check=full
    --errors-for-leak-kinds=definite,indirect"

c_flags="-std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -gdwarf-4 -Iinclude" # valgrind 3.19 does not know DWARF 5
cpp_warnings="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
# (By its path: `-lsignalkit` would find an installed library if the build had none.)
with_library() { echo "${LIBRARY:-$build/lib/libsignalkit.so} -lpthread -Wl,-rpath,$PWD/$build/lib"; }

# c_program PATH SOURCE… FLAG…: leaves the path in $made.
c_program() {
    made=$1
    mkdir -p "$(dirname "$made")" && "$clang" -fuse-ld=lld $c_flags "${@:2}" -lpthread -o "$made"
}
# program SOURCE FLAG…: linked with the library. In the build it has the place that its source has here.
program() { c_program "$build/${1%.c}" "$1" $(with_library) $flags "${@:2}"; }

# Without debug information `swift build` takes less time.
swift_quick="-debug-info-format none"

# made_of "PLACE…" TEXT…: prints the inputs of a product: the names of all files in these places, the text, the
# compilers.
made_of() { find $1 -type f ! -name '*.pyc' | LC_ALL=C sort && printf '%s\n' "${@:2}" "$("$clang" --version)"; }
# up_to_date STAMP "PLACE…" TEXT…: the stamp holds what `made_of` prints, and is newer than all these files.
up_to_date() { cmp -s "$1" <(made_of "${@:2}") && [ -z "$(find $2 -type f ! -name '*.pyc' -newer "$1")" ]; }

# objects DIRECTORY SOURCES COMPILER FLAGS…: compiles a folder of sources, unless it is up to date. All programs with
# the same code share the objects.
objects() (
    made=$1 sources=$2 places="$2 include scripts/steps Tests/cmocka"
    shift 2
    mkdir -p "$(dirname "$made")" && exec 9>"$made.lock" && flock 9 || exit 1
    up_to_date "$made/done" "$places" "$@" && exit
    rm -rf "$made" && mkdir -p "$made" && made_of "$places" "$@" >"$made/begun" &&
        find "$sources" -name '*.c' -o -name '*.cpp' | xargs -P"$(nproc)" -I% sh -c \
            'source=$1 made=$2; shift 2; "$@" -c "$source" -o "$made/$(basename "$source").o"' - % "$made" "$@" &&
        mv "$made/begun" "$made/done"
)

# Installs the library in build/prefix, unless it is up to date there.
installed() (
    exec 9>build/prefix.lock && flock 9 && $make lib static || exit 1
    stamp=build/prefix/done
    places="$embedded/lib include pkgconfig companions tools docs examples Makefile make scripts/man_pages.py
        bindings/api.json scripts/sources.py README.md CHANGELOG.md LICENSE NOTICE"
    up_to_date $stamp "$places" && exit
    rm -f $stamp && made_of "$places" >build/prefix.begun && $make install PREFIX="$PWD/build/prefix" &&
        mv build/prefix.begun $stamp
)
# Prints pkg-config's flags for the installed library and PACKAGE…
linked_with_installed() {
    echo "$(pkg-config --cflags --libs signalkit "$@") -lpthread" \
        "-Wl,-rpath,$(realpath "$(pkg-config --variable=libdir signalkit)")"
}
# random_pipelines COMMAND…: compares what it does with random pipelines with a model. PIPELINES is how many, SEED
# chooses them.
random_pipelines() { Tests/random/pipelines.py "${SEED:-1}" "${PIPELINES:-5000}" "$@"; }
# must_fail MESSAGE COMMAND…: the command fails, and prints the message. (A program that cannot start also fails.)
must_fail() {
    local said
    if said=$("${@:2}" 2>&1); then echo "no error: ${*:2}" && return 1; fi
    grep -F -- "$1" <<<"$said" >/dev/null || { printf '%s does not say "%s":\n%s\n' "$2" "$1" "$said" && return 1; }
}
# stranger SOURCE PACKAGE…: compiled without anything of this house, strictly. Leaves its path in $made.
stranger() {
    made=build/strangers/${1%.c}
    mkdir -p "$(dirname "$made")" && cc -std=c11 -O2 -Wall -Wextra -Wpedantic -Wconversion -Werror "$1" -o "$made" \
        $(linked_with_installed "${@:2}")
}
