package signalkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Collections;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Signals and the publishers of java.util.concurrent.Flow. */
class FlowsTest extends SignalKitTest {
    /** Records its events in a list that grows; requests nothing automatically. */
    private static final class Asking implements Flow.Subscriber<Object> {
        final List<Object> events = Collections.synchronizedList(new ArrayList<>());
        volatile Flow.Subscription source;

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            source = subscription;
        }

        @Override
        public void onNext(Object value) {
            events.add(value);
        }

        @Override
        public void onError(Throwable error) {
            events.add(error);
        }

        @Override
        public void onComplete() {
            events.add(END);
        }
    }

    private static Asking asking(Signal<?> signal, long... counts) {
        Asking subscriber = new Asking();
        signal.toPublisher().subscribe(subscriber);
        for (long count : counts) subscriber.source.request(count);
        return subscriber;
    }

    @Test
    void aSubscriberGetsWhatItHasAskedFor() {
        Asking subscriber = asking(Signal.range(0, 100), 1, 2);
        eventually("three have come", () -> subscriber.events.size() == 3);
        subscriber.source.request(Long.MAX_VALUE);
        subscriber.source.request(Long.MAX_VALUE);
        eventually("all have come", () -> subscriber.events.contains(END));
        List<Object> all = new ArrayList<>(IntStream.range(0, 100).mapToObj(n -> (Object) (long) n).toList());
        all.add(END);
        assertEquals(all, subscriber.events);
    }

    @Test
    void theSourceIsPausedWithoutDemand() {
        AtomicInteger emitted = new AtomicInteger();
        try (DispatchQueue queue = new DispatchQueue("emitting")) {
            Asking subscriber = asking(Signal.range(0, 1000).beforeNext(n -> emitted.incrementAndGet()).runOn(queue), 5);
            eventually("five have come", () -> subscriber.events.size() == 5);
            eventually("others wait", () -> emitted.get() >= 5 + Flows.AHEAD / 2);
            AtomicBoolean free = new AtomicBoolean();
            queue.async(() -> free.set(true));
            eventually("the queue is free", free::get);
            assertTrue(emitted.get() <= 5 + Flows.AHEAD, "emitted " + emitted);
            subscriber.source.request(Long.MAX_VALUE);
            eventually("all have come", () -> subscriber.events.contains(END));
            assertEquals(1001, subscriber.events.size());
        }
    }

    @Test
    void whoCannotBePausedWaitsForTheDemand() {
        AtomicInteger emitted = new AtomicInteger();
        try (DispatchQueue queue = new DispatchQueue("emitting"); Pipe<Integer> pipe = new Pipe<>()) {
            Asking subscriber = asking(pipe.signal(), 5);
            queue.async(() -> {
                for (int n = 0; n < 1000; n++) {
                    pipe.next(n);
                    emitted.incrementAndGet();
                }
            });
            eventually("five have come", () -> subscriber.events.size() == 5);
            eventually("others wait", () -> emitted.get() >= 5 + Flows.AHEAD);
            assertTrue(emitted.get() <= 5 + Flows.AHEAD + 2, "emitted " + emitted);
            subscriber.source.cancel();
            subscriber.source.request(1);
            eventually("whoever emits goes on", () -> queue.<Boolean>sync(() -> true));
            assertEquals(1000, emitted.get());
            assertEquals(5, subscriber.events.size());
        }
    }

    @Test
    void theEndComesWithoutBeingAskedFor() {
        IOException error = new IOException();
        Asking subscriber = asking(Signal.fail(error));
        eventually("it has failed", () -> !subscriber.events.isEmpty());
        assertSame(error, subscriber.events.get(0));
        Asking none = asking(Signal.empty());
        eventually("it has completed", () -> none.events.equals(List.of(END)));
        Asking misusing = asking(Signal.of(1), 0);
        eventually("it is told", () -> !misusing.events.isEmpty());
        assertEquals(IllegalArgumentException.class, misusing.events.get(0).getClass());
        Asking nothing = asking(Signal.of((Object) null), 1);
        eventually("it is told", () -> !nothing.events.isEmpty());
        assertEquals(NullPointerException.class, nothing.events.get(0).getClass());
    }

    @Test
    void aPublisherIsASignal() throws InterruptedException {
        Signal<Integer> numbers = Signal.of(1, 2, 3);
        assertEquals(List.of(1, 2, 3), Signal.fromPublisher(numbers.toPublisher()).collect());
        try (SubmissionPublisher<Integer> publisher = new SubmissionPublisher<>()) {
            List<Object> events = record(Signal.fromPublisher(publisher).take(2));
            for (int n = 1; n <= 3; n++) publisher.submit(n);
            eventually("two have come", () -> events.equals(List.of(1, 2, END)));
            eventually("it is let go", () -> publisher.getNumberOfSubscribers() == 0);
            IOException error = new IOException();
            List<Object> failed = record(Signal.fromPublisher(publisher));
            publisher.closeExceptionally(error);
            eventually("it has failed", () -> failed.equals(List.of(error)));
        }
    }

    @Test
    void aPublisherIsAskedAsItsValuesArePassedOn() {
        List<Long> asked = new ArrayList<>();
        Flow.Subscriber<?>[] fed = new Flow.Subscriber<?>[1];
        Signal<Integer> signal = Signal.fromPublisher(subscriber -> {
            fed[0] = subscriber;
            subscriber.onSubscribe(new Flow.Subscription() {
                @Override
                public void request(long count) {
                    asked.add(count);
                }

                @Override
                public void cancel() {
                    asked.add(-1L);
                }
            });
            subscriber.onNext(1);
        });
        List<Object> events = record(signal.take(1));
        assertEquals(List.of(1, END), events);
        assertEquals(List.of((long) Flows.AHEAD, -1L), asked);
    }

    @Test
    void aPublisherIsAskedForNothingDuringAPause() throws InterruptedException {
        List<Long> asked = new CopyOnWriteArrayList<>();
        List<Flow.Subscriber<? super Integer>> fed = new ArrayList<>();
        Signal<Integer> signal = Signal.fromPublisher(subscriber -> {
            fed.add(subscriber);
            subscriber.onSubscribe(new Flow.Subscription() {
                @Override
                public void request(long count) {
                    asked.add(count);
                }

                @Override
                public void cancel() {}
            });
        });
        List<Integer> values = new CopyOnWriteArrayList<>();
        try (Disposable run = signal.start(values::add)) {
            fed.get(0).onNext(1);
            assertEquals(List.of((long) Flows.AHEAD, 1L), asked);
            try (Disposable hold = run.hold()) {
                fed.get(0).onNext(2);
                assertEquals(2, asked.size());
            }
            eventually("it is asked again", () -> asked.equals(List.of((long) Flows.AHEAD, 1L, 1L)));
            assertEquals(List.of(1, 2), values);
            run.dispose();
        }
    }
}
