package signalkit;

import com.sun.jna.Pointer;

/** A run of a signal. Closing it ends the run; forgetting it does not. */
public final class Subscription extends Handle {
    Subscription(Pointer pointer) {
        super(pointer);
    }

    @Override
    public void close() {
        C.sgk_disposable_dispose(pointer());
        super.close();
    }
}
