import SignalKitShims
import Synchronization

/// The data about one stage of a watched subscription, or about the subscription itself, independent of the types. The
/// threads that deliver events write it. Monitoring threads read it.
final class Record: Membership, Registered, @unchecked Sendable {
    typealias Number = Int64

    let number: Number
    /// The downstream record. For a subscription it is the subscription in whose callback it was started. It is cleared
    /// when that closes, because subscriptions that start each other without limit must not retain each other. Only the
    /// stage uses it.
    @exclusivity(unchecked) private var below: Record?
    /// The number of that, or 0.
    let parent: Number
    private let isClosed = Synchronization.Atomic<Bool>(false)
    /// The called function. It is nil for a subscription with its callbacks.
    let operation: CString?
    /// The operator that this is.
    let kind: CString?
    let name: SignalName?
    /// True if it was started for an event of the downstream record, not together with it.
    let isInner: Bool
    /// Nanoseconds of the monotonic clock, like all times here.
    let start: Int64
    /// The program's value for traces.
    let context: UInt64
    /// The place in the program that started the subscription.
    let origin: AnyObject?
    let parameter: Parameter
    /// The started signal of a subscription, if pictures are written.
    let recipe: SignalRecipe?

    // The stage itself and its sources count these.
    let values = Synchronization.Atomic<Int>(0), arrived = Synchronization.Atomic<Int>(0)
    let innerStarts = Synchronization.Atomic<Int>(0), passedAtOnce = Synchronization.Atomic<Int>(0)
    let failures = Synchronization.Atomic<Int>(0), failuresAbove = Synchronization.Atomic<Int>(0)
    let dropped = Synchronization.Atomic<Int>(0)
    private let retention: Retention
    /// The largest number of pending values so far.
    let mostWaiting = Synchronization.Atomic<Int>(0)
    let latest: Synchronization.Atomic<Int64>
    let thread: Synchronization.Atomic<Int32>
    /// The number of the thread that last delivered an event from a source, or 0.
    let source = Synchronization.Atomic<Int32>(0)
    /// 1 after the completion, 2 after an error.
    let ending = Synchronization.Atomic<UInt8>(0)
    let isAttached = Synchronization.Atomic<Bool>(false)
    // For a subscription: the number of running callbacks, the start of the first, and the longest duration.
    let calls = Synchronization.Atomic<Int>(0), busySince = Synchronization.Atomic<Int64>(0)
    let slowest = Synchronization.Atomic<Int64>(0)
    /// The number of times that a stage below has paused it or its sources, and the start of a present pause, or 0.
    let pauses = Synchronization.Atomic<Int>(0), pausedSince = Synchronization.Atomic<Int64>(0)
    let hasWarned = Synchronization.Atomic<Bool>(false), hasWarnedOfWait = Synchronization.Atomic<Bool>(false)

    @exclusivity(unchecked) var previousRegistered: Unmanaged<Record>?
    @exclusivity(unchecked) var nextRegistered: Unmanaged<Record>?

    var isRun: Bool { operation == nil }

    /// The operator's name for programs. It is created at the first access.
    var title: CString {
        if let written = writtenTitle.load() { return CString(text: written.text) }
        var writer = TextWriter()
        writeOperation(to: &writer)
        writer.write(byte: 0)
        let made = writer.bytes.withUnsafeBytes { SignalName($0.baseAddress!.assumingMemoryBound(to: CChar.self)) }
        return CString(text: writtenTitle.storeIfNil(made).text)
    }
    private let writtenTitle = AtomicLazyReference<SignalName>()

    private static let count = Synchronization.Atomic<Number>(0)

    /// - Parameter operation: nil for a subscription.
    init(
        _ operation: CString?, _ kind: CString?, _ parameter: Parameter, _ name: SignalName?,
        _ recipe: SignalRecipe? = nil
    ) {
        self.kind = kind
        retention = Retention(of: kind)
        self.recipe = recipe
        let here = sgk_shim_view_here()!
        number = Record.count.add(1, ordering: .relaxed).newValue
        let current = Record.current, isOpen = current.map { !$0.isClosed.load(ordering: .relaxed) } ?? false
        below = isOpen ? current : nil
        parent = current.map { isOpen ? $0.number : $0.parent } ?? 0
        self.operation = operation
        self.parameter = parameter
        self.name = name
        start = sgk_shim_nanoseconds()
        latest = .init(start)
        thread = .init(sgk_shim_own_number())
        context = here.pointee.context
        origin = operation == nil ? Sight.origin() : nil
        if let below = isOpen ? current : nil {
            isInner = operation != nil && (Record.visit!.is_delivery || below.isAttached.load(ordering: .relaxed))
            if isInner { below.innerStarts.add(1, ordering: .relaxed) }
        } else {
            isInner = false
        }
        super.init()
    }

    /// The stage was released.
    func close() {
        isClosed.store(true, ordering: .relaxed)
        _ = take()
        Records.all.remove(self)
        Sight.tell(.dispose, self)
        below = nil
    }

    // MARK: Pauses

    // It is in the table of memberships under the key of the subscription whose events it records.

    override func pauseChanged(isFirst: Bool, isPaused: Bool) {
        if isFirst { pauses.add(1, ordering: .relaxed) }
        if isFirst || !isPaused { pausedSince.store(isPaused ? sgk_shim_nanoseconds() : 0, ordering: .relaxed) }
    }

    override func leave() { pausedSince.store(0, ordering: .relaxed) }

    // MARK: What the thread is in

    /// The record that the calling thread feeds, or in whose callback it is.
    static var current: Record? { visit.map { Unmanaged<Record>.fromOpaque($0.record).takeUnretainedValue() } }

    private static var visit: sgk_shim_visit? {
        let here = sgk_shim_view_here()!
        guard here.pointee.depth > 0 else { return nil }
        let last = here.pointee.visits[here.pointee.depth - 1]
        return UInt(sgk_shim_frame()) < last.frame ? last : nil
    }

    /// The program's value for traces, on the calling thread.
    static var ownContext: UInt64 { sgk_shim_view_here()!.pointee.context }

    /// Returns the previous value.
    static func setContext(_ value: UInt64) -> UInt64 {
        let here = sgk_shim_view_here()!
        defer { here.pointee.context = value }
        return here.pointee.context
    }

    /// The previous nesting depth of the thread, until it returns there.
    struct Outer {
        fileprivate let depth: Int
        fileprivate let called: Int64
    }

    /// Makes this the current record of the thread, and retains it. If a callback is exited by a `longjmp`, or by the
    /// end of its thread, it stays there until the thread enters another record from an outer frame, or ends.
    @inline(never)
    private func enter(at frame: UInt, delivers: Bool, isInner: Bool = false, called: Int64 = 0) -> Outer {
        let here = sgk_shim_view_here()!
        while here.pointee.depth > 0 && here.pointee.visits[here.pointee.depth - 1].frame <= frame {
            Record.leaveLast(here)
        }
        let depth = here.pointee.depth
        if depth < here.pointee.room || sgk_shim_view_grow(here, { Record.leave($0!, until: 0) }) {
            here.pointee.visits[depth] = sgk_shim_visit(
                record: Unmanaged.passRetained(self).toOpaque(), frame: frame, context: here.pointee.context,
                is_delivery: delivers, is_inner: isInner)
            here.pointee.depth = depth + 1
            here.pointee.context = context
        }
        return Outer(depth: depth, called: called)
    }

    @inline(never)
    private static func leave(_ here: UnsafeMutablePointer<sgk_shim_view>, until depth: Int) {
        while here.pointee.depth > depth { leaveLast(here) }
    }

    private static func leaveLast(_ here: UnsafeMutablePointer<sgk_shim_view>) {
        here.pointee.depth -= 1
        let visit = here.pointee.visits[here.pointee.depth]
        here.pointee.context = visit.context
        Unmanaged<Record>.fromOpaque(visit.record).release()
    }

    private static func leave(_ outer: Outer) { leave(sgk_shim_view_here()!, until: outer.depth) }

    /// Starts what feeds it.
    @inline(never)
    func attach(_ start: () -> Void) {
        Records.all.add(self)
        Sight.tell(.start, self)
        let outer = enter(at: UInt(sgk_shim_frame()), delivers: false)
        start()
        Record.leave(outer)
        isAttached.store(true, ordering: .relaxed)
    }

    /// Runs later work that belongs to this record.
    @inline(never)
    func during(_ work: () -> Void) {
        let outer = enter(at: UInt(sgk_shim_frame()), delivers: false)
        work()
        Record.leave(outer)
    }

    /// Wraps work for another thread or time. It runs with the current record of this thread.
    static func carried(_ work: @escaping () -> Void) -> () -> Void {
        guard sgk_shim_is_seen(), let record = current else { return work }
        return { record.during(work) }
    }

    // MARK: Events

    /// Notes an event on its way downstream, from a function with that frame. Call `passed` after it.
    @inline(never)
    func passes(_ happening: Happening, at frame: UInt) -> Outer {
        let own = sgk_shim_own_number()
        let visit = Record.visit
        let isDelivered = visit?.is_delivery == true && visit?.record == Unmanaged.passUnretained(self).toOpaque()
        let now = sgk_shim_nanoseconds()
        if !isDelivered {
            let from = source.load(ordering: .relaxed)
            if from != 0 && from != own { Sight.tell(.hop, self, at: now, from: from) }
        } else if visit?.is_inner == false && happening == .next {
            passedAtOnce.add(1, ordering: .relaxed)
        }
        latest.store(now, ordering: .relaxed)
        thread.store(own, ordering: .relaxed)
        switch happening {
        case .next: values.add(1, ordering: .relaxed)
        case .error:
            failures.add(1, ordering: .relaxed)
            ending.store(2, ordering: .relaxed)
        default: ending.store(1, ordering: .relaxed)
        }
        Sight.tell(happening, self, at: now)
        if isRun { return called(now, at: frame) }
        guard let below else { return enter(at: frame, delivers: false) }
        below.source.store(own, ordering: .relaxed)
        if happening == .error { below.failuresAbove.add(1, ordering: .relaxed) }
        if happening == .next && !isInner { below.arrive() }
        return below.enter(at: frame, delivers: true, isInner: isInner)
    }

    /// The event was delivered.
    @inline(never)
    func passed(_ outer: Outer) {
        Record.leave(outer)
        if isRun { returned(outer.called) }
    }

    /// Counts values that were dropped.
    static func drop(_ count: Int) {
        if sgk_shim_is_seen() { current?.dropped.add(count, ordering: .relaxed) }
    }

    private func called(_ now: Int64, at frame: UInt) -> Outer {
        if calls.add(1, ordering: .relaxed).oldValue == 0 { busySince.store(now, ordering: .relaxed) }
        return enter(at: frame, delivers: false, called: now)
    }

    private func returned(_ began: Int64) {
        let now = sgk_shim_nanoseconds()
        if calls.subtract(1, ordering: .relaxed).newValue == 0 { busySince.store(0, ordering: .relaxed) }
        slowest.max(now - began, ordering: .relaxed)
        Slowness.took(now - began, self)
        Sight.tell(.return, self, at: now)
    }
}

/// The way in which a stage buffers values.
private enum Retention {
    case none, untilPassed, untilStarted

    init(of kind: CString?) {
        self = .none
        guard let kind else { return }
        for name: CString in ["deliverOn", "delayEach", "deliverOnMainQueue", "deliverOnMain"]
        where kind.isName(name) {
            self = .untilPassed
        }
        for name: CString in ["mapToQueue", "queue", "mapToMerged", "merged"] where kind.isName(name) {
            self = .untilStarted
        }
    }
}

/// The numbers of events.
extension Record {
    /// The counters of values, made consistent.
    var counts: (values: Int, arrived: Int, waiting: Int, dropped: Int) {
        // Reads the outgoing counts first. Otherwise a value that arrives and leaves in the meantime would seem to be
        // pending.
        let values = values.load(ordering: .relaxed), dropped = dropped.load(ordering: .relaxed)
        let started = innerStarts.load(ordering: .relaxed) + passedAtOnce.load(ordering: .relaxed)
        let arrived = arrived.load(ordering: .relaxed)
        let waiting =
            switch retention {
            case .none: 0
            case .untilPassed: max(arrived - values - dropped, 0)
            case .untilStarted: max(arrived - started - dropped, 0)
            }
        return (values, arrived, waiting, dropped)
    }

    var errors: Int { max(failures.load(ordering: .relaxed), failuresAbove.load(ordering: .relaxed)) }

    /// Counts a value that arrived at the stage.
    @inline(__always)
    func arrive() {
        arrived.add(1, ordering: .relaxed)
        if retention != .none { mostWaiting.max(counts.waiting, ordering: .relaxed) }
    }
}

extension CString {
    /// Returns whether it is the name of that function, with or without its parameters.
    fileprivate func isName(_ name: CString) -> Bool {
        var index = 0
        while name.text[index] != 0 {
            if text[index] != name.text[index] { return false }
            index += 1
        }
        return text[index] == 0 || text[index] == CChar(40)
    }
}

/// The stages that are watched.
enum Records {
    static let all = Register<Record>()

    /// Returns all records, ordered by number. (They are nearly in reverse order.)
    static func copy() -> [Record] {
        var sorted = Array(all.copy().reversed())
        for index in sorted.indices.dropFirst() {
            var place = index
            while place > 0 && sorted[place - 1].number > sorted[place].number {
                sorted.swapAt(place - 1, place)
                place -= 1
            }
        }
        return sorted
    }
}

/// Warnings about stages without a limit, or with a limit for a source that does not pause.
extension Record {
    /// The number of pending values above which a stage without a limit warns once. In the library for C it warns only
    /// with SIGNALKIT_DEBUG=1.
    #if hasFeature(Embedded)
    static let many = sgk_shim_environment_says("SIGNALKIT_DEBUG") ? 65_536 : Int.max
    #else
    static let many = 65_536
    #endif

    /// The number of pending values at which a further one needs a decision: the value would reach the mark `high`, the
    /// limit is reached, or a stage without a limit warns.
    static func checked(_ limit: Int, _ high: Int = .max) -> Int {
        min(max(high, 1) - 1, limit == .max ? many : limit)
    }

    @inline(never)
    static func tellOfMany() {
        var text = TextWriter()
        text.write(current.map { $0.title } ?? "a stage without a limit")
        text.write(": more than 65536 values are pending: no limit is set, or the source does not pause")
        Warnings.tell(text)
    }
}
