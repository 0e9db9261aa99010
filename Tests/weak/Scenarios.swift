/// A scenario: threads, and the conditions after their end.
struct Scenario {
    let threads: [() -> Void]
    let atEnd: () -> Void
    init(_ threads: [() -> Void], atEnd: @escaping () -> Void = {}) {
        self.threads = threads
        self.atEnd = atEnd
    }
}

@_silgen_name("weak_fault") func weakFault(_ text: UnsafePointer<CChar>)
@_silgen_name("weak_raised") func weakRaised() -> Int32
func expect(_ holds: Bool, _ text: StaticString) {
    if !holds { text.withUTF8Buffer { $0.withMemoryRebound(to: CChar.self) { weakFault($0.baseAddress!) } } }
}

/// An object that threads could race for.
final class Shared {
    @exclusivity(unchecked) private var values: [Int] = []
    @inline(never) func add(_ value: Int) { values.append(value) }
    @inline(never) func has(_ expected: [Int]) -> Bool { values == expected }
    var count: Int { @inline(never) get { values.count } }
}

/// An executor that only stores its jobs: a thread of the scenario takes them.
final class InboxExecutor: Executor, @unchecked Sendable {
    let inbox = Fixed(Inbox()), told = Latch()

    override func put(_ job: consuming Job) -> Bool {
        _ = inbox.it.put(job)
        told.open()
        return true
    }
}

/// An executor that runs a job inside the call that puts it.
private final class InlineExecutor: Executor, @unchecked Sendable {
    override func put(_ job: consuming Job) -> Bool {
        job.run()
        return true
    }
}

/// A loop of one value, whose position other threads could race for.
private final class OneValue: LoopSource<Int, NoError> {
    @exclusivity(unchecked) private var left = 1

    static func to(_ seen: Shared) -> OneValue {
        let loop = OneValue(CallbackSink({ seen.add($0) }, nil, { seen.add(9) }))
        loop.executor = InlineExecutor()
        return loop
    }

    override func emit() -> End<NoError>? {
        let left = left
        if !goesOn {
            self.left = left
            return nil
        }
        emit(left)
        self.left = left - 1
        return .completed
    }

    override func drop() { left = 0 }
}

/// A place for a value that cannot be copied.
final class Fixed<Thing: ~Copyable> {
    let it: Thing
    init(_ thing: consuming Thing) { it = thing }
}

/// An object that a thread releases.
final class Holder<Thing> {
    var it: Thing?
    init(_ thing: Thing) { it = thing }
}

/// A queue whose jobs run on the notified thread, one in a turn.
private final class OwnQueue: JobQueue, @unchecked Sendable {
    override func wake() { takeTurn(of: 1) }
}

/// A generator that does nothing; `subscriber` receives its subscriber.
private func source(_ holders: [Holder<Subscriber<Int, NoError>?>], _ next: @escaping (Int) -> Void) -> Disposable {
    Signal<Int, NoError> { subscriber in
        for holder in holders { holder.it = subscriber }
        return ActionDisposable {}
    }.start(next: next)
}

private let scenarios: [(StaticString, Int32, () -> Scenario)] = [
    // MARK: Locks
    (
        "SmallLock", 3,
        {
            let lock = Fixed(SmallLock()), seen = Shared()
            let enter = { lock.it.withLock { seen.add(1) } }
            return Scenario([enter, enter, enter], atEnd: { expect(seen.count == 3, "all were inside") })
        }
    ),
    (
        "FutexLock", 4,
        {
            let lock = Fixed(FutexLock()), seen = Shared()
            let enter = {
                lock.it.lock(); seen.add(1); lock.it.unlock()
            }
            return Scenario([enter, enter, enter], atEnd: { expect(seen.count == 3, "all were inside") })
        }
    ),
    (
        "OwnedLock", 0,
        {
            let lock = Fixed(OwnedLock()), seen = Shared(), tried = Shared()
            return Scenario(
                [
                    {
                        lock.it.enter(); seen.add(1); lock.it.leave()
                    },
                    { if lock.it.tryEnter() { seen.add(1); lock.it.leave() } else { tried.add(1) } },
                ], atEnd: { expect(seen.count + tried.count == 2, "all were inside, or not") })
        }
    ),
    (
        "ThreadMark", 0,
        {
            let mark = Fixed(ThreadMark()), seen = Shared()
            let enter = { _ = mark.it.ifAlone { seen.add(1) } }
            return Scenario([enter, enter], atEnd: { expect(seen.count > 0, "one was inside") })
        }
    ),
    (
        "ThreadMark.run", 0,
        {
            let mark = Fixed(ThreadMark()), inbox = Fixed(Inbox()), seen = Shared()
            let enter = { if inbox.it.enter() { mark.it.run { seen.add(1) }; _ = inbox.it.leave() } }
            return Scenario([enter, enter])
        }
    ),
    // MARK: Waiting
    (
        "Latch", 0,
        {
            let latch = Latch(), seen = Shared()
            return Scenario([
                {
                    seen.add(1); latch.open()
                },
                {
                    latch.wait(.infinity); expect(seen.count == 1, "it was open")
                },
            ])
        }
    ),
    (
        "Latch, looked at", 0,
        {
            let latch = Latch(), seen = Shared()
            return Scenario([
                {
                    seen.add(1); latch.open()
                }, { if latch.isOpen { expect(seen.count == 1, "it was open") } },
            ])
        }
    ),
    (
        "waitForJob", 0,
        {
            let queue = InboxExecutor(), seen = Shared()
            return Scenario([
                {
                    expect(queue.waitForJob { seen.add(1) } == true, "it has run")
                    expect(seen.has([1]), "its work is seen")
                },
                {
                    queue.told.wait(.infinity)
                    var jobs = JobList()
                    queue.inbox.it.collect(into: &jobs)
                    jobs.takeFirst()?.runAndLetGo()
                },
            ])
        }
    ),
    (
        "disposeAndWait", 3,
        {
            let pipe = ValuePipe<Int>(), seen = Shared()
            let run = pipe.signal().startWaitable(next: { seen.add($0) })
            return Scenario([
                { pipe.putNext(1) },
                {
                    run.disposeAndWait(); seen.add(2)
                },
            ])
        }
    ),
    // MARK: Sections and queues
    (
        "Serial", 0,
        {
            let serial = Fixed(Serial<Int>()), seen = Shared()
            let submit = { (value: Int) in serial.it.submit(value) { seen.add($0) } }
            return Scenario(
                [
                    {
                        submit(1); submit(2)
                    }, { submit(3) },
                ],
                atEnd: { expect(seen.count == 3, "all were handled") })
        }
    ),
    (
        "Serial of three", 4,
        {
            let serial = Fixed(Serial<Int>()), seen = Shared()
            let submit = { (value: Int) in serial.it.submit(value) { seen.add($0) } }
            return Scenario(
                [{ submit(1) }, { submit(2) }, { submit(3) }], atEnd: { expect(seen.count == 3, "all were handled") })
        }
    ),
    (
        "Serial, left by its holder", 0,
        {
            let serial = Fixed(Serial<Int>()), seen = Shared()
            func handle(_ value: Int?) -> Bool {
                if let value { seen.add(value) }
                return value != 1
            }
            func submit(_ value: Int) {
                if serial.it.enter() {
                    if !handle(value) { return serial.it.stepOutside() }
                } else if !serial.it.enqueue(value) {
                    return
                }
                serial.it.drain(handle)
            }
            return Scenario(
                [
                    {
                        submit(1); submit(2)
                    }, { submit(3) },
                ],
                atEnd: {
                    submit(4)
                    expect(seen.count == 4, "all were handled")
                })
        }
    ),
    (
        "Inbox", 0,
        {
            let inbox = Fixed(Inbox()), seen = Shared()
            let put = { (value: Int) in
                if !inbox.it.put(ClosureJob { seen.add(value) }) { return }
                var jobs = JobList()
                repeat {
                    inbox.it.collect(into: &jobs)
                    while let job = jobs.takeFirst() { job.runAndLetGo() }
                } while !inbox.it.leave()
            }
            return Scenario([{ put(1) }, { put(2) }], atEnd: { expect(seen.count == 2, "all have run") })
        }
    ),
    (
        "JobQueue", 0,
        {
            let queue = OwnQueue(), seen = Shared()
            return Scenario(
                [
                    { queue.put(ClosureJob { seen.add(1) }) },
                    { if !queue.runIfIdle({ seen.add(2) }) { queue.put(ClosureJob { seen.add(2) }) } },
                ], atEnd: { expect(seen.count == 2, "all have run") })
        }
    ),
    (
        "Main queue", 0,
        {
            MainQueueWatch.shared.settle()
            let queue = MainJobQueue(), seen = Shared()
            return Scenario(
                [{ queue.put(ClosureJob { seen.add(1) }) }, { _ = queue.readable() }],
                atEnd: {
                    expect(weakRaised() > 0, "it was told")
                    queue.drain()
                    expect(seen.count == 1, "it has run")
                })
        }
    ),
    (
        "Tickets", 0,
        {
            let tickets = Tickets(), inbox = Fixed(Inbox())
            return Scenario(
                [
                    {
                        _ = inbox.it.put(ClosureJob {}); tickets.count()
                    },
                    { if tickets.current == 1 { expect(inbox.it.hasJobs, "what is counted is there") } },
                ],
                atEnd: {
                    var jobs = JobList()
                    inbox.it.collect(into: &jobs)
                })
        }
    ),
    (
        "WorkerPool", 2,
        {
            let pool = WorkerPool(threads: 1, nice: 0), seen = Shared(), done = Latch()
            return Scenario(
                [
                    {
                        pool.put(ClosureJob { seen.add(1) })
                        pool.put(
                            ClosureJob {
                                seen.add(2); done.open()
                            })
                        done.wait(.infinity)
                        pool.shutDown()
                    }
                ], atEnd: { expect(seen.has([1, 2]), "all have run") })
        }
    ),
    // MARK: Gate
    (
        "Gate: a value, disposal", 4,
        {
            let holder = Holder<Subscriber<Int, NoError>?>(nil), seen = Shared()
            let run = source([holder]) { seen.add($0) }
            return Scenario([{ holder.it!!.putNext(1) }, { run.dispose() }])
        }
    ),
    (
        "Gate: values, the end", 3,
        {
            let holder = Holder<Subscriber<Int, NoError>?>(nil), first = Shared(), second = Shared()
            let run = source([holder]) { ($0 == 1 ? first : second).add($0) }
            return Scenario(
                [
                    { holder.it!!.putNext(1) },
                    {
                        holder.it!!.putNext(2); holder.it!!.putCompletion()
                    },
                ],
                atEnd: { run.dispose() })
        }
    ),
    (
        "Gate: a value, and its subscriber goes", 0,
        {
            let one = Holder<Subscriber<Int, NoError>?>(nil), two = Holder<Subscriber<Int, NoError>?>(nil)
            let seen = Shared(), other = Shared()
            let run = source([one, two]) { ($0 == 1 ? seen : other).add($0) }
            return Scenario(
                [
                    {
                        one.it!!.putNext(1); one.it = nil
                    },
                    {
                        two.it!!.putNext(2); two.it = nil
                    },
                ], atEnd: { run.dispose() })
        }
    ),
    (
        "Gate: it is disposed while its subscriber goes", 3,
        {
            let holder = Holder<Subscriber<Int, NoError>?>(nil), seen = Shared()
            let run = Holder(source([holder]) { seen.add($0) })
            return Scenario([
                {
                    holder.it!!.putNext(1); holder.it = nil
                },
                {
                    run.it!.dispose(); run.it = nil
                },
            ])
        }
    ),
    (
        "Gate: the source's disposable comes late", 0,
        {
            let seen = Shared(), gate = Gate<Int, NoError>(CallbackSink({ _ in }, nil, nil))
            return Scenario(
                [{ gate.assign(ActionDisposable { seen.add(1) }) }, { gate.dispose() }],
                atEnd: { expect(seen.has([1]), "it is disposed once") })
        }
    ),
    (
        "Gate: disposed beside", 4,
        {
            let seen = Shared(), gate = Gate<Int, NoError>(CallbackSink({ _ in }, nil, nil))
            return Scenario(
                [{ gate.onDispose(ActionDisposable { seen.add(1) }) }, { gate.dispose() }],
                atEnd: { expect(seen.has([1]), "it is disposed once") })
        }
    ),
    // MARK: Hot sources
    (
        "Pipe: two put", 3,
        {
            let pipe = ValuePipe<Int>(), seen = Shared()
            let run = pipe.signal().start(next: { seen.add($0) })
            return Scenario(
                [{ pipe.putNext(1) }, { pipe.putNext(2) }],
                atEnd: {
                    expect(seen.count == 2, "both came")
                    run.dispose()
                })
        }
    ),
    (
        "Pipe: one puts twice", -3,
        {
            let pipe = ValuePipe<Int>(), seen = Shared()
            let run = pipe.signal().start(next: { seen.add($0) })
            return Scenario(
                [
                    { pipe.putNext(1) },
                    {
                        pipe.putNext(2); pipe.putNext(3)
                    },
                ],
                atEnd: {
                    expect(seen.count == 3, "all came")
                    run.dispose()
                })
        }
    ),
    (
        "Pipe: a value, disposal", 3,
        {
            let pipe = ValuePipe<Int>(), seen = Shared()
            let run = pipe.signal().start(next: { seen.add($0) })
            return Scenario([{ pipe.putNext(1) }, { run.dispose() }])
        }
    ),
    (
        "Pipe: a value, one more listens", 3,
        {
            let pipe = ValuePipe<Int>(), seen = Shared(), other = Shared()
            let run = pipe.signal().start(next: { seen.add($0) })
            let late = Holder<Disposable?>(nil)
            return Scenario(
                [{ pipe.putNext(1) }, { late.it = pipe.signal().start(next: { other.add($0) }) }],
                atEnd: {
                    expect(seen.count == 1, "it came")
                    run.dispose()
                    late.it!!.dispose()
                })
        }
    ),
    (
        "Pipe: a value, the end", 3,
        {
            let pipe = ValuePipe<Int>(), seen = Shared()
            let run = pipe.signal().start(next: { seen.add($0) }, completed: { seen.add(9) })
            return Scenario([{ pipe.putNext(1) }, { pipe.complete() }], atEnd: { run.dispose() })
        }
    ),
    (
        "Promise: a value, somebody listens", 3,
        {
            let promise = ValuePromise<Int>(1), seen = Shared(), run = Holder<Disposable?>(nil)
            return Scenario(
                [{ promise.set(2) }, { run.it = promise.get().start(next: { seen.add($0) }) }],
                atEnd: {
                    expect(seen.has([1, 2]) || seen.has([2]), "in order, and the latest")
                    run.it!!.dispose()
                })
        }
    ),
    (
        "Link: an event, a registration", 0,
        {
            let core = LinkCore<Int, NoError>(), seen = Shared()
            return Scenario(
                [{ core.send(.Next(1)) }, { _ = core.register(next: { seen.add($0) }) }],
                atEnd: { expect(seen.has([1]), "it was kept, or came") })
        }
    ),
    (
        "Link: an event, it is closed", 0,
        {
            let core = LinkCore<Int, NoError>(), seen = Shared()
            _ = core.register(next: { seen.add($0) })
            return Scenario([{ core.send(.Next(1)) }, { core.close() }])
        }
    ),
    (
        "Pipe: two listen", 3,
        {
            let pipe = ValuePipe<Int>(), seen = Shared(), other = Shared()
            let run = pipe.signal().start(next: { seen.add($0) }), second = pipe.signal().start(next: { other.add($0) })
            return Scenario(
                [{ pipe.putNext(1) }, { second.dispose() }],
                atEnd: {
                    expect(seen.count == 1, "it came")
                    run.dispose()
                })
        }
    ),
    // MARK: Pauses
    (
        "LoopSource: two pauses", 3,
        {
            let seen = Shared(), loop = OneValue.to(seen)
            loop.pause()
            loop.pause()
            return Scenario(
                [{ loop.begin() }, { loop.resume() }, { loop.resume() }],
                atEnd: { expect(seen.has([1, 9]), "the value and the end") })
        }
    ),
    (
        "LoopSource: a pause, disposal", 0,
        {
            let seen = Shared(), loop = OneValue.to(seen)
            loop.pause()
            loop.enter() // nobody has it before it begins
            return Scenario([
                {
                    loop.begin(); loop.leave()
                }, { loop.resume() }, { loop.dispose() },
            ])
        }
    ),
    // MARK: References, whose counting is not a step in other scenarios
    (
        "References", 0,
        {
            let seen = Shared(), one = Holder(seen), two = Holder(seen)
            seen.add(1)
            return Scenario([
                {
                    expect(one.it!.count == 1, "it is there"); one.it = nil
                },
                {
                    expect(two.it!.count == 1, "it is there"); two.it = nil
                },
            ])
        }
    ),
    // MARK: Operators
    (
        "What is to be disposed", 0,
        {
            let seen = Shared(), run = Fixed(StrictCore(ActionDisposable { seen.add(1) }))
            return Scenario(
                [{ run.it.dispose() }, { run.it.dispose() }],
                atEnd: { expect(seen.has([1]), "it is disposed once") })
        }
    ),
    (
        "Two sources end", 2,
        {
            let one = ValuePipe<Int>(), two = ValuePipe<Int>(), seen = Shared()
            let run = mergeSignals([one.signal(), two.signal()]).start(
                next: { seen.add($0) }, completed: { seen.add(9) })
            return Scenario(
                [
                    {
                        one.putNext(1); one.complete()
                    }, { two.complete() },
                ],
                atEnd: {
                    expect(seen.has([1, 9]), "a value and the end")
                    run.dispose()
                })
        }
    ),
    (
        "A source, disposal", 3,
        {
            let one = ValuePipe<Int>(), seen = Shared()
            let run = mergeSignals([one.signal()]).start(next: { seen.add($0) })
            return Scenario([{ one.putNext(1) }, { run.dispose() }])
        }
    ),
]

private var current: Scenario?

@_cdecl("weak_count") public func weakCount() -> Int32 { Int32(scenarios.count) }
@_cdecl("weak_name") public func weakName(_ index: Int32) -> UnsafeRawPointer {
    UnsafeRawPointer(scenarios[Int(index)].0.utf8Start)
}
/// The limit of deviations from the direct path; 0: all executions. (Negative: with weaker orders, too.)
@_cdecl("weak_limit") public func weakLimit(_ index: Int32) -> Int32 { scenarios[Int(index)].1 }
@_cdecl("weak_make") public func weakMake(_ index: Int32) -> Int32 {
    let made = scenarios[Int(index)].2()
    current = made
    return Int32(made.threads.count)
}
@_cdecl("weak_run") public func weakRun(_ thread: Int32) { current!.threads[Int(thread)]() }
@_cdecl("weak_end") public func weakEnd() { current!.atEnd() }
@_cdecl("weak_drop") public func weakDrop() { current = nil }
