package signalkit;

/**
 * How much has room, and what happens with what has none: without another word the run fails.
 *
 * @param limit how much has room; -1: there is no bound
 * @param policy what happens otherwise
 * @param failure what the run fails with by {@link Overflow#ERROR}; null: an {@link OverflowException}
 * @param counter counts what overflows; may be null
 */
public record Bound(long limit, Overflow policy, Throwable failure, OverflowCounter counter) {
    /**
     * A bound.
     *
     * @param limit how much has room
     * @param policy what happens otherwise
     * @param failure see above
     * @param counter see above
     * @throws NullPointerException without a policy
     */
    public Bound {
        if (policy == null) throw new NullPointerException("Bound: policy is null");
    }

    /** There is room for everything. */
    public static final Bound NONE = new Bound(C.UNBOUNDED, Overflow.ERROR, null, null);

    /**
     * There is room for so much.
     *
     * @param limit how much
     * @return the bound
     */
    public static Bound of(long limit) {
        return new Bound(limit, Overflow.ERROR, null, null);
    }

    /**
     * With another policy.
     *
     * @param other what happens with what has no room
     * @return the bound
     */
    public Bound overflow(Overflow other) {
        return new Bound(limit, other, failure, counter);
    }

    /**
     * With an error of one's own.
     *
     * @param error what the run fails with
     * @return the bound
     */
    public Bound failingWith(Throwable error) {
        return new Bound(limit, Overflow.ERROR, error, counter);
    }

    /**
     * Counted.
     *
     * @param by the counter
     * @return the bound
     */
    public Bound countedBy(OverflowCounter by) {
        return new Bound(limit, policy, failure, by);
    }

    int overflow() {
        return policy.number;
    }

    Object error(String name) {
        return failure != null ? failure : new OverflowException(name + ": there is no room for more");
    }
}
