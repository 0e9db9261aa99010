import CSignalKit
import SignalKitSupport

// The ends of runs that C has started.
//
// Generic over what they do not use, because of a defect of the compiler: see Tests/compiler/override.swift.

/// The callback of a run, and its context.
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

/// The same behind steps, which it runs itself. They cannot fail.
class SteppedSink<Unused>: NextSink<Unused> {
    /// Set before the run begins.
    @exclusivity(unchecked) final var steps: Steps

    init(_ next: @escaping sgk_next_fn, _ context: consuming Context, _ steps: Steps = .none) {
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
        let (value, outcome) = (result.settled, result.outcome)
        if outcome == SGK_OUTCOME_DROPPED { return }
        if isWanted { tell(context.pointer, value) }
        if outcome == SGK_OUTCOME_REPLACED { _ = Value(consuming: value) }
    }
}

/// All the callbacks of a run.
class HandlersSink<Unused>: SteppedSink<Unused> {
    private final let handlers:
        (next: sgk_next_fn?, error: sgk_error_fn?, completed: sgk_completed_fn?, started: sgk_started_fn?)
    /// The handle that `started` was given, which the start returns as well.
    private(set) final var run: OpaquePointer?

    init(_ handlers: sgk_handlers) {
        self.handlers = (handlers.next, handlers.error, handlers.completed, handlers.started)
        super.init(handlers.next ?? { _, _ in }, Context(handlers.context, handlers.destroy))
    }

    override func started(_ run: any Disposable) {
        guard let started = handlers.started else { return }
        self.run = DisposableHandle(run).passedInAnyCase()
        started(context.pointer, self.run)
    }

    override func end(_ end: End<Value>) {
        if !isWanted { return }
        switch end {
        case let .failed(failure): tell(error: failure.error)
        case .completed: handlers.completed?(context.pointer)
        }
    }

    fileprivate final func tell(error: Value) {
        guard let tell = handlers.error else { return Unhandled.report(error) }
        withExtendedLifetime(error) { tell(context.pointer, error.raw) }
    }

    override var callbacks: (next: Bool, error: Bool, completed: Bool) {
        (handlers.next != nil, handlers.error != nil, handlers.completed != nil)
    }
}

/// With one for values that can fail.
final class ReceivingSink<Unused>: HandlersSink<Unused> {
    private let receive: sgk_transform_fn

    init(_ handlers: sgk_handlers, _ receive: @escaping sgk_transform_fn) {
        self.receive = receive
        super.init(handlers)
    }

    override func next(_ value: Value) {
        let result = steps.run(value)
        if result.outcome == SGK_OUTCOME_DROPPED { return }
        if isWanted { end(receive(context.pointer, result.settled)) }
        if result.outcome == SGK_OUTCOME_REPLACED { _ = Value(consuming: result) }
    }

    /// Ends the run, if the callback has failed. Stopped first: nothing comes between.
    private func end(_ answer: sgk_value) {
        if answer.outcome == SGK_OUTCOME_UNCHANGED { return }
        let value = Value(consuming: answer)
        if answer.outcome == SGK_OUTCOME_FAILED { fail(value) }
    }

    @inline(never)
    private func fail(_ error: Value) {
        stop()
        tell(error: error)
    }

    override var callbacks: (next: Bool, error: Bool, completed: Bool) {
        (true, super.callbacks.error, super.callbacks.completed)
    }
}
