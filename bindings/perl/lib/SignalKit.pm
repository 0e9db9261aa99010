package SignalKit;
use strict;
use warnings;
use SignalKit::Version;
our $VERSION;
BEGIN { $VERSION = $SignalKit::Version::VERSION }
use SignalKit::Border ':all';
use SignalKit::Values ':all';
use SignalKit::Arguments ':all';
use Time::HiRes ();

=encoding UTF-8

=head1 NAME

SignalKit - signals (streams of values), pipes, queues and timers, by the C library libsignalkit

=head1 SYNOPSIS

    use SignalKit;

    my $pipe = SignalKit::pipe();
    my $run = $pipe->signal->filter(sub { $_[0] % 2 == 0 })->map(sub { $_[0] / 2 })->start(sub { print "$_[0]\n" });
    $pipe->next($_) for 1 .. 6; # prints 1, 2, 3
    $run->dispose;

=head1 DESCRIPTION

Each operator of the library is a method of a signal (L<SignalKit::Signal>, L<SignalKit::Operators>); sources, and what
joins several signals, are functions of this package. A value can be anything, at any stage. What may be left out (queues,
bounds, flags) is named, at the end.

An interpreter has one thread, the main one, so functions are called on that alone: each stage that has one delivers on the
main queue first. What happens on this thread is called at once; what comes from another one, in C<SignalKit::run> until
C<SignalKit::stop>, or in a loop of your own, with C<main_fd> and C<drain_main>.

What a function dies of ends its run, and the error at the other end is that very object. Without somebody to tell it goes
to the function given to C<on_unheard>, otherwise it is a warning. C<last>, C<next> and C<goto> cannot leave a function,
which dies of them; C<exit> ends the run, and the call that led to the function then exits.

undef, numbers, strings and (in Perl 5.36) booleans travel as they are, arrays of the library's come as references to
arrays; any other reference stays where it is and comes out as itself.

An ithread cannot use this module. Create threads before you load it: FFI::Platypus cannot copy an interpreter with
closures, so C<< threads->create >> ends the program afterwards. The module can be loaded again, as modules for development
do.

C<dispose> and C<close> end a subscription. C<close> works on every object: it ends the object if that is possible (it also
completes a pipe), and releases it. C<release> only releases, as the end of the last reference does: the subscription
continues. A second call does nothing, and any other use dies. A function that sees the signal that it is a part of keeps it, as any closure does: see
L<Scalar::Util/weaken>.

=cut

# ---- Objects of the library's ----

package SignalKit::Handle {
    use SignalKit::Border ':all';

    sub close { return $_[0]->release }

    sub release {
        my $pointer = delete $_[0]{pointer} or return;
        sgk_release($pointer);
        settle();
        return;
    }

    sub closed { return !$_[0]{pointer} }

    # A copy would release the reference of this object a second time.
    sub CLONE_SKIP { return 1 }

    sub STORABLE_freeze { die 'Storable cannot copy a ' . ref($_[0]) . "\n" }

    sub DESTROY {
        my $self = shift;
        return if ${^GLOBAL_PHASE} eq 'DESTRUCT'; # closures may be gone by then
        local ($@, $?, $!);
        sgk_release(delete $self->{pointer}) if $self->{pointer};
    }
}

=head1 FUNCTIONS

=head2 SignalKit::deferred($f)

A signal that is made by the function, for each start.

=head2 SignalKit::create($f)

A signal whose function is called for each start, with a subscriber to emit into (C<next>, C<error>, C<complete>,
C<active>, C<on_dispose>), now or later. It may return what stops the source: a disposable or a function.

=head2 SignalKit::iterate($f)

Emits what the function returns, as long as somebody listens, until that is undef. All runs have the same function.

=head2 SignalKit::of(@values), SignalKit::from($array)

Emits the values inside each start, and completes.

=head2 SignalKit::using($acquire, $use, $release)

For each start makes a resource, and behaves as the signal that C<$use> makes of it. C<$release> gets it once, when the run
is torn down.

=head2 SignalKit::accumulating_loop($once, $reduce)

Runs the signals that C<$once-E<gt>($accumulated)> returns one after another, until that is undef, and folds all their
values into one by C<$reduce-E<gt>($accumulated, $value)>; what has been accumulated is emitted at each value.

=head2 SignalKit::combine_signals($signals, $initial, %options)

As combine_latest, of signals that may have a value from the beginning: that of the same index, if it is defined.

=cut

sub deferred {
    my $f = shift;
    return with_callback(undef, 'deferred', $f, 'deferred', sub { shift; return sgk_signal_deferred(@_) });
}

sub create {
    my $f = shift;
    return with_callback(undef, 'create', $f, 'generator', sub { shift; return sgk_signal_create(@_) });
}

sub iterate {
    my $f = shift;
    return with_callback(undef, 'iterate', $f, 'iterator', sub { shift; return sgk_signal_from_iterator(@_) });
}

sub from {
    my $list = shift;
    SignalKit::Arguments::wrong('from', 'list', 'an array', $list) unless ref $list eq 'ARRAY';
    return made(lending(\&sgk_signal_from_array, @$list));
}

sub of { return from([@_]) }

=head2 SignalKit::data($bytes)

A value that travels as bytes, and comes out as a string of them: what C<sink_fd> writes as it is. (A string is text, of
which it writes the UTF-8.) Dies of characters that are no bytes.

=cut

sub data {
    my $bytes = shift;
    utf8::downgrade($bytes);
    return bless \$bytes, 'SignalKit::Data';
}

sub using {
    my ($acquire, $use, $release) = @_;
    callable('using', $_) for $acquire, $use, $release;
    return deferred(sub {
        my $resource = $acquire->();
        my $signal;
        if (!eval { $signal = $use->($resource)->after_disposed(sub { $release->($resource) }); 1 }) {
            my $problem = $@;
            $release->($resource);
            die $problem;
        }
        return $signal;
    });
}

sub accumulating_loop {
    my ($once, $reduce) = @_;
    callable('accumulating_loop', $_) for $once, $reduce;
    return deferred(sub {
        my ($accumulated, $begun);
        my $over = SignalKit::pipe();
        return deferred(sub {
            my $signal = $once->($accumulated);
            if (!defined $signal) {
                $over->next(1);
                return complete();
            }
            return $signal->map(sub {
                $accumulated = $begun++ ? $reduce->($accumulated, $_[0]) : $_[0];
                return $accumulated;
            });
        })->restart->take_until_signal($over->signal);
    });
}

sub combine_signals {
    my ($signals, $initial, @options) = @_;
    my %options = known('combine_signals', ['queue'], @options);
    return listed('combine_signals', $signals, sub {
        my ($array, $count) = @_;
        my $queue = queue_of('combine_signals', \%options, 1);
        return lending(sub {
            my $first = shift;
            my $pointers = pack 'Q*', (map { defined $initial->[$_] ? $first + 16 * $_ : 0 } 0 .. $count - 1), 0;
            return sgk_combine_signals($array, $count, unpack('Q', pack 'P', $pointers), $queue);
        }, @$initial[0 .. $count - 1]);
    });
}

require SignalKit::Signal;
require SignalKit::Entries;
require SignalKit::Objects;

=head2 SignalKit::run, SignalKit::stop

Runs the main queue until C<stop>. Signals of the system get through, a quarter of a second late at most, if one comes just
before the wait.

=head2 SignalKit::main_fd, SignalKit::drain_main

For a loop of your own: what is readable when the main queue has work, and what does it.

=head2 SignalKit::is_main

Whether the caller is on the main thread, as all of Perl is.

=head2 SignalKit::on_unheard($f)

The function gets where it was, and what nobody else can be told of.

=head2 SignalKit::on_log($f)

The function gets each line that the library writes to its log, in place of standard error: what C<trace> says, strict
disposables that were let go of too early, errors that nobody handles. One that comes from another thread is there in the
main queue's turn. Without a function they go to standard error again.

=head2 SignalKit::live_total

How many objects of the library are alive, without those that this module has for itself.

=cut

# Perl runs its signal handlers only between its own operations. A signal just before the wait is handled after this time.
use constant PATIENCE => 0.25;

# Waits until one of these is readable, at most for the given seconds.
sub wait_for {
    my ($seconds, @descriptors) = @_;
    my $files = '';
    vec($files, $_, 1) = 1 for @descriptors;
    $seconds = PATIENCE if !defined $seconds || $seconds > PATIENCE;
    select $files, undef, undef, $seconds > 0 ? $seconds : 0;
    return;
}

our $running;

sub run {
    my $descriptor = main_fd();
    $running = 1;
    while ($running) {
        wait_for(undef, $descriptor);
        drain_main();
    }
    return;
}

sub stop {
    $running = 0;
    sgk_queue_dispatch(main(), $ENTRIES{work}, undef, undef);
    return;
}

sub main_fd { my $fd = sgk_main_fd(); return $fd < 0 ? refused() : $fd }

sub drain_main { done(sgk_main_drain()); return }

sub is_main { return sgk_queue_is_current(main()) }

sub on_unheard { $SignalKit::Border::unheard = shift; return }

sub on_log {
    my $f = shift;
    return SignalKit::Border::log_to($f && callable('on_log', $f));
}

sub live_total { return sgk_live_total() - $SignalKit::Border::own }

=head1 LICENSE

MIT; see LICENSE.

=cut

1;
