#!/usr/bin/env bash
# Runs a step, a function in scripts/steps: `step.sh NAME`. Keeps its output in build/log/NAME.log. Status 77: skipped.
# `step.sh --list` prints the steps that CTest runs: tier, file, name, time limit in seconds.
set -uo pipefail
cd "$(dirname "$0")/.."
[ "${1:-}" = --list ] || [ "${CONTAINER:-}" = $PPID ] || exec scripts/contained.py scripts/step.sh "$@"

toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")
clang=$toolchain/bin/clang
make="flock build/make.lock make --no-print-directory" # steps that run in parallel may need the same build
make_docs=${make/make.lock/docs.lock}                  # takes long, and the libraries do not wait for it
jobs=${JOBS:-$(($(nproc) > 1 ? 2 : 1))}
embedded=build/embedded${PORTABLE:+-portable}
export WERROR=${WERROR:-yes} PKG_CONFIG_PATH=$PWD/build/prefix/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
export PIP_CONSTRAINT=$PWD/scripts/python_tools.txt
unset MAKEFLAGS MAKELEVEL
mkdir -p build/log

twice=$(sed -nE 's/^ *(\w+)\(\) [({].*/\1/p' scripts/steps/*.sh | sort | uniq -d) # the files share one namespace
[ -z "$twice" ] || { echo "defined twice in scripts/steps:" $twice >&2; exit 1; }
declare -A limits=() file_of=()
core=() steps=() long=() # `make test`, `make test-all`, `make test-nightly`
for file in scripts/steps/*.sh; do
    . "$file"
    for name in "${core[@]}" "${steps[@]}" "${long[@]}"; do : "${file_of[$name]:=$(basename "$file" .sh)}"; done
done
step=${1:-}
if [ "$step" = --list ]; then
    for tier in core steps long; do
        declare -n names=$tier
        for name in "${names[@]}"; do
            declare -F "$name" >/dev/null || { echo "${file_of[$name]}: no function $name" >&2; exit 1; }
            echo "$tier ${file_of[$name]#*-} $name ${limits[$name]:-1800}"
        done
    done
    exit
fi
declare -F "$step" >/dev/null || { echo "no such step: $step" >&2; exit 1; }
# The output goes to a file, because a pipe would wait for each process that the step leaves behind.
("$step") </dev/null >"build/log/$step.log" 2>&1
status=$?
cat "build/log/$step.log"
[ $status = 0 ] || exit $status
! grep -q '^ *skipped: ' "build/log/$step.log" || exit 77
