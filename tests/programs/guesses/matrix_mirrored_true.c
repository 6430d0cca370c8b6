// Rows become columns.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int from[200][200], to[200][200];
int main(void) {
  for (int i = 0; i < 200; i++)
    for (int j = 0; j < 200; j++) from[i][j] = __VERIFIER_nondet_int();
  for (int i = 0; i < 200; i++)
    for (int j = 0; j < 200; j++) to[j][i] = from[i][j];
  for (int i = 0; i < 200; i++)
    for (int j = 0; j < 200; j++)
      if (to[j][i] != from[i][j]) reach_error();
  return 0;
}
