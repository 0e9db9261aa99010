# Checks before a call, so that the message names operator, argument and value.
package SignalKit::Arguments;
use strict;
use warnings;
use Exporter 'import';
use Scalar::Util 'blessed', 'looks_like_number';
use SignalKit::Border ':all';
use SignalKit::Values ':all';

our @EXPORT_OK = qw(integer integer32 flags number text callable pointer known at_least limit repetitions wait_of bound edges queue_of
    made listed spread by_key guarded with_callback derived at_home);
our %EXPORT_TAGS = (all => \@EXPORT_OK);
my %OVERFLOW = (suspend => 1, drop_oldest => 2, drop_newest => 3, keep_latest => 4, error => 5, pause => 256);
my %EDGES = (leading => 1, trailing => 2, both => 3);

sub wrong {
    my ($method, $name, $wanted, $value) = @_;
    my $shown = !defined $value ? 'undef' : looks_like_number($value) || ref $value ? "$value" : "'$value'";
    die "$method: $name: expected $wanted, got $shown\n";
}

sub integer {
    my ($method, $name, $value) = @_;
    return $value if defined $value && !ref $value && $value =~ /\A-?[0-9]+\z/;
    wrong($method, $name, 'an integer', $value);
}

sub integer32 {
    my ($method, $name, $value) = @_;
    return $value if abs integer($method, $name, $value) < 2**31;
    wrong($method, $name, 'an integer of 32 bits', $value);
}

# Returns a set of flags: the sum of at least one of the constants with this prefix. Some are reported only.
sub flags {
    my ($method, $name, $value, $prefix) = @_;
    my @words = sort grep { /\A$prefix/ && !/HANGUP|IS_FOLDER/ } keys %CONSTANTS;
    my $all = 0;
    $all |= $CONSTANTS{$_} for @words;
    my $set = integer($method, $name, $value);
    return $set if $set >= 1 && ($set & $all) == $set;
    die "$method: $name must consist of ", join(', ', @words), "\n";
}

sub number {
    my ($method, $name, $value) = @_;
    return $value if defined $value && !ref $value && looks_like_number($value);
    wrong($method, $name, 'a number', $value);
}

sub text {
    my ($method, $name, $value) = @_;
    wrong($method, $name, 'a string', $value) if !defined $value || ref $value;
    utf8::encode(my $bytes = $value);
    return $bytes;
}

sub callable {
    my ($method, $f) = @_;
    return $f if ref $f eq 'CODE';
    wrong($method, 'f', 'a function', $f);
}

sub pointer {
    my ($method, $name, $value, $class, $optional) = @_;
    return if $optional && !defined $value;
    return raw($value) if blessed $value && $value->isa($class);
    wrong($method, $name, "a $class", $value);
}

# ---- Of options ----

# That there are no others than those.
sub known {
    my ($method, $names, @options) = @_;
    wrong($method, 'options', 'names with values', $options[-1]) if @options % 2;
    my %options = @options;
    for my $name (keys %options) {
        wrong($method, 'options', 'some of ' . join(', ', @$names), $name) unless grep { $_ eq $name } @$names;
    }
    return %options;
}

# Returns a number that is not too small. The library has negative numbers with a meaning, which Perl does not have.
sub at_least {
    my ($method, $name, $value, $least, $otherwise) = @_;
    return $value if $value >= $least;
    die "$method: $name must be $least or more", $otherwise // '', "\n";
}

sub limit {
    my ($method, $name, $options, $unbounded, $least) = @_;
    return $CONSTANTS{UNBOUNDED} if $unbounded && !defined $options->{$name};
    my $limit = integer($method, $name, $options->{$name});
    return at_least($method, $name, $limit, $least // 1, $unbounded ? ', or undef' : '');
}

sub repetitions {
    my ($method, $name, $value) = @_;
    return limit($method, $name, { $name => $value }, 1, 0);
}

# Returns the seconds of a wait, or undef.
sub wait_of {
    my ($method, $value) = @_;
    return defined $value ? at_least($method, 'timeout', number($method, 'timeout', $value), 0) : undef;
}

sub one_of {
    my ($method, $name, $value, $names) = @_;
    return $names->{ $value // '' } // wrong($method, $name, 'one of ' . join(', ', sort keys %$names), $value);
}

sub edges { return one_of($_[0], 'edges', $_[1]{edges} // 'both', \%EDGES) }

# Returns the bits of a policy, or of 'pause' with another one in an array.
sub overflow_of {
    my ($method, $value) = @_;
    return one_of($method, 'overflow', $value, \%OVERFLOW) unless ref $value eq 'ARRAY';
    my @others = grep { $_ ne 'pause' } @$value;
    return $OVERFLOW{pause} | $OVERFLOW{$others[0]} if @$value == 2 && @others == 1 && $OVERFLOW{$others[0]};
    wrong($method, 'overflow', q('pause' and another policy), "[@$value]");
}

# Returns the bytes of a sgk_bound with the limit of this name. Of what waits for a turn, there may be none. No check may
# fail after it in the same call, because the call takes over its error.
sub bound {
    my ($method, $name, $options) = @_;
    my $limit = 0; # the default of the library
    $limit = limit($method, $name, $options, 1, $name eq 'waiting' ? 0 : 1) || $CONSTANTS{UNBUFFERED}
        if defined $options->{$name};
    my $overflow = overflow_of($method, $options->{overflow} // 'error');
    my $counter = pointer($method, 'counter', $options->{counter}, 'SignalKit::OverflowCounter', 1);
    return struct 'sgk_bound', 'qL2Q3', $limit, $overflow, 0, $counter // 0,
        give($options->{error} // "$method: there is no room for more\n");
}

sub queue_of {
    my ($method, $options, $none) = @_;
    return $none ? undef : main() unless defined $options->{queue};
    return pointer($method, 'queue', $options->{queue}, 'SignalKit::Queue');
}

# ---- How signals are made ----

sub made { return owned('SignalKit::Signal', shift) }

# The signal with its events on the main thread. Those of fused functions are there.
sub at_home {
    my $signal = shift;
    return owned('SignalKit::Handle', sgk_retain(raw($signal))) if $signal->{fused};
    return owned('SignalKit::Handle', sgk_signal_deliver_on(raw($signal), main()));
}

# Creates a signal with a function: `call(source, entry, context, destroy)` calls the library. A source starts on the
# main thread.
sub with_callback {
    my ($self, $name, $f, $shape, $call) = @_;
    my $source = $self && at_home($self);
    my $pointer = registered(receiver($name, callable($name, $f)), $shape,
        sub { return $call->($source ? raw($source) : undef, @_) });
    return made($pointer) if $self;
    my $handle = owned('SignalKit::Handle', $pointer);
    return made(sgk_signal_run_on(raw($handle), main()));
}

# Creates a signal with a function that cannot report a failure. Each subscription creates the operator again, with a
# pipe that fails the subscription.
sub guarded {
    my ($self, $name, $f, $shape, $call) = @_;
    with_callback($self, $name, $f, $shape, $call); # that the arguments are right
    my $source = at_home($self);
    return SignalKit::deferred(sub {
        my $pipe = sgk_pipe_create();
        my $failures = owned('SignalKit::Handle', sgk_pipe_signal($pipe));
        my $operator = owned('SignalKit::Handle', registered(receiver($name, $f, pipe => $pipe), $shape,
            sub { return $call->(raw($source), @_) }));
        return made(sgk_signal_take_until(raw($operator), raw($failures)));
    });
}

# Returns a signal that a function derives from this signal at each start.
sub derived {
    my ($self, $f) = @_;
    raw($self) if $self->closed; # dies
    return SignalKit::deferred($f);
}

# Creates a signal from several signals: `call(array, count)`.
sub listed {
    my ($name, $signals, $call) = @_;
    wrong($name, 'signals', 'an array of signals', $signals) unless ref $signals eq 'ARRAY';
    my @pointers = map { pointer($name, "signals[$_]", $signals->[$_], 'SignalKit::Signal') } 0 .. $#$signals;
    my $array = pack 'Q*', @pointers, 0;
    return made($call->(unpack('Q', pack 'P', $array), scalar @pointers));
}

# A function of several values as one of a list of them.
sub spread {
    my ($name, $f) = @_;
    callable($name, $f);
    return sub { return $f->(@{ $_[0] }) };
}

# The values of which `operator` passes the keys on. That is done at once, on one thread.
sub by_key {
    my ($self, $key, $operator) = @_;
    return derived($self, sub {
        my $value;
        return $operator->($self->map(sub { $value = shift; return $key->($value) }))->map(sub { return $value });
    });
}

1;
