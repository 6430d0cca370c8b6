// An argument may be any string, and there may be none, not even the name of the program.
//# FALSE:
extern void reach_error(void);

int main(int count, char **list) {
  if (count == 0)
    reach_error();
  if (count > 2 && list[1][0] == 'x')
    reach_error();
  return 0;
}
