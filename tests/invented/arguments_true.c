// The number of arguments is not negative, there is a list of arguments, and it ends with a null pointer.
//# TRUE:
extern void reach_error(void);

int main(int count, char **list) {
  if (count < 0)
    reach_error();
  if (list == 0)
    reach_error();
  if (list[count] != 0)
    reach_error();
  return 0;
}
