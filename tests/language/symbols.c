// A function is the one that its symbol names: of the program, or of the library. verdict: TRUE
typedef __SIZE_TYPE__ size_t;
extern void reach_error(void);
int next(int) __asm__("successor");
int successor(int x) { return x + 1; }
int compare(const void *, const void *, size_t) __asm__("memcmp");
void *get(size_t) __asm__("malloc");
void leave(int) __asm__("exit");

int main(void) {
  char a[2] = "x", b[2] = "x";
  if (next(1) != 2 || compare(a, b, 2) != 0) reach_error();
  int *p = get(sizeof(int));
  if (p) {
    *p = 3;
    if (*p != 3) reach_error();
  }
  leave(0);
  reach_error();
}
