/// The subscriptions (or timers) above a hub, by number. There are one or two of them in most hubs: those are here, without an array.
struct Slots {
    private var first: (any Disposable)?
    private var second: (any Disposable)?
    private var others: [(any Disposable)?]

    init(count: Int) {
        others = count > 2 ? Array(repeating: nil, count: count - 2) : []
    }

    /// Puts one into a slot; what was there comes out. A slot that is not there is empty, and stays so.
    mutating func exchange(_ slot: Int, _ disposable: inout (any Disposable)?) {
        switch slot {
        case 0: swap(&first, &disposable)
        case 1: swap(&second, &disposable)
        default: if slot - 2 < others.count { swap(&others[slot - 2], &disposable) }
        }
    }

    /// In their order.
    func dispose() {
        first?.dispose()
        second?.dispose()
        for disposable in others { disposable?.dispose() }
    }
}
