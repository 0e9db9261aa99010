import CSignalKit
import SignalKitSupport

/// A row of neighbouring steps, shared by all runs of the signal.
final class Steps {
    /// The maximum number of steps in a loop. An added step copies the others, so this limit bounds the time of each
    /// addition.
    static var most: Int { 128 }

    private let count: Int
    /// The number of operators that the steps represent.
    let operatorCount: Int
    /// The steps, followed by an end mark.
    private let steps: UnsafeMutablePointer<sgk_step>
    /// The objects that the steps use.
    private let owners: [any StepOwner]
    let canFail: Bool

    static let none = Steps([], [], canFail: false)

    private init(_ steps: [sgk_step], _ owners: [any StepOwner], canFail: Bool) {
        count = steps.count
        operatorCount = owners.reduce(0) { $0 + $1.operatorCount }
        self.steps = .allocate(capacity: steps.count + 1)
        for (index, step) in steps.enumerated() { (self.steps + index).initialize(to: step) }
        (self.steps + count).initialize(to: sgk_step()) // SGK_STEPS_END
        for index in (0..<count).reversed() where steps[index].action == SGK_STEP_MAP {
            self.steps[index].maps = self.steps[index + 1].maps + 1
        }
        self.owners = owners
        self.canFail = canFail
    }

    deinit { steps.deallocate() }

    var isEmpty: Bool { count == 0 }
    var row: UnsafePointer<sgk_step> { UnsafePointer(steps) }
    func hasRoom(for owner: any StepOwner) -> Bool { operatorCount + owner.operatorCount <= Steps.most }

    func adding(_ step: sgk_step, _ owner: any StepOwner, canFail: Bool) -> Steps {
        Steps(
            UnsafeBufferPointer(start: steps, count: count) + [step], owners + [owner], canFail: self.canFail || canFail
        )
    }

    /// Runs a borrowed value through all steps. The caller owns the result if the value was replaced or a step failed.
    @inline(__always)
    func run(_ value: Value) -> sgk_value { sgk_steps_run(steps, value.raw) }

    /// Returns the terminal event of a result that ends the subscription, or `nil` for other results.
    func end(by result: sgk_value) -> End<Value>? {
        switch result.outcome {
        case SGK_OUTCOME_LAST, SGK_OUTCOME_COMPLETED: return .completed
        case SGK_OUTCOME_FAILED: return .error(Value(consuming: result))
        case SGK_OUTCOME_UNKNOWN:
            let step = UnsafePointer<sgk_step>(bitPattern: UInt(result.bits)).unsafelyUnwrapped
            return .error(unknownOutcome(in: owners[step - row].function))
        default: return nil
        }
    }

    /// The signal behind these steps.
    func signal(of source: ValueSignal) -> ValueSignal {
        if canFail {
            return ComposedSignal(of: source, .row(self), as: "steps") {
                source.attach(FailingStepsSink<Never>($0, self))
            }
        }
        return ComposedSignal(of: source, .row(self), as: "steps") {
            source.attach(StepsSink<Never>($0, self))
        }
    }
}

extension Steps: OperatorRow {
    func operation(at index: Int) -> CString {
        var index = index
        for owner in owners {
            if index < owner.operatorCount { return owner.operation(at: index) }
            index -= owner.operatorCount
        }
        fatalError("no such operator")
    }
}

/// An object that a step uses. It knows the function that created the step.
protocol StepOwner: OperatorRow {
    var function: CString { get }
}
extension Callback: StepOwner {}
extension CheckedStep: StepOwner {}
extension TypedFunction: StepOwner {
    var operatorCount: Int { 1 }
    func operation(at index: Int) -> CString { function }
}

extension sgk_value {
    /// The outcome of a value in the steps, or of a callback's result.
    var outcome: sgk_outcome { sgk_outcome(rawValue: reserved & ~SGK_LENT) }
}

/// The error of a subscription whose callback returned an unknown outcome.
@inline(never)
func unknownOutcome(in function: CString) -> Value {
    record(SGK_ERROR_ARGUMENT, "the callback's result", "must have a known sgk_outcome", in: function)
    return lastError()
}

/// Neighbouring stages without state, run in one loop: ten of them cost one stage and ten calls.
///
/// Generic over what it does not use, because of a defect of the compiler: see Tests/compiler/override.swift.
final class StepsSink<Unused>: Stage<Value, Value, Value> {
    private let steps: Steps

    init(_ downstream: Sink<Value, Value>, _ steps: Steps) {
        self.steps = steps
        super.init(downstream)
    }

    override func next(_ value: Value) {
        let result = steps.run(value)
        switch result.outcome {
        case SGK_OUTCOME_UNCHANGED: downstream.next(value)
        case SGK_OUTCOME_REPLACED: downstream.next(Value(consuming: result))
        default: break
        }
    }
}

/// Some of the steps can end the subscription.
final class FailingStepsSink<Unused>: Attempt<Value, Value>, @unchecked Sendable {
    private let steps: Steps

    init(_ downstream: Sink<Value, Value>, _ steps: Steps) {
        self.steps = steps
        super.init(downstream)
    }

    override func next(_ value: Value) {
        if hasFinished { return }
        let result = steps.run(value)
        switch result.outcome {
        case SGK_OUTCOME_UNCHANGED: downstream.next(value)
        case SGK_OUTCOME_REPLACED: downstream.next(Value(consuming: result))
        default: finish(result)
        }
    }

    @inline(never)
    private func finish(_ result: sgk_value) {
        if result.outcome == SGK_OUTCOME_LAST { downstream.next(Value(consuming: result)) }
        if let end = steps.end(by: result) { finish(end) }
    }
}
