//# call reach_error: TRUE
// What is known of the first byte of `word` says nothing of the whole.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int word = 0x301;
int side;
int main(void) {
  unsigned char *low = (unsigned char *)&word;
  do {
    if (side == 0) {
      *low = 9;
      side = 1;
    } else {
      *low = 4;
      side = 0;
    }
  } while (__VERIFIER_nondet_int());
  if (side == 1 && *(unsigned char *)&word != 9) reach_error();
  return 0;
}
