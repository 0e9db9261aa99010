//! The C interface of SignalKit 1.0.0 as it stands: see its headers for the rules.
//!
//! Its safe face is the crate `signalkit`.

// Written by scripts/rust.py from bindings/api.json.

#![allow(non_camel_case_types)]
#![no_std]

use core::ffi::c_void;
use core::marker::{PhantomData, PhantomPinned};

// As in `std::os::raw`, on all systems that the library is made for.
type c_int = i32;
#[cfg(any(target_arch = "aarch64", target_arch = "riscv64"))]
type c_char = u8;
#[cfg(not(any(target_arch = "aarch64", target_arch = "riscv64")))]
type c_char = i8;

/// The version of the library that these declarations are of.
pub const VERSION: &str = "1.0.0";

/// In place of a limit: none.
pub const SGK_UNBOUNDED: i64 = -1;
/// Something can be read, or there is nothing more to read.
pub const SGK_FD_READ: i64 = 1;
/// Something can be written.
pub const SGK_FD_WRITE: i64 = 2;
/// The other side is gone. Told with the others, asked for or not.
pub const SGK_FD_HANGUP: i64 = 4;
/// The file was read.
pub const SGK_FILE_READ: i64 = 1;
/// The file was written to, or made shorter.
pub const SGK_FILE_WRITTEN: i64 = 2;
/// Its owner, its permissions, its times, or its links have changed.
pub const SGK_FILE_ATTRIBUTES: i64 = 4;
/// It was closed by who could write to it.
pub const SGK_FILE_CLOSED: i64 = 8;
/// Something was moved out of the folder; or within it, under its old name.
pub const SGK_FILE_MOVED_FROM: i64 = 64;
/// Something was moved into the folder; or within it, under its new name.
pub const SGK_FILE_MOVED_TO: i64 = 128;
/// Something was made in the folder.
pub const SGK_FILE_CREATED: i64 = 256;
/// Something in the folder was deleted.
pub const SGK_FILE_DELETED: i64 = 512;
/// What is watched was deleted itself, and nobody has it open any more.
pub const SGK_FILE_GONE: i64 = 1024;
/// What is watched was moved itself.
pub const SGK_FILE_MOVED: i64 = 2048;
/// Beside another: it has happened to a folder.
pub const SGK_FILE_IS_FOLDER: i64 = 1073741824;
/// What sgk_give writes into a value.
pub const SGK_GIVEN: u32 = 1734964837;

/// What a call came to: SGK_OK, or a negative code.
pub type sgk_status = i32;
/// done
pub const SGK_OK: sgk_status = 0;
/// a required argument is NULL
pub const SGK_ERROR_NULL: sgk_status = -1;
/// not a live handle of the kind that is needed here
pub const SGK_ERROR_HANDLE: sgk_status = -2;
/// an argument is out of range
pub const SGK_ERROR_ARGUMENT: sgk_status = -3;
/// dropped: ended or disposed already
pub const SGK_ERROR_ENDED: sgk_status = -4;
/// a value is not of the kind that is needed here
pub const SGK_ERROR_KIND: sgk_status = -5;
/// called on a thread that this is not meant for
pub const SGK_ERROR_THREAD: sgk_status = -6;
/// the system refused
pub const SGK_ERROR_SYSTEM: sgk_status = -7;
/// the time was over before
pub const SGK_ERROR_TIMEOUT: sgk_status = -8;
/// there is no memory left
pub const SGK_ERROR_MEMORY: sgk_status = -9;
/// a callback was left without return: nothing is delivered any more
pub const SGK_ERROR_LEFT: sgk_status = -10;
/// the signal has completed: there is no value
pub const SGK_ERROR_COMPLETED: sgk_status = -11;
/// the signal has failed: its error stands for the value
pub const SGK_ERROR_FAILED: sgk_status = -12;

/// A kind of object that is counted.
pub type sgk_live = u32;
/// signal
pub const SGK_LIVE_SIGNAL: sgk_live = 0;
/// subscriber
pub const SGK_LIVE_SUBSCRIBER: sgk_live = 1;
/// disposable
pub const SGK_LIVE_DISPOSABLE: sgk_live = 2;
/// queue
pub const SGK_LIVE_QUEUE: sgk_live = 3;
/// timer
pub const SGK_LIVE_TIMER: sgk_live = 4;
/// pipe
pub const SGK_LIVE_PIPE: sgk_live = 5;
/// boxed value
pub const SGK_LIVE_VALUE: sgk_live = 6;
/// callback
pub const SGK_LIVE_CALLBACK: sgk_live = 7;
/// promise
pub const SGK_LIVE_PROMISE: sgk_live = 8;
/// value promise
pub const SGK_LIVE_VALUE_PROMISE: sgk_live = 9;
/// multicast
pub const SGK_LIVE_MULTICAST: sgk_live = 10;
/// sequencer
pub const SGK_LIVE_SEQUENCER: sgk_live = 11;
/// thread pool
pub const SGK_LIVE_THREAD_POOL: sgk_live = 12;
/// object of a queue
pub const SGK_LIVE_QUEUE_LOCAL: sgk_live = 13;
/// signature
pub const SGK_LIVE_SIGNATURE: sgk_live = 14;
/// native callback
pub const SGK_LIVE_NATIVE: sgk_live = 15;
/// multicast signal manager
pub const SGK_LIVE_MULTICAST_SIGNAL_MANAGER: sgk_live = 16;
/// event link
pub const SGK_LIVE_EVENT_LINK: sgk_live = 17;
/// link bag
pub const SGK_LIVE_LINK_BAG: sgk_live = 18;
/// overflow counter
pub const SGK_LIVE_OVERFLOW_COUNTER: sgk_live = 19;
/// reader
pub const SGK_LIVE_READER: sgk_live = 20;

/// How sgk_debug_graph writes.
pub type sgk_debug_format = u32;
/// text
pub const SGK_DEBUG_TEXT: sgk_debug_format = 0;
/// dot
pub const SGK_DEBUG_DOT: sgk_debug_format = 1;
/// json
pub const SGK_DEBUG_JSON: sgk_debug_format = 2;

/// What a trace handler is told. A hop: the next event, which is told afterwards, has come from another thread than the
/// one on which it is now. A dispose: the stage has been let go, after its end or without one. A return: the run's
/// callback, whose call was told as next, error or completed, has returned. (Told of the ends of runs alone.)
pub type sgk_trace_kind = u32;
/// start
pub const SGK_TRACE_START: sgk_trace_kind = 0;
/// next
pub const SGK_TRACE_NEXT: sgk_trace_kind = 1;
/// error
pub const SGK_TRACE_ERROR: sgk_trace_kind = 2;
/// completed
pub const SGK_TRACE_COMPLETED: sgk_trace_kind = 3;
/// dispose
pub const SGK_TRACE_DISPOSE: sgk_trace_kind = 4;
/// hop
pub const SGK_TRACE_HOP: sgk_trace_kind = 5;
/// return
pub const SGK_TRACE_RETURN: sgk_trace_kind = 6;

/// An event as a value is an array of two: one of these numbers, as an int, and the value or the error (null for the
/// end).
pub type sgk_event_kind = u32;
/// A value.
pub const SGK_EVENT_NEXT: sgk_event_kind = 0;
/// The end, with an error.
pub const SGK_EVENT_ERROR: sgk_event_kind = 1;
/// The end without one.
pub const SGK_EVENT_COMPLETED: sgk_event_kind = 2;

/// What sgk_signal_take_until does about a value: pass it on, complete, both (in this order) or neither.
pub type sgk_take_action = u32;
/// Drop the value.
pub const SGK_TAKE_NOTHING: sgk_take_action = 0;
/// Pass it on.
pub const SGK_TAKE_PASSTHROUGH: sgk_take_action = 1;
/// Drop it, and complete.
pub const SGK_TAKE_COMPLETE: sgk_take_action = 2;
/// Pass it on, then complete.
pub const SGK_TAKE_PASSTHROUGH_AND_COMPLETE: sgk_take_action = 3;

/// Which values of an interval sgk_signal_throttle_edges emits. An interval begins with a value; and right after one at
/// the end of which a value was emitted.
pub type sgk_edges = u32;
/// The one that begins it, at once. What comes meanwhile is dropped.
pub const SGK_EDGE_LEADING: sgk_edges = 1;
/// The latest of those that came, when it is over.
pub const SGK_EDGE_TRAILING: sgk_edges = 2;
/// Both: this is sgk_signal_throttle.
pub const SGK_EDGES_BOTH: sgk_edges = 3;

/// What becomes of a value for which there is no room.
pub type sgk_overflow = u32;
/// The emitting thread is blocked until there is room. Not where that would wait for itself (on the queue, or inside
/// the callback): there the bound is exceeded instead.
pub const SGK_OVERFLOW_SUSPEND: sgk_overflow = 0;
/// The value that has waited longest is dropped.
pub const SGK_OVERFLOW_DROP_OLDEST: sgk_overflow = 1;
/// The new value is dropped.
pub const SGK_OVERFLOW_DROP_NEWEST: sgk_overflow = 2;
/// All that wait are dropped: the new value alone is kept.
pub const SGK_OVERFLOW_KEEP_LATEST: sgk_overflow = 3;
/// The new value is dropped, the source disposed, and the run fails when what waits has been delivered.
pub const SGK_OVERFLOW_ERROR: sgk_overflow = 4;

/// What stands in the field `reserved` of the value that a transformation returns.
pub type sgk_outcome = u32;
/// The value is emitted.
pub const SGK_OUTCOME_REPLACED: sgk_outcome = 0;
/// What was given is passed on as it is.
pub const SGK_OUTCOME_UNCHANGED: sgk_outcome = 16;
/// Nothing is emitted.
pub const SGK_OUTCOME_DROPPED: sgk_outcome = 17;
/// The run ends with the value as its error.
pub const SGK_OUTCOME_FAILED: sgk_outcome = 18;

/// The kind of a value.
pub type sgk_kind = u32;
/// null
pub const SGK_NULL: sgk_kind = 0;
/// bool
pub const SGK_BOOL: sgk_kind = 1;
/// int
pub const SGK_INT: sgk_kind = 2;
/// double
pub const SGK_DOUBLE: sgk_kind = 3;
/// pointer
pub const SGK_POINTER: sgk_kind = 4;
/// string
pub const SGK_STRING: sgk_kind = 5;
/// bytes
pub const SGK_BYTES: sgk_kind = 6;
/// array
pub const SGK_ARRAY: sgk_kind = 7;
/// signal
pub const SGK_SIGNAL: sgk_kind = 8;
/// object
pub const SGK_OBJECT: sgk_kind = 9;

/// A native callback. Its function can be called from any thread until the last reference is released: then no call may
/// begin any more, so the library that knows the pointer is to be told first. A call that runs at that moment, on
/// another thread or further up on this one, goes on undisturbed; the memory is freed at its end. In the child of a
/// `fork` it works as in the parent, and each may release its own. It is not for signal handlers, in which no function
/// of this library may be called.
#[repr(C)]
pub struct sgk_callback {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// What can be disposed of: a subscription, an action, or a container of others.
#[repr(C)]
pub struct sgk_disposable {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// A link of a chain: it can be observed, and other links can be derived from it. A link owns the one above, so a chain
/// is held by its last link, and by a sgk_link_bag that this is in. Values that nobody has observed yet are kept for
/// the first handler of values; those who come after the end are told of it. Handlers are called in the order of
/// registration, one event at a time: what is emitted from inside a handler, or meanwhile on another thread, comes
/// after it. A link is not told when its chain is let go. At most 500 links can hang on each other: to derive one more
/// is an error.
#[repr(C)]
pub struct sgk_event_link {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Owns the last links of chains: when it is cleared, or goes, it unlinks them, in the order in which they were added.
#[repr(C)]
pub struct sgk_link_bag {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Counts what overflows, of any number of runs.
#[repr(C)]
pub struct sgk_overflow_counter {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// A hot source. It sends each value to the subscriptions that are active at that moment.
/// A plain pipe stores nothing. A replaying pipe stores the latest value for new subscriptions.
/// Order: one event at a time. An event that is sent during a delivery, on another thread or inside a callback, is
/// queued. The delivering thread delivers it next.
#[repr(C)]
pub struct sgk_pipe {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Holds the latest value of whichever signal it was set to last, and passes it on: first the value that is there, then
/// each new one. (A signal in C can always fail, so this is Swift's Variable as well: an error of the source is ignored
/// like its completion, the value stays.)
#[repr(C)]
pub struct sgk_promise {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Holds a value and passes it on: first the value that is there, then each one that is set.
#[repr(C)]
pub struct sgk_value_promise {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Runs work. A serial queue and the main queue run one job at a time, in order.
#[repr(C)]
pub struct sgk_queue {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Calls a function on a queue after a delay, once or repeatedly.
#[repr(C)]
pub struct sgk_timer {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// An object that is made, used and let go on one serial queue only; the handle may be used from any thread. (Swift's
/// QueueLocalObject.) When the last reference goes, the object is let go on the queue.
#[repr(C)]
pub struct sgk_queue_local {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Runs a signal and keeps its values until they are asked for: a bounded queue between those who emit and those who
/// read. When the last reference goes it is closed. In the child of a fork a reader of the parent is closed.
#[repr(C)]
pub struct sgk_reader {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Shares one run of a signal per key among all who listen at the same time.
#[repr(C)]
pub struct sgk_multicast {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Signals that are shared by name, runs that nobody listens to, and pipes by name. When the last reference goes, the
/// runs without listeners are disposed. Keys are copied, and compared byte by byte; the producers are called without a
/// lock, on the calling thread, before the call returns (so they need no `destroy`), and what they return becomes the
/// library's.
#[repr(C)]
pub struct sgk_multicast_signal_manager {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Runs signals one at a time, in the order in which they were started, whoever starts them (SignalQueue in Swift).
/// When the last reference goes, the signal that runs is disposed and those that wait are let go; nobody is told.
#[repr(C)]
pub struct sgk_sequencer {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// A recipe for a stream of values, which runs anew for every start: two starts run the generator, and every operator
/// above, twice. Immutable.
/// At most 500 stages can stand one behind another, as events go down the stack through all of them; an operator on a
/// signal that has so many fails with SGK_ERROR_ARGUMENT. Neighbouring maps, filters, transforms and the like count as
/// one, up to 128 of them; successors (sgk_signal_then) do not count, however they are nested; nor does what a callback
/// returns while the signal runs: a callback of sgk_signal_map_to_signal or sgk_signal_deferred that goes on returning
/// such signals needs memory for each, and no stack. (Where more than half of the stack is used, events take turns:
/// those that pass through so many signals are left to whoever has brought them that far. A callback that emits into
/// another source there may return before its value has arrived. On a stack that the program has made itself, as for a
/// coroutine, each level takes up to a kilobyte of it.)
#[repr(C)]
pub struct sgk_signal {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// What a generator emits into: the upper end of a run.
#[repr(C)]
pub struct sgk_subscriber {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// A fixed number of threads that run tasks. When the last reference goes, or by sgk_thread_pool_shutdown, the tasks
/// that wait are let go, those that run come to their end, and the threads end.
#[repr(C)]
pub struct sgk_thread_pool {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// A compiled signature. Immutable; one serves any number of registrations, which keep what they need of it.
#[repr(C)]
pub struct sgk_signature {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Emits from inside a step of sgk_signal_reduce_left_emitting.
#[repr(C)]
pub struct sgk_emitter {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Called when the last use of a callback's context is gone.
pub type sgk_destroy_fn = Option<unsafe extern "C" fn(*mut c_void)>;

/// Receives a message of the library, on the thread that it arose on, so perhaps on several at once. The message is
/// borrowed for the call.
pub type sgk_log_fn = Option<unsafe extern "C" fn(*mut c_void, *const c_char)>;

/// Receives a piece of a text: `length` bytes at `text`, borrowed for the call, and not ended by a NUL.
pub type sgk_write_fn = Option<unsafe extern "C" fn(*mut c_void, *const c_char, usize)>;

/// Called with each thing that happens to a watched run, before it is passed on, on the thread on which it happens, so
/// perhaps on several at once. It may dispose what it looks at, and use the library in any other way; what happens to
/// runs inside of the call is not told (but for disposals). `event` is borrowed for the call.
pub type sgk_trace_fn = Option<unsafe extern "C" fn(*mut c_void, *const sgk_trace_event)>;

/// What an action disposable runs.
pub type sgk_action_fn = Option<unsafe extern "C" fn(*mut c_void)>;

/// Makes a value, which becomes the library's, of `count` values, which are borrowed for the call, as is the array.
pub type sgk_map_array_fn = Option<unsafe extern "C" fn(*mut c_void, *const sgk_value, usize) -> sgk_value>;

/// Makes a signal of a value (or of an error). What it returns becomes the library's: a signal that the callback keeps,
/// it returns retained. NULL stands for a signal that completes at once; a handle of another kind does too, with an
/// error.
pub type sgk_map_to_signal_fn = Option<unsafe extern "C" fn(*mut c_void, sgk_value) -> *mut sgk_signal>;

/// Makes a signal of the accumulated value and a value, owned by the library then (see sgk_map_to_signal_fn). Each of
/// its values is an array: of the new accumulated value, or of that and a value to be passed on at once. Any other
/// value ends the result with that value as the error.
pub type sgk_reduce_generator_fn = Option<unsafe extern "C" fn(*mut c_void, sgk_value, sgk_value) -> *mut sgk_signal>;

/// Makes a signal of a key and the signal of the values that have it. Both are borrowed; what it returns becomes the
/// library's (NULL stands for a signal that completes at once).
pub type sgk_pipeline_fn = Option<unsafe extern "C" fn(*mut c_void, sgk_value, *mut sgk_signal) -> *mut sgk_signal>;

/// Makes a value of a value. What it returns becomes the library's (rule 5).
pub type sgk_map_fn = Option<unsafe extern "C" fn(*mut c_void, sgk_value) -> sgk_value>;

/// Whether a value is to pass.
pub type sgk_filter_fn = Option<unsafe extern "C" fn(*mut c_void, sgk_value) -> bool>;

/// Whether two values count as the same.
pub type sgk_equal_fn = Option<unsafe extern "C" fn(*mut c_void, sgk_value, sgk_value) -> bool>;

/// Whether there is a result, which is then stored in `*result` (null before). What is stored becomes the library's in
/// any case.
pub type sgk_compact_map_fn = Option<unsafe extern "C" fn(*mut c_void, sgk_value, *mut sgk_value) -> bool>;

/// Makes the next accumulated value of the last one and a value. What it returns becomes the library's:
/// `sgk_value_retain(accumulated)` to leave it as it is.
pub type sgk_reduce_fn = Option<unsafe extern "C" fn(*mut c_void, sgk_value, sgk_value) -> sgk_value>;

/// As sgk_reduce_fn; what it gives to sgk_emitter_next is emitted at once.
pub type sgk_reduce_emitting_fn = Option<unsafe extern "C" fn(*mut c_void, sgk_value, sgk_value, *mut sgk_emitter) ->
    sgk_value>;

/// Makes a value of a value and stores it in `*result` (null before), or fails: with any status but SGK_OK the run ends
/// with what is stored there as its error, or with the status, as an int, if nothing is. What is stored becomes the
/// library's in any case.
pub type sgk_try_map_fn = Option<unsafe extern "C" fn(*mut c_void, sgk_value, *mut sgk_value) -> sgk_status>;

/// Says in `*passes` (false before) whether a value is to pass, or fails as a sgk_try_map_fn does, with what it stores
/// in `*error`.
pub type sgk_try_filter_fn = Option<unsafe extern "C" fn(*mut c_void, sgk_value, *mut bool, *mut sgk_value) ->
    sgk_status>;

/// Makes a signal, which becomes the library's. NULL stands for a signal that completes at once; a handle of another
/// kind does too, with an error.
pub type sgk_deferred_fn = Option<unsafe extern "C" fn(*mut c_void) -> *mut sgk_signal>;

/// Makes the signal of the next round, which becomes the library's. `accumulated` points to what has been accumulated,
/// borrowed for the call; it is NULL as long as there was no value. NULL ends the loop; a handle of another kind does
/// too, with an error.
pub type sgk_loop_fn = Option<unsafe extern "C" fn(*mut c_void, *const sgk_value) -> *mut sgk_signal>;

/// Whether to start again after an error; if not, the error to fail with is stored in `*other` (null before). What is
/// stored becomes the library's in any case: `sgk_value_retain(error)` to fail with the same one.
pub type sgk_restart_fn = Option<unsafe extern "C" fn(*mut c_void, sgk_value, *mut sgk_value) -> bool>;

/// Makes the signal that says when to start again after an `error`, the failure of this number (from 1 on). It becomes
/// the library's; NULL stands for one that completes at once.
pub type sgk_retry_when_fn = Option<unsafe extern "C" fn(*mut c_void, sgk_value, i64) -> *mut sgk_signal>;

/// Says what is to be done about a value.
pub type sgk_take_until_fn = Option<unsafe extern "C" fn(*mut c_void, sgk_value) -> sgk_take_action>;

/// Puts at `result` what becomes of `value`, which is borrowed; what is put there becomes the library's. Anything but
/// SGK_OK: nothing changes.
pub type sgk_modify_fn = Option<unsafe extern "C" fn(*mut c_void, sgk_value, *mut sgk_value) -> sgk_status>;

/// Work for a queue.
pub type sgk_work_fn = Option<unsafe extern "C" fn(*mut c_void)>;

/// Told by a loop what a descriptor is ready for: SGK_FD_READ, SGK_FD_WRITE, SGK_FD_HANGUP (descriptors.h). An error
/// that waits there counts as what was asked for.
pub type sgk_ready_fn = Option<unsafe extern "C" fn(*mut c_void, i64)>;

/// Makes the object.
pub type sgk_make_object_fn = Option<unsafe extern "C" fn(*mut c_void) -> *mut c_void>;

/// Uses the object.
pub type sgk_use_object_fn = Option<unsafe extern "C" fn(*mut c_void, *mut c_void)>;

/// As sgk_generator_fn, with the object.
pub type sgk_object_generator_fn = Option<unsafe extern "C" fn(*mut c_void, *mut c_void, *mut sgk_subscriber) -> *mut
    sgk_disposable>;

/// Emits into `subscriber`, now or later, from any thread. The subscriber is borrowed: retain it to emit after having
/// returned. Returns what stops the source, owned, or NULL for nothing; it is disposed exactly once, at the end or at
/// the disposal of the run. (A handle of another kind is left alone, with an error: the run then has nothing to stop.)
pub type sgk_generator_fn = Option<unsafe extern "C" fn(*mut c_void, *mut sgk_subscriber) -> *mut sgk_disposable>;

/// Makes a value of a value, which becomes the library's; or says something else about it by sgk_unchanged, sgk_dropped
/// or sgk_failed.
pub type sgk_transform_fn = Option<unsafe extern "C" fn(*mut c_void, sgk_value) -> sgk_value>;

/// Receives a value.
pub type sgk_next_fn = Option<unsafe extern "C" fn(*mut c_void, sgk_value)>;

/// Receives the error that ended the run.
pub type sgk_error_fn = Option<unsafe extern "C" fn(*mut c_void, sgk_value)>;

/// Is told of the end.
pub type sgk_completed_fn = Option<unsafe extern "C" fn(*mut c_void)>;

/// Is given the run's disposable before the generator runs, so that a source that emits inside the start can be
/// stopped. It is the handle that the start will return, and lives as long as that one; retain it to keep it longer.
pub type sgk_started_fn = Option<unsafe extern "C" fn(*mut c_void, *mut sgk_disposable)>;

/// Receives an `error` that has ended a run without an error callback, and the `name` of its signal (see
/// sgk_signal_named), or NULL. Both are borrowed for the call, which comes once a run, on the thread that brought the
/// error.
pub type sgk_unhandled_error_fn = Option<unsafe extern "C" fn(*mut c_void, sgk_value, *const c_char)>;

/// Stores the next item in `*item` (null before) and returns true; false when there are no more, or, with
/// sgk_failed(error) in `*item`, to fail. What is stored becomes the library's in any case.
pub type sgk_iterator_fn = Option<unsafe extern "C" fn(*mut c_void, *mut sgk_value) -> bool>;

/// Makes the resource of a run, on the starting thread.
pub type sgk_acquire_fn = Option<unsafe extern "C" fn(*mut c_void) -> *mut c_void>;

/// Makes the signal that uses a resource, which becomes the library's (NULL stands for one that completes at once).
pub type sgk_use_fn = Option<unsafe extern "C" fn(*mut c_void, *mut c_void) -> *mut sgk_signal>;

/// Any function; it is called by what its signature says.
pub type sgk_function = Option<unsafe extern "C" fn()>;

/// Something that has happened to a run. Its texts are borrowed for the call, and may be NULL.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sgk_trace_event {
    /// sizeof(sgk_trace_event) of the library that fills it.
    pub size: usize,
    /// What has happened.
    pub kind: sgk_trace_kind,
    /// The line in `file`.
    pub line: i32,
    /// Where it was named (sgk_signal_named_at).
    pub file: *const c_char,
    /// Its name, or that of the nearest signal above it.
    pub name: *const c_char,
    /// The operator: "map_to_queue"; "run" for the end of a run, with the callbacks.
    pub operation: *const c_char,
    /// Its number.
    pub run: i64,
    /// The number of what it feeds; of a run, that in whose callback it was started; or 0.
    pub parent: i64,
    /// Of a hop: the thread that the event has come from.
    pub from_thread: i64,
    /// The system's number of this thread, or one of the library's where it tells none.
    pub thread: i64,
    /// Seconds of the clock that never jumps.
    pub time: f64,
    /// What sgk_trace_set_context had set where the run was started.
    pub context: u64,
}
const _: [(); 88] = [(); core::mem::size_of::<sgk_trace_event>()];

/// What sgk_signal_with_state calls. Any but `initial_state` may be NULL; `state` is what that has returned for the
/// run.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sgk_state_handlers {
    /// sizeof(sgk_state_handlers)
    pub size: usize,
    /// Given to each callback.
    pub context: *mut c_void,
    /// Called with `context` when none can be called any more.
    pub destroy: sgk_destroy_fn,
    /// Makes the state of a run, on the starting thread.
    pub initial_state: Option<unsafe extern "C" fn(*mut c_void) -> *mut c_void>,
    /// Called with the state when the run has let go of it.
    pub drop: sgk_destroy_fn,
    /// Before a value is passed on.
    pub next: Option<unsafe extern "C" fn(*mut c_void, *mut c_void, sgk_value)>,
    /// Before the error is passed on.
    pub error: Option<unsafe extern "C" fn(*mut c_void, *mut c_void, sgk_value)>,
    /// Before completion is passed on.
    pub completed: Option<unsafe extern "C" fn(*mut c_void, *mut c_void)>,
    /// Once, as the callback of sgk_signal_after_disposed.
    pub disposed: Option<unsafe extern "C" fn(*mut c_void, *mut c_void)>,
}
const _: [(); 72] = [(); core::mem::size_of::<sgk_state_handlers>()];

/// How long sgk_signal_retry_backoff waits.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sgk_backoff {
    /// sizeof(sgk_backoff)
    pub size: usize,
    /// Seconds before the second attempt; 0 or more.
    pub initial: f64,
    /// Each further wait is so many times as long; 1 or more.
    pub factor: f64,
    /// No wait is longer, in seconds.
    pub max: f64,
    /// From 0 to 1: by which part of it each wait is made longer or shorter, by chance, at most.
    pub jitter: f64,
    /// Makes the chance the same in each run, for tests; 0 takes another for each.
    pub seed: u64,
}
const _: [(); 48] = [(); core::mem::size_of::<sgk_backoff>()];

/// How a loop runs work. `dispatch` must be there; what else is NULL has a meaning of its own. Each function gets the
/// `context` that the queue was made with, may be called on any thread unless its comment says otherwise, and must be
/// ready for that until `release`.
/// `dispatch` and `after` are of the shape, and keep the promises, of sgk_queue_dispatch: `work(work_context)` runs at
/// most once; `destroy(work_context)` exactly once, after it, or instead of it when the loop has ended; both are never
/// NULL. So no work is lost silently: whoever waits for it in sgk_queue_sync is told, and sgk_queue_dropped counts it.
/// A loop that cannot take the work refuses it, by a negative status. It may have called `destroy` before it returns
/// that, as sgk_queue_dispatch does; it must not afterwards: if it has not, the library does.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sgk_queue_table {
    /// sizeof(sgk_queue_table)
    pub size: usize,
    /// Runs the work later on the loop, never inside this call: in the order of the calls, and one at a time. SGK_OK:
    /// the loop calls `destroy`. Negative: refused (see above), and sgk_queue_dispatch returns SGK_ERROR_ENDED.
    pub dispatch: Option<unsafe extern "C" fn(*mut c_void, sgk_work_fn, *mut c_void, sgk_destroy_fn) -> sgk_status>,
    /// Whether the caller runs on the loop's thread, so that work may run inline. NULL: only inside the queue's own
    /// work, which the library knows.
    pub is_current: Option<unsafe extern "C" fn(*mut c_void) -> bool>,
    /// Runs the work on the loop in `seconds`, 0 or more. Called rarely: for the earliest deadline of all timers. It
    /// may be early by the clock's rounding. NULL: the library keeps the time, and brings what is due by `dispatch`.
    pub after: Option<unsafe extern "C" fn(*mut c_void, f64, sgk_work_fn, *mut c_void, sgk_destroy_fn) -> sgk_status>,
    /// The clock of `after`, in seconds; never goes back. NULL: CLOCK_MONOTONIC. Without `after` it is not used.
    pub now: Option<unsafe extern "C" fn(*mut c_void) -> f64>,
    /// Called once when the queue is made, and once, on whichever thread lets go last, when no function of the table
    /// will be called again.
    pub retain: Option<unsafe extern "C" fn(*mut c_void)>,
    /// See `retain`.
    pub release: Option<unsafe extern "C" fn(*mut c_void)>,
    /// Watches a descriptor of the library's, for the signals of descriptors.h: calls `ready(ready_context, …)` once,
    /// on the loop, as soon as `fd` is ready for one of `events`, or its other side is gone; then, or when it is called
    /// off or the loop ends, `destroy(ready_context)`, exactly once. Called on the loop, also inside of `ready`, for
    /// the next time. Negative, without having called `ready`: the loop cannot watch such a descriptor (many cannot
    /// watch files), and a thread of the library's does; `destroy` as for `dispatch`. NULL: that thread watches all.
    pub watch: Option<unsafe extern "C" fn(*mut c_void, c_int, i64, sgk_ready_fn, *mut c_void, sgk_destroy_fn) ->
        sgk_status>,
    /// Called on the loop: lets go of `fd`, which is closed afterwards, if it watches that. Not NULL with `watch`.
    pub unwatch: Option<unsafe extern "C" fn(*mut c_void, c_int)>,
}
const _: [(); 72] = [(); core::mem::size_of::<sgk_queue_table>()];

/// The callbacks of a run. Any may be NULL. They run on the thread that emits, or where the last operator delivers.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sgk_handlers {
    /// sizeof(sgk_handlers)
    pub size: usize,
    /// Given to each callback.
    pub context: *mut c_void,
    /// Called with `context` when none of them can be called any more.
    pub destroy: sgk_destroy_fn,
    /// Receives each value.
    pub next: sgk_next_fn,
    /// Receives the error that ends the run. NULL: see sgk_set_unhandled_error_handler, and sgk_ignore_error.
    pub error: sgk_error_fn,
    /// Is told of the end without an error.
    pub completed: sgk_completed_fn,
    /// Is given the run's disposable, before anything is emitted.
    pub started: sgk_started_fn,
    /// As `next`, and in its place, for a callback that can fail: when it returns sgk_failed(error) the run is
    /// disposed, and ends with that error. What else it returns does not matter; sgk_unchanged() is the quickest.
    pub receive: sgk_transform_fn,
}
const _: [(); 64] = [(); core::mem::size_of::<sgk_handlers>()];

/// A value: a kind and a payload. Make and read it with the functions below; the fields are public for speed and for
/// other languages.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sgk_value {
    /// A sgk_kind.
    pub kind: u32,
    /// 0; SGK_GIVEN; or a sgk_outcome, in what a callback returns. The rest is later versions': never set it.
    pub reserved: u32,
    /// By kind: 0 or 1; an int64_t; the bits of a double; a pointer; a pointer to a box.
    pub bits: u64,
}
const _: [(); 16] = [(); core::mem::size_of::<sgk_value>()];

/// What the library needs to know about foreign objects. Any function may be NULL. They are called on whichever thread
/// handles the value.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sgk_object_table {
    /// sizeof(sgk_object_table)
    pub size: usize,
    /// Called once when a value is made of the object.
    pub retain: Option<unsafe extern "C" fn(*mut c_void)>,
    /// Called once when the last reference to the value goes.
    pub release: Option<unsafe extern "C" fn(*mut c_void)>,
    /// Asked about two objects whose tables have this same function. Others are equal if they are the same pointer.
    pub equal: Option<unsafe extern "C" fn(*mut c_void, *mut c_void) -> bool>,
    /// By default, of the pointer.
    pub hash: Option<unsafe extern "C" fn(*mut c_void) -> u64>,
    /// Like snprintf.
    pub describe: Option<unsafe extern "C" fn(*mut c_void, *mut c_char, usize) -> usize>,
}
const _: [(); 48] = [(); core::mem::size_of::<sgk_object_table>()];

extern "C" {
    /// The library's version, "MAJOR.MINOR.PATCH". Static.
    pub fn sgk_version() -> *const c_char;
    /// The text of a status code; for an unknown one, a text that says so. Static.
    pub fn sgk_status_text(status: sgk_status) -> *const c_char;
    /// What went wrong in the last failing call on this thread, as "function: argument: reason"; "" when nothing has.
    /// Valid until the next call of the library on this thread.
    pub fn sgk_last_error() -> *const c_char;
    /// The status of the last failing call on this thread; SGK_OK when there was none.
    pub fn sgk_last_status() -> sgk_status;
    /// Forgets the last error of this thread.
    pub fn sgk_clear_error();
    /// Drops a reference to a handle of this library of any kind, so it can be the destroy function of a context that
    /// is a handle. (Those of the companions have functions of their own.) NULL does nothing.
    pub fn sgk_release(handle: *mut c_void);
    /// Directs the library's messages (strict disposables let go too early, misuse found by SIGNALKIT_DEBUG=1, errors
    /// that nobody handles, sgk_signal_trace, a main queue that nobody runs) to `log`; NULL goes back to stderr. The
    /// former handler's `destroy` runs when no call of it can be running any more.
    pub fn sgk_set_log_handler(log: sgk_log_fn, context: *mut c_void, destroy: sgk_destroy_fn);
    /// How many objects of a kind are alive: handles that somebody holds (a promise also by what its signals are kept
    /// by), boxed values, and callbacks whose `destroy` has not run yet. (What the process has one of, as the handler
    /// of the log, does not count.) -1 for an unknown kind. Always counted, each thread by itself. While other threads
    /// make and release objects it may be too high, never too low.
    pub fn sgk_live_count(kind: sgk_live) -> i64;
    /// The sum over all kinds: 0 when a program has let go of everything and nothing runs. Never too low, either: 0
    /// says that there was a moment during the call at which nothing was alive.
    pub fn sgk_live_total() -> i64;
    /// The text of a kind of live object; for an unknown one, a text that says so. Static.
    pub fn sgk_live_text(kind: sgk_live) -> *const c_char;
    /// Adds a reference and returns its argument.
    pub fn sgk_callback_retain(handle: *mut sgk_callback) -> *mut sgk_callback;
    /// Drops a reference.
    pub fn sgk_callback_release(handle: *mut sgk_callback);
    /// Makes a function of this signature, whose calls become the events of sgk_callback_signal, on the calling thread.
    /// What it returns:
    /// - without a `handler` (NULL): `result`, which must fit the signature; null stands for zero, NULL or nothing;
    /// - with one: what `handler(context, values, count)` makes of the arguments; it is called after the event has been
    ///   delivered, several times at once when several threads call. `result` is returned in its place when that is
    ///   null, when it does not fit the signature (which also ends the runs of the signal with an error that says so),
    ///   and after disposal. A result of `cstr` or `text` can only be fixed, and a handler's `ptr` be a pointer or
    ///   null: a string or an object of its own would not outlive the call. An argument that cannot become a value (a
    ///   u64 above INT64_MAX) ends the runs with an error; the handler is not called.
    pub fn sgk_callback_create(signature: *mut sgk_signature, result: sgk_value, handler: sgk_map_array_fn, context:
        *mut c_void, destroy: sgk_destroy_fn) -> *mut sgk_callback;
    /// As sgk_callback_create (also as to `result`) with a `handler` of a natural signature, `handler_signature`, which
    /// takes as many values: `compare(context, a, b)` as "(ctx, ptr, ptr) -> i32" answers for a function of "(ptr, ptr)
    /// -> i32".
    pub fn sgk_callback_create_typed(signature: *mut sgk_signature, result: sgk_value, handler: sgk_function,
        handler_signature: *mut sgk_signature, context: *mut c_void, destroy: sgk_destroy_fn) -> *mut sgk_callback;
    /// The function. NULL for NULL, with an error.
    pub fn sgk_callback_function(callback: *mut sgk_callback) -> sgk_function;
    /// Its calls as events: null for a function without parameters, the argument of one of one parameter, an array of
    /// several. Delivered on the calling thread before the call returns, one at a time: a call that comes while another
    /// one's event is being delivered leaves its own to that. It completes at disposal. Neither the signal nor a run
    /// keeps the callback: when the last reference goes, the runs are let go without an event.
    pub fn sgk_callback_signal(callback: *mut sgk_callback) -> *mut sgk_signal;
    /// What ends it: the signal completes, the handler is not called any more and its context goes, and calls return
    /// `result`. It keeps the callback: the function may be called until this is released as well.
    pub fn sgk_callback_disposable(callback: *mut sgk_callback) -> *mut sgk_disposable;
    /// Describes a signal as text: one stage in a line, from its end to its sources, each source further in:
    /// map filter named "clock" (clock.c:12) interval 0.5 s
    /// The result is a string, owned by the caller; null for what is no signal, with an error. Operators have the names
    /// of their functions, without sgk_signal_; what the library makes an operator of may stand there as well. Signals
    /// that callbacks make while a run goes on are not known before. A signal of which several others are made is
    /// described once, and stands there as `take 3 (as above)` then. More than 64 stages one behind another stand no
    /// further in.
    pub fn sgk_signal_describe(signal: *mut sgk_signal) -> sgk_value;
    /// The same as a graph for Graphviz (`dot -Tsvg`), in which events flow along the arrows. A string, owned by the
    /// caller; null for what is no signal, with an error.
    pub fn sgk_signal_to_dot(signal: *mut sgk_signal) -> sgk_value;
    /// The same as a JSON object: `operator` and, where there is something to say, `parameter`, `name`, `file`, `line`,
    /// and `sources`, an array of such objects. A signal that has come before has `same` in place of its sources: the
    /// number of the object that it has there, when those without `same` are counted from 0. A string, owned by the
    /// caller; null for what is no signal, with an error.
    pub fn sgk_signal_to_json(signal: *mut sgk_signal) -> sgk_value;
    /// sgk_signal_named that also says where: `sgk_signal_named_at(signal, "cpu", SGK_HERE)`. `name` and `file` are
    /// copied; `file` may be NULL, for nowhere (`line` is nothing then).
    pub fn sgk_signal_named_at(signal: *mut sgk_signal, name: *const c_char, file: *const c_char, line: c_int) -> *mut
        sgk_signal;
    /// sgk_signal_trace that also says where: `name`, `file` and `line` as for sgk_signal_named_at. `file` may be NULL.
    pub fn sgk_signal_trace_at(signal: *mut sgk_signal, name: *const c_char, file: *const c_char, line: c_int) -> *mut
        sgk_signal;
    /// Has what is started from now on watched (true), or not watched by this any more (false). Each true needs a
    /// false: a library and its program do not disturb each other. More of the latter do nothing.
    pub fn sgk_debug_watch(on: bool);
    /// Writes what runs, as far as it is watched: each run with its stages, and for each stage its operator and
    /// parameter, name and place, how many values it has passed on and got, how many wait in it, since when. It calls
    /// `write(context, …)`, once or several times, before it returns; the callback may do whatever it likes, as all was
    /// copied before, and no lock is held. Other threads may emit meanwhile: each number is right at some moment during
    /// the call.
    /// SGK_DEBUG_JSON is one object, in one line:
    /// - `version` (1), `time` (seconds of the clock that all times here are of), `pid`;
    /// - `runs`: an array with an object for each stage, and one for the end of each run (`operator` is "run"): `id`
    ///   and `parent`, numbers that no two of a process share (of a run, `parent` is the one in whose callback it was
    ///   started, or 0); `operator`, `parameter` and `name` (texts, or null); `file` (text or null) and `line`;
    ///   `values` (passed on), `in` (got from sources), `waiting`, `errors`, `dropped`; `age` and `idle` (seconds since
    ///   the start and since the last event), `thread` (of the last event), `busy` (how long the callback that runs now
    ///   has been running, else 0) and `slowest` (the longest call of a callback), in seconds; `context` (see
    ///   sgk_trace_set_context); `state`: "running", "completed" or "failed";
    /// - `queues`: the library's own serial queues and, once it is used, the main queue, whether anything is watched or
    ///   not: `name` (text or null), `depth` (how many jobs wait or run), `done` (how many have run, or were let go),
    ///   `running` (whether a thread is at them). A job is a function for the queue, or a turn of a signal's values.
    ///   What runs on the thread that waits for it (sgk_queue_sync of an idle queue) is no job;
    /// - `live`: what sgk_live_count says, by its names.
    /// A newer library may say more.
    pub fn sgk_debug_graph(format: sgk_debug_format, write: sgk_write_fn, context: *mut c_void) -> sgk_status;
    /// Writes down what is alive: how many objects of each kind (see sgk_live_count). With SIGNALKIT_DEBUG=1 in the
    /// environment also what the program holds references to (handles, and values with a count), and its runs, in
    /// groups of what it got in the same place, the largest first: how many of which kind and name, how many references
    /// are held, how old, and the place: the function of the library, and behind it its callers, as far as the loader
    /// has their names (with musl the place is not known). What sgk_debug_graph writes as text follows.
    /// The handles and values are those of one moment before the first call of `write`. It may be called from any
    /// thread, while others make and release objects, and `write` may do whatever it likes. `write` may be NULL: then
    /// it is written to the standard error output, as for a debugger. SGK_ERROR_MEMORY when there is no memory for it.
    /// With SIGNALKIT_DEBUG=leaks, which is SIGNALKIT_DEBUG=1 besides, a program that ends with anything alive writes
    /// the same to the standard error output, after the functions given to `atexit` have run.
    pub fn sgk_debug_dump(write: sgk_write_fn, context: *mut c_void) -> sgk_status;
    /// The text of a kind of trace event; for an unknown one, a text that says so. Static.
    pub fn sgk_trace_kind_text(kind: sgk_trace_kind) -> *const c_char;
    /// Has `handler` told of all that happens to what is started from now on, until another is set; NULL ends it. The
    /// former handler's `destroy` runs when no call of it can be running any more.
    pub fn sgk_set_trace_handler(handler: sgk_trace_fn, context: *mut c_void, destroy: sgk_destroy_fn);
    /// Sets the calling thread's value for traces, which says nothing to the library (the number of a span, an
    /// address). A run that is started has that value from then on, and with it all that it starts; it is the thread's
    /// inside of the run's callbacks, on whichever thread they are called, as far as the run is watched. Returns the
    /// value that was there: 0 at first.
    pub fn sgk_trace_set_context(value: u64) -> u64;
    /// The calling thread's value for traces: inside the callbacks of a watched run, that of the run.
    pub fn sgk_trace_context() -> u64;
    /// Lets other programs of this user ask what runs here: sgk-top, or any that writes a line to a Unix socket and
    /// reads one (docs/debugging.md has the requests). The socket is made at `path`, in which `%p` stands for the
    /// number of the process, with permissions for its owner alone; one that was left over there is taken over,
    /// anything else is not. From then on what is started is watched, and one thread serves those who ask, until the
    /// socket is set elsewhere. `path` may be NULL, for no socket any more: when this returns it is gone, and so are
    /// all connections. They go with the process, too; the child of a fork has none of them. SIGNALKIT_INSPECT=path
    /// does the same when the program first makes a handle, and the log says it if that is not possible.
    /// SGK_ERROR_ARGUMENT: the path is too long (107 bytes are the most on Linux); SGK_ERROR_SYSTEM: the socket or the
    /// thread could not be made. There is none then.
    pub fn sgk_debug_inspect(path: *const c_char) -> sgk_status;
    /// Emits ints, the bits of what `fd` is ready for (SGK_FD_READ, SGK_FD_WRITE, SGK_FD_HANGUP), of those that
    /// `events` has: once, and again when that has been handled, as long as it is so. So who does not read gets the
    /// same again; a regular file is always ready. Reading and writing is the program's affair. Completes when nothing
    /// but SGK_FD_HANGUP is left, which it emits before (not of a socket, which stays readable: who has read its end
    /// disposes); fails with the error that waits at a socket, and with EPIPE when nobody reads the pipe that `fd`
    /// writes to. `events` is SGK_FD_READ, SGK_FD_WRITE, or both.
    pub fn sgk_signal_fd(fd: i64, events: i64, queue: *mut sgk_queue) -> *mut sgk_signal;
    /// Reads lines from `fd`, and emits each as a string, without the newline; what else there is, NULs and carriage
    /// returns, stays. What comes after the last newline is a line, unless it is empty. Completes at the end of what
    /// there is to read. A line of more than `limit` bytes (1 or more) fails the run with EMSGSIZE, after the lines
    /// before it. Up to 64 KiB are read at once, what is longer than a line included: of that nobody else hears.
    pub fn sgk_signal_lines(fd: i64, limit: i64, queue: *mut sgk_queue) -> *mut sgk_signal;
    /// Reads from `fd`, at most `chunk` bytes (1 or more) at once, and emits them as bytes as they come. Completes at
    /// the end of what there is to read. Not for sockets of datagrams, where an empty one would be the end.
    pub fn sgk_signal_bytes(fd: i64, chunk: i64, queue: *mut sgk_queue) -> *mut sgk_signal;
    /// Writes the strings and bytes that `signal` emits to `fd`, on `queue`, one after another without anything between
    /// them; any other kind of value fails the run with EINVAL. Emits nothing; completes, or fails, as `signal` does,
    /// when all before that is written. At most `limit` bytes (1 or more) wait, or one value that is longer, beside as
    /// many that are being written: who emits more is blocked until there is room, or the run is disposed. On `queue`
    /// itself, where that would wait for itself, as much is written as can be, and if that is not enough the run fails
    /// with ENOBUFS. When nobody reads any more: EPIPE. Disposal drops what waits. With `closes`, `fd` becomes the
    /// run's, and is closed when it is over, before its end is told, also after a failure; so such a signal is started
    /// once. Without, it stays as it is. Not for sockets of datagrams, of which it knows no borders.
    pub fn sgk_sink_fd(signal: *mut sgk_signal, fd: i64, limit: i64, closes: bool, queue: *mut sgk_queue) -> *mut
        sgk_signal;
    /// Emits the int `signo` for each such signal that comes to the process (several that come at once may be one; what
    /// raise and pthread_kill send is for one thread, and does not come here). Never completes. It must be blocked, by
    /// pthread_sigmask, in all threads, before any other is made: where it is not blocked it does what it does
    /// otherwise, which may end the program. If it is not in the thread that starts a run, the run fails with EINVAL,
    /// and the error's text says that; if it is not in another one, each start writes a warning to the log. (The
    /// library's own threads block all signals; programs that are started by this one inherit the mask.) Of several
    /// runs for one signal each gets some: share one. Only on Linux; elsewhere fails with ENOTSUP.
    pub fn sgk_signal_unix_signal(signo: i64, queue: *mut sgk_queue) -> *mut sgk_signal;
    /// Waits for the end of the child process `pid`, emits how it was, and completes: its exit status, 0 or more, or
    /// less than 0, the signal that has ended it (-9 for SIGKILL). The child is reaped by that, and no other is: start
    /// it before anything else waits for it, or this fails with ECHILD, as it does for a process that is none of this
    /// one's children, and for each that ends where SIGCHLD is ignored. A child that is not waited for any more, as the
    /// run was disposed, is the program's to reap. Needs Linux 5.3, or fails with ENOSYS; on other systems ENOTSUP.
    pub fn sgk_signal_child(pid: i64, queue: *mut sgk_queue) -> *mut sgk_signal;
    /// Emits what happens to the file at `path`, or to the folder and what is in it, of what `mask` has (the bits
    /// SGK_FILE_…, which are inotify's IN_…): arrays of an int, one of those bits, with SGK_FILE_IS_FOLDER perhaps; a
    /// string, the name in the folder, empty for what is watched itself; and an int that is the same for both halves of
    /// a renaming, otherwise 0. `path` is copied. Completes when what is watched is gone, or is not mounted any more;
    /// fails with ENOBUFS when so much has happened that some of it is lost (look anew, and start again), with ENOSPC
    /// when there are too many watches. Only on Linux; elsewhere fails with ENOTSUP.
    pub fn sgk_signal_file_changes(path: *const c_char, mask: i64, queue: *mut sgk_queue) -> *mut sgk_signal;
    /// Adds a reference and returns its argument.
    pub fn sgk_disposable_retain(handle: *mut sgk_disposable) -> *mut sgk_disposable;
    /// Drops a reference.
    pub fn sgk_disposable_release(handle: *mut sgk_disposable);
    /// Disposes. Any thread; inside callbacks too; more than once is allowed and does nothing. What the disposable does
    /// runs on the calling thread.
    pub fn sgk_disposable_dispose(disposable: *mut sgk_disposable) -> sgk_status;
    /// Disposes `disposable`, a run that sgk_signal_start_waitable has started, and returns when no callback of it runs
    /// on any other thread: what they use, but for the context, whose `destroy` may be about to run, can be torn down
    /// then. SGK_ERROR_THREAD from inside a callback of the run, which of course still runs: the run is disposed all
    /// the same, and the last error is left alone. Two callbacks of different runs that wait for each other's run do
    /// wait for ever. For any other disposable (one made strict of such a run is none) SGK_ERROR_HANDLE, and nothing
    /// happens.
    pub fn sgk_disposable_dispose_and_wait(disposable: *mut sgk_disposable) -> sgk_status;
    /// A disposable that runs `action(context)` when it is disposed, on the disposing thread: at most once, whatever
    /// the number of threads. Letting it go does not run it.
    pub fn sgk_action_disposable_create(action: sgk_action_fn, context: *mut c_void, destroy: sgk_destroy_fn) -> *mut
        sgk_disposable;
    /// A container that holds at most one disposable, which is disposed with it.
    pub fn sgk_meta_disposable_create() -> *mut sgk_disposable;
    /// Stores `child` (NULL: none), then disposes the one that was there. On a disposed container the child is disposed
    /// at once. Setting the one that is there already changes nothing.
    pub fn sgk_meta_disposable_set(meta: *mut sgk_disposable, child: *mut sgk_disposable) -> sgk_status;
    /// A container that holds any number of disposables, and disposes them in the order in which they were added. A run
    /// that is over, by its end or its disposal, leaves the set; one whose source has gone without an end stays if
    /// there is something left to dispose.
    pub fn sgk_disposable_set_create() -> *mut sgk_disposable;
    /// Adds `member`; on a disposed set it is disposed at once. A member that is added twice is held twice; a run that
    /// is over is not added.
    pub fn sgk_disposable_set_add(set: *mut sgk_disposable, member: *mut sgk_disposable) -> sgk_status;
    /// Takes the first occurrence of `member` out, in constant time, without disposing it; an unknown one is no error.
    pub fn sgk_disposable_set_remove(set: *mut sgk_disposable, member: *mut sgk_disposable) -> sgk_status;
    /// Takes the member that was added last out, without disposing it; an empty set is no error.
    pub fn sgk_disposable_set_remove_last(set: *mut sgk_disposable) -> sgk_status;
    /// A container that holds a disposable per key, and disposes all of them. A run that is over leaves it, as with a
    /// set.
    pub fn sgk_disposable_dict_create() -> *mut sgk_disposable;
    /// Stores `member` under `key` (any value, which is retained), then disposes the one that was there; NULL only
    /// removes and disposes. On a disposed container the member is disposed at once.
    pub fn sgk_disposable_dict_set(dict: *mut sgk_disposable, key: sgk_value, member: *mut sgk_disposable) ->
        sgk_status;
    /// What has become of a run, for people: "running", "ended" (its source has) or "disposed" (by the program, or by
    /// an operator that needs no more); "no run" where `disposable` is that of something else. Static. NULL, with an
    /// error, for what is no disposable.
    pub fn sgk_disposable_state(disposable: *mut sgk_disposable) -> *const c_char;
    /// A disposable that forwards to `disposable` once, and reports through the log, with `file` and `line`, when its
    /// last reference goes without it having been disposed (a subscription that has ended by itself needs no disposal).
    /// `file` is copied. See SGK_STRICT.
    pub fn sgk_disposable_strict(disposable: *mut sgk_disposable, file: *const c_char, line: c_int) -> *mut
        sgk_disposable;
    /// Adds a reference and returns its argument.
    pub fn sgk_event_link_retain(handle: *mut sgk_event_link) -> *mut sgk_event_link;
    /// Drops a reference.
    pub fn sgk_event_link_release(handle: *mut sgk_event_link);
    /// Adds a reference and returns its argument.
    pub fn sgk_link_bag_retain(handle: *mut sgk_link_bag) -> *mut sgk_link_bag;
    /// Drops a reference.
    pub fn sgk_link_bag_release(handle: *mut sgk_link_bag);
    /// The beginning of a chain, which whoever emits owns: a link as the others, that the three functions below work
    /// on.
    pub fn sgk_event_emitter_create() -> *mut sgk_event_link;
    /// A new emitter that has emitted a value, which is kept for the first handler.
    pub fn sgk_event_emitter_create_value(value: sgk_value) -> *mut sgk_event_link;
    /// Emits `value`. It is ignored after the end. A link that is no emitter is an error.
    pub fn sgk_event_emitter_next(emitter: *mut sgk_event_link, value: sgk_value) -> sgk_status;
    /// Ends the chain with `error` (any value).
    pub fn sgk_event_emitter_error(emitter: *mut sgk_event_link, error: sgk_value) -> sgk_status;
    /// Ends the chain.
    pub fn sgk_event_emitter_finish(emitter: *mut sgk_event_link) -> sgk_status;
    /// Calls `next(context, value)` with each value, on `queue`, if there is one.
    pub fn sgk_event_link_on_next(link: *mut sgk_event_link, next: sgk_next_fn, context: *mut c_void, destroy:
        sgk_destroy_fn, queue: *mut sgk_queue) -> sgk_status;
    /// Calls `error(context, error)` when the chain fails, on `queue`, if there is one; now (soon, with a queue) if it
    /// has failed.
    pub fn sgk_event_link_on_error(link: *mut sgk_event_link, error: sgk_error_fn, context: *mut c_void, destroy:
        sgk_destroy_fn, queue: *mut sgk_queue) -> sgk_status;
    /// Calls `finish(context)` when the chain finishes, on `queue`, if there is one; now (soon, with a queue) if it has
    /// finished.
    pub fn sgk_event_link_on_finish(link: *mut sgk_event_link, finish: sgk_completed_fn, context: *mut c_void, destroy:
        sgk_destroy_fn, queue: *mut sgk_queue) -> sgk_status;
    /// A link of what `map(context, value)` returns for each value.
    pub fn sgk_event_link_map(link: *mut sgk_event_link, map: sgk_map_fn, context: *mut c_void, destroy: sgk_destroy_fn)
        -> *mut sgk_event_link;
    /// A link of the values for which `filter(context, value)` is true.
    pub fn sgk_event_link_filter(link: *mut sgk_event_link, filter: sgk_filter_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> *mut sgk_event_link;
    /// A link of what `map` stores for each value for which it returns true.
    pub fn sgk_event_link_compact_map(link: *mut sgk_event_link, map: sgk_compact_map_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> *mut sgk_event_link;
    /// The same events, without the means to emit any: what the owner of an emitter shows to others.
    pub fn sgk_event_link_observer(link: *mut sgk_event_link) -> *mut sgk_event_link;
    /// Disconnects this link from the one above and lets that go, which goes in turn if nobody else needs it. The
    /// handlers of this link are released. On an emitter it does nothing.
    pub fn sgk_event_link_unlink(link: *mut sgk_event_link) -> sgk_status;
    /// This link as a signal: each start observes it; the first run gets the values that nobody has seen yet. The
    /// signal, and a run until its end or disposal, own the link, but not an emitter: when that goes, which is when
    /// nobody holds it nor a link below, the values that nobody has seen go with it, and the runs are let go.
    pub fn sgk_event_link_signal(link: *mut sgk_event_link) -> *mut sgk_signal;
    /// A link that the signal, started at once, feeds. Unlinking it, or letting it go, disposes the run.
    pub fn sgk_signal_link(signal: *mut sgk_signal) -> *mut sgk_event_link;
    /// A new, empty bag.
    pub fn sgk_link_bag_create() -> *mut sgk_link_bag;
    /// Adds `link`; once, however often it is added. One that is unlinked otherwise leaves the bag.
    pub fn sgk_link_bag_add(bag: *mut sgk_link_bag, link: *mut sgk_event_link) -> sgk_status;
    /// Unlinks all links and forgets them.
    pub fn sgk_link_bag_clear(bag: *mut sgk_link_bag) -> sgk_status;
    /// Emits an array of the latest values of all `count` signals, in their order, for each value of any of them, once
    /// every one has emitted. Completes when all have completed; the first error ends it. With a `queue` (may be NULL)
    /// what the signals emit is processed and delivered there; otherwise on the emitting threads, one at a time. No
    /// signals: one empty array, and the end.
    pub fn sgk_combine_latest(sources: *const *mut sgk_signal, count: usize, queue: *mut sgk_queue) -> *mut sgk_signal;
    /// As sgk_combine_latest (also as to `count` and `queue`), with the value that `map(context, values, count)` makes
    /// of the latest values instead of an array of them. Up to 64 signals, an event allocates nothing.
    pub fn sgk_combine_latest_map(sources: *const *mut sgk_signal, count: usize, map: sgk_map_array_fn, context: *mut
        c_void, destroy: sgk_destroy_fn, queue: *mut sgk_queue) -> *mut sgk_signal;
    /// sgk_combine_latest whose signals can have a value from the beginning. `initial_states` (may be NULL: none has)
    /// points to `count` pointers, each to the value of a signal, or NULL for one without. When all have one, those are
    /// emitted inside the start, before any signal is started: on the starting thread, also with a `queue`, on which
    /// all that comes later is delivered. The values are retained.
    pub fn sgk_combine_signals(sources: *const *mut sgk_signal, count: usize, initial_states: *const *const sgk_value,
        queue: *mut sgk_queue) -> *mut sgk_signal;
    /// Starts all `count` signals, in their order, and passes every value of any of them on. Completes when all have
    /// completed, without signals at once; the first error ends it.
    pub fn sgk_merge_signals(sources: *const *mut sgk_signal, count: usize) -> *mut sgk_signal;
    /// Emits an array of the first values of all `count` signals, in their order, then of the second ones, and so on.
    /// Of each at most `limit` values (1 or more, or SGK_UNBOUNDED) wait for those of the others; what comes then goes
    /// by `overflow`. SGK_OVERFLOW_SUSPEND is refused: the thread that would wait may be the one that brings the
    /// others. `error` is what SGK_OVERFLOW_ERROR ends the run with, at once; otherwise it does not matter; `counter`
    /// may be NULL. Completes as soon as one has completed of which no value waits, without signals at once; the first
    /// error ends it.
    pub fn sgk_zip(sources: *const *mut sgk_signal, count: usize, limit: i64, overflow: sgk_overflow, error: sgk_value,
        counter: *mut sgk_overflow_counter) -> *mut sgk_signal;
    /// As sgk_zip (also as to `count`, `limit`, `overflow`, `error` and `counter`), with the value that `map(context,
    /// values, count)` makes instead of an array.
    pub fn sgk_zip_map(sources: *const *mut sgk_signal, count: usize, limit: i64, overflow: sgk_overflow, error:
        sgk_value, counter: *mut sgk_overflow_counter, map: sgk_map_array_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> *mut sgk_signal;
    /// Follows the first of `count` signals to send an event of any kind; the others are disposed before that is passed
    /// on. They are started in their order; one that sends something at once wins, and those behind it are not started.
    /// Without signals it completes at once.
    pub fn sgk_race(sources: *const *mut sgk_signal, count: usize) -> *mut sgk_signal;
    /// Emits an array of each value and the latest one of `other`. Values that come before the first of `other` are
    /// dropped.
    pub fn sgk_signal_with_latest_from(signal: *mut sgk_signal, other: *mut sgk_signal) -> *mut sgk_signal;
    /// As sgk_signal_with_latest_from, with the value that `map(context, values, 2)` makes of the value and the latest
    /// one of `other` instead of an array.
    pub fn sgk_signal_with_latest_from_map(signal: *mut sgk_signal, other: *mut sgk_signal, map: sgk_map_array_fn,
        context: *mut c_void, destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// Calls `f(context, value)` with each value before it is passed on.
    pub fn sgk_signal_before_next(signal: *mut sgk_signal, f: sgk_next_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> *mut sgk_signal;
    /// Calls `f(context, value)` with each value after it has been passed on, also when that has ended or disposed the
    /// run.
    pub fn sgk_signal_after_next(signal: *mut sgk_signal, f: sgk_next_fn, context: *mut c_void, destroy: sgk_destroy_fn)
        -> *mut sgk_signal;
    /// Calls `f(context)` for each start, before the signal is started.
    pub fn sgk_signal_before_started(signal: *mut sgk_signal, f: sgk_action_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> *mut sgk_signal;
    /// Calls `f(context, error)` before the error is passed on.
    pub fn sgk_signal_before_error(signal: *mut sgk_signal, f: sgk_error_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> *mut sgk_signal;
    /// Calls `f(context)` before completion is passed on.
    pub fn sgk_signal_before_completed(signal: *mut sgk_signal, f: sgk_completed_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> *mut sgk_signal;
    /// Calls `f(context)` after completion has been passed on and the source disposed (one that completes inside the
    /// start is disposed after it).
    pub fn sgk_signal_after_completed(signal: *mut sgk_signal, f: sgk_completed_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> *mut sgk_signal;
    /// Calls `f(context)` once for each run when it is torn down, by disposal or an end: after the source has been
    /// disposed (one that ends inside the start is disposed when that returns).
    pub fn sgk_signal_after_disposed(signal: *mut sgk_signal, f: sgk_action_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> *mut sgk_signal;
    /// Watches, with a state of its own for each run (the context of a callback is that of the signal, and shared by
    /// its runs). `handlers` is copied.
    pub fn sgk_signal_with_state(signal: *mut sgk_signal, handlers: *const sgk_state_handlers) -> *mut sgk_signal;
    /// Gives `signal` a name: what sgk_set_unhandled_error_handler says of an error that goes through here, and on to
    /// the end of its run on the same thread. Where several names stand in its way it is that of the last. `name` is
    /// copied; NULL is an error.
    pub fn sgk_signal_named(signal: *mut sgk_signal, name: *const c_char) -> *mut sgk_signal;
    /// Writes a line to the log (see sgk_set_log_handler) for whatever happens to a run, before it is passed on:
    /// `name#7 next 42`. Each run has a number of its own. Long lines are cut. `name` is copied, and is that of
    /// sgk_signal_named as well; NULL is an error.
    pub fn sgk_signal_trace(signal: *mut sgk_signal, name: *const c_char) -> *mut sgk_signal;
    /// Follows the latest inner signal: a new one is started, then the one before it disposed.
    pub fn sgk_signal_switch_to_latest(signal: *mut sgk_signal) -> *mut sgk_signal;
    /// Runs the inner signals one after another, each to its end; those that wait are kept, without a bound. (The
    /// operator `queue` of Swift, `concat` of Rx. Signals that do not come from one signal are run one after another by
    /// a sgk_sequencer.)
    pub fn sgk_signal_queued(signal: *mut sgk_signal) -> *mut sgk_signal;
    /// Runs one inner signal after another; of those that arrive while one runs only the latest is kept.
    pub fn sgk_signal_throttled(signal: *mut sgk_signal) -> *mut sgk_signal;
    /// Passes the signal on until `replacement`, a signal of signals that is started first, emits another one, which
    /// takes its place; the next one replaces that in turn. Completes when the current one has. The completion of
    /// `replacement` means nothing, its error ends the result.
    pub fn sgk_signal_take_until_replacement(signal: *mut sgk_signal, replacement: *mut sgk_signal) -> *mut sgk_signal;
    /// Follows the signal that `map(context, value)` returns for the latest value, as sgk_signal_switch_to_latest does.
    pub fn sgk_signal_map_to_signal(signal: *mut sgk_signal, map: sgk_map_to_signal_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> *mut sgk_signal;
    /// Runs the signals that `map(context, value)` returns one after another. `map` is called when the value arrives.
    pub fn sgk_signal_map_to_queue(signal: *mut sgk_signal, map: sgk_map_to_signal_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> *mut sgk_signal;
    /// Runs the signals that `map(context, value)` returns one after another; of those that arrive while one runs only
    /// the latest is kept. `map` is called for every value.
    pub fn sgk_signal_map_to_throttled(signal: *mut sgk_signal, map: sgk_map_to_signal_fn, context: *mut c_void,
        destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// Folds by signals, beginning with `initial`: they run one after another, each to its end; values that come
    /// meanwhile wait. The last accumulated value comes at the end; an error drops it. `generator` is called on the
    /// thread that brought the value or ended the signal before. Serial.
    pub fn sgk_signal_reduce_left_generator(signal: *mut sgk_signal, initial: sgk_value, generator:
        sgk_reduce_generator_fn, context: *mut c_void, destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// Runs the inner signals at the same time, at most `limit` of them (1 or more; SGK_UNBOUNDED: all), and passes
    /// their values on, one at a time. Those that find no place wait, at most `waiting` of them (0 or more, or
    /// SGK_UNBOUNDED); what comes then goes by `overflow`. SGK_OVERFLOW_SUSPEND is refused: the thread that would wait
    /// may be the one that makes room. `error` is what SGK_OVERFLOW_ERROR ends the run with, at once; otherwise it does
    /// not matter; `counter` may be NULL. Values of signals: see above.
    pub fn sgk_signal_merged(signal: *mut sgk_signal, limit: i64, waiting: i64, overflow: sgk_overflow, error:
        sgk_value, counter: *mut sgk_overflow_counter) -> *mut sgk_signal;
    /// As sgk_signal_merged (also as to `limit`, `waiting`, `overflow`, `error` and `counter`), of the signals that
    /// `map(context, value)` returns. `map` is called when the value arrives.
    pub fn sgk_signal_map_to_merged(signal: *mut sgk_signal, limit: i64, waiting: i64, overflow: sgk_overflow, error:
        sgk_value, counter: *mut sgk_overflow_counter, map: sgk_map_to_signal_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> *mut sgk_signal;
    /// Runs the signal that `map(context, value)` returns, unless one runs already: then the value is dropped, and
    /// `map` not called for it.
    pub fn sgk_signal_map_to_first(signal: *mut sgk_signal, map: sgk_map_to_signal_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> *mut sgk_signal;
    /// Follows, for each key, the signal that `map(context, value)` returns for the latest value of that key: a new one
    /// is started, then the one before it of the same key disposed; those of different keys run at the same time. The
    /// keys are what `key(context, value)` makes of the values, told apart as sgk_value_equal says; `key` may be NULL,
    /// then the values are keys themselves. Both are called for each value that arrives, on the thread that brings it.
    /// A key is free again when its signal has completed. There are at most `limit` keys (1 or more, or SGK_UNBOUNDED).
    /// For a value of one more `overflow` says what becomes: SGK_OVERFLOW_DROP_OLDEST disposes the signal that was
    /// started before all others, SGK_OVERFLOW_KEEP_LATEST all of them, by SGK_OVERFLOW_DROP_NEWEST its signal is not
    /// started, and by SGK_OVERFLOW_ERROR the run fails with `error`, which otherwise does not matter;
    /// SGK_OVERFLOW_SUSPEND is refused. `counter`, which may be NULL, is told how many were disposed for others or not
    /// started. Serial; the first error ends all; completes when the outer signal and all inner ones have.
    pub fn sgk_signal_map_to_signal_per(signal: *mut sgk_signal, limit: i64, overflow: sgk_overflow, error: sgk_value,
        counter: *mut sgk_overflow_counter, key: sgk_map_fn, map: sgk_map_to_signal_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> *mut sgk_signal;
    /// Sorts the values by keys: with the first value of a key `pipeline(context, key, values)` makes the signal of a
    /// group, which is started before that value is passed on to `values`, and whose own values are merged into the
    /// result. `values` is hot: what the pipeline does not listen to goes nowhere, and nothing waits. The keys are what
    /// `key(context, value)` makes of the values, told apart as sgk_value_equal says; `key` may be NULL, then the
    /// values are keys themselves. It is called for each value, on the thread that brings it. A group is over when its
    /// pipeline completes, or the outer signal does: then `values` completes, and the key is free for another group.
    /// There are at most `limit` groups (1 or more, or SGK_UNBOUNDED). For the key of one more `overflow` says what
    /// becomes: SGK_OVERFLOW_DROP_OLDEST completes `values` of the oldest group, SGK_OVERFLOW_KEEP_LATEST those of all
    /// groups, by SGK_OVERFLOW_DROP_NEWEST the value is dropped, and by SGK_OVERFLOW_ERROR the run fails with `error`,
    /// which otherwise does not matter; SGK_OVERFLOW_SUSPEND is refused. `counter`, which may be NULL, is told how many
    /// groups were completed for others, or values dropped. Serial; the first error ends all; completes when the outer
    /// signal and all pipelines have.
    pub fn sgk_signal_grouped_by(signal: *mut sgk_signal, limit: i64, overflow: sgk_overflow, error: sgk_value, counter:
        *mut sgk_overflow_counter, key: sgk_map_fn, pipeline: sgk_pipeline_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> *mut sgk_signal;
    /// Emits `map(context, value)` for each value.
    pub fn sgk_signal_map(signal: *mut sgk_signal, map: sgk_map_fn, context: *mut c_void, destroy: sgk_destroy_fn) ->
        *mut sgk_signal;
    /// Passes the values for which `filter(context, value)` is true.
    pub fn sgk_signal_filter(signal: *mut sgk_signal, filter: sgk_filter_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> *mut sgk_signal;
    /// Emits what `map` stores for each value for which it returns true; drops the others.
    pub fn sgk_signal_compact_map(signal: *mut sgk_signal, map: sgk_compact_map_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> *mut sgk_signal;
    /// Maps, drops, watches or fails at each value, as what `transform(context, value)` returns says. Of several runs
    /// of the signal that one fails which it was called for.
    pub fn sgk_signal_transform(signal: *mut sgk_signal, transform: sgk_transform_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> *mut sgk_signal;
    /// Fails with `map(context, error)` when the signal fails; leaves the rest alone.
    pub fn sgk_signal_map_error(signal: *mut sgk_signal, map: sgk_map_fn, context: *mut c_void, destroy: sgk_destroy_fn)
        -> *mut sgk_signal;
    /// Passes only the end.
    pub fn sgk_signal_ignore_values(signal: *mut sgk_signal) -> *mut sgk_signal;
    /// Drops a value that equals (sgk_value_equal) the last one that passed. Serial: one value at a time, whatever the
    /// number of emitting threads.
    pub fn sgk_signal_distinct_until_changed(signal: *mut sgk_signal) -> *mut sgk_signal;
    /// Drops a value for which `equal(context, last that passed, value)` is true. Serial.
    pub fn sgk_signal_distinct_until_changed_by(signal: *mut sgk_signal, equal: sgk_equal_fn, context: *mut c_void,
        destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// Passes the events of a source that emits from several threads, or from inside its own callbacks, one at a time:
    /// a plain chain does not queue, this does. An event that comes while another is being delivered is delivered after
    /// it, by whoever is at it.
    pub fn sgk_signal_serialized(signal: *mut sgk_signal) -> *mut sgk_signal;
    /// Folds all values into one with `reduce`, beginning with `initial`, and emits it at completion, also when there
    /// were no values. An error drops it. Serial.
    pub fn sgk_signal_reduce_left(signal: *mut sgk_signal, initial: sgk_value, reduce: sgk_reduce_fn, context: *mut
        c_void, destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// As sgk_signal_reduce_left, beginning with `initial`, with steps (`reduce`) that can emit beside accumulating.
    pub fn sgk_signal_reduce_left_emitting(signal: *mut sgk_signal, initial: sgk_value, reduce: sgk_reduce_emitting_fn,
        context: *mut c_void, destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// Emits `value` from inside a step. After disposal it is dropped.
    pub fn sgk_emitter_next(emitter: *mut sgk_emitter, value: sgk_value) -> sgk_status;
    /// Emits every accumulated value: what `reduce` makes of the last one, at first `initial`, and each value. Serial.
    pub fn sgk_signal_scan(signal: *mut sgk_signal, initial: sgk_value, reduce: sgk_reduce_fn, context: *mut c_void,
        destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// Emits each value but the first together with the one before it, as an array of two. Serial.
    pub fn sgk_signal_pairwise(signal: *mut sgk_signal) -> *mut sgk_signal;
    /// Emits each value together with its number, from 0 on, as an array of an int and the value. Serial.
    pub fn sgk_signal_enumerated(signal: *mut sgk_signal) -> *mut sgk_signal;
    /// Emits all values as one array, at completion, also when there were none; an error drops them. At most `limit` (1
    /// or more, or SGK_UNBOUNDED) are kept; what comes then goes by `overflow`. Nobody takes values out before the end,
    /// so SGK_OVERFLOW_SUSPEND is an error. `error` is what SGK_OVERFLOW_ERROR fails with, at once, otherwise it does
    /// not matter; `counter` may be NULL. Serial.
    pub fn sgk_signal_to_array(signal: *mut sgk_signal, limit: i64, overflow: sgk_overflow, error: sgk_value, counter:
        *mut sgk_overflow_counter) -> *mut sgk_signal;
    /// Passes the values that have not come before, as sgk_value_equal says. At most `limit` (1 or more, or
    /// SGK_UNBOUNDED) are remembered; one that finds no room then goes by `overflow`: SGK_OVERFLOW_DROP_OLDEST forgets
    /// the oldest, SGK_OVERFLOW_KEEP_LATEST all others, and SGK_OVERFLOW_DROP_NEWEST does not remember it: it passes,
    /// and what is forgotten can come again. With SGK_OVERFLOW_ERROR the run fails with `error`, which otherwise does
    /// not matter; SGK_OVERFLOW_SUSPEND is an error, as nobody makes room. `counter` is told how many are forgotten; it
    /// may be NULL. Serial.
    pub fn sgk_signal_distinct(signal: *mut sgk_signal, limit: i64, overflow: sgk_overflow, error: sgk_value, counter:
        *mut sgk_overflow_counter) -> *mut sgk_signal;
    /// As sgk_signal_distinct (also as to `limit`, `overflow`, `error` and `counter`), going by what `key(context,
    /// value)` makes of the values. Serial.
    pub fn sgk_signal_distinct_by(signal: *mut sgk_signal, limit: i64, overflow: sgk_overflow, error: sgk_value,
        counter: *mut sgk_overflow_counter, key: sgk_map_fn, context: *mut c_void, destroy: sgk_destroy_fn) -> *mut
        sgk_signal;
    /// Emits what `map` stores for each value. When that fails, so does the run: the source is stopped.
    pub fn sgk_signal_try_map(signal: *mut sgk_signal, map: sgk_try_map_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> *mut sgk_signal;
    /// Passes the values that `filter` lets pass. When that fails, so does the run: the source is stopped.
    pub fn sgk_signal_try_filter(signal: *mut sgk_signal, filter: sgk_try_filter_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> *mut sgk_signal;
    /// The event of a value as a value; the caller owns it.
    pub fn sgk_event_make_next(value: sgk_value) -> sgk_value;
    /// The event of an error as a value; the caller owns it.
    pub fn sgk_event_make_error(error: sgk_value) -> sgk_value;
    /// The event of completion as a value; the caller owns it.
    pub fn sgk_event_make_completed() -> sgk_value;
    /// Makes values of the events: each becomes such an array, the end too; then the result completes. It never fails.
    /// Serial. (In Rx this is `materialize`, in SwiftSignalKit `dematerialize`.)
    pub fn sgk_signal_to_events(signal: *mut sgk_signal) -> *mut sgk_signal;
    /// Makes events of such arrays, the reverse of sgk_signal_to_events. A signal that ends without an event of an end
    /// ends the result in the same way. A value that is no event ends it with that value as the error. Serial.
    pub fn sgk_signal_from_events(signal: *mut sgk_signal) -> *mut sgk_signal;
    /// A signal that calls `generator(context)` for each start, on the starting thread, and behaves as what that
    /// returns.
    pub fn sgk_signal_deferred(generator: sgk_deferred_fn, context: *mut c_void, destroy: sgk_destroy_fn) -> *mut
        sgk_signal;
    /// When the signal has completed, goes on with `next`, which is started before the first is disposed. The first
    /// error ends it.
    pub fn sgk_signal_then(signal: *mut sgk_signal, next: *mut sgk_signal) -> *mut sgk_signal;
    /// When the signal fails, goes on with the signal that `f(context, error)` returns, which is started before the
    /// failed one is disposed. `f` is called on the failing thread.
    pub fn sgk_signal_catch(signal: *mut sgk_signal, f: sgk_map_to_signal_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> *mut sgk_signal;
    /// Runs the signals that `once(context, accumulated)` returns, one after another, until that is NULL, and folds all
    /// their values into one by `reduce(context, accumulated, value)`: the first value of all is the beginning, and
    /// what has been accumulated is emitted at each value. An error ends it. The callbacks are called one at a time, on
    /// the thread that brought the value or ended the signal before.
    pub fn sgk_accumulating_loop(once: sgk_loop_fn, reduce: sgk_reduce_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> *mut sgk_signal;
    /// Runs `count` signals one after another, each when the one before has completed, as a row of sgk_signal_then
    /// does. The first error ends it; without any it completes at once.
    pub fn sgk_concat(sources: *const *mut sgk_signal, count: usize) -> *mut sgk_signal;
    /// Emits `value` inside the start, before the signal is started.
    pub fn sgk_signal_start_with(signal: *mut sgk_signal, value: sgk_value) -> *mut sgk_signal;
    /// Emits `value` when the signal has completed. An error drops it.
    pub fn sgk_signal_end_with(signal: *mut sgk_signal, value: sgk_value) -> *mut sgk_signal;
    /// Emits `value` if the signal completes without one.
    pub fn sgk_signal_default_if_empty(signal: *mut sgk_signal, value: sgk_value) -> *mut sgk_signal;
    /// Goes on with `other` if the signal completes without a value; it is started before the first is disposed.
    pub fn sgk_signal_switch_if_empty(signal: *mut sgk_signal, other: *mut sgk_signal) -> *mut sgk_signal;
    /// When the signal fails, emits `value` and completes instead.
    pub fn sgk_signal_catch_and_return(signal: *mut sgk_signal, value: sgk_value) -> *mut sgk_signal;
    /// Starts the signal again each time it has completed, until it fails or the run is disposed.
    pub fn sgk_signal_restart(signal: *mut sgk_signal) -> *mut sgk_signal;
    /// Runs the signal `count` times, each after the completion of the one before, until it fails. 0 completes at once,
    /// without starting it; less is an error.
    pub fn sgk_signal_repeat(signal: *mut sgk_signal, count: i64) -> *mut sgk_signal;
    /// Starts the signal again each time it has failed, at once; never fails.
    pub fn sgk_signal_restart_if_error(signal: *mut sgk_signal) -> *mut sgk_signal;
    /// When the signal fails, starts it again at once, or fails with another error, as `condition` says. It is called
    /// on the failing thread.
    pub fn sgk_signal_restart_or_map_error(signal: *mut sgk_signal, condition: sgk_restart_fn, context: *mut c_void,
        destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// When the signal fails, starts it again at once if `predicate(context, error)` is true, otherwise fails.
    pub fn sgk_signal_retry_if(signal: *mut sgk_signal, predicate: sgk_filter_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> *mut sgk_signal;
    /// When the signal fails, waits and starts it again, on `queue`; never fails. The first attempt is made on the
    /// starting thread. The wait before the second attempt is `delay_increment` seconds; each further one is longer by
    /// as much, up to `max_delay`. With `reset_on_value` a value makes the waits short again. The seconds must be 0 or
    /// more.
    pub fn sgk_signal_retry(signal: *mut sgk_signal, delay_increment: f64, max_delay: f64, reset_on_value: bool, queue:
        *mut sgk_queue) -> *mut sgk_signal;
    /// As sgk_signal_retry (also as to `delay_increment`, `max_delay` and `queue`), after errors for which
    /// `retry_on_error(context, error)` is true; any other ends the result. There are `max_retries` attempts in all:
    /// the error of the last of them ends the result. With 0 or 1 the first error does; less than 0 is without limit.
    /// With `reset_on_value` a value also makes the attempts uncounted.
    pub fn sgk_signal_retry_on_error(signal: *mut sgk_signal, delay_increment: f64, max_delay: f64, max_retries: i64,
        reset_on_value: bool, retry_on_error: sgk_filter_fn, context: *mut c_void, destroy: sgk_destroy_fn, queue: *mut
        sgk_queue) -> *mut sgk_signal;
    /// When the signal fails, waits as `backoff` says, which is copied, and starts it again, on `queue`. There are
    /// `attempts` in all: the error of the last of them ends the result. With 0 or 1 the first error does; less than 0
    /// is without limit. With `reset_on_value` a value makes the waits short, and the attempts uncounted, again.
    pub fn sgk_signal_retry_backoff(signal: *mut sgk_signal, attempts: i64, backoff: *const sgk_backoff, reset_on_value:
        bool, queue: *mut sgk_queue) -> *mut sgk_signal;
    /// When the signal fails, calls `when(context, error, number)`, on the failing thread, and starts it again at the
    /// first value of the signal that returns. If that fails, so does the result; if it completes without a value, the
    /// result fails with the signal's error.
    pub fn sgk_signal_retry_when(signal: *mut sgk_signal, when: sgk_retry_when_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> *mut sgk_signal;
    /// Passes the first `count` values and completes right after the last of them; the source is stopped. 0 completes
    /// at once, without starting the source; less is an error. Serial.
    pub fn sgk_signal_take(signal: *mut sgk_signal, count: i64) -> *mut sgk_signal;
    /// Asks `until(context, value)` about each value: whether it passes, and whether the end comes (the source is
    /// stopped then). Serial.
    pub fn sgk_signal_take_until(signal: *mut sgk_signal, until: sgk_take_until_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> *mut sgk_signal;
    /// Emits the last `count` values, or as many as there were, at completion, in their order. An error drops them;
    /// less than 0 is an error. Serial.
    pub fn sgk_signal_take_last(signal: *mut sgk_signal, count: i64) -> *mut sgk_signal;
    /// Emits the last value, or null if there was none, at completion. An error drops it. Serial.
    pub fn sgk_signal_last(signal: *mut sgk_signal) -> *mut sgk_signal;
    /// Passes the values as long as `filter(context, value)` is true, and completes at the first for which it is false,
    /// which is dropped; the source is stopped. Serial.
    pub fn sgk_signal_take_while(signal: *mut sgk_signal, filter: sgk_filter_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> *mut sgk_signal;
    /// Drops the first `count` values and passes the rest; less than 0 is an error. Serial.
    pub fn sgk_signal_skip(signal: *mut sgk_signal, count: i64) -> *mut sgk_signal;
    /// Drops the values as long as `filter(context, value)` is true; the first for which it is false, and all that
    /// follow, pass without a further question. Serial.
    pub fn sgk_signal_skip_while(signal: *mut sgk_signal, filter: sgk_filter_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> *mut sgk_signal;
    /// Passes the first value and completes right after it; the source is stopped. Where there is none, the end of the
    /// source is the end. Serial.
    pub fn sgk_signal_first(signal: *mut sgk_signal) -> *mut sgk_signal;
    /// Passes the first value and completes right after it; emits `value` when the signal completes without one.
    /// Serial.
    pub fn sgk_signal_first_or(signal: *mut sgk_signal, value: sgk_value) -> *mut sgk_signal;
    /// Drops the values until `until` has emitted one; that is stopped then. `until` is started first; its completion
    /// means nothing (without a value before it, nothing ever passes), its error ends the result. Serial.
    pub fn sgk_signal_skip_until_signal(signal: *mut sgk_signal, until: *mut sgk_signal) -> *mut sgk_signal;
    /// Passes the values until `until` emits one, and completes then. `until` is started first: if it emits at once,
    /// the signal is not started. Its completion means nothing, its error ends the result. Serial.
    pub fn sgk_signal_take_until_signal(signal: *mut sgk_signal, until: *mut sgk_signal) -> *mut sgk_signal;
    /// Emits a value at once and then at most one every `seconds`: the latest of those that came meanwhile, when the
    /// time is over. The end first emits what waits; an error drops it. Delivers on `queue`. `seconds` must be 0 or
    /// more.
    pub fn sgk_signal_throttle(signal: *mut sgk_signal, seconds: f64, queue: *mut sgk_queue) -> *mut sgk_signal;
    /// Emits a value when no other has followed it for `seconds`. The end first emits what waits; an error drops it.
    /// Delivers on `queue`. `seconds` must be 0 or more.
    pub fn sgk_signal_debounce(signal: *mut sgk_signal, seconds: f64, queue: *mut sgk_queue) -> *mut sgk_signal;
    /// Delivers every event on `queue`: inline when it is current and nothing of the run is on its way, otherwise
    /// later, in order, one at a time. A serial queue is first in, first out across all that uses it: values and ends
    /// of this run and of others, work of sgk_queue_async and sgk_queue_dispatch, sgk_signal_run_on, timers that have
    /// fired. However many events come, it gets to its other work in between. Disposal drops what is on its way.
    pub fn sgk_signal_deliver_on(signal: *mut sgk_signal, queue: *mut sgk_queue) -> *mut sgk_signal;
    /// Delivers every event on a thread of `pool`, later, in the order in which they came; each run has a queue of its
    /// own there. The signal keeps the pool.
    pub fn sgk_signal_deliver_on_thread_pool(signal: *mut sgk_signal, pool: *mut sgk_thread_pool) -> *mut sgk_signal;
    /// As sgk_signal_deliver_on, with a bound: at most `limit` (1 or more) values wait for `queue`; what comes then
    /// goes by `overflow`. Ends need no room. The queue is given to other work after every `limit` values. `error` is
    /// what SGK_OVERFLOW_ERROR fails with, otherwise it does not matter; `counter` may be NULL.
    pub fn sgk_signal_deliver_on_bounded(signal: *mut sgk_signal, queue: *mut sgk_queue, limit: i64, overflow:
        sgk_overflow, error: sgk_value, counter: *mut sgk_overflow_counter) -> *mut sgk_signal;
    /// Starts the signal on `queue`: inside the start when it is current, otherwise later; disposal before that
    /// prevents it. Where events are delivered is up to the source.
    pub fn sgk_signal_run_on(signal: *mut sgk_signal, queue: *mut sgk_queue) -> *mut sgk_signal;
    /// Starts the signal on a thread of `pool`, always later; disposal before that prevents it. The signal keeps the
    /// pool.
    pub fn sgk_signal_run_on_thread_pool(signal: *mut sgk_signal, pool: *mut sgk_thread_pool) -> *mut sgk_signal;
    /// Delays the start, not the events: the signal is started on `queue` after `seconds`, by a clock that stands still
    /// while the system sleeps. Disposal before that prevents it. `seconds` must be 0 or more; infinity is never.
    pub fn sgk_signal_delay(signal: *mut sgk_signal, seconds: f64, queue: *mut sgk_queue) -> *mut sgk_signal;
    /// As sgk_signal_delay (also as to `seconds` and `queue`), but time during which the system sleeps counts: after
    /// waking up the signal is late by at most about `granularity` seconds (4 is a good number; 0: it looks at the
    /// clock only once). By the wall clock; whoever sets that changes the delay.
    pub fn sgk_signal_suspend_aware_delay(signal: *mut sgk_signal, seconds: f64, granularity: f64, queue: *mut
        sgk_queue) -> *mut sgk_signal;
    /// Goes on with `alternate` when nothing has come from the signal within `seconds`: it is started on `queue`, then
    /// the signal disposed. The first event of any kind calls that off for good. `seconds` must be 0 or more. Serial.
    pub fn sgk_signal_timeout(signal: *mut sgk_signal, seconds: f64, alternate: *mut sgk_signal, queue: *mut sgk_queue)
        -> *mut sgk_signal;
    /// A signal whose start blocks: it starts `signal`, then keeps the starting thread until its first event of any
    /// kind, or for `seconds` (0 or more); nothing is cancelled by that. Never to be used on a thread that the source
    /// needs.
    pub fn sgk_signal_blocking(signal: *mut sgk_signal, seconds: f64) -> *mut sgk_signal;
    /// As sgk_signal_blocking, with the `seconds` measured by the clock of `queue`: a virtual one is moved on by the
    /// wait, as far as that takes.
    pub fn sgk_signal_blocking_on(signal: *mut sgk_signal, seconds: f64, queue: *mut sgk_queue) -> *mut sgk_signal;
    /// Emits the values in arrays of `count` (1 or more); completion first emits those that are left. An error drops
    /// them. Serial.
    pub fn sgk_signal_chunked(signal: *mut sgk_signal, count: i64) -> *mut sgk_signal;
    /// Emits the values in arrays of `count` (1 or more), or of fewer when `seconds` have gone by since the first of
    /// them came: never an empty one. Completion first emits those that wait; an error drops them. Delivers on `queue`.
    /// `seconds` must be 0 or more; infinity is never.
    pub fn sgk_signal_chunked_within(signal: *mut sgk_signal, count: i64, seconds: f64, queue: *mut sgk_queue) -> *mut
        sgk_signal;
    /// Emits the values in arrays, one for each value of `boundary`: of those that came since the last one, if there
    /// are any; earlier when there are `limit` (1 or more). Completion first emits those that wait; an error, also of
    /// `boundary`, drops them. The completion of `boundary` means nothing. It is started first. Serial.
    pub fn sgk_signal_chunked_by(signal: *mut sgk_signal, boundary: *mut sgk_signal, limit: i64) -> *mut sgk_signal;
    /// Emits each value, and the completion, `seconds` after it has come, on `queue`. An error comes at once, and drops
    /// what waits. (What others call delay.) At most `limit` (1 or more) values wait; what comes then goes by
    /// `overflow`, which must not be SGK_OVERFLOW_SUSPEND: the emitting thread would wait for the time itself. `error`
    /// is what SGK_OVERFLOW_ERROR fails with, otherwise it does not matter; `counter` may be NULL. `seconds` must be 0
    /// or more.
    pub fn sgk_signal_delay_each(signal: *mut sgk_signal, seconds: f64, queue: *mut sgk_queue, limit: i64, overflow:
        sgk_overflow, error: sgk_value, counter: *mut sgk_overflow_counter) -> *mut sgk_signal;
    /// Goes on with `alternate` when `seconds` go by without an event of the signal: before the first, or between any
    /// two, the delivery of a value not counted. It is started on `queue`, then the signal disposed. `seconds` must be
    /// 0 or more. Serial.
    pub fn sgk_signal_timeout_between(signal: *mut sgk_signal, seconds: f64, alternate: *mut sgk_signal, queue: *mut
        sgk_queue) -> *mut sgk_signal;
    /// As sgk_signal_throttle (also as to `seconds` and `queue`), with the values that `edges` says.
    pub fn sgk_signal_throttle_edges(signal: *mut sgk_signal, seconds: f64, edges: sgk_edges, queue: *mut sgk_queue) ->
        *mut sgk_signal;
    /// Emits arrays of two: the time at which a value comes, in seconds from any fixed point, by the clock of `queue`;
    /// and the value.
    pub fn sgk_signal_timestamped(signal: *mut sgk_signal, queue: *mut sgk_queue) -> *mut sgk_signal;
    /// Emits arrays of two: the seconds since the value before, or since the start, by the clock of `queue`; and the
    /// value. Serial.
    pub fn sgk_signal_time_interval(signal: *mut sgk_signal, queue: *mut sgk_queue) -> *mut sgk_signal;
    /// Passes what comes within `seconds` of the start, then completes, on `queue`; the source is stopped. `seconds`
    /// must be 0 or more. Serial.
    pub fn sgk_signal_take_for(signal: *mut sgk_signal, seconds: f64, queue: *mut sgk_queue) -> *mut sgk_signal;
    /// Emits the latest value at each value of `trigger`, if it has come since the last one. Completion first emits the
    /// value that waits, if any; an error, also of `trigger`, drops it. The completion of `trigger` means nothing. It
    /// is started first. Serial.
    pub fn sgk_signal_sample_on(signal: *mut sgk_signal, trigger: *mut sgk_signal) -> *mut sgk_signal;
    /// The same every `seconds`, on `queue`, as sgk_signal_interval: more than 0 and finite.
    pub fn sgk_signal_sample(signal: *mut sgk_signal, seconds: f64, queue: *mut sgk_queue) -> *mut sgk_signal;
    /// Adds a reference and returns its argument.
    pub fn sgk_overflow_counter_retain(handle: *mut sgk_overflow_counter) -> *mut sgk_overflow_counter;
    /// Drops a reference.
    pub fn sgk_overflow_counter_release(handle: *mut sgk_overflow_counter);
    /// A new counter, at 0.
    pub fn sgk_overflow_counter_create() -> *mut sgk_overflow_counter;
    /// How many values were dropped; -1 for NULL, with an error. Any thread.
    pub fn sgk_overflow_counter_dropped(counter: *mut sgk_overflow_counter) -> i64;
    /// How often an emitting thread was blocked; -1 for NULL, with an error. Any thread.
    pub fn sgk_overflow_counter_suspended(counter: *mut sgk_overflow_counter) -> i64;
    /// Adds a reference and returns its argument.
    pub fn sgk_pipe_retain(handle: *mut sgk_pipe) -> *mut sgk_pipe;
    /// Drops a reference.
    pub fn sgk_pipe_release(handle: *mut sgk_pipe);
    /// Creates a pipe.
    /// Returns: The pipe, or NULL (SGK_ERROR_MEMORY).
    pub fn sgk_pipe_create() -> *mut sgk_pipe;
    /// Creates a pipe that replays its latest value.
    /// A new subscription receives the latest value, if there is one, before the starting call returns.
    /// Returns: The pipe, or NULL (SGK_ERROR_MEMORY).
    pub fn sgk_pipe_create_replay() -> *mut sgk_pipe;
    /// Returns a signal that emits the events sent into the pipe.
    /// Returns: The signal, or NULL (SGK_ERROR_NULL, SGK_ERROR_HANDLE, SGK_ERROR_MEMORY).
    /// Ownership: neither the signal nor a subscription retains the pipe. When the last reference to the pipe is
    /// released, its subscriptions are released without a terminal event, and its latest value is destroyed. A
    /// subscription that starts later receives nothing, or only the terminal event if the pipe had completed or failed.
    pub fn sgk_pipe_signal(pipe: *mut sgk_pipe) -> *mut sgk_signal;
    /// Sends `value` to all active subscriptions, in the order in which they were started.
    /// Returns: SGK_OK; SGK_ERROR_ENDED if the pipe has ended (the last error stays unchanged); SGK_ERROR_LEFT if a
    /// callback of the pipe did not return (rule 12).
    /// Thread: callbacks run on the calling thread, unless the pipe is delivering another event at that moment. Then
    /// this function queues the value and returns, and the delivering thread delivers it.
    pub fn sgk_pipe_next(pipe: *mut sgk_pipe, value: sgk_value) -> sgk_status;
    /// Completes the pipe.
    /// Active subscriptions receive the completion after all values sent before. Subscriptions that start later receive
    /// it immediately; from a replaying pipe they receive the latest value first. Values sent later are dropped. A pipe
    /// ends once: completing or failing it again does nothing.
    /// Returns: SGK_OK, also if the pipe has ended; SGK_ERROR_LEFT as in sgk_pipe_next.
    pub fn sgk_pipe_complete(pipe: *mut sgk_pipe) -> sgk_status;
    /// Fails the pipe. It behaves like sgk_pipe_complete in every other respect.
    /// - `error`: Any value.
    pub fn sgk_pipe_error(pipe: *mut sgk_pipe, error: sgk_value) -> sgk_status;
    /// Adds a reference and returns its argument.
    pub fn sgk_promise_retain(handle: *mut sgk_promise) -> *mut sgk_promise;
    /// Drops a reference.
    pub fn sgk_promise_release(handle: *mut sgk_promise);
    /// Adds a reference and returns its argument.
    pub fn sgk_value_promise_retain(handle: *mut sgk_value_promise) -> *mut sgk_value_promise;
    /// Drops a reference.
    pub fn sgk_value_promise_release(handle: *mut sgk_value_promise);
    /// A promise without a value.
    pub fn sgk_promise_create() -> *mut sgk_promise;
    /// A promise with a value.
    pub fn sgk_promise_create_value(value: sgk_value) -> *mut sgk_promise;
    /// A promise that sets itself to `signal` when it is first listened to, unless it was set before.
    pub fn sgk_promise_create_initialize_on_first_access(signal: *mut sgk_signal) -> *mut sgk_promise;
    /// Follows `signal` from now on. The value that is there is forgotten, nothing of an earlier source is accepted any
    /// more, `signal` is started on the calling thread, and then the earlier source is disposed. Of several calls,
    /// nested or concurrent, the last one stands. The source does not keep the promise.
    pub fn sgk_promise_set(promise: *mut sgk_promise, signal: *mut sgk_signal) -> sgk_status;
    /// The signal of the value that is there, inside the start, then of each new one. It never ends. It keeps the
    /// promise, and so does a run as long as somebody holds its disposable. When the promise goes, its source is
    /// disposed and the runs are let go without an event.
    pub fn sgk_promise_get(promise: *mut sgk_promise) -> *mut sgk_signal;
    /// `f(context)` is called when the promise goes, before its source is disposed, on whichever thread lets go last.
    /// NULL: nothing any more. The former callback's `destroy` runs.
    pub fn sgk_promise_on_deinit(promise: *mut sgk_promise, f: sgk_action_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> sgk_status;
    /// A promise without a value. With `ignore_repeated`, setting a value that equals (sgk_value_equal) the one that is
    /// there does nothing.
    pub fn sgk_value_promise_create(ignore_repeated: bool) -> *mut sgk_value_promise;
    /// A promise with a value; `ignore_repeated` as in sgk_value_promise_create.
    pub fn sgk_value_promise_create_value(value: sgk_value, ignore_repeated: bool) -> *mut sgk_value_promise;
    /// Sets `value` and delivers it to those who listen, on the calling thread; when another value is being delivered
    /// (by another thread, or further up this one), that one's deliverer does it afterwards.
    pub fn sgk_value_promise_set(promise: *mut sgk_value_promise, value: sgk_value) -> sgk_status;
    /// The value that is there; null when there is none. Release it.
    pub fn sgk_value_promise_value(promise: *mut sgk_value_promise) -> sgk_value;
    /// Sets what `f(context, value, &result)` makes of the newest value (of null, when there is none). No change of
    /// another thread's is lost, and none is delivered after a newer one. `f` is called on the calling thread, under no
    /// lock, before the call returns (so it needs no `destroy`); more than once, when another thread has set a value
    /// meanwhile: what was made of the old one is dropped. What `f` itself sets in the same promise takes effect at
    /// once, and is then replaced by its result. When `f` returns anything but SGK_OK, nothing changes, and the call
    /// returns it.
    pub fn sgk_value_promise_modify(promise: *mut sgk_value_promise, f: sgk_modify_fn, context: *mut c_void) ->
        sgk_status;
    /// The signal of the value that is there, inside the start, then of each one that is set. It never ends. What keeps
    /// the promise is the same as with sgk_promise_get.
    pub fn sgk_value_promise_get(promise: *mut sgk_value_promise) -> *mut sgk_signal;
    /// Adds a reference and returns its argument.
    pub fn sgk_queue_retain(handle: *mut sgk_queue) -> *mut sgk_queue;
    /// Drops a reference.
    pub fn sgk_queue_release(handle: *mut sgk_queue);
    /// Adds a reference and returns its argument.
    pub fn sgk_timer_retain(handle: *mut sgk_timer) -> *mut sgk_timer;
    /// Drops a reference.
    pub fn sgk_timer_release(handle: *mut sgk_timer);
    /// Creates a serial queue. It uses a thread of the library's pool while it has work.
    /// - `name`: For debuggers; copied. May be NULL.
    /// Ownership: work that is pending when the last reference is released still runs.
    pub fn sgk_queue_create(name: *const c_char) -> *mut sgk_queue;
    /// Returns the main queue. Its work runs on the main thread, inside sgk_main_run or sgk_main_drain.
    /// Returns: Always the same queue, owned.
    /// Warning: if nothing runs the queue, the library reports it once. It does so through the log when the main thread
    /// has been idle for two seconds, or on stderr at exit.
    pub fn sgk_queue_main() -> *mut sgk_queue;
    /// Returns the process-wide concurrent queue of default priority. It is never current.
    /// Returns: The queue, owned.
    pub fn sgk_queue_concurrent_default() -> *mut sgk_queue;
    /// Returns the process-wide concurrent queue of background priority. It is never current.
    /// Returns: The queue, owned.
    pub fn sgk_queue_concurrent_background() -> *mut sgk_queue;
    /// Reports whether the caller runs on the queue: inside its work or, for the main queue, on the main thread.
    pub fn sgk_queue_is_current(queue: *mut sgk_queue) -> bool;
    /// Runs `work(context)` on the queue: inline if the queue is current, otherwise later.
    /// Returns: SGK_OK, or an error of sgk_queue_dispatch.
    pub fn sgk_queue_async(queue: *mut sgk_queue, work: sgk_work_fn, context: *mut c_void, destroy: sgk_destroy_fn) ->
        sgk_status;
    /// Runs `work(context)` on the queue and waits for it.
    /// Returns: SGK_OK; SGK_ERROR_THREAD if the wait would deadlock through serial queues; SGK_ERROR_ENDED if the
    /// thread pool was shut down or the custom loop has ended; SGK_ERROR_SYSTEM as in sgk_queue_dispatch. After an
    /// error the work does not run.
    /// Thread: the work runs inline if the queue is current. Otherwise it may run on the calling thread or on another
    /// one.
    /// Warning: deadlocks on the main queue if nothing runs it. The library does not detect a deadlock through your own
    /// loop or thread pool, or between two jobs that wait for each other's queues.
    pub fn sgk_queue_sync(queue: *mut sgk_queue, work: sgk_work_fn, context: *mut c_void) -> sgk_status;
    /// Runs `work(context)` on the queue later, never inline.
    /// Returns: SGK_OK; SGK_ERROR_ENDED if the thread pool was shut down or the custom loop has ended; SGK_ERROR_SYSTEM
    /// if no thread exists and the system cannot create one. After an error the work does not run.
    pub fn sgk_queue_dispatch(queue: *mut sgk_queue, work: sgk_work_fn, context: *mut c_void, destroy: sgk_destroy_fn)
        -> sgk_status;
    /// Runs `work(context)` on the queue after a delay, never inline.
    /// The queue's clock measures the delay. The library's own clock stops while the system sleeps.
    /// - `seconds`: 0 or less: as soon as possible. Infinity: never. Must not be NaN.
    /// Returns: A disposable that cancels the work, or NULL (SGK_ERROR_ARGUMENT, SGK_ERROR_SYSTEM). Releasing it does
    /// not cancel the work.
    pub fn sgk_queue_after(queue: *mut sgk_queue, seconds: f64, work: sgk_work_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> *mut sgk_disposable;
    /// Creates a timer that is not running. sgk_timer_start starts it.
    /// - `seconds`: The delay, and the interval if the timer repeats. Must not be NaN.
    /// - `repeat`: If true, `seconds` must be more than 0. An interval below one microsecond counts as one microsecond.
    /// - `fire`: Called as `fire(context)` on `queue`.
    /// - `queue`: Its clock measures the time.
    /// Order: firings that a busy queue misses are merged into one.
    pub fn sgk_timer_create(seconds: f64, repeat: bool, fire: sgk_work_fn, context: *mut c_void, destroy:
        sgk_destroy_fn, queue: *mut sgk_queue) -> *mut sgk_timer;
    /// Starts or restarts the timer.
    /// Returns: SGK_OK; SGK_ERROR_SYSTEM if no thread exists and the system cannot create one.
    /// Ownership: a running timer does not retain itself. Releasing its last reference stops it.
    pub fn sgk_timer_start(timer: *mut sgk_timer) -> sgk_status;
    /// Stops the timer. It can be started again.
    /// Thread: a call on the timer's queue prevents every later firing. A call on another thread may overlap one
    /// firing.
    pub fn sgk_timer_invalidate(timer: *mut sgk_timer) -> sgk_status;
    /// Fires a running timer and stops it. It does nothing if the timer is not running.
    /// Thread: fires inline if the timer's queue is current, otherwise later on that queue.
    pub fn sgk_timer_fire_and_invalidate(timer: *mut sgk_timer) -> sgk_status;
    /// Sets a new delay and restarts the timer.
    /// - `seconds`: As in sgk_timer_create.
    pub fn sgk_timer_reset_timeout(timer: *mut sgk_timer, seconds: f64) -> sgk_status;
    /// Reports whether a firing is scheduled.
    pub fn sgk_timer_is_scheduled(timer: *mut sgk_timer) -> bool;
    /// Returns the seconds until the next firing.
    /// Returns: 0 if the firing is overdue; infinity if none is scheduled, or after an error.
    pub fn sgk_timer_remaining_time(timer: *mut sgk_timer) -> f64;
    /// Returns the time of the next firing, in seconds since 1970 by the wall clock.
    /// Returns: 0 if no firing is scheduled; infinity before the first start, or after an error.
    pub fn sgk_timer_timeout_date(timer: *mut sgk_timer) -> f64;
    /// Waits until all queues and thread pools are idle and have destroyed their work.
    /// Call it before sgk_live_total at the end of a program. Delayed work, running timers, and the work of custom and
    /// virtual queues are not included.
    /// - `seconds`: The longest wait; 0 or more.
    /// Returns: SGK_OK; SGK_ERROR_TIMEOUT if work is still pending, which is always so inside a queue's work.
    /// Thread: on the main thread it also runs the main queue. For a call on another thread, the main thread must run
    /// it.
    pub fn sgk_drain(seconds: f64) -> sgk_status;
    /// Runs the main queue's work until sgk_main_stop.
    /// If sgk_main_stop was called before, it returns immediately.
    /// Returns: SGK_OK; SGK_ERROR_THREAD outside the thread that started the process, or inside the queue's own work;
    /// SGK_ERROR_SYSTEM if the system cannot create a descriptor.
    pub fn sgk_main_run() -> sgk_status;
    /// Makes sgk_main_run return after the current job.
    /// Thread: any, but not a signal handler.
    pub fn sgk_main_stop() -> sgk_status;
    /// Returns a file descriptor that is readable while the main queue has work.
    /// Use it to run the main queue in your own loop: when it is readable, call sgk_main_drain.
    /// Returns: The descriptor, or SGK_ERROR_SYSTEM if the system cannot create one.
    /// Ownership: the library owns the descriptor. Do not read from it or close it.
    pub fn sgk_main_fd() -> c_int;
    /// Runs the main queue's pending work without waiting.
    /// Returns: SGK_OK; SGK_ERROR_THREAD outside the main thread.
    pub fn sgk_main_drain() -> sgk_status;
    /// A serial queue whose work runs on a loop of the program's own. `table` is copied. When this fails, no function
    /// of the table has been called.
    pub fn sgk_queue_create_custom(table: *const sgk_queue_table, context: *mut c_void) -> *mut sgk_queue;
    /// How much work, timers included, was let go because the loop of this custom queue had ended. 0 for other queues;
    /// for NULL -1, with an error.
    pub fn sgk_queue_dropped(queue: *mut sgk_queue) -> i64;
    /// Adds a reference and returns its argument.
    pub fn sgk_queue_local_retain(handle: *mut sgk_queue_local) -> *mut sgk_queue_local;
    /// Drops a reference.
    pub fn sgk_queue_local_release(handle: *mut sgk_queue_local);
    /// The object is made by `generate(context)` on `queue`, inline when that is current, and let go by `drop(object)`
    /// (may be NULL) there. `destroy` runs when the object has been made. A concurrent queue is an error.
    pub fn sgk_queue_local_create(generate: sgk_make_object_fn, drop: sgk_destroy_fn, context: *mut c_void, destroy:
        sgk_destroy_fn, queue: *mut sgk_queue) -> *mut sgk_queue_local;
    /// The object, or NULL before it was made. Only on the queue: elsewhere NULL, with an error.
    pub fn sgk_queue_local_unsafe_get(local: *mut sgk_queue_local) -> *mut c_void;
    /// Calls `use(context, object)` on the queue: inline when it is current, otherwise later.
    pub fn sgk_queue_local_with(local: *mut sgk_queue_local, use_: sgk_use_object_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> sgk_status;
    /// Calls `use(context, object)` on the queue and returns after it; inline when the queue is current. On a thread
    /// pool that was shut down: SGK_ERROR_ENDED, and nothing runs.
    pub fn sgk_queue_local_sync_with(local: *mut sgk_queue_local, use_: sgk_use_object_fn, context: *mut c_void) ->
        sgk_status;
    /// A signal whose `generator` is called with the object on the queue: inline when that is current. If the run is
    /// disposed before its turn, or the handle is gone by then, it is not called, and the run stays silent. The signal
    /// does not keep the handle.
    pub fn sgk_queue_local_signal_with(local: *mut sgk_queue_local, generator: sgk_object_generator_fn, context: *mut
        c_void, destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// Adds a reference and returns its argument.
    pub fn sgk_reader_retain(handle: *mut sgk_reader) -> *mut sgk_reader;
    /// Drops a reference.
    pub fn sgk_reader_release(handle: *mut sgk_reader);
    /// Starts a run of `signal`, of which at most `limit` (1 or more) values wait; what comes then goes by `overflow`.
    /// SGK_OVERFLOW_SUSPEND does not block the thread that has asked last, or has made the reader, as that would wait
    /// for itself: there, as inside this call, the bound is exceeded instead. `error` is what SGK_OVERFLOW_ERROR fails
    /// with, otherwise it does not matter; `counter` may be NULL.
    pub fn sgk_reader_create(signal: *mut sgk_signal, limit: i64, overflow: sgk_overflow, error: sgk_value, counter:
        *mut sgk_overflow_counter) -> *mut sgk_reader;
    /// Puts the next value at `value`, owned by the caller; waits for it, if need be, at most `seconds` (0 or more; 0
    /// only looks, infinity is for ever). Any thread; of several that ask at once each gets values of its own. What
    /// else it may come to, with null at `value` unless something else is said:
    /// - SGK_ERROR_COMPLETED: the signal has completed, or its source is gone (that of sgk_signal_never is at once) and
    ///   was disposed therefore, and nothing is left.
    /// - SGK_ERROR_FAILED: the signal has failed, and nothing is left; its error is at `value`, owned by the caller.
    /// - SGK_ERROR_TIMEOUT: the time was over before.
    /// - SGK_ERROR_ENDED: the reader is closed.
    /// These are answers, and leave the last error alone; the first two are given again at each call. SGK_ERROR_THREAD
    /// is an error: there is nothing to read yet, and the caller is in the work of a serial queue, which must not wait,
    /// as it may be what the source needs. On the main thread, outside of the main queue's work, that work is done
    /// during the wait; in work of a virtual queue the time is moved on, as far as that takes, and no further than
    /// until nothing is left to happen. Inside a callback of the source that it waits for, a wait is for nothing.
    pub fn sgk_reader_next(reader: *mut sgk_reader, seconds: f64, value: *mut sgk_value) -> sgk_status;
    /// A file descriptor that is readable while there is something to read, be it the end: for a loop, which then calls
    /// sgk_reader_next with 0 seconds. Owned by the library: do not read or close it; it lives as long as the reader.
    /// Negative (a sgk_status) when the system refuses, or the reader is closed: SGK_ERROR_ENDED. (One that was asked
    /// for before is readable then.)
    pub fn sgk_reader_fd(reader: *mut sgk_reader) -> c_int;
    /// Calls `ready(context)` once, as soon as there is something to read, be it the end: before this returns, if there
    /// is; otherwise on the thread that brings it, or closes the reader. By then another thread may have read it:
    /// SGK_ERROR_TIMEOUT. For those who do not wait, as coroutines.
    pub fn sgk_reader_when_ready(reader: *mut sgk_reader, ready: sgk_action_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> sgk_status;
    /// Disposes the run and lets go of what waits. Whoever waits in sgk_reader_next is woken, with SGK_ERROR_ENDED, and
    /// so is who is blocked as he emits. Any thread, also inside an emission of the source, and more than once.
    pub fn sgk_reader_close(reader: *mut sgk_reader) -> sgk_status;
    /// Starts `signal` and waits for its first value, at most `seconds`, which is put at `value`, owned by the caller;
    /// then the run is disposed. The results are those of sgk_reader_next (SGK_ERROR_ENDED is none of them; after
    /// SGK_ERROR_FAILED the error is at `value`, owned by the caller, too), and so is what is done during the wait. A
    /// run without a source any more, as that of sgk_signal_never, could be waited for in vain: it counts as completed,
    /// and SGK_ERROR_COMPLETED comes at once, whatever `seconds` says.
    pub fn sgk_signal_get(signal: *mut sgk_signal, seconds: f64, value: *mut sgk_value) -> sgk_status;
    /// Starts `signal` and waits until it has completed or `limit` (1 or more) values have come, at most `seconds`;
    /// then the run is disposed. What is put at `values` is an array of them, which may be empty, owned by the caller.
    /// The results are those of sgk_reader_next, without SGK_ERROR_COMPLETED and SGK_ERROR_ENDED: after a failure, or
    /// when the time is over, the values are lost.
    pub fn sgk_signal_collect(signal: *mut sgk_signal, limit: i64, seconds: f64, values: *mut sgk_value) -> sgk_status;
    /// Adds a reference and returns its argument.
    pub fn sgk_multicast_retain(handle: *mut sgk_multicast) -> *mut sgk_multicast;
    /// Drops a reference.
    pub fn sgk_multicast_release(handle: *mut sgk_multicast);
    /// Adds a reference and returns its argument.
    pub fn sgk_multicast_signal_manager_retain(handle: *mut sgk_multicast_signal_manager) -> *mut
        sgk_multicast_signal_manager;
    /// Drops a reference.
    pub fn sgk_multicast_signal_manager_release(handle: *mut sgk_multicast_signal_manager);
    /// Adds a reference and returns its argument.
    pub fn sgk_sequencer_retain(handle: *mut sgk_sequencer) -> *mut sgk_sequencer;
    /// Drops a reference.
    pub fn sgk_sequencer_release(handle: *mut sgk_sequencer);
    /// Shares one run of the signal among all who listen at the same time: the first one starts it, the last one to
    /// leave disposes it, and after that the next one starts it anew. There is no replay of values, but who comes after
    /// the end is told of the end, which is kept as long as the shared signal is there. A run that listens to itself,
    /// at once, through operators or through other shared runs, is not kept by that: who counts are the listeners from
    /// outside.
    pub fn sgk_signal_multicast(signal: *mut sgk_signal) -> *mut sgk_signal;
    /// Shares one run of the signal among all who listen: the first one starts it, and a later one gets the latest
    /// `replay` values (0: none) of it first, in one order with those that follow. Who comes after the end gets these
    /// values and the end, which are kept as long as the shared signal is there. `keep` says for how many seconds, by
    /// the clock of `queue`, the run goes on after its last listener has left, for whoever comes by then: with 0 it
    /// ends at once, with HUGE_VAL (infinity) only by itself, and in both cases `queue` may be NULL. The next one
    /// starts it anew, and nothing of the former run is replayed. What keeps a run that nobody listens to is the shared
    /// signal: when that is gone, the run ends with its last listener. A run that listens to itself is not kept by
    /// that. A source that lets go of its subscriber without an end, as sgk_signal_never() does, has no run that could
    /// be joined: each listener starts it anew.
    pub fn sgk_signal_share(signal: *mut sgk_signal, replay: i64, keep: f64, queue: *mut sgk_queue) -> *mut sgk_signal;
    /// A new table of shared runs.
    pub fn sgk_multicast_create() -> *mut sgk_multicast;
    /// The signal shared under `key` (copied; compared byte by byte; NULL is an error). Whoever is the first to start a
    /// signal of this key starts the `signal` given with it; those of the others are not used. The last one to leave
    /// disposes the run; after that, or after its end, which everybody is told of, the next one starts a fresh run. The
    /// result does not need the handle to stay.
    pub fn sgk_multicast_get(multicast: *mut sgk_multicast, key: *const c_char, signal: *mut sgk_signal) -> *mut
        sgk_signal;
    /// A new manager.
    pub fn sgk_multicast_signal_manager_create() -> *mut sgk_multicast_signal_manager;
    /// The signal shared under `key` (as by sgk_signal_multicast), made by `producer(context)` if there is none; with
    /// NULL as the key the producer's signal, unshared. The key is forgotten when a run is over: by its end, or because
    /// the last listener has left.
    pub fn sgk_multicast_signal_manager_multicasted_signal(manager: *mut sgk_multicast_signal_manager, key: *const
        c_char, producer: sgk_deferred_fn, context: *mut c_void) -> *mut sgk_signal;
    /// Starts the signal that `producer(context)` makes, for what it does, unless one runs under `key` already. The run
    /// is over with its end, or when the manager goes.
    pub fn sgk_multicast_signal_manager_start_standalone_signal_if_not_running(manager: *mut
        sgk_multicast_signal_manager, key: *const c_char, producer: sgk_deferred_fn, context: *mut c_void) ->
        sgk_status;
    /// What is put into the pipe named `key` from now on. The signal keeps the manager, and so does a run as long as
    /// somebody holds its disposable.
    pub fn sgk_multicast_signal_manager_multicasted_pipe(manager: *mut sgk_multicast_signal_manager, key: *const c_char)
        -> *mut sgk_signal;
    /// Delivers `value` to those who listen to the pipe named `key`, as sgk_pipe_next does; without listeners nothing
    /// happens.
    pub fn sgk_multicast_signal_manager_next(manager: *mut sgk_multicast_signal_manager, key: *const c_char, value:
        sgk_value) -> sgk_status;
    /// A new sequencer, at which nothing waits.
    pub fn sgk_sequencer_create() -> *mut sgk_sequencer;
    /// A signal that runs `signal` when its turn has come, each time that it is started. An error or a disposal ends
    /// that run alone; a run that is disposed while it waits does not start. The signal does not keep the sequencer: a
    /// run of it that is started when the sequencer is gone has no events, and its callbacks are let go at once.
    pub fn sgk_sequencer_enqueue(sequencer: *mut sgk_sequencer, signal: *mut sgk_signal) -> *mut sgk_signal;
    /// Adds a reference and returns its argument.
    pub fn sgk_signal_retain(handle: *mut sgk_signal) -> *mut sgk_signal;
    /// Drops a reference.
    pub fn sgk_signal_release(handle: *mut sgk_signal);
    /// Adds a reference and returns its argument.
    pub fn sgk_subscriber_retain(handle: *mut sgk_subscriber) -> *mut sgk_subscriber;
    /// Drops a reference.
    pub fn sgk_subscriber_release(handle: *mut sgk_subscriber);
    /// A signal that calls `generator(context, subscriber)` for every start, inside it, on the starting thread.
    /// `destroy` runs when the signal and all that are made of it are released and their runs are over.
    pub fn sgk_signal_create(generator: sgk_generator_fn, context: *mut c_void, destroy: sgk_destroy_fn) -> *mut
        sgk_signal;
    /// A signal that emits one value and completes, inside the start.
    pub fn sgk_signal_single(value: sgk_value) -> *mut sgk_signal;
    /// A signal that completes inside the start.
    pub fn sgk_signal_complete() -> *mut sgk_signal;
    /// A signal that fails with an error (any value) inside the start.
    pub fn sgk_signal_fail(error: sgk_value) -> *mut sgk_signal;
    /// A signal that emits nothing and never ends.
    pub fn sgk_signal_never() -> *mut sgk_signal;
    /// A signal as a value, for signals of signals; it retains the signal. Of NULL null, with an error.
    pub fn sgk_signal_value(signal: *mut sgk_signal) -> sgk_value;
    /// The signal of such a value, owned: a handle of its own. Of any other kind NULL, with an error.
    pub fn sgk_value_signal(value: sgk_value) -> *mut sgk_signal;
    /// Emits `value`: SGK_OK, or SGK_ERROR_ENDED when the run has ended or was disposed (which is no mistake: it leaves
    /// the last error alone). A generator that emits in a loop stops then. The callbacks run on the calling thread.
    pub fn sgk_subscriber_next(subscriber: *mut sgk_subscriber, value: sgk_value) -> sgk_status;
    /// Ends the run with `error`, which may be any value. SGK_ERROR_ENDED when it had ended.
    pub fn sgk_subscriber_error(subscriber: *mut sgk_subscriber, error: sgk_value) -> sgk_status;
    /// Ends the run. SGK_ERROR_ENDED when it had ended.
    pub fn sgk_subscriber_complete(subscriber: *mut sgk_subscriber) -> sgk_status;
    /// Whether values still arrive anywhere: false after the end and after disposal. False for NULL, with an error.
    pub fn sgk_subscriber_is_active(subscriber: *mut sgk_subscriber) -> bool;
    /// Holds `object` until the end or the disposal of the run, or until the last reference to the subscriber goes,
    /// whichever is first; then calls `destroy(object)`, after the source has been disposed. What is given after the
    /// end stays until the subscriber goes.
    pub fn sgk_subscriber_keep_alive(subscriber: *mut sgk_subscriber, object: *mut c_void, destroy: sgk_destroy_fn) ->
        sgk_status;
    /// Calls `action(context)` once when the run is torn down: at the end, after the callback of that, or at disposal,
    /// before what the generator has returned is disposed, on whichever thread does it; now, if that has happened
    /// already. It does not wait for the generator to return: one that blocks is woken by this.
    pub fn sgk_subscriber_on_dispose(subscriber: *mut sgk_subscriber, action: sgk_action_fn, context: *mut c_void,
        destroy: sgk_destroy_fn) -> sgk_status;
    /// Starts a run. `handlers` is copied; NULL starts it without callbacks, one of a wrong size is an error. The
    /// generator runs before this returns. (Of a source that another thread is emitting into, the start may be the one
    /// that delivers what comes meanwhile, and return when nothing waits: who must be able to stop that takes the run
    /// by `started`.) Returns what stops the run; releasing that stops nothing. After disposal, and after the end, the
    /// callbacks' context is destroyed as soon as no callback runs.
    pub fn sgk_signal_start(signal: *mut sgk_signal, handlers: *const sgk_handlers) -> *mut sgk_disposable;
    /// As sgk_signal_start, with `signal` and `handlers`, for a run that sgk_disposable_dispose_and_wait can be called
    /// with. Once its disposable is disposed no callback begins on any thread. Each event costs a little more for that.
    pub fn sgk_signal_start_waitable(signal: *mut sgk_signal, handlers: *const sgk_handlers) -> *mut sgk_disposable;
    /// A subscriber of its own, outside any signal, with the same rules: what is emitted into it reaches the
    /// `handlers`, which are copied. `started` is not called; NULL means without callbacks. For tests of generators,
    /// and for bridges.
    pub fn sgk_subscriber_create(handlers: *const sgk_handlers) -> *mut sgk_subscriber;
    /// Starts a run with a callback for values alone: `next(context, value)`, which must not be NULL. As
    /// sgk_signal_start otherwise.
    pub fn sgk_signal_start_next(signal: *mut sgk_signal, next: sgk_next_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> *mut sgk_disposable;
    /// Tells `handler` of errors that end a run without an error callback; NULL goes back to a line in the log for
    /// each. There is one for the whole process. The former handler's `destroy` runs when no call of it can be running
    /// any more.
    pub fn sgk_set_unhandled_error_handler(handler: sgk_unhandled_error_fn, context: *mut c_void, destroy:
        sgk_destroy_fn);
    /// Does nothing: the error callback of a run whose errors do not matter, `handlers.error = sgk_ignore_error`.
    pub fn sgk_ignore_error(context: *mut c_void, error: sgk_value);
    /// Emits the `count` values that `items` points to, inside each start, in order, as long as somebody listens, and
    /// completes. They are retained, also those that are marked by sgk_give: these are taken over in any case. `items`
    /// may be NULL if there are none.
    pub fn sgk_signal_from_array(items: *const sgk_value, count: usize) -> *mut sgk_signal;
    /// Emits what `next(context, item)` stores, inside the start, on the starting thread, as long as somebody listens;
    /// completes or fails when it says so. It is not asked for an item that nobody wants. All runs have the same
    /// `context`: where each is to begin anew, make the signal inside of sgk_signal_deferred.
    pub fn sgk_signal_from_iterator(next: sgk_iterator_fn, context: *mut c_void, destroy: sgk_destroy_fn) -> *mut
        sgk_signal;
    /// Emits `count` ints (0 or more), beginning with `first`, each greater by one, inside each start, as long as
    /// somebody listens, and completes. The last must be an int64_t as well.
    pub fn sgk_signal_range(first: i64, count: i64) -> *mut sgk_signal;
    /// Emits the ints 0, 1, 2 … on `queue`: n at (n + 1) * `seconds` after the start by the queue's clock, whatever
    /// time the deliveries take. What falls due while a number is being delivered is skipped, as the next number tells.
    /// Never ends. `seconds` must be more than 0 and finite; less than a microsecond is taken for one.
    pub fn sgk_signal_interval(seconds: f64, queue: *mut sgk_queue) -> *mut sgk_signal;
    /// Emits the int 0 on `queue`, `seconds` after the start by the queue's clock, and completes. `seconds` must be 0
    /// or more; infinity is never.
    pub fn sgk_signal_timer(seconds: f64, queue: *mut sgk_queue) -> *mut sgk_signal;
    /// For each start makes a resource, by `acquire(context)`, and behaves as the signal that `use(context, resource)`
    /// returns. `release(resource)` is called once for each, when the run is torn down, by an end or by disposal: after
    /// what uses it has been disposed. Where neither can come any more, as what uses it has gone silent and nobody
    /// holds the run, it is called then.
    pub fn sgk_signal_using(acquire: sgk_acquire_fn, use_: sgk_use_fn, release: sgk_destroy_fn, context: *mut c_void,
        destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// Adds a reference and returns its argument.
    pub fn sgk_thread_pool_retain(handle: *mut sgk_thread_pool) -> *mut sgk_thread_pool;
    /// Drops a reference.
    pub fn sgk_thread_pool_release(handle: *mut sgk_thread_pool);
    /// A new pool of 1 to 1024 threads. `thread_priority` is from 0 to 1; 0.5 is that of any thread, a higher one is
    /// granted only to programs with the privilege. NULL, with SGK_ERROR_SYSTEM, when the system refuses one of the
    /// threads.
    pub fn sgk_thread_pool_create(thread_count: c_int, thread_priority: f64) -> *mut sgk_thread_pool;
    /// Runs `work(context)` on any of the threads, unordered with other tasks; on a pool that was shut down it is let
    /// go. Returns what keeps it from running if its turn has not come; its context is destroyed when that comes. Work
    /// that runs is not told: give it a flag to look at. Releasing what is returned cancels nothing.
    pub fn sgk_thread_pool_add_task(pool: *mut sgk_thread_pool, work: sgk_work_fn, context: *mut c_void, destroy:
        sgk_destroy_fn) -> *mut sgk_disposable;
    /// A new serial queue on the pool: its work runs in order, one at a time, on any of the threads; different queues
    /// run side by side. It does not keep the pool: when that has gone, work is let go. Its times are kept by the
    /// process-wide background queue.
    pub fn sgk_thread_pool_next_queue(pool: *mut sgk_thread_pool) -> *mut sgk_queue;
    /// The pool as a concurrent queue: each work runs on whichever thread comes first, several at once. So whatever
    /// takes a queue runs on a pool as well as on a loop or in virtual time. It is never current (sgk_queue_sync from
    /// one of the threads runs the work there), and it keeps the pool, which sgk_thread_pool_shutdown ends all the
    /// same: work is let go then. Returned owned.
    pub fn sgk_thread_pool_queue(pool: *mut sgk_thread_pool) -> *mut sgk_queue;
    /// Whether the caller runs on one of the threads. False for NULL, with an error.
    pub fn sgk_thread_pool_is_current_thread_in_pool(pool: *mut sgk_thread_pool) -> bool;
    /// Lets the tasks that wait go and ends the threads, those that run a task after it. Does not wait. What is added
    /// later is let go.
    pub fn sgk_thread_pool_shutdown(pool: *mut sgk_thread_pool) -> sgk_status;
    /// Adds a reference and returns its argument.
    pub fn sgk_signature_retain(handle: *mut sgk_signature) -> *mut sgk_signature;
    /// Drops a reference.
    pub fn sgk_signature_release(handle: *mut sgk_signature);
    /// Compiles a text like `"(i64, f64, ctx) -> bool"`: at most 64 parameters of the types above, and a result. `()`
    /// and `(void)` are none. With `via libffi` behind it calls, out and in, go through libffi even where compiled-in
    /// ones would do, for comparison. NULL for a text that is none, with an error that says where:
    /// `"sgk_signature_create: text: column 2: unknown type 'i65'"`.
    pub fn sgk_signature_create(text: *const c_char) -> *mut sgk_signature;
    /// How many values a function of this signature takes: its parameters without `ctx`. 0 for NULL, with an error.
    pub fn sgk_signature_arity(signature: *mut sgk_signature) -> usize;
    /// Whether calls go through libffi. On x86-64 and ARM64 those do not whose arguments are all passed in registers:
    /// at most eight of `f64` and `f32`, and six (ARM64: eight) of the other types, of which a `value` counts as two.
    /// On all other processors all do. False for NULL, with an error.
    pub fn sgk_signature_uses_libffi(signature: *mut sgk_signature) -> bool;
    /// Starts a run, as sgk_signal_start does: `next` is called with each value, `error` with the error (best as
    /// `(text)`, which takes any), `completed` without values. Each may be NULL, together with its signature
    /// (`next_signature`, `error_signature`, `completed_signature`); results are dropped. All get the same context. A
    /// value that does not fit `next` ends the run, and `error` is told. An error that does not fit `error` goes to the
    /// log instead.
    pub fn sgk_signal_start_typed(signal: *mut sgk_signal, next: sgk_function, next_signature: *mut sgk_signature,
        error: sgk_function, error_signature: *mut sgk_signature, completed: sgk_function, completed_signature: *mut
        sgk_signature, context: *mut c_void, destroy: sgk_destroy_fn) -> *mut sgk_disposable;
    /// sgk_signal_map. The function must have a result.
    pub fn sgk_signal_map_typed(signal: *mut sgk_signal, map: sgk_function, signature: *mut sgk_signature, context: *mut
        c_void, destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// sgk_signal_filter. The result is a `bool` or an integer, of which 0 means no.
    pub fn sgk_signal_filter_typed(signal: *mut sgk_signal, filter: sgk_function, signature: *mut sgk_signature,
        context: *mut c_void, destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// sgk_signal_map_error: the function gets the error. It must have a result.
    pub fn sgk_signal_map_error_typed(signal: *mut sgk_signal, map: sgk_function, signature: *mut sgk_signature,
        context: *mut c_void, destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// sgk_signal_before_next. A result is dropped.
    pub fn sgk_signal_before_next_typed(signal: *mut sgk_signal, f: sgk_function, signature: *mut sgk_signature,
        context: *mut c_void, destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// sgk_signal_after_next. A result is dropped.
    pub fn sgk_signal_after_next_typed(signal: *mut sgk_signal, f: sgk_function, signature: *mut sgk_signature, context:
        *mut c_void, destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// sgk_signal_distinct_until_changed_by: the function gets the last value that passed and the new one, and says by
    /// a `bool` or an integer whether they count as the same.
    pub fn sgk_signal_distinct_until_changed_by_typed(signal: *mut sgk_signal, equal: sgk_function, signature: *mut
        sgk_signature, context: *mut c_void, destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// sgk_signal_reduce_left: the function gets the accumulated value (at first `initial`) and the value, and returns
    /// the new accumulated value. With more than two parameters those after the first get the items of the value, an
    /// array.
    pub fn sgk_signal_reduce_left_typed(signal: *mut sgk_signal, initial: sgk_value, reduce: sgk_function, signature:
        *mut sgk_signature, context: *mut c_void, destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// sgk_signal_scan: the function is as that of sgk_signal_reduce_left_typed, beginning with `initial`.
    pub fn sgk_signal_scan_typed(signal: *mut sgk_signal, initial: sgk_value, reduce: sgk_function, signature: *mut
        sgk_signature, context: *mut c_void, destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// sgk_signal_take_until: the result is an integer, a `sgk_take_action` (as `i32`).
    pub fn sgk_signal_take_until_typed(signal: *mut sgk_signal, until: sgk_function, signature: *mut sgk_signature,
        context: *mut c_void, destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// sgk_signal_take_while. The result is a `bool` or an integer, of which 0 means no.
    pub fn sgk_signal_take_while_typed(signal: *mut sgk_signal, filter: sgk_function, signature: *mut sgk_signature,
        context: *mut c_void, destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// sgk_signal_skip_while. The result is a `bool` or an integer, of which 0 means no.
    pub fn sgk_signal_skip_while_typed(signal: *mut sgk_signal, filter: sgk_function, signature: *mut sgk_signature,
        context: *mut c_void, destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// sgk_signal_map_to_signal: the result is a `ptr`, a `sgk_signal *` which becomes the library's.
    pub fn sgk_signal_map_to_signal_typed(signal: *mut sgk_signal, map: sgk_function, signature: *mut sgk_signature,
        context: *mut c_void, destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// sgk_signal_map_to_queue: the result is a `ptr`, a `sgk_signal *` which becomes the library's.
    pub fn sgk_signal_map_to_queue_typed(signal: *mut sgk_signal, map: sgk_function, signature: *mut sgk_signature,
        context: *mut c_void, destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// sgk_signal_catch: the function gets the error; the result is a `ptr`, a `sgk_signal *` which becomes the
    /// library's.
    pub fn sgk_signal_catch_typed(signal: *mut sgk_signal, f: sgk_function, signature: *mut sgk_signature, context: *mut
        c_void, destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// sgk_signal_retry_if: the function gets the error; the result is a `bool` or an integer.
    pub fn sgk_signal_retry_if_typed(signal: *mut sgk_signal, predicate: sgk_function, signature: *mut sgk_signature,
        context: *mut c_void, destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// sgk_combine_latest_map: a function of `count` parameters, each of which gets the latest value of its signal. It
    /// must have a result. `queue` may be NULL.
    pub fn sgk_combine_latest_typed(sources: *const *mut sgk_signal, count: usize, map: sgk_function, signature: *mut
        sgk_signature, context: *mut c_void, destroy: sgk_destroy_fn, queue: *mut sgk_queue) -> *mut sgk_signal;
    /// sgk_signal_map_to_merged, also as to `limit`, `waiting`, `overflow`, `error` and `counter`: the result is a
    /// `ptr`, a `sgk_signal *` which becomes the library's.
    pub fn sgk_signal_map_to_merged_typed(signal: *mut sgk_signal, limit: i64, waiting: i64, overflow: sgk_overflow,
        error: sgk_value, counter: *mut sgk_overflow_counter, map: sgk_function, signature: *mut sgk_signature, context:
        *mut c_void, destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// sgk_signal_map_to_first: the result is a `ptr`, a `sgk_signal *` which becomes the library's.
    pub fn sgk_signal_map_to_first_typed(signal: *mut sgk_signal, map: sgk_function, signature: *mut sgk_signature,
        context: *mut c_void, destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// sgk_signal_with_latest_from_map: a function of two parameters, the value and the latest one of `other`. It must
    /// have a result.
    pub fn sgk_signal_with_latest_from_typed(signal: *mut sgk_signal, other: *mut sgk_signal, map: sgk_function,
        signature: *mut sgk_signature, context: *mut c_void, destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// sgk_zip_map, also as to `limit`, `overflow`, `error` and `counter`: a function of `count` parameters, each of
    /// which gets a value of its signal. It must have a result.
    pub fn sgk_zip_typed(sources: *const *mut sgk_signal, count: usize, limit: i64, overflow: sgk_overflow, error:
        sgk_value, counter: *mut sgk_overflow_counter, map: sgk_function, signature: *mut sgk_signature, context: *mut
        c_void, destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// sgk_signal_before_error: the function gets the error. A result is dropped.
    pub fn sgk_signal_before_error_typed(signal: *mut sgk_signal, f: sgk_function, signature: *mut sgk_signature,
        context: *mut c_void, destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// sgk_signal_distinct_by, also as to `limit`, `overflow`, `error` and `counter`: the function must have a result,
    /// the key.
    pub fn sgk_signal_distinct_by_typed(signal: *mut sgk_signal, limit: i64, overflow: sgk_overflow, error: sgk_value,
        counter: *mut sgk_overflow_counter, key: sgk_function, signature: *mut sgk_signature, context: *mut c_void,
        destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// sgk_signal_map_to_throttled: the result is a `ptr`, a `sgk_signal *` which becomes the library's.
    pub fn sgk_signal_map_to_throttled_typed(signal: *mut sgk_signal, map: sgk_function, signature: *mut sgk_signature,
        context: *mut c_void, destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// sgk_signal_reduce_left_generator: the function gets what that of sgk_signal_reduce_left_typed does, beginning
    /// with `initial`; the result is a `ptr`, a `sgk_signal *` which becomes the library's.
    pub fn sgk_signal_reduce_left_generator_typed(signal: *mut sgk_signal, initial: sgk_value, generator: sgk_function,
        signature: *mut sgk_signature, context: *mut c_void, destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// sgk_signal_retry_on_error, also as to `delay_increment`, `max_delay`, `max_retries`, `reset_on_value` and
    /// `queue`: the function gets the error; the result is a `bool` or an integer, of which 0 means no.
    pub fn sgk_signal_retry_on_error_typed(signal: *mut sgk_signal, delay_increment: f64, max_delay: f64, max_retries:
        i64, reset_on_value: bool, retry_on_error: sgk_function, signature: *mut sgk_signature, context: *mut c_void,
        destroy: sgk_destroy_fn, queue: *mut sgk_queue) -> *mut sgk_signal;
    /// sgk_signal_retry_when: the function gets the error and the number of the attempt, an int; the result is a `ptr`,
    /// a `sgk_signal *` which becomes the library's.
    pub fn sgk_signal_retry_when_typed(signal: *mut sgk_signal, when: sgk_function, signature: *mut sgk_signature,
        context: *mut c_void, destroy: sgk_destroy_fn) -> *mut sgk_signal;
    /// As sgk_null.
    pub fn sgk_make_null() -> sgk_value;
    /// As sgk_bool.
    pub fn sgk_make_bool(flag: bool) -> sgk_value;
    /// As sgk_int.
    pub fn sgk_make_int(number: i64) -> sgk_value;
    /// As sgk_double.
    pub fn sgk_make_double(number: f64) -> sgk_value;
    /// As sgk_pointer.
    pub fn sgk_make_pointer(pointer: *mut c_void) -> sgk_value;
    /// As sgk_to_bool.
    pub fn sgk_get_bool(value: sgk_value) -> bool;
    /// As sgk_to_int.
    pub fn sgk_get_int(value: sgk_value) -> i64;
    /// As sgk_to_double.
    pub fn sgk_get_double(value: sgk_value) -> f64;
    /// As sgk_to_pointer.
    pub fn sgk_get_pointer(value: sgk_value) -> *mut c_void;
    /// A copy of a NUL-terminated text (UTF-8 by custom; not checked). NULL gives null, with an error.
    pub fn sgk_string(text: *const c_char) -> sgk_value;
    /// A copy of `length` bytes of text, which may contain NULs. NULL with a length gives null, with an error.
    pub fn sgk_string_n(text: *const c_char, length: usize) -> sgk_value;
    /// A copy of `length` bytes. NULL with a length gives null, with an error.
    pub fn sgk_bytes(data: *const c_void, length: usize) -> sgk_value;
    /// An array of `count` values, which it retains. NULL with a count, or arrays in arrays more than 1000 deep, give
    /// null, with an error.
    pub fn sgk_array(values: *const sgk_value, count: usize) -> sgk_value;
    /// The text of a string, NUL-terminated, or the data of bytes; `length` (may be NULL) gets the length without the
    /// NUL. Borrowed from the value. Of any other kind NULL, with an error.
    pub fn sgk_value_data(value: sgk_value, length: *mut usize) -> *const c_char;
    /// The elements of an array, borrowed from it; `count` (may be NULL) gets their number. Of any other kind NULL,
    /// with an error.
    pub fn sgk_array_items(array: sgk_value, count: *mut usize) -> *const sgk_value;
    /// The element at `index`, from 0 on, borrowed from the array; null, with an error, when there is no such element
    /// or it is no array.
    pub fn sgk_array_at(array: sgk_value, index: usize) -> sgk_value;
    /// A value that stands for a foreign object. `table` is copied; NULL means no functions. A table whose size is none
    /// that this library knows gives null, with an error.
    pub fn sgk_object_value(object: *mut c_void, table: *const sgk_object_table) -> sgk_value;
    /// The foreign object, borrowed. Of any other kind NULL, with an error.
    pub fn sgk_object_pointer(value: sgk_value) -> *mut c_void;
    /// Adds a reference, if the kind has any, and returns its argument. (Of one that is given away it keeps the
    /// reference: the result is the caller's.)
    pub fn sgk_value_retain(value: sgk_value) -> sgk_value;
    /// Drops a reference, if the kind has any.
    pub fn sgk_value_release(value: sgk_value);
    /// Whether `a` and `b` are of the same kind and equal: bits for the plain kinds (so NaN equals itself, and 0.0 is
    /// not -0.0), content for strings, bytes and arrays, identity for signals, the table's `equal` for objects.
    pub fn sgk_value_equal(a: sgk_value, b: sgk_value) -> bool;
    /// A number that is the same for equal values, within one run of the program.
    pub fn sgk_value_hash(value: sgk_value) -> u64;
    /// Writes the value as text for people into `text`, as snprintf does: at most `size` bytes with the NUL; returns
    /// the length of the whole text. Strings are written as they are (a NUL inside one ends the text for whoever reads
    /// it as a C string), bytes in hexadecimal.
    pub fn sgk_value_describe(value: sgk_value, text: *mut c_char, size: usize) -> usize;
    /// The text of a kind of value; for an unknown one, a text that says so. Static.
    pub fn sgk_kind_text(kind: sgk_kind) -> *const c_char;
    /// A serial queue with a virtual clock of its own, at time 0; or, given another virtual queue, one beside it, with
    /// the same clock. With the last handle of a queue of this clock what waits is let go, since nobody can move the
    /// time any more; and so is what is put there later.
    pub fn sgk_queue_create_virtual(beside: *mut sgk_queue) -> *mut sgk_queue;
    /// The time of a queue's clock, in seconds from any fixed point; virtual clocks begin at 0. Any queue; NaN for
    /// NULL, with an error.
    pub fn sgk_queue_now(queue: *mut sgk_queue) -> f64;
    /// Moves the time on by `seconds`, which must be 0 or more and finite, running what becomes due on the way: each
    /// thing at its time.
    pub fn sgk_queue_advance(queue: *mut sgk_queue, seconds: f64) -> sgk_status;
    /// Moves the time on to `time`, which must be finite. What is due by now runs in any case; the time never goes
    /// back.
    pub fn sgk_queue_advance_to(queue: *mut sgk_queue, time: f64) -> sgk_status;
    /// Runs until nothing waits, or `limit` (1 or more) things have run, for what repeats would go on for ever; the
    /// time moves on as far as that takes. Returns how many things have run; a negative sgk_status when it fails.
    pub fn sgk_queue_run(queue: *mut sgk_queue, limit: i64) -> i64;
    /// How much waits on the queue's clock, work and timers; a negative sgk_status when it fails.
    pub fn sgk_queue_pending(queue: *mut sgk_queue) -> i64;
    /// The system sleeps for `seconds`, 0 or more and finite: the clock on the wall, by which
    /// sgk_signal_suspend_aware_delay goes, moves on, and the queue's does not.
    pub fn sgk_queue_suspend(queue: *mut sgk_queue, seconds: f64) -> sgk_status;
}
