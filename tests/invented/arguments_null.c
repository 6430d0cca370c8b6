// No argument is a null pointer. That is not followed, but no execution says otherwise.
//# UNKNOWN:
extern void reach_error(void);

int main(int count, char **list) {
  if (count > 1 && list[1] == 0)
    reach_error();
  return 0;
}
