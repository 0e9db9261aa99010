/// What receives the events of a signal: one stage of a running chain.
///
/// A stage is a small final class that holds the stage below it. Events come as `next* (error | completed)?`, the subscription above
/// comes first, by `attached`. A plain stage passes on what it gets, on the thread that it gets it on; who must not be entered by two
/// threads at once derives from `SerialSink` or, with several sources, from `Hub`.
public class Sink<T, E> {
    @usableFromInline init() {}

    /// The subscription above, handed down before the source runs, so that it can be stopped from the first event on.
    func attached(_ upstream: Subscription) {}
    @usableFromInline func next(_ value: T) {}
    func error(_ error: E) {}
    func completed() {}

    /// Asked by what is above, which has nothing left to do but to pass on what `signal` emits: whether this stage will run `signal`
    /// in its place. So a chain of successors (`then` in a recursion) stays one stage deep.
    func takeOver(_ signal: Signal<T, E>) -> Bool { false }

    /// Which callbacks stand at the end, for descriptions.
    var callbacks: (next: Bool, error: Bool, completed: Bool) { (true, true, true) }
}

/// A stage that changes values and leaves the rest alone.
@usableFromInline
class Stage<T, E, R>: Sink<T, E> {
    @usableFromInline final let downstream: Sink<R, E>

    @usableFromInline init(_ downstream: Sink<R, E>) { self.downstream = downstream }

    override func attached(_ upstream: Subscription) { downstream.attached(upstream) }
    override func error(_ error: E) { downstream.error(error) }
    override func completed() { downstream.completed() }
}

/// A stage that passes on everything; what derives from it does something beside.
class PassingStage<T, E>: Stage<T, E, T> {
    override func next(_ value: T) { downstream.next(value) }
}
