# Pipes, promises, shared subscriptions, queues and disposables.
package SignalKit::Objects;
use strict;
use warnings;

=encoding UTF-8

=head1 NAME

SignalKit::Objects - disposables, pipes, state, sharing, links, queues, timers, pools, readers

=head1 DESCRIPTION

Where a function is called "later", it is called on the main thread, in the order of the main queue.

=cut

package SignalKit::Subscriber {
    our @ISA = 'SignalKit::Handle';
    use SignalKit::Border ':all';
    use SignalKit::Values ':all';
    use SignalKit::Arguments ':all';

    my $ENDED = $CONSTANTS{ERROR_ENDED};

    sub next { return done(sgk_subscriber_next(raw($_[0]), give($_[1])), $ENDED) }

    sub error { return done(sgk_subscriber_error(raw($_[0]), give($_[1])), $ENDED) }

    sub complete { return done(sgk_subscriber_complete(raw($_[0])), $ENDED) }

    sub active { return sgk_subscriber_is_active(raw($_[0])) }

    sub on_dispose {
        my ($self, $f) = @_;
        return done(registered(receiver('on_dispose', callable('on_dispose', $f)), 'call',
            sub { return sgk_subscriber_on_dispose(raw($self), @_) }));
    }

    sub is_paused { return sgk_subscriber_is_paused(raw($_[0])) }

    sub on_resume {
        my ($self, $f, @rest) = @_;
        my %options = known('on_resume', ['queue'], @rest);
        my $queue = queue_of('on_resume', \%options);
        done(registered(receiver('on_resume', callable('on_resume', $f)), 'call',
            sub { return sgk_subscriber_on_resume(raw($self), @_, $queue) }));
        return $self;
    }
}

=head1 SignalKit::Disposable

A subscription, an action, or a container of disposables: C<dispose>, C<dispose_and_wait> (of a C<waitable>
subscription), C<strict>. C<state> returns whether a subscription is "running", "ended", or "disposed" by the program or
an operator such as C<take>. C<close> disposes it and releases it. C<release>, and the end of the last reference, do not
dispose it. C<hold> pauses the source of a subscription until the result is closed or goes out of scope. Holds are
counted. Values that wait for a queue or a time go on waiting. A source that cannot be paused keeps emitting.
C<SignalKit::action($f)> creates a disposable that calls the function later.

=cut

package SignalKit::Disposable {
    our @ISA = 'SignalKit::Handle';
    use SignalKit::Border ':all';
    use SignalKit::Arguments ':all';

    sub dispose { done(sgk_disposable_dispose($_[0]{pointer})) if $_[0]{pointer}; return }

    sub close {
        my $self = shift;
        sgk_disposable_dispose($self->{pointer}) if $self->{pointer};
        return $self->release;
    }

    sub state { return sgk_disposable_state(raw($_[0])) }

    sub dispose_and_wait { return done(sgk_disposable_dispose_and_wait(raw($_[0])), $CONSTANTS{ERROR_THREAD}) }

    sub hold { return owned('SignalKit::Disposable', sgk_disposable_hold(raw($_[0]))) }

    sub strict {
        my (undef, $file, $line) = caller;
        return owned('SignalKit::Disposable', sgk_disposable_strict(raw($_[0]), $file, $line));
    }

    # Converts a generator's result for the library.
    sub given {
        my $answer = shift;
        $answer = SignalKit::action($answer) if ref $answer eq 'CODE';
        return eval { $answer->isa('SignalKit::Disposable') } ? sgk_retain(raw($answer)) : undef;
    }

    sub SignalKit::action {
        my $f = shift;
        return owned('SignalKit::Disposable', registered(receiver('action', callable('action', $f)), 'call',
            \&sgk_action_disposable_create));
    }
}

=head1 SignalKit::DisposableBag, SignalKit::DisposableDict, SignalKit::DisposableSlot

C<SignalKit::disposable_bag(@members)>: C<add>, C<remove>. C<SignalKit::disposable_dict()>: C<set($key, $member)>.
C<SignalKit::disposable_slot()>: C<set($member)>. Each of them disposes its members when it is disposed.

=cut

package SignalKit::DisposableBag {
    our @ISA = 'SignalKit::Disposable';
    use SignalKit::Border ':all';
    use SignalKit::Values ':all';
    use SignalKit::Arguments ':all';

    sub member { return pointer($_[0], 'member', $_[1], 'SignalKit::Disposable', $_[2]) }

    sub SignalKit::disposable_bag {
        my $set = owned('SignalKit::DisposableBag', sgk_disposable_bag_create());
        $set->add($_) for @_;
        return $set;
    }

    sub add { done(sgk_disposable_bag_add(raw($_[0]), member('add', $_[1]))); return $_[0] }

    sub remove { done(sgk_disposable_bag_remove(raw($_[0]), member('remove', $_[1]))); return $_[0] }

    @SignalKit::DisposableDict::ISA = @SignalKit::DisposableSlot::ISA = 'SignalKit::Disposable';

    sub SignalKit::disposable_dict { return owned('SignalKit::DisposableDict', sgk_disposable_dict_create()) }

    sub SignalKit::DisposableDict::set {
        my ($self, $key, $member) = @_;
        done(sgk_disposable_dict_set(raw($self), give($key), scalar member('set', $member, 1)));
        return $self;
    }

    sub SignalKit::disposable_slot { return owned('SignalKit::DisposableSlot', sgk_disposable_slot_create()) }

    sub SignalKit::DisposableSlot::set {
        my ($self, $member) = @_;
        done(sgk_disposable_slot_set(raw($self), scalar member('set', $member, 1)));
        return $self;
    }
}

=head1 SignalKit::Pipe

A hot source: C<SignalKit::pipe(replay =E<gt> $flag)>, C<signal>, C<next> (false: the pipe has ended), C<complete>,
C<error>. Its subscriptions last while the pipe exists. C<close> completes it and releases it. C<is_paused> returns whether
a subscription asks for a pause, because a buffer with the policy "pause" is full behind it. A value that is sent
nevertheless exceeds the limit. C<on_resume($f, queue =E<gt> $queue)> calls a function once on the queue, as soon as none
asks for a pause, or at once.

=head1 SignalKit::State

Stores a value and emits its changes: C<SignalKit::state($value, ignore_repeated =E<gt> $flag)>, C<value>, C<set>,
C<modify($f)>, C<signal>.

=head1 SignalKit::Promise

Stores the latest value of the signal that was set last: C<SignalKit::promise($value, first =E<gt> $signal)>,
C<set($signal)>, C<signal>, C<on_deinit($f)>.

=head1 SignalKit::Multicast, SignalKit::MulticastSignalManager, SignalKit::Sequencer, SignalKit::OverflowCounter

C<SignalKit::multicast()>: C<get($key, $signal)>. C<SignalKit::multicast_signal_manager()>: C<multicasted_signal($key,
$f)>, C<start_standalone($key, $f)>, C<multicasted_pipe($key)>, C<next($key, $value)>. C<SignalKit::sequencer()>:
C<enqueue($signal)>. C<SignalKit::overflow_counter()>: C<dropped>, C<suspended>.

=cut

package SignalKit::Pipe {
    our @ISA = 'SignalKit::Handle';
    use SignalKit::Border ':all';
    use SignalKit::Values ':all';
    use SignalKit::Arguments ':all';

    sub SignalKit::pipe {
        my %options = known('pipe', ['replay'], @_);
        return owned('SignalKit::Pipe', $options{replay} ? sgk_pipe_create_replay() : sgk_pipe_create());
    }

    sub signal { return made(sgk_pipe_signal(raw($_[0]))) }

    sub next { return done(sgk_pipe_next(raw($_[0]), give($_[1])), $CONSTANTS{ERROR_ENDED}) }

    sub is_paused { return sgk_pipe_is_paused(raw($_[0])) }

    sub on_resume {
        my ($self, $f, @rest) = @_;
        my %options = known('on_resume', ['queue'], @rest);
        my $queue = queue_of('on_resume', \%options);
        done(registered(receiver('on_resume', callable('on_resume', $f)), 'call',
            sub { return sgk_pipe_on_resume(raw($self), @_, $queue) }));
        return $self;
    }

    sub complete { done(sgk_pipe_complete(raw($_[0]))); return }

    sub error { done(sgk_pipe_error(raw($_[0]), give($_[1]))); return }

    sub close {
        my $self = shift;
        sgk_pipe_complete($self->{pointer}) if $self->{pointer};
        return $self->release;
    }
}

package SignalKit::State {
    our @ISA = 'SignalKit::Handle';
    use SignalKit::Border ':all';
    use SignalKit::Values ':all';
    use SignalKit::Arguments ':all';

    sub SignalKit::state {
        my ($value, @options) = @_;
        my %options = known('state', ['ignore_repeated'], @options);
        my $ignoring = $options{ignore_repeated} ? 1 : 0;
        return owned('SignalKit::State', defined $value ? sgk_state_create_value(give($value), $ignoring)
            : sgk_state_create($ignoring));
    }

    sub value { return taken(sgk_state_value(raw($_[0]))) }

    sub set { done(sgk_state_set(raw($_[0]), give($_[1]))); return $_[0] }

    sub modify {
        my ($self, $f) = @_;
        my $pointer = raw($self);
        immediately('modify', callable('modify', $f), 'modify', sub { return sgk_state_modify($pointer, @_) });
        return $self;
    }

    sub signal { return made(sgk_state_signal(raw($_[0]))) }
}

package SignalKit::Promise {
    our @ISA = 'SignalKit::Handle';
    use SignalKit::Border ':all';
    use SignalKit::Values ':all';
    use SignalKit::Arguments ':all';

    sub signal_of { return pointer($_[0], 'signal', $_[1], 'SignalKit::Signal') }

    sub SignalKit::promise {
        my ($value, @options) = @_;
        my %options = known('promise', ['first'], @options);
        return owned('SignalKit::Promise', $options{first}
            ? sgk_promise_create_initialize_on_first_access(signal_of('promise', $options{first}))
            : defined $value ? sgk_promise_create_value(give($value)) : sgk_promise_create());
    }

    sub set { done(sgk_promise_set(raw($_[0]), signal_of('set', $_[1]))); return $_[0] }

    sub signal { return made(sgk_promise_signal(raw($_[0]))) }

    sub on_deinit {
        my ($self, $f) = @_;
        return done(registered(receiver('on_deinit', callable('on_deinit', $f)), 'call',
            sub { return sgk_promise_on_deinit(raw($self), @_) }));
    }

    @SignalKit::Multicast::ISA = @SignalKit::MulticastSignalManager::ISA = @SignalKit::Sequencer::ISA =
        @SignalKit::OverflowCounter::ISA = 'SignalKit::Handle';

    sub SignalKit::multicast { return owned('SignalKit::Multicast', sgk_multicast_create()) }

    sub SignalKit::Multicast::get {
        my ($self, $key, $signal) = @_;
        return made(sgk_multicast_get(raw($self), text('get', 'key', $key), signal_of('get', $signal)));
    }

    sub SignalKit::multicast_signal_manager {
        return owned('SignalKit::MulticastSignalManager', sgk_multicast_signal_manager_create());
    }

    sub SignalKit::MulticastSignalManager::multicasted_signal {
        my ($self, $key, $f) = @_;
        my ($name, $pointer) = ('multicasted_signal', raw($self));
        $key = text($name, 'key', $key);
        my $signal; # goes with this call, if that dies
        immediately($name, callable($name, $f), 'deferred', sub {
            my $made = sgk_multicast_signal_manager_multicasted_signal($pointer, $key, @_);
            $signal = bless { pointer => $made }, 'SignalKit::Signal' if $made;
            return;
        });
        return $signal // refused();
    }

    sub SignalKit::MulticastSignalManager::start_standalone {
        my ($self, $key, $f) = @_;
        my ($name, $pointer) = ('start_standalone', raw($self));
        $key = text($name, 'key', $key);
        return done(immediately($name, callable($name, $f), 'deferred', sub {
            return sgk_multicast_signal_manager_start_standalone_signal_if_not_running($pointer, $key, @_);
        }));
    }

    sub SignalKit::MulticastSignalManager::multicasted_pipe {
        my ($self, $key) = @_;
        return made(sgk_multicast_signal_manager_multicasted_pipe(raw($self), text('multicasted_pipe', 'key', $key)));
    }

    sub SignalKit::MulticastSignalManager::next {
        my ($self, $key, $value) = @_;
        $key = text('next', 'key', $key);
        return done(sgk_multicast_signal_manager_next(raw($self), $key, give($value)));
    }

    sub SignalKit::sequencer { return owned('SignalKit::Sequencer', sgk_sequencer_create()) }

    sub SignalKit::Sequencer::enqueue {
        my ($self, $signal) = @_;
        return made(sgk_sequencer_enqueue(raw($self), signal_of('enqueue', $signal)));
    }

    sub SignalKit::overflow_counter { return owned('SignalKit::OverflowCounter', sgk_overflow_counter_create()) }

    sub SignalKit::OverflowCounter::dropped { return sgk_overflow_counter_dropped(raw($_[0])) }

    sub SignalKit::OverflowCounter::exceeded { return sgk_overflow_counter_exceeded(raw($_[0])) }

    sub SignalKit::OverflowCounter::suspended { return sgk_overflow_counter_suspended(raw($_[0])) }
}

=head1 SignalKit::EventLink, SignalKit::EventEmitter, SignalKit::LinkBag

Chains of observers: C<SignalKit::event_emitter($value)> with C<next>, C<error>, C<finish>; links with C<on_next($f)>,
C<on_error($f)>, C<on_finish($f)>, C<map>, C<filter>, C<compact_map>, C<observer>, C<unlink>, C<signal>;
C<SignalKit::link_bag()> with C<add> and C<clear>. Functions are called later.

=cut

package SignalKit::EventLink {
    our @ISA = 'SignalKit::Handle';
    use SignalKit::Border ':all';
    use SignalKit::Values ':all';
    use SignalKit::Arguments ':all';

    sub observe {
        my ($self, $name, $f, $shape, $call) = @_;
        done(registered(receiver($name, callable($name, $f)), $shape, sub { return $call->(raw($self), @_, main()) }));
        return $self;
    }

    sub on_next { return observe($_[0], 'on_next', $_[1], 'next', \&sgk_event_link_on_next) }

    sub on_error { return observe($_[0], 'on_error', $_[1], 'error', \&sgk_event_link_on_error) }

    sub on_finish { return observe($_[0], 'on_finish', $_[1], 'completed', \&sgk_event_link_on_finish) }

    sub map { return $_[0]->signal->map($_[1])->link }

    sub filter { return $_[0]->signal->filter($_[1])->link }

    sub compact_map { return $_[0]->signal->compact_map($_[1])->link }

    sub observer { return owned('SignalKit::EventLink', sgk_event_link_observer(raw($_[0]))) }

    sub unlink { done(sgk_event_link_unlink(raw($_[0]))); return }

    sub signal { return made(sgk_event_link_signal(raw($_[0]))) }

    @SignalKit::EventEmitter::ISA = 'SignalKit::EventLink';

    sub SignalKit::event_emitter {
        return owned('SignalKit::EventEmitter', @_ ? sgk_event_emitter_create_value(give($_[0]))
            : sgk_event_emitter_create());
    }

    sub SignalKit::EventEmitter::next { return done(sgk_event_emitter_next(raw($_[0]), give($_[1]))) }

    sub SignalKit::EventEmitter::error { return done(sgk_event_emitter_error(raw($_[0]), give($_[1]))) }

    sub SignalKit::EventEmitter::finish { return done(sgk_event_emitter_finish(raw($_[0]))) }

    @SignalKit::LinkBag::ISA = 'SignalKit::Handle';

    sub SignalKit::link_bag { return owned('SignalKit::LinkBag', sgk_link_bag_create()) }

    sub SignalKit::LinkBag::add {
        my ($self, $link) = @_;
        done(sgk_link_bag_add(raw($self), pointer('add', 'link', $link, 'SignalKit::EventLink')));
        return $self;
    }

    sub SignalKit::LinkBag::clear { done(sgk_link_bag_clear(raw($_[0]))); return }
}

=head1 SignalKit::Queue

Runs work: C<SignalKit::queue($name)>, C<SignalKit::main_queue()>, C<SignalKit::concurrent_queue()>,
C<SignalKit::background_queue()>; C<async($f)>, C<dispatch($f)>, C<after($seconds, $f)>, C<is_current>, C<now>. A
function is called later, after its turn on the queue.

=head1 SignalKit::VirtualQueue

A queue with a virtual clock, for tests: C<SignalKit::virtual_queue()>, C<advance($seconds)>, C<advance_to($time)>,
C<run($limit)>, C<pending>, C<suspend($seconds)>.

=head1 SignalKit::Timer

C<SignalKit::new_timer($seconds, $f, is_repeated =E<gt> $flag, queue =E<gt> $queue)>: C<start>, C<invalidate>,
C<fire_and_invalidate>, C<reset_timeout($seconds)>, C<is_scheduled>, C<remaining_time>. Releasing the timer stops it.

=head1 SignalKit::ThreadPool

C<SignalKit::thread_pool($threads, $priority)>: C<next_queue>, C<queue>, C<shutdown>.

=cut

package SignalKit::Queue {
    our @ISA = 'SignalKit::Handle';
    use SignalKit::Border ':all';
    use SignalKit::Arguments ':all';

    sub work {
        my ($name, $f, $call) = @_;
        return registered(receiver($name, callable($name, $f)), 'call', $call);
    }

    sub counted { my $count = shift; settle(); return $count < 0 ? refused() : $count }

    sub SignalKit::queue { return owned('SignalKit::Queue', sgk_queue_create(text('queue', 'name', $_[0] // 'perl'))) }

    sub SignalKit::main_queue { return owned('SignalKit::Queue', sgk_queue_main()) }

    sub SignalKit::concurrent_queue {
        return owned('SignalKit::Queue', sgk_queue_concurrent_default()) if !@_;
        my ($name, $threads) = @_;
        return owned('SignalKit::Queue', sgk_queue_create_concurrent(text('concurrent_queue', 'name', $name),
            integer32('concurrent_queue', 'threads', $threads)));
    }

    sub SignalKit::background_queue { return owned('SignalKit::Queue', sgk_queue_concurrent_background()) }

    sub is_current { return sgk_queue_is_current(raw($_[0])) }

    sub now { return sgk_queue_now(raw($_[0])) }

    sub async {
        my ($self, $f) = @_;
        done(work('async', $f, sub { return sgk_queue_async(raw($self), @_) }));
        return $self;
    }

    sub dispatch {
        my ($self, $f) = @_;
        done(work('dispatch', $f, sub { return sgk_queue_dispatch(raw($self), @_) }));
        return $self;
    }

    sub after {
        my ($self, $seconds, $f) = @_;
        number('after', 'seconds', $seconds);
        return owned('SignalKit::Disposable', work('after', $f, sub { sgk_queue_after(raw($self), $seconds, @_) }));
    }

    @SignalKit::VirtualQueue::ISA = 'SignalKit::Queue';

    sub SignalKit::virtual_queue {
        return owned('SignalKit::VirtualQueue', sgk_queue_create_virtual(
            scalar pointer('virtual_queue', 'beside', $_[0], 'SignalKit::VirtualQueue', 1)));
    }

    sub SignalKit::VirtualQueue::advance {
        return done(sgk_queue_advance(raw($_[0]), number('advance', 'seconds', $_[1])));
    }

    sub SignalKit::VirtualQueue::advance_to {
        return done(sgk_queue_advance_to(raw($_[0]), number('advance_to', 'time', $_[1])));
    }

    sub SignalKit::VirtualQueue::run { return counted(sgk_queue_run(raw($_[0]), $_[1] // 1_000_000)) }

    sub SignalKit::VirtualQueue::pending { return counted(sgk_queue_pending(raw($_[0]))) }

    sub SignalKit::VirtualQueue::suspend {
        return done(sgk_queue_suspend(raw($_[0]), number('suspend', 'seconds', $_[1])));
    }

    @SignalKit::Timer::ISA = @SignalKit::ThreadPool::ISA = 'SignalKit::Handle';

    sub SignalKit::new_timer {
        my ($seconds, $f, @options) = @_;
        my %options = known('new_timer', [qw(is_repeated queue)], @options);
        number('new_timer', 'seconds', $seconds);
        my $queue = queue_of('new_timer', \%options, 0);
        my $repeated = $options{is_repeated} ? 1 : 0;
        return owned('SignalKit::Timer',
            work('new_timer', $f, sub { return sgk_timer_create($seconds, $repeated, @_, $queue) }));
    }

    sub SignalKit::Timer::start { done(sgk_timer_start(raw($_[0]))); return $_[0] }

    sub SignalKit::Timer::invalidate { done(sgk_timer_invalidate(raw($_[0]))); return $_[0] }

    sub SignalKit::Timer::fire_and_invalidate { return done(sgk_timer_fire_and_invalidate(raw($_[0]))) }

    sub SignalKit::Timer::reset_timeout {
        return done(sgk_timer_reset_timeout(raw($_[0]), number('reset_timeout', 'seconds', $_[1])));
    }

    sub SignalKit::Timer::is_scheduled { return sgk_timer_is_scheduled(raw($_[0])) }

    sub SignalKit::Timer::remaining_time { return sgk_timer_remaining_time(raw($_[0])) }

    sub SignalKit::thread_pool {
        my ($threads, $priority) = @_;
        return owned('SignalKit::ThreadPool', sgk_thread_pool_create(integer32('thread_pool', 'threads', $threads),
            number('thread_pool', 'priority', $priority // 0.5)));
    }

    sub SignalKit::ThreadPool::next_queue { return owned('SignalKit::Queue', sgk_thread_pool_next_queue(raw($_[0]))) }

    sub SignalKit::ThreadPool::queue { return owned('SignalKit::Queue', sgk_thread_pool_queue(raw($_[0]))) }

    sub SignalKit::ThreadPool::shutdown { return done(sgk_thread_pool_shutdown(raw($_[0]))) }
}

=head1 SignalKit::Reader

Buffers the values of a subscription: C<next($timeout)> waits for one, and runs the main queue during the wait. In list
context it returns an empty list when the signal has completed. It dies with the error of the signal.

=cut

package SignalKit::Reader {
    our @ISA = 'SignalKit::Handle';
    use SignalKit::Border ':all';
    use SignalKit::Values ':all';
    use SignalKit::Arguments ':all';

    # Waiting is refused where it must not be, looking is not.
    use constant LOOKED => 1e-9;

    sub next {
        my ($self, $timeout) = @_;
        my $until = defined $timeout ? Time::HiRes::time() + wait_of('next', $timeout) : undef;
        while (1) {
            my $place = "\0" x 16;
            my $status = sgk_reader_next(raw($self), LOOKED, unpack 'Q', pack 'P', $place);
            settle();
            if ($status == 0 || $status == $CONSTANTS{ERROR_FAILED}) {
                my @words = unpack 'QQ', $place;
                local $@;
                my $value;
                my $fine = eval { $value = decode(@words); 1 };
                my $problem = $fine ? $value : $@;
                sgk_value_release(@words);
                die $problem if $status || !$fine;
                return $value;
            }
            return if $status == $CONSTANTS{ERROR_COMPLETED} || $status == $CONSTANTS{ERROR_ENDED};
            refused() if $status != $CONSTANTS{ERROR_TIMEOUT};
            my $left = defined $until ? $until - Time::HiRes::time() : undef;
            die "timeout\n" if defined $left && $left <= 0;
            SignalKit::wait_for($left, sgk_reader_fd(raw($self)), SignalKit::main_fd());
            SignalKit::drain_main();
        }
    }

    sub close {
        my $self = shift;
        sgk_reader_close($self->{pointer}) if $self->{pointer};
        return $self->release;
    }
}

1;
