import SignalKitShims

/// With SIGNALKIT_DOT=directory: files that show what runs and what it is made of, written when the program ends, and
/// whenever it gets the signal of the system that SIGNALKIT_DOT_SIGNAL names by its number.
enum Pictures {
    /// Whether runs keep what they are made of, to be shown.
    static let areMade = sgk_shim_variable("SIGNALKIT_DOT") != nil

    static func begin() {
        if !areMade { return }
        sgk_shim_at_exit { Pictures.write() }
        sgk_shim_on_signal("SIGNALKIT_DOT_SIGNAL") { Pictures.write() }
    }

    private static func write() {
        guard let directory = sgk_shim_variable("SIGNALKIT_DOT") else { return }
        let graph = Graph()
        let isDone = write(graph.written(as: .dot), directory, "runs.dot")
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
