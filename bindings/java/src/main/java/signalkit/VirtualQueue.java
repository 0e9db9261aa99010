package signalkit;

import java.time.Duration;

/** A serial queue with a virtual clock, for tests that own the time. Functions run inside of {@link #advance},
 * {@link #advanceTo} and {@link #run}, at their times, in their order. */
public final class VirtualQueue extends DispatchQueue {
    /** Creates a queue with a new clock. */
    public VirtualQueue() {
        super(C.sgk_queue_create_virtual(0));
    }

    private VirtualQueue(long pointer) {
        super(pointer);
    }

    /**
     * Another queue of the same clock.
     *
     * @return it
     */
    public VirtualQueue beside() {
        try (Lent lent = new Lent()) {
            return new VirtualQueue(C.sgk_queue_create_virtual(lent.of(this)));
        }
    }

    /**
     * Moves the time on.
     *
     * @param time how far
     */
    public void advance(Duration time) {
        try (Lent lent = new Lent()) {
            Border.done(C.sgk_queue_advance(lent.of(this), Times.seconds(time, "advance")));
        }
    }

    /**
     * Moves the time on to a point.
     *
     * @param time it
     */
    public void advanceTo(Duration time) {
        try (Lent lent = new Lent()) {
            Border.done(C.sgk_queue_advance_to(lent.of(this), Times.seconds(time, "advanceTo")));
        }
    }

    /**
     * Runs until no work is pending or {@code limit} jobs have run.
     *
     * @param limit the maximum number of jobs
     * @return the number of jobs
     */
    public long run(long limit) {
        try (Lent lent = new Lent()) {
            return counted(C.sgk_queue_run(lent.of(this), limit));
        }
    }

    /**
     * How much waits, work and timers.
     *
     * @return that
     */
    public long pending() {
        try (Lent lent = new Lent()) {
            return counted(C.sgk_queue_pending(lent.of(this)));
        }
    }

    /**
     * The system sleeps: the clock on the wall moves on, and the queue's does not.
     *
     * @param time how long
     */
    public void suspend(Duration time) {
        try (Lent lent = new Lent()) {
            Border.done(C.sgk_queue_suspend(lent.of(this), Times.seconds(time, "suspend")));
        }
    }

    private static long counted(long number) {
        if (number < 0) throw Border.refused();
        return number;
    }
}
