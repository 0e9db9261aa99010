import SignalKitShims

/// With SIGNALKIT_DOT=directory, writes files that show the running subscriptions and their signals. It writes them
/// when the program ends, and whenever the program receives the system signal with the number SIGNALKIT_DOT_SIGNAL.
enum Pictures {
    /// Whether subscriptions store their signal, to be shown.
    static let areMade = sgk_shim_variable("SIGNALKIT_DOT") != nil

    static func begin() {
        if !areMade { return }
        sgk_shim_at_exit { Pictures.write() }
        sgk_shim_on_signal("SIGNALKIT_DOT_SIGNAL") { Pictures.write() }
    }

    private static func write() {
        guard let directory = sgk_shim_variable("SIGNALKIT_DOT") else { return }
        let graph = Graph()
        let isDone =
            write(graph.written(as: .dot), directory, "runs.dot")
            && write(graph.written(as: .json), directory, "runs.json")
            && write(graph.recipes(), directory, "signals.dot")
        if isDone { return }
        var text = TextWriter()
        text.write("SIGNALKIT_DOT: cannot write into ")
        text.write(quoted: directory)
        Warnings.tell(text)
    }

    private static func write(_ bytes: [UInt8], _ directory: UnsafePointer<CChar>, _ name: CString) -> Bool {
        bytes.withUnsafeBytes { sgk_shim_write_file(directory, name.text, $0.baseAddress, bytes.count) }
    }
}
