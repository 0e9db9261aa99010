#!/usr/bin/env bash
# On a machine where the packages may be installed: a program in C and one in Python use them, and nothing is left.
#   debian.sh DIRECTORY
set -euo pipefail

unset PKG_CONFIG_PATH LD_LIBRARY_PATH SIGNALKIT_LIBRARY PYTHONPATH
work=$1/used && rm -rf "$work" && mkdir "$work"
dpkg --install "$1"/*.deb
cc -std=c11 Tests/install/stranger.c -o "$work/shared" $(pkg-config --cflags --libs signalkit) && "$work/shared"
cc -std=c11 Tests/install/stranger.c -o "$work/static" -static $(pkg-config --static --cflags --libs signalkit)
"$work/static"
cmake -S Tests/install -B "$work/cmake" && cmake --build "$work/cmake" && "$work/cmake/shared"
scripts/docrun.py python "$work/python"
[ "$(/usr/bin/python3 "$work/python/package_1.py")" = $'1\n2' ]
/usr/bin/python3 -c 'import importlib.metadata; print(importlib.metadata.version("libsignalkit"))'
sgk-top --version
# A debugger finds how values are printed; and the lines of the library in the package for that.
ls /usr/share/gdb/auto-load/usr/lib/*/libsignalkit.so.*-gdb.py
id=$(readelf -n /usr/lib/*/libsignalkit.so.1 | sed -n 's/.*Build ID: //p')
lines=/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug
readelf --debug-dump=decodedline "$lines" 2>/dev/null | grep '\.swift:' >/dev/null
ls /usr/share/doc/libsignalkit-doc/{html/index.html,README.md,docs/guide.md,examples/c/sysmon.c}
ls /usr/share/man/man3/sgk_signal_throttle.3.gz /usr/share/man/man7/signalkit.7.gz
dpkg --purge $(for package in "$1"/*.deb; do dpkg-deb --field "$package" Package; done)
left=$(find /usr /etc -iname '*signalkit*' -o -name 'sgk-top*')
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
