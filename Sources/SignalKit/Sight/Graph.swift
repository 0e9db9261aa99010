import SignalKitShims

/// What runs, at one moment: copied first, and written then, without a lock.
struct Graph {
    private let records: [Record]
    private let now: Int64
    /// The records above each, by its number.
    private var above: [Int64: [Int]] = [:]
    /// Those that feed nothing that is there.
    private var tops: [Int] = []

    init() {
        records = Records.all.copy()
        now = sgk_shim_nanoseconds()
        var places: [Int64: Int] = [:]
        for (index, record) in records.enumerated() { places[record.number] = index }
        for (index, record) in records.enumerated() {
            if let below = record.below, places[below.number] != nil {
                above[below.number, default: []].append(index)
            } else {
                tops.append(index)
            }
        }
    }

    /// - Parameter more: writes further fields of the JSON object, each with a comma before it.
    func written(as format: TextFormat, more: (inout TextWriter) -> Void = { _ in }) -> [UInt8] {
        var writer = TextWriter()
        switch format {
        case .text: for top in tops { writeText(to: &writer, top) }
        case .dot: writeDot(to: &writer)
        case .json: writeJSON(to: &writer, more)
        }
        return writer.bytes
    }

    // MARK: Text

    /// Not by recursion: runs can be started inside of each other without end.
    private func writeText(to writer: inout TextWriter, _ top: Int) {
        var left = [(index: top, level: 0)]
        while let (index, level) = left.popLast() {
            let record = records[index]
            for _ in 0..<min(level, 64) { writer.write("  ") }
            writer.write("#")
            writer.write(record.number)
            writer.write(" ")
            write(title: record, to: &writer)
            writer.write(": ")
            write(state: record, to: &writer)
            writer.write("\n")
            for next in (above[record.number] ?? []).reversed() { left.append((next, level + 1)) }
        }
    }

    private func write(title record: Record, to writer: inout TextWriter) {
        guard let operation = record.operation else {
            writer.write("run")
            if let name = record.name { writer.write(after: .name(name)) }
            return
        }
        if case let .row(row) = record.parameter {
            for index in 0..<row.operatorCount {
                if index > 0 { writer.write(", ") }
                writer.write(operation: row.operation(at: index))
            }
        } else {
            writer.write(operation: operation)
            writer.write(after: record.name.map { .name($0) } ?? record.parameter)
        }
    }

    private func write(state record: Record, to writer: inout TextWriter) {
        let counts = record.counts
        writer.write(Int64(counts.values))
        writer.write(" values")
        if counts.waiting > 0 {
            writer.write(", ")
            writer.write(Int64(counts.waiting))
            writer.write(" waiting")
        }
        if counts.dropped > 0 {
            writer.write(", ")
            writer.write(Int64(counts.dropped))
            writer.write(" dropped")
        }
        if counts.errors > 0 {
            writer.write(", ")
            writer.write(Int64(counts.errors))
            writer.write(" errors")
        }
        writer.write(", for ")
        writer.write(seconds: now - record.start)
        writer.write(" s, idle ")
        writer.write(seconds: now - record.latest.load(ordering: .relaxed))
        writer.write(" s, thread ")
        writer.write(Int64(record.thread.load(ordering: .relaxed)))
        let busy = record.busySince.load(ordering: .relaxed)
        if busy > 0 {
            writer.write(", in its callback for ")
            writer.write(seconds: now - busy)
            writer.write(" s")
        }
        switch record.ending.load(ordering: .relaxed) {
        case 1: writer.write(", completed")
        case 2: writer.write(", failed")
        default: break
        }
    }

    // MARK: Graphviz

    private func writeDot(to writer: inout TextWriter) {
        writer.write("digraph runs {\n  rankdir=LR;\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n")
        for record in records {
            writer.write("  r")
            writer.write(record.number)
            writer.write(" [label=")
            var label = TextWriter()
            write(title: record, to: &label)
            let counts = record.counts
            label.write(" #")
            label.write(record.number)
            label.write("\n")
            label.write(Int64(counts.values))
            label.write(" values")
            if counts.waiting > 0 {
                label.write(", ")
                label.write(Int64(counts.waiting))
                label.write(" waiting")
            }
            writer.write(label: label)
            writer.write(record.isRun ? ", style=bold];\n" : "];\n")
            if let below = record.below, above[below.number] != nil {
                writer.write("  r")
                // A run that was started in a callback follows from the run of that.
                writer.write(record.isRun ? below.number : record.number)
                writer.write(" -> r")
                writer.write(record.isRun ? record.number : below.number)
                writer.write(record.isRun ? " [style=dashed];\n" : ";\n")
            }
        }
        writer.write("}\n")
    }

    // MARK: JSON

    private func writeJSON(to writer: inout TextWriter, _ more: (inout TextWriter) -> Void) {
        writer.write("{\"version\":1,\"time\":")
        writer.write(seconds: now)
        writer.write(",\"pid\":")
        writer.write(sgk_shim_process_id())
        writer.write(",\"runs\":[")
        for (index, record) in records.enumerated() {
            if index > 0 { writer.write(",") }
            writeJSON(of: record, to: &writer)
        }
        writer.write("]")
        more(&writer)
        writer.write("}\n")
    }

    private func writeJSON(of record: Record, to writer: inout TextWriter) {
        func field(_ title: StaticString, _ number: Int) {
            writer.write(title)
            writer.write(Int64(number))
        }
        func field(_ title: StaticString, seconds: Int64) {
            writer.write(title)
            writer.write(seconds: seconds)
        }
        let counts = record.counts
        field("{\"id\":", Int(record.number))
        field(",\"parent\":", Int(record.below?.number ?? 0))
        writer.write(",\"operator\":\"")
        if case let .row(row) = record.parameter {
            for index in 0..<row.operatorCount {
                if index > 0 { writer.write(", ") }
                writer.write(operation: row.operation(at: index))
            }
        } else if let operation = record.operation {
            writer.write(operation: operation)
        } else {
            writer.write("run")
        }
        writer.write("\"")
        writer.write(",\"parameter\":")
        writer.write(jsonValue: record.parameter)
        writer.write(",\"name\":")
        writer.write(quoted: record.name?.text)
        writer.write(",\"file\":")
        writer.write(quoted: record.name?.file)
        field(",\"line\":", Int(record.name?.line ?? 0))
        field(",\"values\":", counts.values)
        field(",\"in\":", counts.arrived)
        field(",\"waiting\":", counts.waiting)
        field(",\"errors\":", counts.errors)
        field(",\"dropped\":", counts.dropped)
        field(",\"age\":", seconds: now - record.start)
        field(",\"idle\":", seconds: now - record.latest.load(ordering: .relaxed))
        field(",\"thread\":", Int(record.thread.load(ordering: .relaxed)))
        let busy = record.busySince.load(ordering: .relaxed)
        field(",\"busy\":", seconds: busy > 0 ? now - busy : 0)
        field(",\"slowest\":", seconds: record.slowest.load(ordering: .relaxed))
        field(",\"context\":", Int(bitPattern: UInt(record.context)))
        switch record.ending.load(ordering: .relaxed) {
        case 1: writer.write(",\"state\":\"completed\"}")
        case 2: writer.write(",\"state\":\"failed\"}")
        default: writer.write(",\"state\":\"running\"}")
        }
    }
}

extension Record {
    /// What it has counted, as far as it fits together.
    fileprivate var counts: (values: Int, arrived: Int, waiting: Int, errors: Int, dropped: Int) {
        // What goes out first, so that nothing seems to wait that has just come and gone.
        let values = values.load(ordering: .relaxed), dropped = dropped.load(ordering: .relaxed)
        let started = innerStarts.load(ordering: .relaxed) + passedAtOnce.load(ordering: .relaxed)
        let arrived = arrived.load(ordering: .relaxed)
        let waiting = switch retention {
        case .none: 0
        case .untilPassed: max(arrived - values - dropped, 0)
        case .untilStarted: max(arrived - started - dropped, 0)
        }
        let errors = max(failures.load(ordering: .relaxed), failuresAbove.load(ordering: .relaxed))
        return (values, arrived, waiting, errors, dropped)
    }

    private enum Retention { case none, untilPassed, untilStarted }

    /// What keeps a value in the stage, if anything does.
    private var retention: Retention {
        guard let operation else { return .none }
        for name: CString in ["deliverOn", "delayEach", "deliverOnMainQueue", "deliverOnMain"]
        where operation.isName(name) {
            return .untilPassed
        }
        for name: CString in ["mapToQueue", "queue", "mapToMerged", "merged"] where operation.isName(name) {
            return .untilStarted
        }
        return .none
    }
}

extension CString {
    /// Whether it is the name of that function, or that with its parameters.
    fileprivate func isName(_ name: CString) -> Bool {
        var index = 0
        while name.text[index] != 0 {
            if text[index] != name.text[index] { return false }
            index += 1
        }
        return text[index] == 0 || text[index] == CChar(40)
    }
}
