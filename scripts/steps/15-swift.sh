# The Swift tests that are not in Tests/ctest/swift.cmake.

# swift_suite SCRATCH OPTION…: runs the program itself, as `swift test` keeps back what that prints, and loses it when
# it is ended.
swift_suite() { "$1/debug/SignalKitPackageTests.xctest" --testing-library swift-testing "${@:2}"; }
strict="-Xswiftc -warnings-as-errors"
# Programs that have their main thread to themselves, with the library that the Swift tests have built.
swift_main_thread() {
    local built=.build-test${PORTABLE:+-portable}/debug place=build/main_queue${PORTABLE:+-portable} program
    mkdir -p $place || return 1
    for program in reads interrupted; do
        swiftc -swift-version 5 -I $built/Modules -I Sources/SignalKitShims/include Tests/main_queue/$program.swift \
            $(find Sources/SignalKit -name '*.swift' -printf "$built/SignalKit.build/%f.o ") \
            $(cd Sources/SignalKitShims && find . -name '*.c' -printf "$OLDPWD/$built/SignalKitShims.build/%P.o ") \
            -o $place/$program && timeout 300 $place/$program || return 1
    done
}
# Without the models, in which there are no threads.
swift_thread() {
    swift build --build-tests --scratch-path .build-tsan $strict --sanitize=thread -Xcc -DSGK_TSAN=1 &&
        swift_suite .build-tsan --skip ModelTests --skip everyInterleaving
}

core+=(swift_main_thread)
steps+=(swift_thread)
