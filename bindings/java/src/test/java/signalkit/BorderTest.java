package signalkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

/** Tests of exceptions and of rejected arguments. */
class BorderTest extends SignalKitTest {
    private static final class Boom extends Error {
        private static final long serialVersionUID = 1;

        <T> T raised() {
            throw this;
        }
    }

    private static final Map<String, BiFunction<Signal<Integer>, Boom, Signal<?>>> THROWING = Map.ofEntries(
        Map.entry("map", (s, boom) -> s.map(n -> boom.raised())),
        Map.entry("filter", (s, boom) -> s.filter(n -> boom.raised())),
        Map.entry("compactMap", (s, boom) -> s.compactMap(n -> boom.raised())),
        Map.entry("beforeNext", (s, boom) -> s.beforeNext(n -> boom.raised())),
        Map.entry("scan", (s, boom) -> s.scan(0, (a, n) -> boom.raised())),
        Map.entry("takeWhile", (s, boom) -> s.takeWhile(n -> boom.raised())),
        Map.entry("switchMap", (s, boom) -> s.switchMap(n -> boom.raised())),
        Map.entry("distinct", (s, boom) -> s.distinct(Bound.NONE, n -> boom.raised())),
        Map.entry("distinctUntilChanged", (s, boom) -> s.distinctUntilChanged((a, b) -> boom.raised())),
        Map.entry("beforeCompleted", (s, boom) -> s.beforeCompleted(boom::raised)),
        Map.entry("beforeStarted", (s, boom) -> s.beforeStarted(boom::raised)),
        Map.entry("deferred", (s, boom) -> Signal.deferred(boom::raised)),
        Map.entry("create", (s, boom) -> Signal.create(out -> boom.raised())),
        Map.entry("from", (s, boom) -> Signal.from(() -> boom.raised())),
        Map.entry("zip", (s, boom) -> Signal.zip(s, s, (a, b) -> boom.raised())),
        Map.entry("catchError", (s, boom) -> s.concatWith(Signal.fail(new IOException())).catchError(e -> boom.raised())),
        Map.entry("mapError", (s, boom) -> s.concatWith(Signal.fail(new IOException())).mapError(e -> boom.raised())),
        Map.entry("retry", (s, boom) -> s.concatWith(Signal.fail(new IOException())).retry(
            Retry.FOREVER, (e, n) -> boom.raised(), DispatchQueue.concurrent())),
        Map.entry("switchMapPer: key", (s, boom) -> s.switchMapPer(n -> boom.raised(), Bound.NONE, Signal::of)),
        Map.entry("groupBy", (s, boom) -> s.groupBy(n -> n, Bound.NONE, (k, v) -> boom.raised())),
        Map.entry("accumulatingLoop", (s, boom) -> Signal.accumulatingLoop(a -> s, (a, n) -> boom.raised())));

    private static void refused(String text, Executable call) {
        assertEquals(text, assertThrows(UsageException.class, call, text).getMessage());
    }

    /** In C, negative numbers mean that there is no limit, and 0 in a policy is a default. */
    @Test
    void numbersWithAMeaningInCOnlyAreRefused() {
        DispatchQueue queue = DispatchQueue.concurrent();
        Duration second = Duration.ofSeconds(1);
        Bound none = Bound.of(0);
        try (Signal<Integer> of = Signal.of(1);
                Signal<Signal<Integer>> signals = Signal.of(of);
                SignalReader<Integer> reader = of.read()) {
            for (long number : new long[] {-1, -2, -9}) {
                Duration time = Duration.ofNanos(number);
                refused("Bound: limit must be 0 or more", () -> Bound.of(number));
                refused("Bound: limit must be 0 or more", () -> new Bound(number, Overflow.ERROR, null, null, null));
                for (long limit : new long[] {number, 0}) {
                    refused("mergeMap: limit must be 1 or more", () -> of.mergeMap(limit, Bound.NONE, Signal::of));
                    refused("mapOrdered: limit must be 1 or more", () -> of.mapOrdered(limit, Bound.NONE, Signal::of));
                    refused("mergeAll: limit must be 1 or more", () -> Signal.mergeAll(signals, limit, Bound.NONE));
                    refused("mergeAllOrdered: limit must be 1 or more",
                        () -> Signal.mergeAllOrdered(signals, limit, Bound.NONE));
                    refused("chunkedBy: limit must be 1 or more", () -> of.chunkedBy(of, limit));
                }
                refused("repeat: count must be 0 or more", () -> of.repeat(number));
                refused("retry: attempts must be 0 or more", () -> of.retry(Retry.attempts(number), queue));
                refused("retry: delay must be 0 or more", () -> of.retry(Retry.FOREVER.delay(time), queue));
                refused("retry: factor must be 1 or more", () -> of.retry(Retry.FOREVER.grows(number, second), queue));
                refused("retry: increment must be 0 or more", () -> of.retry(Retry.FOREVER.grows(1, time), queue));
                refused("retry: maxDelay must be more than 0", () -> of.retry(Retry.FOREVER.maxDelay(time), queue));
                refused("retry: jitter must be from 0 to 1", () -> of.retry(Retry.FOREVER.jitter(number, 1), queue));
                refused("retry: resetAfter must be 0 or more", () -> of.retry(Retry.FOREVER.resetAfter(time), queue));
                refused("get: timeout must be 0 or more", () -> of.get(time));
                refused("collect: timeout must be 0 or more", () -> of.collect(time));
                refused("next: timeout must be 0 or more", () -> reader.next(time));
            }
            refused("retry: factor must be 1 or more", () -> of.retry(Retry.FOREVER.grows(0, second), queue));
            refused("retry: maxDelay must be more than 0",
                () -> of.retry(Retry.FOREVER.maxDelay(Duration.ZERO), (e, n) -> null, queue));
            refused("zip: limit must be 1 or more", () -> Signal.zip(List.of(of), none));
            refused("toArray: limit must be 1 or more", () -> of.toArray(none));
            refused("distinct: limit must be 1 or more", () -> of.distinct(none));
            refused("delay: limit must be 1 or more", () -> of.delay(second, none, queue));
            refused("groupBy: limit must be 1 or more", () -> of.groupBy(n -> n, none, (k, v) -> v));
            refused("switchMapPer: limit must be 1 or more", () -> of.switchMapPer(n -> n, none, Signal::of));
            refused("read: limit must be 1 or more", () -> of.read(none));
            try (Signal<Integer> one = of.mergeMap(Long.MAX_VALUE, none, Signal::of);
                    Signal<Integer> again = of.repeat()) {
                assertEquals(List.of(1), one.collect());
                assertEquals(1, again.get());
            }
        }
    }

    /** An object of which a value is lost is alive for good. */
    @Test
    void whatACallThatIsRefusedWasGivenIsLetGo() {
        OverflowCounter counter = new OverflowCounter();
        counter.close();
        Signal<Object> closed = Signal.of(1);
        closed.close();
        Bound bound = Bound.of(1).failingWith(new IOException()).countedBy(counter);
        long before = SignalKit.liveTotal();
        assertThrows(ClosedException.class, () -> Signal.zip(List.of(closed), Bound.of(1)));
        for (Runnable call : List.<Runnable>of(() -> closed.startWith(new Object()), () -> closed.read(bound),
                () -> Values.give(new Values.Items(new Object(), closed)))) {
            assertThrows(ClosedException.class, call::run);
        }
        Signal<Integer> source = Signal.of(1);
        assertThrows(ClosedException.class, () -> source.toArray(bound));
        assertThrows(ClosedException.class, () -> Signal.zip(List.of(source), bound));
        assertThrows(ClosedException.class, () -> source.distinct(bound, n -> n));
        source.close();
        assertThrows(NullPointerException.class, () -> Bound.of(1).overflow(null));
        eventually("nothing more is alive", () -> SignalKit.liveTotal() == before);
    }

    @TestFactory
    List<DynamicTest> whatAFunctionThrowsIsTheErrorTheSameObject() {
        return THROWING.entrySet().stream().map(entry -> DynamicTest.dynamicTest(entry.getKey(), () -> {
            Boom boom = new Boom();
            List<Object> events = record(entry.getValue().apply(Signal.of(1, 2), boom));
            assertSame(boom, events.get(events.size() - 1));
        })).toList();
    }

    @Test
    void aSubscriberThatThrowsEndsItsRunAlone() {
        try (Pipe<Integer> pipe = new Pipe<>()) {
            List<Object> failed = new ArrayList<>();
            Boom boom = new Boom();
            pipe.signal().start(n -> boom.raised(), failed::add, null);
            List<Object> others = record(pipe.signal());
            pipe.next(1);
            pipe.next(2);
            assertEquals(List.of(boom), failed);
            assertEquals(List.of(1, 2), others);
        }
    }

    @Test
    void whatNoSignalCanCarryIsTold() {
        List<Throwable> heard = Collections.synchronizedList(new ArrayList<>());
        SignalKit.onUnheard((where, thrown) -> heard.add(thrown));
        Boom boom = new Boom();
        Signal.fail(new IOException()).start(n -> {}, e -> boom.raised(), null);
        Signal.of(1).afterCompleted(boom::raised).afterDisposed(boom::raised).start(n -> {});
        try (DispatchQueue queue = new DispatchQueue("work")) {
            queue.dispatch(boom::raised);
            queue.sync(() -> 1);
        }
        SignalKit.onUnheard(null);
        assertEquals(List.of(boom, boom, boom, boom), heard);
    }

    @Test
    void anErrorThatNobodyIsToldOfGoesToTheLog() {
        List<Throwable> heard = new ArrayList<>();
        IOException unplugged = new IOException("unplugged");
        SignalKit.onUnhandledError((error, name) -> heard.add(error));
        Signal.fail(unplugged).start(n -> {});
        SignalKit.onUnhandledError(null);
        assertEquals(List.of(unplugged), heard);
        List<String> log = new ArrayList<>();
        SignalKit.onLog(log::add);
        Signal.fail(unplugged).start(n -> {});
        SignalKit.onLog(null);
        assertTrue(log.toString().contains("unplugged"), log.toString());
    }

    @Test
    void whatIsCalledBeforeTheCallReturnsThrowsThere() {
        State<Integer> state = new State<>(1);
        assertThrows(Boom.class, () -> state.modify(n -> new Boom().raised()));
        assertEquals(1, state.value());
        try (DispatchQueue queue = new DispatchQueue("work")) {
            assertThrows(Boom.class, () -> queue.sync(() -> new Boom().raised()));
        }
        assertThrows(Boom.class, () -> new MulticastSignalManager().multicastedSignal("key", () -> new Boom().raised()));
    }

    private static void namesNothingOfC(String text, Executable call) {
        String message = assertThrows(UsageException.class, call).getMessage();
        assertTrue(message.startsWith(text) && !message.toLowerCase(Locale.ROOT).contains("sgk"), message);
    }

    @Test
    void aBadArgumentIsRefusedAtOnce() {
        assertEquals("take: count: must be 0 or more",
            assertThrows(UsageException.class, () -> Signal.of(1).take(-1)).getMessage());
        assertEquals("takeLast: count: must be 0 or more",
            assertThrows(UsageException.class, () -> Signal.of(1).takeLast(-1)).getMessage());
        Bound suspending = Bound.of(1).overflow(Overflow.SUSPEND), pausing = Bound.of(1).overflow(Overflow.PAUSE);
        namesNothingOfC("toArray: bound.overflow: must not suspend", () -> Signal.of(1).toArray(suspending));
        namesNothingOfC("zip: bound.overflow: must not suspend", () -> Signal.zip(List.of(Signal.of(1)), suspending));
        namesNothingOfC("toArray: bound.overflow: must not pause", () -> Signal.of(1).toArray(pausing));
        try (Disposable disposable = Disposable.action(() -> {})) {
            namesNothingOfC("hold: subscription: must be a subscription", disposable::hold);
        }
        namesNothingOfC("concurrent: threads: must be from 1 to 1024", () -> DispatchQueue.concurrent("test", 0));
        assertEquals("deliverOn.queue is null",
            assertThrows(NullPointerException.class, () -> Signal.of(1).deliverOn(null)).getMessage());
        assertEquals("scan: the function is null",
            assertThrows(NullPointerException.class, () -> Signal.of(1).scan(0, null)).getMessage());
    }

    /** Twice crashed the virtual machine, and so did a use afterwards. */
    @Test
    void closingTwiceIsFineAndAUseAfterwardsAnException() {
        Pipe<Integer> pipe = new Pipe<>();
        Signal<Integer> signal = pipe.signal();
        Subscription run = signal.start(n -> {});
        DispatchQueue queue = new DispatchQueue("work");
        State<Integer> state = new State<>(1);
        Loop loop = new Loop();
        SignalReader<Integer> reader = signal.read();
        List<Handle> all = List.of(run, reader, signal, queue, state, loop, pipe);
        for (int i = 0; i < 2; i++) all.forEach(Handle::close);
        assertThrows(ClosedException.class, () -> pipe.next(1));
        assertThrows(ClosedException.class, pipe::complete);
        assertThrows(ClosedException.class, () -> signal.take(1));
        assertThrows(ClosedException.class, () -> signal.scan(0, Integer::sum));
        assertThrows(ClosedException.class, () -> signal.start(n -> {}));
        assertThrows(ClosedException.class, () -> Signal.race(List.of(signal)));
        assertThrows(ClosedException.class, () -> Signal.of(1).deliverOn(queue));
        assertThrows(ClosedException.class, () -> queue.async(() -> {}));
        assertThrows(ClosedException.class, state::value);
        run.dispose();
        assertThrows(java.util.NoSuchElementException.class, reader::next);
    }

    @Test
    void closingMeanwhileCrashesNothing() throws InterruptedException {
        for (int round = 0; round < 200; round++) {
            Pipe<Integer> pipe = new Pipe<>();
            Signal<Integer> signal = pipe.signal();
            Thread other = new Thread(() -> {
                try {
                    for (int i = 0; i < 1000; i++) signal.map(n -> n).start(n -> {}).close();
                } catch (ClosedException closed) {
                    return;
                }
            });
            other.start();
            pipe.next(1);
            signal.close();
            pipe.close();
            other.join();
        }
    }

    // ---- Neighbouring functions ----

    /** A Long that has passed through the library is another object. */
    @Test
    void neighbouringFunctionsAreCalledTogether() {
        List<Long> seen = new ArrayList<>();
        Signal<Long> map = Signal.range(1L << 40, 1).map(n -> seen.add(n) ? n + 1 : n);
        Signal<Long> all = map.filter(seen::add).beforeNext(seen::add).compactMap(n -> seen.add(n) ? n : null);
        all.start(seen::add);
        assertEquals(5, seen.size());
        for (Long received : seen.subList(2, 5)) assertSame(seen.get(1), received);
        seen.clear();
        all.skip(0).map(n -> n).start(seen::add);
        assertEquals(5, seen.size());
        for (Long received : seen.subList(2, 4)) assertSame(seen.get(1), received);
        assertNotSame(seen.get(1), seen.get(4));
        assertEquals("compact_map\n  before_next\n    filter\n      map\n        range 1099511627776, 1", all.toString());
    }

    @Test
    void functionsCanBePartsOfSeveralStages() {
        try (Pipe<Integer> pipe = new Pipe<>()) {
            List<Integer> calls = new ArrayList<>();
            Signal<Integer> tens = pipe.signal().map(n -> calls.add(n) ? n * 10 : n);
            Signal<Integer> large = tens.filter(n -> n > 10);
            List<Signal<?>> signals = List.of(large, large.map(n -> "<" + n + ">"),
                large.map(n -> n == 30 ? null : n).compactMap(n -> n).skip(0));
            List<List<Object>> seen = signals.stream().map(this::record).toList();
            tens.close();
            large.close();
            for (int n = 1; n <= 3; n++) pipe.next(n);
            pipe.complete();
            assertEquals(List.of(List.of(20, 30, END), List.of("<20>", "<30>", END), List.of(20, END)), seen);
            assertEquals(List.of(1, 1, 1, 2, 2, 2, 3, 3, 3), calls);
            assertThrows(ClosedException.class, () -> tens.map(n -> n));
            assertThrows(ClosedException.class, () -> large.start(n -> {}));
        }
        Signal<Integer> many = Signal.of(0);
        for (int i = 0; i < 450; i++) many = many.map(n -> n + 1);
        assertEquals(List.of(450), record(many).subList(0, 1));
        assertEquals(List.of(450), many.skip(0).collect());
    }

    /** Functions that are called together get and return the same as separate ones. */
    @Test
    void valuesDoNotDependOnNeighbours() {
        Signal<Integer> closed = Signal.of(1);
        closed.close();
        Object data = new Values.Data(new byte[] {1, 2});
        List<Object> results = new ArrayList<>(Arrays.asList(null, false, "text", -0.0, 7L, data,
            new Values.Items(data, null, new Values.Items(3)), closed, Signal.of(7)));
        for (Object result : results) {
            Signal<Object> map = Signal.of(1).map(n -> result);
            List<List<Object>> seen = new ArrayList<>();
            for (Signal<Object> signal : List.of(map, map.skip(0)))
                seen.add(record(signal.filter(value -> true).map(BorderTest::shown)));
            assertEquals(shown(seen.get(1)), shown(seen.get(0)));
        }
    }

    private static Object shown(Object value) {
        if (value instanceof byte[] bytes) return Arrays.toString(bytes);
        if (value instanceof List<?> list) return list.stream().map(BorderTest::shown).toList().toString();
        return value instanceof Signal<?> signal ? signal.collect() : String.valueOf(value);
    }

    /** Each function may throw. The functions after it are not called. */
    @Test
    void anExceptionAmongNeighboursFailsTheSubscription() {
        Boom boom = new Boom();
        List<Signal<Integer>> signals = List.of(Signal.of(1).<Integer>map(n -> boom.raised()).filter(n -> true),
            Signal.of(1).map(n -> n).filter(n -> boom.raised()), Signal.of(1).map(n -> n).beforeNext(n -> boom.raised()));
        for (Signal<Integer> signal : signals) {
            assertEquals(List.of(boom), record(signal));
            assertEquals(List.of(boom), record(signal.skip(0)));
        }
        List<Object> seen = new ArrayList<>();
        Signal.of(1, 2).map(n -> n).start(n -> boom.raised(), seen::add, () -> seen.add(END));
        assertEquals(List.of(boom), seen);
    }

    /** A star import together with java.util must compile. */
    @Test
    void noNameClashesWithJavas() throws Exception {
        try (var files = java.nio.file.Files.list(java.nio.file.Path.of(System.getProperty("signalkit.sources")))) {
            for (java.nio.file.Path file : (Iterable<java.nio.file.Path>) files::iterator) {
                String name = file.getFileName().toString().replace(".java", "");
                for (String place : List.of("java.util.", "java.lang.", "java.io.", "java.util.concurrent.",
                        "java.util.function."))
                    assertThrows(ClassNotFoundException.class, () -> Class.forName(place + name), place + name);
            }
        }
    }
}
