# Written by scripts/perl.py from bindings/api.json.
package SignalKit::Version;
use strict;
use warnings;
our $VERSION = '1.0.0';
1;
