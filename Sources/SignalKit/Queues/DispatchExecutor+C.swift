#if hasFeature(Embedded)
import SignalKitShims

/// A dispatch queue, by libdispatch's C functions.
final class DispatchExecutor: Executor {
    private enum Kind { case main, global, own }

    let native: sgk_shim_dispatch_t
    private let kind: Kind
    /// Retained by the native queue, so that its address, which is the key, stays unique as long as work of the queue can run.
    private let tag: UnsafeMutableRawPointer?

    static let main = DispatchExecutor(sgk_shim_main_queue(), .main)

    static func global(background: Bool) -> DispatchExecutor {
        DispatchExecutor(sgk_shim_global_queue(background ? -32768 : 0, 0), .global)
    }

    /// A new serial queue.
    static func serial(label: UnsafePointer<CChar>?) -> DispatchExecutor {
        DispatchExecutor(sgk_shim_queue_create(label, nil), .own)
    }

    private init(_ native: sgk_shim_dispatch_t, _ kind: Kind) {
        self.native = native
        self.kind = kind
        tag = kind == .global ? nil : Unmanaged.passRetained(Tag()).toOpaque()
        super.init(Tickets(ordered: kind != .global))
        guard let tag else { return }
        sgk_shim_hand_over(tag)
        sgk_shim_set_specific(native, tag, tag) { tag in
            sgk_shim_take_over(tag)
            Unmanaged<Tag>.fromOpaque(tag!).release()
        }
    }

    deinit {
        if kind == .own { sgk_shim_release(native) }
    }

    private final class Tag {}

    override var isCurrent: Bool {
        switch kind {
        case .global: return false
        case .own: return sgk_shim_get_specific(tag!) != nil
        // In a program that waits in `dispatch_main` the queue's work runs on any thread.
        case .main: return sgk_shim_get_specific(tag!) != nil || sgk_shim_is_main_thread()
        }
    }

    override var isConcurrent: Bool { kind == .global }
    override var isSerial: Bool { kind != .global }
    override var canStay: Bool { kind == .own }

    override func put(_ work: @escaping () -> Void) -> Bool {
        if kind == .main { MainQueueWatch.shared.sent() }
        let box = Unmanaged.passRetained(Box(work, tag, kind == .main)).toOpaque()
        WorkInFlight.begin()
        sgk_shim_hand_over(box)
        sgk_shim_async(native, box) { context in
            sgk_shim_take_over(context)
            Box.runAndLetGo(context!)
            WorkInFlight.end()
        }
        return true
    }

    override func enqueueAndWait(_ work: () -> Void) {
        if kind == .main { MainQueueWatch.shared.sent() }
        tickets.count()
        withoutActuallyEscaping(work) { work in
            let box = Box(work, tag, kind == .main)
            let context = Unmanaged.passUnretained(box).toOpaque()
            sgk_shim_hand_over(context)
            sgk_shim_sync(native, context) { context in
                sgk_shim_take_over(context)
                Unmanaged<Box>.fromOpaque(context!).takeUnretainedValue().run()
                sgk_shim_hand_over(context)
            }
            sgk_shim_take_over(context)
        }
    }

    private final class Box {
        private let work: () -> Void
        /// By what ThreadSanitizer knows the queue's work to run one after another, if it does.
        private let section: UnsafeMutableRawPointer?
        private let isMain: Bool

        init(_ work: @escaping () -> Void, _ section: UnsafeMutableRawPointer?, _ isMain: Bool) {
            self.work = work
            self.section = section
            self.isMain = isMain
        }

        @inline(never)
        static func runAndLetGo(_ retained: UnsafeMutableRawPointer) { Unmanaged<Box>.fromOpaque(retained).takeRetainedValue().run() }

        func run() {
            if isMain { MainQueueWatch.shared.settle() }
            if let section { sgk_shim_take_over(section) }
            work()
            if let section { sgk_shim_hand_over(section) }
        }
    }
}

extension Queue {
    /// A new serial queue. The name, a C string, is copied; it shows in debuggers.
    convenience init(cName: UnsafePointer<CChar>?) {
        self.init(executor: DispatchExecutor.serial(label: cName))
    }
}
#endif
