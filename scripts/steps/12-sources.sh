# Checks of the sources and texts: unsafe parts of the language, layers, English, mutations, a defect of the compiler.

unsafe_parts() { scripts/unsafe.py; }
line_lengths() { scripts/lines.py; }
c_format() { # of the files that no program writes
    python_environment && git ls-files -z '*.[ch]' '*.cpp' '*.hpp' ':!Tests/C/misuse_made.c' ':!bindings/go/entries.*' |
        xargs -0 build/python/bin/clang-format --dry-run -Werror
}
swift_format() { git ls-files -z "*.swift" | xargs -0 swift-format lint --strict --parallel; }
floors() { scripts/floors.py; }
# A file with one bad and one good sentence shows that the script finds a bad sentence only.
plain_english() {
    echo "What comes then goes by the policy. The policy decides." >build/planted.md
    [ "$(scripts/english.py build/planted.md | wc -l)" = 1 ] || { echo "the planted sentence is not found"; return 1; }
    scripts/english.py
}
spelling() { with_packages codespell eval 'git ls-files -z | xargs -0 codespell -D - -D scripts/spelling.txt'; }
mutations_apply() { scripts/mutate.py --check; }
# Of the changes that tests must see an eighth, as all of them take long: `SWIFT=1 scripts/mutate.py`.
mutants() { SWIFT=1 EVERY=8 scripts/mutate.py; }
# Reports when the compiler's defect is fixed, so that the classes need not be generic.
compiler_defects() {
    local made=build/compiler options="-Onone -wmo -parse-as-library -enable-experimental-feature Embedded"
    mkdir -p $made
    swiftc $options -D GENERIC Tests/compiler/override.swift -o $made/generic &&
        swiftc $options Tests/compiler/override.swift -o $made/plain || return 1
    [ "$($made/generic)" = 30 ] || { echo "not even the generic class is called rightly"; return 1; }
    if [ "$($made/plain 2>/dev/null)" = 30 ]; then
        echo "skipped: the compiler has been mended, the generics <Unused> can go"
    fi
}

core+=(unsafe_parts line_lengths swift_format mutations_apply)
steps+=(c_format floors spelling plain_english compiler_defects)
long+=(mutants)
limits[mutants]=3600
