// Where a member lies behind an array of variable length is known at run time only.
//# call reach_error: FALSE
extern void reach_error(void);

int main(void) {
  int size = 3;
  struct s {
    int i;
    char a[size];
    char tail[];
  } s;
  char *p = (char *)&s.tail[0];
  char *q = (char *)&s;
  if (p == q + size + sizeof(int)) reach_error();
  return 0;
}
