import CSignalKit
import SignalKitShims
import SignalKitSupport

/// The kinds of handles. Each stores the object that it represents.

final class SignalHandle: Handle {
    let signal: ValueSignal
    /// The last stages of `signal`, if they are steps, and the signal upstream of them. An added step joins their loop.
    private let last: (source: ValueSignal, steps: Steps)?

    override class var kind: sgk_live { SGK_LIVE_SIGNAL }
    override var name: UnsafePointer<CChar>? { signal.nearestName.map { UnsafePointer($0.text) } }

    init(_ signal: ValueSignal) {
        self.signal = signal
        last = nil
        super.init(SignalHandle.kind)
    }

    init(_ handle: SignalHandle, adding step: sgk_step, _ owner: any StepOwner, canFail: Bool = false) {
        let (source, before) = handle.last.flatMap { $0.steps.hasRoom(for: owner) ? $0 : nil } ?? (handle.signal, .none)
        let steps = before.adding(step, owner, canFail: canFail)
        signal = steps.signal(of: source)
        last = (source, steps)
        super.init(SignalHandle.kind)
    }

    /// The source to subscribe to and the last steps, which the sink of the subscription runs itself. While a program
    /// inspects subscriptions, the steps are a separate stage.
    var runnable: (source: ValueSignal, steps: Steps?) {
        if let last, !sgk_shim_is_seen() || !Sight.isOpen { return last }
        return (signal, nil)
    }
}

final class SubscriberHandle: Handle {
    let gate: Unmanaged<Gate<Value, Value>>
    /// The gate itself if this handle represents its only subscriber; otherwise the subscriber.
    private let owner: AnyObject

    override class var kind: sgk_live { SGK_LIVE_SUBSCRIBER }

    init(_ gate: Gate<Value, Value>) {
        self.gate = Unmanaged.passUnretained(gate)
        owner = gate
        super.init(SubscriberHandle.kind)
    }

    init(_ subscriber: Subscriber<Value, Value>) {
        gate = Unmanaged.passUnretained(subscriber.gate)
        owner = subscriber
        super.init(SubscriberHandle.kind)
    }

    deinit { gate._withUnsafeGuaranteedRef { if $0 === owner { $0.abandon() } } }
}

final class DisposableHandle: Handle {
    let disposable: any Disposable

    override class var kind: sgk_live { SGK_LIVE_DISPOSABLE }

    init(_ disposable: any Disposable) {
        self.disposable = disposable
        super.init(DisposableHandle.kind)
    }
}

final class QueueHandle: Handle {
    let queue: Queue
    /// The queue's, at hand for each job.
    let executor: Unmanaged<Executor>
    /// The clock of a virtual queue. Only the handles retain it.
    let time: VirtualTime?

    override class var kind: sgk_live { SGK_LIVE_QUEUE }
    override var name: UnsafePointer<CChar>? { queue.executor.name }

    init(_ queue: Queue, of time: VirtualTime? = nil) {
        self.queue = queue
        executor = Unmanaged.passUnretained(queue.executor)
        self.time = time
        super.init(QueueHandle.kind)
    }
}

final class TimerHandle: Handle {
    let timer: Timer

    override class var kind: sgk_live { SGK_LIVE_TIMER }

    init(_ timer: Timer) {
        self.timer = timer
        super.init(TimerHandle.kind)
    }
}

final class PipeHandle: Handle {
    let feed: Feed<Value, Value>
    /// The feed's, at hand for each event.
    let listeners: Unmanaged<Listeners<Value, Value>>

    override class var kind: sgk_live { SGK_LIVE_PIPE }

    init(_ feed: Feed<Value, Value>) {
        self.feed = feed
        listeners = Unmanaged.passUnretained(feed.listeners)
        super.init(PipeHandle.kind)
    }
}

final class PromiseHandle: Handle {
    let promise: PromiseFeed<Value, Value>

    override class var kind: sgk_live { SGK_LIVE_PROMISE }

    /// The handle is what the promise's signals keep, so it counts as long as anything keeps the promise.
    init(_ promise: PromiseFeed<Value, Value>) {
        self.promise = promise
        super.init(PromiseHandle.kind)
        promise.belong(to: self)
    }
}

final class StateHandle: Handle {
    let feed: ValuePromiseFeed<Value, Value>

    override class var kind: sgk_live { SGK_LIVE_STATE }

    init(_ feed: ValuePromiseFeed<Value, Value>) {
        self.feed = feed
        super.init(StateHandle.kind)
        feed.belong(to: self)
    }
}

// MARK: Handles of one object

/// An object of the core that a handle represents directly, with the kind of the handle.
protocol Handled: AnyObject {
    static var kind: sgk_live { get }
}

/// One class for all of these kinds: each is of one type of objects.
final class ObjectHandle: Handle {
    let object: AnyObject

    init<Object: Handled>(_ object: Object) {
        self.object = object
        super.init(Object.kind)
    }
}

extension NameTable: Handled where Item == Connection<Value, Value> { static var kind: sgk_live { SGK_LIVE_MULTICAST } }
extension MulticastSignalManager: Handled { static var kind: sgk_live { SGK_LIVE_MULTICAST_SIGNAL_MANAGER } }
extension SignalQueue: Handled { static var kind: sgk_live { SGK_LIVE_SEQUENCER } }
extension ThreadPool: Handled { static var kind: sgk_live { SGK_LIVE_THREAD_POOL } }
extension QueueLocalObject: Handled { static var kind: sgk_live { SGK_LIVE_QUEUE_LOCAL } }
extension EventLink: Handled { static var kind: sgk_live { SGK_LIVE_EVENT_LINK } }
extension LinkBag: Handled { static var kind: sgk_live { SGK_LIVE_LINK_BAG } }
extension OverflowCounter: Handled { static var kind: sgk_live { SGK_LIVE_OVERFLOW_COUNTER } }
extension NativeFunction: Handled { static var kind: sgk_live { SGK_LIVE_NATIVE } }
extension Signature: Handled { static var kind: sgk_live { SGK_LIVE_SIGNATURE } }
extension SignalReader: Handled { static var kind: sgk_live { SGK_LIVE_READER } }
