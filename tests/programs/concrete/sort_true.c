//# call reach_error: TRUE
// Sorting by orders that are functions.
extern void reach_error(void);
static int by_value(const int *a, const int *b) {
  return *a < *b ? -1 : *a > *b;
}
static int by_last_digit(const int *a, const int *b) {
  return *a % 10 - *b % 10;
}
static void sort(int *v, int n, int (*order)(const int *, const int *)) {
  for (int i = 1; i < n; i++) for (int j = i; j > 0 && order(&v[j - 1], &v[j]) > 0; j--) {
    int t = v[j];
    v[j] = v[j - 1];
    v[j - 1] = t;
  }
}
int main(void) {
  int v[100];
  unsigned seed = 7;
  for (int i = 0; i < 100; i++) {
    seed = seed * 1103515245u + 12345u;
    v[i] = (int)(seed >> 16) & 0x3ff;
  }
  sort(v, 100, by_value);
  for (int i = 1; i < 100; i++) if (v[i - 1] > v[i]) reach_error();
  sort(v, 100, by_last_digit);
  for (int i = 1; i < 100; i++) if (v[i - 1] % 10 > v[i] % 10) reach_error();
  return 0;
}
