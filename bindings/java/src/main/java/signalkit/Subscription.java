package signalkit;

/** A subscription to a signal. Closing it disposes it; releasing it does not. */
public final class Subscription extends Disposable {
    Subscription(long pointer) {
        super(pointer);
    }

    /** Returns whether it is running, has ended, or was disposed by the program or an operator ({@code take}). */
    @Override
    public String toString() {
        if (isClosed()) return super.toString();
        try (Lent lent = new Lent()) {
            return "Subscription (" + C.sgk_disposable_state(lent.of(this)) + ")";
        }
    }

    /**
     * Disposes a subscription of {@link Signal#startWaitable}, and returns when none of its functions runs on another
     * thread.
     *
     * @return false when waiting would wait for the caller itself; the subscription is disposed all the same
     */
    public boolean disposeAndWait() {
        try (Lent lent = new Lent()) {
            return Border.done(C.sgk_disposable_dispose_and_wait(lent.of(this)), C.ERROR_THREAD);
        }
    }
}
