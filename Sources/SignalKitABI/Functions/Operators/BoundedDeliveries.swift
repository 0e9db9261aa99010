import CSignalKit
import SignalKitSupport

@_cdecl("sgk_overflow_counter_create") @implementation
public func sgk_overflow_counter_create() -> OpaquePointer! { ObjectHandle(OverflowCounter()).passed() }

@_cdecl("sgk_overflow_counter_dropped") @implementation
public func sgk_overflow_counter_dropped(_ counter: OpaquePointer!) -> Int64 {
    borrow(counter, as: OverflowCounter.self, "counter").map { Int64($0.dropped) } ?? -1
}

@_cdecl("sgk_overflow_counter_suspended") @implementation
public func sgk_overflow_counter_suspended(_ counter: OpaquePointer!) -> Int64 {
    borrow(counter, as: OverflowCounter.self, "counter").map { Int64($0.suspended) } ?? -1
}

@_cdecl("sgk_overflow_counter_exceeded") @implementation
public func sgk_overflow_counter_exceeded(_ counter: OpaquePointer!) -> Int64 {
    borrow(counter, as: OverflowCounter.self, "counter").map { Int64($0.exceeded) } ?? -1
}

@_cdecl("sgk_signal_deliver_on_bounded") @implementation
public func sgk_signal_deliver_on_bounded(
    _ signal: OpaquePointer!, _ bound: UnsafePointer<sgk_bound>!, _ queue: OpaquePointer!
) -> OpaquePointer! {
    let bound = GivenBound(bound)
    return derive(signal, on: queue) { signal, queue in
        bound.checked(BoundRules(mayPause: true)).map {
            signal
                |> ($0.limit == .max
                    ? deliverOn(queue)
                    : deliverOn(queue, limit: $0.limit, overflow: $0.overflow, counter: $0.counter))
        }
    }
}

/// The limit and the overflow policy of an operator.
struct BoundArguments {
    let limit: Int
    let overflow: OverflowPolicy<Value>
    let counter: OverflowCounter?

    /// For an operator that never suspends.
    var bound: Bound<Value> { Bound(limit, overflow, counter) }
}

/// The fields of a `sgk_bound` that an operator accepts, and their defaults.
struct BoundRules {
    var limit = Int.max
    var overflow = SGK_OVERFLOW_ERROR
    /// Why the policy must not be SGK_OVERFLOW_SUSPEND.
    var notSuspending: CString? = nil
    /// Whether the limit is one of inner signals that wait, which may be 0.
    var isWaiting = false
    /// Whether the operator pauses its source. Then it has a limit.
    var mayPause = false
    /// Why values must not be dropped.
    var notDropping: CString? = nil
}

/// A `sgk_bound` that the program passed. The error is taken over before any argument is checked, because it may be
/// transferred.
struct GivenBound {
    private let fields: sgk_bound
    private let hasKnownSize: Bool
    private let error: Value

    @inline(never)
    init(_ bound: UnsafePointer<sgk_bound>?) {
        var fields = sgk_bound()
        hasKnownSize = bound.map { copied($0, to: &fields, size: $0.pointee.size) } ?? true
        self.fields = fields
        error = Value(borrowing: fields.error)
    }

    /// Returns the checked arguments, or `nil` after it recorded an error.
    @inline(never)
    func checked(_ rules: BoundRules = BoundRules(), in function: CString = #function) -> BoundArguments? {
        func refuse(_ argument: CString, _ reason: CString) -> BoundArguments? {
            record(SGK_ERROR_ARGUMENT, argument, reason, in: function)
            return nil
        }
        if !hasKnownSize || fields.reserved != 0 { return refuse(rules.isWaiting ? "waiting" : "bound", unknownStruct) }
        var limit = rules.limit
        let pauses = fields.overflow & SGK_OVERFLOW_PAUSE.rawValue != 0
        switch fields.limit {
        case 0: if pauses && limit == .max { limit = 1024 }
        case 1...: limit = Int(fields.limit)
        case Int64(SGK_UNBOUNDED): limit = .max
        case Int64(SGK_UNBUFFERED) where rules.isWaiting: limit = 0
        default:
            return refuse(
                rules.isWaiting ? "waiting.limit" : "bound.limit",
                "must be 1 or more, SGK_UNBOUNDED, or 0 for the default")
        }
        let refusedPolicy: CString = rules.isWaiting ? "waiting.overflow" : "bound.overflow"
        if pauses && !rules.mayPause {
            return refuse(
                refusedPolicy, "must not pause: nothing waits in this operator")
        }
        let second = fields.overflow & ~SGK_OVERFLOW_PAUSE.rawValue
        let overflow = second == 0 ? rules.overflow : sgk_overflow(rawValue: second)
        guard var policy = policy(overflow, isReached: limit < .max, in: function) else {
            return refuse(refusedPolicy, "must be a sgk_overflow")
        }
        if case .suspend = policy, let refusal = rules.notSuspending {
            return refuse(refusedPolicy, refusal)
        }
        let dropping = SGK_OVERFLOW_DROP_OLDEST.rawValue...SGK_OVERFLOW_KEEP_LATEST.rawValue
        if let refusal = rules.notDropping, dropping.contains(overflow.rawValue) {
            return refuse(refusedPolicy, refusal)
        }
        if pauses { policy = .pause(then: second == 0 ? nil : policy) }
        guard let counter = fields.counter else {
            return BoundArguments(limit: limit, overflow: policy, counter: nil)
        }
        let argument: CString = rules.isWaiting ? "waiting.counter" : "bound.counter"
        return borrow(counter, as: OverflowCounter.self, argument, in: function).map {
            BoundArguments(limit: limit, overflow: policy, counter: $0)
        }
    }

    private func policy(
        _ overflow: sgk_overflow, isReached: Bool, in function: CString
    ) -> OverflowPolicy<Value>? {
        switch overflow {
        case SGK_OVERFLOW_SUSPEND: return .suspend
        case SGK_OVERFLOW_DROP_OLDEST: return .dropOldest
        case SGK_OVERFLOW_DROP_NEWEST: return .dropNewest
        case SGK_OVERFLOW_KEEP_LATEST: return .keepLatest
        case SGK_OVERFLOW_ERROR:
            if isReached, case .null = error {
                return .fail(Value(SGK_ERROR_OVERFLOW, "the buffer is full", in: function))
            }
            return .fail(error)
        default: return nil
        }
    }
}

func isCount(_ number: Int64, _ argument: CString, in function: CString = #function) -> Bool {
    count(number, argument, in: function) != nil
}

/// Returns a checked count, or `nil` after it recorded that the count is too small.
func count(
    _ number: Int64, _ argument: CString, atLeast least: Int64 = 1, orUnbounded mayBeUnbounded: Bool = false,
    in function: CString = #function
) -> Int? {
    if mayBeUnbounded && number == Int64(SGK_UNBOUNDED) { return .max }
    if number >= least { return Int(number) }
    record(SGK_ERROR_ARGUMENT, argument, least == 0 ? "must be 0 or more" : "must be 1 or more", in: function)
    return nil
}
