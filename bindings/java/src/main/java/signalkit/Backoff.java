package signalkit;

import java.time.Duration;

/**
 * The delays of {@link Signal#retryBackoff}.
 *
 * @param initial the delay before the second attempt
 * @param factor the factor between consecutive delays
 * @param max the longest delay
 * @param jitter from 0 to 1: the largest random change of a delay, as a part of it
 * @param seed makes the random changes reproducible; 0 uses another seed for each subscription
 */
public record Backoff(Duration initial, double factor, Duration max, double jitter, long seed) {
    /** A second, then two, four and so on, a minute at most. */
    public Backoff() {
        this(Duration.ofSeconds(1), 2, Duration.ofMinutes(1), 0, 0);
    }

    long[] struct() {
        return new long[] {
            C.BACKOFF_BYTES, bits(initial, "initial"), Double.doubleToRawLongBits(factor), bits(max, "max"),
            Double.doubleToRawLongBits(jitter), seed,
        };
    }

    private static long bits(Duration time, String name) {
        return Double.doubleToRawLongBits(Times.seconds(time, "Backoff: " + name));
    }
}
