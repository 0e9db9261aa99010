package signalkit;

/** Owns the last links of chains, and unlinks them when it is cleared, or goes. */
public final class LinkBag extends Handle {
    /** Without any. */
    public LinkBag() {
        super(C.sgk_link_bag_create());
    }

    /**
     * Adds a link.
     *
     * @param link it
     */
    public void add(EventLink<?> link) {
        try (Lent lent = new Lent()) {
            Border.done(C.sgk_link_bag_add(lent.of(this), lent.of(link, "add.link")));
        }
        hold(link);
    }

    /** Unlinks all. */
    public void clear() {
        try (Lent lent = new Lent()) {
            Border.done(C.sgk_link_bag_clear(lent.of(this)));
        }
        letGo();
    }
}
