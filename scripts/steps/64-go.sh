# Go: the module's tests, with the race detector too, the programs of its README, its example.

go_module() { with_packages "golang-go gcc" go_installed; }
go_installed() {
    scripts/go.py --check && installed || return 1
    local out=$PWD/build/go README=$PWD/bindings/go/README.md
    export LD_LIBRARY_PATH=$PWD/build/prefix/lib PKG_CONFIG_PATH=$PWD/build/prefix/lib/pkgconfig
    export GOCACHE=$out/cache GOFLAGS=-buildvcs=false GOPROXY=off
    rm -rf "$out/readme" && mkdir -p "$out/readme" || return 1
    (cd bindings/go && [ -z "$(gofmt -l . ../../examples/go)" ] && go vet . && go test -count=1 . &&
        go test -race -count=1 .) || return 1
    # A module of somebody else's, with the first program of the README.
    sed -n '/^```go$/,/^```$/{/^```/d;p;};/^## /q' "$README" >"$out/readme/main.go"
    (cd "$out/readme" && printf 'module hello\n\ngo 1.19\n\nrequire signalkit.dev/signalkit v1.0.0\n' >go.mod &&
        go mod edit -replace "signalkit.dev/signalkit=$OLDPWD/bindings/go" &&
        go run . | diff <(printf '%s\n' 1 2 3) -) || return 1
    (cd examples/go && go vet ./... && go build -o "$out/loadwatch" ./loadwatch) || return 1
    watches "$out/loadwatch.log" "$out/loadwatch"
}

steps+=(go_module)
