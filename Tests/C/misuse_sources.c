/* Misuse of sources: pipes, promises, what shares runs, links. */
#include "misuse.h"

static void pipes(void **state) {
    (void)state;
    REFUSED_NULL(sgk_pipe_signal(NULL), SGK_ERROR_NULL, "sgk_pipe_signal: pipe: ");
    REFUSED_NULL(sgk_pipe_signal(WRONG(sgk_pipe)), SGK_ERROR_HANDLE, "sgk_pipe_signal: pipe: ");
    REFUSED(sgk_pipe_complete(NULL), SGK_ERROR_NULL, "sgk_pipe_complete: pipe: ");
    REFUSED(sgk_pipe_complete(WRONG(sgk_pipe)), SGK_ERROR_HANDLE, "sgk_pipe_complete: pipe: ");
    REFUSED(sgk_pipe_error(NULL, sgk_int(1)), SGK_ERROR_NULL, "sgk_pipe_error: pipe: ");
    REFUSED(sgk_pipe_error(WRONG(sgk_pipe), sgk_int(1)), SGK_ERROR_HANDLE, "sgk_pipe_error: pipe: ");
    REFUSED(sgk_pipe_next(NULL, sgk_int(1)), SGK_ERROR_NULL, "sgk_pipe_next: pipe: ");
    REFUSED(sgk_pipe_next(WRONG(sgk_pipe), sgk_int(1)), SGK_ERROR_HANDLE, "sgk_pipe_next: pipe: ");
    assert_false(sgk_pipe_is_paused(NULL));
    assert_failed(SGK_ERROR_NULL, "sgk_pipe_is_paused: pipe: ");
    assert_false(sgk_pipe_is_paused(WRONG(sgk_pipe)));
    assert_failed(SGK_ERROR_HANDLE, "sgk_pipe_is_paused: pipe: ");
#define ON_RESUME(pipe, f, queue) sgk_pipe_on_resume((pipe), (f), &context, counted_destroy, (queue))
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    REFUSED_WORK(ON_RESUME(NULL, counted_work, some_queue), SGK_ERROR_NULL, "sgk_pipe_on_resume: pipe: ");
    REFUSED_WORK(ON_RESUME(WRONG(sgk_pipe), counted_work, some_queue), SGK_ERROR_HANDLE, "sgk_pipe_on_resume: pipe: ");
    REFUSED_WORK(ON_RESUME(pipe, NULL, some_queue), SGK_ERROR_NULL, "sgk_pipe_on_resume: resumed: ");
    REFUSED_WORK(ON_RESUME(pipe, counted_work, NULL), SGK_ERROR_NULL, "sgk_pipe_on_resume: queue: ");
    REFUSED_WORK(ON_RESUME(pipe, counted_work, WRONG_QUEUE), SGK_ERROR_HANDLE, "sgk_pipe_on_resume: queue: ");
}

static sgk_status never_called(void *context, sgk_value value, sgk_value *result) {
    (void)context, (void)value, (void)result;
    fail_msg("called");
    return SGK_OK;
}

static void promises(void **state) {
    (void)state;
    SGK_AUTO(sgk_promise) promise = sgk_promise_create();
    REFUSED_NULL(sgk_promise_create_initialize_on_first_access(NULL), SGK_ERROR_NULL,
        "sgk_promise_create_initialize_on_first_access: signal: ");
    REFUSED(sgk_promise_set(NULL, some_signal), SGK_ERROR_NULL, "sgk_promise_set: promise: ");
    REFUSED(sgk_promise_set(WRONG(sgk_promise), some_signal), SGK_ERROR_HANDLE, "sgk_promise_set: promise: ");
    REFUSED(sgk_promise_set(promise, NULL), SGK_ERROR_NULL, "sgk_promise_set: signal: ");
    REFUSED(sgk_promise_set(promise, WRONG(sgk_signal)), SGK_ERROR_HANDLE, "sgk_promise_set: signal: ");
    REFUSED_NULL(sgk_promise_signal(NULL), SGK_ERROR_NULL, "sgk_promise_signal: promise: ");
    REFUSED_NULL(sgk_promise_signal(WRONG(sgk_promise)), SGK_ERROR_HANDLE, "sgk_promise_signal: promise: ");
    REFUSED_WORK(sgk_promise_on_deinit(NULL, counted_work, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_promise_on_deinit: promise: ");
    REFUSED(sgk_state_set(NULL, sgk_int(1)), SGK_ERROR_NULL, "sgk_state_set: state: ");
    REFUSED(sgk_state_set((sgk_state *)(void *)promise, sgk_int(1)), SGK_ERROR_HANDLE, "sgk_state_set: state: ");
    assert_int_equal(sgk_state_value(NULL).kind, SGK_NULL);
    assert_failed(SGK_ERROR_NULL, "sgk_state_value: state: ");
    assert_int_equal(sgk_state_value(WRONG(sgk_state)).kind, SGK_NULL);
    assert_failed(SGK_ERROR_HANDLE, "sgk_state_value: state: ");
    SGK_AUTO(sgk_state) held = sgk_state_create(false);
    REFUSED(sgk_state_modify(NULL, never_called, NULL), SGK_ERROR_NULL, "sgk_state_modify: state: ");
    REFUSED(sgk_state_modify(WRONG(sgk_state), never_called, NULL), SGK_ERROR_HANDLE, "sgk_state_modify: state: ");
    REFUSED(sgk_state_modify(held, NULL, NULL), SGK_ERROR_NULL, "sgk_state_modify: f: ");
    REFUSED_NULL(sgk_state_signal(NULL), SGK_ERROR_NULL, "sgk_state_signal: state: ");
    REFUSED_NULL(sgk_state_signal(WRONG(sgk_state)), SGK_ERROR_HANDLE, "sgk_state_signal: state: ");
}

static void sharing(void **state) {
    (void)state;
    SGK_AUTO(sgk_multicast) multicast = sgk_multicast_create();
    SGK_AUTO(sgk_sequencer) sequencer = sgk_sequencer_create();
    REFUSED_NULL(sgk_signal_share(some_signal, -1, 0, NULL), SGK_ERROR_ARGUMENT, "sgk_signal_share: replay: ");
    REFUSED_NULL(
        sgk_signal_share(some_signal, INT64_MIN, 1, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_share: replay: ");
    REFUSED_NULL(sgk_multicast_get(NULL, "key", some_signal), SGK_ERROR_NULL, "sgk_multicast_get: multicast: ");
    REFUSED_NULL(sgk_multicast_get(WRONG(sgk_multicast), "key", some_signal), SGK_ERROR_HANDLE,
        "sgk_multicast_get: multicast: ");
    REFUSED_NULL(sgk_multicast_get(multicast, NULL, some_signal), SGK_ERROR_NULL, "sgk_multicast_get: key: ");
    REFUSED_NULL(sgk_multicast_get(multicast, "key", NULL), SGK_ERROR_NULL, "sgk_multicast_get: signal: ");
    REFUSED_NULL(sgk_sequencer_enqueue(NULL, some_signal), SGK_ERROR_NULL, "sgk_sequencer_enqueue: sequencer: ");
    REFUSED_NULL(sgk_sequencer_enqueue((sgk_sequencer *)(void *)some_queue, some_signal), SGK_ERROR_HANDLE,
        "sgk_sequencer_enqueue: sequencer: ");
    REFUSED_NULL(sgk_sequencer_enqueue(sequencer, NULL), SGK_ERROR_NULL, "sgk_sequencer_enqueue: signal: ");
    REFUSED_NULL(
        sgk_sequencer_enqueue(sequencer, WRONG(sgk_signal)), SGK_ERROR_HANDLE, "sgk_sequencer_enqueue: signal: ");
}

static sgk_signal *produce(void *context_) {
    counted_work(context_);
    return NULL;
}

static void managers(void **state) {
    (void)state;
    SGK_AUTO(sgk_multicast_signal_manager) manager = sgk_multicast_signal_manager_create();
    sgk_multicast_signal_manager *wrong = WRONG(sgk_multicast_signal_manager);
#define NAME "sgk_multicast_signal_manager_multicasted_signal: "
#define CALL sgk_multicast_signal_manager_multicasted_signal
    REFUSED_NULL(CALL(NULL, "key", produce, &context), SGK_ERROR_NULL, NAME "manager: ");
    REFUSED_NULL(CALL(wrong, "key", produce, &context), SGK_ERROR_HANDLE, NAME "manager: ");
    REFUSED_NULL(CALL(manager, "key", NULL, &context), SGK_ERROR_NULL, NAME "producer: ");
#undef NAME
#undef CALL
#define NAME "sgk_multicast_signal_manager_start_standalone_signal_if_not_running: "
#define CALL sgk_multicast_signal_manager_start_standalone_signal_if_not_running
    REFUSED(CALL(NULL, "key", produce, &context), SGK_ERROR_NULL, NAME "manager: ");
    REFUSED(CALL(wrong, "key", produce, &context), SGK_ERROR_HANDLE, NAME "manager: ");
    REFUSED(CALL(manager, NULL, produce, &context), SGK_ERROR_NULL, NAME "key: ");
    REFUSED(CALL(manager, "key", NULL, &context), SGK_ERROR_NULL, NAME "producer: ");
#undef NAME
#undef CALL
    REFUSED_NULL(sgk_multicast_signal_manager_multicasted_pipe(NULL, "key"), SGK_ERROR_NULL,
        "sgk_multicast_signal_manager_multicasted_pipe: manager: ");
    REFUSED_NULL(sgk_multicast_signal_manager_multicasted_pipe(wrong, "key"), SGK_ERROR_HANDLE,
        "sgk_multicast_signal_manager_multicasted_pipe: manager: ");
    REFUSED_NULL(sgk_multicast_signal_manager_multicasted_pipe(manager, NULL), SGK_ERROR_NULL,
        "sgk_multicast_signal_manager_multicasted_pipe: key: ");
    REFUSED(sgk_multicast_signal_manager_next(NULL, "key", sgk_int(1)), SGK_ERROR_NULL,
        "sgk_multicast_signal_manager_next: manager: ");
    REFUSED(sgk_multicast_signal_manager_next(wrong, "key", sgk_int(1)), SGK_ERROR_HANDLE,
        "sgk_multicast_signal_manager_next: manager: ");
    REFUSED(sgk_multicast_signal_manager_next(manager, NULL, sgk_int(1)), SGK_ERROR_NULL,
        "sgk_multicast_signal_manager_next: key: ");
    assert_int_equal(context.calls, 0);
}

static void any_next(void *context_, sgk_value value) {
    (void)value;
    counted_work(context_);
}

/* A function that registers a handler on a link. */
#define REFUSES_HANDLER(name, f, argument) \
    do { \
        REFUSED_WORK(name(NULL, f, &context, counted_destroy, NULL), SGK_ERROR_NULL, #name ": link: "); \
        REFUSED_WORK( \
            name(WRONG(sgk_event_link), f, &context, counted_destroy, NULL), SGK_ERROR_HANDLE, #name ": link: "); \
        REFUSED_WORK(name(link, NULL, &context, counted_destroy, NULL), SGK_ERROR_NULL, #name ": " argument ": "); \
        REFUSED_WORK(name(link, f, &context, counted_destroy, WRONG_QUEUE), SGK_ERROR_HANDLE, #name ": queue: "); \
    } while (0)

/* A function that derives a link. */
#define REFUSES_DERIVING(name, f, argument) \
    do { \
        REFUSED_DESTROYED(name(NULL, f, &context, counted_destroy), SGK_ERROR_NULL, #name ": link: "); \
        REFUSED_DESTROYED( \
            name(WRONG(sgk_event_link), f, &context, counted_destroy), SGK_ERROR_HANDLE, #name ": link: "); \
        REFUSED_DESTROYED(name(link, NULL, &context, counted_destroy), SGK_ERROR_NULL, #name ": " argument ": "); \
    } while (0)

static void links(void **state) {
    (void)state;
    SGK_AUTO(sgk_event_link) emitter = sgk_event_emitter_create();
    SGK_AUTO(sgk_event_link) link = sgk_event_link_observer(emitter);
    SGK_AUTO(sgk_link_bag) bag = sgk_link_bag_create();
    sgk_event_link *no_links[] = {NULL, WRONG(sgk_event_link), link};
    for (int i = 0; i < 3; i++) { /* no link, nor is a derived one an emitter */
        sgk_status status = i ? SGK_ERROR_HANDLE : SGK_ERROR_NULL;
        REFUSED(sgk_event_emitter_next(no_links[i], sgk_int(1)), status, "sgk_event_emitter_next: emitter: ");
        REFUSED(sgk_event_emitter_error(no_links[i], sgk_int(1)), status, "sgk_event_emitter_error: emitter: ");
        REFUSED(sgk_event_emitter_finish(no_links[i]), status, "sgk_event_emitter_finish: emitter: ");
        if (i == 2) break;
        REFUSED_NULL(sgk_event_link_observer(no_links[i]), status, "sgk_event_link_observer: link: ");
        REFUSED(sgk_event_link_unlink(no_links[i]), status, "sgk_event_link_unlink: link: ");
        REFUSED_NULL(sgk_event_link_signal(no_links[i]), status, "sgk_event_link_signal: link: ");
        REFUSED(sgk_link_bag_add(bag, no_links[i]), status, "sgk_link_bag_add: link: ");
    }
    REFUSES_HANDLER(sgk_event_link_on_next, any_next, "next");
    REFUSES_HANDLER(sgk_event_link_on_error, any_next, "error");
    REFUSES_HANDLER(sgk_event_link_on_finish, counted_work, "finish");
    REFUSES_DERIVING(sgk_event_link_map, times_ten, "map");
    REFUSES_DERIVING(sgk_event_link_filter, is_even, "filter");
    REFUSED_NULL(sgk_event_link_from_signal(NULL), SGK_ERROR_NULL, "sgk_event_link_from_signal: signal: ");
    REFUSED_NULL(
        sgk_event_link_from_signal(WRONG(sgk_signal)), SGK_ERROR_HANDLE, "sgk_event_link_from_signal: signal: ");
    REFUSED(sgk_link_bag_add(NULL, link), SGK_ERROR_NULL, "sgk_link_bag_add: bag: ");
    REFUSED(sgk_link_bag_add(WRONG(sgk_link_bag), link), SGK_ERROR_HANDLE, "sgk_link_bag_add: bag: ");
    REFUSED(sgk_link_bag_clear(NULL), SGK_ERROR_NULL, "sgk_link_bag_clear: bag: ");
    REFUSED(sgk_link_bag_clear(WRONG(sgk_link_bag)), SGK_ERROR_HANDLE, "sgk_link_bag_clear: bag: ");
    assert_null(sgk_event_link_map(NULL, NULL, NULL, NULL));
    assert_null(sgk_event_link_filter(NULL, is_even, NULL, NULL));
    assert_failed(SGK_ERROR_NULL, "sgk_event_link_map: link: "); /* the first error of the chain stays */
    assert_int_equal(context.calls, 0);
}

static bool any_item(void *context_, sgk_value *item) {
    (void)context_, (void)item;
    return false;
}
static void *any_resource(void *context_) { return context_; }
static sgk_signal *any_use(void *context_, void *resource) {
    (void)context_, (void)resource;
    return NULL;
}

static void items_times_and_resources(void **state) {
    (void)state;
    sgk_value item = sgk_int(1);
    REFUSED_NULL(sgk_signal_from_array(NULL, 1), SGK_ERROR_NULL, "sgk_signal_from_array: items: ");
    REFUSED_NULL(sgk_signal_from_array(&item, SIZE_MAX), SGK_ERROR_ARGUMENT, "sgk_signal_from_array: count: ");
    REFUSED_DESTROYED(
        sgk_signal_from_iterator(NULL, &context, counted_destroy), SGK_ERROR_NULL, "sgk_signal_from_iterator: next: ");
    REFUSED_DESTROYED(
        sgk_signal_from_loop(NULL, &context, counted_destroy), SGK_ERROR_NULL, "sgk_signal_from_loop: emit: ");
    REFUSED(sgk_loop_next(NULL, sgk_give(sgk_string("given"))), SGK_ERROR_NULL, "sgk_loop_next: loop: ");
    REFUSED(sgk_loop_next(&(sgk_loop){0}, sgk_int(1)), SGK_ERROR_NULL, "sgk_loop_next: loop: ");
    REFUSED_NULL(sgk_signal_range(1, -1), SGK_ERROR_ARGUMENT, "sgk_signal_range: count: ");
    REFUSED_NULL(sgk_signal_range(2, INT64_MAX), SGK_ERROR_ARGUMENT, "sgk_signal_range: count: ");
    const double none[] = {0, -1, (double)NAN, INFINITY};
    for (int i = 0; i < 4; i++)
        REFUSED_NULL(sgk_signal_interval(none[i], some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_interval: seconds: ");
    REFUSED_NULL(sgk_signal_timer(-1, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_timer: seconds: ");
    REFUSED_NULL(sgk_signal_timer((double)NAN, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_timer: seconds: ");
    REFUSED_NULL(sgk_signal_interval(1, NULL), SGK_ERROR_NULL, "sgk_signal_interval: queue: ");
    REFUSED_NULL(sgk_signal_interval(1, WRONG_QUEUE), SGK_ERROR_HANDLE, "sgk_signal_interval: queue: ");
    REFUSED_NULL(sgk_signal_timer(1, NULL), SGK_ERROR_NULL, "sgk_signal_timer: queue: ");
    REFUSED_NULL(sgk_signal_timer(1, WRONG_QUEUE), SGK_ERROR_HANDLE, "sgk_signal_timer: queue: ");
#define USING(acquire, use, release) sgk_signal_using((acquire), (use), (release), &context, counted_destroy)
    REFUSED_DESTROYED(USING(NULL, any_use, counted_destroy), SGK_ERROR_NULL, "sgk_signal_using: acquire: ");
    REFUSED_DESTROYED(USING(any_resource, NULL, counted_destroy), SGK_ERROR_NULL, "sgk_signal_using: use: ");
    REFUSED_DESTROYED(USING(any_resource, any_use, NULL), SGK_ERROR_NULL, "sgk_signal_using: release: ");
    SGK_AUTO(sgk_signal) right = sgk_signal_from_iterator(any_item, NULL, NULL);
    assert_non_null(right);
}

static sgk_signal *no_connection(void *context, int connection) { return (void)context, (void)connection, NULL; }

/* Nothing is checked before a start: a missing descriptor is an error of the subscription. */
static void descriptors(void **state) {
    (void)state;
    const int none[] = {-1, INT_MIN};
    for (int i = 0; i < 2; i++) {
        REFUSED_NULL(sgk_signal_fd(none[i], 1, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_fd: fd: must be 0 or more");
        REFUSED_NULL(sgk_signal_fd_lines(none[i], 1, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_fd_lines: fd: ");
        REFUSED_NULL(sgk_signal_fd_bytes(none[i], 1, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_fd_bytes: fd: ");
        REFUSED_NULL(sgk_signal_sink_fd(some_signal, none[i], false, NULL, some_queue), SGK_ERROR_ARGUMENT,
            "sgk_signal_sink_fd: fd: must be 0 or more");
        REFUSED_NULL(
            sgk_signal_unix_signal(none[i], some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_unix_signal: signo: ");
        REFUSED_NULL(
            sgk_signal_child(none[i], some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_child: pid: must be 1 or more");
    }
    const uint32_t masks[] = {
        0, UINT32_MAX, SGK_FILE_WRITTEN | 0x80000000u, SGK_FILE_IS_FOLDER, SGK_FILE_MOVED << 1, SGK_FILE_RECURSIVE};
    for (int i = 0; i < 6; i++)
        REFUSED_NULL(sgk_signal_file_changes("/", masks[i], some_queue), SGK_ERROR_ARGUMENT,
            "sgk_signal_file_changes: mask: must consist of SGK_FILE_… bits");
    const char *const program[] = {"true", NULL};
    REFUSED_NULL(sgk_signal_process(NULL, NULL, 0, 1, some_queue), SGK_ERROR_NULL, "sgk_signal_process: arguments: ");
    REFUSED_NULL(
        sgk_signal_process(program + 1, NULL, 0, 1, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_process: arguments: ");
    REFUSED_NULL(sgk_signal_process(program, (sgk_signal *)some_queue, 0, 1, some_queue), SGK_ERROR_HANDLE,
        "sgk_signal_process: input: ");
    REFUSED_NULL(sgk_signal_process(program, NULL, SGK_PROCESS_EXIT, 1, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_process: options: ");
    REFUSED_NULL(
        sgk_signal_process(program, NULL, 64, 1, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_process: options: ");
    REFUSED_NULL(
        sgk_signal_process(program, NULL, 0, 0, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_process: limit: ");
    REFUSED_NULL(sgk_signal_process(program, NULL, 0, 1, NULL), SGK_ERROR_NULL, "sgk_signal_process: queue: ");
    REFUSED_NULL(sgk_signal_process(program, NULL, 0, 1, WRONG_QUEUE), SGK_ERROR_HANDLE, "sgk_signal_process: queue: ");
    static const char address[129];
    REFUSED_NULL(
        sgk_signal_accept(-1, 1, no_connection, NULL, NULL, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_accept: fd: ");
    REFUSED_NULL(sgk_signal_accept(0, 0, no_connection, NULL, NULL, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_accept: limit: must be 1 or more");
    REFUSED_NULL(sgk_signal_accept(0, 1, NULL, NULL, NULL, some_queue), SGK_ERROR_NULL, "sgk_signal_accept: serve: ");
    REFUSED_NULL(
        sgk_signal_accept(0, 1, no_connection, NULL, NULL, NULL), SGK_ERROR_NULL, "sgk_signal_accept: queue: ");
    REFUSED_NULL(sgk_signal_accept(0, 1, no_connection, NULL, NULL, WRONG_QUEUE), SGK_ERROR_HANDLE,
        "sgk_signal_accept: queue: ");
    REFUSED_NULL(sgk_signal_connect(NULL, 16, no_connection, NULL, NULL, some_queue), SGK_ERROR_NULL,
        "sgk_signal_connect: address: ");
    static const size_t sizes[] = {0, 1, 129, SIZE_MAX};
    for (int i = 0; i < 4; i++)
        REFUSED_NULL(sgk_signal_connect(address, sizes[i], no_connection, NULL, NULL, some_queue), SGK_ERROR_ARGUMENT,
            "sgk_signal_connect: size: must be from 2 to 128");
    REFUSED_NULL(
        sgk_signal_connect(address, 16, NULL, NULL, NULL, some_queue), SGK_ERROR_NULL, "sgk_signal_connect: use: ");
    REFUSED_NULL(sgk_signal_connect(address, 16, no_connection, NULL, NULL, NULL), SGK_ERROR_NULL,
        "sgk_signal_connect: queue: ");
    counted c = {0};
    REFUSED_NULL(sgk_signal_accept(0, 0, no_connection, &c, counted_destroy, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_accept: limit: ");
    REFUSED_NULL(sgk_signal_connect(address, 0, no_connection, &c, counted_destroy, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_connect: size: ");
    assert_int_equal(c.destroyed, 2);
    REFUSED_NULL(sgk_signal_file_lines(NULL, true, 1, some_queue), SGK_ERROR_NULL, "sgk_signal_file_lines: path: ");
    REFUSED_NULL(sgk_signal_file_lines("/", true, 0, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_file_lines: limit: ");
    REFUSED_NULL(
        sgk_signal_file_lines("/", true, -1, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_file_lines: limit: ");
    REFUSED_NULL(sgk_signal_file_lines("/", true, 1, NULL), SGK_ERROR_NULL, "sgk_signal_file_lines: queue: ");
    REFUSED_NULL(sgk_signal_file_lines("/", true, 1, WRONG_QUEUE), SGK_ERROR_HANDLE, "sgk_signal_file_lines: queue: ");
    const double no_times[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < 3; i++)
        REFUSED_NULL(sgk_signal_wall_clock_timer(no_times[i], some_queue), SGK_ERROR_ARGUMENT,
            "sgk_signal_wall_clock_timer: unix_time: must be finite");
    REFUSED_NULL(sgk_signal_wall_clock_timer(1, NULL), SGK_ERROR_NULL, "sgk_signal_wall_clock_timer: queue: ");
    REFUSED_NULL(sgk_signal_wall_clock_timer(1, WRONG_QUEUE), SGK_ERROR_HANDLE, "sgk_signal_wall_clock_timer: queue: ");
    const uint32_t bits[] = {0, SGK_FD_HANGUP, SGK_FD_READ | 8, UINT32_MAX};
    for (int i = 0; i < 4; i++)
        REFUSED_NULL(
            sgk_signal_fd(0, bits[i], some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_fd: events: must be SGK_FD_READ");
    REFUSED_NULL(sgk_signal_fd_lines(0, 0, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_fd_lines: limit: ");
    static const int64_t lengths[] = {0, -1, (1 << 30) + 1, INT64_MAX};
    for (int i = 0; i < 4; i++)
        REFUSED_NULL(sgk_signal_fd_datagrams(0, lengths[i], some_queue), SGK_ERROR_ARGUMENT,
            "sgk_signal_fd_datagrams: limit: must be from 1 to 2^30");
    REFUSED_NULL(sgk_signal_fd_datagrams(-1, 1, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_fd_datagrams: fd: ");
    REFUSED_NULL(sgk_signal_fd_datagrams(0, 1, NULL), SGK_ERROR_NULL, "sgk_signal_fd_datagrams: queue: ");
    REFUSED_NULL(sgk_signal_fd_datagrams(0, 1, WRONG_QUEUE), SGK_ERROR_HANDLE, "sgk_signal_fd_datagrams: queue: ");
    REFUSED_NULL(sgk_signal_fd_bytes(0, 0, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_fd_bytes: chunk: ");
    REFUSED_NULL(sgk_signal_fd_bytes(0, INT64_MAX, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_fd_bytes: chunk: ");
#define WRITTEN(bound) sgk_signal_sink_fd(some_signal, 0, false, bound, some_queue)
    REFUSES_BOUND(REFUSED_NULL, WRITTEN, "sgk_signal_sink_fd: bound");
    REFUSED_NULL(
        WRITTEN(SGK_BOUND(.limit = SGK_UNBUFFERED)), SGK_ERROR_ARGUMENT, "sgk_signal_sink_fd: bound.limit: must be 1");
    const uint32_t dropping[] = {SGK_OVERFLOW_DROP_OLDEST, SGK_OVERFLOW_DROP_NEWEST, SGK_OVERFLOW_KEEP_LATEST};
    for (int i = 0; i < 6; i++)
        REFUSED_NULL(WRITTEN(SGK_BOUND(.overflow = dropping[i / 2] | (i % 2 ? SGK_OVERFLOW_PAUSE : 0))),
            SGK_ERROR_ARGUMENT, "sgk_signal_sink_fd: bound.overflow: must not drop values: ");
    REFUSED_NULL(sgk_signal_unix_signal(0, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_unix_signal: signo: ");
    REFUSED_NULL(sgk_signal_child(0, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_child: pid: ");
    REFUSED_NULL(sgk_signal_file_changes(NULL, 1, some_queue), SGK_ERROR_NULL, "sgk_signal_file_changes: path: ");
    REFUSED_NULL(sgk_signal_fd(0, 1, NULL), SGK_ERROR_NULL, "sgk_signal_fd: queue: ");
    REFUSED_NULL(sgk_signal_fd(0, 1, WRONG_QUEUE), SGK_ERROR_HANDLE, "sgk_signal_fd: queue: ");
    REFUSED_NULL(sgk_signal_fd_lines(0, 1, NULL), SGK_ERROR_NULL, "sgk_signal_fd_lines: queue: ");
    REFUSED_NULL(sgk_signal_fd_bytes(0, 1, WRONG_QUEUE), SGK_ERROR_HANDLE, "sgk_signal_fd_bytes: queue: ");
    REFUSED_NULL(sgk_signal_unix_signal(1, NULL), SGK_ERROR_NULL, "sgk_signal_unix_signal: queue: ");
    REFUSED_NULL(sgk_signal_child(1, NULL), SGK_ERROR_NULL, "sgk_signal_child: queue: ");
    REFUSED_NULL(sgk_signal_file_changes("/", 1, NULL), SGK_ERROR_NULL, "sgk_signal_file_changes: queue: ");
}

int run_misuse_sources(void) {
    const struct CMUnitTest tests[] = {
        MISUSE(pipes),
        MISUSE(promises),
        MISUSE(sharing),
        MISUSE(managers),
        MISUSE(links),
        MISUSE(items_times_and_resources),
        MISUSE(descriptors),
    };
    return cmocka_run_group_tests_name("misuse of sources", tests, NULL, NULL);
}
