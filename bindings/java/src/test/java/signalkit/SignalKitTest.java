package signalkit;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;

/** Shared code of the tests. At the end of each test no object is alive. */
abstract class SignalKitTest {
    static final String END = "end";
    private List<Subscription> runs = new ArrayList<>();

    /** The events of a subscription, as a list that grows. */
    List<Object> record(Signal<?> signal) {
        List<Object> events = Collections.synchronizedList(new ArrayList<>());
        runs.add(signal.start(events::add, events::add, () -> events.add(END)));
        return events;
    }

    @AfterEach
    void nothingIsAlive() {
        runs.forEach(Subscription::close);
        runs = null;
        letGo();
        eventually("nothing is alive", () -> SignalKit.liveTotal() == 0);
    }

    /** Releases the objects of a test. */
    void letGo() {}

    static void eventually(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + 60_000_000_000L;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) fail("not so: " + what + "; alive: " + SignalKit.liveTotal());
            try {
                Thread.sleep(1);
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
        }
    }
}
