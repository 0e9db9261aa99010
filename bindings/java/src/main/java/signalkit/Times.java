package signalkit;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times in seconds, as the library has them. Infinity is {@link ChronoUnit#FOREVER}. */
final class Times {
    private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();
    private static final double NANOS = 1e9;
    /** In nanoseconds, these are the integers that a double holds exactly. */
    private static final long EXACT = 9_000_000;

    private Times() {}

    static double seconds(Duration time, String name) {
        if (time == null) throw new NullPointerException(name + ": the time is null");
        if (time.equals(FOREVER)) return Double.POSITIVE_INFINITY;
        long whole = time.getSeconds();
        return Math.abs(whole) < EXACT ? time.toNanos() / NANOS : whole + time.getNano() / NANOS;
    }

    /** Seconds since 1970. */
    static double unixTime(Instant time, String name) {
        if (time == null) throw new NullPointerException(name + ": the time is null");
        return time.getEpochSecond() + time.getNano() / NANOS;
    }

    /** Fails if the time is negative. */
    static void check(String name, Duration time) {
        if (time != null && time.isNegative()) throw new UsageException(name + " must be 0 or more");
    }

    static Duration of(double seconds) {
        if (seconds >= Long.MAX_VALUE) return FOREVER;
        double whole = Math.floor(seconds);
        return Duration.ofSeconds((long) whole, Math.round((seconds - whole) * NANOS));
    }
}
