// The number of arguments is not negative, and the list of arguments ends with a null pointer.
//# TRUE:
extern void reach_error(void);

int main(int count, char **list) {
  if (count < 0)
    reach_error();
  if (list[count] != 0)
    reach_error();
  return 0;
}
