# The suites in C and C++: one test for each test function.

# sgk_program(NAME FOLDER LIBRARY FLAG…): a program of a folder's sources, whose `--list` names its tests.
function(sgk_program name folder library)
    file(GLOB sources CONFIGURE_DEPENDS "${root}/Tests/${folder}/*.c" "${root}/Tests/${folder}/*.cpp")
    list(FILTER sources EXCLUDE REGEX "/coroutines\\.cpp$") # C++20: the step cpp_coroutines
    add_executable(${name} EXCLUDE_FROM_ALL ${sources})
    add_dependencies(${name} lib_${library})
    string(REPLACE "-plain" "" build "embedded${variant}-${library}")
    target_include_directories(${name} PRIVATE "${root}/include")
    target_compile_options(${name} PRIVATE -gdwarf-4 -Wall -Wextra -Werror ${ARGN}
        $<$<COMPILE_LANGUAGE:C>:-std=c11> $<$<COMPILE_LANGUAGE:C>:-D_GNU_SOURCE>
        $<$<COMPILE_LANGUAGE:CXX>:-std=c++17> "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Wpedantic -Wconversion -Wshadow>")
    target_link_options(${name} PRIVATE -fuse-ld=lld ${ARGN})
    target_link_libraries(${name} PRIVATE "${root}/build/${build}/lib/libsignalkit.so" pthread m)
    if(folder STREQUAL C)
        target_link_libraries(${name} PRIVATE cmocka)
    endif()
    add_custom_target(${name}_list ALL VERBATIM DEPENDS ${name}
        COMMAND ${name} --list > ${name}.new COMMAND test -s ${name}.new COMMAND mv ${name}.new ${name}.list)
    sgk_target_fixture(${name} ${name}_list)
endfunction()
function(sgk_suite name)
    sgk_discovered(${name} LIST "${CMAKE_CURRENT_BINARY_DIR}/${name}.list" FIXTURE ${name} ARGUMENT "%"
        COMMAND "${CMAKE_CURRENT_BINARY_DIR}/${name}" LATER "^$" TIMEOUT 900 ${ARGN})
endfunction()

set(sanitized -fsanitize=address,undefined -fno-sanitize-recover=undefined)
sgk_program(c_plain C plain)
sgk_program(c_address C address ${sanitized})
sgk_program(cpp_plain Cpp plain)
sgk_suite(c_plain LABELS c DEEP "^(depth|nesting|stack)[.]")
sgk_suite(c_address LABELS c sanitizer ENVIRONMENT SUITE_ROUNDS=20000 ASAN_OPTIONS=detect_leaks=1)
sgk_suite(cpp_plain LABELS cpp)
