# Watches this machine: how busy the processors are, how much memory is free, and a warning when they stay busy.
#
#     perl examples/perl/loadwatch.pl [SECONDS]
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../bindings/perl/lib";
use SignalKit;
use List::Util 'sum';

$| = 1;
my $seconds = shift // 10;

sub every { return SignalKit::interval($_[0])->start_with(-1) }

sub lines_of {
    open my $file, '<', $_[0] or die "$_[0]: $!\n";
    return <$file>;
}

sub busy_and_idle {
    my (undef, $user, $nice, $system, $idle, $waiting, @rest) = split ' ', (lines_of('/proc/stat'))[0];
    return [sum($user, $nice, $system, @rest[0 .. 2]), $idle + $waiting];
}

# The part of the time, between two looks, in which the processors were busy.
my $load = every(0.25)->map(\&busy_and_idle)->pairwise->compact_map(sub {
    my ($before, $after) = @{ $_[0] };
    my ($busy, $idle) = map { $after->[$_] - $before->[$_] } 0, 1;
    return $busy + $idle > 0 ? $busy / ($busy + $idle) : undef;
})->share;
my $free = every(0.5)->map(sub {
    my ($kilobytes) = map { /^MemAvailable:\s+([0-9]+)/ } lines_of('/proc/meminfo');
    return int($kilobytes / 1024);
})->distinct_until_changed;

my $subscriptions = SignalKit::disposable_bag(
    SignalKit::combine_latest([$load, $free])->throttle(0.5)->start(sub {
        my ($busy, $megabytes) = @{ $_[0] };
        printf "cpu %3d %%   %6d MB free\n", $busy * 100, $megabytes;
    }),
    $load->scan(0, sub { $_[1] > 0.9 ? $_[0] + 1 : 0 })->filter(sub { $_[0] == 8 })->start(sub {
        print "busy for two seconds\n";
    }),
);
SignalKit::timer($seconds)->start(\&SignalKit::stop);
$SIG{INT} = \&SignalKit::stop;
SignalKit::run();
$subscriptions->dispose;
