package signalkit;

/**
 * Holds the latest value of whichever signal it was set to last, and passes it on.
 *
 * @param <T> the values
 */
public final class Promise<T> extends Handle {
    private Promise(long pointer) {
        super(pointer);
    }

    /** Creates a promise without a value. */
    public Promise() {
        super(C.sgk_promise_create());
    }

    /**
     * With a value.
     *
     * @param <T> the values
     * @param value it
     * @return the promise
     */
    public static <T> Promise<T> of(T value) {
        Given given = Values.give(value);
        return new Promise<>(C.sgk_promise_create_value(given.word(), given.bits()));
    }

    /**
     * One that sets itself to a signal when it is first listened to, unless it was set before.
     *
     * @param <T> the values
     * @param signal it
     * @return the promise
     */
    public static <T> Promise<T> onFirstAccess(Signal<? extends T> signal) {
        long kept = signal.forGood();
        try {
            return new Promise<>(C.sgk_promise_create_initialize_on_first_access(kept));
        } finally {
            C.sgk_release(kept);
        }
    }

    /**
     * Follows a signal from now on.
     *
     * @param signal it
     */
    public void set(Signal<? extends T> signal) {
        try (Lent lent = new Lent()) {
            long pointer = lent.of(this);
            long kept = signal.forGood();
            try {
                Border.done(C.sgk_promise_set(pointer, kept));
            } finally {
                C.sgk_release(kept);
            }
        }
    }

    /**
     * The value that is there, then each new one; it never ends, and keeps the promise.
     *
     * @return the signal
     */
    public Signal<T> signal() {
        try (Lent lent = new Lent()) {
            return new Signal<>(C.sgk_promise_signal(lent.of(this)));
        }
    }

    /**
     * Calls the function when the promise is destroyed, on the thread that releases the last reference.
     *
     * @param action the function
     */
    public void onDeinit(Runnable action) {
        Receiver receiver = new Receiver("onDeinit", action);
        try (Lent lent = new Lent()) {
            Border.done(C.sgk_promise_on_deinit(lent.of(this), Entries.ACTION, receiver.kept(), Border.DESTROY));
        }
    }
}
