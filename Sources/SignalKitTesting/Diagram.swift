/// A diagram of events in time, one frame a character:
///
///     --a--b-|      a at frame 2, b at frame 5, the completion at frame 7
///     -a-(bc#)      b, c and an error, all at frame 3 (a group takes as many frames as it has characters)
///     ---^--a---    a hot source: the test begins at ^, which is frame 0
///     --^----!      a subscription: from frame 2 to frame 7
///     ^--p---r-!    a subscription that is paused from frame 3 to frame 7
///     9s a 2000ms b   times (ms, s, m), each followed by a space: nine frames and two, if a frame is a second
///
/// Other spaces are ignored. Use them to align diagrams.
struct Diagram {
    enum Mark: Equatable {
        case next(Character)
        case error, completed, subscribe, unsubscribe
    }

    private(set) var events: [(frame: Int, mark: Mark)] = []

    init(_ text: String, secondsPerFrame: Double = 1) {
        var frame = 0, group: Int?, origin = 0, rest = Substring(text), isAtWord = true
        while !rest.isEmpty {
            if isAtWord, let (frames, length) = Diagram.time(rest, secondsPerFrame) {
                precondition(group == nil && frames >= 0, "a time in a group, or no whole number of frames: \(text)")
                frame += frames
                rest = rest.dropFirst(length)
                continue
            }
            let character = rest.removeFirst()
            isAtWord = character == " "
            switch character {
            case " ": continue
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

    /// Returns the time at the beginning of a text, in frames, and the length of its text. A space follows it. The
    /// number of frames is -1 if it is not an integer.
    private static func time(_ text: Substring, _ secondsPerFrame: Double) -> (frames: Int, length: Int)? {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let rest = text.dropFirst(number.count)
        guard number.first?.isNumber == true, let time = Double(number),
            let (unit, seconds) = [("ms", 0.001), ("s", 1), ("m", 60)].first(where: { rest.hasPrefix($0.0 + " ") })
        else { return nil }
        let frames = time * seconds / secondsPerFrame, whole = frames < 1e6 ? frames.rounded() : -1
        return (abs(frames - whole) < 1e-6 ? Int(whole) : -1, number.count + unit.count)
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

    /// Returns the first frame and the end of a subscription, and its pauses, from its diagram. A pause without `r` has
    /// no end.
    static func subscription(_ text: String, secondsPerFrame: Double) -> (frames: Range<Int>, pauses: [Range<Int>]) {
        // Here `^` is a frame of the test, not the beginning of the test.
        var events = Diagram(String(text.map { $0 == "^" ? "S" : $0 }), secondsPerFrame: secondsPerFrame).events[...]
        func take(_ mark: Mark) -> Int? { events.first?.mark == mark ? events.removeFirst().frame : nil }
        let begin = take(.next("S"))
        var pauses: [Range<Int>] = []
        while pauses.last?.upperBound != Int.max, let pause = take(.next("p")) {
            pauses.append(pause..<(take(.next("r")) ?? Int.max))
        }
        let end = take(.unsubscribe)
        precondition(begin != nil && events.isEmpty, "no subscription: \(text)")
        return (begin!..<max(end ?? Int.max, begin!), pauses)
    }
}

/// The characters of a diagram at each frame.
struct Drawing {
    /// Several characters if there are several events.
    private(set) var frames: [Int: String] = [:]

    init() {}

    /// The drawing of a subscription, from its diagram.
    init(subscription text: String, secondsPerFrame: Double) {
        let (frames, pauses) = Diagram.subscription(text, secondsPerFrame: secondsPerFrame)
        add("^", at: frames.lowerBound)
        for pause in pauses {
            add("p", at: pause.lowerBound)
            if pause.upperBound < Int.max { add("r", at: pause.upperBound) }
        }
        if frames.upperBound < Int.max { add("!", at: frames.upperBound) }
    }

    mutating func add(_ character: Character, at frame: Int) { frames[frame, default: ""].append(character) }

    /// Returns both drawings with aligned frames, a mark at the first difference, and its frame. Returns nil if they
    /// are equal.
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
