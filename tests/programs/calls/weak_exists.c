// A weak function without definition may or may not exist: nothing is concluded from that.
//# verdict: UNKNOWN
extern void reach_error(void);
__attribute__((weak)) extern void absent(void);
int main(void) {
  if (absent) reach_error();
  return 0;
}
