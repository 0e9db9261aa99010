# Lock-free code: models, compared with the code, and the code itself, explored in weak memory.

models_match() { scripts/models.py; }

# The core and the scenarios, compiled for ThreadSanitizer. The explorer replaces its runtime.
weak_explorer() {
    local built=build/weak includes="-Iinclude -ISources/SignalKitShims/include -ISources/SignalKitABI/Support/include"
    local source wraps places="Sources include Tests/weak scripts/steps/13-models.sh"
    mkdir -p $built
    if ! up_to_date $built/done "$places"; then
        # (Functions that are merged have no lines.)
        rm -rf $built && mkdir -p $built && made_of "$places" >$built/begun &&
            swiftc -wmo -parse-as-library -module-name SignalKit -swift-version 5 -D SIGNALKIT_LIBRARY $includes \
                -Osize -enable-experimental-feature Embedded -Xfrontend -function-sections -sanitize=thread -g \
                -Xllvm -swiftmergefunc-threshold=0 $(find Sources/SignalKitCore -name '*.swift' | sort) \
                Tests/weak/*.swift -c -o $built/core.o &&
            mv $built/begun $built/done || return 1
    fi
    for source in Sources/SignalKitShims/*.c Sources/SignalKitABI/Support/{memory,runtime}.c; do
        "$clang" -O2 -g -std=c11 -D_GNU_SOURCE -DSGK_RUNTIME_FAST $includes -fsanitize=thread -c "$source" \
            -o "$built/$(basename "$source").o" || return 1
    done
    wraps=$(printf -- '-Wl,--wrap=%s ' malloc free calloc realloc aligned_alloc pthread_create syscall sched_yield \
        clock_gettime eventfd write read close)
    "$clang" -O2 -g -std=gnu2x -D_GNU_SOURCE -Wall -Wextra -Werror $includes Tests/weak/*.c \
        -no-pie -fuse-ld=lld -Wl,--gc-sections $wraps $built/core.o $built/*.c.o -lpthread -lm -o $built/explorer
}
weak_memory() { weak_explorer && scripts/weak.py build/weak/explorer "$jobs"; }
weak_memory_deeper() { weak_explorer && DEEPER=1 scripts/weak.py build/weak/explorer; }

core+=(models_match)
steps+=(weak_memory)
long+=(weak_memory_deeper)
