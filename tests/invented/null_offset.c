// A member far behind a null pointer lies in no object.
//# UNKNOWN: the null pointer is dereferenced
extern void reach_error(void);
struct big {
  char buffer[8192];
  int last;
};
extern struct big *find(void);

int main(void) {
  struct big *p = find();
  if (p == 0 && p->last == 3)
    reach_error();
  return 0;
}
