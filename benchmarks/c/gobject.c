/* GObject signals: with the marshaller for their type, and with the generic one. */
#include <glib-object.h>

#include "../bench.h"

typedef struct {
    GObject parent;
} Source;
typedef struct {
    GObjectClass parent;
} SourceClass;

G_DEFINE_TYPE(Source, source, G_TYPE_OBJECT)

/* The output of glib-genmarshal for VOID:INT64. */
static void marshal_int64(
    GClosure *closure, GValue *result, guint number, const GValue *values, gpointer hint, gpointer data) {
    (void)result, (void)number, (void)hint;
    GCClosure *cc = (GCClosure *)closure;
    void (*callback)(gpointer, gint64, gpointer) = (void (*)(gpointer, gint64, gpointer))(data ? data : cc->callback);
    if (G_CCLOSURE_SWAP_DATA(closure)) {
        callback(closure->data, g_value_get_int64(values + 1), g_value_peek_pointer(values));
    } else {
        callback(g_value_peek_pointer(values), g_value_get_int64(values + 1), closure->data);
    }
}

static guint typed, generic;

static void source_class_init(SourceClass *class) {
    GType type = G_TYPE_FROM_CLASS(class);
    typed = g_signal_new("typed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, marshal_int64, G_TYPE_NONE, 1, G_TYPE_INT64);
    generic = g_signal_new(
        "generic", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, g_cclosure_marshal_generic, G_TYPE_NONE, 1, G_TYPE_INT64);
}

static void source_init(Source *source) { (void)source; }

static void add_up(gpointer source, gint64 number, gpointer sum) {
    (void)source;
    *(int64_t *)sum += number;
}

static double broadcast(long count, long subscribers, const char *signal) {
    int64_t sum = 0;
    GObject *source = g_object_new(source_get_type(), NULL);
    guint id = strcmp(signal, "typed") == 0 ? typed : generic;
    for (long i = 0; i < subscribers; i++) g_signal_connect(source, signal, G_CALLBACK(add_up), &sum);
    long events = (count + subscribers - 1) / subscribers;
    double start = bench_now();
    for (long i = 0; i < events; i++) g_signal_emit(source, id, 0, (gint64)i);
    double end = bench_now();
    bench_check(sum, bench_sum(events) * subscribers, "sum");
    g_object_unref(source);
    return (end - start) / (double)(events * subscribers);
}

static double one_typed(long count) { return broadcast(count, 1, "typed"); }
static double ten_typed(long count) { return broadcast(count, 10, "typed"); }
static double thousand_typed(long count) { return broadcast(count, 1000, "typed"); }
static double one_generic(long count) { return broadcast(count, 1, "generic"); }
static double ten_generic(long count) { return broadcast(count, 10, "generic"); }
static double thousand_generic(long count) { return broadcast(count, 1000, "generic"); }

static double connect_and_disconnect(long count) {
    int64_t sum = 0;
    GObject *source = g_object_new(source_get_type(), NULL);
    double start = bench_now();
    for (long i = 0; i < count; i++)
        g_signal_handler_disconnect(source, g_signal_connect(source, "typed", G_CALLBACK(add_up), &sum));
    double end = bench_now();
    g_signal_emit(source, typed, 0, (gint64)1);
    bench_check(sum, 0, "received after disconnecting");
    g_object_unref(source);
    return (end - start) / (double)count;
}

static double bytes(long count) {
    int64_t sum = 0;
    GObject *source = g_object_new(source_get_type(), NULL);
    double before = bench_heap();
    for (long i = 0; i < count; i++) g_signal_connect(source, "typed", G_CALLBACK(add_up), &sum);
    double after = bench_heap();
    g_signal_emit(source, typed, 0, (gint64)1);
    bench_check(sum, count, "sum");
    g_object_unref(source);
    return (after - before) / (double)count;
}

static const bench_case cases[] = {
    {"W2.1", "GObject, typed", one_typed, 1000000},
    {"W2.1", "GObject, generic", one_generic, 1000000},
    {"W2.10", "GObject, typed", ten_typed, 1000000},
    {"W2.10", "GObject, generic", ten_generic, 1000000},
    {"W2.1000", "GObject, typed", thousand_typed, 1000000},
    {"W2.1000", "GObject, generic", thousand_generic, 1000000},
    {"W3.time", "GObject (connect, disconnect)", connect_and_disconnect, 300000},
    {"W3.bytes", "GObject (a handler)", bytes, 10000},
};

BENCH_MAIN(cases)
