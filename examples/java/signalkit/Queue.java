package signalkit;

/** A serial queue, on threads of the library. */
public final class Queue extends Handle {
    public Queue(String name) {
        super(C.sgk_queue_create(name));
    }
}
