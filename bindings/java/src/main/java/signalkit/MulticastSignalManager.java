package signalkit;

import java.util.function.Supplier;

/** Signals that are shared by name, runs that nobody listens to, and pipes by name. */
public final class MulticastSignalManager extends Handle {
    /** Without any. */
    public MulticastSignalManager() {
        super(C.sgk_multicast_signal_manager_create());
    }

    /**
     * Returns the signal shared under a key.
     *
     * @param <T> the values
     * @param key the key
     * @param producer creates the signal if there is none
     * @return the signal
     */
    public <T> Signal<T> multicastedSignal(String key, Supplier<Signal<T>> producer) {
        Receiver.Immediate receiver = new Receiver.Immediate("multicastedSignal", producer);
        try (Lent lent = new Lent()) {
            long made = C.sgk_multicast_signal_manager_multicasted_signal(lent.of(this), key, Entries.DEFERRED,
                receiver.kept());
            if (made == 0) receiver.settle();
            Signal<T> signal = new Signal<>(made);
            receiver.settle();
            return signal;
        } finally {
            receiver.forgotten();
        }
    }

    /**
     * Starts the function's signal for its side effects, unless one is active under the key.
     *
     * @param key the key
     * @param producer the function
     */
    public void startStandalone(String key, Supplier<? extends Signal<?>> producer) {
        Receiver.Immediate receiver = new Receiver.Immediate("startStandalone", producer);
        try (Lent lent = new Lent()) {
            int status = C.sgk_multicast_signal_manager_start_standalone_signal_if_not_running(lent.of(this), key,
                Entries.DEFERRED, receiver.kept());
            receiver.settle();
            Border.done(status);
        } finally {
            receiver.forgotten();
        }
    }

    /**
     * Returns a signal of the values sent into the pipe of a name from now on.
     *
     * @param <T> the values
     * @param key the name
     * @return the signal
     */
    public <T> Signal<T> multicastedPipe(String key) {
        try (Lent lent = new Lent()) {
            return new Signal<>(C.sgk_multicast_signal_manager_multicasted_pipe(lent.of(this), key));
        }
    }

    /**
     * Sends a value to the subscribers of the pipe of a name.
     *
     * @param key the name
     * @param value the value
     */
    public void next(String key, Object value) {
        try (Lent lent = new Lent()) {
            long pointer = lent.of(this);
            Given given = Values.give(value);
            Border.done(C.sgk_multicast_signal_manager_next(pointer, key, given.word(), given.bits()));
        }
    }
}
