# The C++ suite.

cpp_suite() { # FLAGS…
    objects "build/cpp_suite/$kind" Tests/Cpp "$clang++" -std=c++17 $cpp_warnings -g -Iinclude $flags "$@" &&
        "$clang++" -fuse-ld=lld build/cpp_suite/$kind/*.o -o "build/cpp_suite/$step" $(with_library) $flags &&
        ${INSTRUMENT:-} "build/cpp_suite/$step"
}
cpp_address() { under address cpp_suite; }
cpp_thread() { under thread cpp_suite -DSGK_TSAN; }
# The interface for C++20, with both compilers.
cpp_coroutines() {
    local llvm="$clang++ -fuse-ld=lld"
    $make lib && coroutines g++ && coroutines "$llvm" && under address coroutines "$llvm" &&
        under thread coroutines "$llvm"
}
coroutines() { # COMPILER
    local made=build/coroutines/$kind
    mkdir -p build/coroutines && $1 -std=c++20 $cpp_warnings -g -DONLY=coroutines -Iinclude $flags Tests/Cpp/main.cpp \
        Tests/Cpp/coroutines.cpp -o "$made" $(with_library) && "$made"
}
# All pairs of fused stages. (The suite has some, Tests/Cpp/fusion.cpp.)
cpp_pairs() {
    local made=build/cpp_pairs
    $make lib && "$clang++" -fuse-ld=lld -std=c++17 $cpp_warnings -DALL_PAIRS -DONLY=fusion -Iinclude \
        Tests/Cpp/main.cpp Tests/Cpp/fusion.cpp -o $made $(with_library) && $made
}
# Random pipelines, by the headers and by a model. The headers call the C functions, so there is no program in C.
random_cpp() { $make lib && random_in_cpp; }
random_in_cpp() {
    made=$build/Tests/random/pipelines_cpp
    mkdir -p "$(dirname "$made")" &&
        "$clang++" -fuse-ld=lld -std=c++17 $cpp_warnings -g -Iinclude $flags Tests/random/pipelines.cpp -o "$made" \
            $(with_library) && random_pipelines "$made"
}
random_cpp_address() { PIPELINES=${PIPELINES:-1000} under address random_in_cpp; }
# More pipelines than in the daily tests, and different ones, for the fast packages.
random_longer() {
    export SEED=2 PIPELINES=100000
    random_cpp && random_python && random_ruby && PIPELINES=10000 random_cpp_address
}
# Objects of one type in two shared objects of a process, which two compilers have made.
cpp_shared_objects() {
    local place=build/cpp_shared one
    mkdir -p $place && $make lib && for one in g++:maker $clang++:reader; do
        ${one%:*} -std=c++17 $cpp_warnings -Iinclude -fvisibility=hidden -fPIC -shared Tests/cpp_shared/${one#*:}.cpp \
            -o $place/lib${one#*:}.so $(with_library) || return 1
    done
    g++ -std=c++17 $cpp_warnings -Iinclude -fvisibility=hidden Tests/cpp_shared/main.cpp -o $place/main -L$place \
        -lmaker -lreader -Wl,-rpath,"$PWD/$place" $(with_library) && $place/main
}
# C++ has what C has.
cpp_face() { scripts/cpp_face.py; }
cpp_headers() {
    local header source
    mkdir -p build/headers
    {
        for header in include/signalkit.hpp include/signalkit/cpp/*.hpp; do # each compiles alone
            source=build/headers/$(basename "$header").cpp
            printf '%s\n' "#include \"${header#include/}\"" '#include "signalkit.hpp"' 'int use();' \
                'int use() { return sgk::value(3).as<int>(); }' >"$source"
            echo "g++ -std=c++17 $source"
        done
    } | understood
}
# All templates, used. (The suite itself is compiled by clang, as C++17.)
cpp_templates() {
    printf '%s Tests/Cpp/operators.cpp\n' "g++ -std=c++17" "g++ -std=c++23" "$clang++ -std=c++23" | understood
}
# The compiler's work grows in proportion to the number of stages, by at most 2,000 types for a stage (1,400 in 2026).
# The number of clang's types depends on no machine, unlike its time.
cpp_growth() {
    local none twenty forty
    none=$(types_for 0) && twenty=$(types_for 20) && forty=$(types_for 40) || return 1
    echo "clang's types: $none without stages, $twenty for 20, $forty for 40"
    [ $((twenty - none)) -gt 2000 ] && [ $((4 * (forty - twenty))) -le $((5 * (twenty - none))) ] &&
        [ $((forty - none)) -le 80000 ]
}
types_for() { # STAGES
    local stage types
    types=$({
        printf '%s\n' '#include <signalkit.hpp>' 'sgk::disposable use(const sgk::signal<int> &source);' \
            'sgk::disposable use(const sgk::signal<int> &source) { return (source'
        for stage in $(seq "$1"); do
            case $((stage % 4)) in
            0) echo "| sgk::filter([](int n) { return n > $stage; })" ;;
            1) echo "| sgk::map([](int n) { return n + $stage; })" ;;
            2) echo "| sgk::scan(0, [](int sum, int n) { return sum + n * $stage; })" ;;
            3) echo "| sgk::distinct_until_changed()" ;;
            esac
        done
        echo ').start([](int) {}); }'
    } | "$clang++" -std=c++17 $cpp_warnings -Iinclude -fsyntax-only -Xclang -print-stats -x c++ - 2>&1) ||
        { echo "$types" >&2; return 1; }
    sed -n 's/^ *\([0-9]*\) types total\.$/\1/p' <<<"$types"
}
understood() { xargs -P"$(nproc)" -I% sh -c "% $cpp_warnings -Iinclude -fsyntax-only"; }
# The headers, compiled once for many small programs. Their messages are the same.
precompiled() {
    local place=build/headers/$step
    rm -rf "$place" && mkdir -p "$place" && echo '#include <signalkit.hpp>' >"$place/all.hpp" || return 1
    by_gcc=(g++ -std=c++17 -Iinclude) by_clang=("$clang++" -std=c++17 -Iinclude)
    "${by_gcc[@]}" -x c++-header "$place/all.hpp" -o "$place/all.hpp.gch" &&
        "${by_clang[@]}" -x c++-header "$place/all.hpp" -o "$place/all.pch" || return 1
    by_gcc+=(-Werror=invalid-pch -include "$place/all.hpp") by_clang+=(-include-pch "$place/all.pch")
}
# each_compiler FUNCTION TEXT: calls it with the compiler and what this says about the program.
each_compiler() {
    "$1" g++ "$("${by_gcc[@]}" -fsyntax-only -x c++ - 2>&1 <<<"$2")" $? &&
        "$1" clang "$("${by_clang[@]}" -fsyntax-only -x c++ - 2>&1 <<<"$2")" $?
}
# The compiler reports a wrong function by one error of at most 20 lines, also if right functions follow.
cpp_errors() {
    precompiled && wrong "cannot be called with the elements" '| map([](const std::string &s) { return s.size(); })' &&
        wrong "cannot be called with the elements" '| map([](int64_t a, int64_t b) { return a + b; })' &&
        wrong "cannot be called with the elements" '| map(5)' &&
        wrong "returns nothing" '| map([](int64_t) {})' &&
        wrong "does not return a bool" '| filter([](int64_t) { return "yes"; })' &&
        wrong "does not return a bool" '| filter([](int64_t) {})' &&
        wrong "smaller number type" '| map([](int n) { return int64_t(n); })' &&
        wrong "smaller number type" '| start_with(0.5)' &&
        wrong "does not return a std::optional" '| compact_map([](int64_t n) { return n; })' &&
        wrong "accumulated value" '| scan(int64_t(0), [](int64_t sum, const std::string &) { return sum; })' &&
        wrong "does not return a signal" '| switch_map([](int64_t n) { return n; })' &&
        wrong "does not return a signal" '| concat_all()' &&
        wrong "neither an operator nor a function" '| 5' &&
        wrong "not convertible" '| start_with("text")' &&
        wrong "another element type" '| concat_with(just(std::string()))' &&
        wrong "different element types" '; const auto both = merge(source.signal(), just(std::string()))' '' &&
        wrong "only signals" '; const auto sum = combine_latest(just(1), just(2), [](int a, int) { return a; })' '' &&
        wrong "only signals" '; const auto sum = zip({4}, just(1), just(2), [](int a, int) { return a; })' '' &&
        wrong "a const sgk::failure" '| map_error([](int64_t, int64_t) { return 1; })' &&
        wrong "duration" '| debounce(0.3, queue::main())' &&
        wrong "cannot be called with the elements" '| sgk::start([](const std::string &) {})' '' &&
        wrong "a const sgk::failure" '| sgk::start([](int64_t) {}, [](int64_t) {})' ''
}
wrong() { # TEXT STAGES [FURTHER-STAGES]
    local text=$1 stages=$2
    local further=${3-'| map([](int64_t n) { return n + 1; }) | filter([](int64_t n) { return n > 0; })
            | map([](int64_t n) { return std::to_string(n); }) | sgk::start([](const std::string &) {})'}
    each_compiler is_one_error "#include <signalkit.hpp>
        using namespace sgk; using std::int64_t;
        int main() { const pipe<int64_t> source; const auto wrong = source.signal() $stages $further; }"
}
is_one_error() { # COMPILER SAID STATUS
    [ "$3" != 0 ] || { echo "no error: $stages"; return 1; }
    [[ $2 = *"$text"* && $(grep -c "error:" <<<"$2") = 1 && $(wc -l <<<"$2") -le 20 ]] ||
        { echo "$1: $stages: $2"; return 1; }
}
# A pipeline that is never started, and a subscription that nobody can dispose, are warnings.
cpp_ignored() {
    local line
    precompiled || return 1
    for line in 'source.signal() | map([](int n) { return n; });' 'source.signal() | sgk::start([](int) {});' \
        'source.signal().start([](int) {});' 'map([](int n) { return n; });'; do
        each_compiler is_warned_of "#include <signalkit.hpp>
            using namespace sgk; void use(pipe<int> source) { $line }" || return 1
    done
}
is_warned_of() { # COMPILER SAID STATUS
    [[ $2 = *"warning: ignoring"* ]] || { echo "$1: no warning: $line"; return 1; }
}
# The headers compile without warnings under the strictest flags, with and without exceptions and type information.
cpp_strict() {
    local one language mode source=build/headers/strict.cpp
    mkdir -p build/headers && printf '%s\n' '#include "signalkit.hpp"' '#include "signalkit/cpp/testing.hpp"' \
        '#include "../../Tests/Cpp/strict.hpp"' >"$source"
    for one in c++17: "c++17:-fno-exceptions" "c++17:-fno-rtti" c++20: "c++20:-fno-exceptions -fno-rtti" c++23: \
        "c++23:-fno-exceptions -fno-rtti"; do
        language=${one%%:*} mode=${one#*:}
        echo "g++ -std=$language $mode -Werror -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow" \
            "-Wold-style-cast -Wuseless-cast -Wdouble-promotion $source"
        echo "$clang++ -std=$language $mode -Werror -Weverything -Wno-padded -Wno-c++98-compat" \
            "-Wno-c++98-compat-pedantic -Wno-unknown-warning-option -Wno-c++98-compat-bind-to-temporary-copy" \
            "-Wno-pre-c++14-compat -Wno-pre-c++17-compat -Wno-pre-c++20-compat-pedantic -Wno-c++20-compat $source"
    done | xargs -P"$(nproc)" -I% sh -c "% -Iinclude -fsyntax-only"
}

core+=(cpp_face cpp_headers)
steps+=(cpp_errors cpp_ignored cpp_strict cpp_templates cpp_growth cpp_pairs cpp_address cpp_thread cpp_coroutines
    random_cpp random_cpp_address cpp_shared_objects)
long+=(random_longer)
