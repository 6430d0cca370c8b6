//# call wrong_value: TRUE
//# call second_element: FALSE
/* A function that calls its argument makes a list of lists: the call graph has a cycle, and no execution does. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void abort(void);
extern void wrong_value(void);
extern void second_element(void);
struct inner { struct inner *next; int v; };
struct outer { struct outer *next; struct inner *list; };
static void *create(void (*insert)(void **)) {
  void *list = 0;
  insert(&list);
  if (__VERIFIER_nondet_int()) insert(&list);
  return list;
}
static void insert_inner(void **list) {
  struct inner *i = malloc(sizeof *i);
  if (!i) abort();
  i->v = 3;
  i->next = *list;
  *list = i;
}
static void insert_outer(void **list) {
  struct outer *o = malloc(sizeof *o);
  if (!o) abort();
  o->list = create(insert_inner);
  o->next = *list;
  *list = o;
}
int main(void) {
  struct outer *all = create(insert_outer);
  if (!all || !all->list || all->list->v != 3) wrong_value();
  if (all->list->next) second_element();
  return 0;
}
