package signalkit;

import java.lang.ref.Reference;
import java.util.List;
import java.util.function.Supplier;

/** How signals are made. */
abstract class SignalHandle<T> extends Handle {
    SignalHandle(long pointer) {
        super(pointer);
    }

    /** Another reference. */
    final Signal<T> again() {
        try (Lent lent = new Lent()) {
            return new Signal<>(C.sgk_signal_retain(lent.of(this)));
        }
    }

    static <U> Signal<U> made(long pointer, Object... held) {
        Signal<U> signal = new Signal<>(pointer);
        signal.hold(held);
        return signal;
    }

    static <U> Signal<U> joined(long pointer, List<? extends Signal<?>> signals) {
        return made(pointer, signals.toArray());
    }

    /** Calls the library. */
    interface Making {
        long with(Lent lent, long context);
    }

    /** A signal with a function that cannot say that it has failed: it is made anew for each run, with a pipe by which
     * the run fails then. */
    static <U> Signal<U> guarded(String name, Object function, Making making, Object... held) {
        return eachRun(name, function, making, () -> {
            Receiver.Guarded receiver = new Receiver.Guarded(name, function);
            long failures = C.sgk_pipe_signal(receiver.pipe);
            long stage = 0;
            try (Lent lent = new Lent()) {
                stage = making.with(lent, receiver.kept());
                return C.sgk_signal_take_until_signal(stage, failures);
            } finally {
                C.sgk_release(stage);
                C.sgk_release(failures);
            }
        }, held);
    }

    /** A signal with a function that is called when a run has let go of all else: each run keeps it for itself. */
    static <U> Signal<U> keeping(String name, Object function, Making making, Object... held) {
        return eachRun(name, function, making, () -> {
            try (Lent lent = new Lent()) {
                return making.with(lent, new Receiver(name, function).kept());
            }
        }, held);
    }

    private static <U> Signal<U> eachRun(String name, Object function, Making making, Supplier<Long> each,
            Object[] held) {
        try (Lent lent = new Lent()) {
            made(making.with(lent, new Receiver(name, function).known())).close(); // the arguments are right
        }
        Receiver receiver = new Receiver(name, each);
        Signal<U> signal = made(C.sgk_signal_deferred(Entries.DEFERRED, receiver.known(), Border.DESTROY), receiver);
        signal.hold(held);
        return signal;
    }

    /** A reference for the library alone, which keeps what its functions need. */
    final long forGood() {
        Signal<T> source = again();
        if (!holds()) {
            try (Lent lent = new Lent()) {
                return C.sgk_signal_retain(lent.of(source));
            } finally {
                source.close();
            }
        }
        source.hold(held());
        Runnable keeping = () -> Reference.reachabilityFence(source);
        Supplier<Long> itself = () -> {
            try (Lent lent = new Lent()) { // a run may go on when its signal has gone, and needs the functions, too
                return C.sgk_signal_after_disposed(lent.of(source), Entries.ACTION,
                    new Receiver("signal", keeping).kept(), Border.DESTROY);
            }
        };
        return C.sgk_signal_deferred(Entries.DEFERRED, new Receiver("signal", itself).kept(), Border.DESTROY);
    }
}
