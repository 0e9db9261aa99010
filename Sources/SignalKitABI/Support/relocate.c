/* The places in the shared library that hold addresses within it (Swift's tables have five thousand), set when it is
 * loaded.
 *
 * A loader does that itself. But the list that every loader can read would take a fifth of the file, and the packed
 * one, of less than a kilobyte, is known to glibc since 2.36 and to musl since 1.2.4 only. So the list is packed under
 * tags of Android's, which no loader here acts on, and this function comes first of all in the library (DT_INIT). The
 * archive has no need of it. */
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PACKED = 0x6fffe000, PACKED_SIZE = 0x6fffe001 };

extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

/* The library cannot work without the table. This function uses only places that need no relocation: the text is
 * relative to the code, and the loader has resolved the functions of other libraries. */
static _Noreturn void give_up(void) {
    static const char sentence[] = "signalkit: libsignalkit.so was modified, and its relocation table is lost.\n";
    (void)!write(STDERR_FILENO, sentence, sizeof sentence - 1);
    abort();
}

/* The first part of the file that is of that type. */
static const ElfW(Phdr) * part(uintptr_t base, ElfW(Word) type) {
    const ElfW(Phdr) *header = (const ElfW(Phdr) *)(base + __ehdr_start.e_phoff), *end = header + __ehdr_start.e_phnum;
    while (header < end && header->p_type != type) header++;
    return header < end ? header : NULL;
}

/* The program headers contain the place of the table of tags. Tools that add an entry (patchelf) move the table, and
 * then `_DYNAMIC` of the linker still points to the old place. */
static const ElfW(Dyn) * tags(uintptr_t base) {
    const ElfW(Phdr) *table = part(base, PT_DYNAMIC);
    if (table == NULL) give_up();
    return (const ElfW(Dyn) *)(base + table->p_vaddr);
}
static uintptr_t tagged(uintptr_t base, ElfW(Sxword) tag) {
    for (const ElfW(Dyn) *entry = tags(base); entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == tag) return entry->d_un.d_ptr;
    }
    give_up();
}

/* An even word is the address of a place; the bits of an odd one say which of the 63 words that follow are places
 * too. */
static void relocate(uintptr_t base, const uintptr_t *word, const uintptr_t *end) {
    uintptr_t *next = NULL;
    for (; word < end; word++) {
        if ((*word & 1) == 0) {
            next = (uintptr_t *)(base + *word);
            *next++ += base;
            continue;
        }
        for (uintptr_t bits = *word >> 1, *place = next; bits; bits >>= 1, place++) {
            if (bits & 1) *place += base;
        }
        next += 8 * sizeof *word - 1;
    }
}

/* Changes the protection of the part that the loader made read-only (RELRO). */
static void protect(uintptr_t base, int protection) {
    const ElfW(Phdr) *relro = part(base, PT_GNU_RELRO);
    if (relro == NULL) return;
    uintptr_t page_mask = ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
    uintptr_t begin = (base + relro->p_vaddr) & page_mask, end = (base + relro->p_vaddr + relro->p_memsz) & page_mask;
    if (mprotect((void *)begin, end - begin, protection) != 0) abort();
}

__attribute__((visibility("hidden"))) void sgk_support_relocate(void);
void sgk_support_relocate(void) {
    uintptr_t base = (uintptr_t)&__ehdr_start, list = base + tagged(base, PACKED), size = tagged(base, PACKED_SIZE);
    protect(base, PROT_READ | PROT_WRITE);
    relocate(base, (const uintptr_t *)list, (const uintptr_t *)(list + size));
    protect(base, PROT_READ);
}
