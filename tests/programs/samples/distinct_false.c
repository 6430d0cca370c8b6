// A violation where all numbers differ, which small ones rarely do, behind a memory block that is there.
//# call reach_error: FALSE
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void *malloc(unsigned long);
int main(void) {
  unsigned *picked = malloc(120 * sizeof *picked);
  if (!picked) return 1;
  for (int i = 0; i < 120; i++) picked[i] = __VERIFIER_nondet_uint();
  for (int round = 0; round < 20; round++)
    for (int i = 0; i < 120; i++)
      for (int k = 0; k < i; k++)
        if (picked[i] == picked[k]) return 0;
  reach_error();
  return 0;
}
