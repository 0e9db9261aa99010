import CSignalKit
import SignalKitSupport

/// The result of a callback that returns a value.
enum Decision {
    case value(Value)
    case unchanged, dropped
    case last(Value)
    case end(End<Value>)

    @inline(__always)
    init(_ raw: sgk_value, in function: CString) {
        self =
            _fastPath(raw.reserved == SGK_OUTCOME_REPLACED.rawValue)
            ? .value(Value(consuming: raw)) : Decision(of: raw, in: function)
    }

    @inline(never)
    private init(of raw: sgk_value, in function: CString) {
        switch raw.outcome {
        case SGK_OUTCOME_REPLACED: self = .value(Value(consuming: raw))
        case SGK_OUTCOME_UNCHANGED: self = .unchanged
        case SGK_OUTCOME_DROPPED: self = .dropped
        case SGK_OUTCOME_COMPLETED: self = .end(.completed)
        case SGK_OUTCOME_FAILED: self = .end(.error(Value(consuming: raw)))
        case SGK_OUTCOME_LAST: self = .last(Value(consuming: raw))
        case sgk_outcome(rawValue: SGK_GIVEN): self = .value(Value(consuming: raw))
        default: self = .end(.error(unknownOutcome(in: function)))
        }
    }

    /// Returns the value to use, if there is one, and stores the terminal event, if the subscription ends. `unchanged`
    /// is the value that counts as unchanged.
    @inline(never)
    func value(_ end: inout End<Value>?, unchanged: @autoclosure () -> Value) -> Value? {
        switch self {
        case let .value(value): return value
        case .unchanged: return unchanged()
        case .dropped: return nil
        case let .last(value):
            end = .completed
            return value
        case let .end(event):
            end = event
            return nil
        }
    }
}

extension Callback {
    /// Returns the decision of a call that borrows these values.
    @inline(__always)
    func decision(of first: Value = .null, _ second: Value = .null, _ call: () -> sgk_value) -> Decision {
        withExtendedLifetime((first, second)) {
            if _fastPath(!sgk_support_is_debug()) { return Decision(call(), in: function) }
            let outer = Ownership.lend(first.raw, second.raw)
            return Decision(Ownership.take(call(), in: function, outer), in: function)
        }
    }
}

extension Callback {
    /// Returns the accumulated value that a function makes of the last one and a value.
    func value(_ f: sgk_reduce_fn, _ accumulated: Value, _ value: Value, _ end: inout End<Value>?) -> Value? {
        decision(of: accumulated, value) { f(context, accumulated.raw, value.raw) }
            .value(&end, unchanged: accumulated)
    }

    /// Returns the key of a value. A key cannot be the last value, because it is not emitted.
    func key(_ f: sgk_map_fn, _ value: Value, _ end: inout End<Value>?) -> Value? {
        let decision = decision(of: value) { f(context, value.raw) }
        if case .last = decision {
            record(SGK_ERROR_ARGUMENT, "the callback's result", "must be a key, not sgk_last", in: function)
            end = .error(lastError())
            return nil
        }
        return decision.value(&end, unchanged: value)
    }
}

// Generic over what they do not use, because of a defect of the compiler: see Tests/compiler/override.swift.

/// Folds with a function: it emits each state, or the last one.
final class ReducingSink<Unused>: SerialStage<Value, Value, Value> {
    private let reduce: sgk_reduce_fn
    private let callback: Callback
    private let emitsEach: Bool
    @exclusivity(unchecked) private var state: Value

    init(
        _ downstream: Sink<Value, Value>, _ state: Value, _ reduce: @escaping sgk_reduce_fn, _ callback: Callback,
        emitsEach: Bool
    ) {
        self.reduce = reduce
        self.callback = callback
        self.emitsEach = emitsEach
        self.state = state
        super.init(downstream)
    }

    override func receive(_ value: Value) {
        let decision = callback.decision(of: state, value) { reduce(callback.context, state.raw, value.raw) }
        switch decision {
        case let .value(new): state = new
        case .unchanged: break
        case .dropped: return
        case let .last(value):
            downstream.next(value)
            return stop(downstream, .completed)
        case let .end(end): return stop(downstream, end)
        }
        if emitsEach { downstream.next(state) }
    }

    override func receiveEnd(_ end: End<Value>) {
        if !emitsEach, case .completed = end { downstream.next(state) }
        if isWanted { downstream.end(end) }
    }
}

/// Maps the error. A function is not called for other events.
final class ErrorSink<Unused>: PassingStage<Value, Value> {
    private let map: sgk_map_fn
    private let callback: Callback
    @exclusivity(unchecked) private var upstream: Subscription?

    init(_ downstream: Sink<Value, Value>, _ map: @escaping sgk_map_fn, _ callback: Callback) {
        self.map = map
        self.callback = callback
        super.init(downstream)
    }

    override func attached(_ upstream: Subscription) {
        self.upstream = upstream
        downstream.attached(upstream)
    }

    override func end(_ end: End<Value>) {
        guard case let .failed(failure) = end else { return downstream.end(end) }
        let error = failure.error
        let end = end.decided(by: callback.decision(of: error) { map(callback.context, error.raw) }, downstream)
        if upstream?.isDisposed != true { downstream.end(end) }
    }
}

extension End<Value> {
    /// Returns the terminal event that replaces a failure, as its callback decided. A last value is emitted before it.
    func decided(by decision: Decision, _ downstream: Sink<Value, Value>) -> End<Value> {
        switch decision {
        case let .value(error): return .error(error)
        case .unchanged: return self
        case .dropped: return .completed
        case let .end(end): return end
        case let .last(value):
            downstream.next(value)
            return .completed
        }
    }
}

/// A stage of several functions of a language, with a state for each subscription.
final class StageSink<Unused>: SerialStage<Value, Value, Value> {
    private let stage: StageCallback
    private let state: UnsafeMutableRawPointer?

    init(_ downstream: Sink<Value, Value>, _ stage: StageCallback) {
        self.stage = stage
        state = stage.table.begin.map { $0(stage.context) } ?? stage.context
        super.init(downstream)
    }

    deinit {
        if stage.table.begin != nil { stage.table.end?(state) }
    }

    override func receive(_ value: Value) {
        let decision = stage.decision(of: value) { stage.next(state, value.raw) }
        switch decision {
        case let .value(new): downstream.next(new)
        case .unchanged: downstream.next(value)
        case .dropped: break
        case let .last(value):
            downstream.next(value)
            stop(downstream, .completed)
        case let .end(end): stop(downstream, end)
        }
    }

    override func receiveEnd(_ end: End<Value>) {
        var end = end
        switch end {
        case let .failed(failure):
            let error = failure.error
            if let map = stage.table.error {
                end = end.decided(by: stage.decision(of: error) { map(state, error.raw) }, downstream)
            }
        case .completed:
            guard let completed = stage.table.completed else { break }
            let decision = stage.decision { completed(state) }
            switch decision {
            case let .value(value), let .last(value): downstream.next(value)
            case let .end(other): end = other
            case .unchanged, .dropped: break
            }
        }
        if isWanted { downstream.end(end) }
    }
}

/// The functions of a stage, with the names that represent it in descriptions.
final class StageCallback: Callback {
    let table: sgk_stage

    init(_ table: sgk_stage, in function: CString) {
        self.table = table
        super.init(table.context, table.destroy, in: function)
    }

    /// The stage as an operator without state.
    var step: sgk_step {
        if table.next != nil { return sgk_step_map(table.next, table.context) }
        if table.store != nil { return sgk_step_store(table.store, table.context) }
        return sgk_step_update(table.update, table.context)
    }

    @inline(__always)
    func next(_ state: UnsafeMutableRawPointer?, _ value: sgk_value) -> sgk_value {
        if let next = table.next { return next(state, value) }
        if let store = table.store {
            var result = sgk_null()
            store(state, value, &result)
            return result
        }
        var result = sgk_value_retain(value)
        table.update(state, &result)
        return result
    }

    override var operatorCount: Int { max(table.name_count, 1) }

    override func operation(at index: Int) -> CString {
        if table.name_count == 0 { return function }
        return CString(text: table.names[index].unsafelyUnwrapped)
    }
}
