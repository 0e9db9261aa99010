/** @file
 * Descriptors of the system: files, pipes, sockets and terminals as signals; signals of the system, the ends of
 * processes and changes of files, which are descriptors on Linux.
 *
 * All these signals are cold: each run watches by itself, from its start until it ends or is disposed; nothing is read
 * or written after sgk_disposable_dispose has returned, but for what a terminal is just being given. A start never
 * waits (but for room, where the source of a sgk_sink_fd emits inside of it). The work is done on `queue`: when a
 * descriptor is ready, a run reads once, emits what that was, and only then watches for more. So what is not wanted yet
 * stays with the system, and whoever is slow holds up whoever writes. To be slow elsewhere than on `queue`, and hold up
 * all the same, there is sgk_signal_deliver_on_bounded with SGK_OVERFLOW_SUSPEND.
 *
 * One thread of the library's waits for all descriptors; or the loop that a custom queue runs on, if its table has
 * `watch` (queue_custom.h). When the queue's loop or pool has ended, runs there get nothing any more; dispose them.
 *
 * **Whose the descriptor is**: the program's. Each run has a duplicate of its own, from its start on, which it closes
 * in the end; so `fd` may be closed as soon as the run is started, and its number may then stand for something else.
 * As long as a run goes on, the other side of a pipe or a socket does not see an end. Only sgk_sink_fd takes a
 * descriptor over, if asked. `fd` need not be non-blocking, and is not made so; it should be where others read it as
 * well, or write to it.
 *
 * **Errors** are arrays of two, an int and a string: errno, and which call it was with what it says, as
 * `[104, "read: Connection reset by peer"]`. A descriptor that is none is [9, …] (EBADF), one too many [24, …]
 * (EMFILE). EINTR and EAGAIN are no errors, and SIGPIPE is never sent.
 *
 * In the child of a fork the parent's runs do not go on; new ones do as usual.
 * @since 1.0
 */
#ifndef SIGNALKIT_DESCRIPTORS_H
#define SIGNALKIT_DESCRIPTORS_H

#include "queue.h"
#include "signal.h"

SGK_BEGIN

/** Something can be read, or there is nothing more to read. */
#define SGK_FD_READ 1
/** Something can be written. */
#define SGK_FD_WRITE 2
/** The other side is gone. Told with the others, asked for or not. */
#define SGK_FD_HANGUP 4

/** Emits ints, the bits of what `fd` is ready for (SGK_FD_READ, SGK_FD_WRITE, SGK_FD_HANGUP), of those that `events`
 * has: once, and again when that has been handled, as long as it is so. So who does not read gets the same again; a
 * regular file is always ready. Reading and writing is the program's affair. Completes when nothing but SGK_FD_HANGUP
 * is left, which it emits before (not of a socket, which stays readable: who has read its end disposes); fails with the
 * error that waits at a socket, and with EPIPE when nobody reads the pipe that `fd` writes to. `events` is SGK_FD_READ,
 * SGK_FD_WRITE, or both. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_fd(int64_t fd, int64_t events, sgk_queue *queue);

/** Reads lines from `fd`, and emits each as a string, without the newline; what else there is, NULs and carriage
 * returns, stays. What comes after the last newline is a line, unless it is empty. Completes at the end of what there
 * is to read. A line of more than `limit` bytes (1 or more) fails the run with EMSGSIZE, after the lines before it. Up
 * to 64 KiB are read at once, what is longer than a line included: of that nobody else hears. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_lines(int64_t fd, int64_t limit, sgk_queue *queue);

/** Reads from `fd`, at most `chunk` bytes (1 or more) at once, and emits them as bytes as they come. Completes at the
 * end of what there is to read. Not for sockets of datagrams, where an empty one would be the end. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_bytes(int64_t fd, int64_t chunk, sgk_queue *queue);

/** Writes the strings and bytes that `signal` emits to `fd`, on `queue`, one after another without anything between
 * them; any other kind of value fails the run with EINVAL. Emits nothing; completes, or fails, as `signal` does, when
 * all before that is written. At most `limit` bytes (1 or more) wait, or one value that is longer, beside as many that
 * are being written: who emits more is blocked until there is room, or the run is disposed. On `queue` itself, where
 * that would wait for itself, as much is written as can be, and if that is not enough the run fails with ENOBUFS.
 * Where work of `queue` waits for the emitting thread, more than `limit` bytes wait. When nobody reads any more:
 * EPIPE. Disposal drops what waits. With `closes`, `fd` becomes the run's, and is closed when it is over, before its
 * end is told, also after a failure; so such a signal is started once. Without, it stays as it is. Not for sockets of
 * datagrams, of which it knows no borders. */
SGK_API SGK_OWNED sgk_signal *sgk_sink_fd(sgk_signal *signal, int64_t fd, int64_t limit, bool closes, sgk_queue *queue);

/** Emits the int `signo` for each such signal that comes to the process (several that come at once may be one; what
 * raise and pthread_kill send is for one thread, and does not come here). Never completes. It must be blocked, by
 * pthread_sigmask, in all threads, before any other is made: where it is not blocked it does what it does otherwise,
 * which may end the program. If it is not in the thread that starts a run, the run fails with EINVAL, and the error's
 * text says that; if it is not in another one, each start writes a warning to the log. (The library's own threads block
 * all signals; programs that are started by this one inherit the mask.) Of several runs for one signal each gets some:
 * share one. Only on Linux; elsewhere fails with ENOTSUP. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_unix_signal(int64_t signo, sgk_queue *queue);

/** Waits for the end of the child process `pid`, emits how it was, and completes: its exit status, 0 or more, or less
 * than 0, the signal that has ended it (-9 for SIGKILL). The child is reaped by that, and no other is: start it before
 * anything else waits for it, or this fails with ECHILD, as it does for a process that is none of this one's children,
 * and for each that ends where SIGCHLD is ignored. A child that is not waited for any more, as the run was disposed, is
 * the program's to reap. Where pidfd_open fails (before Linux 5.3, under valgrind or a filter), a thread for each run
 * looks every 32 ms whether the child has ended. Only on Linux; elsewhere fails with ENOTSUP. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_child(int64_t pid, sgk_queue *queue);

/** The file was read. */
#define SGK_FILE_READ 0x1
/** The file was written to, or made shorter. */
#define SGK_FILE_WRITTEN 0x2
/** Its owner, its permissions, its times, or its links have changed. */
#define SGK_FILE_ATTRIBUTES 0x4
/** It was closed by who could write to it. */
#define SGK_FILE_CLOSED 0x8
/** Something was moved out of the folder; or within it, under its old name. */
#define SGK_FILE_MOVED_FROM 0x40
/** Something was moved into the folder; or within it, under its new name. */
#define SGK_FILE_MOVED_TO 0x80
/** Something was made in the folder. */
#define SGK_FILE_CREATED 0x100
/** Something in the folder was deleted. */
#define SGK_FILE_DELETED 0x200
/** What is watched was deleted itself, and nobody has it open any more. */
#define SGK_FILE_GONE 0x400
/** What is watched was moved itself. */
#define SGK_FILE_MOVED 0x800
/** Beside another: it has happened to a folder. */
#define SGK_FILE_IS_FOLDER 0x40000000

/** Emits what happens to the file at `path`, or to the folder and what is in it, of what `mask` has (the bits
 * SGK_FILE_…, which are inotify's IN_…): arrays of an int, one of those bits, with SGK_FILE_IS_FOLDER perhaps; a
 * string, the name in the folder, empty for what is watched itself; and an int that is the same for both halves of a
 * renaming, otherwise 0. `path` is copied. Completes when what is watched is gone, or is not mounted any more; fails
 * with ENOBUFS when so much has happened that some of it is lost (look anew, and start again), with ENOSPC when there
 * are too many watches. Only on Linux; elsewhere fails with ENOTSUP. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_file_changes(const char *path, int64_t mask, sgk_queue *queue);

SGK_END

#endif
