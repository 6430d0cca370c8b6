// Disputed: the closed form of a sum, in unsigned arithmetic. Tasks of this form are expected to hold, with mathematical integers in mind. With
// those of the machine the product wraps before it is halved: for n = 65536 the sum is 2147516416 and the closed form 32768.
//# data-model ILP32
//# call reach_error: FALSE
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
  unsigned int n = __VERIFIER_nondet_uint();
  // The loop that adds up has this result; n is even here, so that nothing is lost by halving first.
  if (n % 2 != 0)
    return 0;
  unsigned int sum = n / 2 * (n + 1);
  if (n > 65530 && n < 65540 && sum != n * (n + 1) / 2 && sum != 0)
    reach_error();
  return 0;
}
