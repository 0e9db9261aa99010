/// Runs the signals one after another, each after the completion of the previous one.
///
/// The first error ends it. Without signals it completes immediately. (It is a chain of `then`, so it is always one
/// stage.)
public func concat<T, E>(_ signals: [Signal<T, E>]) -> Signal<T, E> { concat(signals, as: #function) }

private func concat<T, E>(_ signals: [Signal<T, E>], as operation: CString) -> Signal<T, E> {
    guard let last = signals.last else { return .complete() }
    let row = signals.dropLast().reversed().reduce(last) { row, signal in signal |> then(row) }
    if signals.count > 1 { row.called = operation }
    return row
}

/// Runs the signals one after another, each after the completion of the previous one. The first error ends it.
public func concat<T, E>(_ signals: Signal<T, E>...) -> Signal<T, E> { concat(signals) }

/// Emits the values inside `start`, before the signal is started.
public func startWith<T, E>(_ values: T...) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in concat(values.map { .single($0) } + [signal], as: #function) }
}

/// Emits the values when the signal has completed. An error drops them.
public func endWith<T, E>(_ values: T...) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in concat([signal] + values.map { .single($0) }, as: #function) }
}
