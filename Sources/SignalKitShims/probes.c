/* Probes for system tracers (USDT): a nop in the code, and a note in the file with the probe's address, name and
 * arguments. The notes are equal to those from <sys/sdt.h>. A tracer increments a semaphore, which is the count of
 * inspectors. */
#include "shims/sight.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#define PROBE(name) \
    __asm__ volatile("990: nop\n" \
                     ".pushsection .note.stapsdt,\"\",\"note\"\n" \
                     ".balign 4\n" \
                     ".4byte 992f-991f, 994f-993f, 3\n" \
                     "991: .asciz \"stapsdt\"\n" \
                     "992: .balign 4\n" \
                     "993: .8byte 990b\n" \
                     ".8byte _.stapsdt.base\n" \
                     ".8byte sgk_shim_lookers\n" \
                     ".asciz \"signalkit\"\n" \
                     ".asciz \"" name "\"\n" \
                     ".asciz \"-8@%0 -8@%1 8@%2 8@%3 -8@%4\"\n" \
                     "994: .balign 4\n" \
                     ".popsection\n" \
                     ".ifndef _.stapsdt.base\n" \
                     ".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
                     ".weak _.stapsdt.base\n" \
                     ".hidden _.stapsdt.base\n" \
                     "_.stapsdt.base: .space 1\n" \
                     ".size _.stapsdt.base, 1\n" \
                     ".popsection\n" \
                     ".endif\n" ::"r"(run), \
        "r"(parent), "r"(operation), "r"(name_given), "r"(more))
#else
#define PROBE(name) ((void)more)
#endif

void sgk_shim_probe(
    sgk_shim_happening kind, int64_t run, int64_t parent, const char *operation, const char *name_given, int64_t more) {
    switch (kind) {
    case SGK_SHIM_START: PROBE("start"); break;
    case SGK_SHIM_NEXT: PROBE("next"); break;
    case SGK_SHIM_FAILED: PROBE("error"); break;
    case SGK_SHIM_COMPLETED: PROBE("completed"); break;
    case SGK_SHIM_DISPOSE: PROBE("dispose"); break;
    case SGK_SHIM_HOP: PROBE("hop"); break;
    case SGK_SHIM_RETURN: PROBE("return"); break;
    }
}
