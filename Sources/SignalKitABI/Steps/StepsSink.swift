import CSignalKit
import SignalKitSupport

/// A run of neighbouring steps, shared by everybody who starts it.
final class Steps {
    fileprivate let steps: UnsafeMutableBufferPointer<sgk_step>
    private let callbacks: [Callback]

    static let none = Steps([], [])

    private init(_ steps: [sgk_step], _ callbacks: [Callback]) {
        self.steps = .allocate(capacity: steps.count)
        _ = self.steps.initialize(from: steps)
        self.callbacks = callbacks
    }

    deinit { steps.deallocate() }

    func adding(_ step: sgk_step, _ callback: Callback) -> Steps {
        Steps(Array(steps) + CollectionOfOne(step), callbacks + CollectionOfOne(callback))
    }
}

/// Neighbouring stages without state, run in one loop: ten of them cost one stage and ten calls.
///
/// Generic over what it does not use: in Embedded Swift a class that is not generic must not override the methods of a specialised one.
final class StepsSink<E>: Stage<Value, E, Value> {
    private let owner: Steps
    /// The owner's, at hand: an array would be counted at every event.
    private let steps: UnsafeMutableBufferPointer<sgk_step>

    init(_ downstream: Sink<Value, E>, _ steps: Steps) {
        owner = steps
        self.steps = steps.steps
        super.init(downstream)
    }

    override func next(_ value: Value) {
        var result = sgk_value()
        switch Int(sgk_steps_run(steps.baseAddress, steps.count, value.raw, &result)) {
        case SGK_STEPS_UNCHANGED: downstream.next(value)
        case SGK_STEPS_REPLACED: downstream.next(Value(consuming: result))
        default: break
        }
    }
}
