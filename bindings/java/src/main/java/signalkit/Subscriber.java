package signalkit;

/**
 * The receiver of a generator's values. Any thread.
 *
 * @param <T> the values
 */
public final class Subscriber<T> extends Handle {
    Subscriber(long pointer) {
        super(pointer);
    }

    /**
     * Emits a value.
     *
     * @param value the value
     * @return false if the subscription has ended: then stop
     */
    public boolean next(T value) {
        try (Lent lent = new Lent()) {
            long pointer = lent.of(this);
            Given given = Values.give(value);
            return Border.done(C.sgk_subscriber_next(pointer, given.word(), given.bits()), C.ERROR_ENDED);
        }
    }

    /**
     * Fails the subscription with an error.
     *
     * @param error the error
     * @return false if the subscription had ended
     */
    public boolean error(Throwable error) {
        if (error == null) throw new NullPointerException("error: error is null");
        try (Lent lent = new Lent()) {
            long pointer = lent.of(this);
            Given given = Values.give(error);
            return Border.done(C.sgk_subscriber_error(pointer, given.word(), given.bits()), C.ERROR_ENDED);
        }
    }

    /**
     * Completes the subscription.
     *
     * @return false if the subscription had ended
     */
    public boolean complete() {
        try (Lent lent = new Lent()) {
            return Border.done(C.sgk_subscriber_complete(lent.of(this)), C.ERROR_ENDED);
        }
    }

    /**
     * Returns whether the subscription is active.
     *
     * @return true while it is active
     */
    public boolean isActive() {
        try (Lent lent = new Lent()) {
            return C.sgk_subscriber_is_active(lent.of(this)) != 0;
        }
    }

    /**
     * Calls the function once when the subscription is torn down, or immediately if it has been.
     *
     * @param action the function
     */
    public void onDispose(Runnable action) {
        Receiver receiver = new Receiver("onDispose", action);
        try (Lent lent = new Lent()) {
            Border.done(C.sgk_subscriber_on_dispose(lent.of(this), Entries.ACTION, receiver.kept(), Border.DESTROY));
        }
    }

    /**
     * Returns whether a stage asks for a pause, because a buffer with {@link Overflow#PAUSE} is full, or because the
     * program holds the subscription. A value that is sent nevertheless exceeds the limit.
     *
     * @return true while a stage asks for a pause
     */
    public boolean isPaused() {
        try (Lent lent = new Lent()) {
            return C.sgk_subscriber_is_paused(lent.of(this)) != 0;
        }
    }

    /**
     * Calls the function once on the queue, as soon as no stage asks for a pause. If none does so now, or if the
     * subscription has ended, it is enqueued at once.
     *
     * @param queue the queue
     * @param resumed the function
     */
    public void onResume(DispatchQueue queue, Runnable resumed) {
        Receiver receiver = new Receiver("onResume", resumed);
        try (Lent lent = new Lent()) {
            long pointer = lent.of(this);
            long place = lent.of(queue, "onResume: queue");
            Border.done(C.sgk_subscriber_on_resume(pointer, Entries.WORK, receiver.kept(), Border.DESTROY, place));
        }
    }
}
