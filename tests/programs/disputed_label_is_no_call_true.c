// Disputed: the program reaches a label that is called ERROR, and the property is about calls of a function that it never calls. The expected
// verdict is about the label; the property as it is written holds.
//# data-model ILP32
//# call reach_error: TRUE
//# label ERROR: FALSE
int main(void) {
  int cells[10];
  for (int i = 0; i < 10; i++)
    cells[i] = i;
  if (cells[5] > cells[4])
    goto ERROR;
  return 0;
ERROR:
  return 1;
}
