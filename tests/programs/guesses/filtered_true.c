// What is kept has the property by which it was chosen; the kept elements have a counter of their own.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int all[30000], kept[30000], count = 0;
  for (int i = 0; i < 30000; i++) all[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 30000; i++)
    if (all[i] > 5) {
      kept[count] = all[i];
      count++;
    }
  for (int k = 0; k < count; k++)
    if (kept[k] < 6) reach_error();
  return 0;
}
