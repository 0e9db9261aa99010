# The Swift tests. (They take longest, so they begin first.)

# swift_suite SCRATCH FLAGS…: runs the program itself, as `swift test` keeps back what that prints, and loses it when it is ended.
swift_suite() {
    swift build --build-tests --scratch-path "$@" && "$1/debug/SignalKitPackageTests.xctest" --testing-library swift-testing
}
swift_tests() { swift_suite .build-test; }
swift_thread() { swift_suite .build-tsan --sanitize=thread -Xcc -DSGK_TSAN=1; }

steps+=(swift_tests swift_thread)
