package signalkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every operator of the description is there, and each is run once. */
class OperatorsTest extends SignalKitTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private record Case(Function<Signal<Integer>, Signal<?>> make, List<Object> events) {}

    private final Map<String, Case> all = new TreeMap<>();
    private final VirtualQueue queue = new VirtualQueue();
    private final DispatchQueue later = DispatchQueue.concurrent();
    private final RuntimeException boom = new RuntimeException("boom");

    private void on(String name, Function<Signal<Integer>, Signal<?>> make, Object... events) {
        all.put(name, new Case(make, List.of(events)));
    }

    private static Signal<Integer> twice(int n) {
        return Signal.of(n, n);
    }

    @SuppressWarnings("unchecked")
    private void cases() {
        Signal<Integer> failing = Signal.fail(boom);
        on("with_latest_from", s -> s.withLatestFrom(Signal.of(9), Integer::sum), 10, 11, 12, END);
        on("before_next", s -> s.beforeNext(n -> {}), 1, 2, 3, END);
        on("after_next", s -> s.afterNext(n -> {}), 1, 2, 3, END);
        on("before_started", s -> s.beforeStarted(() -> {}), 1, 2, 3, END);
        on("before_error", s -> failing.beforeError(e -> {}), boom);
        on("before_completed", s -> s.beforeCompleted(() -> {}), 1, 2, 3, END);
        on("after_completed", s -> s.afterCompleted(() -> {}), 1, 2, 3, END);
        on("after_disposed", s -> s.afterDisposed(() -> {}), 1, 2, 3, END);
        on("named", s -> s.named("grün"), 1, 2, 3, END);
        on("trace", s -> s.trace("numbers"), 1, 2, 3, END);
        on("switch_to_latest", s -> Signal.switchToLatest(s.map(OperatorsTest::twice)), 1, 1, 2, 2, 3, 3, END);
        on("concat_all", s -> Signal.concatAll(s.map(OperatorsTest::twice)), 1, 1, 2, 2, 3, 3, END);
        on("concat_latest", s -> Signal.concatLatest(s.map(OperatorsTest::twice)), 1, 1, 2, 2, 3, 3, END);
        on("merge_all", s -> Signal.mergeAll(s.map(OperatorsTest::twice)), 1, 1, 2, 2, 3, 3, END);
        on("take_until_replacement", s -> s.takeUntilReplacement(Signal.never()), 1, 2, 3, END);
        on("switch_map", s -> s.switchMap(OperatorsTest::twice), 1, 1, 2, 2, 3, 3, END);
        on("concat_map", s -> s.concatMap(OperatorsTest::twice), 1, 1, 2, 2, 3, 3, END);
        on("concat_map_latest", s -> s.concatMapLatest(OperatorsTest::twice), 1, 1, 2, 2, 3, 3, END);
        on("merge_map", s -> s.mergeMap(OperatorsTest::twice), 1, 1, 2, 2, 3, 3, END);
        on("merge_all_ordered", s -> Signal.mergeAllOrdered(s.map(OperatorsTest::twice)), 1, 1, 2, 2, 3, 3, END);
        on("map_ordered", s -> s.mapOrdered(OperatorsTest::twice), 1, 1, 2, 2, 3, 3, END);
        on("exhaust_map", s -> s.exhaustMap(OperatorsTest::twice), 1, 1, 2, 2, 3, 3, END);
        on("switch_map_per", s -> s.switchMapPer(n -> n % 2, Bound.NONE, OperatorsTest::twice),
            1, 1, 2, 2, 3, 3, END);
        on("group_by", s -> s.groupBy(n -> n % 2, Bound.NONE, (key, values) -> values.map(n -> key + ":" + n)),
            "1:1", "0:2", "1:3", END);
        on("reduce_generator", s -> s.reduceGenerator(0, (sum, n) ->
            Signal.of(new Accumulated<>(sum + n, n))), 1, 2, 3, 6, END);
        on("map", s -> s.map(n -> n * 2), 2, 4, 6, END);
        on("filter", s -> s.filter(n -> n != 2), 1, 3, END);
        on("compact_map", s -> s.compactMap(n -> n == 2 ? null : "" + n), "1", "3", END);
        on("map_error", s -> Signal.<Integer>fail(new IOException()).mapError(e -> boom), boom);
        on("distinct_until_changed", s -> s.distinctUntilChanged((a, b) -> b == 2), 1, 3, END);
        on("reduce", s -> s.reduce(0, Integer::sum), 6, END);
        on("scan", s -> s.scan("", (text, n) -> text + n), "1", "12", "123", END);
        on("pairwise", s -> s.pairwise(), List.of(1, 2), List.of(2, 3), END);
        on("enumerated", s -> s.enumerated().map(item -> item.index() + "=" + item.value()), "0=1", "1=2", "2=3", END);
        on("to_array", s -> s.toArray(), List.of(1, 2, 3), END);
        on("distinct", s -> s.concatWith(s).distinct(Bound.NONE, n -> n % 2), 1, 2, END);
        on("to_events", s -> s.take(1).toEvents().map(Event::kind), Event.Kind.NEXT, Event.Kind.COMPLETED, END);
        on("from_events", s -> Signal.fromEvents(s.concatWith(failing).toEvents()), 1, 2, 3, boom);
        on("concat_with", s -> s.concatWith(Signal.of(4)), 1, 2, 3, 4, END);
        on("catch", s -> failing.catchError(e -> s), 1, 2, 3, END);
        on("start_with", s -> s.startWith(0), 0, 1, 2, 3, END);
        on("end_with", s -> s.endWith(4), 1, 2, 3, 4, END);
        on("default_if_empty", s -> Signal.<Integer>empty().defaultIfEmpty(1), 1, END);
        on("switch_if_empty", s -> Signal.<Integer>empty().switchIfEmpty(s), 1, 2, 3, END);
        on("catch_and_return", s -> failing.catchAndReturn(5), 5, END);
        on("catch_with", s -> failing.catchWith(s), 1, 2, 3, END);
        on("repeat", s -> s.repeat(2).repeat().take(7), 1, 2, 3, 1, 2, 3, 1, END);
        on("retry", s -> failing.retry(Retry.attempts(2), queue), boom);
        on("take_while", s -> s.takeWhile(n -> n < 3), 1, 2, END);
        on("skip_while", s -> s.skipWhile(n -> n < 2), 2, 3, END);
        on("skip_until", s -> s.skipUntil(Signal.of(1)), 1, 2, 3, END);
        on("paused_by", s -> s.pausedBy(Signal.of(true, false)), 1, 2, 3, END);
        on("take_until", s -> s.takeUntil(Signal.never()), 1, 2, 3, END);
        on("throttle", s -> s.throttle(SECOND, Edges.TRAILING, queue), 3, END);
        on("debounce", s -> s.debounce(SECOND, queue), 3, END);
        on("deliver_on", s -> s.deliverOn(queue), 1, 2, 3, END);
        on("deliver_on_bounded", s -> s.deliverOnBounded(Bound.of(1).overflow(Overflow.PAUSE), later), 1, 2, 3, END);
        on("run_on", s -> s.runOn(queue), 1, 2, 3, END);
        on("delay_start", s -> s.delayStart(SECOND, queue), 1, 2, 3, END);
        on("suspend_aware_delay", s -> s.suspendAwareDelay(SECOND, Duration.ZERO, queue), 1, 2, 3, END);
        on("timeout_first", s -> s.timeoutFirst(SECOND, queue), 1, 2, 3, END);
        on("chunked_within", s -> s.chunkedWithin(2, SECOND, queue), List.of(1, 2), List.of(3), END);
        on("chunked_by", s -> s.chunkedBy(Signal.never(), 3), List.of(1, 2, 3), END);
        on("rate_limit", s -> s.rateLimit(2, SECOND, Bound.NONE, queue), 1, 2, 3, END);
        on("delay", s -> s.delay(SECOND, Bound.of(9), queue), 1, 2, 3, END);
        on("timeout", s -> s.timeout(SECOND, queue), 1, 2, 3, END);
        on("timestamped", s -> s.timestamped(queue).map(Timed::value), 1, 2, 3, END);
        on("time_interval", s -> s.timeInterval(queue).map(Timed::time).take(1), Duration.ZERO, END);
        on("take_for", s -> s.takeFor(SECOND, queue), 1, 2, 3, END);
        on("sample_on", s -> s.sampleOn(Signal.never()), 3, END);
        on("sample", s -> s.sample(SECOND, queue), 3, END);
        on("share", s -> s.share(1, Duration.ZERO), 1, 2, 3, END);
        on("combine_latest", s -> Signal.combineLatest(s, Signal.of("x"), (n, x) -> x + n), "x3", END);
        on("merge", s -> Signal.merge(List.of(s, s)), 1, 2, 3, 1, 2, 3, END);
        on("zip", s -> Signal.zip(s, Signal.of("a", "b"), (n, x) -> x + n), "a1", "b2", END);
        on("race", s -> Signal.race(List.of(Signal.<Integer>never(), s)), 1, 2, 3, END);
        on("concat", s -> Signal.concat(List.of(s, s)), 1, 2, 3, 1, 2, 3, END);
        on("deferred", s -> Signal.deferred(() -> s), 1, 2, 3, END);
        on("accumulating_loop", s -> Signal.<Integer, Integer>accumulatingLoop(sum -> sum == null ? s : null,
            (sum, n) -> (sum == null ? 0 : sum) + n), 1, 3, 6, END);
        on("create", s -> Signal.<Integer>create(out -> {
            out.next(1);
            out.complete();
        }), 1, END);
        on("just", s -> Signal.just("one"), "one", END);
        on("empty", s -> Signal.empty(), END);
        on("fail", s -> failing, boom);
        on("never", s -> Signal.never());
        on("from_array", s -> Signal.of(1, 2), 1, 2, END);
        on("from_iterator", s -> Signal.iterate(List.of(1, 2).iterator()), 1, 2, END);
        on("range", s -> Signal.range(1, 3), 1L, 2L, 3L, END);
        on("interval", s -> Signal.interval(SECOND, queue).take(2), 0L, 1L, END);
        on("timer", s -> Signal.timer(SECOND, queue), 0L, END);
        on("fd", s -> Signal.fd(9999, Set.of(Readiness.READ), queue).map(r -> "none").catchAndReturn("bad"), "bad", END);
        on("fd_lines", s -> Signal.fdLines(9999, 9, queue).catchAndReturn("bad"), "bad", END);
        on("fd_bytes", s -> Signal.fdBytes(9999, 9, queue).map(b -> "none").catchAndReturn("bad"), "bad", END);
        on("sink_fd", s -> Signal.of("x").sinkFd(9999, AtEnd.KEEP_OPEN, Bound.of(9), queue).catchAndReturn("bad"), "bad", END);
        on("unix_signal", s -> Signal.unixSignal(9999, queue).catchAndReturn(7L), 7L, END);
        on("child", s -> Signal.child(1, queue).catchAndReturn(7L), 7L, END);
        on("wall_clock_timer", s -> Signal.wallClockTimer(Instant.EPOCH, DispatchQueue.background()), 0L, END);
        on("file_lines", s -> Signal.fileLines("/nowhere/log", Begin.AT_START, 9, queue).catchAndReturn("bad"), "bad", END);
        on("file_changes", s -> Signal.fileChanges("/nowhere", Set.of(FileEvent.CREATED), queue).map(c -> "none")
            .catchAndReturn("bad"), "bad", END);
        on("using", s -> Signal.using(() -> "resource", r -> Signal.of(r), r -> {}), "resource", END);
    }

    @Test
    void decisionsOfRetry() throws Exception {
        List<Long> failures = new ArrayList<>();
        Exception other = new IOException("other");
        Signal<Integer> failing = Signal.fail(boom);
        List<Object> events = record(failing.retry(Retry.FOREVER.delay(Duration.ZERO), (error, number) -> {
            assertEquals(boom, error);
            failures.add(number);
            return number == 1 ? null : number == 2 ? Signal.timer(SECOND, queue) : Signal.fail(other);
        }, queue));
        assertEquals(List.of(1L, 2L), failures);
        queue.advance(SECOND);
        assertEquals(List.of(1L, 2L, 3L), failures);
        assertEquals(List.of(other), List.copyOf(events));
    }

    @AfterEach
    void close() {
        all.clear();
        queue.close();
    }

    @Override
    void letGo() {
        close();
    }

    /** The path of the description of the C interface, which is installed with the library. */
    private static String description() throws IOException {
        Process asked = new ProcessBuilder("pkg-config", "--variable=api", "signalkit").start();
        String path = new String(asked.getInputStream().readAllBytes()).strip();
        assertFalse(path.isEmpty(), "pkg-config does not find signalkit: set PKG_CONFIG_PATH");
        return path;
    }

    /** Adds the cases of the description: those of operators with integer arguments. */
    private void casesOf(String api) {
        Matcher found = Pattern.compile("\"short\": \"(\\w+)\"|\"case\": \\[\\[([\\d, ]*)\\], \\[(.*)\\]\\]").matcher(api);
        String name = null;
        while (found.find()) {
            if (found.group(1) != null) {
                name = found.group(1);
            } else {
                Object[] arguments = numbers(found.group(2)).stream().map(Integer::longValue).toArray();
                List<Object> events = new ArrayList<>();
                Matcher event = Pattern.compile("\\[([\\d, ]*)\\]|(\\d+)").matcher(found.group(3));
                while (event.find()) {
                    events.add(event.group(1) != null ? numbers(event.group(1)) : Integer.valueOf(event.group(2)));
                }
                events.add(END);
                String called = name;
                on(name, s -> called(s, called, arguments), events.toArray());
            }
        }
    }

    private static List<Integer> numbers(String text) {
        return text.isEmpty() ? List.of() : Arrays.stream(text.split(", ")).map(Integer::valueOf).toList();
    }

    private static Signal<?> called(Signal<?> signal, String name, Object[] arguments) {
        String method = Pattern.compile("_(\\w)").matcher(name).replaceAll(part -> part.group(1).toUpperCase());
        Class<?>[] types = new Class<?>[arguments.length];
        Arrays.fill(types, long.class);
        try {
            return (Signal<?>) Signal.class.getMethod(method, types).invoke(signal, arguments);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(name, e);
        }
    }

    @Test
    void allOfTheDescriptionAreHere() throws IOException {
        String api = Files.readString(Path.of(description()));
        cases();
        casesOf(api);
        Matcher functions = Pattern.compile("\"name\": *\"sgk_\\w+\",\\s*\"short\": *\"(\\w+)\",\\s*"
            + "\"kind\": *\"(operator|source|combination)\",(?!\\s*\"extends\")").matcher(api);
        TreeSet<String> names = new TreeSet<>();
        while (functions.find()) {
            String rest = api.substring(functions.end(), api.indexOf("\"comment\"", functions.end()));
            if (!rest.contains("\"extends\"")) names.add(functions.group(1));
        }
        assertTrue(names.size() > 100, "what the description has: " + names.size());
        names.add("compact_map"); // a method of Java's own
        assertEquals(names, new TreeSet<>(all.keySet()));
    }

    @TestFactory
    List<DynamicTest> each() throws IOException {
        cases();
        casesOf(Files.readString(Path.of(description())));
        return all.entrySet().stream().map(entry -> DynamicTest.dynamicTest(entry.getKey(), () -> {
            List<Object> expected = entry.getValue().events();
            List<Object> events = record(entry.getValue().make().apply(Signal.of(1, 2, 3)));
            for (int i = 0; i < 20; i++) queue.advance(SECOND);
            eventually(entry.getKey(), () -> events.size() >= expected.size());
            assertEquals(expected, List.copyOf(events));
        })).toList();
    }
}
