//# call reach_error: TRUE
//# data-model ILP32
// Trees and recursion with 32-bit pointers.
extern void reach_error(void);
struct tree {
  int key;
  struct tree *left, *right;
};
typedef unsigned size_t;
extern void *malloc(size_t);
extern void free(void *);
static void insert(struct tree **root, int key) {
  while (*root) root = key < (*root)->key ? &(*root)->left : &(*root)->right;
  *root = malloc(sizeof **root);
  (*root)->key = key;
  (*root)->left = (*root)->right = 0;
}
static int sum(const struct tree *t, int depth, int *deepest) {
  int mine = depth;
  if (!t) return 0;
  if (depth > *deepest) *deepest = mine;
  return t->key + sum(t->left, depth + 1, deepest) + sum(t->right, depth + 1, deepest);
}
static void drop(struct tree *t) {
  if (t) {
    drop(t->left);
    drop(t->right);
    free(t);
  }
}
static int even(unsigned n);
static int odd(unsigned n) {
  return n ? even(n - 1) : 0;
}
static int even(unsigned n) {
  return n ? odd(n - 1) : 1;
}
int main(void) {
  struct tree *root = 0;
  unsigned x = 1;
  for (int i = 0; i < 200; i++) {
    x = x * 69069u + 1;
    insert(&root, (x >> 16) % 1000);
  }
  int deepest = 0;
  int all = sum(root, 1, &deepest);
  if (deepest < 8 || all < 50000) reach_error();
  drop(root);
  if (!even(3000)) reach_error();
  return 0;
}
