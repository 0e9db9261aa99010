#!/usr/bin/env bash
# Lists the files that do not contain this version: `versions.sh VERSION`. (Generated files use the header's version.)
set -euo pipefail
cd "$(dirname "$0")/.."

version=$1 failed=0
IFS=. read -r major minor patch <<<"$version"
while read -r file words; do
    grep -F -- "$words" "$file" >/dev/null || { echo "$file does not say: $words" && failed=1; }
done <<END_OF_TABLE
Makefile VERSION := $version
include/signalkit/base.h #define SGK_VERSION_MAJOR $major
include/signalkit/base.h #define SGK_VERSION_MINOR $minor
include/signalkit/base.h #define SGK_VERSION_PATCH $patch
include/signalkit/base.h #define SGK_VERSION_STRING "$version"
Sources/SignalKitABI/Functions/Library.swift CString("$version")
bindings/api.json "version": "$version"
bindings/go/constants.go const Version = "$version"
bindings/java/pom.xml <version>$version</version>
bindings/java/src/main/java/signalkit/C.java VERSION = "$version"
bindings/lua/signalkit-$version-1.rockspec version = "$version-1"
bindings/lua/signalkit/interface.lua version = "$version"
bindings/perl/lib/SignalKit/Version.pm VERSION = '$version'
bindings/python/pyproject.toml version = "$version"
bindings/ruby/lib/signalkit/version.rb VERSION = '$version'
bindings/rust/signalkit-sys/Cargo.toml version = "$version"
bindings/rust/signalkit-sys/src/lib.rs VERSION: &str = "$version"
bindings/rust/signalkit/Cargo.toml version = "=$version"
CHANGELOG.md ## $version
debian/changelog signalkit ($version-1)
END_OF_TABLE
exit $failed
