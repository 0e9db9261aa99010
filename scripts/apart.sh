#!/usr/bin/env bash
# Runs a command on a machine that is like this one: what it writes to /etc, /usr and /var lies above what is there, in
# memory, and is gone when it ends. Fails at once where that is not allowed; root may do it.
#   apart.sh COMMAND…
set -euo pipefail

exec unshare --mount bash -euo pipefail -c '
    mkdir -p build/apart && mount -t tmpfs tmpfs build/apart
    for place in etc usr var; do
        above=$PWD/build/apart/$place && mkdir -p "$above/upper" "$above/work"
        mount -t overlay overlay -o "lowerdir=/$place,upperdir=$above/upper,workdir=$above/work" /$place
    done
    exec "$@"' - "$@"
