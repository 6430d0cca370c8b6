// An index from outside is no pointer, so bytes far behind an object are in no other object.
//# UNKNOWN:
extern void reach_error(void);
extern unsigned index(void);
static char text[16];

int main(void) {
  char *p = text + index();
  if (p > text + 5000 && *p == 3)
    reach_error();
  return 0;
}
