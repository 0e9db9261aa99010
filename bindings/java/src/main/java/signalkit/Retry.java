package signalkit;

import java.time.Duration;

/**
 * The policy of {@link Signal#retry}: by default without a limit of attempts, after 1 second, then after twice as long
 * each time, at most after a minute. Each method returns a copy with another value.
 *
 * @param attempts the number of attempts, including the first one; 0: no limit
 * @param delay the delay before the second attempt; zero: no wait
 * @param factor multiplies each further delay: 1 or more
 * @param increment lengthens each further delay
 * @param maxDelay the longest delay
 * @param jitter from 0 to 1: the largest random change of a delay, as a part of it
 * @param resetAfter if an attempt lasted this long, its failure counts as the first one; zero: the time of an attempt
 *     does not matter
 * @param seed makes the random changes reproducible; 0 uses another seed for each subscription
 * @param resetOnValue whether the failure after a value counts as the first one
 */
public record Retry(long attempts, Duration delay, double factor, Duration increment, Duration maxDelay, double jitter,
        Duration resetAfter, long seed, boolean resetOnValue) {
    /** The default policy. */
    public static final Retry FOREVER = new Retry(0, Duration.ofSeconds(1), 2, Duration.ZERO, Duration.ofMinutes(1), 0,
        Duration.ZERO, 0, false);

    /**
     * The default policy, with a number of attempts, including the first one.
     *
     * @param attempts the number of attempts, including the first one; 0: no limit
     * @return the policy
     */
    public static Retry attempts(long attempts) {
        return new Retry(attempts, FOREVER.delay, 2, Duration.ZERO, FOREVER.maxDelay, 0, Duration.ZERO, 0, false);
    }

    /**
     * With another delay before the second attempt.
     *
     * @param delay the delay before the second attempt; zero: no wait
     * @return the policy
     */
    public Retry delay(Duration delay) {
        return new Retry(attempts, delay, factor, increment, maxDelay, jitter, resetAfter, seed, resetOnValue);
    }

    /**
     * Multiplies each further delay by a factor, and lengthens it by an increment.
     *
     * @param factor multiplies each further delay: 1 or more
     * @param increment lengthens each further delay
     * @return the policy
     */
    public Retry grows(double factor, Duration increment) {
        return new Retry(attempts, delay, factor, increment, maxDelay, jitter, resetAfter, seed, resetOnValue);
    }

    /**
     * With another longest delay.
     *
     * @param maxDelay the longest delay
     * @return the policy
     */
    public Retry maxDelay(Duration maxDelay) {
        return new Retry(attempts, delay, factor, increment, maxDelay, jitter, resetAfter, seed, resetOnValue);
    }

    /**
     * With random changes.
     *
     * @param jitter from 0 to 1: the largest random change of a delay, as a part of it
     * @param seed makes the random changes reproducible; 0 uses another seed for each subscription
     * @return the policy
     */
    public Retry jitter(double jitter, long seed) {
        return new Retry(attempts, delay, factor, increment, maxDelay, jitter, resetAfter, seed, resetOnValue);
    }

    /**
     * The failure of an attempt that lasted this long counts as the first one.
     *
     * @param resetAfter how long an attempt must have lasted
     * @return the policy
     */
    public Retry resetAfter(Duration resetAfter) {
        return new Retry(attempts, delay, factor, increment, maxDelay, jitter, resetAfter, seed, resetOnValue);
    }

    /**
     * The failure after a value counts as the first one.
     *
     * @return the policy
     */
    public Retry resettingOnValue() {
        return new Retry(attempts, delay, factor, increment, maxDelay, jitter, resetAfter, seed, true);
    }

    /** The library has numbers with a meaning that Java does not have. */
    void check() {
        Bound.checkLimit("retry: attempts", attempts, 0);
        Times.check("retry: delay", delay);
        if (!(factor >= 1)) throw new UsageException("retry: factor must be 1 or more");
        Times.check("retry: increment", increment);
        if (maxDelay != null && (maxDelay.isNegative() || maxDelay.isZero())) {
            throw new UsageException("retry: maxDelay must be more than 0");
        }
        if (!(jitter >= 0 && jitter <= 1)) throw new UsageException("retry: jitter must be from 0 to 1");
        Times.check("retry: resetAfter", resetAfter);
    }

    long[] struct(long entry, long context, long destroy) {
        double first = seconds(delay, "delay");
        return new long[] {
            C.RETRY_BYTES, attempts, bits(first == 0 ? C.AT_ONCE : first), bits(factor),
            bits(seconds(increment, "increment")), bits(seconds(maxDelay, "maxDelay")), bits(jitter),
            bits(seconds(resetAfter, "resetAfter")), seed, resetOnValue ? 1 : 0, entry, context, destroy,
        };
    }

    private static double seconds(Duration time, String name) {
        return Times.seconds(time, "Retry: " + name);
    }

    private static long bits(double number) {
        return Double.doubleToRawLongBits(number);
    }
}
