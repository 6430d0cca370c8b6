//# call reach_error: TRUE
// A product of matrices.
extern void reach_error(void);
static long a[20][20], b[20][20], c[20][20];
int main(void) {
  for (int i = 0; i < 20; i++) for (int j = 0; j < 20; j++) {
    a[i][j] = i + j;
    b[i][j] = i == j ? 2 : 0;
  }
  for (int i = 0; i < 20; i++) for (int j = 0; j < 20; j++) {
    long s = 0;
    for (int k = 0; k < 20; k++) s += a[i][k] * b[k][j];
    c[i][j] = s;
  }
  for (int i = 0; i < 20; i++) for (int j = 0; j < 20; j++) if (c[i][j] != 2 * (i + j)) reach_error();
  return 0;
}
