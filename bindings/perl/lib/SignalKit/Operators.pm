# Written by scripts/perl.py from bindings/api.json.

package SignalKit::Signal;
use strict;
use warnings;
use SignalKit::Border ':all';
use SignalKit::Values ':all';
use SignalKit::Arguments ':all';

=encoding UTF-8

=head1 NAME

SignalKit::Operators - the operators, methods of SignalKit::Signal, and the sources

=head1 METHODS AND FUNCTIONS

=cut

=head2 SignalKit::fd($fd, $events, %options)

Emits ints, the bits of what C<fd> is ready for (SGK_FD_READ, SGK_FD_WRITE, SGK_FD_HANGUP), of those that
C<events> has: once, and again when that has been handled, as long as it is so. So who does not read gets the
same again; a regular file is always ready. Reading and writing is the program's affair. Completes when nothing
but SGK_FD_HANGUP is left, which it emits before (not of a socket, which stays readable: who has read its end
disposes); fails with the error that waits at a socket, and with EPIPE when nobody reads the pipe that C<fd>
writes to. C<events> is SGK_FD_READ, SGK_FD_WRITE, or both.

Option C<queue>: a queue; otherwise the main one.

=cut

sub SignalKit::fd {
    my ($fd, $events, @options) = @_;
    my %options = known('fd', [qw(queue)], @options);
    return made(sgk_signal_fd(integer('fd', 'fd', $fd), integer('fd', 'events', $events), queue_of('fd', \%options,
        0)));
}

=head2 SignalKit::lines($fd, %options)

Reads lines from C<fd>, and emits each as a string, without the newline; what else there is, NULs and carriage
returns, stays. What comes after the last newline is a line, unless it is empty. Completes at the end of what
there is to read. A line of more than C<limit> bytes (1 or more) fails the run with EMSGSIZE, after the lines
before it. Up to 64 KiB are read at once, what is longer than a line included: of that nobody else hears.

Option C<limit>: a number.

Option C<queue>: a queue; otherwise the main one.

=cut

sub SignalKit::lines {
    my ($fd, @options) = @_;
    my %options = known('lines', [qw(limit queue)], @options);
    return made(sgk_signal_lines(integer('lines', 'fd', $fd), limit('lines', 'limit', \%options, 0), queue_of('lines',
        \%options, 0)));
}

=head2 SignalKit::bytes($fd, $chunk, %options)

Reads from C<fd>, at most C<chunk> bytes (1 or more) at once, and emits them as bytes as they come. Completes at
the end of what there is to read. Not for sockets of datagrams, where an empty one would be the end.

Option C<queue>: a queue; otherwise the main one.

=cut

sub SignalKit::bytes {
    my ($fd, $chunk, @options) = @_;
    my %options = known('bytes', [qw(queue)], @options);
    return made(sgk_signal_bytes(integer('bytes', 'fd', $fd), integer('bytes', 'chunk', $chunk), queue_of('bytes',
        \%options, 0)));
}

=head2 $signal->sink_fd($fd, %options)

Writes the strings and bytes that C<signal> emits to C<fd>, on C<queue>, one after another without anything
between them; any other kind of value fails the run with EINVAL. Emits nothing; completes, or fails, as
C<signal> does, when all before that is written. At most C<limit> bytes (1 or more) wait, or one value that is
longer, beside as many that are being written: who emits more is blocked until there is room, or the run is
disposed. On C<queue> itself, where that would wait for itself, as much is written as can be, and if that is not
enough the run fails with ENOBUFS. When nobody reads any more: EPIPE. Disposal drops what waits. With C<closes>,
C<fd> becomes the run's, and is closed when it is over, before its end is told, also after a failure; so such a
signal is started once. Without, it stays as it is. Not for sockets of datagrams, of which it knows no borders.

Option C<limit>: a number.

Option C<closes>: a flag.

Option C<queue>: a queue; otherwise the main one.

=cut

sub sink_fd {
    my ($self, $fd, @options) = @_;
    my %options = known('sink_fd', [qw(limit closes queue)], @options);
    my $source = raw($self);
    return made(sgk_sink_fd($source, integer('sink_fd', 'fd', $fd), limit('sink_fd', 'limit', \%options, 0),
        ($options{closes} ? 1 : 0), queue_of('sink_fd', \%options, 0)));
}

=head2 SignalKit::unix_signal($signo, %options)

Emits the int C<signo> for each such signal that comes to the process (several that come at once may be one;
what raise and pthread_kill send is for one thread, and does not come here). Never completes. It must be
blocked, by pthread_sigmask, in all threads, before any other is made: where it is not blocked it does what it
does otherwise, which may end the program. If it is not in the thread that starts a run, the run fails with
EINVAL, and the error's text says that; if it is not in another one, each start writes a warning to the log.
(The library's own threads block all signals; programs that are started by this one inherit the mask.) Of
several runs for one signal each gets some: share one. Only on Linux; elsewhere fails with ENOTSUP.

Option C<queue>: a queue; otherwise the main one.

=cut

sub SignalKit::unix_signal {
    my ($signo, @options) = @_;
    my %options = known('unix_signal', [qw(queue)], @options);
    return made(sgk_signal_unix_signal(integer('unix_signal', 'signo', $signo), queue_of('unix_signal', \%options,
        0)));
}

=head2 SignalKit::child($pid, %options)

Waits for the end of the child process C<pid>, emits how it was, and completes: its exit status, 0 or more, or
less than 0, the signal that has ended it (-9 for SIGKILL). The child is reaped by that, and no other is: start
it before anything else waits for it, or this fails with ECHILD, as it does for a process that is none of this
one's children, and for each that ends where SIGCHLD is ignored. A child that is not waited for any more, as the
run was disposed, is the program's to reap. Needs Linux 5.3, or fails with ENOSYS; on other systems ENOTSUP.

Option C<queue>: a queue; otherwise the main one.

=cut

sub SignalKit::child {
    my ($pid, @options) = @_;
    my %options = known('child', [qw(queue)], @options);
    return made(sgk_signal_child(integer('child', 'pid', $pid), queue_of('child', \%options, 0)));
}

=head2 SignalKit::file_changes($path, $mask, %options)

Emits what happens to the file at C<path>, or to the folder and what is in it, of what C<mask> has (the bits
SGK_FILE_…, which are inotify's IN_…): arrays of an int, one of those bits, with SGK_FILE_IS_FOLDER perhaps; a
string, the name in the folder, empty for what is watched itself; and an int that is the same for both halves of
a renaming, otherwise 0. C<path> is copied. Completes when what is watched is gone, or is not mounted any more;
fails with ENOBUFS when so much has happened that some of it is lost (look anew, and start again), with ENOSPC
when there are too many watches. Only on Linux; elsewhere fails with ENOTSUP.

Option C<queue>: a queue; otherwise the main one.

=cut

sub SignalKit::file_changes {
    my ($path, $mask, @options) = @_;
    my %options = known('file_changes', [qw(queue)], @options);
    return made(sgk_signal_file_changes(text('file_changes', 'path', $path), integer('file_changes', 'mask', $mask),
        queue_of('file_changes', \%options, 0)));
}

=head2 SignalKit::combine_latest($sources, $f, %options)

Emits an array of the latest values of all C<count> signals, in their order, for each value of any of them, once
every one has emitted. Completes when all have completed; the first error ends it. With a C<queue> (may be
undef) what the signals emit is processed and delivered there; otherwise on the emitting threads, one at a time.
No signals: one empty array, and the end.

With a function: As combine_latest (also as to C<count> and C<queue>), with the value that C<map(values, count)> makes
    of the
latest values instead of an array of them. Up to 64 signals, an event allocates nothing.

Option C<queue>: a queue.

=cut

sub SignalKit::combine_latest {
    my $f = ref $_[1] eq 'CODE' ? splice @_, 1, 1 : undef;
    my ($sources, @options) = @_;
    my %options = known('combine_latest', [qw(queue)], @options);
    return SignalKit::combine_latest($sources, %options)->map(spread('combine_latest', $f)) if $f;
    return listed('combine_latest', $sources, sub {
        my ($array, $count) = @_;
        return sgk_combine_latest($array, $count, queue_of('combine_latest', \%options, 1));
    });
}

=head2 SignalKit::merge_signals($sources)

Starts all C<count> signals, in their order, and passes every value of any of them on. Completes when all have
completed, without signals at once; the first error ends it.

=cut

sub SignalKit::merge_signals {
    my ($sources) = @_;
    return listed('merge_signals', $sources, sub {
        my ($array, $count) = @_;
        return sgk_merge_signals($array, $count);
    });
}

=head2 SignalKit::zip($sources, $f, %options)

Emits an array of the first values of all C<count> signals, in their order, then of the second ones, and so on.
Of each at most C<limit> values (1 or more, or undef) wait for those of the others; what comes then goes by
C<overflow>. 'suspend' is refused: the thread that would wait may be the one that brings the others. C<error> is
what 'error' ends the run with, at once; otherwise it does not matter; C<counter> may be undef. Completes as
soon as one has completed of which no value waits, without signals at once; the first error ends it.

With a function: As zip (also as to C<count>, C<limit>, C<overflow>, C<error> and C<counter>), with the value that
    C<map(values,
count)> makes instead of an array.

Option C<limit>: a number; otherwise there is no bound.

Option C<overflow>: 'suspend', 'drop_oldest', 'drop_newest', 'keep_latest', or otherwise 'error'.

Option C<error>: what the run fails with then.

Option C<counter>: an OverflowCounter, of what overflows.

=cut

sub SignalKit::zip {
    my $f = ref $_[1] eq 'CODE' ? splice @_, 1, 1 : undef;
    my ($sources, @options) = @_;
    my %options = known('zip', [qw(limit overflow error counter)], @options);
    return SignalKit::zip($sources, %options)->map(spread('zip', $f)) if $f;
    return listed('zip', $sources, sub {
        my ($array, $count) = @_;
        return sgk_zip($array, $count, limit('zip', 'limit', \%options, 1), overflow('zip', \%options), room('zip',
            \%options));
    });
}

=head2 SignalKit::race($sources)

Follows the first of C<count> signals to send an event of any kind; the others are disposed before that is
passed on. They are started in their order; one that sends something at once wins, and those behind it are not
started. Without signals it completes at once.

=cut

sub SignalKit::race {
    my ($sources) = @_;
    return listed('race', $sources, sub {
        my ($array, $count) = @_;
        return sgk_race($array, $count);
    });
}

=head2 $signal->with_latest_from($other, $f)

Emits an array of each value and the latest one of C<other>. Values that come before the first of C<other> are
dropped.

With a function: As with_latest_from, with the value that C<map(values, 2)> makes of the value and the latest one of
    C<other>
instead of an array.

=cut

sub with_latest_from {
    my ($self, $other, $f) = @_;
    my $source = raw($self);
    return $self->with_latest_from($other)->map(spread('with_latest_from', $f)) if $f;
    return made(sgk_signal_with_latest_from($source, pointer('with_latest_from', 'other', $other,
        'SignalKit::Signal')));
}

=head2 $signal->after_next($f)

Calls C<f(value)> with each value after it has been passed on, also when that has ended or disposed the run.

=cut

sub after_next {
    my ($self, $f) = @_;
    my $source = raw($self);
    return guarded($self, 'after_next', $f, 'next', sub {
        my $source = shift;
        return sgk_signal_after_next($source, @_);
    });
}

=head2 $signal->before_started($f)

Calls C<f()> for each start, before the signal is started.

=cut

sub before_started {
    my ($self, $f) = @_;
    my $source = raw($self);
    return guarded($self, 'before_started', $f, 'action', sub {
        my $source = shift;
        return sgk_signal_before_started($source, @_);
    });
}

=head2 $signal->before_error($f)

Calls C<f(error)> before the error is passed on.

=cut

sub before_error {
    my ($self, $f) = @_;
    my $source = raw($self);
    return guarded($self, 'before_error', $f, 'error', sub {
        my $source = shift;
        return sgk_signal_before_error($source, @_);
    });
}

=head2 $signal->before_completed($f)

Calls C<f()> before completion is passed on.

=cut

sub before_completed {
    my ($self, $f) = @_;
    my $source = raw($self);
    return guarded($self, 'before_completed', $f, 'completed', sub {
        my $source = shift;
        return sgk_signal_before_completed($source, @_);
    });
}

=head2 $signal->after_completed($f)

Calls C<f()> after completion has been passed on and the source disposed (one that completes inside the start is
disposed after it).

=cut

sub after_completed {
    my ($self, $f) = @_;
    my $source = raw($self);
    return with_callback($self, 'after_completed', $f, 'completed', sub {
        my $source = shift;
        return sgk_signal_after_completed($source, @_);
    });
}

=head2 $signal->named($name)

Gives C<signal> a name: what set_unhandled_error_handler says of an error that goes through here, and on to the
end of its run on the same thread. Where several names stand in its way it is that of the last. C<name> is
copied; undef is an error.

=cut

sub named {
    my ($self, $name) = @_;
    my $source = raw($self);
    return made(sgk_signal_named($source, text('named', 'name', $name)));
}

=head2 $signal->trace($name)

Writes a line to the log (see set_log_handler) for whatever happens to a run, before it is passed on: C<name#7
next 42>. Each run has a number of its own. Long lines are cut. C<name> is copied, and is that of named as well;
undef is an error.

=cut

sub trace {
    my ($self, $name) = @_;
    my $source = raw($self);
    return made(sgk_signal_trace($source, text('trace', 'name', $name)));
}

=head2 $signal->switch_to_latest()

Follows the latest inner signal: a new one is started, then the one before it disposed.

=cut

sub switch_to_latest {
    my ($self) = @_;
    my $source = raw($self);
    return made(sgk_signal_switch_to_latest($source));
}

=head2 $signal->queued()

Runs the inner signals one after another, each to its end; those that wait are kept, without a bound. (The
operator C<queue> of Swift, C<concat> of Rx. Signals that do not come from one signal are run one after another
by a sequencer.)

=cut

sub queued {
    my ($self) = @_;
    my $source = raw($self);
    return made(sgk_signal_queued($source));
}

=head2 $signal->throttled()

Runs one inner signal after another; of those that arrive while one runs only the latest is kept.

=cut

sub throttled {
    my ($self) = @_;
    my $source = raw($self);
    return made(sgk_signal_throttled($source));
}

=head2 $signal->take_until_replacement($replacement)

Passes the signal on until C<replacement>, a signal of signals that is started first, emits another one, which
takes its place; the next one replaces that in turn. Completes when the current one has. The completion of
C<replacement> means nothing, its error ends the result.

=cut

sub take_until_replacement {
    my ($self, $replacement) = @_;
    my $source = raw($self);
    return made(sgk_signal_take_until_replacement($source, pointer('take_until_replacement', 'replacement',
        $replacement, 'SignalKit::Signal')));
}

=head2 $signal->merged(%options)

Runs the inner signals at the same time, at most C<limit> of them (1 or more; undef: all), and passes their
values on, one at a time. Those that find no place wait, at most C<waiting> of them (0 or more, or undef); what
comes then goes by C<overflow>. 'suspend' is refused: the thread that would wait may be the one that makes room.
C<error> is what 'error' ends the run with, at once; otherwise it does not matter; C<counter> may be undef.
Values of signals: see above.

Option C<limit>: a number; otherwise there is no bound.

Option C<waiting>: a number; otherwise there is no bound.

Option C<overflow>: 'suspend', 'drop_oldest', 'drop_newest', 'keep_latest', or otherwise 'error'.

Option C<error>: what the run fails with then.

Option C<counter>: an OverflowCounter, of what overflows.

=cut

sub merged {
    my ($self, @options) = @_;
    my %options = known('merged', [qw(limit waiting overflow error counter)], @options);
    my $source = raw($self);
    return made(sgk_signal_merged($source, limit('merged', 'limit', \%options, 1), limit('merged', 'waiting',
        \%options, 1), overflow('merged', \%options), room('merged', \%options)));
}

=head2 $signal->map_to_first($f)

Runs the signal that C<map(value)> returns, unless one runs already: then the value is dropped, and C<map> not
called for it.

=cut

sub map_to_first {
    my ($self, $f) = @_;
    my $source = raw($self);
    return with_callback($self, 'map_to_first', $f, 'map_to_signal', sub {
        my $source = shift;
        return sgk_signal_map_to_first($source, @_);
    });
}

=head2 $signal->ignore_values()

Passes only the end.

=cut

sub ignore_values {
    my ($self) = @_;
    my $source = raw($self);
    return made(sgk_signal_ignore_values($source));
}

=head2 $signal->distinct_until_changed($f)

Drops a value that equals (value_equal) the last one that passed. Serial: one value at a time, whatever the
number of emitting threads.

With a function: Drops a value for which C<equal(last that passed, value)> is true. Serial.

=cut

sub distinct_until_changed {
    my ($self, $f) = @_;
    my $source = raw($self);
    return guarded($self, 'distinct_until_changed', $f, 'equal', sub {
        my $source = shift;
        return sgk_signal_distinct_until_changed_by($source, @_);
    }) if $f;
    return made(sgk_signal_distinct_until_changed($source));
}

=head2 $signal->serialized()

Passes the events of a source that emits from several threads, or from inside its own callbacks, one at a time:
a plain chain does not queue, this does. An event that comes while another is being delivered is delivered after
it, by whoever is at it.

=cut

sub serialized {
    my ($self) = @_;
    my $source = raw($self);
    return made(sgk_signal_serialized($source));
}

=head2 $signal->pairwise()

Emits each value but the first together with the one before it, as an array of two. Serial.

=cut

sub pairwise {
    my ($self) = @_;
    my $source = raw($self);
    return made(sgk_signal_pairwise($source));
}

=head2 $signal->enumerated()

Emits each value together with its number, from 0 on, as an array of an int and the value. Serial.

=cut

sub enumerated {
    my ($self) = @_;
    my $source = raw($self);
    return made(sgk_signal_enumerated($source));
}

=head2 $signal->to_array(%options)

Emits all values as one array, at completion, also when there were none; an error drops them. At most C<limit>
(1 or more, or undef) are kept; what comes then goes by C<overflow>. Nobody takes values out before the end, so
'suspend' is an error. C<error> is what 'error' fails with, at once, otherwise it does not matter; C<counter>
may be undef. Serial.

Option C<limit>: a number; otherwise there is no bound.

Option C<overflow>: 'suspend', 'drop_oldest', 'drop_newest', 'keep_latest', or otherwise 'error'.

Option C<error>: what the run fails with then.

Option C<counter>: an OverflowCounter, of what overflows.

=cut

sub to_array {
    my ($self, @options) = @_;
    my %options = known('to_array', [qw(limit overflow error counter)], @options);
    my $source = raw($self);
    return made(sgk_signal_to_array($source, limit('to_array', 'limit', \%options, 1), overflow('to_array',
        \%options), room('to_array', \%options)));
}

=head2 $signal->distinct($f, %options)

Passes the values that have not come before, as value_equal says. At most C<limit> (1 or more, or undef) are
remembered; one that finds no room then goes by C<overflow>: 'drop_oldest' forgets the oldest, 'keep_latest' all
others, and 'drop_newest' does not remember it: it passes, and what is forgotten can come again. With 'error'
the run fails with C<error>, which otherwise does not matter; 'suspend' is an error, as nobody makes room.
C<counter> is told how many are forgotten; it may be undef. Serial.

With a function: As distinct (also as to C<limit>, C<overflow>, C<error> and C<counter>), going by what C<key(value)>
    makes of
the values. Serial.

Option C<limit>: a number; otherwise there is no bound.

Option C<overflow>: 'suspend', 'drop_oldest', 'drop_newest', 'keep_latest', or otherwise 'error'.

Option C<error>: what the run fails with then.

Option C<counter>: an OverflowCounter, of what overflows.

=cut

sub distinct {
    my $f = ref $_[1] eq 'CODE' ? splice @_, 1, 1 : undef;
    my ($self, @options) = @_;
    my %options = known('distinct', [qw(limit overflow error counter)], @options);
    my $source = raw($self);
    return by_key($self, $f, sub { shift->distinct(%options) }) if $f;
    return made(sgk_signal_distinct($source, limit('distinct', 'limit', \%options, 1), overflow('distinct',
        \%options), room('distinct', \%options)));
}

=head2 $signal->to_events()

Makes values of the events: each becomes such an array, the end too; then the result completes. It never fails.
Serial. (In Rx this is C<materialize>, in SwiftSignalKit C<dematerialize>.)

=cut

sub to_events {
    my ($self) = @_;
    my $source = raw($self);
    return made(sgk_signal_to_events($source));
}

=head2 $signal->then($next)

When the signal has completed, goes on with C<next>, which is started before the first is disposed. The first
error ends it.

=cut

sub then {
    my ($self, $next) = @_;
    my $source = raw($self);
    return made(sgk_signal_then($source, pointer('then', 'next', $next, 'SignalKit::Signal')));
}

=head2 $signal->catch($f)

When the signal fails, goes on with the signal that C<f(error)> returns, which is started before the failed one
is disposed. C<f> is called on the failing thread.

=cut

sub catch {
    my ($self, $f) = @_;
    my $source = raw($self);
    return with_callback($self, 'catch', $f, 'map_to_signal', sub {
        my $source = shift;
        return sgk_signal_catch($source, @_);
    });
}

=head2 SignalKit::concat($sources)

Runs C<count> signals one after another, each when the one before has completed, as a row of then does. The
first error ends it; without any it completes at once.

=cut

sub SignalKit::concat {
    my ($sources) = @_;
    return listed('concat', $sources, sub {
        my ($array, $count) = @_;
        return sgk_concat($array, $count);
    });
}

=head2 $signal->start_with($value)

Emits C<value> inside the start, before the signal is started.

=cut

sub start_with {
    my ($self, $value) = @_;
    my $source = raw($self);
    return made(sgk_signal_start_with($source, give($value)));
}

=head2 $signal->end_with($value)

Emits C<value> when the signal has completed. An error drops it.

=cut

sub end_with {
    my ($self, $value) = @_;
    my $source = raw($self);
    return made(sgk_signal_end_with($source, give($value)));
}

=head2 $signal->default_if_empty($value)

Emits C<value> if the signal completes without one.

=cut

sub default_if_empty {
    my ($self, $value) = @_;
    my $source = raw($self);
    return made(sgk_signal_default_if_empty($source, give($value)));
}

=head2 $signal->switch_if_empty($other)

Goes on with C<other> if the signal completes without a value; it is started before the first is disposed.

=cut

sub switch_if_empty {
    my ($self, $other) = @_;
    my $source = raw($self);
    return made(sgk_signal_switch_if_empty($source, pointer('switch_if_empty', 'other', $other,
        'SignalKit::Signal')));
}

=head2 $signal->catch_and_return($value)

When the signal fails, emits C<value> and completes instead.

=cut

sub catch_and_return {
    my ($self, $value) = @_;
    my $source = raw($self);
    return made(sgk_signal_catch_and_return($source, give($value)));
}

=head2 $signal->restart()

Starts the signal again each time it has completed, until it fails or the run is disposed.

=cut

sub restart {
    my ($self) = @_;
    my $source = raw($self);
    return made(sgk_signal_restart($source));
}

=head2 $signal->repeat($count)

Runs the signal C<count> times, each after the completion of the one before, until it fails. 0 completes at
once, without starting it; less is an error.

=cut

sub repeat {
    my ($self, $count) = @_;
    my $source = raw($self);
    return made(sgk_signal_repeat($source, integer('repeat', 'count', $count)));
}

=head2 $signal->restart_if_error()

Starts the signal again each time it has failed, at once; never fails.

=cut

sub restart_if_error {
    my ($self) = @_;
    my $source = raw($self);
    return made(sgk_signal_restart_if_error($source));
}

=head2 $signal->restart_or_map_error($f)

When the signal fails, starts it again at once, or fails with another error, as C<condition> says. It is called
on the failing thread.

=cut

sub restart_or_map_error {
    my ($self, $f) = @_;
    my $source = raw($self);
    return guarded($self, 'restart_or_map_error', $f, 'restart', sub {
        my $source = shift;
        return sgk_signal_restart_or_map_error($source, @_);
    });
}

=head2 $signal->retry_if($f)

When the signal fails, starts it again at once if C<predicate(error)> is true, otherwise fails.

=cut

sub retry_if {
    my ($self, $f) = @_;
    my $source = raw($self);
    return guarded($self, 'retry_if', $f, 'filter', sub {
        my $source = shift;
        return sgk_signal_retry_if($source, @_);
    });
}

=head2 $signal->retry($delay_increment, $max_delay, %options)

When the signal fails, waits and starts it again, on C<queue>; never fails. The first attempt is made on the
starting thread. The wait before the second attempt is C<delay_increment> seconds; each further one is longer by
as much, up to C<max_delay>. With C<reset_on_value> a value makes the waits short again. The seconds must be 0
or more.

Option C<reset_on_value>: a flag.

Option C<queue>: a queue; otherwise the main one.

=cut

sub retry {
    my ($self, $delay_increment, $max_delay, @options) = @_;
    my %options = known('retry', [qw(reset_on_value queue)], @options);
    my $source = raw($self);
    return made(sgk_signal_retry($source, number('retry', 'delay_increment', $delay_increment), number('retry',
        'max_delay', $max_delay), ($options{reset_on_value} ? 1 : 0), queue_of('retry', \%options, 0)));
}

=head2 $signal->retry_on_error($delay_increment, $max_delay, $max_retries, $f, %options)

As retry (also as to C<delay_increment>, C<max_delay> and C<queue>), after errors for which
C<retry_on_error(error)> is true; any other ends the result. There are C<max_retries> attempts in all: the error
of the last of them ends the result. With 0 or 1 the first error does; less than 0 is without limit. With
C<reset_on_value> a value also makes the attempts uncounted.

Option C<reset_on_value>: a flag.

Option C<queue>: a queue; otherwise the main one.

=cut

sub retry_on_error {
    my ($self, $delay_increment, $max_delay, $max_retries, $f, @options) = @_;
    my %options = known('retry_on_error', [qw(reset_on_value queue)], @options);
    my $source = raw($self);
    return guarded($self, 'retry_on_error', $f, 'filter', sub {
        my $source = shift;
        return sgk_signal_retry_on_error($source, number('retry_on_error', 'delay_increment', $delay_increment),
            number('retry_on_error', 'max_delay', $max_delay), integer('retry_on_error', 'max_retries', $max_retries),
            ($options{reset_on_value} ? 1 : 0), @_, queue_of('retry_on_error', \%options, 0));
    });
}

=head2 $signal->retry_when($f)

When the signal fails, calls C<when(error, number)>, on the failing thread, and starts it again at the first
value of the signal that returns. If that fails, so does the result; if it completes without a value, the result
fails with the signal's error.

=cut

sub retry_when {
    my ($self, $f) = @_;
    my $source = raw($self);
    return with_callback($self, 'retry_when', $f, 'retry_when', sub {
        my $source = shift;
        return sgk_signal_retry_when($source, @_);
    });
}

=head2 $signal->take($count)

Passes the first C<count> values and completes right after the last of them; the source is stopped. 0 completes
at once, without starting the source; less is an error. Serial.

=cut

sub take {
    my ($self, $count) = @_;
    my $source = raw($self);
    return made(sgk_signal_take($source, integer('take', 'count', $count)));
}

=head2 $signal->take_until($f)

Asks C<until(value)> about each value: whether it passes, and whether the end comes (the source is stopped
then). Serial.

=cut

sub take_until {
    my ($self, $f) = @_;
    my $source = raw($self);
    return guarded($self, 'take_until', $f, 'take_until', sub {
        my $source = shift;
        return sgk_signal_take_until($source, @_);
    });
}

=head2 $signal->take_last($count)

Emits the last C<count> values, or as many as there were, at completion, in their order. An error drops them;
less than 0 is an error. Serial.

=cut

sub take_last {
    my ($self, $count) = @_;
    my $source = raw($self);
    return made(sgk_signal_take_last($source, integer('take_last', 'count', $count)));
}

=head2 $signal->last()

Emits the last value, or null if there was none, at completion. An error drops it. Serial.

=cut

sub last {
    my ($self) = @_;
    my $source = raw($self);
    return made(sgk_signal_last($source));
}

=head2 $signal->take_while($f)

Passes the values as long as C<filter(value)> is true, and completes at the first for which it is false, which
is dropped; the source is stopped. Serial.

=cut

sub take_while {
    my ($self, $f) = @_;
    my $source = raw($self);
    return guarded($self, 'take_while', $f, 'filter', sub {
        my $source = shift;
        return sgk_signal_take_while($source, @_);
    });
}

=head2 $signal->skip($count)

Drops the first C<count> values and passes the rest; less than 0 is an error. Serial.

=cut

sub skip {
    my ($self, $count) = @_;
    my $source = raw($self);
    return made(sgk_signal_skip($source, integer('skip', 'count', $count)));
}

=head2 $signal->skip_while($f)

Drops the values as long as C<filter(value)> is true; the first for which it is false, and all that follow, pass
without a further question. Serial.

=cut

sub skip_while {
    my ($self, $f) = @_;
    my $source = raw($self);
    return guarded($self, 'skip_while', $f, 'filter', sub {
        my $source = shift;
        return sgk_signal_skip_while($source, @_);
    });
}

=head2 $signal->first()

Passes the first value and completes right after it; the source is stopped. Where there is none, the end of the
source is the end. Serial.

=cut

sub first {
    my ($self) = @_;
    my $source = raw($self);
    return made(sgk_signal_first($source));
}

=head2 $signal->first_or($value)

Passes the first value and completes right after it; emits C<value> when the signal completes without one.
Serial.

=cut

sub first_or {
    my ($self, $value) = @_;
    my $source = raw($self);
    return made(sgk_signal_first_or($source, give($value)));
}

=head2 $signal->skip_until_signal($until)

Drops the values until C<until> has emitted one; that is stopped then. C<until> is started first; its completion
means nothing (without a value before it, nothing ever passes), its error ends the result. Serial.

=cut

sub skip_until_signal {
    my ($self, $until) = @_;
    my $source = raw($self);
    return made(sgk_signal_skip_until_signal($source, pointer('skip_until_signal', 'until', $until,
        'SignalKit::Signal')));
}

=head2 $signal->take_until_signal($until)

Passes the values until C<until> emits one, and completes then. C<until> is started first: if it emits at once,
the signal is not started. Its completion means nothing, its error ends the result. Serial.

=cut

sub take_until_signal {
    my ($self, $until) = @_;
    my $source = raw($self);
    return made(sgk_signal_take_until_signal($source, pointer('take_until_signal', 'until', $until,
        'SignalKit::Signal')));
}

=head2 $signal->throttle($seconds, %options)

Emits a value at once and then at most one every C<seconds>: the latest of those that came meanwhile, when the
time is over. The end first emits what waits; an error drops it. Delivers on C<queue>. C<seconds> must be 0 or
more.

Option C<queue>: a queue; otherwise the main one.

=cut

sub throttle {
    my ($self, $seconds, @options) = @_;
    my %options = known('throttle', [qw(queue)], @options);
    my $source = raw($self);
    return made(sgk_signal_throttle($source, number('throttle', 'seconds', $seconds), queue_of('throttle', \%options,
        0)));
}

=head2 $signal->debounce($seconds, %options)

Emits a value when no other has followed it for C<seconds>. The end first emits what waits; an error drops it.
Delivers on C<queue>. C<seconds> must be 0 or more.

Option C<queue>: a queue; otherwise the main one.

=cut

sub debounce {
    my ($self, $seconds, @options) = @_;
    my %options = known('debounce', [qw(queue)], @options);
    my $source = raw($self);
    return made(sgk_signal_debounce($source, number('debounce', 'seconds', $seconds), queue_of('debounce', \%options,
        0)));
}

=head2 $signal->deliver_on($queue)

Delivers every event on C<queue>: inline when it is current and nothing of the run is on its way, otherwise
later, in order, one at a time. A serial queue is first in, first out across all that uses it: values and ends
of this run and of others, work of queue_async and queue_dispatch, run_on, timers that have fired. However many
events come, it gets to its other work in between. Disposal drops what is on its way.

=cut

sub deliver_on {
    my ($self, $queue) = @_;
    my $source = raw($self);
    return made(sgk_signal_deliver_on($source, pointer('deliver_on', 'queue', $queue, 'SignalKit::Queue')));
}

=head2 $signal->deliver_on_thread_pool($pool)

Delivers every event on a thread of C<pool>, later, in the order in which they came; each run has a queue of its
own there. The signal keeps the pool.

=cut

sub deliver_on_thread_pool {
    my ($self, $pool) = @_;
    my $source = raw($self);
    return made(sgk_signal_deliver_on_thread_pool($source, pointer('deliver_on_thread_pool', 'pool', $pool,
        'SignalKit::ThreadPool')));
}

=head2 $signal->deliver_on_bounded(%options)

As deliver_on, with a bound: at most C<limit> (1 or more) values wait for C<queue>; what comes then goes by
C<overflow>. Ends need no room. The queue is given to other work after every C<limit> values. C<error> is what
'error' fails with, otherwise it does not matter; C<counter> may be undef.

Option C<queue>: a queue; otherwise the main one.

Option C<limit>: a number.

Option C<overflow>: 'suspend', 'drop_oldest', 'drop_newest', 'keep_latest', or otherwise 'error'.

Option C<error>: what the run fails with then.

Option C<counter>: an OverflowCounter, of what overflows.

=cut

sub deliver_on_bounded {
    my ($self, @options) = @_;
    my %options = known('deliver_on_bounded', [qw(queue limit overflow error counter)], @options);
    my $source = raw($self);
    return made(sgk_signal_deliver_on_bounded($source, queue_of('deliver_on_bounded', \%options, 0),
        limit('deliver_on_bounded', 'limit', \%options, 0), overflow('deliver_on_bounded', \%options),
        room('deliver_on_bounded', \%options)));
}

=head2 $signal->run_on($queue)

Starts the signal on C<queue>: inside the start when it is current, otherwise later; disposal before that
prevents it. Where events are delivered is up to the source.

=cut

sub run_on {
    my ($self, $queue) = @_;
    my $source = raw($self);
    return made(sgk_signal_run_on($source, pointer('run_on', 'queue', $queue, 'SignalKit::Queue')));
}

=head2 $signal->run_on_thread_pool($pool)

Starts the signal on a thread of C<pool>, always later; disposal before that prevents it. The signal keeps the
pool.

=cut

sub run_on_thread_pool {
    my ($self, $pool) = @_;
    my $source = raw($self);
    return made(sgk_signal_run_on_thread_pool($source, pointer('run_on_thread_pool', 'pool', $pool,
        'SignalKit::ThreadPool')));
}

=head2 $signal->delay($seconds, %options)

Delays the start, not the events: the signal is started on C<queue> after C<seconds>, by a clock that stands
still while the system sleeps. Disposal before that prevents it. C<seconds> must be 0 or more; infinity is
never.

Option C<queue>: a queue; otherwise the main one.

=cut

sub delay {
    my ($self, $seconds, @options) = @_;
    my %options = known('delay', [qw(queue)], @options);
    my $source = raw($self);
    return made(sgk_signal_delay($source, number('delay', 'seconds', $seconds), queue_of('delay', \%options, 0)));
}

=head2 $signal->suspend_aware_delay($seconds, $granularity, %options)

As delay (also as to C<seconds> and C<queue>), but time during which the system sleeps counts: after waking up
the signal is late by at most about C<granularity> seconds (4 is a good number; 0: it looks at the clock only
once). By the wall clock; whoever sets that changes the delay.

Option C<queue>: a queue; otherwise the main one.

=cut

sub suspend_aware_delay {
    my ($self, $seconds, $granularity, @options) = @_;
    my %options = known('suspend_aware_delay', [qw(queue)], @options);
    my $source = raw($self);
    return made(sgk_signal_suspend_aware_delay($source, number('suspend_aware_delay', 'seconds', $seconds),
        number('suspend_aware_delay', 'granularity', $granularity), queue_of('suspend_aware_delay', \%options, 0)));
}

=head2 $signal->timeout($seconds, $alternate, %options)

Goes on with C<alternate> when nothing has come from the signal within C<seconds>: it is started on C<queue>,
then the signal disposed. The first event of any kind calls that off for good. C<seconds> must be 0 or more.
Serial.

Option C<queue>: a queue; otherwise the main one.

=cut

sub timeout {
    my ($self, $seconds, $alternate, @options) = @_;
    my %options = known('timeout', [qw(queue)], @options);
    my $source = raw($self);
    return made(sgk_signal_timeout($source, number('timeout', 'seconds', $seconds), pointer('timeout', 'alternate',
        $alternate, 'SignalKit::Signal'), queue_of('timeout', \%options, 0)));
}

=head2 $signal->blocking($seconds)

A signal whose start blocks: it starts C<signal>, then keeps the starting thread until its first event of any
kind, or for C<seconds> (0 or more); nothing is cancelled by that. Never to be used on a thread that the source
needs.

=cut

sub blocking {
    my ($self, $seconds) = @_;
    my $source = raw($self);
    return made(sgk_signal_blocking($source, number('blocking', 'seconds', $seconds)));
}

=head2 $signal->blocking_on($seconds, %options)

As blocking, with the C<seconds> measured by the clock of C<queue>: a virtual one is moved on by the wait, as
far as that takes.

Option C<queue>: a queue; otherwise the main one.

=cut

sub blocking_on {
    my ($self, $seconds, @options) = @_;
    my %options = known('blocking_on', [qw(queue)], @options);
    my $source = raw($self);
    return made(sgk_signal_blocking_on($source, number('blocking_on', 'seconds', $seconds), queue_of('blocking_on',
        \%options, 0)));
}

=head2 $signal->chunked($count)

Emits the values in arrays of C<count> (1 or more); completion first emits those that are left. An error drops
them. Serial.

=cut

sub chunked {
    my ($self, $count) = @_;
    my $source = raw($self);
    return made(sgk_signal_chunked($source, integer('chunked', 'count', $count)));
}

=head2 $signal->chunked_within($count, $seconds, %options)

Emits the values in arrays of C<count> (1 or more), or of fewer when C<seconds> have gone by since the first of
them came: never an empty one. Completion first emits those that wait; an error drops them. Delivers on
C<queue>. C<seconds> must be 0 or more; infinity is never.

Option C<queue>: a queue; otherwise the main one.

=cut

sub chunked_within {
    my ($self, $count, $seconds, @options) = @_;
    my %options = known('chunked_within', [qw(queue)], @options);
    my $source = raw($self);
    return made(sgk_signal_chunked_within($source, integer('chunked_within', 'count', $count),
        number('chunked_within', 'seconds', $seconds), queue_of('chunked_within', \%options, 0)));
}

=head2 $signal->chunked_by($boundary, %options)

Emits the values in arrays, one for each value of C<boundary>: of those that came since the last one, if there
are any; earlier when there are C<limit> (1 or more). Completion first emits those that wait; an error, also of
C<boundary>, drops them. The completion of C<boundary> means nothing. It is started first. Serial.

Option C<limit>: a number.

=cut

sub chunked_by {
    my ($self, $boundary, @options) = @_;
    my %options = known('chunked_by', [qw(limit)], @options);
    my $source = raw($self);
    return made(sgk_signal_chunked_by($source, pointer('chunked_by', 'boundary', $boundary, 'SignalKit::Signal'),
        limit('chunked_by', 'limit', \%options, 0)));
}

=head2 $signal->delay_each($seconds, %options)

Emits each value, and the completion, C<seconds> after it has come, on C<queue>. An error comes at once, and
drops what waits. (What others call delay.) At most C<limit> (1 or more) values wait; what comes then goes by
C<overflow>, which must not be 'suspend': the emitting thread would wait for the time itself. C<error> is what
'error' fails with, otherwise it does not matter; C<counter> may be undef. C<seconds> must be 0 or more.

Option C<queue>: a queue; otherwise the main one.

Option C<limit>: a number.

Option C<overflow>: 'suspend', 'drop_oldest', 'drop_newest', 'keep_latest', or otherwise 'error'.

Option C<error>: what the run fails with then.

Option C<counter>: an OverflowCounter, of what overflows.

=cut

sub delay_each {
    my ($self, $seconds, @options) = @_;
    my %options = known('delay_each', [qw(queue limit overflow error counter)], @options);
    my $source = raw($self);
    return made(sgk_signal_delay_each($source, number('delay_each', 'seconds', $seconds), queue_of('delay_each',
        \%options, 0), limit('delay_each', 'limit', \%options, 0), overflow('delay_each', \%options),
        room('delay_each', \%options)));
}

=head2 $signal->timeout_between($seconds, $alternate, %options)

Goes on with C<alternate> when C<seconds> go by without an event of the signal: before the first, or between any
two, the delivery of a value not counted. It is started on C<queue>, then the signal disposed. C<seconds> must
be 0 or more. Serial.

Option C<queue>: a queue; otherwise the main one.

=cut

sub timeout_between {
    my ($self, $seconds, $alternate, @options) = @_;
    my %options = known('timeout_between', [qw(queue)], @options);
    my $source = raw($self);
    return made(sgk_signal_timeout_between($source, number('timeout_between', 'seconds', $seconds),
        pointer('timeout_between', 'alternate', $alternate, 'SignalKit::Signal'), queue_of('timeout_between',
        \%options, 0)));
}

=head2 $signal->throttle_edges($seconds, %options)

As throttle (also as to C<seconds> and C<queue>), with the values that C<edges> says.

Option C<edges>: 'leading', 'trailing' or 'both'.

Option C<queue>: a queue; otherwise the main one.

=cut

sub throttle_edges {
    my ($self, $seconds, @options) = @_;
    my %options = known('throttle_edges', [qw(edges queue)], @options);
    my $source = raw($self);
    return made(sgk_signal_throttle_edges($source, number('throttle_edges', 'seconds', $seconds),
        edges('throttle_edges', \%options), queue_of('throttle_edges', \%options, 0)));
}

=head2 $signal->timestamped($queue)

Emits arrays of two: the time at which a value comes, in seconds from any fixed point, by the clock of C<queue>;
and the value.

=cut

sub timestamped {
    my ($self, $queue) = @_;
    my $source = raw($self);
    return made(sgk_signal_timestamped($source, pointer('timestamped', 'queue', $queue, 'SignalKit::Queue')));
}

=head2 $signal->time_interval($queue)

Emits arrays of two: the seconds since the value before, or since the start, by the clock of C<queue>; and the
value. Serial.

=cut

sub time_interval {
    my ($self, $queue) = @_;
    my $source = raw($self);
    return made(sgk_signal_time_interval($source, pointer('time_interval', 'queue', $queue, 'SignalKit::Queue')));
}

=head2 $signal->take_for($seconds, %options)

Passes what comes within C<seconds> of the start, then completes, on C<queue>; the source is stopped. C<seconds>
must be 0 or more. Serial.

Option C<queue>: a queue; otherwise the main one.

=cut

sub take_for {
    my ($self, $seconds, @options) = @_;
    my %options = known('take_for', [qw(queue)], @options);
    my $source = raw($self);
    return made(sgk_signal_take_for($source, number('take_for', 'seconds', $seconds), queue_of('take_for', \%options,
        0)));
}

=head2 $signal->sample_on($trigger)

Emits the latest value at each value of C<trigger>, if it has come since the last one. Completion first emits
the value that waits, if any; an error, also of C<trigger>, drops it. The completion of C<trigger> means
nothing. It is started first. Serial.

=cut

sub sample_on {
    my ($self, $trigger) = @_;
    my $source = raw($self);
    return made(sgk_signal_sample_on($source, pointer('sample_on', 'trigger', $trigger, 'SignalKit::Signal')));
}

=head2 $signal->sample($seconds, %options)

The same every C<seconds>, on C<queue>, as interval: more than 0 and finite.

Option C<queue>: a queue; otherwise the main one.

=cut

sub sample {
    my ($self, $seconds, @options) = @_;
    my %options = known('sample', [qw(queue)], @options);
    my $source = raw($self);
    return made(sgk_signal_sample($source, number('sample', 'seconds', $seconds), queue_of('sample', \%options, 0)));
}

=head2 $signal->multicast()

Shares one run of the signal among all who listen at the same time: the first one starts it, the last one to
leave disposes it, and after that the next one starts it anew. There is no replay of values, but who comes after
the end is told of the end, which is kept as long as the shared signal is there. A run that listens to itself,
at once, through operators or through other shared runs, is not kept by that: who counts are the listeners from
outside.

=cut

sub multicast {
    my ($self) = @_;
    my $source = raw($self);
    return made(sgk_signal_multicast($source));
}

=head2 $signal->share($replay, $keep, %options)

Shares one run of the signal among all who listen: the first one starts it, and a later one gets the latest
C<replay> values (0: none) of it first, in one order with those that follow. Who comes after the end gets these
values and the end, which are kept as long as the shared signal is there. C<keep> says for how many seconds, by
the clock of C<queue>, the run goes on after its last listener has left, for whoever comes by then: with 0 it
ends at once, with HUGE_VAL (infinity) only by itself, and in both cases C<queue> may be undef. The next one
starts it anew, and nothing of the former run is replayed. What keeps a run that nobody listens to is the shared
signal: when that is gone, the run ends with its last listener. A run that listens to itself is not kept by
that. A source that lets go of its subscriber without an end, as never() does, has no run that could be joined:
each listener starts it anew.

Option C<queue>: a queue.

=cut

sub share {
    my ($self, $replay, $keep, @options) = @_;
    my %options = known('share', [qw(queue)], @options);
    my $source = raw($self);
    return made(sgk_signal_share($source, integer('share', 'replay', $replay), number('share', 'keep', $keep),
        queue_of('share', \%options, 1)));
}

=head2 SignalKit::single($value)

A signal that emits one value and completes, inside the start.

=cut

sub SignalKit::single {
    my ($value) = @_;
    return made(sgk_signal_single(give($value)));
}

=head2 SignalKit::complete()

A signal that completes inside the start.

=cut

sub SignalKit::complete {
    return made(sgk_signal_complete());
}

=head2 SignalKit::fail($error)

A signal that fails with an error (any value) inside the start.

=cut

sub SignalKit::fail {
    my ($error) = @_;
    return made(sgk_signal_fail(give($error)));
}

=head2 SignalKit::never()

A signal that emits nothing and never ends.

=cut

sub SignalKit::never {
    return made(sgk_signal_never());
}

=head2 SignalKit::range($first, $count)

Emits C<count> ints (0 or more), beginning with C<first>, each greater by one, inside each start, as long as
somebody listens, and completes. The last must be an int64_t as well.

=cut

sub SignalKit::range {
    my ($first, $count) = @_;
    return made(sgk_signal_range(integer('range', 'first', $first), integer('range', 'count', $count)));
}

=head2 SignalKit::interval($seconds, %options)

Emits the ints 0, 1, 2 … on C<queue>: n at (n + 1) * C<seconds> after the start by the queue's clock, whatever
time the deliveries take. What falls due while a number is being delivered is skipped, as the next number tells.
Never ends. C<seconds> must be more than 0 and finite; less than a microsecond is taken for one.

Option C<queue>: a queue; otherwise the main one.

=cut

sub SignalKit::interval {
    my ($seconds, @options) = @_;
    my %options = known('interval', [qw(queue)], @options);
    return made(sgk_signal_interval(number('interval', 'seconds', $seconds), queue_of('interval', \%options, 0)));
}

=head2 SignalKit::timer($seconds, %options)

Emits the int 0 on C<queue>, C<seconds> after the start by the queue's clock, and completes. C<seconds> must be
0 or more; infinity is never.

Option C<queue>: a queue; otherwise the main one.

=cut

sub SignalKit::timer {
    my ($seconds, @options) = @_;
    my %options = known('timer', [qw(queue)], @options);
    return made(sgk_signal_timer(number('timer', 'seconds', $seconds), queue_of('timer', \%options, 0)));
}

1;
