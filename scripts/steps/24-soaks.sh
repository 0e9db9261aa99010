# The soak of each language: interrupts, collections and threads at once. Some seconds in `make test-all`, ten minutes
# in `make trust`.

# soak_of SECONDS COMMAND…: with the installed library.
long_soak=${SOAK_SECONDS:-600}
soak_of() { LD_LIBRARY_PATH=$PWD/build/prefix/lib Tests/soak/languages/run.py "$@"; }

python_soak() { installed && python_environment && soak_of "$1" build/python/bin/python Tests/soak/languages/soak.py; }
soak_python() { python_soak 5; }
soak_python_full() { python_soak "$long_soak"; }

steps+=(soak_python)
long+=(soak_python_full)
limits[soak_python_full]=$((long_soak + 1200))
