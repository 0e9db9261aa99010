/** Signals (cold streams of values), pipes, queues and timers, by the C library libsignalkit. */
module signalkit {
    requires com.sun.jna;

    exports signalkit;

    opens signalkit to com.sun.jna;
    opens signalkit.internal to com.sun.jna;
}
