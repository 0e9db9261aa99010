package signalkit;

/**
 * The beginning of a chain.
 *
 * @param <T> the values
 */
public final class EventEmitter<T> extends EventLink<T> {
    /** Without a value. */
    public EventEmitter() {
        super(C.sgk_event_emitter_create());
    }

    /**
     * With a value that it has emitted, for the first handler.
     *
     * @param value it
     */
    public EventEmitter(T value) {
        super(created(value));
    }

    private static long created(Object value) {
        Given given = Values.give(value);
        return C.sgk_event_emitter_create_value(given.word(), given.bits());
    }

    /**
     * Emits a value.
     *
     * @param value it
     */
    public void next(T value) {
        try (Lent lent = new Lent()) {
            long pointer = lent.of(this);
            Given given = Values.give(value);
            Border.done(C.sgk_event_emitter_next(pointer, given.word(), given.bits()));
        }
    }

    /**
     * Ends the chain with an error.
     *
     * @param error it
     */
    public void error(Throwable error) {
        try (Lent lent = new Lent()) {
            long pointer = lent.of(this);
            Given given = Values.give(error);
            Border.done(C.sgk_event_emitter_error(pointer, given.word(), given.bits()));
        }
    }

    /** Ends the chain. */
    public void finish() {
        try (Lent lent = new Lent()) {
            Border.done(C.sgk_event_emitter_finish(lent.of(this)));
        }
    }
}
