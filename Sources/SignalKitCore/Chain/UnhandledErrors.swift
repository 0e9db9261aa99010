/// An error callback that does nothing, for subscriptions whose errors do not matter. Without an error callback they
/// are reported.
public func ignoreError<E>(_ error: E) {}

#if !hasFeature(Embedded)
/// Handles errors of subscriptions without an error callback. Other errors, and signals that cannot fail, are not
/// affected.
public enum UnhandledErrors {
    /// Receives such an error, once per subscription, with the name of its signal (see `named`), on the thread that
    /// delivered it. By default it writes a line to `SignalDiagnostics.warn`, including the place of that name.
    public static var handler: (_ error: Any, _ name: String?) -> Void {
        get { current.with { $0 } }
        set { _ = current.swap(newValue) }
    }

    private static let current = Atomic<(Any, String?) -> Void>(value: { error, name in
        var run = name.map { "a subscription of '\($0)'" } ?? "a subscription"
        if let name = SignalName.current, let file = name.file { run += " (\(String(cString: file)):\(name.line))" }
        SignalDiagnostics.warn("\(run) failed with an unhandled error: \(error)")
    })

    @inline(never)
    static func report<E>(_ error: E) { handler(error, SignalName.current.map { String(cString: $0.text) }) }
}
#endif
