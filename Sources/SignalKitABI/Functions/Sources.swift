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
    return SignalHandle(ValueSignal.loop(.count(count)) { ArrayLoop($0, kept) }).passed()
}

private final class ArrayLoop: LoopSource<Value, Value> {
    @exclusivity(unchecked) private var items: Items?
    @exclusivity(unchecked) private var index = 0

    init(_ sink: Sink<Value, Value>, _ items: Items) {
        self.items = items
        super.init(sink)
    }

    override func emit() -> End<Value>? {
        guard let items else { return nil }
        var index = index
        defer { self.index = index }
        while index < items.count {
            if !goesOn { return nil }
            emit(items[index])
            index += 1
        }
        return .completed
    }

    override func drop() { items = nil }
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
    return SignalHandle(ValueSignal.loop { IteratorLoop($0, callback, next) }).passed()
}

private final class IteratorLoop: LoopSource<Value, Value> {
    @exclusivity(unchecked) private var callback: Callback?
    private let iterator: sgk_iterator_fn

    init(_ sink: Sink<Value, Value>, _ callback: Callback, _ iterator: @escaping sgk_iterator_fn) {
        self.callback = callback
        self.iterator = iterator
        super.init(sink)
    }

    override func emit() -> End<Value>? {
        guard let callback else { return nil }
        while goesOn {
            let (step, value) = callback.step(iterator)
            switch step {
            case .item: emit(value)
            case .failure: return .error(value)
            case .end: return .completed
            }
        }
        return nil
    }

    override func drop() { callback = nil }
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
            } else if stored.outcome == SGK_OUTCOME_FAILED {
                step = .failure
            }
            return stored
        }
        return (step, stored)
    }
}

@_cdecl("sgk_signal_from_loop") @implementation
public func sgk_signal_from_loop(
    _ emit: sgk_emit_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let callback = Callback(context, destroy)
    guard let emit = required(emit, "emit") else { return nil }
    return SignalHandle(ValueSignal.loop { EmittingLoop($0, callback, emit) }).passed()
}

private final class EmittingLoop: LoopSource<Value, Value> {
    @exclusivity(unchecked) private var callback: Callback?
    private let function: sgk_emit_fn

    init(_ sink: Sink<Value, Value>, _ callback: Callback, _ function: @escaping sgk_emit_fn) {
        self.callback = callback
        self.function = function
        super.init(sink)
    }

    override func emit() -> End<Value>? {
        guard let callback else { return nil }
        var loop = sgk_loop(
            state: word, stops: PauseWord.stops, ends: PauseWord.ends,
            source: Unmanaged.passUnretained(self as LoopSource).toOpaque())
        while goesOn {
            let (step, value) = callback.step { function($0, &loop, $1) }
            switch step {
            case .item: continue
            case .failure: return .error(value)
            case .end: return .completed
            }
        }
        return nil
    }

    override func drop() { callback = nil }
}

@_cdecl("sgk_loop_next") @implementation
public func sgk_loop_next(_ loop: UnsafePointer<sgk_loop>!, _ value: sgk_value) -> sgk_status {
    let value = Value(plain: value) ?? Value(borrowing: value)
    guard let source = required(loop?.pointee.source, "loop") else { return lastStatus() }
    let isOpen = Unmanaged<LoopSource<Value, Value>>.fromOpaque(source)._withUnsafeGuaranteedRef { source in
        if source.isTerminated { return false }
        source.emit(value)
        return true
    }
    return isOpen ? SGK_OK : SGK_ERROR_ENDED
}

@_cdecl("sgk_signal_range") @implementation
public func sgk_signal_range(_ first: Int64, _ count: Int64) -> OpaquePointer! {
    if count < 0 || count > 0 && first.addingReportingOverflow(count - 1).overflow {
        record(SGK_ERROR_ARGUMENT, "count", "must be 0 or more, and first + count must not overflow")
        return nil
    }
    return SignalHandle(
        ValueSignal.loop(.several([.count(Int(first)), .count(Int(count))])) { RangeLoop($0, first, count) }
    ).passed()
}

private final class RangeLoop: LoopSource<Value, Value> {
    @exclusivity(unchecked) private var next: Int64
    @exclusivity(unchecked) private var left: Int64

    init(_ sink: Sink<Value, Value>, _ first: Int64, _ count: Int64) {
        next = first
        left = count
        super.init(sink)
    }

    override func emit() -> End<Value>? {
        var next = next, left = left
        defer { (self.next, self.left) = (next, left) }
        while left > 0 {
            if !goesOn { return nil }
            emit(Value(next))
            next &+= 1
            left -= 1
        }
        return .completed
    }
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
