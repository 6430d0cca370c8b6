//# call reach_error: TRUE
// Lists that are made, reversed and given back.
typedef unsigned long size_t;
extern void reach_error(void);
extern void *malloc(size_t);
extern void free(void *);
struct node {
  struct node *next;
  int value;
};
static struct node *push(struct node *head, int value) {
  struct node *n = malloc(sizeof *n);
  n->next = head;
  n->value = value;
  return n;
}
static struct node *reversed(struct node *head) {
  struct node *result = 0;
  while (head) {
    struct node *next = head->next;
    head->next = result;
    result = head;
    head = next;
  } return result;
}
int main(void) {
  long total = 0;
  for (int round = 0; round < 10; round++) {
    struct node *list = 0;
    for (int i = 0; i < 1000; i++) list = push(list, i * round);
    list = reversed(list);
    int last = -1;
    while (list) {
      struct node *next = list->next;
      if (list->value < last) reach_error();
      last = list->value;
      total += last;
      free(list);
      list = next;
    }
  }
  if (total != 499500L * 45) reach_error();
  return 0;
}
