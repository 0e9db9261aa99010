package signalkit;

/** What concerns the library as a whole. */
public final class SignalKit {
    private SignalKit() {}

    /** Collects garbage and waits (a minute at most) until nothing of the library is alive: cleaners and other threads let go in their own time. Returns how
     * many objects are left. */
    public static long alive() throws InterruptedException {
        for (long end = System.nanoTime() + 60_000_000_000L; C.sgk_live_total() != 0 && System.nanoTime() < end; Thread.sleep(5)) System.gc();
        return C.sgk_live_total();
    }
}
