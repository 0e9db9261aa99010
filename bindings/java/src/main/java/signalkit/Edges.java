// Written by scripts/java.py from bindings/api.json.
package signalkit;

/** Which values of a time are emitted. */
public enum Edges {
    /** The one that begins it, at once. What comes meanwhile is dropped. */
    LEADING(1),
    /** The latest of those that came, when it is over. */
    TRAILING(2),
    /** Both: this is sgk_signal_throttle. */
    BOTH(3);

    final int number;

    Edges(int number) {
        this.number = number;
    }
}
