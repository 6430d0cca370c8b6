// One bit of the input is moved to a wrong place.
//# call reach_error: FALSE
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char x = __VERIFIER_nondet_uchar();
  unsigned high = x & 0xf0, low = x & 0x0f;
  unsigned swapped = high >> 4 | low << 5;
  if (swapped != (unsigned)(unsigned char)(x << 4 | x >> 4)) reach_error();
  return 0;
}
