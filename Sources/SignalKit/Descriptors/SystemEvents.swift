import SignalKitShims

// What is no descriptor by itself, but can be had as one: signals of the system, the ends of processes, changes of
// files. Each run opens one of its own.

private final class UnixSignalRun<T, E>: EmittingRun<T, E>, @unchecked Sendable {
    private let make: (Int32) -> T

    init(
        _ subscriber: Subscriber<T, E>, _ queue: Queue, _ make: @escaping (Int32) -> T,
        _ failure: @escaping (SystemError) -> E
    ) {
        self.make = make
        super.init(subscriber, queue, .readable, failure)
    }

    override func handle(_ readiness: Readiness) -> Bool {
        guard let signal = use({ sgk_shim_signal_next($0) }) else { return false }
        if signal > 0 {
            subscriber.putNext(make(signal))
        } else if signal != -Int32(SGK_SHIM_AGAIN) {
            fail(SystemError(-signal, "signalfd"))
        }
        return subscriber.isActive
    }
}

private final class ChildRun<T, E>: EmittingRun<T, E>, @unchecked Sendable {
    private let child: Int32
    private let make: (Int32) -> T

    init(
        _ subscriber: Subscriber<T, E>, _ queue: Queue, _ child: Int32, _ make: @escaping (Int32) -> T,
        _ failure: @escaping (SystemError) -> E
    ) {
        self.child = child
        self.make = make
        super.init(subscriber, queue, .readable, failure)
    }

    override func handle(_ readiness: Readiness) -> Bool {
        var status: Int32 = 0
        guard let error = use({ _ in sgk_shim_child_status(child, &status) }) else { return false }
        if error == 0 {
            subscriber.putNext(make(status))
            subscriber.putCompletion()
        } else if error != Int32(SGK_SHIM_AGAIN) {
            fail(SystemError(error, "waitid"))
        }
        return subscriber.isActive
    }
}

private final class ChangesRun<T, E>: ReadingRun<T, E>, @unchecked Sendable {
    private let make: (FileChange) -> T

    init(
        _ subscriber: Subscriber<T, E>, _ queue: Queue, _ make: @escaping (FileChange) -> T,
        _ failure: @escaping (SystemError) -> E
    ) {
        self.make = make
        super.init(subscriber, queue, room: 4096, failure) // the longest name has room, and many others
    }

    override func take(_ count: Int) {
        var place = 0
        while place < count && subscriber.isActive {
            // The name lies in the buffer, which nobody else touches meanwhile.
            let (value, change) = buffer.withUnsafeBytes {
                let change = sgk_shim_change_at($0.baseAddress! + place)
                let value = change.mask == 0 ? nil : make(FileChange(change))
                return (value, change)
            }
            if let value { subscriber.putNext(value) }
            if change.is_overflow { return fail(SystemError(Int32(SGK_SHIM_NO_ROOM), "inotify")) }
            if change.is_last { return subscriber.putCompletion() }
            place += change.size
        }
    }
}

/// A change, as long as its name lies in the memory that it was read to.
struct FileChange {
    private let change: sgk_shim_change

    init(_ change: sgk_shim_change) { self.change = change }

    /// The bit of what has happened, and others that say more of it.
    var mask: UInt32 { change.mask }
    /// The same for both halves of a renaming; otherwise 0.
    var cookie: UInt32 { change.cookie }
    /// Of what in a folder it has happened to; empty when it was the path itself.
    var name: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: change.name, count: change.length) }
}

extension Signal {
    static func unixSignal(
        _ signal: Int32, queue: Queue, failure: @escaping (SystemError) -> E, make: @escaping (Int32) -> T
    ) -> Signal {
        Signal { subscriber in
            UnixSignalRun(subscriber, queue, make, failure).start { () throws(SystemError) in
                // One that is not would end the program.
                if sgk_shim_signal_is_blocked(signal) != 1 {
                    throw SystemError(Int32(SGK_SHIM_INVALID), "signalfd")
                }
                return try .opened(sgk_shim_signal_open(signal), by: "signalfd")
            }
        }
    }

    static func child(
        _ process: Int32, queue: Queue, failure: @escaping (SystemError) -> E, make: @escaping (Int32) -> T
    ) -> Signal {
        Signal { subscriber in
            ChildRun(subscriber, queue, process, make, failure).start { () throws(SystemError) in
                try .opened(sgk_shim_child_open(process), by: "pidfd_open")
            }
        }
    }

    /// - Parameter path: is called with the text that the system wants.
    static func fileChanges(
        _ mask: UInt32, queue: Queue, path: @escaping ((UnsafePointer<CChar>) -> Int32) -> Int32,
        failure: @escaping (SystemError) -> E, make: @escaping (FileChange) -> T
    ) -> Signal {
        Signal { subscriber in
            ChangesRun(subscriber, queue, make, failure).start { () throws(SystemError) in
                try .opened(path { sgk_shim_changes_open($0, mask) }, by: "inotify_add_watch")
            }
        }
    }
}
