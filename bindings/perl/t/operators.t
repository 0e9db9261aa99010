# Every operator of the description is there, and each is called, and gives what it should.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use JSON::PP;
use Test::More;
use SignalKit;
use Check;

my $queue = SignalKit::virtual_queue();
my @on = (queue => $queue);
sub of { return SignalKit::of(@_) }
sub add { return $_[0] + $_[1] }
sub self { return of($_[0]) }
sub odd { return $_[0] % 2 }
sub failing { return SignalKit::fail('x') }
sub inner { return $_[0]->map(\&self) }
my @all = (1, 2, 3, 'end');
my @some; # any values: another test checks them

# By the name in the description: what it makes of of(1, 2, 3), and the events.
my %cases = (
    with_latest_from => [sub { $_[0]->with_latest_from(of(9), \&add) }, \@some],
    after_next => [sub { $_[0]->after_next(\&self) }, \@all],
    before_next => [sub { $_[0]->before_next(\&self) }, \@all],
    before_started => [sub { $_[0]->before_started(\&self) }, \@all],
    before_error => [sub { $_[0]->before_error(\&self) }, \@all],
    before_completed => [sub { $_[0]->before_completed(sub { }) }, \@all],
    after_completed => [sub { $_[0]->after_completed(sub { }) }, \@all],
    after_disposed => [sub { $_[0]->after_disposed(sub { }) }, \@all],
    named => [sub { $_[0]->named('numbers') }, \@all],
    trace => [sub { $_[0]->named('not in the log') }, \@all],
    switch_to_latest => [sub { inner($_[0])->switch_to_latest }, \@all],
    concat_all => [sub { inner($_[0])->concat_all }, \@all],
    concat_latest => [sub { inner($_[0])->concat_latest }, \@all],
    take_until_replacement => [sub { $_[0]->take_until_replacement(SignalKit::never()) }, \@all],
    (map { my $name = $_; $name => [sub { $_[0]->$name(\&self) }, \@all] }
        qw(switch_map concat_map concat_map_latest exhaust_map merge_map map_ordered)),
    reduce_generator => [sub { $_[0]->reduce_generator(0, sub { of([$_[0] + $_[1], $_[1]]) }) }, [1, 2, 3, 6, 'end']],
    merge_all => [sub { inner($_[0])->merge_all(limit => 2) }, \@all],
    merge_all_ordered => [sub { inner($_[0])->merge_all_ordered(limit => 2) }, \@all],
    switch_map_per => [sub { $_[0]->switch_map_per(\&self, key => \&odd) }, \@all],
    group_by => [sub {
        $_[0]->group_by(sub { my ($key, $group) = @_; $group->map(sub { [$key, $_[0]] }) }, key => \&odd)
    }, [[1, 1], [0, 2], [1, 3], 'end']],
    map => [sub { $_[0]->map(sub { "$_[0]!" }) }, ['1!', '2!', '3!', 'end']],
    filter => [sub { $_[0]->filter(\&odd) }, [1, 3, 'end']],
    compact_map => [sub { $_[0]->compact_map(sub { $_[0] > 1 ? $_[0] * 2 : undef }) }, [4, 6, 'end']],
    transform => [sub { $_[0]->transform(sub { $_[0] > 1 ? ($_[0], $_[0]) : () }) }, [2, 2, 3, 3, 'end']],
    map_error => [sub { failing()->map_error(sub { "$_[0]y" }) }, [{ error => 'xy' }]],
    distinct_until_changed => [sub { $_[0]->distinct_until_changed(sub { $_[1] == $_[0] + 5 }) }, \@all],
    reduce => [sub { $_[0]->reduce(0, \&add) }, [6, 'end']],
    scan => [sub { $_[0]->scan(0, \&add) }, [1, 3, 6, 'end']],
    pairwise => [sub { $_[0]->pairwise }, [[1, 2], [2, 3], 'end']],
    enumerated => [sub { $_[0]->enumerated }, [[0, 1], [1, 2], [2, 3], 'end']],
    to_array => [sub { $_[0]->to_array }, [[1, 2, 3], 'end']],
    distinct => [sub { $_[0]->distinct(\&odd) }, [1, 2, 'end']],
    to_events => [sub { $_[0]->to_events }, [[0, 1], [0, 2], [0, 3], [2, undef], 'end']],
    from_events => [sub { $_[0]->to_events->from_events }, \@all],
    concat_with => [sub { $_[0]->concat_with(of(4)) }, [1, 2, 3, 4, 'end']],
    catch => [sub { failing()->catch(\&self) }, ['x', 'end']],
    start_with => [sub { $_[0]->start_with(0) }, [0, 1, 2, 3, 'end']],
    end_with => [sub { $_[0]->end_with(4) }, [1, 2, 3, 4, 'end']],
    default_if_empty => [sub { SignalKit::empty()->default_if_empty(1) }, [1, 'end']],
    switch_if_empty => [sub { SignalKit::empty()->switch_if_empty($_[0]) }, \@all],
    catch_with => [sub { failing()->catch_with($_[0]) }, \@all],
    catch_and_return => [sub { failing()->catch_and_return(2) }, [2, 'end']],
    repeat => [sub { $_[0]->repeat(2)->repeat->take(7) }, [1, 2, 3, 1, 2, 3, 1, 'end']],
    retry => [sub { failing()->retry(attempts => 2, @on) }, [{ error => 'x' }]],
    take_until => [sub { $_[0]->take_until(sub { $_[0] == 2 ? 'passthrough_and_complete' : 'passthrough' }) },
        [1, 2, 'end']],
    take_while => [sub { $_[0]->take_while(sub { $_[0] < 3 }) }, [1, 2, 'end']],
    skip_while => [sub { $_[0]->skip_while(sub { $_[0] < 2 }) }, [2, 3, 'end']],
    skip_until => [sub { $_[0]->skip_until(of(1)) }, \@all],
    paused_by => [sub { $_[0]->paused_by(SignalKit::never()) }, \@all],
    take_until => [sub { $_[0]->take_until(SignalKit::never()) }, \@all],
    throttle => [sub { $_[0]->throttle(1, edges => 'trailing', @on) }, [3, 'end']],
    debounce => [sub { $_[0]->debounce(1, @on) }, [3, 'end']],
    deliver_on => [sub { $_[0]->deliver_on($queue) }, \@all],
    deliver_on_bounded => [sub { $_[0]->deliver_on_bounded(queue => $queue, limit => 9, overflow => 'pause') }, \@all],
    run_on => [sub { $_[0]->run_on($queue) }, \@all],
    delay_start => [sub { $_[0]->delay_start(1, @on) }, \@all],
    suspend_aware_delay => [sub { $_[0]->suspend_aware_delay(1, 0, @on) }, \@all],
    timeout_first => [sub { $_[0]->timeout_first(1, @on) }, \@all],
    chunked_within => [sub { $_[0]->chunked_within(2, 1, @on) }, [[1, 2], [3], 'end']],
    chunked_by => [sub { $_[0]->chunked_by(SignalKit::never(), limit => 2) }, \@some],
    rate_limit => [sub { $_[0]->rate_limit(2, 1, @on, waiting => 9) }, \@all],
    delay => [sub { $_[0]->delay(1, @on, limit => 9) }, \@all],
    timeout => [sub { $_[0]->timeout(1, @on) }, \@all],
    timestamped => [sub { $_[0]->timestamped($queue) }, \@some],
    time_interval => [sub { $_[0]->time_interval($queue) }, \@some],
    take_for => [sub { $_[0]->take_for(1, @on) }, \@all],
    sample_on => [sub { $_[0]->sample_on(of(1)) }, \@some],
    sample => [sub { $_[0]->sample(1, @on) }, \@some],
    share => [sub { $_[0]->share }, \@all],
    combine_latest => [sub { SignalKit::combine_latest([$_[0], of(8)], \&add) }, [11, 'end']],
    merge => [sub { SignalKit::merge([$_[0], of(8)]) }, [1, 2, 3, 8, 'end']],
    zip => [sub { SignalKit::zip([$_[0], $_[0]], sub { $_[0] * $_[1] }, limit => 5) }, [1, 4, 9, 'end']],
    race => [sub { SignalKit::race([$_[0], of(8)]) }, \@all],
    concat => [sub { SignalKit::concat([$_[0], of(8)]) }, [1, 2, 3, 8, 'end']],
    deferred => [sub { my $s = shift; SignalKit::deferred(sub { $s }) }, \@all],
    accumulating_loop => [sub {
        my $s = shift;
        SignalKit::accumulating_loop(sub { !defined $_[0] || $_[0] < 9 ? $s : undef }, \&add)
    }, [1, 3, 6, 7, 9, 12, 'end']],
    create => [sub { SignalKit::create(sub { $_[0]->next(1); $_[0]->complete; undef }) }, [1, 'end']],
    just => [sub { SignalKit::just(1) }, [1, 'end']],
    empty => [sub { SignalKit::empty() }, ['end']],
    fail => [\&failing, [{ error => 'x' }]],
    never => [sub { SignalKit::never() }, []],
    from_array => [sub { SignalKit::from([1, 'a', undef]) }, [1, 'a', undef, 'end']],
    from_iterator => [sub { my $n = 0; SignalKit::iterate(sub { ++$n < 3 ? $n : undef }) }, [1, 2, 'end']],
    range => [sub { SignalKit::range(1, 3) }, \@all],
    interval => [sub { SignalKit::interval(1, @on)->take(2) }, [0, 1, 'end']],
    timer => [sub { SignalKit::timer(1, @on) }, \@some],
    fd => [sub { SignalKit::fd(9999, 1, @on)->catch_and_return('bad') }, ['bad', 'end']],
    fd_lines => [sub { SignalKit::fd_lines(9999, limit => 9, @on)->catch_and_return('bad') }, ['bad', 'end']],
    fd_bytes => [sub { SignalKit::fd_bytes(9999, 9, @on)->catch_and_return('bad') }, ['bad', 'end']],
    sink_fd => [sub { $_[0]->sink_fd(9999, limit => 9, @on)->catch_and_return('bad') }, ['bad', 'end']],
    unix_signal => [sub { SignalKit::unix_signal(9999, @on)->catch_and_return('bad') }, ['bad', 'end']],
    child => [sub { SignalKit::child(1, @on)->catch_and_return('none') }, ['none', 'end']],
    wall_clock_timer => [sub { SignalKit::wall_clock_timer(1) }, [0, 'end']],
    file_lines => [sub { SignalKit::file_lines('/nowhere/log', limit => 9, @on)->catch_and_return('bad') }, ['bad', 'end']],
    file_changes => [sub { SignalKit::file_changes('/nowhere', 1, @on)->catch_and_return('none') }, ['none', 'end']],
    using => [sub { my $s = shift; SignalKit::using(sub { [] }, sub { $s }, sub { }) }, \@all],
);

chomp(my $path = qx(pkg-config --variable=api signalkit));
open my $file, '<', $path or die "$path: $!";
my $api = JSON::PP->new->decode(do { local $/; <$file> });
for my $function (grep { $_->{case} } @{ $api->{functions} }) { # the cases of operators with integer arguments
    my ($name, $arguments, $values) = ($function->{short}, @{ $function->{case} });
    $cases{$name} = [sub { $_[0]->$name(@$arguments) }, [@$values, 'end']];
}
my @names = map { $_->{short} } grep { $_->{kind} =~ /^(?:operator|source|combination)\z/ && !$_->{extends} }
    @{ $api->{functions} };
is_deeply([sort keys %cases], [sort @names, qw(compact_map transform)], 'all of the description are here'); # Perl has two more

for my $name (sort keys %cases) {
    my ($make, $wanted) = @{ $cases{$name} };
    my ($run, $events) = record($make->(of(1, 2, 3)));
    $queue->advance(10);
    my $least = $wanted == \@some ? 1 : @$wanted;
    eventually(sub { @$events >= $least });
    if ($wanted == \@some) { ok(!(grep { ref $_ eq 'HASH' } @$events), $name) }
    else { is_deeply($events, $wanted, $name) }
    $run->dispose;
}

{
    my ($start, @seconds) = ($queue->now);
    my $failing = SignalKit::deferred(sub { push @seconds, $queue->now - $start; return SignalKit::fail('no') });
    my ($run, $events) = record($failing->retry(@on, decide => sub {
        my ($problem, $failures) = @_;
        return $failures < 3 ? $problem eq 'no' : $failures == 3 ? of(1) : SignalKit::fail('other');
    }));
    for (1 .. 5) { SignalKit::drain_main(); $queue->advance(1) }
    eventually(sub { @$events });
    is_deeply([$events, \@seconds], [[{ error => 'other' }], [0, 1, 3, 3]], 'decisions of retry');
    $run->dispose;
    ($run, $events) = record($failing->retry(@on, decide => sub { 0 }));
    eventually(sub { @$events });
    is_deeply($events, [{ error => 'no' }], 'a false decision');
    $run->dispose;
}

undef %cases;
undef @on;
undef $queue;
nothing_alive();
done_testing();
