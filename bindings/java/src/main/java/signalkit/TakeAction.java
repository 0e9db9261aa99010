// Written by scripts/java.py from bindings/api.json.
package signalkit;

/** What becomes of a value, and of the run. */
public enum TakeAction {
    /** Drop the value. */
    NOTHING(0),
    /** Pass it on. */
    PASSTHROUGH(1),
    /** Drop it, and complete. */
    COMPLETE(2),
    /** Pass it on, then complete. */
    PASSTHROUGH_AND_COMPLETE(3);

    final int number;

    TakeAction(int number) {
        this.number = number;
    }
}
