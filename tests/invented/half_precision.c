// gcc computes in `float` until the value is stored, where the processor has no operations on `_Float16`: then 2048 + 1 + 1 is 2050. The ledger says so.
//# TRUE: floating point!
extern void reach_error(void);

int main(void) {
  _Float16 h = 2048, one = 1;
  if (h + one + one != 2050) reach_error();
  return 0;
}
