# The soak of the Perl module (see run.py): interrupts, threads of the library and objects that are dropped. The handler
# can run between any two operations of Perl. A function of a signal dies.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../../bindings/perl/lib";
use SignalKit;

$| = 1;
my ($rounds, $interrupted) = (0, 0);

sub expect {
    my ($wanted, $got) = @_;
    die "$got instead of $wanted\n" unless $got eq $wanted;
}

# An object that holds a subscription, and that is freed with the last reference.
sub dropped {
    my $holder = [$_[0]];
    push @$holder, SignalKit::never()->map(sub { $_[0] })->start(sub { }), SignalKit::pipe();
    return scalar @$holder;
}

sub raise_interrupt {
    return $_[0] unless $interrupted;
    $interrupted = 0;
    die "interrupted\n";
}

sub fails_at_seven { return $_[0] == 7 ? die "boom\n" : [$_[0]] }

sub a_round {
    my ($queue, $pipe) = @_;
    my $sums = SignalKit::of(0 .. 8)->map(sub { raise_interrupt($_[0] + 1) })->filter(sub { $_[0] % 2 });
    expect(25, $sums->reduce(0, sub { $_[0] + $_[1] })->get(60));
    my $failing = SignalKit::of(0 .. 8)->map(\&fails_at_seven);
    my $caught = $failing->catch(sub { $_[0] eq "boom\n" ? SignalKit::of('boom') : SignalKit::fail($_[0]) });
    expect('boom', $caught->take_last(1)->get(60));
    my $created = SignalKit::create(sub {
        my $subscriber = shift;
        $subscriber->next([$_]) for 0 .. 4;
        $subscriber->complete;
        return;
    });
    my $sum = 0;
    $sum += $_->[0] for @{ $created->concat_map(sub { SignalKit::of($_[0]) })->collect(60) };
    expect(10, $sum);
    expect(3, SignalKit::timer(0.0001, queue => $queue)->map(\&dropped)->get(60));
    my $seen = 0;
    my $subscription = $pipe->signal->take(3)->map(sub { [$_[0]] })->start(sub { $seen += $_[0][0] });
    $pipe->next(1);
    $subscription->dispose;
    expect(1, $seen);
}

$SIG{INT} = sub { $interrupted = 1 };
my $queue = SignalKit::queue();
my $pipe = SignalKit::pipe();
my $ticks = 0;
my $interval = SignalKit::interval(0.0005, queue => $queue)->map(sub { [$_[0]] })->start(sub { $ticks++ });
my $answer = "continue\n";
while ($answer eq "continue\n") {
    eval {
        print "ready\n";
        a_round($queue, $pipe), $rounds++ while 1;
    };
    die $@ unless $@ eq "interrupted\n";
    print "interrupted\n";
    $answer = <STDIN>;
}
die "no ticks\n" unless $ticks;
$interval->dispose;
undef $_ for $queue, $pipe, $interval;
my $deadline = time + 60;
SignalKit::drain_main() while SignalKit::live_total() > 0 && time < $deadline;
print "rounds $rounds\nalive ", SignalKit::live_total(), "\n";
