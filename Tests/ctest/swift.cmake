# The Swift tests: one test for each suite; in the configuration by-name one for each function, with all its arguments.
set(scratch "${root}/.build-test${variant}")
set(bundle "${scratch}/debug/SignalKitPackageTests.xctest")
# (Without debug information the build takes less time.)
set(flags -Xswiftc -warnings-as-errors -debug-info-format none)
if(PORTABLE)
    list(APPEND flags -Xcc -DSGK_PORTABLE=1)
endif()
add_custom_target(swift_list ALL VERBATIM
    COMMAND swift build --build-tests --package-path "${root}" --scratch-path "${scratch}" ${flags}
    COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/swift_list.sh" "${bundle}" > swift.new
    COMMAND sed "s|/.*|/|" swift.new > swift.all COMMAND uniq swift.all swift.suites COMMAND test -s swift.suites
    COMMAND mv swift.new swift.list)
sgk_target_fixture(swift swift_list)
set(shared LABELS swift FIXTURE swift TIMEOUT 1800 LATER "^$"
    COMMAND "${bundle}" --testing-library swift-testing --filter)
sgk_discovered(swift ${shared} WHEN by-part LIST "${CMAKE_CURRENT_BINARY_DIR}/swift.suites" ARGUMENT "^%")
sgk_discovered(swift ${shared} WHEN by-name LIST "${CMAKE_CURRENT_BINARY_DIR}/swift.list" ARGUMENT "^%[(]")
