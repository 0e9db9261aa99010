/* Defines the platforms with compiled-in calls. On others, libffi makes all calls. (C and the assembler read this
 * file.)
 *
 * The calling convention must assign registers from left to right: one for a number or a pointer, two for a struct of
 * two words. The caller extends narrow integers, and the called function reads only the bits of its type. The
 * conventions of x86-64 (System V) and of ARM64 (AAPCS64) qualify. The convention of RISC-V does not: floats without a
 * free floating-point register use an integer register. */
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
