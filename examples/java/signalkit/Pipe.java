package signalkit;

import java.lang.ref.Reference;

/** A source that is fed by hand. Closing it completes its signal. */
public final class Pipe<T> extends Handle {
    public Pipe() {
        super(C.sgk_pipe_create());
    }

    public Signal<T> signal() {
        return new Signal<>(C.sgk_pipe_signal(pointer()));
    }

    public void next(T value) {
        Values.lending(value, raw -> C.sgk_pipe_next(pointer(), raw));
        Reference.reachabilityFence(this);
    }

    @Override
    public void close() {
        C.sgk_pipe_complete(pointer());
        super.close();
    }
}
