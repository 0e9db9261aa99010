# The C++ suite.

cpp_warnings="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"

cpp_suite() {
    local build=$1
    shift
    "$clang++" -fuse-ld=lld -std=c++17 $cpp_warnings -g -Iinclude Tests/Cpp/*.cpp -o "$build/cpp_suite" -L"$build/lib" -lsignalkit -lpthread \
        -Wl,-rpath,"$PWD/$build/lib" "$@" && timeout 300 "$build/cpp_suite"
}
cpp_shared() { $make lib && cpp_suite build/embedded; }
cpp_address() { $make lib SANITIZE=address && ASAN_OPTIONS=detect_leaks=1 cpp_suite build/embedded-address -fsanitize=address,undefined; }
cpp_thread() {
    local libraries=$toolchain/lib/swift/linux
    $make lib SANITIZE=thread && cpp_suite build/embedded-thread -DSGK_TSAN -fsanitize=thread -L"$libraries" -ldispatch -lBlocksRuntime -Wl,-rpath,"$libraries"
}
cpp_headers() {
    mkdir -p build/headers
    for header in include/signalkit.hpp include/signalkit/cpp/*.hpp; do # each one stands alone
        printf '#include "%s"\n#include "signalkit.hpp"\nint use();\nint use() { return sgk::value(3).as<int>(); }\n' "${header#include/}" >build/headers/alone.cpp
        for language in "g++ -std=c++17" "$clang++ -std=c++17"; do
            $language $cpp_warnings -Iinclude -fsyntax-only build/headers/alone.cpp || return 1
        done
    done
    for language in "g++ -std=c++17" "g++ -std=c++20" "g++ -std=c++23" "$clang++ -std=c++17" "$clang++ -std=c++20" "$clang++ -std=c++23"; do # all templates, used
        $language $cpp_warnings -Iinclude -fsyntax-only Tests/Cpp/operators.cpp || return 1
    done
}

steps+=(cpp_headers cpp_shared cpp_address cpp_thread)
