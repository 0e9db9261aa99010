# frozen_string_literal: true

# Written by scripts/ruby.py from bindings/api.json.

module SignalKit
  # @private The C interface.
  module C
    UNBOUNDED = -1
    FD_READ = 1
    FD_WRITE = 2
    FD_HANGUP = 4
    FILE_READ = 1
    FILE_WRITTEN = 2
    FILE_ATTRIBUTES = 4
    FILE_CLOSED = 8
    FILE_MOVED_FROM = 64
    FILE_MOVED_TO = 128
    FILE_CREATED = 256
    FILE_DELETED = 512
    FILE_GONE = 1024
    FILE_MOVED = 2048
    FILE_IS_FOLDER = 1073741824
    GIVEN = 1734964837
    OK = 0
    ERROR_NULL = -1
    ERROR_HANDLE = -2
    ERROR_ARGUMENT = -3
    ERROR_ENDED = -4
    ERROR_KIND = -5
    ERROR_THREAD = -6
    ERROR_SYSTEM = -7
    ERROR_TIMEOUT = -8
    ERROR_MEMORY = -9
    ERROR_LEFT = -10
    ERROR_COMPLETED = -11
    ERROR_FAILED = -12
    LIVE_SIGNAL = 0
    LIVE_SUBSCRIBER = 1
    LIVE_DISPOSABLE = 2
    LIVE_QUEUE = 3
    LIVE_TIMER = 4
    LIVE_PIPE = 5
    LIVE_VALUE = 6
    LIVE_CALLBACK = 7
    LIVE_PROMISE = 8
    LIVE_VALUE_PROMISE = 9
    LIVE_MULTICAST = 10
    LIVE_SEQUENCER = 11
    LIVE_THREAD_POOL = 12
    LIVE_QUEUE_LOCAL = 13
    LIVE_SIGNATURE = 14
    LIVE_NATIVE = 15
    LIVE_MULTICAST_SIGNAL_MANAGER = 16
    LIVE_EVENT_LINK = 17
    LIVE_LINK_BAG = 18
    LIVE_OVERFLOW_COUNTER = 19
    LIVE_READER = 20
    DEBUG_TEXT = 0
    DEBUG_DOT = 1
    DEBUG_JSON = 2
    TRACE_START = 0
    TRACE_NEXT = 1
    TRACE_ERROR = 2
    TRACE_COMPLETED = 3
    TRACE_DISPOSE = 4
    TRACE_HOP = 5
    TRACE_RETURN = 6
    EVENT_NEXT = 0
    EVENT_ERROR = 1
    EVENT_COMPLETED = 2
    TAKE_NOTHING = 0
    TAKE_PASSTHROUGH = 1
    TAKE_COMPLETE = 2
    TAKE_PASSTHROUGH_AND_COMPLETE = 3
    EDGE_LEADING = 1
    EDGE_TRAILING = 2
    EDGES_BOTH = 3
    OVERFLOW_SUSPEND = 0
    OVERFLOW_DROP_OLDEST = 1
    OVERFLOW_DROP_NEWEST = 2
    OVERFLOW_KEEP_LATEST = 3
    OVERFLOW_ERROR = 4
    OUTCOME_REPLACED = 0
    OUTCOME_UNCHANGED = 16
    OUTCOME_DROPPED = 17
    OUTCOME_FAILED = 18
    NULL = 0
    BOOL = 1
    INT = 2
    DOUBLE = 3
    POINTER = 4
    STRING = 5
    BYTES = 6
    ARRAY = 7
    SIGNAL = 8
    OBJECT = 9
    SIZES = { sgk_trace_event: 88, sgk_state_handlers: 72, sgk_backoff: 48, sgk_queue_table: 72, sgk_handlers: 64,
      sgk_value: 16, sgk_object_table: 48 }.freeze

    # By name: what is given, what is returned.
    FUNCTIONS = {
      sgk_version: [[], :string],
      sgk_status_text: [[:int], :string],
      sgk_last_error: [[], :string],
      sgk_last_status: [[], :int],
      sgk_clear_error: [[], :void],
      sgk_release: [[:pointer], :void],
      sgk_set_log_handler: [[:pointer, :size_t, :pointer], :void],
      sgk_live_count: [[:int], :int64],
      sgk_live_total: [[], :int64],
      sgk_live_text: [[:int], :string],
      sgk_callback_retain: [[:pointer], :pointer],
      sgk_callback_release: [[:pointer], :void],
      sgk_callback_create: [[:pointer, :uint64, :int64, :pointer, :size_t, :pointer], :pointer],
      sgk_callback_create_typed: [[:pointer, :uint64, :int64, :pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_callback_function: [[:pointer], :pointer],
      sgk_callback_signal: [[:pointer], :pointer],
      sgk_callback_disposable: [[:pointer], :pointer],
      sgk_signal_describe: [[:pointer], VALUE],
      sgk_signal_to_dot: [[:pointer], VALUE],
      sgk_signal_to_json: [[:pointer], VALUE],
      sgk_signal_named_at: [[:pointer, :string, :string, :int], :pointer],
      sgk_signal_trace_at: [[:pointer, :string, :string, :int], :pointer],
      sgk_debug_watch: [[:bool], :void],
      sgk_debug_graph: [[:int, :pointer, :size_t], :int],
      sgk_debug_dump: [[:pointer, :size_t], :int],
      sgk_trace_kind_text: [[:int], :string],
      sgk_set_trace_handler: [[:pointer, :size_t, :pointer], :void],
      sgk_trace_set_context: [[:uint64], :uint64],
      sgk_trace_context: [[], :uint64],
      sgk_signal_fd: [[:int64, :int64, :pointer], :pointer],
      sgk_signal_lines: [[:int64, :int64, :pointer], :pointer],
      sgk_signal_bytes: [[:int64, :int64, :pointer], :pointer],
      sgk_sink_fd: [[:pointer, :int64, :int64, :bool, :pointer], :pointer],
      sgk_signal_unix_signal: [[:int64, :pointer], :pointer],
      sgk_signal_child: [[:int64, :pointer], :pointer],
      sgk_signal_file_changes: [[:string, :int64, :pointer], :pointer],
      sgk_disposable_retain: [[:pointer], :pointer],
      sgk_disposable_release: [[:pointer], :void],
      sgk_disposable_dispose: [[:pointer], :int],
      sgk_disposable_dispose_and_wait: [[:pointer], :int],
      sgk_action_disposable_create: [[:pointer, :size_t, :pointer], :pointer],
      sgk_meta_disposable_create: [[], :pointer],
      sgk_meta_disposable_set: [[:pointer, :pointer], :int],
      sgk_disposable_set_create: [[], :pointer],
      sgk_disposable_set_add: [[:pointer, :pointer], :int],
      sgk_disposable_set_remove: [[:pointer, :pointer], :int],
      sgk_disposable_set_remove_last: [[:pointer], :int],
      sgk_disposable_dict_create: [[], :pointer],
      sgk_disposable_dict_set: [[:pointer, :uint64, :int64, :pointer], :int],
      sgk_disposable_state: [[:pointer], :string],
      sgk_disposable_strict: [[:pointer, :string, :int], :pointer],
      sgk_event_link_retain: [[:pointer], :pointer],
      sgk_event_link_release: [[:pointer], :void],
      sgk_link_bag_retain: [[:pointer], :pointer],
      sgk_link_bag_release: [[:pointer], :void],
      sgk_event_emitter_create: [[], :pointer],
      sgk_event_emitter_create_value: [[:uint64, :int64], :pointer],
      sgk_event_emitter_next: [[:pointer, :uint64, :int64], :int],
      sgk_event_emitter_error: [[:pointer, :uint64, :int64], :int],
      sgk_event_emitter_finish: [[:pointer], :int],
      sgk_event_link_on_next: [[:pointer, :pointer, :size_t, :pointer, :pointer], :int],
      sgk_event_link_on_error: [[:pointer, :pointer, :size_t, :pointer, :pointer], :int],
      sgk_event_link_on_finish: [[:pointer, :pointer, :size_t, :pointer, :pointer], :int],
      sgk_event_link_map: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_event_link_filter: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_event_link_compact_map: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_event_link_observer: [[:pointer], :pointer],
      sgk_event_link_unlink: [[:pointer], :int],
      sgk_event_link_signal: [[:pointer], :pointer],
      sgk_signal_link: [[:pointer], :pointer],
      sgk_link_bag_create: [[], :pointer],
      sgk_link_bag_add: [[:pointer, :pointer], :int],
      sgk_link_bag_clear: [[:pointer], :int],
      sgk_combine_latest: [[:pointer, :size_t, :pointer], :pointer],
      sgk_combine_latest_map: [[:pointer, :size_t, :pointer, :size_t, :pointer, :pointer], :pointer],
      sgk_combine_signals: [[:pointer, :size_t, :pointer, :pointer], :pointer],
      sgk_merge_signals: [[:pointer, :size_t], :pointer],
      sgk_zip: [[:pointer, :size_t, :int64, :int, :uint64, :int64, :pointer], :pointer],
      sgk_zip_map: [[:pointer, :size_t, :int64, :int, :uint64, :int64, :pointer, :pointer, :size_t, :pointer],
        :pointer],
      sgk_race: [[:pointer, :size_t], :pointer],
      sgk_signal_with_latest_from: [[:pointer, :pointer], :pointer],
      sgk_signal_with_latest_from_map: [[:pointer, :pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_before_next: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_after_next: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_before_started: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_before_error: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_before_completed: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_after_completed: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_after_disposed: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_with_state: [[:pointer, :pointer], :pointer],
      sgk_signal_named: [[:pointer, :string], :pointer],
      sgk_signal_trace: [[:pointer, :string], :pointer],
      sgk_signal_switch_to_latest: [[:pointer], :pointer],
      sgk_signal_queued: [[:pointer], :pointer],
      sgk_signal_throttled: [[:pointer], :pointer],
      sgk_signal_take_until_replacement: [[:pointer, :pointer], :pointer],
      sgk_signal_map_to_signal: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_map_to_queue: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_map_to_throttled: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_reduce_left_generator: [[:pointer, :uint64, :int64, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_merged: [[:pointer, :int64, :int64, :int, :uint64, :int64, :pointer], :pointer],
      sgk_signal_map_to_merged: [[:pointer, :int64, :int64, :int, :uint64, :int64, :pointer, :pointer, :size_t,
        :pointer], :pointer],
      sgk_signal_map_to_first: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_map_to_signal_per: [[:pointer, :int64, :int, :uint64, :int64, :pointer, :pointer, :pointer, :size_t,
        :pointer], :pointer],
      sgk_signal_grouped_by: [[:pointer, :int64, :int, :uint64, :int64, :pointer, :pointer, :pointer, :size_t,
        :pointer], :pointer],
      sgk_signal_map: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_filter: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_compact_map: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_transform: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_map_error: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_ignore_values: [[:pointer], :pointer],
      sgk_signal_distinct_until_changed: [[:pointer], :pointer],
      sgk_signal_distinct_until_changed_by: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_serialized: [[:pointer], :pointer],
      sgk_signal_reduce_left: [[:pointer, :uint64, :int64, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_reduce_left_emitting: [[:pointer, :uint64, :int64, :pointer, :size_t, :pointer], :pointer],
      sgk_emitter_next: [[:pointer, :uint64, :int64], :int],
      sgk_signal_scan: [[:pointer, :uint64, :int64, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_pairwise: [[:pointer], :pointer],
      sgk_signal_enumerated: [[:pointer], :pointer],
      sgk_signal_to_array: [[:pointer, :int64, :int, :uint64, :int64, :pointer], :pointer],
      sgk_signal_distinct: [[:pointer, :int64, :int, :uint64, :int64, :pointer], :pointer],
      sgk_signal_distinct_by: [[:pointer, :int64, :int, :uint64, :int64, :pointer, :pointer, :size_t, :pointer],
        :pointer],
      sgk_signal_try_map: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_try_filter: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_event_make_next: [[:uint64, :int64], VALUE],
      sgk_event_make_error: [[:uint64, :int64], VALUE],
      sgk_event_make_completed: [[], VALUE],
      sgk_signal_to_events: [[:pointer], :pointer],
      sgk_signal_from_events: [[:pointer], :pointer],
      sgk_signal_deferred: [[:pointer, :size_t, :pointer], :pointer],
      sgk_signal_then: [[:pointer, :pointer], :pointer],
      sgk_signal_catch: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_accumulating_loop: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_concat: [[:pointer, :size_t], :pointer],
      sgk_signal_start_with: [[:pointer, :uint64, :int64], :pointer],
      sgk_signal_end_with: [[:pointer, :uint64, :int64], :pointer],
      sgk_signal_default_if_empty: [[:pointer, :uint64, :int64], :pointer],
      sgk_signal_switch_if_empty: [[:pointer, :pointer], :pointer],
      sgk_signal_catch_and_return: [[:pointer, :uint64, :int64], :pointer],
      sgk_signal_restart: [[:pointer], :pointer],
      sgk_signal_repeat: [[:pointer, :int64], :pointer],
      sgk_signal_restart_if_error: [[:pointer], :pointer],
      sgk_signal_restart_or_map_error: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_retry_if: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_retry: [[:pointer, :double, :double, :bool, :pointer], :pointer],
      sgk_signal_retry_on_error: [[:pointer, :double, :double, :int64, :bool, :pointer, :size_t, :pointer, :pointer],
        :pointer],
      sgk_signal_retry_backoff: [[:pointer, :int64, :pointer, :bool, :pointer], :pointer],
      sgk_signal_retry_when: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_take: [[:pointer, :int64], :pointer],
      sgk_signal_take_until: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_take_last: [[:pointer, :int64], :pointer],
      sgk_signal_last: [[:pointer], :pointer],
      sgk_signal_take_while: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_skip: [[:pointer, :int64], :pointer],
      sgk_signal_skip_while: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_first: [[:pointer], :pointer],
      sgk_signal_first_or: [[:pointer, :uint64, :int64], :pointer],
      sgk_signal_skip_until_signal: [[:pointer, :pointer], :pointer],
      sgk_signal_take_until_signal: [[:pointer, :pointer], :pointer],
      sgk_signal_throttle: [[:pointer, :double, :pointer], :pointer],
      sgk_signal_debounce: [[:pointer, :double, :pointer], :pointer],
      sgk_signal_deliver_on: [[:pointer, :pointer], :pointer],
      sgk_signal_deliver_on_thread_pool: [[:pointer, :pointer], :pointer],
      sgk_signal_deliver_on_bounded: [[:pointer, :pointer, :int64, :int, :uint64, :int64, :pointer], :pointer],
      sgk_signal_run_on: [[:pointer, :pointer], :pointer],
      sgk_signal_run_on_thread_pool: [[:pointer, :pointer], :pointer],
      sgk_signal_delay: [[:pointer, :double, :pointer], :pointer],
      sgk_signal_suspend_aware_delay: [[:pointer, :double, :double, :pointer], :pointer],
      sgk_signal_timeout: [[:pointer, :double, :pointer, :pointer], :pointer],
      sgk_signal_blocking: [[:pointer, :double], :pointer],
      sgk_signal_blocking_on: [[:pointer, :double, :pointer], :pointer],
      sgk_signal_chunked: [[:pointer, :int64], :pointer],
      sgk_signal_chunked_within: [[:pointer, :int64, :double, :pointer], :pointer],
      sgk_signal_chunked_by: [[:pointer, :pointer, :int64], :pointer],
      sgk_signal_delay_each: [[:pointer, :double, :pointer, :int64, :int, :uint64, :int64, :pointer], :pointer],
      sgk_signal_timeout_between: [[:pointer, :double, :pointer, :pointer], :pointer],
      sgk_signal_throttle_edges: [[:pointer, :double, :int, :pointer], :pointer],
      sgk_signal_timestamped: [[:pointer, :pointer], :pointer],
      sgk_signal_time_interval: [[:pointer, :pointer], :pointer],
      sgk_signal_take_for: [[:pointer, :double, :pointer], :pointer],
      sgk_signal_sample_on: [[:pointer, :pointer], :pointer],
      sgk_signal_sample: [[:pointer, :double, :pointer], :pointer],
      sgk_overflow_counter_retain: [[:pointer], :pointer],
      sgk_overflow_counter_release: [[:pointer], :void],
      sgk_overflow_counter_create: [[], :pointer],
      sgk_overflow_counter_dropped: [[:pointer], :int64],
      sgk_overflow_counter_suspended: [[:pointer], :int64],
      sgk_pipe_retain: [[:pointer], :pointer],
      sgk_pipe_release: [[:pointer], :void],
      sgk_pipe_create: [[], :pointer],
      sgk_pipe_create_replay: [[], :pointer],
      sgk_pipe_signal: [[:pointer], :pointer],
      sgk_pipe_next: [[:pointer, :uint64, :int64], :int],
      sgk_pipe_complete: [[:pointer], :int],
      sgk_pipe_error: [[:pointer, :uint64, :int64], :int],
      sgk_promise_retain: [[:pointer], :pointer],
      sgk_promise_release: [[:pointer], :void],
      sgk_value_promise_retain: [[:pointer], :pointer],
      sgk_value_promise_release: [[:pointer], :void],
      sgk_promise_create: [[], :pointer],
      sgk_promise_create_value: [[:uint64, :int64], :pointer],
      sgk_promise_create_initialize_on_first_access: [[:pointer], :pointer],
      sgk_promise_set: [[:pointer, :pointer], :int],
      sgk_promise_get: [[:pointer], :pointer],
      sgk_promise_on_deinit: [[:pointer, :pointer, :size_t, :pointer], :int],
      sgk_value_promise_create: [[:bool], :pointer],
      sgk_value_promise_create_value: [[:uint64, :int64, :bool], :pointer],
      sgk_value_promise_set: [[:pointer, :uint64, :int64], :int],
      sgk_value_promise_value: [[:pointer], VALUE],
      sgk_value_promise_modify: [[:pointer, :pointer, :size_t], :int],
      sgk_value_promise_get: [[:pointer], :pointer],
      sgk_queue_retain: [[:pointer], :pointer],
      sgk_queue_release: [[:pointer], :void],
      sgk_timer_retain: [[:pointer], :pointer],
      sgk_timer_release: [[:pointer], :void],
      sgk_queue_create: [[:string], :pointer],
      sgk_queue_main: [[], :pointer],
      sgk_queue_concurrent_default: [[], :pointer],
      sgk_queue_concurrent_background: [[], :pointer],
      sgk_queue_is_current: [[:pointer], :bool],
      sgk_queue_async: [[:pointer, :pointer, :size_t, :pointer], :int],
      sgk_queue_sync: [[:pointer, :pointer, :size_t], :int],
      sgk_queue_dispatch: [[:pointer, :pointer, :size_t, :pointer], :int],
      sgk_queue_after: [[:pointer, :double, :pointer, :size_t, :pointer], :pointer],
      sgk_timer_create: [[:double, :bool, :pointer, :size_t, :pointer, :pointer], :pointer],
      sgk_timer_start: [[:pointer], :int],
      sgk_timer_invalidate: [[:pointer], :int],
      sgk_timer_fire_and_invalidate: [[:pointer], :int],
      sgk_timer_reset_timeout: [[:pointer, :double], :int],
      sgk_timer_is_scheduled: [[:pointer], :bool],
      sgk_timer_remaining_time: [[:pointer], :double],
      sgk_timer_timeout_date: [[:pointer], :double],
      sgk_drain: [[:double], :int],
      sgk_main_run: [[], :int],
      sgk_main_stop: [[], :int],
      sgk_main_fd: [[], :int],
      sgk_main_drain: [[], :int],
      sgk_queue_create_custom: [[:pointer, :size_t], :pointer],
      sgk_queue_dropped: [[:pointer], :int64],
      sgk_queue_local_retain: [[:pointer], :pointer],
      sgk_queue_local_release: [[:pointer], :void],
      sgk_queue_local_create: [[:pointer, :pointer, :size_t, :pointer, :pointer], :pointer],
      sgk_queue_local_unsafe_get: [[:pointer], :size_t],
      sgk_queue_local_with: [[:pointer, :pointer, :size_t, :pointer], :int],
      sgk_queue_local_sync_with: [[:pointer, :pointer, :size_t], :int],
      sgk_queue_local_signal_with: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_reader_retain: [[:pointer], :pointer],
      sgk_reader_release: [[:pointer], :void],
      sgk_reader_create: [[:pointer, :int64, :int, :uint64, :int64, :pointer], :pointer],
      sgk_reader_next: [[:pointer, :double, :pointer], :int],
      sgk_reader_fd: [[:pointer], :int],
      sgk_reader_when_ready: [[:pointer, :pointer, :size_t, :pointer], :int],
      sgk_reader_close: [[:pointer], :int],
      sgk_signal_get: [[:pointer, :double, :pointer], :int],
      sgk_signal_collect: [[:pointer, :int64, :double, :pointer], :int],
      sgk_multicast_retain: [[:pointer], :pointer],
      sgk_multicast_release: [[:pointer], :void],
      sgk_multicast_signal_manager_retain: [[:pointer], :pointer],
      sgk_multicast_signal_manager_release: [[:pointer], :void],
      sgk_sequencer_retain: [[:pointer], :pointer],
      sgk_sequencer_release: [[:pointer], :void],
      sgk_signal_multicast: [[:pointer], :pointer],
      sgk_signal_share: [[:pointer, :int64, :double, :pointer], :pointer],
      sgk_multicast_create: [[], :pointer],
      sgk_multicast_get: [[:pointer, :string, :pointer], :pointer],
      sgk_multicast_signal_manager_create: [[], :pointer],
      sgk_multicast_signal_manager_multicasted_signal: [[:pointer, :string, :pointer, :size_t], :pointer],
      sgk_multicast_signal_manager_start_standalone_signal_if_not_running: [[:pointer, :string, :pointer, :size_t],
        :int],
      sgk_multicast_signal_manager_multicasted_pipe: [[:pointer, :string], :pointer],
      sgk_multicast_signal_manager_next: [[:pointer, :string, :uint64, :int64], :int],
      sgk_sequencer_create: [[], :pointer],
      sgk_sequencer_enqueue: [[:pointer, :pointer], :pointer],
      sgk_signal_retain: [[:pointer], :pointer],
      sgk_signal_release: [[:pointer], :void],
      sgk_subscriber_retain: [[:pointer], :pointer],
      sgk_subscriber_release: [[:pointer], :void],
      sgk_signal_create: [[:pointer, :size_t, :pointer], :pointer],
      sgk_signal_single: [[:uint64, :int64], :pointer],
      sgk_signal_complete: [[], :pointer],
      sgk_signal_fail: [[:uint64, :int64], :pointer],
      sgk_signal_never: [[], :pointer],
      sgk_signal_value: [[:pointer], VALUE],
      sgk_value_signal: [[:uint64, :int64], :pointer],
      sgk_subscriber_next: [[:pointer, :uint64, :int64], :int],
      sgk_subscriber_error: [[:pointer, :uint64, :int64], :int],
      sgk_subscriber_complete: [[:pointer], :int],
      sgk_subscriber_is_active: [[:pointer], :bool],
      sgk_subscriber_keep_alive: [[:pointer, :size_t, :pointer], :int],
      sgk_subscriber_on_dispose: [[:pointer, :pointer, :size_t, :pointer], :int],
      sgk_signal_start: [[:pointer, :pointer], :pointer],
      sgk_signal_start_waitable: [[:pointer, :pointer], :pointer],
      sgk_subscriber_create: [[:pointer], :pointer],
      sgk_signal_start_next: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_set_unhandled_error_handler: [[:pointer, :size_t, :pointer], :void],
      sgk_ignore_error: [[:size_t, :uint64, :int64], :void],
      sgk_signal_from_array: [[:pointer, :size_t], :pointer],
      sgk_signal_from_iterator: [[:pointer, :size_t, :pointer], :pointer],
      sgk_signal_range: [[:int64, :int64], :pointer],
      sgk_signal_interval: [[:double, :pointer], :pointer],
      sgk_signal_timer: [[:double, :pointer], :pointer],
      sgk_signal_using: [[:pointer, :pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_thread_pool_retain: [[:pointer], :pointer],
      sgk_thread_pool_release: [[:pointer], :void],
      sgk_thread_pool_create: [[:int, :double], :pointer],
      sgk_thread_pool_add_task: [[:pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_thread_pool_next_queue: [[:pointer], :pointer],
      sgk_thread_pool_queue: [[:pointer], :pointer],
      sgk_thread_pool_is_current_thread_in_pool: [[:pointer], :bool],
      sgk_thread_pool_shutdown: [[:pointer], :int],
      sgk_signature_retain: [[:pointer], :pointer],
      sgk_signature_release: [[:pointer], :void],
      sgk_signature_create: [[:string], :pointer],
      sgk_signature_arity: [[:pointer], :size_t],
      sgk_signature_uses_libffi: [[:pointer], :bool],
      sgk_signal_start_typed: [[:pointer, :pointer, :pointer, :pointer, :pointer, :pointer, :pointer, :size_t,
        :pointer], :pointer],
      sgk_signal_map_typed: [[:pointer, :pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_filter_typed: [[:pointer, :pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_map_error_typed: [[:pointer, :pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_before_next_typed: [[:pointer, :pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_after_next_typed: [[:pointer, :pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_distinct_until_changed_by_typed: [[:pointer, :pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_reduce_left_typed: [[:pointer, :uint64, :int64, :pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_scan_typed: [[:pointer, :uint64, :int64, :pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_take_until_typed: [[:pointer, :pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_take_while_typed: [[:pointer, :pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_skip_while_typed: [[:pointer, :pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_map_to_signal_typed: [[:pointer, :pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_map_to_queue_typed: [[:pointer, :pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_catch_typed: [[:pointer, :pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_retry_if_typed: [[:pointer, :pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_combine_latest_typed: [[:pointer, :size_t, :pointer, :pointer, :size_t, :pointer, :pointer], :pointer],
      sgk_signal_map_to_merged_typed: [[:pointer, :int64, :int64, :int, :uint64, :int64, :pointer, :pointer, :pointer,
        :size_t, :pointer], :pointer],
      sgk_signal_map_to_first_typed: [[:pointer, :pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_with_latest_from_typed: [[:pointer, :pointer, :pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_zip_typed: [[:pointer, :size_t, :int64, :int, :uint64, :int64, :pointer, :pointer, :pointer, :size_t,
        :pointer], :pointer],
      sgk_signal_before_error_typed: [[:pointer, :pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_distinct_by_typed: [[:pointer, :int64, :int, :uint64, :int64, :pointer, :pointer, :pointer, :size_t,
        :pointer], :pointer],
      sgk_signal_map_to_throttled_typed: [[:pointer, :pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_signal_reduce_left_generator_typed: [[:pointer, :uint64, :int64, :pointer, :pointer, :size_t, :pointer],
        :pointer],
      sgk_signal_retry_on_error_typed: [[:pointer, :double, :double, :int64, :bool, :pointer, :pointer, :size_t,
        :pointer, :pointer], :pointer],
      sgk_signal_retry_when_typed: [[:pointer, :pointer, :pointer, :size_t, :pointer], :pointer],
      sgk_make_null: [[], VALUE],
      sgk_make_bool: [[:bool], VALUE],
      sgk_make_int: [[:int64], VALUE],
      sgk_make_double: [[:double], VALUE],
      sgk_make_pointer: [[:size_t], VALUE],
      sgk_get_bool: [[:uint64, :int64], :bool],
      sgk_get_int: [[:uint64, :int64], :int64],
      sgk_get_double: [[:uint64, :int64], :double],
      sgk_get_pointer: [[:uint64, :int64], :size_t],
      sgk_string: [[:string], VALUE],
      sgk_string_n: [[:string, :size_t], VALUE],
      sgk_bytes: [[:pointer, :size_t], VALUE],
      sgk_array: [[:pointer, :size_t], VALUE],
      sgk_value_data: [[:uint64, :int64, :pointer], :pointer],
      sgk_array_items: [[:uint64, :int64, :pointer], :pointer],
      sgk_array_at: [[:uint64, :int64, :size_t], VALUE],
      sgk_object_value: [[:size_t, :pointer], VALUE],
      sgk_object_pointer: [[:uint64, :int64], :size_t],
      sgk_value_retain: [[:uint64, :int64], VALUE],
      sgk_value_release: [[:uint64, :int64], :void],
      sgk_value_equal: [[:uint64, :int64, :uint64, :int64], :bool],
      sgk_value_hash: [[:uint64, :int64], :uint64],
      sgk_value_describe: [[:uint64, :int64, :pointer, :size_t], :size_t],
      sgk_kind_text: [[:int], :string],
      sgk_queue_create_virtual: [[:pointer], :pointer],
      sgk_queue_now: [[:pointer], :double],
      sgk_queue_advance: [[:pointer, :double], :int],
      sgk_queue_advance_to: [[:pointer, :double], :int],
      sgk_queue_run: [[:pointer, :int64], :int64],
      sgk_queue_pending: [[:pointer], :int64],
      sgk_queue_suspend: [[:pointer, :double], :int]
    }.freeze

    # They may keep their thread.
    WAITING = %i[
      sgk_disposable_dispose_and_wait sgk_queue_sync sgk_drain sgk_main_run sgk_queue_local_sync_with
      sgk_reader_next sgk_signal_get sgk_signal_collect
    ].freeze
  end
end
