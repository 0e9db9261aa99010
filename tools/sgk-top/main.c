/* sgk-top shows the subscriptions and queues of a process that uses SignalKit. It sends requests to the inspector of
 * the process (SIGNALKIT_INSPECT) and needs only the C library. */
#include "inspector.h"
#include "names.h"
#include "screen.h"
#include "snapshot.h"
#include "table.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char usage[] =
    "Usage: sgk-top [OPTION]... PID|SOCKET\n"
    "       sgk-top --symbols\n"
    "Shows what runs in a process that was started with SIGNALKIT_INSPECT=SOCKET.\n\n"
    "  --interval SECONDS  the time between updates, 0.05 to 3600 (default 1)\n"
    "  --sort KEY          the largest first: number, values, rate, waiting, most, dropped,\n"
    "                      paused, slowest, age, idle or count (default number: the oldest first)\n"
    "  --all               a line for each stage; without it equal siblings are one line\n"
    "  --name TEXT         only stages whose name or operator contains TEXT\n"
    "  --queue TEXT        only queues whose name contains TEXT, and the stages that use them\n"
    "  --once              print one table as text; with --interval after that time, with rates\n"
    "  --dump              print the live objects; with SIGNALKIT_DEBUG=1 in the program's\n"
    "                      environment, also the places of their creation\n"
    "  --symbols           copy a report of SIGNALKIT_DEBUG from the standard input, with the\n"
    "                      names of static functions, as --dump prints them\n"
    "  --json              print the answer of the process, one object in a line; with\n"
    "                      --interval repeatedly\n"
    "  --help, --version\n\n"
    "Keys: n v r w m d p s a i c sort, up and down scroll, f folds equal siblings, / and u\n"
    "filter by name and by queue, space holds, q quits.\n";

static const char *const orders[ORDERS] = {
    "number", "values", "rate", "waiting", "most", "dropped", "paused", "slowest", "age", "idle", "count"};

typedef struct look {
    int connection;
    const char *request;
    bool keeps_answer;
    snapshot now;
    char *answer;   /* what the process has said, if it is kept */
    bool has_ended; /* the process */
    char reason[256];
} look;

/* Replaces the snapshot by a new one. On failure, returns false, sets `reason` and keeps the old snapshot. */
static bool look_again(look *look) {
    size_t length;
    snapshot next;
    char *answer = inspector_ask(look->connection, look->request, &length, look->reason, sizeof look->reason);
    if (!answer) return look->has_ended = !*look->reason, false;
    free(look->answer); /* reading takes a text to pieces */
    look->answer = look->keeps_answer ? strdup(answer) : NULL;
    if (!snapshot_read(&next, answer, length, look->reason, sizeof look->reason)) return false;
    snapshot_compare(&next, &look->now);
    snapshot_free(&look->now);
    look->now = next;
    return true;
}

static double now_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void pause_for(double seconds) {
    struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&time, NULL);
}

enum { FILTER_SIZE = 64 };

typedef struct view {
    order order;
    selection selection;
    double interval;
    size_t first, lines, shown; /* the line at the top, all lines, the lines that fit */
    bool is_held;
    char name[FILTER_SIZE], queue[FILTER_SIZE]; /* the filters */
    char *typed;                                /* the filter that the user is typing, or NULL */
} view;

/* Prints to the standard output. On failure, returns false and sets `reason`. */
static bool print(look *look, const view *view) {
    const char *problem = NULL;
    if (look->keeps_answer) {
        if (look->answer) puts(look->answer);
        else problem = "no memory";
    } else if (look->now.dump) {
        char process[64];
        snprintf(process, sizeof process, "/proc/%.20g", look->now.pid);
        if (!names_print(stdout, look->now.dump, process)) problem = "no memory";
    } else {
        table_print_summary(stdout, &look->now);
        if (!table_print(stdout, &look->now, &view->selection, view->order, 0)) problem = "no memory";
    }
    if (fflush(stdout) != 0 || ferror(stdout)) problem = "the output cannot be written";
    if (problem) snprintf(look->reason, sizeof look->reason, "%s", problem);
    return !problem;
}

/* ---- On a terminal ---- */

/* Returns the end of the first `columns` UTF-8 characters. (The terminal cuts lines with wider characters.) */
static const char *cut(const char *line, const char *end, int columns) {
    for (; line < end; line++)
        if (((unsigned char)*line & 0xC0) != 0x80 && columns-- == 0) break;
    return line;
}

static void add_line(FILE *frame, const char *line, const char *end, int columns, const char *style) {
    fprintf(frame, "\033[%sm%.*s\033[0m\033[K\r\n", style, (int)(cut(line, end, columns) - line), line);
}

/* All of a table as text, of which a part is shown. NULL when there is no memory. */
static char *text_of(look *look, const view *view, int columns) {
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    if (!file) return NULL;
    table_print_summary(file, &look->now);
    bool is_printed = table_print(file, &look->now, &view->selection, view->order, columns);
    if (fclose(file) == 0 && is_printed) return text;
    free(text);
    return NULL;
}

/* Adds the status line at the bottom: the filter that the user is typing, or the present view and its keys. */
static void add_status(FILE *frame, const view *view, bool has_more, int columns) {
    char line[256];
    const selection *selection = &view->selection;
    if (view->typed)
        snprintf(line, sizeof line, "%s contains: %s_", view->typed == view->name ? "name" : "queue", view->typed);
    else
        snprintf(line, sizeof line, "%s %g s, by %s%s%s%s%s%s%s; keys: n v r w m d p s a i c, f / u, arrows, space, q",
            view->is_held ? "held," : "every", view->interval, orders[view->order], has_more ? ", more lines" : "",
            selection->folds ? "" : ", all", *view->name ? ", name " : "", view->name, *view->queue ? ", queue " : "",
            view->queue);
    line[cut(line, line + strlen(line), columns) - line] = 0;
    table_print_text(frame, line);
}

/* Draws two fixed lines, the other lines that fit, and the status line. */
static bool draw(look *look, view *view) {
    int columns, rows;
    size_t length, number = 0;
    char *frame_text = NULL;
    screen_size(&columns, &rows);
    char *text = text_of(look, view, columns);
    FILE *frame = text ? open_memstream(&frame_text, &length) : NULL;
    if (!frame) return free(text), false;
    view->shown = rows > 3 ? (size_t)rows - 3 : 1;
    view->lines = 0;
    for (const char *at = text; *at; at++) view->lines += *at == '\n';
    size_t last = view->lines > view->shown + 2 ? view->lines - view->shown - 2 : 0;
    if (view->first > last) view->first = last;
    fputs("\033[H", frame);
    for (const char *line = text, *end; *line; line = end + 1, number++) {
        end = strchr(line, '\n');
        bool stays = number < 2, fits = number >= view->first + 2 && number < view->first + 2 + view->shown;
        if (stays || fits) add_line(frame, line, end, columns, number == 0 ? "1" : number == 1 ? "7" : "0");
    }
    fprintf(frame, "\033[J\033[%d;1H\033[2m", rows);
    add_status(frame, view, last > 0, columns);
    fputs("\033[0m\033[K", frame);
    free(text);
    bool is_drawn = fclose(frame) == 0 && screen_write(frame_text, length);
    free(frame_text);
    return is_drawn;
}

/* Edits a filter: Return accepts it, Escape removes it, Backspace removes its last character. */
static void type(int key, view *view) {
    enum { ESCAPE = 27, DELETE = 127 };
    size_t length = strlen(view->typed);
    if (key == KEY_NONE) return;
    if (key == ESCAPE) *view->typed = 0;
    if (key == '\n' || key == '\r' || key == ESCAPE) view->typed = NULL;
    else if ((key == DELETE || key == '\b') && length > 0) view->typed[length - 1] = 0;
    else if (key >= ' ' && key < DELETE && length + 1 < sizeof view->name)
        view->typed[length] = (char)key, view->typed[length + 1] = 0;
    view->first = 0;
}

/* False: the user has seen enough. */
static bool handle(int key, view *view) {
    static const char keys[] = "nvrwmdpsaic"; /* as the orders */
    if (view->typed) return type(key, view), true;
    const char *found = key > 0 && key < 128 ? strchr(keys, key) : NULL;
    if (found) view->order = (order)(found - keys), view->first = 0;
    switch (key) {
    case 'q': return false;
    case 'f': view->selection.folds = !view->selection.folds; break;
    case '/': view->typed = view->name; break;
    case 'u': view->typed = view->queue; break;
    case ' ': view->is_held = !view->is_held; break;
    case KEY_UP:
    case 'k': view->first -= view->first > 0; break;
    case KEY_DOWN:
    case 'j': view->first++; break;
    case KEY_PAGE_UP: view->first -= view->first < view->shown ? view->first : view->shown; break;
    case KEY_PAGE_DOWN: view->first += view->shown; break;
    case KEY_HOME: view->first = 0; break;
    case KEY_END: view->first = view->lines; break;
    default: break;
    }
    return true;
}

static bool watch(look *look, view *view) {
    bool is_fine = true;
    double due = now_seconds() + view->interval;
    do {
        if (!view->is_held && now_seconds() >= due) is_fine = look_again(look), due = now_seconds() + view->interval;
        if (is_fine && !draw(look, view)) {
            snprintf(look->reason, sizeof look->reason, "the terminal takes nothing");
            is_fine = false;
        }
    } while (is_fine && handle(screen_key(view->is_held ? 3600 : due - now_seconds()), view));
    screen_end();
    return is_fine;
}

/* Shows the process once, repeatedly, or on the terminal. On failure, returns false and sets `reason`. */
static bool show(look *look, view *view, bool once) {
    bool goes_on = !once && (view->interval > 0 || !look->keeps_answer);
    if (once && view->interval > 0) {
        pause_for(view->interval);
        if (!look_again(look)) return false;
    }
    if (view->interval == 0) view->interval = 1;
    if (goes_on && !look->keeps_answer && screen_begin()) return watch(look, view);
    while (print(look, view)) {
        if (!goes_on) return true;
        pause_for(view->interval);
        if (!look_again(look)) break;
    }
    return false;
}

/* ---- The command line ---- */

static double seconds_of(const char *text) {
    char *end;
    double seconds = strtod(text, &end);
    if (end != text && !*end && seconds >= 0.05 && seconds <= 3600) return seconds;
    fprintf(stderr, "sgk-top: --interval: a number from 0.05 to 3600 is needed, not \"%s\"\n", text);
    exit(2);
}

static order order_of(const char *text) {
    for (int i = 0; i < ORDERS; i++)
        if (strcmp(text, orders[i]) == 0) return (order)i;
    fprintf(stderr, "sgk-top: --sort: \"%s\" is not known\n", text);
    exit(2);
}

/* False: the output cannot be written. */
static bool copy_with_names(void) {
    char *line = NULL;
    size_t room = 0;
    for (ssize_t length; (length = getline(&line, &room, stdin)) > 0;) {
        if (line[length - 1] == '\n') line[length - 1] = 0;
        names_print_line(stdout, line, "");
    }
    free(line);
    return fflush(stdout) == 0 && !ferror(stdout);
}

static void set_text(char (*text)[FILTER_SIZE], const char *option, const char *given) {
    if (strlen(given) < sizeof *text) return (void)strcpy(*text, given);
    fprintf(stderr, "sgk-top: %s: must be shorter than %zu characters\n", option, sizeof *text);
    exit(2);
}

int main(int argc, char **argv) {
    static const struct option options[] = {{"interval", required_argument, NULL, 'i'},
        {"sort", required_argument, NULL, 's'}, {"once", no_argument, NULL, 'o'}, {"dump", no_argument, NULL, 'd'},
        {"json", no_argument, NULL, 'j'}, {"symbols", no_argument, NULL, 'y'}, {"all", no_argument, NULL, 'a'},
        {"name", required_argument, NULL, 'n'}, {"queue", required_argument, NULL, 'q'},
        {"help", no_argument, NULL, 'h'}, {"version", no_argument, NULL, 'v'}, {NULL, 0, NULL, 0}};
    look look = {.connection = -1, .request = "graph\n"};
    view view = {.selection = {view.name, view.queue, true}};
    bool once = false, dumps = false, symbols = false;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) switch (option) {
        case 'i': view.interval = seconds_of(optarg); break;
        case 's': view.order = order_of(optarg); break;
        case 'a': view.selection.folds = false; break;
        case 'n': set_text(&view.name, "--name", optarg); break;
        case 'q': set_text(&view.queue, "--queue", optarg); break;
        case 'o': once = true; break;
        case 'd': dumps = true, look.request = "dump\n"; break;
        case 'y': symbols = true; break;
        case 'j': look.keeps_answer = true; break;
        case 'h': return fputs(usage, stdout) < 0;
        case 'v': return puts("sgk-top " SGK_TOP_VERSION) < 0;
        default: return fputs(usage, stderr), 2;
        }
    bool is_contrary = once + dumps + look.keeps_answer > 1 || (dumps && view.interval > 0);
    if (symbols && argc == 2) return !copy_with_names();
    if (symbols || argc != optind + 1 || is_contrary) return fputs(usage, stderr), 2;

    const char *target = argv[optind];
    char path[512];
    bool is_number = *target && target[strspn(target, "0123456789")] == 0;
    if (!is_number || inspector_find(target, path, sizeof path, look.reason, sizeof look.reason))
        look.connection = inspector_connect(is_number ? path : target, look.reason, sizeof look.reason);
    bool has_seen = look.connection >= 0 && look_again(&look), is_fine = has_seen && show(&look, &view, once || dumps);
    const char *reason = look.has_ended ? "the process has ended" : look.reason;
    bool is_said = strncmp(reason, target, strlen(target)) == 0;
    if (!is_fine) fprintf(stderr, "sgk-top: %s%s%s\n", is_said ? "" : target, is_said ? "" : ": ", reason);
    snapshot_free(&look.now);
    free(look.answer);
    if (look.connection >= 0) close(look.connection);
    return is_fine || (has_seen && look.has_ended) ? 0 : 1;
}
