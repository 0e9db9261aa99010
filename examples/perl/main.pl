# The scenes that every language of `examples` plays (docs/languages.md).
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use SignalKit;

sub shown {
    my $name = shift;
    return (
        next => sub { print "$name: $_[0]\n" },
        error => sub { print "$name: $_[0]\n" },
        completed => sub { print "$name: end\n" },
    );
}

sub halves {
    my $pipe = SignalKit::pipe();
    $pipe->signal->filter(sub { $_[0] % 2 == 0 })->map(sub { $_[0] / 2 })->start(shown('half'));
    $pipe->next($_) for 1 .. 6;
    $pipe->complete;
}

sub text { SignalKit::of('grün')->map(sub { "$_[0]!" })->start(shown('text')) }

sub stopped {
    my $pipe = SignalKit::pipe();
    my $run = $pipe->signal->start(shown('stopped'));
    $pipe->next(1);
    $run->dispose;
    $pipe->next(2);
}

# Perl's own loop is select: it waits for the main queue together with whatever else it waits for.
sub own_thread {
    my $running = 1;
    my $place = sub { SignalKit::is_main() ? 'own thread' : 'another thread' };
    SignalKit::of(1, 2, 3)->run_on(SignalKit::queue('elsewhere'))->start(
        next => sub { print $place->(), ": $_[0]\n" },
        completed => sub { print $place->(), ": end\n"; $running = 0 },
    );
    my $files = '';
    vec($files, SignalKit::main_fd(), 1) = 1;
    while ($running) {
        select my $readable = $files, undef, undef, undef;
        SignalKit::drain();
    }
}

sub failed { SignalKit::of(1)->then(SignalKit::fail('unplugged'))->start(shown('failed')) }

sub thrown {
    SignalKit::of(1, 2, 3, 4)->map(sub { $_[0] == 3 ? die "three is too many\n" : $_[0] * 10 })->start(shown('thrown'));
}

sub misuse {
    eval { SignalKit::of(1)->take(-1)->start(shown('misuse')); 1 } or print "misuse: $@";
}

halves();
text();
stopped();
own_thread();
failed();
thrown();
misuse();
my $alive = SignalKit::close();
print "alive: $alive\n";
exit($alive == 0 ? 0 : 1);
