/// A diagram of events in time, one frame a character:
///
///     --a--b-|      a at frame 2, b at frame 5, the completion at frame 7
///     -a-(bc#)      b, c and an error, all at frame 3 (a group takes as many frames as it has characters)
///     ---^--a---    of a hot source: the test begins at ^, which is frame 0
///     --^----!      of a subscription: from frame 2 to frame 7
///
/// Spaces are passed over: they are there to align diagrams.
struct Diagram {
    enum Mark: Equatable {
        case next(Character)
        case error, completed, subscribe, unsubscribe
    }

    private(set) var events: [(frame: Int, mark: Mark)] = []

    init(_ text: String) {
        var frame = 0, group: Int?, origin = 0
        for character in text where character != " " {
            switch character {
            case "-": break
            case "(":
                precondition(group == nil, "a group within a group: \(text)")
                group = frame
            case ")":
                precondition(group != nil, "no group to close: \(text)")
                group = nil
            default:
                if character == "^" { origin = group ?? frame }
                events.append((group ?? frame, Diagram.mark(character)))
            }
            frame += 1
        }
        precondition(group == nil, "a group that is not closed: \(text)")
        for index in events.indices { events[index].frame -= origin }
    }

    private static func mark(_ character: Character) -> Mark {
        switch character {
        case "|": return .completed
        case "#": return .error
        case "^": return .subscribe
        case "!": return .unsubscribe
        default: return .next(character)
        }
    }

    /// Of a diagram of a subscription: the frames from which and until which it lasts.
    static func subscription(_ text: String) -> Range<Int> {
        // Here `^` stands for a moment in the test; it is not where the test begins.
        let events = Diagram(String(text.map { $0 == "^" ? "s" : $0 })).events
        let begin = events.first { $0.mark == .next("s") }, end = events.first { $0.mark == .unsubscribe }
        precondition(begin != nil && events.count == (end == nil ? 1 : 2), "no subscription: \(text)")
        return begin!.frame..<max(end?.frame ?? Int.max, begin!.frame)
    }
}

/// What a diagram shows at a frame, drawn.
struct Drawing {
    /// Several characters where there are several events.
    private(set) var frames: [Int: String] = [:]

    mutating func add(_ character: Character, at frame: Int) { frames[frame, default: ""].append(character) }

    /// Both drawings, one above the other, each frame in the same column, and below them where they differ first; nil
    /// when they do not.
    static func compare(
        _ expected: Drawing, _ actual: Drawing
    ) -> (expected: String, actual: String, difference: String, frame: Int)? {
        let used = Set(expected.frames.keys).union(actual.frames.keys)
        guard let first = used.filter({ expected.frames[$0] != actual.frames[$0] }).min() else { return nil }
        var lines = ["", "", ""]
        let begin = min(used.min()!, 0)
        for frame in begin...used.max()! {
            let tokens = [expected, actual].map { $0.token(at: frame, since: begin) }
            let width = max(tokens[0].count, tokens[1].count)
            for (index, token) in tokens.enumerated() {
                lines[index] += token + String(repeating: " ", count: width - token.count)
            }
            lines[2] += frame == first ? "^" : frame < first ? String(repeating: " ", count: width) : ""
        }
        return (lines[0], lines[1], lines[2], first)
    }

    private func token(at frame: Int, since begin: Int) -> String {
        if let events = frames[frame] { return events.count == 1 ? events : "(\(events))" }
        let hasEnded = frames.contains {
            $0.key < frame && ($0.value.contains("|") || $0.value.contains("#") || $0.value.contains("!"))
        }
        return hasEnded ? " " : "-"
    }
}
