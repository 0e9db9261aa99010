package signalkit;

/** What {@link Signal#sinkFd sinkFd} does with its descriptor at the end. */
public enum AtEnd {
    /** It leaves the descriptor to the program. */
    KEEP_OPEN,
    /** It closes the descriptor before the terminal event. */
    CLOSE
}
