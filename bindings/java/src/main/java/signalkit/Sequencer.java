package signalkit;

/** Runs signals one at a time, in the order in which they were started. */
public final class Sequencer extends Handle {
    /** Without any. */
    public Sequencer() {
        super(C.sgk_sequencer_create());
    }

    /**
     * A signal that runs another one when its turn has come.
     *
     * @param <T> what is emitted
     * @param signal it
     * @return the signal
     */
    public <T> Signal<T> enqueue(Signal<T> signal) {
        try (Lent lent = new Lent()) {
            long pointer = lent.of(this);
            long kept = signal.forGood();
            try {
                return new Signal<>(C.sgk_sequencer_enqueue(pointer, kept));
            } finally {
                C.sgk_signal_release(kept);
            }
        }
    }
}
