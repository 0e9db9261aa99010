import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import signalkit.Loop;
import signalkit.Signal;

/** Prints how busy the processors are, twice a second, where that changes: `LoadWatch SECONDS`. Linux. */
public final class LoadWatch {
    /** The time of the processors: in total, and idle. */
    private record Spent(long all, long idle) {
        static Spent now() {
            try {
                List<Long> times = Arrays.stream(Files.readAllLines(Path.of("/proc/stat")).get(0).split("\\s+"))
                    .skip(1).map(Long::valueOf).toList();
                return new Spent(times.stream().mapToLong(n -> n).sum(), times.get(3) + times.get(4));
            } catch (IOException unreadable) {
                throw new java.io.UncheckedIOException(unreadable);
            }
        }

        /** In percent, in steps of five, since then. */
        long busySince(Spent then) {
            long all = Math.max(all() - then.all(), 1);
            return (all - (idle() - then.idle())) * 20 / all * 5;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        long seconds = arguments.length > 0 ? Long.parseLong(arguments[0]) : 10;
        try (Loop loop = new Loop()) {
            Signal.interval(Duration.ofMillis(500), loop)
                .startWith(0L)
                .map(n -> Spent.now())
                .pairwise()
                .map(two -> two.get(1).busySince(two.get(0)))
                .distinctUntilChanged()
                .takeFor(Duration.ofSeconds(seconds), loop)
                .start(busy -> System.out.printf("cpu %3d%% %s%n", busy, "#".repeat((int) (busy / 5))), error -> {
                    System.err.println(error);
                    loop.stop();
                }, loop::stop);
            loop.run();
        }
    }
}
