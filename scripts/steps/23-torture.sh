# Everything that can fail does, one thing after another: Tests/torture/torture.c says what must hold. The scenarios are
# those of Tests/torture, and the examples of the reference, but for those that wait for what they have not looked at,
# or read texts that they have asked for without looking whether there are any.

# tortured STRIDE
tortured() {
    local source name examples= objects=() place=$build/Tests/torture
    mkdir -p "$place" || return 1
    for source in examples/c/reference/*.c; do
        name=$(basename "$source" .c) && name=${name//-/_}
        case $name in debug | descriptors | disposable | operators_inner | operators_mapping) continue ;; esac
        "$clang" $c_flags $flags -Wno-return-type "-Dmain=example_$name" -c "$source" -o "$place/$name.o" || return 1
        examples+=" X($name)" objects+=("$place/$name.o")
    done
    c_program "$place/torture" "-DEXAMPLES(X)=$examples" Tests/torture/*.c "${objects[@]}" $(with_library) $flags &&
        timeout 6000 "$made" "$1"
}
torture() { $make lib && tortured 50; }
torture_whole() { $make lib && tortured 1 && SIGNALKIT_DEBUG=1 tortured 7 && under address tortured 7; }

steps+=(torture)
long+=(torture_whole)
limits[torture_whole]=9000
