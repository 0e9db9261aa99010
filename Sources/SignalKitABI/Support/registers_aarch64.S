/* What registers_x86_64.S has, for ARM64. */
#include "registers.h"

#if SGK_HAS_REGISTERS && defined(__aarch64__)

    .text
    .globl sgk_entry_functions
    .hidden sgk_entry_functions
    .type sgk_entry_functions, %function
    .balign SGK_ENTRY_SIZE
sgk_entry_functions:
    .cfi_startproc
    .set number, 0
    .rept SGK_ENTRIES
    .balign SGK_ENTRY_SIZE
    hint 34 /* bti c, whatever the assembler knows */
    mov w9, number
    b collect
    .set number, number + 1
    .endr
    .balign SGK_ENTRY_SIZE
collect:
    stp x29, x30, [sp, -144]!
    .cfi_def_cfa_offset 144
    .cfi_offset x29, -144
    .cfi_offset x30, -136
    mov x29, sp
    stp x0, x1, [sp, 16]
    stp x2, x3, [sp, 32]
    stp x4, x5, [sp, 48]
    stp x6, x7, [sp, 64]
    stp d0, d1, [sp, 80]
    stp d2, d3, [sp, 96]
    stp d4, d5, [sp, 112]
    stp d6, d7, [sp, 128]
    mov w0, w9
    add x1, sp, 16
    bl sgk_entry_called
    fmov d0, x0
    ldp x29, x30, [sp], 144
    .cfi_restore x29
    .cfi_restore x30
    .cfi_def_cfa_offset 0
    ret
    .cfi_endproc
    .size sgk_entry_functions, . - sgk_entry_functions
#endif
    .section .note.GNU-stack, "", %progbits
