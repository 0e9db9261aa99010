package signalkit;

import com.sun.jna.Pointer;
import java.util.List;
import java.util.function.Supplier;
import signalkit.internal.Value;

/** How signals are made. */
abstract class SignalHandle<T> extends Handle {
    SignalHandle(long pointer) {
        super(pointer);
    }

    /** The pipeline: a stage in each line, from the end to the sources. */
    @Override
    public String toString() {
        if (isClosed()) return super.toString();
        try (Lent lent = new Lent()) {
            Value text = C.sgk_signal_describe(lent.of(this), C.DEBUG_TEXT);
            return ((String) Values.taken(text.word, text.bits)).stripTrailing();
        }
    }

    /** Another reference. */
    final Signal<T> again() {
        try (Lent lent = new Lent()) {
            return new Signal<>(C.sgk_retain(lent.of(this)));
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

    /** Returns a signal with a function that cannot report a failure. Each subscription creates the operator again,
     * with a pipe that fails the subscription. */
    static <U> Signal<U> guarded(String name, Object function, Making making, Object... held) {
        return eachRun(name, function, making, () -> {
            Receiver.Guarded receiver = new Receiver.Guarded(name, function);
            long failures = C.sgk_pipe_signal(receiver.pipe);
            long stage = 0;
            try (Lent lent = new Lent()) {
                stage = making.with(lent, receiver.kept());
                return C.sgk_signal_take_until(stage, failures);
            } finally {
                C.sgk_release(stage);
                C.sgk_release(failures);
            }
        }, held);
    }

    /** Returns a signal with a function that is called after a subscription has released everything else. Each
     * subscription retains the function itself. */
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

    /** Returns a reference for the library, which retains the functions. A stage does that, whose context is also
     * retained by a subscription that outlives its signal. */
    final long forGood() {
        try (Lent lent = new Lent()) {
            long pointer = lent.of(this);
            return holds() ? C.sgk_signal_before_error(pointer, IGNORE_ERROR, new Receiver("signal", held()).kept(),
                Border.DESTROY) : C.sgk_retain(pointer);
        }
    }

    private static final long IGNORE_ERROR = Pointer.nativeValue(C.LIBRARY.getFunction("sgk_ignore_error"));
}
