package SignalKit::Signal;
use strict;
use warnings;
our @ISA = 'SignalKit::Handle';
use SignalKit::Border ':all';
use SignalKit::Values ':all';
use SignalKit::Arguments ':all';

=encoding UTF-8

=head1 NAME

SignalKit::Signal - a description of a stream of values; each start creates a new subscription

=head1 DESCRIPTION

A signal emits any number of values, then optionally an error or completion. It is immutable. Functions are called on
the main thread. If one dies, the subscription fails with that error. All other operators are in
L<SignalKit::Operators>.

=head1 METHODS

=head2 $signal->describe

Returns the pipeline as a text: a stage in each line, from the end to the sources.

=cut

sub describe {
    my $text = taken(sgk_signal_describe(raw($_[0]), 0));
    chomp $text;
    return $text;
}

=head2 $signal->start($next)

=head2 $signal->start(next => $f, error => $f, completed => $f, waitable => $flag)

Starts a subscription. The source runs before this returns, if it emits inside the start. Each function is optional.
Without C<error> an error is logged. Returns a L<SignalKit::Disposable>, which cancels the subscription; releasing it
does not.

=cut

# ---- Fusion ----
#
# A value that passes from C to Perl and back costs more than most functions. Therefore neighbouring functions are one
# stage of the library, with the names of their operators. It is created when an operator of the library follows. A
# subscription also calls its function for values in the same call from C.

my ($LAST, $COMPLETED) = @CONSTANTS{qw(OUTCOME_LAST OUTCOME_COMPLETED)};

# Returns a value as it would be after its way through C.
sub passed {
    my $value = shift;
    my $kind = ref $value or return $value;
    return $$value if $kind eq 'SignalKit::Data';
    return [map { passed($_) } @$value] if $kind eq 'SignalKit::Items';
    raw($value) if $kind eq 'SignalKit::Signal'; # dies if it is closed
    return $value;
}

# The functions at the end of a stage return the outcome and the value. A value that is dropped has no outcome.
sub emit { return [0, $_[1]] }
sub keep { return $SignalKit::Entries::kept }

# By operator: its function for values. It calls the next one with a value, and with the original result, which the
# library gets. (A function may change its arguments.)
my %FUSED = (
    map => sub {
        my ($pass, $f) = @_;
        return sub { my $result = $f->($_[0]); return $pass->(passed($result), $result) };
    },
    filter => sub {
        my ($pass, $f) = @_;
        return sub { return $f->(my $copy = $_[0]) ? $pass->(@_) : undef };
    },
    before_next => sub {
        my ($pass, $f) = @_;
        return sub { $f->(my $copy = $_[0]); return $pass->(@_) };
    },
    compact_map => sub {
        my ($pass, $f) = @_;
        return sub { my $result = $f->($_[0]); return defined $result ? $pass->(passed($result), $result) : undef };
    },
    scan => sub {
        my ($pass, $f, $accumulated) = @_;
        return sub {
            $accumulated = $f->($accumulated, $_[0]);
            return $pass->(passed($accumulated), $accumulated);
        };
    },
    take => sub {
        my ($pass, $left) = @_;
        return sub {
            $left--; # a value inside of this call waits for its end
            my $answer = $pass->(@_);
            return $answer if $left > 0;
            return $answer && $answer->[0] != $COMPLETED ? [$LAST, $answer->[1]] : [$COMPLETED];
        };
    },
);
my %STATE = map { $_ => 1 } qw(scan take); # Each subscription makes its own function.
my %REPLACES = map { $_ => 1 } qw(map compact_map scan);
my $LONGEST = 100; # The library has a limit of 128 for the names of a stage without a state.

# Returns a signal of an operator that is a key of %FUSED.
sub fusible {
    my ($kind, $self, @arguments) = @_;
    raw($self) if $self->closed; # dies
    my $before = $self->{fused};
    undef $before if $before && $before->{count} == $LONGEST;
    my %last = $before ? %$before : (count => 0, source => at_home($self));
    return bless { fused => { %last, before => $before, kind => $kind, arguments => \@arguments,
        count => $last{count} + 1, state => $last{state} || $STATE{$kind},
        replaces => $last{replaces} || $REPLACES{$kind} } }, 'SignalKit::Signal';
}

sub composed {
    my ($fused, $pass) = @_;
    for (; $fused; $fused = $fused->{before}) { $pass = $FUSED{ $fused->{kind} }->($pass, @{ $fused->{arguments} }) }
    return $pass;
}

# Creates the library's stage of a receiver for values, which keeps the names for it. With a function `begin` each
# subscription has a receiver.
sub stage {
    my ($source, $receiver, $fused) = @_;
    my @names;
    for (my $each = $fused; $each; $each = $each->{before}) { unshift @names, $each->{kind} }
    push @names, 'start' unless @names;
    $receiver->{names} = \@names;
    $receiver->{places} = pack 'P' x @names, @names;
    return owned('SignalKit::Handle', registered($receiver, 'stage', sub {
        my ($entry, $context, $destroy) = @_;
        my $given = struct 'sgk_stage', 'Q10', $context, $destroy, unpack('Q', pack 'P', $receiver->{places}),
            scalar @names, $receiver->{begin} ? ($ENTRIES{begin}, $destroy) : (0, 0), 0, 0, 0, $entry;
        return sgk_signal_stage(raw($source), unpack 'Q', pack 'P', $given);
    }));
}

# Creates the stage of a signal, and returns its pointer.
sub fuse {
    my $signal = shift;
    my $fused = $signal->{fused};
    my $last = $fused->{replaces} ? \&emit : \&keep;
    my $make = sub { receiver($fused->{kind}, composed($fused, $last), keeps => !$fused->{replaces}) };
    my $stage = stage($fused->{source},
        $fused->{state} ? receiver($fused->{kind}, undef, begin => $make) : $make->(), $fused);
    return $signal->{pointer} = delete $stage->{pointer} unless $fused->{state};
    return $signal->{pointer} = sgk_signal_run_on(raw($stage), main()) // refused();
}

sub start {
    my ($self, @given) = @_;
    my %handlers = @given == 1 ? (next => $given[0]) : known('start', [qw(next error completed waitable)], @given);
    callable('start', $handlers{$_}) for grep { defined $handlers{$_} } qw(next error completed);
    raw($self) if $self->closed; # dies
    my ($fused, $f) = ($self->{fused}, $handlers{next});
    my $source = $fused ? $fused->{source} : at_home($self);
    if ($fused || $f) {
        my $receive = composed($fused, $f ? sub { $f->($_[0]); return } : sub { return });
        $source = stage($source, receiver('start', $receive, starts => 1), $fused);
    }
    # No function receives the values of this stage. Behind it, a failure ends the subscription, and does not count as a
    # disposal.
    my $home = owned('SignalKit::Handle', sgk_signal_deliver_on(raw($source), main()));
    my ($error, $end) = @handlers{qw(error completed)};
    my $context = SignalKit::Border::register(receiver('start', undef, completed => $end, error => sub {
        return $error ? $error->(@_) : report('start', $_[0]);
    }));
    my $native = struct 'sgk_handlers', 'Q5', $context, SignalKit::Border::destroy(), 0, $ENTRIES{failing},
        $handlers{completed} ? $ENTRIES{completing} : 0;
    my $place = unpack 'Q', pack 'P', $native;
    return owned('SignalKit::Disposable',
        $handlers{waitable} ? sgk_signal_start_waitable(raw($home), $place) : sgk_signal_start(raw($home), $place));
}

=head2 $signal->map($f)

Emits the function's result for each value.

=head2 $signal->filter($f)

Passes the values for which the function is true.

=head2 $signal->before_next($f)

Calls the function with each value before it is passed on.

=head2 $signal->compact_map($f)

Emits the function's result for each value, except undef.

=head2 $signal->transform($f)

Emits all results of the function for each value, which it returns as a list.

=cut

sub map { return fusible('map', $_[0], callable('map', $_[1])) }

sub filter { return fusible('filter', $_[0], callable('filter', $_[1])) }

sub before_next { return fusible('before_next', $_[0], callable('before_next', $_[1])) }

sub compact_map { return fusible('compact_map', $_[0], callable('compact_map', $_[1])) }

sub transform {
    my ($self, $f) = @_;
    callable('transform', $f);
    return $self->concat_map(sub { return SignalKit::of($f->(@_)) });
}

=head2 $signal->scan($initial, $f)

Emits every accumulated value: the result of C<$f-E<gt>($accumulated, $value)>, which first receives C<$initial>.

=head2 $signal->reduce($initial, $f)

Folds all values into one, and emits it at completion, also when there were no values.

=head2 $signal->reduce_generator($initial, $f)

Folds by signals: the function returns a signal. Its values are arrays of the new accumulated value and, optionally, a
value to emit immediately.

=cut

sub scan {
    my ($self, $initial, $f) = @_;
    return fusible('scan', $self, callable('scan', $f), $initial);
}

sub reduce {
    my ($self, $initial, $f) = @_;
    callable('reduce', $f);
    return $self->scan($initial, $f)->start_with($initial)->take_last(1);
}

sub reduce_generator {
    my ($self, $initial, $f) = @_;
    callable('reduce_generator', $f);
    return with_callback($self, 'reduce_generator', sub { $f->(@_)->map(\&items) }, 'reduce_generator', sub {
        my ($source, @call) = @_;
        return sgk_signal_reduce_generator($source, give($initial), @call);
    });
}

=head2 $signal->switch_map($f)

Follows the signal that the function creates for the latest value.

=head2 $signal->concat_map($f)

Runs the signals that the function creates for the values, one after another.

=head2 $signal->concat_map_latest($f)

Runs the signals that the function creates. Of the signals that arrive during one, it stores only the latest.

=head2 $signal->merge_map($f, %options)

Runs the signals that the function creates simultaneously; see merge_all for the options.

=head2 $signal->map_ordered($f, %options)

Runs the signals that the function creates simultaneously, and passes their values in the order of the values that they
were made of; see merge_all_ordered for the options.

=cut

sub signals {
    my ($self, $name, $f) = @_;
    callable($name, $f);
    return $self->map(sub {
        my $signal = $f->(@_) // return SignalKit::empty();
        return $signal if ref $signal eq 'SignalKit::Signal';
        die "$name: the function is to return a signal, not $signal\n";
    });
}

sub switch_map { return signals($_[0], 'switch_map', $_[1])->switch_to_latest }

sub concat_map { return signals($_[0], 'concat_map', $_[1])->concat_all }

sub concat_map_latest { return signals($_[0], 'concat_map_latest', $_[1])->concat_latest }

# Checks the options, so that an error names this method.
sub merging {
    my ($name, @options) = @_;
    my %options = known($name, [qw(limit waiting overflow error counter)], @options);
    limit($name, 'limit', \%options, 1);
    limit($name, 'waiting', \%options, 1, 0);
    return %options;
}

sub merge_map {
    my ($self, $f, @options) = @_;
    return signals($self, 'merge_map', $f)->merge_all(merging('merge_map', @options));
}

sub map_ordered {
    my ($self, $f, @options) = @_;
    return signals($self, 'map_ordered', $f)->merge_all_ordered(merging('map_ordered', @options));
}

=head2 $signal->switch_map_per($f, %options)

Follows, for each key, the signal that the function creates for the latest value of that key. The signals of different
keys run simultaneously. Option C<key> returns the key of a value; the default is the value itself. C<limit>,
C<overflow>, C<error> and C<counter> limit the number of keys.

=head2 $signal->group_by($f, %options)

Groups the values by keys. At the first value of a key, the function receives the key and the signal of its values, and
creates the signal of the group. The values of these signals are merged. The options are those of switch_map_per.

=cut

my @KEYED = qw(key limit overflow error counter);

sub keyed {
    my ($self, $name, $f, $options, $call) = @_;
    callable($name, $f);
    my $key = callable($name, $options->{key} // sub { $_[0] });
    return derived($self, sub {
        my $current;
        my $keys = $self->map(sub { $current = shift; return $key->($current) });
        return $call->($keys, sub { $current });
    });
}

sub switch_map_per {
    my ($self, $f, @options) = @_;
    my $name = 'switch_map_per';
    my %options = known($name, \@KEYED, @options);
    limit($name, 'limit', \%options, 1);
    return keyed($self, $name, $f, \%options, sub {
        my ($keys, $current) = @_;
        return with_callback($keys, $name, sub { $f->($current->()) }, 'map_to_signal', sub {
            my ($source, @call) = @_;
            return sgk_signal_switch_map_per($source, bound($name, 'limit', \%options), undef, @call);
        });
    });
}

sub group_by {
    my ($self, $f, @options) = @_;
    my $name = 'group_by';
    my %options = known($name, \@KEYED, @options);
    limit($name, 'limit', \%options, 1);
    return keyed($self, $name, $f, \%options, sub {
        my ($keys, $current) = @_;
        return with_callback($keys, $name, sub { $f->($_[0], $_[1]->map($current)) }, 'pipeline', sub {
            my ($source, @call) = @_;
            return sgk_signal_group_by($source, bound($name, 'limit', \%options), undef, @call);
        });
    });
}

=head2 $signal->map_error($f)

Fails with the function's result for the error.

=head2 $signal->after_disposed($f)

Calls the function once after the subscription was torn down, later on the main thread.

=head2 $signal->retry(%options)

If the signal fails, starts it again after a delay: by default after 1 second, then after twice as long each time.

Options: C<attempts> (the number of attempts, including the first one; 0: no limit), C<delay> (seconds before the second
attempt: 1; 0: no wait), C<factor> (multiplies each further delay: 2), C<increment> (lengthens each further delay by these
seconds: 0), C<max_delay> (the longest delay: 60), C<jitter> (from 0 to 1: the largest random change of a
delay, as a part of it), C<reset_after> (a failure counts as the first one if the attempt lasted this many seconds; 0:
never), C<seed>, C<reset_on_value> (whether the failure after a value counts as the first one), C<decide>, C<queue>.

C<< decide => sub { my ($error, $failures) = @_; ... } >> returns true to start again after the delay, false to fail, or
a signal. The first value of the signal starts the next attempt. If it fails, its error is the result. If it completes
without a value, the result fails with the error of the attempt.

=head2 $signal->from_events

Converts arrays to events: the reverse of to_events. An array contains a number (0: a value, 1: an error, 2: the end)
and a value.

=cut

sub map_error {
    my ($self, $f) = @_;
    callable('map_error', $f);
    return $self->catch(sub { return SignalKit::fail($f->(@_)) });
}

sub after_disposed { return with_callback($_[0], 'after_disposed', $_[1], 'call', \&sgk_signal_after_disposed) }

# The function of retry, with a signal instead of a flag.
sub decision {
    my $decide = shift;
    return sub {
        my $answer = $decide->(@_);
        return ref $answer ? $answer : $answer ? undef : SignalKit::empty();
    };
}

sub retry {
    my ($self, @options) = @_;
    my $name = 'retry';
    my @numbers = qw(delay factor increment max_delay jitter reset_after);
    my %options = known($name, ['attempts', @numbers, qw(seed reset_on_value decide queue)], @options);
    my %given = (attempts => 0, delay => 1, factor => 2, increment => 0, max_delay => 60, jitter => 0, reset_after => 0,
        seed => 0, %options);
    my %policy = map { $_ => at_least($name, $_, number($name, $_, $given{$_}), $_ eq 'factor' ? 1 : 0) } @numbers;
    die "retry: max_delay must be more than 0\n" if $policy{max_delay} == 0;
    die "retry: jitter must be from 0 to 1\n" if $policy{jitter} > 1;
    $policy{delay} = $CONSTANTS{AT_ONCE} if $policy{delay} == 0;
    my @fields = (at_least($name, 'attempts', integer($name, 'attempts', $given{attempts}), 0), @policy{@numbers},
        integer($name, 'seed', $given{seed}), $options{reset_on_value} ? 1 : 0);
    my $queue = queue_of($name, \%options, 0);
    my $call = sub {
        my ($source, @callback) = @_;
        my $policy = struct 'sgk_retry', 'qd6Q5', @fields, map { $_ // 0 } @callback[0 .. 2];
        return sgk_signal_retry($source, unpack('Q', pack 'P', $policy), $queue);
    };
    return made($call->(raw($self))) unless defined $options{decide};
    return with_callback($self, $name, decision(callable($name, $options{decide})), 'retry', $call);
}

sub from_events { return made(sgk_signal_from_events(raw($_[0]->map(\&items)))) }

=head2 $signal->link

Starts the signal immediately and returns a L<SignalKit::EventLink> with its values.

=head2 $signal->read(limit => 1024, overflow => 'suspend')

Starts a subscription and buffers its values: returns a L<SignalKit::Reader>.

=head2 $signal->get($timeout)

Waits for the first value and returns it. Dies with the error of the signal. Returns undef if there is no value.

=head2 $signal->collect($timeout)

Waits for the end and returns all values as an array.

=cut

sub link { return owned('SignalKit::EventLink', sgk_event_link_from_signal(raw($_[0]))) }

sub read {
    my ($self, @options) = @_;
    my %options = (limit => 1024, overflow => 'suspend', known('read', [qw(limit overflow error counter)], @options));
    return owned('SignalKit::Reader', sgk_reader_create(raw($self), bound('read', 'limit', \%options)));
}

sub once {
    my ($name, $signal, $timeout) = @_;
    wait_of($name, $timeout);
    my $silence = defined $timeout && SignalKit::pipe(); # a source that releases its subscriber does not end the wait
    $signal = $signal->take_until($silence->signal) if $silence;
    my $reader = $signal->read(limit => 1, overflow => 'drop_newest');
    my ($value) = $reader->next($timeout);
    $reader->close;
    return $value;
}

sub get { return once('get', $_[0]->take(1), $_[1]) }

sub collect { return once('collect', $_[0]->to_array, $_[1]) }

require SignalKit::Operators;

# Behind a stage with a function, take can be fused. Elsewhere it must be in the library: there it stops a source on another
# thread in time.
{
    no warnings 'redefine';
    our $take = \&take;
    *take = sub {
        my ($self, $count) = @_;
        return $take->($self, $count) if !$self->{fused} || integer('take', 'count', $count) < 1;
        return fusible('take', $self, $count);
    };
}

1;
