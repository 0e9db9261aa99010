# Python: the package as a user installs it, its types, its tests, its example.

python_environment() {
    [ -x build/python/bin/python ] || python3 -m venv build/python || return 1
    rm -rf bindings/python/build # or files that are gone would be installed
    build/python/bin/python -m pip install --quiet --disable-pip-version-check mypy pytest &&
        build/python/bin/python -m pip install --quiet --disable-pip-version-check --force-reinstall ./bindings/python
}
python_package() { # the library found by name, as one that is installed
    scripts/python_functions.py | diff bindings/python/src/libsignalkit/_functions.py - || { echo "stale: _functions.py"; return 1; }
    installed && python_environment || return 1
    build/python/bin/python -m mypy --config-file bindings/python/pyproject.toml --cache-dir build/python/mypy bindings/python/src/libsignalkit || return 1
    export LD_LIBRARY_PATH=$PWD/build/prefix/lib
    plays python build/python/bin/python examples/python/main.py || return 1
    build/python/bin/python -m pytest -v --durations=5 -p no:cacheprovider bindings/python/tests || return 1
    for seconds in 1 10 100; do # until it has had the time to draw something
        build/python/bin/python examples/python/loadwatch.py $seconds >build/loadwatch.log || return 1
        grep '^cpu' build/loadwatch.log >/dev/null && break
    done
    grep '^cpu' build/loadwatch.log >/dev/null && grep '^Objects left alive: 0' build/loadwatch.log >/dev/null || { cat build/loadwatch.log; return 1; }
}

steps+=(python_package)
