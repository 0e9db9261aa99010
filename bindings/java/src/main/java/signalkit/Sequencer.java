package signalkit;

/** Runs signals one at a time, in the order in which they were started. */
public final class Sequencer extends Handle {
    /** Without any. */
    public Sequencer() {
        super(C.sgk_sequencer_create());
    }

    /**
     * Returns a signal that runs another one in its turn.
     *
     * @param <T> the values
     * @param signal the other signal
     * @return the signal
     */
    public <T> Signal<T> enqueue(Signal<T> signal) {
        try (Lent lent = new Lent()) {
            long pointer = lent.of(this);
            long kept = signal.forGood();
            try {
                return new Signal<>(C.sgk_sequencer_enqueue(pointer, kept));
            } finally {
                C.sgk_release(kept);
            }
        }
    }
}
