package signalkit;

/** Contains disposables, and disposes them in their order. A member that has ended is removed automatically. */
public final class DisposableBag extends Disposable {
    /**
     * Creates a set with these members.
     *
     * @param members the members
     */
    public DisposableBag(Disposable... members) {
        super(C.sgk_disposable_bag_create());
        for (Disposable member : members) add(member);
    }

    /**
     * Adds one; if the set was disposed of, that is at once.
     *
     * @param member it
     */
    public void add(Disposable member) {
        try (Lent lent = new Lent()) {
            Border.done(C.sgk_disposable_bag_add(lent.of(this), lent.of(member, "add.member")));
        }
    }

    /**
     * Takes one out, without disposing of it.
     *
     * @param member it
     */
    public void remove(Disposable member) {
        try (Lent lent = new Lent()) {
            Border.done(C.sgk_disposable_bag_remove(lent.of(this), lent.of(member, "remove.member")));
        }
    }
}
