import CSignalKit
import SignalKitSupport
import Synchronization

// The ends of runs that C has started.
//
// Generic over what they do not use, because of a defect of the compiler: see Tests/compiler/override.swift.

/// The callback of a subscription, and its context.
class NextSink<Unused>: FinalSink<Value, Value> {
    fileprivate final let tell: sgk_next_fn
    fileprivate final let context: Context

    init(_ next: @escaping sgk_next_fn, _ context: consuming Context) {
        tell = next
        self.context = context
    }

    override func next(_ value: Value) {
        if isWanted { tell(context.pointer, value.raw) }
    }

    override func end(_ end: End<Value>) {
        if case let .failed(failure) = end, isWanted { Unhandled.report(failure.error) }
    }

    override var callbacks: (next: Bool, error: Bool, completed: Bool) { (true, false, false) }

    override var standsInRow: Bool { true }

    override func next(_ value: Value, before row: ListenerRow) -> ListenerRow {
        var row = row
        let raw = value.raw
        tell(context.pointer, raw)
        while let sink = Listener<Value, Value>.nextSink(in: &row) {
            sink._withUnsafeGuaranteedRef {
                let sink = unsafeDowncast($0, to: NextSink.self)
                sink.tell(sink.context.pointer, raw)
            }
        }
        return row
    }
}

/// The same behind steps, which it runs itself. They cannot end the subscription, and they do not make counted values.
final class SteppedSink<Unused>: NextSink<Unused> {
    private let steps: Steps

    init(_ next: @escaping sgk_next_fn, _ context: consuming Context, _ steps: Steps) {
        self.steps = steps
        super.init(next, context)
    }

    override var standsInRow: Bool { false }

    override func next(_ value: Value) {
        let result = steps.run(value)
        if _slowPath(!sgk_steps_made_plain(result)) { return finish(result) }
        if isWanted { tell(context.pointer, result) }
    }

    @inline(never)
    private func finish(_ result: sgk_value) {
        if result.outcome == SGK_OUTCOME_DROPPED { return }
        if isWanted { tell(context.pointer, result.lent) }
    }
}

/// The sink of a subscription that can end in its steps or in the callback for values (`receive`).
class FallibleSink<Unused>: FinalSink<Value, Value> {
    fileprivate final let context: Context
    /// The callback for values: a sgk_next_fn, or a sgk_map_fn if it `receives`. One word for both keeps the sink
    /// small.
    private let call: UnsafeRawPointer?
    /// Set before the subscription starts.
    @exclusivity(unchecked) final var steps: Steps = .none
    private let hasEnded = Synchronization.Atomic<Bool>(false)
    private let receives: Bool

    init(_ next: sgk_next_fn?, _ receive: sgk_map_fn?, _ context: consuming Context) {
        receives = receive != nil
        call =
            receive.map { unsafeBitCast($0, to: UnsafeRawPointer.self) }
            ?? next.map { unsafeBitCast($0, to: UnsafeRawPointer.self) }
        self.context = context
    }

    override final func next(_ value: Value) {
        if hasEnded.load(ordering: .relaxed) { return }
        let row = Unmanaged.passUnretained(steps)._withUnsafeGuaranteedRef { $0.isEmpty ? nil : $0.row }
        guard let row else { return isWanted ? deliver(value.raw) : () }
        let result = sgk_steps_run(row, value.raw)
        if _slowPath(!sgk_steps_made_plain(result)) { return finish(result) }
        if isWanted { deliver(result) }
    }

    @inline(never)
    private func finish(_ result: sgk_value) {
        switch result.outcome {
        case SGK_OUTCOME_UNCHANGED: if isWanted { deliver(result.lent) }
        case SGK_OUTCOME_REPLACED, SGK_OUTCOME_LAST:
            if isWanted { deliver(result.lent) }
            _ = Value(consuming: result)
        default: break
        }
        // Delivers the end, then stops the source.
        guard let end = steps.end(by: result), endsNow() else { return }
        if isWanted { finished(end) }
        stop()
    }

    @inline(__always)
    private func deliver(_ value: sgk_value) {
        guard let call else { return }
        if !receives { return unsafeBitCast(call, to: sgk_next_fn.self)(context.pointer, value) }
        let answer = unsafeBitCast(call, to: sgk_map_fn.self)(context.pointer, value)
        if answer.outcome != SGK_OUTCOME_UNCHANGED { heed(answer) }
    }

    /// Handles the answer of the callback for values. If the callback ends the subscription, the source stops before
    /// the end is delivered, so that no event arrives in between.
    @inline(never)
    private func heed(_ answer: sgk_value) {
        let end: End<Value>
        switch answer.outcome {
        case SGK_OUTCOME_FAILED: end = .error(Value(consuming: answer))
        case SGK_OUTCOME_COMPLETED: end = .completed
        case SGK_OUTCOME_LAST:
            _ = Value(consuming: answer)
            end = .completed
        case SGK_OUTCOME_REPLACED, SGK_OUTCOME_DROPPED, sgk_outcome(rawValue: SGK_GIVEN):
            _ = Value(consuming: answer)
            return
        default: end = .error(unknownOutcome(in: "sgk_signal_start"))
        }
        guard isWanted, endsNow() else { return }
        stop()
        finished(end)
    }

    override final func end(_ end: End<Value>) {
        if endsNow() && isWanted { finished(end) }
    }

    /// Reports whether this call ends the subscription. Only the first call returns true.
    private func endsNow() -> Bool { !hasEnded.exchange(true, ordering: .acquiringAndReleasing) }

    fileprivate func finished(_ end: End<Value>) {
        if case let .failed(failure) = end { Unhandled.report(failure.error) }
    }

    /// The handle of the subscription that a callback received. The start function returns the same handle.
    var run: OpaquePointer? { nil }

    override var callbacks: (next: Bool, error: Bool, completed: Bool) { (call != nil, false, false) }
}

/// A sink with callbacks for every event.
final class HandlersSink<Unused>: FallibleSink<Unused> {
    private let error: sgk_error_fn?, completed: sgk_completed_fn?, started: sgk_started_fn?
    @exclusivity(unchecked) private var handle: OpaquePointer?

    init(_ handlers: sgk_handlers, _ context: consuming Context) {
        (error, completed, started) = (handlers.error, handlers.completed, handlers.started)
        super.init(handlers.next, handlers.receive, context)
    }

    override func started(_ run: any Disposable) {
        guard let started else { return }
        handle = DisposableHandle(run).passedInAnyCase()
        started(context.pointer, handle)
    }

    override var run: OpaquePointer? { handle }

    override func finished(_ end: End<Value>) {
        switch end {
        case .completed: completed?(context.pointer)
        case let .failed(failure):
            guard let error else { return super.finished(end) }
            withExtendedLifetime(failure) { error(context.pointer, failure.error.raw) }
        }
    }

    override var callbacks: (next: Bool, error: Bool, completed: Bool) {
        (super.callbacks.next, error != nil, completed != nil)
    }
}
