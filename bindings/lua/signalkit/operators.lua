-- Written by scripts/lua.py from bindings/api.json.

local border = require "signalkit.border"
local arguments = require "signalkit.arguments"
local C, give = border.C, require("signalkit.values").give
local integer, number, text = arguments.integer, arguments.number, arguments.text
local limit, overflow, room = arguments.limit, arguments.overflow, arguments.room
local handle, queue, known = arguments.handle, arguments.queue, arguments.known
local enum, EDGES = arguments.enum, arguments.EDGES

return function(signalkit, Signal, make)
local raw, made, listed, spread, by_key = border.raw, make.made, make.listed, make.spread, make.by_key
local guarded, with_callback = make.guarded, make.with_callback

--- Emits ints, the bits of what `fd` is ready for (SGK_FD_READ, SGK_FD_WRITE, SGK_FD_HANGUP), of those that
-- `events` has: once, and again when that has been handled, as long as it is so. So who does not read gets the
-- same again; a regular file is always ready. Reading and writing is the program's affair. Completes when nothing
-- but SGK_FD_HANGUP is left, which it emits before (not of a socket, which stays readable: who has read its end
-- disposes); fails with the error that waits at a socket, and with EPIPE when nobody reads the pipe that `fd`
-- writes to. `events` is SGK_FD_READ, SGK_FD_WRITE, or both.
-- @tparam integer fd
-- @tparam integer events
-- @tparam[opt] table options
-- @param[opt] options.queue a queue; otherwise the main one
-- @treturn Signal
function signalkit.fd(fd, events, options)
    known("fd", options, "queue")
    return made(C.sgk_signal_fd(integer("fd", "fd", fd), integer("fd", "events", events), queue("fd", options,
        false)))
end

--- Reads lines from `fd`, and emits each as a string, without the newline; what else there is, NULs and carriage
-- returns, stays. What comes after the last newline is a line, unless it is empty. Completes at the end of what
-- there is to read. A line of more than `limit` bytes (1 or more) fails the run with EMSGSIZE, after the lines
-- before it. Up to 64 KiB are read at once, what is longer than a line included: of that nobody else hears.
-- @tparam integer fd
-- @tparam[opt] table options
-- @param[opt] options.limit a number
-- @param[opt] options.queue a queue; otherwise the main one
-- @treturn Signal
function signalkit.lines(fd, options)
    known("lines", options, "limit queue")
    return made(C.sgk_signal_lines(integer("lines", "fd", fd), limit("lines", "limit", options, false), queue("lines",
        options, false)))
end

--- Reads from `fd`, at most `chunk` bytes (1 or more) at once, and emits them as bytes as they come. Completes at
-- the end of what there is to read. Not for sockets of datagrams, where an empty one would be the end.
-- @tparam integer fd
-- @tparam integer chunk
-- @tparam[opt] table options
-- @param[opt] options.queue a queue; otherwise the main one
-- @treturn Signal
function signalkit.bytes(fd, chunk, options)
    known("bytes", options, "queue")
    return made(C.sgk_signal_bytes(integer("bytes", "fd", fd), integer("bytes", "chunk", chunk), queue("bytes",
        options, false)))
end

--- Writes the strings and bytes that `signal` emits to `fd`, on `queue`, one after another without anything between
-- them; any other kind of value fails the run with EINVAL. Emits nothing; completes, or fails, as `signal` does,
-- when all before that is written. At most `limit` bytes (1 or more) wait, or one value that is longer, beside as
-- many that are being written: who emits more is blocked until there is room, or the run is disposed. On `queue`
-- itself, where that would wait for itself, as much is written as can be, and if that is not enough the run fails
-- with ENOBUFS. When nobody reads any more: EPIPE. Disposal drops what waits. With `closes`, `fd` becomes the
-- run's, and is closed when it is over, before its end is told, also after a failure; so such a signal is started
-- once. Without, it stays as it is. Not for sockets of datagrams, of which it knows no borders.
-- @tparam integer fd
-- @tparam[opt] table options
-- @param[opt] options.limit a number
-- @param[opt] options.closes a flag
-- @param[opt] options.queue a queue; otherwise the main one
-- @treturn Signal
function Signal:sink_fd(fd, options)
    known("sink_fd", options, "limit closes queue")
    local source = raw(self)
    return made(C.sgk_sink_fd(source, integer("sink_fd", "fd", fd), limit("sink_fd", "limit", options, false), options
        and options.closes or false, queue("sink_fd", options, false))):hold(self)
end

--- Emits the int `signo` for each such signal that comes to the process (several that come at once may be one; what
-- raise and pthread_kill send is for one thread, and does not come here). Never completes. It must be blocked, by
-- pthread_sigmask, in all threads, before any other is made: where it is not blocked it does what it does
-- otherwise, which may end the program. If it is not in the thread that starts a run, the run fails with EINVAL,
-- and the error's text says that; if it is not in another one, each start writes a warning to the log. (The
-- library's own threads block all signals; programs that are started by this one inherit the mask.) Of several
-- runs for one signal each gets some: share one. Only on Linux; elsewhere fails with ENOTSUP.
-- @tparam integer signo
-- @tparam[opt] table options
-- @param[opt] options.queue a queue; otherwise the main one
-- @treturn Signal
function signalkit.unix_signal(signo, options)
    known("unix_signal", options, "queue")
    return made(C.sgk_signal_unix_signal(integer("unix_signal", "signo", signo), queue("unix_signal", options,
        false)))
end

--- Waits for the end of the child process `pid`, emits how it was, and completes: its exit status, 0 or more, or
-- less than 0, the signal that has ended it (-9 for SIGKILL). The child is reaped by that, and no other is: start
-- it before anything else waits for it, or this fails with ECHILD, as it does for a process that is none of this
-- one's children, and for each that ends where SIGCHLD is ignored. A child that is not waited for any more, as the
-- run was disposed, is the program's to reap. Needs Linux 5.3, or fails with ENOSYS; on other systems ENOTSUP.
-- @tparam integer pid
-- @tparam[opt] table options
-- @param[opt] options.queue a queue; otherwise the main one
-- @treturn Signal
function signalkit.child(pid, options)
    known("child", options, "queue")
    return made(C.sgk_signal_child(integer("child", "pid", pid), queue("child", options, false)))
end

--- Emits what happens to the file at `path`, or to the folder and what is in it, of what `mask` has (the bits
-- SGK_FILE_…, which are inotify's IN_…): arrays of an int, one of those bits, with SGK_FILE_IS_FOLDER perhaps; a
-- string, the name in the folder, empty for what is watched itself; and an int that is the same for both halves of
-- a renaming, otherwise 0. `path` is copied. Completes when what is watched is gone, or is not mounted any more;
-- fails with ENOBUFS when so much has happened that some of it is lost (look anew, and start again), with ENOSPC
-- when there are too many watches. Only on Linux; elsewhere fails with ENOTSUP.
-- @tparam string path
-- @tparam integer mask
-- @tparam[opt] table options
-- @param[opt] options.queue a queue; otherwise the main one
-- @treturn Signal
function signalkit.file_changes(path, mask, options)
    known("file_changes", options, "queue")
    return made(C.sgk_signal_file_changes(text("file_changes", "path", path), integer("file_changes", "mask", mask),
        queue("file_changes", options, false)))
end

--- Emits an array of the latest values of all `count` signals, in their order, for each value of any of them, once
-- every one has emitted. Completes when all have completed; the first error ends it. With a `queue` (may be nil)
-- what the signals emit is processed and delivered there; otherwise on the emitting threads, one at a time. No
-- signals: one empty array, and the end.
-- With a function: As combine_latest (also as to `count` and `queue`), with the value that `map(values, count)`
-- makes of the latest values instead of an array of them. Up to 64 signals, an event allocates nothing.
-- @tparam {Signal,...} sources
-- @tparam[opt] function f
-- @tparam[opt] table options
-- @param[opt] options.queue a queue
-- @treturn Signal
function signalkit.combine_latest(sources, f, options)
    known("combine_latest", options, "queue")
    if f then return signalkit.combine_latest(sources, nil, options):map(spread("combine_latest", f)) end
    return listed("combine_latest", sources, function(array, count)
        return C.sgk_combine_latest(array, count, queue("combine_latest", options, true))
    end)
end

--- Starts all `count` signals, in their order, and passes every value of any of them on. Completes when all have
-- completed, without signals at once; the first error ends it.
-- @tparam {Signal,...} sources
-- @treturn Signal
function signalkit.merge_signals(sources)
    return listed("merge_signals", sources, function(array, count)
        return C.sgk_merge_signals(array, count)
    end)
end

--- Emits an array of the first values of all `count` signals, in their order, then of the second ones, and so on.
-- Of each at most `limit` values (1 or more, or nil) wait for those of the others; what comes then goes by
-- `overflow`. "suspend" is refused: the thread that would wait may be the one that brings the others. `error` is
-- what "error" ends the run with, at once; otherwise it does not matter; `counter` may be nil. Completes as soon
-- as one has completed of which no value waits, without signals at once; the first error ends it.
-- With a function: As zip (also as to `count`, `limit`, `overflow`, `error` and `counter`), with the value that
-- `map(values, count)` makes instead of an array.
-- @tparam {Signal,...} sources
-- @tparam[opt] function f
-- @tparam[opt] table options
-- @param[opt] options.limit a number; otherwise there is no bound
-- @param[opt] options.overflow 'suspend', 'drop_oldest', 'drop_newest', 'keep_latest', or otherwise 'error'
-- @param[opt] options.error what the run fails with then
-- @param[opt] options.counter an OverflowCounter, of what overflows
-- @treturn Signal
function signalkit.zip(sources, f, options)
    known("zip", options, "limit overflow error counter")
    if f then return signalkit.zip(sources, nil, options):map(spread("zip", f)) end
    return listed("zip", sources, function(array, count)
        return C.sgk_zip(array, count, limit("zip", "limit", options, true), overflow("zip", options), room("zip",
            options))
    end)
end

--- Follows the first of `count` signals to send an event of any kind; the others are disposed before that is passed
-- on. They are started in their order; one that sends something at once wins, and those behind it are not started.
-- Without signals it completes at once.
-- @tparam {Signal,...} sources
-- @treturn Signal
function signalkit.race(sources)
    return listed("race", sources, function(array, count)
        return C.sgk_race(array, count)
    end)
end

--- Emits an array of each value and the latest one of `other`. Values that come before the first of `other` are
-- dropped.
-- With a function: As with_latest_from, with the value that `map(values, 2)` makes of the value and the latest one
-- of `other` instead of an array.
-- @tparam Signal other
-- @tparam[opt] function f
-- @treturn Signal
function Signal:with_latest_from(other, f)
    if f then return self:with_latest_from(other):map(spread("with_latest_from", f)) end
    local source = raw(self)
    return made(C.sgk_signal_with_latest_from(source, handle("with_latest_from", "other", other, Signal))):hold(self,
        other)
end

--- Calls `f(value)` with each value after it has been passed on, also when that has ended or disposed the run.
-- @tparam function f
-- @treturn Signal
function Signal:after_next(f)
    return guarded(self, "after_next", f, "next", function(source, entry, context, destroy)
        return C.sgk_signal_after_next(source, entry, context, destroy)
    end)
end

--- Calls `f()` for each start, before the signal is started.
-- @tparam function f
-- @treturn Signal
function Signal:before_started(f)
    return guarded(self, "before_started", f, "action", function(source, entry, context, destroy)
        return C.sgk_signal_before_started(source, entry, context, destroy)
    end)
end

--- Calls `f(error)` before the error is passed on.
-- @tparam function f
-- @treturn Signal
function Signal:before_error(f)
    return guarded(self, "before_error", f, "error", function(source, entry, context, destroy)
        return C.sgk_signal_before_error(source, entry, context, destroy)
    end)
end

--- Calls `f()` before completion is passed on.
-- @tparam function f
-- @treturn Signal
function Signal:before_completed(f)
    return guarded(self, "before_completed", f, "completed", function(source, entry, context, destroy)
        return C.sgk_signal_before_completed(source, entry, context, destroy)
    end)
end

--- Calls `f()` after completion has been passed on and the source disposed (one that completes inside the start is
-- disposed after it).
-- @tparam function f
-- @treturn Signal
function Signal:after_completed(f)
    return with_callback(self, "after_completed", f, "completed", function(source, entry, context, destroy)
        return C.sgk_signal_after_completed(source, entry, context, destroy)
    end)
end

--- Gives `signal` a name: what set_unhandled_error_handler says of an error that goes through here, and on to the
-- end of its run on the same thread. Where several names stand in its way it is that of the last. `name` is
-- copied; nil is an error.
-- @tparam string name
-- @treturn Signal
function Signal:named(name)
    local source = raw(self)
    return made(C.sgk_signal_named(source, text("named", "name", name))):hold(self)
end

--- Writes a line to the log (see set_log_handler) for whatever happens to a run, before it is passed on: `name#7
-- next 42`. Each run has a number of its own. Long lines are cut. `name` is copied, and is that of named as well;
-- nil is an error.
-- @tparam string name
-- @treturn Signal
function Signal:trace(name)
    local source = raw(self)
    return made(C.sgk_signal_trace(source, text("trace", "name", name))):hold(self)
end

--- Follows the latest inner signal: a new one is started, then the one before it disposed.
-- @treturn Signal
function Signal:switch_to_latest()
    local source = raw(self)
    return made(C.sgk_signal_switch_to_latest(source)):hold(self)
end

--- Runs the inner signals one after another, each to its end; those that wait are kept, without a bound. (The
-- operator `queue` of Swift, `concat` of Rx. Signals that do not come from one signal are run one after another by
-- a sequencer.)
-- @treturn Signal
function Signal:queued()
    local source = raw(self)
    return made(C.sgk_signal_queued(source)):hold(self)
end

--- Runs one inner signal after another; of those that arrive while one runs only the latest is kept.
-- @treturn Signal
function Signal:throttled()
    local source = raw(self)
    return made(C.sgk_signal_throttled(source)):hold(self)
end

--- Passes the signal on until `replacement`, a signal of signals that is started first, emits another one, which
-- takes its place; the next one replaces that in turn. Completes when the current one has. The completion of
-- `replacement` means nothing, its error ends the result.
-- @tparam Signal replacement
-- @treturn Signal
function Signal:take_until_replacement(replacement)
    local source = raw(self)
    return made(C.sgk_signal_take_until_replacement(source, handle("take_until_replacement", "replacement",
        replacement, Signal))):hold(self, replacement)
end

--- Runs the inner signals at the same time, at most `limit` of them (1 or more; nil: all), and passes their values
-- on, one at a time. Those that find no place wait, at most `waiting` of them (0 or more, or nil); what comes then
-- goes by `overflow`. "suspend" is refused: the thread that would wait may be the one that makes room. `error` is
-- what "error" ends the run with, at once; otherwise it does not matter; `counter` may be nil. Values of signals:
-- see above.
-- @tparam[opt] table options
-- @param[opt] options.limit a number; otherwise there is no bound
-- @param[opt] options.waiting a number; otherwise there is no bound
-- @param[opt] options.overflow 'suspend', 'drop_oldest', 'drop_newest', 'keep_latest', or otherwise 'error'
-- @param[opt] options.error what the run fails with then
-- @param[opt] options.counter an OverflowCounter, of what overflows
-- @treturn Signal
function Signal:merged(options)
    known("merged", options, "limit waiting overflow error counter")
    local source = raw(self)
    return made(C.sgk_signal_merged(source, limit("merged", "limit", options, true), limit("merged", "waiting",
        options, true), overflow("merged", options), room("merged", options))):hold(self)
end

--- Runs the signal that `map(value)` returns, unless one runs already: then the value is dropped, and `map` not
-- called for it.
-- @tparam function f `map`
-- @treturn Signal
function Signal:map_to_first(f)
    return with_callback(self, "map_to_first", f, "map_to_signal", function(source, entry, context, destroy)
        return C.sgk_signal_map_to_first(source, entry, context, destroy)
    end)
end

--- Passes only the end.
-- @treturn Signal
function Signal:ignore_values()
    local source = raw(self)
    return made(C.sgk_signal_ignore_values(source)):hold(self)
end

--- Drops a value that equals (value_equal) the last one that passed. Serial: one value at a time, whatever the
-- number of emitting threads.
-- With a function: Drops a value for which `equal(last that passed, value)` is true. Serial.
-- @tparam[opt] function f
-- @treturn Signal
function Signal:distinct_until_changed(f)
    if f then
        return guarded(self, "distinct_until_changed", f, "equal",
            function(source, entry, context, destroy)
                return C.sgk_signal_distinct_until_changed_by(source, entry, context, destroy)
            end)
    end
    local source = raw(self)
    return made(C.sgk_signal_distinct_until_changed(source)):hold(self)
end

--- Passes the events of a source that emits from several threads, or from inside its own callbacks, one at a time:
-- a plain chain does not queue, this does. An event that comes while another is being delivered is delivered after
-- it, by whoever is at it.
-- @treturn Signal
function Signal:serialized()
    local source = raw(self)
    return made(C.sgk_signal_serialized(source)):hold(self)
end

--- Emits each value but the first together with the one before it, as an array of two. Serial.
-- @treturn Signal
function Signal:pairwise()
    local source = raw(self)
    return made(C.sgk_signal_pairwise(source)):hold(self)
end

--- Emits each value together with its number, from 0 on, as an array of an int and the value. Serial.
-- @treturn Signal
function Signal:enumerated()
    local source = raw(self)
    return made(C.sgk_signal_enumerated(source)):hold(self)
end

--- Emits all values as one array, at completion, also when there were none; an error drops them. At most `limit` (1
-- or more, or nil) are kept; what comes then goes by `overflow`. Nobody takes values out before the end, so
-- "suspend" is an error. `error` is what "error" fails with, at once, otherwise it does not matter; `counter` may
-- be nil. Serial.
-- @tparam[opt] table options
-- @param[opt] options.limit a number; otherwise there is no bound
-- @param[opt] options.overflow 'suspend', 'drop_oldest', 'drop_newest', 'keep_latest', or otherwise 'error'
-- @param[opt] options.error what the run fails with then
-- @param[opt] options.counter an OverflowCounter, of what overflows
-- @treturn Signal
function Signal:to_array(options)
    known("to_array", options, "limit overflow error counter")
    local source = raw(self)
    return made(C.sgk_signal_to_array(source, limit("to_array", "limit", options, true), overflow("to_array",
        options), room("to_array", options))):hold(self)
end

--- Passes the values that have not come before, as value_equal says. At most `limit` (1 or more, or nil) are
-- remembered; one that finds no room then goes by `overflow`: "drop_oldest" forgets the oldest, "keep_latest" all
-- others, and "drop_newest" does not remember it: it passes, and what is forgotten can come again. With "error"
-- the run fails with `error`, which otherwise does not matter; "suspend" is an error, as nobody makes room.
-- `counter` is told how many are forgotten; it may be nil. Serial.
-- With a function: As distinct (also as to `limit`, `overflow`, `error` and `counter`), going by what `key(value)`
-- makes of the values. Serial.
-- @tparam[opt] function f
-- @tparam[opt] table options
-- @param[opt] options.limit a number; otherwise there is no bound
-- @param[opt] options.overflow 'suspend', 'drop_oldest', 'drop_newest', 'keep_latest', or otherwise 'error'
-- @param[opt] options.error what the run fails with then
-- @param[opt] options.counter an OverflowCounter, of what overflows
-- @treturn Signal
function Signal:distinct(f, options)
    known("distinct", options, "limit overflow error counter")
    if f then return by_key(self, f, function(keys) return keys:distinct(nil, options) end) end
    local source = raw(self)
    return made(C.sgk_signal_distinct(source, limit("distinct", "limit", options, true), overflow("distinct",
        options), room("distinct", options))):hold(self)
end

--- Makes values of the events: each becomes such an array, the end too; then the result completes. It never fails.
-- Serial. (In Rx this is `materialize`, in SwiftSignalKit `dematerialize`.)
-- @treturn Signal
function Signal:to_events()
    local source = raw(self)
    return made(C.sgk_signal_to_events(source)):hold(self)
end

--- When the signal has completed, goes on with `next`, which is started before the first is disposed. The first
-- error ends it.
-- @tparam Signal next
-- @treturn Signal
function Signal:followed_by(next)
    local source = raw(self)
    return made(C.sgk_signal_then(source, handle("followed_by", "next", next, Signal))):hold(self, next)
end

--- When the signal fails, goes on with the signal that `f(error)` returns, which is started before the failed one
-- is disposed. `f` is called on the failing thread.
-- @tparam function f
-- @treturn Signal
function Signal:catch(f)
    return with_callback(self, "catch", f, "map_to_signal", function(source, entry, context, destroy)
        return C.sgk_signal_catch(source, entry, context, destroy)
    end)
end

--- Runs `count` signals one after another, each when the one before has completed, as a row of followed_by does.
-- The first error ends it; without any it completes at once.
-- @tparam {Signal,...} sources
-- @treturn Signal
function signalkit.concat(sources)
    return listed("concat", sources, function(array, count)
        return C.sgk_concat(array, count)
    end)
end

--- Emits `value` inside the start, before the signal is started.
-- @param value anything
-- @treturn Signal
function Signal:start_with(value)
    local source = raw(self)
    return made(C.sgk_signal_start_with(source, give(value))):hold(self)
end

--- Emits `value` when the signal has completed. An error drops it.
-- @param value anything
-- @treturn Signal
function Signal:end_with(value)
    local source = raw(self)
    return made(C.sgk_signal_end_with(source, give(value))):hold(self)
end

--- Emits `value` if the signal completes without one.
-- @param value anything
-- @treturn Signal
function Signal:default_if_empty(value)
    local source = raw(self)
    return made(C.sgk_signal_default_if_empty(source, give(value))):hold(self)
end

--- Goes on with `other` if the signal completes without a value; it is started before the first is disposed.
-- @tparam Signal other
-- @treturn Signal
function Signal:switch_if_empty(other)
    local source = raw(self)
    return made(C.sgk_signal_switch_if_empty(source, handle("switch_if_empty", "other", other, Signal))):hold(self,
        other)
end

--- When the signal fails, emits `value` and completes instead.
-- @param value anything
-- @treturn Signal
function Signal:catch_and_return(value)
    local source = raw(self)
    return made(C.sgk_signal_catch_and_return(source, give(value))):hold(self)
end

--- Starts the signal again each time it has completed, until it fails or the run is disposed.
-- @treturn Signal
function Signal:restart()
    local source = raw(self)
    return made(C.sgk_signal_restart(source)):hold(self)
end

--- Runs the signal `count` times, each after the completion of the one before, until it fails. 0 completes at once,
-- without starting it; less is an error.
-- @tparam integer count
-- @treturn Signal
function Signal:repeated(count)
    local source = raw(self)
    return made(C.sgk_signal_repeat(source, integer("repeated", "count", count))):hold(self)
end

--- Starts the signal again each time it has failed, at once; never fails.
-- @treturn Signal
function Signal:restart_if_error()
    local source = raw(self)
    return made(C.sgk_signal_restart_if_error(source)):hold(self)
end

--- When the signal fails, starts it again at once, or fails with another error, as `condition` says. It is called
-- on the failing thread.
-- @tparam function f `condition`
-- @treturn Signal
function Signal:restart_or_map_error(f)
    return guarded(self, "restart_or_map_error", f, "restart", function(source, entry, context, destroy)
        return C.sgk_signal_restart_or_map_error(source, entry, context, destroy)
    end)
end

--- When the signal fails, starts it again at once if `predicate(error)` is true, otherwise fails.
-- @tparam function f `predicate`
-- @treturn Signal
function Signal:retry_if(f)
    return guarded(self, "retry_if", f, "filter", function(source, entry, context, destroy)
        return C.sgk_signal_retry_if(source, entry, context, destroy)
    end)
end

--- When the signal fails, waits and starts it again, on `queue`; never fails. The first attempt is made on the
-- starting thread. The wait before the second attempt is `delay_increment` seconds; each further one is longer by
-- as much, up to `max_delay`. With `reset_on_value` a value makes the waits short again. The seconds must be 0 or
-- more.
-- @tparam number delay_increment
-- @tparam number max_delay
-- @tparam[opt] table options
-- @param[opt] options.reset_on_value a flag
-- @param[opt] options.queue a queue; otherwise the main one
-- @treturn Signal
function Signal:retry(delay_increment, max_delay, options)
    known("retry", options, "reset_on_value queue")
    local source = raw(self)
    return made(C.sgk_signal_retry(source, number("retry", "delay_increment", delay_increment), number("retry",
        "max_delay", max_delay), options and options.reset_on_value or false, queue("retry", options,
        false))):hold(self)
end

--- As retry (also as to `delay_increment`, `max_delay` and `queue`), after errors for which `retry_on_error(error)`
-- is true; any other ends the result. There are `max_retries` attempts in all: the error of the last of them ends
-- the result. With 0 or 1 the first error does; less than 0 is without limit. With `reset_on_value` a value also
-- makes the attempts uncounted.
-- @tparam number delay_increment
-- @tparam number max_delay
-- @tparam integer max_retries
-- @tparam function f `retry_on_error`
-- @tparam[opt] table options
-- @param[opt] options.reset_on_value a flag
-- @param[opt] options.queue a queue; otherwise the main one
-- @treturn Signal
function Signal:retry_on_error(delay_increment, max_delay, max_retries, f, options)
    known("retry_on_error", options, "reset_on_value queue")
    return guarded(self, "retry_on_error", f, "filter", function(source, entry, context, destroy)
        return C.sgk_signal_retry_on_error(source, number("retry_on_error", "delay_increment", delay_increment),
            number("retry_on_error", "max_delay", max_delay), integer("retry_on_error", "max_retries", max_retries),
            options and options.reset_on_value or false, entry, context, destroy, queue("retry_on_error", options,
            false))
    end)
end

--- When the signal fails, calls `when(error, number)`, on the failing thread, and starts it again at the first
-- value of the signal that returns. If that fails, so does the result; if it completes without a value, the result
-- fails with the signal's error.
-- @tparam function f `when`
-- @treturn Signal
function Signal:retry_when(f)
    return with_callback(self, "retry_when", f, "retry_when", function(source, entry, context, destroy)
        return C.sgk_signal_retry_when(source, entry, context, destroy)
    end)
end

--- Passes the first `count` values and completes right after the last of them; the source is stopped. 0 completes
-- at once, without starting the source; less is an error. Serial.
-- @tparam integer count
-- @treturn Signal
function Signal:take(count)
    local source = raw(self)
    return made(C.sgk_signal_take(source, integer("take", "count", count))):hold(self)
end

--- Asks `until(value)` about each value: whether it passes, and whether the end comes (the source is stopped then).
-- Serial.
-- @tparam function f `boundary`
-- @treturn Signal
function Signal:take_until(f)
    return guarded(self, "take_until", f, "take_until", function(source, entry, context, destroy)
        return C.sgk_signal_take_until(source, entry, context, destroy)
    end)
end

--- Emits the last `count` values, or as many as there were, at completion, in their order. An error drops them;
-- less than 0 is an error. Serial.
-- @tparam integer count
-- @treturn Signal
function Signal:take_last(count)
    local source = raw(self)
    return made(C.sgk_signal_take_last(source, integer("take_last", "count", count))):hold(self)
end

--- Emits the last value, or null if there was none, at completion. An error drops it. Serial.
-- @treturn Signal
function Signal:last()
    local source = raw(self)
    return made(C.sgk_signal_last(source)):hold(self)
end

--- Passes the values as long as `filter(value)` is true, and completes at the first for which it is false, which is
-- dropped; the source is stopped. Serial.
-- @tparam function f `filter`
-- @treturn Signal
function Signal:take_while(f)
    return guarded(self, "take_while", f, "filter", function(source, entry, context, destroy)
        return C.sgk_signal_take_while(source, entry, context, destroy)
    end)
end

--- Drops the first `count` values and passes the rest; less than 0 is an error. Serial.
-- @tparam integer count
-- @treturn Signal
function Signal:skip(count)
    local source = raw(self)
    return made(C.sgk_signal_skip(source, integer("skip", "count", count))):hold(self)
end

--- Drops the values as long as `filter(value)` is true; the first for which it is false, and all that follow, pass
-- without a further question. Serial.
-- @tparam function f `filter`
-- @treturn Signal
function Signal:skip_while(f)
    return guarded(self, "skip_while", f, "filter", function(source, entry, context, destroy)
        return C.sgk_signal_skip_while(source, entry, context, destroy)
    end)
end

--- Passes the first value and completes right after it; the source is stopped. Where there is none, the end of the
-- source is the end. Serial.
-- @treturn Signal
function Signal:first()
    local source = raw(self)
    return made(C.sgk_signal_first(source)):hold(self)
end

--- Passes the first value and completes right after it; emits `value` when the signal completes without one.
-- Serial.
-- @param value anything
-- @treturn Signal
function Signal:first_or(value)
    local source = raw(self)
    return made(C.sgk_signal_first_or(source, give(value))):hold(self)
end

--- Drops the values until `until` has emitted one; that is stopped then. `until` is started first; its completion
-- means nothing (without a value before it, nothing ever passes), its error ends the result. Serial.
-- @tparam Signal boundary
-- @treturn Signal
function Signal:skip_until_signal(boundary)
    local source = raw(self)
    return made(C.sgk_signal_skip_until_signal(source, handle("skip_until_signal", "boundary", boundary,
        Signal))):hold(self, boundary)
end

--- Passes the values until `until` emits one, and completes then. `until` is started first: if it emits at once,
-- the signal is not started. Its completion means nothing, its error ends the result. Serial.
-- @tparam Signal boundary
-- @treturn Signal
function Signal:take_until_signal(boundary)
    local source = raw(self)
    return made(C.sgk_signal_take_until_signal(source, handle("take_until_signal", "boundary", boundary,
        Signal))):hold(self, boundary)
end

--- Emits a value at once and then at most one every `seconds`: the latest of those that came meanwhile, when the
-- time is over. The end first emits what waits; an error drops it. Delivers on `queue`. `seconds` must be 0 or
-- more.
-- @tparam number seconds
-- @tparam[opt] table options
-- @param[opt] options.queue a queue; otherwise the main one
-- @treturn Signal
function Signal:throttle(seconds, options)
    known("throttle", options, "queue")
    local source = raw(self)
    return made(C.sgk_signal_throttle(source, number("throttle", "seconds", seconds), queue("throttle", options,
        false))):hold(self)
end

--- Emits a value when no other has followed it for `seconds`. The end first emits what waits; an error drops it.
-- Delivers on `queue`. `seconds` must be 0 or more.
-- @tparam number seconds
-- @tparam[opt] table options
-- @param[opt] options.queue a queue; otherwise the main one
-- @treturn Signal
function Signal:debounce(seconds, options)
    known("debounce", options, "queue")
    local source = raw(self)
    return made(C.sgk_signal_debounce(source, number("debounce", "seconds", seconds), queue("debounce", options,
        false))):hold(self)
end

--- Delivers every event on `queue`: inline when it is current and nothing of the run is on its way, otherwise
-- later, in order, one at a time. A serial queue is first in, first out across all that uses it: values and ends
-- of this run and of others, work of queue_async and queue_dispatch, run_on, timers that have fired. However many
-- events come, it gets to its other work in between. Disposal drops what is on its way.
-- @tparam Queue queue
-- @treturn Signal
function Signal:deliver_on(queue)
    local source = raw(self)
    return made(C.sgk_signal_deliver_on(source, handle("deliver_on", "queue", queue, signalkit.Queue))):hold(self)
end

--- Delivers every event on a thread of `pool`, later, in the order in which they came; each run has a queue of its
-- own there. The signal keeps the pool.
-- @tparam ThreadPool pool
-- @treturn Signal
function Signal:deliver_on_thread_pool(pool)
    local source = raw(self)
    return made(C.sgk_signal_deliver_on_thread_pool(source, handle("deliver_on_thread_pool", "pool", pool,
        signalkit.ThreadPool))):hold(self)
end

--- As deliver_on, with a bound: at most `limit` (1 or more) values wait for `queue`; what comes then goes by
-- `overflow`. Ends need no room. The queue is given to other work after every `limit` values. `error` is what
-- "error" fails with, otherwise it does not matter; `counter` may be nil.
-- @tparam[opt] table options
-- @param[opt] options.queue a queue; otherwise the main one
-- @param[opt] options.limit a number
-- @param[opt] options.overflow 'suspend', 'drop_oldest', 'drop_newest', 'keep_latest', or otherwise 'error'
-- @param[opt] options.error what the run fails with then
-- @param[opt] options.counter an OverflowCounter, of what overflows
-- @treturn Signal
function Signal:deliver_on_bounded(options)
    known("deliver_on_bounded", options, "queue limit overflow error counter")
    local source = raw(self)
    return made(C.sgk_signal_deliver_on_bounded(source, queue("deliver_on_bounded", options, false),
        limit("deliver_on_bounded", "limit", options, false), overflow("deliver_on_bounded", options),
        room("deliver_on_bounded", options))):hold(self)
end

--- Starts the signal on `queue`: inside the start when it is current, otherwise later; disposal before that
-- prevents it. Where events are delivered is up to the source.
-- @tparam Queue queue
-- @treturn Signal
function Signal:run_on(queue)
    local source = raw(self)
    return made(C.sgk_signal_run_on(source, handle("run_on", "queue", queue, signalkit.Queue))):hold(self)
end

--- Starts the signal on a thread of `pool`, always later; disposal before that prevents it. The signal keeps the
-- pool.
-- @tparam ThreadPool pool
-- @treturn Signal
function Signal:run_on_thread_pool(pool)
    local source = raw(self)
    return made(C.sgk_signal_run_on_thread_pool(source, handle("run_on_thread_pool", "pool", pool,
        signalkit.ThreadPool))):hold(self)
end

--- Delays the start, not the events: the signal is started on `queue` after `seconds`, by a clock that stands still
-- while the system sleeps. Disposal before that prevents it. `seconds` must be 0 or more; infinity is never.
-- @tparam number seconds
-- @tparam[opt] table options
-- @param[opt] options.queue a queue; otherwise the main one
-- @treturn Signal
function Signal:delay(seconds, options)
    known("delay", options, "queue")
    local source = raw(self)
    return made(C.sgk_signal_delay(source, number("delay", "seconds", seconds), queue("delay", options,
        false))):hold(self)
end

--- As delay (also as to `seconds` and `queue`), but time during which the system sleeps counts: after waking up the
-- signal is late by at most about `granularity` seconds (4 is a good number; 0: it looks at the clock only once).
-- By the wall clock; whoever sets that changes the delay.
-- @tparam number seconds
-- @tparam number granularity
-- @tparam[opt] table options
-- @param[opt] options.queue a queue; otherwise the main one
-- @treturn Signal
function Signal:suspend_aware_delay(seconds, granularity, options)
    known("suspend_aware_delay", options, "queue")
    local source = raw(self)
    return made(C.sgk_signal_suspend_aware_delay(source, number("suspend_aware_delay", "seconds", seconds),
        number("suspend_aware_delay", "granularity", granularity), queue("suspend_aware_delay", options,
        false))):hold(self)
end

--- Goes on with `alternate` when nothing has come from the signal within `seconds`: it is started on `queue`, then
-- the signal disposed. The first event of any kind calls that off for good. `seconds` must be 0 or more. Serial.
-- @tparam number seconds
-- @tparam Signal alternate
-- @tparam[opt] table options
-- @param[opt] options.queue a queue; otherwise the main one
-- @treturn Signal
function Signal:timeout(seconds, alternate, options)
    known("timeout", options, "queue")
    local source = raw(self)
    return made(C.sgk_signal_timeout(source, number("timeout", "seconds", seconds), handle("timeout", "alternate",
        alternate, Signal), queue("timeout", options, false))):hold(self, alternate)
end

--- A signal whose start blocks: it starts `signal`, then keeps the starting thread until its first event of any
-- kind, or for `seconds` (0 or more); nothing is cancelled by that. Never to be used on a thread that the source
-- needs.
-- @tparam number seconds
-- @treturn Signal
function Signal:blocking(seconds)
    local source = raw(self)
    return made(C.sgk_signal_blocking(source, number("blocking", "seconds", seconds))):hold(self)
end

--- As blocking, with the `seconds` measured by the clock of `queue`: a virtual one is moved on by the wait, as far
-- as that takes.
-- @tparam number seconds
-- @tparam[opt] table options
-- @param[opt] options.queue a queue; otherwise the main one
-- @treturn Signal
function Signal:blocking_on(seconds, options)
    known("blocking_on", options, "queue")
    local source = raw(self)
    return made(C.sgk_signal_blocking_on(source, number("blocking_on", "seconds", seconds), queue("blocking_on",
        options, false))):hold(self)
end

--- Emits the values in arrays of `count` (1 or more); completion first emits those that are left. An error drops
-- them. Serial.
-- @tparam integer count
-- @treturn Signal
function Signal:chunked(count)
    local source = raw(self)
    return made(C.sgk_signal_chunked(source, integer("chunked", "count", count))):hold(self)
end

--- Emits the values in arrays of `count` (1 or more), or of fewer when `seconds` have gone by since the first of
-- them came: never an empty one. Completion first emits those that wait; an error drops them. Delivers on `queue`.
-- `seconds` must be 0 or more; infinity is never.
-- @tparam integer count
-- @tparam number seconds
-- @tparam[opt] table options
-- @param[opt] options.queue a queue; otherwise the main one
-- @treturn Signal
function Signal:chunked_within(count, seconds, options)
    known("chunked_within", options, "queue")
    local source = raw(self)
    return made(C.sgk_signal_chunked_within(source, integer("chunked_within", "count", count),
        number("chunked_within", "seconds", seconds), queue("chunked_within", options, false))):hold(self)
end

--- Emits the values in arrays, one for each value of `boundary`: of those that came since the last one, if there
-- are any; earlier when there are `limit` (1 or more). Completion first emits those that wait; an error, also of
-- `boundary`, drops them. The completion of `boundary` means nothing. It is started first. Serial.
-- @tparam Signal boundary
-- @tparam[opt] table options
-- @param[opt] options.limit a number
-- @treturn Signal
function Signal:chunked_by(boundary, options)
    known("chunked_by", options, "limit")
    local source = raw(self)
    return made(C.sgk_signal_chunked_by(source, handle("chunked_by", "boundary", boundary, Signal),
        limit("chunked_by", "limit", options, false))):hold(self, boundary)
end

--- Emits each value, and the completion, `seconds` after it has come, on `queue`. An error comes at once, and drops
-- what waits. (What others call delay.) At most `limit` (1 or more) values wait; what comes then goes by
-- `overflow`, which must not be "suspend": the emitting thread would wait for the time itself. `error` is what
-- "error" fails with, otherwise it does not matter; `counter` may be nil. `seconds` must be 0 or more.
-- @tparam number seconds
-- @tparam[opt] table options
-- @param[opt] options.queue a queue; otherwise the main one
-- @param[opt] options.limit a number
-- @param[opt] options.overflow 'suspend', 'drop_oldest', 'drop_newest', 'keep_latest', or otherwise 'error'
-- @param[opt] options.error what the run fails with then
-- @param[opt] options.counter an OverflowCounter, of what overflows
-- @treturn Signal
function Signal:delay_each(seconds, options)
    known("delay_each", options, "queue limit overflow error counter")
    local source = raw(self)
    return made(C.sgk_signal_delay_each(source, number("delay_each", "seconds", seconds), queue("delay_each", options,
        false), limit("delay_each", "limit", options, false), overflow("delay_each", options), room("delay_each",
        options))):hold(self)
end

--- Goes on with `alternate` when `seconds` go by without an event of the signal: before the first, or between any
-- two, the delivery of a value not counted. It is started on `queue`, then the signal disposed. `seconds` must be
-- 0 or more. Serial.
-- @tparam number seconds
-- @tparam Signal alternate
-- @tparam[opt] table options
-- @param[opt] options.queue a queue; otherwise the main one
-- @treturn Signal
function Signal:timeout_between(seconds, alternate, options)
    known("timeout_between", options, "queue")
    local source = raw(self)
    return made(C.sgk_signal_timeout_between(source, number("timeout_between", "seconds", seconds),
        handle("timeout_between", "alternate", alternate, Signal), queue("timeout_between", options,
        false))):hold(self, alternate)
end

--- As throttle (also as to `seconds` and `queue`), with the values that `edges` says.
-- @tparam number seconds
-- @tparam[opt] table options
-- @param[opt] options.edges 'leading', 'trailing' or 'both'
-- @param[opt] options.queue a queue; otherwise the main one
-- @treturn Signal
function Signal:throttle_edges(seconds, options)
    known("throttle_edges", options, "edges queue")
    local source = raw(self)
    return made(C.sgk_signal_throttle_edges(source, number("throttle_edges", "seconds", seconds),
        enum("throttle_edges", "edges", options, EDGES), queue("throttle_edges", options, false))):hold(self)
end

--- Emits arrays of two: the time at which a value comes, in seconds from any fixed point, by the clock of `queue`;
-- and the value.
-- @tparam Queue queue
-- @treturn Signal
function Signal:timestamped(queue)
    local source = raw(self)
    return made(C.sgk_signal_timestamped(source, handle("timestamped", "queue", queue, signalkit.Queue))):hold(self)
end

--- Emits arrays of two: the seconds since the value before, or since the start, by the clock of `queue`; and the
-- value. Serial.
-- @tparam Queue queue
-- @treturn Signal
function Signal:time_interval(queue)
    local source = raw(self)
    return made(C.sgk_signal_time_interval(source, handle("time_interval", "queue", queue,
        signalkit.Queue))):hold(self)
end

--- Passes what comes within `seconds` of the start, then completes, on `queue`; the source is stopped. `seconds`
-- must be 0 or more. Serial.
-- @tparam number seconds
-- @tparam[opt] table options
-- @param[opt] options.queue a queue; otherwise the main one
-- @treturn Signal
function Signal:take_for(seconds, options)
    known("take_for", options, "queue")
    local source = raw(self)
    return made(C.sgk_signal_take_for(source, number("take_for", "seconds", seconds), queue("take_for", options,
        false))):hold(self)
end

--- Emits the latest value at each value of `trigger`, if it has come since the last one. Completion first emits the
-- value that waits, if any; an error, also of `trigger`, drops it. The completion of `trigger` means nothing. It
-- is started first. Serial.
-- @tparam Signal trigger
-- @treturn Signal
function Signal:sample_on(trigger)
    local source = raw(self)
    return made(C.sgk_signal_sample_on(source, handle("sample_on", "trigger", trigger, Signal))):hold(self, trigger)
end

--- The same every `seconds`, on `queue`, as interval: more than 0 and finite.
-- @tparam number seconds
-- @tparam[opt] table options
-- @param[opt] options.queue a queue; otherwise the main one
-- @treturn Signal
function Signal:sample(seconds, options)
    known("sample", options, "queue")
    local source = raw(self)
    return made(C.sgk_signal_sample(source, number("sample", "seconds", seconds), queue("sample", options,
        false))):hold(self)
end

--- Shares one run of the signal among all who listen at the same time: the first one starts it, the last one to
-- leave disposes it, and after that the next one starts it anew. There is no replay of values, but who comes after
-- the end is told of the end, which is kept as long as the shared signal is there. A run that listens to itself,
-- at once, through operators or through other shared runs, is not kept by that: who counts are the listeners from
-- outside.
-- @treturn Signal
function Signal:multicast()
    local source = raw(self)
    return made(C.sgk_signal_multicast(source)):hold(self)
end

--- Shares one run of the signal among all who listen: the first one starts it, and a later one gets the latest
-- `replay` values (0: none) of it first, in one order with those that follow. Who comes after the end gets these
-- values and the end, which are kept as long as the shared signal is there. `keep` says for how many seconds, by
-- the clock of `queue`, the run goes on after its last listener has left, for whoever comes by then: with 0 it
-- ends at once, with HUGE_VAL (infinity) only by itself, and in both cases `queue` may be nil. The next one starts
-- it anew, and nothing of the former run is replayed. What keeps a run that nobody listens to is the shared
-- signal: when that is gone, the run ends with its last listener. A run that listens to itself is not kept by
-- that. A source that lets go of its subscriber without an end, as never() does, has no run that could be joined:
-- each listener starts it anew.
-- @tparam integer replay
-- @tparam number keep
-- @tparam[opt] table options
-- @param[opt] options.queue a queue
-- @treturn Signal
function Signal:share(replay, keep, options)
    known("share", options, "queue")
    local source = raw(self)
    return made(C.sgk_signal_share(source, integer("share", "replay", replay), number("share", "keep", keep),
        queue("share", options, true))):hold(self)
end

--- A signal that emits one value and completes, inside the start.
-- @param value anything
-- @treturn Signal
function signalkit.single(value)
    return made(C.sgk_signal_single(give(value)))
end

--- A signal that completes inside the start.
-- @treturn Signal
function signalkit.complete()
    return made(C.sgk_signal_complete())
end

--- A signal that fails with an error (any value) inside the start.
-- @param error anything
-- @treturn Signal
function signalkit.fail(error)
    return made(C.sgk_signal_fail(give(error)))
end

--- A signal that emits nothing and never ends.
-- @treturn Signal
function signalkit.never()
    return made(C.sgk_signal_never())
end

--- Emits `count` ints (0 or more), beginning with `first`, each greater by one, inside each start, as long as
-- somebody listens, and completes. The last must be an int64_t as well.
-- @tparam integer first
-- @tparam integer count
-- @treturn Signal
function signalkit.range(first, count)
    return made(C.sgk_signal_range(integer("range", "first", first), integer("range", "count", count)))
end

--- Emits the ints 0, 1, 2 … on `queue`: n at (n + 1) * `seconds` after the start by the queue's clock, whatever
-- time the deliveries take. What falls due while a number is being delivered is skipped, as the next number tells.
-- Never ends. `seconds` must be more than 0 and finite; less than a microsecond is taken for one.
-- @tparam number seconds
-- @tparam[opt] table options
-- @param[opt] options.queue a queue; otherwise the main one
-- @treturn Signal
function signalkit.interval(seconds, options)
    known("interval", options, "queue")
    return made(C.sgk_signal_interval(number("interval", "seconds", seconds), queue("interval", options, false)))
end

--- Emits the int 0 on `queue`, `seconds` after the start by the queue's clock, and completes. `seconds` must be 0
-- or more; infinity is never.
-- @tparam number seconds
-- @tparam[opt] table options
-- @param[opt] options.queue a queue; otherwise the main one
-- @treturn Signal
function signalkit.timer(seconds, options)
    known("timer", options, "queue")
    return made(C.sgk_signal_timer(number("timer", "seconds", seconds), queue("timer", options, false)))
end

end
