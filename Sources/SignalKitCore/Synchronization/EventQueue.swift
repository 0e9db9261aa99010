/// The pending events of a section, in order. Values are in a row without separate allocations. Actions (an end, a
/// change of the list) have positions between them.
struct EventQueue<T>: ~Copyable {
    private var values = Batch<T>()
    private var actions: [QueuedAction] = []

    var isEmpty: Bool { count == 0 }
    var count: Int { values.count + actions.count }

    mutating func append(_ value: T) { values.append(value) }
    mutating func append(_ action: @escaping () -> Void) {
        actions.append(QueuedAction(position: values.count, perform: action))
    }

    /// Takes everything out, from the first to the last.
    mutating func forEach(_ handle: (T) -> Void) {
        var handled = 0
        for action in actions {
            while handled < action.position {
                handle(values.takeFirst())
                handled += 1
            }
            action.perform()
        }
        while values.count > 0 { handle(values.takeFirst()) }
        if !actions.isEmpty { actions = [] }
    }
}

/// (It is not nested in the queue, because the queue's type would then be looked up.)
private struct QueuedAction {
    /// The number of values before it.
    let position: Int
    let perform: () -> Void
}
