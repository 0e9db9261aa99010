import SignalKitShims
import Synchronization

/// What can happen to a stage.
enum Happening: UInt8 {
    case start, next, error, completed, dispose, hop, `return`  // as sgk_shim_happening, and sgk_trace_kind
}

/// Whether somebody looks at what runs, and who is told.
///
/// One word says whether somebody does. It is looked at when a run is started, not at its events: what was started
/// unseen stays unseen.
enum Sight {
    typealias Teller = (_ happening: Happening, _ record: Record, _ time: Int64, _ from: Int32) -> Void

    /// Whether somebody looks, once the environment has been looked at.
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

    /// Tells where the program starts a run, if that is to be known.
    nonisolated(unsafe) static var origin: () -> AnyObject? = { nil }

    private static let watchers = Synchronization.Atomic<Int>(0)

    /// Has what is started from now on watched, as often as it is called with true.
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

    /// Who is told. Set once, before `isTraced` is.
    nonisolated(unsafe) static var teller: Teller = { _, _, _, _ in }
    static let isTraced = Synchronization.Atomic<Bool>(false)

    /// Has happenings told as long as somebody is there to be told. Called after each change of that, perhaps by two
    /// threads at once, or inside of another call: whoever is last here sees what is so in the end.
    static func trace(while isWanted: () -> Bool) {
        var on: Bool
        repeat {
            on = isWanted()
            if isTraced.exchange(on, ordering: .acquiringAndReleasing) != on { sgk_shim_look(on) }
        } while isWanted() != on
    }

    /// Something happens: passes a probe, and tells who traces.
    @inline(never)
    static func tell(_ happening: Happening, _ record: Record, at time: Int64? = nil, from: Int32 = 0) {
        sgk_shim_probe(
            sgk_shim_happening(UInt32(happening.rawValue)), record.number, record.parent,
            (record.kind ?? "run").text, record.name?.text, Int64(from))
        if isTraced.load(ordering: .acquiring) { tellTracer(happening, record, time, from) }
    }

    /// What happens inside is not told, or there would be no end of it; but disposals have one.
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
