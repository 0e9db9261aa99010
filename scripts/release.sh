#!/usr/bin/env bash
# Makes in build/dist what a release consists of: `make dist`, Python's wheels, the notes (what CHANGELOG.md says of it,
# and the checksums). The tag is the maintainer's.
#   release.sh VERSION
set -euo pipefail
cd "$(dirname "$0")/.."

version=$1 dist=$PWD/build/dist
refuse() { echo "$*" >&2; exit 1; }
scripts/deps.sh with git python3-venv abigail-tools $(sed -n 's/^PACKAGES := //p' scripts/targets/*.mk)
changed=$(git status --porcelain)
[ -z "$changed" ] || refuse "What is not committed is not released: $changed"
scripts/versions.sh "$version"
scripts/abi.py --current
notes=$(awk -v heading="^## $version \\\\([0-9-]+\\\\)\$" '/^## / { wanted = $0 ~ heading } wanted' CHANGELOG.md)
[ -n "$notes" ] || refuse "CHANGELOG.md does not say when $version was released: ## $version (YYYY-MM-DD)"

rm -rf build/wheels
for target in "" aarch64-linux-gnu; do make --no-print-directory wheel CROSS=$target; done
make --no-print-directory dist
cp build/wheels/*.whl build/wheels/*.tar.gz "$dist"
cd "$dist"
sha256sum -- *.tar.gz *.whl >SHA256SUMS
{ echo "$notes"; printf '\n### Checksums (SHA-256)\n\n'; sed 's/^/    /' SHA256SUMS; } >NOTES.md
echo "  RELEASE build/dist: when all is well, git tag -s v$version"
