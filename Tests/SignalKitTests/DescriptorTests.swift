import Foundation
import Testing

@testable import SignalKitCore

/// Returns the values and the terminal event of a subscription.
private func all<T>(_ signal: Signal<T, SystemError>) -> [String] {
    let log = Log()
    let over = Tally()
    let run = signal.start(
        next: { log.add("\($0)") },
        error: {
            log.add("\($0.call) \($0.code)")
            over.up()
        },
        completed: {
            log.add("|")
            over.up()
        })
    #expect(eventually { over.value == 1 })
    run.dispose()
    return log.entries
}

private func pipe() -> (reads: Int32, writes: Int32) {
    var ends: [Int32] = [0, 0]
    #expect(Foundation.pipe(&ends) == 0)
    return (ends[0], ends[1])
}

@Suite struct DescriptorTests {
    private let queue = Queue()

    @Test func linesAndBytes() {
        let (reads, writes) = pipe()
        #expect(Foundation.write(writes, "one\ntwo\nlast", 12) == 12)
        close(writes)
        #expect(all(.lines(of: reads, queue: queue)) == ["one", "two", "last", "|"])
        close(reads)
        // (A number that was closed may be another test's by now.)
        #expect(all(Signal<[UInt8], SystemError>.bytes(of: -1, queue: queue)) == ["dup \(EBADF)"])
    }

    @Test func errorsAreEqualIfNumberAndCallAre() {
        let error = SystemError(EBADF, "read")
        #expect(error == SystemError(EBADF, "read"))
        #expect(error != SystemError(EAGAIN, "read") && error != SystemError(EBADF, "write"))
    }

    @Test func whatIsWritten() {
        let (reads, writes) = pipe()
        let texts = Signal<String, SystemError>.sequence(["a", "b"])
        #expect(all(texts |> write(to: writes, closes: true, queue: queue, overflow: .suspend)) == ["|"])
        #expect(all(.bytes(of: reads, queue: queue) |> map { String(decoding: $0, as: UTF8.self) }) == ["ab", "|"])
        close(reads)
        let (gone, left) = pipe()
        close(gone)
        #expect(all(texts |> write(to: left, closes: true, queue: queue, overflow: .pause())) == ["write \(EPIPE)"])
    }

    @Test func aFullBufferPausesItsSourceOrFails() {
        let (reads, writes) = pipe()
        let counter = OverflowCounter()
        let over = Tally()
        let lines = Signal<String, SystemError>.sequence((0..<20_000).map { "\($0)\n" })
        let run =
            (lines
            |> write(
                to: writes, closes: true, queue: queue, limit: 100, overflow: .pause(then: .suspend), counter: counter))
            .start(completed: { over.up() })
        #expect(all(.lines(of: reads, queue: queue)) == (0..<20_000).map(String.init) + ["|"])
        #expect(eventually { over.value == 1 })
        #expect(counter.suspended + counter.exceeded + counter.dropped == 0)
        run.dispose()
        close(reads)
        let (unread, full) = pipe()
        let failing = OverflowPolicy.fail(SystemError(ENOBUFS, "test"))
        #expect(
            all(lines |> write(to: full, closes: true, queue: queue, limit: 100, overflow: failing, counter: counter))
                == ["test \(ENOBUFS)"])
        #expect(counter.dropped == 1)
        close(unread)
    }

    /// A descriptor that was taken over is closed, also if the subscription is disposed before its source is started.
    @Test func whatIsDisposedBeforeTheStartIsClosed() {
        final class Leaving: Sink<NoValue, SystemError> {
            override func attached(_ upstream: Subscription) { upstream.dispose() }
            override func next(_ value: NoValue) {}
            override func end(_ end: End<SystemError>) {}
        }
        let (reads, writes) = pipe()
        let started = Tally()
        let texts = Signal<String, SystemError> { _ in
            started.up()
            return EmptyDisposable
        }
        texts.write(to: writes, closes: true, queue: queue, overflow: .pause()).attach(Leaving())
        #expect(all(.bytes(of: reads, queue: queue)) == ["|"])
        #expect(started.value == 0)
        close(reads)
    }

    @Test func readinessEndsWithTheOtherSide() {
        let (reads, writes) = pipe()
        close(writes)
        let seen = Recorded<Readiness>()
        let over = Tally()
        let run = Signal<Readiness, SystemError>.readiness(of: reads, for: .readable, queue: queue)
            .start(next: { seen.add($0) }, completed: { over.up() })
        #expect(eventually { over.value == 1 })
        #expect(seen.all == [.hangUp])
        run.dispose()
        close(reads)
    }

    @Test func whatNobodyCouldWaitForIsAMistake() async {
        await #expect(processExitsWith: .failure) {
            _ = Signal<Readiness, SystemError>.readiness(of: 0, for: [], queue: Queue())
        }
        await #expect(processExitsWith: .failure) {
            _ = Signal<Readiness, SystemError>.readiness(of: 0, for: [.readable, .hangUp], queue: Queue())
        }
    }

    @Test func writtenValuesMustNotBeDropped() async {
        await #expect(processExitsWith: .failure) {
            _ = Signal<String, SystemError>.never().write(to: 0, queue: Queue(), overflow: .pause(then: .dropOldest))
        }
    }

    /// A subscription that was disposed while it waited retains nothing.
    @Test func whatARunHolds() {
        let tracker = LifetimeTracker()
        let (reads, writes) = pipe()
        do {
            let tracked = tracker.make()
            let run = Signal<String, SystemError>.lines(of: reads, queue: queue)
                .start(next: { _ in withExtendedLifetime(tracked) {} })
            run.dispose()
        }
        #expect(eventually { tracker.live == 0 })
        close(reads)
        close(writes)
    }

    #if os(Linux)
    @Test func theWallClock() {
        let seen = Recorded<Int>()
        let over = Tally()
        let then = Date().timeIntervalSince1970 + 0.02
        let run = Signal<Int, SystemError>.wallClockTimer(unixTime: then, queue: queue)
            .start(next: { seen.add($0) }, completed: { over.up() })
        #expect(eventually { over.value == 1 })
        #expect(seen.all == [0])
        #expect(Date().timeIntervalSince1970 >= then)
        run.dispose()
    }

    @Test func aFileThatIsRotated() throws {
        let folder = NSTemporaryDirectory() + "signalkit-log-\(getpid())", log = folder + "/log"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "one\ntwo".write(toFile: log, atomically: false, encoding: .utf8)
        let seen = Recorded<String>()
        let over = Tally()
        let run = Signal<String, SystemError>.fileLines(at: log, fromStart: true, queue: queue)
            .start(next: { seen.add($0) }, completed: { over.up() })
        #expect(eventually { seen.all == ["one"] })
        try FileManager.default.moveItem(atPath: log, toPath: log + ".1")
        try "three\n".write(toFile: log, atomically: false, encoding: .utf8)
        #expect(eventually { seen.all == ["one", "two", "three"] })
        try FileManager.default.removeItem(atPath: folder)
        #expect(eventually { over.value == 1 })
        run.dispose()
    }

    @Test func sockets() {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 5) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        #expect(isListening)
        let place = withUnsafeBytes(of: &address) { [UInt8]($0) }
        let queue = queue
        let greeting = Signal<String, SystemError>.sequence(["hello\n", "world\n"])
        let server = Signal<NoValue, SystemError>.accept(from: listener, limit: 1, queue: queue) {
            greeting |> write(to: $0, queue: queue, overflow: .pause())
        }
        let serving = server.start(error: { _ in })
        let client = Signal<String, SystemError>.connect(to: place, queue: queue) { .lines(of: $0, queue: queue) }
        #expect(all(client) == ["hello", "world", "|"])
        #expect(all(client) == ["hello", "world", "|"])
        serving.dispose()
        close(listener)
        #expect(eventually { all(client) == ["connect \(ECONNREFUSED)"] })
        #expect(
            all(Signal<NoValue, SystemError>.accept(from: -1, limit: 1, queue: queue) { _ in .never() }) == [
                "accept \(EBADF)"
            ])
    }

    @Test func datagrams() {
        var ends: [Int32] = [0, 0]
        socketpair(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0, &ends)
        let queue = queue
        let texts =
            Signal<[UInt8], SystemError>.sequence([[1, 2], [], [3]])
            |> write(
                to: ends[1], queue: queue, overflow: .pause())
        #expect(all(texts) == ["|"])
        let received = Signal<Datagram, SystemError>.datagrams(of: ends[0], queue: queue) |> take(3)
        #expect(all(received |> map { $0.data }) == ["[1, 2]", "[]", "[3]", "|"])
        let echo =
            Signal<Datagram, SystemError>.datagrams(of: ends[0], queue: queue)
            |> write(
                to: ends[0], queue: queue, overflow: .pause())
        let echoing = echo.start(error: { _ in })
        let sending =
            Signal<String, SystemError>.single("text")
            |> write(
                to: ends[1], queue: queue, overflow: .pause())
        #expect(all(sending) == ["|"])
        let answer = Signal<Datagram, SystemError>.datagrams(of: ends[1], queue: queue) |> take(1)
        #expect(all(answer |> map { $0 == Datagram([UInt8]("text".utf8)) }) == ["true", "|"])
        echoing.dispose()
        let short = Signal<Datagram, SystemError>.datagrams(of: ends[0], limit: 1, queue: queue)
        let both =
            Signal<Datagram, SystemError>.sequence([Datagram([1]), Datagram([1, 2])])
            |> write(
                to: ends[1], queue: queue, overflow: .fail(SystemError(0, "")))
        #expect(all(both) == ["|"])
        #expect(all(short |> map { $0.address }) == ["[]", "recvmsg \(EMSGSIZE)"])
        let wrong = Signal<Datagram, SystemError>.single(Datagram([1], address: [UInt8](repeating: 0, count: 129)))
        #expect(all(wrong |> write(to: ends[1], queue: queue, overflow: .pause())) == ["sendto \(EINVAL)"])
        let pipe = pipe()
        let file = Signal<Datagram, SystemError>.single(Datagram([1], address: [0, 0]))
        #expect(all(file |> write(to: pipe.writes, queue: queue, overflow: .pause())) == ["write \(EINVAL)"])
        #expect(
            all(Signal<Datagram, SystemError>.datagrams(of: pipe.reads, queue: queue) |> map { _ in 0 }) == [
                "recvmsg \(ENOTSOCK)"
            ])
        for descriptor in [ends[0], ends[1], pipe.reads, pipe.writes] { close(descriptor) }
    }

    @Test func programs() {
        let echo = Signal<ProcessEvent<String>, SystemError>.process(
            ["sh", "-c", "echo one; echo bad >&2; exit $0", "3"], options: [.output, .errors], queue: queue)
        let events = all(echo)
        #expect(Set(events.prefix(2)) == ["output(\"one\")", "errors(\"bad\")"])
        #expect(events.suffix(2) == ["exit(3)", "|"])
        let text = Signal<[UInt8], SystemError>.sequence([Array("one\n".utf8), Array("two".utf8)])
        #expect(
            all(.process(["cat"], input: text, queue: queue) |> map { (event: ProcessEvent<String>) in event })
                == ["output(\"one\")", "output(\"two\")", "exit(0)", "|"])
        let bytes: Signal<ProcessEvent<[UInt8]>, SystemError> = .process(["printf", "ab"], queue: queue)
        #expect(all(bytes) == ["output([97, 98])", "exit(0)", "|"])
        #expect(bytes.description == "process \"printf\", 65536\n")
        let missing: Signal<ProcessEvent<String>, SystemError> = .process(["/nowhere"], queue: queue)
        #expect(all(missing) == ["posix_spawn \(ENOENT)"])
        let endless: Signal<ProcessEvent<String>, SystemError> = .process(
            ["yes"], options: [.output, .terminate, .ownGroup], queue: queue)
        #expect(all(endless |> take(2)) == ["output(\"y\")", "output(\"y\")", "|"])
    }

    @Test func filesThatChange() throws {
        let folder = NSTemporaryDirectory() + "signalkit-\(getpid())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let changes = Recorded<String>()
        let over = Tally()
        let run = Signal<FileChange, SystemError>.fileChanges(at: folder, for: [.created, .gone], queue: queue)
            .start(next: { changes.add("\($0.kinds.contains(.created)) \($0.name ?? "-")") }, completed: { over.up() })
        close(open(folder + "/new", O_CREAT | O_WRONLY, 0o600))
        try FileManager.default.removeItem(atPath: folder)
        #expect(eventually { over.value == 1 })
        #expect(changes.all == ["true new", "false -"])
        run.dispose()
    }

    @Test func changesOfFoldersBelow() throws {
        let folder = NSTemporaryDirectory() + "signalkit-\(getpid())-below"
        try FileManager.default.createDirectory(atPath: folder + "/a", withIntermediateDirectories: true)
        let names = Recorded<String>()
        let run = Signal<FileChange, SystemError>
            .fileChanges(at: folder, for: [.created, .recursive], queue: Queue(name: "folders"))
            .start(next: { names.add($0.name ?? "-") })
        try FileManager.default.createDirectory(atPath: folder + "/a/b", withIntermediateDirectories: true)
        close(open(folder + "/a/b/c", O_CREAT | O_WRONLY, 0o600))
        #expect(eventually { names.all.contains("a/b/c") })
        #expect(names.all.first == "a/b")
        run.dispose()
        try FileManager.default.removeItem(atPath: folder)
    }
    #endif
}
