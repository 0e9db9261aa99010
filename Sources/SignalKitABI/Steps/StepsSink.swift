import CSignalKit
import SignalKitSupport

/// A run of neighbouring steps, shared by everybody who starts it.
final class Steps {
    fileprivate let steps: UnsafeMutableBufferPointer<sgk_step>
    /// What the steps use.
    private let owners: [AnyObject]
    private let canFail: Bool

    static let none = Steps([], [], canFail: false)

    private init(_ steps: [sgk_step], _ owners: [AnyObject], canFail: Bool) {
        self.steps = .allocate(capacity: steps.count)
        _ = self.steps.initialize(from: steps)
        self.owners = owners
        self.canFail = canFail
    }

    deinit { steps.deallocate() }

    func adding(_ step: sgk_step, _ owner: AnyObject, canFail: Bool) -> Steps {
        Steps(Array(steps) + CollectionOfOne(step), owners + CollectionOfOne(owner), canFail: self.canFail || canFail)
    }

    /// The signal behind these steps.
    func signal(of source: ValueSignal) -> ValueSignal {
        if !canFail { return Signal(attach: { source.attach(StepsSink($0, self, fail: nil)) }) }
        return Signal(attach: { sink in
            let run = Attempt(sink)
            source.attach(StepsSink(run, self, fail: { run.fail($0) }))
        })
    }
}

/// Neighbouring stages without state, run in one loop: ten of them cost one stage and ten calls.
///
/// Generic over what it does not use: in Embedded Swift a class that is not generic must not override the methods of a specialised one.
final class StepsSink<E>: Stage<Value, E, Value> {
    private let owner: Steps
    /// The owner's, at hand: an array would be counted at every event.
    private let steps: UnsafeMutableBufferPointer<sgk_step>
    private let fail: ((Value) -> Void)?

    init(_ downstream: Sink<Value, E>, _ steps: Steps, fail: ((Value) -> Void)?) {
        owner = steps
        self.steps = steps.steps
        self.fail = fail
        super.init(downstream)
    }

    override func next(_ value: Value) {
        var result = sgk_value()
        switch Int(sgk_steps_run(steps.baseAddress, steps.count, value.raw, &result)) {
        case SGK_STEPS_UNCHANGED: downstream.next(value)
        case SGK_STEPS_REPLACED: downstream.next(Value(consuming: result))
        case SGK_STEPS_FAILED: fail?(Value(consuming: result))
        default: break
        }
    }
}
