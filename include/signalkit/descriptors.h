/** @file
 * Descriptors as signals: files, pipes, sockets and terminals; on Linux also system signals, exits of child processes,
 * times of the wall clock and file changes.
 *
 * All these signals are cold. Each subscription watches its descriptor from its start until it ends or is disposed.
 * After sgk_disposable_dispose has returned, nothing is read or written, except by a write to a terminal that is
 * already in progress. A start never blocks, except in sgk_signal_sink_fd with SGK_OVERFLOW_SUSPEND, if the source
 * emits during its start and the buffer is full.
 *
 * The work is done on `queue`. When a descriptor is ready, a subscription reads once, emits the data, and watches again
 * after all downstream callbacks have returned, and after the end of a pause. Unread data stays in the system, so a
 * slow consumer slows the writer down. To process the data on another queue with the same effect, use
 * sgk_signal_deliver_on_bounded with SGK_OVERFLOW_PAUSE. System signals and file changes are read during a pause, too,
 * because the system drops what it cannot keep. The exit of a child and a time of the wall clock, one value each, are
 * also emitted during a pause.
 *
 * One thread of the library watches all descriptors. If the table of a custom queue has `watch` (queue_custom.h), its
 * loop watches instead. When the loop or the pool of a queue has ended, its subscriptions receive no more events:
 * dispose them.
 *
 * **Ownership of the descriptor**: it belongs to the program. Each subscription duplicates it at the start and closes
 * the duplicate at its end. Therefore you may close `fd` as soon as the subscription has started, even if the number is
 * then reused. During a subscription the other side of a pipe or a socket sees no end. Only sgk_signal_sink_fd takes a
 * descriptor over, if `closes` is true. The library does not make `fd` non-blocking. Make it non-blocking if others
 * also read from it or write to it.
 *
 * A connection of sgk_signal_accept or sgk_signal_connect belongs to the library. A subscription that reads it and one
 * that writes to it use its number without duplicates, so one descriptor is enough for each connection. Further
 * subscriptions to the connection duplicate it, and so do those on a custom queue with `watch`.
 *
 * **Errors** have an errno as their code, such as ECONNRESET. Their text names the operator and the failed call:
 * "sgk_signal_fd_lines: read: Connection reset by peer". An invalid descriptor gives EBADF, too many descriptors give
 * EMFILE. EINTR and EAGAIN are not errors, and SIGPIPE is never sent.
 *
 * In the child of a fork, subscriptions of the parent do not continue. New subscriptions work as usual.
 * @since 1.0
 */
#ifndef SIGNALKIT_DESCRIPTORS_H
#define SIGNALKIT_DESCRIPTORS_H

#include "overflow.h"
#include "queue.h"
#include "signal.h"

SGK_BEGIN

/** The descriptor can be read, or is at its end. */
#define SGK_FD_READ 1
/** The descriptor can be written. */
#define SGK_FD_WRITE 2
/** The other side has hung up. It is reported together with the others, also if it was not requested. */
#define SGK_FD_HANGUP 4

/** Emits ints: the events for which `fd` is ready, as bits (SGK_FD_READ, SGK_FD_WRITE, SGK_FD_HANGUP).
 *
 * It emits again after each delivery as long as the descriptor is ready, so the program must read or write. A regular
 * file is always ready.
 *
 * The signal emits SGK_FD_HANGUP and completes when no other event is left. A socket stays readable at its end: dispose
 * the subscription when you have read the end. The signal fails with the pending error of a socket, and with EPIPE if
 * `fd` is the writing end of a pipe without a reader.
 *
 * @param events  SGK_FD_READ, SGK_FD_WRITE, or both.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_fd(int fd, uint32_t events, sgk_queue *queue);

/** Reads lines from `fd` and emits each as a string without its newline.
 *
 * Other bytes, such as NULs and carriage returns, stay in the string. Data after the last newline is a line, too. The
 * signal completes at the end of the data.
 *
 * @param limit  The longest line in bytes: 1 or more. A longer line fails the signal with EMSGSIZE, after the lines
 *               before it.
 *
 * Warning: the signal reads up to 64 KiB at once. Other readers do not receive that data, including the part of a line
 * that is too long.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_fd_lines(int fd, int64_t limit, sgk_queue *queue);

/** Reads data from `fd` and emits it as bytes when it arrives. The signal completes at the end of the data.
 *
 * @param chunk  The maximum number of bytes in a value: from 1 to 2^30.
 *
 * Warning: not for datagram sockets, because an empty datagram looks like the end.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_fd_bytes(int fd, int64_t chunk, sgk_queue *queue);

/** Receives the datagrams of a socket, such as one for UDP. Emits each as an array of two: its data and its sender.
 *
 * Both are bytes. The data of an empty datagram is empty. The second element is the sender's socket address, such as a
 * sockaddr_in. It is empty if the sender has none, such as an unnamed Unix socket.
 *
 * sgk_signal_sink_fd accepts such arrays, too, also with strings. It sends the data to the address, or to the socket's
 * peer if the address is empty. So the same socket sends a datagram back. If one receiver of a Unix socket is full, all
 * later datagrams wait, and unless that receiver is the socket's peer, the sink tries again every 0.01 seconds. On
 * another descriptor than a socket for datagrams, an address is an error (EINVAL).
 *
 * The signal completes only after a shutdown of the socket (shutdown(2)), or with a SOCK_SEQPACKET when the other side
 * has closed. An empty message of a SOCK_SEQPACKET looks like that. The signal fails with ECONNREFUSED if nobody
 * received an earlier datagram that a connected socket has sent.
 *
 * During a pause the datagrams wait in the system. If its buffer is full, it drops datagrams of the network, while the
 * sender of a Unix socket waits. The system closes descriptors that a datagram passes (SCM_RIGHTS).
 *
 * @param fd     A socket that keeps the boundaries of messages: its type is not SOCK_STREAM, which fails with EINVAL.
 *               Another descriptor fails with ENOTSOCK.
 * @param limit  The longest datagram in bytes: from 1 to 2^30. A longer one is lost and fails the signal (EMSGSIZE).
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_fd_datagrams(int fd, int64_t limit, sgk_queue *queue);

/** Writes the strings and bytes that `signal` emits to `fd`, without separators. It emits nothing.
 *
 * The result ends as `signal` does, after all data has been written. It fails with EINVAL after a value of another
 * kind, and with EPIPE if nobody reads. Disposal drops the buffered data. A pause of the result has no effect, because
 * the result emits nothing.
 *
 * On a socket that keeps the boundaries of messages, such as one for UDP, each value is one datagram to the socket's
 * peer. If the system has no memory for it (ENOBUFS), the operator tries again every 0.01 seconds by the clock of
 * `queue`. A datagram counts 16 bytes more, and its address.
 *
 * Data that is being written does not count, and is at most as long as the limit. One longer value is accepted. If the
 * buffer is full, the policy of `bound` decides:
 *
 * - SGK_OVERFLOW_ERROR, the default, fails the result immediately and drops the buffered data.
 * - SGK_OVERFLOW_PAUSE pauses the source, as in sgk_signal_deliver_on_bounded, and resumes it when the operator begins
 *   to write the buffered data. So one queue can serve many slow readers.
 * - SGK_OVERFLOW_SUSPEND blocks the emitting thread until there is space or the subscription is disposed. On `queue`
 *   itself that would deadlock: there the operator writes as much as possible, and fails with ENOBUFS if this frees no
 *   space. If work of `queue` or all threads of its pool wait for the emitting thread, the buffer exceeds its limit.
 *
 * The other policies are errors, alone and after a pause: a value may be a part of a message, so its loss would damage
 * the data. To drop values, put sgk_signal_deliver_on_bounded before, and use SGK_OVERFLOW_PAUSE here.
 *
 * @param closes  If true, the subscription takes `fd` over, and closes it before the terminal event. Start such a
 *                signal only once. If false, `fd` stays open.
 * @param bound   Limits the buffered bytes. The default limit is 65,536. May be NULL.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_sink_fd(
    sgk_signal *signal, int fd, bool closes, const sgk_bound *bound, sgk_queue *queue);

/** Emits the int `signo` for each system signal of this number that the process receives. It never completes.
 *
 * Several simultaneous system signals may be one value. Signals of raise and pthread_kill are sent to one thread and do
 * not arrive here.
 *
 * Block the signal by pthread_sigmask in all threads, before the first thread is created. Otherwise it has its usual
 * effect, which may end the program. If the starting thread does not block it, the subscription fails with EINVAL and a
 * text that explains it. If another thread does not block it, each start logs a warning. The library's own threads
 * block all signals. Programs that this program starts inherit the mask.
 *
 * Of several subscriptions to one system signal each receives only a part: share one.
 *
 * Linux only. On other systems the subscription fails with ENOTSUP.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_unix_signal(int signo, sgk_queue *queue);

/** Waits for the end of the child process `pid`, reaps it, emits its status as an int, and completes.
 *
 * The status is the exit status, 0 or more, or the negative number of the system signal that ended the child (-9 for
 * SIGKILL). No other child is reaped. If the subscription is disposed before the status has arrived, the program must
 * reap the child with waitpid. If waitpid fails with ECHILD, the library has reaped it already: on `queue`, while
 * another thread disposed the subscription. So dispose it on `queue` if the program then sends a signal to `pid`.
 *
 * Start the signal before anything else waits for the child. It fails with ECHILD if the child has been reaped, if
 * `pid` is not a child of this process, or if SIGCHLD is ignored.
 *
 * If pidfd_open fails (before Linux 5.3, under valgrind or a filter), one thread per subscription checks every 32 ms
 * whether the child has ended.
 *
 * Linux only. On other systems the subscription fails with ENOTSUP.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_child(int pid, sgk_queue *queue);

/** A value of sgk_signal_process: a line of the program's standard output. As an option: read it. */
#define SGK_PROCESS_OUTPUT 1
/** A value: a line of the program's standard error. As an option: read it. */
#define SGK_PROCESS_ERRORS 2
/** The last value: the exit status. It is no option. */
#define SGK_PROCESS_EXIT 4
/** Emit bytes as they arrive, at most `limit` at a time, instead of lines. */
#define SGK_PROCESS_BYTES 8
/** Send SIGTERM instead of SIGKILL when the subscription is disposed or fails. A program that ignores it continues. */
#define SGK_PROCESS_TERMINATE 16
/** Start the program in a process group of its own. A disposal ends the group, such as the commands of a shell. */
#define SGK_PROCESS_OWN_GROUP 32

/** Starts a program at each start of the signal. Emits what the program writes, and then its exit status.
 *
 * Each value is an array of three. The first element is an int: SGK_PROCESS_OUTPUT, SGK_PROCESS_ERRORS or
 * SGK_PROCESS_EXIT. The second one is a line as a string without its newline, or bytes; it is empty with the exit
 * status. The third one is the exit status as in sgk_signal_child, and otherwise 0. The exit status follows when the
 * program has ended and all its streams are closed. Other programs that have inherited them, such as a server in the
 * background, can delay it. Then the signal completes. An exit status other than 0 is no error.
 *
 * The program inherits neither the signal mask nor ignored signals, so the setup of sgk_signal_unix_signal does not
 * affect it. Streams that are not in `options` are those of this process. For another working directory or
 * environment, start `env`.
 *
 * A disposal ends the program, and so does an error: `input` has failed, or a line is longer than `limit` (EMSGSIZE).
 * The library reaps the program afterwards. If the program cannot be started, the signal fails with the errno, such as
 * ENOENT. If SIGCHLD is ignored, or another thread reaps the program, the signal fails with ECHILD instead of emitting
 * the exit status. During a pause nothing is read, so the program waits when its pipe is full.
 *
 * @param arguments  The program, which is searched in PATH unless it has a slash, and its arguments. The last pointer
 *                   is NULL. Copied.
 * @param input      Strings and bytes for the standard input, as in sgk_signal_sink_fd. Its completion, or its release
 *                   without a terminal event, closes the program's input. When a write finds that the program has
 *                   closed its input, or when the program has ended, the subscription to `input` is disposed; that is
 *                   no error. NULL: the program has no input (/dev/null).
 * @param options    SGK_PROCESS_… bits without SGK_PROCESS_EXIT, or 0.
 * @param limit      The longest line, or the largest value of bytes, in bytes: 1 or more. If more bytes of the input
 *                   are waiting, `input` is paused. A source that cannot be paused exceeds the limit.
 *
 * Linux only. On other systems the subscription fails with ENOTSUP.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_process(
    const char *const *arguments, sgk_signal *input, uint32_t options, int64_t limit, sgk_queue *queue);

/** Returns the signal that uses a connection (see sgk_map_to_signal_fn).
 *
 * @param connection  A descriptor, non-blocking and close-on-exec. The subscription to the signal owns it: use it in
 *                    this signal only, and do not close it.
 */
typedef sgk_signal *(*sgk_connection_fn)(void *context, int connection);

/** Accepts the connections of a listening socket, and merges the signals that `serve(context, connection)` returns.
 *
 * A connection is closed when its signal has completed or was disposed. An error of a signal fails the result, as in
 * sgk_signal_merge_map, and so closes all connections: return a signal that catches its errors (sgk_signal_catch). The
 * result never completes.
 *
 * While the signals of `limit` connections run, and during a pause, nothing is accepted. New clients wait in the
 * system, up to the backlog of listen(2). If the system has no descriptor or no memory for a connection (EMFILE,
 * ENFILE, ENOBUFS, ENOMEM), the client waits as well. The library tries again after 0.1 seconds by the clock of
 * `queue`. Errors of a connection that has failed before it was accepted, such as ECONNABORTED, are ignored.
 *
 * @param fd     A socket of the type SOCK_STREAM, after listen(2). If it does not listen, the result fails with EINVAL.
 *               Make it non-blocking if others also accept its connections.
 * @param limit  The most signals of connections at the same time: 1 or more, or SGK_UNBOUNDED.
 * @param serve  Called on `queue` for each connection.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_accept(
    int fd, int64_t limit, sgk_connection_fn serve, void *context, sgk_destroy_fn destroy, sgk_queue *queue);

/** Connects a socket of the type SOCK_STREAM at each start, and forwards the signal that `use(context, connection)`
 * returns.
 *
 * The connection is closed when that signal has ended, or when the subscription is disposed, also while it is being
 * established. If it cannot be established, the result fails with the errno, such as ECONNREFUSED. It fails with EAGAIN
 * if the backlog of a Unix socket is full. A pause delays neither the connection nor the call of `use`.
 *
 * @param address  A socket address, such as a sockaddr_in, sockaddr_in6, sockaddr_un or the `ai_addr` of an addrinfo.
 *                 Copied.
 * @param size     The number of its bytes, from 2 to 128.
 * @param use      Called on `queue` when the connection is established.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_connect(
    const void *address, size_t size, sgk_connection_fn use, void *context, sgk_destroy_fn destroy, sgk_queue *queue);

/** Emits the int 0 on `queue` when the system's wall clock reaches `unix_time`, and completes.
 *
 * If somebody sets the clock in the meantime, the new time counts. After the system has slept past `unix_time`, the
 * signal emits when the system wakes. sgk_signal_timer is for delays, which the wall clock must not change.
 *
 * The time is the system's on every queue. A virtual queue, whose clock has no date, emits the value in its own work
 * after that time.
 *
 * @param unix_time  Seconds since 1970-01-01 00:00 UTC, finite. A time in the past: at once.
 *
 * Linux only. On other systems the subscription fails with ENOTSUP.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_wall_clock_timer(double unix_time, sgk_queue *queue);

/** The file was read. */
#define SGK_FILE_READ 0x1
/** The file was written or truncated. */
#define SGK_FILE_WRITTEN 0x2
/** Its owner, permissions, times or links have changed. */
#define SGK_FILE_ATTRIBUTES 0x4
/** It was closed by a process that could write to it. */
#define SGK_FILE_CLOSED 0x8
/** A file was moved out of the folder, or renamed within it. The name is the old one. */
#define SGK_FILE_MOVED_FROM 0x40
/** A file was moved into the folder, or renamed within it. The name is the new one. */
#define SGK_FILE_MOVED_TO 0x80
/** A file was created in the folder. */
#define SGK_FILE_CREATED 0x100
/** A file in the folder was deleted. */
#define SGK_FILE_DELETED 0x200
/** The watched file or folder was deleted, and no process has it open. */
#define SGK_FILE_GONE 0x400
/** The watched file or folder was moved. */
#define SGK_FILE_MOVED 0x800
/** Added to requested bits: also watch all folders below, and those that are created or moved there later. */
#define SGK_FILE_RECURSIVE 0x8000000
/** Added to a reported bit: the change concerns a folder. */
#define SGK_FILE_IS_FOLDER 0x40000000

/** Emits the changes of the file or folder at `path`, and of the files in the folder.
 *
 * Each value is an array of three. The first element is an int, one bit of `mask`, perhaps with SGK_FILE_IS_FOLDER. The
 * second one is a string, the name in the folder, or empty for the watched file or folder. The third one is an int that
 * is equal for both halves of a renaming, and otherwise 0.
 *
 * The signal completes when the watched file or folder no longer exists or is unmounted. It fails with ENOBUFS if
 * changes were lost: then read the current state and start again. It fails with ENOSPC if there are too many watches.
 *
 * With SGK_FILE_RECURSIVE, the name is a path below the watched folder, such as "a/b". The start goes through all
 * folders, each of which needs a watch and some memory. When a folder is created, the signal also reports the files
 * that the folder contains already; some may be reported twice. When a folder is moved in from elsewhere, look for its
 * files yourself. The signal leaves out links to folders, folders that the process may not read, and paths that are too
 * long for the system. It reports no SGK_FILE_READ of a folder. After the watched folder itself was moved, the signal
 * does not watch new folders in it.
 *
 * @param path  Copied.
 * @param mask  The requested changes: SGK_FILE_… bits, at least one. They have the values of IN_… of inotify.
 *
 * Linux only. On other systems the subscription fails with ENOTSUP.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_file_changes(const char *path, uint32_t mask, sgk_queue *queue);

/** Emits the lines that are appended to the file at `path`, like the command `tail -F`. Each is a string without its
 * newline.
 *
 * The signal follows the name. After a rotation it reads the old file to its end, and then the new one from its
 * beginning. It also reads a truncated file from its beginning. As long as no file has the name, it waits. An
 * incomplete line waits for its newline, or for the end of its file: another file has the name, or the file was
 * truncated or deleted. During a pause nothing is read and no line is lost.
 *
 * The signal does not see:
 * - lines that are written to the old file after the signal has read the new one, or after the old one was deleted
 * - a file that loses the name again before the signal has opened it
 * - a truncation, if the file has its former length again before the signal reads
 * - a change of the target of a symbolic link (unlike a change of the link), and changes by other machines
 *
 * The signal completes when the folder is deleted or renamed. It fails with ENOENT if the folder does not exist at the
 * start, with EACCES if the file must not be read, and with ENOSPC if the user has too many inotify watches.
 *
 * @param path        Copied. The file need not exist. A relative path counts from the working directory at the start.
 * @param from_start  If true, the signal begins with the present content of the file. If false, it skips that. It
 *                    always reads a file that receives the name later from its beginning.
 * @param limit       The longest line in bytes: 1 or more. A longer line fails the signal with EMSGSIZE, after the
 *                    lines before it.
 *
 * Linux only. On other systems the subscription fails with ENOTSUP.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_file_lines(const char *path, bool from_start, int64_t limit, sgk_queue *queue);

SGK_END

#endif
