# Ruby: the gem as a user installs it, its tests, the blocks of its README, its example.

ruby_gem() { with_packages "ruby ruby-ffi ruby-minitest" ruby_installed; }
ruby_installed() {
    scripts/ruby.py --check && installed || return 1
    local gems=$PWD/build/ruby README=$PWD/bindings/ruby/README.md
    export LD_LIBRARY_PATH=$PWD/build/prefix/lib
    rm -rf "$gems" && mkdir -p "$gems" &&
        (cd bindings/ruby && gem build --strict -o "$gems/signalkit.gem" signalkit.gemspec) &&
        gem install --local --ignore-dependencies --no-document --install-dir "$gems" "$gems/signalkit.gem" || return 1
    export GEM_PATH=$gems:$(gem environment gempath)
    for test in bindings/ruby/test/test_*.rb; do ruby -w "$test" || return 1; done
    sed -n '/^```ruby$/,/^```$/p' "$README" | grep -v '^```' >build/ruby/readme.rb
    ruby build/ruby/readme.rb | diff bindings/ruby/test/readme.txt - || return 1
    [ "$(ruby -rsignalkit -e 'print SignalKit.library_version == SignalKit::VERSION')" = true ] || return 1
    watches build/ruby/loadwatch.log ruby -w examples/ruby/loadwatch.rb
}

steps+=(ruby_gem)
