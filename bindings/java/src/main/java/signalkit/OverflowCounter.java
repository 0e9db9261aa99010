package signalkit;

/** Counts overflow, of any number of subscriptions. */
public final class OverflowCounter extends Handle {
    /** At zero. */
    public OverflowCounter() {
        super(C.sgk_overflow_counter_create());
    }

    /**
     * Returns how many values were dropped.
     *
     * @return the number
     */
    public long dropped() {
        try (Lent lent = new Lent()) {
            return C.sgk_overflow_counter_dropped(lent.of(this));
        }
    }

    /**
     * Returns how many values exceeded a limit with {@link Overflow#PAUSE}.
     *
     * @return the number
     */
    public long exceeded() {
        try (Lent lent = new Lent()) {
            return C.sgk_overflow_counter_exceeded(lent.of(this));
        }
    }

    /**
     * Returns how often an emitting thread was blocked.
     *
     * @return the number
     */
    public long suspended() {
        try (Lent lent = new Lent()) {
            return C.sgk_overflow_counter_suspended(lent.of(this));
        }
    }
}
