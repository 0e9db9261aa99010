# Callbacks of real libraries as signals.

library_example() { # NAME PACKAGE…
    installed && stranger "examples/c/libraries/$1.c" "${@:2}" && "$made" >"$made.log" || return 1
    cat "$made.log"
    grep -q 'Objects left alive: 0' "$made.log"
}
sqlite_changes() { library_example changes sqlite3; }
standard_callbacks() { library_example standard; }
curl_and_expat() { library_example feed libcurl expat; }

core+=(standard_callbacks)
steps+=(sqlite_changes curl_and_expat)
