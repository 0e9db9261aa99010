#!/bin/sh
# Prints the names of the Swift tests, without their parameters, once each.
"$1" --testing-library swift-testing --list-tests | sed -n 's/(.*//; /^[A-Za-z0-9_]*\.[A-Za-z]/p' | LC_ALL=C sort -u
