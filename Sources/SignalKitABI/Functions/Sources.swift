import CSignalKit
import SignalKitSupport

@_cdecl("sgk_signal_from_array") @implementation
public func sgk_signal_from_array(_ items: UnsafePointer<sgk_value>!, _ count: Int) -> OpaquePointer! {
    if items == nil && count != 0 {
        record(SGK_ERROR_NULL, "items", "must not be NULL if count is not 0")
        return nil
    }
    if count < 0 || count > Int.max / 16 {
        record(SGK_ERROR_ARGUMENT, "count", "must not exceed the maximum size of an array")
        return nil
    }
    guard let room = Items.room(for: count) else {
        for index in 0..<count { _ = Value(borrowing: items[index]) } // what is given away is taken over all the same
        record(SGK_ERROR_MEMORY, "count", "out of memory")
        return nil
    }
    let kept = Items(room, count) { Value(borrowing: items[$0]) }
    return SignalHandle(
        ValueSignal.source(.count(count)) { subscriber in
            var index = 0
            while subscriber.isActive, index < kept.count {
                subscriber.putNext(kept[index])
                index += 1
            }
            subscriber.putCompletion()
            return EmptyDisposable
        }
    ).passed()
}

/// Values that a signal keeps, in memory that can be refused, unlike an array's.
private final class Items {
    private let memory: UnsafeMutablePointer<sgk_value>
    let count: Int

    static func room(for count: Int) -> UnsafeMutablePointer<sgk_value>? {
        malloc(max(count, 1) * MemoryLayout<sgk_value>.stride)?.assumingMemoryBound(to: sgk_value.self)
    }

    init(_ memory: UnsafeMutablePointer<sgk_value>, _ count: Int, _ item: (Int) -> Value) {
        self.memory = memory
        self.count = count
        for index in 0..<count { (memory + index).initialize(to: item(index).passed()) }
    }

    deinit {
        for index in 0..<count { _ = Value(consuming: memory[index]) }
        free(memory)
    }

    subscript(index: Int) -> Value { Value(borrowing: memory[index]) }
}

@_cdecl("sgk_signal_from_iterator") @implementation
public func sgk_signal_from_iterator(
    _ next: sgk_iterator_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let callback = Callback(context, destroy)
    guard let next = required(next, "next") else { return nil }
    return SignalHandle(
        ValueSignal.source { subscriber in
            while subscriber.isActive {
                let (step, value) = callback.step(next)
                switch step {
                case .item: subscriber.putNext(value)
                case .failure: subscriber.putError(value)
                case .end: subscriber.putCompletion()
                }
            }
            return EmptyDisposable
        }
    ).passed()
}

private enum Step { case item, failure, end }

extension Callback {
    /// Returns the answer of an iterator and the value that it stored. The caller owns that value in either case.
    fileprivate func step(
        _ next: (UnsafeMutableRawPointer?, UnsafeMutablePointer<sgk_value>?) -> Bool
    ) -> (Step, Value) {
        var step = Step.end
        let stored = made {
            var stored = sgk_null()
            if next(context, &stored) {
                step = .item
            } else if stored.reserved == SGK_OUTCOME_FAILED.rawValue {
                step = .failure
            }
            return stored
        }
        return (step, stored)
    }
}

@_cdecl("sgk_signal_range") @implementation
public func sgk_signal_range(_ first: Int64, _ count: Int64) -> OpaquePointer! {
    if count < 0 || count > 0 && first.addingReportingOverflow(count - 1).overflow {
        record(SGK_ERROR_ARGUMENT, "count", "must be 0 or more, and first + count must not overflow")
        return nil
    }
    return SignalHandle(
        ValueSignal.source(.several([.count(Int(first)), .count(Int(count))])) { subscriber in
            var index: Int64 = 0
            while subscriber.isActive, index < count {
                subscriber.putNext(Value(first + index))
                index += 1
            }
            subscriber.putCompletion()
            return EmptyDisposable
        }
    ).passed()
}

@_cdecl("sgk_signal_interval") @implementation
public func sgk_signal_interval(_ seconds: Double, _ queue: OpaquePointer!) -> OpaquePointer! {
    guard isPeriod(seconds) else { return nil }
    return numbers(on: queue) { .interval(seconds, queue: $0) }
}

@_cdecl("sgk_signal_timer") @implementation
public func sgk_signal_timer(_ seconds: Double, _ queue: OpaquePointer!) -> OpaquePointer! {
    guard isTime(seconds) else { return nil }
    return numbers(on: queue) { .timer(seconds, queue: $0) }
}

/// Checks that a time can be the period of repetitions, and records an error otherwise.
func isPeriod(_ seconds: Double, in function: CString = #function) -> Bool {
    if seconds > 0 && seconds < .infinity { return true }
    record(SGK_ERROR_ARGUMENT, "seconds", "must be finite and more than 0", in: function)
    return false
}

private func numbers(
    on queue: OpaquePointer?, in function: CString = #function, _ make: (Queue) -> Signal<Int, Value>
) -> OpaquePointer? {
    guard let queue = borrow(queue, as: QueueHandle.self, "queue", in: function)?.queue else { return nil }
    return SignalHandle(make(queue) |> converted { Value(Int64($0)) }).passed()
}

extension Value {
    init(_ number: Int64) { self = .plain(kind: SGK_INT.rawValue, bits: UInt64(bitPattern: number)) }
}

@_cdecl("sgk_signal_using") @implementation
public func sgk_signal_using(
    _ acquire: sgk_acquire_fn!, _ use: sgk_use_fn!, _ release: sgk_destroy_fn!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let callback = Callback(context, destroy)
    guard let acquire = required(acquire, "acquire"), let use = required(use, "use"),
        let release = required(release, "release")
    else { return nil }
    return SignalHandle(
        .using({ acquire(callback.context) }, release: { release($0) }, { returned(use(callback.context, $0)) })
    ).passed()
}
