import CSignalKit
import SignalKitSupport

// The ends of runs that C has started.
//
// Generic over what they do not use: in Embedded Swift a class that is not generic must not override the methods of a specialised one.

/// The callback of a run, and its context.
class NextSink<Unused>: EndSink<Value, Value> {
    fileprivate final let tell: sgk_next_fn
    fileprivate final let context: Context

    init(_ next: @escaping sgk_next_fn, _ context: consuming Context) {
        tell = next
        self.context = context
    }

    override func next(_ value: Value) {
        if isWanted { tell(context.pointer, value.raw) }
    }

    override func error(_ error: Value) {
        if isWanted { Unhandled.report(error) }
    }

    override var callbacks: (next: Bool, error: Bool, completed: Bool) { (true, false, false) }
}

/// The same behind steps, which it runs itself. They cannot fail.
class SteppedSink<Unused>: NextSink<Unused> {
    /// Set before the run begins.
    @exclusivity(unchecked) final var steps: Steps

    init(_ next: @escaping sgk_next_fn, _ context: consuming Context, _ steps: Steps = .none) {
        self.steps = steps
        super.init(next, context)
    }

    override final func next(_ value: Value) {
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
final class HandlersSink<Unused>: SteppedSink<Unused> {
    private let handlers: (next: sgk_next_fn?, error: sgk_error_fn?, completed: sgk_completed_fn?, started: sgk_started_fn?)
    /// The handle that `started` was given, for whoever has started.
    private(set) var run: OpaquePointer?

    init(_ handlers: sgk_handlers) {
        self.handlers = (handlers.next, handlers.error, handlers.completed, handlers.started)
        super.init(handlers.next ?? { _, _ in }, Context(handlers.context, handlers.destroy))
    }

    override func started(_ run: any Disposable) {
        guard let started = handlers.started else { return }
        self.run = DisposableHandle(run).passedInAnyCase()
        started(context.pointer, self.run)
    }

    override func error(_ error: Value) {
        guard let tell = handlers.error else { return super.error(error) }
        if isWanted { tell(context.pointer, error.raw) }
    }

    override func completed() {
        if let tell = handlers.completed, isWanted { tell(context.pointer) }
    }

    override var callbacks: (next: Bool, error: Bool, completed: Bool) { (handlers.next != nil, handlers.error != nil, handlers.completed != nil) }
}
