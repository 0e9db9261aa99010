# The table of docs/platforms.md matches the libraries that were built here.
platforms() { $make lib static && scripts/platforms.py --check; }

steps+=(platforms)
