package signalkit;

/**
 * The receiver of values during a step of {@link Signal#reduceEmitting}.
 *
 * @param <T> the values
 */
public final class Emitter<T> {
    private final long pointer;
    private final Thread thread = Thread.currentThread();
    private boolean over;

    Emitter(long pointer) {
        this.pointer = pointer;
    }

    /**
     * Emits a value.
     *
     * @param value the value
     */
    public void next(T value) {
        if (over || Thread.currentThread() != thread)
            throw new ClosedException("Emitter: used after the call that it was for");
        Given given = Values.give(value);
        Border.done(C.sgk_emitter_next(pointer, given.word(), given.bits()));
    }

    /** The call is over. */
    void end() {
        over = true;
    }
}
