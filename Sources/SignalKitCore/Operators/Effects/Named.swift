import SignalKitShims

/// The name of a signal's subscriptions in messages.
final class SignalName: @unchecked Sendable {
    private static let key = sgk_shim_thread_key()

    /// Ends with a NUL.
    let text: UnsafeMutablePointer<CChar>
    /// The file of the call, if it is known.
    let file: UnsafeMutablePointer<CChar>?
    let line: Int32

    init(_ name: UnsafePointer<CChar>, _ file: UnsafePointer<CChar>? = nil, _ line: Int32 = 0) {
        text = SignalName.copy(name)
        self.file = file.map { SignalName.copy($0) }
        self.line = line
    }

    deinit {
        text.deallocate()
        file?.deallocate()
    }

    private static func copy(_ text: UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar> {
        var count = 0
        while text[count] != 0 { count += 1 }
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: count + 1)
        copy.initialize(from: text, count: count + 1)
        return copy
    }

    /// The name nearest to the subscriber, while this thread delivers an error.
    static var current: SignalName? {
        sgk_shim_thread_get(key).map { Unmanaged<SignalName>.fromOpaque($0).takeUnretainedValue() }
    }

    fileprivate func during(_ body: () -> Void) {
        let before = sgk_shim_thread_get(SignalName.key)
        sgk_shim_thread_set(SignalName.key, Unmanaged.passUnretained(self).toOpaque())
        body()
        sgk_shim_thread_set(SignalName.key, before)
    }
}

extension Signal {
    func named(_ name: SignalName) -> Signal<T, E> {
        ComposedSignal(of: self, .name(name)) { self.attach(NamedSink($0, name)) }
    }
}

private final class NamedSink<T, E>: PassingStage<T, E> {
    private let name: SignalName

    init(_ downstream: Sink<T, E>, _ name: SignalName) {
        self.name = name
        super.init(downstream)
    }

    override func end(_ end: End<E>) {
        if case .failed = end { name.during { downstream.end(end) } } else { downstream.end(end) }
    }
}

#if !hasFeature(Embedded)
/// Gives the signal a name, for error reports, descriptions and traces.
///
/// An error that no callback handles is reported with the name and the place of this call (see `UnhandledErrors`). The
/// error must pass this operator and reach the subscriber on one thread. If the environment variable SIGNALKIT_TRACE
/// contains a pattern that matches the name, this operator is `trace`. The pattern has the syntax of file name
/// patterns.
public func named<T, E>(
    _ name: String, file: String = #fileID, line: Int = #line
) -> (Signal<T, E>) -> Signal<T, E> {
    if sgk_shim_is_traced(name) { return trace(name, file: file, line: line) }
    return { $0.named(SignalName(name, file, Int32(clamping: line))) }
}
#endif
