# The steps of scripts/steps, one test each. Their files say the tier: core+=(…), steps+=(…) or long+=(…).

# These steps need no build: they read or compile sources. Their label is `unbuilt`.
set(unbuilt unsafe_parts line_lengths mutations_apply models_match description parameters coverage versions reliability
    bench_page system_posix headers unsupported cpp_headers cpp_errors cpp_face companion_headers layout makers tested
    changed_while_compiling processes_are_ended late_steps_are_ended hosted_runs)
# These steps use the library that the Swift tests have built.
set(after_swift swift_main_thread random_swift soak_swift)
# Steps of one file do not run at the same time: they may share folders, ports or servers. (Those of 20-c.sh and
# 24-soaks.sh do not.)
# These files share more:
set(lock_languages java go swift_examples)
set(lock_swift-packages swift_examples docs)
set(lock_reference docs)
set(lock_examples swift_examples)

# CTest starts tests of a high cost first. These files contain the most work, in this order: their steps take turns, so
# the first of them must start early.
set(first c python reference aarch64 swift languages companions swift-packages examples top benchmarks cpp portable)

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
    set(labels ${file} ${labels_${tier}})
    set(locks ${file} ${lock_${file}})
    list(REMOVE_ITEM locks c soaks)
    if(name IN_LIST unbuilt)
        set(needs "")
        list(APPEND labels unbuilt)
    elseif(NOT tier STREQUAL core)
        set(needs prefix libraries)
    endif()
    if(name IN_LIST after_swift)
        list(APPEND needs swift)
    endif()
    set(cost 20)
    list(FIND first ${file} place)
    if(NOT place EQUAL -1)
        math(EXPR cost "100 - ${place}")
    endif()
    set_tests_properties(step.${name} PROPERTIES COST ${cost} LABELS "${labels}" TIMEOUT ${limit}
        FIXTURES_REQUIRED "${needs}" SKIP_RETURN_CODE 77 ENVIRONMENT "PORTABLE=${PORTABLE}"
        RESOURCE_LOCK "${locks}")
endforeach()
set_tests_properties(step.swift_main_thread PROPERTIES FIXTURES_REQUIRED swift)
set_tests_properties(step.needed_is_built PROPERTIES FIXTURES_REQUIRED "c_plain;c_address;cpp_plain;swift")
