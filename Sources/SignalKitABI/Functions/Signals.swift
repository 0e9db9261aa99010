import CSignalKit

// MARK: Making

@_cdecl("sgk_signal_create") @implementation
public func sgk_signal_create(
    _ generator: sgk_generator_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let held = Context(context, destroy)
    guard let generator = required(generator, "generator") else { return nil }
    return SignalHandle(GeneratorSignal<Never>(generator, held)).passed()
}

/// A signal with a generator of C's: one object, as such signals are made for each event where one switches to them.
///
/// Generic over what it does not use, because of a defect of the compiler: see Tests/compiler/override.swift.
private final class GeneratorSignal<Unused>: Signal<Value, Value>, @unchecked Sendable {
    private let generator: sgk_generator_fn
    private let context: Context

    init(_ generator: @escaping sgk_generator_fn, _ context: consuming Context) {
        self.generator = generator
        self.context = context
        super.init()
    }

    override var outline: Outline { Outline("create") }

    override func run(to sink: Sink<Value, Value>) {
        openGate(to: sink) {
            generate(SubscriberHandle($0), in: "sgk_signal_create") { generator(context.pointer, $0) }
        }
    }
}

/// Runs a generator of C's, and takes over what it returns.
func generate(
    _ subscriber: SubscriberHandle, in function: CString = #function, _ generator: (OpaquePointer) -> OpaquePointer?
) -> any Disposable {
    let handle = subscriber.passedInAnyCase()
    let result = generator(handle)
    sgk_subscriber_release(handle)
    guard result != nil,
        let disposable = borrow(result, as: DisposableHandle.self, "the generator's result", in: function)?.disposable
    else { return EmptyDisposable }
    sgk_disposable_release(result)
    return disposable
}

@_cdecl("sgk_signal_just") @implementation
public func sgk_signal_just(_ value: sgk_value) -> OpaquePointer! {
    SignalHandle(.single(Value(borrowing: value))).passed()
}

@_cdecl("sgk_signal_empty") @implementation
public func sgk_signal_empty() -> OpaquePointer! { made(.complete()) }

@_cdecl("sgk_signal_fail") @implementation
public func sgk_signal_fail(_ error: sgk_value) -> OpaquePointer! {
    SignalHandle(.fail(Value(borrowing: error))).passed()
}

@_cdecl("sgk_signal_never") @implementation
public func sgk_signal_never() -> OpaquePointer! { SignalHandle(.never()).passed() }

// MARK: Emitting

@_cdecl("sgk_subscriber_next") @implementation
public func sgk_subscriber_next(_ subscriber: OpaquePointer!, _ value: sgk_value) -> sgk_status {
    if let handle = known(subscriber, as: SubscriberHandle.self), let plain = Value(plain: value) {
        return next(handle, plain)
    }
    return nextSlowly(subscriber, value)
}

/// Handles every case except a plain value for a live subscriber.
@inline(never)
private func nextSlowly(
    _ subscriber: OpaquePointer?, _ value: sgk_value, in function: CString = #function
) -> sgk_status {
    let value = Value(borrowing: value)
    guard let handle = peek(subscriber, as: SubscriberHandle.self, "subscriber", in: function) else {
        return lastStatus()
    }
    return next(handle, value)
}

@inline(__always)
private func next(_ handle: Unmanaged<SubscriberHandle>, _ value: Value) -> sgk_status {
    Gate.next(value, through: handle._withUnsafeGuaranteedRef { $0.gate }) ? SGK_OK : SGK_ERROR_ENDED
}

@_cdecl("sgk_subscriber_error") @implementation
public func sgk_subscriber_error(_ subscriber: OpaquePointer!, _ error: sgk_value) -> sgk_status {
    let error = Value(borrowing: error)
    return end(subscriber, .error(error))
}

@_cdecl("sgk_subscriber_complete") @implementation
public func sgk_subscriber_complete(_ subscriber: OpaquePointer!) -> sgk_status {
    end(subscriber, .completed)
}

private func end(_ pointer: OpaquePointer?, _ end: End<Value>, in function: CString = #function) -> sgk_status {
    guard let handle = peek(pointer, as: SubscriberHandle.self, "subscriber", in: function) else { return lastStatus() }
    // The gate is retained during the call because its callbacks can release every object of the program, including
    // this subscriber.
    let gate = handle._withUnsafeGuaranteedRef { $0.gate }.takeUnretainedValue()
    return gate.end(end) ? SGK_OK : SGK_ERROR_ENDED
}

@_cdecl("sgk_subscriber_is_active") @implementation
public func sgk_subscriber_is_active(_ subscriber: OpaquePointer!) -> Bool {
    borrow(subscriber, as: SubscriberHandle.self, "subscriber").map { !$0.gate.takeUnretainedValue().isTerminated }
        ?? false
}

@_cdecl("sgk_subscriber_is_paused") @implementation
public func sgk_subscriber_is_paused(_ subscriber: OpaquePointer!) -> Bool {
    borrow(subscriber, as: SubscriberHandle.self, "subscriber").map { $0.gate.takeUnretainedValue().isPaused } ?? false
}

@_cdecl("sgk_subscriber_on_resume") @implementation
public func sgk_subscriber_on_resume(
    _ subscriber: OpaquePointer!, _ resumed: sgk_work_fn!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!, _ queue: OpaquePointer!
) -> sgk_status {
    let callback = Callback(context, destroy)
    guard let handle = borrow(subscriber, as: SubscriberHandle.self, "subscriber"),
        let resumed = required(resumed, "resumed"), let queue = borrow(queue, as: QueueHandle.self, "queue")?.queue
    else { return lastStatus() }
    handle.gate.takeUnretainedValue().onResume(queue) { resumed(callback.context) }
    return SGK_OK
}

@_cdecl("sgk_subscriber_keep_alive") @implementation
public func sgk_subscriber_keep_alive(
    _ subscriber: OpaquePointer!, _ object: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> sgk_status {
    let kept = Callback(object, destroy)
    guard let handle = borrow(subscriber, as: SubscriberHandle.self, "subscriber") else { return lastStatus() }
    handle.gate.takeUnretainedValue().keepAlive(kept)
    return SGK_OK
}

@_cdecl("sgk_subscriber_on_dispose") @implementation
public func sgk_subscriber_on_dispose(
    _ subscriber: OpaquePointer!, _ action: sgk_action_fn!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> sgk_status {
    let callback = Callback(context, destroy)
    guard let handle = borrow(subscriber, as: SubscriberHandle.self, "subscriber"),
        let action = required(action, "action")
    else { return lastStatus() }
    handle.gate.takeUnretainedValue().onDispose(ActionDisposable { action(callback.context) })
    return SGK_OK
}

@_cdecl("sgk_subscriber_create") @implementation
public func sgk_subscriber_create(_ handlers: UnsafePointer<sgk_handlers>!) -> OpaquePointer! {
    sink(handlers).flatMap { SubscriberHandle(Gate($0)).passed() }
}

// MARK: Starting

@_cdecl("sgk_signal_start") @implementation
public func sgk_signal_start(_ signal: OpaquePointer!, _ handlers: UnsafePointer<sgk_handlers>!) -> OpaquePointer! {
    guard let sink = sink(handlers), let handle = startable(signal) else { return nil }
    let (source, steps) = handle._withUnsafeGuaranteedRef { $0.runnable }
    if let steps { sink.steps = steps }
    let run = source.subscribe(sink)
    return sink.run ?? DisposableHandle(run).passedInAnyCase()
}

@_cdecl("sgk_signal_start_waitable") @implementation
public func sgk_signal_start_waitable(
    _ signal: OpaquePointer!, _ handlers: UnsafePointer<sgk_handlers>!
) -> OpaquePointer! {
    // Without steps: only the handlers are waited for.
    guard let sink = sink(handlers), let source = source(signal) else { return nil }
    let run = source.subscribeWaitable(sink)
    return sink.run ?? DisposableHandle(run).passedInAnyCase()
}

@_cdecl("sgk_signal_start_next") @implementation
public func sgk_signal_start_next(
    _ signal: OpaquePointer!, _ next: sgk_next_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let held = Context(context, destroy)
    guard let handle = startable(signal), let next = required(next, "next") else { return nil }
    let (source, steps) = handle._withUnsafeGuaranteedRef { $0.runnable }
    return DisposableHandle(source.subscribe(sink(next, held, steps))).passedInAnyCase()
}

/// The sink of a subscription with only `next`.
@inline(__always)
private func sink(
    _ next: @escaping sgk_next_fn, _ context: consuming Context, _ steps: Steps?
) -> FinalSink<Value, Value> {
    guard let steps else { return NextSink<Never>(next, context) }
    if !steps.canFail { return SteppedSink<Never>(next, context, steps) }
    let sink = FallibleSink<Never>(next, nil, context)
    sink.steps = steps
    return sink
}

/// Returns the sink for a program's handlers, or `nil` after it recorded that the size of the struct is unknown.
private func sink(_ handlers: UnsafePointer<sgk_handlers>?, in function: CString = #function) -> FallibleSink<Never>? {
    var known = sgk_handlers()
    if let handlers, !copyStruct(handlers, to: &known, size: handlers.pointee.size, "handlers", in: function) {
        return nil
    }
    let context = Context(known.context, known.destroy)
    if known.error != nil || known.completed != nil || known.started != nil { return HandlersSink(known, context) }
    return FallibleSink(known.next, known.receive, context)
}
