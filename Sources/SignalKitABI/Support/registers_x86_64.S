/* Functions that can be called with any arguments in registers: each puts its number into a register and goes on to
 * where all of them collect the arguments (integers, then floats) and call sgk_entry_called. */
#include "registers.h"

#if SGK_HAS_REGISTERS && defined(__x86_64__)

    .text
    .globl sgk_entry_functions
    .hidden sgk_entry_functions
    .type sgk_entry_functions, @function
    .balign SGK_ENTRY_SIZE
sgk_entry_functions:
    .cfi_startproc
    .set number, 0
    .rept SGK_ENTRIES
    .balign SGK_ENTRY_SIZE
    endbr64
    movl $number, %eax
    jmp collect
    .set number, number + 1
    .endr
    .balign SGK_ENTRY_SIZE
collect:
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    subq $112, %rsp
    movq %rdi, (%rsp)
    movq %rsi, 8(%rsp)
    movq %rdx, 16(%rsp)
    movq %rcx, 24(%rsp)
    movq %r8, 32(%rsp)
    movq %r9, 40(%rsp)
    movsd %xmm0, 48(%rsp)
    movsd %xmm1, 56(%rsp)
    movsd %xmm2, 64(%rsp)
    movsd %xmm3, 72(%rsp)
    movsd %xmm4, 80(%rsp)
    movsd %xmm5, 88(%rsp)
    movsd %xmm6, 96(%rsp)
    movsd %xmm7, 104(%rsp)
    movl %eax, %edi
    movq %rsp, %rsi
    call sgk_entry_called
    movq %rax, %xmm0
    leave
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
    .size sgk_entry_functions, . - sgk_entry_functions
#endif
    .section .note.GNU-stack, "", @progbits
