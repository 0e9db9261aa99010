package signalkit;

/** Shares one run of a signal per key among all who listen at the same time. ({@link Signal#multicast} and
 * {@link Signal#share} share that of one signal.) */
public final class Multicast extends Handle {
    /** Without any signal. */
    public Multicast() {
        super(C.sgk_multicast_create());
    }

    /**
     * The shared signal of a key.
     *
     * @param <T> what is emitted
     * @param key the key
     * @param signal is started by the first who starts a signal of this key
     * @return the signal
     */
    public <T> Signal<T> get(String key, Signal<T> signal) {
        try (Lent lent = new Lent()) {
            long pointer = lent.of(this);
            long kept = signal.forGood();
            try {
                return new Signal<>(C.sgk_multicast_get(pointer, key, kept));
            } finally {
                C.sgk_signal_release(kept);
            }
        }
    }
}
