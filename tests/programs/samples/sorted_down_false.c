// Numbers without values are sorted downwards, and not upwards.
//# call reach_error: FALSE
extern void reach_error(void);
int main(void) {
  int cells[200];
  int moved = 1;
  while (moved) {
    moved = 0;
    for (int i = 1; i < 200; i++)
      if (cells[i] > cells[i - 1]) {
        int kept = cells[i];
        cells[i] = cells[i - 1];
        cells[i - 1] = kept;
        moved = 1;
      }
  }
  for (int i = 1; i < 200; i++)
    if (cells[i] < cells[i - 1]) reach_error();
  return 0;
}
