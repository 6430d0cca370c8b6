// Two ways to spread the bits of an input meet in the same bits.
//# call reach_error: TRUE
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char x = __VERIFIER_nondet_uchar();
  unsigned spread = 0, i;
  for (i = 0; i < 32; i++)
    spread |= (x & (1U << i)) << i;
  unsigned y = x;
  y = (y | y << 4) & 0x0f0f;
  y = (y | y << 2) & 0x3333;
  y = (y | y << 1) & 0x5555;
  if (spread != y) reach_error();
  unsigned char high = (unsigned char)(x >> 4), low = (unsigned char)(x << 4);
  if ((unsigned char)(high << 4 | low >> 4) != x) reach_error();
  return 0;
}
