// Neighbours are in order where a round has exchanged nothing, so all pairs are: one claim leads from an element to its neighbour.
//# call reach_error: TRUE
extern void reach_error(void);
int main(void) {
  int data[300];
  int again = 1;
  int k, low, high;
  while (again) {
    again = 0;
    for (k = 1; k < 300; k++) {
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
