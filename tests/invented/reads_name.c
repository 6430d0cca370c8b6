// A function that only reads what its argument points to changes nothing.
//# TRUE: library function (1)
extern void reach_error(void);
extern char *gettext(const char *);

int main(void) {
  char name[3] = "a";
  gettext(name);
  if (name[0] != 'a')
    reach_error();
  return 0;
}
