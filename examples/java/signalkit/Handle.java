package signalkit;

import com.sun.jna.Pointer;
import java.lang.ref.Cleaner;

/** One reference to a handle of the library, or to none: every operator passes that on, and the start finds it out. It is released by `close`, or when
 * it cannot be reached any more. */
class Handle implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();

    private final Pointer pointer;
    private final Cleaner.Cleanable reference;

    Handle(Pointer pointer) {
        this.pointer = pointer;
        reference = CLEANER.register(this, () -> C.sgk_release(pointer)); // of the pointer alone: what it captures stays reachable
    }

    /** The pointer; whoever uses it keeps this object reachable until then. */
    Pointer pointer() {
        return pointer;
    }

    @Override
    public void close() {
        reference.clean();
    }
}
