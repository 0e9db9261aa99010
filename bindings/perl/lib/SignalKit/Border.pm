# The functions that the library calls.
#
# An interpreter has one thread, the main thread. Therefore a function is called in one of two ways. Usually a stage
# delivers on the main queue first, through one native callback for all functions with the same signature. If the
# library may call on any thread, it calls a native callback of the library, whose calls arrive as events on the main queue.
#
# Nothing in a function unwinds into the library. An exception fails the subscription, and other exits (last, next,
# goto, exit) only leave the function.
package SignalKit::Border;
use strict;
use warnings;
use Exporter 'import';
use FFI::Platypus 2.00;
use Scalar::Util 'refaddr';
use SignalKit::Interface;

our (%CONSTANTS, @EXPORT_OK, %EXPORT_TAGS);
*CONSTANTS = \%SignalKit::Interface::CONSTANTS;

# The state of this module is in package variables, and objects that the library refers to are created once, because a
# program may load its modules again.
package SignalKit::Value {
    use FFI::Platypus::Record;
    record_layout_1('uint32' => 'kind', 'uint32' => 'reserved', 'uint64' => 'bits') unless __PACKAGE__->can('kind');
}

our $ffi;
if (!$ffi) {
    $ffi = FFI::Platypus->new(api => 2, lib => $ENV{SIGNALKIT_LIBRARY} // 'libsignalkit.so.1');
    $ffi->type('record(SignalKit::Value)' => 'value');
    $ffi->attach($_, @{ $SignalKit::Interface::FUNCTIONS{$_} }) for keys %SignalKit::Interface::FUNCTIONS;
}
@EXPORT_OK = keys %SignalKit::Interface::FUNCTIONS;
my @own = qw(raw done refused settle attempt report receiver registered find native main owned immediately struct
    %CONSTANTS %ENTRIES);
push @EXPORT_OK, @own;
%EXPORT_TAGS = (all => \@EXPORT_OK);

# ---- What the library knows by a number ----

our (%contexts, $last);

sub register {
    $contexts{ ++$last } = shift;
    return $last;
}

sub find { return $contexts{ $_[0] // 0 } }

sub forget {
    my $receiver = delete $contexts{ $_[0] } or return;
    sgk_release($receiver->{pipe}) if $receiver->{pipe};
    return;
}

# The objects of values. Each value has its own number, but values of the same object share it.
our (%numbers, %objects, %uses);

sub object_number {
    my $object = shift;
    my $which = $numbers{ refaddr $object } //= ++$last;
    $objects{$which} = $object;
    $uses{$which}++;
    return $which;
}

sub object { return exists $uses{ $_[0] } ? \$objects{ $_[0] } : undef }

sub let_go {
    my $which = shift;
    return forget($which) unless exists $uses{$which};
    return if --$uses{$which};
    delete $uses{$which};
    my $object = delete $objects{$which};
    delete $numbers{ refaddr $object };
    return;
}

# ---- Calls of functions ----

use constant DEEPEST => 100; # calls inside of each other: the stack of C is smaller than Perl's
our ($closed, $unheard, $on_log, $left);
our $depth //= 0;

# Returns whether the function returned, and its result or error. The function is called as the comparison of a sort,
# which has a separate stack that no last, next or goto leaves.
sub attempt {
    my $f = shift;
    return (0, "too many calls inside of each other\n") if $depth >= DEEPEST;
    $depth++;
    local ($@, $_);
    my ($fine, $answer);
    () = sort { $fine = eval { $answer = $f->(@_); 1 } or $answer = $@; 0 } 0, 1; # one comparison
    $depth--;
    return (1, $answer) if $fine;
    $left //= $answer if ref $answer eq 'SignalKit::Exit';
    return (0, $answer);
}

# `exit` inside a function fails its subscription, and the outermost call of the library then exits.
BEGIN {
    our $exit;
    my $before = defined &CORE::GLOBAL::exit ? \&CORE::GLOBAL::exit : undef;
    no warnings 'once';
    *CORE::GLOBAL::exit = $exit = sub (;$) {
        my $status = shift // 0;
        die bless { status => $status }, 'SignalKit::Exit' if $SignalKit::Border::depth;
        return $before->($status) if $before;
        CORE::exit($status);
    } unless $exit;
}

package SignalKit::Exit {
    use overload '""' => sub { "exit $_[0]{status}\n" }, fallback => 1;
}

# After each call that may have called functions.
sub settle {
    return if !$left || $depth;
    my $exit = $left;
    undef $left;
    CORE::exit($exit->{status});
}

# Reports an error that no signal can deliver.
sub report {
    my ($name, $problem) = @_;
    return if ref $problem eq 'SignalKit::Exit';
    return if $unheard && (attempt($unheard, $name, $problem))[0];
    local $@;
    chomp(my $text = eval { "$problem" } // ref $problem);
    warn "signalkit: $name: $text\n";
    return;
}

# A function that the library may call.
sub receiver {
    my ($name, $f, %more) = @_;
    return bless { name => $name, f => $f, %more }, 'SignalKit::Receiver';
}

package SignalKit::Receiver {
    # Handles an error that has no other receiver.
    sub failed {
        my ($self, $problem) = @_;
        if ($self->{problem}) { push @{ $self->{problem} }, $problem }
        elsif ($self->{pipe}) { SignalKit::Border::sgk_pipe_error($self->{pipe}, SignalKit::Values::give_error($problem)) }
        else { SignalKit::Border::report($self->{name}, $problem) }
        return;
    }
}

# ---- Calls of the library ----

sub refused { die text(sgk_last_error()), "\n" }

# Returns a text of the library with the name of the function alone: `take: count: must be 0 or more`.
sub text { return $_[0] =~ s/\Asgk_(?:signal_|disposable_|queue_(?:create_)?|to_object: )?//r }

# Returns whether the call succeeded; false if the status is this answer.
sub done {
    my ($status, $answer) = @_;
    settle();
    return 1 if $status >= 0;
    return 0 if defined $answer && $status == $answer;
    refused();
}

# Returns the bytes of a struct of the library: its size, these fields, and zeros for the fields after them.
sub struct {
    my ($name, $template, @fields) = @_;
    my $size = $SignalKit::Interface::SIZES{$name};
    my $bytes = pack "Q$template", $size, @fields;
    return $bytes . "\0" x ($size - length $bytes);
}

# The pointer of an object of the library's.
sub raw {
    my $object = shift;
    return $object->{pointer} if $object->{pointer};
    return SignalKit::Signal::fuse($object) if $object->{fused};
    die ref $object, ": used after it was closed\n";
}

# The object of a reference that is the caller's, or the reason why there is none.
sub owned {
    my ($class, $pointer) = @_;
    settle();
    return bless { pointer => $pointer // refused() }, $class;
}

sub native {
    my ($type, $f) = @_;
    my $closure = $ffi->closure($f);
    $closure->sticky; # for good
    return $ffi->cast($type => 'opaque', $closure);
}

# ---- Events from other threads ----

our %ENTRIES; # by shape; made in Entries.pm
our ($destroy, $log, $main, $forget_after_calls, @kept);

sub main { return $main }

sub signature { return sgk_signature_create(shift) }

sub logged {
    my $line = shift;
    return print STDERR "$line\n" unless $on_log; # no more, since it was written
    my ($fine, $problem) = attempt($on_log, $line);
    report('on_log', $problem) unless $fine;
    return;
}

# Inside a call, further events of `calling` are queued, but events of `leaving` overtake them. Therefore an event of
# `leaving` only sends the negative number through `calling`.
sub come_home {
    my (undef, $word, $bits) = @_;
    return if $closed;
    my $kind = $word & 0xffff_ffff;
    return $forget_after_calls->call(-$bits) if $kind == $CONSTANTS{POINTER};
    my $number = unpack 'q', pack 'Q', $bits;
    return let_go(-$number) if $kind == $CONSTANTS{INT} && $number < 0;
    return logged(SignalKit::Values::decode($word, $bits)) if $kind == $CONSTANTS{STRING};
    my $receiver = find($bits) or return;
    my ($fine, $problem) = attempt($receiver->{f});
    $receiver->failed($problem) unless $fine;
    return;
}

if (!$main) {
    $main = sgk_queue_main();
    die "signalkit: to be loaded on the main thread\n" unless sgk_queue_is_current($main);
    my @null = (0, 0);
    my ($calling, $leaving, $logging) = map { sgk_callback_create(signature($_), @null, undef, undef, undef) }
        '(i64) -> void', '(ptr) -> void', '(ctx, cstr) -> void';
    $ENTRIES{call} = sgk_callback_function($calling);
    $forget_after_calls = $ffi->function($ENTRIES{call} => ['sint64'] => 'void');
    $destroy = sgk_callback_function($leaving);
    $log = sgk_callback_function($logging);
    my @events = map { sgk_callback_signal($_) } $calling, $leaving, $logging;
    my $home = sgk_signal_deliver_on(sgk_merge(pointers(@events), scalar @events), $main);
    @kept = sgk_signal_start_next($home, native('(opaque, uint64, uint64)->void', \&come_home), undef, undef);
}

# Several pointers, as long as the caller needs them.
our $array;

sub pointers {
    $array = pack 'Q*', @_, 0;
    return unpack 'Q', pack 'P', $array;
}

# Calls the library with a function: `call(entry, context, destroy)`. From the call on the context is its own.
sub registered {
    my ($receiver, $shape, $call) = @_;
    my $context = register($receiver);
    my $answer;
    my $entry = $ENTRIES{$shape} // die "no entry for $shape";
    return $answer if eval { $answer = $call->($entry, $context, $destroy); 1 };
    my $problem = $@;
    forget($context);
    die $problem;
}

# A call inside of which alone a function is called: what that dies of, this dies of.
sub immediately {
    my ($name, $f, $shape, $call) = @_;
    my $receiver = receiver($name, $f, problem => []);
    my $context = register($receiver);
    my $answer = $call->($ENTRIES{$shape}, $context);
    forget($context);
    settle();
    die $receiver->{problem}[0] if @{ $receiver->{problem} };
    return $answer;
}

sub destroy { return $destroy }

sub log_to {
    $on_log = shift;
    return sgk_set_log_handler($on_log ? $log : undef, undef, undef);
}

our $own //= sgk_live_total();

# FFI::Platypus has no support for this: a thread that ends would free its closures a second time.
sub CLONE { die "signalkit: create threads before you load SignalKit: FFI::Platypus cannot copy closures to them\n" }

# The interpreter goes before the process does: from here on nothing calls it.
END { $closed = 1 }

1;
