# Functions for checks in the tests.
package Check;
use strict;
use warnings;
use Exporter 'import';
use Test::More;
use SignalKit;
our @EXPORT = qw(record eventually nothing_alive);

# Returns a subscription and its events, as an array that grows.
sub record {
    my $signal = shift;
    my @events;
    my $run = $signal->start(
        next => sub { push @events, $_[0] },
        error => sub { push @events, { error => $_[0] } },
        completed => sub { push @events, 'end' },
    );
    return ($run, \@events);
}

# Does the main queue's work until something is so.
sub eventually {
    my $done = shift;
    my $until = time + 60;
    until ($done->()) {
        return fail('nothing has come of it') if time > $until;
        SignalKit::drain_main();
    }
    return;
}

sub nothing_alive {
    my $until = time + 60;
    SignalKit::drain_main() until SignalKit::live_total() == 0 || time > $until;
    is(SignalKit::live_total(), 0, 'nothing is alive');
    return;
}

1;
