// Objects lie where the layout put them, and the ledger says so where a number is compared.
//# TRUE: fixed addresses!
extern void reach_error(void);

int main(void) {
  int local = 0, *pointer = &local;
  if (pointer == (int *)128)
    reach_error();
  return local;
}
