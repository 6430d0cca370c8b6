//# call reach_error: TRUE
// The sieve of Eratosthenes.
extern void reach_error(void);
static unsigned char composite[20000];
int main(void) {
  int count = 0;
  for (int i = 2; i < 20000; i++) {
    if (!composite[i]) {
      count++;
      for (long j = (long)i * i; j < 20000; j += i) composite[j] = 1;
    }
  }
  if (count != 2262) reach_error();
  return 0;
}
