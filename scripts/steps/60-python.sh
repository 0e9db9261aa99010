# Python: the package as a user installs it, its types, its tests, its example.

# Installs the package for all steps, unless it is up to date. One process builds in its folder at a time, including
# scripts/wheel.sh.
python_environment() {
    (
        exec 9>build/python.lock && flock 9 || exit 1
        places="bindings/python/src bindings/python/guard.c bindings/python/setup.py bindings/python/pyproject.toml
            bindings/python/README.md scripts/steps/60-python.sh scripts/python_tools.txt"
        up_to_date build/python/done "$places" && exit
        [ -x build/python/bin/python ] || python3 -m venv build/python || exit 1
        install="$PWD/build/python/bin/python -m pip install --quiet --disable-pip-version-check"
        $install mypy pytest basedpyright sphinx myst-parser ruff typing_extensions clang-format nats-py \
            aiomqtt pyzmq dbus-fast &&
            made_of "$places" >build/python/begun && apart bindings/python $install --force-reinstall . &&
            mv build/python/begun build/python/done && exit
        echo "PyPI has to be reached, for mypy, pytest, basedpyright, Sphinx and setuptools"
        exit 1
    )
}
python_package() { # the library found by name, as one that is installed
    local made
    for made in functions methods; do
        scripts/python_$made.py | diff bindings/python/src/libsignalkit/_$made.py - ||
            { echo "stale: _$made.py"; return 1; }
    done
    scripts/python_metadata.py --check && installed && python_environment || return 1
    build/python/bin/python -m mypy --config-file bindings/python/pyproject.toml --cache-dir build/python/mypy \
        bindings/python/src/libsignalkit || return 1
    export LD_LIBRARY_PATH=$PWD/build/prefix/lib
    build/python/bin/python -c 'from libsignalkit import _library; assert _library.is_guarded' || return 1
    plays python build/python/bin/python examples/python/main.py || return 1
    scripts/docrun.py python build/python/examples build/python/bin/python || return 1
    # (All tests run on the sources, and most of them on the wheel.)
    apart bindings/python "$PWD/build/python/bin/python" -m pytest -v -p no:cacheprovider \
        tests/test_{asyncio,descriptors,package,programs}.py || return 1
    for seconds in 1 10 100; do # until it has had the time to draw something
        build/python/bin/python examples/python/loadwatch.py $seconds >build/loadwatch.log || return 1
        grep '^cpu' build/loadwatch.log >/dev/null && break
    done
    grep '^cpu' build/loadwatch.log >/dev/null && grep '^Objects left alive: 0' build/loadwatch.log >/dev/null ||
        { cat build/loadwatch.log; return 1; }
}
python_tasks() {
    installed && python_environment && tasks &&
        LD_LIBRARY_PATH=$PWD/build/prefix/lib tasks_print_the_same python_task
}
python_task() { build/python/bin/python "examples/python/tasks/$1.py"; }
# Random pipelines, by the package and by a model.
random_python() {
    installed && python_environment &&
        LD_LIBRARY_PATH=$PWD/build/prefix/lib random_pipelines build/python/bin/python Tests/random/pipelines_python.py
}
# The rules of ruff.toml. The type checkers accept users' programs without changes: those in documents, the examples,
# and pipelines of all kinds. (basedpyright is pyright with its own Node.js.)
python_types() {
    local typed=$PWD/build/python/typed
    python_environment && scripts/docrun.py python "$typed" || return 1
    cat >"$typed/pyrightconfig.json" <<END
{"include": [".", "$PWD/examples/python", "$PWD/bindings/python/tests/typed.py"], "typeCheckingMode": "standard",
 "venvPath": "$PWD/build", "venv": "python"}
END
    build/python/bin/python -m mypy --strict --cache-dir build/python/mypy --python-executable build/python/bin/python \
        "$typed" examples/python/*.py examples/python/{bridges,tasks}/*.py bindings/python/tests/typed.py || return 1
    git ls-files -z '*.py' | xargs -0 build/python/bin/ruff check --no-cache || return 1
    build/python/bin/python -m basedpyright --project "$typed"
}
# The reference, generated from the docstrings; a warning is an error.
python_reference() {
    installed && python_environment || return 1
    LD_LIBRARY_PATH=$PWD/build/prefix/lib build/python/bin/python scripts/python_reference.py build/docs/python
}
# On a machine without the library: the wheel that has it.
python_wheel() {
    local wheel place=$PWD/build/python-wheel
    $make wheel || return 1
    build/wheel-tools/bin/python -m pip install --quiet --disable-pip-version-check twine &&
        build/wheel-tools/bin/python -m twine check --strict build/wheels/libsignalkit-* || return 1
    alone bindings/python || return 1
    wheel=$(echo "$PWD"/build/wheels/libsignalkit-*-manylinux_2_28_"$(uname -m)".whl)
    rm -rf "$place" && python3 -m venv "$place" && scripts/docrun.py python "$place/programs" || return 1
    "$place/bin/python" -m pip install --quiet --disable-pip-version-check pytest "$wheel" || return 1
    unset LD_LIBRARY_PATH PKG_CONFIG_PATH SIGNALKIT_LIBRARY PYTHONPATH
    [ "$("$place/bin/python" "$place/programs/package_1.py")" = "$(printf '1\n2')" ] ||
        { echo "the first program"; return 1; }
    ls "$place"/lib/python3*/site-packages/libsignalkit-*.dist-info/licenses/{LICENSE,NOTICE} || return 1
    # It is the one inside that is used, and it needs nothing but the C library.
    "$place/bin/python" - <<'END' || return 1
import libsignalkit
inside = [line.split()[-1] for line in open("/proc/self/maps") if "libsignalkit.so" in line]
assert inside and all("site-packages/libsignalkit/" in path for path in inside), inside
assert libsignalkit._library.is_guarded
END
    "$place/bin/python" -m pytest -v -p no:cacheprovider \
        bindings/python/tests/test_{signals,operators,in_python,package,reading}.py
}

steps+=(python_package python_tasks random_python python_types python_reference python_wheel)
