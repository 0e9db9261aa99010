# The Swift tests. (They take longest, so they begin first.)

# swift_suite SCRATCH OPTION…: runs the program itself, as `swift test` keeps back what that prints, and loses it when
# it is ended.
swift_suite() { "$1/debug/SignalKitPackageTests.xctest" --testing-library swift-testing "${@:2}"; }
strict="-Xswiftc -warnings-as-errors"
swift_plain() { # OPTION…
    local scratch=.build-test${PORTABLE:+-portable}
    swift build --build-tests --scratch-path $scratch $strict ${PORTABLE:+-Xcc -DSGK_PORTABLE=1} &&
        swift_suite $scratch "$@"
}
swift_tests() { swift_plain && main_thread .build-test/debug; }
# What the suite cannot be: a program that has its main thread to itself.
main_thread() { # BUILT
    mkdir -p build/main_queue && swiftc -swift-version 5 -I "$1/Modules" -I Sources/SignalKitShims/include \
        Tests/main_queue/reads.swift "$1"/SignalKit{,Shims}.build/*.o -o build/main_queue/reads &&
        timeout 300 build/main_queue/reads
}
# Without the models, in which there are no threads.
swift_thread() {
    swift build --build-tests --scratch-path .build-tsan $strict --sanitize=thread -Xcc -DSGK_TSAN=1 &&
        swift_suite .build-tsan --skip ModelTests --skip everyInterleaving
}

steps+=(swift_tests swift_thread)
