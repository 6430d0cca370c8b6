// The result decides. No function of ours computes it, so that either answer could be wrong.
//# UNKNOWN: depends on the result of `wcwidth()` (library function, not modelled) at library_result.c:10:7
//# FALSE: --set invented.library=input
//# FALSE: --set invented.all=input
//# UNKNOWN: --set invented.assembly=input
extern void reach_error(void);
extern int wcwidth(int);

int main(void) {
  if (wcwidth('a') != 1)
    reach_error();
  return 0;
}
