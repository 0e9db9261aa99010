#include "screen.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static struct termios before, ours;
static volatile sig_atomic_t is_taken, is_ours; /* the screen; the keyboard input */
static bool has_keys;
static sigset_t waiting; /* the signals that are blocked while a key is waited for */

bool screen_write(const char *text, size_t length) {
    while (length > 0) {
        ssize_t written = write(STDOUT_FILENO, text, length);
        if (written < 0 && errno != EINTR) return false;
        if (written > 0) text += written, length -= (size_t)written;
    }
    return true;
}

/* Another screen, without cursor, whose lines do not run on. */
static void take(void) {
    static const char begin[] = "\033[?1049h\033[?25l\033[?7l";
    if (is_ours) tcsetattr(STDIN_FILENO, TCSANOW, &ours);
    is_taken = screen_write(begin, sizeof begin - 1);
}

void screen_end(void) {
    static const char end[] = "\033[?7h\033[?25h\033[?1049l";
    if (!is_taken) return;
    is_taken = false;
    screen_write(end, sizeof end - 1);
    if (is_ours) tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

/* ---- System signals: handlers call only async-signal-safe functions ---- */

static void ends(int number) {
    screen_end();
    signal(number, SIG_DFL);
    raise(number); /* when this returns */
}

static void stops(int number) {
    int kept = errno;
    screen_end();
    raise(number == SIGTSTP ? SIGSTOP : number);
    take();
    errno = kept;
}

static void wakes(int number) { (void)number; }

bool screen_begin(void) {
    static const int ending[] = {
        SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM, SIGXCPU};
    if (!isatty(STDOUT_FILENO)) return false;
    is_ours = has_keys = isatty(STDIN_FILENO) && tcgetattr(STDIN_FILENO, &before) == 0;
    ours = before;
    ours.c_lflag &= ~(tcflag_t)(ICANON | ECHO); /* the keys that make signals still do */
    ours.c_cc[VMIN] = 1, ours.c_cc[VTIME] = 0;
    struct sigaction action = {.sa_handler = ends}, found;
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        if (sigaction(ending[i], NULL, &found) == 0 && found.sa_handler != SIG_IGN) sigaction(ending[i], &action, NULL);
    sigemptyset(&action.sa_mask);
    action.sa_handler = stops;
    sigaction(SIGTSTP, &action, NULL);
    action.sa_handler = wakes;
    sigaction(SIGWINCH, &action, NULL);
    sigset_t wakening; /* only while it waits: or it might come just before, and be missed */
    sigemptyset(&wakening);
    sigaddset(&wakening, SIGWINCH);
    sigprocmask(SIG_BLOCK, &wakening, &waiting);
    take();
    return true;
}

void screen_size(int *columns, int *rows) {
    struct winsize size;
    bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0;
    *columns = is_known ? size.ws_col : 80;
    *rows = is_known ? size.ws_row : 24;
}

/* ---- Keys ---- */

static bool comes(double seconds) {
    struct pollfd wanted = {.fd = has_keys ? STDIN_FILENO : -1, .events = POLLIN};
    struct timespec time = {0, 0};
    if (seconds > 0) time.tv_sec = (time_t)seconds, time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
    return ppoll(&wanted, 1, &time, &waiting) > 0;
}

static bool got(char *character) {
    ssize_t length = read(STDIN_FILENO, character, 1);
    if (length <= 0) has_keys = length < 0 && errno == EINTR; /* otherwise the terminal was closed */
    return length > 0;
}

int screen_key(double seconds) {
    static const struct {
        char text[5];
        int key;
    } sequences[] = {{"[A", KEY_UP}, {"[B", KEY_DOWN}, {"OA", KEY_UP}, {"OB", KEY_DOWN}, {"[5~", KEY_PAGE_UP},
        {"[6~", KEY_PAGE_DOWN}, {"[H", KEY_HOME}, {"[F", KEY_END}, {"OH", KEY_HOME}, {"OF", KEY_END}, {"[1~", KEY_HOME},
        {"[4~", KEY_END}};
    char text[5] = "";
    if (!comes(seconds) || !got(text)) return KEY_NONE;
    if (*text != '\033' || !comes(0)) return (unsigned char)*text;
    for (size_t i = 0; i < sizeof text - 1 && comes(0) && got(text + i); i++) { /* what a key sends comes at once */
        text[i + 1] = 0;
        for (size_t j = 0; j < sizeof sequences / sizeof *sequences; j++)
            if (strcmp(text, sequences[j].text) == 0) return sequences[j].key;
        bool is_over = i == 0 ? !strchr("[O", text[0]) : text[i] >= '@'; /* an unknown key */
        if (is_over) break;
    }
    return KEY_NONE;
}
