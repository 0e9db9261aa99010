package signalkit;

/**
 * A hot source. It sends each value to the subscriptions that are active at that moment. They last while the pipe
 * exists, so retain it. Closing it completes it.
 *
 * @param <T> the values
 */
public final class Pipe<T> extends Handle {
    /** Creates a pipe that stores no value for later subscriptions. */
    public Pipe() {
        super(C.sgk_pipe_create());
    }

    private Pipe(long pointer) {
        super(pointer);
    }

    /**
     * Creates a pipe that sends its latest value to each new subscription first.
     *
     * @param <T> the values
     * @return the pipe
     */
    public static <T> Pipe<T> replaying() {
        return new Pipe<>(C.sgk_pipe_create_replay());
    }

    /**
     * Returns a signal of the values sent into the pipe.
     *
     * @return the signal
     */
    public Signal<T> signal() {
        try (Lent lent = new Lent()) {
            return new Signal<>(C.sgk_pipe_signal(lent.of(this)));
        }
    }

    /**
     * Sends a value to the current subscribers.
     *
     * @param value the value
     * @return false if the pipe has ended
     */
    public boolean next(T value) {
        try (Lent lent = new Lent()) {
            long pointer = lent.of(this);
            Given given = Values.give(value);
            return Border.done(C.sgk_pipe_next(pointer, given.word(), given.bits()), C.ERROR_ENDED);
        }
    }

    /**
     * Returns whether a subscription asks for a pause, because a buffer with {@link Overflow#PAUSE} is full behind it.
     * A value that is sent nevertheless exceeds the limit.
     *
     * @return true during a pause
     */
    public boolean isPaused() {
        try (Lent lent = new Lent()) {
            return C.sgk_pipe_is_paused(lent.of(this)) != 0;
        }
    }

    /**
     * Calls the function once on the queue, as soon as no subscription asks for a pause. If none does so now, or if the
     * pipe has ended, it is enqueued at once.
     *
     * @param queue the queue
     * @param resumed the function
     */
    public void onResume(DispatchQueue queue, Runnable resumed) {
        Receiver receiver = new Receiver("onResume", resumed);
        try (Lent lent = new Lent()) {
            long pointer = lent.of(this);
            long place = lent.of(queue, "onResume: queue");
            Border.done(C.sgk_pipe_on_resume(pointer, Entries.WORK, receiver.kept(), Border.DESTROY, place));
        }
    }

    /** Ends it. A second time does nothing. */
    public void complete() {
        try (Lent lent = new Lent()) {
            Border.done(C.sgk_pipe_complete(lent.of(this)), C.ERROR_ENDED);
        }
    }

    /**
     * Ends it with an error.
     *
     * @param error the error
     */
    public void error(Throwable error) {
        if (error == null) throw new NullPointerException("error: error is null");
        try (Lent lent = new Lent()) {
            long pointer = lent.of(this);
            Given given = Values.give(error);
            Border.done(C.sgk_pipe_error(pointer, given.word(), given.bits()), C.ERROR_ENDED);
        }
    }

    /** Completes and releases the pipe. */
    @Override
    public void close() {
        try {
            if (!isClosed()) complete();
        } catch (ClosedException meanwhile) {
            return; // by another thread, which completes it
        }
        super.close();
    }
}
