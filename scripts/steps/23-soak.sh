# Many repetitions and many simultaneous objects: memory and descriptors do not grow, nothing is lost, and nothing
# leaks.

soak_program() { $make lib && c_program "build/soak/$1" -O1 Tests/soak/*.c $(with_library); } # leaves it in $made
soak() { soak_program soak && "$made"; }
soak_full() { soak_program full && "$made" full "${SOAK_SECONDS:-3600}"; }
# Combining ten times as many signals takes ten times as many instructions.
combined_in_proportion() {
    local count few many
    soak_program counted || return 1
    for count in 1000 10000; do
        few=${many:-} many=$(valgrind --tool=callgrind --trace-children=yes --callgrind-out-file=/dev/null "$made" \
            combined $count 2>&1 | sed -nE 's/.* Collected : ([0-9]+)$/\1/p' | tail -1)
        echo "$count signals: $many instructions"
    done
    [ $((10 * many)) -lt $((105 * few)) ]
}

steps+=(soak)
long+=(soak_full combined_in_proportion)
limits[soak_full]=$((${SOAK_SECONDS:-3600} + 1800))
