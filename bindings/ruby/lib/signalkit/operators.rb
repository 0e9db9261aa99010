# frozen_string_literal: true

# Written by scripts/ruby.py from bindings/api.json.

module SignalKit
  class Signal < Handle
    # ---- Where signals come from ----

    # Emits ints, the bits of what `fd` is ready for (SGK_FD_READ, SGK_FD_WRITE, SGK_FD_HANGUP), of those that
    # `events` has: once, and again when that has been handled, as long as it is so. So who does not read gets the
    # same again; a regular file is always ready. Reading and writing is the program's affair. Completes when nothing
    # but SGK_FD_HANGUP is left, which it emits before (not of a socket, which stays readable: who has read its end
    # disposes); fails with the error that waits at a socket, and with EPIPE when nobody reads the pipe that `fd`
    # writes to. `events` is SGK_FD_READ, SGK_FD_WRITE, or both.
    # @param fd [Integer]
    # @param events [Integer]
    # @param queue [Queue]
    # @return [Signal]
    def self.fd(fd, events, queue: Queue.main)
      Signal.made(C.sgk_signal_fd(Arguments.integer(:fd, :fd, fd), Arguments.integer(:fd, :events, events),
        Arguments.handle(:fd, :queue, queue, Queue)))
    end

    # Reads lines from `fd`, and emits each as a string, without the newline; what else there is, NULs and carriage
    # returns, stays. What comes after the last newline is a line, unless it is empty. Completes at the end of what
    # there is to read. A line of more than `limit` bytes (1 or more) fails the run with EMSGSIZE, after the lines
    # before it. Up to 64 KiB are read at once, what is longer than a line included: of that nobody else hears.
    # @param fd [Integer]
    # @param limit [Integer]
    # @param queue [Queue]
    # @return [Signal]
    def self.lines(fd, limit:, queue: Queue.main)
      Signal.made(C.sgk_signal_lines(Arguments.integer(:lines, :fd, fd), Arguments.limit(:lines, :limit, limit),
        Arguments.handle(:lines, :queue, queue, Queue)))
    end

    # Reads from `fd`, at most `chunk` bytes (1 or more) at once, and emits them as bytes as they come. Completes at
    # the end of what there is to read. Not for sockets of datagrams, where an empty one would be the end.
    # @param fd [Integer]
    # @param chunk [Integer]
    # @param queue [Queue]
    # @return [Signal]
    def self.bytes(fd, chunk, queue: Queue.main)
      Signal.made(C.sgk_signal_bytes(Arguments.integer(:bytes, :fd, fd), Arguments.integer(:bytes, :chunk, chunk),
        Arguments.handle(:bytes, :queue, queue, Queue)))
    end

    # Emits the int `signo` for each such signal that comes to the process (several that come at once may be one; what
    # raise and pthread_kill send is for one thread, and does not come here). Never completes. It must be blocked, by
    # pthread_sigmask, in all threads, before any other is made: where it is not blocked it does what it does
    # otherwise, which may end the program. If it is not in the thread that starts a run, the run fails with EINVAL,
    # and the error's text says that; if it is not in another one, each start writes a warning to the log. (The
    # library's own threads block all signals; programs that are started by this one inherit the mask.) Of several
    # runs for one signal each gets some: share one. Only on Linux; elsewhere fails with ENOTSUP.
    # @param signo [Integer]
    # @param queue [Queue]
    # @return [Signal]
    def self.unix_signal(signo, queue: Queue.main)
      Signal.made(C.sgk_signal_unix_signal(Arguments.integer(:unix_signal, :signo, signo),
        Arguments.handle(:unix_signal, :queue, queue, Queue)))
    end

    # Waits for the end of the child process `pid`, emits how it was, and completes: its exit status, 0 or more, or
    # less than 0, the signal that has ended it (-9 for SIGKILL). The child is reaped by that, and no other is: start
    # it before anything else waits for it, or this fails with ECHILD, as it does for a process that is none of this
    # one's children, and for each that ends where SIGCHLD is ignored. A child that is not waited for any more, as the
    # run was disposed, is the program's to reap. Needs Linux 5.3, or fails with ENOSYS; on other systems ENOTSUP.
    # @param pid [Integer]
    # @param queue [Queue]
    # @return [Signal]
    def self.child(pid, queue: Queue.main)
      Signal.made(C.sgk_signal_child(Arguments.integer(:child, :pid, pid), Arguments.handle(:child, :queue, queue,
        Queue)))
    end

    # Emits what happens to the file at `path`, or to the folder and what is in it, of what `mask` has (the bits
    # SGK_FILE_…, which are inotify's IN_…): arrays of an int, one of those bits, with SGK_FILE_IS_FOLDER perhaps; a
    # string, the name in the folder, empty for what is watched itself; and an int that is the same for both halves of
    # a renaming, otherwise 0. `path` is copied. Completes when what is watched is gone, or is not mounted any more;
    # fails with ENOBUFS when so much has happened that some of it is lost (look anew, and start again), with ENOSPC
    # when there are too many watches. Only on Linux; elsewhere fails with ENOTSUP.
    # @param path [String]
    # @param mask [Integer]
    # @param queue [Queue]
    # @return [Signal]
    def self.file_changes(path, mask, queue: Queue.main)
      Signal.made(C.sgk_signal_file_changes(Arguments.text(:file_changes, :path, path), Arguments.integer(:file_changes,
        :mask, mask), Arguments.handle(:file_changes, :queue, queue, Queue)))
    end

    # Emits an array of the latest values of all `count` signals, in their order, for each value of any of them, once
    # every one has emitted. Completes when all have completed; the first error ends it. With a `queue` (may be nil)
    # what the signals emit is processed and delivered there; otherwise on the emitting threads, one at a time. No
    # signals: one empty array, and the end.
    # With a block: As {Signal.combine_latest} (also as to `count` and `queue`), with the value that `map(values,
    # count)` makes of the latest values instead of an array of them. Up to 64 signals, an event allocates nothing.
    # @param signals [Array<Signal>]
    # @param queue [Queue, nil]
    # @return [Signal]
    def self.combine_latest(*signals, queue: nil, &block)
      unless block
        return Signal.made(Signal.listed(:combine_latest, signals) { |array, count| C.sgk_combine_latest(array, count,
          Arguments.handle(:combine_latest, :queue, queue, Queue, optional: true)) }).hold(*signals)
      end

      Signal.guarded(:combine_latest_map, block, :map_array) do |entry, context, destroy|
        Signal.listed(:combine_latest_map, signals) { |array, count| C.sgk_combine_latest_map(array, count, entry,
          context, destroy, Arguments.handle(:combine_latest_map, :queue, queue, Queue, optional: true)) }
      end
    end

    # Starts all `count` signals, in their order, and passes every value of any of them on. Completes when all have
    # completed, without signals at once; the first error ends it.
    # @param signals [Array<Signal>]
    # @return [Signal]
    def self.merge_signals(*signals)
      Signal.made(Signal.listed(:merge_signals, signals) { |array, count| C.sgk_merge_signals(array, count)
        }).hold(*signals)
    end

    # Emits an array of the first values of all `count` signals, in their order, then of the second ones, and so on.
    # Of each at most `limit` values (1 or more, or nil) wait for those of the others; what comes then goes by
    # `overflow`. `:suspend` is refused: the thread that would wait may be the one that brings the others. `error` is
    # what `:error` ends the run with, at once; otherwise it does not matter; `counter` may be nil. Completes as soon
    # as one has completed of which no value waits, without signals at once; the first error ends it.
    # With a block: As {Signal.zip} (also as to `count`, `limit`, `overflow`, `error` and `counter`), with the value
    # that `map(values, count)` makes instead of an array.
    # @param signals [Array<Signal>]
    # @param limit [Integer, nil] nil: without a bound
    # @param overflow [Symbol] `:suspend`, `:drop_oldest`, `:drop_newest`, `:keep_latest` or `:error`
    # @param error [Object] what the run fails with; nil: an {Overflow}
    # @param counter [OverflowCounter, nil]
    # @return [Signal]
    def self.zip(*signals, limit: nil, overflow: :error, error: nil, counter: nil, &block)
      unless block
        return Signal.made(Signal.listed(:zip, signals) { |array, count| C.sgk_zip(array, count, Arguments.limit(:zip,
          :limit, limit, unbounded: true), Arguments.overflow(:zip, overflow), *Arguments.room(:zip, error, counter))
          }).hold(*signals)
      end

      Signal.guarded(:zip_map, block, :map_array) do |entry, context, destroy|
        Signal.listed(:zip_map, signals) { |array, count| C.sgk_zip_map(array, count, Arguments.limit(:zip_map, :limit,
          limit, unbounded: true), Arguments.overflow(:zip_map, overflow), *Arguments.room(:zip_map, error, counter),
          entry, context, destroy) }
      end
    end

    # Follows the first of `count` signals to send an event of any kind; the others are disposed before that is passed
    # on. They are started in their order; one that sends something at once wins, and those behind it are not started.
    # Without signals it completes at once.
    # @param signals [Array<Signal>]
    # @return [Signal]
    def self.race(*signals)
      Signal.made(Signal.listed(:race, signals) { |array, count| C.sgk_race(array, count) }).hold(*signals)
    end

    # A signal that calls `generator()` for each start, on the starting thread, and behaves as what that returns.
    # @return [Signal]
    def self.deferred(&block)
      Signal.with_callback(:deferred, block, :deferred) do |entry, context, destroy|
        C.sgk_signal_deferred(entry, context, destroy)
      end
    end

    # Runs `count` signals one after another, each when the one before has completed, as a row of {Signal#then} does.
    # The first error ends it; without any it completes at once.
    # @param signals [Array<Signal>]
    # @return [Signal]
    def self.concat(*signals)
      Signal.made(Signal.listed(:concat, signals) { |array, count| C.sgk_concat(array, count) }).hold(*signals)
    end

    # A signal that emits one value and completes, inside the start.
    # @param value [Object]
    # @return [Signal]
    def self.single(value)
      Signal.made(C.sgk_signal_single(*Values.give(value)))
    end

    # A signal that completes inside the start.
    # @return [Signal]
    def self.complete
      Signal.made(C.sgk_signal_complete())
    end

    # A signal that emits nothing and never ends.
    # @return [Signal]
    def self.never
      Signal.made(C.sgk_signal_never())
    end

    # Emits `count` ints (0 or more), beginning with `first`, each greater by one, inside each start, as long as
    # somebody listens, and completes. The last must be an int64_t as well.
    # @param first [Integer]
    # @param count [Integer]
    # @return [Signal]
    def self.range(first, count)
      Signal.made(C.sgk_signal_range(Arguments.integer(:range, :first, first), Arguments.integer(:range, :count,
        count)))
    end

    # Emits the ints 0, 1, 2 … on `queue`: n at (n + 1) * `seconds` after the start by the queue's clock, whatever
    # time the deliveries take. What falls due while a number is being delivered is skipped, as the next number tells.
    # Never ends. `seconds` must be more than 0 and finite; less than a microsecond is taken for one.
    # @param seconds [Numeric]
    # @param queue [Queue]
    # @return [Signal]
    def self.interval(seconds, queue: Queue.main)
      Signal.made(C.sgk_signal_interval(Arguments.number(:interval, :seconds, seconds), Arguments.handle(:interval,
        :queue, queue, Queue)))
    end

    # Emits the int 0 on `queue`, `seconds` after the start by the queue's clock, and completes. `seconds` must be 0
    # or more; infinity is never.
    # @param seconds [Numeric]
    # @param queue [Queue]
    # @return [Signal]
    def self.timer(seconds, queue: Queue.main)
      Signal.made(C.sgk_signal_timer(Arguments.number(:timer, :seconds, seconds), Arguments.handle(:timer, :queue,
        queue, Queue)))
    end

    # ---- Operators ----

    # Writes the strings and bytes that `signal` emits to `fd`, on `queue`, one after another without anything between
    # them; any other kind of value fails the run with EINVAL. Emits nothing; completes, or fails, as `signal` does,
    # when all before that is written. At most `limit` bytes (1 or more) wait, or one value that is longer, beside as
    # many that are being written: who emits more is blocked until there is room, or the run is disposed. On `queue`
    # itself, where that would wait for itself, as much is written as can be, and if that is not enough the run fails
    # with ENOBUFS. When nobody reads any more: EPIPE. Disposal drops what waits. With `closes`, `fd` becomes the
    # run's, and is closed when it is over, before its end is told, also after a failure; so such a signal is started
    # once. Without, it stays as it is. Not for sockets of datagrams, of which it knows no borders.
    # @param fd [Integer]
    # @param limit [Integer]
    # @param closes [Boolean]
    # @param queue [Queue]
    # @return [Signal]
    def sink_fd(fd, limit:, closes: false, queue: Queue.main)
      data = as_data
      derived(C.sgk_sink_fd(data.pointer, Arguments.integer(:sink_fd, :fd, fd), Arguments.limit(:sink_fd, :limit,
        limit), closes ? true : false, Arguments.handle(:sink_fd, :queue, queue, Queue)), data)
    end

    # Emits an array of each value and the latest one of `other`. Values that come before the first of `other` are
    # dropped.
    # With a block: As {Signal#with_latest_from}, with the value that `map(values, 2)` makes of the value and the
    # latest one of `other` instead of an array.
    # @param other [Signal]
    # @return [Signal]
    def with_latest_from(other, &block)
      unless block
        return derived(C.sgk_signal_with_latest_from(pointer, Arguments.signal(:with_latest_from, :other, other)),
          other)
      end

      guarded(:with_latest_from_map, block, :map_array) do |entry, context, destroy|
        C.sgk_signal_with_latest_from_map(pointer, Arguments.signal(:with_latest_from_map, :other, other), entry,
          context, destroy)
      end
    end

    # Calls `f(value)` with each value after it has been passed on, also when that has ended or disposed the run.
    # @return [Signal]
    def after_next(&block)
      guarded(:after_next, block, :next) do |entry, context, destroy|
        C.sgk_signal_after_next(pointer, entry, context, destroy)
      end
    end

    # Calls `f()` for each start, before the signal is started.
    # @return [Signal]
    def before_started(&block)
      guarded(:before_started, block, :action) do |entry, context, destroy|
        C.sgk_signal_before_started(pointer, entry, context, destroy)
      end
    end

    # Calls `f(error)` before the error is passed on.
    # @return [Signal]
    def before_error(&block)
      guarded(:before_error, block, :error) do |entry, context, destroy|
        C.sgk_signal_before_error(pointer, entry, context, destroy)
      end
    end

    # Calls `f()` before completion is passed on.
    # @return [Signal]
    def before_completed(&block)
      guarded(:before_completed, block, :completed) do |entry, context, destroy|
        C.sgk_signal_before_completed(pointer, entry, context, destroy)
      end
    end

    # Calls `f()` after completion has been passed on and the source disposed (one that completes inside the start is
    # disposed after it).
    # @return [Signal]
    def after_completed(&block)
      with_callback(:after_completed, block, :completed) do |entry, context, destroy|
        C.sgk_signal_after_completed(pointer, entry, context, destroy)
      end
    end

    # Gives `signal` a name: what set_unhandled_error_handler says of an error that goes through here, and on to the
    # end of its run on the same thread. Where several names stand in its way it is that of the last. `name` is
    # copied; nil is an error.
    # @param name [String]
    # @return [Signal]
    def named(name)
      derived(C.sgk_signal_named(pointer, Arguments.text(:named, :name, name)))
    end

    # Writes a line to the log (see set_log_handler) for whatever happens to a run, before it is passed on: `name#7
    # next 42`. Each run has a number of its own. Long lines are cut. `name` is copied, and is that of {Signal#named}
    # as well; nil is an error.
    # @param name [String]
    # @return [Signal]
    def trace(name)
      derived(C.sgk_signal_trace(pointer, Arguments.text(:trace, :name, name)))
    end

    # Follows the latest inner signal: a new one is started, then the one before it disposed.
    # @return [Signal]
    def switch_to_latest
      derived(C.sgk_signal_switch_to_latest(pointer))
    end

    # Runs the inner signals one after another, each to its end; those that wait are kept, without a bound. (The
    # operator `queue` of Swift, `concat` of Rx. Signals that do not come from one signal are run one after another by
    # a sequencer.)
    # @return [Signal]
    def queued
      derived(C.sgk_signal_queued(pointer))
    end

    # Runs one inner signal after another; of those that arrive while one runs only the latest is kept.
    # @return [Signal]
    def throttled
      derived(C.sgk_signal_throttled(pointer))
    end

    # Passes the signal on until `replacement`, a signal of signals that is started first, emits another one, which
    # takes its place; the next one replaces that in turn. Completes when the current one has. The completion of
    # `replacement` means nothing, its error ends the result.
    # @param replacement [Signal]
    # @return [Signal]
    def take_until_replacement(replacement)
      derived(C.sgk_signal_take_until_replacement(pointer, Arguments.signal(:take_until_replacement, :replacement,
        replacement)), replacement)
    end

    # Follows the signal that `map(value)` returns for the latest value, as {Signal#switch_to_latest} does.
    # @return [Signal]
    def map_to_signal(&block)
      with_callback(:map_to_signal, block, :map_to_signal) do |entry, context, destroy|
        C.sgk_signal_map_to_signal(pointer, entry, context, destroy)
      end
    end

    # Runs the signals that `map(value)` returns one after another. `map` is called when the value arrives.
    # @return [Signal]
    def map_to_queue(&block)
      with_callback(:map_to_queue, block, :map_to_signal) do |entry, context, destroy|
        C.sgk_signal_map_to_queue(pointer, entry, context, destroy)
      end
    end

    # Runs the signals that `map(value)` returns one after another; of those that arrive while one runs only the
    # latest is kept. `map` is called for every value.
    # @return [Signal]
    def map_to_throttled(&block)
      with_callback(:map_to_throttled, block, :map_to_signal) do |entry, context, destroy|
        C.sgk_signal_map_to_throttled(pointer, entry, context, destroy)
      end
    end

    # Runs the inner signals at the same time, at most `limit` of them (1 or more; nil: all), and passes their values
    # on, one at a time. Those that find no place wait, at most `waiting` of them (0 or more, or nil); what comes then
    # goes by `overflow`. `:suspend` is refused: the thread that would wait may be the one that makes room. `error` is
    # what `:error` ends the run with, at once; otherwise it does not matter; `counter` may be nil. Values of signals:
    # see above.
    # @param limit [Integer, nil] nil: without a bound
    # @param waiting [Integer, nil] nil: without a bound
    # @param overflow [Symbol] `:suspend`, `:drop_oldest`, `:drop_newest`, `:keep_latest` or `:error`
    # @param error [Object] what the run fails with; nil: an {Overflow}
    # @param counter [OverflowCounter, nil]
    # @return [Signal]
    def merged(limit: nil, waiting: nil, overflow: :error, error: nil, counter: nil)
      derived(C.sgk_signal_merged(pointer, Arguments.limit(:merged, :limit, limit, unbounded: true),
        Arguments.limit(:merged, :waiting, waiting, unbounded: true), Arguments.overflow(:merged, overflow),
        *Arguments.room(:merged, error, counter)))
    end

    # As {Signal#merged} (also as to `limit`, `waiting`, `overflow`, `error` and `counter`), of the signals that
    # `map(value)` returns. `map` is called when the value arrives.
    # @param limit [Integer, nil] nil: without a bound
    # @param waiting [Integer, nil] nil: without a bound
    # @param overflow [Symbol] `:suspend`, `:drop_oldest`, `:drop_newest`, `:keep_latest` or `:error`
    # @param error [Object] what the run fails with; nil: an {Overflow}
    # @param counter [OverflowCounter, nil]
    # @return [Signal]
    def map_to_merged(limit: nil, waiting: nil, overflow: :error, error: nil, counter: nil, &block)
      with_callback(:map_to_merged, block, :map_to_signal) do |entry, context, destroy|
        C.sgk_signal_map_to_merged(pointer, Arguments.limit(:map_to_merged, :limit, limit, unbounded: true),
          Arguments.limit(:map_to_merged, :waiting, waiting, unbounded: true), Arguments.overflow(:map_to_merged,
          overflow), *Arguments.room(:map_to_merged, error, counter), entry, context, destroy)
      end
    end

    # Runs the signal that `map(value)` returns, unless one runs already: then the value is dropped, and `map` not
    # called for it.
    # @return [Signal]
    def map_to_first(&block)
      with_callback(:map_to_first, block, :map_to_signal) do |entry, context, destroy|
        C.sgk_signal_map_to_first(pointer, entry, context, destroy)
      end
    end

    # Fails with `map(error)` when the signal fails; leaves the rest alone.
    # @return [Signal]
    def map_error(&block)
      guarded(:map_error, block, :map) do |entry, context, destroy|
        C.sgk_signal_map_error(pointer, entry, context, destroy)
      end
    end

    # Passes only the end.
    # @return [Signal]
    def ignore_values
      derived(C.sgk_signal_ignore_values(pointer))
    end

    # Drops a value that equals (value_equal) the last one that passed. Serial: one value at a time, whatever the
    # number of emitting threads.
    # With a block: Drops a value for which `equal(last that passed, value)` is true. Serial.
    # @return [Signal]
    def distinct_until_changed(&block)
      unless block
        return derived(C.sgk_signal_distinct_until_changed(pointer))
      end

      guarded(:distinct_until_changed_by, block, :equal) do |entry, context, destroy|
        C.sgk_signal_distinct_until_changed_by(pointer, entry, context, destroy)
      end
    end

    # Passes the events of a source that emits from several threads, or from inside its own callbacks, one at a time:
    # a plain chain does not queue, this does. An event that comes while another is being delivered is delivered after
    # it, by whoever is at it.
    # @return [Signal]
    def serialized
      derived(C.sgk_signal_serialized(pointer))
    end

    # Folds all values into one with `reduce`, beginning with `initial`, and emits it at completion, also when there
    # were no values. An error drops it. Serial.
    # @param initial [Object]
    # @return [Signal]
    def reduce_left(initial, &block)
      guarded(:reduce_left, block, :reduce) do |entry, context, destroy|
        C.sgk_signal_reduce_left(pointer, *Values.give(initial), entry, context, destroy)
      end
    end

    # As {Signal#reduce_left}, beginning with `initial`, with steps (`reduce`) that can emit beside accumulating.
    # @param initial [Object]
    # @return [Signal]
    def reduce_left_emitting(initial, &block)
      guarded(:reduce_left_emitting, block, :reduce_emitting) do |entry, context, destroy|
        C.sgk_signal_reduce_left_emitting(pointer, *Values.give(initial), entry, context, destroy)
      end
    end

    # Emits every accumulated value: what `reduce` makes of the last one, at first `initial`, and each value. Serial.
    # @param initial [Object]
    # @return [Signal]
    def scan(initial, &block)
      guarded(:scan, block, :reduce) do |entry, context, destroy|
        C.sgk_signal_scan(pointer, *Values.give(initial), entry, context, destroy)
      end
    end

    # Emits each value but the first together with the one before it, as an array of two. Serial.
    # @return [Signal]
    def pairwise
      derived(C.sgk_signal_pairwise(pointer))
    end

    # Emits each value together with its number, from 0 on, as an array of an int and the value. Serial.
    # @return [Signal]
    def enumerated
      derived(C.sgk_signal_enumerated(pointer))
    end

    # Emits all values as one array, at completion, also when there were none; an error drops them. At most `limit` (1
    # or more, or nil) are kept; what comes then goes by `overflow`. Nobody takes values out before the end, so
    # `:suspend` is an error. `error` is what `:error` fails with, at once, otherwise it does not matter; `counter`
    # may be nil. Serial.
    # @param limit [Integer, nil] nil: without a bound
    # @param overflow [Symbol] `:suspend`, `:drop_oldest`, `:drop_newest`, `:keep_latest` or `:error`
    # @param error [Object] what the run fails with; nil: an {Overflow}
    # @param counter [OverflowCounter, nil]
    # @return [Signal]
    def to_array(limit: nil, overflow: :error, error: nil, counter: nil)
      derived(C.sgk_signal_to_array(pointer, Arguments.limit(:to_array, :limit, limit, unbounded: true),
        Arguments.overflow(:to_array, overflow), *Arguments.room(:to_array, error, counter)))
    end

    # Passes the values that have not come before, as value_equal says. At most `limit` (1 or more, or nil) are
    # remembered; one that finds no room then goes by `overflow`: `:drop_oldest` forgets the oldest, `:keep_latest`
    # all others, and `:drop_newest` does not remember it: it passes, and what is forgotten can come again. With
    # `:error` the run fails with `error`, which otherwise does not matter; `:suspend` is an error, as nobody makes
    # room. `counter` is told how many are forgotten; it may be nil. Serial.
    # With a block: As {Signal#distinct} (also as to `limit`, `overflow`, `error` and `counter`), going by what
    # `key(value)` makes of the values. Serial.
    # @param limit [Integer, nil] nil: without a bound
    # @param overflow [Symbol] `:suspend`, `:drop_oldest`, `:drop_newest`, `:keep_latest` or `:error`
    # @param error [Object] what the run fails with; nil: an {Overflow}
    # @param counter [OverflowCounter, nil]
    # @return [Signal]
    def distinct(limit: nil, overflow: :error, error: nil, counter: nil, &block)
      unless block
        return derived(C.sgk_signal_distinct(pointer, Arguments.limit(:distinct, :limit, limit, unbounded: true),
          Arguments.overflow(:distinct, overflow), *Arguments.room(:distinct, error, counter)))
      end

      guarded(:distinct_by, block, :map) do |entry, context, destroy|
        C.sgk_signal_distinct_by(pointer, Arguments.limit(:distinct_by, :limit, limit, unbounded: true),
          Arguments.overflow(:distinct_by, overflow), *Arguments.room(:distinct_by, error, counter), entry, context,
          destroy)
      end
    end

    # Makes values of the events: each becomes such an array, the end too; then the result completes. It never fails.
    # Serial. (In Rx this is `materialize`, in SwiftSignalKit `dematerialize`.)
    # @return [Signal]
    def to_events
      derived(C.sgk_signal_to_events(pointer))
    end

    # When the signal has completed, goes on with `next`, which is started before the first is disposed. The first
    # error ends it.
    # @param next_signal [Signal]
    # @return [Signal]
    def then(next_signal)
      derived(C.sgk_signal_then(pointer, Arguments.signal(:then, :next_signal, next_signal)), next_signal)
    end

    # When the signal fails, goes on with the signal that `f(error)` returns, which is started before the failed one
    # is disposed. `f` is called on the failing thread.
    # @return [Signal]
    def catch(&block)
      with_callback(:catch, block, :map_to_signal) do |entry, context, destroy|
        C.sgk_signal_catch(pointer, entry, context, destroy)
      end
    end

    # Emits `value` inside the start, before the signal is started.
    # @param value [Object]
    # @return [Signal]
    def start_with(value)
      derived(C.sgk_signal_start_with(pointer, *Values.give(value)))
    end

    # Emits `value` when the signal has completed. An error drops it.
    # @param value [Object]
    # @return [Signal]
    def end_with(value)
      derived(C.sgk_signal_end_with(pointer, *Values.give(value)))
    end

    # Emits `value` if the signal completes without one.
    # @param value [Object]
    # @return [Signal]
    def default_if_empty(value)
      derived(C.sgk_signal_default_if_empty(pointer, *Values.give(value)))
    end

    # Goes on with `other` if the signal completes without a value; it is started before the first is disposed.
    # @param other [Signal]
    # @return [Signal]
    def switch_if_empty(other)
      derived(C.sgk_signal_switch_if_empty(pointer, Arguments.signal(:switch_if_empty, :other, other)), other)
    end

    # When the signal fails, emits `value` and completes instead.
    # @param value [Object]
    # @return [Signal]
    def catch_and_return(value)
      derived(C.sgk_signal_catch_and_return(pointer, *Values.give(value)))
    end

    # Starts the signal again each time it has completed, until it fails or the run is disposed.
    # @return [Signal]
    def restart
      derived(C.sgk_signal_restart(pointer))
    end

    # Runs the signal `count` times, each after the completion of the one before, until it fails. 0 completes at once,
    # without starting it; less is an error.
    # @param count [Integer]
    # @return [Signal]
    def repeat(count)
      derived(C.sgk_signal_repeat(pointer, Arguments.integer(:repeat, :count, count)))
    end

    # Starts the signal again each time it has failed, at once; never fails.
    # @return [Signal]
    def restart_if_error
      derived(C.sgk_signal_restart_if_error(pointer))
    end

    # When the signal fails, starts it again at once, or fails with another error, as `condition` says. It is called
    # on the failing thread.
    # @return [Signal]
    def restart_or_map_error(&block)
      guarded(:restart_or_map_error, block, :restart) do |entry, context, destroy|
        C.sgk_signal_restart_or_map_error(pointer, entry, context, destroy)
      end
    end

    # When the signal fails, starts it again at once if `predicate(error)` is true, otherwise fails.
    # @return [Signal]
    def retry_if(&block)
      guarded(:retry_if, block, :filter) do |entry, context, destroy|
        C.sgk_signal_retry_if(pointer, entry, context, destroy)
      end
    end

    # When the signal fails, waits and starts it again, on `queue`; never fails. The first attempt is made on the
    # starting thread. The wait before the second attempt is `delay_increment` seconds; each further one is longer by
    # as much, up to `max_delay`. With `reset_on_value` a value makes the waits short again. The seconds must be 0 or
    # more.
    # @param delay_increment [Numeric]
    # @param max_delay [Numeric]
    # @param reset_on_value [Boolean]
    # @param queue [Queue]
    # @return [Signal]
    def retry(delay_increment, max_delay, reset_on_value: false, queue: Queue.main)
      derived(C.sgk_signal_retry(pointer, Arguments.number(:retry, :delay_increment, delay_increment),
        Arguments.number(:retry, :max_delay, max_delay), reset_on_value ? true : false, Arguments.handle(:retry, :queue,
        queue, Queue)))
    end

    # As {Signal#retry} (also as to `delay_increment`, `max_delay` and `queue`), after errors for which
    # `retry_on_error(error)` is true; any other ends the result. There are `max_retries` attempts in all: the error
    # of the last of them ends the result. With 0 or 1 the first error does; less than 0 is without limit. With
    # `reset_on_value` a value also makes the attempts uncounted.
    # @param delay_increment [Numeric]
    # @param max_delay [Numeric]
    # @param max_retries [Integer]
    # @param reset_on_value [Boolean]
    # @param queue [Queue]
    # @return [Signal]
    def retry_on_error(delay_increment, max_delay, max_retries, reset_on_value: false, queue: Queue.main, &block)
      guarded(:retry_on_error, block, :filter) do |entry, context, destroy|
        C.sgk_signal_retry_on_error(pointer, Arguments.number(:retry_on_error, :delay_increment, delay_increment),
          Arguments.number(:retry_on_error, :max_delay, max_delay), Arguments.integer(:retry_on_error, :max_retries,
          max_retries), reset_on_value ? true : false, entry, context, destroy, Arguments.handle(:retry_on_error,
          :queue, queue, Queue))
      end
    end

    # When the signal fails, calls `when(error, number)`, on the failing thread, and starts it again at the first
    # value of the signal that returns. If that fails, so does the result; if it completes without a value, the result
    # fails with the signal's error.
    # @return [Signal]
    def retry_when(&block)
      with_callback(:retry_when, block, :retry_when) do |entry, context, destroy|
        C.sgk_signal_retry_when(pointer, entry, context, destroy)
      end
    end

    # Passes the first `count` values and completes right after the last of them; the source is stopped. 0 completes
    # at once, without starting the source; less is an error. Serial.
    # @param count [Integer]
    # @return [Signal]
    def take(count)
      derived(C.sgk_signal_take(pointer, Arguments.integer(:take, :count, count)))
    end

    # Asks `until(value)` about each value: whether it passes, and whether the end comes (the source is stopped then).
    # Serial.
    # @return [Signal]
    def take_until(&block)
      guarded(:take_until, block, :take_until) do |entry, context, destroy|
        C.sgk_signal_take_until(pointer, entry, context, destroy)
      end
    end

    # Emits the last `count` values, or as many as there were, at completion, in their order. An error drops them;
    # less than 0 is an error. Serial.
    # @param count [Integer]
    # @return [Signal]
    def take_last(count)
      derived(C.sgk_signal_take_last(pointer, Arguments.integer(:take_last, :count, count)))
    end

    # Emits the last value, or null if there was none, at completion. An error drops it. Serial.
    # @return [Signal]
    def last
      derived(C.sgk_signal_last(pointer))
    end

    # Passes the values as long as `filter(value)` is true, and completes at the first for which it is false, which is
    # dropped; the source is stopped. Serial.
    # @return [Signal]
    def take_while(&block)
      guarded(:take_while, block, :filter) do |entry, context, destroy|
        C.sgk_signal_take_while(pointer, entry, context, destroy)
      end
    end

    # Drops the first `count` values and passes the rest; less than 0 is an error. Serial.
    # @param count [Integer]
    # @return [Signal]
    def skip(count)
      derived(C.sgk_signal_skip(pointer, Arguments.integer(:skip, :count, count)))
    end

    # Drops the values as long as `filter(value)` is true; the first for which it is false, and all that follow, pass
    # without a further question. Serial.
    # @return [Signal]
    def skip_while(&block)
      guarded(:skip_while, block, :filter) do |entry, context, destroy|
        C.sgk_signal_skip_while(pointer, entry, context, destroy)
      end
    end

    # Passes the first value and completes right after it; the source is stopped. Where there is none, the end of the
    # source is the end. Serial.
    # @return [Signal]
    def first
      derived(C.sgk_signal_first(pointer))
    end

    # Passes the first value and completes right after it; emits `value` when the signal completes without one.
    # Serial.
    # @param value [Object]
    # @return [Signal]
    def first_or(value)
      derived(C.sgk_signal_first_or(pointer, *Values.give(value)))
    end

    # Drops the values until `until` has emitted one; that is stopped then. `until` is started first; its completion
    # means nothing (without a value before it, nothing ever passes), its error ends the result. Serial.
    # @param until_signal [Signal]
    # @return [Signal]
    def skip_until_signal(until_signal)
      derived(C.sgk_signal_skip_until_signal(pointer, Arguments.signal(:skip_until_signal, :until_signal,
        until_signal)), until_signal)
    end

    # Passes the values until `until` emits one, and completes then. `until` is started first: if it emits at once,
    # the signal is not started. Its completion means nothing, its error ends the result. Serial.
    # @param until_signal [Signal]
    # @return [Signal]
    def take_until_signal(until_signal)
      derived(C.sgk_signal_take_until_signal(pointer, Arguments.signal(:take_until_signal, :until_signal,
        until_signal)), until_signal)
    end

    # Emits a value at once and then at most one every `seconds`: the latest of those that came meanwhile, when the
    # time is over. The end first emits what waits; an error drops it. Delivers on `queue`. `seconds` must be 0 or
    # more.
    # @param seconds [Numeric]
    # @param queue [Queue]
    # @return [Signal]
    def throttle(seconds, queue: Queue.main)
      derived(C.sgk_signal_throttle(pointer, Arguments.number(:throttle, :seconds, seconds), Arguments.handle(:throttle,
        :queue, queue, Queue)))
    end

    # Emits a value when no other has followed it for `seconds`. The end first emits what waits; an error drops it.
    # Delivers on `queue`. `seconds` must be 0 or more.
    # @param seconds [Numeric]
    # @param queue [Queue]
    # @return [Signal]
    def debounce(seconds, queue: Queue.main)
      derived(C.sgk_signal_debounce(pointer, Arguments.number(:debounce, :seconds, seconds), Arguments.handle(:debounce,
        :queue, queue, Queue)))
    end

    # Delivers every event on `queue`: inline when it is current and nothing of the run is on its way, otherwise
    # later, in order, one at a time. A serial queue is first in, first out across all that uses it: values and ends
    # of this run and of others, work of {Queue#async} and {Queue#dispatch}, {Signal#run_on}, timers that have fired.
    # However many events come, it gets to its other work in between. Disposal drops what is on its way.
    # @param queue [Queue]
    # @return [Signal]
    def deliver_on(queue)
      derived(C.sgk_signal_deliver_on(pointer, Arguments.handle(:deliver_on, :queue, queue, Queue)))
    end

    # Delivers every event on a thread of `pool`, later, in the order in which they came; each run has a queue of its
    # own there. The signal keeps the pool.
    # @param pool [ThreadPool]
    # @return [Signal]
    def deliver_on_thread_pool(pool)
      derived(C.sgk_signal_deliver_on_thread_pool(pointer, Arguments.handle(:deliver_on_thread_pool, :pool, pool,
        ThreadPool)))
    end

    # As {Signal#deliver_on}, with a bound: at most `limit` (1 or more) values wait for `queue`; what comes then goes
    # by `overflow`. Ends need no room. The queue is given to other work after every `limit` values. `error` is what
    # `:error` fails with, otherwise it does not matter; `counter` may be nil.
    # @param queue [Queue]
    # @param limit [Integer]
    # @param overflow [Symbol] `:suspend`, `:drop_oldest`, `:drop_newest`, `:keep_latest` or `:error`
    # @param error [Object] what the run fails with; nil: an {Overflow}
    # @param counter [OverflowCounter, nil]
    # @return [Signal]
    def deliver_on_bounded(limit:, queue: Queue.main, overflow: :error, error: nil, counter: nil)
      derived(C.sgk_signal_deliver_on_bounded(pointer, Arguments.handle(:deliver_on_bounded, :queue, queue, Queue),
        Arguments.limit(:deliver_on_bounded, :limit, limit), Arguments.overflow(:deliver_on_bounded, overflow),
        *Arguments.room(:deliver_on_bounded, error, counter)))
    end

    # Starts the signal on `queue`: inside the start when it is current, otherwise later; disposal before that
    # prevents it. Where events are delivered is up to the source.
    # @param queue [Queue]
    # @return [Signal]
    def run_on(queue)
      derived(C.sgk_signal_run_on(pointer, Arguments.handle(:run_on, :queue, queue, Queue)))
    end

    # Starts the signal on a thread of `pool`, always later; disposal before that prevents it. The signal keeps the
    # pool.
    # @param pool [ThreadPool]
    # @return [Signal]
    def run_on_thread_pool(pool)
      derived(C.sgk_signal_run_on_thread_pool(pointer, Arguments.handle(:run_on_thread_pool, :pool, pool, ThreadPool)))
    end

    # Delays the start, not the events: the signal is started on `queue` after `seconds`, by a clock that stands still
    # while the system sleeps. Disposal before that prevents it. `seconds` must be 0 or more; infinity is never.
    # @param seconds [Numeric]
    # @param queue [Queue]
    # @return [Signal]
    def delay(seconds, queue: Queue.main)
      derived(C.sgk_signal_delay(pointer, Arguments.number(:delay, :seconds, seconds), Arguments.handle(:delay, :queue,
        queue, Queue)))
    end

    # As {Signal#delay} (also as to `seconds` and `queue`), but time during which the system sleeps counts: after
    # waking up the signal is late by at most about `granularity` seconds (4 is a good number; 0: it looks at the
    # clock only once). By the wall clock; whoever sets that changes the delay.
    # @param seconds [Numeric]
    # @param granularity [Numeric]
    # @param queue [Queue]
    # @return [Signal]
    def suspend_aware_delay(seconds, granularity, queue: Queue.main)
      derived(C.sgk_signal_suspend_aware_delay(pointer, Arguments.number(:suspend_aware_delay, :seconds, seconds),
        Arguments.number(:suspend_aware_delay, :granularity, granularity), Arguments.handle(:suspend_aware_delay,
        :queue, queue, Queue)))
    end

    # Goes on with `alternate` when nothing has come from the signal within `seconds`: it is started on `queue`, then
    # the signal disposed. The first event of any kind calls that off for good. `seconds` must be 0 or more. Serial.
    # @param seconds [Numeric]
    # @param alternate [Signal]
    # @param queue [Queue]
    # @return [Signal]
    def timeout(seconds, alternate, queue: Queue.main)
      derived(C.sgk_signal_timeout(pointer, Arguments.number(:timeout, :seconds, seconds), Arguments.signal(:timeout,
        :alternate, alternate), Arguments.handle(:timeout, :queue, queue, Queue)), alternate)
    end

    # A signal whose start blocks: it starts `signal`, then keeps the starting thread until its first event of any
    # kind, or for `seconds` (0 or more); nothing is cancelled by that. Never to be used on a thread that the source
    # needs.
    # @param seconds [Numeric]
    # @return [Signal]
    def blocking(seconds)
      Border.may_wait
      derived(C.sgk_signal_blocking(pointer, Arguments.number(:blocking, :seconds, seconds)))
    end

    # As {Signal#blocking}, with the `seconds` measured by the clock of `queue`: a virtual one is moved on by the
    # wait, as far as that takes.
    # @param seconds [Numeric]
    # @param queue [Queue]
    # @return [Signal]
    def blocking_on(seconds, queue: Queue.main)
      Border.may_wait
      derived(C.sgk_signal_blocking_on(pointer, Arguments.number(:blocking_on, :seconds, seconds),
        Arguments.handle(:blocking_on, :queue, queue, Queue)))
    end

    # Emits the values in arrays of `count` (1 or more); completion first emits those that are left. An error drops
    # them. Serial.
    # @param count [Integer]
    # @return [Signal]
    def chunked(count)
      derived(C.sgk_signal_chunked(pointer, Arguments.integer(:chunked, :count, count)))
    end

    # Emits the values in arrays of `count` (1 or more), or of fewer when `seconds` have gone by since the first of
    # them came: never an empty one. Completion first emits those that wait; an error drops them. Delivers on `queue`.
    # `seconds` must be 0 or more; infinity is never.
    # @param count [Integer]
    # @param seconds [Numeric]
    # @param queue [Queue]
    # @return [Signal]
    def chunked_within(count, seconds, queue: Queue.main)
      derived(C.sgk_signal_chunked_within(pointer, Arguments.integer(:chunked_within, :count, count),
        Arguments.number(:chunked_within, :seconds, seconds), Arguments.handle(:chunked_within, :queue, queue, Queue)))
    end

    # Emits the values in arrays, one for each value of `boundary`: of those that came since the last one, if there
    # are any; earlier when there are `limit` (1 or more). Completion first emits those that wait; an error, also of
    # `boundary`, drops them. The completion of `boundary` means nothing. It is started first. Serial.
    # @param boundary [Signal]
    # @param limit [Integer]
    # @return [Signal]
    def chunked_by(boundary, limit:)
      derived(C.sgk_signal_chunked_by(pointer, Arguments.signal(:chunked_by, :boundary, boundary),
        Arguments.limit(:chunked_by, :limit, limit)), boundary)
    end

    # Emits each value, and the completion, `seconds` after it has come, on `queue`. An error comes at once, and drops
    # what waits. (What others call delay.) At most `limit` (1 or more) values wait; what comes then goes by
    # `overflow`, which must not be `:suspend`: the emitting thread would wait for the time itself. `error` is what
    # `:error` fails with, otherwise it does not matter; `counter` may be nil. `seconds` must be 0 or more.
    # @param seconds [Numeric]
    # @param queue [Queue]
    # @param limit [Integer]
    # @param overflow [Symbol] `:suspend`, `:drop_oldest`, `:drop_newest`, `:keep_latest` or `:error`
    # @param error [Object] what the run fails with; nil: an {Overflow}
    # @param counter [OverflowCounter, nil]
    # @return [Signal]
    def delay_each(seconds, limit:, queue: Queue.main, overflow: :error, error: nil, counter: nil)
      derived(C.sgk_signal_delay_each(pointer, Arguments.number(:delay_each, :seconds, seconds),
        Arguments.handle(:delay_each, :queue, queue, Queue), Arguments.limit(:delay_each, :limit, limit),
        Arguments.overflow(:delay_each, overflow), *Arguments.room(:delay_each, error, counter)))
    end

    # Goes on with `alternate` when `seconds` go by without an event of the signal: before the first, or between any
    # two, the delivery of a value not counted. It is started on `queue`, then the signal disposed. `seconds` must be
    # 0 or more. Serial.
    # @param seconds [Numeric]
    # @param alternate [Signal]
    # @param queue [Queue]
    # @return [Signal]
    def timeout_between(seconds, alternate, queue: Queue.main)
      derived(C.sgk_signal_timeout_between(pointer, Arguments.number(:timeout_between, :seconds, seconds),
        Arguments.signal(:timeout_between, :alternate, alternate), Arguments.handle(:timeout_between, :queue, queue,
        Queue)), alternate)
    end

    # As {Signal#throttle} (also as to `seconds` and `queue`), with the values that `edges` says.
    # @param seconds [Numeric]
    # @param edges [Symbol]
    # @param queue [Queue]
    # @return [Signal]
    def throttle_edges(seconds, edges:, queue: Queue.main)
      derived(C.sgk_signal_throttle_edges(pointer, Arguments.number(:throttle_edges, :seconds, seconds),
        Arguments.enum(:throttle_edges, :edges, edges, EDGES), Arguments.handle(:throttle_edges, :queue, queue, Queue)))
    end

    # Emits arrays of two: the time at which a value comes, in seconds from any fixed point, by the clock of `queue`;
    # and the value.
    # @param queue [Queue]
    # @return [Signal]
    def timestamped(queue)
      derived(C.sgk_signal_timestamped(pointer, Arguments.handle(:timestamped, :queue, queue, Queue)))
    end

    # Emits arrays of two: the seconds since the value before, or since the start, by the clock of `queue`; and the
    # value. Serial.
    # @param queue [Queue]
    # @return [Signal]
    def time_interval(queue)
      derived(C.sgk_signal_time_interval(pointer, Arguments.handle(:time_interval, :queue, queue, Queue)))
    end

    # Passes what comes within `seconds` of the start, then completes, on `queue`; the source is stopped. `seconds`
    # must be 0 or more. Serial.
    # @param seconds [Numeric]
    # @param queue [Queue]
    # @return [Signal]
    def take_for(seconds, queue: Queue.main)
      derived(C.sgk_signal_take_for(pointer, Arguments.number(:take_for, :seconds, seconds), Arguments.handle(:take_for,
        :queue, queue, Queue)))
    end

    # Emits the latest value at each value of `trigger`, if it has come since the last one. Completion first emits the
    # value that waits, if any; an error, also of `trigger`, drops it. The completion of `trigger` means nothing. It
    # is started first. Serial.
    # @param trigger [Signal]
    # @return [Signal]
    def sample_on(trigger)
      derived(C.sgk_signal_sample_on(pointer, Arguments.signal(:sample_on, :trigger, trigger)), trigger)
    end

    # The same every `seconds`, on `queue`, as {Signal#interval}: more than 0 and finite.
    # @param seconds [Numeric]
    # @param queue [Queue]
    # @return [Signal]
    def sample(seconds, queue: Queue.main)
      derived(C.sgk_signal_sample(pointer, Arguments.number(:sample, :seconds, seconds), Arguments.handle(:sample,
        :queue, queue, Queue)))
    end

    # Shares one run of the signal among all who listen at the same time: the first one starts it, the last one to
    # leave disposes it, and after that the next one starts it anew. There is no replay of values, but who comes after
    # the end is told of the end, which is kept as long as the shared signal is there. A run that listens to itself,
    # at once, through operators or through other shared runs, is not kept by that: who counts are the listeners from
    # outside.
    # @return [Signal]
    def multicast
      derived(C.sgk_signal_multicast(pointer))
    end

    # Shares one run of the signal among all who listen: the first one starts it, and a later one gets the latest
    # `replay` values (0: none) of it first, in one order with those that follow. Who comes after the end gets these
    # values and the end, which are kept as long as the shared signal is there. `keep` says for how many seconds, by
    # the clock of `queue`, the run goes on after its last listener has left, for whoever comes by then: with 0 it
    # ends at once, with HUGE_VAL (infinity) only by itself, and in both cases `queue` may be nil. The next one starts
    # it anew, and nothing of the former run is replayed. What keeps a run that nobody listens to is the shared
    # signal: when that is gone, the run ends with its last listener. A run that listens to itself is not kept by
    # that. A source that lets go of its subscriber without an end, as {Signal#never}() does, has no run that could be
    # joined: each listener starts it anew.
    # @param replay [Integer]
    # @param keep [Numeric]
    # @param queue [Queue, nil]
    # @return [Signal]
    def share(replay, keep, queue: nil)
      derived(C.sgk_signal_share(pointer, Arguments.integer(:share, :replay, replay), Arguments.number(:share, :keep,
        keep), Arguments.handle(:share, :queue, queue, Queue, optional: true)))
    end
  end
end
