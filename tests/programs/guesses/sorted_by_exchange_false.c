// The last element is never compared.
//# call reach_error: FALSE
extern void reach_error(void);
int main(void) {
  int data[300];
  int again = 1;
  int k, low, high;
  while (again) {
    again = 0;
    for (k = 1; k < 299; k++) {
      if (data[k - 1] > data[k]) {
        int keep = data[k];
        data[k] = data[k - 1];
        data[k - 1] = keep;
        again = 1;
      }
    }
  }
  for (low = 0; low < 300; low++)
    for (high = low + 1; high < 300; high++)
      if (data[low] > data[high]) reach_error();
  return 0;
}
