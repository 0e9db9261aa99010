import SignalKitShims

extension Signal {
    /// Starts a program at each start, and emits what the program writes, then its exit status.
    ///
    ///     input ──► write ──► [ the program ] ──► its output and errors, merged ──► its exit status, the end
    ///
    /// The end of the input closes the program's input. The program need not read all of it. A disposal, or an error,
    /// ends the program. Another subscription reaps it then.
    ///
    /// - Parameters:
    ///   - start: calls `sgk_shim_process_start`.
    ///   - read: the signal that reads a stream, 1 or 2, from a descriptor.
    ///   - input: a signal that writes to a descriptor, and owns it.
    static func process(
        _ parameter: Parameter, queue: Queue,
        start: @escaping (UnsafeMutablePointer<OpaquePointer?>) -> Int32,
        read: @escaping (_ descriptor: Int32, _ stream: Int32) -> Signal,
        input: ((_ descriptor: Int32) -> Signal)?,
        failure: @escaping (SystemError) -> E, exit: @escaping (Int32) -> T
    ) -> Signal {
        deferred(of: .none, depth: 8, parameter) {
            let program: Descriptor
            do throws(SystemError) {
                program = try .starting(start)
            } catch {
                return .fail(failure(error))
            }
            var streams: [Signal] = []
            for stream: Int32 in 1...2 {
                let descriptor = sgk_shim_process_stream(program.process, stream)
                if descriptor >= 0 { streams.append(read(descriptor, stream)) }
            }
            var parts = [mergeSignals(streams) |> then(.exit(of: program, queue: queue, failure: failure, make: exit))]
            if let input { parts.append(deferred { input(sgk_shim_process_take_input(program.process)) }) }
            return afterDisposed(
                mergeSignals(parts)
                    |> take(until: { _ in
                        // Only the exit status follows the reaping.
                        SignalTakeAction(passthrough: true, complete: sgk_shim_process_is_over(program.process))
                    }), as: .hidden
            ) { end(program, failure, exit) }
        }
    }

    private static func end(
        _ program: Descriptor, _ failure: @escaping (SystemError) -> E, _ exit: @escaping (Int32) -> T
    ) {
        sgk_shim_process_stop(program.process)
        if sgk_shim_process_is_over(program.process) { return }
        let reaping: Signal = .exit(of: program, queue: .concurrentDefaultQueue(), failure: failure, make: exit)
        _ = reaping.start(error: { _ in sgk_shim_process_wait(program.process) }) // there is no thread that watches
    }
}
