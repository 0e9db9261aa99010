package signalkit;

/**
 * The limit of a buffer and its overflow policy. By default the subscription fails on overflow.
 *
 * @param limit the capacity; {@link Long#MAX_VALUE}: unlimited
 * @param policy what happens on overflow
 * @param second what happens to the values of a source that {@link Overflow#PAUSE} cannot pause; null: they exceed
 *     the limit
 * @param failure the error of {@link Overflow#ERROR}; null: an {@link OverflowException}
 * @param counter counts what overflows; may be null
 */
public record Bound(long limit, Overflow policy, Overflow second, Throwable failure, OverflowCounter counter) {
    /**
     * Creates a bound.
     *
     * @param limit the capacity
     * @param policy what happens on overflow
     * @param second see above
     * @param failure see above
     * @param counter see above
     * @throws IllegalArgumentException if the limit is negative, or if another policy than PAUSE has a second one
     * @throws NullPointerException without a policy
     */
    public Bound {
        if (limit < 0) throw new UsageException("Bound: limit must be 0 or more");
        if (policy == null) throw new NullPointerException("Bound: policy is null");
        if (second != null && (policy != Overflow.PAUSE || second == Overflow.PAUSE)) {
            throw new UsageException("Bound: only PAUSE takes another policy");
        }
    }

    /** An unlimited buffer. */
    public static final Bound NONE = new Bound(Long.MAX_VALUE, Overflow.ERROR, null, null, null);

    /**
     * Returns a bound with this capacity.
     *
     * @param limit the capacity
     * @return the bound
     */
    public static Bound of(long limit) {
        return new Bound(limit, Overflow.ERROR, null, null, null);
    }

    /**
     * Returns a bound with another policy.
     *
     * @param other what happens on overflow
     * @return the bound
     */
    public Bound overflow(Overflow other) {
        return new Bound(limit, other, null, failure, counter);
    }

    /**
     * Returns a bound that adds another policy to {@link Overflow#PAUSE}, for a source that cannot be paused:
     * {@code Bound.of(100).overflow(Overflow.PAUSE).then(Overflow.DROP_OLDEST)}. The source is then paused at three
     * quarters of the capacity, and the other policy decides about values above the capacity.
     *
     * @param other the other policy
     * @return the bound
     * @throws IllegalArgumentException without PAUSE
     */
    public Bound then(Overflow other) {
        return new Bound(limit, policy, other, failure, counter);
    }

    /**
     * Returns a bound with its own error.
     *
     * @param error the error of the subscription on overflow
     * @return the bound
     */
    public Bound failingWith(Throwable error) {
        return new Bound(limit, Overflow.ERROR, null, error, counter);
    }

    /**
     * Counted.
     *
     * @param by the counter
     * @return the bound
     */
    public Bound countedBy(OverflowCounter by) {
        return new Bound(limit, policy, second, failure, by);
    }

    /** The struct for one call, which takes over the error. */
    long[] struct(Given error, long borrowedCounter) {
        int overflow = policy.number | (second == null ? 0 : second.number);
        return new long[] {
            C.BOUND_BYTES, limit == 0 ? C.UNBUFFERED : limit, overflow, borrowedCounter, error.word(), error.bits(),
        };
    }

    /** Fails without space for a value. Checks that can fail precede the creation of the error, because the call
     * transfers it. */
    void check(String name) {
        checkLimit(name, limit, 1);
    }

    static void checkLimit(String name, long limit, long least) {
        if (limit < least) throw new UsageException(name + " must be " + least + " or more");
    }

    Object error(String name) {
        return failure != null ? failure : new OverflowException(name + ": there is no room for more");
    }
}
