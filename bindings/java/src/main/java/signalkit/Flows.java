package signalkit;

import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Signals as publishers of {@link Flow}, and publishers as signals. */
final class Flows {
    /** How many values are asked for, or read, before somebody wants them. */
    static final int AHEAD = 16;

    private Flows() {}

    static <T> Flow.Publisher<T> publisher(Signal<T> signal, Executor executor) {
        return subscriber -> {
            if (subscriber == null) throw new NullPointerException("subscribe: the subscriber is null");
            Bound bound = Bound.of(AHEAD).overflow(Overflow.PAUSE).then(Overflow.SUSPEND);
            new Reading<>(signal.read(bound), subscriber, executor).begin();
        };
    }

    static <T> Signal<T> signal(Flow.Publisher<? extends T> publisher) {
        if (publisher == null) throw new NullPointerException("fromPublisher: the publisher is null");
        return Signal.create(subscriber -> publisher.subscribe(new Feeding<>(subscriber)));
    }

    /** Hands a subscriber what it has asked for. The reader is asked on the executor: were it the thread that emits, that
     * would not wait for itself. */
    private static final class Reading<T> implements Flow.Subscription {
        private final SignalReader<T> reader;
        private final Flow.Subscriber<? super T> subscriber;
        private final Executor executor;
        private final AtomicLong wanted = new AtomicLong();
        private final AtomicInteger rounds = new AtomicInteger();
        private final AtomicBoolean waiting = new AtomicBoolean();
        private volatile Throwable misuse;
        private volatile boolean over;

        Reading(SignalReader<T> reader, Flow.Subscriber<? super T> subscriber, Executor executor) {
            this.reader = reader;
            this.subscriber = subscriber;
            this.executor = executor;
        }

        void begin() {
            subscriber.onSubscribe(this);
            again();
        }

        @Override
        public void request(long count) {
            if (count > 0) {
                wanted.accumulateAndGet(count, (a, b) -> a + b < 0 ? Long.MAX_VALUE : a + b);
            } else {
                misuse = new IllegalArgumentException("request: " + count + " is not positive");
            }
            again();
        }

        @Override
        public void cancel() {
            over = true;
            reader.close();
        }

        /** One thread at a time runs the rounds, and one more round for requests that arrive in the meantime. */
        private void again() {
            if (!over && rounds.getAndIncrement() == 0) executor.execute(this::go);
        }

        private void go() {
            int gone = 1;
            do {
                try {
                    while (!over && step()) {}
                } catch (Throwable thrown) { // by the subscriber, who must not
                    cancel();
                    SignalKit.unheard("publisher", thrown);
                }
                gone = rounds.addAndGet(-gone);
            } while (gone != 0);
        }

        /** Returns whether more work may be available immediately. */
        private boolean step() {
            if (misuse != null) return end(() -> subscriber.onError(misuse));
            boolean there;
            try {
                there = reader.look();
            } catch (Throwable thrown) {
                Throwable error = thrown instanceof Failure && thrown.getCause() != null ? thrown.getCause() : thrown;
                return end(() -> subscriber.onError(error));
            }
            if (there) {
                if (wanted.get() == 0) return false;
                wanted.getAndUpdate(count -> count == Long.MAX_VALUE ? count : count - 1);
                T value = reader.taken();
                if (value == null) {
                    return end(() -> subscriber.onError(new NullPointerException("a Flow has no room for null")));
                }
                subscriber.onNext(value);
                return true;
            }
            if (reader.isOver()) return end(subscriber::onComplete);
            if (waiting.compareAndSet(false, true)) reader.whenReady(this::ready);
            return false;
        }

        private void ready() {
            waiting.set(false);
            again();
        }

        private boolean end(Runnable told) {
            if (over) return false; // cancelled in the meantime
            cancel();
            told.run();
            return false;
        }
    }

    /** Requests as many more values as it has passed on, after the end of a pause. */
    private static final class Feeding<T> implements Flow.Subscriber<T> {
        private final Subscriber<T> subscriber;
        private Flow.Subscription source;

        Feeding(Subscriber<T> subscriber) {
            this.subscriber = subscriber;
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            if (source != null) {
                subscription.cancel();
                return;
            }
            source = subscription;
            subscriber.onDispose(subscription::cancel);
            subscription.request(AHEAD);
        }

        @Override
        public void onNext(T value) {
            if (!subscriber.next(value) || !subscriber.isActive()) return;
            if (subscriber.isPaused()) subscriber.onResume(DispatchQueue.concurrent(), () -> source.request(1));
            else source.request(1);
        }

        @Override
        public void onError(Throwable error) {
            subscriber.error(error);
        }

        @Override
        public void onComplete() {
            subscriber.complete();
        }
    }
}
