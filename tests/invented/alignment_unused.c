// The contents of an object with an alignment of its own are as exact as any.
//# FALSE:
extern void reach_error(void);
extern void *aligned_alloc(unsigned long, unsigned long);

int main(void) {
  int *p = aligned_alloc(64, 64);
  p[3] = 7;
  if (p[3] == 7) reach_error();
  return 0;
}
