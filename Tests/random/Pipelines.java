import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import signalkit.Bound;
import signalkit.Disposable;
import signalkit.DispatchQueue;
import signalkit.Edges;
import signalkit.Signal;
import signalkit.SignalKit;
import signalkit.VirtualQueue;

/** The pipelines of pipelines.py, run by the Java package. */
public final class Pipelines {
    private interface Timed {
        Signal<Integer> of(Signal<Integer> signal, Duration time, DispatchQueue queue);
    }

    private static final Map<String, BiFunction<Signal<Integer>, Integer, Signal<Integer>>> PLAIN = Map.ofEntries(
        Map.entry("map", (s, n) -> s.map(v -> v * 10 + n)),
        Map.entry("filter", (s, n) -> s.filter(v -> v % n != 0)),
        Map.entry("take", Signal::take),
        Map.entry("skip", Signal::skip),
        Map.entry("take_last", Signal::takeLast),
        Map.entry("scan", (s, n) -> s.scan(0, Integer::sum)),
        Map.entry("distinct", (s, n) -> s.distinctUntilChanged()),
        Map.entry("take_while", (s, n) -> s.takeWhile(v -> v < n)),
        Map.entry("skip_while", (s, n) -> s.skipWhile(v -> v < n)),
        Map.entry("start_with", Signal::startWith),
        Map.entry("end_with", Signal::endWith),
        Map.entry("default", Signal::defaultIfEmpty),
        Map.entry("first", (s, n) -> s.take(1)),
        Map.entry("ignore", (s, n) -> s.ignoreValues()),
        Map.entry("repeat", Signal::repeat),
        Map.entry("catch_value", Signal::catchAndReturn));

    private static final Map<String, Timed> TIMED = Map.of(
        "delay_start", Signal::delayStart,
        "delay", (s, time, queue) -> s.delay(time, Bound.of(1000), queue),
        "debounce", Signal::debounce,
        "throttle", (s, time, queue) -> s.throttle(time, Edges.BOTH, queue),
        "take_for", Signal::takeFor,
        "sample", Signal::sample);

    private static final Map<String, BiFunction<Signal<Integer>, Signal<Integer>, Signal<Integer>>> JOINING =
        Map.ofEntries(
            Map.entry("merge", (a, b) -> Signal.merge(a, b)),
            Map.entry("then", Signal::concatWith),
            Map.entry("catch", (a, b) -> a.catchError(error -> b)),
            Map.entry("combine", (a, b) -> Signal.combineLatest(a, b, (v, w) -> v * 100 + w)),
            Map.entry("zip", (a, b) -> Signal.zip(a, b, (v, w) -> v * 100 + w)),
            Map.entry("with_latest", (a, b) -> a.withLatestFrom(b, (v, w) -> v * 100 + w)),
            Map.entry("race", (a, b) -> Signal.race(a, b)),
            Map.entry("take_until", Signal::takeUntil),
            Map.entry("skip_until", Signal::skipUntil),
            Map.entry("switch_if_empty", Signal::switchIfEmpty),
            Map.entry("switch", (a, b) -> a.switchMap(v -> b)),
            Map.entry("queue", (a, b) -> a.concatMap(v -> b)),
            Map.entry("merged", (a, b) -> a.mergeMap(v -> b)),
            Map.entry("exhaust", (a, b) -> a.exhaustMap(v -> b)));

    private static final Pattern EVENT = Pattern.compile("(\\d+)([=|!])(\\d*)");

    private final VirtualQueue queue = new VirtualQueue();
    private final List<String> seen = new ArrayList<>();
    private final Map<Integer, List<String>> starts = new TreeMap<>();
    private final Map<Integer, List<String>> disposals = new TreeMap<>();
    private Disposable running;

    private String now() {
        return String.valueOf(queue.now().toNanos() / 1000);
    }

    private static Duration micros(int count) {
        return Duration.of(count, ChronoUnit.MICROS);
    }

    private Signal<Integer> cold(int number, String events) {
        return Signal.create(subscriber -> {
            starts.computeIfAbsent(number, n -> new ArrayList<>()).add(now());
            List<Disposable> timers = new ArrayList<>();
            for (Matcher event = EVENT.matcher(events); event.find();) {
                String kind = event.group(2);
                int value = kind.equals("=") ? Integer.parseInt(event.group(3)) : 0;
                timers.add(queue.after(micros(Integer.parseInt(event.group(1))), () -> {
                    switch (kind) {
                        case "=" -> subscriber.next(value);
                        case "|" -> subscriber.complete();
                        default -> subscriber.error(new Exception("7"));
                    }
                }));
            }
            subscriber.onDispose(() -> {
                disposals.computeIfAbsent(number, n -> new ArrayList<>()).add(now());
                timers.forEach(Disposable::dispose);
            });
        });
    }

    private String run(String line) {
        String[] words = line.split(" ");
        Deque<Signal<Integer>> stack = new ArrayDeque<>();
        for (String word : List.of(words).subList(1, words.length)) {
            String[] parts = word.split(":", -1);
            String name = parts[0];
            if (name.equals("cold")) {
                stack.push(cold(Integer.parseInt(parts[1]), parts[2]));
                continue;
            }
            Signal<Integer> top = stack.pop();
            int argument = parts.length > 1 ? Integer.parseInt(parts[1]) : 0;
            if (JOINING.containsKey(name)) {
                stack.push(JOINING.get(name).apply(stack.pop(), top));
            } else if (TIMED.containsKey(name)) {
                stack.push(TIMED.get(name).of(top, micros(argument), queue));
            } else {
                stack.push(PLAIN.get(name).apply(top, argument));
            }
        }
        Signal<Integer> signal = stack.pop();
        queue.dispatch(() -> running = signal.start(value -> seen.add(now() + "=" + value),
            error -> seen.add(now() + "!" + error.getMessage()), () -> seen.add(now() + "|")));
        queue.after(micros(Integer.parseInt(words[0])), () -> running.dispose());
        queue.advanceTo(Duration.ofMinutes(1));
        starts.forEach((number, times) -> {
            seen.add(number + "+" + String.join(",", times));
            seen.add(number + "-" + String.join(",", disposals.getOrDefault(number, List.of())));
        });
        return String.join(" ", seen);
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(new Pipelines().run(line));
        }
        long end = System.nanoTime() + 300_000_000_000L;
        while (SignalKit.liveTotal() != 0 && System.nanoTime() < end) {
            System.gc();
            Thread.sleep(10);
        }
        System.out.println("alive " + SignalKit.liveTotal());
    }
}
