import Foundation
import SwiftSignalKit
import Testing

/// Programs written for the predecessor: its spelling, `let _ =`, qualified names together with Foundation.
@Suite struct OldProgramTests {
    private final class State {
        var values: [Int] = []
    }

    private func waitUntil(_ condition: () -> Bool) -> Bool {
        for _ in 0..<300_000 {
            if condition() { return true }
            usleep(1000)
        }
        return condition()
    }

    // Covers: SW-1, SW-2, SW-3, SW-6, SW-7, SW-8, SW-52, SW-57, SW-58, SW-59, SW-63, SW-65
    @Test func sources() {
        let state = State()
        let promise = Promise<Int>()
        let valuePromise = ValuePromise<Bool>(false, ignoreRepeated: true)
        let pipe = ValuePipe<Int>()
        let disposables = DisposableSet()
        disposables.add(
            (promise.get() |> map { $0 + 1 }).start(next: { value in
                state.values.append(value)
            }))
        disposables.add(
            pipe.signal().start(next: { value in
                state.values.append(value)
            }))
        disposables.add(
            (valuePromise.get() |> filter { $0 } |> take(1)).start(next: { _ in
                state.values.append(100)
            }))
        promise.set(.single(1))
        promise.set(
            Signal<Int, NoError> { subscriber in
                subscriber.putNext(2)
                subscriber.putCompletion()
                return EmptyDisposable
            })
        pipe.putNext(10)
        valuePromise.set(true)
        disposables.dispose()
        pipe.putNext(11)
        #expect(state.values == [2, 3, 10, 100])
        #expect(identity(a: 5) == 5)
    }

    // Covers: SW-112, SW-113, SW-114, SW-115, SW-116
    @Test func qualifiedTimer() {
        let queue = Queue(name: "old", qos: .userInitiated)
        let fired = Atomic<Int>(value: 0)
        let timer = SwiftSignalKit.Timer(
            timeout: 0.001, repeat: false,
            completion: {
                let _ = fired.modify { $0 + 1 }
            }, queue: queue)
        timer.start()
        let repeating: SwiftSignalKit.Timer = SwiftSignalKit.Timer(
            timeout: 0.001, repeat: true,
            completion: { timer in
                let _ = fired.modify { $0 + 1 }
                timer.invalidate()
            }, queue: Queue.concurrentDefaultQueue())
        repeating.start()
        #expect(waitUntil { fired.with { $0 } == 2 })
    }

    // Covers: SW-117, SW-119, SW-121, SW-122, SW-124, SW-126, SW-127, SW-128, SW-148, SW-153
    @Test func holders() throws {
        let dict = SwiftSignalKit.Atomic<[String: Int]>(value: [:])
        let previous = dict.modify { current in
            var updated = current
            updated["a"] = 1
            return updated
        }
        #expect(previous == ["a": 1])
        let count = dict.with { value -> Int in
            return value.count
        }
        #expect(count == 1)
        let _ = dict.swap([:])
        let lock = Lock()
        var ran = false
        lock.locked {
            ran = true
        }
        try lock.throwingLocked {
            if !ran { throw CocoaError(.featureUnsupported) }
        }
        let bag = Bag<(Int) -> Void>()
        let sparse = SparseBag<Int>()
        let index = bag.add({ _ in })
        for f in bag.copyItems() { f(1) }
        func leave() { return bag.remove(index) }
        func leaveSparse() { return sparse.remove(sparse.add(1)) }
        leave()
        leaveSparse()
        #expect(bag.isEmpty && sparse.isEmpty && CounterBag().isEmpty && Weak(lock).value === lock)
        let unfair: OSUnfairLock = createOSUnfairLock()
        unfair.lock()
        #expect(!unfair.tryLock())
        unfair.unlock()
        let nested: Bool = unfair.withLock { unfair.tryLock() }
        #expect(!nested && unfair.tryLock())
        unfair.unlock()
    }

    // Covers: SW-77, SW-82, SW-85, SW-90, SW-95, SW-96, SW-97, SW-100, SW-104, SW-107
    @Test func queuesAndPools() {
        final class Impl {
            let queue: Queue
            init(queue: Queue) { self.queue = queue }
            func answer() -> Signal<Int, NoError> { return .single(42) }
        }
        final class Facade {
            private let queue = Queue()
            private let impl: QueueLocalObject<Impl>
            init() {
                let queue = self.queue
                self.impl = QueueLocalObject(
                    queue: queue,
                    generate: {
                        return Impl(queue: queue)
                    })
            }
            func answer() -> Signal<Int, NoError> {
                return self.impl.signalWith { impl, subscriber in
                    return impl.answer().start(next: subscriber.putNext, completed: subscriber.putCompletion)
                }
            }
            func sync() -> Int { return self.impl.syncWith { _ in 7 } }
        }
        let facade = Facade()
        #expect(facade.sync() == 7)
        let got = Atomic<Int?>(value: nil)
        let disposable = MetaDisposable()
        disposable.set(
            (facade.answer() |> deliverOnMainQueue).startStrict(next: { value in
                let _ = got.swap(value)
            }))
        let pool = ThreadPool(threadCount: 2, threadPriority: 0.3)
        let poolQueue = pool.nextQueue()
        let ran = Atomic<Bool>(value: false)
        poolQueue.addTask(
            ThreadPoolTask { state in
                if !state.cancelled.with({ $0 }) { let _ = ran.swap(true) }
            })
        #expect(waitUntil { ran.with { $0 } && got.with { $0 } == 42 })
        disposable.dispose()
    }
}
