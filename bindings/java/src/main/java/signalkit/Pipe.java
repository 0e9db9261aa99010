package signalkit;

/**
 * A source that is fed by hand; what is put in reaches everybody who listens then. The runs of its signal go on as long
 * as the pipe is there: keep it. Closing it completes it.
 *
 * @param <T> the values
 */
public final class Pipe<T> extends Handle {
    /** Nothing is kept for those who come later. */
    public Pipe() {
        super(C.sgk_pipe_create());
    }

    private Pipe(long pointer) {
        super(pointer);
    }

    /**
     * Whoever starts gets the latest value first.
     *
     * @param <T> the values
     * @return the pipe
     */
    public static <T> Pipe<T> replaying() {
        return new Pipe<>(C.sgk_pipe_create_replay());
    }

    /**
     * What is put in.
     *
     * @return the signal
     */
    public Signal<T> signal() {
        try (Lent lent = new Lent()) {
            return new Signal<>(C.sgk_pipe_signal(lent.of(this)));
        }
    }

    /**
     * Delivers a value to those who listen now.
     *
     * @param value the value
     * @return false: the pipe has ended
     */
    public boolean next(T value) {
        try (Lent lent = new Lent()) {
            long pointer = lent.of(this);
            Given given = Values.give(value);
            return Border.done(C.sgk_pipe_next(pointer, given.word(), given.bits()), C.ERROR_ENDED);
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

    /** Ends it, and lets go of it. */
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
