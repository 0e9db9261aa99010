/* The functions of the C library and the system that one thread in virtual time uses. All other functions trap, because
 * the program never calls them. */
#include "SignalKitShims.h"

/* ---- Memory: it is taken, and never given back. Each answer has an instance of the module to itself ---- */

extern unsigned char __heap_base;
static uintptr_t top = (uintptr_t)&__heap_base;

int posix_memalign(void **memory, size_t alignment, size_t size) {
    enum { PAGE = 1 << 16 };
    uintptr_t begin = (top + alignment - 1) & -alignment, end = begin + size;
    size_t there = __builtin_wasm_memory_size(0) * PAGE;
    size_t more = end > there ? (end - there + PAGE - 1) / PAGE : 0;
    if (more != 0 && __builtin_wasm_memory_grow(0, more) == SIZE_MAX) return 12 /* ENOMEM */;
    top = end;
    *memory = (void *)begin;
    return 0;
}

void free(void *memory) { (void)memory; }

/* (The builtins compile to WebAssembly instructions, not to recursive calls.) */
void *memcpy(void *to, const void *from, size_t size) { return __builtin_memcpy(to, from, size); }
void *memmove(void *to, const void *from, size_t size) { return __builtin_memmove(to, from, size); }
void *memset(void *to, int byte, size_t size) { return __builtin_memset(to, byte, size); }

int memcmp(const void *one, const void *other, size_t size) {
    const unsigned char *a = one, *b = other;
    for (size_t index = 0; index < size; index++) {
        if (a[index] != b[index]) return a[index] - b[index];
    }
    return 0;
}

/* Swift's dictionaries have a seed. The same each time, and so the answers. */
void arc4random_buf(void *to, size_t size) { __builtin_memset(to, 1, size); }

/* ---- What there is once in the library ---- */

uint32_t sgk_shim_forks = 0;
void (*sgk_shim_pin)(void) = NULL;
uint16_t sgk_shim_lookers = 0;
SGK_THREAD_LOCAL void *sgk_shim_work = NULL;

/* A stack without a limit: an overflow traps. */
SGK_THREAD_LOCAL struct sgk_shim_stack sgk_shim_stack = {0, 0};
bool sgk_shim_stack_is_really_low(void) { return false; }
bool sgk_shim_stack_is_nearly_full(void) { return false; }
sgk_shim_turns *sgk_shim_turns_here(void) {
    static sgk_shim_turns turns;
    return &turns;
}

static sgk_shim_place place;
SGK_THREAD_LOCAL sgk_shim_place *sgk_shim_place_here = &place;

uintptr_t sgk_shim_thread_pointer(void) { return 4; }
bool sgk_shim_environment_says(const char *name) { return (void)name, false; }
void sgk_shim_at_fork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
    (void)prepare, (void)parent, (void)child;
}

extern void swift_release(void *object);
void sgk_shim_let_go(void *object) { swift_release(object); }
