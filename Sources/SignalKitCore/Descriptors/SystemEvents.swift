import SignalKitShims

// Events that the system can report by a descriptor: system signals, ends of processes, times of the wall clock,
// changes of files. Each subscription opens its own descriptor.

/// Emits the numbers that a system call returns, one whenever the descriptor is ready. With `isOne` it emits only one.
private final class NumbersRun<T, E>: EmittingRun<T, E>, @unchecked Sendable {
    private let isOne: Bool
    private let call: StaticString
    private let make: (Int32) -> T
    private let find: (_ descriptor: Int32, _ found: inout Int32) -> Int32

    /// - Parameter find: returns 0 or an error.
    init(
        _ subscriber: Subscriber<T, E>, _ queue: Queue, _ interest: Readiness = .readable, one isOne: Bool,
        _ call: StaticString, _ make: @escaping (Int32) -> T, _ failure: @escaping (SystemError) -> E,
        find: @escaping (_ descriptor: Int32, _ found: inout Int32) -> Int32
    ) {
        self.isOne = isOne
        self.call = call
        self.make = make
        self.find = find
        super.init(subscriber, queue, interest, failure)
    }

    override var obeysPauses: Bool { false }

    override func handle(_ readiness: Readiness) -> Bool {
        var found: Int32 = 0
        guard let error = use({ find($0, &found) }) else { return false }
        if error == 0 {
            subscriber.putNext(make(found))
            if isOne { subscriber.putCompletion() }
        } else if error != Int32(SGK_SHIM_AGAIN) {
            fail(SystemError(error, call))
        }
        return subscriber.isActive
    }
}

private final class ChangesRun<T, E>: ReadingRun<T, E>, @unchecked Sendable {
    private let make: (FoundChange) -> T

    init(
        _ subscriber: Subscriber<T, E>, _ queue: Queue, _ make: @escaping (FoundChange) -> T,
        _ failure: @escaping (SystemError) -> E
    ) {
        self.make = make
        super.init(subscriber, queue, room: 4096, failure) // the longest name has room, and many others
    }

    override var obeysPauses: Bool { false }

    override func take(_ bytes: UnsafeRawBufferPointer) {
        guard let descriptor = current, let changes = descriptor.changes else { return }
        var place = 0
        while place < bytes.count && subscriber.isActive {
            var change = sgk_shim_changes_at(changes, bytes.baseAddress! + place)
            place += change.size
            if change.mask != 0 { subscriber.putNext(make(FoundChange(change))) }
            if change.error != 0 { return fail(SystemError(change.error, "inotify")) }
            if change.is_last { return subscriber.putCompletion() }
            while sgk_shim_changes_found(changes, &change) { subscriber.putNext(make(FoundChange(change))) }
        }
    }
}

extension Signal {
    static func unixSignal(
        _ signal: Int32, queue: Queue, failure: @escaping (SystemError) -> E, make: @escaping (Int32) -> T
    ) -> Signal {
        watching(.count(Int(signal))) { subscriber in
            NumbersRun(subscriber, queue, one: false, "signalfd", make, failure) { sgk_shim_signal_next($0, &$1) }
        } _: { () throws(SystemError) in
            // One that is not would end the program.
            let isBlocked = sgk_shim_signal_is_blocked(signal)
            if isBlocked != 1 {
                throw SystemError(
                    Int32(SGK_SHIM_INVALID),
                    isBlocked == 0 ? "signalfd of a signal that this thread does not block" : "signalfd")
            }
            let descriptor = try Descriptor.opened(sgk_shim_signal_open(signal), by: "signalfd")
            if !sgk_shim_signal_is_blocked_everywhere(signal) { warn(of: signal) }
            return descriptor
        }
    }

    private static func warn(of signal: Int32) {
        var text = TextWriter()
        text.write("a subscription waits for the system signal ")
        text.write(Int64(signal))
        text.write(", but a thread does not block it; that thread may receive it, and the program may end")
        Warnings.tell(text)
    }

    static func child(
        _ process: Int32, queue: Queue, failure: @escaping (SystemError) -> E, make: @escaping (Int32) -> T
    ) -> Signal {
        watching(.count(Int(process))) { subscriber in
            NumbersRun(subscriber, queue, one: true, "waitid", make, failure) { sgk_shim_child_status(process, &$1) }
        } _: { () throws(SystemError) in
            try .opened(sgk_shim_child_open(process), by: "pidfd_open")
        }
    }

    /// Emits the exit status of a program that a subscription has started, and completes. It watches a duplicate,
    /// because a subscription that was just disposed may still remove the descriptor from the set.
    static func exit(
        of program: Descriptor, queue: Queue, failure: @escaping (SystemError) -> E, make: @escaping (Int32) -> T
    ) -> Signal {
        watching { subscriber in
            NumbersRun(subscriber, queue, one: true, "waitid", make, failure) { _, status in
                sgk_shim_process_status(program.process, &status)
            }
        } _: { () throws(SystemError) in
            try .duplicate(of: program.number)
        }
    }

    /// Emits one value when a socket is connected, and completes.
    static func connected(
        _ socket: Descriptor, queue: Queue, failure: @escaping (SystemError) -> E, make: @escaping (Int32) -> T
    ) -> Signal {
        watching { subscriber in
            NumbersRun(subscriber, queue, .writable, one: true, "connect", make, failure) { number, _ in
                sgk_shim_fd_error(number)
            }
        } _: { () throws(SystemError) in
            try .duplicate(of: socket.number)
        }
    }

    static func wallClockTimer(
        unixTime: Double, queue: Queue, failure: @escaping (SystemError) -> E, make: @escaping (Int32) -> T
    ) -> Signal {
        watching(.seconds(unixTime)) { subscriber in
            NumbersRun(subscriber, queue, one: true, "timerfd", make, failure) { descriptor, _ in
                sgk_shim_wall_clock_came(descriptor)
            }
        } _: { () throws(SystemError) in
            try .opened(sgk_shim_wall_clock_open(unixTime), by: "timerfd")
        }
    }

    /// - Parameter path: called with a function, to which it passes the path as a C string.
    static func fileChanges(
        _ mask: UInt32, queue: Queue, path: @escaping ((UnsafePointer<CChar>) -> Int32) -> Int32,
        failure: @escaping (SystemError) -> E, make: @escaping (FoundChange) -> T
    ) -> Signal {
        watching {
            ChangesRun($0, queue, make, failure)
        } _: { () throws(SystemError) in
            try .watching(path, mask)
        }
    }
}
