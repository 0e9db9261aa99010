// Written by scripts/java.py from bindings/api.json.
package signalkit;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import java.util.Map;
import signalkit.internal.Value;

/** The C interface. Pointers are {@code long}, and so are the two halves of a value, which travel in the registers of
 * two integers: its kind, with {@code reserved} above it, and its bits. */
final class C {
    private C() {}

    static final String VERSION = "1.0.0";
    static final long UNBOUNDED = -1L;
    static final long FD_READ = 1L;
    static final long FD_WRITE = 2L;
    static final long FD_HANGUP = 4L;
    static final long FILE_READ = 1L;
    static final long FILE_WRITTEN = 2L;
    static final long FILE_ATTRIBUTES = 4L;
    static final long FILE_CLOSED = 8L;
    static final long FILE_MOVED_FROM = 64L;
    static final long FILE_MOVED_TO = 128L;
    static final long FILE_CREATED = 256L;
    static final long FILE_DELETED = 512L;
    static final long FILE_GONE = 1024L;
    static final long FILE_MOVED = 2048L;
    static final long FILE_IS_FOLDER = 1073741824L;
    static final long GIVEN = 1734964837L;

    static final int OK = 0;
    static final int ERROR_NULL = -1;
    static final int ERROR_HANDLE = -2;
    static final int ERROR_ARGUMENT = -3;
    static final int ERROR_ENDED = -4;
    static final int ERROR_KIND = -5;
    static final int ERROR_THREAD = -6;
    static final int ERROR_SYSTEM = -7;
    static final int ERROR_TIMEOUT = -8;
    static final int ERROR_MEMORY = -9;
    static final int ERROR_LEFT = -10;
    static final int ERROR_COMPLETED = -11;
    static final int ERROR_FAILED = -12;

    static final int LIVE_SIGNAL = 0;
    static final int LIVE_SUBSCRIBER = 1;
    static final int LIVE_DISPOSABLE = 2;
    static final int LIVE_QUEUE = 3;
    static final int LIVE_TIMER = 4;
    static final int LIVE_PIPE = 5;
    static final int LIVE_VALUE = 6;
    static final int LIVE_CALLBACK = 7;
    static final int LIVE_PROMISE = 8;
    static final int LIVE_VALUE_PROMISE = 9;
    static final int LIVE_MULTICAST = 10;
    static final int LIVE_SEQUENCER = 11;
    static final int LIVE_THREAD_POOL = 12;
    static final int LIVE_QUEUE_LOCAL = 13;
    static final int LIVE_SIGNATURE = 14;
    static final int LIVE_NATIVE = 15;
    static final int LIVE_MULTICAST_SIGNAL_MANAGER = 16;
    static final int LIVE_EVENT_LINK = 17;
    static final int LIVE_LINK_BAG = 18;
    static final int LIVE_OVERFLOW_COUNTER = 19;
    static final int LIVE_READER = 20;

    static final int DEBUG_TEXT = 0;
    static final int DEBUG_DOT = 1;
    static final int DEBUG_JSON = 2;

    static final int TRACE_START = 0;
    static final int TRACE_NEXT = 1;
    static final int TRACE_ERROR = 2;
    static final int TRACE_COMPLETED = 3;
    static final int TRACE_DISPOSE = 4;
    static final int TRACE_HOP = 5;
    static final int TRACE_RETURN = 6;

    static final int EVENT_NEXT = 0;
    static final int EVENT_ERROR = 1;
    static final int EVENT_COMPLETED = 2;

    static final int TAKE_NOTHING = 0;
    static final int TAKE_PASSTHROUGH = 1;
    static final int TAKE_COMPLETE = 2;
    static final int TAKE_PASSTHROUGH_AND_COMPLETE = 3;

    static final int EDGE_LEADING = 1;
    static final int EDGE_TRAILING = 2;
    static final int EDGES_BOTH = 3;

    static final int OVERFLOW_SUSPEND = 0;
    static final int OVERFLOW_DROP_OLDEST = 1;
    static final int OVERFLOW_DROP_NEWEST = 2;
    static final int OVERFLOW_KEEP_LATEST = 3;
    static final int OVERFLOW_ERROR = 4;

    static final int OUTCOME_REPLACED = 0;
    static final int OUTCOME_UNCHANGED = 16;
    static final int OUTCOME_DROPPED = 17;
    static final int OUTCOME_FAILED = 18;

    static final int NULL = 0;
    static final int BOOL = 1;
    static final int INT = 2;
    static final int DOUBLE = 3;
    static final int POINTER = 4;
    static final int STRING = 5;
    static final int BYTES = 6;
    static final int ARRAY = 7;
    static final int SIGNAL = 8;
    static final int OBJECT = 9;

    static final int TRACE_EVENT_BYTES = 88;
    static final int STATE_HANDLERS_BYTES = 72;
    static final int BACKOFF_BYTES = 48;
    static final int QUEUE_TABLE_BYTES = 72;
    static final int HANDLERS_BYTES = 64;
    static final int VALUE_BYTES = 16;
    static final int OBJECT_TABLE_BYTES = 48;

    static final NativeLibrary LIBRARY = NativeLibrary.getInstance(
        System.getProperty("signalkit.library", "libsignalkit.so.1"),
        Map.of(Library.OPTION_STRING_ENCODING, "UTF-8"));

    static {
        Native.register(C.class, LIBRARY);
    }

    static native String sgk_version();
    static native String sgk_status_text(int status);
    static native String sgk_last_error();
    static native int sgk_last_status();
    static native void sgk_clear_error();
    static native void sgk_release(long handle);
    static native void sgk_set_log_handler(long log, long context, long destroy);
    static native long sgk_live_count(int kind);
    static native long sgk_live_total();
    static native String sgk_live_text(int kind);
    static native long sgk_callback_retain(long handle);
    static native void sgk_callback_release(long handle);
    static native long sgk_callback_create(long signature, long resultWord, long resultBits, long handler, long context,
        long destroy);
    static native long sgk_callback_create_typed(long signature, long resultWord, long resultBits, long handler, long
        handlerSignature, long context, long destroy);
    static native long sgk_callback_function(long callback);
    static native long sgk_callback_signal(long callback);
    static native long sgk_callback_disposable(long callback);
    static native Value sgk_signal_describe(long signal);
    static native Value sgk_signal_to_dot(long signal);
    static native Value sgk_signal_to_json(long signal);
    static native long sgk_signal_named_at(long signal, String name, String file, int line);
    static native long sgk_signal_trace_at(long signal, String name, String file, int line);
    static native void sgk_debug_watch(boolean on);
    static native int sgk_debug_graph(int format, long write, long context);
    static native int sgk_debug_dump(long write, long context);
    static native String sgk_trace_kind_text(int kind);
    static native void sgk_set_trace_handler(long handler, long context, long destroy);
    static native long sgk_trace_set_context(long value);
    static native long sgk_trace_context();
    static native int sgk_debug_inspect(String path);
    static native long sgk_signal_fd(long fd, long events, long queue);
    static native long sgk_signal_lines(long fd, long limit, long queue);
    static native long sgk_signal_bytes(long fd, long chunk, long queue);
    static native long sgk_sink_fd(long signal, long fd, long limit, boolean closes, long queue);
    static native long sgk_signal_unix_signal(long signo, long queue);
    static native long sgk_signal_child(long pid, long queue);
    static native long sgk_signal_file_changes(String path, long mask, long queue);
    static native long sgk_disposable_retain(long handle);
    static native void sgk_disposable_release(long handle);
    static native int sgk_disposable_dispose(long disposable);
    static native int sgk_disposable_dispose_and_wait(long disposable);
    static native long sgk_action_disposable_create(long action, long context, long destroy);
    static native long sgk_meta_disposable_create();
    static native int sgk_meta_disposable_set(long meta, long child);
    static native long sgk_disposable_set_create();
    static native int sgk_disposable_set_add(long set, long member);
    static native int sgk_disposable_set_remove(long set, long member);
    static native int sgk_disposable_set_remove_last(long set);
    static native long sgk_disposable_dict_create();
    static native int sgk_disposable_dict_set(long dict, long keyWord, long keyBits, long member);
    static native String sgk_disposable_state(long disposable);
    static native long sgk_disposable_strict(long disposable, String file, int line);
    static native long sgk_event_link_retain(long handle);
    static native void sgk_event_link_release(long handle);
    static native long sgk_link_bag_retain(long handle);
    static native void sgk_link_bag_release(long handle);
    static native long sgk_event_emitter_create();
    static native long sgk_event_emitter_create_value(long valueWord, long valueBits);
    static native int sgk_event_emitter_next(long emitter, long valueWord, long valueBits);
    static native int sgk_event_emitter_error(long emitter, long errorWord, long errorBits);
    static native int sgk_event_emitter_finish(long emitter);
    static native int sgk_event_link_on_next(long link, long next, long context, long destroy, long queue);
    static native int sgk_event_link_on_error(long link, long error, long context, long destroy, long queue);
    static native int sgk_event_link_on_finish(long link, long finish, long context, long destroy, long queue);
    static native long sgk_event_link_map(long link, long map, long context, long destroy);
    static native long sgk_event_link_filter(long link, long filter, long context, long destroy);
    static native long sgk_event_link_compact_map(long link, long map, long context, long destroy);
    static native long sgk_event_link_observer(long link);
    static native int sgk_event_link_unlink(long link);
    static native long sgk_event_link_signal(long link);
    static native long sgk_signal_link(long signal);
    static native long sgk_link_bag_create();
    static native int sgk_link_bag_add(long bag, long link);
    static native int sgk_link_bag_clear(long bag);
    static native long sgk_combine_latest(long[] sources, long count, long queue);
    static native long sgk_combine_latest_map(long[] sources, long count, long map, long context, long destroy, long
        queue);
    static native long sgk_combine_signals(long[] sources, long count, long initialStates, long queue);
    static native long sgk_merge_signals(long[] sources, long count);
    static native long sgk_zip(long[] sources, long count, long limit, int overflow, long errorWord, long errorBits,
        long counter);
    static native long sgk_zip_map(long[] sources, long count, long limit, int overflow, long errorWord, long errorBits,
        long counter, long map, long context, long destroy);
    static native long sgk_race(long[] sources, long count);
    static native long sgk_signal_with_latest_from(long signal, long other);
    static native long sgk_signal_with_latest_from_map(long signal, long other, long map, long context, long destroy);
    static native long sgk_signal_before_next(long signal, long f, long context, long destroy);
    static native long sgk_signal_after_next(long signal, long f, long context, long destroy);
    static native long sgk_signal_before_started(long signal, long f, long context, long destroy);
    static native long sgk_signal_before_error(long signal, long f, long context, long destroy);
    static native long sgk_signal_before_completed(long signal, long f, long context, long destroy);
    static native long sgk_signal_after_completed(long signal, long f, long context, long destroy);
    static native long sgk_signal_after_disposed(long signal, long f, long context, long destroy);
    static native long sgk_signal_with_state(long signal, long[] handlers);
    static native long sgk_signal_named(long signal, String name);
    static native long sgk_signal_trace(long signal, String name);
    static native long sgk_signal_switch_to_latest(long signal);
    static native long sgk_signal_queued(long signal);
    static native long sgk_signal_throttled(long signal);
    static native long sgk_signal_take_until_replacement(long signal, long replacement);
    static native long sgk_signal_map_to_signal(long signal, long map, long context, long destroy);
    static native long sgk_signal_map_to_queue(long signal, long map, long context, long destroy);
    static native long sgk_signal_map_to_throttled(long signal, long map, long context, long destroy);
    static native long sgk_signal_reduce_left_generator(long signal, long initialWord, long initialBits, long generator,
        long context, long destroy);
    static native long sgk_signal_merged(long signal, long limit, long waiting, int overflow, long errorWord, long
        errorBits, long counter);
    static native long sgk_signal_map_to_merged(long signal, long limit, long waiting, int overflow, long errorWord,
        long errorBits, long counter, long map, long context, long destroy);
    static native long sgk_signal_map_to_first(long signal, long map, long context, long destroy);
    static native long sgk_signal_map_to_signal_per(long signal, long limit, int overflow, long errorWord, long
        errorBits, long counter, long key, long map, long context, long destroy);
    static native long sgk_signal_grouped_by(long signal, long limit, int overflow, long errorWord, long errorBits, long
        counter, long key, long pipeline, long context, long destroy);
    static native long sgk_signal_map(long signal, long map, long context, long destroy);
    static native long sgk_signal_filter(long signal, long filter, long context, long destroy);
    static native long sgk_signal_compact_map(long signal, long map, long context, long destroy);
    static native long sgk_signal_transform(long signal, long transform, long context, long destroy);
    static native long sgk_signal_map_error(long signal, long map, long context, long destroy);
    static native long sgk_signal_ignore_values(long signal);
    static native long sgk_signal_distinct_until_changed(long signal);
    static native long sgk_signal_distinct_until_changed_by(long signal, long equal, long context, long destroy);
    static native long sgk_signal_serialized(long signal);
    static native long sgk_signal_reduce_left(long signal, long initialWord, long initialBits, long reduce, long
        context, long destroy);
    static native long sgk_signal_reduce_left_emitting(long signal, long initialWord, long initialBits, long reduce,
        long context, long destroy);
    static native int sgk_emitter_next(long emitter, long valueWord, long valueBits);
    static native long sgk_signal_scan(long signal, long initialWord, long initialBits, long reduce, long context, long
        destroy);
    static native long sgk_signal_pairwise(long signal);
    static native long sgk_signal_enumerated(long signal);
    static native long sgk_signal_to_array(long signal, long limit, int overflow, long errorWord, long errorBits, long
        counter);
    static native long sgk_signal_distinct(long signal, long limit, int overflow, long errorWord, long errorBits, long
        counter);
    static native long sgk_signal_distinct_by(long signal, long limit, int overflow, long errorWord, long errorBits,
        long counter, long key, long context, long destroy);
    static native long sgk_signal_try_map(long signal, long map, long context, long destroy);
    static native long sgk_signal_try_filter(long signal, long filter, long context, long destroy);
    static native Value sgk_event_make_next(long valueWord, long valueBits);
    static native Value sgk_event_make_error(long errorWord, long errorBits);
    static native Value sgk_event_make_completed();
    static native long sgk_signal_to_events(long signal);
    static native long sgk_signal_from_events(long signal);
    static native long sgk_signal_deferred(long generator, long context, long destroy);
    static native long sgk_signal_then(long signal, long next);
    static native long sgk_signal_catch(long signal, long f, long context, long destroy);
    static native long sgk_accumulating_loop(long once, long reduce, long context, long destroy);
    static native long sgk_concat(long[] sources, long count);
    static native long sgk_signal_start_with(long signal, long valueWord, long valueBits);
    static native long sgk_signal_end_with(long signal, long valueWord, long valueBits);
    static native long sgk_signal_default_if_empty(long signal, long valueWord, long valueBits);
    static native long sgk_signal_switch_if_empty(long signal, long other);
    static native long sgk_signal_catch_and_return(long signal, long valueWord, long valueBits);
    static native long sgk_signal_restart(long signal);
    static native long sgk_signal_repeat(long signal, long count);
    static native long sgk_signal_restart_if_error(long signal);
    static native long sgk_signal_restart_or_map_error(long signal, long condition, long context, long destroy);
    static native long sgk_signal_retry_if(long signal, long predicate, long context, long destroy);
    static native long sgk_signal_retry(long signal, double delayIncrement, double maxDelay, boolean resetOnValue, long
        queue);
    static native long sgk_signal_retry_on_error(long signal, double delayIncrement, double maxDelay, long maxRetries,
        boolean resetOnValue, long retryOnError, long context, long destroy, long queue);
    static native long sgk_signal_retry_backoff(long signal, long attempts, long[] backoff, boolean resetOnValue, long
        queue);
    static native long sgk_signal_retry_when(long signal, long when, long context, long destroy);
    static native long sgk_signal_take(long signal, long count);
    static native long sgk_signal_take_until(long signal, long until, long context, long destroy);
    static native long sgk_signal_take_last(long signal, long count);
    static native long sgk_signal_last(long signal);
    static native long sgk_signal_take_while(long signal, long filter, long context, long destroy);
    static native long sgk_signal_skip(long signal, long count);
    static native long sgk_signal_skip_while(long signal, long filter, long context, long destroy);
    static native long sgk_signal_first(long signal);
    static native long sgk_signal_first_or(long signal, long valueWord, long valueBits);
    static native long sgk_signal_skip_until_signal(long signal, long until);
    static native long sgk_signal_take_until_signal(long signal, long until);
    static native long sgk_signal_throttle(long signal, double seconds, long queue);
    static native long sgk_signal_debounce(long signal, double seconds, long queue);
    static native long sgk_signal_deliver_on(long signal, long queue);
    static native long sgk_signal_deliver_on_thread_pool(long signal, long pool);
    static native long sgk_signal_deliver_on_bounded(long signal, long queue, long limit, int overflow, long errorWord,
        long errorBits, long counter);
    static native long sgk_signal_run_on(long signal, long queue);
    static native long sgk_signal_run_on_thread_pool(long signal, long pool);
    static native long sgk_signal_delay(long signal, double seconds, long queue);
    static native long sgk_signal_suspend_aware_delay(long signal, double seconds, double granularity, long queue);
    static native long sgk_signal_timeout(long signal, double seconds, long alternate, long queue);
    static native long sgk_signal_blocking(long signal, double seconds);
    static native long sgk_signal_blocking_on(long signal, double seconds, long queue);
    static native long sgk_signal_chunked(long signal, long count);
    static native long sgk_signal_chunked_within(long signal, long count, double seconds, long queue);
    static native long sgk_signal_chunked_by(long signal, long boundary, long limit);
    static native long sgk_signal_delay_each(long signal, double seconds, long queue, long limit, int overflow, long
        errorWord, long errorBits, long counter);
    static native long sgk_signal_timeout_between(long signal, double seconds, long alternate, long queue);
    static native long sgk_signal_throttle_edges(long signal, double seconds, int edges, long queue);
    static native long sgk_signal_timestamped(long signal, long queue);
    static native long sgk_signal_time_interval(long signal, long queue);
    static native long sgk_signal_take_for(long signal, double seconds, long queue);
    static native long sgk_signal_sample_on(long signal, long trigger);
    static native long sgk_signal_sample(long signal, double seconds, long queue);
    static native long sgk_overflow_counter_retain(long handle);
    static native void sgk_overflow_counter_release(long handle);
    static native long sgk_overflow_counter_create();
    static native long sgk_overflow_counter_dropped(long counter);
    static native long sgk_overflow_counter_suspended(long counter);
    static native long sgk_pipe_retain(long handle);
    static native void sgk_pipe_release(long handle);
    static native long sgk_pipe_create();
    static native long sgk_pipe_create_replay();
    static native long sgk_pipe_signal(long pipe);
    static native int sgk_pipe_next(long pipe, long valueWord, long valueBits);
    static native int sgk_pipe_complete(long pipe);
    static native int sgk_pipe_error(long pipe, long errorWord, long errorBits);
    static native long sgk_promise_retain(long handle);
    static native void sgk_promise_release(long handle);
    static native long sgk_value_promise_retain(long handle);
    static native void sgk_value_promise_release(long handle);
    static native long sgk_promise_create();
    static native long sgk_promise_create_value(long valueWord, long valueBits);
    static native long sgk_promise_create_initialize_on_first_access(long signal);
    static native int sgk_promise_set(long promise, long signal);
    static native long sgk_promise_get(long promise);
    static native int sgk_promise_on_deinit(long promise, long f, long context, long destroy);
    static native long sgk_value_promise_create(boolean ignoreRepeated);
    static native long sgk_value_promise_create_value(long valueWord, long valueBits, boolean ignoreRepeated);
    static native int sgk_value_promise_set(long promise, long valueWord, long valueBits);
    static native Value sgk_value_promise_value(long promise);
    static native int sgk_value_promise_modify(long promise, long f, long context);
    static native long sgk_value_promise_get(long promise);
    static native long sgk_queue_retain(long handle);
    static native void sgk_queue_release(long handle);
    static native long sgk_timer_retain(long handle);
    static native void sgk_timer_release(long handle);
    static native long sgk_queue_create(String name);
    static native long sgk_queue_main();
    static native long sgk_queue_concurrent_default();
    static native long sgk_queue_concurrent_background();
    static native byte sgk_queue_is_current(long queue);
    static native int sgk_queue_async(long queue, long work, long context, long destroy);
    static native int sgk_queue_sync(long queue, long work, long context);
    static native int sgk_queue_dispatch(long queue, long work, long context, long destroy);
    static native long sgk_queue_after(long queue, double seconds, long work, long context, long destroy);
    static native long sgk_timer_create(double seconds, boolean repeat, long fire, long context, long destroy, long
        queue);
    static native int sgk_timer_start(long timer);
    static native int sgk_timer_invalidate(long timer);
    static native int sgk_timer_fire_and_invalidate(long timer);
    static native int sgk_timer_reset_timeout(long timer, double seconds);
    static native byte sgk_timer_is_scheduled(long timer);
    static native double sgk_timer_remaining_time(long timer);
    static native double sgk_timer_timeout_date(long timer);
    static native int sgk_drain(double seconds);
    static native int sgk_main_run();
    static native int sgk_main_stop();
    static native int sgk_main_fd();
    static native int sgk_main_drain();
    static native long sgk_queue_create_custom(long[] table, long context);
    static native long sgk_queue_dropped(long queue);
    static native long sgk_queue_local_retain(long handle);
    static native void sgk_queue_local_release(long handle);
    static native long sgk_queue_local_create(long generate, long drop, long context, long destroy, long queue);
    static native long sgk_queue_local_unsafe_get(long local);
    static native int sgk_queue_local_with(long local, long use, long context, long destroy);
    static native int sgk_queue_local_sync_with(long local, long use, long context);
    static native long sgk_queue_local_signal_with(long local, long generator, long context, long destroy);
    static native long sgk_reader_retain(long handle);
    static native void sgk_reader_release(long handle);
    static native long sgk_reader_create(long signal, long limit, int overflow, long errorWord, long errorBits, long
        counter);
    static native int sgk_reader_next(long reader, double seconds, long[] value);
    static native int sgk_reader_fd(long reader);
    static native int sgk_reader_when_ready(long reader, long ready, long context, long destroy);
    static native int sgk_reader_close(long reader);
    static native int sgk_signal_get(long signal, double seconds, long[] value);
    static native int sgk_signal_collect(long signal, long limit, double seconds, long[] values);
    static native long sgk_multicast_retain(long handle);
    static native void sgk_multicast_release(long handle);
    static native long sgk_multicast_signal_manager_retain(long handle);
    static native void sgk_multicast_signal_manager_release(long handle);
    static native long sgk_sequencer_retain(long handle);
    static native void sgk_sequencer_release(long handle);
    static native long sgk_signal_multicast(long signal);
    static native long sgk_signal_share(long signal, long replay, double keep, long queue);
    static native long sgk_multicast_create();
    static native long sgk_multicast_get(long multicast, String key, long signal);
    static native long sgk_multicast_signal_manager_create();
    static native long sgk_multicast_signal_manager_multicasted_signal(long manager, String key, long producer, long
        context);
    static native int sgk_multicast_signal_manager_start_standalone_signal_if_not_running(long manager, String key, long
        producer, long context);
    static native long sgk_multicast_signal_manager_multicasted_pipe(long manager, String key);
    static native int sgk_multicast_signal_manager_next(long manager, String key, long valueWord, long valueBits);
    static native long sgk_sequencer_create();
    static native long sgk_sequencer_enqueue(long sequencer, long signal);
    static native long sgk_signal_retain(long handle);
    static native void sgk_signal_release(long handle);
    static native long sgk_subscriber_retain(long handle);
    static native void sgk_subscriber_release(long handle);
    static native long sgk_signal_create(long generator, long context, long destroy);
    static native long sgk_signal_single(long valueWord, long valueBits);
    static native long sgk_signal_complete();
    static native long sgk_signal_fail(long errorWord, long errorBits);
    static native long sgk_signal_never();
    static native Value sgk_signal_value(long signal);
    static native long sgk_value_signal(long valueWord, long valueBits);
    static native int sgk_subscriber_next(long subscriber, long valueWord, long valueBits);
    static native int sgk_subscriber_error(long subscriber, long errorWord, long errorBits);
    static native int sgk_subscriber_complete(long subscriber);
    static native byte sgk_subscriber_is_active(long subscriber);
    static native int sgk_subscriber_keep_alive(long subscriber, long object, long destroy);
    static native int sgk_subscriber_on_dispose(long subscriber, long action, long context, long destroy);
    static native long sgk_signal_start(long signal, long[] handlers);
    static native long sgk_signal_start_waitable(long signal, long[] handlers);
    static native long sgk_subscriber_create(long[] handlers);
    static native long sgk_signal_start_next(long signal, long next, long context, long destroy);
    static native void sgk_set_unhandled_error_handler(long handler, long context, long destroy);
    static native void sgk_ignore_error(long context, long errorWord, long errorBits);
    static native long sgk_signal_from_array(long[] items, long count);
    static native long sgk_signal_from_iterator(long next, long context, long destroy);
    static native long sgk_signal_range(long first, long count);
    static native long sgk_signal_interval(double seconds, long queue);
    static native long sgk_signal_timer(double seconds, long queue);
    static native long sgk_signal_using(long acquire, long use, long release, long context, long destroy);
    static native long sgk_thread_pool_retain(long handle);
    static native void sgk_thread_pool_release(long handle);
    static native long sgk_thread_pool_create(int threadCount, double threadPriority);
    static native long sgk_thread_pool_add_task(long pool, long work, long context, long destroy);
    static native long sgk_thread_pool_next_queue(long pool);
    static native long sgk_thread_pool_queue(long pool);
    static native byte sgk_thread_pool_is_current_thread_in_pool(long pool);
    static native int sgk_thread_pool_shutdown(long pool);
    static native long sgk_signature_retain(long handle);
    static native void sgk_signature_release(long handle);
    static native long sgk_signature_create(String text);
    static native long sgk_signature_arity(long signature);
    static native byte sgk_signature_uses_libffi(long signature);
    static native long sgk_signal_start_typed(long signal, long next, long nextSignature, long error, long
        errorSignature, long completed, long completedSignature, long context, long destroy);
    static native long sgk_signal_map_typed(long signal, long map, long signature, long context, long destroy);
    static native long sgk_signal_filter_typed(long signal, long filter, long signature, long context, long destroy);
    static native long sgk_signal_map_error_typed(long signal, long map, long signature, long context, long destroy);
    static native long sgk_signal_before_next_typed(long signal, long f, long signature, long context, long destroy);
    static native long sgk_signal_after_next_typed(long signal, long f, long signature, long context, long destroy);
    static native long sgk_signal_distinct_until_changed_by_typed(long signal, long equal, long signature, long context,
        long destroy);
    static native long sgk_signal_reduce_left_typed(long signal, long initialWord, long initialBits, long reduce, long
        signature, long context, long destroy);
    static native long sgk_signal_scan_typed(long signal, long initialWord, long initialBits, long reduce, long
        signature, long context, long destroy);
    static native long sgk_signal_take_until_typed(long signal, long until, long signature, long context, long destroy);
    static native long sgk_signal_take_while_typed(long signal, long filter, long signature, long context, long
        destroy);
    static native long sgk_signal_skip_while_typed(long signal, long filter, long signature, long context, long
        destroy);
    static native long sgk_signal_map_to_signal_typed(long signal, long map, long signature, long context, long
        destroy);
    static native long sgk_signal_map_to_queue_typed(long signal, long map, long signature, long context, long destroy);
    static native long sgk_signal_catch_typed(long signal, long f, long signature, long context, long destroy);
    static native long sgk_signal_retry_if_typed(long signal, long predicate, long signature, long context, long
        destroy);
    static native long sgk_combine_latest_typed(long[] sources, long count, long map, long signature, long context, long
        destroy, long queue);
    static native long sgk_signal_map_to_merged_typed(long signal, long limit, long waiting, int overflow, long
        errorWord, long errorBits, long counter, long map, long signature, long context, long destroy);
    static native long sgk_signal_map_to_first_typed(long signal, long map, long signature, long context, long destroy);
    static native long sgk_signal_with_latest_from_typed(long signal, long other, long map, long signature, long
        context, long destroy);
    static native long sgk_zip_typed(long[] sources, long count, long limit, int overflow, long errorWord, long
        errorBits, long counter, long map, long signature, long context, long destroy);
    static native long sgk_signal_before_error_typed(long signal, long f, long signature, long context, long destroy);
    static native long sgk_signal_distinct_by_typed(long signal, long limit, int overflow, long errorWord, long
        errorBits, long counter, long key, long signature, long context, long destroy);
    static native long sgk_signal_map_to_throttled_typed(long signal, long map, long signature, long context, long
        destroy);
    static native long sgk_signal_reduce_left_generator_typed(long signal, long initialWord, long initialBits, long
        generator, long signature, long context, long destroy);
    static native long sgk_signal_retry_on_error_typed(long signal, double delayIncrement, double maxDelay, long
        maxRetries, boolean resetOnValue, long retryOnError, long signature, long context, long destroy, long queue);
    static native long sgk_signal_retry_when_typed(long signal, long when, long signature, long context, long destroy);
    static native Value sgk_make_null();
    static native Value sgk_make_bool(boolean flag);
    static native Value sgk_make_int(long number);
    static native Value sgk_make_double(double number);
    static native Value sgk_make_pointer(long pointer);
    static native byte sgk_get_bool(long valueWord, long valueBits);
    static native long sgk_get_int(long valueWord, long valueBits);
    static native double sgk_get_double(long valueWord, long valueBits);
    static native long sgk_get_pointer(long valueWord, long valueBits);
    static native Value sgk_string(String text);
    static native Value sgk_string_n(String text, long length);
    static native Value sgk_bytes(byte[] data, long length);
    static native Value sgk_array(long[] values, long count);
    static native long sgk_value_data(long valueWord, long valueBits, long[] length);
    static native long sgk_array_items(long arrayWord, long arrayBits, long[] count);
    static native Value sgk_array_at(long arrayWord, long arrayBits, long index);
    static native Value sgk_object_value(long object, long table);
    static native long sgk_object_pointer(long valueWord, long valueBits);
    static native Value sgk_value_retain(long valueWord, long valueBits);
    static native void sgk_value_release(long valueWord, long valueBits);
    static native byte sgk_value_equal(long aWord, long aBits, long bWord, long bBits);
    static native long sgk_value_hash(long valueWord, long valueBits);
    static native long sgk_value_describe(long valueWord, long valueBits, byte[] text, long size);
    static native String sgk_kind_text(int kind);
    static native long sgk_queue_create_virtual(long beside);
    static native double sgk_queue_now(long queue);
    static native int sgk_queue_advance(long queue, double seconds);
    static native int sgk_queue_advance_to(long queue, double time);
    static native long sgk_queue_run(long queue, long limit);
    static native long sgk_queue_pending(long queue);
    static native int sgk_queue_suspend(long queue, double seconds);
}
