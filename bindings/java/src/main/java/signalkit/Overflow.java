// Written by scripts/java.py from bindings/api.json.
package signalkit;

/** What happens with a value that has no room. */
public enum Overflow {
    /** The emitting thread is blocked until there is room. Not where that would wait for itself (on the queue, or
     * inside the callback): there the bound is exceeded instead. */
    SUSPEND(0),
    /** The value that has waited longest is dropped. */
    DROP_OLDEST(1),
    /** The new value is dropped. */
    DROP_NEWEST(2),
    /** All that wait are dropped: the new value alone is kept. */
    KEEP_LATEST(3),
    /** The new value is dropped, the source disposed, and the run fails when what waits has been delivered. */
    ERROR(4);

    final int number;

    Overflow(int number) {
        this.number = number;
    }
}
