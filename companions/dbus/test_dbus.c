/* Tests of the companion for D-Bus with a private dbus-daemon. */
#include "testing.h"

#include <errno.h>
#include <math.h>
#include <signalkit/dbus.h>
#include <stdatomic.h>

static char address[128], path[64];
static pid_t daemon_;

static void start_daemon(void) {
    char configuration[64];
    snprintf(configuration, sizeof configuration, "%s/bus.conf", directory);
    snprintf(path, sizeof path, "%s/bus", directory);
    snprintf(address, sizeof address, "unix:path=%s", path);
    unlink(path);
    FILE *file = fopen(configuration, "w");
    assert_non_null(file);
    fprintf(file,
        "<busconfig><type>session</type><listen>%s</listen><auth>EXTERNAL</auth><policy context=\"default\">"
        "<allow send_destination=\"*\" eavesdrop=\"true\"/><allow eavesdrop=\"true\"/><allow own=\"*\"/></policy>"
        "<limit name=\"max_replies_per_connection\">50000</limit></busconfig>\n",
        address);
    fclose(file);
    daemon_ = server_start(
        (const char *const[]){"dbus-daemon", "--config-file", configuration, "--nofork", "--nopidfile", NULL},
        "daemon.log");
    struct sockaddr_un {
        sa_family_t family;
        char path[108];
    } at = {.family = AF_UNIX};
    snprintf(at.path, sizeof at.path, "%s", path);
    int one = socket(AF_UNIX, SOCK_STREAM, 0);
    EVENTUALLY(connect(one, (struct sockaddr *)&at, sizeof at) == 0);
    close(one);
}

static int begin(void **state) {
    (void)state;
    make_directory();
    start_daemon();
    return 0;
}
static int end(void **state) {
    (void)state;
    server_stop(daemon_, SIGTERM);
    remove_directory();
    return 0;
}

static sgk_dbus *client(void) {
    sgk_dbus *bus = sgk_dbus_create(address);
    if (!bus) fail_msg("%s", sgk_dbus_last_error());
    return bus;
}
static void let_go(sgk_dbus *bus) {
    sgk_dbus_release(bus);
    nothing_is_left();
}

/* Collects the values of the signal until its end, and releases it. */
static sgk_status all_of(sgk_signal *signal, sgk_value *values) {
    if (!signal) fail_msg("%s", sgk_dbus_last_error());
    sgk_status status = sgk_signal_collect(signal, 10, PATIENCE, values);
    sgk_signal_release(signal);
    return status;
}
static void assert_done(sgk_signal *signal) {
    sgk_value values;
    sgk_status status = all_of(signal, &values);
    char text[200] = "";
    if (status == SGK_ERROR_FAILED) sgk_value_describe(values, text, sizeof text);
    if (status != SGK_OK) fail_msg("%s: %s", sgk_status_text(status), text);
    sgk_value_release(values);
}
static void assert_fails(sgk_signal *signal, int64_t number, const char *name) {
    sgk_value error;
    assert_int_equal(all_of(signal, &error), SGK_ERROR_FAILED);
    assert_int_equal(sgk_value_kind(error), SGK_FAILURE);
    assert_int_equal(sgk_error_code(error), number);
    assert_int_equal(strncmp(sgk_error_text(error), "sgk_dbus_", 9), 0);
    if (name) assert_string_equal(sgk_to_text(sgk_error_cause(error)), name);
    sgk_value_release(error);
}

static const char bus_name[] = "org.freedesktop.DBus", bus_path[] = "/org/freedesktop/DBus", me[] = "org.example.Test",
                  object[] = "/org/example/Test";

static sgk_signal *emitted(sgk_dbus *bus, const char *member, int64_t number) {
    sgk_value argument = sgk_int(number);
    return sgk_dbus_emit(bus, object, me, member, "x", sgk_give(sgk_array(&argument, 1)));
}

/* The daemon takes note of a match before it looks at what the same client sends next. */
static void signals_are_heard(void **state) {
    (void)state;
    sgk_dbus *bus = client();
    heard all = HEARD_INIT, one = HEARD_INIT, none = HEARD_INIT;
    sgk_disposable *runs[] = {hear(sgk_dbus_signals(bus, NULL, object, NULL, NULL), &all),
        hear(sgk_dbus_signals(bus, NULL, NULL, me, "Two"), &one),
        hear(sgk_dbus_signals(bus, NULL, "/nowhere", me, NULL), &none)};
    assert_done(emitted(bus, "One", 1));
    assert_done(emitted(bus, "Two", 2));
    EVENTUALLY(all.values == 2 && one.values == 1);
    assert_int_equal(none.values, 0);
    sgk_value last = heard_last(&one);
    assert_string_equal(sgk_value_data(sgk_array_at(last, SGK_DBUS_PART_PATH), NULL), object);
    assert_string_equal(sgk_value_data(sgk_array_at(last, SGK_DBUS_PART_MEMBER), NULL), "Two");
    assert_int_equal(sgk_value_data(sgk_array_at(last, SGK_DBUS_PART_SENDER), NULL)[0], ':');
    assert_int_equal(sgk_to_int(sgk_array_at(sgk_array_at(last, SGK_DBUS_PART_ARGUMENTS), 0)), 2);
    sgk_value_release(last);
    heard_done(&all, runs[0]);
    heard_done(&one, runs[1]);
    heard_done(&none, runs[2]);
    let_go(bus);
}

static void calls_are_answered(void **state) {
    (void)state;
    sgk_dbus *bus = client();
    sgk_value values, name = sgk_string(bus_name);
    assert_int_equal(
        all_of(sgk_dbus_call(bus, bus_name, bus_path, bus_name, "NameHasOwner", "s", sgk_give(sgk_array(&name, 1)), 0),
            &values),
        SGK_OK);
    sgk_value expected = sgk_bool(true), reply = sgk_array(&expected, 1), once = sgk_array(&reply, 1);
    assert_true(sgk_value_equal(values, once));
    sgk_value_release(values), sgk_value_release(reply), sgk_value_release(once), sgk_value_release(name);
    assert_fails(sgk_dbus_call(bus, bus_name, bus_path, bus_name, "Nothing", NULL, sgk_null(), 0), EBADR,
        "org.freedesktop.DBus.Error.UnknownMethod");
    assert_fails(sgk_dbus_call(bus, "org.example.Nobody", "/", NULL, "Nothing", NULL, sgk_null(), 0), EHOSTUNREACH,
        "org.freedesktop.DBus.Error.ServiceUnknown");
    let_go(bus);
}

/* ---- An object of this side ---- */

static _Atomic int64_t property_value, property_gets;

static void answer_call(void *context, sgk_value call) {
    (void)context;
    const char *member = sgk_value_data(sgk_array_at(call, SGK_DBUS_PART_MEMBER), NULL);
    sgk_value arguments = sgk_array_at(call, SGK_DBUS_PART_ARGUMENTS);
    size_t count;
    sgk_array_items(arguments, &count);
    if (strncmp(member, "Echo_", 5) == 0) { /* the types, as a name may have them */
        char types[256] = "";
        for (const char *c = member + 5; *c; c++)
            types[strlen(types)] = *c == 'L' ? '(' : *c == 'R' ? ')' : *c == 'B' ? '{' : *c == 'E' ? '}' : *c;
        assert_int_equal(sgk_dbus_reply(call, types, arguments), SGK_OK);
        assert_int_equal(sgk_dbus_reply(call, types, arguments), SGK_ERROR_ENDED);
    } else if (strcmp(member, "Fail") == 0) {
        sgk_value request = sgk_array_at(call, SGK_DBUS_PART_REQUEST); /* which is enough */
        assert_int_equal(sgk_dbus_reply_error(request, "org.example.Error.Full", "full"), SGK_OK);
        assert_int_equal(sgk_dbus_reply(call, "", sgk_null()), SGK_ERROR_ENDED);
    } else if (strcmp(member, "Wrong") == 0) {
        assert_int_equal(sgk_dbus_reply(call, "u", sgk_give(sgk_array((sgk_value[]){sgk_int(-1)}, 1))), SGK_OK);
    } else if (strcmp(member, "Get") == 0) {
        property_gets++;
        sgk_value value = sgk_int(property_value);
        assert_int_equal(sgk_dbus_reply(call, "v", sgk_give(sgk_array(&value, 1))), SGK_OK);
    } /* other calls are released */
}

typedef struct server {
    sgk_dbus *bus;
    heard name;
    sgk_disposable *owns, *answers;
} server;

static void serve(server *s) {
    s->name = (heard)HEARD_INIT;
    s->bus = client();
    SGK_AUTO(sgk_signal) calls = sgk_dbus_object(s->bus, object);
    s->answers = sgk_signal_start_next(calls, answer_call, NULL, NULL);
    s->owns = hear(sgk_dbus_own(s->bus, me), &s->name);
    EVENTUALLY(s->name.values == 1);
}
static void serve_no_more(server *s) {
    sgk_disposable_dispose(s->answers);
    sgk_disposable_release(s->answers);
    heard_done(&s->name, s->owns);
    sgk_dbus_release(s->bus);
}

static sgk_signal *call(sgk_dbus *bus, const char *member, const char *types, sgk_value argument) {
    sgk_value arguments = sgk_array(&argument, *types ? 1 : 0);
    sgk_signal *signal = sgk_dbus_call(bus, me, object, me, member, types, arguments, 0);
    sgk_value_release(arguments);
    if (argument.reserved == 0) sgk_value_release(argument);
    return signal;
}

static void objects_answer(void **state) {
    (void)state;
    server s;
    serve(&s);
    sgk_dbus *bus = client();
    assert_done(call(bus, "Echo_", "", sgk_null()));
    assert_fails(call(bus, "Fail", "", sgk_null()), EIO, "org.example.Error.Full");
    assert_fails(call(bus, "Wrong", "", sgk_null()), EACCES, "org.freedesktop.DBus.Error.Failed");
    assert_fails(call(bus, "Nothing", "", sgk_null()), ETIMEDOUT, "org.freedesktop.DBus.Error.NoReply");
    heard second = HEARD_INIT; /* the name is owned already */
    sgk_disposable *owns = hear(sgk_dbus_own(bus, me), &second);
    EVENTUALLY(second.ends == 2);
    sgk_value error = heard_last(&second);
    assert_int_equal(sgk_error_code(error), EEXIST);
    sgk_value_release(error);
    heard_done(&second, owns);
    serve_no_more(&s);
    EVENTUALLY(sgk_drain(1) == SGK_OK);
    second = (heard)HEARD_INIT; /* and free again */
    owns = hear(sgk_dbus_own(bus, me), &second);
    EVENTUALLY(second.values == 1);
    heard_done(&second, owns);
    let_go(bus);
}

/* A name that two runs of a client own goes with the last of them. */
static void names_are_owned_twice(void **state) {
    (void)state;
    sgk_dbus *bus = client();
    heard owners[2] = {HEARD_INIT, HEARD_INIT};
    sgk_disposable *runs[2];
    for (int i = 0; i < 2; i++) {
        runs[i] = hear(sgk_dbus_own(bus, me), &owners[i]);
        EVENTUALLY(owners[i].values == 1);
    }
    for (int i = 0; i < 2; i++) {
        heard_done(&owners[i], runs[i]);
        assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
        sgk_value name = sgk_string(me), values;
        assert_int_equal(all_of(sgk_dbus_call(bus, bus_name, bus_path, bus_name, "NameHasOwner", "s",
                                    sgk_give(sgk_array(&name, 1)), 0),
                             &values),
            SGK_OK);
        assert_int_equal(sgk_to_bool(sgk_array_at(sgk_array_at(values, 0), 0)), i == 0);
        sgk_value_release(values);
        sgk_value_release(name);
    }
    let_go(bus);
}

static void client_and_run(void *context) {
    (void)context;
    sgk_dbus *bus = client();
    sgk_signal *signal = sgk_dbus_signals(bus, NULL, object, me, NULL);
    start_and_dispose(signal);
    sgk_signal_release(signal);
    sgk_dbus_release(bus);
}
static void release(void *bus) { sgk_dbus_release(bus); }
static void ends_are_waited_for_and_left_alone(void **state) {
    (void)state;
    what_ends_is_waited_for(client_and_run, NULL);
    sgk_dbus *bus = client();
    heard heard = HEARD_INIT;
    sgk_disposable *run = hear(sgk_dbus_signals(bus, NULL, object, me, NULL), &heard);
    for (int i = 1; i <= 2; i++) {
        assert_done(emitted(bus, "One", i));
        EVENTUALLY(heard.values == i);
        let_go_in_a_child(run, release, bus);
    }
    heard_done(&heard, run);
    let_go(bus);
}

/* ---- Types ---- */

static sgk_value pair(sgk_value a, sgk_value b) {
    sgk_value both[] = {sgk_give(a), sgk_give(b)};
    return sgk_array(both, 2);
}

static void values_go_and_come(void **state) {
    (void)state;
    server s;
    serve(&s);
    sgk_dbus *bus = client();
    sgk_value none = sgk_array(NULL, 0);
    struct {
        const char *types, *member;
        sgk_value value;
    } cases[] = {
        {"y", "Echo_y", sgk_int(255)},
        {"n", "Echo_n", sgk_int(-32768)},
        {"q", "Echo_q", sgk_int(65535)},
        {"i", "Echo_i", sgk_int(INT32_MIN)},
        {"u", "Echo_u", sgk_int(UINT32_MAX)},
        {"x", "Echo_x", sgk_int(INT64_MIN)},
        {"t", "Echo_t", sgk_int(INT64_MAX)},
        {"d", "Echo_d", sgk_double(-1.5)},
        {"d", "Echo_d", sgk_double(INFINITY)},
        {"b", "Echo_b", sgk_bool(true)},
        {"s", "Echo_s", sgk_string("grün")},
        {"o", "Echo_o", sgk_string("/a/b")},
        {"g", "Echo_g", sgk_string("a{sv}")},
        {"ay", "Echo_ay", sgk_bytes("a\0b", 3)},
        {"ay", "Echo_ay", sgk_bytes("", 0)},
        {"as", "Echo_as", pair(sgk_string("x"), sgk_string("y"))},
        {"as", "Echo_as", sgk_value_retain(none)},
        {"aay", "Echo_aay", pair(sgk_bytes("x", 1), sgk_bytes("", 0))},
        {"(sb)", "Echo_LsbR", pair(sgk_string("x"), sgk_bool(false))},
        {"a{sv}", "Echo_aBsvE", pair(pair(sgk_string("x"), sgk_int(1)), pair(sgk_string("y"), sgk_string("z")))},
        {"a(i(s))", "Echo_aLiLsRR", none},
        {"v", "Echo_v", sgk_int(7)},
        {"v", "Echo_v", sgk_bool(true)},
        {"v", "Echo_v", sgk_double(0.5)},
        {"v", "Echo_v", sgk_string("x")},
        {"v", "Echo_v", sgk_bytes("x\0", 2)},
        {"v", "Echo_v", pair(sgk_int(1), pair(sgk_string("x"), sgk_bool(false)))},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sgk_value values;
        if (all_of(call(bus, cases[i].member, cases[i].types, sgk_value_retain(cases[i].value)), &values) != SGK_OK) {
            char text[200];
            sgk_value_describe(values, text, sizeof text);
            fail_msg("%s: %s", cases[i].types, text);
        }
        if (!sgk_value_equal(sgk_array_at(sgk_array_at(values, 0), 0), cases[i].value)) fail_msg("%s", cases[i].types);
        sgk_value_release(values);
        sgk_value_release(cases[i].value);
    }
    struct {
        const char *types;
        sgk_value value;
    } wrong[] = {
        {"y", sgk_int(256)},
        {"y", sgk_int(-1)},
        {"n", sgk_int(32768)},
        {"q", sgk_int(-1)},
        {"i", sgk_int(1LL << 31)},
        {"u", sgk_int(1LL << 32)},
        {"t", sgk_int(-1)},
        {"i", sgk_double(1)},
        {"b", sgk_int(1)},
        {"d", sgk_string("1")},
        {"s", sgk_int(1)},
        {"s", sgk_string_n("a\0b", 3)},
        {"s", sgk_string("\xff")},
        {"o", sgk_string("a")},
        {"g", sgk_string("(")},
        {"as", sgk_string("x")},
        {"as", pair(sgk_string("x"), sgk_int(1))},
        {"ay", sgk_int(1)},
        {"(s)", pair(sgk_string("a"), sgk_string("b"))},
        {"(sss)", pair(sgk_string("a"), sgk_string("b"))},
        {"a{sv}", pair(sgk_string("a"), sgk_string("b"))},
        {"h", sgk_int(1)},
        {"v", sgk_null()},
        {"v", sgk_pointer(&bus)},
        {"ss", sgk_string("x")},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_fails(call(bus, "Echo_", wrong[i].types, wrong[i].value), SGK_DBUS_TYPE, NULL);
    assert_done(call(bus, "Echo_", "", sgk_null())); /* the connection still works */
    sgk_dbus_release(bus);
    serve_no_more(&s);
    nothing_is_left();
}

/* ---- Properties ---- */

static void changed(sgk_dbus *bus, bool invalidates, const char *name, int64_t value) {
    sgk_value entry = pair(sgk_string(name), sgk_int(value)), names = sgk_string(name);
    sgk_value parts[] = {sgk_give(sgk_string(me)), sgk_give(sgk_array(&entry, invalidates ? 0 : 1)),
        sgk_give(sgk_array(&names, invalidates ? 1 : 0))};
    assert_done(sgk_dbus_emit(bus, object, "org.freedesktop.DBus.Properties", "PropertiesChanged", "sa{sv}as",
        sgk_give(sgk_array(parts, 3))));
    sgk_value_release(entry), sgk_value_release(names);
}
static void assert_int(heard *heard, int64_t count, int64_t number) {
    EVENTUALLY(heard->values == count);
    sgk_value last = heard_last(heard);
    assert_int_equal(sgk_to_int(last), number);
    sgk_value_release(last);
}

static void properties_are_states(void **state) {
    (void)state;
    server s;
    serve(&s);
    sgk_dbus *bus = client();
    heard heard = HEARD_INIT;
    property_value = 1;
    property_gets = 0;
    sgk_disposable *run = hear(sgk_dbus_property(bus, me, object, me, "Volume"), &heard);
    assert_int(&heard, 1, 1);
    changed(s.bus, false, "Volume", 2);
    assert_int(&heard, 2, 2);
    changed(s.bus, false, "Other", 9);
    changed(bus, false, "Volume", 666); /* an impostor is not heard */
    property_value = 3;
    changed(s.bus, true, "Volume", 0); /* to be asked for */
    assert_int(&heard, 3, 3);
    assert_int_equal(property_gets, 2);
    heard_done(&heard, run);
    assert_fails(sgk_dbus_property(bus, bus_name, bus_path, bus_name, "Nothing"), EBADR, NULL);
    sgk_dbus_release(bus);
    serve_no_more(&s);
    nothing_is_left();
}

/* ---- Callbacks may release everything ---- */

static void one_is_enough(void **state) {
    (void)state;
    for (int i = 0; i < 30; i++) {
        sgk_dbus *bus = client();
        heard heard = HEARD_INIT;
        sgk_signal *signal = sgk_dbus_signals(bus, NULL, object, me, NULL);
        SGK_STAGE(take, signal, 1);
        sgk_disposable *run = hear(signal, &heard);
        for (int j = 0; j < 3; j++) assert_done(emitted(bus, "One", j));
        sgk_dbus_release(bus); /* only the subscription retains the client now */
        EVENTUALLY(heard.ends == 1);
        assert_int_equal(heard.values, 1);
        heard_done(&heard, run);
        nothing_is_left();
    }
}

typedef struct letting_go {
    sgk_dbus *bus;
    _Atomic(sgk_disposable *) own, other;
    int way;
    heard third;
    sgk_disposable *third_run;
    atomic_int calls, destroyed;
} letting_go;

static void let_go_inside(void *context, sgk_value value) {
    (void)value;
    letting_go *l = context;
    if (l->calls++) return;
    sgk_dbus *bus = l->bus;
    switch (l->way) {
    case 0: sgk_disposable_dispose(l->own); break;
    case 1: sgk_disposable_dispose(l->other); break;
    case 2: sgk_dbus_release(bus), bus = NULL, sgk_disposable_dispose(l->other), sgk_disposable_dispose(l->own); break;
    case 3: /* starts a call */
        l->third_run = hear(sgk_dbus_call(bus, bus_name, bus_path, bus_name, "GetId", NULL, sgk_null(), 0), &l->third);
        sgk_disposable_dispose(l->own);
        break;
    case 4: /* and cancels it */
        l->third_run = hear(sgk_dbus_call(bus, bus_name, bus_path, bus_name, "GetId", NULL, sgk_null(), 0), &l->third);
        sgk_disposable_dispose(l->third_run);
        sgk_disposable_dispose(l->own);
        break;
    }
    sgk_dbus_release(bus);
}
static void count_destroy(void *context) { ((letting_go *)context)->destroyed++; }

static void all_is_let_go_inside(void **state) {
    (void)state;
    for (int way = 0; way < 5; way++) {
        for (int round = 0; round < 5; round++) {
            letting_go l = {.way = way, .third = HEARD_INIT};
            heard other = HEARD_INIT;
            sgk_dbus *outside = client();
            l.bus = client();
            SGK_AUTO(sgk_signal) signal = sgk_dbus_signals(l.bus, NULL, object, me, NULL);
            l.other = hear(sgk_dbus_signals(l.bus, NULL, object, NULL, NULL), &other);
            sgk_handlers handlers = SGK_HANDLERS_INIT;
            handlers.context = &l;
            handlers.next = let_go_inside;
            handlers.destroy = count_destroy;
            l.own = sgk_signal_start(signal, &handlers);
            sgk_signal_replace(&signal, NULL);
            while (!l.calls) assert_done(emitted(outside, "One", 1));
            if (way == 3) EVENTUALLY(l.third.ends == 1);
            sgk_disposable_dispose(l.own);
            EVENTUALLY(l.destroyed == 1);
            sgk_disposable_release(l.own);
            heard_done(&other, l.other);
            if (way >= 3) heard_done(&l.third, l.third_run);
            let_go(outside);
        }
    }
}

/* ---- Number and order ---- */

typedef struct series {
    _Atomic int64_t next, wrong;
} series;
static void check_series(void *context, sgk_value message) {
    series *series = context;
    if (sgk_to_int(sgk_array_at(sgk_array_at(message, SGK_DBUS_PART_ARGUMENTS), 0)) != series->next++) series->wrong++;
}
static sgk_signal *emit_number(void *bus, sgk_value number) { return emitted(bus, "One", sgk_to_int(number)); }
static sgk_signal *call_echo(void *bus, sgk_value number) { return call(bus, "Echo_x", "x", number); }

static void all_are_accounted_for(void **state) {
    (void)state;
    int64_t count = how_many(20000);
    server s;
    serve(&s);
    sgk_dbus *bus = client();
    SGK_AUTO(sgk_queue) queue = sgk_queue_create(NULL);
    for (int calls = 0; calls < 2; calls++) {
        series series = {0};
        heard heard = HEARD_INIT;
        struct timespec from, to;
        SGK_AUTO(sgk_signal) topic = sgk_dbus_signals(bus, NULL, object, me, "One");
        SGK_AUTO(sgk_disposable) listening = sgk_signal_start_next(topic, check_series, &series, NULL);
        sgk_signal *signal = sgk_signal_range(0, count);
        if (calls) SGK_STAGE(merge_map, signal, 100, NULL, call_echo, bus, NULL);
        else SGK_STAGE(concat_map, signal, emit_number, bus, NULL);
        SGK_STAGE(run_on, signal, queue);
        clock_gettime(CLOCK_MONOTONIC, &from);
        sgk_disposable *run = hear(signal, &heard);
        EVENTUALLY_ALL(count, calls ? heard.values : series.next);
        EVENTUALLY(heard.ends == 1);
        clock_gettime(CLOCK_MONOTONIC, &to);
        assert_int_equal(heard.values, calls ? count : 0);
        assert_int_equal(series.wrong, 0);
        double seconds = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
        if (getenv("MANY")) print_message("%s: %.0f a second\n", calls ? "calls" : "signals", (double)count / seconds);
        sgk_disposable_dispose(listening);
        heard_done(&heard, run);
    }
    sgk_dbus_counts counts = SGK_DBUS_COUNTS_INIT;
    assert_int_equal(sgk_dbus_counts_get(bus, &counts), SGK_OK);
    assert_int_equal(counts.sent, 2 * count);
    assert_int_equal(counts.received, 2 * count);
    assert_int_equal(counts.refused, 0);
    assert_int_equal(counts.connections, 1);
    sgk_queue_replace(&queue, NULL);
    sgk_dbus_release(bus);
    serve_no_more(&s);
    nothing_is_left();
}

/* ---- The bus pauses, ends, and restarts ---- */

enum { EMITTED = 20000 };
typedef struct emitting {
    _Atomic int64_t taken, full;
} emitting;
static void count_taken(void *context) { ((emitting *)context)->taken++; }
static void count_full(void *context, sgk_value error) {
    ((emitting *)context)->full += sgk_error_code(error) == ENOBUFS;
}

/* Messages are buffered up to a limit while the bus does not read. Each signal completes when the bus has accepted its
 * message, or fails. */
static void slow_bus(void **state) {
    (void)state;
    sgk_dbus *bus = client();
    assert_done(emitted(bus, "One", 0));
    server_pause(daemon_);
    char *large = malloc(1001);
    memset(large, 'x', 1000), large[1000] = '\0';
    sgk_value text = sgk_string(large);
    SGK_AUTO(sgk_signal) emit = sgk_dbus_emit(bus, object, me, "One", "s", sgk_give(sgk_array(&text, 1)));
    emitting all = {0};
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = &all;
    handlers.error = count_full;
    handlers.completed = count_taken;
    sgk_dbus_counts counts = SGK_DBUS_COUNTS_INIT;
    for (int i = 0; i < EMITTED; i++) sgk_disposable_release(sgk_signal_start(emit, &handlers));
    EVENTUALLY((sgk_dbus_counts_get(bus, &counts), counts.sent + counts.refused == 1 + EMITTED));
    assert_int_equal(all.full, counts.refused);
    assert_in_range(counts.refused, 1, EMITTED - 10000);
    assert_true(all.taken < 10000); /* unread messages are pending */
    heard slow = HEARD_INIT;
    sgk_disposable *run =
        hear(sgk_dbus_call(bus, bus_name, bus_path, bus_name, "GetId", NULL, sgk_null(), 0.01), &slow);
    EVENTUALLY(slow.ends == 2); /* rejected too: the buffer is full */
    heard_done(&slow, run);
    sgk_dbus_counts_get(bus, &counts);
    assert_int_equal(counts.refused, all.full + 1);
    kill(daemon_, SIGCONT);
    EVENTUALLY(all.taken + all.full == EMITTED);
    free(large);
    sgk_value_release(text);
    sgk_signal_replace(&emit, NULL);
    let_go(bus);
    bus = client();
    server_pause(daemon_);
    assert_fails(sgk_dbus_call(bus, bus_name, bus_path, bus_name, "GetId", NULL, sgk_null(), 0.05), ETIMEDOUT, NULL);
    kill(daemon_, SIGCONT);
    let_go(bus);
}

static void bus_goes_and_comes(void **state) {
    (void)state;
    sgk_dbus *bus = client();
    SGK_AUTO(sgk_queue) queue = sgk_queue_create(NULL);
    heard plain = HEARD_INIT, again = HEARD_INIT;
    sgk_signal *signal = sgk_dbus_signals(bus, NULL, object, me, "Anew");
    SGK_STAGE(retry, signal, SGK_RETRY(.delay = 0.01, .reset_on_value = true), queue);
    sgk_disposable *runs[] = {hear(sgk_dbus_signals(bus, NULL, object, me, "Anew"), &plain), hear(signal, &again)};
    assert_done(emitted(bus, "Anew", 1));
    EVENTUALLY(plain.values == 1 && again.values == 1);
    server_stop(daemon_, SIGKILL);
    EVENTUALLY(plain.ends == 2);
    sgk_value error = heard_last(&plain);
    assert_true(sgk_error_code(error) > 0);
    sgk_value_release(error);
    assert_fails(emitted(bus, "Anew", 2), ECONNREFUSED, NULL);
    start_daemon();
    sgk_value values;
    for (; again.values == 1; sleep_a_moment())
        if (all_of(emitted(bus, "Anew", 3), &values) == SGK_OK || true) sgk_value_release(values);
    heard_done(&plain, runs[0]);
    heard_done(&again, runs[1]);
    sgk_queue_replace(&queue, NULL);
    let_go(bus);
}

static void *talk_nonsense(void *context) {
    for (int one, n = 0; (one = accept(*(int *)context, NULL, NULL)) >= 0; close(one), n++) {
        char said[256];
        if (read(one, said, sizeof said) < 0 || n % 3 == 0) continue;
        const char *answer = n % 3 == 1
            ? "REJECTED EXTERNAL\r\n"
            : "OK 0123456789abcdef0123456789abcdef\r\nAGREE_UNIX_FD\r\nl\1\0\1garbage garbage garbage garbage";
        send(one, answer, strlen(answer) + (n % 3 == 2 ? 30 : 0), MSG_NOSIGNAL);
        if (read(one, said, sizeof said) < 0) continue;
    }
    return NULL;
}
static void nonsense_is_an_error(void **state) {
    (void)state;
    struct sockaddr_un {
        sa_family_t family;
        char path[108];
    } at = {.family = AF_UNIX};
    char url[160];
    int one = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(at.path, sizeof at.path, "%s/nonsense", directory);
    snprintf(url, sizeof url, "unix:path=%s", at.path);
    assert_int_equal(bind(one, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(one, 5), 0);
    pthread_t thread;
    pthread_create(&thread, NULL, talk_nonsense, &one);
    sgk_dbus *bus = sgk_dbus_create(url);
    for (int i = 0; i < 6; i++) {
        sgk_value error;
        SGK_AUTO(sgk_signal) signal = sgk_dbus_call(bus, bus_name, bus_path, bus_name, "GetId", NULL, sgk_null(), 1);
        assert_int_equal(sgk_signal_collect(signal, 1, PATIENCE, &error), SGK_ERROR_FAILED);
        sgk_value_release(error);
    }
    let_go(bus);
    shutdown(one, SHUT_RDWR);
    pthread_join(thread, NULL);
    close(one);
}

/* ---- Many threads ---- */

static void *come_and_go(void *bus) {
    for (int i = 0; i < 50; i++) {
        SGK_AUTO(sgk_signal) signal = sgk_dbus_signals(bus, NULL, object, i % 2 ? me : NULL, NULL);
        SGK_AUTO(sgk_disposable) run = sgk_signal_start(signal, NULL);
        if (i % 3) assert_done(emitted(bus, "One", i));
        sgk_signal_replace(&signal, call(bus, "Echo_x", "x", sgk_int(i)));
        SGK_AUTO(sgk_disposable) calling = sgk_signal_start(signal, NULL);
        if (i % 2) sgk_disposable_dispose(calling);
        sgk_disposable_dispose(run);
    }
    return NULL;
}
static void many_come_and_go(void **state) {
    (void)state;
    server s;
    serve(&s);
    sgk_dbus *bus = client();
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, come_and_go, bus);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    sgk_dbus_release(bus);
    EVENTUALLY(sgk_drain(1) == SGK_OK);
    serve_no_more(&s);
    nothing_is_left();
}

/* ---- Misuse ---- */

static void assert_mistake(const void *result, const char *of) {
    if (result || strncmp(sgk_dbus_last_error(), of, strlen(of)) != 0)
        fail_msg("%s, not %s", sgk_dbus_last_error(), of);
}

static void misuse(void **state) {
    (void)state;
    sgk_dbus *bus = client();
    struct {
        void *words[8];
    } other = {{0}};
    sgk_dbus *handles[] = {NULL, (sgk_dbus *)&other};
    const char *usual = getenv("DBUS_SESSION_BUS_ADDRESS");
    char *kept = usual ? strdup(usual) : NULL;
    unsetenv("DBUS_SESSION_BUS_ADDRESS");
    assert_mistake(sgk_dbus_create(NULL), "sgk_dbus_create: address: ");
    if (kept) setenv("DBUS_SESSION_BUS_ADDRESS", kept, 1);
    free(kept);
    sgk_dbus_counts counts = SGK_DBUS_COUNTS_INIT;
    for (int i = 0; i < 2; i++) {
        sgk_dbus *h = handles[i];
        assert_mistake(sgk_dbus_signals(h, NULL, NULL, NULL, NULL), "sgk_dbus_signals: dbus: ");
        assert_mistake(
            sgk_dbus_call(h, me, object, me, "M", NULL, sgk_give(sgk_string("x")), 0), "sgk_dbus_call: dbus: ");
        assert_mistake(sgk_dbus_emit(h, object, me, "M", NULL, sgk_give(sgk_string("x"))), "sgk_dbus_emit: dbus: ");
        assert_mistake(sgk_dbus_property(h, me, object, me, "M"), "sgk_dbus_property: dbus: ");
        assert_mistake(sgk_dbus_own(h, me), "sgk_dbus_own: dbus: ");
        assert_mistake(sgk_dbus_object(h, object), "sgk_dbus_object: dbus: ");
        assert_int_equal(sgk_dbus_counts_get(h, &counts), i ? SGK_ERROR_HANDLE : SGK_ERROR_NULL);
        assert_ptr_equal(sgk_dbus_retain(h), h);
        sgk_dbus_release(h);
    }
    assert_int_equal(sgk_dbus_counts_get(bus, NULL), SGK_ERROR_NULL);
    counts.size++;
    assert_int_equal(sgk_dbus_counts_get(bus, &counts), SGK_ERROR_ARGUMENT);
    sgk_value none = sgk_null();
    const char *bad[] = {NULL, "", "a b", "1-", "/", "a..b", "ä"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_mistake(sgk_dbus_own(bus, bad[i]), "sgk_dbus_own: name: ");
        assert_mistake(sgk_dbus_call(bus, bad[i], object, me, "M", NULL, none, 0), "sgk_dbus_call: destination: ");
        assert_mistake(sgk_dbus_call(bus, me, object, me, bad[i], NULL, none, 0), "sgk_dbus_call: member: ");
        assert_mistake(sgk_dbus_emit(bus, object, bad[i], "M", NULL, none), "sgk_dbus_emit: interface: ");
        assert_mistake(sgk_dbus_property(bus, me, object, bad[i], "M"), "sgk_dbus_property: interface: ");
        assert_mistake(sgk_dbus_property(bus, me, object, me, bad[i]), "sgk_dbus_property: name: ");
        if (bad[i] && strcmp(bad[i], "/") == 0) continue;
        assert_mistake(sgk_dbus_object(bus, bad[i]), "sgk_dbus_object: path: ");
        assert_mistake(sgk_dbus_call(bus, me, bad[i], me, "M", NULL, none, 0), "sgk_dbus_call: path: ");
        assert_mistake(sgk_dbus_emit(bus, bad[i], me, "M", NULL, none), "sgk_dbus_emit: path: ");
        assert_mistake(sgk_dbus_property(bus, me, bad[i], me, "M"), "sgk_dbus_property: path: ");
        if (bad[i]) assert_mistake(sgk_dbus_signals(bus, NULL, bad[i], NULL, NULL), "sgk_dbus_signals: path: ");
    }
    assert_mistake(sgk_dbus_own(bus, ":1.5"), "sgk_dbus_own: name: ");
    assert_mistake(sgk_dbus_signals(bus, "a b", NULL, NULL, NULL), "sgk_dbus_signals: sender: ");
    assert_mistake(sgk_dbus_signals(bus, NULL, NULL, "a", NULL), "sgk_dbus_signals: interface: ");
    assert_mistake(sgk_dbus_signals(bus, NULL, NULL, NULL, "a'b"), "sgk_dbus_signals: member: ");
    assert_mistake(sgk_dbus_call(bus, me, object, me, "M", NULL, none, -1), "sgk_dbus_call: seconds: ");
    assert_mistake(sgk_dbus_call(bus, me, object, me, "M", NULL, none, NAN), "sgk_dbus_call: seconds: ");
    const char *types[] = {"(", ")", "a", "a{s}", "{sv}", "z", "s)", "()", "a{", "r"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (i == 3 || i == 7) continue; /* sd-bus refuses these when they are sent */
        assert_mistake(sgk_dbus_call(bus, me, object, me, "M", types[i], none, 0), "sgk_dbus_call: types: ");
    }
    sgk_value calls[] = {sgk_null(), sgk_string("x"), sgk_array(NULL, 0), sgk_array((sgk_value[6]){{0, 0, 0}}, 6)};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(sgk_dbus_reply(calls[i], "s", sgk_give(sgk_string("x"))), SGK_ERROR_KIND);
        assert_int_equal(sgk_dbus_reply_error(calls[i], "a.b", "x"), SGK_ERROR_KIND);
        assert_int_equal(sgk_dbus_reply(calls[i], "(", sgk_null()), SGK_ERROR_ARGUMENT);
        assert_int_equal(sgk_dbus_reply_error(calls[i], NULL, "x"), SGK_ERROR_NULL);
        assert_int_equal(sgk_dbus_reply_error(calls[i], "a.b", NULL), SGK_ERROR_NULL);
        assert_int_equal(sgk_dbus_reply_error(sgk_give(calls[i]), "a", "x"), SGK_ERROR_ARGUMENT);
    }
    let_go(bus);
    sgk_dbus *nowhere = sgk_dbus_create("nonsense");
    assert_fails(emitted(nowhere, "One", 1), ECONNREFUSED, NULL);
    let_go(nowhere);
}

int main(int count, char **arguments) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signals_are_heard),
        cmocka_unit_test(calls_are_answered),
        cmocka_unit_test(objects_answer),
        cmocka_unit_test(names_are_owned_twice),
        cmocka_unit_test(ends_are_waited_for_and_left_alone),
        cmocka_unit_test(values_go_and_come),
        cmocka_unit_test(properties_are_states),
        cmocka_unit_test(one_is_enough),
        cmocka_unit_test(all_is_let_go_inside),
        cmocka_unit_test(all_are_accounted_for),
        cmocka_unit_test(slow_bus),
        cmocka_unit_test(bus_goes_and_comes),
        cmocka_unit_test(nonsense_is_an_error),
        cmocka_unit_test(many_come_and_go),
        cmocka_unit_test(misuse),
    };
    if (count == 2) cmocka_set_test_filter(arguments[1]);
    return cmocka_run_group_tests_name("dbus", tests, begin, end);
}
