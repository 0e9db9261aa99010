import SignalKitShims
import Synchronization

/// Warns about slow callbacks, which block their thread and possibly a serial queue. It warns once per subscription.
enum Slowness {
    /// The longest duration of a callback in nanoseconds, from SIGNALKIT_SLOW in seconds.
    static let patience: Int64 = {
        let seconds = sgk_shim_environment_seconds("SIGNALKIT_SLOW")
        return seconds > 0 ? Int64(min(seconds * 1e9, 0x1p62)) : .max
    }()

    /// A callback has returned.
    @inline(__always)
    static func took(_ time: Int64, _ record: Record) {
        if time > patience { complain(record, "has taken ", time) }
    }

    /// Periodically checks callbacks that have not returned, because some never return.
    static func begin() {
        if patience < .max { look() }
    }

    private static func look() {
        Queue.concurrentBackgroundQueue().after(max(Double(patience) * 1e-9, 0.001)) {
            let now = sgk_shim_nanoseconds()
            for record in Records.copy() {
                let since = record.busySince.load(ordering: .relaxed)
                if since > 0 && now - since > patience { complain(record, "has not returned for ", now - since) }
            }
            look()
        }
    }

    @inline(never)
    private static func complain(_ record: Record, _ what: CString, _ time: Int64) {
        if record.hasWarned.exchange(true, ordering: .relaxed) { return }
        var text = TextWriter()
        text.write(callbackOf: record)
        text.write(what)
        text.write(seconds: time)
        text.write(" s, on thread ")
        text.write(Int64(record.thread.load(ordering: .relaxed)))
        Warnings.tell(text)
    }

    /// A wait of the caller was rejected, because it would have deadlocked.
    static func refusedToWait() {
        guard sgk_shim_is_seen(), let record = Record.current, record.isRun,
            !record.hasWarnedOfWait.exchange(true, ordering: .relaxed)
        else { return }
        var text = TextWriter()
        text.write(callbackOf: record)
        text.write("would deadlock on its own queue; its wait was rejected")
        Warnings.tell(text)
    }
}

extension TextWriter {
    fileprivate mutating func write(callbackOf record: Record) {
        write("a callback of subscription #")
        write(record.number)
        if let name = record.name { write(after: .name(name)) }
        write(" ")
    }
}
