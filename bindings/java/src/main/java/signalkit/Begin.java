package signalkit;

/** Where {@link Signal#fileLines fileLines} begins to read. */
public enum Begin {
    /** It skips the present content of the file. */
    AT_END,
    /** It begins with the present content of the file. */
    AT_START
}
