// Elements of arrays of variable length, in several dimensions and through parameters.
//# verdict: TRUE
extern void reach_error(void);
static int sum(int n, int m, int a[n][m]) {
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) s = s * 2 + a[i][j];
  return s;
}
static void transpose(int n, int m, int from[n][m], int (*to)[n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) to[j][i] = from[i][j];
}
static int trace(int n, int a[static n][n]) { return n ? a[n - 1][n - 1] + (n > 1 ? trace(n - 1, (int (*)[n - 1])a) : 0) : 0; }
int main(void) {
  int n = 2, m = 3;
  int a[n][m], b[m][n];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] = i * 3 + j;
  transpose(n, m, a, b);
  if (sum(n, m, a) != ((((0 * 2 + 1) * 2 + 2) * 2 + 3) * 2 + 4) * 2 + 5) reach_error();
  if (b[0][0] != 0 || b[0][1] != 3 || b[1][0] != 1 || b[2][1] != 5) reach_error();
  int (*row)[m] = a;
  row++;
  if ((*row)[1] != 4 || row - a != 1 || &(*row)[0] != &a[1][0]) reach_error();
  int c[3][n + 1];
  for (int i = 0; i < 9; i++) ((int *)c)[i] = i;
  if (c[1][2] != 5 || c[2][0] != 6 || trace(3, c) != 8 + 3 + 0) reach_error();
  struct point { short x, y; } points[n];
  points[1].x = 4;
  points[0] = points[1];
  struct point *q = points;
  if (q[0].x != 4) reach_error();
  return 0;
}
