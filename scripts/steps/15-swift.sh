# The Swift tests. (They take longest, so they begin first.)

# swift_suite SCRATCH OPTION…: runs the program itself, as `swift test` keeps back what that prints, and loses it when
# it is ended.
swift_suite() { "$1/debug/SignalKitPackageTests.xctest" --testing-library swift-testing "${@:2}"; }
swift_plain() { # OPTION…
    local scratch=.build-test${PORTABLE:+-portable}
    swift build --build-tests --scratch-path $scratch ${PORTABLE:+-Xcc -DSGK_PORTABLE=1} && swift_suite $scratch "$@"
}
swift_tests() { swift_plain; }
# Without the models, in which there are no threads.
swift_thread() {
    swift build --build-tests --scratch-path .build-tsan --sanitize=thread -Xcc -DSGK_TSAN=1 &&
        swift_suite .build-tsan --skip ModelTests --skip everyInterleaving
}

steps+=(swift_tests swift_thread)
