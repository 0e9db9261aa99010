# The steps of scripts/steps, one test each. Their files say the tier: core+=(…), steps+=(…) or long+=(…).

# These steps read sources only: they run without a build.
set(sources unsafe_parts line_lengths mutations_apply models_match description parameters coverage versions reliability
    bench_page system_posix headers unsupported cpp_headers cpp_errors cpp_face companion_headers layout makers tested)
# Steps of one file do not run at the same time: they may share folders, ports or servers. These files share more:
set(lock_65-languages rust java go swift_examples)
set(lock_66-swift-packages swift_examples docs)
set(lock_40-examples swift_examples)

set(labels_core core)
set(labels_steps all)
set(labels_long nightly)
file(GLOB files CONFIGURE_DEPENDS "${root}/scripts/steps/*.sh")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files} "${root}/scripts/step.sh")
execute_process(COMMAND "${root}/scripts/step.sh" --list OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" lines "${listed}")
foreach(line IN LISTS lines)
    string(REPLACE " " ";" words "${line}")
    list(GET words 0 tier)
    list(GET words 1 file)
    list(GET words 2 name)
    list(GET words 3 limit)
    add_test(NAME step.${name} COMMAND scripts/step.sh ${name} WORKING_DIRECTORY "${root}") # a second one is an error
    set(needs prefix)
    if(name IN_LIST sources)
        set(needs "")
    elseif(NOT tier STREQUAL core)
        set(needs prefix libraries)
    endif()
    set_tests_properties(step.${name} PROPERTIES LABELS "${file};${labels_${tier}}" TIMEOUT ${limit}
        FIXTURES_REQUIRED "${needs}" SKIP_RETURN_CODE 77 ENVIRONMENT "PORTABLE=${PORTABLE}"
        RESOURCE_LOCK "${file};${lock_${file}}")
endforeach()
