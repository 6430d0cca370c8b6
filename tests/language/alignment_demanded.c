// Alignments that attributes and typedefs demand, and that of new objects, hold for addresses. verdict: TRUE
extern void reach_error(void);
static void check(int holds) { if (!holds) reach_error(); }

typedef double T[4][4] __attribute__((aligned(2 * __alignof__(double))));
struct S { T s; };
typedef int aligned __attribute__((aligned(64)));
static void use(void *p, int a) { check(((unsigned long)p & (a - 1)) == 0); }
static void loc(int size) { char *p = __builtin_alloca(size + 1); aligned i; int __attribute__((aligned(32))) j; p[0] = 1; use(&i, 64); use(&j, 32); check(__alignof__(i) == 64); }
static aligned g;
int main(void) { check(__alignof__(T) == 16); check(__alignof__(const T) == 16); check(__alignof__(struct S) == 16); check(__alignof__(const struct S) == 16); use(&g, 64); loc(5); use(__builtin_alloca(3), 16); use(__builtin_malloc(1), 8); return 0; }
