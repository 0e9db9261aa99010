# The C++ suite.

cpp_suite() { # FLAGS…
    objects "build/cpp_suite/$kind" Tests/Cpp "$clang++" -std=c++17 $cpp_warnings -g -Iinclude $flags "$@" &&
        "$clang++" -fuse-ld=lld build/cpp_suite/$kind/*.o -o "build/cpp_suite/$step" $(with_library) $flags &&
        ${INSTRUMENT:-} "build/cpp_suite/$step"
}
cpp_shared() { $make lib && cpp_suite; }
cpp_address() { under address cpp_suite; }
cpp_thread() { under thread cpp_suite -DSGK_TSAN; }
# What there is for C++20 alone, by both compilers.
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
# C++ has what C has.
cpp_face() { scripts/cpp_face.py; }
cpp_headers() {
    local header source language
    mkdir -p build/headers
    {
        for header in include/signalkit.hpp include/signalkit/cpp/*.hpp; do # each one stands alone
            source=build/headers/$(basename "$header").cpp
            printf '%s\n' "#include \"${header#include/}\"" '#include "signalkit.hpp"' 'int use();' \
                'int use() { return sgk::value(3).as<int>(); }' >"$source"
            echo "g++ -std=c++17 $source"
        done
        # All templates, used; the suite itself is of clang and C++17.
        for language in "g++ -std=c++17" "g++ -std=c++23" "$clang++ -std=c++23"; do
            echo "$language Tests/Cpp/operators.cpp"
        done
    } | xargs -P"$(nproc)" -I% sh -c "% $cpp_warnings -Iinclude -fsyntax-only"
}

steps+=(cpp_face cpp_headers cpp_shared cpp_address cpp_thread cpp_coroutines)
