import SignalKitShims
import Synchronization

/// A snapshot of the running subscriptions. It is copied first, then written without a lock.
struct Graph {
    private let records: [Record]
    private let queues: [QueueTally]
    private let now: Int64
    /// The links of each record: the index of its downstream record, of its first upstream record, and of the next one
    /// with the same downstream record, or `nowhere`.
    private var below: [Int32]
    private var above: [Int32]
    private var beside: [Int32]
    /// For a paused stage, the nearest stage downstream that is not paused, or `nowhere`.
    private var pauser: [Int32]

    private static var nowhere: Int32 { -1 }

    init() {
        records = Records.copy()
        queues = QueueTally.all.copy().reversed()
        now = sgk_shim_nanoseconds()
        below = Array(repeating: Graph.nowhere, count: records.count)
        above = below
        beside = below
        pauser = below
        // The loop starts with the newest, so that the lists are in order.
        for index in records.indices.reversed() {
            guard let place = place(of: records[index].parent) else { continue }
            below[index] = Int32(place)
            beside[index] = above[place]
            above[place] = Int32(index)
        }
        for (index, next) in below.enumerated() where next != Graph.nowhere && !records[index].isRun {
            pauser[index] = records[Int(next)].pausedSince.load(ordering: .relaxed) > 0 ? pauser[Int(next)] : next
        }
    }

    /// Returns since when a stage is paused, or nil, and the stage that pauses it. That is nil if the program holds the
    /// subscription, or if a listener of a shared signal pauses it.
    private func pause(at index: Int) -> (since: Int64, by: Record?)? {
        let since = records[index].pausedSince.load(ordering: .relaxed)
        if since == 0 { return nil }
        return (since, pauser[index] == Graph.nowhere ? nil : records[Int(pauser[index])])
    }

    /// They are in the order of their numbers.
    private func place(of number: Record.Number) -> Int? {
        var range = 0..<records.count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            let found = records[middle].number
            if found == number { return middle }
            range = found < number ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    /// - Parameter more: writes further fields of the JSON object, each after a comma.
    func written(as format: TextFormat, more: (inout TextWriter) -> Void = { _ in }) -> [UInt8] {
        var writer = TextWriter()
        switch format {
        case .text:
            for (index, below) in below.enumerated() where below == Graph.nowhere { writeText(to: &writer, index) }
        case .dot: writeDot(to: &writer)
        case .json: writeJSON(to: &writer, more)
        }
        return writer.bytes
    }

    /// Returns the signals of the subscriptions that have stored them, as one graph.
    func recipes() -> [UInt8] {
        var writer = TextWriter()
        var count: Int64 = 0
        writer.beginDot()
        for record in records { record.recipe?.writeDot(of: record, to: &writer, &count) }
        writer.write("}\n")
        return writer.bytes
    }

    // MARK: Text

    /// Writes a stage and its upstream stages. It does not recurse, because subscriptions can be nested without limit.
    private func writeText(to writer: inout TextWriter, _ top: Int) {
        var index = top, level = 0
        while true {
            writeLine(to: &writer, index, level)
            if above[index] != Graph.nowhere {
                index = Int(above[index])
                level += 1
                continue
            }
            while index != top && beside[index] == Graph.nowhere {
                index = Int(below[index])
                level -= 1
            }
            if index == top { return }
            index = Int(beside[index])
        }
    }

    private func writeLine(to writer: inout TextWriter, _ index: Int, _ level: Int) {
        let record = records[index]
        for _ in 0..<min(level, 64) { writer.write("  ") }
        writer.write("#")
        writer.write(record.number)
        writer.write(" ")
        write(title: record, to: &writer)
        writer.write(": ")
        write(state: record, to: &writer)
        if let pause = pause(at: index) {
            writer.write(", paused")
            if let stage = pause.by {
                writer.write(" by #")
                writer.write(stage.number)
            }
            writer.write(" for ")
            writer.write(seconds: now - pause.since)
            writer.write(" s")
        }
        writer.write("\n")
    }

    private func write(title record: Record, to writer: inout TextWriter) {
        record.writeOperation(to: &writer)
        writer.write(after: record.name.map { .name($0) } ?? record.parameter)
    }

    private func write(state record: Record, to writer: inout TextWriter) {
        let counts = record.counts
        writer.write(Int64(counts.values))
        writer.write(" values")
        writer.write(anyOf: Int64(counts.waiting), " waiting")
        writer.write(anyOf: Int64(counts.dropped), " dropped")
        writer.write(anyOf: Int64(record.errors), " errors")
        writer.write(anyOf: Int64(record.pauses.load(ordering: .relaxed)), " pauses")
        writer.write(", for ")
        writer.write(seconds: now - record.start)
        writer.write(" s, idle ")
        writer.write(seconds: now - record.latest.load(ordering: .relaxed))
        writer.write(" s, thread ")
        writer.write(Int64(record.thread.load(ordering: .relaxed)))
        let busy = record.busySince.load(ordering: .relaxed)
        if busy > 0 {
            writer.write(", in a callback for ")
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
        writer.beginDot()
        for (index, record) in records.enumerated() {
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
            label.write(anyOf: Int64(counts.waiting), " waiting")
            writer.write(label: label)
            writer.write(record.isRun ? ", style=bold];\n" : "];\n")
            if below[index] != Graph.nowhere {
                writer.write("  r")
                // The edge of a subscription that was started in a callback leads from the subscription of that
                // callback.
                writer.write(record.isRun ? record.parent : record.number)
                writer.write(" -> r")
                writer.write(record.isRun ? record.number : record.parent)
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
            writeJSON(of: record, pause(at: index), to: &writer)
        }
        writer.write("],\"queues\":[")
        for (index, queue) in queues.enumerated() {
            if index > 0 { writer.write(",") }
            writeJSON(of: queue, to: &writer)
        }
        writer.write("]")
        more(&writer)
        writer.write("}\n")
    }

    private func writeJSON(of queue: QueueTally, to writer: inout TextWriter) {
        let counts = queue.counts
        writer.write("{\"name\":")
        writer.write(quoted: queue.name)
        writer.write(",\"depth\":")
        writer.write(Int64(counts.depth))
        writer.write(",\"done\":")
        writer.write(Int64(counts.done))
        writer.write(queue.isRunning ? ",\"running\":true}" : ",\"running\":false}")
    }

    private func writeJSON(of record: Record, _ pause: (since: Int64, by: Record?)?, to writer: inout TextWriter) {
        func field(_ title: CString, _ number: Int) {
            writer.write(title)
            writer.write(Int64(number))
        }
        func field(_ title: CString, seconds: Int64) {
            writer.write(title)
            writer.write(seconds: seconds)
        }
        let counts = record.counts
        field("{\"id\":", Int(record.number))
        field(",\"parent\":", Int(record.parent))
        writer.write(",\"operator\":\"")
        record.writeOperation(to: &writer)
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
        field(",\"most_waiting\":", record.mostWaiting.load(ordering: .relaxed))
        field(",\"errors\":", record.errors)
        field(",\"dropped\":", counts.dropped)
        field(",\"age\":", seconds: now - record.start)
        field(",\"idle\":", seconds: now - record.latest.load(ordering: .relaxed))
        field(",\"thread\":", Int(record.thread.load(ordering: .relaxed)))
        let busy = record.busySince.load(ordering: .relaxed)
        field(",\"busy\":", seconds: busy > 0 ? now - busy : 0)
        field(",\"slowest\":", seconds: record.slowest.load(ordering: .relaxed))
        field(",\"pauses\":", record.pauses.load(ordering: .relaxed))
        field(",\"paused\":", seconds: pause.map { max(now - $0.since, 1000) } ?? 0)
        field(",\"paused_by\":", Int(pause?.by?.number ?? 0))
        writer.write(",\"context\":")
        writer.write(unsigned: record.context)
        switch record.ending.load(ordering: .relaxed) {
        case 1: writer.write(",\"state\":\"completed\"}")
        case 2: writer.write(",\"state\":\"failed\"}")
        default: writer.write(",\"state\":\"running\"}")
        }
    }
}

extension Record {
    /// Writes the operator, or those of a row. Writes "run" for a subscription.
    func writeOperation(to writer: inout TextWriter) {
        guard let operation else { return writer.write("run") }
        guard case let .row(row) = parameter else { return writer.write(operation: operation) }
        for index in 0..<row.operatorCount {
            if index > 0 { writer.write(", ") }
            writer.write(operation: row.operation(at: index))
        }
    }
}
