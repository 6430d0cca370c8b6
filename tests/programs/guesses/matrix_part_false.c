// The last column is not copied.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int from[30][40], to[30][40];
int main(void) {
  for (int i = 0; i < 30; i++)
    for (int j = 0; j < 40; j++) from[i][j] = __VERIFIER_nondet_int();
  for (int i = 0; i < 30; i++)
    for (int j = 0; j < 39; j++) to[i][j] = from[i][j];
  for (int i = 0; i < 30; i++)
    for (int j = 0; j < 40; j++)
      if (to[i][j] != from[i][j]) reach_error();
  return 0;
}
