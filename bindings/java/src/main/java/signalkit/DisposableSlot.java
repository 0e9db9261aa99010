package signalkit;

/** Holds at most one disposable. */
public final class DisposableSlot extends Disposable {
    /** Without one. */
    public DisposableSlot() {
        super(C.sgk_disposable_slot_create());
    }

    /**
     * Stores one, then disposes of the one that was there.
     *
     * @param child null: none
     */
    public void set(Disposable child) {
        try (Lent lent = new Lent()) {
            Border.done(C.sgk_disposable_slot_set(lent.of(this), lent.optional(child)));
        }
    }
}
