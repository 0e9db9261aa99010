// A small model of SwiftSignalKit's design, for comparison. Every stage is a separate subscriber with a mutex that each
// event locks, closures for the events, and the disposable of its upstream. It measures the design, not that library.
import Dispatch
import Glibc

final class Mutex {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init() { pthread_mutex_init(mutex, nil) }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func lock() { pthread_mutex_lock(mutex) }
    func unlock() { pthread_mutex_unlock(mutex) }

    func locked<R>(_ body: () -> R) -> R {
        lock()
        defer { unlock() }
        return body()
    }
}

public protocol Disposable: AnyObject {
    func dispose()
}

final class Action: Disposable {
    private let mutex = Mutex()
    private var action: (() -> Void)?

    init(_ action: @escaping () -> Void) { self.action = action }

    func dispose() {
        let action = mutex.locked {
            defer { self.action = nil }
            return self.action
        }
        action?()
    }
}

/// Stores one disposable, or several in separate places.
final class Places: Disposable {
    private let mutex = Mutex()
    private var children: [Int: Disposable] = [:]
    private var isDisposed = false

    func set(_ child: Disposable, at place: Int = 0) {
        let obsolete = mutex.locked { isDisposed ? child : children.updateValue(child, forKey: place) }
        obsolete?.dispose()
    }

    func dispose() {
        let taken = mutex.locked {
            isDisposed = true
            defer { children = [:] }
            return children
        }
        for child in taken.values { child.dispose() }
    }
}

public enum NoError {}

public final class Subscriber<T, E> {
    private let mutex = Mutex()
    private var next: ((T) -> Void)?
    private var error: ((E) -> Void)?
    private var completed: (() -> Void)?
    private var terminated = false
    private var disposable: Disposable?

    init(next: ((T) -> Void)?, error: ((E) -> Void)?, completed: (() -> Void)?) {
        self.next = next
        self.error = error
        self.completed = completed
    }

    public func putNext(_ value: T) {
        mutex.lock()
        let action = terminated ? nil : next
        mutex.unlock()
        action?(value)
    }

    public func putError(_ error: E) {
        let action = terminate().error
        action?(error)
        disposeSource()
    }

    public func putCompletion() {
        let action = terminate().completed
        action?()
        disposeSource()
    }

    func assign(_ source: Disposable) {
        let isLate = mutex.locked {
            if !terminated { disposable = source }
            return terminated
        }
        if isLate { source.dispose() }
    }

    /// Removes the closures. The caller releases them outside the mutex.
    @discardableResult
    func terminate() -> (next: ((T) -> Void)?, error: ((E) -> Void)?, completed: (() -> Void)?) {
        mutex.locked {
            defer { (next, error, completed, terminated) = (nil, nil, nil, true) }
            return (next, error, completed)
        }
    }

    private func disposeSource() {
        let source = mutex.locked {
            defer { disposable = nil }
            return disposable
        }
        source?.dispose()
    }
}

private final class Run<T, E>: Disposable {
    private weak var subscriber: Subscriber<T, E>?
    private let mutex = Mutex()
    private var source: Disposable?

    init(_ subscriber: Subscriber<T, E>, _ source: Disposable) {
        self.subscriber = subscriber
        self.source = source
    }

    func dispose() {
        let source = mutex.locked {
            defer { self.source = nil }
            return self.source
        }
        subscriber?.terminate()
        source?.dispose()
    }
}

public final class Signal<T, E> {
    private let generator: (Subscriber<T, E>) -> Disposable

    public init(_ generator: @escaping (Subscriber<T, E>) -> Disposable) { self.generator = generator }

    public func start(
        next: ((T) -> Void)? = nil, error: ((E) -> Void)? = nil, completed: (() -> Void)? = nil
    ) -> Disposable {
        let subscriber = Subscriber(next: next, error: error, completed: completed)
        let source = generator(subscriber)
        subscriber.assign(source)
        return Run(subscriber, source)
    }

    public static func single(_ value: T) -> Signal {
        Signal { subscriber in
            subscriber.putNext(value)
            subscriber.putCompletion()
            return EmptyDisposable
        }
    }

    public static func never() -> Signal { Signal { _ in EmptyDisposable } }
}

public var EmptyDisposable: Disposable { Action({}) }

// MARK: Operators

infix operator |> : PipelinePrecedence
precedencegroup PipelinePrecedence {
    associativity: left
}

public func |> <T, U>(value: T, function: (T) -> U) -> U { function(value) }

public func map<T, E, R>(_ transform: @escaping (T) -> R) -> (Signal<T, E>) -> Signal<R, E> {
    { signal in
        Signal { subscriber in
            signal.start(
                next: { subscriber.putNext(transform($0)) }, error: { subscriber.putError($0) },
                completed: { subscriber.putCompletion() })
        }
    }
}

public func filter<T, E>(_ isWanted: @escaping (T) -> Bool) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in
        Signal { subscriber in
            signal.start(
                next: { if isWanted($0) { subscriber.putNext($0) } },
                error: { subscriber.putError($0) }, completed: { subscriber.putCompletion() })
        }
    }
}

/// Counts who is still running; the last one completes.
private final class Running {
    private let mutex = Mutex()
    private var count: Int

    init(_ count: Int) { self.count = count }

    func set(_ count: Int) { mutex.locked { self.count = count } }

    func endOne() -> Bool {
        mutex.locked {
            count -= 1
            return count == 0
        }
    }
}

public func mapToSignal<T, R, E>(_ transform: @escaping (T) -> Signal<R, E>) -> (Signal<T, E>) -> Signal<R, E> {
    { outer in
        Signal { subscriber in
            let running = Running(1)
            let places = Places()
            let current = Places()
            places.set(current, at: 1)
            let oneEnds = { if running.endOne() { subscriber.putCompletion() } }
            places.set(
                (outer |> map(transform)).start(
                    next: { inner in
                        running.set(2)
                        current.set(
                            inner.start(
                                next: { subscriber.putNext($0) }, error: { subscriber.putError($0) }, completed: oneEnds
                            ))
                    }, error: { subscriber.putError($0) }, completed: oneEnds))
            return places
        }
    }
}

public func deliverOn<T, E>(_ queue: Queue) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in
        Signal { subscriber in
            signal.start(
                next: { value in queue.async { subscriber.putNext(value) } },
                error: { error in queue.async { subscriber.putError(error) } },
                completed: { queue.async { subscriber.putCompletion() } })
        }
    }
}

public func combineLatest<A, B, E>(_ a: Signal<A, E>, _ b: Signal<B, E>) -> Signal<(A, B), E> {
    combine([a |> map { $0 as Any }, b |> map { $0 as Any }]) |> map { ($0[0] as! A, $0[1] as! B) }
}

public func combineLatest<A, B, C, E>(_ a: Signal<A, E>, _ b: Signal<B, E>, _ c: Signal<C, E>) -> Signal<(A, B, C), E> {
    combine([a |> map { $0 as Any }, b |> map { $0 as Any }, c |> map { $0 as Any }])
        |> map { ($0[0] as! A, $0[1] as! B, $0[2] as! C) }
}

private func combine<E>(_ signals: [Signal<Any, E>]) -> Signal<[Any], E> {
    Signal { subscriber in
        let mutex = Mutex()
        var values: [Int: Any] = [:]
        let running = Running(signals.count)
        let places = Places()
        for (index, signal) in signals.enumerated() {
            places.set(
                signal.start(
                    next: { value in
                        let all = mutex.locked { () -> [Any]? in
                            values[index] = value
                            return values.count == signals.count ? signals.indices.map { values[$0]! } : nil
                        }
                        if let all { subscriber.putNext(all) }
                    }, error: { subscriber.putError($0) },
                    completed: { if running.endOne() { subscriber.putCompletion() } }), at: index)
        }
        return places
    }
}

// MARK: Sources

public final class ValuePipe<T> {
    private let mutex = Mutex()
    private var keys: [Int] = []
    private var listeners: [(T) -> Void] = []
    private var nextKey = 0

    public init() {}

    public func signal() -> Signal<T, NoError> {
        Signal { [weak self] subscriber in
            guard let self else { return EmptyDisposable }
            let key = self.add { subscriber.putNext($0) }
            return Action { [weak self] in self?.remove(key) }
        }
    }

    public func putNext(_ value: T) {
        for listener in mutex.locked({ listeners }) { listener(value) }
    }

    private func add(_ listener: @escaping (T) -> Void) -> Int {
        mutex.locked {
            nextKey += 1
            keys.append(nextKey)
            listeners.append(listener)
            return nextKey
        }
    }

    private func remove(_ key: Int) {
        let removed = mutex.locked { () -> ((T) -> Void)? in
            guard let index = keys.firstIndex(of: key) else { return nil }
            keys.remove(at: index)
            return listeners.remove(at: index)
        }
        withExtendedLifetime(removed) {}
    }
}

/// A value that signals begin with.
public final class ValuePromise<T> {
    private let pipe = ValuePipe<T>()
    private let value: T

    public init(_ value: T) { self.value = value }

    public func get() -> Signal<T, NoError> {
        Signal { subscriber in
            let source = self.pipe.signal().start(next: { subscriber.putNext($0) })
            subscriber.putNext(self.value)
            return source
        }
    }
}

// MARK: Queues

public final class Queue {
    private static let key = DispatchSpecificKey<ObjectIdentifier>()
    private let native: DispatchQueue

    public init(name: String? = nil) {
        native = DispatchQueue(label: name ?? "")
        native.setSpecific(key: Queue.key, value: ObjectIdentifier(self))
    }

    func async(_ work: @escaping @Sendable () -> Void) {
        if DispatchQueue.getSpecific(key: Queue.key) == ObjectIdentifier(self) {
            work()
        } else {
            native.async(execute: work)
        }
    }
}
