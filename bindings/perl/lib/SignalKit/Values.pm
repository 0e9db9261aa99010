# Conversion between Perl values and values of the library. undef, numbers and strings are converted, and booleans if
# Perl supports them (5.36). For a reference, the value retains it.
package SignalKit::Values;
use strict;
use warnings;
no warnings 'recursion'; # arrays and causes are nested up to 1,000 deep
use B ();
use Exporter 'import';
use FFI::Platypus::Buffer 'buffer_to_scalar', 'scalar_to_buffer';
use FFI::Platypus::Memory 'malloc', 'memcpy', 'strdup';
use SignalKit::Border ':all';

our @EXPORT_OK = qw(give give_error lending store store_error decode decode_error decode_at taken items);
our %EXPORT_TAGS = (all => \@EXPORT_OK);
use constant EXACT => 2**53;

my $is_bool = $] >= 5.036 ? eval 'no warnings; sub { builtin::is_bool($_[0]) }' : sub { 0 }; ## no critic

# The functions for objects. The first is called when an object's last value is released. Objects are equal if they are
# identical.
# The type is never freed, because values keep its address.
my $given = struct('sgk_object_type', 'Q3', strdup('Perl'), 0, SignalKit::Border::destroy());
my $type = malloc(length $given);
memcpy($type, unpack('Q', pack 'P', $given), length $given);

# A list that travels as an array of the library's.
sub items {
    my $list = shift;
    die "expected an array\n" unless ref $list eq 'ARRAY';
    return bless [@$list], 'SignalKit::Items';
}

# Returns the result of `$call->($places, $count)` for borrowed values.
sub lending {
    my ($call, @values) = @_;
    my ($places, $made) = ('');
    my $fine = eval {
        $places .= pack 'QQ', own($_) for @values;
        $places .= "\0" x 16; # so that there is a first, if it is null
        $made = $call->(unpack('Q', pack 'P', $places), scalar @values);
        1;
    };
    my $problem = $@;
    sgk_value_release(unpack 'QQ', $_) for unpack '(a16)*', $places;
    die $problem unless $fine;
    return $made;
}

my $zero = pack 'd', 0;

# A value that is the caller's: kind and bits.
sub own {
    my $value = shift;
    return (0, 0) unless defined $value;
    if (my $kind = ref $value) {
        my $made;
        if ($kind eq 'SignalKit::Signal') { $made = sgk_signal_value(raw($value)) }
        elsif ($kind eq 'SignalKit::Data') { $made = sgk_bytes(scalar_to_buffer($$value)) }
        elsif ($kind eq 'SignalKit::Items') { $made = lending(\&sgk_array, @$value) }
        else { $made = sgk_object(SignalKit::Border::object_number($value), $type) }
        return ($made->kind, $made->bits);
    }
    my $flags = B::svref_2object(\$value)->FLAGS;
    if (!($flags & B::SVf_POK) && $flags & (B::SVf_IOK | B::SVf_NOK)) {
        return (2, unpack 'Q', pack 'q', $value)
            if ($flags & B::SVf_IOK ? $value <= 9223372036854775807 : $value == int $value && abs($value) <= EXACT)
            && ($value || !($flags & B::SVf_NOK) || pack('d', $value) eq $zero); # not -0.0
        return (3, unpack 'Q', pack 'd', $value);
    }
    return (1, $value ? 1 : 0) if $is_bool->($value); # a boolean is a string and a number
    my $bytes = "$value";
    utf8::encode($bytes);
    my ($place, $length) = scalar_to_buffer($bytes);
    my $made = sgk_string_n($place, $length);
    return ($made->kind, $made->bits);
}

# For the call of a function that takes it over.
sub give {
    my ($kind, $bits) = own(shift);
    return ($kind >= $CONSTANTS{STRING} ? $kind | $CONSTANTS{GIVEN} << 32 : $kind, $bits);
}

# Into a place of the library's.
sub store {
    my ($place, $value, $outcome) = @_;
    my ($kind, $bits) = own($value);
    my $packed = pack 'LLQ', $kind, $outcome // 0, $bits;
    memcpy($place, unpack('Q', pack 'P', $packed), 16);
    return;
}

# The same for an error of a function. If it cannot be a value (a closed signal), the reason replaces it.
sub give_error {
    my $problem = shift;
    local $@;
    my @words = eval { give($problem) };
    return @words ? @words : give($@);
}

sub store_error {
    my ($place, $problem, $outcome) = @_;
    local $@;
    eval { store($place, $problem, $outcome); 1 } or store($place, $@, $outcome);
    return;
}

# Returns the Perl value of a borrowed value.
sub decode {
    my ($word, $bits) = @_;
    my $kind = $word & 0xffff_ffff;
    return $bits < 2**63 ? $bits : unpack 'q', pack 'Q', $bits if $kind == 2;
    if ($kind == 5 || $kind == 6) {
        my $data = sgk_value_data($word, $bits, \my $length);
        my $text = $length ? buffer_to_scalar($data, $length) : '';
        utf8::decode($text) if $kind == 5;
        return $text;
    }
    return undef if $kind == 0; ## no critic: in a list it is a value as well
    return !!$bits if $kind == 1;
    return unpack 'd', pack 'Q', $bits if $kind == 3;
    if ($kind == 9) {
        my $object = SignalKit::Border::object(sgk_to_object($word, $bits, $type) // 0);
        return $$object if $object;
        utf8::decode(my $text = SignalKit::Border::text(sgk_last_error()));
        die SignalKit::Failure->new(code => $CONSTANTS{ERROR_KIND}, text => $text);
    }
    if ($kind == 7) {
        my $places = sgk_array_items($word, $bits, \my $count);
        return [map { decode_at($places + 16 * $_) } 0 .. $count - 1];
    }
    return owned('SignalKit::Signal', sgk_to_signal($word, $bits)) if $kind == 8;
    return failure($word, $bits) if $kind == 10;
    return $bits;
}

# Returns the Perl value of an error. If it is unreadable, the reason replaces it.
sub decode_error {
    my @words = @_;
    local $@;
    my $error;
    return eval { $error = decode(@words); 1 } ? $error : $@;
}

# An error of the library or of another language. As a string it is the text.
sub failure {
    my ($word, $bits) = @_;
    my $text = SignalKit::Border::text(sgk_error_text($word, $bits));
    utf8::decode($text);
    my $cause = sgk_error_cause($word, $bits);
    return SignalKit::Failure->new(
        code => sgk_error_code($word, $bits), text => $text, cause => decode_error($cause->kind, $cause->bits),
    );
}

package SignalKit::Failure {
    use overload '""' => sub { $_[0]{text} }, fallback => 1;
    sub new   { my ($class, %fields) = @_; return bless {%fields}, $class }
    sub code  { return $_[0]{code} }
    sub text  { return $_[0]{text} }
    sub cause { return $_[0]{cause} }
}

sub decode_at { return decode(unpack 'QQ', buffer_to_scalar(shift, 16)) }

# Of a value that is the caller's to release.
sub taken {
    my $value = shift;
    my @words = ($value->kind, $value->bits);
    local $@;
    my $object;
    my $fine = eval { $object = decode(@words); 1 };
    my $problem = $@;
    sgk_value_release(@words);
    die $problem unless $fine;
    return $object;
}

1;
