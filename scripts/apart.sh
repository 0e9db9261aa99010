#!/usr/bin/env bash
# Runs a command with an overlay in memory over /etc, /usr and /var, which is removed when the command ends. Fails
# immediately if the system does not allow the overlay, which normally requires root.
#   apart.sh COMMAND…
set -euo pipefail

exec unshare --mount bash -euo pipefail -c '
    mkdir -p build/apart && mount -t tmpfs tmpfs build/apart
    for place in etc usr var; do
        above=$PWD/build/apart/$place && mkdir -p "$above/upper" "$above/work"
        mount -t overlay overlay -o "lowerdir=/$place,upperdir=$above/upper,workdir=$above/work" /$place
    done
    exec "$@"' - "$@"
