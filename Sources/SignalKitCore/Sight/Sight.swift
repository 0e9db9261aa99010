import SignalKitShims
import Synchronization

/// The events of a stage.
enum Happening: UInt8 {
    case start, next, error, completed, dispose, hop, `return` // as sgk_shim_happening, and sgk_trace_kind
}

/// Controls the monitoring of subscriptions, and delivers its events.
///
/// One word contains whether monitoring is active. It is checked when a subscription starts, not at its events. So a
/// subscription that was started without monitoring is never monitored.
enum Sight {
    typealias Teller = (_ happening: Happening, _ record: Record, _ time: Int64, _ from: Int32) -> Void

    /// True if monitoring is active. The first access reads the environment.
    static var isOpen: Bool {
        environment
        return sgk_shim_is_seen()
    }

    private static let environment: Void = {
        for name: CString in ["SIGNALKIT_DOT", "SIGNALKIT_SLOW", "SIGNALKIT_DEBUG"]
        where sgk_shim_environment_says(name.text) {
            sgk_shim_look(true)
        }
        sgk_shim_look(false)
        Slowness.begin()
        Pictures.begin()
    }()

    /// Returns the place in the program that starts a subscription, if it is recorded.
    nonisolated(unsafe) static var origin: () -> AnyObject? = { nil }

    private static let watchers = Synchronization.Atomic<Int>(0)

    /// Starts monitoring (true) or ends it (false) for later subscriptions. The calls are counted.
    static func watch(_ on: Bool) {
        if on {
            if watchers.add(1, ordering: .relaxed).oldValue == 0 { sgk_shim_look(true) }
            return
        }
        var seen = watchers.load(ordering: .relaxed)
        while seen > 0 {
            let (exchanged, now) = watchers.compareExchange(expected: seen, desired: seen - 1, ordering: .relaxed)
            if exchanged {
                if seen == 1 { sgk_shim_look(false) }
                return
            }
            seen = now
        }
    }

    // MARK: Traces

    /// Receives the events. Set once, before `isTraced`.
    nonisolated(unsafe) static var teller: Teller = { _, _, _, _ in }
    static let isTraced = Synchronization.Atomic<Bool>(false)

    /// Traces events as long as `isWanted` returns true. Called after each change, possibly by two threads at once, or
    /// inside another call. The last caller sees the final state.
    static func trace(while isWanted: () -> Bool) {
        var on: Bool
        repeat {
            on = isWanted()
            if isTraced.exchange(on, ordering: .acquiringAndReleasing) != on { sgk_shim_look(on) }
        } while isWanted() != on
    }

    /// Reports an event: passes a probe, and calls the tracer.
    @inline(never)
    static func tell(_ happening: Happening, _ record: Record, at time: Int64? = nil, from: Int32 = 0) {
        sgk_shim_probe(
            sgk_shim_happening(UInt32(happening.rawValue)), record.number, record.parent,
            (record.kind ?? "run").text, record.name?.text, Int64(from))
        if isTraced.load(ordering: .acquiring) { tellTracer(happening, record, time, from) }
    }

    /// Events inside the call are not reported, because they would recurse without limit. Disposals are limited, so
    /// they are reported.
    @inline(never)
    private static func tellTracer(_ happening: Happening, _ record: Record, _ time: Int64?, _ from: Int32) {
        let here = sgk_shim_view_here()!
        let isInside = here.pointee.is_telling
        if isInside && happening != .dispose { return }
        here.pointee.is_telling = true
        teller(happening, record, time ?? sgk_shim_nanoseconds(), from)
        here.pointee.is_telling = isInside
    }
}
