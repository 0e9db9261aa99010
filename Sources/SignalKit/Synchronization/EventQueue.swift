/// The events that wait for a section, in order. Values stand in a row, for which nothing is allocated one by one;
/// actions (an end, a change of the list) stand between them.
struct EventQueue<T>: ~Copyable {
    private struct Action {
        /// How many values come before it.
        let position: Int
        let perform: () -> Void
    }

    private var values = Batch<T>()
    private var actions: [Action] = []

    var isEmpty: Bool { values.count == 0 && actions.isEmpty }

    mutating func append(_ value: T) { values.append(value) }
    mutating func append(_ action: @escaping () -> Void) {
        actions.append(Action(position: values.count, perform: action))
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
