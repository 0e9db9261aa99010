# A map and a filter in Perl, as described in ../python/languages.py.
use strict;
use warnings;
use FFI::Platypus;
use SignalKit;
use Time::HiRes 'time';

my ($case, $warm, $count) = @ARGV;
my $sum;

sub plus_one { $_[0] + 1 }
sub is_even  { $_[0] % 2 == 0 }
sub add      { $sum += $_[0] }

sub through_pipe {
    my $pipe = SignalKit::pipe();
    $pipe->signal->map(\&plus_one)->filter(\&is_even)->start(\&add);
    $pipe->next($_) for 0 .. $_[0] - 1;
    $pipe->close;
}

sub range { SignalKit::range(0, $_[0])->map(\&plus_one)->filter(\&is_even)->start(\&add) }

# Stages are closures, each of which calls the next one.
sub map_to {
    my ($f, $next) = @_;
    sub { $next->($f->($_[0])) }
}

sub filter_to {
    my ($f, $next) = @_;
    sub { $next->($_[0]) if $f->($_[0]) }
}

sub peer {
    my $first = map_to(\&plus_one, filter_to(\&is_even, \&add));
    $first->($_) for 0 .. $_[0] - 1;
}

# A function of C calls a function for each value, which counts the calls.
sub call {
    my $ffi = FFI::Platypus->new(api => 2, lib => undef);
    my $compare = $ffi->closure(sub { $sum++; 1 });
    my @types = ('opaque', 'opaque', 'size_t*', 'size_t', '(opaque,opaque)->int');
    $ffi->function(lfind => \@types, 'opaque')->call(undef, undef, \$_[0], 0, $compare);
}

my %cases = (range => \&range, pipe => \&through_pipe, peer => \&peer, call => \&call);

sub run {
    $sum = 0;
    $cases{$case}->($_[0]);
}
run($warm) if $warm;
my $start = time;
run($count);
printf "%.3f %d\n", (time - $start) * 1e9 / $count, $sum;
