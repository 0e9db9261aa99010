package signalkit;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.sun.jna.NativeLibrary;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.ref.WeakReference;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values, lifetimes, pipes, state, sharing, readers, queues. */
class SignalsTest extends SignalKitTest {
    @Test
    void anErrorOfTheLibraryHasACodeAndACause() {
        Failure late = assertThrows(Failure.class,
            () -> Signal.never().timeout(java.time.Duration.ofMillis(1), DispatchQueue.concurrent()).get());
        assertEquals("-8 timeout: timed out null", late.code() + " " + late.getMessage() + " " + late.getCause());
        var inner = C.sgk_error_from(7, "inner", 0, 0);
        long word = inner.word, bits = inner.bits;
        var outer = C.sgk_error_from(404, "outer", word, bits);
        Failure error = (Failure) Values.taken(outer.word, outer.bits);
        C.sgk_value_release(word, bits);
        Failure cause = (Failure) error.getCause();
        assertEquals("404 outer 7 inner", error.code() + " " + error.value() + " " + cause.code() + " " + cause.getMessage());
    }

    /** The events of a start, and of one whose values pass through the library. */
    private static List<List<Object>> bothWays(Supplier<Signal<?>> make) {
        List<List<Object>> all = new ArrayList<>();
        for (boolean passes : new boolean[] {false, true}) {
            List<Object> seen = new ArrayList<>();
            Signal<?> signal = make.get(), through = passes ? signal.skip(0) : signal;
            through.start(seen::add, error -> seen.add(error.getMessage()), () -> seen.add("end"));
            all.add(seen);
        }
        return all;
    }

    /** A subscription takes the items of an iterator without the library, if only functions follow. */
    @Test
    void itemsThatStayInJava() {
        for (Supplier<Signal<Long>> numbers : List.<Supplier<Signal<Long>>>of(() -> Signal.range(1, 5),
                () -> Signal.of(1L, 2L, 3L, 4L, 5L), () -> Signal.iterate(List.of(1L, 2L, 3L, 4L, 5L).iterator()))) {
            for (List<Object> seen : bothWays(() -> numbers.get().map(n -> n * 2).filter(n -> n > 2).map(n -> "" + n)))
                assertEquals(List.of("4", "6", "8", "10", "end"), seen);
            for (List<Object> seen : bothWays(() -> numbers.get().compactMap(n -> n == 3 ? null : n).map(n -> {
                if (n > 3) throw new IllegalStateException("large");
                return n;
            })))
                assertEquals(List.of(1L, 2L, "large"), seen);
            assertEquals(List.of(List.of(1L, 2L, 3L, 4L, 5L, "end"), List.of(1L, 2L, 3L, 4L, 5L, "end")),
                bothWays(numbers::get));
        }
        Object thing = new Object();
        for (List<Object> seen : bothWays(() -> Signal.of(thing, null).map(item -> item)))
            assertTrue(seen.get(0) == thing && seen.get(1) == null && seen.size() == 3);
        Iterable<Object> fails = () -> Stream.of("a", "b").peek(text -> {
            if (text.equals("b")) throw new IllegalStateException("failed");
        }).map(text -> (Object) text).iterator();
        for (List<Object> seen : bothWays(() -> Signal.from(fails))) assertEquals(List.of("a", "failed"), seen);
        Signal<Long> twice = Signal.range(Long.MAX_VALUE - 1, 2).map(n -> n - 1);
        for (int i = 0; i < 2; i++) {
            List<Long> seen = new ArrayList<>();
            twice.start(seen::add);
            assertEquals(List.of(Long.MAX_VALUE - 2, Long.MAX_VALUE - 1), seen);
        }
        List<Throwable> errors = new ArrayList<>();
        AtomicInteger calls = new AtomicInteger();
        Signal.iterate(Stream.iterate(1, n -> n + 1).iterator()).start(n -> {
            calls.incrementAndGet();
            if (n == 3) throw new IllegalStateException("enough");
        }, errors::add, () -> fail("it has failed"));
        assertTrue(errors.size() == 1 && errors.get(0).getMessage().equals("enough") && calls.get() == 3);
    }

    private static final List<Object> KEPT = new ArrayList<>(); // memory whose addresses values keep

    @Test
    void anObjectOfAnotherTypeIsAnError() {
        long[] type = {C.OBJECT_TYPE_BYTES, 0, 0, 0, 0, 0, 0};
        var name = new com.sun.jna.Memory(8);
        name.setString(0, "Other", "UTF-8");
        var memory = new com.sun.jna.Memory(C.OBJECT_TYPE_BYTES);
        type[1] = com.sun.jna.Pointer.nativeValue(name);
        memory.write(0, type, 0, type.length);
        KEPT.addAll(List.of(name, memory));
        var value = C.sgk_object(5, com.sun.jna.Pointer.nativeValue(memory));
        long word = value.word, bits = value.bits;
        try (Signal<Object> one = new Signal<>(C.sgk_signal_just(word, bits));
                Signal<Object> fails = new Signal<>(C.sgk_signal_fail(word, bits))) {
            List<Throwable> errors = new ArrayList<>();
            errors.add(assertThrows(Failure.class, one::get));
            errors.add(assertThrows(Failure.class, one::collect));
            errors.add(assertThrows(Failure.class, () -> one.map(any -> 1).get()));
            errors.add(assertThrows(Failure.class, fails::get));
            one.start(any -> {}, errors::add, null);
            fails.start(any -> {}, errors::add, null);
            fails.catchError(error -> Signal.of((Object) errors.add(error))).get();
            fails.mapError(error -> errors.add(error) ? new IllegalStateException() : error).start(any -> {}, error -> {}, null);
            fails.beforeError(errors::add).start(any -> {}, error -> {}, null);
            var outer = C.sgk_error_from(3, "outer", word, bits);
            errors.add(((Failure) Values.taken(outer.word, outer.bits)).getCause());
            assertEquals(10, errors.size());
            for (Throwable error : errors)
                assertEquals("-5 value: must be an object of the type Java, not Other",
                    ((Failure) error).code() + " " + error.getMessage());
        } finally {
            C.sgk_value_release(word, bits);
        }
    }

    @Test
    void objectsComeOutAsThemselves() {
        List<Object> values = Arrays.asList(null, true, false, 1, 2L, Long.MIN_VALUE, 1.5, 1.5f, (short) 3, 'c', "grün",
            BigInteger.TEN, new Object(), List.of(1, List.of()), new int[] {1});
        List<Object> seen = Signal.from(values).map(value -> value).collect();
        assertEquals(values, seen);
        assertSame(values.get(12), seen.get(12));
    }

    @Test
    void aSinkWritesTextAndBytes() {
        int[] pipe = new int[2];
        NativeLibrary system = NativeLibrary.getInstance("c");
        assertEquals(0, system.getFunction("pipe").invokeInt(new Object[] {pipe}));
        DispatchQueue queue = new DispatchQueue("io");
        Signal<Object> values = Signal.of("grün ", new byte[] {0, -1}, "", new byte[0], "\n");
        assertEquals(List.of(), values.sinkFd(pipe[1], AtEnd.CLOSE, Bound.of(1).overflow(Overflow.PAUSE), queue).collect());
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        for (byte[] bytes : Signal.fdBytes(pipe[0], 99, queue).collect()) read.writeBytes(bytes);
        assertEquals("grün \0ÿ\n".replace("ü", "Ã¼"), read.toString(StandardCharsets.ISO_8859_1));
        assertThrows(Failure.class, () -> Signal.of(1).sinkFd(pipe[0], AtEnd.CLOSE, Bound.of(99), queue).collect());
    }

    @Test
    void aSignalShowsItsPipelineAndARunItsState() {
        try (Pipe<Integer> pipe = new Pipe<>()) {
            Signal<Integer> signal = pipe.signal().take(2).named("cpu");
            assertEquals("named \"cpu\"\n  take 2\n    pipe", signal.toString());
            Subscription ended = signal.start(n -> {});
            Subscription disposed = signal.start(n -> {});
            assertEquals("Subscription (running)", ended.toString());
            disposed.dispose();
            pipe.complete();
            assertEquals("Subscription (ended)", ended.toString());
            assertEquals("Subscription (disposed)", disposed.toString());
            signal.close();
            assertEquals("Signal (closed)", signal.toString());
        }
    }

    /** An inner signal without other references still calls its functions: its subscription retains them. */
    @Test
    void innerSignalsKeepTheirFunctions() {
        Signal<Integer> numbers = Signal.of(1, 2, 3, 4);
        Signal<Signal<Integer>> inner = numbers.map(n -> Signal.of(n, n, n).map(m -> {
            System.gc();
            return m * 10;
        }));
        for (int round = 0; round < 5; round++)
            assertEquals(List.of(10, 10, 10, 20, 20, 20, 30, 30, 30, 40, 40, 40), Signal.mergeAll(inner).collect());
    }

    /** A disposal releases all stages before it calls these. */
    @Test
    void whatIsCalledAfterADisposalIsKeptForIt() {
        List<String> called = new ArrayList<>();
        Signal<Integer> watched = Signal.never();
        for (String name : List.of("a", "b", "c"))
            watched = watched.afterDisposed(() -> {
                System.gc();
                called.add(name);
            });
        Subscription run = watched.start(n -> {});
        watched = null;
        System.gc();
        run.dispose();
        assertEquals(List.of("a", "b", "c"), called);
    }

    /** An Integer was returned as a Long: "Long cannot be cast to Integer". */
    @Test
    void integersStayIntegers() {
        assertEquals(List.of(2, 4, 6), Signal.of(1, 2, 3).map(n -> n * 2).collect());
    }

    @Test
    void objectsAreComparedByJava() {
        assertEquals(List.of("a", "b"), Signal.of("a", new String("a"), "b").distinctUntilChanged().collect());
        assertEquals(List.of(List.of(1), List.of(2)),
            Signal.of(List.of(1), List.of(2), List.of(1)).distinct(Bound.NONE).collect());
    }

    @Test
    void signalsTravelAsValues() {
        assertEquals(List.of(1, 2, 3), Signal.concatAll(Signal.of(Signal.of(1), Signal.of(2, 3).map(n -> n))).collect());
    }

    private static class Copied extends Disposable implements Cloneable, Serializable {
        private static final long serialVersionUID = 1;

        Copied() {
            super(C.sgk_disposable_bag_create());
        }

        Object copy() throws CloneNotSupportedException {
            return clone();
        }
    }

    /** Only a reference that this package has counted can be used: there is no other way to copy one. */
    @Test
    void anObjectCannotBeCopied() throws Exception {
        try (Copied original = new Copied()) {
            assertThrows(CloneNotSupportedException.class, original::copy);
            ByteArrayOutputStream written = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(written)) {
                out.writeObject(original);
            }
            ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(written.toByteArray()));
            assertThrows(InvalidClassException.class, in::readObject);
        }
        for (Object other : List.of(new Pipe<>(), Signal.of(1), new DisposableBag(), DispatchQueue.concurrent())) {
            assertFalse(other instanceof Serializable || other instanceof Cloneable);
        }
    }

    @Test
    void closingASignalLeavesWhatIsMadeOfIt() {
        Signal<Integer> source = Signal.of(1, 2);
        Signal<Integer> sums = source.map(n -> n).scan(0, Integer::sum);
        source.close();
        assertEquals(List.of(1, 3), sums.collect());
    }

    /** As a field of an object that its function uses, which is what `this` does. */
    @Test
    void aSignalDoesNotKeepItselfByItsFunction() {
        WeakReference<Object> gone = selfish();
        eventually("it is collected", () -> {
            System.gc();
            return gone.get() == null;
        });
    }

    private static WeakReference<Object> selfish() {
        Object[] self = new Object[2];
        Signal<Object> one = Signal.of(1).map(n -> self);
        self[0] = one;
        Signal<Object> two = one.scan(self, (a, b) -> self);
        self[1] = two;
        two.start(v -> {});
        return new WeakReference<>(self);
    }

    @Test
    void theCollectorDoesNotTakeWhatARunNeeds() {
        try (Pipe<Integer> pipe = new Pipe<>()) {
            List<Integer> seen = new ArrayList<>();
            pipe.signal().map(n -> n + 1).switchMap(n -> Signal.of(n).map(m -> m * 2)).start(seen::add);
            for (int n = 0; n < 10; n++) {
                System.gc();
                pipe.next(n);
            }
            assertEquals(List.of(2, 4, 6, 8, 10, 12, 14, 16, 18, 20), seen);
        }
    }

    @Test
    void manySubscriptions() {
        try (Pipe<Integer> pipe = new Pipe<>()) {
            Signal<Integer> signal = pipe.signal().map(n -> n + 1);
            AtomicInteger got = new AtomicInteger();
            for (int i = 0; i < 100_000; i++) signal.start(n -> got.incrementAndGet()).close();
            try (DisposableBag runs = new DisposableBag()) {
                for (int i = 0; i < 1000; i++) runs.add(signal.start(n -> got.incrementAndGet()));
                pipe.next(1);
            }
            pipe.next(1);
            assertEquals(1000, got.get());
        }
    }

    @Test
    void stateAndPromise() {
        State<Object> state = State.ignoringRepeated(1);
        List<Object> seen = record(state.signal());
        state.set(1);
        state.modify(n -> (int) n + 1);
        state.set("three");
        assertEquals(List.of(1, 2, "three"), seen);
        assertNull(State.empty().value());
        Promise<Integer> promise = Promise.onFirstAccess(Signal.of(1).map(n -> n));
        List<Object> promised = record(promise.signal());
        promise.set(Signal.of(5).map(n -> n + 1));
        assertEquals(List.of(1, 6), promised);
    }

    @Test
    void sharing() {
        AtomicInteger starts = new AtomicInteger();
        try (Pipe<Integer> source = new Pipe<>()) {
            Signal<Integer> shared = Signal.deferred(() -> {
                starts.incrementAndGet();
                return source.signal();
            }).share(0, Duration.ZERO);
            List<Object> first = record(shared);
            List<Object> second = record(shared);
            source.next(1);
            assertEquals(List.of(first, 1), List.of(second, starts.get()));
        }
        MulticastSignalManager manager = new MulticastSignalManager();
        assertEquals(4, manager.multicastedSignal("key", () -> Signal.of(4)).get());
        List<Object> piped = record(manager.multicastedPipe("pipe"));
        manager.next("pipe", 3);
        assertEquals(List.of(3), piped);
        assertEquals(7, new Sequencer().enqueue(Signal.of(7).map(n -> n)).get());
        assertEquals(8, new Multicast().get("key", Signal.of(8).map(n -> n)).get());
    }

    @Test
    void links() {
        EventEmitter<Integer> emitter = new EventEmitter<>(1);
        List<Integer> seen = new ArrayList<>();
        EventLink<Integer> link = emitter.map(n -> n * 2).compactMap(n -> n > 2 ? n : null).onNext(seen::add);
        emitter.next(2);
        emitter.next(3);
        assertEquals(List.of(4, 6), seen);
        link.unlink();
    }

    @Test
    void disposables() {
        List<Integer> done = new ArrayList<>();
        new DisposableBag(Disposable.action(() -> done.add(1)), Disposable.action(() -> done.add(2))).close();
        try (DisposableSlot slot = new DisposableSlot(); DisposableDict<String> dict = new DisposableDict<>()) {
            slot.set(Disposable.action(() -> done.add(3)));
            slot.set(null);
            dict.set("key", Disposable.action(() -> done.add(4)));
        }
        assertEquals(List.of(1, 2, 3, 4), done);
    }

    private static int gets(int depth) {
        return Signal.of(depth).map(n -> gets(n + 1)).get();
    }

    private static int starts(int depth) {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Signal.of(depth).start(n -> starts(n + 1), thrown::set, null);
        if (thrown.get() instanceof Error error) throw error;
        throw new AssertionError(thrown.get());
    }

    @Test
    void theEndOfTheStackIsAnError() {
        assertThrows(StackOverflowError.class, () -> gets(0));
        assertThrows(StackOverflowError.class, () -> starts(0));
        assertEquals(List.of(2), Signal.of(1).map(n -> n + 1).collect());
    }

    @Test
    void flagsAreSets(@TempDir Path folder) throws Exception {
        DispatchQueue queue = DispatchQueue.concurrent("flags", 1);
        int nullDevice = NativeLibrary.getInstance("c").getFunction("open").invokeInt(new Object[] {"/dev/null", 2});
        try (Signal<FileChange> changes = Signal.fileChanges(folder.toString(),
                    EnumSet.of(FileEvent.CREATED, FileEvent.GONE), queue);
                SignalReader<FileChange> reader = changes.read()) {
            Set<Readiness> both = EnumSet.of(Readiness.READ, Readiness.WRITE);
            assertEquals(both, Readiness.of((long) Readiness.bits("both", both)));
            assertEquals(both, Signal.fd(nullDevice, both, queue).get(Duration.ofMinutes(1)));
            assertThrows(UnsupportedOperationException.class, () -> Readiness.of(1L).clear());
            for (Set<Readiness> none : List.of(Set.<Readiness>of(), Set.of(Readiness.HANGUP))) {
                assertEquals("fd: events must contain one or more, and not HANGUP",
                    assertThrows(UsageException.class, () -> Signal.fd(0, none, queue)).getMessage());
            }
            assertThrows(UsageException.class,
                () -> Signal.fileChanges("/", EnumSet.allOf(FileEvent.class), queue));
            Files.createDirectory(folder.resolve("one"));
            assertEquals(new FileChange(Set.of(FileEvent.CREATED, FileEvent.IS_FOLDER), "one", 0),
                reader.next(Duration.ofMinutes(1)));
        }
    }

    @Test
    void reading() {
        assertEquals(1, Signal.of(1, 2).get());
        assertEquals(List.of(1, 4, 9), Signal.of(1, 2, 3).read().stream().map(n -> n * n).toList());
        assertThrows(NoSuchElementException.class, () -> Signal.empty().get());
        assertThrows(TimedOutException.class, () -> Signal.create(out -> {}).get(Duration.ZERO));
        assertThrows(UsageException.class, () -> Signal.create(out -> {}).get(Duration.ofSeconds(Long.MIN_VALUE)));
        for (long seconds : List.of(9_223_372_036L, Long.MAX_VALUE)) {
            Signal<Integer> later = Signal.of(1).delayStart(Duration.ofMillis(1), DispatchQueue.concurrent());
            assertEquals(1, later.get(Duration.ofSeconds(seconds)));
        }
        assertThrows(TimedOutException.class, () -> Signal.never().get(Duration.ofMillis(5)));
        assertThrows(TimedOutException.class, () -> Signal.never().collect(Duration.ofMillis(5)));
        IllegalStateException same = new IllegalStateException();
        assertSame(same, assertThrows(IllegalStateException.class, () -> Signal.fail(same).get()));
        IOException checked = new IOException();
        assertSame(checked, assertThrows(Failure.class, () -> Signal.fail(checked).get()).getCause());
        assertEquals(5, Signal.of(5).toFuture().join());
    }

    @Test
    void aReaderThatWaitsIsInterruptedAndClosed() throws InterruptedException {
        try (Pipe<Integer> pipe = new Pipe<>()) {
            List<Throwable> thrown = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                SignalReader<Integer> reader = pipe.signal().read();
                Thread waiting = new Thread(() -> thrown.add(assertThrows(RuntimeException.class, reader::next)));
                waiting.start();
                eventually("it waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);
                if (i == 0) waiting.interrupt();
                else reader.close();
                waiting.join();
                reader.close();
            }
            assertTrue(thrown.get(0).getCause() instanceof InterruptedException);
            assertTrue(thrown.get(1) instanceof NoSuchElementException);
        }
    }

    @Test
    void createTearsDown() {
        List<String> torn = new ArrayList<>();
        Signal<Integer> signal = Signal.create(out -> {
            out.onDispose(() -> torn.add("torn"));
            for (int n = 1; out.next(n); n++) continue;
        });
        assertEquals(List.of(1, 2), signal.take(2).collect());
        assertEquals(List.of("torn"), torn);
    }

    @Test
    void queuesAndTimers() throws InterruptedException {
        try (DispatchQueue queue = new DispatchQueue("work"); ThreadPool pool = new ThreadPool(2);
                VirtualQueue time = new VirtualQueue()) {
            assertTrue(queue.sync(queue::isCurrent));
            CountDownLatch done = new CountDownLatch(3);
            queue.dispatch(done::countDown);
            queue.after(Duration.ZERO, done::countDown);
            pool.addTask(done::countDown);
            done.await();
            CountDownLatch met = new CountDownLatch(2);
            try (DispatchQueue both = DispatchQueue.concurrent("both", 2)) {
                for (int i = 0; i < 2; i++) {
                    both.dispatch(() -> {
                        met.countDown();
                        assertDoesNotThrow(() -> met.await());
                    });
                }
                met.await();
            }
            assertThrows(UsageException.class, () -> DispatchQueue.concurrent("none", 0));
            try (Pipe<Integer> pipe = new Pipe<>()) {
                Bound bound = Bound.of(1).overflow(Overflow.PAUSE);
                AtomicInteger resumed = new AtomicInteger();
                Disposable run = pipe.signal().deliverOnBounded(bound, time).start(n -> {});
                assertFalse(pipe.isPaused());
                try (Disposable hold = run.hold()) {
                    run.hold().close();
                    assertTrue(pipe.isPaused());
                    assertThrows(UsageException.class, hold::hold);
                }
                assertFalse(pipe.isPaused());
                assertTrue(pipe.next(1) && pipe.isPaused());
                pipe.onResume(time, resumed::incrementAndGet);
                assertThrows(NullPointerException.class, () -> pipe.onResume(null, () -> {}));
                time.run(100);
                assertEquals(1, resumed.get());
                assertFalse(pipe.isPaused());
                run.dispose();
            }
            OverflowCounter counter = new OverflowCounter();
            try (Pipe<Integer> pipe = new Pipe<>()) {
                Bound bound = Bound.of(4).overflow(Overflow.PAUSE).then(Overflow.DROP_OLDEST).countedBy(counter);
                List<Integer> seen = new ArrayList<>();
                List<Boolean> paused = new ArrayList<>();
                Disposable run = pipe.signal().deliverOnBounded(bound, time).start(seen::add);
                for (int n = 1; n <= 5; n++) {
                    pipe.next(n);
                    paused.add(pipe.isPaused());
                }
                assertEquals(List.of(false, false, true, true, true), paused); // from three quarters of the limit
                time.run(100);
                assertEquals(List.of(2, 3, 4, 5), seen);
                assertTrue(counter.dropped() == 1 && counter.exceeded() == 0);
                run.dispose();
            }
            Bound pausing = Bound.of(4).overflow(Overflow.PAUSE);
            assertThrows(UsageException.class, () -> pausing.then(Overflow.PAUSE));
            assertThrows(UsageException.class, () -> Bound.of(4).then(Overflow.DROP_OLDEST));
            assertEquals(pausing, pausing.then(Overflow.ERROR).overflow(Overflow.PAUSE));
            List<Subscriber<Integer>> made = new ArrayList<>();
            Disposable held = Signal.<Integer>create(made::add).start(n -> {});
            AtomicInteger goneOn = new AtomicInteger();
            try (Disposable hold = held.hold()) {
                assertTrue(made.get(0).isPaused());
                made.get(0).onResume(time, goneOn::incrementAndGet);
                assertThrows(NullPointerException.class, () -> made.get(0).onResume(null, () -> {}));
                time.run(100);
                assertEquals(0, goneOn.get());
            }
            time.run(100);
            assertTrue(goneOn.get() == 1 && !made.get(0).isPaused());
            held.dispose();
            AtomicInteger fired = new AtomicInteger();
            try (DispatchTimer timer = DispatchTimer.repeating(Duration.ofDays(1), time, fired::incrementAndGet)) {
                timer.start();
                time.advance(Duration.ofDays(3));
                assertEquals(3, fired.get());
                assertEquals(Duration.ofDays(3), time.now());
                assertEquals(Duration.ofDays(1), timer.remainingTime());
                timer.invalidate();
                assertEquals(ChronoUnit.FOREVER.getDuration(), timer.remainingTime());
            }
            AtomicInteger once = new AtomicInteger();
            try (DispatchTimer timer = DispatchTimer.once(Duration.ofDays(1), time, once::incrementAndGet)) {
                timer.start();
                time.advance(Duration.ofDays(3));
                assertEquals(1, once.get());
            }
            Runnable one = fired::incrementAndGet;
            queue.sync(one);
            queue.sync(() -> fired.addAndGet(2));
            assertEquals(6, fired.get());
            IllegalStateException same = new IllegalStateException();
            Runnable fails = () -> { throw same; };
            assertSame(same, assertThrows(IllegalStateException.class, () -> queue.sync(fails)));
            NullPointerException missing = assertThrows(NullPointerException.class, () -> Signal.of(1).delayStart(null, queue));
            assertEquals("delayStart.time: the time is null", missing.getMessage());
            assertEquals(List.of(List.of(1, 2)), Signal.zip(Signal.of(1), Signal.of(2, 3)).collect());
            assertEquals(List.of(1, 2, 3), Signal.concat(Signal.of(1), Signal.of(2, 3)).collect());
        }
    }

    @Test
    void anExecutorIsAQueue() {
        ExecutorService executor = Executors.newSingleThreadExecutor(work -> new Thread(work, "own"));
        try (DispatchQueue queue = DispatchQueue.on(executor)) {
            assertEquals(List.of("own", "own"), Signal.of(1, 2).deliverOn(queue)
                .map(n -> Thread.currentThread().getName()).collect());
            executor.shutdownNow();
            assertThrows(UsageException.class, () -> queue.sync(() -> 1));
        }
    }

    @Test
    void anExecutorThatRunsTasksTwice() {
        try (DispatchQueue queue = DispatchQueue.on(task -> new Thread(() -> {
            task.run();
            task.run();
        }).start())) {
            AtomicInteger calls = new AtomicInteger();
            queue.dispatch(calls::incrementAndGet);
            eventually("it was called", () -> calls.get() > 0);
            assertEquals(1, queue.<Integer>sync(calls::get));
        }
    }

    @Test
    void anExecutorThatRunsWhatItHasRefused() {
        Runnable[] kept = new Runnable[1];
        try (DispatchQueue queue = DispatchQueue.on(task -> {
            kept[0] = task;
            throw new RejectedExecutionException();
        })) {
            assertThrows(UsageException.class, () -> queue.dispatch(() -> fail("was called")));
            kept[0].run();
            assertEquals(1, queue.dropped());
        }
    }

    @Test
    void anObjectOfOneQueue() {
        ExecutorService executor = Executors.newSingleThreadExecutor(work -> new Thread(work, "own"));
        try (DispatchQueue queue = DispatchQueue.on(executor);
                QueueLocal<List<String>> local = new QueueLocal<>(queue, () -> names())) {
            local.with(list -> list.addAll(names()));
            assertEquals(List.of("own", "own", "own"), local.syncWith(list -> {
                list.addAll(names());
                return list;
            }));
            Signal<String> signal = local.signalWith((list, out) -> {
                list.forEach(out::next);
                out.complete();
            });
            assertEquals(List.of("own", "own", "own"), signal.collect());
            assertThrows(ArithmeticException.class, () -> local.syncWith(list -> broken()));
            assertThrows(ArithmeticException.class, () -> local.signalWith((list, out) -> {
                throw new ArithmeticException();
            }).collect());
            local.close();
            assertThrows(ClosedException.class, () -> local.with(list -> { }));
            executor.shutdown();
        }
        try (DispatchQueue queue = new DispatchQueue("own");
                QueueLocal<Integer> local = new QueueLocal<>(queue, SignalsTest::broken)) {
            assertThrows(ArithmeticException.class, () -> local.syncWith(n -> n));
            assertThrows(UsageException.class, () -> new QueueLocal<>(DispatchQueue.concurrent(), () -> 1));
        }
    }

    private static int broken() {
        throw new ArithmeticException();
    }

    private static List<String> names() {
        return new ArrayList<>(List.of(Thread.currentThread().getName()));
    }

    @Test
    void aLoopRunsOnItsThread() throws InterruptedException {
        try (Loop loop = new Loop()) {
            List<Thread> threads = new ArrayList<>();
            Signal.interval(Duration.ofMillis(1), loop).take(2).start(n -> threads.add(Thread.currentThread()), null, loop::stop);
            loop.run();
            assertEquals(List.of(Thread.currentThread(), Thread.currentThread()), threads);
            Thread.currentThread().interrupt();
            assertThrows(InterruptedException.class, loop::run);
        }
    }

    @Test
    void aFunctionMayReturnWhatItReceives() {
        try (Pipe<Object> pipe = new Pipe<>(); Signal<Object> values = pipe.signal(); Signal<Object> same = values.map(v -> v);
                Signal<Object> last = same.scan(null, (state, value) -> value); Signal<Object> fixed = Signal.of("fixed");
                Signal<List<Object>> pairs = Operators.combineLatest(List.of(last, fixed));
                Signal<List<List<Object>>> lists = Operators.combineLatest(List.of(pairs));
                Signal<Object> first = lists.map(list -> list.get(0)).map(pair -> pair.get(0))) {
            List<Object> events = record(first);
            Object thing = new Object();
            for (Object value : new Object[] {"text", thing, 7L}) pipe.next(value);
            assertEquals(List.of("text", thing, 7L), events);
        }
    }

    @Test
    void theLibraryIsOfThisVersion() {
        assertEquals(SignalKit.libraryVersion(), SignalKit.VERSION);
    }
}
