/*
 * names: lists the connections of a bus, then each that appears or disappears, until COUNT have appeared.
 *
 *     cc -std=c11 names.c -o names $(pkg-config --cflags --libs signalkit-dbus)
 *     ./names [COUNT]        on the user's bus; or: dbus-run-session ./names 1
 *
 * A call and a signal of the bus are merged into one signal. The program then adds its own name to the bus.
 */
#include <signalkit/dbus.h>
#include <stdio.h>
#include <stdlib.h>

static const char bus_name[] = "org.freedesktop.DBus", path[] = "/org/freedesktop/DBus";

static sgk_signal *each_name(void *context, sgk_value reply) { /* ListNames: an array of strings */
    (void)context;
    size_t count;
    const sgk_value *names = sgk_array_items(sgk_array_at(reply, 0), &count);
    return names ? sgk_signal_from_array(names, count) : NULL;
}

static sgk_value who_has_come(void *context, sgk_value message) { /* NameOwnerChanged: name, before, after */
    (void)context;
    sgk_value arguments = sgk_array_at(message, SGK_DBUS_PART_ARGUMENTS);
    const char *after = sgk_value_data(sgk_array_at(arguments, 2), NULL);
    return after && *after ? sgk_array_at(arguments, 0) : sgk_dropped();
}

static bool is_no_number(void *context, sgk_value name) {
    (void)context;
    return *sgk_value_data(name, NULL) != ':';
}

static void print(void *context, sgk_value name) {
    (void)context;
    printf("%s\n", sgk_value_data(name, NULL));
}

int main(int count, char **arguments) {
    {
        SGK_AUTO(sgk_dbus) bus = sgk_dbus_create(NULL);
        SGK_AUTO(sgk_signal) now = sgk_dbus_call(bus, bus_name, path, bus_name, "ListNames", NULL, sgk_null(), 5);
        SGK_STAGE(switch_map, now, SGK_FN(each_name));
        SGK_AUTO(sgk_signal) later = sgk_dbus_signals(bus, bus_name, path, bus_name, "NameOwnerChanged");
        SGK_STAGE(map, later, SGK_FN(who_has_come));
        sgk_signal *both[] = {later, now};
        SGK_AUTO(sgk_signal) names = sgk_merge(both, 2);
        SGK_STAGE(filter, names, SGK_FN(is_no_number));
        SGK_STAGE(distinct, names, SGK_BOUND(.limit = 1000, .overflow = SGK_OVERFLOW_DROP_OLDEST));
        if (count > 1) SGK_STAGE(take, names, 1 + atoll(arguments[1]));
        SGK_STAGE(after_next, names, SGK_FN(print));
        SGK_AUTO(sgk_signal) own = sgk_dbus_own(bus, "org.example.Names");
        SGK_AUTO(sgk_disposable) owning = sgk_signal_start(own, NULL);
        sgk_value all = sgk_null();
        sgk_status status = sgk_signal_collect(names, 1000, 3600, &all);
        if (status != SGK_OK) fprintf(stderr, "%s %s\n", sgk_status_text(status), sgk_dbus_last_error());
        sgk_value_release(all);
        if (owning) sgk_disposable_dispose(owning);
    }
    sgk_drain(5);
    printf("Objects left alive: %lld\n", (long long)sgk_live_total());
    return 0;
}
