/* Memory and its non-atomic accesses: no two accesses race, and none is to freed memory. */
#include "explorer.h"

#include <stdlib.h>
#include <string.h>

char arena[ARENA] __attribute__((aligned(64)));
shadow shadows[ARENA];
uint8_t location_at[ARENA];
size_t arena_begins;
static size_t arena_ends;
int64_t blocks;

void forget_memory(void) {
    memset(shadows + arena_begins, 0, sizeof *shadows * (arena_ends - arena_begins));
    memset(location_at + arena_begins, 0, arena_ends - arena_begins);
    arena_ends = arena_begins;
    blocks = 0;
}

void keep_memory(void) { arena_begins = arena_ends = (arena_ends + 63) & ~(size_t)63; }

unsigned sgk_support_attention; /* (of a part of the library that is not here) */

static void accesses(uintptr_t address, size_t size, bool writes) {
    if (!explores || !is_ours(address)) return;
    const uint16_t *clock = fibers[current].view.clock;
    for (size_t i = 0; i < size; i++) {
        shadow *byte = &shadows[offset(address) + i];
        if (byte->is_gone) fault("memory is used that was let go");
        if (byte->by != current && byte->written > clock[byte->by]) fault("a race with what was written");
        if (writes) {
            for (int t = 0; t < thread_count; t++)
                if (t != current && byte->read[t] > clock[t]) fault("a race with what was read");
            byte->by = (uint8_t)current;
            byte->written = clock[current] + 1;
        } else {
            byte->read[current] = clock[current] + 1;
        }
    }
    for (size_t i = 0; i < size; i++) {
        uint8_t index = location_at[offset(address) + i];
        if (index == 0) continue;
        location *at = &locations[index];
        for (int t = 0; t < thread_count; t++) {
            if (t == current) continue;
            if (at->writes[t] > clock[t] || (writes && at->reads[t] > clock[t])) fault("a race with what is atomic");
        }
        if (writes) location_at[offset(address) + i] = 0;
    }
}

extern void *__real_malloc(size_t), *__real_aligned_alloc(size_t, size_t);
extern void __real_free(void *);

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    if (!is_on) return __real_aligned_alloc(alignment, size);
    if (alignment < 16) alignment = 16;
    size_t at = (arena_ends + 16 + alignment - 1) & ~(alignment - 1);
    arena_ends = at + size;
    if (arena_ends > ARENA) fault("more memory than there is");
    ((size_t *)(arena + at))[-1] = size;
    blocks++;
    return arena + at;
}
void *__wrap_malloc(size_t size) { return is_on ? __wrap_aligned_alloc(16, size) : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) {
    void *made = __wrap_malloc(count * size);
    return memset(made, 0, count * size);
}
void __wrap_free(void *memory) {
    if (memory == NULL) return;
    uintptr_t address = (uintptr_t)memory;
    if (address - (uintptr_t)arena >= ARENA) return __real_free(memory);
    if (!is_ours(address)) return;
    size_t size = ((size_t *)memory)[-1];
    if (size == SIZE_MAX) fault("memory is let go twice");
    accesses(address, size, true);
    for (size_t i = 0; i < size; i++) shadows[offset(address) + i].is_gone = true;
    ((size_t *)memory)[-1] = SIZE_MAX;
    blocks--;
}
void *__wrap_realloc(void *memory, size_t size) {
    void *made = __wrap_malloc(size);
    if (memory) {
        size_t before = ((size_t *)memory)[-1];
        memcpy(made, memory, before < size ? before : size);
        __wrap_free(memory);
    }
    return made;
}

#define ACCESS(name, size) \
    void __tsan_read##name(void *a) { accesses((uintptr_t)a, size, false); } \
    void __tsan_write##name(void *a) { accesses((uintptr_t)a, size, true); }
ACCESS(1, 1)
ACCESS(2, 2)
ACCESS(4, 4)
ACCESS(8, 8)
ACCESS(16, 16)
void __tsan_unaligned_read2(void *a) { accesses((uintptr_t)a, 2, false); }
void __tsan_unaligned_read4(void *a) { accesses((uintptr_t)a, 4, false); }
void __tsan_unaligned_read8(void *a) { accesses((uintptr_t)a, 8, false); }
void __tsan_unaligned_read16(void *a) { accesses((uintptr_t)a, 16, false); }
void __tsan_unaligned_write2(void *a) { accesses((uintptr_t)a, 2, true); }
void __tsan_unaligned_write4(void *a) { accesses((uintptr_t)a, 4, true); }
void __tsan_unaligned_write8(void *a) { accesses((uintptr_t)a, 8, true); }
void __tsan_unaligned_write16(void *a) { accesses((uintptr_t)a, 16, true); }
void *__tsan_memcpy(void *to, const void *from, size_t size) {
    accesses((uintptr_t)from, size, false);
    accesses((uintptr_t)to, size, true);
    return memcpy(to, from, size);
}
void *__tsan_memmove(void *to, const void *from, size_t size) {
    accesses((uintptr_t)from, size, false);
    accesses((uintptr_t)to, size, true);
    return memmove(to, from, size);
}
void *__tsan_memset(void *to, int value, size_t size) {
    accesses((uintptr_t)to, size, true);
    return memset(to, value, size);
}
void __tsan_init(void) {}
void __tsan_func_entry(void *pc) { (void)pc; }
void __tsan_func_exit(void) {}
void __tsan_ignore_thread_begin(void) {}
void __tsan_ignore_thread_end(void) {}
void __tsan_external_write(void *a, void *pc, void *tag) { (void)a, (void)pc, (void)tag; }
void __tsan_external_read(void *a, void *pc, void *tag) { (void)a, (void)pc, (void)tag; }
void __tsan_vptr_update(void **a, void *v) { (void)a, (void)v; }
