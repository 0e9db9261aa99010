# Builds are fixtures: if a build fails, CTest reports the tests that need it as "Not Run", although programs and lists
# of an earlier build may exist.

# sgk_fixture(NAME COMMAND…): the fixture NAME is the test build.NAME.
function(sgk_fixture name)
    add_test(NAME build.${name} COMMAND ${ARGN} WORKING_DIRECTORY "${root}")
    set_tests_properties(build.${name} PROPERTIES FIXTURES_SETUP ${name} RESOURCE_LOCK build TIMEOUT 3600 COST 1000
        PROCESSORS ${processors} LABELS build)
endfunction()
function(sgk_target_fixture name target)
    sgk_fixture(${name} "${CMAKE_COMMAND}" --build "${CMAKE_BINARY_DIR}" --target ${target} --parallel ${processors})
endfunction()

# sgk_library(NAME VARIABLE…): target lib_NAME is `make lib VARIABLE…`. Only the Makefile knows what is outdated. The
# steps use build/make.lock, too.
function(sgk_library name)
    add_custom_target(lib_${name} VERBATIM COMMAND env -u MAKEFLAGS -u MAKELEVEL WERROR=yes PORTABLE=${PORTABLE}
        flock "${root}/build/make.lock" make --no-print-directory -C "${root}" lib ${ARGN})
endfunction()
sgk_library(plain static)
sgk_library(address SANITIZE=address)
sgk_target_fixture(library lib_plain)
sgk_fixture(prefix scripts/step.sh installed)   # the library, installed in build/prefix
sgk_fixture(libraries scripts/step.sh builds)   # all builds that the tests of `make test-all` need

# sgk_discovered(NAME LIST…): adds a test NAME.TEST for each line of a list that the build has written.
#   COMMAND       the program and its first arguments
#   ARGUMENT      its last argument, in which % is replaced by the line
#   COST          above 0: starts before the tests whose cost is lower
#   DEEP          a regular expression: these tests count to 100,000, and to a million in the step suite_deep
#   WHEN          by-name or by-part: the configuration that has these tests; without it all have them
function(sgk_discovered name)
    cmake_parse_arguments(arg "" "LIST;ARGUMENT;FIXTURE;TIMEOUT;WHEN;LATER;COST;DEEP"
        "COMMAND;LABELS;ENVIRONMENT" ${ARGN})
    if(NOT arg_DEEP)
        set(arg_DEEP "^$")
    endif()
    set(command "")
    foreach(word IN LISTS arg_COMMAND)
        string(APPEND command " \"${word}\"")
    endforeach()
    set(file "${CMAKE_CURRENT_BINARY_DIR}/${name}.${arg_WHEN}.tests.cmake")
    configure_file(Discovered.cmake.in "${file}" @ONLY)
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${file}")
endfunction()
