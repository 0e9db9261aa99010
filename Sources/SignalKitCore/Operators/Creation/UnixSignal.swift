// System signals for Swift. (The library for C passes no signal on.)
#if !hasFeature(Embedded)
import SignalKitShims

extension Signal where T == Int32, E == SystemError {
    /// Emits the system signals of this number. Only on Linux.
    ///
    /// All threads must block the signal (`pthread_sigmask`, before the program creates another thread). A subscription
    /// fails with EINVAL if the thread that starts it does not block it. If there are several subscriptions, each
    /// receives a part of the signals.
    ///
    /// In a program with an asynchronous main (a top-level `await`), the idle main thread blocks no signal. So the
    /// first subscription installs a handler that passes the signal on, and the end of the last one removes it. If the
    /// program has its own handler, that is unchanged, and a warning is written if a thread does not block the signal.
    public static func unixSignal(_ signal: Int32, queue: Queue) -> Signal<Int32, SystemError> {
        unixSignal(signal, queue: queue, failure: identity, make: identity)
            |> afterDisposed { sgk_shim_signal_leave(signal) }
            |> beforeStarted { sgk_shim_signal_pass_on(signal) }
    }
}
#endif
