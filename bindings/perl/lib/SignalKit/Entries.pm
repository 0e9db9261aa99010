# The native callbacks: one for each signature, which finds the program's function by its context. Closures of
# FFI::Platypus take no structs. Therefore a value is passed as two integers, as x86-64 and ARM64 pass it.
package SignalKit::Entries;
use strict;
use warnings;
use FFI::Platypus::Memory 'memcpy';
use SignalKit::Border ':all';
use SignalKit::Values ':all';

my $REFUSED = $CONSTANTS{ERROR_ARGUMENT};

# The code that returns an answer: the type, the conversion of the answer, the substitute after an error, and the
# substitute without a receiver.
my $nothing = ['void', sub { return }, sub { $_[0]->failed($_[1]); return }];
my $flag = ['uint8', sub { $_[1] ? 1 : 0 }, sub { $_[0]->failed($_[1]); 0 }, 0];
my $signal = ['opaque', sub {
    my ($receiver, $answer) = @_;
    return unless defined $answer;
    die "$receiver->{name}: the function is to return a signal, not $answer\n" unless ref $answer eq 'SignalKit::Signal';
    return sgk_retain(raw($answer));
}, sub {
    my ($receiver, $problem) = @_;
    return $receiver->failed($problem) if $receiver->{problem};
    return sgk_signal_fail(give_error($problem));
}];

# How arguments are given: their types, and a call of the function with them. An object of another language is an error.
my $none = ['', sub { return $_[0]->() }];
my $one = [', uint64, uint64', sub { my $f = shift; return $f->(scalar decode(@_)) }];
my $two = [', uint64, uint64, uint64, uint64', sub {
    my $f = shift;
    return $f->(scalar decode(@_[0, 1]), scalar decode(@_[2, 3]));
}];
my $with_signal = [', uint64, uint64, opaque', sub {
    my $f = shift;
    return $f->(scalar decode(@_[0, 1]), owned('SignalKit::Signal', sgk_retain($_[2])));
}];
my $error = [', uint64, uint64', sub { my $f = shift; return $f->(decode_error(@_)) }];
my $with_integer = [', uint64, uint64, sint64', sub { my $f = shift; return $f->(decode_error(@_[0, 1]), $_[2]) }];

sub entry {
    my ($result, $given, $which) = @_;
    my ($type, $finish, $fail, $otherwise) = @$result;
    my $call = $given->[1];
    $which //= 'f';
    return native("(opaque$given->[0])->$type", sub {
        my ($context, @arguments) = @_;
        my $receiver = !$SignalKit::Border::closed && find($context) or return $otherwise;
        my ($fine, $answer) = attempt($call, $receiver->{$which}, @arguments);
        if ($fine) {
            local $@;
            my $finished;
            return $finished if eval { $finished = $finish->($receiver, $answer); 1 };
            $answer = $@;
        }
        return $fail->($receiver, $answer);
    });
}

sub failed {
    my ($out, $problem) = @_;
    store_error($out, $problem);
    return $REFUSED;
}

# Stores the answer; `$fail->($problem)` returns the status if there is none.
sub answered {
    my ($out, $fine, $answer, $fail) = @_;
    local $@;
    return 0 if $fine && eval { store($out, $answer); 1 };
    return $fail->($fine ? $@ : $answer);
}

# As many arguments as values are given before the place for an answer.
sub storing {
    my ($then) = @_;
    return sub {
        my ($context, $word, $bits, @places) = @_;
        my $receiver = !$SignalKit::Border::closed && find($context)
            or return failed($places[-1], 'the program ends');
        my ($fine, $answer) = attempt($one->[1], $receiver->{f}, $word, $bits);
        return $then->($receiver, $fine, $answer, @places);
    };
}

my $TRY = '(opaque, uint64, uint64, opaque)->int';

# Neighbouring functions. They return an outcome and a value in an array, or nothing if the value is dropped. A receiver
# that `keeps` values never replaces one: then the library's own value is passed, which may be an array. That of a start
# leaves null, which has no receiver.
my ($FAILED, $LAST, $COMPLETED) = @CONSTANTS{qw(OUTCOME_FAILED OUTCOME_LAST OUTCOME_COMPLETED)};
our %outcomes;
%outcomes = map { $_ => pack 'LLQ', 0, $CONSTANTS{$_}, 0 } qw(OUTCOME_UNCHANGED OUTCOME_DROPPED OUTCOME_COMPLETED)
    unless %outcomes;
my ($unchanged, $dropped, $completed) = map { unpack 'Q', pack 'P', $outcomes{$_} }
    qw(OUTCOME_UNCHANGED OUTCOME_DROPPED OUTCOME_COMPLETED);
our $kept //= [0]; # the answer for the value of a receiver that keeps it

# The library calls this for each value. A call of another function costs as much as most functions of programs.
sub staged {
    my $receiver = !$SignalKit::Border::closed && $SignalKit::Border::contexts{ $_[0] }
        or return store_error($_[3], 'the program ends', $FAILED);
    my ($fine, $answer) = attempt($one->[1], $receiver->{f}, @_[1, 2]);
    return store_error($_[3], $answer, $FAILED) unless $fine;
    return if $receiver->{starts} && !$answer;
    return memcpy($_[3], $dropped, 16) unless $answer;
    return memcpy($_[3], $unchanged, 16) if $answer == $kept;
    my ($outcome, $value) = @$answer;
    return memcpy($_[3], $completed, 16) if $outcome == $COMPLETED;
    if ($receiver->{keeps}) {
        my $own = sgk_value_retain(@_[1, 2]);
        memcpy($_[3], unpack('Q', pack 'P', my $packed = pack 'LLQ', $own->kind, $LAST, $own->bits), 16);
        return;
    }
    local $@;
    eval { store($_[3], $value, $outcome); 1 } or store_error($_[3], $@, $FAILED);
    return;
}

%ENTRIES = (
    %ENTRIES,
    next => entry($nothing, $one), error => entry($nothing, $error),
    (map { $_ => entry($nothing, $none) } qw(completed action work)),
    failing => entry($nothing, $error, 'error'), completing => entry($nothing, $none, 'completed'),
    filter => entry($flag, $one), equal => entry($flag, $two),
    map_to_signal => entry($signal, $one), reduce_generator => entry($signal, $two),
    pipeline => entry($signal, $with_signal), retry => entry($signal, $with_integer),
    deferred => entry($signal, $none), catch => entry($signal, $error),
    stage => native('(opaque, uint64, uint64, opaque)->void', \&staged),
    begin => native('(opaque)->opaque', sub {
        my $receiver = !$SignalKit::Border::closed && find(shift) or return;
        return SignalKit::Border::register($receiver->{begin}->());
    }),
    modify => native($TRY, storing(sub {
        my ($receiver, $fine, $answer, $out) = @_;
        return answered($out, $fine, $answer, sub { $receiver->failed(shift); return $REFUSED });
    })),
    # undef is the end.
    iterator => native('(opaque, opaque)->uint8', sub {
        my ($context, $out) = @_;
        my $receiver = !$SignalKit::Border::closed && find($context) or return 0;
        my ($fine, $answer) = attempt($receiver->{f});
        return 0 if $fine && !defined $answer;
        return answered($out, $fine, $answer, sub {
            store_error($out, shift, $CONSTANTS{OUTCOME_FAILED});
            return 1;
        }) ? 0 : 1;
    }),
    generator => native('(opaque, opaque)->opaque', sub {
        my ($context, $handle) = @_;
        my $receiver = !$SignalKit::Border::closed && find($context) or return;
        my $subscriber = owned('SignalKit::Subscriber', sgk_retain($handle));
        my ($fine, $answer) = attempt($receiver->{f}, $subscriber);
        return SignalKit::Disposable::given($answer) if $fine;
        sgk_subscriber_error(raw($subscriber), give_error($answer));
        return;
    }),
);

1;
