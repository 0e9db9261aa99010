import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import signalkit.DispatchQueue;
import signalkit.Pipe;
import signalkit.Signal;

/** Ends as its argument says, with runs alive on other threads. */
public final class Leaving {
    public static void main(String[] arguments) throws InterruptedException {
        CountDownLatch ticked = new CountDownLatch(8);
        for (int i = 0; i < 8; i++)
            Signal.interval(Duration.ofNanos(100_000), new DispatchQueue("ticks")).map(n -> "" + n)
                .start(n -> ticked.countDown());
        ticked.await();
        switch (arguments[0]) {
            case "exit in a callback" -> {
                Pipe<Integer> pipe = new Pipe<>();
                pipe.signal().map(n -> n).start(System::exit);
                pipe.next(7);
            }
            case "exit on a thread of the library" -> {
                new DispatchQueue("exits").dispatch(() -> System.exit(7));
                new CountDownLatch(1).await();
            }
            case "uncaught" -> throw new IllegalStateException("uncaught, as it is to be");
            default -> { }
        }
    }
}
