package signalkit;

/** Holds at most one disposable. */
public final class MetaDisposable extends Disposable {
    /** Without one. */
    public MetaDisposable() {
        super(C.sgk_meta_disposable_create());
    }

    /**
     * Stores one, then disposes of the one that was there.
     *
     * @param child null: none
     */
    public void set(Disposable child) {
        try (Lent lent = new Lent()) {
            Border.done(C.sgk_meta_disposable_set(lent.of(this), lent.optional(child)));
        }
    }
}
