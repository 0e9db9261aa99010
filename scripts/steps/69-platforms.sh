# What the docs say about the libraries that have been built here.
platforms() { $make lib static && scripts/platforms.py --check; }

steps+=(platforms)
