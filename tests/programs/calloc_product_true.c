// An object of `calloc` is as large as the product of both sizes, which does not wrap around.
//# call reach_error: TRUE
#include <stdlib.h>
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
    unsigned long count = __VERIFIER_nondet_ulong(), size = __VERIFIER_nondet_ulong();
    char *p = calloc(count, size);
    if (p && count > 0 && size > 0 && p[0])
        reach_error();
    return 0;
}
