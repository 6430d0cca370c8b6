// Disputed: whether an addition of long overflows depends on the size of long. Expectations written down for 64 bits are checked with 32 bits and
// the other way round. Here, with 32 bits, 2147483647L + 1L overflows, as gcc -m32 says.
//# data-model ILP32
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
  long sum;
  short narrow;
  if (!__builtin_saddl_overflow(2147483647L, 1L, &sum))
    reach_error();
  if (sum != -2147483647L - 1)
    reach_error();
  if (!__builtin_add_overflow(32767, 1, &narrow) || narrow != -32768)
    reach_error();
  return 0;
}
