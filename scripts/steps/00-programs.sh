# How the steps make programs: those of the tests, and those of strangers, who have nothing but what is installed.

# What they are made for: a build of the library, the kind of code that belongs to it, and the flags of that.
build=$embedded kind=plain flags=

declare -A instrumented=([address]="-fsanitize=address,undefined -fno-sanitize-recover=undefined")
# The runtime of this sanitizer asks for parts of libdispatch, which nothing here uses.
instrumented[thread]="-fsanitize=thread -Wno-unused-command-line-argument $(printf " -Wl,--defsym=%s=0" \
    dispatch_queue_offsets dispatch_{retain,release,get_context,group_enter} _dispatch_data_destructor_{free,munmap} \
    _NSConcrete{Stack,Global}Block _Block_{copy,release,object_dispose,object_assign})"
# under address|thread COMMAND…: with that build, and what the command makes is for it.
under() {
    local build=$embedded-$1 kind=$1 flags=${instrumented[$1]}
    $make lib SANITIZE="$1" && ASAN_OPTIONS=detect_leaks=1 "${@:2}"
}
# Its usual scheduler lets a thread that never waits keep all others from running.
valgrind="valgrind -q --fair-sched=yes --error-exitcode=9 --leak-check=full
    --errors-for-leak-kinds=definite,indirect"

c_flags="-std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -gdwarf-4 -Iinclude" # valgrind 3.19 does not know DWARF 5
cpp_warnings="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
with_library() { echo "-L$build/lib ${LIBRARY:--lsignalkit} -lpthread -Wl,-rpath,$PWD/$build/lib"; }

# c_program PATH SOURCE… FLAG…: leaves the path in $made.
c_program() {
    made=$1
    mkdir -p "$(dirname "$made")" && "$clang" -fuse-ld=lld $c_flags "${@:2}" -lpthread -o "$made"
}
# program SOURCE FLAG…: linked with the library. In the build it has the place that its source has here.
program() { c_program "$build/${1%.c}" "$1" $(with_library) $flags "${@:2}"; }

# objects DIRECTORY SOURCES COMPILER FLAGS…: compiles a folder of sources, unless nothing has changed since; for all
# programs that want the same code.
objects() (
    made=$1 sources=$2
    shift 2
    mkdir -p "$(dirname "$made")" && exec 9>"$made.lock" && flock 9 || exit 1
    [ -e "$made/done" ] && [ -z "$(find "$sources" include scripts/steps -newer "$made/done")" ] && exit
    rm -rf "$made" && mkdir -p "$made" && touch "$made/begun" &&
        find "$sources" -name '*.c' -o -name '*.cpp' | xargs -P"$(nproc)" -I% sh -c \
            'source=$1 made=$2; shift 2; "$@" -c "$source" -o "$made/$(basename "$source").o"' - % "$made" "$@" &&
        mv "$made/begun" "$made/done"
)

# The library, installed in build/prefix for whoever uses it as a stranger would, unless it is there already.
installed() (
    exec 9>build/prefix.lock && flock 9 && $make lib static || exit 1
    stamp=build/prefix/done
    [ -e $stamp ] && [ -z "$(find build/embedded/lib include pkgconfig tools Makefile -newer $stamp)" ] && exit
    rm -f $stamp && $make install PREFIX="$PWD/build/prefix" && touch $stamp
)
# What pkg-config says of the library that is installed, and of PACKAGE…
linked_with_installed() {
    echo "$(pkg-config --cflags --libs signalkit "$@") -lpthread" \
        "-Wl,-rpath,$(realpath "$(pkg-config --variable=libdir signalkit)")"
}
# stranger SOURCE PACKAGE…: compiled without anything of this house, strictly. Leaves its path in $made.
stranger() {
    made=build/strangers/${1%.c}
    mkdir -p "$(dirname "$made")" && cc -std=c11 -O2 -Wall -Wextra -Wpedantic -Wconversion -Werror "$1" -o "$made" \
        $(linked_with_installed "${@:2}")
}
