/* Absolute values of inputs. */
#include <limits.h>
#include <stdlib.h>

extern void reach_error(void);
extern void finished(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > INT_MIN && (abs(n) < 0 || abs(n) != n && abs(n) != -n))
        reach_error();
    if (labs(n) != llabs(n))
        reach_error();
    finished();
    return 0;
}
