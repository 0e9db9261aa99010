#!/usr/bin/env bash
# Writes all files that are generated from the headers, the sources and the tables in docs. The tests
# check that they are up to date.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/symbols.py >Tests/abi/symbols.txt
scripts/layout.py >Tests/abi/layout.txt
scripts/misuse.py >Tests/C/misuse_made.c
scripts/api.py
scripts/ruby.py
scripts/lua.py
scripts/perl.py
scripts/go.py
scripts/rust.py
scripts/python_functions.py >bindings/python/src/libsignalkit/_functions.py
scripts/python_methods.py >bindings/python/src/libsignalkit/_methods.py
scripts/python_metadata.py
scripts/java.py
scripts/names.py
scripts/coverage.py
scripts/swift_members.py | swift-format format --configuration .swift-format - >Sources/SignalKit/Members/Members.swift
scripts/pictures.py
scripts/operators.py
