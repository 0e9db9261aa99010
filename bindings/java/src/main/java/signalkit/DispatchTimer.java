package signalkit;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/** Calls a function on a queue after a delay, once or repeatedly. Releasing the timer stops it. */
public final class DispatchTimer extends Handle {
    private static final Set<DispatchTimer> ALL =
        Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    /**
     * Creates a timer that fires once after it is started.
     *
     * @param time the delay
     * @param queue where the function is called
     * @param fire the function
     * @return the timer
     */
    public static DispatchTimer once(Duration time, DispatchQueue queue, Runnable fire) {
        return new DispatchTimer(time, false, queue, new Receiver("timer", fire));
    }

    /**
     * Creates a timer that fires repeatedly after it is started.
     *
     * @param time the delay before each call
     * @param queue where the function is called
     * @param fire the function
     * @return the timer
     */
    public static DispatchTimer repeating(Duration time, DispatchQueue queue, Runnable fire) {
        return new DispatchTimer(time, true, queue, new Receiver("timer", fire));
    }

    private DispatchTimer(Duration time, boolean repeat, DispatchQueue queue, Receiver receiver) {
        super(created(time, repeat, queue, receiver));
        hold(receiver);
        ALL.add(this);
    }

    private static long created(Duration time, boolean repeat, DispatchQueue queue, Receiver receiver) {
        try (Lent lent = new Lent()) {
            long pointer = lent.of(queue, "timer: queue");
            return C.sgk_timer_create(Times.seconds(time, "timer: time"), repeat, Entries.WORK, receiver.known(), Border.DESTROY, pointer);
        }
    }

    /** Starts or restarts the timer. */
    public void start() {
        try (Lent lent = new Lent()) {
            Border.done(C.sgk_timer_start(lent.of(this)));
        }
    }

    /** Stops it. It can be started again. */
    public void invalidate() {
        try (Lent lent = new Lent()) {
            Border.done(C.sgk_timer_invalidate(lent.of(this)));
        }
    }

    /** Ends it by firing it, if it runs. */
    public void fireAndInvalidate() {
        try (Lent lent = new Lent()) {
            Border.done(C.sgk_timer_fire_and_invalidate(lent.of(this)));
        }
    }

    /**
     * Changes the delay, and restarts the timer.
     *
     * @param time the delay
     */
    public void resetTimeout(Duration time) {
        try (Lent lent = new Lent()) {
            Border.done(C.sgk_timer_reset_timeout(lent.of(this), Times.seconds(time, "resetTimeout")));
        }
    }

    /**
     * Returns whether the timer will fire.
     *
     * @return true if it is running
     */
    public boolean isScheduled() {
        try (Lent lent = new Lent()) {
            return C.sgk_timer_is_scheduled(lent.of(this)) != 0;
        }
    }

    /**
     * Returns the time until the next firing.
     *
     * @return the time, or that of {@link java.time.temporal.ChronoUnit#FOREVER} if the timer is not scheduled
     */
    public Duration remainingTime() {
        try (Lent lent = new Lent()) {
            return Times.of(C.sgk_timer_remaining_time(lent.of(this)));
        }
    }

    /** Called at the end of the program. */
    static void stopAll() {
        for (DispatchTimer timer : List.copyOf(ALL)) if (!timer.isClosed()) timer.invalidate();
    }
}
