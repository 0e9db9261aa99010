# Rewriting of the Swift compiler's output. Without it backtraces end at the library, and its file is larger.

# unwind_fails KIND FILE SED: with that change of the recorded FILE, the program fails and leaves the file alone.
unwind_fails() {
    local file=build/unwind/changed.$1
    sed "$3" "$2" >"$file" && cp "$file" "$file.before"
    ! cmp -s "$2" "$file" || { echo "$3 changes nothing in $2"; return 1; }
    if scripts/unwind_tables.sh "$1" "$file" >"$file.said" 2>&1; then echo "$2 with $3: no failure" && return 1; fi
    grep 'of . functions get an unwind table; the compiler has changed its output$' "$file.said" &&
        cmp "$file" "$file.before"
}
# Tests a recorded output of the compiler, and outputs of unknown forms.
unwind_tables() {
    local place=Tests/toolchain/unwind
    rm -rf build/unwind && mkdir -p build/unwind && cp $place/in.* build/unwind &&
        [ "$(scripts/unwind_tables.sh ir build/unwind/in.ll)" = "5 functions" ] &&
        [ "$(scripts/unwind_tables.sh asm build/unwind/in.s)" = "3 functions" ] &&
        diff $place/out.ll build/unwind/in.ll && diff $place/out.s build/unwind/in.s &&
        unwind_fails ir $place/in.ll '/^attributes #1 /s/ nounwind//' &&
        unwind_fails ir $place/in.ll 's/^attributes #/attribute #/' &&
        unwind_fails ir $place/in.ll 's/^define /func /' &&
        unwind_fails ir $place/in.ll '0,/ #2 {/s/ #2 {/ {/' &&
        unwind_fails asm $place/in.s '0,/\.cfi_startproc/{/\.cfi_startproc/d}' &&
        unwind_fails asm $place/in.s 's/\.cfi_startproc/.cfi_startproc simple/' &&
        unwind_fails asm $place/in.s 's/^\.Lfunc_end/.Lend/'
}
# The shipped library has the rows that the linker wrote, in fewer tables. The program refuses what it does not know.
unwind_joined() {
    local linked=build/embedded/obj/linked.so so=build/embedded/lib/libsignalkit.so
    local join=build/embedded/obj/join_unwind_tables file=build/unwind/changed.so tables
    $make lib && Tests/toolchain/unwind/same_rows.py $linked $so || return 1
    tables=$(for file in $linked $so; do readelf --debug-dump=frames $file | grep -c ' FDE '; done | paste -sd' ')
    echo "tables: $tables"
    [ "${tables% *}" -gt $((8 * ${tables#* })) ] || { echo "they were not joined"; return 1; }
    mkdir -p build/unwind && head -c 4096 $so >$file && join_refuses 'it ends too early' &&
        echo text >$file && join_refuses 'not an ELF file of 64 bits, little endian' &&
        objcopy --remove-section .eh_frame $so $file && join_refuses 'no unwind tables'
}
join_refuses() { # REASON
    local said
    if said=$($join $file $file.joined 2>&1); then echo "$1: no failure" && return 1; fi
    [ "$said" = "join_unwind_tables: $file: $1" ] && [ ! -e $file.joined ] || { echo "$said"; return 1; }
}
# Functions that no event passes through are made small: a recorded output of the compiler, outputs of unknown forms,
# and the library, whose list of other functions has no name without a function.
cold_code() {
    local place=Tests/toolchain/cold log=build/embedded/obj/cold_code.log
    rm -rf build/cold && mkdir -p build/cold && cp $place/in.ll build/cold || return 1
    scripts/cold_code.sh build/cold/in.ll >build/cold/said && diff $place/out.ll build/cold/in.ll &&
        head -n 1 build/cold/said | diff <(echo "2 cold and 4 hot functions, 2 calls, 2 tests") - &&
        cold_fails 's/^define /func /' && cold_fails 's/@swift_retain/@retain/' &&
        cold_fails '/ = and i64 /s/9223372036854775807/4611686018427387903/' && $make lib || return 1
    [ "$(uname -m)" = x86_64 ] || return 0
    head -n 1 $log
    if grep '^no function' $log; then echo "remove it from scripts/hot_code.txt"; return 1; fi
}
cold_fails() { # SED
    local file=build/cold/changed.ll
    sed "$1" Tests/toolchain/cold/in.ll >$file && cp $file $file.before
    ! cmp -s Tests/toolchain/cold/in.ll $file || { echo "$1 changes nothing"; return 1; }
    if scripts/cold_code.sh $file >$file.said 2>&1; then echo "with $1: no failure" && return 1; fi
    grep 'the compiler has changed its output$' $file.said && cmp $file $file.before
}

steps+=(unwind_tables unwind_joined cold_code)
