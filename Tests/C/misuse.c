/* Misuse: every function with every pointer NULL and with a handle of another kind; numbers out of range; `destroy`
 * also when a call fails. And with SIGNALKIT_DEBUG=1: one release too many, the use of a released handle. */
#include "misuse.h"

sgk_queue *some_queue;
sgk_signal *some_signal;
counted context;

int make_some(void **state) {
    (void)state;
    some_queue = sgk_queue_create(NULL);
    some_signal = sgk_signal_never();
    memset(&context, 0, sizeof context);
    return 0;
}

int drop_some(void **state) {
    sgk_queue_release(some_queue);
    sgk_signal_release(some_signal);
    return nothing_alive(state);
}

static void releasing_and_retaining(void **state) {
    (void)state;
    assert_null(sgk_retain(NULL));
    sgk_release(NULL);
    assert_null(sgk_signal_retain(NULL));
    sgk_signal_release(NULL);
    assert_int_equal(sgk_last_status(), SGK_OK);
    char no_handle[64] = {0};
    REFUSED_NULL(sgk_retain(no_handle), SGK_ERROR_HANDLE, "sgk_retain: handle: must be a ");
    REFUSED_NULL(sgk_signal_retain((sgk_signal *)(void *)no_handle), SGK_ERROR_HANDLE, "sgk_retain: handle: ");
    sgk_clear_error();
    sgk_release(no_handle);
    assert_failed(SGK_ERROR_HANDLE, "sgk_release: handle: must be a ");
    assert_ptr_equal(sgk_retain(some_signal), some_signal);
    sgk_release(some_signal);
}

static void values(void **state) {
    (void)state;
    size_t size = 7;
    static const sgk_object_type type = {sizeof type, "wanted", NULL, NULL, NULL, NULL, NULL};
    static const sgk_object_type other = {sizeof other, "other", NULL, NULL, NULL, NULL, NULL};
    static const sgk_object_type odd = {7, "odd", NULL, NULL, NULL, NULL, NULL};
    static const sgk_object_type large = {4104, "large", NULL, NULL, NULL, NULL, NULL};
    static const sgk_object_type small = {sizeof small - 8, "small", NULL, NULL, NULL, NULL, NULL};
    static const sgk_object_type no_name = {sizeof no_name, NULL, NULL, NULL, NULL, NULL, NULL};
    assert_int_equal(sgk_value_kind(sgk_string(NULL)), SGK_NULL);
    assert_failed(SGK_ERROR_NULL, "sgk_string: text: ");
    assert_int_equal(sgk_value_kind(sgk_string_n(NULL, 3)), SGK_NULL);
    assert_failed(SGK_ERROR_NULL, "sgk_string_n: data: ");
    const char *volatile no_format = NULL;
    assert_int_equal(sgk_value_kind(sgk_string_f(no_format, 1)), SGK_NULL);
    assert_failed(SGK_ERROR_NULL, "sgk_string_f: format: must not be NULL");
    const wchar_t half_a_pair[] = {0xd800, 0};
    assert_int_equal(sgk_value_kind(sgk_string_f("%ls", half_a_pair)), SGK_NULL);
    assert_failed(SGK_ERROR_ARGUMENT, "sgk_string_f: format: cannot be converted");
    assert_int_equal(sgk_value_kind(sgk_error_f(1, no_format, 1)), SGK_NULL);
    assert_failed(SGK_ERROR_NULL, "sgk_error_f: format: must not be NULL");
    assert_int_equal(sgk_value_kind(sgk_error_f(1, "%ls", half_a_pair)), SGK_NULL);
    assert_failed(SGK_ERROR_ARGUMENT, "sgk_error_f: format: cannot be converted");
    assert_int_equal(sgk_value_kind(sgk_error_from(1, NULL, sgk_null())), SGK_NULL);
    assert_failed(SGK_ERROR_NULL, "sgk_error_from: text: must not be NULL");
    assert_int_equal(sgk_value_kind(sgk_bytes(NULL, 3)), SGK_NULL);
    assert_failed(SGK_ERROR_NULL, "sgk_bytes: data: ");
    assert_int_equal(sgk_value_kind(sgk_bytes("", SIZE_MAX)), SGK_NULL);
    assert_failed(SGK_ERROR_ARGUMENT, "sgk_bytes: length: ");
    assert_int_equal(sgk_value_kind(sgk_array(NULL, 3)), SGK_NULL);
    assert_failed(SGK_ERROR_NULL, "sgk_array: values: ");
    sgk_value one = sgk_int(1);
    assert_int_equal(sgk_value_kind(sgk_array(&one, SIZE_MAX)), SGK_NULL);
    assert_failed(SGK_ERROR_ARGUMENT, "sgk_array: count: ");
    REFUSED_NULL(sgk_value_data(sgk_int(1), &size), SGK_ERROR_KIND, "sgk_value_data: value: ");
    assert_int_equal(size, 0);
    REFUSED_NULL(sgk_array_items(sgk_null(), &size), SGK_ERROR_KIND, "sgk_array_items: array: ");
    assert_int_equal(sgk_value_kind(sgk_array_at(sgk_int(1), 0)), SGK_NULL);
    assert_failed(SGK_ERROR_KIND, "sgk_array_at: array: ");
    sgk_value array = sgk_array(&one, 1);
    assert_int_equal(sgk_value_kind(sgk_array_at(array, 1)), SGK_NULL);
    assert_failed(SGK_ERROR_ARGUMENT, "sgk_array_at: index: ");
    REFUSED_NULL(sgk_value_data(array, NULL), SGK_ERROR_KIND, "sgk_value_data: value: ");
    REFUSED_NULL(sgk_value_make_writable(NULL, 1), SGK_ERROR_NULL, "sgk_value_make_writable: value: ");
    sgk_value number = sgk_int(1), text = sgk_string("x");
    REFUSED_NULL(sgk_value_make_writable(&number, 1), SGK_ERROR_KIND, "sgk_value_make_writable: value: ");
    REFUSED_NULL(sgk_value_make_writable(&array, 1), SGK_ERROR_KIND, "sgk_value_make_writable: value: ");
    REFUSED_NULL(sgk_value_make_writable(&text, SIZE_MAX), SGK_ERROR_ARGUMENT, "sgk_value_make_writable: length: ");
    assert_string_equal(sgk_to_text(text), "x");
    sgk_value_release(text);
    sgk_value_release(array);
    assert_int_equal(sgk_value_kind(sgk_object(&size, &odd)), SGK_NULL);
    assert_failed(SGK_ERROR_ARGUMENT, "sgk_object: type: ");
    assert_int_equal(sgk_value_kind(sgk_object(&size, &large)), SGK_NULL);
    assert_failed(SGK_ERROR_ARGUMENT, "sgk_object: type: ");
    assert_int_equal(sgk_value_kind(sgk_object(&size, &small)), SGK_NULL);
    assert_failed(SGK_ERROR_ARGUMENT, "sgk_object: type: unknown size or field");
    assert_int_equal(sgk_value_kind(sgk_object(&size, &no_name)), SGK_NULL);
    assert_failed(SGK_ERROR_ARGUMENT, "sgk_object: type: must have a name");
    assert_int_equal(sgk_value_kind(sgk_object(&size, NULL)), SGK_NULL);
    assert_failed(SGK_ERROR_NULL, "sgk_object: type: must not be NULL");
    sgk_value object = sgk_object(&size, &other);
    REFUSED_NULL(
        sgk_to_object(sgk_int(1), &type), SGK_ERROR_KIND, "sgk_to_object: value: must be an object of the type wanted");
    REFUSED_NULL(sgk_to_object(object, &type), SGK_ERROR_KIND,
        "sgk_to_object: value: must be an object of the type wanted, not other");
    REFUSED_NULL(sgk_to_object(object, NULL), SGK_ERROR_NULL, "sgk_to_object: type: must not be NULL");
    sgk_value_release(object);
    REFUSED_NULL(sgk_to_signal(sgk_int(1)), SGK_ERROR_KIND, "sgk_to_signal: value: ");
    assert_int_equal(sgk_value_kind(sgk_signal_value(NULL)), SGK_NULL);
    assert_failed(SGK_ERROR_NULL, "sgk_signal_value: signal: ");
    /* An invalid value counts as null. */
    sgk_value unknown = {99, 0, 123}, boxless = {SGK_STRING, 0, 0};
    assert_true(sgk_value_equal(unknown, sgk_null()));
    assert_true(sgk_value_equal(boxless, sgk_null()));
    sgk_value_release(sgk_value_retain(unknown));
    sgk_value_release(sgk_value_retain(boxless));
    assert_int_equal(sgk_value_describe(unknown, NULL, 0), 4); /* nowhere to write to: the length of "null" */
    assert_int_equal(sgk_value_describe(boxless, NULL, 100), 4);
}

static void disposables(void **state) {
    (void)state;
    sgk_disposable *slot = sgk_disposable_slot_create(), *set = sgk_disposable_bag_create(),
                   *dict = sgk_disposable_dict_create();
    REFUSED(sgk_disposable_dispose(NULL), SGK_ERROR_NULL, "sgk_disposable_dispose: disposable: ");
    REFUSED(sgk_disposable_dispose(WRONG(sgk_disposable)), SGK_ERROR_HANDLE, "sgk_disposable_dispose: disposable: ");
    REFUSED(sgk_disposable_dispose_and_wait(NULL), SGK_ERROR_NULL, "sgk_disposable_dispose_and_wait: disposable: ");
    REFUSED(sgk_disposable_dispose_and_wait(WRONG(sgk_disposable)), SGK_ERROR_HANDLE,
        "sgk_disposable_dispose_and_wait: disposable: ");
    REFUSED(sgk_disposable_dispose_and_wait(slot), SGK_ERROR_HANDLE,
        "sgk_disposable_dispose_and_wait: disposable: must be a subscription that was started as waitable");
    REFUSED_NULL(sgk_disposable_state(NULL), SGK_ERROR_NULL, "sgk_disposable_state: disposable: ");
    REFUSED_NULL(sgk_disposable_state(WRONG(sgk_disposable)), SGK_ERROR_HANDLE, "sgk_disposable_state: disposable: ");
    REFUSED_NULL(sgk_disposable_hold(slot), SGK_ERROR_KIND, "sgk_disposable_hold: subscription: must be a sub");
    REFUSED_NULL(sgk_disposable_strict(WRONG(sgk_disposable), "file", 1), SGK_ERROR_HANDLE,
        "sgk_disposable_strict: disposable: ");
    REFUSED_DESTROYED(sgk_action_disposable_create(NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_action_disposable_create: action: ");
    REFUSED(sgk_disposable_slot_set(NULL, slot), SGK_ERROR_NULL, "sgk_disposable_slot_set: slot: ");
    REFUSED(sgk_disposable_slot_set(set, slot), SGK_ERROR_HANDLE,
        "sgk_disposable_slot_set: slot: must be a disposable slot");
    REFUSED(sgk_disposable_slot_set(slot, WRONG(sgk_disposable)), SGK_ERROR_HANDLE, "sgk_disposable_slot_set: child: ");
    REFUSED(sgk_disposable_bag_add(NULL, slot), SGK_ERROR_NULL, "sgk_disposable_bag_add: bag: ");
    REFUSED(sgk_disposable_bag_add(slot, slot), SGK_ERROR_HANDLE, "sgk_disposable_bag_add: bag: ");
    REFUSED(sgk_disposable_bag_add(set, NULL), SGK_ERROR_NULL, "sgk_disposable_bag_add: member: ");
    REFUSED(sgk_disposable_bag_remove(NULL, slot), SGK_ERROR_NULL, "sgk_disposable_bag_remove: bag: ");
    REFUSED(sgk_disposable_bag_remove(slot, set), SGK_ERROR_HANDLE, "sgk_disposable_bag_remove: bag: ");
    REFUSED(sgk_disposable_bag_remove(set, NULL), SGK_ERROR_NULL, "sgk_disposable_bag_remove: member: ");
    REFUSED(sgk_disposable_dict_set(NULL, sgk_int(1), slot), SGK_ERROR_NULL, "sgk_disposable_dict_set: dict: ");
    REFUSED(sgk_disposable_dict_set(slot, sgk_int(1), slot), SGK_ERROR_HANDLE, "sgk_disposable_dict_set: dict: ");
    REFUSED(sgk_disposable_dict_set(dict, sgk_int(1), WRONG(sgk_disposable)), SGK_ERROR_HANDLE,
        "sgk_disposable_dict_set: member: ");
    REFUSED_NULL(sgk_disposable_strict(NULL, "file", 1), SGK_ERROR_NULL, "sgk_disposable_strict: disposable: ");
    SGK_AUTO(sgk_disposable) plain = sgk_disposable_slot_create();
    REFUSED_NULL(sgk_disposable_strict(plain, NULL, 3), SGK_ERROR_NULL, "sgk_disposable_strict: file: ");
    sgk_disposable_release(slot);
    sgk_disposable_release(set);
    sgk_disposable_release(dict);
}

static void queues(void **state) {
    (void)state;
    assert_false(sgk_queue_is_current(NULL));
    assert_failed(SGK_ERROR_NULL, "sgk_queue_is_current: queue: ");
    REFUSED_WORK(
        sgk_queue_async(NULL, counted_work, &context, counted_destroy), SGK_ERROR_NULL, "sgk_queue_async: queue: ");
    REFUSED_WORK(sgk_queue_async(WRONG_QUEUE, counted_work, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_queue_async: queue: ");
    REFUSED_WORK(
        sgk_queue_async(some_queue, NULL, &context, counted_destroy), SGK_ERROR_NULL, "sgk_queue_async: work: ");
    REFUSED_WORK(sgk_queue_dispatch(NULL, counted_work, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_queue_dispatch: queue: ");
    REFUSED_WORK(
        sgk_queue_dispatch(some_queue, NULL, &context, counted_destroy), SGK_ERROR_NULL, "sgk_queue_dispatch: work: ");
    REFUSED(sgk_queue_sync(NULL, counted_work, &context), SGK_ERROR_NULL, "sgk_queue_sync: queue: ");
    REFUSED(sgk_queue_sync(some_queue, NULL, &context), SGK_ERROR_NULL, "sgk_queue_sync: work: ");
    REFUSED_DESTROYED(
        sgk_queue_after(NULL, 1, counted_work, &context, counted_destroy), SGK_ERROR_NULL, "sgk_queue_after: queue: ");
    REFUSED_DESTROYED(
        sgk_queue_after(some_queue, 1, NULL, &context, counted_destroy), SGK_ERROR_NULL, "sgk_queue_after: work: ");
    REFUSED_DESTROYED(sgk_queue_after(some_queue, (double)NAN, counted_work, &context, counted_destroy),
        SGK_ERROR_ARGUMENT, "sgk_queue_after: seconds: ");
    REFUSED_DESTROYED(sgk_timer_create(1, false, NULL, &context, counted_destroy, some_queue), SGK_ERROR_NULL,
        "sgk_timer_create: fire: ");
    REFUSED_DESTROYED(sgk_timer_create(1, false, counted_work, &context, counted_destroy, NULL), SGK_ERROR_NULL,
        "sgk_timer_create: queue: ");
    REFUSED_DESTROYED(sgk_timer_create(0, true, counted_work, &context, counted_destroy, some_queue),
        SGK_ERROR_ARGUMENT, "sgk_timer_create: seconds: ");
    REFUSED_DESTROYED(sgk_timer_create((double)NAN, false, counted_work, &context, counted_destroy, some_queue),
        SGK_ERROR_ARGUMENT, "sgk_timer_create: seconds: ");
    REFUSED(sgk_timer_start(NULL), SGK_ERROR_NULL, "sgk_timer_start: timer: ");
    REFUSED(sgk_timer_start(WRONG(sgk_timer)), SGK_ERROR_HANDLE, "sgk_timer_start: timer: ");
    REFUSED(sgk_timer_invalidate(NULL), SGK_ERROR_NULL, "sgk_timer_invalidate: timer: ");
    REFUSED(sgk_drain(-1), SGK_ERROR_ARGUMENT, "sgk_drain: seconds: ");
    REFUSED(sgk_drain((double)NAN), SGK_ERROR_ARGUMENT, "sgk_drain: seconds: ");
    assert_int_equal(context.calls, 0);
}

static void signals(void **state) {
    (void)state;
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = &context;
    handlers.destroy = counted_destroy;
    REFUSED_DESTROYED(
        sgk_signal_create(NULL, &context, counted_destroy), SGK_ERROR_NULL, "sgk_signal_create: generator: ");
    REFUSED(sgk_subscriber_next(NULL, sgk_int(1)), SGK_ERROR_NULL, "sgk_subscriber_next: subscriber: ");
    REFUSED(
        sgk_subscriber_next(WRONG(sgk_subscriber), sgk_int(1)), SGK_ERROR_HANDLE, "sgk_subscriber_next: subscriber: ");
    REFUSED(sgk_subscriber_error(NULL, sgk_int(1)), SGK_ERROR_NULL, "sgk_subscriber_error: subscriber: ");
    REFUSED(sgk_subscriber_complete(NULL), SGK_ERROR_NULL, "sgk_subscriber_complete: subscriber: ");
    assert_false(sgk_subscriber_is_active(NULL));
    assert_failed(SGK_ERROR_NULL, "sgk_subscriber_is_active: subscriber: ");
    REFUSED_DESTROYED(sgk_signal_start(NULL, &handlers), SGK_ERROR_NULL, "sgk_signal_start: signal: ");
    REFUSED_DESTROYED(sgk_signal_start(WRONG(sgk_signal), &handlers), SGK_ERROR_HANDLE, "sgk_signal_start: signal: ");
    REFUSED_DESTROYED(sgk_signal_start_next(NULL, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_start_next: signal: ");
    REFUSED_DESTROYED(sgk_signal_start_next(some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_start_next: next: ");
    REFUSED_DESTROYED(
        sgk_signal_start_waitable(NULL, &handlers), SGK_ERROR_NULL, "sgk_signal_start_waitable: signal: ");
    REFUSED_DESTROYED(sgk_signal_start_waitable(WRONG(sgk_signal), &handlers), SGK_ERROR_HANDLE,
        "sgk_signal_start_waitable: signal: ");
    REFUSED_WORK(sgk_subscriber_keep_alive(NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_subscriber_keep_alive: subscriber: ");
    REFUSED_WORK(sgk_subscriber_keep_alive(WRONG(sgk_subscriber), &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_subscriber_keep_alive: subscriber: ");
#define ON_DISPOSE(subscriber, action) sgk_subscriber_on_dispose((subscriber), (action), &context, counted_destroy)
    REFUSED_WORK(ON_DISPOSE(NULL, counted_work), SGK_ERROR_NULL, "sgk_subscriber_on_dispose: subscriber: ");
    REFUSED_WORK(
        ON_DISPOSE(WRONG(sgk_subscriber), counted_work), SGK_ERROR_HANDLE, "sgk_subscriber_on_dispose: subscriber: ");
    SGK_AUTO(sgk_subscriber) subscriber = sgk_subscriber_create(NULL);
    REFUSED_WORK(ON_DISPOSE(subscriber, NULL), SGK_ERROR_NULL, "sgk_subscriber_on_dispose: action: ");
    assert_false(sgk_subscriber_is_paused(NULL));
    assert_failed(SGK_ERROR_NULL, "sgk_subscriber_is_paused: subscriber: ");
    assert_false(sgk_subscriber_is_paused(WRONG(sgk_subscriber)));
    assert_failed(SGK_ERROR_HANDLE, "sgk_subscriber_is_paused: subscriber: ");
#define ON_RESUME(subscriber, f, queue) sgk_subscriber_on_resume((subscriber), (f), &context, counted_destroy, (queue))
    REFUSED_WORK(ON_RESUME(NULL, counted_work, some_queue), SGK_ERROR_NULL, "sgk_subscriber_on_resume: subscriber: ");
    REFUSED_WORK(ON_RESUME(WRONG(sgk_subscriber), counted_work, some_queue), SGK_ERROR_HANDLE,
        "sgk_subscriber_on_resume: subscriber: ");
    REFUSED_WORK(ON_RESUME(subscriber, NULL, some_queue), SGK_ERROR_NULL, "sgk_subscriber_on_resume: resumed: ");
    REFUSED_WORK(ON_RESUME(subscriber, counted_work, NULL), SGK_ERROR_NULL, "sgk_subscriber_on_resume: queue: ");
    REFUSED_WORK(
        ON_RESUME(subscriber, counted_work, WRONG_QUEUE), SGK_ERROR_HANDLE, "sgk_subscriber_on_resume: queue: ");
    /* from a newer program, with an unknown field: it also sets its destroy */
    struct {
        sgk_handlers known;
        void *more[2];
    } newer = {handlers, {NULL, &newer}};
    newer.known.size = sizeof newer;
    REFUSED_NULL(sgk_signal_start(some_signal, &newer.known), SGK_ERROR_ARGUMENT, "sgk_signal_start: handlers: ");
    newer.more[1] = NULL; /* or does not */
    int before = context.destroyed;
    sgk_disposable *run = sgk_signal_start(some_signal, &newer.known);
    assert_non_null(run);
    sgk_disposable_dispose(run);
    sgk_disposable_release(run);
    assert_int_equal(context.destroyed - before, 1);
    handlers.size = 4096 + sizeof(void *); /* nothing is read of it */
    REFUSED_NULL(sgk_signal_start(some_signal, &handlers), SGK_ERROR_ARGUMENT, "sgk_signal_start: handlers: ");
    /* nor of a shorter one, such as `sizeof` of a pointer to the struct */
    for (handlers.size = 0; handlers.size < sizeof handlers; handlers.size++)
        REFUSED_NULL(sgk_signal_start(some_signal, &handlers), SGK_ERROR_ARGUMENT, "sgk_signal_start: handlers: ");
    handlers.size = 1;
    REFUSED_NULL(
        sgk_signal_start_waitable(some_signal, &handlers), SGK_ERROR_ARGUMENT, "sgk_signal_start_waitable: handlers: ");
    REFUSED_NULL(sgk_subscriber_create(&handlers), SGK_ERROR_ARGUMENT, "sgk_subscriber_create: handlers: ");
}

static sgk_disposable *return_garbage(void *context_, sgk_subscriber *subscriber) {
    (void)context_;
    sgk_subscriber_complete(subscriber);
    return WRONG(sgk_disposable); /* a handle of another kind */
}

static void a_generator_that_returns_another_kind(void **state) {
    (void)state;
    SGK_AUTO(sgk_signal) signal = sgk_signal_create(return_garbage, NULL, NULL);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(signal, NULL);
    assert_non_null(run);
    assert_failed(SGK_ERROR_HANDLE, "sgk_signal_create: the generator's result: ");
}

static void timers(void **state) {
    (void)state;
    SGK_AUTO(sgk_timer) repeating = sgk_timer_create(1, true, counted_work, &context, NULL, some_queue);
    REFUSED(sgk_timer_fire_and_invalidate(NULL), SGK_ERROR_NULL, "sgk_timer_fire_and_invalidate: timer: ");
    REFUSED(
        sgk_timer_fire_and_invalidate(WRONG(sgk_timer)), SGK_ERROR_HANDLE, "sgk_timer_fire_and_invalidate: timer: ");
    REFUSED(sgk_timer_reset_timeout(NULL, 1), SGK_ERROR_NULL, "sgk_timer_reset_timeout: timer: ");
    REFUSED(sgk_timer_reset_timeout(repeating, 0), SGK_ERROR_ARGUMENT, "sgk_timer_reset_timeout: seconds: ");
    REFUSED(sgk_timer_reset_timeout(repeating, (double)NAN), SGK_ERROR_ARGUMENT, "sgk_timer_reset_timeout: seconds: ");
    assert_false(sgk_timer_is_scheduled(NULL));
    assert_failed(SGK_ERROR_NULL, "sgk_timer_is_scheduled: timer: ");
    assert_true(isinf(sgk_timer_remaining_time(WRONG(sgk_timer))));
    assert_failed(SGK_ERROR_HANDLE, "sgk_timer_remaining_time: timer: ");
    assert_true(isinf(sgk_timer_timeout_date(NULL)));
    assert_failed(SGK_ERROR_NULL, "sgk_timer_timeout_date: timer: ");
    assert_false(sgk_timer_is_scheduled(repeating));
}

static void thread_pools(void **state) {
    (void)state;
    REFUSED_NULL(sgk_queue_create_concurrent("q", 0), SGK_ERROR_ARGUMENT,
        "sgk_queue_create_concurrent: threads: must be from 1 to 1024");
    REFUSED_NULL(sgk_queue_create_concurrent(NULL, 1025), SGK_ERROR_ARGUMENT, "sgk_queue_create_concurrent: threads: ");
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(1, 0.5);
    REFUSED_NULL(sgk_thread_pool_create(0, 0.5), SGK_ERROR_ARGUMENT, "sgk_thread_pool_create: thread_count: ");
    REFUSED_NULL(sgk_thread_pool_create(1025, 0.5), SGK_ERROR_ARGUMENT, "sgk_thread_pool_create: thread_count: ");
    REFUSED_NULL(sgk_thread_pool_create(1, 1.5), SGK_ERROR_ARGUMENT, "sgk_thread_pool_create: thread_priority: ");
    REFUSED_NULL(
        sgk_thread_pool_create(1, (double)NAN), SGK_ERROR_ARGUMENT, "sgk_thread_pool_create: thread_priority: ");
    REFUSED_NULL(sgk_thread_pool_queue(NULL), SGK_ERROR_NULL, "sgk_thread_pool_queue: pool: ");
    REFUSED_NULL(sgk_thread_pool_queue(WRONG(sgk_thread_pool)), SGK_ERROR_HANDLE, "sgk_thread_pool_queue: pool: ");
    REFUSED_DESTROYED(sgk_thread_pool_add_task(NULL, counted_work, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_thread_pool_add_task: pool: ");
    REFUSED_DESTROYED(sgk_thread_pool_add_task(WRONG(sgk_thread_pool), counted_work, &context, counted_destroy),
        SGK_ERROR_HANDLE, "sgk_thread_pool_add_task: pool: ");
    REFUSED_DESTROYED(sgk_thread_pool_add_task(pool, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_thread_pool_add_task: work: ");
    REFUSED_NULL(sgk_thread_pool_next_queue(NULL), SGK_ERROR_NULL, "sgk_thread_pool_next_queue: pool: ");
    REFUSED_NULL(
        sgk_thread_pool_next_queue(WRONG(sgk_thread_pool)), SGK_ERROR_HANDLE, "sgk_thread_pool_next_queue: pool: ");
    assert_false(sgk_thread_pool_is_current_thread_in_pool(NULL));
    assert_failed(SGK_ERROR_NULL, "sgk_thread_pool_is_current_thread_in_pool: pool: ");
    REFUSED(sgk_thread_pool_shutdown(NULL), SGK_ERROR_NULL, "sgk_thread_pool_shutdown: pool: ");
    REFUSED(sgk_thread_pool_shutdown(WRONG(sgk_thread_pool)), SGK_ERROR_HANDLE, "sgk_thread_pool_shutdown: pool: ");
}

static void *make_nothing(void *context_) {
    (void)context_;
    return NULL;
}

static void use_nothing(void *context_, void *object) {
    (void)object;
    counted_work(context_);
}

static sgk_disposable *generate_nothing(void *context_, void *object, sgk_subscriber *subscriber) {
    (void)context_;
    (void)object;
    (void)subscriber;
    return NULL;
}

static void objects_of_queues(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) concurrent = sgk_queue_concurrent_default();
    SGK_AUTO(sgk_queue_local) local = sgk_queue_local_create(make_nothing, NULL, NULL, NULL, some_queue);
#define CREATE(f, queue) sgk_queue_local_create((f), NULL, &context, counted_destroy, (queue))
    REFUSED_DESTROYED(CREATE(NULL, some_queue), SGK_ERROR_NULL, "sgk_queue_local_create: generate: ");
    REFUSED_DESTROYED(CREATE(make_nothing, NULL), SGK_ERROR_NULL, "sgk_queue_local_create: queue: ");
    REFUSED_DESTROYED(CREATE(make_nothing, WRONG_QUEUE), SGK_ERROR_HANDLE, "sgk_queue_local_create: queue: ");
    REFUSED_DESTROYED(CREATE(make_nothing, concurrent), SGK_ERROR_ARGUMENT, "sgk_queue_local_create: queue: ");
    REFUSED_NULL(sgk_queue_local_unsafe_get(NULL), SGK_ERROR_NULL, "sgk_queue_local_unsafe_get: local: ");
    REFUSED_NULL(sgk_queue_local_unsafe_get(local), SGK_ERROR_THREAD, "sgk_queue_local_unsafe_get: local: ");
    REFUSED_WORK(sgk_queue_local_with(NULL, use_nothing, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_queue_local_with: local: ");
    REFUSED_WORK(
        sgk_queue_local_with(local, NULL, &context, counted_destroy), SGK_ERROR_NULL, "sgk_queue_local_with: use: ");
    REFUSED(
        sgk_queue_local_sync_with(NULL, use_nothing, &context), SGK_ERROR_NULL, "sgk_queue_local_sync_with: local: ");
    REFUSED(sgk_queue_local_sync_with(WRONG(sgk_queue_local), use_nothing, &context), SGK_ERROR_HANDLE,
        "sgk_queue_local_sync_with: local: ");
    REFUSED(sgk_queue_local_sync_with(local, NULL, &context), SGK_ERROR_NULL, "sgk_queue_local_sync_with: use: ");
    REFUSED_DESTROYED(sgk_queue_local_signal_with(NULL, generate_nothing, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_queue_local_signal_with: local: ");
    REFUSED_DESTROYED(sgk_queue_local_signal_with(local, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_queue_local_signal_with: generator: ");
    assert_int_equal(context.calls, 0);
}

static void a_pipeline_is_checked_once_at_its_end(void **state) {
    (void)state;
    sgk_signal *filtered = sgk_signal_filter(some_signal, NULL, NULL, NULL); /* the mistake */
    sgk_signal *mapped = sgk_signal_map(filtered, times_ten, &context, counted_destroy);
    sgk_signal *taken = sgk_signal_take(mapped, 1);
    sgk_disposable *run = sgk_signal_start(taken, NULL);
    assert_null(run);
    assert_int_equal(context.destroyed, 1);
    assert_failed(SGK_ERROR_NULL, "sgk_signal_filter: filter: ");
}

static void count_write(void *context, const char *text, size_t length) {
    (void)text, (void)length;
    ((counted *)context)->calls++;
}

static void seeing(void **state) {
    (void)state;
    for (sgk_debug_format format = SGK_DEBUG_TEXT; format <= SGK_DEBUG_JSON; format++) {
        assert_int_equal(sgk_signal_describe(NULL, format).kind, SGK_NULL);
        assert_failed(SGK_ERROR_NULL, "sgk_signal_describe: signal: ");
        assert_int_equal(sgk_signal_describe(WRONG(sgk_signal), format).kind, SGK_NULL);
        assert_failed(SGK_ERROR_HANDLE, "sgk_signal_describe: signal: ");
        /* It makes no signal: a NULL that is passed in afterwards is the program's own. */
        assert_int_equal(sgk_signal_describe(NULL, format).kind, SGK_NULL);
        REFUSED_NULL(sgk_signal_take(NULL, 1), SGK_ERROR_NULL, "sgk_signal_take: signal: ");
    }
    assert_int_equal(sgk_signal_describe(some_signal, (sgk_debug_format)3).kind, SGK_NULL);
    assert_failed(SGK_ERROR_ARGUMENT, "sgk_signal_describe: format: ");
    REFUSED(sgk_debug_graph(SGK_DEBUG_JSON, NULL, NULL), SGK_ERROR_NULL, "sgk_debug_graph: write: ");
    REFUSED(
        sgk_debug_graph((sgk_debug_format)3, count_write, &context), SGK_ERROR_ARGUMENT, "sgk_debug_graph: format: ");
    assert_int_equal(context.calls, 0);
}

static void handlers_of_the_process(void **state) {
    (void)state;
    sgk_set_log_handler(NULL, &context, counted_destroy);
    sgk_set_unhandled_error_handler(NULL, &context, counted_destroy);
    sgk_set_trace_handler(NULL, &context, counted_destroy);
    sgk_set_thread_hooks(NULL, NULL, &context, counted_destroy);
    assert_int_equal(context.destroyed, 4); /* nothing can call them */
    sgk_ignore_error(NULL, sgk_null());
    assert_int_equal(sgk_debug_inspect(NULL), SGK_OK);
    assert_int_equal(sgk_debug_dump(NULL, NULL), SGK_OK); /* on the standard error output */
    assert_int_equal(sgk_last_status(), SGK_OK);
}

/* ---- With SIGNALKIT_DEBUG=1 ---- */

static char reports[4][256]; /* the first of them */
static int reported;

static void keep_report(void *context_, const char *message) {
    (void)context_;
    if (reported < 4) snprintf(reports[reported], sizeof reports[0], "%s", message);
    reported++;
}

/* Listens to the log, if it is the mode for that. */
static void listen_to_reports(void) {
    const char *debug = getenv("SIGNALKIT_DEBUG");
    if (!debug || strcmp(debug, "1") != 0) skip();
    reported = 0;
    sgk_set_log_handler(keep_report, NULL, NULL);
}

static void the_debug_mode_reports_handles_that_are_gone(void **state) {
    (void)state;
    listen_to_reports();
    sgk_signal *signal = sgk_signal_just(sgk_int(1));
    sgk_signal_release(sgk_signal_retain(signal));
    assert_int_equal(reported, 0);
    sgk_signal_release(signal);
    sgk_signal_release(signal); /* once too often */
    assert_int_equal(reported, 1);
    assert_memory_equal(reports[0], "sgk_release: not a live handle", 30);
    assert_failed(SGK_ERROR_HANDLE, "sgk_release: handle: ");
    assert_null(sgk_signal_map(signal, times_ten, NULL, NULL)); /* used after its release */
    assert_failed(SGK_ERROR_HANDLE, "sgk_signal_map: signal: ");
    assert_int_equal(reported, 2);
    sgk_set_log_handler(NULL, NULL, NULL);
}

/* Reports once that a stage without a limit buffers many values, and never if there is a limit, except if that limit
 * pauses a source that does not obey. */
static void the_debug_mode_reports_many_pending_values(void **state) {
    (void)state;
    listen_to_reports();
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) many = sgk_signal_range(0, 140000);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) silence = sgk_pipe_signal(pipe);
    sgk_signal *both[] = {many, silence};
    SGK_AUTO(sgk_signal) zipped = sgk_zip(both, 2, NULL);
    SGK_AUTO(sgk_signal) bounded = sgk_zip(both, 2, SGK_BOUND(.limit = 100000, .overflow = SGK_OVERFLOW_DROP_NEWEST));
    SGK_AUTO(sgk_signal) delivered = sgk_signal_deliver_on(many, queue);
    const sgk_bound *pause = SGK_BOUND(.limit = 10, .overflow = SGK_OVERFLOW_PAUSE);
    SGK_AUTO(sgk_signal) paused = sgk_signal_deliver_on_bounded(silence, pause, queue);
    sgk_signal *signals[] = {zipped, delivered, bounded, paused};
    const char *const names[] = {"zip", "deliver_on", NULL, "deliver_on_bounded"};
    for (int i = 0; i < 4; i++) {
        SGK_AUTO(sgk_disposable) subscription = sgk_signal_start(signals[i], NULL);
        for (int n = 0; signals[i] == paused && n < 70000; n++) assert_true(sgk_pipe_next(pipe, sgk_int(n)) >= SGK_OK);
        char expected[128];
        snprintf(expected, sizeof expected,
            "%s: more than 65536 values are pending: no limit is set, or the source does not pause", names[i]);
        if (reported != (names[i] != NULL)) print_error("%d: %s\n", i, reports[0]);
        assert_int_equal(reported, names[i] ? 1 : 0);
        if (names[i]) assert_string_equal(reports[0], expected);
        reported = 0;
        sgk_disposable_dispose(subscription);
    }
    sgk_set_log_handler(NULL, NULL, NULL);
}

static void assert_reported(const char *function, const char *what) {
    char expected[256];
    snprintf(expected, sizeof expected, "%s: %s", function, what);
    assert_int_equal(reported, 1);
    if (strncmp(reports[0], expected, strlen(expected)) != 0) print_error("reported: %s\n", reports[0]);
    assert_memory_equal(reports[0], expected, strlen(expected));
    reported = 0;
}

/* A copy that has lost the mark of a lent value: the callback returns a reference that it does not own. */
static sgk_value unmarked(sgk_value value) {
    assert_int_equal(value.reserved, SGK_LENT);
    return value.reserved = 0, value;
}
static sgk_value return_it(void *context_, sgk_value value) { return (void)context_, unmarked(value); }
static sgk_value return_the_second(void *context_, sgk_value first, sgk_value second) {
    return (void)context_, (void)first, unmarked(second);
}
static sgk_value return_the_first_of(void *context_, const sgk_value *values, size_t count) {
    return (void)context_, (void)count, unmarked(values[0]);
}
static sgk_value return_an_item(void *context_, sgk_value value) {
    return (void)context_, (void)value, unmarked(sgk_array_at(value, 0));
}
static sgk_value return_what_is_gone_but_lent(void *context_, sgk_value value) {
    (void)context_, (void)value;
    sgk_value gone = sgk_string("gone");
    sgk_value_release(gone);
    return gone.reserved = SGK_LENT, gone;
}
static sgk_value return_what_is_gone(void *context_, sgk_value value) {
    (void)context_, (void)value;
    sgk_value gone = sgk_string("gone");
    sgk_value_release(gone);
    return gone;
}
static sgk_value return_it_retained(void *context_, sgk_value value) { return (void)context_, sgk_value_retain(value); }
static sgk_value return_a_new_one(void *context_, sgk_value value) {
    return (void)context_, (void)value, sgk_string("new");
}

static int described_right;
static void describe_it(void *context_, sgk_value value) {
    char text[16];
    sgk_value_describe(value, text, sizeof text);
    described_right += strcmp(text, context_) == 0;
}

/* Starts a signal twice, takes ownership of it, and returns how often the expected value has arrived. */
static int runs(sgk_signal *signal, const char *expected) {
    described_right = 0;
    for (int i = 0; i < 2; i++)
        sgk_disposable_release(sgk_signal_start_next(signal, describe_it, (void *)expected, NULL));
    sgk_signal_release(signal);
    return described_right;
}

static const char lent[] = "the callback returned a borrowed value";

typedef struct lending {
    sgk_signal *signal;
    const char *name;
} lending;

static void assert_each_lent(const lending *wrong, size_t count) {
    for (size_t i = 0; i < count; i++) {
        reported = 0;
        assert_int_equal(runs(wrong[i].signal, "text"), 2); /* and continues as if the callback had retained it */
        assert_int_equal(reported, 2);
        reported = 1;
        assert_reported(wrong[i].name, lent);
    }
}

static void the_debug_mode_reports_what_callbacks_return(void **state) {
    (void)state;
    listen_to_reports();
    sgk_value text = sgk_string("text"), array = sgk_array(&text, 1), nothing = sgk_null();
    SGK_AUTO(sgk_signal) source = sgk_signal_just(text);
    SGK_AUTO(sgk_signal) arrays = sgk_signal_just(array);
    SGK_AUTO(sgk_signal) failing = sgk_signal_fail(text);
    sgk_signal *two[] = {source, source};
    for (int held = 1; held >= 0; held--) { /* whether the program holds it as well */
        const lending wrong[] = {
            {sgk_signal_map(source, return_it, NULL, NULL), "sgk_signal_map"},
            {sgk_signal_reduce(source, nothing, return_the_second, NULL, NULL), "sgk_signal_reduce"},
        };
        assert_each_lent(wrong, sizeof wrong / sizeof *wrong);
        if (held) sgk_value_release(text);
    }
    sgk_value_release(array);
    assert_int_equal(reported, 0);
    assert_int_equal(runs(sgk_combine_latest_map(two, 2, return_the_first_of, NULL, NULL, NULL), "text"), 2);
    reported = 1;
    assert_reported("sgk_combine_latest_map", lent);
    assert_int_equal(runs(sgk_signal_map(arrays, return_an_item, NULL, NULL), "text"), 2);
    reported = 1;
    assert_reported("sgk_signal_map", lent);
    assert_int_equal(runs(sgk_signal_map(source, return_what_is_gone, NULL, NULL), "null"), 2);
    reported = 1;
    assert_reported("sgk_signal_map", "the callback returned a released value");
    assert_int_equal(runs(sgk_signal_map(source, return_what_is_gone_but_lent, NULL, NULL), "null"), 2);
    reported = 1;
    assert_reported("sgk_signal_map", "the callback returned a released value");
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.error = describe_it;
    handlers.context = (void *)"text";
    SGK_AUTO(sgk_signal) mapped_error = sgk_signal_map_error(failing, return_it, NULL, NULL);
    sgk_disposable_release(sgk_signal_start(mapped_error, &handlers));
    assert_reported("sgk_signal_map_error", lent);
    /* a correct result is not reported */
    assert_int_equal(runs(sgk_signal_map(source, return_it_retained, NULL, NULL), "text"), 2);
    assert_int_equal(runs(sgk_signal_map(source, return_a_new_one, NULL, NULL), "new"), 2);
    assert_int_equal(reported, 0);
    sgk_set_log_handler(NULL, NULL, NULL);
}

static sgk_value just_return_it(sgk_value value) { return unmarked(value); }
static sgk_value just_return_it_retained(sgk_value value) { return sgk_value_retain(value); }
static sgk_value just_return_the_second(sgk_value first, sgk_value second) { return (void)first, unmarked(second); }
static sgk_value just_return_what_is_gone(sgk_value value) { return return_what_is_gone(NULL, value); }

static void the_debug_mode_reports_what_typed_callbacks_return(void **state) {
    (void)state;
    listen_to_reports();
    sgk_value text = sgk_string("text"), nothing = sgk_null();
    SGK_AUTO(sgk_signal) source = sgk_signal_just(text);
    SGK_AUTO(sgk_signal) failing = sgk_signal_fail(text);
    SGK_AUTO(sgk_signature) one = sgk_signature_create("(value) -> value");
    SGK_AUTO(sgk_signature) two = sgk_signature_create("(value, value) -> value");
    sgk_signal *both[] = {source, source};
    sgk_function f = SGK_FUNCTION(just_return_it);
    for (int held = 1; held >= 0; held--) { /* whether the program holds it as well */
        const lending wrong[] = {
            {sgk_signal_map_typed(source, f, one, NULL, NULL), "sgk_signal_map_typed"},
            {sgk_signal_before_next_typed(source, f, one, NULL, NULL), "sgk_signal_before_next_typed"},
            {sgk_signal_after_next_typed(source, f, one, NULL, NULL), "sgk_signal_after_next_typed"},
            {sgk_signal_reduce_typed(source, nothing, SGK_FUNCTION(just_return_the_second), two, NULL, NULL),
                "sgk_signal_reduce_typed"},
            {sgk_combine_latest_typed(both, 2, SGK_FUNCTION(just_return_the_second), two, NULL, NULL, NULL),
                "sgk_combine_latest_typed"},
        };
        assert_each_lent(wrong, sizeof wrong / sizeof *wrong);
        if (held) sgk_value_release(text);
    }
    assert_int_equal(
        runs(sgk_signal_map_typed(source, SGK_FUNCTION(just_return_what_is_gone), one, NULL, NULL), "null"), 2);
    reported = 1;
    assert_reported("sgk_signal_map_typed", "the callback returned a released value");
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.error = describe_it;
    handlers.context = (void *)"text";
    SGK_AUTO(sgk_signal) mapped_error = sgk_signal_map_error_typed(failing, f, one, NULL, NULL);
    sgk_disposable_release(sgk_signal_start(mapped_error, &handlers));
    assert_reported("sgk_signal_map_error_typed", lent);
    /* a correct result is not reported */
    assert_int_equal(
        runs(sgk_signal_map_typed(source, SGK_FUNCTION(just_return_it_retained), one, NULL, NULL), "text"), 2);
    assert_int_equal(reported, 0);
    sgk_set_log_handler(NULL, NULL, NULL);
}

/* An invalid value, for the callback to return. */
static sgk_value no_value;
static sgk_value return_no_value(void *context_, sgk_value value) { return (void)context_, (void)value, no_value; }
static sgk_value just_return_no_value(sgk_value value) { return (void)value, no_value; }

static void the_debug_mode_says_what_a_callback_has_returned_that_is_no_value(void **state) {
    (void)state;
    listen_to_reports();
    sgk_value text = sgk_string("text");
    SGK_AUTO(sgk_signal) source = sgk_signal_just(text);
    SGK_AUTO(sgk_signature) signature = sgk_signature_create("(value) -> value");
    const struct {
        sgk_value value;
        const char *shown;
    } none[] = {
        {{99, 0, 123}, "kind 99 (unknown kind of value), bits 0x7b"},
        {{99, 0, 0}, "kind 99 (unknown kind of value), bits 0x0"}, {{SGK_STRING, 0, 0}, "kind 5 (string), bits 0x0"},
        {{SGK_ARRAY, 0, text.bits}, "kind 7 (array), bits 0x"}, /* it is a string's */
    };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        const lending wrong[] = {
            {sgk_signal_map(source, return_no_value, NULL, NULL), "sgk_signal_map"},
            {sgk_signal_map_typed(source, SGK_FUNCTION(just_return_no_value), signature, NULL, NULL),
                "sgk_signal_map_typed"},
        };
        no_value = none[i].value;
        for (size_t j = 0; j < sizeof wrong / sizeof *wrong; j++) {
            char expected[128];
            snprintf(expected, sizeof expected, "the callback returned an invalid value, replaced by null: %s",
                none[i].shown);
            reported = 0;
            assert_int_equal(runs(wrong[j].signal, "null"), 2);
            assert_int_equal(reported, 2);
            reported = 1;
            assert_reported(wrong[j].name, expected);
        }
    }
    sgk_value_release(text);
    sgk_set_log_handler(NULL, NULL, NULL);
}

static void the_debug_mode_reports_values_that_are_gone(void **state) {
    (void)state;
    listen_to_reports();
    sgk_value text = sgk_string("text");
    SGK_AUTO(sgk_signal) source = sgk_signal_just(text);
    sgk_value_release(text);
    sgk_value_release(text); /* it is the signal's now */
    assert_reported("sgk_value_release", "a value that you do not own");
    assert_int_equal(runs(sgk_signal_retain(source), "text"), 2);
    sgk_value gone = sgk_string("gone");
    sgk_value_release(gone);
    sgk_value_release(gone);
    assert_reported("sgk_value_release", "not a live value");
    sgk_value lent_part = gone;
    lent_part.reserved = SGK_LENT;
    sgk_value_release(lent_part);
    assert_reported("value", "not a live value");
    sgk_value array = sgk_array((sgk_value[]){sgk_give(sgk_string("item"))}, 1);
    sgk_value_release(sgk_array_at(array, 0));
    assert_reported("sgk_value_release", "a borrowed value; only an owned value can be released");
    sgk_value_release(array);
    assert_int_equal(sgk_value_retain(gone).bits, gone.bits);
    assert_reported("value", "not a live value");
    assert_null(sgk_value_data(gone, NULL));
    assert_failed(SGK_ERROR_KIND, "sgk_value_data: value: ");
    assert_reported("value", "not a live value");
    sgk_set_log_handler(NULL, NULL, NULL);
}

int run_misuse(void) {
    const struct CMUnitTest tests[] = {
        MISUSE(releasing_and_retaining),
        MISUSE(values),
        MISUSE(disposables),
        MISUSE(queues),
        MISUSE(signals),
        MISUSE(a_generator_that_returns_another_kind),
        MISUSE(timers),
        MISUSE(thread_pools),
        MISUSE(objects_of_queues),
        MISUSE(a_pipeline_is_checked_once_at_its_end),
        MISUSE(seeing),
        MISUSE(handlers_of_the_process),
        MISUSE(the_debug_mode_reports_handles_that_are_gone),
        MISUSE(the_debug_mode_reports_many_pending_values),
        MISUSE(the_debug_mode_reports_what_callbacks_return),
        MISUSE(the_debug_mode_reports_what_typed_callbacks_return),
        MISUSE(the_debug_mode_says_what_a_callback_has_returned_that_is_no_value),
        MISUSE(the_debug_mode_reports_values_that_are_gone),
    };
    return cmocka_run_group_tests_name("misuse", tests, NULL, NULL);
}
