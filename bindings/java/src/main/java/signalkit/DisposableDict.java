package signalkit;

/**
 * Holds a disposable for each key.
 *
 * @param <K> the keys
 */
public final class DisposableDict<K> extends Disposable {
    /** Without any. */
    public DisposableDict() {
        super(C.sgk_disposable_dict_create());
    }

    /**
     * Stores one, then disposes of the one that was there.
     *
     * @param key the key
     * @param member null: only does that
     */
    public void set(K key, Disposable member) {
        try (Lent lent = new Lent()) {
            long pointer = lent.of(this);
            long other = lent.optional(member);
            Given value = Values.give(key);
            Border.done(C.sgk_disposable_dict_set(pointer, value.word(), value.bits(), other));
        }
    }
}
