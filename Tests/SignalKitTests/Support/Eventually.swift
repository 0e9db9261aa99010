import Dispatch
import Foundation

/// Polls until `condition` holds, at most `timeout` seconds, more than any test needs on any machine.
/// - Returns: whether the condition held: `#expect(eventually { tracker.live == 0 })`.
func eventually(timeout: Double = 300, _ condition: () -> Bool) -> Bool {
    let deadline = DispatchTime.now() + timeout
    while !condition() {
        if DispatchTime.now() > deadline { return condition() }
        usleep(200)
    }
    return true
}

/// The same for asynchronous tests: waits without holding a thread.
func eventuallyAsync(timeout: Double = 300, _ condition: @Sendable () -> Bool) async -> Bool {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(timeout)
    while !condition() {
        if clock.now > deadline { return condition() }
        try? await Task.sleep(for: .microseconds(200))
    }
    return true
}
