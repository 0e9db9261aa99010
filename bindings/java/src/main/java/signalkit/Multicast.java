package signalkit;

/** Shares one subscription of a signal per key among simultaneous subscribers. {@link Signal#share} shares a
 * subscription of one signal. */
public final class Multicast extends Handle {
    /** Without any signal. */
    public Multicast() {
        super(C.sgk_multicast_create());
    }

    /**
     * Returns the shared signal of a key.
     *
     * @param <T> the values
     * @param key the key
     * @param signal started at the first start of a signal of this key
     * @return the signal
     */
    public <T> Signal<T> get(String key, Signal<T> signal) {
        try (Lent lent = new Lent()) {
            long pointer = lent.of(this);
            long kept = signal.forGood();
            try {
                return new Signal<>(C.sgk_multicast_get(pointer, key, kept));
            } finally {
                C.sgk_release(kept);
            }
        }
    }
}
