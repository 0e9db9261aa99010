# Swift: the library in other packages, its documentation, and the package for servers.

# users NAME SCRATCH README PRINTED PACKAGES PRODUCTS OPTION…: the first program of README, as a user's package, prints
# that in both language modes.
users() {
    local place=$PWD/build/users/$1 mode
    rm -rf "$place" && mkdir -p "$place/Sources/Five" "$place/Sources/Six" || return 1
    sed -n '/^```swift$/,/^```$/p' "$3" | sed '1d;/^```$/,$d' |
        tee "$place/Sources/Five/main.swift" >"$place/Sources/Six/main.swift"
    cat >"$place/Package.swift" <<-end
	// swift-tools-version: 6.0
	import PackageDescription
	let products: [Target.Dependency] = [$6]
	let package = Package(
	    name: "$1", platforms: [.macOS(.v15)], dependencies: [$5],
	    targets: [
	        .executableTarget(name: "Five", dependencies: products, swiftSettings: [.swiftLanguageMode(.v5)]),
	        .executableTarget(name: "Six", dependencies: products, swiftSettings: [.swiftLanguageMode(.v6)]),
	    ])
	end
    # (Several packages share a scratch path: a plan that is kept may be another one's.)
    swift build $swift_quick --disable-build-manifest-caching --package-path "$place" --scratch-path "$2" \
        "${@:7}" || return 1
    for mode in Five Six; do
        [ "$("$2/debug/$mode" | paste -sd' ')" = "$4" ] || { echo "$1, Swift $mode: it does not print $4"; return 1; }
    done
}
library_users() { # NAME SCRATCH PACKAGE OPTION…
    users "$1" "$2" README.md "2 4 6" "$3" '.product(name: "SignalKit", package: "signalkit")' "${@:4}"
}
swift_by_path() { library_users by-path .build-examples ".package(name: \"signalkit\", path: \"$PWD\")"; }
# A separate repository contains a release: the tracked files, with their changes.
swift_by_tag() {
    local place=$PWD/build/tagged release requirement
    rm -rf "$place" .build-tagged && git init -q --bare -b main "$place/signalkit.git" || return 1
    # A separate index: other steps run `swift build`, which calls `git status`, and that may lock the index. It is
    # refreshed first, because `git stash create` fails without a word if a file has a new time and its old content.
    cp "$(git rev-parse --git-path index)" "$place/index" || return 1
    GIT_INDEX_FILE=$place/index git update-index -q --refresh
    release=$(GIT_INDEX_FILE=$place/index git stash create) && release=${release:-HEAD} &&
        git push -q "$place/signalkit.git" "$release:refs/heads/main" "$release:refs/tags/0.0.1" || return 1
    for requirement in from exact; do # separate caches, because the tag moves
        library_users by-tag-$requirement .build-tagged \
            ".package(url: \"file://$place/signalkit.git\", $requirement: \"0.0.1\")" \
            --cache-path "$place/cache" --security-path "$place/security" || return 1
    done
}

# The package of the guide, next to the sources in a folder `signalkit`.
swift_as_printed() {
    local place=$PWD/build/users/printed here=$PWD
    rm -rf "$place" && mkdir -p "$place" && ln -s "$here" "$place/signalkit" && cd "$place" &&
        "$here/scripts/docrun.py" shell "$here/Sources/SignalKit/SignalKit.docc/GettingStarted.md" "$toolchain/bin"
}

# The members are those of the functions of today. Every public symbol has a comment, and docc, for which a warning is
# an error, knows what the comments lead to.
swift_docs() {
    local graph=build/docc/graph/SignalKit.symbols.json said article
    scripts/swift_members.py | swift-format format --configuration .swift-format - |
        diff - Sources/SignalKit/Members/Members.swift || return 1
    $make_docs $graph && scripts/swift_reference.py || return 1
    for article in Sources/SignalKit/SignalKit.docc/[!S]*.md; do
        article=$(basename "$article" .md)
        grep "<doc:$article>" Sources/SignalKit/SignalKit.docc/SignalKit.md &&
            ls "build/docc/SignalKit.doccarchive/data/documentation/signalkit/${article,,}.json" || return 1
    done
    sed 's/"docComment"/"forgotten"/g' $graph >build/docc/lacking.json
    if said=$(scripts/swift_reference.py build/docc/lacking.json); then echo "it passed" && return 1; fi
    grep ': Signal is not documented' <<<"$said"
}

# The package for servers, from a copy of its folder alone, if its dependencies can be fetched.
swift_server() {
    local package=build/alone/bindings/swift scratch=.build-swift-server log=build/log/swift_server.part nio
    export SIGNALKIT_SOURCES=$PWD
    rm -rf $package && mkdir -p build/alone && git ls-files -z bindings/swift |
        xargs -0 cp -p --parents -t build/alone || return 1
    nio=$(grep 'url: .*/swift-nio"' $package/Package.swift)
    if ! timeout 120 swift package resolve --package-path $package --scratch-path $scratch 2>&1 | tee $log; then
        if grep -E '^error: ' $log | grep -vE "(clone|fetch|access|connect|host)"; then return 1; fi
        echo "skipped: swift-nio and the others cannot be fetched" && return
    fi
    swift build $swift_quick --build-tests --disable-build-manifest-caching --package-path $package \
        --scratch-path $scratch 2>&1 | tee $log &&
        ! grep "$package/.*warning: " $log || return 1
    $scratch/debug/signalkit-serverPackageTests.xctest --testing-library swift-testing || return 1
    users server-user $scratch $package/README.md "0 1 4" \
        ".package(name: \"signalkit-server\", path: \"$PWD/$package\"), ${nio%,}" \
        '.product(name: "SignalKitNIO", package: "signalkit-server"),
        .product(name: "NIOPosix", package: "swift-nio")' &&
        line_server $scratch/debug/LineServer
}
# The example: two clients send lines, then a signal ends it.
line_server() {
    timeout 300 python3 - "$1" <<-'end'
	import re, signal, socket, subprocess, sys
	server = subprocess.Popen(sys.argv[1:], stderr=subprocess.PIPE, text=True)
	said = iter(server.stderr.readline, "")
	port = next(int(found[1]) for found in (re.search(r"port=(\d+)", line) for line in said) if found)
	clients = [socket.create_connection(("127.0.0.1", port)) for _ in range(2)]
	for client in clients: client.sendall(b"one\ntwo\n" * 10 + b"unfinished")
	assert any("lines=40" in line for line in said), "they were not counted"
	server.send_signal(signal.SIGTERM)
	rest = server.stderr.read()
	print(rest)
	assert server.wait() == 0 and "dropped=0 lines=40" in rest
	end
}

steps+=(swift_by_path swift_by_tag swift_as_printed swift_docs swift_server)
