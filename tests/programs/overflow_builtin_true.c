// The third operand of a typed builtin decays to `void *`; the type is in the name.
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
  unsigned int a = 4294967295U, b = 2, small = 0;
  unsigned long wide = 0;
  if (!__builtin_uadd_overflow(a, b, &small) || small != 1) reach_error();
  if (__builtin_uaddl_overflow(2147483647UL, 2147483647L, &wide) || wide != 4294967294UL) reach_error();
  int s = 0;
  if (!__builtin_ssub_overflow(-2147483647 - 1, 1, &s) || s != 2147483647) reach_error();
  return 0;
}
