/* SignalKit inside a GLib main loop that also has its own work: a timeout. */
#include "sgk_glib.h"
#include "workload.h"

static int ticks, last_tick = 1 << 30;
static void stop(void *loop) { g_main_loop_quit(loop); }

static gboolean tick(gpointer loop) {
    if (++ticks == last_tick) g_main_loop_quit(loop);
    return G_SOURCE_CONTINUE;
}

int main(void) {
    GMainLoop *loop = g_main_loop_new(NULL, FALSE);
    guint timeout = g_timeout_add(1, tick, loop);
    sgk_glib *adapter = sgk_glib_open(NULL);
    if (!adapter) return fprintf(stderr, "%s\n", sgk_last_error()), 1;

    workload w;
    workload_start(&w, adapter->inbox.queue, 5000, stop, loop);
    g_main_loop_run(loop);
    workload_end(&w, "GLib", ticks);

    /* The loop ends with events in flight. */
    last_tick = ticks + 50;
    workload_start(&w, adapter->inbox.queue, 1 << 28, stop, loop);
    g_main_loop_run(loop);
    sgk_glib_close(adapter);
    workload_end(&w, "GLib, ended", ticks);
    g_source_remove(timeout);
    g_main_loop_unref(loop);
    return nothing_left();
}
