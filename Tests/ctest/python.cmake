# The tests of the Python package, from the source tree: one test for each file; in the configuration by-name one for
# each function. (The steps python_package and python_wheel run them on installed packages.)
set(python python3)
foreach(candidate python3 /usr/bin/python3)
    execute_process(COMMAND ${candidate} -c "import pytest" RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
    if(status EQUAL 0)
        set(python ${candidate})
        break()
    endif()
endforeach()

set(tests "${root}/bindings/python/tests")
file(GLOB files CONFIGURE_DEPENDS RELATIVE "${tests}" "${tests}/test_*.py")
set(by_part "")
set(by_name "")
foreach(file IN LISTS files)
    string(APPEND by_part "${file}\n")
    file(STRINGS "${tests}/${file}" functions REGEX "^(async )?def test_")
    foreach(function IN LISTS functions)
        string(REGEX REPLACE "^(async )?def ([A-Za-z0-9_]+).*" "\\2" function "${function}")
        string(APPEND by_name "${file}::${function}\n")
    endforeach()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${tests}/${file}")
endforeach()
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/python.files" "${by_part}")
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/python.list" "${by_name}")
set(shared LABELS python FIXTURE library TIMEOUT 1800 ARGUMENT "bindings/python/tests/%" COST 99
    LATER "bad_input|interrupts|programs"
    COMMAND ${python} -m pytest -q -p no:cacheprovider
    ENVIRONMENT PYTHONDONTWRITEBYTECODE=1 "PYTHONPATH=${root}/bindings/python/src"
    "SIGNALKIT_LIBRARY=${root}/build/embedded${variant}/lib/libsignalkit.so.1")
sgk_discovered(python ${shared} WHEN by-part LIST "${CMAKE_CURRENT_BINARY_DIR}/python.files")
sgk_discovered(python ${shared} WHEN by-name LIST "${CMAKE_CURRENT_BINARY_DIR}/python.list")
