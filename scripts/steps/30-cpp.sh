# The C++ suite.

cpp_warnings="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"

cpp_suite() { # BUILD KIND FLAGS…
    local build=$1 kind=$2
    shift 2
    objects "build/cpp_suite/$kind" Tests/Cpp "$clang++" -std=c++17 $cpp_warnings -g -Iinclude "$@" -Wno-unused-command-line-argument &&
        "$clang++" -fuse-ld=lld build/cpp_suite/$kind/*.o -o "build/cpp_suite/$step" -L"$build/lib" -lsignalkit -lpthread -Wl,-rpath,"$PWD/$build/lib" "$@" &&
        ${INSTRUMENT:-} "build/cpp_suite/$step"
}
cpp_shared() { $make lib && cpp_suite $embedded plain; }
cpp_address() { $make lib SANITIZE=address && ASAN_OPTIONS=detect_leaks=1 cpp_suite $embedded-address address -fsanitize=address,undefined; }
cpp_thread() { $make lib SANITIZE=thread && cpp_suite $embedded-thread thread -DSGK_TSAN $with_thread; }
# What there is for C++20 alone, by both compilers.
cpp_coroutines() {
    local compiler
    $make lib && mkdir -p build/coroutines || return 1
    for compiler in g++ "$clang++ -fuse-ld=lld"; do
        coroutine_program $embedded plain "$compiler" && build/coroutines/plain || return 1
    done
    $make lib SANITIZE=address && coroutine_program $embedded-address address "$clang++ -fuse-ld=lld" -fsanitize=address,undefined &&
        ASAN_OPTIONS=detect_leaks=1 build/coroutines/address || return 1
    $make lib SANITIZE=thread && coroutine_program $embedded-thread thread "$clang++ -fuse-ld=lld" $with_thread && build/coroutines/thread
}
coroutine_program() { # BUILD NAME COMPILER FLAGS…
    $3 -std=c++20 $cpp_warnings -g -DONLY=coroutines -Iinclude "${@:4}" Tests/Cpp/main.cpp Tests/Cpp/coroutines.cpp \
        -o "build/coroutines/$2" -L"$1/lib" -lsignalkit -lpthread -Wl,-rpath,"$PWD/$1/lib"
}
# C++ has what C has.
cpp_face() { scripts/cpp_face.py; }
cpp_headers() {
    local header language
    mkdir -p build/headers
    {
        for header in include/signalkit.hpp include/signalkit/cpp/*.hpp; do # each one stands alone
            printf '#include "%s"\n#include "signalkit.hpp"\nint use();\nint use() { return sgk::value(3).as<int>(); }\n' "${header#include/}" >build/headers/$(basename "$header").cpp
            echo "g++ -std=c++17 build/headers/$(basename "$header").cpp"
        done
        for language in "g++ -std=c++17" "g++ -std=c++23" "$clang++ -std=c++23"; do # all templates, used; the suite itself is of clang and C++17
            echo "$language Tests/Cpp/operators.cpp"
        done
    } | xargs -P"$(nproc)" -I% sh -c "% $cpp_warnings -Iinclude -fsyntax-only"
}

steps+=(cpp_face cpp_headers cpp_shared cpp_address cpp_thread cpp_coroutines)
