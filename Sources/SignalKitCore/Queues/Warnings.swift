import SignalKitShims

/// Messages of the library for the developer of a program.
enum Warnings {
    #if hasFeature(Embedded)
    /// The output of the messages. Set it before any code that may warn.
    nonisolated(unsafe) static var sink: (CString) -> Void = { complain($0) }
    #else
    nonisolated(unsafe) static var sink: (CString) -> Void = { SignalDiagnostics.warn(String(cString: $0.text)) }
    #endif

    static func tell(_ text: consuming TextWriter) {
        text.write(byte: 0)
        text.bytes.withUnsafeBytes { sink(CString(text: $0.baseAddress!.assumingMemoryBound(to: CChar.self))) }
    }

    /// To the standard error output.
    static func complain(_ text: CString) { sgk_shim_complain(text.text) }
}
