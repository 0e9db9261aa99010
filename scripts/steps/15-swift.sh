# The Swift tests that are not in Tests/ctest/swift.cmake.

# swift_suite SCRATCH OPTION…: runs the program itself, as `swift test` keeps back what that prints, and loses it when
# it is ended.
swift_suite() { "$1/debug/SignalKitPackageTests.xctest" --testing-library swift-testing "${@:2}"; }
strict="-Xswiftc -warnings-as-errors"
# A program of one file, with the library that the Swift tests have built. Leaves its path in $made.
swift_program() { # SOURCE
    local built=.build-test${PORTABLE:+-portable}/debug
    made=build/swift_programs${PORTABLE:+-portable}/$(basename "$1" .swift)
    mkdir -p "$(dirname "$made")" &&
        swiftc -swift-version 5 -I $built/Modules -I Sources/SignalKitShims/include "$1" \
            $(find Sources/SignalKitCore -name '*.swift' -printf "$built/SignalKitCore.build/%f.o ") \
            $(find Sources/SignalKit -name '*.swift' -printf "$built/SignalKit.build/%f.o ") \
            $(cd Sources/SignalKitShims && find . -name '*.c' -printf "$OLDPWD/$built/SignalKitShims.build/%P.o ") \
            -o "$made"
}
# Programs that have their main thread to themselves.
swift_main_thread() {
    swift_program Tests/main_queue/reads.swift && timeout 300 "$made" &&
        swift_program Tests/main_queue/interrupted.swift && timeout 300 "$made"
}
# Random pipelines, compared with a model.
random_swift() {
    swift_program Tests/random/pipelines.swift && random_pipelines "$made"
}
# Without the models and the tests of depth, which need one thread and two thirds of the time.
swift_thread() {
    local alone="ModelTests|everyInterleaving|StackTests|NeedNoStack|NeedsNoStack|aMillionAttempts|whatGoesOnForEver"
    swift build --build-tests --scratch-path .build-tsan $strict --sanitize=thread $swift_quick \
        -Xswiftc -gline-tables-only -Xcc -DSGK_TSAN=1 &&
        swift_suite .build-tsan --skip "$alone"
}

core+=(swift_main_thread)
steps+=(random_swift swift_thread)
