# The pipelines of pipelines.py, run by the Perl package.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../bindings/perl/lib";
use SignalKit;

use constant SECOND => 1e6; # of microseconds
sub joined { return $_[0] * 100 + $_[1] }

my %plain = (
    map => sub { my ($s, $n) = @_; $s->map(sub { $_[0] * 10 + $n }) },
    filter => sub { my ($s, $n) = @_; $s->filter(sub { $_[0] % $n }) },
    scan => sub { $_[0]->scan(0, sub { $_[0] + $_[1] }) },
    distinct => sub { $_[0]->distinct_until_changed },
    take_while => sub { my ($s, $n) = @_; $s->take_while(sub { $_[0] < $n }) },
    skip_while => sub { my ($s, $n) = @_; $s->skip_while(sub { $_[0] < $n }) },
    default => sub { $_[0]->default_if_empty($_[1]) },
    ignore => sub { $_[0]->ignore_values },
    catch_value => sub { $_[0]->catch_and_return($_[1]) },
    first => sub { $_[0]->take(1) },
    (map { my $name = $_; $name => sub { $_[0]->$name($_[1]) } } qw(take skip take_last start_with end_with repeat)),
);
my %timed = map { $_ => 1 } qw(delay_start debounce throttle take_for sample);
my %joining = (
    merge => sub { SignalKit::merge([@_]) },
    then => sub { $_[0]->concat_with($_[1]) },
    combine => sub { SignalKit::combine_latest([@_], \&joined) },
    zip => sub { SignalKit::zip([@_], \&joined) },
    with_latest => sub { $_[0]->with_latest_from($_[1], \&joined) },
    race => sub { SignalKit::race([@_]) },
    take_until => sub { $_[0]->take_until($_[1]) },
    skip_until => sub { $_[0]->skip_until($_[1]) },
    switch_if_empty => sub { $_[0]->switch_if_empty($_[1]) },
    map {
        my ($word, $name) = @$_;
        $word => sub { my ($s, $other) = @_; $s->$name(sub { $other }) }
    } ['catch', 'catch'], ['switch', 'switch_map'], ['queue', 'concat_map'], ['merged', 'merge_map'],
        ['exhaust', 'exhaust_map'],
);

sub now { return sprintf '%.0f', $_[0]->now * SECOND }

sub emit {
    my ($subscriber, $kind, $value) = @_;
    return $subscriber->next($value + 0) if $kind eq '=';
    return $subscriber->complete if $kind eq '|';
    return $subscriber->error(7);
}

sub cold {
    my ($queue, $times, $events) = @_;
    return SignalKit::create(sub {
        my $subscriber = shift;
        push @{ $times->{started} }, now($queue);
        my @timers;
        while ($events =~ /([0-9]+)([=|!])([0-9]*)/g) {
            my ($time, $kind, $value) = ($1, $2, $3);
            push @timers, $queue->after($time / SECOND, sub { emit($subscriber, $kind, $value) });
        }
        return sub {
            push @{ $times->{disposed} }, now($queue);
            $_->dispose for @timers;
        };
    });
}

sub pipeline {
    my ($words, $queue, $log) = @_;
    my @stack;
    for my $word (split ' ', $words) {
        my ($name, $number, $events) = split /:/, $word;
        $number += 0 if defined $number; # a string is another value
        if ($name eq 'cold') { push @stack, cold($queue, $log->[$number] = {}, $events // '') }
        elsif ($joining{$name}) { push @stack, $joining{$name}->(splice @stack, -2) }
        elsif ($timed{$name}) { push @stack, pop(@stack)->$name($number / SECOND, queue => $queue) }
        elsif ($name eq 'delay') {
            push @stack, pop(@stack)->delay($number / SECOND, queue => $queue, limit => 1000);
        }
        else { push @stack, $plain{$name}->(pop @stack, $number) }
    }
    return $stack[-1];
}

sub run {
    my ($over, $words) = split / /, shift, 2;
    my ($queue, $log, @seen, $running) = (SignalKit::virtual_queue(), []);
    my $signal = pipeline($words, $queue, $log);
    $queue->dispatch(sub {
        $running = $signal->start(
            next => sub { push @seen, now($queue) . "=$_[0]" },
            error => sub { push @seen, now($queue) . '!7' },
            completed => sub { push @seen, now($queue) . '|' },
        );
    });
    $queue->after($over / SECOND, sub { $running->dispose });
    $queue->advance_to(60);
    for my $number (grep { $log->[$_]{started} } 0 .. $#$log) {
        push @seen, "$number+" . join(',', @{ $log->[$number]{started} });
        push @seen, "$number-" . join(',', @{ $log->[$number]{disposed} // [] });
    }
    return "@seen";
}

while (my $line = <STDIN>) {
    chomp $line;
    print run($line), "\n";
}
my $deadline = time + 300;
SignalKit::drain_main() until SignalKit::live_total() == 0 || time > $deadline;
print 'alive ', SignalKit::live_total(), "\n";
