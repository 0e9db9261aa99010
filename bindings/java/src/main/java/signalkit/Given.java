package signalkit;

/** A value as it is given to the library, which takes it over. */
record Given(long word, long bits) {}
