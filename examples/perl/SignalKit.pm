# SignalKit for Perl, by FFI::Platypus.
#
# An interpreter belongs to one thread, and closures take no structs. So:
# * every Perl function of a pipeline is called on the main thread: the stage that calls it delivers on the main queue first, which runs in
#   SignalKit::run, or in a loop of your own (main_fd, drain);
# * functions have typed callbacks: numbers as f64, or whatever there is as text ($signal->as('text')); one closure serves all functions of a
#   shape, and finds the function by a number, its context;
# * contexts may be let go of on any thread: `destroy` is a native callback of the library itself, whose calls become events on the main queue;
# * a stage returns a signal of its result, of its failure, or none at all: so what a function dies of is the error that ends the run.
package SignalKit;
use strict;
use warnings;
use FFI::Platypus 2.00;
use Scalar::Util 'looks_like_number';
use Time::HiRes 'time';

package SignalKit::Value {
    use FFI::Platypus::Record;
    record_layout_1('uint32' => 'kind', 'uint32' => 'reserved', 'uint64' => 'bits');
}

my $ffi = FFI::Platypus->new(api => 2, lib => 'libsignalkit.so.1');
$ffi->type('record(SignalKit::Value)' => 'value');
$ffi->attach(@$_) for (
    [sgk_last_error => [] => 'string'],
    [sgk_live_total => [] => 'sint64'],
    [sgk_release => ['opaque'] => 'void'],
    [sgk_make_null => [] => 'value'],
    [sgk_make_int => ['sint64'] => 'value'],
    [sgk_make_double => ['double'] => 'value'],
    [sgk_string_n => ['string', 'size_t'] => 'value'],
    [sgk_value_release => ['value'] => 'void'],
    [sgk_signature_create => ['string'] => 'opaque'],
    [sgk_callback_create => ['opaque', 'value', 'opaque', 'opaque', 'opaque'] => 'opaque'],
    [sgk_callback_function => ['opaque'] => 'opaque'],
    [sgk_callback_signal => ['opaque'] => 'opaque'],
    [sgk_signal_retain => ['opaque'] => 'opaque'],
    [sgk_signal_single => ['value'] => 'opaque'],
    [sgk_signal_fail => ['value'] => 'opaque'],
    [sgk_merge_signals => ['opaque[]', 'size_t'] => 'opaque'],
    [sgk_signal_map_to_queue_typed => [('opaque') x 5] => 'opaque'],
    [sgk_signal_start_typed => [('opaque') x 9] => 'opaque'],
    [sgk_signal_take => ['opaque', 'sint64'] => 'opaque'],
    [sgk_signal_then => ['opaque', 'opaque'] => 'opaque'],
    [sgk_signal_run_on => ['opaque', 'opaque'] => 'opaque'],
    [sgk_signal_deliver_on => ['opaque', 'opaque'] => 'opaque'],
    [sgk_disposable_dispose => ['opaque'] => 'int'],
    [sgk_pipe_create => [] => 'opaque'],
    [sgk_pipe_signal => ['opaque'] => 'opaque'],
    [sgk_pipe_next => ['opaque', 'value'] => 'int'],
    [sgk_pipe_complete => ['opaque'] => 'int'],
    [sgk_queue_create => ['string'] => 'opaque'],
    [sgk_queue_main => [] => 'opaque'],
    [sgk_queue_is_current => ['opaque'] => 'bool'],
    [sgk_main_run => [] => 'int'],
    [sgk_main_stop => [] => 'int'],
    [sgk_main_fd => [] => 'int'],
    [sgk_main_drain => [] => 'int'],
);

# One reference to a handle, or to none: every operator passes that on, and the start finds it out.
package SignalKit::Handle {
    sub owning { my ($class, $handle, %more) = @_; return bless { handle => $handle, %more }, $class }

    sub DESTROY {
        my $self = shift;
        return if ${^GLOBAL_PHASE} eq 'DESTRUCT'; # closures may be gone by then
        local $@;
        SignalKit::sgk_release($self->{handle}) if $self->{handle};
    }
}

# ---- Values ----

# Calls $f with Perl's value as one of the library's, lent for the call. What looks like a number is one.
sub lending {
    my ($value, $f) = @_;
    my $raw;
    if (!defined $value) { $raw = sgk_make_null() }
    elsif (ref $value) { die "a signal cannot carry a reference\n" }
    elsif ($value =~ /^-?[0-9]{1,18}\z/) { $raw = sgk_make_int($value) }
    elsif (looks_like_number($value)) { $raw = sgk_make_double($value) }
    else { my $bytes = $value; utf8::encode($bytes) if utf8::is_utf8($bytes); $raw = sgk_string_n($bytes, length $bytes) }
    my $result = $f->($raw);
    sgk_value_release($raw);
    return $result;
}

# ---- Functions ----

my (%functions, $last); # what the contexts stand for

sub context {
    $functions{++$last} = shift;
    return $last;
}

# A signal for what the function returns, which becomes the library's: of one value, or failed; or none.
sub outcome {
    my ($f, $value) = @_;
    my $signal;
    return $signal if eval {
        my $result = $functions{$f}->($value);
        $signal = lending($result, \&sgk_signal_single) if defined $result;
        1;
    };
    chomp(my $message = "$@");
    return lending($message, \&sgk_signal_fail);
}

# The run is over: what a function dies of here can only be printed.
sub report { my ($f, @arguments) = @_; eval { $f->(@arguments); 1 } or warn "signalkit: $@" }

sub native {
    my ($type, $f) = @_;
    my $closure = $ffi->closure($f);
    $closure->sticky; # for good
    return $ffi->cast($type => 'opaque', $closure);
}

my %call = ( # by how values come
    f64 => native('(double, opaque)->opaque', sub { outcome($_[1], $_[0]) }),
    text => native('(string, opaque)->opaque', sub { outcome($_[1], $_[0]) }),
);
my %told = (
    error => native('(string, opaque)->void', sub { report($functions{ $_[1] }{error}, $_[0]) }),
    completed => native('(opaque)->void', sub { report($functions{ $_[0] }{completed}) }),
    forget => native('(opaque)->void', sub { delete $functions{ $_[0] } }),
);

my (%signature, $main, $let_go, $destroy, $forgetting);

sub open_once {
    return if $main;
    my %texts = (
        f64 => '(f64, ctx) -> ptr', text => '(text, ctx) -> ptr',
        error => '(text, ctx) -> void', completed => '(ctx) -> void', forget => '(ptr) -> void',
    );
    $signature{$_} = SignalKit::Handle->owning(sgk_signature_create($texts{$_})) for keys %texts;
    $main = SignalKit::Handle->owning(sgk_queue_main());
    $let_go = SignalKit::Handle->owning(sgk_callback_create($signature{forget}{handle}, sgk_make_null(), undef, undef, undef));
    $destroy = sgk_callback_function($let_go->{handle});
    my $calls = SignalKit::Handle->owning(sgk_callback_signal($let_go->{handle}));
    my $gone = SignalKit::Handle->owning(sgk_signal_deliver_on($calls->{handle}, $main->{handle}));
    $forgetting = SignalKit::Subscription->owning(
        sgk_signal_start_typed($gone->{handle}, $told{forget}, $signature{forget}{handle}, (undef) x 6));
}

# ---- Signals ----

package SignalKit::Signal {
    our @ISA = 'SignalKit::Handle';

    sub derived { my ($self, $handle) = @_; return SignalKit::Signal->owning($handle, type => $self->{type}) }

    # The stage that all functions of a pipeline run in.
    sub stage {
        my ($self, $f) = @_;
        my $here = SignalKit::Handle->owning(SignalKit::sgk_signal_deliver_on($self->{handle}, $main->{handle}));
        my $type = $self->{type};
        return $self->derived(SignalKit::sgk_signal_map_to_queue_typed(
            $here->{handle}, $call{$type}, $signature{$type}{handle}, SignalKit::context($f), $destroy));
    }

    sub map {
        my ($self, $f) = @_;
        return $self->stage(sub { $f->($_[0]) // die "map: the function returned nothing\n" });
    }

    sub filter {
        my ($self, $f) = @_;
        return $self->stage(sub { $f->($_[0]) ? $_[0] : undef });
    }

    # The same signal, whose values functions get as numbers ('f64') or, whatever they are, as text ('text'); and so do those below.
    sub as {
        my ($self, $type) = @_;
        die "as: 'f64' or 'text'\n" unless $call{$type};
        return SignalKit::Signal->owning(SignalKit::sgk_signal_retain($self->{handle}), type => $type);
    }

    sub take { my ($self, $count) = @_; return $self->derived(SignalKit::sgk_signal_take($self->{handle}, $count)) }
    sub then { my ($self, $next) = @_; return $self->derived(SignalKit::sgk_signal_then($self->{handle}, $next->{handle})) }
    sub run_on { my ($self, $queue) = @_; return $self->derived(SignalKit::sgk_signal_run_on($self->{handle}, $queue->{handle})) }

    # next => sub { value }, error => sub { message }, completed => sub { }, each may be missing. What `next` dies of ends the run, and `error` is told.
    sub start {
        my ($self, %handlers) = @_;
        my $next = $handlers{next} // sub { };
        my $receiving = $self->stage(sub { $next->($_[0]); return });
        my $ends = SignalKit::context({
            error => $handlers{error} // sub { warn "signalkit: $_[0]\n" },
            completed => $handlers{completed} // sub { },
        });
        my $run = SignalKit::sgk_signal_start_typed(
            $receiving->{handle}, undef, undef, $told{error}, $signature{error}{handle}, $told{completed}, $signature{completed}{handle}, $ends, $destroy);
        die SignalKit::sgk_last_error(), "\n" unless $run;
        return SignalKit::Subscription->owning($run);
    }
}

package SignalKit::Subscription {
    our @ISA = 'SignalKit::Handle';
    sub dispose { SignalKit::sgk_disposable_dispose($_[0]{handle}) }
}

package SignalKit::Pipe {
    our @ISA = 'SignalKit::Handle';
    sub signal { my $self = shift; return SignalKit::Signal->owning(SignalKit::sgk_pipe_signal($self->{handle}), type => $self->{type}) }
    sub next { my ($self, $value) = @_; SignalKit::lending($value, sub { SignalKit::sgk_pipe_next($self->{handle}, $_[0]) }) }
    sub complete { SignalKit::sgk_pipe_complete($_[0]{handle}) }
}

package SignalKit;

# A signal that emits the values inside the start, and completes; as text if the first looks like no number.
sub of {
    open_once();
    my @singles = map { SignalKit::Handle->owning(lending($_, \&sgk_signal_single)) } @_;
    my $type = @_ && !looks_like_number($_[0]) ? 'text' : 'f64';
    return SignalKit::Signal->owning(sgk_merge_signals([map { $_->{handle} } @singles], scalar @singles), type => $type);
}

sub fail { open_once(); return SignalKit::Signal->owning(lending($_[0], \&sgk_signal_fail), type => 'f64') }
sub pipe { my $type = shift; open_once(); return SignalKit::Pipe->owning(sgk_pipe_create(), type => $type // 'f64') }
sub queue { return SignalKit::Handle->owning(sgk_queue_create($_[0])) }

# The main queue's loop, on the main thread: until stop; or inside a loop that waits for main_fd to be readable, and drains then.
sub run { sgk_main_run() == 0 or die sgk_last_error(), "\n" }
sub stop { sgk_main_stop() }
sub main_fd { my $fd = sgk_main_fd(); return $fd >= 0 ? $fd : die sgk_last_error(), "\n" }
sub drain { sgk_main_drain() == 0 or die sgk_last_error(), "\n" }

# Whether the caller is on the thread of Perl: the main thread.
sub is_main { open_once(); return sgk_queue_is_current($main->{handle}) }

# Waits (a minute at most) until no function is in use, lets go of what the module holds, and returns how many objects are left alive. Other threads let
# go in their own time, and tell the main queue. The module can be used again afterwards.
sub close {
    my $until = time + 60;
    my $wait = sub {
        my $done = shift;
        until ($done->() || time > $until) { drain(); select undef, undef, undef, 0.001 }
    };
    $wait->(sub { !%functions });
    if (!%functions) {
        $forgetting->dispose if $forgetting;
        undef $_ for $forgetting, $let_go, $main, $destroy;
        %signature = ();
        $wait->(sub { sgk_live_total() == 0 });
    }
    return sgk_live_total();
}

1;
