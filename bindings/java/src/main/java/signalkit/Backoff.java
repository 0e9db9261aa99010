package signalkit;

/**
 * How long {@link Signal#retryBackoff} waits.
 *
 * @param initial seconds before the second attempt
 * @param factor each further wait is so many times as long
 * @param max no wait is longer
 * @param jitter from 0 to 1: by which part each wait is made longer or shorter, by chance, at most
 * @param seed makes the chance the same in each run; 0 takes another for each
 */
public record Backoff(double initial, double factor, double max, double jitter, long seed) {
    /** A second, then two, four and so on, a minute at most. */
    public Backoff() {
        this(1, 2, 60, 0, 0);
    }

    long[] struct() {
        return new long[] {
            C.BACKOFF_BYTES, Double.doubleToRawLongBits(initial), Double.doubleToRawLongBits(factor),
            Double.doubleToRawLongBits(max), Double.doubleToRawLongBits(jitter), seed,
        };
    }
}
