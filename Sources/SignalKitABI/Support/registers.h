/* Where calls are compiled in; everywhere else libffi makes them all. (Read by C and by the assembler.)
 *
 * It takes a calling convention that gives out registers from left to right, one for a number or a pointer, two for a
 * struct of two words. The caller here extends narrow integers, and the function called here looks at no more bits than
 * its type has. The conventions of x86-64 (System V) and of ARM64 (AAPCS64) are such. That of RISC-V is not: floats
 * that find no register of their own take one of integers. */
#ifndef SIGNALKIT_REGISTERS_H
#define SIGNALKIT_REGISTERS_H

#if defined(__ELF__) && defined(__LP64__) && (defined(__x86_64__) || defined(__aarch64__))
#define SGK_HAS_REGISTERS 1
#else
#define SGK_HAS_REGISTERS 0
#endif

#ifdef __x86_64__
#define SGK_INTEGER_REGISTERS 6
#else
#define SGK_INTEGER_REGISTERS 8
#endif
#define SGK_FLOAT_REGISTERS 8

/* The functions that can be called with any arguments in registers: how many, and how many bytes apart. */
#define SGK_ENTRIES 256
#define SGK_ENTRY_SIZE 16

#endif
