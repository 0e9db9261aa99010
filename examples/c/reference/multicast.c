/* Examples of signalkit/multicast.h. */
#include "print.h"

#include <signalkit/multicast.h>

static void say(void *text) { puts(text); }

/* A sensor that says when it is asked to measure, once for each run. */
static sgk_signal *sensor_of(sgk_pipe *pipe) {
    SGK_AUTO(sgk_signal) values = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) started = sgk_signal_before_started(values, say, "on", NULL);
    return sgk_signal_after_disposed(started, say, "off", NULL);
}

/* sgk_multicast_create, sgk_multicast_get
 * One subscription for each name, shared by all requests. */
static void multicast_create(void) {
    SGK_AUTO(sgk_multicast) stations = sgk_multicast_create();
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) sensor = sensor_of(pipe);
    SGK_AUTO(sgk_signal) mine = sgk_multicast_get(stations, "kitchen", sensor);
    SGK_AUTO(sgk_signal) yours = sgk_multicast_get(stations, "kitchen", sensor);
    SGK_AUTO(sgk_disposable) first = sgk_signal_start_next(mine, print, "mine: ", NULL);
    SGK_AUTO(sgk_disposable) second = sgk_signal_start_next(yours, print, "yours: ", NULL);
    sgk_pipe_next(pipe, sgk_int(20));
    sgk_disposable_dispose(first);
    sgk_disposable_dispose(second);
}
/* on
 * mine: 20
 * yours: 20
 * off */

static sgk_signal *sensor_of_pipe(void *pipe) { return sensor_of(pipe); }

/* sgk_multicast_signal_manager_create, sgk_multicast_signal_manager_multicasted_signal
 * The signal of a name is made when the first one asks for it. */
static void manager(void) {
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_multicast_signal_manager) sensors = sgk_multicast_signal_manager_create();
    SGK_AUTO(sgk_signal) mine =
        sgk_multicast_signal_manager_multicasted_signal(sensors, "kitchen", sensor_of_pipe, pipe);
    SGK_AUTO(sgk_signal) yours =
        sgk_multicast_signal_manager_multicasted_signal(sensors, "kitchen", sensor_of_pipe, pipe);
    SGK_AUTO(sgk_disposable) first = sgk_signal_start_next(mine, print, "mine: ", NULL);
    SGK_AUTO(sgk_disposable) second = sgk_signal_start_next(yours, print, "yours: ", NULL);
    sgk_pipe_next(pipe, sgk_int(20));
    sgk_disposable_dispose(first);
    sgk_disposable_dispose(second);
}
/* on
 * mine: 20
 * yours: 20
 * off */

/* sgk_multicast_signal_manager_start_standalone_signal_if_not_running
 * Starts work once, without a subscriber, independent of the number of requests. */
static void standalone(void) {
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_multicast_signal_manager) work = sgk_multicast_signal_manager_create();
    for (int i = 0; i < 2; i++)
        sgk_multicast_signal_manager_start_standalone_signal_if_not_running(work, "sync", sensor_of_pipe, pipe);
    sgk_pipe_complete(pipe);
}
/* on
 * off */

/* sgk_multicast_signal_manager_multicasted_pipe, sgk_multicast_signal_manager_next
 * Pipes by name: senders and subscribers share only the name. */
static void manager_pipe(void) {
    SGK_AUTO(sgk_multicast_signal_manager) bus = sgk_multicast_signal_manager_create();
    SGK_AUTO(sgk_signal) doors = sgk_multicast_signal_manager_multicasted_pipe(bus, "doors");
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(doors, print, NULL, NULL);
    sgk_multicast_signal_manager_next(bus, "doors", sgk_give(sgk_string("open")));
    sgk_multicast_signal_manager_next(bus, "windows", sgk_give(sgk_string("nobody listens")));
}
/* open */

int main(void) {
    multicast_create();
    manager();
    standalone();
    manager_pipe();
}
