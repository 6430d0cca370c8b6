// Two counters number the elements of matrices.
//# call reach_error: TRUE
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
unsigned a[300][400], b[300][400], sum[300][400];
int main(void) {
  for (int i = 0; i < 300; i++)
    for (int j = 0; j < 400; j++) {
      a[i][j] = __VERIFIER_nondet_uint();
      b[i][j] = __VERIFIER_nondet_uint();
    }
  for (int i = 0; i < 300; i++)
    for (int j = 0; j < 400; j++) sum[i][j] = a[i][j] + b[i][j];
  for (int i = 0; i < 300; i++)
    for (int j = 0; j < 400; j++)
      if (sum[i][j] != b[i][j] + a[i][j]) reach_error();
  return 0;
}
