// Sizes are values: evaluated once, where the declaration or the type name is reached.
//# verdict: TRUE
extern void reach_error(void);
static int calls;
static int next(void) { return ++calls; }
int main(void) {
  int i = 3, n = 4;
  if (sizeof(int[i++]) != 12 || i != 4) reach_error();
  if (sizeof(int (*)[i++]) != sizeof(void *) || i != 4) reach_error();
  int a[n];
  n = 100;
  if (sizeof a != 16 || sizeof(a) / sizeof(a[0]) != 4) reach_error();
  char b[next()][next() + 2];
  if (calls != 2 || sizeof b != 6 || sizeof b[0] != 3 || sizeof b[0][0] != 1) reach_error();
  typedef long row[i];
  i = 50;
  row rows[2];
  if (sizeof(row) != 32 || sizeof rows != 64 || sizeof(row *) != 8) reach_error();
  int (*p)[n / 50] = (void *)a;
  if (sizeof *p != 8 || sizeof(*p++) != 8 || (char *)p != (char *)a + 8) reach_error();
  int j = 1;
  int grid[i / 10][i / 25];
  if (sizeof grid[j++] != 8 || j != 2) reach_error();
  if ((char *)&grid[2] - (char *)grid != 16) reach_error();
  for (int k = 1; k < 4; k++) {
    short s[k];
    if (sizeof s != 2 * k) reach_error();
  }
  return 0;
}
