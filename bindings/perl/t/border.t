# How a function can be left, and what objects say.
use strict;
use warnings;
use Config;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use Test::More;
use Scalar::Util 'refaddr', 'weaken';
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

{
    my $pipe = SignalKit::pipe();
    my $signal = $pipe->signal->take(2)->named('cpu');
    is($signal->describe, qq(named "cpu"\n  take 2\n    pipe), 'a signal describes its pipeline');
    my ($ended, $disposed) = map { $signal->start(sub { }) } 1, 2;
    is($ended->state, 'running', 'a run is running');
    $disposed->dispose;
    $pipe->complete;
    is($ended->state . ' ' . $disposed->state, 'ended disposed', 'has ended, or was disposed of');
}

package False { use overload 'bool' => sub { 0 }, '""' => sub { '' }, fallback => 1 }
package Silent { use overload '""' => sub { die "no text\n" } }
my $closed = of(1);
$closed->close;

for my $name (sort keys %operators) {
    my $problem = [$name];
    my ($run, $events) = record($operators{$name}->(of(1, 2), sub { die $problem }));
    is(refaddr($events->[-1]{error} // []), refaddr($problem), "what $name dies of is the error, the same object");
    $run->dispose;
    for my $other (bless({}, 'False'), sub { }, $closed) {
        ($run, $events) = record($operators{$name}->(of(1, 2), sub { die $other }));
        my $got = $events->[-1]{error};
        if (ref $other eq 'SignalKit::Signal') { is($got, "SignalKit::Signal: used after it was closed\n", 'a closed signal is none') }
        else { is(refaddr $got, refaddr $other, "what $name dies of may be a " . ref $other) }
        $run->dispose;
    }
    for my $way (sub { no warnings 'exiting'; last }, sub { no warnings 'exiting'; next OUTSIDE }, sub { goto OUTSIDE }) {
        my $end;
        OUTSIDE: for my $once (1) {
            ($run, $events) = record($operators{$name}->(of(1, 2), $way));
            $end = $events->[-1];
            $run->dispose;
        }
        is(ref $end, 'HASH', "$name left otherwise has failed");
    }
}

for my $queue (SignalKit::main_queue(), SignalKit::virtual_queue(), SignalKit::queue()) {
    my @events;
    my $run = SignalKit::create(sub { return sub { push @events, 'stop' } })->start;
    my $action = SignalKit::action(sub { push @events, 'action' });
    $queue->dispatch(sub { $run->dispose; $action->dispose; push @events, 'end' });
    $queue->run if $queue->can('run');
    eventually(sub { @events == 3 });
    is("@events", 'end stop action', 'a disposal inside queue work calls its functions');
}

{
    my ($pipe, $time, $resumed) = (SignalKit::pipe(), SignalKit::virtual_queue(), 0);
    my $run = $pipe->signal->deliver_on_bounded(queue => $time, limit => 1, overflow => 'pause')->start;
    ok(!$pipe->is_paused, 'nobody asks for a pause');
    ok($pipe->next(1) && $pipe->is_paused, 'a full buffer asks for a pause');
    $pipe->on_resume(sub { $resumed++ }, queue => $time);
    is($resumed, 0, 'the function waits');
    $time->run;
    ok($resumed == 1 && !$pipe->is_paused, 'the function is called after the pause');
    dies_of(sub { $pipe->on_resume }, 'on_resume: f: expected a function, got undef');
    $run->dispose;
    my $subscriber;
    $run = SignalKit::create(sub { $subscriber = $_[0]; undef })->start;
    my $hold = $run->hold;
    $subscriber->on_resume(sub { $resumed++ }, queue => $time);
    $time->run;
    ok($resumed == 1 && $subscriber->is_paused, 'a subscriber tells of a hold');
    $hold->close;
    $time->run;
    ok($resumed == 2 && !$subscriber->is_paused, 'its function is called after the hold');
    dies_of(sub { $subscriber->on_resume }, 'on_resume: f: expected a function, got undef');
    $run->dispose;
}

{
    my ($pipe, $time, $counter) = (SignalKit::pipe(), SignalKit::virtual_queue(), SignalKit::overflow_counter());
    my $dropped = 0;
    for my $overflow (['pause', 'drop_oldest'], ['drop_oldest', 'pause']) {
        my @bound = (queue => $time, limit => 4, overflow => $overflow, counter => $counter);
        my (@seen, @paused);
        my $run = $pipe->signal->deliver_on_bounded(@bound)->start(sub { push @seen, $_[0] });
        for (1 .. 5) {
            $pipe->next($_);
            push @paused, $pipe->is_paused ? 1 : 0;
        }
        is("@paused", '0 0 1 1 1', 'a second policy pauses the source from three quarters of the limit');
        $time->run;
        is("@seen", '2 3 4 5', 'a second policy decides about values of a source that goes on');
        $dropped++;
        ok($counter->dropped == $dropped && $counter->exceeded == 0, 'the values are counted as dropped');
        $run->dispose;
    }
    for my $wrong (['pause'], ['pause', 'pause'], ['drop_oldest', 'drop_newest'], ['pause', 'else']) {
        dies_of(sub { $pipe->signal->deliver_on_bounded(queue => $time, limit => 4, overflow => $wrong) },
            "deliver_on_bounded: overflow: expected 'pause' and another policy, got '[@$wrong]'");
    }
}

{
    my $pipe = SignalKit::pipe();
    my $run = $pipe->signal->start;
    {
        my ($one, $other) = ($run->hold, $run->hold);
        $one->close;
        ok($pipe->is_paused, 'another hold is left');
    }
    ok(!$pipe->is_paused, 'the end of the scope takes the last hold back');
    dies_of(sub { SignalKit::action(sub { })->hold }, 'hold: subscription: must be a subscription');
    $run->dispose;
    $run->hold->close;
}

{
    my $pipe = SignalKit::pipe();
    my (@others, $failed);
    $pipe->signal->start(next => sub { no warnings 'exiting'; last }, error => sub { $failed = shift });
    my $run = $pipe->signal->start(sub { push @others, shift });
    $pipe->next($_) for 1, 2;
    is_deeply(\@others, [1, 2], 'the others get their values');
    like($failed, qr/Can't "last" outside a loop block/, 'and the run has failed');
    $run->dispose;
}

{
    my ($pipe, @seen, @alive) = SignalKit::pipe();
    $pipe->signal->start(next => sub { push @seen, shift }, completed => sub { push @seen, 'end' })->release;
    my $run = $pipe->signal->map(sub { $_[0] })->start(sub { push @alive, shift });
    $pipe->next(1);
    $run->close for 1, 2;
    $run->dispose;
    $pipe->next(2);
    SignalKit::disposable_bag(SignalKit::action(sub { push @alive, 'action' }))->close;
    eventually(sub { @alive == 2 });
    $pipe->close for 1, 2;
    is("@seen; @alive", '1 2 end; 1 action', 'close ends what can be ended');
    $pipe = SignalKit::pipe();
    $run = $pipe->signal->start(sub { push @alive, shift });
    $run->release for 1, 2;
    ok($run->closed, 'a released subscription has no handle');
    $pipe->next(2);
    is($alive[-1], 2, 'but continues');
}

{
    my @heard;
    SignalKit::on_unheard(sub { push @heard, [@_] });
    SignalKit::fail('x')->start(error => sub { die "boom\n" });
    SignalKit::fail('x')->start;
    of(1)->after_completed(sub { die "boom\n" })->start;
    SignalKit::on_unheard(undef);
    local $SIG{__WARN__} = sub { push @heard, [@_] };
    SignalKit::fail(bless {}, 'Silent')->start;
    is_deeply(pop @heard, ["signalkit: start: Silent\n"], 'an error without a text goes to the log');
    is_deeply(\@heard, [['start', "boom\n"], ['start', 'x'], ['after_completed', "boom\n"]], 'nobody to be told: the log');
}

sub dies_of { my ($f, $wanted) = @_; eval { $f->(); 1 } and return fail($wanted); return is($@, "$wanted\n") }
dies_of(sub { of(1)->take('three') }, "take: count: expected an integer, got 'three'");
dies_of(sub { SignalKit::child(2**32 + 1) }, 'child: pid: expected an integer of 32 bits, got 4294967297');
dies_of(sub { of(1)->map }, 'map: f: expected a function, got undef');
dies_of(sub { of(1)->concat_with(3) }, 'concat_with: next: expected a SignalKit::Signal, got 3');
dies_of(sub { of(1)->take(-1) }, 'take: count: must be 0 or more');
sub names_nothing_of_c {
    my ($wanted, $f) = @_;
    eval { $f->() };
    like($@, qr/\A\Q$wanted\E(?!.*sgk)/is, "says: $wanted");
}
names_nothing_of_c('to_array: bound.overflow: must not suspend', sub { of(1)->to_array(overflow => 'suspend') });
names_nothing_of_c('zip: bound.overflow: must not suspend',
    sub { SignalKit::zip([of(1)], sub { }, overflow => 'suspend') });
names_nothing_of_c('to_array: bound.overflow: must not pause', sub { of(1)->to_array(overflow => 'pause') });
names_nothing_of_c('dispose_and_wait: disposable: must be a subscription that was started as waitable',
    sub { SignalKit::never()->start(sub { })->dispose_and_wait });
is(SignalKit::FD_READ | SignalKit::FD_WRITE, 3, 'flags have names');
is(SignalKit::FILE_CREATED, 256, 'changes have names');
for my $wrong (0, 4, 5, -1, SignalKit::FD_HANGUP) {
    dies_of(sub { SignalKit::fd(0, $wrong) }, 'fd: events must consist of FD_READ, FD_WRITE');
}
{ # In C, negative numbers mean that there is no limit, and 0 in a policy is a default.
    my $inner = sub { of(1) };
    my %limited = (merge_map => sub { of(1)->merge_map($inner, @_) }, map_ordered => sub { of(1)->map_ordered($inner, @_) },
        merge_all => sub { of(1)->merge_all(@_) }, merge_all_ordered => sub { of(1)->merge_all_ordered(@_) });
    my %bounded = (zip => sub { SignalKit::zip([of(1)], @_) }, to_array => sub { of(1)->to_array(@_) },
        distinct => sub { of(1)->distinct(@_) }, delay => sub { of(1)->delay(1, @_) },
        deliver_on_bounded => sub { of(1)->deliver_on_bounded(@_) }, group_by => sub { of(1)->group_by($inner, @_) },
        switch_map_per => sub { of(1)->switch_map_per($inner, @_) }, read => sub { of(1)->read(@_) });
    my $reader = of(1)->read;
    for my $number (-1, -2, -9) {
        for my $name (sort keys %limited) {
            my $call = $limited{$name};
            dies_of(sub { $call->(limit => $number) }, "$name: limit must be 1 or more, or undef");
            dies_of(sub { $call->(limit => 0) }, "$name: limit must be 1 or more, or undef");
            dies_of(sub { $call->(waiting => $number) }, "$name: waiting must be 0 or more, or undef");
        }
        for my $name (sort keys %bounded) {
            dies_of(sub { $bounded{$name}->(limit => $number) }, "$name: limit must be 1 or more, or undef");
        }
        dies_of(sub { of(1)->rate_limit(1, 1, waiting => $number) }, 'rate_limit: waiting must be 0 or more, or undef');
        dies_of(sub { of(1)->repeat($number) }, 'repeat: count must be 0 or more, or undef');
        dies_of(sub { of(1)->chunked_by(of(1), limit => $number) }, 'chunked_by: limit must be 1 or more');
        my %least = (attempts => 0, delay => 0, factor => 1, increment => 0, jitter => 0, reset_after => 0);
        for my $name (sort keys %least) {
            dies_of(sub { of(1)->retry($name => $number) }, "retry: $name must be $least{$name} or more");
        }
        dies_of(sub { of(1)->get($number) }, 'get: timeout must be 0 or more');
        dies_of(sub { of(1)->collect($number) }, 'collect: timeout must be 0 or more');
        dies_of(sub { $reader->next($number) }, 'next: timeout must be 0 or more');
    }
    $reader->close;
    dies_of(sub { of(1)->retry(factor => 0) }, 'retry: factor must be 1 or more');
    dies_of(sub { of(1)->retry(max_delay => 0) }, 'retry: max_delay must be more than 0');
    dies_of(sub { of(1)->retry(jitter => 1.5) }, 'retry: jitter must be from 0 to 1');
    dies_of(sub { SignalKit::zip([of(1)], limit => 0) }, 'zip: limit must be 1 or more, or undef');
    is(of(1)->merge_map($inner, waiting => 0)->get, 1, 'nothing may wait');
    is(of(1)->repeat->get, 1, 'repeats');
}
dies_of(sub { SignalKit::state(1)->modify(sub { die "boom\n" }) }, 'boom');
dies_of(sub { my $pipe = SignalKit::pipe(); $pipe->close for 1, 2; $pipe->next(1) }, 'SignalKit::Pipe: used after it was closed');
dies_of(sub { my $pipe = SignalKit::pipe(); $pipe->signal->get(0.001) }, 'timeout');
dies_of(sub { SignalKit::never()->get(0.001) }, 'timeout');
dies_of(sub { SignalKit::never()->collect(0.001) }, 'timeout');

dies_of(sub { SignalKit::zip([of(1)], limits => 1) }, "zip: options: expected some of limit, overflow, error, counter, got 'limits'");
dies_of(sub { of(1)->start(nxt => \&of) }, "start: options: expected some of next, error, completed, waitable, got 'nxt'");
dies_of(sub { of(1)->delay_start(1, 'queue') }, "delay_start: options: expected names with values, got 'queue'");

# An object is never released if a value with it is not released.
{
    my @gone;
    my $thing = sub { my $made = bless {}, 'Number'; weaken($gone[@gone] = $made); return $made };
    my $closed = of(1);
    $closed->close;
    for my $call (
        sub { of(1)->read(error => $thing->(), counter => 3) },
        sub { SignalKit::zip([of(1)], error => $thing->(), counter => 3) },
        sub { SignalKit::zip([of(1)], error => $thing->(), limit => 0) },
        sub { of($thing->(), $closed) },
        sub { $closed->start },
    ) {
        ok(!eval { $call->(); 1 }, 'is refused');
    }
    SignalKit::drain_main();
    is_deeply(\@gone, [(undef) x 4], 'what a call that is refused was given is let go');
}

{
    my @lines;
    SignalKit::on_log(sub { push @lines, $_[0] =~ s/^[0-9]+\.[0-9]+ \[[0-9]+\] //r =~ s/#[0-9]+//r });
    of(1)->trace('here')->start;
    is_deeply(\@lines, ['here started', 'here next 1', 'here completed', 'here disposed'], 'the log comes home');
    of(1)->run_on(SignalKit::queue())->trace('away')->start;
    eventually(sub { $lines[-1] eq 'away disposed' });
    SignalKit::action(\&of)->strict;
    like($lines[-1], qr/border\.t:[0-9]+: strict disposable released without dispose/, 'strict disposables complain');
    my @heard;
    SignalKit::on_unheard(sub { push @heard, [@_] });
    SignalKit::on_log(sub { die "boom\n" });
    SignalKit::action(\&of)->strict;
    SignalKit::on_log(undef);
    SignalKit::on_unheard(undef);
    is_deeply(\@heard, [['on_log', "boom\n"]], 'also of what the function for it dies of');
}

{
    pipe my $from, my $to or die;
    my @on = (queue => SignalKit::queue(), limit => 1, overflow => 'pause');
    my $text = of("gr\x{fc}n ", SignalKit::data("\0\xff"), '', SignalKit::data(''), "\n");
    my ($written, $ended) = record($text->sink_fd(fileno $to, @on));
    eventually(sub { @$ended });
    close $to;
    my ($reading, $read) = record(SignalKit::fd_bytes(fileno $from, 99, queue => $on[1]));
    eventually(sub { @$read && $read->[-1] eq 'end' });
    pop @$read;
    is_deeply([@$ended, join '', @$read], ['end', "gr\xc3\xbcn \0\xff\n"], 'a sink writes text and bytes');
    ok(!eval { SignalKit::data("\x{263a}"); 1 }, 'which are no other characters');
}

# Neighbouring functions are called in one call from C.
sub odd { return $_[0] % 2 }
sub add { return $_[0] + $_[1] }
sub same { return $_[0] }

sub crossings {
    my ($signal, $pipe) = @_;
    my ($run, $count) = ($signal->start(sub { }), 0);
    no warnings 'redefine';
    my $attempt = \&SignalKit::Entries::attempt;
    local *SignalKit::Entries::attempt = sub { $count++; return $attempt->(@_) };
    $pipe->next(1);
    $run->dispose;
    return $count;
}

{
    my $pipe = SignalKit::pipe();
    my $source = $pipe->signal;
    is(crossings($source, $pipe), 1, 'a value goes to Perl once');
    my $all = $source->map(\&same)->filter(\&odd)->scan(0, \&add)->compact_map(\&same)->take(2)->before_next(\&odd);
    is(crossings($all, $pipe), 1, 'for all functions at the end');
    is(crossings($all->skip(0), $pipe), 2, 'and once more behind another operator');
    is(crossings($all->skip(0)->filter(\&odd)->map(\&same)->skip(0), $pipe), 3, 'for all between two operators');
    is($source->map(\&odd)->filter(\&odd)->describe, qq(filter\n  map\n    deliver_on "main"\n      pipe),
        'the signals keep their stages');
}

# Each of the functions is in several stages, which other operators follow.
{
    my ($pipe, @calls) = SignalKit::pipe();
    my $numbers = $pipe->signal->map(sub { push @calls, $_[0]; return $_[0] * 10 });
    my $sums = $numbers->scan(0, \&add);
    my @seen = map { (record($_))[1] } $numbers->skip(1), $sums->filter(sub { $_[0] != 30 })->skip(0),
        $sums->take(2)->map(sub { "<$_[0]>" })->skip(0), $sums->skip(0)->filter(sub { $_[0] < 60 }),
        $numbers->filter(sub { $_[0] >= 20 })->before_next(\&odd)->take(1)->skip(0);
    $numbers->close;
    $pipe->next(1);
    push @seen, (record($sums->skip(0)))[1]; # a state of its own
    $sums->close;
    $pipe->next($_) for 2, 3;
    $pipe->complete;
    is(join('; ', map { "@$_" } @seen), '20 30 end; 10 60 end; <10> <30> end; 10 30 end; 20 end; 20 50 end',
        'fused functions can be shared');
    is("@calls", '1 1 1 1 1 2 2 2 2 2 2 3 3 3 3', 'and are called for each subscription');
    my $equal = of(1, 1, 1)->pairwise->filter(sub { 1 });
    is_deeply($_->distinct_until_changed->collect, [[1, 1]], 'arrays stay arrays')
        for $equal, $equal->before_next(sub { }), $equal->take(2), $equal->filter(sub { 2 });
    my $many = of(0);
    $many = $many->map(sub { $_[0] + 1 }) for 1 .. 250;
    is("@{ $many->skip(0)->collect }", '250', 'many functions are several stages');
}

{
    my ($pipe, @calls) = SignalKit::pipe();
    my $base = $pipe->signal;
    my $source = $base->before_next(sub { push @calls, $_[0]++ });
    my $sums = $source->map(sub { $_[0] + 1 })->scan(0, \&add);
    my ($first, $seen) = record($sums->take(2)->map(sub { "<$_[0]>" }));
    my ($second, $also) = record($sums->filter(\&odd));
    $source->close;
    ok(!$base->take(1)->{fused}, 'take next to a source stays in the library');
    $pipe->next($_) for 1 .. 4;
    is("@$seen; @$also; @calls", '<2> <5> end; 5 9; 1 1 2 2 3 4', 'fused functions do what their stages do');
    is($first->state, 'ended', 'a fused take completes');
    $second->dispose;
    my $run = $sums->start;
    $pipe->next(5);
    is(scalar @calls, 7, 'also without a function for values');
    $run->dispose;
    $base->close;
    ($run, $seen) = record($sums->take(1));
    $pipe->next(6);
    is("@$seen", '7 end', 'a closed source is no obstacle');
    ($run, $seen) = record(of(1)->map(sub { SignalKit::data("\xff") })->map(sub { ref $_[0] || length $_[0] }));
    is("@$seen", '1 end', 'bytes come as bytes');
    ($run, $seen) = record(of(1)->map(sub { $closed })->map(\&same));
    is($seen->[0]{error}, "SignalKit::Signal: used after it was closed\n", 'a closed signal is no value');
    ($run, $seen) = record(of(1, 2)->map(\&same)->filter(sub { $_[0]++ })->scan(5, sub { $_[0]++; $_[0] + $_[1] })->take(1));
    is("@$seen", '7 end', 'functions get copies');
    local $SIG{__DIE__} = sub { fail('no handler sees the end') };
    my $error;
    of(1, 2)->map(\&same)->take(1)->start(error => sub { $error = shift });
    ok(!defined $error, 'which is no error');
}

# Many runs at once, and none of them left.
{
    my ($pipe, $sum) = (SignalKit::pipe(), 0);
    my @runs = map { $pipe->signal->map(sub { $_[0] + 1 })->start(sub { $sum += $_[0] }) } 1 .. 100_000;
    $pipe->next(1);
    is($sum, 200_000, 'each of 100,000 subscriptions gets the value');
    my $others = SignalKit::disposable_bag(splice @runs, 0, 50_000);
    $others->dispose;
    $_->dispose for @runs;
    $pipe->next(1);
    is($sum, 200_000, 'and none of those that are disposed of');
}

package Number { use overload '0+' => sub { 3 }, '""' => sub { 'three' }, fallback => 1 }
my $thing = bless { a => 1 }, 'Number';
for my $value (1, -1, 0.5, 2**62, 1e300, 'text', "gr\x{fc}n", "\x{263a}", "a\0b", '12', '') {
    is(of($value)->map(sub { $_[0] })->get, $value, 'a value comes out as it went in');
}
my $used = my $minus = -0.0;
ok($used == 0, 'an integer, too');
is(unpack('H*', pack 'd>', of($_)->map(sub { $_[0] })->get), '8000000000000000', 'as -0.0') for $minus, $used;
is(unpack('H*', pack 'd>', of($_)->get), '0000000000000000', 'as 0') for 0, 0.0, 1 - 1;
is(refaddr(of($thing)->get), refaddr($thing), 'an object comes out as itself');
is_deeply([map { refaddr $_ } @{ of($thing, bless {}, 'Number')->collect }[0]], [refaddr $thing], 'also one that is a number');
is(of(of(7))->get->get, 7, 'a signal as a signal');

{
    my $pipe = SignalKit::pipe();
    my $shared = $pipe->signal->share(replay => 1, keep => 9**9**9);
    $shared->start->dispose;
    $pipe->next($_) for 1, 2;
    is($shared->get, 2, 'share replays and keeps');
}

{
    my $gone = my $object = [];
    my $state = SignalKit::state($object);
    weaken($gone);
    undef $object;
    ok($gone, 'an object is kept as long as a value of it');
    undef $state;
    SignalKit::drain_main();
    ok(!$gone, 'and no longer');
}

{
    my $sum = 0;
    my $threads = SignalKit::concurrent_queue('test', 2);
    dies_of(sub { SignalKit::concurrent_queue('test', 0) }, 'concurrent: threads: must be from 1 to 1024');
    SignalKit::range(1, 100)->run_on($threads)->map(sub { $_[0] * 2 })->start(sub { $sum += $_[0] }) for 1 .. 20;
    eventually(sub { $sum == 20 * 10_100 });
    my @called;
    my $timer = SignalKit::new_timer(0.001, sub { push @called, 1 }, queue => SignalKit::queue(), is_repeated => 1)->start;
    eventually(sub { @called > 2 });
    my $reader = SignalKit::range(0, 3)->run_on(SignalKit::queue())->read;
    my @got;
    while (my ($value) = $reader->next) { push @got, $value }
    is_deeply(\@got, [0, 1, 2], 'a reader waits, and comes to an end');
    my $manager = SignalKit::multicast_signal_manager();
    is($manager->multicasted_signal('k', sub { of(4) })->get, 4, 'signals by name');
    my $emitter = SignalKit::event_emitter();
    my $link = $emitter->map(sub { $_[0] + 1 })->on_next(sub { push @got, shift });
    $emitter->next(1);
    SignalKit::drain_main();
    is($got[-1], 2, 'links');
    my $set = SignalKit::disposable_bag(SignalKit::action(sub { push @got, 'a' }));
    $set->dispose;
    eventually(sub { $got[-1] eq 'a' });
    is($got[-1], 'a', 'a set disposes of what it holds');
    $timer->invalidate;
}

# Whole programs.
sub ends {
    my ($status, $output, $program) = @_;
    my @libraries = map { "-I$_" } @INC;
    open my $child, '-|', 'timeout', 60, $^X, @libraries, '-MSignalKit', '-e', $program or die $!;
    my $printed = do { local $/; <$child> } // '';
    close $child;
    is($printed, $output, $program);
    return is($? & 0xff || !($? >> 8), '', 'it fails') unless defined $status;
    return is($? >> 8, $status, 'its status');
}
ends(7, "1\n", 'END { print "1\n" } SignalKit::of(1)->start(sub { exit 7 }); print "not here"');
ends(0, '', 'our $kept = SignalKit::interval(0.0001, queue => SignalKit::queue())->map(sub { 1 })->start;
    SignalKit::timer(0.01)->start(\&SignalKit::stop); SignalKit::run()');
ends(0, '', 'SignalKit::queue()->after(0.01, sub { }); our $object = SignalKit::of({})->get;
    our $pipe = SignalKit::pipe(); our $run = $pipe->signal->map(sub { [$pipe, @_] })->start; $pipe->next(1)');
ends(0, "2\n1 2\n0\n0\n", 'my ($pipe, @seen, @warnings) = SignalKit::pipe();
    my $run = $pipe->signal->map(sub { $_[0] })->start(sub { push @seen, shift }); $pipe->next(1);
    local $SIG{__WARN__} = sub { push @warnings, grep { !/^Subroutine .* redefined/ } @_ }; SignalKit::on_unheard(sub { });
    delete @INC{grep { /^SignalKit/ } keys %INC}; require SignalKit;
    SignalKit::of(1)->map(sub { $_[0] + 1 })->start(sub { print "$_[0]\n" });
    $pipe->next(2); print "@seen\n"; $pipe->close; undef $_ for $run, $pipe; print SignalKit::live_total(), "\n";
    print @warnings, scalar @warnings, "\n"');
if ($Config{useithreads}) {
    ends(undef, "signalkit: create threads before you load SignalKit: FFI::Platypus cannot copy closures to them\n",
        'require threads; open STDERR, ">&", \*STDOUT; our $pipe = SignalKit::pipe(); our $run = $pipe->signal->start;
        eval { threads->create(sub { })->join }; print "not here"');
}
# (Storable itself keeps an object whose hook dies.)
ends(0, "Storable cannot copy a SignalKit::Pipe\n" x 2, 'use Storable; my $pipe = SignalKit::pipe();
    for my $copy (\&Storable::dclone, \&Storable::freeze) { eval { $copy->({ kept => $pipe }) }; print $@ =~ s/, at.*//r }
    $pipe->next(1) or die');
if (open my $readme, '<', "$FindBin::Bin/../README.md") {
    my $text = do { local $/; <$readme> };
    ends(0, join('', map { "$_\n" } $_ =~ /^#> (.*)/mg), $_) for $text =~ /```perl\n(.*?)```/sg;
}

{
    my $problem;
    my $run = SignalKit::never()->timeout(0, queue => SignalKit::concurrent_queue())->start(error => sub { $problem = shift });
    eventually(sub { $problem });
    is_deeply([$problem->code, $problem->text, $problem->cause], [-8, 'timeout: timed out', undef], 'an error of the library');
    is("$problem", 'timeout: timed out', 'an error is a text');
    my $inner = SignalKit::Border::sgk_error_from(7, 'inner', 0, 0);
    my $outer = SignalKit::Border::sgk_error_from(404, 'outer', $inner->kind, $inner->bits);
    my $error = SignalKit::Values::taken($outer);
    SignalKit::Border::sgk_value_release($inner->kind, $inner->bits);
    is_deeply([map { $_->code, $_->text } $error, $error->cause], [404, 'outer', 7, 'inner'], 'an error has a cause');
}

{
    my ($deepest, @warnings) = 0;
    local $SIG{__WARN__} = sub { push @warnings, @_ };
    my @words = (0, 0);
    for my $code (1 .. 999) {
        my $outer = SignalKit::Border::sgk_error_from($code, 'deep', @words);
        SignalKit::Border::sgk_value_release(@words);
        @words = ($outer->kind, $outer->bits);
    }
    my $error = SignalKit::Values::decode(@words);
    SignalKit::Border::sgk_value_release(@words);
    for (; ref $error; $error = $error->cause) { $deepest++ }
    is_deeply([$deepest, @warnings], [999], 'many causes are read without a warning');
}

{
    our $name = "Other\0"; # values keep the address of the type
    our $type = pack 'QPQ5', 56, $name, (0) x 5;
    my $foreign = sub {
        my $value = SignalKit::Border::sgk_object(5, unpack 'Q', pack 'P', $type);
        return ($value->kind | $SignalKit::Border::CONSTANTS{GIVEN} << 32, $value->bits);
    };
    my $wrong = sub {
        my ($what, $problem) = @_;
        my $reason = 'value: must be an object of the type Perl, not Other';
        is_deeply([eval { $problem->code, $problem->text }], [-5, $reason], "$what: an object of another type is an error");
    };
    my $signal = SignalKit::Border::owned('SignalKit::Signal', SignalKit::Border::sgk_signal_just($foreign->()));
    eval { $signal->get };
    $wrong->(get => $@);
    my %caught;
    my $note = sub { my $what = shift; return sub { $caught{$what} = shift; return of(1) } };
    $signal->map(sub { die 'not called' })->start(error => $note->('map'));
    $signal->start(next => sub { die 'not called' }, error => $note->('next'));
    $signal->to_array->start(next => sub { die 'not called' }, error => $note->('array'));
    $signal->switch_map(sub { die 'not called' })->start(error => $note->('switch_map'));
    my $fails = SignalKit::Border::owned('SignalKit::Signal', SignalKit::Border::sgk_signal_fail($foreign->()));
    my $ignore = sub { };
    $fails->start(error => $note->('error'));
    $fails->catch($note->('catch'))->get;
    $fails->retry(decide => $note->('retry'), attempts => 2)->start(error => $ignore);
    $fails->before_error($note->('before_error'))->start(error => $ignore);
    eventually(sub { keys %caught == 8 });
    $wrong->($_ => $caught{$_}) for sort keys %caught;
    my $error = SignalKit::Values::taken(SignalKit::Border::sgk_error_from(3, 'outer', $foreign->()));
    is($error->text, 'outer', 'the error of an unreadable cause');
    $wrong->(cause => $error->cause);
}

{
    my $pipe = SignalKit::pipe();
    my $thing = ['thing'];
    my $last = $pipe->signal->map(sub { $_[0] })->scan(undef, sub { $_[1] });
    my $pairs = SignalKit::combine_latest([$last, of('fixed')]);
    my $first = SignalKit::combine_latest([$pairs])->map(sub { $_[0][0] })->map(sub { $_[0][0] });
    my ($run, $events) = record($first);
    $pipe->next($_) for 'text', $thing, 7;
    is_deeply($events, ['text', ['thing'], 7], 'a function may return what it receives');
    is(refaddr $events->[1], refaddr $thing, 'which is the same object');
    $run->dispose;
    @$events = ();
    my ($taken, $two) = record(of('a', 'b')->filter(sub { 1 })->take(1));
    is_deeply($two, ['a', 'end'], 'also the last value');
    $taken->dispose;
}

nothing_alive();
done_testing();
