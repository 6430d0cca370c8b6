// Disputed: the violation needs a function without body to change memory that it is given. Here such a function returns any value and touches
// nothing, which the ledger says with a mark (`extern function!`): --strict makes no TRUE of it.
//# call reach_error: TRUE
extern void reach_error(void);
extern void register_buffer(void *queue);

struct queue {
  int locked;
};

int main(void) {
  struct queue q;
  q.locked = 0;
  register_buffer(&q);
  if (q.locked)
    reach_error();
  return 0;
}
