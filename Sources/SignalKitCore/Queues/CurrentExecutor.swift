extension CurrentWork {
    /// The serial executor whose work the calling thread runs, or nil. Work that stops can continue there.
    static var executor: Executor? { frame?.pointee.executor }

    /// The same, if it is a queue in virtual time.
    static var virtualExecutor: Executor? {
        guard let frame, case .virtual = frame.pointee.context else { return nil }
        return executor
    }
}

extension CurrentWork.Frame {
    fileprivate var executor: Executor? {
        if let continuing { return continuing.takeUnretainedValue() }
        return switch context {
        case .queue: SerialExecutor(Unmanaged<JobQueue>.fromOpaque(pointer!).takeUnretainedValue())
        case .loop: Unmanaged<LoopExecutor>.fromOpaque(pointer!).takeUnretainedValue()
        #if !SIGNALKIT_LIBRARY
        case .dispatch: DispatchExecutor.current(of: owner)
        #endif
        case .virtual: Unmanaged<VirtualClock>.fromOpaque(pointer!).takeUnretainedValue().current
        case .none: below?.pointee.executor
        }
    }
}
