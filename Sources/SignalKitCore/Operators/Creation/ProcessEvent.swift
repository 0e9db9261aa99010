// The programs for Swift, with values of Swift types. (The library for C defines its own types.)
#if !hasFeature(Embedded)
import SignalKitShims

/// What a program that a subscription has started emits.
public enum ProcessEvent<Data> {
    /// From its standard output.
    case output(Data)
    /// From its standard error.
    case errors(Data)
    /// The last one: the exit status, or the negative number of the signal that ended it.
    case exit(Int32)
}

extension ProcessEvent: Sendable where Data: Sendable {}
extension ProcessEvent: Equatable where Data: Equatable {}

/// The streams of a program that are read, and how a disposal ends it. A stream that is not read is that of this
/// process.
public struct ProcessOptions: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Read the standard output.
    public static let output = ProcessOptions(rawValue: 1)
    /// Read the standard error.
    public static let errors = ProcessOptions(rawValue: 2)
    /// A disposal sends SIGTERM instead of SIGKILL.
    public static let terminate = ProcessOptions(rawValue: 16)
    /// The program leads its own process group, and a disposal ends the whole group.
    public static let ownGroup = ProcessOptions(rawValue: 32)
}

extension Signal where T == ProcessEvent<String>, E == SystemError {
    /// Starts a program at each start of the signal. Emits the lines that it writes, each without its newline, and then
    /// its exit status. Invalid UTF-8 is repaired. Only on Linux.
    ///
    /// A disposal ends the program, and so does an error: `input` has failed, or a line is longer than `limit`
    /// (EMSGSIZE). The library reaps the program afterwards. During a pause nothing is read, so the program waits when
    /// its pipe is full. The program inherits neither the signal mask nor ignored signals. For another working
    /// directory or environment, start `env`.
    ///
    /// - Parameters:
    ///   - arguments: the program, which is searched in PATH unless it has a slash, and its arguments. They contain no
    ///     0.
    ///   - input: the program's standard input. Its completion closes it. When the program has closed its input, the
    ///     subscription to `input` is disposed; that is no error. Without it, the program has no input (/dev/null).
    ///   - limit: the longest line, in bytes. If more bytes of the input are waiting, `input` is paused.
    public static func process(
        _ arguments: [String], input: Signal<[UInt8], SystemError>? = nil, options: ProcessOptions = .output,
        limit: Int = 1 << 16, queue: Queue
    ) -> Signal<ProcessEvent<String>, SystemError> {
        process(arguments, input, options, limit, queue) { descriptor, make in
            .lines(of: descriptor, limit: limit, queue: queue, failure: identity) {
                make(String(decoding: $0, as: UTF8.self))
            }
        }
    }
}

extension Signal where T == ProcessEvent<[UInt8]>, E == SystemError {
    /// Like `process` with lines, but emits bytes as they arrive, at most `limit` at a time.
    public static func process(
        _ arguments: [String], input: Signal<[UInt8], SystemError>? = nil, options: ProcessOptions = .output,
        limit: Int = 1 << 16, queue: Queue
    ) -> Signal<ProcessEvent<[UInt8]>, SystemError> {
        process(arguments, input, options, limit, queue) { descriptor, make in
            .bytes(of: descriptor, chunk: limit, queue: queue, failure: identity) { make([UInt8]($0)) }
        }
    }
}

extension Signal where E == SystemError {
    fileprivate static func process<Data>(
        _ arguments: [String], _ input: Signal<[UInt8], SystemError>?, _ options: ProcessOptions, _ limit: Int,
        _ queue: Queue, read: @escaping (_ descriptor: Int32, _ make: @escaping (Data) -> T) -> Signal
    ) -> Signal where T == ProcessEvent<Data> {
        precondition(!arguments.isEmpty, "arguments must contain a program")
        precondition(!arguments.contains { $0.utf8.contains(0) }, "arguments must not contain 0")
        let texts = arguments.map(\.utf8CString)
        return .process(
            .several([.name(arguments[0].withCString { SignalName($0) }), .count(limit)]), queue: queue,
            start: { process in
                let starts = texts.reduce(into: [0]) { $0.append($0.last! + $1.count) }
                return texts.joined().map(identity).withUnsafeBufferPointer { bytes in
                    let pointers = starts.dropLast().map { bytes.baseAddress! + $0 } + [nil]
                    return sgk_shim_process_start(pointers, input != nil, options.rawValue, process)
                }
            },
            read: { descriptor, stream in
                read(descriptor, stream == ProcessOptions.output.rawValue ? T.output : T.errors)
            },
            input: input.map { input in
                {
                    input
                        |> write(
                            to: $0, takes: true, mayBeUnread: true, queue: queue, limit: limit, overflow: .pause(),
                            counter: nil, failure: identity
                        ) {
                            $1.append(contentsOf: $0)
                            return 0
                        }
                }
            }, failure: identity, exit: T.exit)
    }
}
#endif
