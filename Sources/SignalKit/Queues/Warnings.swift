import SignalKitShims

/// What the library tells the author of a program.
enum Warnings {
    #if hasFeature(Embedded)
    /// Where it goes. Set before anything that may warn.
    nonisolated(unsafe) static var sink: (StaticString) -> Void = { complain($0) }
    #else
    nonisolated(unsafe) static var sink: (StaticString) -> Void = { SignalDiagnostics.warn("\($0)") }
    #endif

    /// To the standard error output.
    static func complain(_ text: StaticString) { sgk_shim_complain(text.utf8Start, text.utf8CodeUnitCount) }
}
