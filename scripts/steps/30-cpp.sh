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
understood() { xargs -P"$(nproc)" -I% sh -c "% $cpp_warnings -Iinclude -fsyntax-only"; }
# The compiler reports an invalid callback in one sentence.
cpp_errors() {
    says "another number of parameters" 'just(1) | map([](int a, int b) { return a + b; })' &&
        says "no sgk::conversion for this type" 'just(1) | map([](own) { return 1; })' &&
        says "a type that has no sgk::conversion" 'just(1) | map([](int) { return own(); })' &&
        says "the callback returns nothing" 'just(1) | map([](int) {})' &&
        says "the callback returns no sgk::signal" 'just(1) | switch_map([](int) { return 1; })' &&
        says "the text would be gone" 'just("a") | get<std::optional<const char *>>()'
}
says() { # TEXT EXPRESSION
    local said
    said=$(g++ -std=c++17 -Iinclude -fsyntax-only -x c++ - 2>&1 \
        <<<"#include <signalkit.hpp>
            using namespace sgk; struct own {}; void use() { static_cast<void>($2); }") &&
        { echo "no error: $2"; return 1; }
    [[ $(grep -m1 error: <<<"$said") = *"$1"* ]] || { echo "$2: $said"; return 1; }
}

core+=(cpp_face cpp_headers)
steps+=(cpp_errors cpp_templates cpp_address cpp_thread cpp_coroutines random_cpp random_cpp_address)
long+=(random_longer)
