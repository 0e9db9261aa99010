# Each allocation and system call fails, one at a time. Tests/torture/torture.c describes the required results. The
# scenarios are those of Tests/torture and the examples of the reference, except examples that wait without checking a
# result, or use a string without checking for NULL.

# tortured STRIDE NAME…: fails every STRIDE-th allocation, in these scenarios or in all.
tortured() {
    local source name examples= objects=() place=$build/Tests/torture
    mkdir -p "$place" || return 1
    for source in examples/c/reference/*.c; do
        name=$(basename "$source" .c) && name=${name//-/_}
        case $name in debug | descriptors | disposable | operators_inner | operators_mapping | value) continue ;; esac
        "$clang" $c_flags $flags -Wno-return-type "-Dmain=example_$name" -c "$source" -o "$place/$name.o" || return 1
        examples+=" X($name)" objects+=("$place/$name.o")
    done
    c_program "$place/torture" "-DEXAMPLES(X)=$examples" Tests/torture/*.c "${objects[@]}" $(with_library) $flags &&
        timeout 6000 "$made" "$@"
}
torture() { $make lib && tortured 50; }
# AddressSanitizer cannot handle failures to create threads, so it runs only scenarios without them.
torture_whole() {
    $make lib && tortured 1 && SIGNALKIT_DEBUG=1 tortured 7 &&
        under address tortured 1 values chain replays links generators reads typed sight joins inner in_a_row \
            promises virtual_time disposables
}

steps+=(torture)
long+=(torture_whole)
limits[torture_whole]=9000
