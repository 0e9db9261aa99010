package signalkit;

import java.util.ArrayList;
import java.util.List;

/** The handles that a call borrows. They are not released before the call returns, even if another thread closes them.
 */
final class Lent implements AutoCloseable {
    private Handle.Owned first;
    private List<Handle.Owned> more;

    long of(Handle handle) {
        Handle.Owned owned = handle.lend();
        if (first == null) {
            first = owned;
        } else {
            if (more == null) more = new ArrayList<>();
            more.add(owned);
        }
        return owned.pointer;
    }

    /** Returns the pointer of the argument with this name. */
    long of(Handle handle, String name) {
        if (handle == null) throw new NullPointerException(name + " is null");
        return of(handle);
    }

    /** 0 for null. */
    long optional(Handle handle) {
        return handle == null ? 0 : of(handle);
    }

    long[] all(List<? extends Handle> handles) {
        long[] pointers = new long[Math.max(handles.size(), 1)];
        for (int i = 0; i < handles.size(); i++) pointers[i] = of(handles.get(i), "signals[" + i + "]");
        return pointers;
    }

    @Override
    public void close() {
        if (first != null) first.leave();
        if (more != null) more.forEach(Handle.Owned::leave);
    }
}
