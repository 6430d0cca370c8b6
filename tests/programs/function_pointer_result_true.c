// A pointer to a function without result does not reach a function with one: that call is undefined.
//# call reach_error: TRUE
extern void reach_error(void);

struct request {
  void (*done)(struct request *);
};

int failing(struct request *r) {
  reach_error();
  return r != 0;
}

int (*handler)(struct request *) = failing;
extern struct request *next_request(void);

int main(void) {
  struct request *r = next_request();
  if (r && r->done) r->done(r);
  return 0;
}
