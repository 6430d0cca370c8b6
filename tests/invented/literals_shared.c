// Compilers may keep equal string literals once, and one that ends another inside of it.
//# TRUE: fixed addresses!
extern void reach_error(void);

int main(void) {
  const char *name = "word", *end = "sword";
  if (name == end + 1)
    reach_error();
  return 0;
}
