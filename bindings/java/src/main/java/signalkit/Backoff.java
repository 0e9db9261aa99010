package signalkit;

import java.time.Duration;

/**
 * How long {@link Signal#retryBackoff} waits.
 *
 * @param initial the wait before the second attempt
 * @param factor each further wait is so many times as long
 * @param max no wait is longer
 * @param jitter from 0 to 1: by which part each wait is made longer or shorter, by chance, at most
 * @param seed makes the chance the same in each run; 0 takes another for each
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
