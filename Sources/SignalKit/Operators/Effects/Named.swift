import SignalKitShims

/// What the runs of a signal are called in messages.
final class SignalName: @unchecked Sendable {
    private static let key = sgk_shim_thread_key()

    /// With a NUL behind.
    let text: UnsafeMutablePointer<CChar>
    /// Where it was given, if that is known.
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

    /// The one that is nearest to the end of the run, while an error is on its way there.
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
/// Gives the signal a name: an error that reaches the end of a run through here, on one thread, and finds no error
/// callback, is reported with it (see `UnhandledErrors`), and where it was given. Both stand in descriptions and traces
/// as well. Where the environment variable SIGNALKIT_TRACE is a pattern (as of file names) that the name is
/// like, this is `trace`.
public func named<T, E>(
    _ name: String, file: String = #fileID, line: Int = #line
) -> (Signal<T, E>) -> Signal<T, E> {
    if sgk_shim_is_traced(name) { return trace(name, file: file, line: line) }
    return { $0.named(SignalName(name, file, Int32(clamping: line))) }
}
#endif
