# Callbacks of real libraries as signals.

library_example() { # name, packages…
    local name=$1
    shift
    installed || return 1
    mkdir -p build/libraries
    cc -std=c11 -O2 -Wall -Wextra -Wpedantic -Wno-cast-function-type -Werror "examples/c/libraries/$name.c" -o "build/libraries/$name" \
        $(pkg-config --cflags --libs signalkit "$@") -lpthread -Wl,-rpath,"$PWD/build/prefix/lib" || return 1
    "build/libraries/$name" >"build/libraries/$name.log" || return 1
    cat "build/libraries/$name.log"
    grep -q 'Objects left alive: 0' "build/libraries/$name.log"
}
sqlite_changes() { library_example changes sqlite3; }
standard_callbacks() { library_example standard; }
curl_and_expat() { library_example feed libcurl expat; }

steps+=(sqlite_changes standard_callbacks curl_and_expat)
