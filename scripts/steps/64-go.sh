# Go: the module's tests, with the race detector too, the programs of its README, its example.

go_module() { with_packages "golang-go gcc" go_installed; }
go_installed() {
    scripts/go.py --check && installed || return 1
    local out=$PWD/build/go README=$PWD/bindings/go/README.md
    go_environment
    rm -rf "$out/readme" && mkdir -p "$out/readme" || return 1
    (cd bindings/go && [ -z "$(gofmt -l . ../../examples/go ../../Tests/random)" ] && go vet . &&
        go test -race -count=1 .) || return 1 # (apart_go runs them without -race.)
    # A module of somebody else's, with the first program of the README.
    sed -n '/^```go$/,/^```$/{/^```/d;p;};/^## /q' "$README" >"$out/readme/main.go"
    (go_mod "$out/readme" && cd "$out/readme" && go run . | diff <(printf '%s\n' 1 2 3) -) || return 1
    (cd examples/go && go vet ./... && go build -o "$out/loadwatch" ./loadwatch) || return 1
    watches "$out/loadwatch.log" "$out/loadwatch"
}
go_environment() {
    export LD_LIBRARY_PATH=$PWD/build/prefix/lib PKG_CONFIG_PATH=$PWD/build/prefix/lib/pkgconfig
    export GOCACHE=$PWD/build/go/cache GOFLAGS=-buildvcs=false GOPROXY=off
}
# A module of somebody else's, in this folder.
go_mod() {
    printf 'module hello\n\ngo 1.19\n\nrequire signalkit.dev/signalkit v1.0.0\n\nreplace %s => %s\n' \
        signalkit.dev/signalkit "$PWD/bindings/go" >"$1/go.mod"
}

# Random pipelines, by the module and by a model.
random_go() { with_packages "golang-go gcc" random_in_go; }
random_in_go() {
    local made=build/go/random
    installed && mkdir -p $made && cp Tests/random/pipelines.go $made && go_mod $made || return 1
    go_environment
    (cd $made && go vet . && go build -o pipelines .) && random_pipelines $made/pipelines
}

steps+=(go_module random_go)
