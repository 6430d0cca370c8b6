//# call reach_error: TRUE
// Recursion that puts frames aside.
extern void reach_error(void);
static int ack(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ack(m - 1, 1);
  return ack(m - 1, ack(m, n - 1));
}
int main(void) {
  if (ack(2, 9) != 21) reach_error();
  if (ack(3, 4) != 125) reach_error();
  return 0;
}
