# The Swift tests.

swift_tests() { swift test --scratch-path .build-test; }
swift_thread() { swift test --scratch-path .build-tsan --sanitize=thread -Xcc -DSGK_TSAN=1; }

steps+=(swift_tests swift_thread)
