/** @file
 * Looking at a program that runs: what is alive, and where it was made. docs/debugging.md shows how to find things.
 * @since 1.0
 */
#ifndef SIGNALKIT_DEBUG_H
#define SIGNALKIT_DEBUG_H

#include "base.h"

SGK_BEGIN

/** Receives a piece of a text: `length` bytes at `text`, borrowed for the call, and not ended by a NUL. */
typedef void (*sgk_write_fn)(void *context, const char *text, size_t length);

/** Writes down what is alive: how many objects of each kind (see sgk_live_count). With SIGNALKIT_DEBUG=1 in the
 * environment also what the program holds references to (handles, and values with a count), in groups of what it got
 * in the same place, the largest first: how many of which kind, how many references, how old, and the place: the
 * function of the library, and behind it its callers, as far as the loader has their names (with musl the place is not
 * known). All of that was so at one moment before the first call of `write`. It may be called from any thread, while
 * others make and release objects, and `write` may call whatever it likes. `write` may be NULL: then it is written to
 * the standard error output, as from a debugger. SGK_ERROR_MEMORY when there is no memory for it.
 *
 * With SIGNALKIT_DEBUG=leaks, which is SIGNALKIT_DEBUG=1 besides, a program that ends with anything alive writes the
 * same to the standard error output, after the functions given to `atexit` have run. */
SGK_API sgk_status sgk_debug_dump(sgk_write_fn write, void *context);

SGK_END

#endif
