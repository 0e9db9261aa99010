package signalkit;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/** Calls a function on a queue after some time, once or again and again. Letting go of it stops it. */
public final class DispatchTimer extends Handle {
    private static final Set<DispatchTimer> ALL =
        Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    /**
     * Not started yet.
     *
     * @param seconds the time
     * @param repeat whether again and again
     * @param queue where the function is called
     * @param fire the function
     */
    public DispatchTimer(double seconds, boolean repeat, DispatchQueue queue, Runnable fire) {
        this(seconds, repeat, queue, new Receiver("timer", fire));
    }

    private DispatchTimer(double seconds, boolean repeat, DispatchQueue queue, Receiver receiver) {
        super(created(seconds, repeat, queue, receiver));
        hold(receiver);
        ALL.add(this);
    }

    private static long created(double seconds, boolean repeat, DispatchQueue queue, Receiver receiver) {
        try (Lent lent = new Lent()) {
            long pointer = lent.of(queue, "timer: queue");
            return C.sgk_timer_create(seconds, repeat, Entries.WORK, receiver.known(), Border.DESTROY, pointer);
        }
    }

    /** Starts it, or starts it anew. */
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
     * Changes the time, and starts anew.
     *
     * @param seconds the time
     */
    public void resetTimeout(double seconds) {
        try (Lent lent = new Lent()) {
            Border.done(C.sgk_timer_reset_timeout(lent.of(this), seconds));
        }
    }

    /**
     * Whether a firing is due.
     *
     * @return that
     */
    public boolean isScheduled() {
        try (Lent lent = new Lent()) {
            return C.sgk_timer_is_scheduled(lent.of(this)) != 0;
        }
    }

    /**
     * Seconds until the next firing.
     *
     * @return that
     */
    public double remainingTime() {
        try (Lent lent = new Lent()) {
            return C.sgk_timer_remaining_time(lent.of(this));
        }
    }

    /** For the end of the program. */
    static void stopAll() {
        for (DispatchTimer timer : List.copyOf(ALL)) if (!timer.isClosed()) timer.invalidate();
    }
}
