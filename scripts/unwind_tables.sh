#!/bin/sh
# Adds unwind tables to the output of the Swift compiler, because Embedded Swift has no option for them. Changes a file
# in place.
#   unwind_tables.sh ir FILE.ll   gives each function the attribute `uwtable`, and removes `minsize` for x86-64, where
#                                 it makes the tables larger than the code smaller: it pushes and pops constants
#   unwind_tables.sh asm FILE.s   gives each unwind table the personality of Sources/SignalKitABI/Support/unwinding.c
# Prints the number of functions. Fails, and leaves the file alone, if a function would have no table, or if the file
# contains no function: then the compiler writes another form than this program knows.
set -eu

case ${1:-} in
ir) change='
    # A function names its attributes by a number. The attributes come after all functions.
    /^define / {
        functions++
        if (match($0, / #[0-9]+( |$)/)) {
            number = substr($0, RSTART + 1, RLENGTH - 1)
            sub(/ /, "", number)
            uses[number]++
        }
    }
    /^target triple = "x86_64-/ { pushes = 1 }
    pushes && /^attributes #[0-9]+ = [{]/ { sub(/ minsize/, "") }
    /^attributes #[0-9]+ = [{]/ && sub(/ nounwind/, "& uwtable") && ($2 in uses) { changed += uses[$2] }
    { print >made }' ;;
asm) change='
    /^\.Lfunc_end[0-9]+:$/ { functions++ }
    { print >made }
    /^\t\.cfi_startproc$/ { changed++; print "\t.cfi_personality 0x1b, sgk_support_personality" >made }' ;;
*) sed -n '2,/^set/{s/^# //p}' "$0" >&2 && exit 2 ;;
esac

trap 'rm -f "$2.changed"' EXIT
awk -v made="$2.changed" "$change"'
    END {
        if (functions == 0 || functions != changed) {
            printf "%s: %d of %d functions get an unwind table; the compiler has changed its output\n",
                FILENAME, changed, functions >"/dev/stderr"
            exit 1
        }
        print functions " functions"
    }' "$2"
mv "$2.changed" "$2"
