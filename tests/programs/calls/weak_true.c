// Weak functions and aliases: a definition is what counts, and the address of an absent one is the same everywhere.
//# verdict: TRUE
extern void reach_error(void);
extern void absent(void) __attribute__((weak));
static void (*table[2])(void) = {absent, 0};
__attribute__((weak)) int chosen(void) { return 3; }
int other(void) __attribute__((alias("chosen")));
static int (*pointer)(void) = other;
int main(void) {
  if (!chosen || chosen() != 3 || other() != 3 || pointer() != 3 || pointer != chosen) reach_error();
  if ((table[0] != 0) != (absent != 0)) reach_error();
  return 0;
}
