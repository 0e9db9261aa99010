# The scenes that the examples of all languages run (docs/languages.md).
#
#     perl examples/perl/main.pl               all scenes except the next two
#     perl examples/perl/main.pl leaving       the program exits with a live subscription
#     perl examples/perl/main.pl interrupted   Ctrl-C ends the waiting program
use strict;
use warnings;
use utf8;
use open ':std', ':encoding(UTF-8)';
use FindBin;
use lib "$FindBin::Bin/../../bindings/perl/lib";
use SignalKit;
$| = 1;

sub show {
    my ($name, $signal) = @_;
    return $signal->start(
        next => sub { print "$name: $_[0]\n" },
        error => sub { chomp(my $problem = $_[0]); print "$name: $problem\n" },
        completed => sub { print "$name: end\n" },
    );
}

sub halves {
    my $pipe = SignalKit::pipe();
    show('half', $pipe->signal->filter(sub { $_[0] % 2 == 0 })->map(sub { $_[0] / 2 }));
    $pipe->next($_) for 1 .. 6;
    $pipe->complete;
    return;
}

sub text { show('text', SignalKit::of('grün')->map(sub { "$_[0]!" })); return }

sub stopped {
    my $pipe = SignalKit::pipe();
    my $subscription = show('stopped', $pipe->signal);
    $pipe->next(1);
    $subscription->dispose;
    $pipe->next(2);
    return;
}

sub own_thread {
    my $place = sub { SignalKit::is_main() ? 'own thread' : 'another thread' };
    SignalKit::of(1, 2, 3)->run_on(SignalKit::queue('elsewhere'))->start(
        next => sub { print $place->(), ": $_[0]\n" },
        completed => sub { print $place->(), ": end\n"; SignalKit::stop() },
    );
    SignalKit::run();
    return;
}

sub failed { show('failed', SignalKit::of(1)->concat_with(SignalKit::fail('unplugged'))); return }

sub thrown {
    show('thrown', SignalKit::of(1, 2, 3, 4)->map(sub { $_[0] == 3 ? die "three is too many\n" : $_[0] * 10 }));
    return;
}

sub misuse {
    eval { show('misuse', SignalKit::of(1)->take(-1)); 1 } or print "misuse: $@";
    return;
}

sub closed_twice {
    my $pipe = SignalKit::pipe();
    my $signal = $pipe->signal;
    my $subscription = show('closed twice', $signal);
    $pipe->next(1);
    $pipe->complete;
    $pipe->complete;
    $subscription->dispose for 1, 2;
    $subscription->close for 1, 2;
    $pipe->next(2); # after the end: dropped
    show('used after close', $signal);
    return;
}

# A function exits by last. Its subscription fails. The pipe and the loop continue.
sub left {
    my $pipe = SignalKit::pipe();
    my ($out, $others);
    $pipe->signal->start(
        next => sub { print "left: $_[0]\n"; no warnings 'exiting'; last },
        error => sub { print "left: and out\n" },
    );
    $others = $pipe->signal->filter(sub { $_[0] == 2 })->start(sub { print "left: $_[0] for the others\n" });
    for my $value (1, 2) { $pipe->next($value) }
    $others->dispose;
    return;
}

# Two timers are combined and throttled. The first attempt fails and is retried.
sub timers {
    my ($attempts, $number) = (0, 0);
    my $pairs = SignalKit::deferred(sub {
        print 'timers: attempt ', ++$attempts, "\n";
        return SignalKit::fail('not yet') if $attempts == 1;
        return SignalKit::combine_latest([SignalKit::interval(0.001), SignalKit::interval(0.002)]);
    })->retry(delay => 0.001, max_delay => 0.01)->throttle(0.003);
    show('timers', $pairs->map(sub { ++$number })->take(3)->after_completed(\&SignalKit::stop));
    SignalKit::run();
    return;
}

sub memory {
    open my $status, '<', '/proc/self/status' or die $!;
    /^VmRSS:\s+(\d+)/ and return $1 while <$status>;
}

# Memory is flat when it has grown by less than a kilobyte for each of the 10,000, after as many before.
sub subscriptions {
    my $source = SignalKit::pipe();
    my $numbers = $source->signal->map(sub { $_[0] + 1 })->take(2);
    my $make_and_drop = sub { $numbers->start(sub { print @_ })->dispose for 1 .. 10_000 };
    $make_and_drop->();
    my ($before, $alive) = (memory(), SignalKit::live_total());
    $make_and_drop->();
    my $grown = memory() - $before;
    printf "subscriptions: 10000 made, %d left\n", SignalKit::live_total() - $alive;
    print 'subscriptions: memory ', $grown < 10_000 ? 'flat' : "$grown KiB more", "\n";
    return;
}

sub own_subscription {
    my $pipe = SignalKit::pipe();
    my $subscription;
    $subscription = $pipe->signal->take(3)->start(
        next => sub { print "own subscription: $_[0]\n"; $subscription->dispose },
        completed => sub { print "own subscription: end\n" },
    );
    $pipe->next(1);
    $pipe->next(2);
    print "own subscription: over\n";
    return;
}

# The program ends with a timer running that calls it all the time.
our $kept;

sub leaving {
    $kept = SignalKit::interval(0.0001, queue => SignalKit::queue('ticks'))->start(\&SignalKit::stop);
    SignalKit::run();
    print "leaving: with a live subscription\n";
    return;
}

# Waits until a signal ends the program. The test sends SIGINT after the line, and checks the exit status.
sub interrupted {
    my $ticks = 0;
    SignalKit::interval(0.001)->start(sub { print "interrupted: waiting\n" if ++$ticks == 2 });
    local $SIG{INT} = sub { exit 130 };
    SignalKit::run();
    return;
}

# Other threads release objects later.
sub alive {
    my $until = time + 60;
    SignalKit::drain_main() until SignalKit::live_total() == 0 || time > $until;
    print 'alive: ', SignalKit::live_total(), "\n";
    return;
}

my $scene = shift // '';
if ($scene eq 'leaving') { leaving() }
elsif ($scene eq 'interrupted') { interrupted() }
else {
    $_->() for \&halves, \&text, \&stopped, \&own_thread, \&failed, \&thrown, \&misuse,
        \&closed_twice, \&left, \&timers, \&subscriptions, \&own_subscription, \&alive;
}
