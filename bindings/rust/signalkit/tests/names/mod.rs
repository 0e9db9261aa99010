// Written by scripts/rust.py from bindings/api.json.

pub const OPERATORS: &[&str] = &[
    "fd", "lines", "bytes", "sink_fd", "unix_signal", "child", "file_changes", "combine_latest",
    "combine_latest_map", "combine_signals", "merge_signals", "zip", "zip_map", "race", "with_latest_from",
    "with_latest_from_map", "before_next", "after_next", "before_started", "before_error", "before_completed",
    "after_completed", "after_disposed", "with_state", "named", "trace", "switch_to_latest", "queued",
    "throttled", "take_until_replacement", "map_to_signal", "map_to_queue", "map_to_throttled",
    "reduce_left_generator", "merged", "map_to_merged", "map_to_first", "map_to_signal_per", "grouped_by", "map",
    "filter", "compact_map", "transform", "map_error", "ignore_values", "distinct_until_changed",
    "distinct_until_changed_by", "serialized", "reduce_left", "reduce_left_emitting", "scan", "pairwise",
    "enumerated", "to_array", "distinct", "distinct_by", "try_map", "try_filter", "to_events", "from_events",
    "deferred", "then", "catch", "accumulating_loop", "concat", "start_with", "end_with", "default_if_empty",
    "switch_if_empty", "catch_and_return", "restart", "repeat", "restart_if_error", "restart_or_map_error",
    "retry_if", "retry", "retry_on_error", "retry_backoff", "retry_when", "take", "take_until", "take_last",
    "last", "take_while", "skip", "skip_while", "first", "first_or", "skip_until_signal", "take_until_signal",
    "throttle", "debounce", "deliver_on", "deliver_on_thread_pool", "deliver_on_bounded", "run_on",
    "run_on_thread_pool", "delay", "suspend_aware_delay", "timeout", "blocking", "blocking_on", "chunked",
    "chunked_within", "chunked_by", "delay_each", "timeout_between", "throttle_edges", "timestamped",
    "time_interval", "take_for", "sample_on", "sample", "multicast", "share", "create", "single", "complete",
    "fail", "never", "from_array", "from_iterator", "range", "interval", "timer", "using",
];
