/* Properties: a combination of signals and calls. */
#include "parts.h"

typedef struct property {
    companion_object object;
    sgk_signal *get;
    char *interface, *name;
} property;

static void property_destroy(void *object) {
    property *property = object;
    sgk_signal_release(property->get);
    free(property->interface);
    free(property->name);
    free(property);
}
static const companion_kind property_kind = {"property", property_destroy};

static bool is_text(sgk_value value, const char *text) {
    return sgk_value_kind(value) == SGK_STRING && strcmp(sgk_value_data(value, NULL), text) == 0;
}
static sgk_value first_of(void *context, sgk_value reply) { return sgk_value_retain(sgk_array_at(reply, 0)); }

/* Reads the property in PropertiesChanged: its value, a request for the value, or nothing. */
static sgk_signal *change_of(void *context, sgk_value message) {
    property *property = context;
    size_t count = 0, changed_count = 0, invalid_count = 0;
    const sgk_value *parts = sgk_array_items(sgk_array_at(message, SGK_DBUS_PART_ARGUMENTS), &count);
    if (count != 3 || !is_text(parts[0], property->interface) || sgk_value_kind(parts[1]) != SGK_ARRAY ||
        sgk_value_kind(parts[2]) != SGK_ARRAY)
        return NULL;
    const sgk_value *changed = sgk_array_items(parts[1], &changed_count);
    for (size_t i = 0; i < changed_count; i++)
        if (sgk_value_kind(changed[i]) == SGK_ARRAY && is_text(sgk_array_at(changed[i], 0), property->name))
            return sgk_signal_just(sgk_array_at(changed[i], 1));
    const sgk_value *invalid = sgk_array_items(parts[2], &invalid_count);
    for (size_t i = 0; i < invalid_count; i++)
        if (is_text(invalid[i], property->name)) return sgk_signal_retain(property->get);
    return NULL;
}

sgk_signal *sgk_dbus_property(
    sgk_dbus *dbus, const char *destination, const char *path, const char *interface, const char *name) {
    static const char properties[] = "org.freedesktop.DBus.Properties";
    if (!companion_needs(dbus, &client_kind, __func__, "dbus") ||
        !needs(destination, false, sd_bus_service_name_is_valid, __func__, "destination") ||
        !needs(path, false, sd_bus_object_path_is_valid, __func__, "path") ||
        !needs(interface, false, sd_bus_interface_name_is_valid, __func__, "interface") ||
        !needs(name, false, sd_bus_member_name_is_valid, __func__, "name"))
        return NULL;
    property *property = companion_create(&property_kind, sizeof *property);
    if (!property) return companion_refused(SGK_ERROR_MEMORY, __func__, "memory", "out of memory");
    sgk_value arguments[] = {sgk_give(sgk_string(interface)), sgk_give(sgk_string(name))};
    property->interface = strdup(interface);
    property->name = strdup(name);
    property->get =
        sgk_dbus_call(dbus, destination, path, properties, "Get", "ss", sgk_give(sgk_array(arguments, 2)), 0);
    SGK_STAGE(map, property->get, SGK_FN(first_of));
    SGK_AUTO(sgk_signal) changes = sgk_dbus_signals(dbus, destination, path, properties, "PropertiesChanged");
    SGK_STAGE(concat_map, changes, change_of, companion_retain(property), companion_release);
    sgk_signal *both[] = {changes, property->get}; /* the bus knows of the first when it gets the second */
    sgk_signal *signal = sgk_merge(both, 2);
    companion_release(property);
    return signal;
}
