// As Swift programs have them: with values of Swift's types. (The library for C says what its own are.)
#if !hasFeature(Embedded)
import SignalKitShims

// All these are cold. A run watches a duplicate of the descriptor, from its start on, and closes that in the end: the
// program may close its own as soon as the run is started. The work is done on the queue: a run reads once, emits what
// that was, and only then watches for more; whoever is slow there holds up whoever writes.

extension Signal where T == String, E == SystemError {
    /// Reads lines, each without its newline. What comes after the last newline is a line, unless it is empty. What is
    /// no UTF-8 is repaired. A line of more than `limit` bytes fails the run, with EMSGSIZE.
    public static func lines(
        of descriptor: Int32, limit: Int = 1 << 16, queue: Queue
    ) -> Signal<String, SystemError> {
        lines(of: descriptor, limit: limit, queue: queue, failure: identity) { String(decoding: $0, as: UTF8.self) }
    }
}

extension Signal where T == [UInt8], E == SystemError {
    /// Reads bytes as they come, at most so many at once. Not for sockets of datagrams.
    public static func bytes(
        of descriptor: Int32, chunk: Int = 1 << 16, queue: Queue
    ) -> Signal<[UInt8], SystemError> {
        bytes(of: descriptor, chunk: chunk, queue: queue, failure: identity) { [UInt8]($0) }
    }
}

extension Signal where T == Readiness, E == SystemError {
    /// What a descriptor is ready for: told once, and again when that has been handled, as long as it is so. Completes
    /// when nothing is left but that the other side has hung up; fails with the error that waits at a socket, and with
    /// EPIPE where nobody reads what is written.
    public static func readiness(
        of descriptor: Int32, for interest: Readiness, queue: Queue
    ) -> Signal<Readiness, SystemError> {
        precondition(
            !interest.isEmpty && interest.isSubset(of: [.readable, .writable]),
            "interest must contain .readable or .writable, and nothing else")
        return readiness(of: descriptor, for: interest, queue: queue, failure: identity, make: identity)
    }
}

extension Signal where T == Int32, E == SystemError {
    /// The signals of that number, which must be blocked in all threads (`pthread_sigmask`, before any other thread is
    /// made): a run fails with EINVAL if the thread that starts it does not block it. Of several runs each gets some.
    /// Only on Linux.
    ///
    /// The main thread of a program with an asynchronous main (a top-level `await`) blocks no signal while it is idle,
    /// whatever the program has said. So the first run installs a handler that passes the signal on, and the end of the
    /// last run removes it. If the program has a handler of its own, that is left alone, and a warning is written if a
    /// thread does not block the signal.
    public static func unixSignal(_ signal: Int32, queue: Queue) -> Signal<Int32, SystemError> {
        unixSignal(signal, queue: queue, failure: identity, make: identity)
            |> afterDisposed { sgk_shim_signal_leave(signal) }
            |> beforeStarted { sgk_shim_signal_pass_on(signal) }
    }

    /// How a child process has ended: its exit status, or, less than 0, the signal that has ended it. It is reaped by
    /// that, and no other is. Only on Linux.
    public static func child(_ process: Int32, queue: Queue) -> Signal<Int32, SystemError> {
        child(process, queue: queue, failure: identity, make: identity)
    }
}

extension Signal where T == FileChange, E == SystemError {
    /// What happens to a file, or to a folder and what is in it. Completes when that is gone; fails with ENOBUFS when
    /// so much has happened that some of it is lost. Only on Linux.
    public static func fileChanges(
        at path: String, for kinds: FileChange.Kinds, queue: Queue
    ) -> Signal<FileChange, SystemError> {
        fileChanges(
            kinds.rawValue, queue: queue, path: { open in path.withCString(open) }, failure: identity, make: T.init)
    }
}

/// Writes what a signal emits to a descriptor, on `queue`. Emits nothing; completes, or fails, as the signal does, when
/// all is written. SIGPIPE is never sent.
///
/// With `closes` the descriptor becomes the run's, which closes it in the end; otherwise a duplicate does. As many
/// bytes as `limit` says may wait, beside as many that are being written. Who emits more is blocked until there is
/// room; on the queue itself, where that would wait for itself, the run fails, with ENOBUFS.
public func write(
    to descriptor: Int32, closes: Bool = false, limit: Int = 1 << 16, queue: Queue
) -> (Signal<String, SystemError>) -> Signal<NoValue, SystemError> {
    write(to: descriptor, takes: closes, limit: limit, queue: queue, failure: identity) {
        $1.append(contentsOf: $0.utf8)
    }
}

/// The same for bytes.
public func write(
    to descriptor: Int32, closes: Bool = false, limit: Int = 1 << 16, queue: Queue
) -> (Signal<[UInt8], SystemError>) -> Signal<NoValue, SystemError> {
    write(to: descriptor, takes: closes, limit: limit, queue: queue, failure: identity) { $1.append(contentsOf: $0) }
}
#endif
