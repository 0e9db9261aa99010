import SignalKitShims

/// The format of a description or a snapshot.
enum TextFormat: UInt32 {
    case text, dot, json
}

extension SignalRecipe {
    /// Writes the description of the signal.
    final func described(as format: TextFormat) -> [UInt8] {
        var writer = TextWriter()
        switch format {
        case .text: writeText(to: &writer)
        case .json: writeJSON(to: &writer)
        case .dot:
            writer.beginDot()
            var count: Int64 = 0
            writeDot(to: &writer, &count)
            writer.write("}\n")
        }
        return writer.bytes
    }

    private final func writeText(to writer: inout TextWriter) {
        var walk = RecipeWalk(self)
        while let step = walk.next() {
            guard case let .stage(place, known) = step else { continue }
            var level = place.level
            place.stages { operation, parameter in
                if known != nil && level > place.level { return }
                for _ in 0..<min(level, 64) { writer.write("  ") }
                writer.write(operation: operation)
                writer.write(after: parameter)
                if known != nil { writer.write(" (as above)") }
                writer.write("\n")
                level += 1
            }
        }
    }

    private final func writeJSON(to writer: inout TextWriter) {
        var walk = RecipeWalk(self)
        while let step = walk.next() {
            switch step {
            case let .stage(place, known):
                if place.level > 0 { writer.write(place.isFirst ? ",\"sources\":[" : ",") }
                var open = 0
                place.stages { operation, parameter in
                    if known != nil && open > 0 { return }
                    if open > 0 { writer.write(",\"sources\":[") }
                    open += 1
                    writer.write("{\"operator\":\"")
                    writer.write(operation: operation)
                    writer.write("\"")
                    writer.write(json: parameter)
                }
                if let known {
                    writer.write(",\"same\":")
                    writer.write(known)
                    writer.write("}")
                }
            case let .end(place):
                if place.hasSources { writer.write("]") }
                writer.write("}")
                for _ in 1..<place.count { writer.write("]}") }
            }
        }
    }

    /// Writes the signal of a subscription, and the subscription as the last stage.
    final func writeDot(of run: Record, to writer: inout TextWriter, _ count: inout Int64) {
        let last = count
        writeDot(to: &writer, &count)
        writer.write("  run")
        writer.write(run.number)
        writer.write(" [label=\"run #")
        writer.write(run.number)
        writer.write("\", style=bold];\n  n")
        writer.write(last)
        writer.write(" -> run")
        writer.write(run.number)
        writer.write(";\n")
    }

    /// - Parameter count: the number of the first stage in the file, then of the next one.
    private final func writeDot(to writer: inout TextWriter, _ count: inout Int64) {
        var walk = RecipeWalk(self, from: count)
        while let step = walk.next() {
            guard case let .stage(place, known) = step else { continue }
            if let below = place.below { writer.write(edge: known ?? place.number, to: below) }
            if known != nil { continue }
            var number = place.number
            place.stages { operation, parameter in
                writer.write("  n")
                writer.write(number)
                writer.write(" [label=")
                writer.write(label: operation, parameter)
                writer.write("];\n")
                if number > place.number { writer.write(edge: number, to: number - 1) }
                number += 1
            }
        }
        count = walk.count
    }
}

extension TextWriter {
    mutating func beginDot() {
        write("digraph signals {\n  rankdir=LR;\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n")
    }

    fileprivate mutating func write(edge from: Int64, to: Int64) {
        write("  n")
        write(from)
        write(" -> n")
        write(to)
        write(";\n")
    }

    /// Writes the parameter after an operator's name.
    mutating func write(after parameter: Parameter) {
        if case .none = parameter { return }
        if case .row = parameter { return }
        write(" ")
        write(parameter)
    }

    /// Writes a label for Graphviz. Quotes and backslashes in the label are escaped again.
    mutating func write(label operation: CString, _ parameter: Parameter) {
        var inner = TextWriter()
        inner.write(operation: operation)
        inner.write(after: parameter)
        write(label: inner)
    }

    mutating func write(label inner: TextWriter) {
        write("\"")
        for byte in inner.bytes {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { write(byte: UInt8(ascii: "\\")) }
            write(byte: byte)
        }
        write("\"")
    }

    private mutating func write(_ parameter: Parameter) {
        switch parameter {
        case .none, .row: break
        case .count(.max): write("unbounded")
        case let .count(count): write(Int64(count))
        case let .seconds(seconds):
            write(short: seconds)
            write(" s")
        case let .several(parts):
            for (index, part) in parts.enumerated() {
                if index > 0 { write(", ") }
                write(part)
            }
        case let .queue(queue): queue.executor.name.map { write(quoted: $0) } ?? write("queue")
        case let .name(name):
            write(quoted: name.text)
            guard let file = name.file else { return }
            write(" (")
            write(unquoted: file)
            write(":")
            write(Int64(name.line))
            write(")")
        }
    }

    /// Writes the parameter as fields of an object.
    mutating func write(json parameter: Parameter) {
        switch parameter {
        case .none, .row: break
        case let .name(name): write(json: name)
        default:
            write(",\"parameter\":")
            write(jsonValue: parameter)
        }
    }

    /// Writes the parameter as text, or null if there is none.
    mutating func write(jsonValue parameter: Parameter) {
        switch parameter {
        case .none, .row, .name: write("null")
        default:
            var inner = TextWriter()
            inner.write(parameter)
            write(label: inner)
        }
    }

    private mutating func write(json name: SignalName) {
        write(",\"name\":")
        write(quoted: name.text)
        guard let file = name.file else { return }
        write(",\"file\":")
        write(quoted: file)
        write(",\"line\":")
        write(Int64(name.line))
    }
}
