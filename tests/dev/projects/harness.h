/* Inputs of the harnesses. */
#ifndef HARNESS_H
#define HARNESS_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void __VERIFIER_assume(int);

/* A number below `n`. */
static inline unsigned any_below(unsigned n)
{
    unsigned v = __VERIFIER_nondet_uint();
    __VERIFIER_assume(v < n);
    return v;
}

/* `n` bytes of any value. */
static inline void any_bytes(void *to, size_t n)
{
    unsigned char *bytes = to;
    for (size_t i = 0; i < n; i++)
        bytes[i] = __VERIFIER_nondet_uchar();
}

/* A string of at most `n` characters in `to`, which has `n` + 1 bytes. */
static inline void any_string(char *to, size_t n)
{
    any_bytes(to, n);
    to[n] = 0;
}

#endif
