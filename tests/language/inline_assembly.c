// A statement without instructions keeps values, or moves them between operands that share a register. verdict: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static void check(int holds) { if (!holds) reach_error(); }
static int global = 3;
struct pair { int a, b; };

int main(void) {
  int x = __VERIFIER_nondet_int(), y = 4, before = x;
  struct pair pair = {1, 2};
  int *pointer;
  unsigned copy;
  __asm__ volatile("" : "+r"(x) : : "memory");
  __asm__ volatile(" \n\t" : : "r"(&global), "m"(pair) : "memory");
  __asm__("" : "=r"(pointer) : "0"(&global));
  __asm__("" : [out] "=r"(copy) : [in] "[out]"(y++));
  __asm__("" : "+m"(pair));
  check(x == before && *pointer == 3 && copy == 4 && y == 5 && global == 3 && pair.a == 1 && pair.b == 2);
  __asm__("" : "=r"(x), "=r"(y) : "1"(x), "0"(y));
  check(x == 5 && y == before);
  return 0;
}
