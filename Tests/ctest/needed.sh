#!/bin/sh
# Prints the targets that write the lists of the tests whose names match an extended regular expression: needed.sh REGEX
# It reads the names in the sources. `needed.sh --names` prints what it takes for names: the tests, and more.
cd "$(dirname "$0")/.." || exit 1
# all_of TARGET: the names of its tests, and perhaps more.
all_of() {
    case $1 in
    c_*) group C c 's/.*static void (\w+)\(void \*\*.*/\1/p' ;;
    cpp_plain) group Cpp cpp 's/.*\<test\("([^"]*)".*/\1/p' ;;
    swift)
        for file in $(find S*Tests -name '*.swift'); do
            module=${file%%/*}.
            for suite in $(sed -nE 's/.*\<(struct|class|extension) (\w+).*/\2/p' "$file"); do
                echo "${module#SignalKitTests.}$suite"
                sed -nE "s/.*\<func \`?(\w+).*/${module#SignalKitTests.}$suite.\1/p" "$file"
            done
        done
        ;;
    esac | sed "s/[^A-Za-z0-9_.]/_/g; s/^/$1./"
}
group() {
    for file in "$1"/*."$2"; do sed -nE "$3" "$file" | sed "s/^/$(basename "$file" ".$2")./"; done
}
for target in c_plain c_address cpp_plain swift; do
    if [ "$1" = --names ]; then all_of $target
    elif all_of $target | grep -E -- "$1" >/dev/null; then echo ${target}_list; fi
done
