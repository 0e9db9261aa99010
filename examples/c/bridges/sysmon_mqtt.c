/*
 * sysmon_mqtt: the machines of a network on one terminal, by an MQTT broker.
 *
 *     cc -std=c11 sysmon_mqtt.c -o sysmon_mqtt $(pkg-config --cflags --libs signalkit-mqtt)
 *     ./sysmon_mqtt here kitchen [HOST PORT]     on each machine, with a unique name
 *     ./sysmon_mqtt show [HOST PORT]             on the one with the terminal
 *
 * Each second a machine publishes its readings. It also publishes its state, which the broker retains. If it disappears
 * without a message, the broker publishes its last will. The programs may start in any order, and the broker may
 * restart.
 *
 *     machine:  interval -> map (read /proc) -> sink                          sysmon/NAME/reading
 *               connected -> filter -> map to signal (publish "here")         sysmon/NAME/state
 *     terminal: topic sysmon/+/+ -> deliver on the main queue (limit 100, drops the oldest) -> draw
 */
#define _DEFAULT_SOURCE
#include <signal.h>
#include <signalkit/mqtt.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MACHINES = 64 };

static atomic_bool quit; /* lock-free, so that the handler may set it */
static void on_interrupt(int number) { (void)number; quit = true; }
static void look_at_quit(void *context, sgk_value value) { (void)context; (void)value; if (quit) sgk_main_stop(); }

/* ---- A machine ---- */

struct machine {
    sgk_mqtt *mqtt;
    char reading[128], state[128];
    long long busy, total; /* of the reading before: only the sampling queue uses it */
};

static sgk_value read_machine(void *context, sgk_value tick) {
    (void)tick;
    struct machine *machine = context;
    long long t[8] = {0}, total = 0, memory = 1, available = 1;
    char line[256], text[64];
    FILE *file = fopen("/proc/stat", "r");
    if (file && fscanf(file, "cpu %lld %lld %lld %lld %lld %lld %lld %lld", t, t + 1, t + 2, t + 3, t + 4, t + 5, t + 6, t + 7)) {}
    if (file) fclose(file);
    file = fopen("/proc/meminfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemTotal: %lld kB", &memory) != 1) sscanf(line, "MemAvailable: %lld kB", &available);
    if (file) fclose(file);
    for (int i = 0; i < 8; i++) total += t[i];
    long long busy = total - t[3] - t[4], elapsed = total - machine->total;
    snprintf(text, sizeof text, "%.0f %.0f", elapsed > 0 ? 100.0 * (double)(busy - machine->busy) / (double)elapsed : 0.0,
        100.0 * (double)(memory - available) / (double)memory);
    machine->busy = busy;
    machine->total = total;
    return sgk_string(text);
}

static bool is_true(void *context, sgk_value value) { (void)context; return sgk_to_bool(value); }
static sgk_signal *say_here(void *context, sgk_value value) {
    (void)value;
    struct machine *machine = context;
    return sgk_mqtt_publish(machine->mqtt, machine->state, sgk_give(sgk_string("here")), 1, true);
}

static int be_here(const char *name, const char *host, int port) {
    struct machine machine = {.busy = 0};
    snprintf(machine.reading, sizeof machine.reading, "sysmon/%s/reading", name);
    snprintf(machine.state, sizeof machine.state, "sysmon/%s/state", name);
    sgk_mqtt_options options = SGK_MQTT_OPTIONS_INIT;
    options.keep_alive = 5;
    options.will_topic = machine.state;
    options.will = sgk_string("gone");
    options.will_qos = 1;
    options.will_retained = true;
    machine.mqtt = sgk_mqtt_create(host, port, &options);
    sgk_value_release(options.will);
    if (!machine.mqtt) return fprintf(stderr, "%s\n", sgk_mqtt_last_error()), 1;

    SGK_AUTO(sgk_queue) sampling = sgk_queue_create("sampling");
    sgk_signal *s = sgk_signal_interval(1, sampling);
    SGK_STAGE(map, s, read_machine, &machine, NULL);
    sgk_signal_replace(&s, sgk_mqtt_sink( /* while the broker is away the latest reading waits, and no other */
        machine.mqtt, s, machine.reading, 0, false, 1, SGK_OVERFLOW_KEEP_LATEST, sgk_null(), NULL));
    SGK_AUTO(sgk_disposable) readings = sgk_signal_start_waitable(s, NULL);
    sgk_signal_replace(&s, sgk_mqtt_connected(machine.mqtt));
    SGK_STAGE(filter, s, SGK_FN(is_true));
    SGK_STAGE(switch_map, s, say_here, &machine, NULL);
    SGK_AUTO(sgk_disposable) states = sgk_signal_start_waitable(s, NULL);
    sgk_signal_release(s);
    if (!readings || !states) return fprintf(stderr, "%s\n", sgk_last_error()), 1;
    sgk_main_run();
    sgk_disposable_dispose_and_wait(readings);
    sgk_disposable_dispose_and_wait(states);
    SGK_AUTO(sgk_signal) farewell = sgk_mqtt_publish(machine.mqtt, machine.state, sgk_give(sgk_string("gone")), 1, true);
    sgk_value none;
    if (sgk_signal_collect(farewell, 1, 2, &none) == SGK_OK) sgk_value_release(none);
    sgk_mqtt_release(machine.mqtt);
    return 0;
}

/* ---- The terminal ---- */

struct terminal {
    int count;
    bool redraws;
    struct { char name[32], reading[32]; bool is_here; } machines[MACHINES]; /* only the main thread touches them */
};

static void show(void *context, sgk_value message) {
    struct terminal *terminal = context;
    char name[32], what[32];
    size_t length;
    const char *payload = sgk_mqtt_data(message, &length);
    if (sscanf(sgk_mqtt_message_topic(message), "sysmon/%31[^/]/%31s", name, what) != 2) return;
    int i = 0;
    while (i < terminal->count && strcmp(terminal->machines[i].name, name) != 0) i++;
    if (i == MACHINES) return;
    if (i == terminal->count) {
        terminal->count++;
        snprintf(terminal->machines[i].name, sizeof terminal->machines[i].name, "%s", name);
    }
    if (strcmp(what, "state") == 0) terminal->machines[i].is_here = length == 4 && memcmp(payload, "here", 4) == 0;
    else snprintf(terminal->machines[i].reading, sizeof terminal->machines[i].reading, "%.*s", (int)length, payload);
    if (terminal->redraws) printf("\033[H\033[J");
    for (int k = terminal->redraws ? 0 : i; k < (terminal->redraws ? terminal->count : i + 1); k++) {
        int cpu = 0, memory = 0;
        sscanf(terminal->machines[k].reading, "%d %d", &cpu, &memory);
        if (terminal->machines[k].is_here) printf("%-16s  cpu %3d%%  memory %3d%%\n", terminal->machines[k].name, cpu, memory);
        else printf("%-16s  gone\n", terminal->machines[k].name);
    }
    if (fflush(stdout) != 0) sgk_main_stop(); /* nobody reads: libmosquitto lets a process ignore SIGPIPE */
}

static int show_all(const char *host, int port) {
    struct terminal terminal = {.redraws = isatty(STDOUT_FILENO)};
    SGK_AUTO(sgk_mqtt) mqtt = sgk_mqtt_create(host, port, NULL);
    SGK_AUTO(sgk_queue) main_queue = sgk_queue_main();
    SGK_AUTO(sgk_signal) s = sgk_mqtt_topic(mqtt, "sysmon/+/+", 1);
    const sgk_bound *bound = SGK_BOUND(.limit = 100, .overflow = SGK_OVERFLOW_DROP_OLDEST);
    sgk_signal_replace(&s, sgk_signal_deliver_on_bounded(s, bound, main_queue));
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(s, show, &terminal, NULL);
    if (!subscription) return fprintf(stderr, "%s\n", sgk_mqtt_last_error()), 1;
    sgk_main_run();
    sgk_disposable_dispose(subscription);
    return 0;
}

int main(int count, char **arguments) {
    bool shows = count >= 2 && strcmp(arguments[1], "show") == 0;
    int rest = shows ? 2 : 3;
    if (count < rest || (!shows && strcmp(arguments[1], "here") != 0))
        return fprintf(stderr, "usage: sysmon_mqtt show|here NAME [HOST PORT]\n"), 2;
    const char *host = count > rest ? arguments[rest] : "127.0.0.1";
    int port = count > rest + 1 ? atoi(arguments[rest + 1]) : 1883;
    signal(SIGINT, on_interrupt);
    signal(SIGTERM, on_interrupt);
    int status;
    {
        SGK_AUTO(sgk_queue) main_queue = sgk_queue_main();
        SGK_AUTO(sgk_signal) looks = sgk_signal_interval(0.1, main_queue);
        SGK_AUTO(sgk_disposable) looking = sgk_signal_start_next(looks, look_at_quit, NULL, NULL);
        status = shows ? show_all(host, port) : be_here(arguments[2], host, port);
        sgk_disposable_dispose(looking);
    }
    sgk_drain(5);
    printf("Objects left alive: %lld\n", (long long)sgk_live_total());
    return status;
}
