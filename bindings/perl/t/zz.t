use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use Test::More;
use SignalKit;
use Check;
sub of { return SignalKit::of(@_) }
sub failing { return $_[0]->concat_with(SignalKit::fail('x')) }

my %operators = (
    (map { my $name = $_; $name => sub { $_[0]->$name($_[1]) } } qw(map filter compact_map before_next transform
        take_while skip_while switch_map concat_map exhaust_map group_by distinct distinct_until_changed
        before_started before_completed)),
    (map { my $name = $_; $name => sub { $_[0]->$name(0, $_[1]) } } qw(scan reduce reduce_generator)),
    (map { my $name = $_; $name => sub { failing($_[0])->$name($_[1]) } } qw(catch map_error before_error)),
    retry => sub { failing($_[0])->retry(decide => $_[1]) },
    combine_latest => sub { SignalKit::combine_latest([$_[0], $_[0]], $_[1]) },
    with_latest_from => sub { $_[0]->with_latest_from(of(1), $_[1]) },
    (map { my $make = SignalKit->can($_); $_ => sub { $make->($_[1]) } } qw(deferred create iterate)),
    using => sub { SignalKit::using($_[1], \&of, sub { }) },
    accumulating_loop => sub { SignalKit::accumulating_loop($_[1], sub { }) },
);
my $last=0;
for my $name (sort keys %operators) {
    { my ($run, $events) = record($operators{$name}->(of(1, 2), sub { die ["x"] }));
    $run->dispose;}
    SignalKit::drain_main() for 1..10;
    my $l=SignalKit::live_total(); print "$name ", $l-$last, "\n" if $l!=$last; $last=$l;
}
