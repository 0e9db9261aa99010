package signalkit;

import java.util.function.Supplier;

/** Signals that are shared by name, runs that nobody listens to, and pipes by name. */
public final class MulticastSignalManager extends Handle {
    /** Without any. */
    public MulticastSignalManager() {
        super(C.sgk_multicast_signal_manager_create());
    }

    /**
     * The signal shared under a key.
     *
     * @param <T> what is emitted
     * @param key the key
     * @param producer makes it, if there is none
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
     * Starts what the function makes, for what it does, unless one runs under the key already.
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
     * What is put into the pipe of a name from now on.
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
     * Delivers a value to those who listen to the pipe of a name.
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
