/* Releases a pipe at its exit, and three signals not at all. Reports whether it runs with another user's rights. */
#include <signalkit.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static sgk_pipe *pipe_of_main;

static void let_go(void) { sgk_pipe_release(pipe_of_main); }

int main(void) {
    atexit(let_go);
    pipe_of_main = sgk_pipe_create();
    for (int i = 0; i < 3; i++)
        if (sgk_signal_never() == NULL) return 1;
    puts(getuid() == geteuid() ? "with its own rights" : "with another's rights");
    return 0;
}
