// The program gets an aligned address, and we make up another one.
//# UNKNOWN:
extern void reach_error(void);
extern void *aligned_alloc(unsigned long, unsigned long);
extern int posix_memalign(void **, unsigned long, unsigned long);

int main(void) {
  void *q = 0;
  char *p = aligned_alloc(64, 64);
  if ((unsigned long)p % 64 != 0) reach_error();
  if (posix_memalign(&q, 4096, 100) == 0 && ((unsigned long)q & 4095) != 0) reach_error();
  return 0;
}
