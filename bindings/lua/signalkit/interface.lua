-- Written by scripts/lua.py from bindings/api.json.

local ffi = require "ffi"

ffi.cdef [[
typedef struct sgk_callback sgk_callback;
typedef struct sgk_disposable sgk_disposable;
typedef struct sgk_emitter sgk_emitter;
typedef struct sgk_event_link sgk_event_link;
typedef struct sgk_link_bag sgk_link_bag;
typedef struct sgk_multicast sgk_multicast;
typedef struct sgk_multicast_signal_manager sgk_multicast_signal_manager;
typedef struct sgk_overflow_counter sgk_overflow_counter;
typedef struct sgk_pipe sgk_pipe;
typedef struct sgk_promise sgk_promise;
typedef struct sgk_queue sgk_queue;
typedef struct sgk_queue_local sgk_queue_local;
typedef struct sgk_reader sgk_reader;
typedef struct sgk_sequencer sgk_sequencer;
typedef struct sgk_signal sgk_signal;
typedef struct sgk_signature sgk_signature;
typedef struct sgk_subscriber sgk_subscriber;
typedef struct sgk_thread_pool sgk_thread_pool;
typedef struct sgk_timer sgk_timer;
typedef struct sgk_value_promise sgk_value_promise;
typedef void (*sgk_function)(void);
typedef struct sgk_trace_event sgk_trace_event;
typedef struct sgk_state_handlers sgk_state_handlers;
typedef struct { size_t size; double initial; double factor; double max; double jitter; uint64_t seed; }
    sgk_backoff;
typedef struct sgk_queue_table sgk_queue_table;
typedef struct { size_t size; void * context; sgk_function destroy; sgk_function next; sgk_function error;
    sgk_function completed; sgk_function started; sgk_function receive; } sgk_handlers;
typedef struct { uint32_t kind; uint32_t reserved; uint64_t bits; } sgk_value;
typedef struct { size_t size; sgk_function retain; sgk_function release; sgk_function equal; sgk_function hash;
    sgk_function describe; } sgk_object_table;
const char *sgk_version(void);
const char *sgk_status_text(int);
const char *sgk_last_error(void);
int sgk_last_status(void);
void sgk_clear_error(void);
void sgk_release(void *);
void sgk_set_log_handler(sgk_function, void *, sgk_function);
int64_t sgk_live_count(int);
int64_t sgk_live_total(void);
const char *sgk_live_text(int);
sgk_callback *sgk_callback_retain(sgk_callback *);
void sgk_callback_release(sgk_callback *);
sgk_callback *sgk_callback_create(sgk_signature *, sgk_value, sgk_function, void *, sgk_function);
sgk_callback *sgk_callback_create_typed(sgk_signature *, sgk_value, sgk_function, sgk_signature *, void *,
    sgk_function);
sgk_function sgk_callback_function(sgk_callback *);
sgk_signal *sgk_callback_signal(sgk_callback *);
sgk_disposable *sgk_callback_disposable(sgk_callback *);
sgk_value sgk_signal_describe(sgk_signal *);
sgk_value sgk_signal_to_dot(sgk_signal *);
sgk_value sgk_signal_to_json(sgk_signal *);
sgk_signal *sgk_signal_named_at(sgk_signal *, const char *, const char *, int);
sgk_signal *sgk_signal_trace_at(sgk_signal *, const char *, const char *, int);
void sgk_debug_watch(bool);
int sgk_debug_graph(int, sgk_function, void *);
int sgk_debug_dump(sgk_function, void *);
const char *sgk_trace_kind_text(int);
void sgk_set_trace_handler(sgk_function, void *, sgk_function);
uint64_t sgk_trace_set_context(uint64_t);
uint64_t sgk_trace_context(void);
sgk_signal *sgk_signal_fd(int64_t, int64_t, sgk_queue *);
sgk_signal *sgk_signal_lines(int64_t, int64_t, sgk_queue *);
sgk_signal *sgk_signal_bytes(int64_t, int64_t, sgk_queue *);
sgk_signal *sgk_sink_fd(sgk_signal *, int64_t, int64_t, bool, sgk_queue *);
sgk_signal *sgk_signal_unix_signal(int64_t, sgk_queue *);
sgk_signal *sgk_signal_child(int64_t, sgk_queue *);
sgk_signal *sgk_signal_file_changes(const char *, int64_t, sgk_queue *);
sgk_disposable *sgk_disposable_retain(sgk_disposable *);
void sgk_disposable_release(sgk_disposable *);
int sgk_disposable_dispose(sgk_disposable *);
int sgk_disposable_dispose_and_wait(sgk_disposable *);
sgk_disposable *sgk_action_disposable_create(sgk_function, void *, sgk_function);
sgk_disposable *sgk_meta_disposable_create(void);
int sgk_meta_disposable_set(sgk_disposable *, sgk_disposable *);
sgk_disposable *sgk_disposable_set_create(void);
int sgk_disposable_set_add(sgk_disposable *, sgk_disposable *);
int sgk_disposable_set_remove(sgk_disposable *, sgk_disposable *);
int sgk_disposable_set_remove_last(sgk_disposable *);
sgk_disposable *sgk_disposable_dict_create(void);
int sgk_disposable_dict_set(sgk_disposable *, sgk_value, sgk_disposable *);
const char *sgk_disposable_state(sgk_disposable *);
sgk_disposable *sgk_disposable_strict(sgk_disposable *, const char *, int);
sgk_event_link *sgk_event_link_retain(sgk_event_link *);
void sgk_event_link_release(sgk_event_link *);
sgk_link_bag *sgk_link_bag_retain(sgk_link_bag *);
void sgk_link_bag_release(sgk_link_bag *);
sgk_event_link *sgk_event_emitter_create(void);
sgk_event_link *sgk_event_emitter_create_value(sgk_value);
int sgk_event_emitter_next(sgk_event_link *, sgk_value);
int sgk_event_emitter_error(sgk_event_link *, sgk_value);
int sgk_event_emitter_finish(sgk_event_link *);
int sgk_event_link_on_next(sgk_event_link *, sgk_function, void *, sgk_function, sgk_queue *);
int sgk_event_link_on_error(sgk_event_link *, sgk_function, void *, sgk_function, sgk_queue *);
int sgk_event_link_on_finish(sgk_event_link *, sgk_function, void *, sgk_function, sgk_queue *);
sgk_event_link *sgk_event_link_map(sgk_event_link *, sgk_function, void *, sgk_function);
sgk_event_link *sgk_event_link_filter(sgk_event_link *, sgk_function, void *, sgk_function);
sgk_event_link *sgk_event_link_compact_map(sgk_event_link *, sgk_function, void *, sgk_function);
sgk_event_link *sgk_event_link_observer(sgk_event_link *);
int sgk_event_link_unlink(sgk_event_link *);
sgk_signal *sgk_event_link_signal(sgk_event_link *);
sgk_event_link *sgk_signal_link(sgk_signal *);
sgk_link_bag *sgk_link_bag_create(void);
int sgk_link_bag_add(sgk_link_bag *, sgk_event_link *);
int sgk_link_bag_clear(sgk_link_bag *);
sgk_signal *sgk_combine_latest(sgk_signal *const *, size_t, sgk_queue *);
sgk_signal *sgk_combine_latest_map(sgk_signal *const *, size_t, sgk_function, void *, sgk_function, sgk_queue *);
sgk_signal *sgk_combine_signals(sgk_signal *const *, size_t, const sgk_value *const *, sgk_queue *);
sgk_signal *sgk_merge_signals(sgk_signal *const *, size_t);
sgk_signal *sgk_zip(sgk_signal *const *, size_t, int64_t, int, sgk_value, sgk_overflow_counter *);
sgk_signal *sgk_zip_map(sgk_signal *const *, size_t, int64_t, int, sgk_value, sgk_overflow_counter *, sgk_function,
    void *, sgk_function);
sgk_signal *sgk_race(sgk_signal *const *, size_t);
sgk_signal *sgk_signal_with_latest_from(sgk_signal *, sgk_signal *);
sgk_signal *sgk_signal_with_latest_from_map(sgk_signal *, sgk_signal *, sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_before_next(sgk_signal *, sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_after_next(sgk_signal *, sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_before_started(sgk_signal *, sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_before_error(sgk_signal *, sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_before_completed(sgk_signal *, sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_after_completed(sgk_signal *, sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_after_disposed(sgk_signal *, sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_with_state(sgk_signal *, const sgk_state_handlers *);
sgk_signal *sgk_signal_named(sgk_signal *, const char *);
sgk_signal *sgk_signal_trace(sgk_signal *, const char *);
sgk_signal *sgk_signal_switch_to_latest(sgk_signal *);
sgk_signal *sgk_signal_queued(sgk_signal *);
sgk_signal *sgk_signal_throttled(sgk_signal *);
sgk_signal *sgk_signal_take_until_replacement(sgk_signal *, sgk_signal *);
sgk_signal *sgk_signal_map_to_signal(sgk_signal *, sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_map_to_queue(sgk_signal *, sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_map_to_throttled(sgk_signal *, sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_reduce_left_generator(sgk_signal *, sgk_value, sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_merged(sgk_signal *, int64_t, int64_t, int, sgk_value, sgk_overflow_counter *);
sgk_signal *sgk_signal_map_to_merged(sgk_signal *, int64_t, int64_t, int, sgk_value, sgk_overflow_counter *,
    sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_map_to_first(sgk_signal *, sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_map_to_signal_per(sgk_signal *, int64_t, int, sgk_value, sgk_overflow_counter *,
    sgk_function, sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_grouped_by(sgk_signal *, int64_t, int, sgk_value, sgk_overflow_counter *, sgk_function,
    sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_map(sgk_signal *, sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_filter(sgk_signal *, sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_compact_map(sgk_signal *, sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_transform(sgk_signal *, sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_map_error(sgk_signal *, sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_ignore_values(sgk_signal *);
sgk_signal *sgk_signal_distinct_until_changed(sgk_signal *);
sgk_signal *sgk_signal_distinct_until_changed_by(sgk_signal *, sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_serialized(sgk_signal *);
sgk_signal *sgk_signal_reduce_left(sgk_signal *, sgk_value, sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_reduce_left_emitting(sgk_signal *, sgk_value, sgk_function, void *, sgk_function);
int sgk_emitter_next(sgk_emitter *, sgk_value);
sgk_signal *sgk_signal_scan(sgk_signal *, sgk_value, sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_pairwise(sgk_signal *);
sgk_signal *sgk_signal_enumerated(sgk_signal *);
sgk_signal *sgk_signal_to_array(sgk_signal *, int64_t, int, sgk_value, sgk_overflow_counter *);
sgk_signal *sgk_signal_distinct(sgk_signal *, int64_t, int, sgk_value, sgk_overflow_counter *);
sgk_signal *sgk_signal_distinct_by(sgk_signal *, int64_t, int, sgk_value, sgk_overflow_counter *, sgk_function, void
    *, sgk_function);
sgk_signal *sgk_signal_try_map(sgk_signal *, sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_try_filter(sgk_signal *, sgk_function, void *, sgk_function);
sgk_value sgk_event_make_next(sgk_value);
sgk_value sgk_event_make_error(sgk_value);
sgk_value sgk_event_make_completed(void);
sgk_signal *sgk_signal_to_events(sgk_signal *);
sgk_signal *sgk_signal_from_events(sgk_signal *);
sgk_signal *sgk_signal_deferred(sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_then(sgk_signal *, sgk_signal *);
sgk_signal *sgk_signal_catch(sgk_signal *, sgk_function, void *, sgk_function);
sgk_signal *sgk_accumulating_loop(sgk_function, sgk_function, void *, sgk_function);
sgk_signal *sgk_concat(sgk_signal *const *, size_t);
sgk_signal *sgk_signal_start_with(sgk_signal *, sgk_value);
sgk_signal *sgk_signal_end_with(sgk_signal *, sgk_value);
sgk_signal *sgk_signal_default_if_empty(sgk_signal *, sgk_value);
sgk_signal *sgk_signal_switch_if_empty(sgk_signal *, sgk_signal *);
sgk_signal *sgk_signal_catch_and_return(sgk_signal *, sgk_value);
sgk_signal *sgk_signal_restart(sgk_signal *);
sgk_signal *sgk_signal_repeat(sgk_signal *, int64_t);
sgk_signal *sgk_signal_restart_if_error(sgk_signal *);
sgk_signal *sgk_signal_restart_or_map_error(sgk_signal *, sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_retry_if(sgk_signal *, sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_retry(sgk_signal *, double, double, bool, sgk_queue *);
sgk_signal *sgk_signal_retry_on_error(sgk_signal *, double, double, int64_t, bool, sgk_function, void *,
    sgk_function, sgk_queue *);
sgk_signal *sgk_signal_retry_backoff(sgk_signal *, int64_t, const sgk_backoff *, bool, sgk_queue *);
sgk_signal *sgk_signal_retry_when(sgk_signal *, sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_take(sgk_signal *, int64_t);
sgk_signal *sgk_signal_take_until(sgk_signal *, sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_take_last(sgk_signal *, int64_t);
sgk_signal *sgk_signal_last(sgk_signal *);
sgk_signal *sgk_signal_take_while(sgk_signal *, sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_skip(sgk_signal *, int64_t);
sgk_signal *sgk_signal_skip_while(sgk_signal *, sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_first(sgk_signal *);
sgk_signal *sgk_signal_first_or(sgk_signal *, sgk_value);
sgk_signal *sgk_signal_skip_until_signal(sgk_signal *, sgk_signal *);
sgk_signal *sgk_signal_take_until_signal(sgk_signal *, sgk_signal *);
sgk_signal *sgk_signal_throttle(sgk_signal *, double, sgk_queue *);
sgk_signal *sgk_signal_debounce(sgk_signal *, double, sgk_queue *);
sgk_signal *sgk_signal_deliver_on(sgk_signal *, sgk_queue *);
sgk_signal *sgk_signal_deliver_on_thread_pool(sgk_signal *, sgk_thread_pool *);
sgk_signal *sgk_signal_deliver_on_bounded(sgk_signal *, sgk_queue *, int64_t, int, sgk_value, sgk_overflow_counter
    *);
sgk_signal *sgk_signal_run_on(sgk_signal *, sgk_queue *);
sgk_signal *sgk_signal_run_on_thread_pool(sgk_signal *, sgk_thread_pool *);
sgk_signal *sgk_signal_delay(sgk_signal *, double, sgk_queue *);
sgk_signal *sgk_signal_suspend_aware_delay(sgk_signal *, double, double, sgk_queue *);
sgk_signal *sgk_signal_timeout(sgk_signal *, double, sgk_signal *, sgk_queue *);
sgk_signal *sgk_signal_blocking(sgk_signal *, double);
sgk_signal *sgk_signal_blocking_on(sgk_signal *, double, sgk_queue *);
sgk_signal *sgk_signal_chunked(sgk_signal *, int64_t);
sgk_signal *sgk_signal_chunked_within(sgk_signal *, int64_t, double, sgk_queue *);
sgk_signal *sgk_signal_chunked_by(sgk_signal *, sgk_signal *, int64_t);
sgk_signal *sgk_signal_delay_each(sgk_signal *, double, sgk_queue *, int64_t, int, sgk_value, sgk_overflow_counter
    *);
sgk_signal *sgk_signal_timeout_between(sgk_signal *, double, sgk_signal *, sgk_queue *);
sgk_signal *sgk_signal_throttle_edges(sgk_signal *, double, int, sgk_queue *);
sgk_signal *sgk_signal_timestamped(sgk_signal *, sgk_queue *);
sgk_signal *sgk_signal_time_interval(sgk_signal *, sgk_queue *);
sgk_signal *sgk_signal_take_for(sgk_signal *, double, sgk_queue *);
sgk_signal *sgk_signal_sample_on(sgk_signal *, sgk_signal *);
sgk_signal *sgk_signal_sample(sgk_signal *, double, sgk_queue *);
sgk_overflow_counter *sgk_overflow_counter_retain(sgk_overflow_counter *);
void sgk_overflow_counter_release(sgk_overflow_counter *);
sgk_overflow_counter *sgk_overflow_counter_create(void);
int64_t sgk_overflow_counter_dropped(sgk_overflow_counter *);
int64_t sgk_overflow_counter_suspended(sgk_overflow_counter *);
sgk_pipe *sgk_pipe_retain(sgk_pipe *);
void sgk_pipe_release(sgk_pipe *);
sgk_pipe *sgk_pipe_create(void);
sgk_pipe *sgk_pipe_create_replay(void);
sgk_signal *sgk_pipe_signal(sgk_pipe *);
int sgk_pipe_next(sgk_pipe *, sgk_value);
int sgk_pipe_complete(sgk_pipe *);
int sgk_pipe_error(sgk_pipe *, sgk_value);
sgk_promise *sgk_promise_retain(sgk_promise *);
void sgk_promise_release(sgk_promise *);
sgk_value_promise *sgk_value_promise_retain(sgk_value_promise *);
void sgk_value_promise_release(sgk_value_promise *);
sgk_promise *sgk_promise_create(void);
sgk_promise *sgk_promise_create_value(sgk_value);
sgk_promise *sgk_promise_create_initialize_on_first_access(sgk_signal *);
int sgk_promise_set(sgk_promise *, sgk_signal *);
sgk_signal *sgk_promise_get(sgk_promise *);
int sgk_promise_on_deinit(sgk_promise *, sgk_function, void *, sgk_function);
sgk_value_promise *sgk_value_promise_create(bool);
sgk_value_promise *sgk_value_promise_create_value(sgk_value, bool);
int sgk_value_promise_set(sgk_value_promise *, sgk_value);
sgk_value sgk_value_promise_value(sgk_value_promise *);
int sgk_value_promise_modify(sgk_value_promise *, sgk_function, void *);
sgk_signal *sgk_value_promise_get(sgk_value_promise *);
sgk_queue *sgk_queue_retain(sgk_queue *);
void sgk_queue_release(sgk_queue *);
sgk_timer *sgk_timer_retain(sgk_timer *);
void sgk_timer_release(sgk_timer *);
sgk_queue *sgk_queue_create(const char *);
sgk_queue *sgk_queue_main(void);
sgk_queue *sgk_queue_concurrent_default(void);
sgk_queue *sgk_queue_concurrent_background(void);
bool sgk_queue_is_current(sgk_queue *);
int sgk_queue_async(sgk_queue *, sgk_function, void *, sgk_function);
int sgk_queue_sync(sgk_queue *, sgk_function, void *);
int sgk_queue_dispatch(sgk_queue *, sgk_function, void *, sgk_function);
sgk_disposable *sgk_queue_after(sgk_queue *, double, sgk_function, void *, sgk_function);
sgk_timer *sgk_timer_create(double, bool, sgk_function, void *, sgk_function, sgk_queue *);
int sgk_timer_start(sgk_timer *);
int sgk_timer_invalidate(sgk_timer *);
int sgk_timer_fire_and_invalidate(sgk_timer *);
int sgk_timer_reset_timeout(sgk_timer *, double);
bool sgk_timer_is_scheduled(sgk_timer *);
double sgk_timer_remaining_time(sgk_timer *);
double sgk_timer_timeout_date(sgk_timer *);
int sgk_drain(double);
int sgk_main_run(void);
int sgk_main_stop(void);
int sgk_main_fd(void);
int sgk_main_drain(void);
sgk_queue *sgk_queue_create_custom(const sgk_queue_table *, void *);
int64_t sgk_queue_dropped(sgk_queue *);
sgk_queue_local *sgk_queue_local_retain(sgk_queue_local *);
void sgk_queue_local_release(sgk_queue_local *);
sgk_queue_local *sgk_queue_local_create(sgk_function, sgk_function, void *, sgk_function, sgk_queue *);
void *sgk_queue_local_unsafe_get(sgk_queue_local *);
int sgk_queue_local_with(sgk_queue_local *, sgk_function, void *, sgk_function);
int sgk_queue_local_sync_with(sgk_queue_local *, sgk_function, void *);
sgk_signal *sgk_queue_local_signal_with(sgk_queue_local *, sgk_function, void *, sgk_function);
sgk_reader *sgk_reader_retain(sgk_reader *);
void sgk_reader_release(sgk_reader *);
sgk_reader *sgk_reader_create(sgk_signal *, int64_t, int, sgk_value, sgk_overflow_counter *);
int sgk_reader_next(sgk_reader *, double, sgk_value *);
int sgk_reader_fd(sgk_reader *);
int sgk_reader_when_ready(sgk_reader *, sgk_function, void *, sgk_function);
int sgk_reader_close(sgk_reader *);
int sgk_signal_get(sgk_signal *, double, sgk_value *);
int sgk_signal_collect(sgk_signal *, int64_t, double, sgk_value *);
sgk_multicast *sgk_multicast_retain(sgk_multicast *);
void sgk_multicast_release(sgk_multicast *);
sgk_multicast_signal_manager *sgk_multicast_signal_manager_retain(sgk_multicast_signal_manager *);
void sgk_multicast_signal_manager_release(sgk_multicast_signal_manager *);
sgk_sequencer *sgk_sequencer_retain(sgk_sequencer *);
void sgk_sequencer_release(sgk_sequencer *);
sgk_signal *sgk_signal_multicast(sgk_signal *);
sgk_signal *sgk_signal_share(sgk_signal *, int64_t, double, sgk_queue *);
sgk_multicast *sgk_multicast_create(void);
sgk_signal *sgk_multicast_get(sgk_multicast *, const char *, sgk_signal *);
sgk_multicast_signal_manager *sgk_multicast_signal_manager_create(void);
sgk_signal *sgk_multicast_signal_manager_multicasted_signal(sgk_multicast_signal_manager *, const char *,
    sgk_function, void *);
int sgk_multicast_signal_manager_start_standalone_signal_if_not_running(sgk_multicast_signal_manager *, const char
    *, sgk_function, void *);
sgk_signal *sgk_multicast_signal_manager_multicasted_pipe(sgk_multicast_signal_manager *, const char *);
int sgk_multicast_signal_manager_next(sgk_multicast_signal_manager *, const char *, sgk_value);
sgk_sequencer *sgk_sequencer_create(void);
sgk_signal *sgk_sequencer_enqueue(sgk_sequencer *, sgk_signal *);
sgk_signal *sgk_signal_retain(sgk_signal *);
void sgk_signal_release(sgk_signal *);
sgk_subscriber *sgk_subscriber_retain(sgk_subscriber *);
void sgk_subscriber_release(sgk_subscriber *);
sgk_signal *sgk_signal_create(sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_single(sgk_value);
sgk_signal *sgk_signal_complete(void);
sgk_signal *sgk_signal_fail(sgk_value);
sgk_signal *sgk_signal_never(void);
sgk_value sgk_signal_value(sgk_signal *);
sgk_signal *sgk_value_signal(sgk_value);
int sgk_subscriber_next(sgk_subscriber *, sgk_value);
int sgk_subscriber_error(sgk_subscriber *, sgk_value);
int sgk_subscriber_complete(sgk_subscriber *);
bool sgk_subscriber_is_active(sgk_subscriber *);
int sgk_subscriber_keep_alive(sgk_subscriber *, void *, sgk_function);
int sgk_subscriber_on_dispose(sgk_subscriber *, sgk_function, void *, sgk_function);
sgk_disposable *sgk_signal_start(sgk_signal *, const sgk_handlers *);
sgk_disposable *sgk_signal_start_waitable(sgk_signal *, const sgk_handlers *);
sgk_subscriber *sgk_subscriber_create(const sgk_handlers *);
sgk_disposable *sgk_signal_start_next(sgk_signal *, sgk_function, void *, sgk_function);
void sgk_set_unhandled_error_handler(sgk_function, void *, sgk_function);
void sgk_ignore_error(void *, sgk_value);
sgk_signal *sgk_signal_from_array(const sgk_value *, size_t);
sgk_signal *sgk_signal_from_iterator(sgk_function, void *, sgk_function);
sgk_signal *sgk_signal_range(int64_t, int64_t);
sgk_signal *sgk_signal_interval(double, sgk_queue *);
sgk_signal *sgk_signal_timer(double, sgk_queue *);
sgk_signal *sgk_signal_using(sgk_function, sgk_function, sgk_function, void *, sgk_function);
sgk_thread_pool *sgk_thread_pool_retain(sgk_thread_pool *);
void sgk_thread_pool_release(sgk_thread_pool *);
sgk_thread_pool *sgk_thread_pool_create(int, double);
sgk_disposable *sgk_thread_pool_add_task(sgk_thread_pool *, sgk_function, void *, sgk_function);
sgk_queue *sgk_thread_pool_next_queue(sgk_thread_pool *);
sgk_queue *sgk_thread_pool_queue(sgk_thread_pool *);
bool sgk_thread_pool_is_current_thread_in_pool(sgk_thread_pool *);
int sgk_thread_pool_shutdown(sgk_thread_pool *);
sgk_signature *sgk_signature_retain(sgk_signature *);
void sgk_signature_release(sgk_signature *);
sgk_signature *sgk_signature_create(const char *);
size_t sgk_signature_arity(sgk_signature *);
bool sgk_signature_uses_libffi(sgk_signature *);
sgk_disposable *sgk_signal_start_typed(sgk_signal *, sgk_function, sgk_signature *, sgk_function, sgk_signature *,
    sgk_function, sgk_signature *, void *, sgk_function);
sgk_signal *sgk_signal_map_typed(sgk_signal *, sgk_function, sgk_signature *, void *, sgk_function);
sgk_signal *sgk_signal_filter_typed(sgk_signal *, sgk_function, sgk_signature *, void *, sgk_function);
sgk_signal *sgk_signal_map_error_typed(sgk_signal *, sgk_function, sgk_signature *, void *, sgk_function);
sgk_signal *sgk_signal_before_next_typed(sgk_signal *, sgk_function, sgk_signature *, void *, sgk_function);
sgk_signal *sgk_signal_after_next_typed(sgk_signal *, sgk_function, sgk_signature *, void *, sgk_function);
sgk_signal *sgk_signal_distinct_until_changed_by_typed(sgk_signal *, sgk_function, sgk_signature *, void *,
    sgk_function);
sgk_signal *sgk_signal_reduce_left_typed(sgk_signal *, sgk_value, sgk_function, sgk_signature *, void *,
    sgk_function);
sgk_signal *sgk_signal_scan_typed(sgk_signal *, sgk_value, sgk_function, sgk_signature *, void *, sgk_function);
sgk_signal *sgk_signal_take_until_typed(sgk_signal *, sgk_function, sgk_signature *, void *, sgk_function);
sgk_signal *sgk_signal_take_while_typed(sgk_signal *, sgk_function, sgk_signature *, void *, sgk_function);
sgk_signal *sgk_signal_skip_while_typed(sgk_signal *, sgk_function, sgk_signature *, void *, sgk_function);
sgk_signal *sgk_signal_map_to_signal_typed(sgk_signal *, sgk_function, sgk_signature *, void *, sgk_function);
sgk_signal *sgk_signal_map_to_queue_typed(sgk_signal *, sgk_function, sgk_signature *, void *, sgk_function);
sgk_signal *sgk_signal_catch_typed(sgk_signal *, sgk_function, sgk_signature *, void *, sgk_function);
sgk_signal *sgk_signal_retry_if_typed(sgk_signal *, sgk_function, sgk_signature *, void *, sgk_function);
sgk_signal *sgk_combine_latest_typed(sgk_signal *const *, size_t, sgk_function, sgk_signature *, void *,
    sgk_function, sgk_queue *);
sgk_signal *sgk_signal_map_to_merged_typed(sgk_signal *, int64_t, int64_t, int, sgk_value, sgk_overflow_counter *,
    sgk_function, sgk_signature *, void *, sgk_function);
sgk_signal *sgk_signal_map_to_first_typed(sgk_signal *, sgk_function, sgk_signature *, void *, sgk_function);
sgk_signal *sgk_signal_with_latest_from_typed(sgk_signal *, sgk_signal *, sgk_function, sgk_signature *, void *,
    sgk_function);
sgk_signal *sgk_zip_typed(sgk_signal *const *, size_t, int64_t, int, sgk_value, sgk_overflow_counter *,
    sgk_function, sgk_signature *, void *, sgk_function);
sgk_signal *sgk_signal_before_error_typed(sgk_signal *, sgk_function, sgk_signature *, void *, sgk_function);
sgk_signal *sgk_signal_distinct_by_typed(sgk_signal *, int64_t, int, sgk_value, sgk_overflow_counter *,
    sgk_function, sgk_signature *, void *, sgk_function);
sgk_signal *sgk_signal_map_to_throttled_typed(sgk_signal *, sgk_function, sgk_signature *, void *, sgk_function);
sgk_signal *sgk_signal_reduce_left_generator_typed(sgk_signal *, sgk_value, sgk_function, sgk_signature *, void *,
    sgk_function);
sgk_signal *sgk_signal_retry_on_error_typed(sgk_signal *, double, double, int64_t, bool, sgk_function, sgk_signature
    *, void *, sgk_function, sgk_queue *);
sgk_signal *sgk_signal_retry_when_typed(sgk_signal *, sgk_function, sgk_signature *, void *, sgk_function);
sgk_value sgk_make_null(void);
sgk_value sgk_make_bool(bool);
sgk_value sgk_make_int(int64_t);
sgk_value sgk_make_double(double);
sgk_value sgk_make_pointer(void *);
bool sgk_get_bool(sgk_value);
int64_t sgk_get_int(sgk_value);
double sgk_get_double(sgk_value);
void *sgk_get_pointer(sgk_value);
sgk_value sgk_string(const char *);
sgk_value sgk_string_n(const char *, size_t);
sgk_value sgk_bytes(const void *, size_t);
sgk_value sgk_array(const sgk_value *, size_t);
const char *sgk_value_data(sgk_value, size_t *);
const sgk_value *sgk_array_items(sgk_value, size_t *);
sgk_value sgk_array_at(sgk_value, size_t);
sgk_value sgk_object_value(void *, const sgk_object_table *);
void *sgk_object_pointer(sgk_value);
sgk_value sgk_value_retain(sgk_value);
void sgk_value_release(sgk_value);
bool sgk_value_equal(sgk_value, sgk_value);
uint64_t sgk_value_hash(sgk_value);
size_t sgk_value_describe(sgk_value, char *, size_t);
const char *sgk_kind_text(int);
sgk_queue *sgk_queue_create_virtual(sgk_queue *);
double sgk_queue_now(sgk_queue *);
int sgk_queue_advance(sgk_queue *, double);
int sgk_queue_advance_to(sgk_queue *, double);
int64_t sgk_queue_run(sgk_queue *, int64_t);
int64_t sgk_queue_pending(sgk_queue *);
int sgk_queue_suspend(sgk_queue *, double);
]]

return {
    version = "1.0.0",
    UNBOUNDED = -1,
    FD_READ = 1,
    FD_WRITE = 2,
    FD_HANGUP = 4,
    FILE_READ = 1,
    FILE_WRITTEN = 2,
    FILE_ATTRIBUTES = 4,
    FILE_CLOSED = 8,
    FILE_MOVED_FROM = 64,
    FILE_MOVED_TO = 128,
    FILE_CREATED = 256,
    FILE_DELETED = 512,
    FILE_GONE = 1024,
    FILE_MOVED = 2048,
    FILE_IS_FOLDER = 1073741824,
    GIVEN = 1734964837,
    OK = 0,
    ERROR_NULL = -1,
    ERROR_HANDLE = -2,
    ERROR_ARGUMENT = -3,
    ERROR_ENDED = -4,
    ERROR_KIND = -5,
    ERROR_THREAD = -6,
    ERROR_SYSTEM = -7,
    ERROR_TIMEOUT = -8,
    ERROR_MEMORY = -9,
    ERROR_LEFT = -10,
    ERROR_COMPLETED = -11,
    ERROR_FAILED = -12,
    LIVE_SIGNAL = 0,
    LIVE_SUBSCRIBER = 1,
    LIVE_DISPOSABLE = 2,
    LIVE_QUEUE = 3,
    LIVE_TIMER = 4,
    LIVE_PIPE = 5,
    LIVE_VALUE = 6,
    LIVE_CALLBACK = 7,
    LIVE_PROMISE = 8,
    LIVE_VALUE_PROMISE = 9,
    LIVE_MULTICAST = 10,
    LIVE_SEQUENCER = 11,
    LIVE_THREAD_POOL = 12,
    LIVE_QUEUE_LOCAL = 13,
    LIVE_SIGNATURE = 14,
    LIVE_NATIVE = 15,
    LIVE_MULTICAST_SIGNAL_MANAGER = 16,
    LIVE_EVENT_LINK = 17,
    LIVE_LINK_BAG = 18,
    LIVE_OVERFLOW_COUNTER = 19,
    LIVE_READER = 20,
    DEBUG_TEXT = 0,
    DEBUG_DOT = 1,
    DEBUG_JSON = 2,
    TRACE_START = 0,
    TRACE_NEXT = 1,
    TRACE_ERROR = 2,
    TRACE_COMPLETED = 3,
    TRACE_DISPOSE = 4,
    TRACE_HOP = 5,
    TRACE_RETURN = 6,
    EVENT_NEXT = 0,
    EVENT_ERROR = 1,
    EVENT_COMPLETED = 2,
    TAKE_NOTHING = 0,
    TAKE_PASSTHROUGH = 1,
    TAKE_COMPLETE = 2,
    TAKE_PASSTHROUGH_AND_COMPLETE = 3,
    EDGE_LEADING = 1,
    EDGE_TRAILING = 2,
    EDGES_BOTH = 3,
    OVERFLOW_SUSPEND = 0,
    OVERFLOW_DROP_OLDEST = 1,
    OVERFLOW_DROP_NEWEST = 2,
    OVERFLOW_KEEP_LATEST = 3,
    OVERFLOW_ERROR = 4,
    OUTCOME_REPLACED = 0,
    OUTCOME_UNCHANGED = 16,
    OUTCOME_DROPPED = 17,
    OUTCOME_FAILED = 18,
    NULL = 0,
    BOOL = 1,
    INT = 2,
    DOUBLE = 3,
    POINTER = 4,
    STRING = 5,
    BYTES = 6,
    ARRAY = 7,
    SIGNAL = 8,
    OBJECT = 9,
}
