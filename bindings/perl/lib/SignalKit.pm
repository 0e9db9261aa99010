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

Each operator of the library is a method of a signal (L<SignalKit::Signal>, L<SignalKit::Operators>). Sources, and
functions that combine several signals, are functions of this package. A value can have any type at any stage. Optional
arguments (queues, bounds, flags) are named, at the end.

An interpreter has one thread, the main thread, and functions are called only there: each stage with a function first
delivers on the main queue. Events of this thread are handled immediately. Events of other threads are handled in
C<SignalKit::run> until C<SignalKit::stop>, or in another loop with C<main_fd> and C<drain_main>.

If a function dies, its subscription fails with the same object as the error. If there is no function for errors, the
function given to C<on_unheard> receives it; the default is a warning. C<last>, C<next> and C<goto> cannot leave a
function, which dies instead. C<exit> ends the subscription, and the call that led to the function then exits.

undef, numbers, strings and (in Perl 5.36) booleans are converted, and arrays of the library become references to
arrays. For any other reference, the value is that reference, and receivers get the same one.

An ithread cannot use this module. Create threads before you load it: FFI::Platypus cannot copy an interpreter with
closures, so C<< threads->create >> ends the program afterwards. The module can be loaded again, as modules for development
do.

C<dispose> and C<close> end a subscription. C<close> works on every object: it ends the object if that is possible (it
also completes a pipe), and releases it. C<release> only releases, as the end of the last reference does: the
subscription continues. A second call does nothing, and any other use dies. A function that uses its own signal retains
it, like every closure: see L<Scalar::Util/weaken>.

=cut

# ---- Objects of the library's ----

package SignalKit::Handle {
    use SignalKit::Border ':all';

    sub close { return $_[0]->release }

    sub release {
        delete $_[0]{fused};
        my $pointer = delete $_[0]{pointer} or return;
        sgk_release($pointer);
        settle();
        return;
    }

    sub closed { return !$_[0]{pointer} && !$_[0]{fused} }

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

Returns a signal that calls the function at each start and uses the signal that it returns.

=head2 SignalKit::create($f)

Returns a signal whose function is called for each start, with a subscriber to emit to (C<next>, C<error>, C<complete>,
C<active>, C<on_dispose>), immediately or later. The function may return a disposable or a function that stops the
source.

=head2 SignalKit::iterate($f)

Emits the results of the function while the subscription is active, until a result is undef. All subscriptions share the
function.

=head2 SignalKit::of(@values), SignalKit::from($array)

Emits the values inside each start, and completes.

=head2 SignalKit::using($acquire, $use, $release)

Creates a resource for each start, and behaves like the signal that C<$use> creates with it. C<$release> receives the
resource once, when the subscription is torn down.

=head2 SignalKit::accumulating_loop($once, $reduce)

Runs the signals that C<$once-E<gt>($accumulated)> returns one after another, until it returns undef.
C<$reduce-E<gt>($accumulated, $value)> folds all their values, and the accumulated value is emitted at each value.

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

Returns a value that is passed as bytes, and arrives as a string of them. C<sink_fd> writes these bytes unchanged. (For
a string, which is text, it writes UTF-8.) Dies if a character is not a byte.

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
        })->repeat->take_until($over->signal);
    });
}

require SignalKit::Signal;
require SignalKit::Entries;
require SignalKit::Objects;

=head2 SignalKit::run, SignalKit::stop

Runs the main queue until C<stop>. System signals are handled. If one arrives just before the wait, it is handled at
most a quarter of a second late.

=head2 SignalKit::main_fd, SignalKit::drain_main

For another loop: the descriptor is readable when the main queue has work, and C<drain_main> runs the work.

=head2 SignalKit::is_main

Returns whether the caller is on the main thread, as all Perl code is.

=head2 SignalKit::on_unheard($f)

Sets the receiver of errors that no signal can deliver. The function receives the place and the error.

=head2 SignalKit::on_log($f)

Sets the receiver of the library's log, instead of standard error: lines of C<trace>, strict disposables released
without dispose, unhandled errors. The main queue delivers a line from another thread in its order. Without a function,
lines are written to standard error again.

=head2 SignalKit::live_total

Returns the number of live objects of the library, without the internal objects of this module.

=cut

# Perl runs its signal handlers only between its own operations. A signal just before the wait is handled after this time.
# The flags of fd and file_changes: FD_READ, FILE_CREATED and so on.
{
    no strict 'refs';
    for my $name (grep { /\A(?:FD|FILE)_/ } keys %SignalKit::Interface::CONSTANTS) {
        my $value = $SignalKit::Interface::CONSTANTS{$name};
        *{"SignalKit::$name"} = sub () { return $value };
    }
}

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
