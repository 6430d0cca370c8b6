// Fills and copies whose length says more than the type of their pointer, or whose ends lie inside of scalars, one per section. Each is well-defined for gcc with
// -fno-strict-aliasing on machines with eight bytes per pointer, and what it checks holds. They see the declarations in tests/aliasing/head.c.

// === fill_behind_header
struct head { short kind; short size; };
struct packet { struct head head; int body[4]; };
static void clear(struct head *h, ulong n) { memset(h, 0, n); }
static void init(struct head *h) { memset(h, 0, sizeof(struct packet)); }
int main(void) {
  struct packet p = {{1, 2}, {3, 4, 5, 6}}, q = {{1, 2}, {3, 4, 5, 6}};
  init(&p.head);
  clear(&q.head, sizeof q);
  check(p.body[3] == 0 && q.body[2] == 0);
  return 0;
}

// === copy_behind_header
struct base { long id; };
struct derived { struct base base; int x; int *where; };
int one = 1;
static void assign(struct base *to, const struct base *from) { memcpy(to, from, sizeof(struct derived)); }
int main(void) {
  struct derived a = {{1}, 2, &one}, b = {{0}, 0, 0};
  assign(&b.base, &a.base);
  *b.where = 9;
  check(b.x == 2 && one == 9);
  return 0;
}

// === copied_function_pointer
struct base { int id; };
struct operations { struct base base; int (*run)(int); };
static int twice(int x) { return 2 * x; }
static int same(int x) { return x; }
static void assign(struct base *to, struct base *from, ulong n) { memmove(to, from, n); }
int main(void) {
  struct operations a = {{1}, twice}, b = {{2}, same};
  assign(&b.base, &a.base, sizeof a);
  check(b.run(4) == 8);
  return 0;
}

// === header_of_heap_object
struct head { int n; };
struct packet { struct head head; int body[2]; };
int main(void) {
  struct head *h = malloc(sizeof(struct packet));
  if (!h) abort();
  struct packet *p = (struct packet *)h;
  p->body[1] = 7;
  memset(h, 0, sizeof *p);
  check(p->body[1] == 0);
  return 0;
}

// === zero_length_tail
struct list { int n; int items[0]; };
int main(void) {
  struct list *l = malloc(16);
  if (!l) abort();
  l->items[2] = 5;
  memset(l, 0, 16);
  check(l->items[2] == 0);
  return 0;
}

// === flexible_tail_copied
struct list { int n; short items[]; };
int main(void) {
  struct list *l = malloc(12), *m = malloc(12);
  if (!l || !m) abort();
  l->n = 4; l->items[1] = 3;
  m->items[1] = 0;
  memcpy(m, l, 4 + 4 * sizeof(short));
  check(m->items[1] == 3);
  return 0;
}

// === structure_with_a_flexible_tail_is_assigned
struct list { int n; int items[]; };
int main(void) {
  struct list *l = malloc(16), *m = malloc(16);
  if (!l || !m) abort();
  l->n = 4; l->items[1] = 3;
  m->items[1] = 8;
  *m = *l;
  check(m->n == 4 && m->items[1] == 8);
  return 0;
}

// === from_a_member_to_the_end
struct s { int a; int b; short c; short d; } s = {1, 2, 3, 4};
static void clear_from(int *p) { memset(p, 0, 8); }
int main(void) {
  memset(&s.b, 0, sizeof s - 4);
  check(s.a == 1 && s.d == 0);
  return 0;
}

// === from_a_member_in_a_callee
struct s { int a; int b; short c; short d; } s = {1, 2, 3, 4};
static void clear_from(int *p) { memset(p, 0, 8); }
int main(void) {
  clear_from(&s.b);
  check(s.a == 1 && s.b == 0 && s.d == 0);
  return 0;
}

// === fill_ends_inside
int x = -1;
int main(void) {
  memset(&x, 0, 2);
  check(x == -65536);
  return 0;
}

// === fill_begins_inside
int x[2] = {-1, -1};
int main(void) {
  memset((char *)x + 3, 0, 2);
  check(x[0] == 0x00ffffff && x[1] == -256);
  return 0;
}

// === fill_inside_of_one
long x = -1;
int main(void) {
  memset((char *)&x + 2, 0x11, 3);
  check(x == (long)0xffffff111111ffff);
  return 0;
}

// === copy_ends_inside
struct s { int x, y; } g = {0x101, 0x20202}, h = {0x203, 0x707};
int main(void) {
  memcpy(&g, &h, 6);
  check(g.x == 0x203 && g.y == 0x20707);
  return 0;
}

// === computed_length
uint x = 0xffffffff;
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 3) return 0;
  memset(&x, 0, n);
  check(n == 0 ? x == 0xffffffff : n == 1 ? x == 0xffffff00 : n == 2 ? x == 0xffff0000 : x == 0xff000000);
  return 0;
}

// === computed_length_of_a_copy
uint x = 0x01020304, y = 0xa0b0c0d0;
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 4) return 0;
  memcpy(&x, &y, n);
  check((x & 0xff) == (n == 0 ? 4 : 0xd0) && x >> 24 == (n == 4 ? 0xa0 : 1));
  return 0;
}

// === computed_byte
short a[3];
int main(void) {
  int c = __VERIFIER_nondet_int();
  memset(a, c, 5);
  check((a[1] & 255) == (c & 255) && a[2] == (c & 255));
  return 0;
}

// === fill_over_bit_fields
struct s { signed char m : 1; unsigned n : 5; signed o : 12; } s;
int main(void) {
  memset(&s, 0x5a, sizeof s);
  check(s.m == 0 && s.n == 0xd && s.o == -1687);
  return 0;
}

// === fill_ends_in_a_bit_field
struct s { unsigned a : 4; unsigned b : 12; signed c : 12; } s = {15, 4095, -1};
static void fill(struct s *p, int n) { memset(p, 0x21, n); }
int main(void) {
  fill(&s, 3);
  check(s.a == 1 && s.b == 0x212 && s.c == -223);
  return 0;
}

// === padding_is_filled_and_copied
struct s { char c; int i; } s, t;
int main(void) {
  uchar *p = (uchar *)&s, *q = (uchar *)&t;
  memset(&s, 7, sizeof s);
  memset(&t, 1, sizeof t);
  memset(&t, 0, sizeof t);
  check(q[2] == 0 && p[3] == 7);
  return 0;
}

// === walk_over_members
struct s { int a; int b; } t[3];
int main(void) {
  for (int *q = &t[0].a; q < (int *)(t + 3); q++) *q = 7;
  check(t[1].b == 7 && t[2].a == 7);
  return 0;
}

// === walk_over_member_arrays
struct s { int a[2]; int b[2]; } t;
static void fill(int *q, int n) { for (int i = 0; i < n; i++) q[i] = 7; }
int main(void) {
  fill(t.a, 4);
  check(t.b[1] == 7);
  return 0;
}

// === sum_of_coordinates
struct v { int x, y, z; } v = {1, 2, 3};
static int sum(int *a) { return a[0] + a[1] + a[2]; }
int main(void) {
  v.y = 5;
  check(sum(&v.x) == 9);
  return 0;
}

// === walk_of_pointers
int one = 1, two = 2;
struct v { int *x, *y; } v = {&one, &one};
static void put(int **where, int *what) { where[1] = what; }
int main(void) {
  put(&v.x, &two);
  *v.y = 8;
  check(two == 8 && one == 1);
  return 0;
}

// === grown
extern void *realloc(void *, ulong);
int main(void) {
  int *p = malloc(8);
  if (!p) abort();
  p[0] = 5; p[1] = 6;
  p = realloc(p, 40);
  if (!p) abort();
  p[9] = 1;
  check(p[0] == 5 && p[1] == 6);
  return 0;
}

// === shrunk_inside_of_a_scalar
extern void *realloc(void *, ulong);
int main(void) {
  uint *p = malloc(8);
  if (!p) abort();
  p[0] = 0x01020304;
  p = realloc(p, 2);
  if (!p) abort();
  check(((uchar *)p)[1] == 3);
  return 0;
}

// === grown_from_nothing
extern void *realloc(void *, ulong);
struct item { struct item *next; int v; };
int main(void) {
  struct item *p = 0;
  p = realloc(p, sizeof *p);
  if (!p) abort();
  p->v = 4; p->next = p;
  p = realloc(p, 2 * sizeof *p);
  if (!p) abort();
  p[1].v = 5;
  check(p->v == 4 && p[1].v == 5);
  return 0;
}
