#!/bin/sh
# Makes functions small that no event passes through: changes the LLVM IR of the Swift compiler in place.
#   cold_code.sh FILE.ll
# A function is hot if scripts/hot_code.txt names it, if its name contains `next` or `receive`, or if it is not Swift
# code, unless that file names it after `-`. All others are cold:
# - They get frame pointers, whose unwind tables have fewer rows. Each `push` of another function is a row.
# - Clang may replace instructions that several of them have by a call (its outliner). Hot functions get `nooutline`.
# - They call a function that retains an object. The compiler writes its body at each place: 20 bytes instead of 8.
#   The function changes no register (`preserve_mostcc`), so that the places need not save any.
# Prints the counts, and names of the list without a function. Fails, and leaves the file alone, if it finds no place
# that retains: then the compiler writes another form than this program knows.
set -eu
[ $# = 1 ] || { sed -n '2,/^set/{s/^# //p}' "$0" >&2 && exit 2; }

trap 'rm -f "$1.changed"' EXIT
awk -v made="$1.changed" '
# ---- Which functions are hot ----

FNR == NR {
    if ($0 !~ /^#/) listed[$1]
    if ($1 ~ /^0/) abbreviated[$1]
    if ($1 ~ /^-/) rare[substr($1, 2)]
    next
}
function is_hot(name,   count, prefix) {
    for (prefix in rare) if (index(name, "$e9SignalKit" prefix) == 1) { seen["-" prefix]; return 0 }
    if (name !~ /^\$/ || name ~ /^\$es17swift_|4next|_next|7receive/) return 1
    if (!sub(/^\$e9SignalKit/, "", name)) return 0
    for (prefix in abbreviated) if (index(name, prefix) == 1) return seen[prefix] = 1
    match(name, /^[0-9]*/)
    count = substr(name, 1, RLENGTH)
    prefix = count substr(name, RLENGTH + 1, count)
    return (prefix in listed) && (seen[prefix] = 1)
}

# ---- Cold functions ----

# The name that the place of an instruction gives to its result, without the rest of the line.
function result(text) { sub(/^  /, "", text); sub(/ = .*/, "", text); return text }

# Whether the block that begins at a line is the body of `swift_retain`:
#     PLACE = getelementptr inbounds nuw i8, ptr OBJECT, i64 8
#     COUNT = load atomic i64, ptr PLACE monotonic, align 8
#     VALUE = and i64 COUNT, 9223372036854775807
#     EQUAL = icmp eq i64 VALUE, 9223372036854775807
#     br i1 EQUAL, label …
# The next block adds one to the count.
function retains(at) {
    return line[at] ~ / = getelementptr inbounds nuw i8, ptr [^ ]+, i64 8(,|$)/ && \
        index(line[at + 1], " = load atomic i64, ptr " result(line[at]) " monotonic, align 8") && \
        index(line[at + 2], " = and i64 " result(line[at + 1]) ", 9223372036854775807") && \
        index(line[at + 3], " = icmp eq i64 " result(line[at + 2]) ", 9223372036854775807") && \
        index(line[at + 4], "  br i1 " result(line[at + 3]) ", label ") == 1
}
# The function that is called tests the object itself. So a test that leads to such a block, or to the block behind it,
# needs not be made, unless the latter has a value for each way (`phi`). The block that adds one is never reached.
function shorten(   at, first, label, word, object, tested, behind, chooses) {
    for (at = 2; at <= lines; at++) {
        if (line[at - 1] ~ /^[^ ]+:/) {
            label = line[at - 1]
            sub(/:.*/, "", label)
            first = at
            if (line[at] ~ / = phi /) chooses[label]
        }
        if (!retains(at)) continue
        split(line[at], word, /[ ,]+/)
        object = word[9]
        line[at + 1] = "  call preserve_mostcc void @sgk_support_retain(ptr " object ")" \
            substr(line[at], match(line[at], /, !dbg|$/))
        line[at + 2] = line[at + 3] = ""
        sub(/br i1 [^,]+/, "br i1 true", line[at + 4])
        calls++
        split(line[at + 4], word, /[ ,]+/)
        behind[label] = word[6]
        if (first == at) tested[label] = "ptr " object ", null"
        else if (first == at - 1 && split(line[first], word, /[ ,]+/) && word[2] == object && word[4] == "inttoptr")
            tested[label] = "i64 " word[6] ", 0"
    }
    for (at = 2; at < lines; at++) {
        if (line[at] !~ / = icmp sgt /) continue
        split(line[at + 1], word, /[ ,]+/)
        label = substr(word[6], 2)
        if (word[4] == result(line[at]) && (label in tested) && index(line[at], " = icmp sgt " tested[label]) && \
                word[8] == behind[label] && !(substr(word[8], 2) in chooses)) {
            sub(/br i1 [^,]+/, "br i1 true", line[at + 1])
            tests++
        }
    }
}

/^define / {
    match($0, /@"?[^"(]+/)
    name = substr($0, RSTART + 1, RLENGTH - 1)
    sub(/^"/, "", name)
    lines = 0
    inside = 1
    is_cold = !is_hot(name) && match($0, / #[0-9]+( |$)/)
    if (is_cold) {
        cold++
        $0 = substr($0, 1, RSTART + 1) "1000" substr($0, RSTART + 2)
    } else hot++
}
inside { line[++lines] = $0 }
/^}/ && inside {
    inside = 0
    if (is_cold) shorten()
    for (at = 1; at <= lines; at++) if (line[at] != "") print line[at] >made
    if (name == "swift_retain") {
        sub(/^define .*\(/, "define internal preserve_mostcc void @sgk_support_retain(", line[1])
        sub(/ returned /, " ", line[1])
        for (at = 1; at <= lines; at++) {
            gsub(/,? !dbg ![0-9]+/, "", line[at])
            sub(/ret ptr .*/, "ret void", line[at])
            print line[at] >made
        }
        copied = 1
    }
    next
}
inside { next }
# Attributes come after all functions. A cold function has the same as before, with another number.
/^attributes #[0-9]+ = [{]/ {
    few = all = $0
    sub(/ [}]$/, " \"nooutline\" }", few)
    print few >made
    sub(/^attributes #/, "&1000", all)
    sub(/ [}]$/, " \"frame-pointer\"=\"non-leaf\" }", all)
    print all >made
    next
}
{ print >made }
END {
    if (cold == 0 || calls == 0 || tests == 0 || !copied) {
        printf "%s: %d cold functions retain in %d places; the compiler has changed its output\n",
            FILENAME, cold, calls >"/dev/stderr"
        exit 1
    }
    print cold " cold and " hot " hot functions, " calls " calls, " tests " tests"
    for (prefix in listed) if (!(prefix in seen)) print "no function: " prefix
}' "$(dirname "$0")/hot_code.txt" "$1"
mv "$1.changed" "$1"
